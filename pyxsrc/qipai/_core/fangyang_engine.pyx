"""鞍山放羊: the flow of a hand."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from qipai._core.alike cimport (
    ak_id, ak_ids, ak_meet, ak_playable, ak_rank, ak_rules, ak_set, ak_width, allowed, beats_id,
    fy_above, packed_of_id, trouble, worth,
)
from qipai._core.bits cimport (
    qp_list_bits, qp_nibble, qp_packed_size, qp_popcount, qp_popcount_words, qp_select_bit,
)
from qipai._core.climb cimport (
    LEADS, OVER, OWN_EVENTS, PASSED, Climbing, after, bit_of, card_of, check_cards, climb,
    climb_start, deal_flaw, deal_shuffled, holder, keep_best, packed_of, put_down,
    rank_bits, rank_of, redeal_hidden, spread_counts, tell_cards, turn_after,
)
from qipai._core.engine cimport (
    QP_LEGAL, QP_NOT_HELD, QP_OWN_REASONS, log_move, qp_chacha, qp_chacha_below, qp_engine,
    qp_event, qp_events, qp_head, qp_logged, qp_move, qp_rng, qp_rng_below, qp_tell,
)
from qipai._core.game cimport Game, seat_number

cdef extern from "fangyang.h" nogil:
    ctypedef struct fy_rules:
        int32_t stake
        int16_t score[2][2][3]
        uint8_t heart4
        uint8_t quad_is_bomb

cdef enum:
    PLAYERS = 4
    CARDS = 54
    LOG = 224         # a call, four answers, 54 plays, at most three passes after each
    OBSERVATION = 200
    FEATURES = 43
    ALL = 15          # all four seats
    HEART4 = 6
    UNCALLED = 255

# Actions: 0 the pass, 1..54 plays without the called card (csrc/alike.h), then these.
cdef enum:
    NO = 55
    STARRED = 51      # added to the id of a play that has the called card in it: 56..99
    CALLS = 96        # added to the card that is called: 100..143
    FIRST_CALL = 100
    SHOW = 144
    ACTIONS = 145
    WORDS = 3         # of a set of actions

cdef enum phase:
    CALL, ASK, PLAY, ENDED

cdef enum event_kind:
    BANKER = OWN_EVENTS
    CALLED
    SHOWN
    DECLINED

# In the order of FangyangEngine.reasons.
cdef enum reason:
    NO_PLAY = 7       # QP_OWN_REASONS
    FREE_LEAD, TOO_LOW, UNMARKED, CALL_FIRST, CALLED_ALREADY, ANSWER_FIRST, NOT_ASKED, NOT_HOLDER

ctypedef struct fy_state:
    qp_head head
    # origin
    fy_rules rules
    int8_t before         # history: the banker that the hand before left, -1 for none
    uint8_t first         # the seat where the deal starts (FY-1)
    uint8_t unused[2]
    rank_bits deal[4]
    # position
    climb c
    int8_t banker
    int8_t partner        # who was dealt the called card; the banker itself in 1v3
    uint8_t called        # a card id, or UNCALLED
    uint8_t asked         # how many have answered (FY-6)
    uint8_t known         # FY-13
    uint8_t shown         # FY-6
    # log
    qp_logged log[LOG]
    uint8_t cards[CARDS]


cdef inline ak_rules kernel(const fy_state *s) noexcept nogil:
    cdef ak_rules rules
    rules.above, rules.decks, rules.hand, rules.max_alike = fy_above, 1, 14, 4
    rules.quad_is_bomb = s.rules.quad_is_bomb
    return rules


# Deal and start --------------------------------------------------------------------------------

cdef uint8_t[4] SIZES = [14, 14, 13, 13]


cdef inline int fixed_banker(const fy_state *s) noexcept nogil:
    """The banker whom the hand before decided; -1 where heart 4 does (FY-5)."""
    return -1 if s.rules.heart4 else s.before


cdef void deal(void *state, qp_chacha *chance) noexcept nogil:
    """Pick the seat where the deal starts, unless it is the banker's, then shuffle and give it and
    the next 14 cards, the other two 13 (FY-1)."""
    cdef fy_state *s = <fy_state *> state
    cdef int banker = fixed_banker(s)
    s.first = <uint8_t> (banker if banker >= 0 else <int> qp_chacha_below(chance, PLAYERS))
    deal_shuffled(s.deal, PLAYERS, CARDS, SIZES, s.first, chance)


cdef const char *flaw(const void *state) noexcept nogil:
    cdef const fy_state *s = <const fy_state *> state
    cdef int banker
    if not -1 <= s.before < PLAYERS:
        return "history: the banker must be a seat from 0 to 3, or None"
    if s.first >= PLAYERS:
        return "deal: start must be a seat from 0 to 3"
    banker = fixed_banker(s)
    if banker >= 0 and s.first != banker:
        return "deal: start must be the banker, who is fixed before the deal (FY-1)"
    return deal_flaw(s.deal, PLAYERS, 1, SIZES, s.first)


cdef void start(void *state, qp_events *events) noexcept nogil:
    cdef fy_state *s = <fy_state *> state
    cdef uint8_t heart4 = HEART4
    cdef qp_event *event
    climb_start(&s.c, s.deal, PLAYERS)
    s.banker = <int8_t> fixed_banker(s)
    event = qp_tell(events, BANKER, s.banker, -1)
    if s.banker < 0:
        s.banker = <int8_t> holder(s.deal, HEART4)
        if event != NULL:
            event.seat = s.banker
        tell_cards(event, &heart4, 1)
    s.partner, s.called = -1, UNCALLED
    s.asked = s.known = s.shown = 0
    s.head.phase, s.head.turn = CALL, s.banker


# Sides -----------------------------------------------------------------------------------------

cdef inline bint holds(const fy_state *s, int seat, int card) noexcept nogil:
    return s.c.held[seat][rank_of(card)] >> bit_of(card) & 1


cdef inline unsigned int side(const fy_state *s, int seat) noexcept nogil:
    """The players of a seat's side, as bits (FY-4)."""
    cdef unsigned int bankers = 1 << s.banker | 1 << s.partner
    return bankers if bankers >> seat & 1 else ALL & ~bankers


