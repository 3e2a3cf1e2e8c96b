"""百变双扣: the flow of a hand."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from qipai._core.bits cimport (
    qp_list_bits, qp_nibble, qp_packed_size, qp_packed_within, qp_popcount_words, qp_select_bit,
)
from qipai._core.climb cimport (
    LEADS, OVER, OWN_EVENTS, PASSED, Climbing, after, bit_of, check_cards, climb, climb_start,
    deal_flaw, deal_shuffled, holder, keep_best, packed_of, place_of, put_down, rank_bits, rank_of,
    redeal_hidden, spread_counts, tell_cards, turn_after,
)
from qipai._core.engine cimport (
    QP_ESCAPE, QP_LEGAL, QP_NOT_HELD, QP_NO_ESCAPE, QP_OWN_REASONS, log_move, qp_chacha,
    qp_chacha_below, qp_engine, qp_events, qp_head, qp_logged, qp_move, qp_rng, qp_rng_below,
    qp_tell,
)
from qipai._core.game cimport Game
from qipai._core.shuangkou cimport (
    SK_ACTIONS, SK_SET, admits, beats_row, legal_rows, packed_at, play_at, size_at, sk_play, sk_rules,
)

cdef enum:
    PLAYERS = 4
    CARDS = 108
    HAND = 27
    LOG = 448         # 108 plays, at most three passes after each, an escape
    OBSERVATION = 217
    FEATURES = 47
    BIG = 14

cdef enum phase:
    PLAY, ENDED

cdef enum ending:
    NONE, DOUBLE, SINGLE, EVEN, ESCAPED

cdef enum event_kind:
    ESCAPE = OWN_EVENTS

# In the order of ShuangkouEngine.reasons.
cdef enum reason:
    NO_PLAY = 7       # QP_OWN_REASONS
    FREE_LEAD, TOO_LOW, NO_BOMB, FEWER_STARS, JOKER_BOMB, LOWER_RANK, MORE_CARDS, LOWER_LOOP

ctypedef struct sk_state:
    qp_head head
    # origin
    sk_rules rules
    int8_t seats[4]       # history: the order of play before the open card changes it
    uint8_t marked        # the id of the open card's marked copy (SK-50)
    uint8_t unused[3]
    rank_bits deal[4]
    # position
    climb c
    uint8_t bombs[4][8]   # bombs of 4..10 alike that each player has made (SK-66)
    uint8_t stars[4]      # the most stars each player has reached
    int32_t contribution[4]
    uint8_t ended
    int8_t escaped
    # log
    qp_logged log[LOG]
    uint8_t cards[CARDS]


# Deal and start --------------------------------------------------------------------------------

cdef uint8_t[4] SIZES = [HAND, HAND, HAND, HAND]


cdef void deal(void *state, qp_chacha *chance) noexcept nogil:
    """Shuffle and deal 27 each, then pick the open card among all 108 (SK-1, SK-50)."""
    cdef sk_state *s = <sk_state *> state
    deal_shuffled(s.deal, PLAYERS, CARDS, SIZES, 0, chance)
    s.marked = <uint8_t> qp_chacha_below(chance, CARDS)


cdef const char *flaw(const void *state) noexcept nogil:
    cdef const sk_state *s = <const sk_state *> state
    cdef unsigned int seen = 0
    cdef int i
    for i in range(PLAYERS):
        if not 0 <= s.seats[i] < PLAYERS:
            return "history: the order must name the seats 0 to 3"
        seen |= 1 << s.seats[i]
    if seen != 15:
        return "history: the order must name each seat once"
    if s.marked >= CARDS:
        return "deal: the open card must be an id from 0 to 107"
    return deal_flaw(s.deal, PLAYERS, 2, SIZES, 0)


cdef void start(void *state, qp_events *events) noexcept nogil:
    """Seat the players and give the lead to who holds the marked card (SK-50)."""
    cdef sk_state *s = <sk_state *> state
    cdef int leader, partner, opposite, i
    climb_start(&s.c, s.deal, PLAYERS)
    for i in range(PLAYERS):
        s.c.order[i] = s.seats[i]
    memset(s.bombs, 0, sizeof(s.bombs))
    memset(s.stars, 0, sizeof(s.stars))
    memset(s.contribution, 0, sizeof(s.contribution))
    s.ended, s.escaped = NONE, -1
    leader = holder(s.deal, s.marked)
    partner = holder(s.deal, (s.marked + 54) % CARDS)
    opposite = after(&s.c, leader, 2)
    if partner != leader and partner != opposite:
        i = place_of(&s.c, partner)
        s.c.order[place_of(&s.c, opposite)] = <int8_t> partner
        s.c.order[i] = <int8_t> opposite
    s.head.phase, s.head.turn = PLAY, <int8_t> leader
    tell_cards(qp_tell(events, LEADS, leader, -1), &s.marked, 1)


# Actions ---------------------------------------------------------------------------------------

cdef uint32_t pending(const void *state) noexcept nogil:
    return 1 << (<const sk_state *> state).head.turn


cdef inline void legal(const sk_state *s, uint64_t *rows) noexcept nogil:
    legal_rows(&s.rules, s.c.hand[s.head.turn], s.c.table, rows)


cdef int32_t count(const void *state, int seat) noexcept nogil:
    cdef uint64_t rows[SK_SET]
    legal(<const sk_state *> state, rows)
    return qp_popcount_words(rows, SK_SET)


cdef int32_t list_legal(const void *state, int seat, int32_t *out) noexcept nogil:
    cdef uint64_t rows[SK_SET]
    legal(<const sk_state *> state, rows)
    return qp_list_bits(rows, SK_SET, out)


cdef void mask(const void *state, int seat, uint64_t *out) noexcept nogil:
    legal(<const sk_state *> state, out)


cdef int32_t draw(const void *state, qp_rng *rng) noexcept nogil:
    cdef uint64_t rows[SK_SET]
    cdef int n
    legal(<const sk_state *> state, rows)
    n = qp_popcount_words(rows, SK_SET)
    return qp_select_bit(rows, <int> qp_rng_below(rng, <uint32_t> n))


cdef int why_not(const sk_rules *rules, const sk_play *play, const sk_play *table) noexcept nogil:
    """The clause by which a play does not beat the one on the table."""
    if table.stars == 0:
        return TOO_LOW
    if play.stars == 0:
        return NO_BOMB
    if play.stars < table.stars:
        return FEWER_STARS
    if play.kind > 8 or table.kind > 8:  # a joker bomb
        return JOKER_BOMB
    if not rules.equal_stars:
        return LOWER_RANK
    return LOWER_LOOP if play.loop and table.loop and (
        size_at(play.id) == size_at(table.id)) else MORE_CARDS


cdef int check(const void *state, int seat, const qp_move *move) noexcept nogil:
    cdef const sk_state *s = <const sk_state *> state
    if move.id == 0:
        if move.n:
            return QP_NOT_HELD
        return QP_LEGAL if s.c.table else FREE_LEAD
    if move.id < 0 or not admits(&s.rules, move.id):
        return NO_PLAY
    if not qp_packed_within(packed_at(move.id), s.c.hand[seat]):
        return QP_NOT_HELD
    if move.n and check_cards(&s.c, seat, move, packed_at(move.id)) != QP_LEGAL:
        return QP_NOT_HELD
    if s.c.table and not beats_row(&s.rules, move.id, s.c.table):
        return why_not(&s.rules, play_at(move.id), play_at(s.c.table))
    return QP_LEGAL


cdef inline int merged_stars(int alike, int bombs) noexcept nogil:
    """Stars of several bombs of the same size (SK-66)."""
    if alike == 4:
        return 4 if bombs < 3 else bombs + 2
    return alike + bombs - 1


cdef inline int step(int stars) noexcept nogil:
    """The row of the contribution table (SK-64), -1 for none."""
    return -1 if stars < 6 else min(stars, 8) - 6


cdef void book(sk_state *s, int seat, const sk_play *play) noexcept nogil:
    """Count the stars of a play that has been made (SK-62..66)."""
    cdef int alike, stars = play.stars, row = step(play.stars), i
    if not s.rules.contribution_counts and row >= 0:
        for i in range(PLAYERS):
            s.contribution[i] += s.rules.contribution[row][0] if i == seat else (
                -<int32_t> s.rules.contribution[row][1])
    if play.kind == 7 and s.rules.merge_bombs:
        alike = play.width
        s.bombs[seat][alike - 4] += 1
        stars = max(stars, merged_stars(alike, s.bombs[seat][alike - 4]))
    s.stars[seat] = <uint8_t> max(stars, <int> s.stars[seat])


cdef bint same_team(const climb *c, int a, int b) noexcept nogil:
    return (place_of(c, a) ^ place_of(c, b)) & 1 == 0


cdef inline unsigned int team(const climb *c, int seat) noexcept nogil:
    """The two players of a team, as bits."""
    return 1 << seat | 1 << after(c, seat, 2)


cdef void finish(sk_state *s, int how, qp_events *events) noexcept nogil:
    """Fill the places that are left and end the hand (SK-60)."""
    cdef int seat = s.c.finished[s.c.n_finished - 1]
    cdef int i, last = seat
    for i in range(1, PLAYERS):
        seat = after(&s.c, last, i)
        if not s.c.out >> seat & 1:
            s.c.finished[s.c.n_finished] = <int8_t> seat
            s.c.n_finished += 1
            s.c.out |= <uint8_t> (1 << seat)
    s.ended, s.head.phase, s.head.turn = <uint8_t> how, ENDED, -1
    qp_tell(events, OVER, -1, -1)


cdef void settle_end(sk_state *s, qp_events *events) noexcept nogil:
    """End the hand as soon as 双扣, 单扣 or 平扣 is known (SK-60)."""
    cdef climb *c = &s.c
    if c.n_finished == 2 and same_team(c, c.finished[0], c.finished[1]):
        finish(s, DOUBLE, events)
    elif c.n_finished == 3:
        finish(s, SINGLE if same_team(c, c.finished[0], c.finished[2]) else EVEN, events)


cdef void apply(void *state, const qp_move *move, qp_events *events) noexcept nogil:
    cdef sk_state *s = <sk_state *> state
    cdef int seat = s.head.turn
    cdef uint8_t *room = log_move(&s.head, s.log, s.cards, move.id, seat, size_at(move.id))
    if move.id == 0:
        qp_tell(events, PASSED, seat, 0)
    else:
        book(s, seat, play_at(move.id))
        if put_down(&s.c, seat, move.id, packed_at(move.id), move, room, events):
            settle_end(s, events)
            if s.head.turn < 0:
                return
    s.head.turn = <int8_t> turn_after(
        &s.c, seat, team(&s.c, s.c.table_seat), events)  # SK-52, SK-53


cdef int multiplier_of(const sk_rules *rules, int stars) noexcept nogil:
    """SK-62, SK-63."""
    return 1 if stars < 5 else rules.multiplier[min(stars, 10) - 5]


cdef int escape(void *state, int player, qp_events *events) noexcept nogil:
    """SK-68."""
    cdef sk_state *s = <sk_state *> state
    if not s.rules.escape:
        return QP_NO_ESCAPE
    log_move(&s.head, s.log, s.cards, QP_ESCAPE, player, 0)
    s.escaped, s.ended = <int8_t> player, ESCAPED
    s.head.phase, s.head.turn = ENDED, -1
    qp_tell(events, ESCAPE, player, -1)
    qp_tell(events, OVER, -1, -1)
    return QP_LEGAL


# Score -----------------------------------------------------------------------------------------

cdef int multiplier(const sk_state *s) noexcept nogil:
    """The winning team's largest bomb (SK-62); after an escape anybody's (SK-68)."""
    cdef int seat, stars = 0
    for seat in range(PLAYERS):
        if s.ended == ESCAPED or same_team(&s.c, seat, s.c.finished[0]):
            stars = max(stars, <int> s.stars[seat])
    return multiplier_of(&s.rules, stars)


cdef void contributions(const sk_state *s, int64_t *out) noexcept nogil:
    """SK-64, or SK-65 as the hand stands; void after an escape (SK-68)."""
    cdef int seat, i, row
    if s.ended == ESCAPED:
        memset(out, 0, PLAYERS * sizeof(int64_t))
        return
    for seat in range(PLAYERS):
        out[seat] = s.contribution[seat]
    if s.rules.contribution_counts:
        for seat in range(PLAYERS):
            row = step(s.stars[seat])
            if row >= 0:
                for i in range(PLAYERS):
                    out[i] += s.rules.contribution[row][0] if i == seat else (
                        -<int64_t> s.rules.contribution[row][1])


cdef void scores(const void *state, int64_t *out) noexcept nogil:
    """SK-61..68."""
    cdef const sk_state *s = <const sk_state *> state
    cdef int place
    if s.ended == ESCAPED:
        memset(out, 0, PLAYERS * sizeof(int64_t))
        out[s.escaped] = <int64_t> s.rules.base[0][3] * multiplier(s) * 2 * s.rules.stake
        return
    contributions(s, out)
    for place in range(PLAYERS):
        out[s.c.finished[place]] += <int64_t> s.rules.base[s.ended - DOUBLE][place] * multiplier(s)
    for place in range(PLAYERS):
        out[place] *= s.rules.stake


# Looking ---------------------------------------------------------------------------------------

cdef bint sees(const sk_state *s, int viewer, int seat) noexcept nogil:
    """Whether a viewer (-1: everything) may look at a seat's hand (SK-54)."""
    if viewer < 0 or viewer == seat:
        return True
    return s.rules.see_partner and s.c.out >> viewer & 1 and s.ended == NONE and (
        same_team(&s.c, viewer, seat))


