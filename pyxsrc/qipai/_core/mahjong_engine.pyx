"""鞍山麻将: the flow of a hand."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from qipai._core.bits cimport qp_ctz64, qp_list_bits, qp_popcount_words, qp_select_bit
from qipai._core.climb cimport keep_best, tell_cards
from qipai._core.engine cimport (
    QP_LEGAL, QP_NOT_HELD, QP_OWN_REASONS, log_move, qp_chacha, qp_chacha_below,
    qp_chacha_shuffle, qp_engine, qp_event, qp_events, qp_head, qp_logged, qp_move, qp_rng,
    qp_rng_below, qp_tell,
)
from qipai._core.game cimport Engine, Game, seat_number
from qipai._core.mahjong cimport (
    MJ_KINDS, best_discard, judge, mj_kind_before, mj_next_kind, mj_rules, mj_win, pay,
    win_distance, win_object, wins,
)
from qipai._core.melds cimport (
    MJ_ADDED_KONG, MJ_CHOW, MJ_CONCEALED_KONG, MJ_OPEN_KONG, MJ_PONG, form_of, lowest_kind,
    meld_kinds, meld_object, meld_of,
)

cdef enum:
    PLAYERS = 4
    TILES = 136
    HAND = 13
    DEALT = 53        # the dealer's 14 and the others' 13 (AM-1)
    TURNED_AT = 135
    NONE = 255        # no tile
    # Tiles that are drawn, 82, or claimed, 16, and the first turn: so many at most.
    TURNS = 99        # discards
    LOG = 704         # each with at most five passes; kongs with three; the win
    CARDS = 176       # a tile a turn, and four for each of 16 melds
    RIVER = 40        # discards of a seat in an observation
    OBSERVATION = 789
    FEATURES = 46
    TRIES = 60        # deals that are imagined before a claim is held fast

# Actions: a kind is added to each but the first two; to CHOW the run, 7 in each suit.
cdef enum:
    PASS = 0
    WIN = 1
    DISCARD = 2
    CHOW = 36
    PONG = 57
    KONG = 91
    CONCEALED = 125
    ADDED = 159
    ACTIONS = 193
    WORDS = 4         # of a set of actions

cdef enum phase:
    TURN, CLAIM, ROB, ENDED

# In the order in which they are asked (AM-11).
cdef enum tier:
    TO_WIN, TO_PONG, TO_CHOW

cdef enum event_kind:
    DEALER, TURNED, DREW, DISCARDED, CHOWED, PONGED, KONGED, CONCEALED_KONG, ADDED_KONG, PASSED
    WON, SHOWN, GUN, OVER

# In the order of MahjongEngine.reasons.
cdef enum reason:
    NO_ACTION = 7     # QP_OWN_REASONS
    NO_PASS, NO_WIN, AFTER_CLAIM, WILD_KEPT, NOTHING_TO_CLAIM, WILD_MELD, DEAD_WALL, NO_PONG
    ANSWER_FIRST, NO_MELD, NOT_NEXT, OTHER_CLAIM

# A seat that is asked, and for what.
ctypedef struct asking:
    int8_t seat
    uint8_t tier

ctypedef struct am_state:
    qp_head head
    # origin
    mj_rules rules
    int8_t before         # history: the dealer that the hand before left, -1 for none
    uint8_t dealer
    uint8_t unused[2]
    uint8_t wall[136]
    # position
    uint8_t counts[4][34]
    uint8_t held[4][34]   # the copies of each kind, as bits
    uint32_t melds[4]     # melds.pxd
    uint8_t n_melds[4]
    uint8_t wild
    uint8_t turned
    uint8_t front         # places in the wall of the next draw
    uint8_t tail          # and of the next replacement
    uint8_t drawn         # the tile of the seat to act, NONE after 吃 and 碰
    uint8_t drawn_at      # its place in the wall
    uint8_t own_win       # whether it wins
    uint8_t after_kong    # whether it is a kong's replacement
    uint8_t tile          # which is asked about, else NONE
    int8_t source         # who discarded it, or made the 加杠
    uint8_t n_asked
    uint8_t at            # of the asking that is next
    asking asked[5]
    int8_t winner         # -1 for none
    int8_t payer          # the discarder, -1 for an own draw
    uint8_t win_tile
    uint8_t robbed
    uint8_t gun           # the tile turned after a win (AM-37), else NONE
    uint8_t n_thrown
    uint8_t thrown[TURNS] # discards in order; NONE where it was claimed
    int8_t thrower[TURNS]
    int8_t owner[136]     # who drew the tile at this place of the wall, -1 while nobody has
    uint16_t when[136]    # the number of actions before that
    # log
    qp_logged log[LOG]
    uint8_t cards[CARDS]


cdef inline int kind_of(int tile) noexcept nogil:
    return tile >> 2


cdef inline int wall_left(const am_state *s) noexcept nogil:
    """Tiles that are left, the turned one not counted (AM-13)."""
    return s.tail - s.front + 1


cdef inline bint may_draw(const am_state *s) noexcept nogil:
    """AM-13: so few that nobody draws and nobody makes a kong, or more."""
    return wall_left(s) > s.rules.dead_wall


# Deal and start --------------------------------------------------------------------------------

cdef void deal(void *state, qp_chacha *chance) noexcept nogil:
    """Pick the dealer, unless the hand before did (AM-14), then shuffle the wall (AM-1)."""
    cdef am_state *s = <am_state *> state
    cdef int i
    s.dealer = <uint8_t> (
        s.before if s.before >= 0 else <int> qp_chacha_below(chance, PLAYERS))
    for i in range(TILES):
        s.wall[i] = <uint8_t> i
    qp_chacha_shuffle(chance, s.wall, TILES)


cdef const char *flaw(const void *state) noexcept nogil:
    cdef const am_state *s = <const am_state *> state
    cdef bint seen[136]
    cdef int i
    if not -1 <= s.before < PLAYERS:
        return "history: the dealer must be a seat from 0 to 3, or None"
    if s.dealer >= PLAYERS:
        return "deal: the dealer must be a seat from 0 to 3"
    if s.before >= 0 and s.before != s.dealer:
        return "deal: the dealer must be whom the history names (AM-14)"
    memset(seen, 0, sizeof(seen))
    for i in range(TILES):
        if s.wall[i] >= TILES or seen[s.wall[i]]:
            return "deal: the wall must have each of the 136 tiles once"
        seen[s.wall[i]] = True
    return NULL


cdef inline void take(am_state *s, int seat, int tile) noexcept nogil:
    s.counts[seat][kind_of(tile)] += 1
    s.held[seat][kind_of(tile)] |= <uint8_t> (1 << (tile & 3))


cdef inline void give(am_state *s, int seat, int tile) noexcept nogil:
    s.counts[seat][kind_of(tile)] -= 1
    s.held[seat][kind_of(tile)] ^= <uint8_t> (1 << (tile & 3))


cdef inline void take_from_wall(am_state *s, int seat, int place) noexcept nogil:
    s.owner[place], s.when[place] = <int8_t> seat, s.head.logged
    take(s, seat, s.wall[place])


cdef void start(void *state, qp_events *events) noexcept nogil:
    """The deal in the order of AM-1, the turned tile (AM-2) and the dealer's turn."""
    cdef am_state *s = <am_state *> state
    cdef int i, place
    memset(s.counts, 0, sizeof(s.counts))
    memset(s.held, 0, sizeof(s.held))
    memset(s.melds, 0, sizeof(s.melds))
    memset(s.n_melds, 0, sizeof(s.n_melds))
    memset(s.owner, 0xff, sizeof(s.owner))
    for place in range(DEALT):
        i = 0 if place <= HAND else (place - 1) // HAND
        take_from_wall(s, (s.dealer + i) % PLAYERS, place)
    s.turned = s.wall[TURNED_AT]
    s.wild = <uint8_t> mj_next_kind(kind_of(s.turned))
    s.front, s.tail = DEALT, TURNED_AT - 1
    s.tile = s.win_tile = s.gun = NONE
    s.source = s.winner = s.payer = -1
    s.n_asked = s.at = s.robbed = s.after_kong = s.n_thrown = 0
    qp_tell(events, DEALER, s.dealer, -1)
    tell_cards(qp_tell(events, TURNED, -1, -1), &s.turned, 1)
    s.drawn, s.drawn_at = s.wall[HAND], HAND
    begin_turn(s, s.dealer)


