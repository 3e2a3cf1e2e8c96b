"""Whole hands by the thousand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from queue import SimpleQueue
from random import Random
from threading import Thread
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from qipai._core.arena import batch_seed, play_deals
from qipai._core.chance import seed_bytes
from qipai._core.game import Game
from qipai.bots import NativeBot, PythonBot, named
from qipai.plain import Plain, exact, integer, shown
from qipai.registry import preset_rules
from qipai.rules._base import require_int, require_ints, require_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Bots: TypeAlias = "Sequence[NativeBot | PythonBot | str] | NativeBot | PythonBot | str"
# Numbers in units of the stake: sums and squares by player, by bot, counts of outcomes.
Part: TypeAlias = tuple[list[int], list[int], list[int], list[int], list[int]]

# Deals that one call into C plays: enough to spare the overhead, few enough for the progress bar
# and for sums of squares that fit.
FAST_CHUNK = 256
SLOW_CHUNK = 4
NORMAL_95 = 1.959963984540054
# More than any number of a summary: squares of all the scores that 2**64 hands could have.
HUGE = 1 << 192


@dataclass(frozen=True, slots=True)
class Summary(Plain):
    """What came of many hands; two of the same game and bots add up.

    ``n`` deals, ``hands`` played on them (more where deals were played again with the bots
    exchanged). ``sums`` and ``squares``: of each player's scores over hands. ``bot_sums`` and
    ``bot_squares``: over deals, of the scores of all the seats that a bot had in all hands of a
    deal. All in units of ``stake``, exact. ``outcomes``: how many hands ended how.
    """

    game: str
    bots: tuple[str, ...]
    stake: int
    players: int
    n: int
    hands: int
    sums: tuple[int, ...]
    squares: tuple[int, ...]
    bot_sums: tuple[int, ...]
    bot_squares: tuple[int, ...]
    outcomes: dict[str, int] = field(default_factory=dict[str, int])

    def __post_init__(self) -> None:
        Plain.__post_init__(self)
        require_text("game", self.game, longest=100)
        require_int("players", self.players, 1, 100)
        require_int("stake", self.stake, 1, HUGE)
        require_int("n", self.n, 1, HUGE)
        require_int("hands", self.hands, self.n, HUGE)
        if not isinstance(self.bots, tuple) or not all(isinstance(bot, str) for bot in self.bots):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"bots must be a tuple of names, not {self.bots!r}")
        if not self.bots or self.players % len(self.bots) or self.hands % self.n:
            raise ValueError("bots must divide the players, and deals the hands")
        require_ints("sums", self.sums, self.players, -HUGE, HUGE)
        require_ints("squares", self.squares, self.players, 0, HUGE)
        require_ints("bot_sums", self.bot_sums, len(self.bots), -HUGE, HUGE)
        require_ints("bot_squares", self.bot_squares, len(self.bots), 0, HUGE)
        if not isinstance(self.outcomes, dict):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"outcomes must be a mapping, not {self.outcomes!r}")
        given = dict[Any, Any](self.outcomes).items()
        object.__setattr__(self, "outcomes", {exact(name): exact(count) for name, count in given})
        for name, count in self.outcomes.items():
            if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise ValueError(f"outcomes must be named by texts, not {name!r}")
            require_int(f"outcomes[{name!r}]", count, 0, self.hands)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain JSON."""
        return {**Plain.as_dict(self), "outcomes": dict(self.outcomes)}

    def to_json(self) -> str:
        """Return the summary as one line of JSON; its numbers are exact, however large."""
        return json.dumps(self.as_dict(), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the summary of its JSON; ``ValueError`` where it is none."""
        try:
            data = json.loads(text)
        except RecursionError:
            raise ValueError("the summary is nested too deeply") from None
        return cls.from_dict(data)

    def __add__(self, other: Summary) -> Summary:
        """Return the summary of both; ``ValueError`` where they are of different games or bots.

        Rules are told apart by their name and stake, bots in Python by their name: give house
        rules and bots names of their own.
        """
        if not isinstance(other, Summary):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        mine = (self.game, self.bots, self.stake, self.hands * other.n)
        if mine != (other.game, other.bots, other.stake, other.hands * self.n):
            raise ValueError("summaries of different games, bots or kinds of batch do not add up")
        return Summary(
            self.game,
            self.bots,
            self.stake,
            self.players,
            self.n + other.n,
            self.hands + other.hands,
            _added(self.sums, other.sums),
            _added(self.squares, other.squares),
            _added(self.bot_sums, other.bot_sums),
            _added(self.bot_squares, other.bot_squares),
            {
                name: self.outcomes.get(name, 0) + other.outcomes.get(name, 0)
                for name in {**self.outcomes, **other.outcomes}
            },
        )

    def mean(self, bot: int) -> float:
        """Return what a bot won on average, per hand and seat, stake included.

        ``bot``: its place in ``bots``; ``ValueError`` where there is none.
        """
        bot = _place("bot", bot, len(self.bots))
        return self.bot_sums[bot] * self.stake / (self.hands * self.players // len(self.bots))

    def interval(self, bot: int) -> tuple[float, float]:
        """Return the 95% interval of :meth:`mean`, from the variance over deals.

        Deals are the independent draws; the hands of one deal are not. ``ValueError`` for a single
        deal.
        """
        bot = _place("bot", bot, len(self.bots))
        if self.n < 2:
            raise ValueError("an interval needs at least two deals")
        seats = self.hands * self.players // len(self.bots) / self.n
        exact = self.n * self.bot_squares[bot] - self.bot_sums[bot] ** 2
        deviation = sqrt(exact / (self.n * (self.n - 1))) * self.stake / seats
        half = NORMAL_95 * deviation / sqrt(self.n)
        return self.mean(bot) - half, self.mean(bot) + half

    def seat_mean(self, seat: int) -> float:
        """Return what a player won on average per hand, stake included."""
        seat = _place("seat", seat, self.players)
        return self.sums[seat] * self.stake / self.hands

    def plot(self) -> Figure:
        """Return a matplotlib figure: what the bots won with its intervals, and how hands ended.

        ``ImportError`` without matplotlib: ``pip install 'qipai[plot]'``.
        """
        from qipai.plots import plot_summary

        return plot_summary(self)

    def _repr_html_(self) -> str:
        from qipai.draw import summary

        return summary(self)

    def __str__(self) -> str:
        lines = [f"{self.game}: {self.n:,} deals, {self.hands:,} hands"]
        for place, name in enumerate(self.bots):
            line = f"  {name}: {self.mean(place):+.3f} a hand and seat"
            if self.n > 1:
                low, high = self.interval(place)
                line += f", 95% {low:+.3f} to {high:+.3f}"
            lines.append(line)
        ends = ", ".join(f"{name} {count:,}" for name, count in self.outcomes.items() if count)
        lines.append(f"  ends: {ends}")
        return "\n".join(lines)


def play_batch(
    game: str | Game,
    bots: Bots,
    n: int,
    *,
    seed: int | bytes | None = None,
    threads: int = 1,
    duplicate: bool = False,
    first: int = 0,
    progress: Callable[[Summary], None] | None = None,
) -> Summary:
    """Play n deals to the end.

    ``game``: a name as for :func:`qipai.new`, or a Game whose rules and history every hand has.
    ``bots``: one for all, or as many as divide the players: the bot at place p of the order of play
    is ``bots[p % len(bots)]``. Native bots (or their names) play inside C without the GIL, on so
    many ``threads``; with a Python bot among them the hands are played one by one.
    ``duplicate``: each deal is played once for every rotation of the bots.
    ``seed``: as for a Game; ``first``: the number of the first deal. Deal i depends on the seed and
    i alone, so the result is the same for every number of threads and however the work is cut.
    ``progress``: called with the summary so far after every stretch of deals; what it raises ends
    the batch. ``ValueError`` for bots that do not divide the players, or n below 1.
    """
    prototype, name = prototype_of(game)
    players = [named(bot) for bot in _listed(bots)]
    if prototype.players % len(players):
        raise ValueError(f"{len(players)} bots cannot be dealt out to {prototype.players} players")
    n, first, threads = integer("n", n), integer("first", first), integer("threads", threads)
    if n < 1 or first < 0 or first + n > 1 << 63:
        raise ValueError(
            f"n must be at least 1, first at least 0 and their sum at most 2**63, "
            f"not {shown(n)} and {shown(first)}"
        )
    if not 1 <= threads <= 256:
        raise ValueError(f"threads must be 1 to 256, not {shown(threads)}")
    key = seed_bytes(seed)
    labels = tuple(_label(bot) for bot in players)
    rotations = len(players) if duplicate else 1
    summary: Summary | None = None
    for count, part in _parts(prototype, players, key, first, n, threads, duplicate):
        sums, squares, bot_sums, bot_squares, ends = part
        made = Summary(
            name,
            labels,
            prototype.rules.stake,
            prototype.players,
            count,
            count * rotations,
            tuple(sums),
            tuple(squares),
            tuple(bot_sums),
            tuple(bot_squares),
            dict(zip(prototype.engine.outcomes, ends, strict=False)),
        )
        summary = made if summary is None else summary + made
        if progress is not None:
            progress(summary)
    assert summary is not None
    return summary


def _parts(
    game: Game,
    bots: list[NativeBot | PythonBot],
    key: bytes,
    first: int,
    n: int,
    threads: int,
    duplicate: bool,
) -> Iterator[tuple[int, Part]]:
    """Yield (deals, numbers) stretch by stretch, in any order."""
    native = [bot for bot in bots if isinstance(bot, NativeBot)]
    if len(native) < len(bots):
        for number in range(first, first + n):
            yield 1, _python_deal(game, bots, key, number, duplicate)
        return
    specs = [bot.spec for bot in native]
    chunk = SLOW_CHUNK if any(bot.worlds for bot in native) else FAST_CHUNK
    starts = iter(range(first, first + n, chunk))

    def play(start: int) -> tuple[int, Part]:
        count = min(chunk, first + n - start)
        return count, play_deals(game, specs, key, start, count, duplicate)

    if threads == 1:
        yield from map(play, starts)
        return
    yield from _threaded(play, starts, threads)


def _threaded(
    play: Callable[[int], tuple[int, Part]], starts: Iterator[int], threads: int
) -> Iterator[tuple[int, Part]]:
    """Yield what ``play`` makes of every start; threads take the next as they come free."""
    todo: SimpleQueue[int | None] = SimpleQueue()
    done: SimpleQueue[tuple[int, Part] | BaseException] = SimpleQueue()

    def work() -> None:
        while (start := todo.get()) is not None:
            try:
                done.put(play(start))
            except BaseException as error:
                done.put(error)

    workers = [Thread(target=work, daemon=True) for _ in range(threads)]
    for worker in workers:
        worker.start()
    waiting = 0
    try:
        for start in starts:
            todo.put(start)
            waiting += 1
            # A short queue, so that an interruption is felt at once.
            if waiting >= 2 * threads:
                yield _taken(done)
                waiting -= 1
        while waiting:
            yield _taken(done)
            waiting -= 1
    finally:
        for _ in workers:
            todo.put(None)
        for worker in workers:
            worker.join()


def _taken(done: SimpleQueue[tuple[int, Part] | BaseException]) -> tuple[int, Part]:
    result = done.get()
    if isinstance(result, BaseException):
        raise result
    return result


def _python_deal(
    game: Game, bots: list[NativeBot | PythonBot], key: bytes, number: int, duplicate: bool
) -> Part:
    """Play one deal with bots of which some are Python's."""
    kinds = len(bots)
    seats = range(game.players)
    stake = game.rules.stake
    sums = [0] * game.players
    squares = [0] * game.players
    totals = [0] * kinds
    outcomes = [0] * len(game.engine.outcomes)
    for turn in range(kinds if duplicate else 1):
        hand = type(game)(game.rules, seed=batch_seed(key, number), history=game.history)
        chance = Random(f"{key.hex()} {number} {turn}")
        while not hand.is_over:
            assert hand.turn is not None
            bot = bots[(hand.order.index(hand.turn) + turn) % kinds]
            if isinstance(bot, NativeBot):
                hand.apply(bot.choose(hand, chance.getrandbits(256)))
            else:
                hand.apply(bot(hand.view(hand.turn), hand.legal_actions()))
        points = [score // stake for score in hand.scores()]
        for seat in seats:
            sums[seat] += points[seat]
            squares[seat] += points[seat] ** 2
            totals[(hand.order.index(seat) + turn) % kinds] += points[seat]
        outcomes[hand.engine.outcomes.index(hand.outcome)] += 1
    return sums, squares, totals, [total**2 for total in totals], outcomes


def prototype_of(game: str | Game) -> tuple[Game, str]:
    """Return a Game with the rules and history of every hand, and the name to print."""
    if isinstance(game, str):
        kind, rules = preset_rules(game)
        made: Game = kind(rules, seed=0)
        return made, f"{made.engine.name}/{rules.name}"
    if not isinstance(game, Game):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"game must be a name or a Game, not {type(game).__name__}")
    return game, f"{game.engine.name}/{game.rules.name}"


def _listed(bots: Any) -> list[NativeBot | PythonBot | str]:
    if isinstance(bots, str | NativeBot) or callable(bots):
        one: Any = bots
        return [one]
    listed = list(bots)
    if not listed:
        raise ValueError("there must be at least one bot")
    return listed


def _label(bot: NativeBot | PythonBot) -> str:
    if isinstance(bot, NativeBot):
        return bot.label
    return getattr(bot, "__name__", type(bot).__name__)


def _place(name: str, value: object, n: int) -> int:
    place = integer(name, value)
    if not 0 <= place < n:
        raise ValueError(f"{name} must be 0 to {n - 1}, not {shown(place)}")
    return place


def _added(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))
