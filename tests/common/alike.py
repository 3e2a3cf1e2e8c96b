"""What 放羊 and 甲乙丙 prove alike: kernels against the reference and brute force, whole hands
under house rules on both, and what a seat may and may not tell."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import factorial, prod
from typing import Any

import numpy as np
import pytest

import qipai
from qipai import cards
from qipai.verify import Mismatch, compare_actions, compare_hand, compare_state, reference_game

RANKS = "3456789TJQKA2BR"
FACES = [suit + rank for rank in RANKS[:13] for suit in "DCHS"] + ["B", "R"]


# Kernels ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kernel:
    """A game's pure functions beside the reference's."""

    module: Any
    reference: Any
    decks: int
    hand: int
    sheets: tuple[Any, ...]  # house rules that the kernel asks for

    def most(self, rank: int) -> int:
        """How many cards of a rank there are."""
        return self.decks if rank > 12 else 4 * self.decks

    def alike(self) -> list[bytes]:
        """The counts of every set of cards alike."""
        return [
            bytes(width if place == rank else 0 for place in range(15))
            for rank in range(15)
            for width in range(1, self.most(rank) + 1)
        ]

    def small_sets(self, size: int) -> Iterator[bytes]:
        """The counts of every set of up to so many cards."""
        for n in range(size + 1):
            for ranks in itertools.combinations_with_replacement(range(15), n):
                counts = bytes(ranks.count(rank) for rank in range(15))
                if all(counts[rank] <= self.most(rank) for rank in range(15)):
                    yield counts

    def random_hand(self, rng: random.Random) -> bytes:
        """The counts of a random hand."""
        deck = [rank for rank in range(15) for _ in range(self.most(rank))]
        dealt = rng.sample(deck, rng.randint(1, self.hand))
        return bytes(dealt.count(rank) for rank in range(15))


def text(counts: bytes) -> str:
    """Counts as rank text."""
    return "".join(rank * n for rank, n in zip(RANKS, counts, strict=True))


def told(play: Any) -> tuple[str, str, int, str] | None:
    """A play of either side, as plain data."""
    if play is None:
        return None
    kind = play.kind if isinstance(play.kind, str) else play.kind.name
    return kind, play.rank, play.width, play.cards


def packed(rows: list[bytes]) -> np.ndarray:
    """Counts as packed uint64."""
    return np.array([sum(n << 4 * i for i, n in enumerate(row)) for row in rows], np.uint64)


def prove_classify(kernel: Kernel, size: int) -> int:
    """Classify all cards alike and every set of up to `size` cards, one by one and at once."""
    sets = [*kernel.alike(), *kernel.small_sets(size)]
    for rules in kernel.sheets:
        many = kernel.module.classify_many(packed(sets), rules)
        for counts, row in zip(sets, many, strict=True):
            play = kernel.module.classify(counts, rules)
            assert told(play) == told(kernel.reference.classify(list(counts), rules)), text(counts)
            assert told(kernel.module.classify(text(counts), rules)) == told(play)
            if play is None:
                assert not row["id"] and not row["kind"] and not row["rank"]
            else:
                assert (row["id"], row["kind"]) == (int(play), play.kind)
                assert RANKS[row["rank"]] == play.rank
    return len(sets) * len(kernel.sheets)


def prove_beats(kernel: Kernel) -> int:
    """Compare every two plays under all house rules."""
    pairs = 0
    for rules in kernel.sheets:
        plays = [one for one in kernel.alike() if kernel.module.classify(one, rules)]
        mine = [kernel.module.classify(one, rules) for one in plays]
        theirs = [kernel.reference.classify(list(one), rules) for one in plays]
        both = list(itertools.product(range(len(plays)), repeat=2))
        first = packed([plays[a] for a, _ in both])
        second = packed([plays[b] for _, b in both])
        many = kernel.module.beats_many(first, second, rules)
        for (a, b), batch in zip(both, many, strict=True):
            beaten = kernel.reference.beats(theirs[a], theirs[b], rules)
            assert kernel.module.beats(mine[a], mine[b], rules) == batch == beaten, (a, b)
        pairs += len(both)
    return pairs


def prove_legal(kernel: Kernel, n: int, seed: int) -> int:
    """List the plays of random hands, on every kind of play, against all sub-multisets."""
    rng = random.Random(seed)
    for _ in range(n):
        rules = rng.choice(kernel.sheets)
        hand = kernel.random_hand(rng)
        found = [
            told(play)
            for part in itertools.product(*(range(count + 1) for count in hand))
            if (play := kernel.reference.classify(list(part), rules)) is not None
        ]
        alike = [one for one in kernel.alike() if kernel.module.classify(one, rules)]
        for on in (None, *rng.sample(alike, 4)):
            wanted = sorted(
                play
                for play in found
                if on is None
                or kernel.reference.beats([play[3].count(rank) for rank in RANKS], list(on), rules)
            )
            plays = kernel.module.legal_plays(hand, on, rules)
            assert sorted(map(told, plays)) == wanted, (text(hand), on)
            ids = [int(play) for play in plays]
            assert ids == sorted(ids)
            assert kernel.module.legal_ids(hand, on, rules).tolist() == ids
            assert kernel.module.legal_count_many(packed([hand]), on, rules)[0] == len(plays)
    return n


def prove_batches(kernel: Kernel) -> None:
    """Both forms of rows, every number of threads, the caller's arrays, and refusals that leave
    them alone."""
    module = kernel.module
    rng = random.Random(1)
    hands = [kernel.random_hand(rng) for _ in range(20_000)]
    rows, counts = packed(hands), np.frombuffer(b"".join(hands), np.uint8).reshape(-1, 15)
    wanted = [len(module.legal_plays(hand)) for hand in hands[:300]]
    for threads in (1, 2, 3):
        for array in (rows, counts):
            room = np.full(len(hands) + 2, -7, np.int32)
            out = module.legal_count_many(array, out=room, threads=threads)
            assert out.base is room and out.dtype == np.int32 and out.shape == (len(hands),)
            assert out[:300].tolist() == wanted
            assert room[-2:].tolist() == [-7, -7]
            assert np.array_equal(out, module.legal_count_many(rows))
            plays = module.classify_many(array, threads=threads)
            assert plays.dtype == module.PLAY_DTYPE
            assert np.array_equal(plays, module.classify_many(rows))
    singles = packed(kernel.alike()[:4] * 5000)
    beaten = module.beats_many(singles, singles[::-1].copy(), threads=2)
    assert beaten.dtype == np.bool_ and np.array_equal(
        beaten, module.beats_many(singles, singles[::-1].copy())
    )
    kept = np.full(4, 9, np.int32)
    flags = np.ones(4, np.bool_)
    bad = rows[:3].copy()
    bad[2] = 15
    with pytest.raises(ValueError, match=r"array\[2\]"):
        module.legal_count_many(bad, out=kept)
    with pytest.raises(ValueError, match=r"array\[0\].*rank 3"):
        module.classify_many(np.full((1, 15), 9, np.uint8))
    with pytest.raises(ValueError, match=r"b\[1\] is no play"):
        module.beats_many(packed([b"\1" + bytes(14)] * 2), packed(
            [b"\1" + bytes(14), b"\1\1" + bytes(13)]), out=flags)  # fmt: skip
    with pytest.raises(ValueError, match=r"a\[0\]"):
        module.beats_many(bad[2:], bad[:1], out=flags)
    for name, call in [
        ("out has room", lambda: module.legal_count_many(rows, out=kept)),
        ("out must be", lambda: module.legal_count_many(rows[:2], out=np.empty(2, np.int64))),
        ("array must be", lambda: module.legal_count_many(rows.astype(np.int64))),
        ("array must be", lambda: module.legal_count_many(counts[:, :14].copy())),
        ("array", lambda: module.legal_count_many(rows[::2])),
        ("PLAY_DTYPE", lambda: module.classify_many(rows, out=np.empty(len(rows), np.uint64))),
        ("1 rows and b has 2", lambda: module.beats_many(rows[:1], rows[:2])),
        ("threads", lambda: module.classify_many(rows, threads=0)),
        ("out has room", lambda: module.legal_ids(hands[0], out=np.empty(0, np.int32))),
    ]:
        with pytest.raises(ValueError, match=name):
            call()
    assert kept.tolist() == [9] * 4 and flags.all()
    assert module.classify_many(rows[:0]).shape == (0,)


# Whole hands -----------------------------------------------------------------------------------


class Both:
    """A hand on both sides at once, compared before and after every action."""

    def __init__(self, game: qipai.Game) -> None:
        self.game = game
        self.slow = reference_game(game)
        self.texts = compare_actions(game, self.slow)
        compare_state(game, self.slow)

    def apply(self, *texts: str) -> Both:
        for action in texts:
            self.game.apply(action)
            self.slow.apply(action)
            compare_state(self.game, self.slow)
            self.texts = compare_actions(self.game, self.slow)
        return self

    def refuses(self, *texts: str) -> None:
        before = self.game.snapshot()
        for action in texts:
            assert not self.slow.is_legal(action), action
            with pytest.raises(ValueError):
                self.game.apply(action)
        assert self.game.snapshot() == before

    def all_pass(self) -> int | None:
        """Pass until somebody leads anew; who."""
        while "pass" in self.texts:
            self.apply("pass")
        return self.game.turn

    def go_out(self, *seats: int, order: str) -> Both:
        """Let seats go out in this order, while the others pass or lead their lowest single; a
        marked card is kept back as long as something else will do."""
        for seat in seats:
            while not self.game.is_over and seat not in self.game.finished:
                plays = sorted(
                    (one for one in self.texts if one != "pass"),
                    key=lambda one: (one.endswith("*"), len(one), order.index(one[0])),
                )
                free = "pass" not in self.texts
                acts = plays and (self.game.turn == seat or free)
                self.apply(plays[0] if acts else "pass")
        assert self.game.finished == seats
        return self


def compare_exact(game: qipai.Game, rng: random.Random) -> int:
    """A random hand on both sides, half of its plays with any cards of the rank, named by suit."""
    slow = reference_game(game)
    called = getattr(game, "called", None)
    for step in itertools.count():
        compare_state(game, slow)
        if game.is_over:
            return step
        action = rng.choice(compare_actions(game, slow))
        if action[0] in RANKS and rng.random() < 0.5:
            called = getattr(game, "called", None)
            starred = action.endswith("*")
            others = [
                card
                for card in hands(game)[game.turn]
                if FACES[card % 54][-1] == action[0] and card != called
            ]
            chosen = rng.sample(others, len(action) - 2 * starred) + [called] * starred
            action = " ".join(FACES[card % 54] for card in chosen)
            if not slow.is_legal(action):
                raise Mismatch(f"the reference does not allow {action!r}")
        game.apply(action)
        slow.apply(action)
    raise AssertionError


def prove_house_rules(
    make: Callable[[random.Random], qipai.Game], n: int, seed: int, lists: float = 0.2
) -> int:
    """Hands under random house rules and histories, on both sides."""
    rng = random.Random(seed)
    return sum(
        compare_exact(game, rng) if rng.random() < 0.2 else compare_hand(game, rng, lists=lists)
        for game in (make(rng) for _ in range(n))
    )


# What a seat can tell --------------------------------------------------------------------------


def everything(game: qipai.Game, seat: int) -> tuple[Any, ...]:
    """All that a seat can look at."""
    view = game.view(seat)
    mine = game.turn == seat and view.turn == seat
    return (
        view.as_dict(),
        game.observe(seat).tobytes(),
        game.hint(3) if mine else None,
        game.legal_actions() if mine else None,
        game.action_features().tobytes() if mine else None,
    )


def hands(game: qipai.Game) -> list[list[int]]:
    """What each player holds."""
    engine: Any = game.engine
    return [engine.hand(game, seat) for seat in range(game.players)]


def exact_log(game: qipai.Game) -> list[Any]:
    """What was done, plays as the cards they moved."""
    plays = (list(event.cards or ()) for event in game.events() if event.kind == "play")
    words = ("pass", "no", "show", "call")
    return [
        action if action.startswith(words) else next(plays) for _, action in game.logged_actions()
    ]


def replayed(game: qipai.Game, dealt: Any) -> qipai.Game | None:
    """The hand as it would have gone with other cards; None where it could not have."""
    kind = type(game)
    deal = game.deal.replace(hands=tuple(map(tuple, dealt)))
    try:
        other = kind(game.rules, seed=game.seed, deal=deal, history=game.history)
        for action in exact_log(game):
            other.apply(action)
    except ValueError:
        return None
    return other


def other_deals(game: qipai.Game, seat: int) -> Iterator[list[list[int]]]:
    """Every way in which the cards that a seat does not see may lie."""
    held = hands(game)
    others = [player for player in range(game.players) if player != seat]
    hidden = sorted(card for player in others for card in held[player])

    def fill(left: list[int], players: list[int]) -> Iterator[dict[int, tuple[int, ...]]]:
        if not players:
            yield {}
            return
        for some in itertools.combinations(left, len(held[players[0]])):
            rest = [card for card in left if card not in some]
            for more in fill(rest, players[1:]):
                yield {players[0]: some, **more}

    for filled in fill(hidden, others):
        yield [
            sorted(set(dealt) - set(held[player]) | set(filled.get(player, held[player])))
            for player, dealt in enumerate(game.deal.hands)
        ]


def ways(game: qipai.Game, seat: int) -> int:
    """How many deals :func:`other_deals` yields."""
    sizes = [len(hand) for player, hand in enumerate(hands(game)) if player != seat]
    return factorial(sum(sizes)) // prod(map(factorial, sizes))


def prove_resample(game: qipai.Game, seat: int, tries: int) -> int:
    """Resampling gives exactly the deals that look the same to a seat; how many there are."""
    mine = everything(game, seat)
    alike = set()
    for dealt in other_deals(game, seat):
        other = replayed(game, dealt)
        if other is not None and everything(other, seat) == mine:
            alike.add(other.deal.hands)
    drawn = set()
    for seed in range(tries * len(alike)):
        other = game.resample(seat, seed)
        drawn.add(other.deal.hands)
    assert drawn == alike, f"{len(drawn)} are drawn of {len(alike)}, {len(drawn - alike)} wrongly"
    return len(alike)


def swapped(game: qipai.Game, one: int, two: int) -> qipai.Game:
    """A new hand with two cards in each other's place."""
    change = {one: two, two: one}
    dealt = tuple(tuple(change.get(card, card) for card in hand) for hand in game.deal.hands)
    return type(game)(
        game.rules, seed=game.seed, deal=game.deal.replace(hands=dealt), history=game.history
    )


def exact_action(game: qipai.Game, rng: random.Random, without: set[int]) -> Any:
    """A random action of the seat to act that moves none of some cards; None for none."""
    held = hands(game)[game.turn or 0]
    found: list[Any] = []
    for action in map(str, game.legal_actions()):
        if action == "show" or action.endswith("*"):
            continue
        if action[0] not in RANKS:
            found.append(action)
            continue
        free = [card for card in held if FACES[card % 54][-1] == action[0] and card not in without]
        if len(free) >= len(action):
            found.append(rng.sample(free, len(action)))
    return rng.choice(found) if found else None


def card(face: str, copy: int = 0) -> int:
    """The id of a card."""
    return cards.parse(face)[0] + 54 * copy
