"""Many games stepped together, for learners."""

cimport cython
from cpython.bytes cimport PyBytes_AsString
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from qipai._core.arena cimport new_hand
from qipai._core.bits cimport qp_bits_to_bytes
from qipai._core.batch cimport Rows, items, spread, thread_count, writable
from qipai._core.engine cimport (
    QP_LEGAL, QP_SEATS, qp_chacha, qp_chacha_init, qp_chacha_next, qp_engine, qp_head, qp_move,
    qp_rng,
)
from qipai._core.game cimport Game
from qipai._core.numbers cimport whole_number

cdef enum reset_mode:
    NEXT_STEP, SAME_STEP, DISABLED

cdef enum mask_kind:
    BITS, BYTES, NO_MASK

MODES = ("next_step", "same_step", "disabled")
MASKS = ("bits", "bytes", "none")

# The games of a VecGame and the callers' arrays they write.
ctypedef struct vec:
    const qp_engine *engine
    char *states
    uint64_t *bits    # the mask of each game as it is made
    int64_t *hands    # hands begun in each place
    Py_ssize_t n
    int mode, mask, words
    uint8_t key[32]
    uint8_t *observations
    uint8_t *masks
    int8_t *turns
    int64_t *rewards
    uint8_t *dones
    uint8_t *last_observations
    int64_t *last_rewards
    int32_t *actions  # a copy: the caller's may change between the check and the deed


cdef inline qp_head *state_at(const vec *v, Py_ssize_t i) noexcept nogil:
    return <qp_head *> (v.states + i * v.engine.state_size)


cdef void deal(vec *v, Py_ssize_t i) noexcept nogil:
    """Begin the next hand in place i: its seed is of the batch's seed, the place and the number
    of the hand alone."""
    cdef qp_chacha chance
    cdef uint8_t key[32]
    cdef uint32_t seed[8]
    cdef int j
    memcpy(key, v.key, 32)
    for j in range(8):
        key[j] ^= <uint8_t> (<uint64_t> v.hands[i] >> 8 * j)
    qp_chacha_init(&chance, key, <uint32_t> i)
    for j in range(8):
        seed[j] = qp_chacha_next(&chance)
    v.hands[i] += 1
    new_hand(v.engine, state_at(v, i), <const uint8_t *> seed)


