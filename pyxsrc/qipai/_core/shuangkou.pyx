"""The 百变双扣 kernel: one table of all playable sets (csrc/tables/shuangkou.py)."""

cimport cython
from cpython.ref cimport PyObject
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from qipai._core.batch cimport (
    Rows, hands, need_apart, need_packed, packed_row, spread, thread_count, writable,
)
from qipai._core.bits cimport (
    qp_ctz64, qp_list_bits, qp_nibble, qp_packed_within, qp_popcount_words,
)
from qipai._core.cards cimport packed_ranks, ranks_text

from enum import IntEnum

from qipai.rules.shuangkou import Rules

cdef extern from "shuangkou_table.h" nogil:
    const char *SK_DIGEST
    enum:
        SK_ROWS, SK_WORDS, SK_FIRST_BOMB, SK_BOMB_WORD, SK_SLOT_BITS, SK_BUCKET_BITS
    uint64_t SK_MULTIPLIER
    const uint64_t *sk_packed
    const uint8_t *sk_size
    const sk_play *sk_plays
    const uint16_t *sk_higher
    const uint16_t *sk_group_end
    const uint16_t *sk_stronger
    const uint8_t *sk_level
    const uint64_t (*sk_above)[38]
    const uint64_t (*sk_admitted)[100]
    const uint64_t (*sk_within)[100]
    const uint16_t *sk_displacement
    const uint16_t *sk_slot_row
    const uint64_t *sk_slot_key

cdef enum:
    DECKS = 2
    HAND = 27
    SMALL = 13
    BIG = 14

cdef str RANKS = "3456789TJQKA2BR"


class Kind(IntEnum):
    """What a play is (SK-10..18)."""

    SINGLE = 1
    PAIR = 2
    TRIPLE = 3
    STRAIGHT = 4
    PAIR_RUN = 5
    TRIPLE_RUN = 6
    BOMB = 7
    CHAIN_BOMB = 8
    THREE_JOKERS = 9
    FOUR_JOKERS = 10


cdef tuple KINDS = (None, *Kind)


# The table -------------------------------------------------------------------------------------

cdef inline int find(uint64_t packed) noexcept nogil:
    """The row of a packed set, 0 where it is no play under any rules."""
    cdef uint64_t mixed = (packed ^ packed >> 29) * SK_MULTIPLIER
    cdef uint64_t slot = (mixed >> 24 & ((1 << SK_SLOT_BITS) - 1)) ^ sk_displacement[
        mixed >> (64 - SK_BUCKET_BITS)]
    return sk_slot_row[slot] if sk_slot_key[slot] == packed else 0


cdef const sk_play *play_at(int row) noexcept nogil:
    return &sk_plays[row]


cdef uint64_t packed_at(int row) noexcept nogil:
    return sk_packed[row]


cdef int size_at(int row) noexcept nogil:
    return sk_size[row]


cdef inline const uint64_t *admitted(const sk_rules *rules) noexcept nogil:
    return sk_admitted[rules.max_bomb - 8 + 3 * rules.loops]


cdef bint admits(const sk_rules *rules, int row) noexcept nogil:
    """Whether the rules know this row (SK-16, SK-19)."""
    return admitted(rules)[row >> 6] >> (row & 63) & 1


cdef bint beats_row(const sk_rules *rules, int a, int b) noexcept nogil:
    """Whether play a beats play b (SK-40..46); both are rows that the rules admit."""
    if a < SK_FIRST_BOMB:
        return sk_higher[b] <= a < sk_group_end[b]
    if b < SK_FIRST_BOMB:
        return True  # SK-41
    if rules.equal_stars:
        return a >= sk_stronger[b]
    return sk_level[a] > sk_level[b]


cdef inline void meet(uint64_t hand, const uint64_t *rules, uint64_t *rows, int first, int stop) noexcept nogil:
    """The rows of words first..stop-1 that need no more of any rank than the hand has."""
    cdef const uint64_t *need[15]
    cdef int i, w
    for i in range(15):
        need[i] = sk_within[9 * i + qp_nibble(hand, i)]
    for w in range(first, stop):
        rows[w] = (rules[w] & need[0][w] & need[1][w] & need[2][w] & need[3][w] & need[4][w]
                   & need[5][w] & need[6][w] & need[7][w] & need[8][w] & need[9][w] & need[10][w]
                   & need[11][w] & need[12][w] & need[13][w] & need[14][w])


