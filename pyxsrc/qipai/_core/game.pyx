"""One hand of any game, on the engine contract.

Nothing here knows a game: an :class:`Engine` brings the C functions and, in Python, the words.
"""

cimport cython
from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memmove, memset

from qipai._core.batch cimport Rows, table, writable
from qipai._core.numbers cimport whole_number
from qipai._core.bits cimport qp_bits_to_bytes
from qipai._core.chance cimport seed_bytes
from qipai._core.engine cimport (
    QP_ALL, QP_ANSWERS, QP_ANSWER_CARDS, QP_ESCAPE, QP_EVENTS, QP_FOREIGN, QP_LEGAL, QP_MOVE_CARDS,
    QP_NOTHING_TO_UNDO, QP_NOT_HELD, QP_NO_ESCAPE, QP_OUT_OF_TURN, QP_OVER, QP_OWN_REASONS,
    QP_SEATS, QP_TABLE, qp_answer, qp_chacha, qp_chacha_init, qp_engine, qp_event, qp_events,
    qp_head, qp_logged, qp_move, redo, rewind,
)

from binascii import crc32
from types import GenericAlias

cdef bytes MAGIC = b"QIPAI\0"
cdef enum:
    FORMAT = 1
    HEADER = 20  # magic, format, engine, engine version, length of the body, checksum
    HINTS = 64


cdef class Reason:
    """Why an action is illegal.

    ``code`` (a word), ``clause`` (the rule it breaks, or ``""`` where it is no rule of the game),
    ``text`` in English and ``text_zh`` in Chinese.
    """
    cdef readonly str code, clause, text, text_zh

    def __init__(self, str code, str clause, str text, str text_zh):
        self.code, self.clause, self.text, self.text_zh = code, clause, text, text_zh

    def __eq__(self, other):
        return isinstance(other, Reason) and (self.code, self.clause) == (
            (<Reason> other).code, (<Reason> other).clause)

    def __hash__(self):
        return hash((self.code, self.clause))

    def __repr__(self):
        return f"Reason({self.code!r}, {self.clause!r}, {self.text!r}, {self.text_zh!r})"

    def __reduce__(self):
        return Reason, (self.code, self.clause, self.text, self.text_zh)


class IllegalAction(ValueError):
    """An action that the rules do not allow now; ``reason`` says why. The game is unchanged."""

    def __init__(self, reason, about=""):
        super().__init__(reason, about)
        self.reason = reason
        self.about = about

    def __str__(self):
        clause = f" ({self.reason.clause})" if self.reason.clause else ""
        about = f"{self.about}: " if self.about else ""
        return f"{about}{self.reason.text}{clause}"


cdef dict SHARED_REASONS = {
    QP_OVER: Reason("over", "", "the hand is over", "本局已结束"),
    QP_OUT_OF_TURN: Reason("out_of_turn", "", "it is not this seat's turn", "还没轮到该玩家"),
    QP_FOREIGN: Reason("foreign", "", "this is no action of this game", "不是本游戏的动作"),
    QP_NOTHING_TO_UNDO: Reason("nothing_to_undo", "", "nothing has been done yet", "没有可撤销的动作"),
    QP_NO_ESCAPE: Reason("no_escape", "", "these rules know no escape", "本规则没有逃跑"),
    QP_NOT_HELD: Reason("not_held", "", "the hand does not hold these cards", "手里没有这些牌"),
}


cdef qp_engine NOTHING  # of an engine that is no game's


cdef class Engine:
    """A game: its C functions, and in a subclass its words.

    A subclass sets ``reasons`` (from ``QP_OWN_REASONS`` on), ``phases`` and ``event_kinds`` and
    defines the methods below. They may read a :class:`Game` through the functions of the game's
    compiled module only.
    """

    reasons = ()
    phases = ()
    event_kinds = ()
    play_type = None  # the kernel's Play, where it has one
    outcomes = ("",)  # how a hand can end, by the number that the C function gives

    def __cinit__(self, *args, **kwargs):
        self.table = &NOTHING

    def action_text(self, int id, bytes cards):
        """Text of an action; ``cards`` the ids it names exactly, empty for the lowest."""
        raise NotImplementedError

    def read_action(self, game, str text):
        """The (id, exact card ids as bytes) that text means in a game; ValueError if unreadable."""
        raise NotImplementedError

    def action_of_cards(self, game, cards):
        """The (id, exact card ids) of playing physical cards; id -1 where they are no play."""
        raise NotImplementedError

    def default_rules(self):
        """The rules of the first preset."""
        raise NotImplementedError

    def pack(self, rules, history, deal):
        """The origin as bytes: rules, history (None: first hand) and deal (None: zeros)."""
        raise NotImplementedError

    def unpack(self, bytes origin):
        """(rules, history, deal) of an origin; ValueError for bytes that are none."""
        raise NotImplementedError

    def view(self, game, seat):
        """The game's own part of a view: a dict of plain JSON."""
        raise NotImplementedError

    def result(self, game):
        """The itemised lines of a hand that is over."""
        raise NotImplementedError

    def next_history(self, game):
        """What the next hand needs of one that is over."""
        raise NotImplementedError

    def observation_spec(self):
        """The named slices of an observation."""
        raise NotImplementedError

    def feature_spec(self):
        """The named slices of a legal action's features; empty where the game has none."""
        return ()

    def reason_of(self, int code):
        """The Reason of a code."""
        if code in SHARED_REASONS:
            return SHARED_REASONS[code]
        return self.reasons[code - <int> QP_OWN_REASONS]

    @property
    def num_actions(self):
        """Ids of actions are below it."""
        return self.table.actions

    @property
    def players(self):
        """How many play."""
        return self.table.players

    @property
    def observation_size(self):
        """The length of an observation."""
        return self.table.observation

    def action(self, int id, bytes cards=b""):
        """The Action of an id."""
        if not 0 <= id < self.table.actions:
            raise ValueError(f"{self.name} has no action {id}")
        return make_action(self, id, cards)

    def __reduce__(self):
        return _engine_named, (self.name,)


