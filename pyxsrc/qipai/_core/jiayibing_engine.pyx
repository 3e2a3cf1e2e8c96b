"""鞍山甲乙丙: the flow of a hand."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from qipai._core.alike cimport (
    ak_ids, ak_meet, ak_playable, ak_rank, ak_rules, ak_set, ak_width, allowed, beats_id, jy_above,
    packed_of_id, worth,
)
from qipai._core.bits cimport (
    qp_list_bits, qp_nibble, qp_packed_size, qp_popcount, qp_popcount_words, qp_select_bit,
)
from qipai._core.climb cimport (
    LEADS, OVER, PASSED, Climbing, bit_of, check_cards, climb, climb_start, deal_flaw,
    deal_shuffled, holder, keep_best, packed_of, put_down, rank_bits, rank_of, redeal_hidden,
    spread_counts, tell_cards, turn_after,
)
from qipai._core.engine cimport (
    QP_LEGAL, QP_NOT_HELD, QP_OWN_REASONS, log_move, qp_chacha, qp_engine, qp_event, qp_events,
    qp_head, qp_logged, qp_move, qp_rng, qp_rng_below, qp_tell,
)
from qipai._core.game cimport Game

cdef extern from "jiayibing.h" nogil:
    ctypedef struct jy_rules:
        int32_t stake
        uint8_t special_card
        uint8_t by_special
        uint8_t max_alike
        uint8_t quad_is_bomb
        uint8_t flat

cdef enum:
    PLAYERS = 6
    CARDS = 108
    HAND = 18
    LOG = 648         # 108 plays, at most five passes after each
    OBSERVATION = 233
    FEATURES = 25
    ALL = 63          # all six seats
    EVEN = 21         # seats 0, 2 and 4: 甲, 乙 and 丙 (JY-1)
    ACTIONS = 109     # 0 the pass, 1..108 plays (csrc/alike.h)
    WORDS = 2         # of a set of actions

cdef enum phase:
    PLAY, ENDED

# In the order of JiayibingEngine.reasons.
cdef enum reason:
    NO_PLAY = 7       # QP_OWN_REASONS
    FREE_LEAD, TOO_LOW

ctypedef struct jy_state:
    qp_head head
    # origin
    jy_rules rules
    int8_t before         # history: the leader whom the hand before left, -1 for none
    uint8_t unused[7]
    rank_bits deal[6]
    # position
    climb c
    # log
    qp_logged log[LOG]
    uint8_t cards[CARDS]


cdef inline ak_rules kernel(const jy_state *s) noexcept nogil:
    cdef ak_rules rules
    rules.above, rules.decks, rules.hand = jy_above, 2, HAND
    rules.max_alike, rules.quad_is_bomb = s.rules.max_alike, s.rules.quad_is_bomb
    return rules


# Deal and start --------------------------------------------------------------------------------

cdef uint8_t[6] SIZES = [HAND, HAND, HAND, HAND, HAND, HAND]


cdef void deal(void *state, qp_chacha *chance) noexcept nogil:
    """Shuffle and deal 18 each, seat by seat (JY-1)."""
    deal_shuffled((<jy_state *> state).deal, PLAYERS, CARDS, SIZES, 0, chance)


cdef const char *flaw(const void *state) noexcept nogil:
    cdef const jy_state *s = <const jy_state *> state
    if not -1 <= s.before < PLAYERS:
        return "history: the leader must be a seat from 0 to 5, or None"
    return deal_flaw(s.deal, PLAYERS, 2, SIZES, 0)


cdef inline bint special_leads(const jy_state *s) noexcept nogil:
    """Whether the marked 3 decides who leads, which all then see (JY-3)."""
    return s.rules.by_special or s.before < 0


cdef void start(void *state, qp_events *events) noexcept nogil:
    cdef jy_state *s = <jy_state *> state
    cdef bint special = special_leads(s)
    cdef qp_event *event
    climb_start(&s.c, s.deal, PLAYERS)
    s.head.phase = PLAY
    s.head.turn = <int8_t> holder(s.deal, s.rules.special_card) if special else s.before
    event = qp_tell(events, LEADS, s.head.turn, -1)
    if special:
        tell_cards(event, &s.rules.special_card, 1)


# Actions ---------------------------------------------------------------------------------------

cdef uint32_t pending(const void *state) noexcept nogil:
    return 1 << (<const jy_state *> state).head.turn


cdef inline void legal(const jy_state *s, uint64_t *words) noexcept nogil:
    cdef ak_rules rules = kernel(s)
    ak_ids(2, ak_meet(ak_playable(s.c.hand[s.head.turn]), allowed(&rules, s.c.table)), words)
    words[0] |= s.c.table != 0


cdef int32_t count(const void *state, int seat) noexcept nogil:
    cdef uint64_t words[WORDS]
    legal(<const jy_state *> state, words)
    return qp_popcount_words(words, WORDS)


cdef int32_t list_legal(const void *state, int seat, int32_t *out) noexcept nogil:
    cdef uint64_t words[WORDS]
    legal(<const jy_state *> state, words)
    return qp_list_bits(words, WORDS, out)


cdef void mask(const void *state, int seat, uint64_t *out) noexcept nogil:
    legal(<const jy_state *> state, out)


cdef int32_t draw(const void *state, qp_rng *rng) noexcept nogil:
    cdef uint64_t words[WORDS]
    legal(<const jy_state *> state, words)
    return qp_select_bit(
        words, <int> qp_rng_below(rng, <uint32_t> qp_popcount_words(words, WORDS)))


cdef int check(const void *state, int seat, const qp_move *move) noexcept nogil:
    cdef const jy_state *s = <const jy_state *> state
    cdef int id = move.id
    cdef ak_rules rules = kernel(s)
    if id == 0:
        if move.n:
            return QP_NOT_HELD
        return QP_LEGAL if s.c.table else FREE_LEAD
    if id < 0 or ak_width(2, id) > s.rules.max_alike:
        return NO_PLAY
    if qp_nibble(s.c.hand[seat], ak_rank(2, id)) < ak_width(2, id):
        return QP_NOT_HELD
    if move.n and check_cards(&s.c, seat, move, packed_of_id(2, id)) != QP_LEGAL:
        return QP_NOT_HELD
    return QP_LEGAL if not s.c.table or beats_id(&rules, id, s.c.table) else TOO_LOW


cdef inline unsigned int side(int seat) noexcept nogil:
    """The three players of a seat's side, as bits (JY-1)."""
    return ALL & ~EVEN if seat & 1 else EVEN