cdef inline bint knows_sides(const fy_state *s, int viewer) noexcept nogil:
    """Whether a viewer (-1: everything) may tell the sides: who was dealt the called card, and all
    once it is known or the hand is over."""
    return s.called != UNCALLED and (
        viewer < 0 or s.known or s.head.phase == ENDED or viewer == s.partner)


cdef inline bint may_answer(const fy_state *s, int seat) noexcept nogil:
    """Whether a seat is still to answer the asking, as far as it can tell (FY-6)."""
    return (s.head.phase == ASK and s.head.n_held[seat] == 0
            and (seat - s.banker + PLAYERS) % PLAYERS >= s.asked)


# Actions ---------------------------------------------------------------------------------------

cdef uint32_t pending(const void *state) noexcept nogil:
    """All who have not answered yet may at once (FY-6)."""
    cdef const fy_state *s = <const fy_state *> state
    cdef uint32_t seats = 0
    cdef int i, seat
    if s.head.phase != ASK:
        return 1 << s.head.turn
    for i in range(s.asked, PLAYERS):
        seat = (s.banker + i) % PLAYERS
        seats |= (s.head.n_held[seat] == 0) << seat
    return seats


cdef inline void legal(const fy_state *s, int seat, uint64_t *words) noexcept nogil:
    cdef ak_rules rules
    cdef ak_set plays, free
    cdef uint64_t ids[2]
    cdef uint64_t starred
    cdef int rank, at
    words[0] = words[1] = words[2] = 0
    if s.head.phase == CALL:  # FY-3: bits 100..143
        words[1], words[2] = ~<uint64_t> 0 << 36, 0xffff
        return
    if s.head.phase == ASK:
        words[0] = <uint64_t> 1 << NO
        if holds(s, seat, s.called):
            words[2] = <uint64_t> 1 << (SHOW - 128)
        return
    rules = kernel(s)
    free = allowed(&rules, s.c.table)
    plays = ak_playable(s.c.hand[seat])
    if holds(s, seat, s.called):
        rank = rank_of(s.called)
        starred = plays.low >> 4 * rank & 15
        # Without the called card, one fewer alike.
        plays.low ^= (starred ^ starred >> 1) << 4 * rank
        at = STARRED + ak_id(1, rank, 1)
        words[at >> 6] = (starred & free.low >> 4 * rank) << (at & 63)
    ak_ids(1, ak_meet(plays, free), ids)
    words[0] |= ids[0] | (s.c.table != 0)


