"""打滚子: the flow of a hand."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from qipai._core.bits cimport qp_ctz64, qp_high64, qp_popcount, qp_select_bit
from qipai._core.climb cimport keep_best
from qipai._core.engine cimport (
    QP_LEGAL, QP_NOT_HELD, log_move, qp_chacha, qp_chacha_below, qp_chacha_init,
    qp_chacha_shuffle, qp_engine, qp_event, qp_events, qp_head, qp_logged, qp_move, qp_rng,
    qp_rng_below, qp_tell,
)
from qipai._core.game cimport Engine, Game, seat_number
from qipai._core.gunzi cimport (
    GZ_ALL, GZ_FACES, GZ_FIVES, GZ_TENS, GZ_WEAKEST_TRUMP, alike, follows, gz_alike, gz_count,
    gz_faces, gz_follow, gz_hand, gz_minus, gz_of, gz_plus, gz_points, gz_rules, gz_settlement,
    gz_size, gz_strength, gz_suit, gz_triples, gz_trumps, next_faces, settlement, trick_taker,
)

cdef enum:
    PLAYERS = 4
    CARDS = 162
    DRAWS = 156
    BOTTOM = 6
    COPIES = 3
    SMALL = 52
    BIG = 53
    # At most five showings open a window again, and after each opening at most four are asked;
    # then tribute both ways, six buried, jokers with a done each, as many picked, 156 played.
    LOG = 880
    MOVED = 224
    TRIBUTE = 24      # room for the most blood there can be, 23
    NO_CARD = 255
    OBSERVATION = 1054
    FEATURES = 34

# Actions; a face, a suit or the face of a level card is added, n alike are blocks of their own.
cdef enum:
    PASS = 0
    ALIKE = 1         # n blocks of 54
    STEP = 163        # a card of a mixed play
    BURY = 217
    GIVE = 271
    RETURN = 325
    PICK = 379
    DONE = 433
    LEVEL = 434       # n blocks of 32
    SHOW_BIG = 530    # GZ-21
    NAME = 531        # GZ-25: three 小王 name a suit, then three 大王
    ACTIONS = 539
    WORDS = 9         # of a set of actions

cdef enum phase:
    DEALING, GIVING, RETURNING, BURYING, JOKERS, PICKING, PLAYING, ENDED

cdef enum event_kind:
    DEALT_AGAIN, DRAWN, PASSED, SHOWN, TURNED, DEALER, TRUMP, GIVEN, RETURNED, BOTTOM_SHOWN, TAKEN,
    NAMED, BURIED, JOKERS_BURIED, PICKED, LEADS, PLAYED, TRICK, OVER

# In the order of GunziEngine.reasons.
cdef enum reason:
    NO_SHAPE = 7      # QP_OWN_REASONS
    WRONG_SIZE, FOLLOW_SUIT, SHAPE_OWED, MIXED_LEAD, ORDER, ALL_ALIKE, UNFINISHED, NO_WAY_ON
    SHOW_OR_PASS, GIVE_NOW, RETURN_NOW, BURY_NOW, JOKERS_NOW, PICK_NOW, PLAY_NOW
    FIRST_SHOWS_BIG, LATER_SHOWS_LEVEL, NO_OVERTURN, OWN_SUIT
    NO_POINTS_GIVEN, NOT_HIGHEST, BURY_SIX, BIG_FIRST, ONLY_JOKERS, NOT_PICKED, NOT_SMALLEST
    NOT_UNDER, CARD_BY_CARD

ctypedef struct gz_state:
    qp_head head
    # origin
    gz_rules rules
    int8_t levels[2]      # history: by side; seats 0 and 2 are side 0
    int8_t before         # history: the dealer, -1 in the first hand of a round
    uint8_t blood
    uint16_t redeals      # how often all was dealt again before this deal
    uint8_t first         # the seat where the deal starts (GZ-11)
    uint8_t draws[156]
    uint8_t bottom[6]
    uint8_t flips[6]      # the order in which cards of the bottom are turned
    uint8_t unused
    # position
    uint64_t held[4][3]   # bit f of word c: the card 54 * c + f
    uint64_t under[3]     # the bottom as it lies
    gz_hand spent[4]      # what each has played
    int16_t points[2]     # by side (GZ-56)
    uint8_t drawn
    uint8_t opener        # who is asked first in the window
    uint8_t step          # how many of the window have been asked; 4: it is closed
    uint16_t untold       # entries of the log that are passes told of, or none
    uint8_t declined      # bit s: seat s is not asked again as things stand (GZ-20)
    int8_t level          # of the dealer's side
    int8_t dealer
    int8_t trump          # the face of the trump suit's level card, -1 before it is known
    int8_t shower
    int8_t shown          # the face that was shown, -1 for none
    uint8_t shown_n
    uint8_t shown_suit
    uint8_t trump_card    # GZ-21: the card that named the trump suit, or NO_CARD
    uint8_t turned        # how many flips were used
    uint8_t due           # cards still to give, to return or to pick
    uint8_t tribute       # cards to give in all
    uint8_t n_given
    uint8_t n_returned
    uint8_t given[24]
    uint8_t returned[24]
    uint8_t n_picked
    uint8_t picked[6]
    uint8_t picker[6]
    uint8_t first_open    # whether the bottom was shown as dealt (GZ-40)
    uint8_t open          # whether all see the bottom as it lies
    uint8_t dry           # GZ-44
    uint8_t asked         # GZ-42: how many seats on from the dealer has been asked last
    uint8_t n_named
    uint8_t named[6]      # cards that have left the hand of who is to act, but lie nowhere yet
    int8_t leader
    int8_t winner         # of the last trick
    int8_t lead
    uint8_t size          # of each play of the trick
    uint8_t laid          # how many plays it has
    int8_t faces[4]       # of those plays, -1 for a mixed one
    uint8_t trick[4][3]
    # log
    qp_logged log[880]
    uint8_t cards[224]


# Cards -----------------------------------------------------------------------------------------

cdef inline int copy_of(int card) noexcept nogil:
    return (card >= GZ_FACES) + (card >= 2 * GZ_FACES)


cdef inline int face_of(int card) noexcept nogil:
    return card - GZ_FACES * copy_of(card)


cdef inline gz_hand packed(const uint64_t *copies) noexcept nogil:
    """Cards by id as counts by face."""
    cdef gz_hand hand
    cdef uint64_t a = copies[0], b = copies[1], c = copies[2]
    hand.ones = a ^ b ^ c
    hand.twos = a & b | c & (a ^ b)
    return hand


cdef inline uint64_t faces_of(const uint64_t *copies) noexcept nogil:
    return copies[0] | copies[1] | copies[2]


cdef inline bint has(const uint64_t *copies, int card) noexcept nogil:
    return copies[copy_of(card)] >> face_of(card) & 1


cdef inline void put(uint64_t *copies, int card) noexcept nogil:
    copies[copy_of(card)] |= <uint64_t> 1 << face_of(card)


cdef inline void drop(uint64_t *copies, int card) noexcept nogil:
    copies[copy_of(card)] &= ~(<uint64_t> 1 << face_of(card))


cdef inline int lowest(const uint64_t *copies, int face) noexcept nogil:
    """The lowest id of a face that is there."""
    cdef int copy = 0
    while not copies[copy] >> face & 1:
        copy += 1
    return GZ_FACES * copy + face


cdef inline int highest(const uint64_t *copies, int face) noexcept nogil:
    """The highest id of a face that is there."""
    cdef int copy = COPIES - 1
    while not copies[copy] >> face & 1:
        copy -= 1
    return GZ_FACES * copy + face


cdef inline uint64_t one(int face) noexcept nogil:
    return <uint64_t> 1 << face


cdef inline uint64_t level_faces(int level) noexcept nogil:
    return <uint64_t> 15 << 4 * (level - 3)


cdef inline uint64_t point_faces() noexcept nogil:
    """GZ-2"""
    return GZ_FIVES | GZ_TENS


cdef inline uint64_t joker_faces() noexcept nogil:
    return <uint64_t> 3 << SMALL


cdef inline uint64_t givable(int level) noexcept nogil:
    """GZ-30"""
    return GZ_ALL & ~point_faces() | level_faces(level)


cdef inline uint64_t pickable() noexcept nogil:
    """GZ-42"""
    return GZ_ALL & ~(point_faces() | joker_faces())


cdef uint64_t equals(int trump, uint64_t faces, bint highest) noexcept nogil:
    """Those of a set of faces that are the strongest, or the weakest, of it (GZ-4)."""
    cdef uint64_t found = 0
    cdef int best = -1, strength, face
    while faces:
        face = qp_ctz64(faces)
        faces &= faces - 1
        strength = gz_strength(trump, face)
        if not highest:
            strength = 30 - strength
        if strength > best:
            best, found = strength, 0
        if strength == best:
            found |= one(face)
    return found


# Deal and start --------------------------------------------------------------------------------

cdef void shuffle_deal(gz_state *s, qp_chacha *chance) noexcept nogil:
    """All 162 in the order drawn, the last six being the bottom; then the order of the flips."""
    cdef uint8_t deck[162]
    cdef int i
    for i in range(CARDS):
        deck[i] = <uint8_t> i
    qp_chacha_shuffle(chance, deck, CARDS)
    memcpy(s.draws, deck, DRAWS)
    memcpy(s.bottom, &deck[DRAWS], BOTTOM)
    for i in range(BOTTOM):
        s.flips[i] = <uint8_t> i
    qp_chacha_shuffle(chance, s.flips, BOTTOM)


cdef void deal(void *state, qp_chacha *chance) noexcept nogil:
    """Pick the seat where the deal starts, unless it is the dealer's (GZ-11), then shuffle."""
    cdef gz_state *s = <gz_state *> state
    s.redeals = 0
    s.first = <uint8_t> (s.before if s.before >= 0 else <int> qp_chacha_below(chance, PLAYERS))
    shuffle_deal(s, chance)


