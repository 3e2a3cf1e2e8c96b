"""The kernel of 放羊 and 甲乙丙: every play is some cards alike (csrc/alike.h)."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

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


cdef inline uint64_t packed_of_id(int decks, int id) noexcept nogil:
    """The packed cards of a play."""
    return <uint64_t> ak_width(decks, id) << 4 * ak_rank(decks, id)


cdef inline bint beats_id(const ak_rules *rules, int a, int b) noexcept nogil:
    """Whether play a beats play b; both are ids that the rules admit."""
    return ak_has(
        ak_beaters(rules, ak_rank(rules.decks, b), ak_width(rules.decks, b)),
        ak_rank(rules.decks, a), ak_width(rules.decks, a))


cdef inline ak_set allowed(const ak_rules *rules, int on) noexcept nogil:
    """The plays that the rules admit on play `on`, or as a lead where it is 0."""
    cdef ak_set plays = ak_admitted(rules)
    if on:
        plays = ak_meet(
            plays, ak_beaters(rules, ak_rank(rules.decks, on), ak_width(rules.decks, on)))
    return plays


cdef int trouble(const ak_rules *rules, uint64_t hand) noexcept nogil
cdef int worth(
    const ak_rules *rules, uint64_t hand, int id, int on, bint friendly, int least
) noexcept nogil


# Plays there are at most (JY-10).
cdef enum:
    AK_PLAYS = 108


cdef class AlikePlay:
    cdef readonly int id
    cdef int decks


cdef class Alike:
    cdef ak_rules plain
    cdef object rules
    cdef str name
    cdef AlikePlay blank(self)
    cdef int house(self, object rules, ak_rules *flat) except -1
    cdef int flatten(self, object rules, ak_rules *flat) except -1
    cdef AlikePlay play(self, int id)
    cdef int find(self, object cards, const ak_rules *flat) except -1
    cdef int need(self, object cards, const ak_rules *flat) except -1
    cdef object classify(self, object cards, object rules)
    cdef bint beats(self, object a, object b, object rules) except -1
    cdef int legal(self, object hand, object on, object rules, int32_t *out) except -1
    cdef list legal_plays(self, object hand, object on, object rules)
    cdef object legal_ids(self, object hand, object on, object rules, object out)
    cdef object classify_many(self, object array, object rules, object out, object threads)
    cdef object beats_many(self, object a, object b, object rules, object out, object threads)
    cdef object legal_count_many(
        self, object array, object on, object rules, object out, object threads)