cdef int32_t count(const void *state, int seat) noexcept nogil:
    cdef uint64_t words[WORDS]
    legal(<const fy_state *> state, seat, words)
    return qp_popcount_words(words, WORDS)


cdef int32_t list_legal(const void *state, int seat, int32_t *out) noexcept nogil:
    cdef uint64_t words[WORDS]
    legal(<const fy_state *> state, seat, words)
    return qp_list_bits(words, WORDS, out)


cdef void mask(const void *state, int seat, uint64_t *out) noexcept nogil:
    legal(<const fy_state *> state, seat, out)


cdef int32_t draw(const void *state, qp_rng *rng) noexcept nogil:
    cdef const fy_state *s = <const fy_state *> state
    cdef uint64_t words[WORDS]
    legal(s, s.head.turn, words)
    return qp_select_bit(
        words, <int> qp_rng_below(rng, <uint32_t> qp_popcount_words(words, WORDS)))


cdef inline int plain(int id) noexcept nogil:
    """The id of a play without the mark of the called card."""
    return id if id < NO else id - STARRED


cdef int check(const void *state, int seat, const qp_move *move) noexcept nogil:
    cdef const fy_state *s = <const fy_state *> state
    cdef int id = move.id
    if FIRST_CALL <= id < SHOW:
        if s.head.phase != CALL:
            return CALLED_ALREADY
        return QP_NOT_HELD if move.n else QP_LEGAL
    if s.head.phase == CALL:
        return CALL_FIRST
    if id == NO or id == SHOW:
        if s.head.phase != ASK:
            return NOT_ASKED
        if id == SHOW and not holds(s, seat, s.called):
            return NOT_HOLDER
        return QP_NOT_HELD if move.n else QP_LEGAL
    if s.head.phase == ASK:
        return ANSWER_FIRST
    if id == 0:
        if move.n:
            return QP_NOT_HELD
        return QP_LEGAL if s.c.table else FREE_LEAD
    return NO_PLAY if id < 0 else check_play(s, seat, move)


cdef int check_play(const fy_state *s, int seat, const qp_move *move) noexcept nogil:
    cdef int id = plain(move.id), rank = ak_rank(1, id), width = ak_width(1, id), i
    cdef bint starred = id != move.id, names_called = False
    cdef bint has_called = rank == rank_of(s.called) and holds(s, seat, s.called)
    cdef ak_rules rules = kernel(s)
    cdef int n = qp_nibble(s.c.hand[seat], rank)
    if n < width or (starred and not has_called):
        return QP_NOT_HELD
    if n == width and has_called and not starred:
        return UNMARKED
    if move.n:
        if check_cards(&s.c, seat, move, packed_of_id(1, id)) != QP_LEGAL:
            return QP_NOT_HELD
        for i in range(move.n):
            names_called |= move.cards[i] == s.called
        if names_called != starred:
            return QP_NOT_HELD
    return QP_LEGAL if not s.c.table or beats_id(&rules, id, s.c.table) else TOO_LOW


cdef void name_cards(
    const fy_state *s, int seat, int width, bint starred, qp_move *move
) noexcept nogil:
    """Name the cards of a play of the called rank: the called card if it is starred, and the
    lowest others."""
    cdef int rank = rank_of(s.called), bit = bit_of(s.called), i
    move.n = 0
    if starred:
        move.cards[0] = s.called
        move.n = 1
    for i in range(4):
        if move.n < width and i != bit and s.c.held[seat][rank] >> i & 1:
            move.cards[move.n] = <uint8_t> card_of(rank, i)
            move.n += 1


