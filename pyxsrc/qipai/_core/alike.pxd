"""The kernel of 放羊 and 甲乙丙: every play is some cards alike (csrc/alike.h)."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from qipai._core.bits cimport qp_nibble

cdef extern from "alike.h" nogil:
    ctypedef struct ak_set:
        uint64_t low
        uint64_t high
    ctypedef struct ak_rules:
        const uint64_t *above
        uint8_t decks
        uint8_t hand
        uint8_t max_alike
        uint8_t quad_is_bomb
    const uint64_t *fy_above
    const uint64_t *jy_above
    int ak_id(int decks, int rank, int width) noexcept
    int ak_rank(int decks, int id) noexcept
    int ak_width(int decks, int id) noexcept
    int ak_find(int decks, uint64_t packed) noexcept
    ak_set ak_playable(uint64_t hand) noexcept
    ak_set ak_admitted(const ak_rules *rules) noexcept
    ak_set ak_beaters(const ak_rules *rules, int rank, int width) noexcept
    ak_set ak_meet(ak_set a, ak_set b) noexcept
    bint ak_has(ak_set set, int rank, int width) noexcept
    void ak_ids(int decks, ak_set set, uint64_t *out) noexcept


cdef inline uint64_t cards_of_id(int decks, int id) noexcept nogil:
    """The packed cards of a play."""
    return <uint64_t> ak_width(decks, id) << 4 * ak_rank(decks, id)


cdef inline bint beats_id(const ak_rules *rules, int a, int b) noexcept nogil:
    """Whether play a beats play b; both are ids that the rules admit."""
    return ak_has(
        ak_beaters(rules, ak_rank(rules.decks, b), ak_width(rules.decks, b)),
        ak_rank(rules.decks, a), ak_width(rules.decks, a))


cdef inline ak_set answers(const ak_rules *rules, ak_set plays, int on) noexcept nogil:
    """Those of some plays that the rules admit on play `on`, or as a lead where it is 0."""
    plays = ak_meet(plays, ak_admitted(rules))
    if on:
        plays = ak_meet(plays, ak_beaters(rules, ak_rank(rules.decks, on), ak_width(rules.decks, on)))
    return plays


# Hint ------------------------------------------------------------------------------------------

cdef inline int strength(const ak_rules *rules, int rank) noexcept nogil:
    """0 of the lowest rank to 14 of 大王."""
    return rank if rank > 12 or rules.above[0] & 0xf0 else (rank + 12) % 13

cdef int trouble(const ak_rules *rules, uint64_t hand) noexcept nogil
cdef int worth(
    const ak_rules *rules, uint64_t hand, int id, int on, bint friendly, int least
) noexcept nogil


# Plays for Python ------------------------------------------------------------------------------

cdef class AlikePlay:
    cdef readonly int id
    cdef readonly int width
    cdef int place

cdef int play_id(object cards, object play_class, const ak_rules *rules, str name) except -1
cdef object read_play(object cards, object play_class, const ak_rules *rules)
cdef list plays_of(object play_class, const ak_rules *rules, object hand, int on)
cdef object find_many(object array, object dtype, const ak_rules *rules, object out, object threads)
cdef object compare_many(
    object a, object b, const ak_rules *rules, str name, object out, object threads)
cdef object count_many(object array, int on, const ak_rules *rules, object out, object threads)