cdef void look(vec *v, Py_ssize_t i) noexcept nogil:
    """Write what the seat to act may see and do."""
    cdef qp_head *state = state_at(v, i)
    cdef uint64_t *bits = v.bits + i * v.words
    cdef int wide = v.engine.actions
    v.turns[i] = state.turn
    v.engine.observe(
        state, max(<int> state.turn, 0), v.observations + i * v.engine.observation)
    if v.mask == NO_MASK:
        return
    if state.turn >= 0:
        v.engine.mask(state, state.turn, bits)
    else:
        memset(bits, 0, v.words * 8)
    if v.mask == BITS:
        memcpy(v.masks + i * ((wide + 7) // 8), bits, (wide + 7) // 8)
        return
    qp_bits_to_bytes(bits, wide, v.masks + i * wide)


cdef void finish(vec *v, Py_ssize_t i) noexcept nogil:
    """Keep what every player sees and wins at the end."""
    cdef int64_t points[QP_SEATS]
    cdef Py_ssize_t row, seat, players = v.engine.players
    v.engine.scores(state_at(v, i), points)
    for seat in range(players):
        row = i * players + seat
        v.rewards[row] = v.last_rewards[row] = points[seat]
        v.engine.observe(
            state_at(v, i), <int> seat, v.last_observations + row * v.engine.observation)
    v.dones[i] = 1


cdef void advance(vec *v, Py_ssize_t i) noexcept nogil:
    cdef qp_head *state = state_at(v, i)
    cdef qp_move move
    memset(v.rewards + i * v.engine.players, 0, v.engine.players * sizeof(int64_t))
    v.dones[i] = 0
    if state.turn < 0:
        if v.mode != NEXT_STEP:
            return
        deal(v, i)  # the action for a hand that is over is not looked at
    else:
        move.id, move.n = v.actions[i], 0
        v.engine.apply(state, &move, NULL)
        if state.turn < 0:
            finish(v, i)
            if v.mode == SAME_STEP:
                deal(v, i)
    look(v, i)


cdef Py_ssize_t check_rows(void *context, Py_ssize_t lo, Py_ssize_t hi) noexcept nogil:
    cdef vec *v = <vec *> context
    cdef qp_move move
    cdef Py_ssize_t i
    cdef qp_head *state
    move.n = 0
    for i in range(lo, hi):
        state = state_at(v, i)
        if state.turn < 0:
            continue
        move.id = v.actions[i]
        if not 0 <= move.id < v.engine.actions:
            return i
        if v.engine.check(state, state.turn, &move) != QP_LEGAL:
            return i
    return -1


cdef Py_ssize_t advance_rows(void *context, Py_ssize_t lo, Py_ssize_t hi) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(lo, hi):
        advance(<vec *> context, i)
    return -1


cdef Py_ssize_t place_number(object place, Py_ssize_t n) except -1:
    """A place of a caller's; ValueError for one that does not exist."""
    number = whole_number(place, "a place")
    if not 0 <= number < n:
        raise ValueError(f"place {number} is out of range 0..{n - 1}")
    return number


cdef class VecCore:
    """The states of n games; :class:`qipai.VecGame` is its face."""
    cdef vec v
    cdef Game prototype
    cdef int threads
    cdef tuple arrays  # keeps the callers' arrays alive
    cdef cython.pymutex lock  # a second thread waits; each call is whole

    def __cinit__(self, Game prototype, Py_ssize_t n, bytes key, str autoreset, str mask, threads):
        if n < 1:
            raise ValueError(f"n must be at least 1, not {n}")
        if autoreset not in MODES:
            raise ValueError(f"autoreset must be one of {', '.join(MODES)}, not {autoreset!r}")
        if mask not in MASKS:
            raise ValueError(f"mask must be one of {', '.join(MASKS)}, not {mask!r}")
        cdef vec *v = &self.v
        self.prototype, self.threads = prototype, thread_count(threads)
        v.engine, v.n = prototype.table, n
        v.mode, v.mask = MODES.index(autoreset), MASKS.index(mask)
        v.words = (v.engine.actions + 63) // 64
        memcpy(v.key, PyBytes_AsString(key), 32)
        v.states = <char *> PyMem_Calloc(n, v.engine.state_size)
        v.bits = <uint64_t *> PyMem_Calloc(n, v.words * 8)
        v.hands = <int64_t *> PyMem_Calloc(n, sizeof(int64_t))
        v.actions = <int32_t *> PyMem_Calloc(n, sizeof(int32_t))
        if v.states == NULL or v.bits == NULL or v.hands == NULL or v.actions == NULL:
            raise MemoryError()

    def __dealloc__(self):
        PyMem_Free(self.v.states)
        PyMem_Free(self.v.bits)
        PyMem_Free(self.v.hands)
        PyMem_Free(self.v.actions)

    def attach(self, observations, masks, turns, rewards, dones, last_observations, last_rewards):
        """Take the arrays to be written, flat, and begin a hand in every place."""
        cdef vec *v = &self.v
        cdef Py_ssize_t n = v.n, many = v.n * v.engine.players, i
        cdef Py_ssize_t wide = 0
        if v.mask != NO_MASK:
            wide = (v.engine.actions + 7) // 8 if v.mask == BITS else v.engine.actions
        cdef Rows seen, masked, turned, won, done, last, last_won
        seen = writable(observations, "observations", n * v.engine.observation, 1, b"B")
        masked = writable(masks, "masks", n * wide, 1, b"B")
        turned = writable(turns, "turns", n, 1, b"b")
        won = writable(rewards, "rewards", many, 8, b"lq")
        done = writable(dones, "dones", n, 1, b"?")
        last = writable(last_observations, "last", many * v.engine.observation, 1, b"B")
        last_won = writable(last_rewards, "last", many, 8, b"lq")
        self.arrays = (seen, masked, turned, won, done, last, last_won)
        v.observations, v.masks = <uint8_t *> seen.view.buf, <uint8_t *> masked.view.buf
        v.turns, v.rewards = <int8_t *> turned.view.buf, <int64_t *> won.view.buf
        v.dones, v.last_observations = <uint8_t *> done.view.buf, <uint8_t *> last.view.buf
        v.last_rewards = <int64_t *> last_won.view.buf
        for i in range(n):
            memcpy(state_at(v, i), self.prototype.head, v.engine.state_size)
        self.reset(range(n))

    def reset(self, places):
        """Begin a new hand in these places."""
        cdef vec *v = &self.v
        cdef Py_ssize_t i
        places = [place_number(place, v.n) for place in places]
        with self.lock:
            for i in places:
                deal(v, i)
                memset(v.rewards + i * v.engine.players, 0, v.engine.players * sizeof(int64_t))
                v.dones[i] = 0
                look(v, i)

    def step(self, actions):
        """Do one action in every game; all are checked before any is done."""
        cdef vec *v = &self.v
        cdef Rows given = items(actions, "actions", v.n, 4, b"il")
        cdef Py_ssize_t wrong
        with self.lock:
            memcpy(v.actions, given.view.buf, v.n * sizeof(int32_t))
            wrong = spread(check_rows, v, v.n, self.threads)
            if wrong >= 0:
                raise ValueError(f"actions[{wrong}] = {v.actions[wrong]} is not legal")
            spread(advance_rows, v, v.n, self.threads)

    def draw(self, out, uint64_t seed):
        """Write a uniformly random legal action for every game; 0 where the hand is over."""
        cdef vec *v = &self.v
        cdef Rows room = writable(out, "out", v.n, 4, b"il")
        cdef int32_t *ids = <int32_t *> room.view.buf
        cdef qp_rng rng
        cdef Py_ssize_t i
        rng.state = seed
        with nogil, self.lock:
            for i in range(v.n):
                ids[i] = v.engine.draw(state_at(v, i), &rng) if state_at(v, i).turn >= 0 else 0

    def hint(self, out):
        """Write the greedy action of every game; 0 where the hand is over."""
        cdef vec *v = &self.v
        cdef Rows room = writable(out, "out", v.n, 4, b"il")
        cdef int32_t *ids = <int32_t *> room.view.buf
        cdef Py_ssize_t i
        with nogil, self.lock:
            for i in range(v.n):
                ids[i] = 0
                if state_at(v, i).turn >= 0:
                    v.engine.hint(state_at(v, i), 1, &ids[i])

    def counts(self, out):
        """Write how many legal actions every game has."""
        cdef vec *v = &self.v
        cdef Rows room = writable(out, "out", v.n, 4, b"il")
        cdef int32_t *counts = <int32_t *> room.view.buf
        cdef Py_ssize_t i
        with nogil, self.lock:
            for i in range(v.n):
                counts[i] = 0
                if state_at(v, i).turn >= 0:
                    counts[i] = v.engine.count(state_at(v, i), state_at(v, i).turn)

    def features(self, out, ids):
        """Write a row of features and the id of every legal action of every game, game by game."""
        cdef vec *v = &self.v
        cdef Py_ssize_t i, at = 0, columns = v.engine.action_features
        cdef int32_t j, n
        cdef Rows rows = writable(out, "out", 0, 1, b"B")
        cdef Rows names = writable(ids, "ids", 0, 4, b"il")
        cdef int32_t *id = <int32_t *> names.view.buf
        cdef uint8_t *row = <uint8_t *> rows.view.buf
        with self.lock:
            for i in range(v.n):
                n = 0
                if state_at(v, i).turn >= 0:
                    n = v.engine.count(state_at(v, i), state_at(v, i).turn)
                if at + n > names.n or (at + n) * columns > rows.n:
                    raise ValueError("out or ids is too small for all legal actions")
                if n:
                    v.engine.list(state_at(v, i), state_at(v, i).turn, id + at)
                    for j in range(n if columns else 0):
                        v.engine.features(state_at(v, i), id[at + j], row + (at + j) * columns)
                    at += n

    def game(self, place):
        """An independent copy of one game."""
        cdef Py_ssize_t i = place_number(place, self.v.n)
        cdef Game game = self.prototype.sibling()
        with self.lock:
            memcpy(game.head, state_at(&self.v, i), self.v.engine.state_size)
        return game
