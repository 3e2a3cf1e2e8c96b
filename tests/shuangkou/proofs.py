"""The proofs of 百变双扣, each over a slice or the whole of its space.

``make prove`` runs them whole; the tests take a slice.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

import qipai
from qipai import shuangkou
from qipai._core import shuangkou as kernel
from qipai.reference import shuangkou as reference
from qipai.shuangkou import Rules

RANKS = "3456789TJQKA2BR"
PRESETS = (Rules.wenzhou(), Rules.bianfeng(), Rules.lishui())
# Rules that between them admit every row of the table.
WIDEST = (Rules.wenzhou().replace(max_bomb=10), Rules.bianfeng().replace(max_bomb=10))
READINGS = (*PRESETS, *WIDEST, Rules.wenzhou().replace(loops=True))

Counts = tuple[int, ...]


def counts_of(text: str) -> Counts:
    return tuple(text.count(rank) for rank in RANKS)


def all_sets() -> list[Counts]:
    """Every playable set by the table."""
    return [counts_of(kernel.play_at_id(id).cards) for id in range(1, kernel.table_size())]


def neighbours(counts: Counts) -> Iterator[Counts]:
    """Every set one card more or less, and one card exchanged for another rank's neighbour."""
    for rank in range(15):
        for step in (1, -1):
            changed = list(counts)
            changed[rank] += step
            if 0 <= changed[rank] <= (8 if rank < 13 else 2) and sum(changed) <= 27:
                yield tuple(changed)


def same_reading(counts: Counts, rules: Rules) -> None:
    """Classified as the reference does."""
    fast = shuangkou.classify(bytes(counts), rules)
    slow = reference.classify(counts, rules)
    if fast is None or slow is None:
        assert fast is None and slow is None, (counts, rules.name, fast, slow)
        return
    mine = (
        fast.kind.name, fast.rank, fast.width, fast.length, fast.stars, fast.is_loop,
        fast.cards, fast.reading,
    )  # fmt: skip
    theirs = (
        slow.kind, slow.rank, slow.width, slow.length, slow.stars, slow.is_loop,
        slow.cards, slow.reading,
    )  # fmt: skip
    assert mine == theirs, (counts, rules.name)


def prove_classify(share: int = 1, offset: int = 0) -> int:
    """SK-10..20, SK-30, SK-31: every playable set and every set one card away from one."""
    sets = all_sets()
    todo = set(sets[offset::share])
    for counts in sets[offset::share]:
        todo.update(neighbours(counts))
    for counts in todo:
        for rules in READINGS:
            same_reading(counts, rules)
    return len(todo)


def prove_nothing_is_missing(n: int, seed: int) -> int:
    """Random sets of any cards, which the table was not the source of."""
    rng = random.Random(seed)
    deck = [rank for rank in range(13) for _ in range(8)] + [13, 13, 14, 14]
    for _ in range(n):
        # Few ranks, so that patterns and near patterns come up.
        ranks = set(rng.sample(range(15), rng.randint(1, 6)))
        pool = [card for card in deck if card in ranks]
        cards = rng.sample(pool, min(len(pool), rng.randint(1, 27)))
        counts = tuple(cards.count(rank) for rank in range(15))
        for rules in READINGS:
            same_reading(counts, rules)
    return n


def readings(rules: Rules) -> list[tuple[Counts, reference.Play]]:
    """One set for each distinct reading that the rules admit."""
    first: dict[tuple[object, ...], tuple[Counts, reference.Play]] = {}
    for counts in all_sets():
        play = reference.classify(counts, rules)
        if play is not None:
            first.setdefault((play.kind, play.reading), (counts, play))
    return list(first.values())


def prove_beats(share: int = 1, offset: int = 0) -> int:
    """SK-40..46: every pair of readings compared as the reference compares."""
    pairs = 0
    for rules in (PRESETS[0], PRESETS[1], *WIDEST, READINGS[-1]):
        known = readings(rules)
        fast = {counts: shuangkou.classify(bytes(counts), rules) for counts, _ in known}
        for counts, play in known[offset::share]:
            for other, that in known:
                mine = shuangkou.beats(fast[counts], fast[other], rules)
                assert mine == reference.beats(play, that, rules), (play, that, rules.name)
                pairs += 1
    return pairs