cdef void observe(const void *state, int seat, uint8_t *out) noexcept nogil:
    """The layout is ShuangkouEngine.observation_spec; players in order of play from the viewer."""
    cdef const sk_state *s = <const sk_state *> state
    cdef const climb *c = &s.c
    cdef const sk_play *play
    cdef int first = place_of(c, seat) if seat >= 0 else 0
    cdef int i, who
    memset(out, 0, OBSERVATION)
    for i in range(PLAYERS):
        who = c.order[(first + i) % PLAYERS]
        if sees(s, seat, who):
            spread_counts(c.hand[who], out + 15 * i)
        spread_counts(packed_of(s.deal[who]) - c.hand[who], out + 60 + 15 * i)
        out[120 + i] = <uint8_t> qp_packed_size(c.hand[who])
        out[128 + i] = s.stars[who]
        out[132 + i] = who == s.head.turn
        out[136 + i] = who == c.table_seat
        out[140 + i] = s.deal[who][rank_of(s.marked)] >> bit_of(s.marked) & 1
        out[144 + i] = s.deal[who][rank_of((s.marked + 54) % CARDS)] >> bit_of((s.marked + 54) % CARDS) & 1
        out[148 + i] = s.c.held[who][rank_of(s.marked)] >> bit_of(s.marked) & 1
        out[152 + i] = s.c.held[who][rank_of((s.marked + 54) % CARDS)] >> bit_of((s.marked + 54) % CARDS) & 1
    for i in range(c.n_finished):
        out[124 + (place_of(c, c.finished[i]) - first + PLAYERS) % PLAYERS] = <uint8_t> (i + 1)
    out[156 + rank_of(s.marked)] = 1
    if c.table:
        play = play_at(c.table)
        spread_counts(packed_at(c.table), out + 171)
        out[186 + play.kind] = 1
        out[197 + play.rank] = 1
        out[212] = play.width
        out[213] = play.length
        out[214] = play.stars
        out[215] = play.loop
    out[216] = s.ended