cdef void end(fy_state *s, qp_events *events) noexcept nogil:
    """End the hand if a side has played all its cards (FY-14), or one of three goes out first
    when the called card was shown (FY-22)."""
    cdef unsigned int out = s.c.out, bankers = side(s, s.banker)
    if (bankers & ~out == 0 or ALL & ~(bankers | out) == 0
            or (s.shown and s.partner == s.banker)):
        s.head.phase, s.head.turn = ENDED, -1
        qp_tell(events, OVER, -1, -1)


cdef void answer(fy_state *s, int seat, bint shows, qp_events *events) noexcept nogil:
    """Show the called card, or ask the next (FY-6).

    Who said no is told when the asking ends, and to each only of itself: earlier it would give
    away how far the asking has come.
    """
    cdef int i
    cdef qp_event *event
    if not shows:
        s.asked += 1
        if s.asked < PLAYERS:
            s.head.turn = <int8_t> after(&s.c, seat, 1)
            return
    for i in range(s.asked):
        event = qp_tell(events, DECLINED, (s.banker + i) % PLAYERS, NO)
        if event != NULL:
            event.audience = event.detail = <uint8_t> (1 << event.seat)
    if shows:
        s.shown = s.known = 1
        tell_cards(qp_tell(events, SHOWN, seat, SHOW), &s.called, 1)
    s.head.phase, s.head.turn = PLAY, s.banker
    qp_tell(events, LEADS, s.banker, -1)


cdef void apply(void *state, const qp_move *move, qp_events *events) noexcept nogil:
    cdef fy_state *s = <fy_state *> state
    cdef int seat = s.head.turn, id
    cdef qp_move named
    cdef uint64_t cards
    cdef uint8_t *room
    if s.head.phase == CALL:
        log_move(&s.head, s.log, s.cards, move.id, seat, 0)
        s.called = <uint8_t> (move.id - CALLS)
        s.partner = <int8_t> holder(s.deal, s.called)
        s.head.phase = ASK
        tell_cards(qp_tell(events, CALLED, seat, move.id), &s.called, 1)
        return
    if s.head.phase == ASK:
        log_move(&s.head, s.log, s.cards, move.id, seat, 0)
        answer(s, seat, move.id == SHOW, events)
        return
    if move.id == 0:
        log_move(&s.head, s.log, s.cards, 0, seat, 0)
        qp_tell(events, PASSED, seat, 0)
    else:
        id = plain(move.id)
        cards = packed_of_id(1, id)
        room = log_move(&s.head, s.log, s.cards, move.id, seat, ak_width(1, id))
        if move.n == 0 and ak_rank(1, id) == rank_of(s.called) and holds(s, seat, s.called):
            named.id = move.id
            name_cards(s, seat, ak_width(1, id), id != move.id, &named)
            move = &named
        s.known |= id != move.id
        if put_down(&s.c, seat, id, cards, move, room, events):
            end(s, events)
            if s.head.turn < 0:
                return
    s.head.turn = <int8_t> turn_after(
        &s.c, seat, side(s, s.c.table_seat) if s.known else ALL, events)  # FY-12, FY-13


# Score -----------------------------------------------------------------------------------------

cdef int letters(const fy_state *s) noexcept nogil:
    """The place in the score table of the order of going out (FY-20..22)."""
    cdef unsigned int first = side(s, s.c.finished[0])
    if s.partner == s.banker:
        if s.c.finished[0] == s.banker:
            return 0                                           # ABBB
        return 1 if s.shown or s.c.out >> s.banker & 1 else 2  # BABB and BBAB, BBBA
    if first >> s.c.finished[1] & 1:
        return 1                                               # AABB
    return 0 if first >> s.c.finished[2] & 1 else 2            # ABAB, ABBA


