"""Whole hands inside C, for any engine."""

from cpython.bytes cimport PyBytes_AsString
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from qipai._core.engine cimport (
    QP_LEGAL, QP_OUTCOMES, QP_SEATS, qp_chacha, qp_chacha_init, qp_chacha_next, qp_engine, qp_head,
    qp_logged, qp_move, qp_rng, qp_rng_next, replay, rewind,
)
from qipai._core.game cimport Engine, Game

cdef extern from "clock.h" nogil:
    int64_t qp_nanoseconds() noexcept

cdef enum:
    MOST_CANDIDATES = 64


# Bots ------------------------------------------------------------------------------------------

cdef inline void act(const qp_engine *engine, qp_head *state, int32_t id) noexcept nogil:
    cdef qp_move move
    move.id, move.n = id, 0
    engine.apply(state, &move, NULL)


cdef int64_t play_out(const qp_engine *engine, qp_head *state, qp_rng *rng) noexcept nogil:
    """Play on with uniformly random actions to the end; how many."""
    cdef int64_t actions = 0
    while state.turn >= 0:
        act(engine, state, engine.draw(state, rng))
        actions += 1
    return actions


cdef inline int32_t greedy(const qp_engine *engine, const qp_head *state) noexcept nogil:
    cdef int32_t id = 0
    engine.hint(state, 1, &id)
    return id


cdef int imagine(
    const qp_engine *engine, const qp_head *state, qp_head *world, qp_rng *rng
) noexcept nogil:
    """Make `world` the hand as the seat to act knows it, with what it cannot know dealt anew."""
    cdef qp_chacha chance
    cdef uint64_t word
    cdef int i, seat = state.turn
    memcpy(world, state, engine.state_size)
    for i in range(4):
        word = qp_rng_next(rng)
        memcpy(world.seed + 8 * i, &word, 8)
    qp_chacha_init(&chance, world.seed, 0)
    engine.resample(world, seat, &chance)
    return replay_own(engine, world)


cdef int replay_own(const qp_engine *engine, qp_head *state) noexcept nogil:
    """Play the state's own log again from its origin."""
    cdef qp_logged *log = <qp_logged *> (<char *> state + engine.log_at)
    cdef uint8_t *cards = <uint8_t *> state + engine.cards_at
    # The log is written again entry by entry as it is read, each entry equal to what stood there.
    return replay(engine, state, log, cards, state.logged)


cdef int32_t search(
    const qp_engine *engine, const qp_head *state, const bot_spec *bot, qp_rng *rng, scratch *room
) noexcept nogil:
    """The candidate with the best mean over imagined worlds played out by greedy.

    Every candidate is tried in the same worlds, and compared with the first, which is greedy's own
    choice: it must be ahead by more than the standard error of the difference.
    """
    cdef int32_t ids[MOST_CANDIDATES]
    cdef double sums[MOST_CANDIDATES]
    cdef double squares[MOST_CANDIDATES]
    cdef int64_t points[QP_SEATS]
    cdef int64_t until = qp_nanoseconds() + bot.nanoseconds if bot.nanoseconds else 0
    cdef int32_t n = engine.hint(state, min(bot.candidates, <int32_t> MOST_CANDIDATES), ids)
    cdef int32_t i, world, best = 0, tried = 0, seat = state.turn
    cdef double first = 0, ahead, gain = 0
    if n <= 1:
        return ids[0]
    memset(sums, 0, sizeof(sums))
    memset(squares, 0, sizeof(squares))
    for world in range(bot.worlds):
        if imagine(engine, state, room.world, rng) != QP_LEGAL:
            continue
        tried += 1
        for i in range(n):
            memcpy(room.trial, room.world, engine.state_size)
            act(engine, room.trial, ids[i])
            while room.trial.turn >= 0:
                act(engine, room.trial, greedy(engine, room.trial))
            engine.scores(room.trial, points)
            if i == 0:
                first = <double> points[seat]
            ahead = <double> points[seat] - first
            sums[i] += ahead
            squares[i] += ahead * ahead
        if until and qp_nanoseconds() >= until:
            break
    for i in range(1, n):
        # sum / n > sqrt(variance / n), without the divisions.
        if sums[i] > gain and sums[i] * sums[i] * (tried + 1) > tried * squares[i]:
            best, gain = i, sums[i]
    return ids[best]


cdef int32_t choose(
    const qp_engine *engine, const qp_head *state, const bot_spec *bot, qp_rng *rng, scratch *room
) noexcept nogil:
    """What a bot does for the seat to act."""
    if bot.kind == RANDOM:
        return engine.draw(state, rng)
    if bot.kind == GREEDY:
        return greedy(engine, state)
    return search(engine, state, bot, rng, room)


cdef int set_up(scratch *room, const qp_engine *engine) except -1:
    room.world = <qp_head *> PyMem_Malloc(engine.state_size)
    room.trial = <qp_head *> PyMem_Malloc(engine.state_size)
    if room.world == NULL or room.trial == NULL:
        tear_down(room)
        raise MemoryError()
    return 0


cdef void tear_down(scratch *room) noexcept:
    PyMem_Free(room.world)
    PyMem_Free(room.trial)


def choose_for(Game game, bot, bytes seed):
    """The id that a native bot, a tuple of the fields of bot_spec, chooses for the seat to act."""
    cdef bot_spec spec = spec_of(bot)
    cdef scratch room
    cdef qp_rng rng
    cdef int32_t id
    if game.head.turn < 0:
        raise ValueError("the hand is over")
    memcpy(&rng.state, PyBytes_AsString(seed), 8)
    set_up(&room, game.table)
    with nogil:
        id = choose(game.table, game.head, &spec, &rng, &room)
    tear_down(&room)
    return id