cdef inline bint may_bomb(uint64_t hand) noexcept nogil:
    """Whether any bomb can be in the hand: every one has four alike with 大王, or three jokers."""
    cdef int wild = qp_nibble(hand, BIG)
    if wild + qp_nibble(hand, SMALL) >= 3:
        return True
    # Adding wild + 4 to each nibble below 8 sets its top bit exactly from 4 - wild on.
    cdef uint64_t natural = hand & <uint64_t> 0xfffffffffffff
    cdef uint64_t top = natural & <uint64_t> 0x8888888888888
    cdef uint64_t low = (natural & ~top) + <uint64_t> (4 + wild) * <uint64_t> 0x1111111111111
    return ((low | top) & <uint64_t> 0x8888888888888) != 0


cdef void legal_rows(const sk_rules *rules, uint64_t hand, int on, uint64_t *rows) noexcept nogil:
    """The set of rows that the hand may play on row `on`, or lead where it is 0; row 0, the pass,
    is among them exactly when there is something to beat (SK-51)."""
    cdef const uint64_t *admit = admitted(rules)
    cdef int w, first, stop, lo, hi
    if on == 0:
        meet(hand, admit, rows, 0, SK_WORDS)
        rows[0] &= ~<uint64_t> 1
        return
    memset(rows, 0, SK_WORDS * sizeof(uint64_t))
    if on < SK_FIRST_BOMB:
        lo, hi = sk_higher[on], sk_group_end[on]
        if lo < hi:
            first, stop = lo >> 6, (hi + 63) >> 6
            meet(hand, admit, rows, first, stop)
            rows[first] &= ~<uint64_t> 0 << (lo & 63)
            if hi & 63:
                rows[stop - 1] &= (<uint64_t> 1 << (hi & 63)) - 1
    if may_bomb(hand):
        lo = sk_stronger[on] if rules.equal_stars or on < SK_FIRST_BOMB else SK_FIRST_BOMB
        if lo < SK_ROWS:
            first = lo >> 6
            # The word where the bombs begin may hold followers of the same kind already.
            kept = rows[first]
            meet(hand, admit, rows, first, SK_WORDS)
            rows[first] = rows[first] & ~<uint64_t> 0 << (lo & 63) | kept
            if on >= SK_FIRST_BOMB and not rules.equal_stars:
                for w in range(SK_BOMB_WORD, SK_WORDS):
                    rows[w] &= sk_above[sk_level[on]][w - SK_BOMB_WORD]
    rows[0] |= 1


# Plays for Python ------------------------------------------------------------------------------

@cython.final
@cython.freelist(64)
cdef class Play:
    """A set of cards read as a pattern.

    ``kind``, ``rank`` (text of the top rank; of a loop its last, ``"R"`` of joker bombs), ``width``
    cards a group, ``length`` groups (joker bombs: 3 or 4, and 1), ``stars`` (0 for what is no
    bomb), ``is_loop``, ``cards`` (text as played, low to high), ``reading`` (the same with each
    大王 replaced by what it stands for). Immutable and hashable; ``int(play)`` is the action id.
    """
    cdef readonly int id

    def __init__(self):
        raise TypeError("a Play is made by classify()")

    @property
    def kind(self):
        """What it is, a :class:`Kind`."""
        return KINDS[sk_plays[self.id].kind]

    @property
    def rank(self):
        """Text of the top rank of the reading."""
        return RANKS[sk_plays[self.id].rank]

    @property
    def width(self):
        """Cards in each group."""
        return sk_plays[self.id].width

    @property
    def length(self):
        """Number of groups."""
        return sk_plays[self.id].length

    @property
    def stars(self):
        """星 of a bomb (SK-16, 17, 18), 0 of anything else."""
        return sk_plays[self.id].stars

    @property
    def is_loop(self):
        """Whether it is a 循环炸 (SK-19)."""
        return bool(sk_plays[self.id].loop)

    @property
    def cards(self):
        """Text of the cards as played, low to high."""
        return ranks_text(sk_packed[self.id])

    @property
    def reading(self):
        """Text of the cards with each 大王 replaced by what it stands for, low to high."""
        cdef const sk_play *play = &sk_plays[self.id]
        if play.kind in (9, 10) or (play.rank == BIG):
            return ranks_text(sk_packed[self.id])
        cdef int i
        # Going down from the top rank; below the A of a loop's cycle come K.., below 3 the 2.
        ranks = sorted([(play.rank - i + 13) % 13 if play.loop else play.rank - i
                        for i in range(play.length)])
        return "".join([RANKS[i] * play.width for i in ranks])

    def __int__(self):
        return self.id

    def __index__(self):
        return self.id

    def __eq__(self, other):
        return isinstance(other, Play) and (<Play> other).id == self.id

    def __hash__(self):
        return self.id

    def __repr__(self):
        return f"<Play {self.cards} {self.kind.name}>"

    def __str__(self):
        return self.cards

    def __reduce__(self):
        return _play_of, (self.cards,)


