"""The 打滚子 kernel, and csrc/gunzi.h."""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint64_t

from qipai._core.engine cimport qp_rng

cdef extern from "gunzi.h" nogil:
    enum:
        GZ_FACES, GZ_TRUMPS, GZ_WEAKEST_TRUMP
    const uint64_t GZ_ALL
    const uint64_t GZ_FIVES
    const uint64_t GZ_TENS

    ctypedef struct gz_rules:
        char name[32]
        int32_t stake
        uint8_t joker_levels[2]
        uint8_t dead
        uint8_t every_window
        uint8_t self_overturn
        uint8_t big_only

    ctypedef struct gz_hand:
        uint64_t ones
        uint64_t twos

    uint64_t gz_faces(gz_hand h) noexcept
    uint64_t gz_triples(gz_hand h) noexcept
    int gz_count(gz_hand h, int face) noexcept
    int gz_size(gz_hand h) noexcept
    gz_hand gz_of(gz_hand h, uint64_t faces) noexcept
    gz_hand gz_alike(int face, int n) noexcept
    bint gz_within(gz_hand part, gz_hand whole) noexcept
    gz_hand gz_plus(gz_hand a, gz_hand b) noexcept
    gz_hand gz_minus(gz_hand a, gz_hand b) noexcept
    bint gz_overfull(gz_hand a, gz_hand b) noexcept
    int gz_points(gz_hand h) noexcept
    bint gz_read(const uint8_t *counts, gz_hand *out) noexcept
    int gz_strength(int trump, int face) noexcept
    uint64_t gz_trumps(int trump) noexcept
    uint64_t gz_suit(int trump, int face) noexcept

# Which plays that are not all alike may follow.
cdef enum:
    GZ_NO_MIXED  # none
    GZ_PAIRED  # a 棒 and a single
    GZ_ANY_MIXED

# The ways to follow a lead (GZ-51..53): a play is all of `forced` and `free` cards of `pool`, by
# face disjoint from it. `forced` is empty unless the suit led runs short.
cdef struct gz_follow:
    gz_hand forced
    gz_hand pool
    int8_t size
    int8_t free
    uint8_t mixed

# -1 where there is none; sides are 0 for the dealers, 1 for the attackers.
cdef struct gz_settlement:
    int8_t gainer
    int8_t levels[2]
    int8_t gained
    int8_t blood
    int8_t payer
    int8_t next_dealer
    int8_t round_winner

cdef bint is_follow(
    int lead, int size, gz_hand play, gz_hand hand, int trump, bint dead
) noexcept nogil
cdef gz_follow follows(int lead, int size, gz_hand hand, int trump, bint dead) noexcept nogil
cdef uint64_t alike(const gz_follow *f) noexcept nogil
cdef uint64_t next_faces(const gz_follow *f, const uint8_t *chosen, int n) noexcept nogil
cdef int count(const gz_follow *f) noexcept nogil
cdef gz_hand follow_at(const gz_follow *f, int i) noexcept nogil
cdef gz_hand draw(const gz_follow *f, qp_rng *rng) noexcept nogil
cdef int trick_taker(int trump, const int8_t *face, int n) noexcept nogil
cdef gz_settlement settlement(
    const gz_rules *rules, int points, bint dug, int big, int small, int dealers, int attackers,
    bint dry
) noexcept nogil