cdef const char *flaw(const void *state) noexcept nogil:
    cdef const gz_state *s = <const gz_state *> state
    cdef uint64_t seen[3]
    cdef unsigned int flips = 0
    cdef int i, card
    if not (3 <= s.levels[0] <= 10 and 3 <= s.levels[1] <= 10):
        return "history: levels must be from 3 to 10"
    if not -1 <= s.before < PLAYERS or s.blood >= TRIBUTE:
        return "history: the dealer must be a seat or None, blood from 0 to 23"
    if s.before < 0 and (s.levels[0] != 3 or s.levels[1] != 3 or s.blood):
        return "history: a round begins at level 3 for both, and without blood (GZ-10)"
    if s.first >= PLAYERS:
        return "deal: start must be a seat from 0 to 3"
    if s.before >= 0 and s.first != s.before:
        return "deal: start must be the dealer, who is known (GZ-11)"
    memset(seen, 0, sizeof(seen))
    for i in range(CARDS):
        card = s.draws[i] if i < DRAWS else s.bottom[i - DRAWS]
        if card >= CARDS or has(seen, card):
            return "deal: draws and bottom must have each card once"
        put(seen, card)
    for i in range(BOTTOM):
        if s.flips[i] >= BOTTOM:
            return "deal: flips must be places in the bottom"
        flips |= 1 << s.flips[i]
    if flips != 63:
        return "deal: flips must name each place once"
    return NULL


cdef void begin(gz_state *s, qp_events *events) noexcept nogil:
    """The position before the first card is drawn."""
    memset(s.held, 0, <size_t> (<char *> s.log - <char *> s.held))
    s.dealer = s.before
    s.level = s.levels[s.dealer & 1] if s.dealer >= 0 else 3
    s.trump = s.shower = s.shown = s.leader = s.winner = s.lead = -1
    s.trump_card = NO_CARD
    s.step = PLAYERS
    s.head.phase = DEALING
    cdef int i
    for i in range(BOTTOM):
        put(s.under, s.bottom[i])
    if s.redeals:
        qp_tell(events, DEALT_AGAIN, -1, -1)


cdef void start(void *state, qp_events *events) noexcept nogil:
    cdef gz_state *s = <gz_state *> state
    begin(s, events)
    go_on(s, events)


cdef inline void tell_card(qp_event *event, int card) noexcept nogil:
    if event != NULL:
        event.cards[0] = <uint8_t> card
        event.n = 1


cdef inline void tell_cards(qp_event *event, const uint64_t *copies) noexcept nogil:
    cdef int copy
    cdef uint64_t faces
    if event == NULL:
        return
    for copy in range(COPIES):
        faces = copies[copy]
        while faces:
            event.cards[event.n] = <uint8_t> (GZ_FACES * copy + qp_ctz64(faces))
            event.n += 1
            faces &= faces - 1


cdef inline void only_for(qp_event *event, int seat) noexcept nogil:
    """Nobody else learns of it."""
    if event != NULL:
        event.audience = event.detail = <uint8_t> (1 << seat)


cdef inline void detail_for(qp_event *event, int seat) noexcept nogil:
    """The others learn how many cards it was."""
    if event != NULL:
        event.detail = <uint8_t> (1 << seat)


# Bidding (GZ-20..26) ---------------------------------------------------------------------------

cdef inline bint is_first(const gz_state *s) noexcept nogil:
    """Whether this is the first hand of a round."""
    return s.before < 0


cdef inline bint overturns(const gz_state *s, int seat, int face, int n) noexcept nogil:
    """Whether a seat may show n of a face over what is shown, in a later hand (GZ-24, GZ-25)."""
    if s.shown < 0:
        return True
    if face >= SMALL:
        return face > s.shown  # three 大王 over three 小王, both over level cards
    return n > s.shown_n and s.shown < SMALL and (
        seat != s.shower or face == s.shown or s.rules.self_overturn)


cdef struct showings:
    uint64_t level[3]  # faces of which one, two, three may be shown
    uint64_t jokers    # faces of which three may be shown
    bint big           # GZ-21


cdef inline bint find_showings(const gz_state *s, int seat, showings *out) noexcept nogil:
    """What a seat may show now; whether that is anything."""
    cdef gz_hand hand = packed(s.held[seat])
    cdef uint64_t faces, any
    out.level[0] = out.level[1] = out.level[2] = out.jokers = 0
    out.big = False
    if is_first(s):
        out.big = s.shown < 0 and gz_faces(hand) >> BIG & 1
        return out.big
    out.jokers = gz_triples(hand) & joker_faces()
    if s.shown >= SMALL:  # GZ-25
        out.jokers &= one(BIG) if s.shown == SMALL else 0
        return out.jokers != 0
    faces = level_faces(s.level)
    if s.shown >= 0 and seat == s.shower and not s.rules.self_overturn:  # GZ-24
        faces = one(s.shown)
    if s.shown < 0:
        out.level[0] = gz_faces(hand) & faces
    if s.shown < 0 or s.shown_n < 2:
        out.level[1] = hand.twos & faces
    if s.shown < 0 or s.shown_n < 3:
        out.level[2] = gz_triples(hand) & faces
    any = out.level[0] | out.level[1] | out.level[2] | out.jokers
    return any != 0


cdef inline bint can_show(const gz_state *s, int seat) noexcept nogil:
    cdef showings found
    return find_showings(s, seat, &found)


cdef inline bint adds(const gz_state *s, int seat, int face) noexcept nogil:
    """Whether a card of a face, just drawn in a later hand, lets the seat show what it could not
    before. In a first hand a second 大王 adds nothing."""
    cdef int n = gz_count(packed(s.held[seat]), face)
    if face >= SMALL and n < COPIES:
        return False
    return overturns(s, seat, face, n)


cdef inline void set_trump(gz_state *s, int suit, int card, qp_events *events) noexcept nogil:
    cdef qp_event *event
    s.trump = <int8_t> (4 * (s.level - 3) + suit)
    s.trump_card = <uint8_t> card
    event = qp_tell(events, TRUMP, s.dealer, -1)
    if card != NO_CARD:
        tell_card(event, card)


cdef bint draw_card(gz_state *s, qp_events *events) noexcept nogil:
    """Deal the next card; whether a window opens in which anybody might be asked."""
    cdef int seat = (s.first + s.drawn) & 3, card = s.draws[s.drawn], face = face_of(card)
    cdef qp_event *event
    cdef bint matters
    put(s.held[seat], card)
    s.drawn += 1
    s.opener = <uint8_t> seat
    if events != NULL:
        event = qp_tell(events, DRAWN, seat, -1)
        tell_card(event, card)
        detail_for(event, seat)
    if is_first(s):
        if s.shown >= 0:
            if s.trump < 0 and seat == s.dealer and face < SMALL:  # GZ-21
                set_trump(s, face & 3, card, events)
            return False
        matters = face == BIG
    else:
        matters = face >= SMALL or level_faces(s.level) >> face & 1
        if matters and adds(s, seat, face):
            s.declined &= <uint8_t> ~(1 << seat)
    if s.drawn == DRAWS or s.rules.every_window:
        s.declined = 0
        return True
    # Everybody else who can show has declined, so that another card asks nobody.
    return matters


cdef void tell_passes(gz_state *s, int before, qp_events *events) noexcept nogil:
    """Tell who said no before a log entry, each only of itself, now that the asking has ended:
    earlier it would give away how far the asking has come."""
    cdef const qp_logged *entry
    cdef int i
    for i in range(s.untold, before):
        entry = &s.log[i]
        if entry.id == PASS or entry.id == DONE:
            only_for(qp_tell(events, PASSED, entry.seat, entry.id), entry.seat)
    s.untold = s.head.logged


cdef void go_on(gz_state *s, qp_events *events) noexcept nogil:
    """Deal until somebody is asked or the bidding is over."""
    cdef int seat
    while True:
        while s.step < PLAYERS:
            seat = (s.opener + s.step) & 3
            if not s.declined >> seat & 1 and can_show(s, seat):
                s.head.turn = <int8_t> seat
                return
            s.step += 1
        tell_passes(s, s.head.logged, events)
        if s.drawn < DRAWS:
            s.step = 0 if draw_card(s, events) else PLAYERS
        elif close_bidding(s, events):
            start_tribute(s, events)
            return
        else:
            deal_again(s, events)


cdef void deal_again(gz_state *s, qp_events *events) noexcept nogil:
    """A new shuffle with the same start (GZ-22, GZ-26): the k-th comes from stream k of the seed.

    What was done before counts for nothing any more, so that the hand begins anew, log and all.
    """
    cdef qp_chacha chance
    cdef int i
    s.redeals += 1
    qp_chacha_init(&chance, s.head.seed, s.redeals)
    shuffle_deal(s, &chance)
    s.head.logged = s.head.logged_cards = 0
    memset(s.head.n_held, 0, PLAYERS)
    # Room for all that a deal can tell at once.
    if events != NULL and events.n > 16:
        events.n = 0
    begin(s, events)


cdef inline int turn_one(gz_state *s, int seat, qp_events *events) noexcept nogil:
    """Turn cards of the bottom until one is suited; -1 where it runs out."""
    cdef int card
    while s.turned < BOTTOM:
        card = s.bottom[s.flips[s.turned]]
        s.turned += 1
        tell_card(qp_tell(events, TURNED, seat, -1), card)
        if face_of(card) < SMALL:
            return card
    return -1


cdef inline int flip_rank(int card) noexcept nogil:
    """GZ-22: 3 > 2 > A > K > .. > 4."""
    cdef int rank = face_of(card) >> 2
    return 13 if rank == 0 else rank


cdef bint close_bidding(gz_state *s, qp_events *events) noexcept nogil:
    """Name dealer and trump suit; False where all must be dealt again."""
    cdef int i, card, best = -1
    if is_first(s):
        if s.shown >= 0:
            if s.trump < 0:
                # GZ-21: the bottom has a suited card, as not all jokers lie in it.
                i = 0
                while face_of(s.bottom[i]) >= SMALL:
                    i += 1
                set_trump(s, face_of(s.bottom[i]) & 3, s.bottom[i], events)
            return True
        for i in range(PLAYERS):  # GZ-22
            card = turn_one(s, (s.first + i) & 3, events)
            if card < 0:
                return False
            if best < 0 or flip_rank(card) > flip_rank(best):
                best, s.dealer = card, <int8_t> ((s.first + i) & 3)
        qp_tell(events, DEALER, s.dealer, -1)
        set_trump(s, face_of(best) & 3, NO_CARD, events)
    elif s.shown >= 0:
        set_trump(s, s.shown_suit, NO_CARD, events)
    else:
        card = turn_one(s, -1, events)  # GZ-26
        if card < 0:
            return False
        set_trump(s, face_of(card) & 3, NO_CARD, events)
    return True


