/* The engine contract: what a game offers, and all that the code above it knows of a game.

   A state is one flat struct without pointers. It begins with a qp_head and holds, in this order
   and each as one stretch of bytes: the origin (rules, history and deal: what was fixed before the
   first action), the position (derived from the origin and the log), the log of actions and the
   cards that the logged actions moved. Origin, log and held answers say all; the position can be
   made again from them, which is how undo, restoring, replaying and resampling work. */
#ifndef QIPAI_ENGINE_H
#define QIPAI_ENGINE_H

#include "chance.h"

#define QP_SEATS 6
#define QP_MOVE_CARDS 27
#define QP_EVENTS 200
#define QP_ANSWERS 3 /* askings of one seat in one window, at most */
#define QP_ANSWER_CARDS 3
#define QP_ESCAPE 0xffff /* the logged id of an escape; its seat is who escaped */
#define QP_TABLE 7       /* the bit of spectators in an audience */
#define QP_ALL 0xff

/* Reasons that every engine shares; an engine's own codes start at QP_OWN_REASONS. */
enum { QP_LEGAL = 0, QP_OVER, QP_OUT_OF_TURN, QP_FOREIGN, QP_NOTHING_TO_UNDO, QP_NO_ESCAPE,
       QP_NOT_HELD, QP_OWN_REASONS };

/* An action, or id -1 for cards that are none in this game; `cards` names exact cards by id, or n is 0 and the lowest ids are meant. */
typedef struct {
    int32_t id;
    uint8_t n;
    uint8_t cards[QP_MOVE_CARDS];
} qp_move;

/* What happened, and who may know: bit s of `audience` is seat s; who is in the audience but not
   in `detail` learns the kind, the seat and the number of cards, not the id or the cards. */
typedef struct {
    uint8_t kind;
    int8_t seat;
    uint8_t audience;
    uint8_t detail;
    int32_t id;
    uint8_t n;
    uint8_t cards[QP_MOVE_CARDS];
} qp_event;

typedef struct {
    int32_t n;
    qp_event event[QP_EVENTS];
} qp_events;

typedef struct {
    uint16_t id;
    int8_t seat;
    uint8_t n; /* cards it moved: that many bytes of the card log */
} qp_logged;

/* An answer given before its turn; unused cards are 0. */
typedef struct {
    int16_t id;
    uint8_t n;
    uint8_t cards[QP_ANSWER_CARDS];
} qp_answer;

typedef struct {
    uint8_t seed[32];
    int8_t turn; /* the seat to act, -1 when over */
    uint8_t phase;
    uint16_t logged;
    uint16_t logged_cards;
    uint8_t n_held[QP_SEATS];
    qp_answer held[QP_SEATS][QP_ANSWERS]; /* first the one that is done first */
    uint32_t unused; /* origins are laid out to begin 4 bytes past a multiple of 8 */
} qp_head;

typedef struct {
    const char *name;
    uint16_t id;      /* in snapshots */
    uint16_t version; /* of the action ids and of the origin's layout */
    int32_t players, actions, observation;
    int32_t state_size, origin_at, origin_size, log_at, log_size, cards_at, cards_size;

    /* Fill the deal; rules and history are there. */
    void (*deal)(void *state, qp_chacha *chance);
    /* What is wrong with the origin (history and deal; the rules are checked where they are
       packed), or NULL. Everything below may rely on it. */
    const char *(*flaw)(const void *state);
    /* Set the position before the first action. The log is empty. */
    void (*start)(void *state, qp_events *events);

    /* Bit s: seat s may answer now, beyond the answers of its own that are held. The seat to act,
       of which none is held, is always among them. */
    uint32_t (*pending)(const void *state);
    /* Legal actions of a seat that is pending: how many; their ids ascending; as a bit set of
       `actions` bits (whole 64-bit words); one drawn uniformly for the seat to act. */
    int32_t (*count)(const void *state, int seat);
    int32_t (*list)(const void *state, int seat, int32_t *out);
    void (*mask)(const void *state, int seat, uint64_t *out);
    int32_t (*draw)(const void *state, qp_rng *rng);
    /* QP_LEGAL or the reason why not. `move` is any bytes at all. */
    int (*check)(const void *state, int seat, const qp_move *move);
    /* Do what `check` allows the seat to act, log it, and tell what happened (events may be NULL). */
    void (*apply)(void *state, const qp_move *move, qp_events *events);
    int (*escape)(void *state, int player, qp_events *events);

    void (*scores)(const void *state, int64_t *out);
    /* The observation of a seat, -1 for everything. */
    void (*observe)(const void *state, int seat, uint8_t *out);
    /* Deal anew, in the origin, what the seat cannot know. The log must stay legal; where others
       were asked or answered unseen, their entries may be written anew too. The caller plays the
       log again. */
    void (*resample)(void *state, int seat, qp_chacha *chance);
    /* The n best legal actions of the seat to act by what it may know, best first; how many. */
    int32_t (*hint)(const void *state, int32_t n, int32_t *out);

    /* The seat's place in the order of play; NULL: its number. Bots are dealt out by place. */
    int (*place)(const void *state, int seat);
    /* How a hand that is over ended, below QP_OUTCOMES; NULL: always 0. */
    int (*outcome)(const void *state);
    /* What a learner may know of a legal action: `action_features` numbers; NULL: none. */
    int32_t action_features;
    void (*features)(const void *state, int32_t id, uint8_t *out);
} qp_engine;

#define QP_OUTCOMES 16

/* Add an event, or nothing where nobody listens. */
QP_INLINE qp_event *qp_tell(qp_events *events, int kind, int seat, int32_t id) {
    if (!events || events->n == QP_EVENTS) return 0;
    qp_event *e = &events->event[events->n++];
    e->kind = (uint8_t)kind, e->seat = (int8_t)seat, e->id = id, e->n = 0;
    e->audience = QP_ALL, e->detail = QP_ALL;
    return e;
}

#endif