cdef inline Play play_of(int row):
    cdef Play play = Play.__new__(Play)
    play.id = row
    return play


def _play_of(str cards):
    """The Play of its card text, for pickle."""
    cdef int row = find(packed_ranks(cards, DECKS, HAND))
    if row == 0:
        raise ValueError(f"{cards!r} is no play")
    return play_of(row)


cdef object DEFAULT = Rules.wenzhou()
cdef object BY_COUNT = "count"


cdef inline object sheet(object rules):
    if rules is None:
        return DEFAULT
    if type(rules) is not Rules:
        raise TypeError(f"rules must be qipai.shuangkou.Rules, not {type(rules).__name__}")
    return rules


cdef inline bint allows(object rules, int row) except -1:
    """:func:`admits` for a Rules object, which is looked at only where the row asks for it."""
    cdef const sk_play *play = &sk_plays[row]
    if play.loop:
        return rules.loops
    return play.width <= 8 or play.width <= <int> rules.max_bomb


cdef int kernel_rules(object rules, sk_rules *flat) except -1:
    """What the kernel asks of a Rules object."""
    flat.loops = rules.loops
    flat.max_bomb = rules.max_bomb
    flat.equal_stars = rules.equal_stars == BY_COUNT
    return 0


cdef int row_of(object cards, object rules) except -1:
    """The row of cards or a Play; ValueError where it is none under the rules."""
    cdef int row
    if type(cards) is Play:
        row = (<Play> cards).id
    else:
        row = find(packed_ranks(cards, DECKS, HAND))
    if row == 0 or not allows(rules, row):
        text = ranks_text(sk_packed[row] if row else packed_ranks(cards, DECKS, HAND))
        raise ValueError(f"{text or 'nothing'} is no play by the rules {rules.name}")
    return row


def classify(cards, rules=None):
    """Read a set of cards as the pattern it is (SK-10..20, SK-30..32).

    ``cards``: text, ``bytes`` of 15 rank counts, or ids. Returns a :class:`Play`, or None where
    the cards are no pattern. ``ValueError`` for what no hand can be: a ninth 7, 28 cards.
    """
    rules = sheet(rules)
    cdef int row = find(packed_ranks(cards, DECKS, HAND))
    if row == 0 or not allows(rules, row):
        return None
    return play_of(row)


def beats(a, b, rules=None):
    """Whether play ``a`` beats play ``b`` (SK-40..46).

    Each is a :class:`Play` or cards as for :func:`classify`; ``ValueError`` where one is no play.
    """
    cdef sk_rules flat
    rules = sheet(rules)
    cdef int first = row_of(a, rules), second = row_of(b, rules)
    if first >= SK_FIRST_BOMB and second >= SK_FIRST_BOMB:
        kernel_rules(rules, &flat)
        return beats_row(&flat, first, second)
    return beats_row(NULL, first, second)


cdef list plays_in(uint64_t *rows, int first):
    cdef list plays = []
    cdef uint64_t left
    cdef int w
    for w in range(first, SK_WORDS):
        left = rows[w]
        while left:
            plays.append(play_of(64 * w + qp_ctz64(left)))
            left &= left - 1
    return plays


def legal_plays(hand, on=None, rules=None):
    """List every play that a hand can make, each distinct set of ranks once.

    ``hand``: cards of at most 27; ``on``: the play to beat (cards or a :class:`Play`), or None for
    a free lead. Returns Plays in the order of their ids; passing is not among them.
    """
    cdef uint64_t rows[SK_SET]
    cdef sk_rules flat
    rules = sheet(rules)
    kernel_rules(rules, &flat)
    cdef uint64_t held = packed_ranks(hand, DECKS, HAND)
    cdef int row = 0 if on is None else row_of(on, rules)
    legal_rows(&flat, held, row, rows)
    rows[0] &= ~<uint64_t> 1
    return plays_in(rows, 0)