def _engine_named(str name):
    """The engine of a game, for pickle."""
    from qipai.registry import engine

    return engine(name)


@cython.final
@cython.freelist(64)
cdef class Action:
    """One action of a game: small, immutable, hashable.

    ``int(action)`` is its id, stable for a preset across releases; ``str(action)`` its text;
    ``cards`` the ids of the cards it moves where it names them exactly, else ``()``: then the
    lowest ids are meant.
    """

    def __init__(self):
        raise TypeError("actions come from legal_actions() and parse()")

    @property
    def cards(self):
        """Exact card ids, or ``()``."""
        return tuple(self.ids)

    def __int__(self):
        return self.id

    def __index__(self):
        return self.id

    def __str__(self):
        return self.engine.action_text(self.id, self.ids)

    def __repr__(self):
        return f"<Action {self.engine.name} {self!s}>"

    def __eq__(self, other):
        cdef Action that
        if not isinstance(other, Action):
            return NotImplemented
        that = <Action> other
        return self.engine is that.engine and self.id == that.id and self.ids == that.ids

    def __hash__(self):
        return hash((self.id, self.ids)) if self.ids else self.id

    def __reduce__(self):
        return _action_of, (self.engine.name, self.id, self.ids)


def _action_of(str name, int id, bytes cards):
    """The Action of a game's name, for pickle."""
    return _engine_named(name).action(id, cards)


cdef inline Action make_action(Engine engine, int id, bytes cards):
    cdef Action action = Action.__new__(Action)
    action.engine, action.id, action.ids = engine, id, cards
    return action


@cython.final
@cython.freelist(16)
cdef class Event:
    """Something that happened in a hand.

    ``kind`` a word, ``seat`` who did it (None: nobody), ``cards`` the ids moved or shown (None
    where the reader may not see them), ``count`` how many, ``action`` (None where there is none or
    it may not be seen). ``for_seat`` gives the event as a player learns it.
    """

    @property
    def kind(self):
        """What happened."""
        return self.engine.event_kinds[self.data.kind]

    @property
    def seat(self):
        """Who did it, or None."""
        return None if self.data.seat < 0 else self.data.seat

    @property
    def count(self):
        """How many cards it moved or showed."""
        return self.data.n

    @property
    def cards(self):
        """The ids of the cards, or None where they are hidden."""
        if self.data.detail == 0:
            return None
        return tuple(self.data.cards[:self.data.n])

    @property
    def action(self):
        """The action that was taken, with its exact cards, or None."""
        if self.data.detail == 0 or self.data.id < 0:
            return None
        return make_action(self.engine, self.data.id, self.data.cards[:self.data.n])

    def for_seat(self, seat):
        """The event as a seat, ``"table"`` (spectators) or None (everything) may know it.

        Returns None where they do not learn of it at all.
        """
        cdef int bit
        if seat is None:
            return self
        bit = viewer_bit(seat, self.engine.table.players)
        if not self.data.audience >> bit & 1:
            return None
        if self.data.detail >> bit & 1:
            return self
        cdef Event redacted = Event.__new__(Event)
        redacted.engine = self.engine
        redacted.data = self.data
        redacted.data.detail = 0
        redacted.data.id = -1
        memset(redacted.data.cards, 0, QP_MOVE_CARDS)
        return redacted

    def as_dict(self):
        """The event as plain JSON."""
        cards = self.cards
        data = {"kind": self.kind, "seat": self.seat, "count": self.count,
                "cards": None if cards is None else list(cards)}
        if self.data.detail and self.data.id >= 0:
            data["action"] = self.engine.action_text(self.data.id, b"")
        return data

    def __reduce__(self):
        return _event_of, (self.engine.name, (<char *> &self.data)[:sizeof(qp_event)])

    def __eq__(self, other):
        return isinstance(other, Event) and self.engine is (<Event> other).engine and (
            self.as_dict() == other.as_dict())

    def __repr__(self):
        return f"<Event {self.as_dict()}>"


def _event_of(str name, bytes data):
    """The Event of a game's name and its bytes, for pickle."""
    cdef qp_event event
    cdef Engine engine = _engine_named(name)
    if len(data) != sizeof(qp_event):
        raise ValueError("these bytes are no event")
    memcpy(&event, PyBytes_AsString(data), sizeof(qp_event))
    if event.n > QP_MOVE_CARDS or event.kind >= len(engine.event_kinds) or (
            event.id >= engine.table.actions or event.seat >= engine.table.players):
        raise ValueError("these bytes are no event")
    return make_event(engine, &event)


cdef inline Event make_event(Engine engine, const qp_event *data):
    cdef Event event = Event.__new__(Event)
    event.engine, event.data = engine, data[0]
    return event


cdef int viewer_bit(object seat, int players) except -1:
    """The audience bit of a seat or of the table."""
    if isinstance(seat, str) and seat == "table":
        return QP_TABLE
    return seat_number(seat, players)


cdef int seat_number(object seat, int players) except -1:
    number = whole_number(seat, "a seat")
    if not 0 <= number < players:
        raise ValueError(f"seat {number} is out of range 0..{players - 1}")
    return number


cdef object _numpy = None

cdef object numpy():
    """numpy, imported when the first array is needed."""
    global _numpy
    if _numpy is None:
        import numpy as module

        _numpy = module
    return _numpy


