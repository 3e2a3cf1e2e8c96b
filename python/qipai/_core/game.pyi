from collections.abc import Iterable
from types import GenericAlias
from typing import (
    Any,
    ClassVar,
    Generic,
    Literal,
    Never,
    Self,
    SupportsIndex,
    TypeAlias,
    final,
    overload,
)

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypeVar, disjoint_base

from qipai.plain import Plain
from qipai.record import Record
from qipai.result import Line
from qipai.rules._base import RulesBase
from qipai.spec import Slice
from qipai.view import View

_Rules = TypeVar("_Rules", bound=RulesBase, default=RulesBase, covariant=True)
_Deal = TypeVar("_Deal", bound=Plain, default=Plain, covariant=True)
_History = TypeVar("_History", bound=Plain, default=Plain, covariant=True)

_Seed: TypeAlias = SupportsIndex | bytes | bytearray
_Cards: TypeAlias = str | bytes | Iterable[SupportsIndex]
_Action: TypeAlias = Action | SupportsIndex | _Cards
_Viewer: TypeAlias = SupportsIndex | Literal["table"] | None

@disjoint_base
class Reason:
    """Why an action is illegal.

    ``code`` (a word), ``clause`` (the rule it breaks, or ``""`` where it is no rule of the game),
    ``text`` in English and ``text_zh`` in Chinese.
    """
    @property
    def code(self) -> str: ...
    @property
    def clause(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def text_zh(self) -> str: ...
    def __init__(self, code: str, clause: str, text: str, text_zh: str) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class IllegalAction(ValueError):
    """An action that the rules do not allow now; ``reason`` says why. The game is unchanged."""

    reason: Reason
    about: str
    def __init__(self, reason: Reason, about: str = "") -> None: ...

@disjoint_base
class Engine:
    """A game: its C functions, and in a subclass its words.

    A subclass sets ``reasons`` (from ``QP_OWN_REASONS`` on), ``phases`` and ``event_kinds`` and
    defines the methods below. They may read a :class:`Game` through the functions of the game's
    compiled module only.
    """

    reasons: tuple[Reason, ...]
    phases: tuple[str, ...]
    event_kinds: tuple[str, ...]
    play_type: type | None
    outcomes: tuple[str, ...]
    @property
    def name(self) -> str: ...
    @property
    def num_actions(self) -> int:
        """Ids of actions are below it."""
    @property
    def players(self) -> int:
        """How many play."""
    @property
    def observation_size(self) -> int:
        """The length of an observation."""
    def action_text(self, id: int, cards: bytes) -> str:
        """Text of an action; ``cards`` the ids it names exactly, empty for the lowest."""
    def read_action(self, game: Any, text: str) -> tuple[int, bytes]:
        """The (id, exact card ids as bytes) that text means in a game; ValueError if unreadable."""
    def action_of_cards(self, game: Any, cards: Any) -> tuple[int, bytes]:
        """The (id, exact card ids) of playing physical cards; id -1 where they are no play."""
    def default_rules(self) -> Any:
        """The rules of the first preset."""
    def pack(self, rules: Any, history: Any, deal: Any) -> bytes:
        """The origin as bytes: rules, history (None: first hand) and deal (None: zeros)."""
    def unpack(self, origin: bytes) -> tuple[Any, Any, Any]:
        """(rules, history, deal) of an origin; ValueError for bytes that are none."""
    def view(self, game: Any, seat: Any) -> dict[str, Any]:
        """The game's own part of a view: a dict of plain JSON."""
    def result(self, game: Any) -> list[Line]:
        """The itemised lines of a hand that is over."""
    def next_history(self, game: Any) -> Any:
        """What the next hand needs of one that is over."""
    def observation_spec(self) -> tuple[Slice, ...]:
        """The named slices of an observation."""
    def feature_spec(self) -> tuple[Slice, ...]:
        """The named slices of a legal action's features; empty where the game has none."""
    def reason_of(self, code: int) -> Reason:
        """The Reason of a code."""
    def action(self, id: int, cards: bytes = b"") -> Action:
        """The Action of an id."""

@final
class Action:
    """One action of a game: small, immutable, hashable.

    ``int(action)`` is its id, stable for a preset across releases; ``str(action)`` its text;
    ``cards`` the ids of the cards it moves where it names them exactly, else ``()``: then the
    lowest ids are meant.
    """
    def __init__(self, *args: Never, **kwargs: Never) -> None: ...
    @property
    def engine(self) -> Engine: ...
    @property
    def cards(self) -> tuple[int, ...]:
        """Exact card ids, or ``()``."""
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Event:
    """Something that happened in a hand.

    ``kind`` a word, ``seat`` who did it (None: nobody), ``cards`` the ids moved or shown (None
    where the reader may not see them), ``count`` how many, ``action`` (None where there is none or
    it may not be seen). ``for_seat`` gives the event as a player learns it.
    """
    @property
    def engine(self) -> Engine: ...
    @property
    def kind(self) -> str:
        """What happened."""
    @property
    def seat(self) -> int | None:
        """Who did it, or None."""
    @property
    def count(self) -> int:
        """How many cards it moved or showed."""
    @property
    def cards(self) -> tuple[int, ...] | None:
        """The ids of the cards, or None where they are hidden."""
    @property
    def action(self) -> Action | None:
        """The action that was taken, with its exact cards, or None."""
    def for_seat(self, seat: _Viewer) -> Event | None:
        """The event as a seat, ``"table"`` (spectators) or None (everything) may know it.

        Returns None where they do not learn of it at all.
        """
    def as_dict(self) -> dict[str, Any]:
        """The event as plain JSON."""
    def __eq__(self, other: object, /) -> bool: ...

@disjoint_base
class Game(Generic[_Rules, _Deal, _History]):
    """One hand of a game, from the deal to the result.

    ``rules``: the game's ``Rules`` (None: the first preset). ``seed``: an int below 2**256 or 32
    bytes (None: from the operating system). ``deal``: all that chance decides, where it is given;
    what it leaves open comes from the seed. ``history``: what the hand before left, None for a
    first hand. One Game is for one thread at a time.
    """

    Rules: type[_Rules]
    Deal: type[_Deal]
    History: type[_History]
    _engine: ClassVar[Any]  # the Engine; None here
    @property
    def engine(self) -> Engine: ...
    @property
    def rules(self) -> _Rules: ...
    @property
    def players(self) -> int:
        """How many play."""
    @property
    def turn(self) -> int | None:
        """The seat that must act, None when the hand is over. For the server: in some windows
        who is asked is a secret, see :meth:`view`.
        """
    @property
    def order(self) -> tuple[int, ...]:
        """The seats in their order of play."""
    @property
    def outcome(self) -> str:
        """How the hand ended, a word of the game; ``RuntimeError`` before the end."""
    @property
    def phase(self) -> str:
        """The phase of the hand, a word."""
    @property
    def is_over(self) -> bool:
        """Whether the hand is over."""
    @property
    def num_actions(self) -> int:
        """Ids of actions are below it."""
    @property
    def seed(self) -> bytes:
        """The 32 bytes of the seed. Who knows them knows the deal."""
    @property
    def deal(self) -> _Deal:
        """All that chance has decided, as the game's ``Deal``."""
    @property
    def history(self) -> _History:
        """What this hand was given of the one before."""
    @property
    def next_history(self) -> _History:
        """What the next hand needs; ``RuntimeError`` before the end."""
    @property
    def result(self) -> list[Line]:
        """The lines of the score, each with its clause; ``RuntimeError`` before the end."""
    @property
    def observation_spec(self) -> tuple[Slice, ...]:
        """The named slices of an observation."""
    def __init__(
        self,
        rules: _Rules | None = None,
        *,
        seed: _Seed | None = None,
        deal: _Deal | None = None,
        history: _History | None = None,
    ) -> None: ...
    def __class_getitem__(cls, item: Any, /) -> GenericAlias: ...
    def scores(self) -> list[int]:
        """What each player wins or loses: ints, one a player, times ``Rules.stake``.

        ``RuntimeError`` before the end.
        """
    def legal_actions(self) -> list[Action]:
        """Every legal action of the seat to act, by ascending id; empty when over."""
    def legal_count(self) -> int:
        """How many legal actions there are; 0 when over."""
    def legal_ids(self, out: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """Ids of the legal actions, ascending.

        ``out``: the caller's ``int32`` array with room for them. Returns ``int32`` of shape (k,),
        the first k of ``out``. ``ValueError`` where ``out`` is no such array or too small.
        """
    @overload
    def action_mask(
        self, out: NDArray[np.uint8] | None = None, *, packed: bool = False
    ) -> NDArray[np.uint8]:
        """Which ids are legal: ``uint8`` of shape (num_actions,), 1 or 0 each.

        ``packed``: bits instead, action i in bit ``i % 8`` of byte ``i // 8``, in
        ``(num_actions + 7) // 8`` bytes. ``out``: the caller's array of at least that size.
        """
    @overload
    def action_mask(
        self, out: NDArray[np.bool_], *, packed: Literal[False] = False
    ) -> NDArray[np.bool_]: ...
    def check(self, action: _Action, *, seat: SupportsIndex | None = None) -> Reason | None:
        """Why an action is illegal, or None where it is legal.

        ``action``: an :class:`Action`, id, text or card ids; ``seat``: who wants it (None: the
        seat to act), in a window anybody of :meth:`pending`. Text that cannot be read is a
        ``ValueError``.
        """
    def apply(self, action: _Action, *, seat: SupportsIndex | None = None) -> list[Event]:
        """Do an action of the seat to act and return what happened, a list of :class:`Event`.

        ``action``: an :class:`Action`, id, text or card ids; ids and suited text move exactly those
        cards, ranks and ids of actions the lowest. ``seat``: who sent it, where the caller wants
        that checked; in a window that is the same as :meth:`answer`. ``IllegalAction`` with its
        reason where it is not allowed; nothing is changed then.
        """
    def play(self, cards: _Cards) -> list[Event]:
        """Play a whole set of cards at once; as :meth:`apply` where one action is one play."""
    def pending(self) -> tuple[int, ...]:
        """The seats that may answer in this window, in ascending order; for the server only."""
    def answer(self, seat: SupportsIndex, action: _Action) -> list[Event]:
        """Answer for a seat, in any order within a window.

        An answer before its turn is held and done when the turn comes, with the same result as
        asking one after the other; it lapses where what another does ends the window or changes
        the question. Returns the events that follow at once. ``IllegalAction`` as :meth:`apply`:
        a seat cannot tell from it whether others are still to answer.
        """
    def escape(self, player: SupportsIndex) -> list[Event]:
        """A player runs away (逃跑), whoever's turn it is; the hand is over.

        ``IllegalAction`` where the rules do not have it or the hand is over.
        """
    def parse(self, text: str) -> Action:
        """The :class:`Action` that a text means here; ``ValueError`` where it means none."""
    def undo(self) -> Action | None:
        """Take the last action back and return it (None for an escape).

        ``IllegalAction`` where nothing has been done.
        """
    def events(self, seat: _Viewer = None) -> list[Event]:
        """All events so far, as a seat, ``"table"`` or (None) everything may know them."""
    def logged_actions(self) -> list[tuple[int, str]]:
        """Every action so far as ``(seat, text)``: text that does the same when applied again, so
        with exact cards only where they were not the lowest; an escape is ``"escape"``.
        """
    def view(self, seat: _Viewer) -> View:
        """What a seat may know; ``"table"``: a spectator; None: everything. See :class:`View`."""
    def observe(
        self, seat: SupportsIndex | None, out: NDArray[np.uint8] | None = None
    ) -> NDArray[np.uint8]:
        """The observation of a seat, None for everything: ``uint8`` of a fixed shape.

        ``out``: the caller's ``uint8`` array of at least that size. ``observation_spec`` names the
        slices. Nothing in it depends on what the seat may not know.
        """
    def action_features(self, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """What a learner may know of each legal action: ``uint8`` of shape (k, features).

        The rows are in the order of :meth:`legal_ids`; ``engine.feature_spec()`` names the
        columns. ``out``: the caller's ``uint8`` array of that shape, or with more rows.
        """
    def hint(self, n: SupportsIndex = 1) -> list[Action]:
        """Up to n sensible actions for the seat to act, best first, by what it may know only."""
    def auto(self) -> Action:
        """The action for a player who is absent (托管); ``IllegalAction`` when over."""
    def clone(self) -> Self:
        """An independent copy."""
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def snapshot(self) -> bytes:
        """The hand as bytes, pending decisions and the log included; see :meth:`restore`."""
    @classmethod
    def restore(cls, data: bytes | bytearray | memoryview) -> Self:
        """The game of a snapshot.

        A snapshot holds what was fixed before the first action and the log; the position is
        reached again by playing the log, every action checked. ``ValueError`` for bytes that are
        no snapshot of this game: damaged, truncated, of another version, or never legal.
        """
    def record(self) -> Record:
        """The hand as a :class:`qipai.Record`: rules, seed, deal, history and actions."""
    def resample(self, seat: SupportsIndex, seed: _Seed | None) -> Self:
        """A game that is the same for a seat, with what it cannot know dealt anew.

        ``seat``: the player who is to be unable to tell; ``seed``: as for the constructor; it also
        becomes the seed of the new game. Every logged action is legal in it.
        """
    def next_hand(self, seed: _Seed | None = None) -> Self:
        """The next hand: same rules, what this one left, a new deal; ``RuntimeError`` before the
        end.
        """

def snapshot_engine(data: bytes | bytearray | memoryview) -> int:
    """The number of the engine that made a snapshot; ``ValueError`` where it is none."""