cdef void show(gz_state *s, int seat, int id, qp_events *events) noexcept nogil:
    cdef int i
    s.shower = <int8_t> seat
    if id == SHOW_BIG:
        s.dealer = <int8_t> seat
        s.shown, s.shown_n = BIG, 1
    elif id >= NAME:
        s.shown, s.shown_n = <int8_t> (SMALL + (id - NAME >> 2)), COPIES
        s.shown_suit = <uint8_t> (id - NAME & 3)
    else:
        s.shown, s.shown_n = <int8_t> (id - LEVEL & 31), <uint8_t> ((id - LEVEL >> 5) + 1)
        s.shown_suit = <uint8_t> (s.shown & 3)
    tell_passes(s, s.head.logged - 1, events)
    qp_tell(events, SHOWN, seat, id)
    if id == SHOW_BIG:
        qp_tell(events, DEALER, seat, -1)
    # The window opens again, and what was answered before was another question (GZ-20).
    s.declined = 0
    s.opener, s.step = <uint8_t> ((seat + 1) & 3), 0
    memset(s.head.n_held, 0, PLAYERS)
    go_on(s, events)


# Tribute and the bottom (GZ-30..44) ------------------------------------------------------------

cdef inline int giver_of(int dealer) noexcept nogil:
    """上家"""
    return (dealer + 3) & 3


cdef void start_tribute(gz_state *s, qp_events *events) noexcept nogil:
    cdef int giver = giver_of(s.dealer)
    s.tribute = <uint8_t> min(
        <int> s.blood, gz_size(gz_of(packed(s.held[giver]), givable(s.level))))
    s.due = s.tribute
    if s.due:
        s.head.phase, s.head.turn = GIVING, <int8_t> giver
    else:
        show_bottom(s, events)


cdef inline bint is_dry(const gz_state *s) noexcept nogil:
    """GZ-44: no card of the trump suit but level cards and 2s, or nothing but trumps."""
    cdef uint64_t faces = faces_of(s.under)
    cdef uint64_t plain = <uint64_t> 0x111111111111 << (s.trump & 3) & ~level_faces(s.level)
    return faces & plain == 0 or faces & ~gz_trumps(s.trump) == 0


cdef void show_bottom(gz_state *s, qp_events *events) noexcept nogil:
    """GZ-40"""
    cdef qp_event *event
    cdef int copy
    if s.shown >= 0:
        s.first_open = s.open = 1
        tell_cards(qp_tell(events, BOTTOM_SHOWN, -1, -1), s.under)
        if is_dry(s):
            s.dry = 1
            start_play(s, events)
            return
    event = qp_tell(events, TAKEN, s.dealer, -1)
    tell_cards(event, s.under)
    if not s.first_open:
        detail_for(event, s.dealer)
    for copy in range(COPIES):
        s.held[s.dealer][copy] |= s.under[copy]
        s.under[copy] = 0
    s.open = 0
    s.head.phase, s.head.turn = BURYING, s.dealer


cdef void bury(gz_state *s, qp_events *events) noexcept nogil:
    """Lay the six named cards down as the new bottom (GZ-41)."""
    cdef qp_event *event
    cdef int i
    for i in range(BOTTOM):
        put(s.under, s.named[i])
    s.n_named = 0
    s.open = faces_of(s.under) & joker_faces() != 0
    event = qp_tell(events, BURIED, s.dealer, -1)
    tell_cards(event, s.under)
    if not s.open:
        detail_for(event, s.dealer)
    ask_jokers(s, events)


cdef void ask_jokers(gz_state *s, qp_events *events) noexcept nogil:
    """Ask the next of the dealer's three others (GZ-42), as long as there is anything to pick
    (GZ-43)."""
    if s.asked < 3 and faces_of(s.under) & pickable():
        s.asked += 1
        s.head.phase, s.head.turn = JOKERS, <int8_t> ((s.dealer + s.asked) & 3)
    else:
        tell_passes(s, s.head.logged, events)
        start_play(s, events)


cdef void bury_jokers(gz_state *s, int seat, qp_events *events) noexcept nogil:
    """GZ-42: the named jokers are seen and go under, but for those beyond what there is to pick."""
    cdef uint64_t jokers[3]
    cdef int n = s.n_named, keep = gz_size(gz_of(packed(s.under), pickable())), i, face, card
    if n == 0:
        ask_jokers(s, events)
        return
    tell_passes(s, s.head.logged - 1, events)
    memset(jokers, 0, sizeof(jokers))
    for i in range(n):
        put(jokers, s.named[i])
    s.n_named = 0
    tell_cards(qp_tell(events, JOKERS_BURIED, seat, -1), jokers)
    for i in range(n - keep):
        face = SMALL if faces_of(jokers) >> SMALL & 1 else BIG
        card = highest(jokers, face)
        drop(jokers, card)
        put(s.held[seat], card)
    for i in range(COPIES):
        s.under[i] |= jokers[i]
    s.open = 1
    tell_cards(qp_tell(events, BOTTOM_SHOWN, -1, -1), s.under)
    s.due = <uint8_t> min(n, keep)
    s.head.phase, s.head.turn = PICKING, <int8_t> seat


# Play (GZ-50..61) ------------------------------------------------------------------------------

cdef void start_play(gz_state *s, qp_events *events) noexcept nogil:
    s.leader = s.dealer  # GZ-50
    s.head.phase, s.head.turn = PLAYING, s.dealer
    qp_tell(events, LEADS, s.dealer, -1)


cdef inline int worth_of(int card) noexcept nogil:
    """GZ-2"""
    cdef int rank = face_of(card) >> 2
    return 5 if rank == 2 else 10 if rank == 7 or rank == 10 else 0


cdef void lay(
    gz_state *s, int seat, int face, int n, int id, qp_events *events
) noexcept nogil:
    """Put the named cards on the table as a play; face -1 for a mixed one."""
    cdef qp_event *event = qp_tell(events, PLAYED, seat, id)
    cdef int i
    if s.laid == 0:
        s.lead, s.size, s.leader = <int8_t> face, <uint8_t> n, <int8_t> seat
    s.faces[s.laid] = <int8_t> face
    for i in range(n):
        s.trick[s.laid][i] = s.named[i]
        s.spent[seat] = gz_plus(s.spent[seat], gz_alike(face_of(s.named[i]), 1))
        if event != NULL:
            event.cards[i] = s.named[i]
    if event != NULL:
        event.n = <uint8_t> n
    s.n_named = 0
    s.laid += 1
    if s.laid == PLAYERS:
        take_trick(s, events)
    else:
        s.head.turn = <int8_t> ((seat + 1) & 3)


cdef void take_trick(gz_state *s, qp_events *events) noexcept nogil:
    cdef int winner = (s.leader + trick_taker(s.trump, s.faces, PLAYERS)) & 3, i, j
    for i in range(PLAYERS):
        for j in range(s.size):
            s.points[winner & 1] += worth_of(s.trick[i][j])
    s.laid = s.size = 0
    s.winner = s.leader = s.head.turn = <int8_t> winner
    qp_tell(events, TRICK, winner, -1)
    if faces_of(s.held[winner]) == 0:
        s.head.phase, s.head.turn = ENDED, -1
        tell_cards(qp_tell(events, OVER, -1, -1), s.under)


cdef inline bint is_dug(const gz_state *s) noexcept nogil:
    """GZ-60"""
    return (s.winner ^ s.dealer) & 1


cdef inline int total_of(const gz_state *s) noexcept nogil:
    """The attackers' points at the end (GZ-61)."""
    cdef int total = s.points[~s.dealer & 1]
    return total + 2 * gz_points(packed(s.under)) if is_dug(s) else total


cdef gz_settlement settle(const gz_state *s) noexcept nogil:
    cdef gz_hand bottom = packed(s.under)
    return settlement(
        &s.rules, total_of(s), is_dug(s), gz_count(bottom, BIG), gz_count(bottom, SMALL),
        s.levels[s.dealer & 1], s.levels[~s.dealer & 1], s.dry)


cdef void scores(const void *state, int64_t *out) noexcept nogil:
    """GZ-66"""
    cdef const gz_state *s = <const gz_state *> state
    cdef gz_settlement done = settle(s)
    cdef int64_t gained = <int64_t> done.gained * s.rules.stake if done.gainer >= 0 else 0
    cdef int seat
    for seat in range(PLAYERS):
        out[seat] = gained if ((seat ^ s.dealer) & 1) == done.gainer else -gained


# Actions ---------------------------------------------------------------------------------------

# Legal actions as blocks of ids, ascending: bit i of a set is the id `at` + i.
cdef struct choices:
    int n
    int at[6]
    uint64_t set[6]


cdef inline void offer(choices *c, int at, uint64_t set) noexcept nogil:
    if set:
        c.at[c.n], c.set[c.n] = at, set
        c.n += 1


cdef uint32_t pending(const void *state) noexcept nogil:
    """Who may answer: in a window all who are to be asked unless somebody shows (GZ-20), and of the
    dealer's others all who have not been asked about jokers (GZ-42)."""
    cdef const gz_state *s = <const gz_state *> state
    cdef uint32_t seats = 1 << s.head.turn
    cdef int i, seat
    if s.head.phase == DEALING:
        for i in range(s.step + 1, PLAYERS):
            seat = (s.opener + i) & 3
            if not s.declined >> seat & 1 and s.head.n_held[seat] == 0 and can_show(s, seat):
                seats |= 1 << seat
    elif s.head.phase == JOKERS:
        for i in range(s.asked + 1, PLAYERS):
            seat = (s.dealer + i) & 3
            seats |= (s.head.n_held[seat] == 0) << seat
    return seats


