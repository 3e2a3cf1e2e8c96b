"""The engine contract, csrc/engine.h, and randomness, csrc/chance.h."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

cdef extern from "chance.h" nogil:
    ctypedef struct qp_chacha:
        pass
    ctypedef struct qp_rng:
        uint64_t state
    void qp_chacha_init(qp_chacha *c, const uint8_t *seed, uint32_t stream) noexcept
    uint32_t qp_chacha_next(qp_chacha *c) noexcept
    uint32_t qp_chacha_below(qp_chacha *c, uint32_t n) noexcept
    void qp_chacha_shuffle(qp_chacha *c, uint8_t *items, int n) noexcept
    uint64_t qp_rng_next(qp_rng *r) noexcept
    uint32_t qp_rng_below(qp_rng *r, uint32_t n) noexcept

cdef extern from "engine.h" nogil:
    enum:
        QP_SEATS, QP_ANSWERS, QP_ANSWER_CARDS, QP_MOVE_CARDS, QP_EVENTS, QP_ESCAPE, QP_TABLE, QP_ALL
        QP_LEGAL, QP_OVER, QP_OUT_OF_TURN, QP_FOREIGN, QP_NOTHING_TO_UNDO, QP_NO_ESCAPE
        QP_NOT_HELD, QP_OWN_REASONS, QP_OUTCOMES

    ctypedef struct qp_move:
        int32_t id
        uint8_t n
        uint8_t cards[27]

    ctypedef struct qp_event:
        uint8_t kind
        int8_t seat
        uint8_t audience
        uint8_t detail
        int32_t id
        uint8_t n
        uint8_t cards[27]

    ctypedef struct qp_events:
        int32_t n
        qp_event event[200]

    ctypedef struct qp_logged:
        uint16_t id
        int8_t seat
        uint8_t n

    ctypedef struct qp_answer:
        int16_t id
        uint8_t n
        uint8_t *cards

    ctypedef struct qp_head:
        uint8_t seed[32]
        int8_t turn
        uint8_t phase
        uint16_t logged
        uint16_t logged_cards
        uint8_t *n_held
        qp_answer held[6][3]

    ctypedef struct qp_engine:
        const char *name
        uint16_t id
        uint16_t version
        int32_t players
        int32_t actions
        int32_t observation
        int32_t state_size
        int32_t origin_at
        int32_t origin_size
        int32_t log_at
        int32_t log_size
        int32_t cards_at
        int32_t cards_size
        void (*deal)(void *state, qp_chacha *chance) noexcept nogil
        const char *(*flaw)(const void *state) noexcept nogil
        void (*start)(void *state, qp_events *events) noexcept nogil
        uint32_t (*pending)(const void *state) noexcept nogil
        int32_t (*count)(const void *state, int seat) noexcept nogil
        int32_t (*list)(const void *state, int seat, int32_t *out) noexcept nogil
        void (*mask)(const void *state, int seat, uint64_t *out) noexcept nogil
        int32_t (*draw)(const void *state, qp_rng *rng) noexcept nogil
        int (*check)(const void *state, int seat, const qp_move *move) noexcept nogil
        void (*apply)(void *state, const qp_move *move, qp_events *events) noexcept nogil
        int (*escape)(void *state, int player, qp_events *events) noexcept nogil
        void (*scores)(const void *state, int64_t *out) noexcept nogil
        void (*observe)(const void *state, int seat, uint8_t *out) noexcept nogil
        void (*resample)(void *state, int seat, qp_chacha *chance) noexcept nogil
        int32_t (*hint)(const void *state, int32_t n, int32_t *out) noexcept nogil
        int (*place)(const void *state, int seat) noexcept nogil
        int (*outcome)(const void *state) noexcept nogil
        int32_t action_features
        void (*features)(const void *state, int32_t id, uint8_t *out) noexcept nogil

    qp_event *qp_tell(qp_events *events, int kind, int seat, int32_t id) noexcept

# A fresh log entry and room for its cards; the caller fills them.
cdef inline uint8_t *log_move(
    qp_head *head, qp_logged *log, uint8_t *cards, int id, int seat, int n
) noexcept nogil:
    cdef qp_logged *entry = &log[head.logged]
    cdef uint8_t *room = &cards[head.logged_cards]
    entry.id, entry.seat, entry.n = <uint16_t> id, <int8_t> seat, <uint8_t> n
    head.logged += 1
    head.logged_cards += n
    return room


cdef inline int redo(
    const qp_engine *engine, qp_head *state, const qp_logged *entry, const uint8_t *cards,
    qp_events *events
) noexcept nogil:
    """Do one action of a log, checked as if anybody had written it; QP_LEGAL or why not."""
    cdef qp_move move
    cdef int i, code, at = state.logged
    if entry.id == QP_ESCAPE:
        if (state.turn < 0 or engine.escape == NULL or entry.n or entry.seat < 0
                or entry.seat >= engine.players):
            return QP_NO_ESCAPE
        return engine.escape(state, entry.seat, events)
    if (state.turn < 0 or entry.seat != state.turn or entry.n > QP_MOVE_CARDS
            or entry.id >= engine.actions):
        return QP_OUT_OF_TURN
    move.id, move.n = entry.id, entry.n
    for i in range(move.n):
        move.cards[i] = cards[i]
    code = engine.check(state, state.turn, &move)
    if code == QP_LEGAL:
        engine.apply(state, &move, events)
        # What it moved must be what the log says.
        if (<qp_logged *> (<char *> state + engine.log_at))[at].n != entry.n:
            code = QP_NOT_HELD
    return code


cdef inline int replay(
    const qp_engine *engine, qp_head *state, const qp_logged *log, const uint8_t *cards, int n
) noexcept nogil:
    """Start a state from its origin and do n logged actions; QP_LEGAL or why one is not."""
    cdef int i, code
    rewind(engine, state, NULL)
    for i in range(n):
        code = redo(engine, state, &log[i], cards, NULL)
        if code != QP_LEGAL:
            return code
        cards += log[i].n
    return QP_LEGAL


cdef inline void rewind(const qp_engine *engine, qp_head *state, qp_events *events) noexcept nogil:
    """The position before the first action."""
    state.logged = state.logged_cards = 0
    memset(state.n_held, 0, QP_SEATS)
    engine.start(state, events)