cdef inline void begin_turn(am_state *s, int seat) noexcept nogil:
    s.head.phase, s.head.turn = TURN, <int8_t> seat
    s.own_win = s.drawn != NONE and wins(
        s.counts[seat], s.melds[seat], s.wild, s.rules.classic)


# Askings ---------------------------------------------------------------------------------------

cdef inline bint in_window(const am_state *s) noexcept nogil:
    """Whether others are asked about a tile."""
    return s.head.phase == CLAIM or s.head.phase == ROB


cdef inline const asking *next_asking(const am_state *s, int seat) noexcept nogil:
    """The asking that comes next for a seat in this window, beyond those that its held answers
    are to; NULL for none."""
    cdef int i, answered = s.head.n_held[seat]
    if not in_window(s) or (answered and s.head.held[seat][answered - 1].id != PASS):
        return NULL
    for i in range(s.at, s.n_asked):
        if s.asked[i].seat == seat:
            if answered == 0:
                return &s.asked[i]
            answered -= 1
    return NULL


cdef inline bint may_answer(const am_state *s, int seat) noexcept nogil:
    """Whether a seat is still to answer, as far as it can tell."""
    return next_asking(s, seat) != NULL


cdef inline void ask(am_state *s, int seat, int what) noexcept nogil:
    s.asked[s.n_asked].seat, s.asked[s.n_asked].tier = <int8_t> seat, <uint8_t> what
    s.n_asked += 1


cdef inline bint wins_on(am_state *s, int seat, int kind) noexcept nogil:
    cdef bint found
    s.counts[seat][kind] += 1
    found = wins(s.counts[seat], s.melds[seat], s.wild, s.rules.classic)
    s.counts[seat][kind] -= 1
    return found


cdef inline bint has_run(const am_state *s, int seat, int low, int kind) noexcept nogil:
    """Whether a seat holds, 混 apart, what a kind lacks to the run from `low` on."""
    cdef int i
    for i in range(low, low + 3):
        if i == s.wild or (i != kind and s.counts[seat][i] == 0):
            return False
    return True