cdef uint64_t to_bury(const gz_state *s) noexcept nogil:
    """The faces that may be buried next so that six, ascending, can be (GZ-41)."""
    cdef gz_hand hand = packed(s.held[s.dealer])
    cdef int need = BOTTOM - s.n_named, small = gz_count(hand, SMALL), big = gz_count(hand, BIG)
    cdef int last = face_of(s.named[s.n_named - 1]) if s.n_named else 0
    cdef uint64_t rest = gz_faces(hand) & ~<uint64_t> 0 << last, mask, left
    cdef int face = 0, n = 0
    # Enough cards from the chosen face on ..
    left = rest
    while n < need:
        face = qp_high64(left)
        left ^= one(face)
        n += gz_count(hand, face)
    mask = rest & ((one(face) << 1) - 1) & ~joker_faces()
    # .. and with a 小王 every 大王, with a 大王 alone only what is left of them.
    if rest >> SMALL & 1 and big < need <= big + small:
        mask |= one(SMALL)
    if big and (need == big if last == SMALL else need <= big):
        mask |= one(BIG)
    return mask


cdef inline gz_hand before_play(const gz_state *s, int seat) noexcept nogil:
    """The hand with the cards of a play that has begun."""
    cdef gz_hand hand = packed(s.held[seat])
    cdef int i
    for i in range(s.n_named):
        hand = gz_plus(hand, gz_alike(face_of(s.named[i]), 1))
    return hand


cdef void find_plays(const gz_state *s, int seat, choices *c) noexcept nogil:
    cdef gz_hand hand
    cdef gz_follow f
    cdef uint8_t chosen[3]
    cdef int i
    if s.laid == 0:
        hand = packed(s.held[seat])
        offer(c, ALIKE, gz_faces(hand))
        offer(c, ALIKE + GZ_FACES, hand.twos)
        offer(c, ALIKE + 2 * GZ_FACES, gz_triples(hand))
        return
    hand = before_play(s, seat)
    f = follows(s.lead, s.size, hand, s.trump, s.rules.dead)
    for i in range(s.n_named):
        chosen[i] = <uint8_t> face_of(s.named[i])
    if s.n_named == 0:
        offer(c, ALIKE + GZ_FACES * (s.size - 1), alike(&f))
    offer(c, STEP, next_faces(&f, chosen, s.n_named))


cdef void legal(const gz_state *s, int seat, choices *c) noexcept nogil:
    cdef showings found
    cdef uint64_t faces, last
    cdef int i, named
    c.n = 0
    if s.head.phase == PLAYING:
        find_plays(s, seat, c)
    elif s.head.phase == DEALING:
        find_showings(s, seat, &found)
        offer(c, PASS, 1)
        for i in range(COPIES):
            offer(c, LEVEL + 32 * i, found.level[i])
        faces = 15 if found.jokers >> SMALL & 1 else 0
        faces |= 15 << 4 if found.jokers >> BIG & 1 else 0
        offer(c, SHOW_BIG, <uint64_t> found.big | faces << 1)
    elif s.head.phase == GIVING:  # GZ-30
        faces = faces_of(s.held[seat]) & givable(s.level)
        offer(c, GIVE, equals(s.trump, faces, True))
    elif s.head.phase == RETURNING:
        offer(c, RETURN, faces_of(s.held[seat]))
    elif s.head.phase == BURYING:
        offer(c, BURY, to_bury(s))
    elif s.head.phase == PICKING:  # GZ-42
        offer(c, PICK, equals(s.trump, faces_of(s.under) & pickable(), False))
    elif s.head.phase == JOKERS:
        # Ascending; who has named a 小王 may keep no 大王 (GZ-41).
        faces = faces_of(s.held[seat]) & joker_faces()
        named = s.n_named if seat == s.head.turn else 0
        if named and face_of(s.named[named - 1]) == BIG:
            faces &= one(BIG)
        offer(c, BURY, faces)
        last = named and face_of(s.named[0]) == SMALL
        if not last or not faces >> BIG & 1:
            offer(c, DONE, 1)


cdef int32_t count(const void *state, int seat) noexcept nogil:
    cdef choices c
    cdef int i, n = 0
    legal(<const gz_state *> state, seat, &c)
    for i in range(c.n):
        n += qp_popcount(c.set[i])
    return n


cdef int32_t list_legal(const void *state, int seat, int32_t *out) noexcept nogil:
    cdef choices c
    cdef uint64_t set
    cdef int i, n = 0
    legal(<const gz_state *> state, seat, &c)
    for i in range(c.n):
        set = c.set[i]
        while set:
            out[n] = c.at[i] + qp_ctz64(set)
            n += 1
            set &= set - 1
    return n


cdef void mask(const void *state, int seat, uint64_t *out) noexcept nogil:
    cdef choices c
    cdef int i, at
    legal(<const gz_state *> state, seat, &c)
    memset(out, 0, WORDS * sizeof(uint64_t))
    for i in range(c.n):
        at = c.at[i]
        out[at >> 6] |= c.set[i] << (at & 63)
        if at & 63 and (at >> 6) + 1 < WORDS:
            out[(at >> 6) + 1] |= c.set[i] >> (64 - (at & 63))


cdef int32_t draw(const void *state, qp_rng *rng) noexcept nogil:
    cdef const gz_state *s = <const gz_state *> state
    cdef choices c
    cdef int sizes[6]
    cdef int i, n = 0, k
    legal(s, s.head.turn, &c)
    for i in range(c.n):
        sizes[i] = qp_popcount(c.set[i])
        n += sizes[i]
    k = <int> qp_rng_below(rng, <uint32_t> n)
    i = 0
    while k >= sizes[i]:
        k -= sizes[i]
        i += 1
    return c.at[i] + qp_select_bit(&c.set[i], k)


cdef inline bint is_offered(const choices *c, int id) noexcept nogil:
    cdef int i
    for i in range(c.n):
        if c.at[i] <= id < c.at[i] + 64 and c.set[i] >> (id - c.at[i]) & 1:
            return True
    return False


cdef inline int size_of(int id) noexcept nogil:
    """How many cards an action moves."""
    if ALIKE <= id < STEP:
        return (id - ALIKE) // GZ_FACES + 1
    return STEP <= id < DONE


cdef inline int face_of_id(int id) noexcept nogil:
    """The face of the cards that an action moves."""
    return (id - ALIKE) % GZ_FACES


cdef int check_cards(const uint64_t *where, const qp_move *move) noexcept nogil:
    """Whether exact cards are those of the action."""
    cdef uint64_t seen[3]
    cdef int i, card
    memset(seen, 0, sizeof(seen))
    if move.n != size_of(move.id):
        return QP_NOT_HELD
    for i in range(move.n):
        card = move.cards[i]
        if (card >= CARDS or face_of(card) != face_of_id(move.id) or has(seen, card)
                or not has(where, card)):
            return QP_NOT_HELD
        put(seen, card)
    return QP_LEGAL


cdef int check(const void *state, int seat, const qp_move *move) noexcept nogil:
    cdef const gz_state *s = <const gz_state *> state
    cdef choices c
    if move.id < 0:
        return CARD_BY_CARD if BURYING <= s.head.phase <= JOKERS else NO_SHAPE
    legal(s, seat, &c)
    if not is_offered(&c, move.id):
        return why_not(s, seat, move.id)
    if move.n:
        if s.head.phase == PICKING:
            return check_cards(s.under, move)
        return check_cards(s.held[seat], move)
    return QP_LEGAL


cdef int why_not(const gz_state *s, int seat, int id) noexcept nogil:
    """The rule that an action breaks which is not legal now."""
    cdef int n = size_of(id), face = face_of_id(id)
    if s.head.phase == DEALING:
        return SHOW_OR_PASS if id < LEVEL else why_no_show(s, seat, id)
    if s.head.phase == PLAYING:
        return PLAY_NOW if id == PASS or id >= BURY else why_no_play(s, seat, id)
    if s.head.phase == GIVING:
        if not GIVE <= id < RETURN:
            return GIVE_NOW
        if not faces_of(s.held[seat]) >> face & 1:
            return QP_NOT_HELD
        return NOT_HIGHEST if givable(s.level) >> face & 1 else NO_POINTS_GIVEN
    if s.head.phase == RETURNING:
        return QP_NOT_HELD if RETURN <= id < PICK else RETURN_NOW
    if s.head.phase == PICKING:
        if not PICK <= id < DONE:
            return PICK_NOW
        if not faces_of(s.under) >> face & 1:
            return NOT_UNDER
        return NOT_SMALLEST if pickable() >> face & 1 else NOT_PICKED
    if s.head.phase == BURYING:
        if not BURY <= id < GIVE:
            return BURY_NOW
    elif id == DONE:
        return BIG_FIRST
    elif not BURY <= id < GIVE:
        return JOKERS_NOW
    if not faces_of(s.held[seat]) >> face & 1:
        return QP_NOT_HELD
    if s.head.phase == JOKERS and face < SMALL:
        return ONLY_JOKERS
    if s.n_named and seat == s.head.turn and face < face_of(s.named[s.n_named - 1]):
        return ORDER
    return BIG_FIRST if face >= SMALL else NO_WAY_ON


cdef int why_no_show(const gz_state *s, int seat, int id) noexcept nogil:
    cdef gz_hand hand = packed(s.held[seat])
    cdef int face, n
    if id == SHOW_BIG:
        face, n = BIG, 1
    elif id >= NAME:
        face, n = SMALL + (id - NAME >> 2), COPIES
    else:
        face, n = id - LEVEL & 31, (id - LEVEL >> 5) + 1
    if is_first(s) != (id == SHOW_BIG):
        return FIRST_SHOWS_BIG if is_first(s) else LATER_SHOWS_LEVEL
    if LEVEL <= id < SHOW_BIG and not level_faces(s.level) >> face & 1:
        return LATER_SHOWS_LEVEL
    if gz_count(hand, face) < n:
        return QP_NOT_HELD
    if n > s.shown_n and seat == s.shower and face < SMALL and s.shown < SMALL:
        return OWN_SUIT
    return NO_OVERTURN


cdef int why_no_play(const gz_state *s, int seat, int id) noexcept nogil:
    cdef gz_hand hand = packed(s.held[seat])
    cdef int n = size_of(id), face = face_of_id(id), last = -1, held
    if s.n_named:
        last = face_of(s.named[s.n_named - 1])
        if id < STEP:
            return UNFINISHED
    if gz_count(hand, face) < n:
        return QP_NOT_HELD
    if id >= STEP and s.laid == 0:
        return MIXED_LEAD
    if (id >= STEP and s.size == 1) or (id < STEP and n != s.size):
        return WRONG_SIZE
    if face < last:
        return ORDER
    hand = gz_of(before_play(s, seat), gz_suit(s.trump, s.lead))
    held = gz_size(hand)
    # A 棒 or 滚 that fills a play in the suit led is always allowed.
    if id < STEP or (held >= s.size and not gz_faces(hand) >> face & 1):
        return FOLLOW_SUIT
    if s.rules.dead and held >= s.size and hand.twos:
        return SHAPE_OWED
    return ALL_ALIKE if face == last and face == face_of(s.named[0]) else NO_WAY_ON