cdef void scores(const void *state, int64_t *out) noexcept nogil:
    cdef const fy_state *s = <const fy_state *> state
    cdef bint alone = s.partner == s.banker
    cdef int64_t stakes = <int64_t> s.rules.score[s.shown][alone][letters(s)] * s.rules.stake
    cdef unsigned int winners = side(s, s.banker if alone else s.c.finished[0])
    cdef int seat
    for seat in range(PLAYERS):
        out[seat] = (3 * stakes if alone else stakes) if winners >> seat & 1 else -stakes


# Looking ---------------------------------------------------------------------------------------

cdef inline bint heart4_is_known(const fy_state *s) noexcept nogil:
    """Whether all know the banker to hold heart 4: it made the banker and is not played (FY-5)."""
    return fixed_banker(s) < 0 and holds(s, s.banker, HEART4)


cdef void observe(const void *state, int seat, uint8_t *out) noexcept nogil:
    """The layout is FangyangEngine.observation_spec; players in turn from the viewer."""
    cdef const fy_state *s = <const fy_state *> state
    cdef const climb *c = &s.c
    cdef int first = seat if seat >= 0 else 0
    cdef bint told = knows_sides(s, seat)
    cdef int i, who
    memset(out, 0, OBSERVATION)
    for i in range(PLAYERS):
        who = (first + i) % PLAYERS
        if seat < 0 or seat == who:
            spread_counts(c.hand[who], out + 15 * i)
        spread_counts(packed_of(s.deal[who]) - c.hand[who], out + 60 + 15 * i)
        out[120 + i] = <uint8_t> qp_packed_size(c.hand[who])
        if seat < 0 or s.head.phase != ASK:
            out[128 + i] = who == s.head.turn
        elif who == seat:
            out[128 + i] = may_answer(s, seat)
        out[132 + i] = who == c.table_seat
        out[136 + i] = who == s.banker
        out[140 + i] = who == s.banker and heart4_is_known(s)
        if told:
            out[144 + i] = side(s, s.banker) >> who & 1
            out[148 + i] = who == s.partner
            out[152 + i] = holds(s, who, s.called)
    for i in range(c.n_finished):
        out[124 + (c.finished[i] - first + PLAYERS) % PLAYERS] = <uint8_t> (i + 1)
    if s.called != UNCALLED:
        out[156 + rank_of(s.called)] = 1
        out[171 + bit_of(s.called)] = 1
    out[175] = s.known
    out[176] = s.shown
    out[177 + s.head.phase] = 1
    if c.table:
        out[181 + ak_rank(1, c.table)] = 1
        out[196 + ak_width(1, c.table) - 1] = 1


cdef void resample(void *state, int seat, qp_chacha *chance) noexcept nogil:
    """Deal anew what the seat cannot see.

    The called card stays where it is once it is known, and when two of the banker's three others
    are out: had either had it, or were the third to have it and the hand still on, the hand
    would have gone otherwise, so that all can tell where it is.
    """
    cdef fy_state *s = <fy_state *> state
    cdef rank_bits known[4]
    memset(known, 0, sizeof(known))
    if heart4_is_known(s):
        known[s.banker][rank_of(HEART4)] |= <uint8_t> (1 << bit_of(HEART4))
    if s.called != UNCALLED and (s.known or qp_popcount(s.c.out & ~(1 << s.banker)) > 1):
        known[s.partner][rank_of(s.called)] |= <uint8_t> (1 << bit_of(s.called))
    redeal_hidden(s.deal, &s.c, 1 << seat, known, chance)


# Hint ------------------------------------------------------------------------------------------