cdef inline bint is_low(int low, int kind) noexcept nogil:
    """Whether a run of a kind's suit can begin at `low` and hold the kind."""
    return kind < 27 and low <= kind < low + 3 and 9 * (kind // 9) <= low <= 9 * (kind // 9) + 6


cdef inline bint can_chow(const am_state *s, int seat, int kind) noexcept nogil:
    cdef int low
    for low in range(max(kind - 2, 0), kind + 1):
        if is_low(low, kind) and has_run(s, seat, low, kind):
            return True
    return False


cdef void open_window(am_state *s, int window, int seat, int tile) noexcept nogil:
    """Line up who is asked about a tile, in the order of AM-11; a 混 concerns nobody (AM-4)."""
    cdef int kind = kind_of(tile), i, other
    s.head.phase = <uint8_t> window
    s.tile, s.source = <uint8_t> tile, <int8_t> seat
    s.n_asked = s.at = 0
    if kind != s.wild:
        for i in range(1, PLAYERS):
            other = (seat + i) % PLAYERS
            if wins_on(s, other, kind):
                ask(s, other, TO_WIN)
        if window == CLAIM:
            for i in range(1, PLAYERS):
                other = (seat + i) % PLAYERS
                if s.counts[other][kind] >= 2:
                    ask(s, other, TO_PONG)
            if can_chow(s, (seat + 1) % PLAYERS, kind):
                ask(s, (seat + 1) % PLAYERS, TO_CHOW)


cdef void tell_passes(const am_state *s, int before, qp_events *events) noexcept nogil:
    """Who passed in the window that closes, before log entry `before`, and to each only of itself:
    earlier it would give away how far the asking has come."""
    cdef int first = before
    cdef qp_event *event
    if events == NULL:
        return
    while first > 0 and s.log[first - 1].id == PASS:
        first -= 1
    while first < before:
        event = qp_tell(events, PASSED, s.log[first].seat, PASS)
        if event != NULL:
            event.audience = event.detail = <uint8_t> (1 << event.seat)
        first += 1


cdef void ask_next(am_state *s, qp_events *events) noexcept nogil:
    """Ask the next, or close the window that nobody used."""
    cdef int seat = s.source
    if s.at < s.n_asked:
        s.head.turn = s.asked[s.at].seat
        return
    tell_passes(s, s.head.logged, events)
    if s.head.phase == ROB:
        make_added_kong(s, seat, events)
        return
    s.tile, s.source = NONE, -1
    seat = (seat + 1) % PLAYERS
    if may_draw(s):
        s.front += 1
        draw_tile(s, seat, s.front - 1, False, events)
    else:
        end(s, events)


# Actions ---------------------------------------------------------------------------------------

cdef uint32_t pending(const void *state) noexcept nogil:
    """All who are still to be asked in this window may answer at once."""
    cdef const am_state *s = <const am_state *> state
    cdef uint32_t seats = 0
    cdef int i
    if s.head.phase == TURN:
        return 1 << s.head.turn
    for i in range(PLAYERS):
        seats |= may_answer(s, i) << i
    return seats


cdef inline void add(uint64_t *words, int id) noexcept nogil:
    words[id >> 6] |= <uint64_t> 1 << (id & 63)


cdef inline uint64_t kinds_held(const am_state *s, int seat) noexcept nogil:
    cdef uint64_t kinds = 0
    cdef int kind
    for kind in range(MJ_KINDS):
        kinds |= <uint64_t> (s.counts[seat][kind] != 0) << kind
    return kinds


cdef inline int low_of(int id) noexcept nogil:
    """The lowest kind of the run of a 吃."""
    return 9 * ((id - CHOW) // 7) + (id - CHOW) % 7


cdef inline int chow_id(int low) noexcept nogil:
    return CHOW + 7 * (low // 9) + low % 9


cdef inline void legal(const am_state *s, int seat, uint64_t *words) noexcept nogil:
    cdef uint64_t kinds
    cdef int i, kind
    cdef const asking *now
    words[0] = words[1] = words[2] = words[3] = 0
    if s.head.phase != TURN:
        now = next_asking(s, seat)
        kind = kind_of(s.tile)
        words[0] = 1 << PASS
        if now.tier == TO_WIN:
            add(words, WIN)
        elif now.tier == TO_PONG:
            add(words, PONG + kind)
            if s.counts[seat][kind] == 3 and may_draw(s):
                add(words, KONG + kind)
        else:
            for i in range(max(kind - 2, 0), kind + 1):
                if is_low(i, kind) and has_run(s, seat, i, kind):
                    add(words, chow_id(i))
        return
    kinds = kinds_held(s, seat)
    if not s.rules.discard_wild and kinds & ~(<uint64_t> 1 << s.wild):  # AM-4
        words[0] = (kinds & ~(<uint64_t> 1 << s.wild)) << DISCARD
    else:
        words[0] = kinds << DISCARD
    if s.drawn == NONE:
        return
    words[0] |= <uint64_t> s.own_win << WIN
    if may_draw(s):
        for kind in range(MJ_KINDS):
            if s.counts[seat][kind] == 4 and kind != s.wild:
                add(words, CONCEALED + kind)
        for i in range(s.n_melds[seat]):
            kind = s.melds[seat] >> 8 * i & 255
            if form_of(kind) == MJ_PONG and s.counts[seat][lowest_kind(kind)]:
                add(words, ADDED + lowest_kind(kind))


cdef int32_t count(const void *state, int seat) noexcept nogil:
    cdef uint64_t words[WORDS]
    legal(<const am_state *> state, seat, words)
    return qp_popcount_words(words, WORDS)


cdef int32_t list_legal(const void *state, int seat, int32_t *out) noexcept nogil:
    cdef uint64_t words[WORDS]
    legal(<const am_state *> state, seat, words)
    return qp_list_bits(words, WORDS, out)


cdef void mask(const void *state, int seat, uint64_t *out) noexcept nogil:
    legal(<const am_state *> state, seat, out)


cdef int32_t draw(const void *state, qp_rng *rng) noexcept nogil:
    cdef const am_state *s = <const am_state *> state
    cdef uint64_t words[WORDS]
    legal(s, s.head.turn, words)
    return qp_select_bit(
        words, <int> qp_rng_below(rng, <uint32_t> qp_popcount_words(words, WORDS)))


cdef inline int own_kinds(const am_state *s, int id, uint8_t *kinds) noexcept nogil:
    """The kinds that an action takes out of the hand; how many."""
    cdef int n = 0, i, kind
    if CHOW <= id < PONG:
        for kind in range(low_of(id), low_of(id) + 3):
            if kind != kind_of(s.tile):
                kinds[n] = <uint8_t> kind
                n += 1
        return n
    if id >= DISCARD:
        kind = kind_in(id)
        n = 1 if id < CHOW or id >= ADDED else 2 if id < KONG else 3 if id < CONCEALED else 4
        for i in range(n):
            kinds[i] = <uint8_t> kind
    return n


cdef inline int kind_in(int id) noexcept nogil:
    """The kind that an action names; of a 吃 the lowest of the run, of pass and win -1."""
    if id < DISCARD:
        return -1
    if id < CHOW:
        return id - DISCARD
    return low_of(id) if id < PONG else (id - PONG) % MJ_KINDS


cdef int check(const void *state, int seat, const qp_move *move) noexcept nogil:
    cdef const am_state *s = <const am_state *> state
    cdef uint64_t words[WORDS]
    cdef uint8_t kinds[4]
    cdef uint8_t used[34]
    cdef int i, tile
    if move.id < 0:
        return NO_ACTION
    legal(s, seat, words)
    if not words[move.id >> 6] >> (move.id & 63) & 1:
        return why_not(s, seat, move.id)
    if move.n == 0:
        return QP_LEGAL
    if own_kinds(s, move.id, kinds) != move.n:
        return QP_NOT_HELD
    memset(used, 0, sizeof(used))
    for i in range(move.n):
        used[kinds[i]] += 16
    for i in range(move.n):
        tile = move.cards[i]
        if (tile >= TILES or used[kind_of(tile)] < 16 or used[kind_of(tile)] >> (tile & 3) & 1
                or not s.held[seat][kind_of(tile)] >> (tile & 3) & 1):
            return QP_NOT_HELD
        used[kind_of(tile)] += <uint8_t> ((1 << (tile & 3)) - 16)
    return QP_LEGAL


cdef int why_not(const am_state *s, int seat, int id) noexcept nogil:
    return why_no_claim(s, seat, id) if in_window(s) else why_not_now(s, seat, id)


cdef int why_not_now(const am_state *s, int seat, int id) noexcept nogil:
    """Why the seat whose turn it is may not do this."""
    cdef int kind = kind_in(id), i
    if id == PASS:
        return NO_PASS
    if DISCARD <= id < CHOW:
        return WILD_KEPT if s.counts[seat][kind] else QP_NOT_HELD
    if CHOW <= id < CONCEALED:
        return NOTHING_TO_CLAIM
    if s.drawn == NONE:
        return AFTER_CLAIM
    if id == WIN:
        return NO_WIN
    if kind == s.wild:
        return WILD_MELD
    if id < ADDED:
        return DEAD_WALL if s.counts[seat][kind] == 4 else QP_NOT_HELD
    for i in range(s.n_melds[seat]):
        if (s.melds[seat] >> 8 * i & 255) == <uint32_t> meld_of(MJ_PONG, kind):
            return DEAD_WALL if s.counts[seat][kind] else QP_NOT_HELD
    return NO_PONG


cdef int why_no_claim(const am_state *s, int seat, int id) noexcept nogil:
    """Why a seat that is asked may not answer this."""
    cdef int kind = kind_in(id), i
    if DISCARD <= id < CHOW or id >= CONCEALED:
        return ANSWER_FIRST
    if id == WIN:
        for i in range(s.n_asked):
            if s.asked[i].seat == seat and s.asked[i].tier == TO_WIN:
                return OTHER_CLAIM
        return NO_WIN
    if s.head.phase == ROB:
        return OTHER_CLAIM
    if id < PONG:
        if seat != (s.source + 1) % PLAYERS:
            return NOT_NEXT
        if not is_low(kind, kind_of(s.tile)):
            return NO_MELD
        if kind <= s.wild < kind + 3:
            return WILD_MELD
        return OTHER_CLAIM if has_run(s, seat, kind, kind_of(s.tile)) else QP_NOT_HELD
    if kind != kind_of(s.tile):
        return NO_MELD
    if s.counts[seat][kind] < (2 if id < KONG else 3):
        return QP_NOT_HELD
    return OTHER_CLAIM if id < KONG or may_draw(s) else DEAD_WALL


cdef void put_away(am_state *s, int seat, const qp_move *move, uint8_t *room) noexcept nogil:
    """Take an action's tiles out of the hand: those named, or the lowest of their kinds."""
    cdef uint8_t kinds[4]
    cdef int i, n = own_kinds(s, move.id, kinds)
    for i in range(n):
        if move.n:
            room[i] = move.cards[i]
        else:
            room[i] = <uint8_t> (4 * kinds[i] + qp_ctz64(s.held[seat][kinds[i]]))
        give(s, seat, room[i])


cdef inline void add_meld(am_state *s, int seat, int code) noexcept nogil:
    s.melds[seat] |= <uint32_t> code << 8 * s.n_melds[seat]
    s.n_melds[seat] += 1


cdef void draw_tile(
    am_state *s, int seat, int place, bint after_kong, qp_events *events
) noexcept nogil:
    cdef qp_event *event = qp_tell(events, DREW, seat, -1)
    take_from_wall(s, seat, place)
    s.drawn, s.drawn_at, s.after_kong = s.wall[place], <uint8_t> place, after_kong
    tell_cards(event, &s.drawn, 1)
    if event != NULL:
        event.detail = <uint8_t> (1 << seat)
    begin_turn(s, seat)


cdef void replace(am_state *s, int seat, qp_events *events) noexcept nogil:
    """Draw for a kong, from the tail of the wall (AM-10)."""
    s.tail -= 1
    draw_tile(s, seat, s.tail + 1, True, events)


cdef void make_added_kong(am_state *s, int seat, qp_events *events) noexcept nogil:
    """Nobody robbed it (AM-12): the 碰 becomes a kong."""
    cdef int kind = kind_of(s.tile), i
    for i in range(s.n_melds[seat]):
        if (s.melds[seat] >> 8 * i & 255) == <uint32_t> meld_of(MJ_PONG, kind):
            # The byte of a form is larger than that of the 碰 by a whole number of kinds.
            s.melds[seat] += <uint32_t> (MJ_KINDS * (MJ_ADDED_KONG - MJ_PONG)) << 8 * i
    s.tile, s.source = NONE, -1
    replace(s, seat, events)


cdef inline void take_discard(am_state *s) noexcept nogil:
    """The last discard is claimed or won on."""
    s.thrown[s.n_thrown - 1] = NONE


cdef void claim(am_state *s, int seat, int id, qp_events *events) noexcept nogil:
    """吃, 碰 or 明杠: the turn passes to who makes it."""
    cdef int kind = kind_in(id)
    take_discard(s)
    s.tile, s.source, s.drawn = NONE, -1, NONE
    if id < PONG:
        add_meld(s, seat, meld_of(MJ_CHOW, kind))
        begin_turn(s, seat)
    elif id < KONG:
        add_meld(s, seat, meld_of(MJ_PONG, kind))
        begin_turn(s, seat)
    else:
        add_meld(s, seat, meld_of(MJ_OPEN_KONG, kind))
        replace(s, seat, events)


cdef void tell_hand(const am_state *s, int seat, qp_events *events) noexcept nogil:
    """Show a hand."""
    cdef qp_event *event = qp_tell(events, SHOWN, seat, -1)
    cdef uint8_t tiles[14]
    cdef int tile, n = 0
    for tile in range(TILES):
        if s.held[seat][kind_of(tile)] >> (tile & 3) & 1:
            tiles[n] = <uint8_t> tile
            n += 1
    tell_cards(event, tiles, n)


cdef void win(am_state *s, int seat, qp_events *events) noexcept nogil:
    s.winner, s.payer = <int8_t> seat, s.source
    s.win_tile = s.drawn
    if s.head.phase != TURN:
        tell_passes(s, s.head.logged - 1, events)
        s.win_tile = s.tile
        s.robbed = s.head.phase == ROB
        if not s.robbed:
            take_discard(s)
        take(s, seat, s.tile)
    s.tile, s.source, s.drawn = NONE, -1, NONE
    qp_tell(events, WON, seat, WIN)
    tell_hand(s, seat, events)
    if s.rules.hidden_gun and wall_left(s):  # AM-37
        s.gun = s.wall[s.front]
        tell_cards(qp_tell(events, GUN, -1, -1), &s.gun, 1)
    end(s, events)


cdef void end(am_state *s, qp_events *events) noexcept nogil:
    """The hand is over, and every 暗杠 is shown (AM-10)."""
    cdef uint8_t tiles[4]
    cdef int seat, i, j, code
    s.head.phase, s.head.turn = ENDED, -1
    if events == NULL:
        return
    for seat in range(PLAYERS):
        for i in range(s.n_melds[seat]):
            code = s.melds[seat] >> 8 * i & 255
            if form_of(code) == MJ_CONCEALED_KONG:
                for j in range(4):
                    tiles[j] = <uint8_t> (4 * lowest_kind(code) + j)
                tell_cards(qp_tell(events, SHOWN, seat, -1), tiles, 4)
    qp_tell(events, OVER, -1, -1)


cdef void apply(void *state, const qp_move *move, qp_events *events) noexcept nogil:
    cdef am_state *s = <am_state *> state
    cdef uint8_t kinds[4]
    cdef int seat = s.head.turn, id = move.id, n = own_kinds(s, id, kinds)
    cdef uint8_t *room = log_move(&s.head, s.log, s.cards, id, seat, n)
    cdef qp_event *event
    if id == PASS:
        s.at += 1
        ask_next(s, events)
        return
    if id == WIN:
        win(s, seat, events)
        return
    if s.head.phase == CLAIM:
        tell_passes(s, s.head.logged - 1, events)
    put_away(s, seat, move, room)
    event = qp_tell(events, told_as(id), seat, id)
    tell_cards(event, room, n)
    if id < CHOW:
        s.thrown[s.n_thrown], s.thrower[s.n_thrown] = room[0], <int8_t> seat
        s.n_thrown += 1
        s.drawn, s.after_kong = NONE, False
        open_window(s, CLAIM, seat, room[0])
        ask_next(s, events)
    elif id < CONCEALED:
        claim(s, seat, id, events)
    elif id < ADDED:
        if event != NULL:
            event.detail = <uint8_t> (1 << seat)  # AM-10: its owner alone sees the kind
        add_meld(s, seat, meld_of(MJ_CONCEALED_KONG, kind_in(id)))
        replace(s, seat, events)
    else:
        s.drawn, s.after_kong = NONE, False
        open_window(s, ROB, seat, room[0])
        ask_next(s, events)


cdef inline int told_as(int id) noexcept nogil:
    if id < CHOW:
        return DISCARDED
    if id < PONG:
        return CHOWED
    return PONGED + (id - PONG) // MJ_KINDS


# Score -----------------------------------------------------------------------------------------

cdef inline uint64_t guns(const am_state *s) noexcept nogil:
    """The kinds that are 枪 as far as they are known, as bits (AM-37)."""
    cdef int kind
    cdef uint64_t kinds = 0
    if not s.rules.hidden_gun:
        kinds = <uint64_t> 1 << mj_kind_before(kind_of(s.turned))
    elif s.gun != NONE:
        kind = kind_of(s.gun)
        kinds = <uint64_t> 1 << kind | <uint64_t> 1 << mj_next_kind(kind)
    return kinds & ~(<uint64_t> 1 << s.wild)


cdef inline void judge_winner(const am_state *s, mj_win *won) noexcept nogil:
    judge(s.counts[s.winner], s.melds[s.winner], s.wild, &s.rules, guns(s), s.after_kong, won)


cdef void scores(const void *state, int64_t *out) noexcept nogil:
    """AM-50; a drawn hand costs nobody anything (AM-13)."""
    cdef const am_state *s = <const am_state *> state
    cdef mj_win won
    cdef int seat
    if s.winner < 0:
        for seat in range(PLAYERS):
            out[seat] = 0
        return
    judge_winner(s, &won)
    pay(won.total, s.winner, s.dealer, s.payer, &s.rules, out)


cdef int outcome_of(const void *state) noexcept nogil:
    """The place in MahjongEngine.outcomes."""
    cdef const am_state *s = <const am_state *> state
    if s.winner < 0:
        return 3
    return 0 if s.payer < 0 else 1 + s.robbed


# Looking ---------------------------------------------------------------------------------------

cdef inline bint sees_hand(const am_state *s, int viewer, int seat) noexcept nogil:
    """Whether a viewer (-1: everything) may look at a seat's tiles: at the end the winner's too."""
    return viewer < 0 or viewer == seat or s.winner == seat


cdef inline bint sees_kongs(const am_state *s, int viewer, int seat) noexcept nogil:
    """Whether a viewer may know the kinds of a seat's 暗杠 (AM-10)."""
    return viewer < 0 or viewer == seat or s.head.phase == ENDED


cdef void observe(const void *state, int seat, uint8_t *out) noexcept nogil:
    """The layout is MahjongEngine.observation_spec; players in turn from the viewer."""
    cdef const am_state *s = <const am_state *> state
    cdef int first = seat if seat >= 0 else 0
    cdef int lying[4]
    cdef int i, j, who, code, kind, size
    cdef uint64_t kinds = guns(s)
    memset(out, 0, OBSERVATION)
    for i in range(PLAYERS):
        who = (first + i) % PLAYERS
        lying[who] = 0
        if sees_hand(s, seat, who):
            memcpy(out + 34 * i, s.counts[who], MJ_KINDS)
        size = 0
        for kind in range(MJ_KINDS):
            size += s.counts[who][kind]
        out[136 + i] = <uint8_t> size
        for j in range(s.n_melds[who]):
            code = s.melds[who] >> 8 * j & 255
            kind = lowest_kind(code)
            if form_of(code) == MJ_CHOW:
                out[140 + 21 * i + chow_id(kind) - CHOW] += 1
            elif form_of(code) < MJ_CONCEALED_KONG:
                out[224 + 34 * i + kind] = <uint8_t> form_of(code)
            else:
                out[360 + i] += 1
                if sees_kongs(s, seat, who):
                    out[224 + 34 * i + kind] = MJ_CONCEALED_KONG
        out[364 + i] = who == s.dealer
        if seat < 0 or not in_window(s):
            out[368 + i] = who == s.head.turn
        elif who == seat:
            out[368 + i] = may_answer(s, seat)
        out[372 + i] = who == s.source
        out[376 + i] = who == s.winner
        out[380 + i] = who == s.payer
    for j in range(s.n_thrown):
        who = s.thrower[j]
        i = (who - first + PLAYERS) % PLAYERS
        if s.thrown[j] != NONE and lying[who] < RIVER:
            out[384 + RIVER * i + lying[who]] = <uint8_t> (1 + kind_of(s.thrown[j]))
            lying[who] += 1
    out[544 + s.wild] = 1
    out[578 + kind_of(s.turned)] = 1
    for kind in range(MJ_KINDS):
        out[612 + kind] = kinds >> kind & 1
    if s.tile != NONE:
        out[646 + kind_of(s.tile)] = 1
    if s.drawn != NONE and (seat < 0 or seat == s.head.turn):
        out[680 + kind_of(s.drawn)] = 1
    if s.win_tile != NONE:
        out[714 + kind_of(s.win_tile)] = 1
    out[748] = s.after_kong
    out[749] = <uint8_t> wall_left(s)
    out[750 + s.head.phase] = 1
    # What is left of each kind for the viewer to come: everything less what it sees.
    unseen(s, seat, out + 754)
    out[788] = s.drawn != NONE


cdef void unseen(const am_state *s, int seat, uint8_t *left) noexcept nogil:
    """Copies of each kind that a seat, or -1 everything, does not see."""
    cdef uint8_t kinds[4]
    cdef int i, j, k, n, code
    memset(left, 4, MJ_KINDS)
    left[kind_of(s.turned)] -= 1
    if s.gun != NONE:
        left[kind_of(s.gun)] -= 1
    for i in range(PLAYERS):
        if sees_hand(s, seat, i):
            for j in range(MJ_KINDS):
                left[j] -= s.counts[i][j]
        for j in range(s.n_melds[i]):
            code = s.melds[i] >> 8 * j & 255
            if form_of(code) != MJ_CONCEALED_KONG or sees_kongs(s, seat, i):
                n = meld_kinds(code, kinds)
                for k in range(n):
                    left[kinds[k]] -= 1
    for i in range(s.n_thrown):
        if s.thrown[i] != NONE:
            left[kind_of(s.thrown[i])] -= 1
    if s.head.phase == ROB:
        left[kind_of(s.tile)] -= 1


# Resampling ------------------------------------------------------------------------------------
#
# What a seat knows of the others are the tiles they showed, and when; each such tile was at a place
# of the wall from which its owner had drawn by then. Tiles are put there, earliest shown first, so
# that every choice leaves the same number of ways for the rest: all deals are equally likely. Then
# the log is played anew, with a pass wherever another seat is asked now.

cdef struct course:
    am_state truth       # the hand as it was
    uint16_t id[LOG]     # its log, where a 暗杠 whose kind is unseen has a new one
    uint8_t cards[CARDS]
    bint fixed[136]      # places of the wall whose tiles stay
    bint kept[136]       # tiles that one other seat is known, or made, to hold at last
    int keeper
    bint keeps_kongs     # whether that seat's 暗杠 stay as they are
    bint placed[136]     # tiles that have their places


cdef inline bint holds(const am_state *s, int seat, int tile) noexcept nogil:
    return s.held[seat][kind_of(tile)] >> (tile & 3) & 1


cdef void keep_claim(course *c) noexcept nogil:
    """Let who is asked keep what the claim is made of."""
    cdef const am_state *truth = &c.truth
    cdef int tile, kind = kind_of(truth.tile)
    c.keeper = truth.head.turn
    c.keeps_kongs = truth.asked[truth.at].tier == TO_WIN
    for tile in range(TILES):
        c.kept[tile] = holds(truth, c.keeper, tile) and (
            c.keeps_kongs or kind - 2 <= kind_of(tile) <= kind + 2)


cdef void fix_wilds(course *c, int seat) noexcept nogil:
    """AM-4: who discarded a 混 that must stay while others are held, held nothing but 混."""
    cdef const am_state *truth = &c.truth
    cdef const qp_logged *entry
    cdef bint shown[136]
    cdef int i, j, place, at = 0
    memset(shown, 0, sizeof(shown))
    for i in range(truth.head.logged):
        entry = &truth.log[i]
        for j in range(entry.n):
            shown[truth.cards[at + j]] = True
        at += entry.n
        if entry.id == DISCARD + truth.wild and entry.seat != seat:
            for place in range(TILES):
                if (truth.owner[place] == entry.seat and truth.when[place] <= i
                        and not shown[truth.wall[place]]):
                    c.fixed[place] = True


cdef void fix_known(course *c, int seat, bint keep) noexcept nogil:
    """Find what stays in its place, and which tiles another holds; with `keep` also what makes
    the course possible where chance did not."""
    cdef const am_state *truth = &c.truth
    cdef int i
    memset(c.kept, 0, sizeof(c.kept))
    c.keeps_kongs = False
    for i in range(TILES):
        c.fixed[i] = truth.owner[i] == seat or i == TURNED_AT
    if truth.gun != NONE:
        c.fixed[truth.front] = True
    if truth.winner >= 0 and truth.winner != seat:
        c.keeper = truth.winner
        for i in range(TILES):
            c.kept[i] = holds(truth, c.keeper, i)
        if truth.payer < 0:
            c.fixed[truth.drawn_at] = True
        else:
            c.kept[truth.win_tile] = False
    elif keep and in_window(truth) and truth.head.turn != seat:
        keep_claim(c)
    if keep and not truth.rules.discard_wild:
        fix_wilds(c, seat)


cdef inline bint is_hidden_kong(const course *c, int seat, const qp_logged *entry) noexcept nogil:
    """Whether a log entry is a 暗杠 whose kind a seat does not know."""
    return (c.truth.head.phase != ENDED and CONCEALED <= entry.id < ADDED and entry.seat != seat
            and not (c.keeps_kongs and entry.seat == c.keeper))


cdef void choose_kongs(course *c, int seat, qp_chacha *chance) noexcept nogil:
    """Copy the log, and give each unseen 暗杠 a kind of which no tile is known."""
    cdef const am_state *truth = &c.truth
    cdef const qp_logged *entry
    cdef bint known[34]
    cdef uint8_t kinds[34]
    cdef int i, j, kind, n, at = 0
    memset(known, 0, sizeof(known))
    known[truth.wild] = True
    for i in range(TILES):
        known[kind_of(i)] |= c.kept[i] | c.placed[i]
    for i in range(truth.head.logged):
        entry = &truth.log[i]
        c.id[i] = entry.id
        for j in range(entry.n):
            c.cards[at] = truth.cards[at]
            known[kind_of(c.cards[at])] |= not is_hidden_kong(c, seat, entry)
            at += 1
    at = 0
    for i in range(truth.head.logged):
        entry = &truth.log[i]
        if is_hidden_kong(c, seat, entry):
            n = 0
            for kind in range(MJ_KINDS):
                if not known[kind]:
                    kinds[n] = <uint8_t> kind
                    n += 1
            kind = kinds[qp_chacha_below(chance, <uint32_t> n)]
            known[kind] = True
            c.id[i] = <uint16_t> (CONCEALED + kind)
            for j in range(4):
                c.cards[at + j] = <uint8_t> (4 * kind + j)
        at += entry.n


cdef void place_tile(
    am_state *s, course *c, int seat, int by, int tile, qp_chacha *chance
) noexcept nogil:
    """Put a tile at any place of the wall, all alike, from which a seat drew before entry `by`."""
    cdef uint8_t free[136]
    cdef int place, n = 0
    if c.placed[tile]:
        return
    for place in range(TURNED_AT):
        if s.wall[place] == NONE and c.truth.owner[place] == seat and c.truth.when[place] <= by:
            free[n] = <uint8_t> place
            n += 1
    s.wall[free[qp_chacha_below(chance, <uint32_t> n)]] = <uint8_t> tile
    c.placed[tile] = True


cdef void imagine(am_state *s, course *c, int seat, bint keep, qp_chacha *chance) noexcept nogil:
    """Deal a wall in which all that the seat saw of others' tiles could happen."""
    cdef const am_state *truth = &c.truth
    cdef uint8_t pool[136]
    cdef int i, j, n = 0, at = 0
    fix_known(c, seat, keep)
    memset(c.placed, 0, sizeof(c.placed))
    for i in range(TILES):
        s.wall[i] = NONE
        if c.fixed[i]:
            s.wall[i] = truth.wall[i]
            c.placed[truth.wall[i]] = True
    choose_kongs(c, seat, chance)
    for i in range(truth.head.logged):
        for j in range(truth.log[i].n):
            if truth.log[i].seat != seat:
                place_tile(s, c, truth.log[i].seat, i, c.cards[at], chance)
            at += 1
    for i in range(TILES):
        if c.kept[i]:
            place_tile(s, c, c.keeper, truth.head.logged, i, chance)
    for i in range(TILES):
        if not c.placed[i]:
            pool[n] = <uint8_t> i
            n += 1
    qp_chacha_shuffle(chance, pool, n)
    for i in range(TILES):
        if s.wall[i] == NONE:
            n -= 1
            s.wall[i] = pool[n]


cdef inline void pass_for_turn(am_state *s) noexcept nogil:
    cdef qp_move move
    move.id, move.n = PASS, 0
    apply(s, &move, NULL)


cdef bint come_to(
    am_state *s, const course *c, int seat, const qp_logged *entry, const qp_move *move
) noexcept nogil:
    """Pass for others until a logged action is due; whether it is legal then."""
    cdef bint claims = entry.id == PASS or CHOW <= entry.id < CONCEALED or (
        entry.id == WIN and c.truth.payer >= 0)
    while in_window(s):
        if claims and s.head.turn == entry.seat and check(s, entry.seat, move) == QP_LEGAL:
            return True
        if s.head.turn == seat:
            return False
        pass_for_turn(s)
    return not claims and s.head.turn == entry.seat and check(s, entry.seat, move) == QP_LEGAL


cdef bint follow(am_state *s, const course *c, int seat) noexcept nogil:
    """Play the course on the new deal; whether the seat would see the same all along."""
    cdef const am_state *truth = &c.truth
    cdef const qp_logged *entry
    cdef qp_move move
    cdef int i, j, held, at = 0
    s.head.logged = s.head.logged_cards = 0
    memset(s.head.n_held, 0, PLAYERS)
    start(s, NULL)
    for i in range(truth.head.logged):
        entry = &truth.log[i]
        if entry.id == PASS and entry.seat != seat:
            continue
        move.id, move.n = c.id[i], entry.n
        for j in range(entry.n):
            move.cards[j] = c.cards[at]
            at += 1
        if not come_to(s, c, seat, entry, &move):
            return False
        apply(s, &move, NULL)
    if may_answer(truth, seat):
        # Where its turn has come now, its own passes are done that were held in truth.
        held = truth.head.n_held[seat]
        while in_window(s) and (s.head.turn != seat or held):
            held -= s.head.turn == seat
            pass_for_turn(s)
    elif not in_window(truth):
        while in_window(s) and s.head.turn != seat:
            pass_for_turn(s)
        return not in_window(s)
    elif s.head.turn == seat:
        return False
    return s.head.phase == truth.head.phase


cdef void resample(void *state, int seat, qp_chacha *chance) noexcept nogil:
    """Deal anew what the seat cannot see.

    While another is asked unseen, and where AM-4 tells of a hand of nothing but 混, not every deal
    will do: deals are tried, and at last one is made in which the hand that shows it stays.
    """
    cdef am_state *s = <am_state *> state
    cdef course c
    cdef int i
    memcpy(&c.truth, s, sizeof(am_state))
    for i in range(TRIES):
        imagine(s, &c, seat, i == TRIES - 1, chance)
        if follow(s, &c, seat):
            return


# Hint ------------------------------------------------------------------------------------------

# What the seat to act goes by.
cdef struct outlook:
    int seat
    uint8_t counts[34]
    uint8_t seen[34]     # copies of each kind that it sees outside its hand and melds
    uint32_t melds
    int n_melds
    int away             # from a win: with the best discard, or before the claim
    int best             # the kind to discard
    int without[34]      # on an own turn: how far from a win without one of a kind, 混 apart


cdef void look_out(const am_state *s, outlook *o) noexcept nogil:
    cdef uint8_t kinds[4]
    cdef int kind, i, j, n
    o.seat = s.head.turn
    o.melds, o.n_melds = s.melds[o.seat], s.n_melds[o.seat]
    memcpy(o.counts, s.counts[o.seat], MJ_KINDS)
    unseen(s, o.seat, o.seen)
    for kind in range(MJ_KINDS):
        o.seen[kind] = 4 - o.seen[kind] - o.counts[kind]
    for i in range(o.n_melds):
        n = meld_kinds(o.melds >> 8 * i & 255, kinds)
        for j in range(n):
            o.seen[kinds[j]] -= 1
    if s.head.phase == TURN:
        o.best = best_discard(o.counts, o.melds, s.wild, o.seen, o.without)
        o.away = away_without(s, o, o.best)
    else:
        o.best, o.away = -1, win_distance(o.counts, o.melds, s.wild)


cdef inline int away_without(const am_state *s, outlook *o, int kind) noexcept nogil:
    cdef int away
    if kind != s.wild:
        return o.without[kind]
    o.counts[kind] -= 1
    away = win_distance(o.counts, o.melds, s.wild)
    o.counts[kind] += 1
    return away


cdef bint can_still_win(const am_state *s, const outlook *o) noexcept nogil:
    """Whether the sets that are left can bring the 碰 and the run that melds lack (AM-21, 22)."""
    cdef int i, form, lacks, left = 4 - o.n_melds
    cdef bint run = False, triplet = False
    for i in range(o.n_melds):
        form = form_of(o.melds >> 8 * i & 255)
        run |= form == MJ_CHOW
        triplet |= form != MJ_CHOW
    triplet |= o.counts[31] >= 2 or o.counts[32] >= 2 or o.counts[33] >= 2
    lacks = (not run) + (not triplet)
    return lacks <= left


cdef int after_meld(const am_state *s, const outlook *o, int id) noexcept nogil:
    """The distance to a win after a meld, with the best discard where one follows; 99 where a win
    is given up."""
    cdef outlook then = o[0]
    cdef uint8_t kinds[4]
    cdef int i, code, n = own_kinds(s, id, kinds)
    for i in range(n):
        then.counts[kinds[i]] -= 1
    if id >= ADDED:
        return win_distance(then.counts, then.melds, s.wild)
    code = meld_of(
        MJ_CHOW if id < PONG else MJ_PONG if id < KONG else MJ_OPEN_KONG if id < CONCEALED
        else MJ_CONCEALED_KONG, kind_in(id))
    then.melds |= <uint32_t> code << 8 * then.n_melds
    then.n_melds += 1
    if not can_still_win(s, &then):
        return 99
    if id >= KONG:
        return win_distance(then.counts, then.melds, s.wild)
    return away_without(
        s, &then, best_discard(then.counts, then.melds, s.wild, then.seen, then.without))


cdef int opinion(const am_state *s, outlook *o, int id) noexcept nogil:
    """How good an action looks: a win, then what brings it nearer."""
    cdef int away
    if id == WIN:
        return 10000
    if id == PASS:
        return 0
    if id < CHOW:
        if id == DISCARD + s.wild and o.best != s.wild:
            return -5000
        return (id == DISCARD + o.best) - 100 * away_without(s, o, id - DISCARD)
    away = after_meld(s, o, id)
    if id < KONG:
        return 100 * (o.away - away) - (id < PONG)
    # A kong brings 番 and a draw, so it need not bring a win nearer.
    return 1000 if away <= o.away else -5000


cdef int32_t hint(const void *state, int32_t n, int32_t *out) noexcept nogil:
    cdef const am_state *s = <const am_state *> state
    cdef int32_t ids[64]
    cdef int32_t best[64]
    cdef int32_t total = list_legal(state, s.head.turn, ids), found = 0, i
    cdef outlook o
    look_out(s, &o)
    for i in range(total):
        found = keep_best(ids[i], opinion(s, &o, ids[i]), out, best, found, n)
    return found


# For many hands --------------------------------------------------------------------------------

cdef void features(const void *state, int32_t id, uint8_t *out) noexcept nogil:
    """The layout is MahjongEngine.feature_spec."""
    cdef const am_state *s = <const am_state *> state
    cdef int kind = kind_in(id), seat = s.head.turn
    memset(out, 0, FEATURES)
    if id < DISCARD:
        out[id] = 1
        return
    out[2 if id < CHOW else 3 if id < PONG else 4 + (id - PONG) // MJ_KINDS] = 1
    out[8 + kind] = 1
    out[42] = s.counts[seat][kind]
    out[43] = kind == s.wild
    out[44] = guns(s) >> kind & 1
    out[45] = CHOW <= id < PONG


# What Python sees ------------------------------------------------------------------------------

cdef qp_engine TABLE


cdef void fill_table() noexcept:
    cdef am_state s
    cdef char *base = <char *> &s
    TABLE.name = "mahjong"
    TABLE.id, TABLE.version = 5, 1
    TABLE.players, TABLE.actions, TABLE.observation = PLAYERS, ACTIONS, OBSERVATION
    TABLE.state_size = sizeof(am_state)
    TABLE.origin_at = <int> (<char *> &s.rules - base)
    TABLE.origin_size = <int> (<char *> &s.counts - base) - TABLE.origin_at
    TABLE.log_at, TABLE.log_size = <int> (<char *> &s.log - base), LOG
    TABLE.cards_at, TABLE.cards_size = <int> (<char *> &s.cards - base), CARDS
    TABLE.deal, TABLE.flaw, TABLE.start, TABLE.pending = deal, flaw, start, pending
    TABLE.count, TABLE.list, TABLE.mask, TABLE.draw = count, list_legal, mask, draw
    TABLE.check, TABLE.apply, TABLE.escape, TABLE.scores = check, apply, NULL, scores
    TABLE.observe, TABLE.resample, TABLE.hint = observe, resample, hint
    TABLE.place, TABLE.outcome = NULL, outcome_of
    TABLE.action_features, TABLE.features = FEATURES, features


fill_table()


cdef class MahjongTable(Engine):
    """The C side of the game; :class:`qipai.mahjong.game.MahjongEngine` adds its words."""

    def __cinit__(self, *args, **kwargs):
        self.table = &TABLE
        self.name = "mahjong"


cdef inline const am_state *state_of(Game game) except NULL:
    if game.table != &TABLE:
        raise TypeError("this is no game of 麻将")
    return <const am_state *> game.head


def hand(Game game, seat):
    """The ids in a hand, ascending."""
    cdef const am_state *s = state_of(game)
    cdef int who = seat_number(seat, PLAYERS)
    return [tile for tile in range(TILES) if holds(s, who, tile)]


def melds(Game game, seat):
    """A seat's melds in their order."""
    cdef const am_state *s = state_of(game)
    cdef int who = seat_number(seat, PLAYERS)
    return [meld_object(s.melds[who] >> 8 * i & 255) for i in range(s.n_melds[who])]


def river(Game game, int seat):
    """The ids that a seat discarded and nobody claimed, in order."""
    cdef const am_state *s = state_of(game)
    return [s.thrown[i] for i in range(s.n_thrown)
            if s.thrower[i] == seat and s.thrown[i] != NONE]


cdef inline object tile_or_none(int tile):
    return None if tile == NONE else tile


cdef inline object seat_or_none(int seat):
    return None if seat < 0 else seat


cdef list gun_kinds(const am_state *s):
    """The kinds that are 枪, that of the tile that says so first."""
    cdef int kind
    if not s.rules.hidden_gun:
        return [mj_kind_before(kind_of(s.turned))]
    if s.gun == NONE:
        return []
    kind = kind_of(s.gun)
    return [kind, mj_next_kind(kind)]


def table(Game game):
    """What lies open, by name."""
    cdef const am_state *s = state_of(game)
    return {
        "dealer": s.dealer,
        "turned": s.turned,
        "wild": s.wild,
        "wall_left": wall_left(s),
        "last_discard": tile_or_none(s.tile),
        "after_kong": bool(s.after_kong),
        "gun": gun_kinds(s),
        "winner": seat_or_none(s.winner),
        "win_tile": tile_or_none(s.win_tile),
        "discarder": seat_or_none(s.payer),
    }


def drawn(Game game):
    """The id that the seat to act has drawn, None after 吃 or 碰 and where others are asked."""
    return tile_or_none(state_of(game).drawn)


def asks(Game game, seat):
    """Whether a seat is still to answer what it may claim (AM-11)."""
    return may_answer(state_of(game), seat_number(seat, PLAYERS))


def sees(Game game, int viewer, int seat):
    """(whether a viewer, -1 everything, sees a seat's hand; whether it knows its 暗杠)."""
    cdef const am_state *s = state_of(game)
    return sees_hand(s, viewer, seat), sees_kongs(s, viewer, seat)


def won(Game game):
    """The winning hand as it is read, and whether it robbed a kong; (None, False) where nobody
    has won."""
    cdef const am_state *s = state_of(game)
    cdef mj_win reading
    if s.winner < 0:
        return None, False
    judge_winner(s, &reading)
    return win_object(&reading), bool(s.robbed)