cdef void resample(void *state, int seat, qp_chacha *chance) noexcept nogil:
    """Deal anew what the seat cannot see, both copies of the open card staying where they are."""
    cdef sk_state *s = <sk_state *> state
    cdef rank_bits known[4]
    cdef unsigned int seats = 0
    cdef int i, j, card, who
    memset(known, 0, sizeof(known))
    for i in range(PLAYERS):
        if sees(s, seat, i):
            seats |= 1 << i
    for i in range(2):
        card = (s.marked + 54 * i) % CARDS
        known[holder(s.deal, card)][rank_of(card)] |= <uint8_t> (1 << bit_of(card))
    redeal_hidden(s.deal, &s.c, seats, known, chance)


# Hint ------------------------------------------------------------------------------------------

cdef int trouble(uint64_t hand) noexcept nogil:
    """How far a hand is from being played out: about ten for each group that is left, more for low
    ones, less for what takes the lead back."""
    cdef int total = 0, rank, n
    for rank in range(15):
        n = qp_nibble(hand, rank)
        if n >= 4:
            total -= 6 * (n - 3)
        elif n and rank == BIG:
            total -= 9 * n
        elif n:
            total += 16 - rank - 2 * n
    return total


cdef int worth(const sk_state *s, int row) noexcept nogil:
    """How good an action looks to the seat to act, by its own hand, the table and the sizes of the
    hands."""
    cdef const climb *c = &s.c
    cdef int seat = s.head.turn, value, size, least = HAND, i, who
    cdef uint64_t left
    cdef bint partners
    for i in range(1, PLAYERS, 2):
        who = after(c, seat, i)
        if not c.out >> who & 1:
            size = qp_packed_size(c.hand[who])
            least = min(least, size)
    if row == 0:
        return -trouble(c.hand[seat])
    left = c.hand[seat] - packed_at(row)
    if left == 0:
        return 10000
    value = -trouble(left)
    if c.table == 0:
        # Out of two equal leads the longer, and none that an opponent's last cards would answer.
        value += size_at(row)
        if play_at(row).stars:
            value -= 12
        if size_at(row) == least:
            value -= 8
        return value
    partners = same_team(c, seat, c.table_seat)
    if partners:
        value -= 12 + 2 * play_at(row).rank + 30 * (play_at(row).stars > 0)
    else:
        value += 6 + max(0, 3 * (9 - least))
        if play_at(row).stars:
            value -= 4 * play_at(row).stars - (24 if least < 9 else 0)
    return value