cdef void end(jy_state *s, qp_events *events) noexcept nogil:
    """End the hand if all three of a side have played all their cards (JY-13)."""
    if s.c.out & EVEN == EVEN or s.c.out & ~EVEN == ALL & ~EVEN:
        s.head.phase, s.head.turn = ENDED, -1
        qp_tell(events, OVER, -1, -1)


cdef void apply(void *state, const qp_move *move, qp_events *events) noexcept nogil:
    cdef jy_state *s = <jy_state *> state
    cdef int seat = s.head.turn, n = ak_width(2, move.id) if move.id else 0
    cdef uint8_t *room = log_move(&s.head, s.log, s.cards, move.id, seat, n)
    if move.id == 0:
        qp_tell(events, PASSED, seat, 0)
    elif put_down(&s.c, seat, move.id, packed_of_id(2, move.id), move, room, events):
        end(s, events)
        if s.head.turn < 0:
            return
    s.head.turn = <int8_t> turn_after(&s.c, seat, ALL, events)  # JY-11, JY-12


# Score -----------------------------------------------------------------------------------------

cdef inline int left_holding(const jy_state *s) noexcept nogil:
    """How many of the losers still hold cards at the end."""
    return PLAYERS - s.c.n_finished


cdef inline unsigned int winners(const jy_state *s) noexcept nogil:
    """The side of who went out last, which ended the hand."""
    return side(s.c.finished[s.c.n_finished - 1])


cdef void scores(const void *state, int64_t *out) noexcept nogil:
    """JY-20."""
    cdef const jy_state *s = <const jy_state *> state
    cdef int64_t stakes = <int64_t> s.rules.stake * (1 if s.rules.flat else left_holding(s))
    cdef int seat
    for seat in range(PLAYERS):
        out[seat] = stakes if winners(s) >> seat & 1 else -stakes


# Looking ---------------------------------------------------------------------------------------

cdef inline int special_holder(const jy_state *s) noexcept nogil:
    """Whom all know to hold the marked 3: who led by it, until it is played (JY-3); -1 for
    nobody."""
    cdef int card = s.rules.special_card, seat
    if not special_leads(s):
        return -1
    seat = holder(s.deal, card)
    return seat if s.c.held[seat][rank_of(card)] >> bit_of(card) & 1 else -1


cdef void observe(const void *state, int seat, uint8_t *out) noexcept nogil:
    """The layout is JiayibingEngine.observation_spec; players in turn from the viewer."""
    cdef const jy_state *s = <const jy_state *> state
    cdef const climb *c = &s.c
    cdef int first = seat if seat >= 0 else 0
    cdef int i, who
    memset(out, 0, OBSERVATION)
    for i in range(PLAYERS):
        who = (first + i) % PLAYERS
        if seat < 0 or seat == who:
            spread_counts(c.hand[who], out + 15 * i)
        spread_counts(packed_of(s.deal[who]) - c.hand[who], out + 90 + 15 * i)
        out[180 + i] = <uint8_t> qp_packed_size(c.hand[who])
        out[192 + i] = who == s.head.turn
        out[198 + i] = who == c.table_seat
        out[204 + i] = who == special_holder(s)
    for i in range(c.n_finished):
        out[186 + (c.finished[i] - first + PLAYERS) % PLAYERS] = <uint8_t> (i + 1)
    if c.table:
        out[210 + ak_rank(2, c.table)] = 1
        out[225 + ak_width(2, c.table) - 1] = 1


