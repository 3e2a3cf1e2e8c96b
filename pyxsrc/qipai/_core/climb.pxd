"""What the climbing games share: physical hands, turn and pass, who is out, 接风.

A hand is held twice: packed rank counts for the rules, and for each rank the bits of its physical
cards (bit ``4 * copy + suit``; jokers: bit ``copy``), whose lowest set bit is the lowest id.
"""

from libc.stdint cimport int8_t, int16_t, uint8_t, uint64_t

from qipai._core.bits cimport qp_ctz64, qp_nibble
from qipai._core.engine cimport (
    QP_LEGAL, QP_NOT_HELD, qp_chacha, qp_chacha_shuffle, qp_event, qp_move,
)

# The cards dealt to one seat, as bits of each rank.
ctypedef uint8_t rank_bits[16]

ctypedef struct climb:
    uint64_t hand[6]
    rank_bits held[6]
    int8_t order[6]      # the seats in their order of play
    int8_t finished[6]   # the seats in their order of going out
    uint8_t players
    uint8_t n_finished
    uint8_t out          # bit s: seat s has no cards
    int8_t table_seat    # who made the play on the table
    int16_t table        # its action id, 0 when the lead is free


cdef inline int rank_of(int card) noexcept nogil:
    cdef int face = card % 54
    return face >> 2 if face < 52 else face - 39