def legal_ids(hand, on=None, rules=None, *, out=None):
    """Ids of what :func:`legal_plays` lists, ascending.

    ``out``: the caller's ``int32`` array with room for them. Returns ``int32`` of shape (k,), the
    first k of ``out``. Errors as :func:`legal_plays`, and ``ValueError`` for an ``out`` that is no
    such array or too small.
    """
    cdef uint64_t rows[SK_SET]
    cdef sk_rules flat
    cdef Rows room
    cdef int n
    rules = sheet(rules)
    kernel_rules(rules, &flat)
    cdef uint64_t held = packed_ranks(hand, DECKS, HAND)
    cdef int row = 0 if on is None else row_of(on, rules)
    legal_rows(&flat, held, row, rows)
    rows[0] &= ~<uint64_t> 1
    if out is None:
        import numpy

        out = numpy.empty(qp_popcount_words(rows, SK_WORDS), numpy.int32)
    room = writable(out, "out", 0, 4, b"il")
    # An array with room for any list spares the counting.
    if room.n < SK_ROWS:
        n = qp_popcount_words(rows, SK_WORDS)
        if room.n < n:
            raise ValueError(f"out has room for {room.n} ids, {n} are needed")
    n = qp_list_bits(rows, SK_WORDS, <int32_t *> room.view.buf)
    return out if room.n == n else out[:n]


def bombs(hand, rules=None):
    """List every bomb of a hand, 连环炸 and joker bombs included (SK-16..19), by ascending id."""
    cdef uint64_t rows[SK_SET]
    cdef sk_rules flat
    rules = sheet(rules)
    kernel_rules(rules, &flat)
    cdef uint64_t held = packed_ranks(hand, DECKS, HAND)
    legal_rows(&flat, held, 0, rows)
    rows[SK_BOMB_WORD] &= ~<uint64_t> 0 << (SK_FIRST_BOMB & 63)
    return plays_in(rows, SK_BOMB_WORD)


def table_digest():
    """The fingerprint of the table: ids, cards and readings."""
    return SK_DIGEST.decode("ascii")


def table_size():
    """How many actions there are: the pass, 0, and every playable set."""
    return SK_ROWS


def play_at_id(int id):
    """The Play with an action id from 1 to ``table_size() - 1``."""
    if not 1 <= id < SK_ROWS:
        raise ValueError(f"no play has the id {id}")
    return play_of(id)


def row_of_counts(counts):
    """The action id of 15 rank counts, 0 where they are no play under any rules."""
    return find(packed_ranks(counts, DECKS, HAND))


# Batches ---------------------------------------------------------------------------------------

cdef struct batch:
    const uint64_t *packed
    const uint8_t *counts
    const uint64_t *packed_on
    const uint8_t *counts_on
    sk_rules rules
    void *out
    int on


cdef Py_ssize_t classify_rows(void *context, Py_ssize_t lo, Py_ssize_t hi) noexcept nogil:
    cdef batch *b = <batch *> context
    cdef sk_play *out = <sk_play *> b.out
    cdef const uint64_t *admit = admitted(&b.rules)
    cdef Py_ssize_t i
    cdef int row
    for i in range(lo, hi):
        row = find(packed_row(b.packed, b.counts, i))
        out[i] = sk_plays[row if admit[row >> 6] >> (row & 63) & 1 else 0]
    return -1


cdef Py_ssize_t beats_rows(void *context, Py_ssize_t lo, Py_ssize_t hi) noexcept nogil:
    cdef batch *b = <batch *> context
    cdef uint8_t *out = <uint8_t *> b.out
    cdef Py_ssize_t i
    cdef int first, second
    for i in range(lo, hi):
        first = find(packed_row(b.packed, b.counts, i))
        second = find(packed_row(b.packed_on, b.counts_on, i))
        if not (first and second and admits(&b.rules, first) and admits(&b.rules, second)):
            return i
        out[i] = beats_row(&b.rules, first, second)
    return -1


cdef Py_ssize_t count_rows(void *context, Py_ssize_t lo, Py_ssize_t hi) noexcept nogil:
    cdef batch *b = <batch *> context
    cdef int32_t *out = <int32_t *> b.out
    cdef uint64_t rows[SK_SET]
    cdef Py_ssize_t i
    for i in range(lo, hi):
        legal_rows(&b.rules, packed_row(b.packed, b.counts, i), b.on, rows)
        out[i] = qp_popcount_words(rows, SK_WORDS) - (b.on != 0)
    return -1


cdef int need_hands(batch *b, Rows rows, str name, int threads) except -1:
    b.packed, b.counts = rows.packed(), rows.counts()
    return need_packed(rows, name, DECKS, HAND, threads)


