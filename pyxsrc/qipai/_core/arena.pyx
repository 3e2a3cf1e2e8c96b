"""Whole hands inside C, for any engine."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from qipai._core.engine cimport (
    QP_SEATS, qp_chacha, qp_chacha_init, qp_engine, qp_head, qp_move, qp_rng, qp_rng_next,
)
from qipai._core.game cimport Game


cdef int64_t play_out(const qp_engine *engine, qp_head *state, qp_rng *rng) noexcept nogil:
    """Play on with uniformly random actions to the end; how many."""
    cdef qp_move move
    cdef int64_t actions = 0
    move.n = 0
    while state.turn >= 0:
        move.id = engine.draw(state, rng)
        engine.apply(state, &move, NULL)
        actions += 1
    return actions


cdef void new_hand(const qp_engine *engine, qp_head *state, qp_rng *rng) noexcept nogil:
    """Begin a hand of the rules and history in the state, its seed drawn from a playout's
    generator."""
    cdef qp_chacha chance
    cdef uint64_t word
    cdef int i
    for i in range(4):
        word = qp_rng_next(rng)
        memcpy(state.seed + 8 * i, &word, 8)
    state.logged = state.logged_cards = 0
    for i in range(QP_SEATS):
        state.held[i] = -1
    qp_chacha_init(&chance, state.seed, 0)
    engine.deal(state, &chance)
    engine.start(state, NULL)


def random_hands(Game game, int64_t n, uint64_t seed):
    """Play n whole hands with uniformly random actions, without the GIL.

    ``game``: its rules and history are those of every hand. Returns (number of actions, list of
    each player's summed scores).
    """
    cdef const qp_engine *engine = game.table
    cdef qp_head *state
    cdef qp_rng rng
    cdef int64_t actions = 0, hand
    cdef int64_t points[QP_SEATS]
    cdef int64_t sums[QP_SEATS]
    cdef int i
    if n < 0:
        raise ValueError(f"n must be at least 0, not {n}")
    state = game.scratch()
    rng.state = seed
    memset(sums, 0, sizeof(sums))
    with nogil:
        for hand in range(n):
            new_hand(engine, state, &rng)
            actions += play_out(engine, state, &rng)
            engine.scores(state, points)
            for i in range(engine.players):
                sums[i] += points[i]
    PyMem_Free(state)
    return actions, [sums[i] for i in range(engine.players)]


def empty(first, second=None):
    """Nothing: what a call of a compiled function costs, for the benches."""
