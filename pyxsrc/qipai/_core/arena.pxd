"""Whole hands inside C, for any engine."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from qipai._core.engine cimport qp_engine, qp_head, qp_rng

cdef enum bot_kind:
    RANDOM, GREEDY, SEARCH

ctypedef struct bot_spec:
    int32_t kind
    int32_t worlds      # search: how many deals of what is hidden
    int32_t candidates  # search: how many of the best hints
    int64_t nanoseconds # search: time for one decision, 0 for none

# Room for one thread's search: states of the engine's size.
ctypedef struct scratch:
    qp_head *world
    qp_head *trial

cdef int32_t choose(
    const qp_engine *engine, const qp_head *state, const bot_spec *bot, qp_rng *rng, scratch *room
) noexcept nogil
cdef int set_up(scratch *room, const qp_engine *engine) except -1
cdef void tear_down(scratch *room) noexcept
cdef void new_hand(const qp_engine *engine, qp_head *state, const uint8_t *seed) noexcept nogil
cdef int place_of_seat(const qp_engine *engine, const qp_head *state, int seat) noexcept nogil
