"""One hand of any game, on the engine contract."""

from libc.stdint cimport int16_t, uint8_t, uint32_t

from qipai._core.engine cimport qp_engine, qp_event, qp_events, qp_head, qp_logged, qp_move

cdef class Engine:
    cdef const qp_engine *table
    cdef readonly str name

cdef class Action:
    cdef readonly Engine engine
    cdef int id
    cdef bytes ids

cdef class Event:
    cdef readonly Engine engine
    cdef qp_event data

cdef class Game:
    cdef readonly Engine engine
    cdef readonly object rules
    cdef const qp_engine *table
    cdef qp_head *head  # the state begins with it

    cdef int blank(self, const char *key, const char *origin) except -1
    cdef int begin(self) except -1
    cdef qp_logged *log(self)
    cdef uint8_t *cards(self)
    cdef bytes origin(self)
    cdef int need_end(self) except -1
    cpdef int legal_count(self)
    cdef list actions_of(self, int seat)
    cdef int read(self, object action, qp_move *move) except -1
    cdef int read_id(self, object id, qp_move *move) except -1
    cdef uint32_t asked(self)
    cdef int verdict(self, int seat, const qp_move *move)
    cdef object refusal(self, int code, const qp_move *move)
    cdef list told(self, qp_events *events)
    cdef int settle_held(self, qp_events *events) except -1
    cdef int replay_into(self, qp_head *state, int n, list events=*) except -1
    cdef qp_logged *log_copy(self) except NULL
    cdef int play_log(
        self, qp_head *state, const qp_logged *entry, const uint8_t *cards, int n, list events
    ) except -1
    cdef int collect(self, qp_events *told, list events) except -1
    cdef bytes exact(self, const qp_head *state, int id, bytes cards)
    cdef qp_head *scratch(self) except NULL
    cdef Game sibling(self)
    cdef bytes body(self)
    cdef list hold(self, int seat, const qp_move *move)
    cdef int take_answers(self, const uint8_t *at) except -1

cdef int seat_number(object seat, int players) except -1