cdef int32_t hint(const void *state, int32_t n, int32_t *out) noexcept nogil:
    cdef const sk_state *s = <const sk_state *> state
    cdef int32_t ids[6400]
    cdef int32_t best[64]
    cdef int32_t total = list_legal(state, s.head.turn, ids), found = 0, i
    for i in range(total):
        found = keep_best(ids[i], worth(s, ids[i]), out, best, found, n)
    return found


# For many hands --------------------------------------------------------------------------------

cdef int place(const void *state, int seat) noexcept nogil:
    return place_of(&(<const sk_state *> state).c, seat)


cdef int ending_of(const void *state) noexcept nogil:
    return (<const sk_state *> state).ended


cdef void features(const void *state, int32_t id, uint8_t *out) noexcept nogil:
    """The layout is ShuangkouEngine.feature_spec."""
    cdef const sk_state *s = <const sk_state *> state
    cdef const sk_play *play = play_at(id)
    memset(out, 0, FEATURES)
    spread_counts(packed_at(id), out)
    out[15 + play.kind] = 1
    out[26 + play.rank] = id != 0
    out[41], out[42], out[43], out[44] = play.width, play.length, play.stars, play.loop
    out[45] = <uint8_t> size_at(id)
    out[46] = id != 0 and packed_at(id) == s.c.hand[s.head.turn]