cdef inline int bit_of(int card) noexcept nogil:
    cdef int face = card % 54
    return 4 * (card // 54) + (face & 3) if face < 52 else card // 54

cdef inline int card_of(int rank, int bit) noexcept nogil:
    if rank < 13:
        return 54 * (bit >> 2) + 4 * rank + (bit & 3)
    return 54 * bit + rank + 39

cdef inline uint64_t packed_of(const uint8_t *bits) noexcept nogil:
    """The rank counts of physical cards."""
    cdef uint64_t packed = 0
    cdef unsigned int x
    cdef int rank
    for rank in range(15):
        x = bits[rank]
        x -= x >> 1 & 0x55
        x = (x & 0x33) + (x >> 2 & 0x33)
        packed |= <uint64_t> ((x + (x >> 4)) & 0xf) << 4 * rank
    return packed


cdef inline const char *deal_flaw(
    const rank_bits *hands, int players, int decks, int most, int least
) noexcept nogil:
    """What is wrong with dealt hands: every card of the decks in exactly one, sizes in range."""
    cdef int rank, seat, size
    cdef unsigned int all, seen
    for rank in range(15):
        all = (1 << (4 * decks if rank < 13 else decks)) - 1
        seen = 0
        for seat in range(players):
            if hands[seat][rank] & ~all:
                return "the deal has a card that is not in the game"
            if hands[seat][rank] & seen:
                return "the deal gives one card to two players"
            seen |= hands[seat][rank]
        if seen != all:
            return "the deal leaves out a card"
    for seat in range(players):
        size = 0
        for rank in range(15):
            size += popcount8(hands[seat][rank])
        if not least <= size <= most:
            return "the deal does not come out even"
    return NULL


cdef inline int popcount8(unsigned int x) noexcept nogil:
    x -= x >> 1 & 0x55
    x = (x & 0x33) + (x >> 2 & 0x33)
    return (x + (x >> 4)) & 0xf


cdef inline void climb_start(climb *c, const rank_bits *hands, int players) noexcept nogil:
    cdef int seat, rank
    c.players = <uint8_t> players
    c.n_finished = c.out = 0
    c.table, c.table_seat = 0, -1
    for seat in range(players):
        c.order[seat] = <int8_t> seat
        c.finished[seat] = -1
        for rank in range(16):
            c.held[seat][rank] = hands[seat][rank] if rank < 15 else 0
        c.hand[seat] = packed_of(hands[seat])


cdef inline int place_of(const climb *c, int seat) noexcept nogil:
    cdef int i = 0
    while c.order[i] != seat:
        i += 1
    return i


cdef inline int after(const climb *c, int seat, int steps) noexcept nogil:
    """The seat that plays so many places after this one."""
    return c.order[(place_of(c, seat) + steps) % c.players]


cdef inline int next_holding(const climb *c, int seat) noexcept nogil:
    """The next in turn who still has cards; -1 if nobody has."""
    cdef int i, place = place_of(c, seat)
    for i in range(1, c.players + 1):
        seat = c.order[(place + i) % c.players]
        if not c.out >> seat & 1:
            return seat
    return -1


cdef inline int next_to_answer(const climb *c, int seat) noexcept nogil:
    """The next in turn who may still beat the table, -1 when all others have passed.

    The turn comes round to the place of who made the play, cards left there or not.
    """
    cdef int i, place = place_of(c, seat)
    for i in range(1, c.players + 1):
        seat = c.order[(place + i) % c.players]
        if seat == c.table_seat:
            return -1
        if not c.out >> seat & 1:
            return seat
    return -1


cdef inline int check_cards(const climb *c, int seat, const qp_move *move, uint64_t need) noexcept nogil:
    """Whether exact cards are in the hand and are of the ranks that the action names."""
    cdef uint64_t named = 0
    cdef rank_bits used
    cdef int i, rank, bit
    for rank in range(16):
        used[rank] = 0
    for i in range(move.n):
        if move.cards[i] >= 108:
            return QP_NOT_HELD
        rank, bit = rank_of(move.cards[i]), bit_of(move.cards[i])
        if not c.held[seat][rank] >> bit & 1 or used[rank] >> bit & 1:
            return QP_NOT_HELD
        used[rank] |= <uint8_t> (1 << bit)
        named += <uint64_t> 1 << 4 * rank
    return QP_LEGAL if named == need else QP_NOT_HELD


cdef inline void play_cards(
    climb *c, int seat, int id, uint64_t cards, const qp_move *move, uint8_t *room
) noexcept nogil:
    """Put a play on the table: the exact cards of the move, or the lowest ids of its ranks."""
    cdef uint64_t left = cards
    cdef int i, rank, n
    cdef unsigned int bits
    if move.n:
        for i in range(move.n):
            room[i] = move.cards[i]
            c.held[seat][rank_of(move.cards[i])] ^= <uint8_t> (1 << bit_of(move.cards[i]))
    else:
        i = 0
        while left:
            rank = qp_ctz64(left) >> 2
            n = qp_nibble(left, rank)
            left &= ~(<uint64_t> 15 << 4 * rank)
            bits = c.held[seat][rank]
            while n:
                room[i] = <uint8_t> card_of(rank, qp_ctz64(bits))
                bits &= bits - 1
                i += 1
                n -= 1
            c.held[seat][rank] = <uint8_t> bits
    c.hand[seat] -= cards
    c.table, c.table_seat = <int16_t> id, <int8_t> seat
    if c.hand[seat] == 0:
        c.finished[c.n_finished] = <int8_t> seat
        c.n_finished += 1
        c.out |= <uint8_t> (1 << seat)


cdef inline void tell_cards(qp_event *event, const uint8_t *cards, int n) noexcept nogil:
    """Add the cards to an event that somebody listens to."""
    cdef int i
    if event == NULL:
        return
    event.n = <uint8_t> n
    for i in range(n):
        event.cards[i] = cards[i]


cdef inline void deal_shuffled(
    rank_bits *hands, int players, int cards, const uint8_t *sizes, int first, qp_chacha *chance
) noexcept nogil:
    """Shuffle the ids and give each seat, from `first` on, its number of them."""
    cdef uint8_t ids[108]
    cdef int i, j, seat, at = 0
    for i in range(cards):
        ids[i] = <uint8_t> i
    qp_chacha_shuffle(chance, ids, cards)
    for i in range(players):
        seat = (first + i) % players
        for j in range(16):
            hands[seat][j] = 0
        for j in range(sizes[i]):
            hands[seat][rank_of(ids[at])] |= <uint8_t> (1 << bit_of(ids[at]))
            at += 1


cdef inline void redeal_hidden(
    rank_bits *hands, const climb *c, unsigned int known_seats, const rank_bits *known,
    qp_chacha *chance
) noexcept nogil:
    """Deal anew, in the original hands, what the seats not in `known_seats` still hold, except
    the cards in `known`; every seat keeps the number it has."""
    cdef uint8_t ids[108]
    cdef uint8_t room[6]
    cdef int n = 0, at = 0, seat, rank, i
    cdef unsigned int bits, bit
    for seat in range(c.players):
        room[seat] = 0
        if known_seats >> seat & 1:
            continue
        for rank in range(15):
            bits = c.held[seat][rank] & ~known[seat][rank]
            hands[seat][rank] ^= <uint8_t> bits
            while bits:
                ids[n] = <uint8_t> card_of(rank, qp_ctz64(bits))
                bits &= bits - 1
                n += 1
                room[seat] += 1
    # The pool in the order of ids first: what comes out must not depend on who held what.
    sort_ids(ids, n)
    qp_chacha_shuffle(chance, ids, n)
    for seat in range(c.players):
        for i in range(room[seat]):
            hands[seat][rank_of(ids[at])] |= <uint8_t> (1 << bit_of(ids[at]))
            at += 1


cdef inline void sort_ids(uint8_t *ids, int n) noexcept nogil:
    cdef uint8_t seen[108]
    cdef int i, at = 0
    for i in range(108):
        seen[i] = 0
    for i in range(n):
        seen[ids[i]] = 1
    for i in range(108):
        if seen[i]:
            ids[at] = <uint8_t> i
            at += 1
