"""The kernel of 放羊 and 甲乙丙: every play is some cards alike (csrc/alike.h)."""

cimport cython
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy

from qipai._core.batch cimport Rows, hands, need_apart, need_packed, packed_row, spread, thread_count, writable
from qipai._core.bits cimport qp_list_bits, qp_nibble, qp_popcount
from qipai._core.cards cimport packed_ranks, ranks_text

cdef str RANKS = "3456789TJQKA2BR"

# A row of classify_many; PLAY_DTYPE of the games' modules.
ctypedef packed struct alike_row:
    uint16_t id
    uint8_t kind
    uint8_t rank


# Hint ------------------------------------------------------------------------------------------

cdef inline int strength(const ak_rules *rules, int rank) noexcept nogil:
    """0 for the lowest rank to 14 for 大王: how many ranks are lower."""
    return 14 - qp_popcount(rules.above[rank] & <uint64_t> 0x0111111111111111)


cdef int trouble(const ak_rules *rules, uint64_t hand) noexcept nogil:
    """How far a hand is from being played out: each rank is a lead, the dearer the lower it is;
    what takes the lead back makes up for another."""
    cdef int total = 0, rank, n
    for rank in range(15):
        n = qp_nibble(hand, rank)
        if n:
            total += 16 - 3 * strength(rules, rank) // 2 - 2 * n
    return total


cdef int worth(
    const ak_rules *rules, uint64_t hand, int id, int on, bint friendly, int least
) noexcept nogil:
    """How good a play (0: the pass) looks from a hand. `on`: the play to beat; `friendly`: whether
    a partner made it; `least`: the fewest cards that an opponent holds."""
    cdef uint64_t cards
    cdef int value, width
    if id == 0:
        return -trouble(rules, hand)
    cards = packed_of_id(rules.decks, id)
    if cards == hand:
        return 10000
    width = ak_width(rules.decks, id)
    value = -trouble(rules, hand - cards)
    if on == 0:
        # A lead of more cards goes further, and none that an opponent's last cards would answer.
        return value + width - (8 if width == least else 0)
    if friendly:
        return value - 12 - strength(rules, ak_rank(rules.decks, id))
    return value + 5 + max(0, 3 * (6 - least))


# Plays for Python ------------------------------------------------------------------------------

@cython.freelist(64)
cdef class AlikePlay:
    """Cards alike, read as a pattern. Each game has its own."""

    def __cinit__(self):
        self.decks, self.id = 1, 1  # a play, whoever made it: 0 is the id of none

    def __init__(self):
        raise TypeError("a Play is made by classify()")

    @property
    def width(self):
        """How many cards."""
        return ak_width(self.decks, self.id)

    @property
    def rank(self):
        """Text of the rank."""
        return RANKS[ak_rank(self.decks, self.id)]

    @property
    def cards(self):
        """Text of the cards."""
        return ranks_text(packed_of_id(self.decks, self.id))

    def __int__(self):
        return self.id

    def __index__(self):
        return self.id

    def __eq__(self, other):
        return type(self) is type(other) and (<AlikePlay> other).id == self.id

    def __hash__(self):
        return self.id

    def __repr__(self):
        return f"<Play {self.cards} {self.kind.name}>"

    def __str__(self):
        return self.cards


cdef struct batch:
    const uint64_t *packed
    const uint8_t *counts
    const uint64_t *packed_on
    const uint8_t *counts_on
    ak_rules rules
    void *out
    ak_set allowed


cdef inline int admitted_id(const ak_rules *rules, uint64_t packed) noexcept nogil:
    """The play that cards are under the rules, 0 for none."""
    cdef int id = ak_find(rules.decks, packed)
    return id if ak_width(rules.decks, id) <= rules.max_alike else 0


cdef Py_ssize_t classify_rows(void *context, Py_ssize_t lo, Py_ssize_t hi) noexcept nogil:
    cdef batch *b = <batch *> context
    cdef alike_row *out = <alike_row *> b.out
    cdef Py_ssize_t i
    cdef int id
    for i in range(lo, hi):
        id = admitted_id(&b.rules, packed_row(b.packed, b.counts, i))
        out[i].id = <uint16_t> id
        out[i].kind = <uint8_t> (ak_width(b.rules.decks, id) if id else 0)
        out[i].rank = <uint8_t> (ak_rank(b.rules.decks, id) if id else 0)
    return -1