cdef inline void take(
    uint64_t *where, const qp_move *move, int face, int n, uint8_t *room
) noexcept nogil:
    """Take n cards of a face out, those that are named exactly or else the lowest."""
    cdef int i
    for i in range(n):
        room[i] = move.cards[i] if move.n else <uint8_t> lowest(where, face)
        drop(where, room[i])


cdef void apply(void *state, const qp_move *move, qp_events *events) noexcept nogil:
    cdef gz_state *s = <gz_state *> state
    cdef int seat = s.head.turn, id = move.id, n = size_of(id), i
    cdef uint8_t *room = log_move(&s.head, s.log, s.cards, id, seat, n)
    if n:
        take(
            &s.under[0] if id >= PICK else &s.held[seat][0], move, face_of_id(id), n, room)
    if id == PASS:
        s.declined |= <uint8_t> (1 << seat)
        s.step += 1
        go_on(s, events)
    elif id < GIVE:
        for i in range(n):
            s.named[s.n_named + i] = room[i]
        s.n_named += <uint8_t> n
        if id < STEP:
            lay(s, seat, face_of_id(id), n, id, events)
            return
        if events != NULL:
            name_event(s, seat, id, events)
        if id < BURY:
            if s.n_named == s.size:
                lay(s, seat, -1, s.size, -1, events)
        elif s.head.phase == BURYING and s.n_named == BOTTOM:
            bury(s, events)
    elif id < RETURN:
        give(s, seat, room[0], id, events)
    elif id < PICK:
        give_back(s, seat, room[0], id, events)
    elif id < DONE:
        put(s.held[seat], room[0])
        s.picked[s.n_picked] = room[0]
        s.picker[s.n_picked] = <uint8_t> seat
        s.n_picked += 1
        tell_card(qp_tell(events, PICKED, seat, id), room[0])
        s.due -= 1
        if s.due == 0:
            ask_jokers(s, events)
    elif id == DONE:
        bury_jokers(s, seat, events)
    else:
        show(s, seat, id, events)


cdef void name_event(gz_state *s, int seat, int id, qp_events *events) noexcept nogil:
    cdef qp_event *event = qp_tell(events, NAMED, seat, id)
    tell_card(event, s.named[s.n_named - 1])
    only_for(event, seat)


cdef void give(gz_state *s, int seat, int card, int id, qp_events *events) noexcept nogil:
    """GZ-30"""
    put(s.held[s.dealer], card)
    s.given[s.n_given] = <uint8_t> card
    s.n_given += 1
    tell_card(qp_tell(events, GIVEN, seat, id), card)
    s.due -= 1
    if s.due == 0:
        s.due = s.tribute
        s.head.phase, s.head.turn = RETURNING, s.dealer


cdef void give_back(gz_state *s, int seat, int card, int id, qp_events *events) noexcept nogil:
    """GZ-31"""
    put(s.held[giver_of(seat)], card)
    s.returned[s.n_returned] = <uint8_t> card
    s.n_returned += 1
    tell_card(qp_tell(events, RETURNED, seat, id), card)
    s.due -= 1
    if s.due == 0:
        show_bottom(s, events)


# Looking ---------------------------------------------------------------------------------------

cdef inline bint hides_turn(const gz_state *s) noexcept nogil:
    """Whether who is asked is a secret (GZ-20, GZ-42)."""
    return s.head.phase == DEALING or s.head.phase == JOKERS


cdef inline bint may_answer(const gz_state *s, int seat) noexcept nogil:
    """Whether a seat has something to answer, as far as it can tell."""
    return s.head.turn >= 0 and pending(s) >> seat & 1


cdef inline bint sees_bottom(const gz_state *s, int seat) noexcept nogil:
    """Whether a seat (-1: everything) knows the bottom as it lies."""
    return seat < 0 or s.open or s.head.phase == ENDED or (
        s.head.phase >= JOKERS and seat == s.dealer)


cdef inline bint saw_bottom(const gz_state *s, int seat) noexcept nogil:
    """Whether a seat (-1: everything) has seen the bottom as it was dealt."""
    return seat < 0 or s.first_open or (s.head.phase >= BURYING and seat == s.dealer)


cdef inline void spread(gz_hand hand, uint8_t *out) noexcept nogil:
    """Counts by face."""
    cdef uint64_t faces = gz_faces(hand)
    cdef int face
    while faces:
        face = qp_ctz64(faces)
        faces &= faces - 1
        out[face] = <uint8_t> gz_count(hand, face)


cdef inline void spread_cards(const uint8_t *ids, int n, uint8_t *out) noexcept nogil:
    cdef int i
    for i in range(n):
        out[face_of(ids[i])] += 1