cdef int opinion(const fy_state *s, int id) noexcept nogil:
    """How good an action looks to the seat to act, by its own hand, the table, the sizes of the
    hands and the sides as far as it knows them."""
    cdef int seat = s.head.turn, least = 14, who, card
    cdef unsigned int friends
    cdef ak_rules rules = kernel(s)
    cdef uint64_t hand = s.c.hand[seat]
    if s.head.phase == CALL:
        # A high card that another holds: a strong partner.
        card = id - CALLS
        return 4 * rank_of(card) + qp_nibble(hand, rank_of(card)) - 100 * holds(s, seat, card)
    if s.head.phase == ASK:
        # To show doubles the stakes, and to stand alone takes the better hand.
        return 0 if id == NO else (10 if s.partner == s.banker else 30) - trouble(&rules, hand)
    friends = side(s, seat) if knows_sides(s, seat) else 1 << seat
    for who in range(PLAYERS):
        if not (friends | s.c.out) >> who & 1:
            least = min(least, qp_packed_size(s.c.hand[who]))
    return worth(
        &rules, hand, plain(id), s.c.table,
        s.c.table != 0 and friends >> s.c.table_seat & 1, least)


cdef int32_t hint(const void *state, int32_t n, int32_t *out) noexcept nogil:
    cdef const fy_state *s = <const fy_state *> state
    cdef int32_t ids[64]
    cdef int32_t best[64]
    cdef int32_t total = list_legal(state, s.head.turn, ids), found = 0, i
    for i in range(total):
        found = keep_best(ids[i], opinion(s, ids[i]), out, best, found, n)
    return found


# For many hands --------------------------------------------------------------------------------

cdef int outcome_of(const void *state) noexcept nogil:
    """The place in FangyangEngine.outcomes."""
    cdef const fy_state *s = <const fy_state *> state
    return 6 * s.shown + 3 * (s.partner == s.banker) + letters(s)


cdef void features(const void *state, int32_t id, uint8_t *out) noexcept nogil:
    """The layout is FangyangEngine.feature_spec."""
    cdef const fy_state *s = <const fy_state *> state
    memset(out, 0, FEATURES)
    if FIRST_CALL <= id < SHOW:
        out[22 + rank_of(id - CALLS)] = 1
        out[37 + bit_of(id - CALLS)] = 1
    elif id == 0 or id == NO or id == SHOW:
        out[21], out[41], out[42] = id == 0, id == SHOW, id == NO
    else:
        out[ak_rank(1, plain(id))] = 1
        out[15 + ak_width(1, plain(id)) - 1] = 1
        out[19] = id != plain(id)
        out[20] = packed_of_id(1, plain(id)) == s.c.hand[s.head.turn]


# What Python sees ------------------------------------------------------------------------------

cdef qp_engine TABLE


cdef void fill_table() noexcept:
    cdef fy_state s
    cdef char *base = <char *> &s
    TABLE.name = "fangyang"
    TABLE.id, TABLE.version = 2, 1
    TABLE.players, TABLE.actions, TABLE.observation = PLAYERS, ACTIONS, OBSERVATION
    TABLE.state_size = sizeof(fy_state)
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


cdef class FangyangTable(Climbing):
    """The C side of the game; :class:`qipai.fangyang.game.FangyangEngine` adds its words."""

    def __cinit__(self, *args, **kwargs):
        cdef fy_state s
        self.table = &TABLE
        self.name = "fangyang"
        self.climb_at = <int> (<char *> &s.c - <char *> &s)


cdef inline const fy_state *state_of(Game game) except NULL:
    if game.table != &TABLE:
        raise TypeError("this is no game of 放羊")
    return <const fy_state *> game.head


def sides(Game game):
    """(the banker, the id of the called card or None, who was dealt it or None, whether it is
    known, whether it was shown)."""
    cdef const fy_state *s = state_of(game)
    if s.called == UNCALLED:
        return s.banker, None, None, False, False
    return s.banker, s.called, s.partner, bool(s.known), bool(s.shown)


def knows(Game game, int viewer):
    """Whether a seat, or -1 everything, may tell who holds or held the called card (FY-4)."""
    return knows_sides(state_of(game), viewer)


def asks(Game game, seat):
    """Whether a seat is still to answer whether it shows the called card (FY-6)."""
    return may_answer(state_of(game), seat_number(seat, PLAYERS))


def outcome(Game game):
    """(the place of the order of going out in the score table; the players of side A as bits) of
    a hand that is over."""
    cdef const fy_state *s = state_of(game)
    return letters(s), side(s, s.banker if s.partner == s.banker else s.c.finished[0])