cdef Py_ssize_t beats_rows(void *context, Py_ssize_t lo, Py_ssize_t hi) noexcept nogil:
    cdef batch *b = <batch *> context
    cdef uint8_t *out = <uint8_t *> b.out
    cdef Py_ssize_t i
    cdef int first, second
    for i in range(lo, hi):
        first = admitted_id(&b.rules, packed_row(b.packed, b.counts, i))
        second = admitted_id(&b.rules, packed_row(b.packed_on, b.counts_on, i))
        if not (first and second):
            return i
        out[i] = beats_id(&b.rules, first, second)
    return -1


cdef Py_ssize_t count_rows(void *context, Py_ssize_t lo, Py_ssize_t hi) noexcept nogil:
    cdef batch *b = <batch *> context
    cdef int32_t *out = <int32_t *> b.out
    cdef ak_set plays
    cdef Py_ssize_t i
    for i in range(lo, hi):
        plays = ak_meet(ak_playable(packed_row(b.packed, b.counts, i)), b.allowed)
        out[i] = qp_popcount(plays.low) + qp_popcount(plays.high)
    return -1


cdef class Alike:
    """What the pure functions of a game do. A subclass sets the fields, `plain` as the default
    rules have it, and makes its plays."""

    cdef AlikePlay blank(self):
        """A new play of the game, still without its id."""
        raise NotImplementedError

    cdef int house(self, object rules, ak_rules *flat) except -1:
        """Fill in the house rules."""
        raise NotImplementedError

    cdef int flatten(self, object rules, ak_rules *flat) except -1:
        """What the kernel asks of the rules, the default ones for None."""
        flat[0] = self.plain
        if rules is None:
            return 0
        if type(rules) is not self.rules:
            raise TypeError(
                f"rules must be qipai.{self.name}.Rules, not {type(rules).__name__}")
        return self.house(rules, flat)

    cdef AlikePlay play(self, int id):
        cdef AlikePlay play = self.blank()
        play.id, play.decks = id, self.plain.decks
        return play

    cdef int find(self, object cards, const ak_rules *flat) except -1:
        """The play that cards are, 0 for none."""
        return admitted_id(flat, packed_ranks(cards, flat.decks, flat.hand))

    cdef int need(self, object cards, const ak_rules *flat) except -1:
        """The play that cards are, or that a Play is; ValueError where it is none."""
        cdef int id
        if isinstance(cards, AlikePlay):
            if (<AlikePlay> cards).decks != self.plain.decks:
                raise TypeError(f"{cards!r} is no play of {self.name}")
            id = (<AlikePlay> cards).id
            if ak_width(flat.decks, id) > flat.max_alike:
                id = 0
        else:
            id = self.find(cards, flat)
        if id == 0:
            raise ValueError(f"{cards!r} is no play by these rules")
        return id

    cdef object classify(self, object cards, object rules):
        cdef ak_rules flat
        self.flatten(rules, &flat)
        cdef int id = self.find(cards, &flat)
        return self.play(id) if id else None

    cdef bint beats(self, object a, object b, object rules) except -1:
        cdef ak_rules flat
        self.flatten(rules, &flat)
        return beats_id(&flat, self.need(a, &flat), self.need(b, &flat))

    cdef int legal(self, object hand, object on, object rules, int32_t *out) except -1:
        """The ids of what a hand can play, ascending; how many."""
        cdef ak_rules flat
        cdef uint64_t words[2]
        self.flatten(rules, &flat)
        cdef uint64_t held = packed_ranks(hand, flat.decks, flat.hand)
        cdef int play = 0 if on is None else self.need(on, &flat)
        ak_ids(flat.decks, ak_meet(ak_playable(held), allowed(&flat, play)), words)
        return qp_list_bits(words, 2, out)

    cdef list legal_plays(self, object hand, object on, object rules):
        cdef int32_t ids[AK_PLAYS]
        cdef int i, n = self.legal(hand, on, rules, ids)
        return [self.play(ids[i]) for i in range(n)]

    cdef object legal_ids(self, object hand, object on, object rules, object out):
        cdef int32_t ids[AK_PLAYS]
        cdef int n = self.legal(hand, on, rules, ids)
        cdef Rows room
        if out is None:
            import numpy

            out = numpy.empty(n, numpy.int32)
        room = writable(out, "out", n, 4, b"il")
        memcpy(room.view.buf, ids, n * sizeof(int32_t))
        return out if room.n == n else out[:n]

    cdef object classify_many(self, object array, object rules, object out, object threads):
        import numpy

        cdef batch b
        cdef int parallel = thread_count(threads)
        self.flatten(rules, &b.rules)
        cdef Rows rows = hands(array, "array", 15)
        dtype = play_dtype()
        if out is not None and getattr(out, "dtype", None) != dtype:
            raise ValueError(f"out must be an array of qipai.{self.name}.PLAY_DTYPE")
        answer = numpy.empty(rows.n, dtype) if out is None else out
        cdef Rows target = writable(answer, "out", rows.n, sizeof(alike_row), NULL)
        need_apart(rows, target, "out")
        need_packed(rows, "array", b.rules.decks, b.rules.hand, parallel)
        b.packed, b.counts, b.out = rows.packed(), rows.counts(), target.view.buf
        spread(classify_rows, &b, rows.n, parallel)
        return answer[:rows.n]

    cdef object beats_many(self, object a, object b, object rules, object out, object threads):
        import numpy

        cdef batch work
        cdef int parallel = thread_count(threads)
        self.flatten(rules, &work.rules)
        cdef Rows first = hands(a, "a", 15), second = hands(b, "b", 15), target = None
        if first.n != second.n:
            raise ValueError(f"a has {first.n} rows and b has {second.n}")
        if out is not None:
            target = writable(out, "out", first.n, 1, b"?")
        work.packed, work.counts = first.packed(), first.counts()
        work.packed_on, work.counts_on = second.packed(), second.counts()
        # The caller's array is written only once all rows are known to be plays.
        answer = numpy.empty(first.n, numpy.bool_)
        cdef Rows made = writable(answer, "answer", first.n, 1, b"?")
        work.out = made.view.buf
        cdef Py_ssize_t wrong = spread(beats_rows, &work, first.n, parallel)
        if wrong >= 0:
            is_play = admitted_id(&work.rules, packed_row(work.packed, work.counts, wrong))
            name, array = ("b", second) if is_play else ("a", first)
            need_packed(array, name, work.rules.decks, work.rules.hand, 1)
            raise ValueError(f"{name}[{wrong}] is no play")
        if target is None:
            return answer
        memcpy(target.view.buf, made.view.buf, first.n)
        return out[:first.n]

    cdef object legal_count_many(
        self, object array, object on, object rules, object out, object threads
    ):
        import numpy

        cdef batch b
        cdef int parallel = thread_count(threads)
        self.flatten(rules, &b.rules)
        b.allowed = allowed(&b.rules, 0 if on is None else self.need(on, &b.rules))
        cdef Rows rows = hands(array, "array", 15)
        answer = numpy.empty(rows.n, numpy.int32) if out is None else out
        cdef Rows target = writable(answer, "out", rows.n, 4, b"il")
        need_apart(rows, target, "out")
        need_packed(rows, "array", b.rules.decks, b.rules.hand, parallel)
        b.packed, b.counts, b.out = rows.packed(), rows.counts(), target.view.buf
        spread(count_rows, &b, rows.n, parallel)
        return answer[:rows.n]


_dtype = {}


def play_dtype():
    """A row of classify_many: the id of the play (0: none), its Kind, which is the number of cards
    too, and the place of its rank, 0 to 14."""
    if "play" not in _dtype:
        import numpy

        _dtype.setdefault("play", numpy.dtype([("id", "<u2"), ("kind", "u1"), ("rank", "u1")]))
    return _dtype["play"]