cdef void observe(const void *state, int seat, uint8_t *out) noexcept nogil:
    """The layout is GunziEngine.observation_spec; players in turn from the viewer."""
    cdef const gz_state *s = <const gz_state *> state
    cdef gz_hand hand
    cdef int first = seat if seat >= 0 else 0
    cdef int i, who, named, best = -1
    memset(out, 0, OBSERVATION)
    if s.laid:
        best = (s.leader + trick_taker(s.trump, s.faces, s.laid)) & 3
    for i in range(PLAYERS):
        who = (first + i) & 3
        hand = packed(s.held[who])
        named = s.n_named if who == s.head.turn else 0
        if seat < 0 or seat == who:
            spread(hand, out + 54 * i)
            spread_cards(s.named, named, out + 756)
        spread(s.spent[who], out + 216 + 54 * i)
        # What is named counts as in the hand until all see it.
        out[972 + i] = <uint8_t> (gz_size(hand) + named)
        if seat < 0 or not hides_turn(s):
            out[976 + i] = who == s.head.turn
        elif who == seat:
            out[976 + i] = may_answer(s, seat)
        out[980 + i] = who == s.dealer
        out[984 + i] = who == s.shower
        out[988 + i] = who == s.leader
        out[992 + i] = who == best
        out[996 + i] = who == s.winner
    for i in range(s.laid):
        who = (s.leader - first + i) & 3
        spread_cards(s.trick[i], s.size, out + 432 + 54 * who)
    if sees_bottom(s, seat):
        spread(packed(s.under), out + 648)
    if saw_bottom(s, seat):
        spread_cards(s.bottom, BOTTOM, out + 702)
    else:
        for i in range(s.turned):
            out[702 + face_of(s.bottom[s.flips[i]])] += 1
    spread_cards(s.given, s.n_given, out + 810)
    spread_cards(s.returned, s.n_returned, out + 864)
    spread_cards(s.picked, s.n_picked, out + 918)
    for i in range(2):
        out[1000 + i] = <uint8_t> (s.points[(first + i) & 1] // 5)
        out[1002 + 8 * i + s.levels[(first + i) & 1] - 3] = 1
    if s.dealer >= 0:
        out[1018 + s.level - 3] = 1
    if s.trump >= 0:
        out[1026 + (s.trump & 3)] = 1
    if s.shown >= 0:
        out[1030] = s.shown_n
        if not is_first(s):
            out[1031 + s.shown_suit] = 1
        if s.shown >= SMALL:
            out[1035 + s.shown - SMALL] = 1
    out[1037 + s.head.phase] = 1
    out[1045] = s.drawn
    out[1046] = s.blood
    out[1047] = s.dry
    out[1048] = s.open
    out[1049] = s.rules.dead
    out[1050] = is_first(s)
    if s.laid:
        out[1051 + s.size - 1] = 1


# Resampling ------------------------------------------------------------------------------------
#
# A deal that a seat cannot tell from the true one is found by a walk from the true one: cards whose
# places it does not know are exchanged again and again, an exchange being kept only if everything
# that the seat has seen could still have happened. Every exchange can be undone by its like, so that
# the walk comes to all such deals it can reach as often as to any other; there are some twenty tries
# a card. Where others were asked, passed, buried or have named cards unseen, the log is written anew.
#
# What must stay possible is kept as sets of faces that a place may hold, as shapes that a hand may
# not have held when it followed (GZ-53), and, for jokers and level cards, by dealing and bidding
# again with the showings that were seen (GZ-20..25).

cdef enum:
    LAID_AWAY = 4  # in a bottom that the seat does not see; 0..3: in that hand
    UNDRAWN = 5
    KNOWN = 6      # played, or the seat's own
    PLACES = 7
    MOST_DUTIES = 64
    MOST_SEEN = 192
    TRIES = 3200

cdef enum shape:
    NO_PAIR        # no two and no three alike of the suit: NO_ROLL and NO_EXACT at once
    NO_EXACT       # no two alike but out of a 滚
    NO_ROLL        # no 滚

# What a follow has shown: the suit's cards in hand and those played since had not this shape.
cdef struct duty:
    uint64_t suit
    gz_hand since
    int8_t seat
    int8_t shape

# Something in the bidding that the seat saw.
cdef struct bid:
    int16_t id
    int8_t seat
    uint8_t drawn

cdef struct dream:
    const gz_state *s
    int seat
    uint8_t card[162]      # by place in the deal: draws, then the bottom
    uint8_t at[162]        # by card, where it is dealt
    uint8_t now[162]       # by card, where it is now
    uint8_t known[162]     # by card: the seat knows where it is
    uint8_t pinned[162]    # .. and where it was dealt
    uint8_t drawn_early[162]  # .. or that it does not come from the bottom
    gz_hand hand[7]        # by place
    uint64_t allowed[7]
    duty duties[64]
    int n_duties
    bint needs_pick        # GZ-43: of what is laid away, something could be picked
    bid seen[192]
    int n_seen
    gz_state trial


cdef void learn_bids(dream *d) noexcept nogil:
    """Note the showings, and what the seat itself was asked."""
    cdef const gz_state *s = d.s
    cdef gz_state *t = &d.trial
    cdef qp_move move
    cdef bid *seen
    cdef int i
    begin(t, NULL)
    t.head.logged = t.head.logged_cards = 0
    go_on(t, NULL)
    move.n = 0
    for i in range(s.head.logged):
        if t.head.phase != DEALING:
            return
        if s.log[i].id != PASS or s.log[i].seat == d.seat:
            seen = &d.seen[d.n_seen]
            d.n_seen += 1
            seen.id, seen.seat = <int16_t> s.log[i].id, s.log[i].seat
            seen.drawn = t.drawn
        move.id = s.log[i].id
        apply(t, &move, NULL)


cdef bint bids_again(dream *d) noexcept nogil:
    """Deal and bid on the trial with all that the seat saw, everybody else passing; whether that
    comes out the same. The trial's log is the new one then."""
    cdef const gz_state *s = d.s
    cdef gz_state *t = &d.trial
    cdef const bid *next
    cdef qp_move move
    cdef int k = 0
    memcpy(t.draws, d.card, DRAWS)
    memcpy(t.bottom, &d.card[DRAWS], BOTTOM)
    t.redeals = s.redeals
    t.head.logged = t.head.logged_cards = 0
    begin(t, NULL)
    go_on(t, NULL)
    move.n = 0
    while t.head.phase == DEALING and t.redeals == s.redeals:
        next = &d.seen[k]
        if k < d.n_seen and next.drawn < t.drawn:
            return False
        move.id = PASS
        if k < d.n_seen and next.drawn == t.drawn and next.seat == t.head.turn:
            move.id = next.id
            if check(t, t.head.turn, &move) != QP_LEGAL:
                return False
            k += 1
        elif t.drawn >= s.drawn and s.head.phase == DEALING and k == d.n_seen:
            # The hand stands here: at the seat's own answer, or at somebody's.
            if t.drawn > s.drawn:
                return False
            if t.head.turn != d.seat and s.head.turn != d.seat:
                return True
            if t.head.turn == d.seat and may_answer(s, d.seat):
                return True
            if t.head.turn == d.seat and s.head.held[d.seat][0].id != PASS:
                return False
        elif t.head.turn == d.seat:
            return False
        apply(t, &move, NULL)
    return (
        k == d.n_seen and t.redeals == s.redeals and s.head.phase != DEALING
        and t.dealer == s.dealer and t.trump == s.trump and t.trump_card == s.trump_card
        and t.turned == s.turned)


cdef void learn_follows(dream *d) noexcept nogil:
    """Note what each follow of another has shown (GZ-51, GZ-53)."""
    cdef const gz_state *s = d.s
    cdef const uint8_t *ids = <const uint8_t *> s.cards
    cdef gz_hand spent[4]
    cdef gz_hand play, put_down
    cdef duty *fresh
    cdef uint64_t suit = 0
    cdef int i, j, seat, laid = 0, size = 0, n, here
    memset(spent, 0, sizeof(spent))
    play = gz_alike(0, 0)
    for i in range(s.head.logged):
        n = s.log[i].n
        if not ALIKE <= s.log[i].id < BURY:
            ids += n
            continue
        seat = s.log[i].seat
        for j in range(n):
            play = gz_plus(play, gz_alike(face_of(ids[j]), 1))
        ids += n
        if laid == 0:
            size = n
            suit = gz_suit(s.trump, face_of(ids[-1]))
        elif gz_size(play) < size:
            continue
        elif seat != d.seat:
            put_down = gz_of(play, suit)
            here = gz_size(put_down)
            if here < size:
                d.allowed[seat] &= ~suit
            elif s.rules.dead and size > 1 and not gz_triples(put_down) and (
                    size == 3 or not put_down.twos):
                fresh = &d.duties[d.n_duties]
                d.n_duties += 1
                fresh.suit, fresh.since, fresh.seat = suit, spent[seat], <int8_t> seat
                fresh.shape = NO_EXACT if size == 2 else NO_ROLL if put_down.twos else NO_PAIR
        spent[seat] = gz_plus(spent[seat], play)
        play = gz_alike(0, 0)
        laid = (laid + 1) & 3
    for i in range(d.n_duties):
        fresh = &d.duties[i]
        fresh.since = gz_of(gz_minus(s.spent[fresh.seat], fresh.since), fresh.suit)


cdef bint keeps_duties(const dream *d, int seat) noexcept nogil:
    cdef const duty *duty
    cdef gz_hand held
    cdef uint64_t wrong
    cdef int i
    for i in range(d.n_duties):
        duty = &d.duties[i]
        if duty.seat != seat:
            continue
        held = gz_plus(gz_of(d.hand[seat], duty.suit), duty.since)
        wrong = held.twos
        if duty.shape == NO_EXACT:
            wrong &= ~held.ones
        elif duty.shape == NO_ROLL:
            wrong &= held.ones
        if wrong:
            return False
    return True


cdef bint fits(const dream *d, int place) noexcept nogil:
    """Whether a place may hold what it does, as far as a single card does not tell."""
    if place < PLAYERS:
        if d.s.head.phase == GIVING and place == giver_of(d.s.dealer) and (
                not gz_faces(d.hand[place]) & givable(d.s.level)):
            return False
        return keeps_duties(d, place)
    return place != LAID_AWAY or not d.needs_pick or gz_faces(d.hand[place]) & pickable() != 0


cdef inline void know(dream *d, int card, bint where_dealt) noexcept nogil:
    d.known[card] = 1
    if where_dealt:
        d.pinned[card] = 1


cdef void imagine(dream *d) noexcept nogil:
    """Note where the cards are and what the seat knows of it."""
    cdef const gz_state *s = d.s
    cdef int seat = d.seat, i, card, place, copy, giver
    cdef bint taken = s.head.phase >= BURYING and not s.dry
    cdef uint64_t over = 0
    memset(d.known, 0, sizeof(d.known))
    memset(d.pinned, 0, sizeof(d.pinned))
    memset(d.drawn_early, 0, sizeof(d.drawn_early))
    memset(d.now, KNOWN, sizeof(d.now))
    memset(d.hand, 0, sizeof(d.hand))
    for place in range(PLACES):
        d.allowed[place] = GZ_ALL
    for i in range(CARDS):
        card = s.draws[i] if i < DRAWS else s.bottom[i - DRAWS]
        d.card[i] = <uint8_t> card
        d.at[card] = <uint8_t> i
        if s.drawn <= i < DRAWS:
            d.now[card] = UNDRAWN
        elif i < DRAWS and ((s.first + i) & 3) == seat:
            know(d, card, True)
        elif i >= DRAWS and saw_bottom(s, seat):
            know(d, card, True)
    for card in range(CARDS):
        for place in range(PLAYERS):
            if place != seat and has(s.held[place], card):
                d.now[card] = <uint8_t> place
        if has(s.under, card) and not sees_bottom(s, seat):
            d.now[card] = LAID_AWAY if taken else UNDRAWN
    if s.head.turn != seat:
        for i in range(s.n_named):
            d.now[s.named[i]] = <uint8_t> s.head.turn
    for i in range(s.n_given):
        know(d, s.given[i], False)
    for i in range(s.n_returned):
        know(d, s.returned[i], False)
        d.drawn_early[s.returned[i]] = 1
    for i in range(s.n_picked):
        know(d, s.picked[i], False)
    for i in range(s.turned):
        know(d, s.bottom[s.flips[i]], True)
    if s.trump_card != NO_CARD:
        know(d, s.trump_card, True)
    for card in range(CARDS):
        if d.now[card] == KNOWN:
            d.known[card] = 1
        d.hand[d.now[card]] = gz_plus(d.hand[d.now[card]], gz_alike(face_of(card), 1))
    # Who follows, gives and buries shows what is not held.
    d.n_duties = d.n_seen = 0
    learn_follows(d)
    d.allowed[LAID_AWAY] = ~joker_faces()
    d.needs_pick = s.asked > 0
    if not d.needs_pick:
        d.allowed[LAID_AWAY] &= ~pickable()
    giver = giver_of(s.dealer)
    if s.dealer >= 0 and s.n_given < s.blood and s.head.phase > GIVING:
        d.allowed[giver] &= ~givable(s.level)
    elif s.n_given:
        for i in range(GZ_FACES):
            if gz_strength(s.trump, i) > gz_strength(s.trump, face_of(s.given[s.n_given - 1])):
                over |= one(i)
        d.allowed[giver] &= ~(over & givable(s.level))
    learn_burials(d)
    learn_bids(d)


cdef void learn_burials(dream *d) noexcept nogil:
    """GZ-41: who was seen to bury a 小王 had no 大王 left but those that went back."""
    cdef const gz_state *s = d.s
    cdef const uint8_t *ids = <const uint8_t *> s.cards
    cdef int i, n = s.head.logged
    if s.head.turn != d.seat:
        n -= s.n_named
    for i in range(n):
        if BURY <= s.log[i].id < GIVE and face_of(ids[0]) >= SMALL:
            d.known[ids[0]] = 1
            if face_of(ids[0]) == SMALL:
                d.allowed[s.log[i].seat] &= ~one(BIG)
        ids += s.log[i].n


cdef inline void exchange(uint8_t *of, int a, int b) noexcept nogil:
    cdef uint8_t kept = of[a]
    of[a], of[b] = of[b], kept


cdef inline void swap_places(dream *d, int a, int b) noexcept nogil:
    exchange(d.card, d.at[a], d.at[b])
    exchange(d.at, a, b)


cdef inline void swap_hands(dream *d, int a, int b) noexcept nogil:
    cdef int x = d.now[a], y = d.now[b]
    cdef gz_hand one = gz_alike(face_of(a), 1), other = gz_alike(face_of(b), 1)
    d.hand[x] = gz_plus(gz_minus(d.hand[x], one), other)
    d.hand[y] = gz_plus(gz_minus(d.hand[y], other), one)
    exchange(d.now, a, b)


cdef inline bint matters(const dream *d, int card) noexcept nogil:
    """Whether a card has a part in the bidding."""
    cdef int face = face_of(card)
    return face >= SMALL or (not is_first(d.s) and level_faces(d.s.level) >> face & 1)


cdef inline int owner(const dream *d, int card) noexcept nogil:
    """Whose a card was after the deal, as far as hands go: the hidden bottom that the dealer took
    counts as the dealer's."""
    cdef int at = d.at[card]
    if at < d.s.drawn:
        return (d.s.first + at) & 3
    return d.s.dealer if at >= DRAWS and d.s.head.phase >= BURYING else UNDRAWN


cdef bint may_trade_hands(dream *d, int a, int b) noexcept nogil:
    """Exchange where two cards are now, if the places may hold them."""
    cdef int x = d.now[a], y = d.now[b]
    if face_of(a) != face_of(b) and x != y:
        if not d.allowed[x] >> face_of(b) & 1 or not d.allowed[y] >> face_of(a) & 1:
            return False
        swap_hands(d, a, b)
        if fits(d, x) and fits(d, y):
            return True
        swap_hands(d, b, a)
        return False
    swap_hands(d, a, b)
    return True


cdef void try_exchange(dream *d, int a, int b, int how) noexcept nogil:
    cdef bint dealers = (d.now[a] == LAID_AWAY and d.now[b] == d.s.dealer) or (
        d.now[b] == LAID_AWAY and d.now[a] == d.s.dealer)
    if how == 0 and dealers:
        # What the dealer has and what the dealer buried.
        may_trade_hands(d, a, b)
        return
    if how == 1:
        # The order in which somebody drew, and what the dealer took of the bottom.
        if (d.pinned[a] or d.pinned[b] or owner(d, a) != owner(d, b)
                or (d.drawn_early[a] and d.at[b] >= DRAWS)
                or (d.drawn_early[b] and d.at[a] >= DRAWS)):
            return
    elif d.known[a] or d.known[b] or not may_trade_hands(d, a, b):
        return
    swap_places(d, a, b)
    if (matters(d, a) or matters(d, b)) and not bids_again(d):
        swap_places(d, a, b)
        if how != 1:
            swap_hands(d, a, b)


cdef void resample(void *state, int seat, qp_chacha *chance) noexcept nogil:
    cdef gz_state *s = <gz_state *> state
    cdef gz_state *t
    cdef dream d
    cdef qp_rng rng
    cdef uint8_t loose[162]
    cdef uint8_t hidden[162]
    cdef uint8_t buried[6]
    cdef const uint8_t *ids
    cdef int card, i, n = 0, n_hidden = 0, n_buried = 0, face
    d.s, d.seat = s, seat
    memcpy(&d.trial, s, sizeof(gz_state))
    imagine(&d)
    for card in range(CARDS):
        if not d.pinned[card] or d.now[card] != KNOWN:
            loose[n] = <uint8_t> card
            n += 1
        if not d.known[card] and d.now[card] != KNOWN:
            hidden[n_hidden] = <uint8_t> card
            n_hidden += 1
    rng.state = <uint64_t> qp_chacha_below(chance, 0xffffffff) << 32
    rng.state |= qp_chacha_below(chance, 0xffffffff)
    for i in range(TRIES if n > 1 else 0):
        # Late in a hand few of the loose cards are still hidden, and those are what counts.
        if i & 3 and n_hidden > 1:
            try_exchange(
                &d, hidden[qp_rng_below(&rng, n_hidden)], hidden[qp_rng_below(&rng, n_hidden)],
                2 * <int> qp_rng_below(&rng, 2))
        else:
            try_exchange(
                &d, loose[qp_rng_below(&rng, n)], loose[qp_rng_below(&rng, n)],
                <int> qp_rng_below(&rng, 3))
    t = &d.trial
    bids_again(&d)
    # The rest of the log, without what others have named and with what was buried unseen.
    for face in range(GZ_FACES):
        for i in range(COPIES):
            card = GZ_FACES * i + face
            if d.now[card] == LAID_AWAY:
                buried[n_buried] = <uint8_t> card
                n_buried += 1
    i = 0
    while i < s.head.logged and (s.log[i].id == PASS or s.log[i].id >= LEVEL):
        i += 1
    n = s.head.logged - (s.n_named if s.head.turn != seat else 0)
    ids = s.cards
    card = 0
    while i < n:
        memcpy(&t.cards[t.head.logged_cards], ids, s.log[i].n)
        t.log[t.head.logged] = s.log[i]
        if BURY <= s.log[i].id < GIVE and card < n_buried:
            t.cards[t.head.logged_cards] = buried[card]
            t.log[t.head.logged].id = <uint16_t> (BURY + face_of(buried[card]))
            card += 1
        t.head.logged_cards += s.log[i].n
        t.head.logged += 1
        ids += s.log[i].n
        i += 1
    for i in range(BOTTOM - 1, s.turned, -1):
        exchange(s.flips, i, s.turned + <int> qp_rng_below(&rng, <uint32_t> (i + 1 - s.turned)))
    memcpy(s.draws, d.card, DRAWS)
    memcpy(s.bottom, &d.card[DRAWS], BOTTOM)
    memcpy(s.log, t.log, t.head.logged * sizeof(qp_logged))
    memcpy(s.cards, t.cards, t.head.logged_cards)
    s.head.logged, s.head.logged_cards = t.head.logged, t.head.logged_cards


# Hint ------------------------------------------------------------------------------------------

# What the seat to act can tell without being told.
cdef struct sight:
    gz_hand mine
    gz_hand unseen     # cards in hands of others or under, as far as it knows
    uint64_t wanted    # what to bury: the lowest of the best six
    int table          # points on the table
    int best           # who wins the trick so far
    bint with_partner  # that is the partner
    bint sure          # .. and nobody to come can take it, so far as one can see


cdef inline int rivals(int trump, gz_hand cards, int face, int n) noexcept nogil:
    """How many faces of the same suit could win over n alike of a face."""
    cdef uint64_t faces = gz_faces(cards) if n == 1 else cards.twos if n == 2 else gz_triples(cards)
    cdef int found = 0, strength = gz_strength(trump, face)
    faces &= gz_suit(trump, face)
    while faces:
        found += gz_strength(trump, qp_ctz64(faces)) > strength
        faces &= faces - 1
    return found


cdef inline int keep(const gz_state *s, const sight *eye, int face) noexcept nogil:
    """How dear a card is to its holder."""
    return gz_strength(s.trump, face) + 4 * (gz_count(eye.mine, face) - 1)


cdef int burying(const gz_state *s, gz_hand hand, int face) noexcept nogil:
    """How glad the dealer is to bury a card: low side cards of short suits, and few points."""
    cdef int length
    if gz_trumps(s.trump) >> face & 1:
        return -100 - 10 * gz_strength(s.trump, face)
    length = gz_size(gz_of(hand, gz_suit(s.trump, face)))
    return (60 - 4 * (face >> 2) - 12 * (gz_count(hand, face) - 1) + 4 * max(0, 8 - length)
            - 3 * worth_of(face) - 40 * (face >> 2 == 11))


cdef uint64_t wish(const gz_state *s, gz_hand hand) noexcept nogil:
    """The lowest of the cards that the dealer would bury."""
    cdef uint64_t faces, best_face = 0, chosen = 0
    cdef int need = BOTTOM - s.n_named, face, best, value
    while need > 0:
        faces = gz_faces(hand)
        if s.n_named:
            faces &= ~<uint64_t> 0 << face_of(s.named[s.n_named - 1])
        best = -10000
        while faces:
            face = qp_ctz64(faces)
            faces &= faces - 1
            value = burying(s, hand, face)
            if value > best:
                best, best_face = value, one(face)
        chosen |= best_face
        hand = gz_minus(hand, gz_alike(qp_ctz64(best_face), 1))
        need -= 1
    return chosen & -chosen


cdef void look(const gz_state *s, sight *eye) noexcept nogil:
    cdef int seat = s.head.turn, i, j
    cdef gz_hand all
    eye.mine = before_play(s, seat) if s.head.phase == PLAYING else packed(s.held[seat])
    eye.table, eye.best, eye.with_partner, eye.sure = 0, -1, False, False
    if s.head.phase == BURYING:
        eye.wanted = wish(s, eye.mine)
    if s.head.phase != PLAYING:
        return
    all.ones = all.twos = GZ_ALL
    for i in range(PLAYERS):
        all = gz_minus(all, s.spent[i])
    all = gz_minus(all, eye.mine)
    if sees_bottom(s, seat):
        all = gz_minus(all, packed(s.under))
    eye.unseen = all
    if s.laid:
        for i in range(s.laid):
            for j in range(s.size):
                eye.table += worth_of(s.trick[i][j])
        i = trick_taker(s.trump, s.faces, s.laid)
        eye.best = (s.leader + i) & 3
        eye.with_partner = (eye.best ^ seat) == 2
        eye.sure = s.laid == 3 or rivals(s.trump, all, s.faces[i], s.size) == 0


cdef bint would_win(const gz_state *s, int face) noexcept nogil:
    """Whether cards alike of a face, as many as led, would win the trick so far."""
    cdef int8_t faces[4]
    memcpy(faces, s.faces, sizeof(faces))
    faces[s.laid] = <int8_t> face
    return trick_taker(s.trump, faces, s.laid + 1) == s.laid


cdef int lead_opinion(const gz_state *s, const sight *eye, int face, int n) noexcept nogil:
    cdef int above = rivals(s.trump, eye.unseen, face, n), strength = gz_strength(s.trump, face)
    cdef int value = 6 * (n - 1) - 8 * (gz_count(eye.mine, face) - n)
    if strength >= GZ_WEAKEST_TRUMP:
        value -= strength
    if above == 0:
        return value + 30 + 4 * n + n * worth_of(face)
    return value - 4 * min(above, 5) - 2 * n * worth_of(face) - strength // 2


cdef int follow_opinion(
    const gz_state *s, const sight *eye, int face, bint single_step
) noexcept nogil:
    cdef int n = s.size, points = n * worth_of(face)
    cdef int cost = n * keep(s, eye, face) - 4 * n * (n - 1) * (not single_step)
    if not single_step and would_win(s, face):
        if eye.with_partner and eye.sure:
            return points - 2 * cost - 15
        if s.laid == 3 or rivals(s.trump, eye.unseen, face, n) == 0:
            return 30 + 3 * (eye.table + points) - cost
        return 15 + eye.table - points - cost
    if eye.with_partner:
        return (3 * points if eye.sure else -points) - cost
    return -4 * points - cost


cdef int show_opinion(const gz_state *s, const sight *eye, int id) noexcept nogil:
    """How good the trump suit would be, against what one can expect at this time of the deal."""
    cdef int suit, cards, extra = 0, size = gz_size(eye.mine)
    if id == SHOW_BIG:
        return 10
    if id >= NAME:
        suit = id - NAME & 3
    else:
        suit = id - LEVEL & 3
        extra = 4 * (id - LEVEL >> 5)
    cards = gz_size(gz_of(eye.mine, <uint64_t> 0x111111111111 << suit))
    if s.shown >= 0 and (s.shower ^ s.head.turn) & 1 == 0:
        extra -= 40  # one's own or the partner's
    return 5 * cards - size - 8 + extra


cdef int opinion(const gz_state *s, const sight *eye, int id) noexcept nogil:
    """How good an action looks to the seat to act, by what it may know."""
    cdef int face = face_of_id(id)
    if id == PASS or id == DONE:
        return 0
    if id < STEP:
        if s.laid:
            return follow_opinion(s, eye, face, False)
        return lead_opinion(s, eye, face, size_of(id))
    if id < BURY:
        return follow_opinion(s, eye, face, True)
    if id >= LEVEL:
        return show_opinion(s, eye, id)
    if id < GIVE:
        if s.head.phase == JOKERS:
            return -10
        return 1000 if one(face) == eye.wanted else burying(s, eye.mine, face)
    if id < RETURN:
        return -gz_count(eye.mine, face)
    if id < PICK:
        return -keep(s, eye, face) - 2 * worth_of(face)
    return gz_count(eye.mine, face)


cdef int32_t hint(const void *state, int32_t n, int32_t *out) noexcept nogil:
    cdef const gz_state *s = <const gz_state *> state
    cdef int32_t ids[192]
    cdef int32_t best[64]
    cdef int32_t total = list_legal(state, s.head.turn, ids), found = 0, i
    cdef sight eye
    look(s, &eye)
    for i in range(total):
        found = keep_best(ids[i], opinion(s, &eye, ids[i]), out, best, found, n)
    return found


# For many hands --------------------------------------------------------------------------------

cdef int outcome_of(const void *state) noexcept nogil:
    """The place in GunziEngine.outcomes."""
    cdef const gz_state *s = <const gz_state *> state
    cdef gz_settlement done = settle(s)
    if done.round_winner >= 0:
        return 4 + 2 * done.round_winner + is_dug(s)
    return 2 + done.gainer if done.gainer >= 0 else is_dug(s)


cdef void features(const void *state, int32_t id, uint8_t *out) noexcept nogil:
    """The layout is GunziEngine.feature_spec."""
    cdef const gz_state *s = <const gz_state *> state
    cdef int face = -1, n = size_of(id), kind
    memset(out, 0, FEATURES)
    if n:
        face = face_of_id(id)
        kind = 0 if id < STEP else 1 + (id - STEP) // GZ_FACES
    elif id < LEVEL:
        kind = 7 if id == PASS else 6
    else:
        kind, n = 8, 1
        if id >= NAME:
            out[id - NAME & 3] = 1
            face, n = SMALL + (id - NAME >> 2), COPIES
        elif id == SHOW_BIG:
            face = BIG
        else:
            face, n = id - LEVEL & 31, (id - LEVEL >> 5) + 1
    out[20 + kind] = 1
    out[19] = <uint8_t> n
    if face < 0:
        return
    if face < SMALL:
        out[face & 3] = 1
        out[4 + (face >> 2)] = 1
    else:
        out[17 + face - SMALL] = 1
    out[31] = <uint8_t> worth_of(face)
    if s.trump >= 0:
        out[29] = gz_trumps(s.trump) >> face & 1
        out[30] = <uint8_t> gz_strength(s.trump, face)
    if ALIKE <= id < STEP:
        out[32] = s.laid == 0 or would_win(s, face)
    out[33] = kind < 2 and gz_size(packed(s.held[s.head.turn])) == n


# What Python sees ------------------------------------------------------------------------------

cdef qp_engine TABLE


cdef void fill_table() noexcept:
    cdef gz_state s
    cdef char *base = <char *> &s
    TABLE.name = "gunzi"
    TABLE.id, TABLE.version = 4, 1
    TABLE.players, TABLE.actions, TABLE.observation = PLAYERS, ACTIONS, OBSERVATION
    TABLE.state_size = sizeof(gz_state)
    TABLE.origin_at = <int> (<char *> &s.rules - base)
    TABLE.origin_size = <int> (<char *> &s.unused - <char *> &s.rules) + 1
    TABLE.log_at, TABLE.log_size = <int> (<char *> &s.log - base), LOG
    TABLE.cards_at, TABLE.cards_size = <int> (<char *> &s.cards - base), MOVED
    TABLE.deal, TABLE.flaw, TABLE.start, TABLE.pending = deal, flaw, start, pending
    TABLE.count, TABLE.list, TABLE.mask, TABLE.draw = count, list_legal, mask, draw
    TABLE.check, TABLE.apply, TABLE.escape, TABLE.scores = check, apply, NULL, scores
    TABLE.observe, TABLE.resample, TABLE.hint = observe, resample, hint
    TABLE.place, TABLE.outcome = NULL, outcome_of
    TABLE.action_features, TABLE.features = FEATURES, features


fill_table()


cdef class GunziTable(Engine):
    """The C side of the game; :class:`qipai.gunzi.game.GunziEngine` adds its words."""

    def __cinit__(self, *args, **kwargs):
        self.table = &TABLE
        self.name = "gunzi"


cdef inline const gz_state *state_of(Game game) except NULL:
    if game.table != &TABLE:
        raise TypeError("this is no game of 打滚子")
    return <const gz_state *> game.head


cdef list ids_of(const uint64_t *copies):
    return [card for card in range(CARDS) if has(copies, card)]


cdef object seat_or_none(int seat):
    return None if seat < 0 else seat


def hand(Game game, seat):
    """The ids in a hand, ascending; a card that is named is not in it."""
    return ids_of(state_of(game).held[seat_number(seat, PLAYERS)])


def asks(Game game, seat):
    """Whether a seat has something to answer, as far as it can tell (GZ-20, GZ-42)."""
    return may_answer(state_of(game), seat_number(seat, PLAYERS))


def sees(Game game, int seat):
    """(whether a seat knows the bottom as it lies, whether it has seen it as it was dealt); -1 for
    everything (GZ-40..42)."""
    return bool(sees_bottom(state_of(game), seat)), bool(saw_bottom(state_of(game), seat))


def lead(Game game):
    """(the face led, the cards of each play, who led) of a trick that runs, or None."""
    cdef const gz_state *s = state_of(game)
    return (s.lead, s.size, s.leader) if s.laid else None


def first_flaw(Game game, ids):
    """Why the seat to act may not do these actions one after the other, as one decision that they
    complete: a code of a reason, 0 where it may."""
    cdef gz_state trial
    cdef qp_move move
    cdef int seat, phase, code
    memcpy(&trial, state_of(game), sizeof(gz_state))
    seat, phase = trial.head.turn, trial.head.phase
    move.n = 0
    for id in ids:
        if trial.head.turn != seat or trial.head.phase != phase:
            return WRONG_SIZE
        move.id = id
        code = check(&trial, seat, &move)
        if code != QP_LEGAL:
            return code
        apply(&trial, &move, NULL)
    return UNFINISHED if trial.n_named else QP_LEGAL


def numbers(Game game):
    """(attackers' points with the doubled bottom, 抠底, 大王 and 小王 in the bottom, settlement as
    (gainer, levels, gained, blood, payer, next dealer, round winner), -1 for none) of a hand that
    is over."""
    cdef const gz_state *s = state_of(game)
    cdef gz_settlement done = settle(s)
    cdef gz_hand bottom = packed(s.under)
    return (
        total_of(s), bool(is_dug(s)), (gz_count(bottom, BIG), gz_count(bottom, SMALL)),
        (done.gainer, (done.levels[0], done.levels[1]), done.gained, done.blood, done.payer,
         done.next_dealer, done.round_winner))


def position(Game game):
    """Everything that a hand is, but for texts: a dict."""
    cdef const gz_state *s = state_of(game)
    cdef int i, j
    held = [ids_of(s.held[i]) for i in range(PLAYERS)]
    under = ids_of(s.under)
    trick = [[(s.leader + i) & 3, sorted([s.trick[i][j] for j in range(s.size)])]
             for i in range(s.laid)]
    named = [s.named[i] for i in range(s.n_named)]
    undrawn = [s.draws[i] for i in range(s.drawn, DRAWS)]
    away = set(under).union(*held, *[ids for _, ids in trick], named, undrawn)
    window = [(s.opener + i) & 3 for i in range(s.step, PLAYERS)] if (
        s.head.phase == DEALING) else []
    cdef object shown = None, flipper = s.first if is_first(s) else None
    flips = []
    for i in range(s.turned):
        card = s.bottom[s.flips[i]]
        flips.append([flipper, card])
        if flipper is not None and face_of(card) < SMALL:
            flipper = (flipper + 1) & 3
    if s.shown >= 0:
        shown = s.shower, s.shown, s.shown_n, None if is_first(s) else s.shown_suit
    return {
        "start": s.first,
        "dealer": seat_or_none(s.dealer),
        "levels": [s.levels[0], s.levels[1]],
        "blood": s.blood,
        "redeals": s.redeals,
        "hands": held,
        "undrawn": undrawn,
        "drawn": s.drawn,
        "window": window,
        "declined": [i for i in range(PLAYERS) if s.declined >> i & 1],
        "shown": shown,
        "flipped": flips,
        "trump": None if s.trump < 0 else s.trump,
        "trump_card": None if s.trump_card == NO_CARD else s.trump_card,
        "tribute": s.tribute,
        "given": [s.given[i] for i in range(s.n_given)],
        "returned": [s.returned[i] for i in range(s.n_returned)],
        "first_bottom": [s.bottom[i] for i in range(BOTTOM)],
        "bottom": under,
        "bottom_shown": bool(s.open),
        "dry": bool(s.dry),
        "picked": [[s.picker[i], s.picked[i]] for i in range(s.n_picked)],
        "trick": trick,
        "named": named,
        "points": [s.points[0], s.points[1]],
        "played": [card for card in range(CARDS) if card not in away],
        "last_winner": seat_or_none(s.winner),
    }