def prove_same_reading_compares_alike(share: int = 1, offset: int = 0) -> int:
    """Sets with one reading, with and without 大王, beat and are beaten by the same."""
    checked = 0
    for rules in (PRESETS[0], PRESETS[1]):
        groups: dict[tuple[int, str], list[shuangkou.Play]] = {}
        for counts in all_sets():
            play = shuangkou.classify(bytes(counts), rules)
            if play is not None:
                groups.setdefault((play.kind, play.reading), []).append(play)
        firsts = [plays[0] for plays in groups.values()]
        for plays in list(groups.values())[offset::share]:
            for other in firsts:
                wins = {shuangkou.beats(play, other, rules) for play in plays}
                loses = {shuangkou.beats(other, play, rules) for play in plays}
                assert len(wins) == len(loses) == 1, (plays[0], other)
                checked += 1
    return checked


def prove_one_reading(share: int = 1, offset: int = 0) -> int:
    """SK-32: over all playable sets the patterns differ in the window alone, and the highest
    window beats whatever any other reading beats."""
    checked = 0
    for rules in WIDEST:
        known = readings(rules)
        for counts in all_sets()[offset::share]:
            found = reference.readings(counts, rules)
            if len(found) < 2:
                continue
            assert len({(play.kind, play.width, play.length) for play in found}) == 1, counts
            assert found[0].kind in ("STRAIGHT", "PAIR_RUN"), counts
            best = reference.classify(counts, rules)
            for _, other in known:
                if any(reference.beats(play, other, rules) for play in found):
                    assert reference.beats(best, other, rules), (counts, other)
                checked += 1
    return checked


def random_hand(rng: random.Random, size: int, wild: int) -> Counts:
    deck = [rank for rank in range(13) for _ in range(8)] + [13, 13]
    cards = rng.sample(deck, size - wild)
    return (*(cards.count(rank) for rank in range(14)), wild)


def texts(plays: Iterable[shuangkou.Play | reference.Play]) -> list[str]:
    return sorted(play.cards for play in plays)


def prove_legal_small(n: int, seed: int) -> int:
    """SK-40..46, SK-51: legal plays of small hands against all sub-multisets."""
    rng = random.Random(seed)
    sets = all_sets()
    for _ in range(n):
        wild = rng.choice((0, 0, 1, 2))
        rules = rng.choice(PRESETS)
        # Few ranks make bombs and runs likely.
        low = rng.randrange(10)
        deck = [rank for rank in range(low, low + 4) for _ in range(8)] + [13, 13]
        cards = rng.sample(deck, rng.randint(1, 9))
        hand = (*(cards.count(rank) for rank in range(14)), wild)
        on = None
        if rng.random() < 0.6:
            play = shuangkou.classify(bytes(rng.choice(sets)), rules)
            on = play and play.cards
        fast = texts(shuangkou.legal_plays(bytes(hand), on, rules))
        assert fast == texts(reference.legal_plays_brute(hand, on, rules=rules)), (hand, on)
    return n


def prove_legal_large(n: int, seed: int) -> int:
    """The same on hands of 27 with 0, 1 and 2 大王, against the reference's search; bombs too."""
    rng = random.Random(seed)
    sets = all_sets()
    for number in range(n):
        hand = random_hand(rng, 27, number % 3)
        rules = PRESETS[number % 2]
        on = None
        if rng.random() < 0.5:
            play = shuangkou.classify(bytes(rng.choice(sets)), rules)
            on = play and play.cards
        fast = shuangkou.legal_plays(bytes(hand), on, rules)
        assert texts(fast) == texts(reference.legal_plays(hand, on, rules=rules)), (hand, on)
        assert texts(shuangkou.bombs(bytes(hand), rules)) == texts(reference.bombs(hand, rules))
    return n


def escape_at_random(name: str, n: int, seed: int) -> int:
    """SK-68 in the middle of hands, on both."""
    from qipai.verify import compare_state, reference_game

    rng = random.Random(seed)
    for _ in range(n):
        game = qipai.new(name, seed=rng.getrandbits(256))
        slow = reference_game(game)
        for _ in range(rng.randrange(120)):
            if game.is_over:
                break
            text = str(rng.choice(game.legal_actions()))
            game.apply(text)
            slow.apply(text)
        if not game.is_over:
            player = rng.randrange(4)
            game.escape(player)
            slow.escape(player)
        compare_state(game, slow)
        assert qipai.restore(game.snapshot()) == game
        assert qipai.Record.from_json(game.record().to_json()).replay() == game
    return n