cdef int need(object value, object kind, str name) except -1:
    if type(value) is not kind:
        raise TypeError(f"{name} must be {kind.__module__}.{kind.__name__}, not {type(value).__name__}")
    return 0


cdef class Game:
    """One hand of a game, from the deal to the result.

    ``rules``: the game's ``Rules`` (None: the first preset). ``seed``: an int below 2**256 or 32
    bytes (None: from the operating system). ``deal``: all that chance decides, where it is given;
    what it leaves open comes from the seed. ``history``: what the hand before left, None for a
    first hand. One Game is for one thread at a time.
    """

    _engine = None
    __class_getitem__ = classmethod(GenericAlias)  # Game[Rules, Deal, History], for annotations

    def __cinit__(self, *args, **kwargs):
        cdef Engine engine = type(self)._engine
        if engine is None or engine.table == &NOTHING:
            raise TypeError("use the Game of a game's module, or qipai.new()")
        self.engine = engine
        self.table = engine.table
        self.head = <qp_head *> PyMem_Malloc(self.table.state_size)
        if self.head == NULL:
            raise MemoryError()

    def __dealloc__(self):
        PyMem_Free(self.head)

    def __init__(self, rules=None, *, seed=None, deal=None, history=None):
        cdef qp_chacha chance
        kind = type(self)
        if rules is None:
            rules = self.engine.default_rules()
        need(rules, kind.Rules, "rules")
        if deal is not None:
            need(deal, kind.Deal, "deal")
        if history is not None:
            need(history, kind.History, "history")
        cdef bytes key = seed_bytes(seed)
        cdef bytes origin = self.engine.pack(rules, history, deal)
        self.blank(PyBytes_AsString(key), PyBytes_AsString(origin))
        if deal is None:
            qp_chacha_init(&chance, self.head.seed, 0)
            self.table.deal(self.head, &chance)
        self.begin()
        self.rules = rules

    cdef int blank(self, const char *key, const char *origin) except -1:
        """A state with its seed and origin, and nothing else."""
        memset(self.head, 0, self.table.state_size)
        memcpy(self.head.seed, key, 32)
        memcpy(<char *> self.head + self.table.origin_at, origin, self.table.origin_size)
        return 0

    cdef int begin(self) except -1:
        """Check the origin and set the first position."""
        cdef const char *flaw = self.table.flaw(self.head)
        if flaw != NULL:
            raise ValueError(flaw.decode("utf-8"))
        self.table.start(self.head, NULL)
        return 0

    cdef qp_logged *log(self):
        return <qp_logged *> (<char *> self.head + self.table.log_at)

    cdef uint8_t *cards(self):
        return <uint8_t *> self.head + self.table.cards_at

    # What is known --------------------------------------------------------------------------

    @property
    def players(self):
        """How many play."""
        return self.table.players

    @property
    def turn(self):
        """The seat that must act, None when the hand is over. For the server: in some windows
        who is asked is a secret, see :meth:`view`."""
        return None if self.head.turn < 0 else self.head.turn

    @property
    def order(self):
        """The seats in their order of play."""
        if self.table.place == NULL:
            return tuple(range(self.table.players))
        return tuple(sorted(
            range(self.table.players), key=lambda seat: self.table.place(self.head, <int> seat)))

    @property
    def outcome(self):
        """How the hand ended, a word of the game; ``RuntimeError`` before the end."""
        self.need_end()
        return self.engine.outcomes[
            self.table.outcome(self.head) if self.table.outcome != NULL else 0]

    @property
    def phase(self):
        """The phase of the hand, a word."""
        return self.engine.phases[self.head.phase]

    @property
    def is_over(self):
        """Whether the hand is over."""
        return self.head.turn < 0

    @property
    def num_actions(self):
        """Ids of actions are below it."""
        return self.table.actions

    @property
    def seed(self):
        """The 32 bytes of the seed. Who knows them knows the deal."""
        return <bytes> (<char *> self.head.seed)[:32]

    @property
    def deal(self):
        """All that chance has decided, as the game's ``Deal``."""
        return self.engine.unpack(self.origin())[2]

    @property
    def history(self):
        """What this hand was given of the one before."""
        return self.engine.unpack(self.origin())[1]

    @property
    def next_history(self):
        """What the next hand needs; ``RuntimeError`` before the end."""
        self.need_end()
        return self.engine.next_history(self)

    cdef bytes origin(self):
        return PyBytes_FromStringAndSize(
            <char *> self.head + self.table.origin_at, self.table.origin_size)

    cdef int need_end(self) except -1:
        if self.head.turn >= 0:
            raise RuntimeError("the hand is not over")
        return 0

    def scores(self):
        """What each player wins or loses: ints, one a player, times ``Rules.stake``.

        ``RuntimeError`` before the end.
        """
        cdef int64_t points[QP_SEATS]
        self.need_end()
        self.table.scores(self.head, points)
        return [points[i] for i in range(self.table.players)]

    @property
    def result(self):
        """The lines of the score, each with its clause; ``RuntimeError`` before the end."""
        self.need_end()
        return self.engine.result(self)

    # Actions --------------------------------------------------------------------------------

    def legal_actions(self):
        """Every legal action of the seat to act, by ascending id; empty when over."""
        return self.actions_of(self.head.turn)

    cdef list actions_of(self, int seat):
        cdef int32_t n, i
        cdef int32_t *ids
        cdef list actions
        if seat < 0:
            return []
        ids = <int32_t *> PyMem_Malloc(self.table.actions * sizeof(int32_t))
        if ids == NULL:
            raise MemoryError()
        try:
            n = self.table.list(self.head, seat, ids)
            actions = [make_action(self.engine, ids[i], b"") for i in range(n)]
        finally:
            PyMem_Free(ids)
        return actions

    cpdef int legal_count(self):
        """How many legal actions there are; 0 when over."""
        return self.table.count(self.head, self.head.turn) if self.head.turn >= 0 else 0

    def legal_ids(self, out=None):
        """Ids of the legal actions, ascending.

        ``out``: the caller's ``int32`` array with room for them. Returns ``int32`` of shape (k,),
        the first k of ``out``. ``ValueError`` where ``out`` is no such array or too small.
        """
        cdef int32_t n
        cdef Rows room
        if out is None:
            out = numpy().empty(self.legal_count(), "int32")
        room = writable(out, "out", 0, 4, b"il")
        # An array with room for any list spares the counting.
        if room.n < self.table.actions:
            n = self.legal_count()
            if room.n < n:
                raise ValueError(f"out has room for {room.n} ids, {n} are needed")
        n = 0
        if self.head.turn >= 0:
            n = self.table.list(self.head, self.head.turn, <int32_t *> room.view.buf)
        return out if room.n == n else out[:n]

    def action_mask(self, out=None, *, bint packed=False):
        """Which ids are legal: ``uint8`` of shape (num_actions,), 1 or 0 each.

        ``packed``: bits instead, action i in bit ``i % 8`` of byte ``i // 8``, in
        ``(num_actions + 7) // 8`` bytes. ``out``: the caller's array of at least that size.
        """
        cdef int actions = self.table.actions
        cdef Py_ssize_t size = (actions + 7) // 8 if packed else actions
        cdef uint64_t *bits
        cdef Rows room
        if out is None:
            out = numpy().empty(size, "uint8")
        room = writable(out, "out", size, 1, b"B" if packed else b"B?")
        bits = <uint64_t *> PyMem_Malloc((actions + 63) // 64 * 8)
        if bits == NULL:
            raise MemoryError()
        if self.head.turn >= 0:
            self.table.mask(self.head, self.head.turn, bits)
        else:
            memset(bits, 0, (actions + 63) // 64 * 8)
        if packed:
            memcpy(room.view.buf, bits, size)
        else:
            qp_bits_to_bytes(bits, actions, <uint8_t *> room.view.buf)
        PyMem_Free(bits)
        return out if room.n == size else out[:size]

    cdef int read(self, object action, qp_move *move) except -1:
        """An action in any form; IllegalAction for a foreign one, ValueError for no text."""
        cdef Action given
        cdef bytes cards
        move.n = 0
        if type(action) is Action:
            given = <Action> action
            if given.engine is not self.engine:
                raise IllegalAction(SHARED_REASONS[QP_FOREIGN], str(action))
            move.id = given.id
            cards = given.ids
        elif type(action) is int:
            return self.read_id(action, move)
        elif isinstance(action, str):
            move.id, cards = self.engine.read_action(self, str.__str__(action))
        elif type(action) is self.engine.play_type:
            move.id, cards = self.engine.read_action(self, action.cards)
        elif getattr(action, "shape", None) == () and hasattr(action, "__index__"):
            return self.read_id(whole_number(action, "an action"), move)  # of numpy's
        elif isinstance(action, (bool, float)) or action is None:
            raise TypeError(f"an action must be an Action, an id, text or card ids, not {action!r}")
        elif hasattr(action, "__index__") and not hasattr(action, "shape"):
            raise IllegalAction(SHARED_REASONS[QP_FOREIGN], repr(action))
        else:
            move.id, cards = self.engine.action_of_cards(self, action)
        if len(cards) > QP_MOVE_CARDS:
            raise IllegalAction(SHARED_REASONS[QP_NOT_HELD], f"{len(cards)} cards")
        move.n = <uint8_t> len(cards)
        memcpy(move.cards, PyBytes_AsString(cards), move.n)
        return 0

    cdef int read_id(self, object id, qp_move *move) except -1:
        if not 0 <= id < self.table.actions:
            raise IllegalAction(SHARED_REASONS[QP_FOREIGN], f"id {id}")
        move.id = id
        return 0

    cdef uint32_t asked(self):
        """A bit for each seat that may answer now, none when over."""
        return self.table.pending(self.head) if self.head.turn >= 0 else 0

    cdef int verdict(self, int seat, const qp_move *move):
        """QP_LEGAL, or why a seat may not do this now."""
        if self.head.turn < 0:
            return QP_OVER
        if seat < 0 or not self.asked() >> seat & 1:
            return QP_OUT_OF_TURN
        if not -1 <= move.id < self.table.actions:
            return QP_FOREIGN
        return self.table.check(self.head, seat, move)

    cdef object refusal(self, int code, const qp_move *move):
        about = ""
        if 0 <= move.id < self.table.actions:
            about = self.engine.action_text(move.id, <bytes> (<char *> move.cards)[:move.n])
        return IllegalAction(self.engine.reason_of(code), about)

    def check(self, action, *, seat=None):
        """Why an action is illegal, or None where it is legal.

        ``action``: an :class:`Action`, id, text or card ids; ``seat``: who wants it (None: the
        seat to act), in a window anybody of :meth:`pending`. Text that cannot be read is a
        ``ValueError``.
        """
        cdef qp_move move
        try:
            self.read(action, &move)
        except IllegalAction as error:
            return error.reason
        cdef int who = self.head.turn if seat is None else seat_number(seat, self.table.players)
        cdef int code = self.verdict(who, &move)
        return None if code == QP_LEGAL else self.engine.reason_of(code)

    def apply(self, action, *, seat=None):
        """Do an action of the seat to act and return what happened, a list of :class:`Event`.

        ``action``: an :class:`Action`, id, text or card ids; ids and suited text move exactly those
        cards, ranks and ids of actions the lowest. ``seat``: who sent it, where the caller wants
        that checked; in a window that is the same as :meth:`answer`. ``IllegalAction`` with its
        reason where it is not allowed; nothing is changed then.
        """
        cdef qp_move move
        cdef qp_events events
        cdef int who = self.head.turn if seat is None else seat_number(seat, self.table.players)
        cdef int code
        self.read(action, &move)
        code = self.verdict(who, &move)
        if code == QP_LEGAL and who != self.head.turn:
            return self.hold(who, &move)
        if code != QP_LEGAL:
            raise self.refusal(code, &move)
        events.n = 0
        self.table.apply(self.head, &move, &events)
        self.settle_held(&events)
        return self.told(&events)

    cdef list told(self, qp_events *events):
        cdef int i
        return [make_event(self.engine, &events.event[i]) for i in range(events.n)]

    cdef list hold(self, int seat, const qp_move *move):
        """Keep a legal answer of a seat until its turn comes."""
        cdef qp_answer *kept = &self.head.held[seat][self.head.n_held[seat]]
        if self.head.n_held[seat] == QP_ANSWERS or move.n > QP_ANSWER_CARDS:
            raise self.refusal(QP_OUT_OF_TURN, move)
        memset(kept, 0, sizeof(qp_answer))
        kept.id, kept.n = <int16_t> move.id, move.n
        memcpy(kept.cards, move.cards, move.n)
        self.head.n_held[seat] += 1
        return []

    cdef int settle_held(self, qp_events *events) except -1:
        """Do the answers that were held for the seats whose turn has come; drop the stale."""
        cdef qp_move move
        cdef qp_answer *kept
        cdef int seat, n
        while self.head.turn >= 0 and self.head.n_held[self.head.turn]:
            seat = self.head.turn
            kept = self.head.held[seat]
            move.id, move.n = kept.id, kept.n
            memcpy(move.cards, kept.cards, kept.n)
            n = self.head.n_held[seat]
            self.head.n_held[seat] = 0  # the seat is asked now
            memmove(kept, kept + 1, (QP_ANSWERS - 1) * sizeof(qp_answer))
            if self.verdict(seat, &move) == QP_LEGAL:
                self.table.apply(self.head, &move, events)
                self.head.n_held[seat] = <uint8_t> (n - 1)
        for seat in range(self.table.players):  # of those who are no longer asked
            n = self.head.n_held[seat]
            self.head.n_held[seat] = 0
            if n and self.asked() >> seat & 1:
                self.head.n_held[seat] = <uint8_t> n
        return 0

    def play(self, cards):
        """Play a whole set of cards at once; as :meth:`apply` where one action is one play."""
        return self.apply(cards)

    def pending(self):
        """The seats that may answer in this window, in ascending order; for the server only."""
        cdef uint32_t pending = self.asked()
        return tuple([seat for seat in range(self.table.players) if pending >> seat & 1])

    def answer(self, seat, action):
        """Answer for a seat, in any order within a window.

        An answer before its turn is held and done when the turn comes, with the same result as
        asking one after the other; it lapses where what another does ends the window or changes
        the question. Returns the events that follow at once. ``IllegalAction`` as :meth:`apply`:
        a seat cannot tell from it whether others are still to answer.
        """
        return self.apply(action, seat=seat)

    def escape(self, player):
        """A player runs away (逃跑), whoever's turn it is; the hand is over.

        ``IllegalAction`` where the rules do not have it or the hand is over.
        """
        cdef qp_events events
        cdef qp_move nothing
        cdef int code = QP_NO_ESCAPE
        cdef int who = seat_number(player, self.table.players)
        nothing.id, nothing.n = -1, 0
        events.n = 0
        if self.head.turn < 0:
            code = QP_OVER
        elif self.table.escape != NULL:
            code = self.table.escape(self.head, who, &events)
        if code != QP_LEGAL:
            raise self.refusal(code, &nothing)
        return self.told(&events)

    def parse(self, text):
        """The :class:`Action` that a text means here; ``ValueError`` where it means none."""
        cdef int id
        cdef bytes cards
        if not isinstance(text, str):
            raise TypeError(f"text must be a str, not {type(text).__name__}")
        id, cards = self.engine.read_action(self, str.__str__(text))
        if not 0 <= id < self.table.actions:
            raise ValueError(f"{text!r} is no action of {self.engine.name}")
        return make_action(self.engine, id, cards)

    def undo(self):
        """Take the last action back and return it (None for an escape).

        ``IllegalAction`` where nothing has been done.
        """
        cdef int n = self.head.logged
        cdef qp_move nothing
        cdef qp_logged last
        if n == 0:
            nothing.id, nothing.n = -1, 0
            raise self.refusal(QP_NOTHING_TO_UNDO, &nothing)
        last = self.log()[n - 1]
        cards = <bytes> (<char *> self.cards() + self.head.logged_cards - last.n)[:last.n]
        self.replay_into(self.head, n - 1)
        if last.id == QP_ESCAPE:
            return None
        return make_action(self.engine, last.id, self.exact(self.head, last.id, cards))

    cdef bytes exact(self, const qp_head *state, int id, bytes cards):
        """The cards of an action where a state would not take just these by itself, else b""."""
        cdef qp_move move
        cdef qp_head *trial
        cdef bint same
        move.id, move.n = id, 0
        if self.table.check(state, state.turn, &move) != QP_LEGAL:
            return cards
        trial = <qp_head *> PyMem_Malloc(self.table.state_size)
        if trial == NULL:
            raise MemoryError()
        memcpy(trial, state, self.table.state_size)
        self.table.apply(trial, &move, NULL)
        same = trial.logged_cards == state.logged_cards + len(cards) and memcmp(
            <uint8_t *> trial + self.table.cards_at + state.logged_cards,
            PyBytes_AsString(cards), len(cards)) == 0
        PyMem_Free(trial)
        return b"" if same else cards

    cdef int replay_into(self, qp_head *state, int n, list events=None) except -1:
        """Make `state` the hand after its first n logged actions, by playing them again.

        ValueError where the log is not legal, which only a foreign log or deal can bring about.
        """
        cdef qp_logged *entry = self.log_copy()
        try:
            self.play_log(state, entry, <uint8_t *> (entry + self.table.log_size), n, events)
        finally:
            PyMem_Free(entry)
        return 0

    cdef qp_logged *log_copy(self) except NULL:
        """The log and, after room for all entries, its cards, for the caller to free: texts and
        events are made by Python code, which may play on meanwhile."""
        cdef qp_logged *entry = <qp_logged *> PyMem_Malloc(
            self.table.log_size * sizeof(qp_logged) + self.table.cards_size)
        if entry == NULL:
            raise MemoryError()
        memcpy(entry, self.log(), self.head.logged * sizeof(qp_logged))
        memcpy(entry + self.table.log_size, self.cards(), self.head.logged_cards)
        return entry

    cdef int play_log(
        self, qp_head *state, const qp_logged *entry, const uint8_t *cards, int n, list events
    ) except -1:
        """Start `state` from its origin and do n logged actions, each checked."""
        cdef qp_events told
        cdef qp_events *listen = NULL if events is None else &told
        cdef int i
        told.n = 0
        rewind(self.table, state, listen)
        for i in range(n):
            self.collect(listen, events)
            if redo(self.table, state, &entry[i], cards, listen) != QP_LEGAL:
                raise ValueError(f"action {i} of the log is not legal")
            cards += entry[i].n
        self.collect(listen, events)
        return 0

    cdef int collect(self, qp_events *told, list events) except -1:
        if told != NULL:
            events.extend(self.told(told))
            told.n = 0
        return 0

    def events(self, seat=None):
        """All events so far, as a seat, ``"table"`` or (None) everything may know them."""
        cdef qp_head *state
        cdef list events = []
        cdef int bit
        if seat is not None:
            bit = viewer_bit(seat, self.table.players)
            seat = "table" if bit == QP_TABLE else bit
        state = self.scratch()
        try:
            self.replay_into(state, self.head.logged, events)
        finally:
            PyMem_Free(state)
        seen = [event.for_seat(seat) for event in events]
        return [event for event in seen if event is not None]

    cdef qp_head *scratch(self) except NULL:
        """A copy of the state, for the caller to free."""
        cdef qp_head *state = <qp_head *> PyMem_Malloc(self.table.state_size)
        if state == NULL:
            raise MemoryError()
        memcpy(state, self.head, self.table.state_size)
        return state

    def logged_actions(self):
        """Every action so far as ``(seat, text)``: text that does the same when applied again, so
        with exact cards only where they were not the lowest; an escape is ``"escape"``."""
        cdef qp_head *state = self.scratch()
        cdef qp_logged *entry = NULL
        cdef const uint8_t *cards
        cdef qp_move move
        cdef list texts = []
        cdef bytes exact
        cdef int i, n = self.head.logged
        try:
            entry = self.log_copy()
            cards = <const uint8_t *> (entry + self.table.log_size)
            rewind(self.table, state, NULL)
            for i in range(n):
                if entry[i].id == QP_ESCAPE:
                    texts.append((entry[i].seat, "escape"))
                    break
                exact = self.exact(state, entry[i].id, <bytes> (<const char *> cards)[:entry[i].n])
                texts.append((entry[i].seat, self.engine.action_text(entry[i].id, exact)))
                move.id, move.n = entry[i].id, <uint8_t> len(exact)
                memcpy(move.cards, PyBytes_AsString(exact), move.n)
                self.table.apply(state, &move, NULL)
                cards += entry[i].n
        finally:
            PyMem_Free(entry)
            PyMem_Free(state)
        return texts

    # Looking --------------------------------------------------------------------------------

    def view(self, seat):
        """What a seat may know; ``"table"``: a spectator; None: everything. See :class:`View`."""
        from qipai.view import View

        cdef int bit
        if seat is not None:
            bit = viewer_bit(seat, self.table.players)
            seat = "table" if bit == QP_TABLE else bit
        actions = self.actions_of(self.head.turn if seat is None else -1)
        if isinstance(seat, int) and self.asked() >> <int> seat & 1:
            actions = self.actions_of(seat)
        return View(self.engine.name, seat, self.engine.view(self, seat), actions,
                    self.events(seat))

    def observe(self, seat, out=None):
        """The observation of a seat, None for everything: ``uint8`` of a fixed shape.

        ``out``: the caller's ``uint8`` array of at least that size. ``observation_spec`` names the
        slices. Nothing in it depends on what the seat may not know.
        """
        cdef int who = -1 if seat is None else seat_number(seat, self.table.players)
        cdef int size = self.table.observation
        cdef Rows room
        if out is None:
            out = numpy().empty(size, "uint8")
        room = writable(out, "out", size, 1, b"B")
        self.table.observe(self.head, who, <uint8_t *> room.view.buf)
        return out if room.n == size else out[:size]

    @property
    def observation_spec(self):
        """The named slices of an observation."""
        return self.engine.observation_spec()

    def action_features(self, out=None):
        """What a learner may know of each legal action: ``uint8`` of shape (k, features).

        The rows are in the order of :meth:`legal_ids`; ``engine.feature_spec()`` names the
        columns. ``out``: the caller's ``uint8`` array of that shape, or with more rows.
        """
        cdef int columns = self.table.action_features
        cdef int n, i
        cdef Rows room
        cdef int32_t *ids
        if out is None:
            out = numpy().empty((self.legal_count(), columns), "uint8")
        room = table(out, "out", columns)
        n = self.legal_count()
        if room.n < n:
            raise ValueError(f"out has room for {room.n} rows, {n} are needed")
        ids = <int32_t *> PyMem_Malloc((n + 1) * sizeof(int32_t))
        if ids == NULL:
            raise MemoryError()
        if n:
            self.table.list(self.head, self.head.turn, ids)
        for i in range(n if columns else 0):
            self.table.features(self.head, ids[i], <uint8_t *> room.view.buf + i * columns)
        PyMem_Free(ids)
        return out[:n]

    def hint(self, n=1):
        """Up to n sensible actions for the seat to act, best first, by what it may know only."""
        cdef int32_t ids[HINTS]
        cdef int32_t found, i
        n = whole_number(n, "n")
        if n < 1:
            raise ValueError(f"n must be at least 1, not {n}")
        if self.head.turn < 0:
            return []
        found = self.table.hint(self.head, min(n, <int> HINTS), ids)
        return [make_action(self.engine, ids[i], b"") for i in range(found)]

    def auto(self):
        """The action for a player who is absent (托管); ``IllegalAction`` when over."""
        cdef qp_move nothing
        if self.head.turn < 0:
            nothing.id, nothing.n = -1, 0
            raise self.refusal(QP_OVER, &nothing)
        return self.hint(1)[0]

    # Copies ---------------------------------------------------------------------------------

    cdef Game sibling(self):
        """A Game of the same class and rules whose state is not set yet."""
        cls = type(self)
        cdef Game game = cls.__new__(cls)
        game.rules = self.rules
        return game

    def clone(self):
        """An independent copy."""
        cdef Game game = self.sibling()
        memcpy(game.head, self.head, self.table.state_size)
        return game

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        return self.clone()

    def __eq__(self, other):
        cdef Game that
        if not isinstance(other, Game):
            return NotImplemented
        that = <Game> other
        return self.engine is that.engine and self.body() == that.body()

    __hash__ = None

    cdef bytes body(self):
        """All that a state is: seed, origin, held answers, log."""
        cdef Py_ssize_t entries = self.head.logged * sizeof(qp_logged)
        cdef Py_ssize_t held = held_size(self.head.n_held)
        cdef bytes body = PyBytes_FromStringAndSize(
            NULL, 36 + self.table.origin_size + held + entries + self.head.logged_cards)
        cdef char *at = PyBytes_AsString(body)
        cdef int seat
        memcpy(at, self.head.seed, 32)
        memcpy(at + 32, &self.head.logged, 2)
        memcpy(at + 34, &self.head.logged_cards, 2)
        at += 36
        memcpy(at, <char *> self.head + self.table.origin_at, self.table.origin_size)
        at += self.table.origin_size
        memcpy(at, self.head.n_held, QP_SEATS)
        at += QP_SEATS
        for seat in range(QP_SEATS):
            memcpy(at, self.head.held[seat], self.head.n_held[seat] * sizeof(qp_answer))
            at += self.head.n_held[seat] * sizeof(qp_answer)
        memcpy(at, self.log(), entries)
        memcpy(at + entries, self.cards(), self.head.logged_cards)
        return body

    def snapshot(self):
        """The hand as bytes, pending decisions and the log included; see :meth:`restore`."""
        cdef bytes body = self.body()
        cdef uint8_t header[HEADER]
        cdef uint32_t checksum = crc32(body), length = len(body)
        cdef uint16_t number = FORMAT
        memcpy(header, PyBytes_AsString(MAGIC), 6)
        memcpy(header + 6, &number, 2)
        memcpy(header + 8, &self.table.id, 2)
        memcpy(header + 10, &self.table.version, 2)
        memcpy(header + 12, &length, 4)
        memcpy(header + 16, &checksum, 4)
        return (<char *> header)[:HEADER] + body

    @cython.binding(True)  # the stable ABI has no other kind
    @classmethod
    def restore(cls, data):
        """The game of a snapshot.

        A snapshot holds what was fixed before the first action and the log; the position is
        reached again by playing the log, every action checked. ``ValueError`` for bytes that are
        no snapshot of this game: damaged, truncated, of another version, or never legal.
        """
        cdef Engine engine = cls._engine
        if engine is None or engine.table == &NOTHING:
            raise TypeError("use the Game of a game's module, or qipai.restore()")
        cdef bytes body = snapshot_body(data, engine.table)
        cdef const char *at = PyBytes_AsString(body)
        cdef uint16_t logged, logged_cards
        cdef Game game
        cdef qp_logged *entries = NULL
        cdef Py_ssize_t answers = 36 + engine.table.origin_size, fixed = answers + QP_SEATS
        if len(body) < fixed:
            raise ValueError("the snapshot is too short")
        fixed = answers + held_size(<const uint8_t *> at + answers)
        memcpy(&logged, at + 32, 2)
        memcpy(&logged_cards, at + 34, 2)
        if logged > engine.table.log_size or logged_cards > engine.table.cards_size or (
                len(body) != fixed + logged * <Py_ssize_t> sizeof(qp_logged) + logged_cards):
            raise ValueError("the snapshot's log does not have the length it says")
        rules, history, deal = engine.unpack(body[36:36 + engine.table.origin_size])
        game = cls.__new__(cls)
        game.rules = rules
        game.blank(at, at + 36)
        if game.origin() != engine.pack(rules, history, deal):
            raise ValueError("the snapshot's rules, history or deal are not written as they should be")
        cdef const char *flaw = engine.table.flaw(game.head)
        if flaw != NULL:
            raise ValueError(f"the snapshot is damaged: {flaw.decode('utf-8')}")
        entries = <qp_logged *> PyMem_Malloc((logged + 1) * sizeof(qp_logged))
        if entries == NULL:
            raise MemoryError()
        try:
            memcpy(entries, at + fixed, logged * sizeof(qp_logged))
            need_cards(entries, logged, logged_cards)
            game.play_log(
                game.head, entries, <const uint8_t *> at + fixed + logged * sizeof(qp_logged),
                logged, None)
        finally:
            PyMem_Free(entries)
        game.take_answers(<const uint8_t *> at + answers)
        return game

    cdef int take_answers(self, const uint8_t *at) except -1:
        """Take over the held answers of a snapshot, each of them legal."""
        cdef const qp_answer *kept = <const qp_answer *> (at + QP_SEATS)
        cdef qp_answer answer
        cdef qp_move move
        cdef int seat, i
        for seat in range(QP_SEATS):
            for i in range(at[seat]):
                memcpy(&answer, kept, sizeof(qp_answer))
                kept += 1
                if answer.n > QP_ANSWER_CARDS:
                    raise ValueError("the snapshot holds an answer of too many cards")
                move.id, move.n = answer.id, answer.n
                memcpy(move.cards, answer.cards, answer.n)
                if (seat >= self.table.players or seat == self.head.turn
                        or self.verdict(seat, &move) != QP_LEGAL):
                    raise ValueError("the snapshot holds an answer that nobody can have given")
                self.hold(seat, &move)
                if memcmp(&self.head.held[seat][i], &answer, sizeof(qp_answer)):
                    raise ValueError("the snapshot holds an answer that is not written as it should be")
        return 0

    def __reduce__(self):
        return _restored, (type(self), self.snapshot())

    def record(self):
        """The hand as a :class:`qipai.Record`: rules, seed, deal, history and actions.

        Answers that are held until their turn are no actions yet and not in it; a snapshot has
        them.
        """
        from qipai.record import Record

        return Record.of(self)

    def resample(self, seat, seed):
        """A game that is the same for a seat, with what it cannot know dealt anew.

        ``seat``: the player who is to be unable to tell; ``seed``: as for the constructor; it also
        becomes the seed of the new game. Every logged action is legal in it.
        """
        cdef int who = seat_number(seat, self.table.players)
        cdef bytes key = seed_bytes(seed)
        cdef qp_chacha chance
        cdef Game game = self.clone()
        memcpy(game.head.seed, PyBytes_AsString(key), 32)
        qp_chacha_init(&chance, game.head.seed, 0)
        self.table.resample(game.head, who, &chance)
        game.replay_into(game.head, game.head.logged)
        if who != game.head.turn and game.asked() >> who & 1:
            game.head.n_held[who] = self.head.n_held[who]
            memcpy(game.head.held[who], self.head.held[who], sizeof(game.head.held[who]))
        return game

    def next_hand(self, seed=None):
        """The next hand: same rules, what this one left, a new deal; ``RuntimeError`` before the
        end."""
        return type(self)(self.rules, seed=seed, history=self.next_history)

    def __repr__(self):
        state = "over" if self.head.turn < 0 else f"{self.phase}, seat {self.head.turn} to act"
        return f"<Game {self.engine.name}: {state}, {self.head.logged} actions>"


def _restored(kind, bytes data):
    """The game of a class and its snapshot, for pickle."""
    return kind.restore(data)


cdef int need_cards(const qp_logged *entries, int n, int cards) except -1:
    """The entries of a log must use up its cards."""
    cdef int i, total = 0
    for i in range(n):
        total += entries[i].n
    if total != cards:
        raise ValueError("the snapshot's log does not have the cards it says")
    return 0


cdef Py_ssize_t held_size(const uint8_t *n_held) noexcept:
    """Bytes that held answers take in a snapshot, their numbers included."""
    cdef Py_ssize_t n = 0
    cdef int seat
    for seat in range(QP_SEATS):
        n += n_held[seat]
    return QP_SEATS + n * <Py_ssize_t> sizeof(qp_answer)


cdef bytes snapshot_body(object data, const qp_engine *table):
    """The body of a snapshot, its header checked."""
    cdef bytes given, body
    cdef uint16_t number, engine, version
    cdef uint32_t length, checksum
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"a snapshot is bytes, not {type(data).__name__}")
    given = bytes(data)
    cdef const char *at = PyBytes_AsString(given)
    if len(given) < HEADER or given[:6] != MAGIC:
        raise ValueError("these bytes are no snapshot")
    memcpy(&number, at + 6, 2)
    memcpy(&engine, at + 8, 2)
    memcpy(&version, at + 10, 2)
    memcpy(&length, at + 12, 4)
    memcpy(&checksum, at + 16, 4)
    if number != FORMAT:
        raise ValueError(f"the snapshot has format {number}, this version reads {FORMAT}")
    if engine != table.id:
        raise ValueError("the snapshot is of another game")
    if version != table.version:
        raise ValueError(f"the snapshot has version {version} of the game, this is {table.version}")
    body = given[HEADER:]
    if length != <uint32_t> len(body) or checksum != <uint32_t> crc32(body):
        raise ValueError("the snapshot is damaged: its checksum does not fit")
    return body


def snapshot_engine(data):
    """The number of the engine that made a snapshot; ``ValueError`` where it is none."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"a snapshot is bytes, not {type(data).__name__}")
    given = bytes(data)
    if len(given) < HEADER or given[:6] != MAGIC:
        raise ValueError("these bytes are no snapshot")
    return int.from_bytes(given[8:10], "little")