def classify_many(array, rules=None, *, out=None, threads=1):
    """Classify many sets at once.

    ``array``: C-contiguous, ``uint64`` of shape (n,) with rank i in bits 4i..4i+3, or ``uint8``
    counts of shape (n, 15). ``out``: the caller's one-dimensional array of ``PLAY_DTYPE`` with
    room for n rows. Returns an array of ``PLAY_DTYPE`` and shape (n,) (the first n of ``out``);
    rows that are no play are all zero. Every row is checked before anything is written, and
    ``ValueError`` names the first that no hand can be. No GIL is held while it works; the result
    is the same for every number of ``threads``.
    """
    import numpy

    from qipai.shuangkou import PLAY_DTYPE

    cdef batch b
    cdef int parallel = thread_count(threads)
    kernel_rules(sheet(rules), &b.rules)
    cdef Rows rows = hands(array, "array", 15)
    if out is not None and getattr(out, "dtype", None) != PLAY_DTYPE:
        raise ValueError("out must be an array of qipai.shuangkou.PLAY_DTYPE")
    answer = numpy.empty(rows.n, PLAY_DTYPE) if out is None else out
    cdef Rows target = writable(answer, "out", rows.n, sizeof(sk_play), NULL)
    need_apart(rows, target, "out")
    need_hands(&b, rows, "array", parallel)
    b.out = target.view.buf
    spread(classify_rows, &b, rows.n, parallel)
    return answer[:rows.n]


def beats_many(a, b, rules=None, *, out=None, threads=1):
    """Whether ``a[i]`` beats ``b[i]``, for many pairs at once (SK-40..46).

    ``a``, ``b``: arrays of n rows as for :func:`classify_many`, every row a play. ``out``: the
    caller's ``bool`` array with room for n. Returns a ``bool`` array of shape (n,). ``ValueError``
    names the first row where one of the two is no play; ``out`` is untouched then.
    """
    import numpy

    cdef batch work
    cdef int parallel = thread_count(threads)
    kernel_rules(sheet(rules), &work.rules)
    cdef Rows first = hands(a, "a", 15), second = hands(b, "b", 15)
    if first.n != second.n:
        raise ValueError(f"a has {first.n} rows and b has {second.n}")
    cdef Rows target = None
    if out is not None:
        target = writable(out, "out", first.n, 1, b"?")
    work.packed, work.counts = first.packed(), first.counts()
    work.packed_on, work.counts_on = second.packed(), second.counts()
    # The caller's array is written only once all rows are known to be plays.
    answer = numpy.empty(first.n, numpy.bool_)
    cdef Rows made = writable(answer, "answer", first.n, 1, b"?")
    work.out = made.view.buf
    cdef Py_ssize_t wrong = spread(beats_rows, &work, first.n, parallel)
    cdef int row
    if wrong >= 0:
        row = find(packed_row(work.packed, work.counts, wrong))
        name, array = ("b", second) if row and admits(&work.rules, row) else ("a", first)
        need_hands(&work, array, name, 1)
        raise ValueError(f"{name}[{wrong}] is no play")
    if target is None:
        return answer
    memcpy(target.view.buf, made.view.buf, first.n)
    return out[:first.n]


def legal_count_many(array, on=None, rules=None, *, out=None, threads=1):
    """How many plays each of many hands can make.

    ``array``: hands as for :func:`classify_many`; ``on``: the play all of them are to beat, or
    None for a free lead. ``out``: the caller's ``int32`` array with room for n. Returns ``int32``
    of shape (n,): distinct sets of ranks, passing not counted. Errors as :func:`classify_many`.
    """
    import numpy

    cdef batch b
    cdef int parallel = thread_count(threads)
    rules = sheet(rules)
    kernel_rules(rules, &b.rules)
    b.on = 0 if on is None else row_of(on, rules)
    cdef Rows rows = hands(array, "array", 15)
    answer = numpy.empty(rows.n, numpy.int32) if out is None else out
    cdef Rows target = writable(answer, "out", rows.n, 4, b"il")
    need_apart(rows, target, "out")
    need_hands(&b, rows, "array", parallel)
    b.out = target.view.buf
    spread(count_rows, &b, rows.n, parallel)
    return answer[:rows.n]


if <int> SK_ROWS != SK_ACTIONS or <int> SK_WORDS != <int> SK_SET or SK_WORDS - SK_BOMB_WORD != 38:
    raise ImportError("the table of 百变双扣 does not fit the module built with it")