# What Python sees ------------------------------------------------------------------------------

cdef qp_engine TABLE


cdef void fill_table() noexcept:
    cdef sk_state s
    cdef char *base = <char *> &s
    TABLE.name = "shuangkou"
    TABLE.id, TABLE.version = 1, 1
    TABLE.players, TABLE.actions, TABLE.observation = PLAYERS, SK_ACTIONS, OBSERVATION
    TABLE.state_size = sizeof(sk_state)
    TABLE.origin_at = <int> (<char *> &s.rules - base)
    TABLE.origin_size = <int> (<char *> &s.c - base) - TABLE.origin_at
    TABLE.log_at, TABLE.log_size = <int> (<char *> &s.log - base), LOG
    TABLE.cards_at, TABLE.cards_size = <int> (<char *> &s.cards - base), CARDS
    TABLE.deal, TABLE.flaw, TABLE.start, TABLE.pending = deal, flaw, start, pending
    TABLE.count, TABLE.list, TABLE.mask, TABLE.draw = count, list_legal, mask, draw
    TABLE.check, TABLE.apply, TABLE.escape, TABLE.scores = check, apply, escape, scores
    TABLE.observe, TABLE.resample, TABLE.hint = observe, resample, hint
    TABLE.place, TABLE.outcome = place, ending_of
    TABLE.action_features, TABLE.features = FEATURES, features


fill_table()


cdef class ShuangkouTable(Climbing):
    """The C side of the game; :class:`qipai.shuangkou.game.ShuangkouEngine` adds its words."""

    def __cinit__(self, *args, **kwargs):
        cdef sk_state s
        self.table = &TABLE
        self.name = "shuangkou"
        self.climb_at = <int> (<char *> &s.c - <char *> &s)


cdef inline const sk_state *state_of(Game game) except NULL:
    if game.table != &TABLE:
        raise TypeError("this is no game of 双扣")
    return <const sk_state *> game.head


def may_see(Game game, int viewer, int seat):
    """Whether a viewer may look at a seat's hand now (SK-54)."""
    return sees(state_of(game), viewer, seat)


def open_card(Game game):
    """(the marked id, who was dealt it, who was dealt its other copy)."""
    cdef const sk_state *s = state_of(game)
    return s.marked, holder(s.deal, s.marked), holder(s.deal, (s.marked + 54) % CARDS)


def stars(Game game):
    """The most stars each player has reached (SK-62, SK-66)."""
    cdef const sk_state *s = state_of(game)
    return tuple([s.stars[i] for i in range(PLAYERS)])


def contribution(Game game):
    """What each player would get and give for stars now, before the stake (SK-64, SK-65)."""
    cdef int64_t points[4]
    contributions(state_of(game), points)
    return tuple([points[i] for i in range(PLAYERS)])


def outcome(Game game):
    """(how the hand ended: "double", "single", "even" or "escape"; the multiplier; who escaped or
    -1) of a hand that is over."""
    cdef const sk_state *s = state_of(game)
    return ("", "double", "single", "even", "escape")[s.ended], multiplier(s), s.escaped