cdef bot_spec spec_of(bot) except *:
    cdef bot_spec spec
    spec.kind, spec.worlds, spec.candidates, spec.nanoseconds = bot
    return spec


# Hands -----------------------------------------------------------------------------------------

cdef inline int place_of_seat(
    const qp_engine *engine, const qp_head *state, int seat
) noexcept nogil:
    return engine.place(state, seat) if engine.place != NULL else seat


cdef void new_hand(const qp_engine *engine, qp_head *state, const uint8_t *seed) noexcept nogil:
    """Begin a hand of the rules and history in the state."""
    cdef qp_chacha chance
    memcpy(state.seed, seed, 32)
    qp_chacha_init(&chance, state.seed, 0)
    engine.deal(state, &chance)
    rewind(engine, state, NULL)


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
    cdef uint64_t key[4]
    cdef int i
    if n < 0:
        raise ValueError(f"n must be at least 0, not {n}")
    state = game.scratch()
    rng.state = seed
    memset(sums, 0, sizeof(sums))
    with nogil:
        for hand in range(n):
            for i in range(4):
                key[i] = qp_rng_next(&rng)
            new_hand(engine, state, <uint8_t *> key)
            actions += play_out(engine, state, &rng)
            engine.scores(state, points)
            for i in range(engine.players):
                sums[i] += points[i]
    PyMem_Free(state)
    return actions, [sums[i] for i in range(engine.players)]


cdef void deal_seed(const uint8_t *seed, uint64_t number, uint32_t *out) noexcept nogil:
    """The key of deal `number`: the first ten words of the batch seed's stream of that number;
    eight for the deal, two for the bots."""
    cdef qp_chacha chance
    cdef uint8_t high[32]
    cdef int i
    memcpy(high, seed, 32)
    # Streams are numbered by 32 bits; the rest of the number goes into the key.
    for i in range(4):
        high[i] ^= <uint8_t> (number >> (32 + 8 * i))
    qp_chacha_init(&chance, high, <uint32_t> number)
    for i in range(10):
        out[i] = qp_chacha_next(&chance)


def batch_seed(bytes seed, uint64_t number):
    """The 32-byte seed of a deal of a batch."""
    cdef uint32_t words[10]
    deal_seed(<const uint8_t *> PyBytes_AsString(seed), number, words)
    return (<char *> words)[:32]


def play_deals(Game game, bots, bytes seed, uint64_t first, int n, bint duplicate):
    """Play the deals first..first+n-1 of a batch with native bots, without the GIL.

    ``bots``: tuples of the fields of bot_spec; the bot at place p of the order of play is
    ``bots[p % len(bots)]``, and with ``duplicate`` each deal is played once for every rotation of
    them. Returns, in units of the stake: (sums and sums of squares of each player's scores, sums
    and sums of squares over deals of each bot's total, counts of outcomes).
    """
    cdef const qp_engine *engine = game.table
    cdef int players = engine.players, kinds = len(bots)
    cdef bot_spec specs[QP_SEATS]
    cdef int64_t points[QP_SEATS]
    cdef int64_t seat_sum[QP_SEATS]
    cdef int64_t seat_square[QP_SEATS]
    cdef int64_t bot_sum[QP_SEATS]
    cdef int64_t bot_square[QP_SEATS]
    cdef int64_t total[QP_SEATS]
    cdef int64_t outcomes[QP_OUTCOMES]
    cdef int64_t stake = game.rules.stake
    cdef uint32_t words[10]
    cdef qp_head *state
    cdef qp_rng rng
    cdef scratch room
    cdef const uint8_t *key = <const uint8_t *> PyBytes_AsString(seed)
    cdef int i, turn, deal, rotations = kinds if duplicate else 1
    if not 1 <= kinds <= players or players % kinds:
        raise ValueError(f"{kinds} bots cannot be dealt out to {players} players")
    for i in range(kinds):
        specs[i] = spec_of(bots[i])
    memset(seat_sum, 0, sizeof(seat_sum))
    memset(seat_square, 0, sizeof(seat_square))
    memset(bot_sum, 0, sizeof(bot_sum))
    memset(bot_square, 0, sizeof(bot_square))
    memset(outcomes, 0, sizeof(outcomes))
    set_up(&room, engine)
    state = game.scratch()
    with nogil:
        for deal in range(n):
            memset(total, 0, sizeof(total))
            deal_seed(key, first + <uint64_t> deal, words)
            for turn in range(rotations):
                rng.state = (<uint64_t> words[8] << 32 | words[9]) + <uint64_t> turn
                new_hand(engine, state, <const uint8_t *> words)
                while state.turn >= 0:
                    i = (place_of_seat(engine, state, state.turn) + turn) % kinds
                    act(engine, state, choose(engine, state, &specs[i], &rng, &room))
                engine.scores(state, points)
                for i in range(players):
                    points[i] //= stake
                    seat_sum[i] += points[i]
                    seat_square[i] += points[i] * points[i]
                    total[(place_of_seat(engine, state, i) + turn) % kinds] += points[i]
                outcomes[engine.outcome(state) if engine.outcome != NULL else 0] += 1
            for i in range(kinds):
                bot_sum[i] += total[i]
                bot_square[i] += total[i] * total[i]
    PyMem_Free(state)
    tear_down(&room)
    return (
        [seat_sum[i] for i in range(players)],
        [seat_square[i] for i in range(players)],
        [bot_sum[i] for i in range(kinds)],
        [bot_square[i] for i in range(kinds)],
        [outcomes[i] for i in range(QP_OUTCOMES)],
    )


def empty(first, second=None):
    """Nothing: what a call of a compiled function costs, for the benches."""
