"""What the climbing games share: physical hands, turn and pass, who is out, 接风.

A hand of each flows alike: ``start`` says who leads; ``apply`` lets ``put_down`` do a play or tells
the pass, ends the hand where its rules say so, and gives the turn to who ``turn_after`` names. A
hand is held twice: packed rank counts for the rules, and for each rank the bits of its physical
cards (bit ``4 * copy + suit``; jokers: bit ``copy``), whose lowest set bit is the lowest id.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint64_t

from qipai._core.bits cimport qp_ctz64, qp_nibble, qp_packed_size
from qipai._core.engine cimport (
    QP_LEGAL, QP_NOT_HELD, qp_chacha, qp_chacha_shuffle, qp_event, qp_events, qp_move, qp_tell,
)
from qipai._core.game cimport Engine, Game

# What happens in every climbing game, as qipai.climbing.EVENTS; a game's own kinds follow.
cdef enum climb_event:
    PLAYED, PASSED, LEADS, WENT_OUT, OVER, OWN_EVENTS

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


cdef inline int holder(const rank_bits *hands, int card) noexcept nogil:
    """Who has a card, which somebody does."""
    cdef int seat = 0, rank = rank_of(card), bit = bit_of(card)
    while not hands[seat][rank] >> bit & 1:
        seat += 1
    return seat


cdef inline const char *deal_flaw(
    const rank_bits *hands, int players, int decks, const uint8_t *sizes, int first
) noexcept nogil:
    """What is wrong with dealt hands: every card of the decks in exactly one, and for each seat,
    from `first` on, its number of them."""
    cdef int rank, seat, size, i
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
    for i in range(players):
        size, seat = 0, (first + i) % players
        for rank in range(15):
            size += popcount8(hands[seat][rank])
        if size != sizes[i]:
            return "the deal does not come out even: a hand has too many or too few cards"
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


cdef inline int next_of(const climb *c, int seat, unsigned int among) noexcept nogil:
    """The next in turn after a seat of those in `among`, at last the seat itself; -1 for none."""
    cdef int i, place = place_of(c, seat)
    for i in range(c.players):
        place = place + 1 if place + 1 < c.players else 0
        if among >> c.order[place] & 1:
            return c.order[place]
    return -1


cdef inline int turn_after(
    climb *c, int seat, unsigned int heirs, qp_events *events
) noexcept nogil:
    """Who acts after a seat has played or passed: the next in turn who may still beat the table.

    When the turn comes round to the place of who made the play, cards left there or not, all
    others have passed: the table is cleared, and that player leads anew or, out of cards, the next
    in turn of the `heirs` who has some (接风).
    """
    cdef unsigned int holding = ~<unsigned int> c.out
    cdef int next = next_of(c, seat, holding | 1 << c.table_seat)
    if next != c.table_seat:
        return next
    if c.out >> next & 1:
        next = next_of(c, next, heirs & holding)
    c.table, c.table_seat = 0, -1
    qp_tell(events, LEADS, next, -1)
    return next


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
    """Put a play on the table: the exact cards of the move, or the lowest ids of its ranks.

    `room` takes the cards in the order of ranks and bits, however the move names them: the same
    cards make the same log.
    """
    cdef rank_bits named
    cdef uint64_t left = cards
    cdef int i, rank, n
    cdef unsigned int bits, bit
    if move.n:
        for rank in range(16):
            named[rank] = 0
        for i in range(move.n):
            named[rank_of(move.cards[i])] |= <uint8_t> (1 << bit_of(move.cards[i]))
    i = 0
    while left:
        rank = qp_ctz64(left) >> 2
        n = qp_nibble(left, rank)
        left &= ~(<uint64_t> 15 << 4 * rank)
        bits = named[rank] if move.n else c.held[seat][rank]
        while n:
            bit = bits & (0 - bits)
            room[i] = <uint8_t> card_of(rank, qp_ctz64(bits))
            c.held[seat][rank] ^= <uint8_t> bit
            bits ^= bit
            i += 1
            n -= 1
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


cdef inline bint put_down(
    climb *c, int seat, int id, uint64_t cards, const qp_move *move, uint8_t *room,
    qp_events *events
) noexcept nogil:
    """Play cards, to lie on the table as play `id`; whether the player has none left."""
    cdef int before = c.n_finished
    play_cards(c, seat, id, cards, move, room)
    tell_cards(qp_tell(events, PLAYED, seat, move.id), room, qp_packed_size(cards))
    if c.n_finished == before:
        return False
    qp_tell(events, WENT_OUT, seat, -1)
    return True


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


cdef inline void spread_counts(uint64_t packed, uint8_t *out) noexcept nogil:
    """Packed rank counts as 15 numbers of an observation."""
    cdef int rank
    for rank in range(15):
        out[rank] = <uint8_t> (packed >> 4 * rank & 15)


cdef inline int keep_best(
    int32_t id, int value, int32_t *ids, int32_t *values, int found, int most
) noexcept nogil:
    """Put an action among the best so far, best first and equals as they came; how many now."""
    cdef int i = found
    if found < most:
        found += 1
    elif value <= values[most - 1]:
        return found
    else:
        i = most - 1
    while i > 0 and values[i - 1] < value:
        values[i], ids[i] = values[i - 1], ids[i - 1]
        i -= 1
    values[i], ids[i] = value, id
    return found


cdef class Climbing(Engine):
    cdef int climb_at
    cdef const climb *of(self, Game game) except NULL