cdef void resample(void *state, int seat, qp_chacha *chance) noexcept nogil:
    """Deal anew what the seat cannot see, the marked 3 staying where all know it to be."""
    cdef jy_state *s = <jy_state *> state
    cdef rank_bits known[6]
    cdef int card = s.rules.special_card, who = special_holder(s)
    memset(known, 0, sizeof(known))
    if who >= 0:
        known[who][rank_of(card)] |= <uint8_t> (1 << bit_of(card))
    redeal_hidden(s.deal, &s.c, 1 << seat, known, chance)


# Hint ------------------------------------------------------------------------------------------

cdef int32_t hint(const void *state, int32_t n, int32_t *out) noexcept nogil:
    """By the own hand, the table and the sizes of the hands."""
    cdef const jy_state *s = <const jy_state *> state
    cdef ak_rules rules = kernel(s)
    cdef int32_t ids[ACTIONS]
    cdef int32_t best[64]
    cdef int seat = s.head.turn, least = HAND, who, value
    cdef bint friendly = s.c.table != 0 and side(seat) >> s.c.table_seat & 1
    cdef int32_t total = list_legal(state, seat, ids), found = 0, i
    for who in range(PLAYERS):
        if not (side(seat) | s.c.out) >> who & 1:
            least = min(least, qp_packed_size(s.c.hand[who]))
    for i in range(total):
        value = worth(&rules, s.c.hand[seat], ids[i], s.c.table, friendly, least)
        found = keep_best(ids[i], value, out, best, found, n)
    return found


# For many hands --------------------------------------------------------------------------------

cdef int outcome_of(const void *state) noexcept nogil:
    """The place in JiayibingEngine.outcomes."""
    return left_holding(<const jy_state *> state) - 1


cdef void features(const void *state, int32_t id, uint8_t *out) noexcept nogil:
    """The layout is JiayibingEngine.feature_spec."""
    cdef const jy_state *s = <const jy_state *> state
    memset(out, 0, FEATURES)
    if id == 0:
        out[23] = 1
    else:
        out[ak_rank(2, id)] = 1
        out[15 + ak_width(2, id) - 1] = 1
        out[24] = packed_of_id(2, id) == s.c.hand[s.head.turn]


# What Python sees ------------------------------------------------------------------------------

cdef qp_engine TABLE


cdef void fill_table() noexcept:
    cdef jy_state s
    cdef char *base = <char *> &s
    TABLE.name = "jiayibing"
    TABLE.id, TABLE.version = 3, 1
    TABLE.players, TABLE.actions, TABLE.observation = PLAYERS, ACTIONS, OBSERVATION
    TABLE.state_size = sizeof(jy_state)
    TABLE.origin_at = <int> (<char *> &s.rules - base)
    TABLE.origin_size = <int> (<char *> &s.c - base) - TABLE.origin_at
    TABLE.log_at, TABLE.log_size = <int> (<char *> &s.log - base), LOG
    TABLE.cards_at, TABLE.cards_size = <int> (<char *> &s.cards - base), CARDS
    TABLE.deal, TABLE.flaw, TABLE.start, TABLE.pending = deal, flaw, start, pending
    TABLE.count, TABLE.list, TABLE.mask, TABLE.draw = count, list_legal, mask, draw
    TABLE.check, TABLE.apply, TABLE.escape, TABLE.scores = check, apply, NULL, scores
    TABLE.observe, TABLE.resample, TABLE.hint = observe, resample, hint
    TABLE.place, TABLE.outcome = NULL, outcome_of
    TABLE.action_features, TABLE.features = FEATURES, features


fill_table()


cdef class JiayibingTable(Climbing):
    """The C side of the game; :class:`qipai.jiayibing.game.JiayibingEngine` adds its words."""

    def __cinit__(self, *args, **kwargs):
        cdef jy_state s
        self.table = &TABLE
        self.name = "jiayibing"
        self.climb_at = <int> (<char *> &s.c - <char *> &s)


cdef inline const jy_state *state_of(Game game) except NULL:
    if game.table != &TABLE:
        raise TypeError("this is no game of 甲乙丙")
    return <const jy_state *> game.head


def special_seat(Game game):
    """Who is known to hold the marked 3, or None (JY-3)."""
    cdef int seat = special_holder(state_of(game))
    return None if seat < 0 else seat


def outcome(Game game):
    """(the seats of the winners, how many losers still hold cards) of a hand that is over."""
    cdef const jy_state *s = state_of(game)
    return tuple([seat for seat in range(PLAYERS) if winners(s) >> seat & 1]), left_holding(s)
