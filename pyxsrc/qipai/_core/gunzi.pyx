"""The 打滚子 kernel: the order of cards, follows, tricks and the settlement, on packed hands."""

cimport cython
from cpython.bytes cimport PyBytes_AsString
from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from qipai._core.batch cimport Rows, extras, hands, spread, thread_count, writable
from qipai._core.bits cimport qp_ctz64, qp_high64, qp_popcount, qp_select_bit
from qipai._core.cards cimport face_text, physical
from qipai._core.chance cimport seed_bytes
from qipai._core.engine cimport (
    qp_chacha, qp_chacha_below, qp_chacha_init, qp_rng, qp_rng_below,
)
from qipai._core.numbers cimport whole_number

from typing import NamedTuple

from qipai.rules.gunzi import Rules

cdef enum:
    DECKS = 3
    HAND = 39
    PLAYS = 4


# Follows ---------------------------------------------------------------------------------------

cdef bint is_follow(
    int lead, int size, gz_hand play, gz_hand hand, int trump, bint dead
) noexcept nogil:
    """Whether a play may follow `size` cards alike of face `lead`; the hand is before the play."""
    if gz_size(play) != size or not gz_within(play, hand):
        return False
    cdef uint64_t suit = gz_suit(trump, lead)
    cdef gz_hand put = gz_of(play, suit), held = gz_of(hand, suit)
    cdef int here = gz_size(put)
    if here < size:
        return here == gz_size(held)  # GZ-51
    # Of size 2 and 3, `twos` is set for a 棒 and more, with `ones` for a 滚.
    if not dead or size == 1:
        return True
    if size == 2:
        return put.twos != 0 or held.twos & ~held.ones == 0  # GZ-53
    if gz_triples(held):
        return gz_triples(put) != 0
    return put.twos != 0 or held.twos == 0


cdef gz_follow follows(int lead, int size, gz_hand hand, int trump, bint dead) noexcept nogil:
    """The ways to follow `size` cards alike of face `lead`. A hand below `size` cards has none."""
    cdef gz_follow f
    cdef uint64_t suit = gz_suit(trump, lead)
    cdef gz_hand held = gz_of(hand, suit)
    cdef int n = gz_size(held)
    f.size, f.free = <int8_t> size, <int8_t> size
    f.forced = gz_alike(0, 0)
    f.pool = held
    f.mixed = GZ_ANY_MIXED if size > 1 else GZ_NO_MIXED
    if n < size:  # GZ-51
        f.free = <int8_t> (size - n)
        f.forced = held
        f.pool = gz_of(hand, ~suit)
    elif dead and size == 2:  # GZ-53
        if held.twos & ~held.ones:
            f.mixed = GZ_NO_MIXED
    elif dead and size == 3:
        if gz_triples(held):
            f.mixed = GZ_NO_MIXED
        elif held.twos:
            f.mixed = GZ_PAIRED
    return f


cdef uint64_t alike(const gz_follow *f) noexcept nogil:
    """The faces that may follow as a 单, 棒 or 滚 of their own."""
    if f.free < f.size:
        return 0
    if f.size == 1:
        return gz_faces(f.pool)
    return f.pool.twos if f.size == 2 else gz_triples(f.pool)


cdef uint64_t next_faces(const gz_follow *f, const uint8_t *chosen, int n) noexcept nogil:
    """The faces that may come next in a mixed play made in ascending order of face.

    `chosen` are its first n faces. Each face of the answer leaves a legal mixed play within reach,
    and every legal mixed play is reached; the answer is 0 once the play is whole.
    """
    if f.mixed == GZ_NO_MIXED or n >= f.size:
        return 0
    cdef gz_hand need = f.forced, rest = f.pool, one
    cdef int i, free = f.free
    cdef bint same = True
    cdef uint64_t low, top = 0
    for i in range(n):
        one = gz_alike(chosen[i], 1)
        if gz_within(one, need):
            need = gz_minus(need, one)
        else:
            rest = gz_minus(rest, one)
            free -= 1
        same = same and chosen[i] == chosen[0]
    if n:
        rest = gz_of(rest, ~<uint64_t> 0 << chosen[n - 1])
    # The next card can be no higher than the highest `free` of the pool leave it to be ..
    cdef uint64_t faces = gz_faces(rest), paired = rest.twos
    for i in range(free):
        if i:
            rest = gz_minus(rest, gz_alike(qp_ctz64(top), 1))
        if not gz_faces(rest):
            return 0
        top = <uint64_t> 1 << qp_high64(gz_faces(rest))
    cdef uint64_t mask = faces & ((top << 1) - 1) if free else 0
    # .. and no higher than the lowest card still owed of the suit led.
    if gz_faces(need):
        low = gz_faces(need) & -gz_faces(need)
        mask = mask & (low - 1) | (low if free == 0 or low < top else 0)
    elif f.free == f.size:
        # All cards are of the pool, and must not end up all alike.
        if same:
            top = <uint64_t> 1 << qp_high64(faces)
            if n == 0:
                mask &= ~top
            elif free == 1 or top == <uint64_t> 1 << chosen[0]:
                mask &= ~(<uint64_t> 1 << chosen[0])
        if f.mixed == GZ_PAIRED:
            if n == 2 and not same:
                mask &= <uint64_t> 1 << chosen[1]
            elif n == 1:
                mask &= paired | <uint64_t> 1 << chosen[0]
            elif n == 0:
                mask &= paired | (<uint64_t> 1 << qp_high64(paired)) - 1
    return mask


cdef inline int choose2(int n) noexcept nogil:
    return n * (n - 1) // 2


cdef inline int choose3(int n) noexcept nogil:
    return n * (n - 1) * (n - 2) // 6


cdef int count(const gz_follow *f) noexcept nogil:
    """How many different sets of faces may follow."""
    cdef int held = qp_popcount(gz_faces(f.pool)), twice = qp_popcount(f.pool.twos)
    if f.free < f.size:
        return held if f.free == 1 else choose2(held) + twice
    cdef int n = qp_popcount(alike(f))
    if f.mixed == GZ_NO_MIXED:
        return n
    if f.size == 2:
        return n + choose2(held)
    n += twice * (held - 1)
    return n + choose3(held) if f.mixed == GZ_ANY_MIXED else n


cdef inline gz_hand nth(uint64_t faces, int i, int n) noexcept nogil:
    """n alike of the i-th face of a set."""
    return gz_alike(qp_select_bit(&faces, i), n)


cdef gz_hand different(uint64_t faces, int i, int n) noexcept nogil:
    """The i-th set of n different faces, n 2 or 3: counted by the highest, then by the next."""
    cdef gz_hand play = gz_alike(0, 0)
    cdef int high
    if n == 3:
        high = 2
        while choose3(high + 1) <= i:
            high += 1
        play = nth(faces, high, 1)
        i -= choose3(high)
    high = 1
    while choose2(high + 1) <= i:
        high += 1
    play = gz_plus(play, nth(faces, high, 1))
    return gz_plus(play, nth(faces, i - choose2(high), 1))


cdef gz_hand follow_at(const gz_follow *f, int i) noexcept nogil:
    """The i-th follow, i below the count: the alike first, then those with a 棒, then the rest."""
    cdef uint64_t faces = gz_faces(f.pool), whole = alike(f), pair
    cdef int n, held
    if f.free < f.size:
        if f.free == 1:
            return gz_plus(f.forced, nth(faces, i, 1))
        n = qp_popcount(f.pool.twos)
        return gz_plus(f.forced, nth(f.pool.twos, i, 2) if i < n else different(faces, i - n, 2))
    n = qp_popcount(whole)
    if i < n:
        return nth(whole, i, f.size)
    i -= n
    if f.size == 3:
        held = qp_popcount(faces)
        n = qp_popcount(f.pool.twos) * (held - 1)
        if i < n:
            pair = <uint64_t> 1 << qp_select_bit(&f.pool.twos, i // (held - 1))
            return gz_plus(gz_alike(qp_ctz64(pair), 2), nth(faces & ~pair, i % (held - 1), 1))
        i -= n
    return different(faces, i, f.size)


cdef gz_hand draw(const gz_follow *f, qp_rng *rng) noexcept nogil:
    """One follow, each as likely as any other; there is one."""
    return follow_at(f, <int> qp_rng_below(rng, <uint32_t> count(f)))


# Tricks ----------------------------------------------------------------------------------------

cdef int trick_taker(int trump, const int8_t *face, int n) noexcept nogil:
    """Who wins n plays, the leader's first: the face of each that is all alike, or -1 (GZ-55)."""
    cdef int i, strength, best = gz_strength(trump, face[0]), winner = 0
    for i in range(1, n):
        if face[i] < 0:
            continue
        strength = gz_strength(trump, face[i])
        # A side card of another suit than the lead's; on trumps a side card is too weak anyway.
        if strength < GZ_WEAKEST_TRUMP and (face[i] ^ face[0]) & 3:
            continue
        if strength > best:
            best, winner = strength, i
    return winner


# The settlement --------------------------------------------------------------------------------

cdef inline gz_settlement round_end(int winner, int level) noexcept nogil:
    """GZ-10, GZ-65, GZ-66"""
    cdef gz_settlement s
    s.gainer = s.round_winner = <int8_t> winner
    s.gained = <int8_t> (11 - level)
    s.levels[0] = s.levels[1] = 3
    s.blood = 0
    s.payer = s.next_dealer = -1
    return s


cdef gz_settlement settlement(
    const gz_rules *rules, int points, bint dug, int big, int small, int dealers, int attackers,
    bint dry
) noexcept nogil:
    """GZ-60..66, for input that :func:`settle` allows."""
    cdef gz_settlement s
    cdef bint enough = points >= 120
    cdef int gain = 1, blood = 0, level
    if dry:  # GZ-44
        big = small = 0
    cdef bint three = big == 3 or (small == 3 and not rules.big_only)
    s.gainer = <int8_t> enough if enough == dug else -1  # GZ-62, GZ-63
    if points == 0:  # GZ-65
        return round_end(0, dealers)
    if points >= 300:
        return round_end(1, attackers)
    if s.gainer >= 0 and three:
        return round_end(s.gainer, attackers if s.gainer else dealers)
    if s.gainer == 0 and dealers == 10:  # GZ-10
        return round_end(0, dealers)
    s.levels[0], s.levels[1] = <int8_t> dealers, <int8_t> attackers
    s.gained = 0
    if s.gainer >= 0:
        gain += big * rules.joker_levels[0] + small * rules.joker_levels[1]  # GZ-64
        level = s.levels[s.gainer]
        s.gained = <int8_t> min(gain, 10 - level)
        s.levels[s.gainer] = <int8_t> (level + s.gained)
    if points < 80:  # GZ-32
        blood = (80 - points + 9) // 10
    elif points > 150:
        blood = (points - 150) // 10
    if enough or not dug:  # GZ-33, GZ-64
        blood += 2 * big + small
    s.blood = <int8_t> blood
    s.payer = <int8_t> (not enough) if blood else -1
    s.next_dealer = 1 if enough else 2  # GZ-12
    s.round_winner = -1
    return s


# For Python ------------------------------------------------------------------------------------

cdef object DEFAULT = Rules.diamond()
cdef str DEAD = "dead"
cdef tuple SIDES = (None, "dealers", "attackers")
cdef str SUITS = "DCHS"
cdef dict SUIT_OF = {"D": 0, "C": 1, "H": 2, "S": 3, "♦": 0, "♣": 1, "♥": 2, "♠": 3}


cdef inline int read(object cards, gz_hand *out) except -1:
    """Any form of cards, packed."""
    if (type(cards) is not bytes or len(<bytes> cards) != GZ_FACES
            or not gz_read(<const uint8_t *> PyBytes_AsString(cards), out)):
        out[0] = gz_alike(0, 0)
        for card in physical(cards, DECKS):
            out[0] = gz_plus(out[0], gz_alike(<int> card % GZ_FACES, 1))
    return 0


cdef inline int read_hand(object cards, gz_hand *out) except -1:
    read(cards, out)
    if gz_size(out[0]) > HAND:
        raise ValueError(f"hand has {gz_size(out[0])} cards: {HAND} are the most")
    return 0


cdef inline int read_lead(object cards, int *face, int *size) except -1:
    """GZ-5, GZ-50: a lead is one, two or three cards alike."""
    cdef gz_hand lead
    read(cards, &lead)
    cdef uint64_t faces = gz_faces(lead)
    if faces == 0 or faces & (faces - 1):
        raise ValueError(f"lead {text_of(lead)!r} is no 单, 棒 or 滚")
    face[0] = qp_ctz64(faces)
    size[0] = gz_count(lead, face[0])
    return 0


cdef str text_of(gz_hand hand):
    """Cards in ascending order of face, `H8*2` for two alike."""
    cdef list words = []
    cdef uint64_t faces = gz_faces(hand)
    cdef int face
    while faces:
        face = qp_ctz64(faces)
        faces &= faces - 1
        n = gz_count(hand, face)
        words.append(face_text(face) if n == 1 else f"{face_text(face)}*{n}")
    return " ".join(words)


cdef inline object sheet(object rules):
    if rules is None:
        return DEFAULT
    if type(rules) is not Rules:
        raise TypeError(f"rules must be qipai.gunzi.Rules, not {type(rules).__name__}")
    return rules


cdef inline bint is_dead(object rules) except -1:
    return rules.follow == DEAD


cdef int whole(object value, str name, int low, int high) except -1:
    number = None
    if not isinstance(value, bool) and hasattr(value, "__index__"):
        number = whole_number(value, name)
    if number is None or not low <= number <= high:
        raise ValueError(f"{name} must be an integer from {low} to {high}, not {value!r}")
    return number


cdef bint flag(object value, str name) except -1:
    if type(value) is not bool:
        raise ValueError(f"{name} must be True or False, not {value!r}")
    return value


@cython.final
cdef class Trump:
    """The trump suit and the level (GZ-3): ``Trump("S", 5)``.

    ``suit``: ``"S"``, ``"H"``, ``"D"`` or ``"C"``, or its sign; ``level``: 3 to 10. ``ValueError``
    for anything else. Immutable, hashable and picklable. ``int(trump)`` is the face of the trump
    suit's level card, 0..31, which is how batches write a trump; ``str(trump)`` is its text.
    """
    cdef int face

    def __cinit__(self, str suit not None, level):
        if suit not in SUIT_OF:
            raise ValueError(f"suit must be S, H, D or C, not {suit!r}")
        self.face = 4 * (whole(level, "level", 3, 10) - 3) + <int> SUIT_OF[suit]

    @property
    def suit(self):
        """The letter of the trump suit."""
        return SUITS[self.face & 3]

    @property
    def level(self):
        """The level, 3 to 10."""
        return (self.face >> 2) + 3

    def group(self, card):
        """The suit a card belongs to in play: its letter, or ``"trump"`` (GZ-3, GZ-51).

        ``card``: one card as text, or its id. ``ValueError`` for anything else.
        """
        cdef int face = one_card(card)
        return "trump" if gz_trumps(self.face) >> face & 1 else SUITS[face & 3]

    def strength(self, card):
        """The place of a card in the order of GZ-4, 0 to 29; higher is stronger.

        Side suits are 0..11 by rank, trumps 12 and more; equal cards have the same number, and of
        two side suits the same rank has it too. ``card`` as for :meth:`group`.
        """
        return gz_strength(self.face, one_card(card))

    def __int__(self):
        return self.face

    def __index__(self):
        return self.face

    def __eq__(self, other):
        if type(other) is not Trump:
            return NotImplemented
        return (<Trump> other).face == self.face

    def __hash__(self):
        return self.face

    def __str__(self):
        return face_text(self.face)

    def __repr__(self):
        return f"Trump({self.suit!r}, {self.level})"

    def __reduce__(self):
        return Trump, (self.suit, self.level)


cdef int one_card(object card) except -1:
    cdef list ids = physical(card if isinstance(card, str) else (card,), DECKS)
    if len(ids) != 1:
        raise ValueError(f"{card!r} is not one card")
    return <int> ids[0] % GZ_FACES


def points(cards):
    """Count the 分牌 of cards: 5 for a 5, 10 for a T or K (GZ-2).

    ``cards``: text, ``bytes`` of 54 face counts or of 15 rank counts, or ids; of three decks.
    """
    cdef gz_hand hand
    read(cards, &hand)
    return gz_points(hand)


def legal_leads(hand, Trump trump not None):
    """List every 单, 棒 and 滚 in a hand, as text (GZ-5, GZ-50).

    ``hand``: cards of at most 39, as for :func:`points`. In ascending order of face, then of size.
    """
    cdef gz_hand held
    cdef int face, n
    read_hand(hand, &held)
    return [text_of(gz_alike(face, n))
            for face in range(GZ_FACES) for n in range(1, gz_count(held, face) + 1)]


def is_legal_follow(lead, play, hand, Trump trump not None, rules=None):
    """Whether a play may follow a lead (GZ-51..53).

    ``lead``: a 单, 棒 or 滚. ``play``: what is to be played; of another size than the lead, or not
    in the hand, it is False. ``hand``: before the play, at most 39 cards. ``rules``: if left out,
    死棒. Cards are text, ids or ``bytes`` of 54 face counts, the fast path; which copy of a face an
    id names does not matter. ``ValueError`` names a lead that is no shape, a fourth card of a face
    and what is no card.
    """
    cdef gz_hand put, held
    cdef int face, size
    read_lead(lead, &face, &size)
    read(play, &put)
    read_hand(hand, &held)
    rules = sheet(rules)
    # What 死棒 allows 活棒 allows too, so that the rules are asked only where they differ.
    return is_follow(face, size, put, held, trump.face, True) or (
        not is_dead(rules) and is_follow(face, size, put, held, trump.face, False))


cdef int read_follows(
    object lead, object hand, Trump trump, object rules, gz_follow *out
) except -1:
    cdef gz_hand held
    cdef int face, size
    read_lead(lead, &face, &size)
    read_hand(hand, &held)
    out[0] = follows(face, size, held, trump.face, is_dead(sheet(rules)))
    return 0


def follow_steps(lead, chosen, hand, Trump trump not None, rules=None):
    """The steps of a follow that is made card by card, in ascending order of face.

    ``chosen``: the cards of a mixed play so far, all but the last at most. Arguments and errors as
    for :func:`is_legal_follow`. Returns two sets of faces, bit f for face f: those that may be
    played as a 单, 棒 or 滚 of their own (0 once a card is chosen), and those that may come next so
    that a legal play which is not all alike stays within reach.
    """
    cdef gz_follow f
    cdef gz_hand first
    cdef uint8_t order[DECKS]
    cdef int n = 0, face
    read_follows(lead, hand, trump, rules, &f)
    read(chosen, &first)
    if gz_size(first) >= f.size:
        raise ValueError(f"chosen {text_of(first)!r} leaves nothing to come")
    for face in range(GZ_FACES):
        for _ in range(gz_count(first, face)):
            if not next_faces(&f, order, n) >> face & 1:
                raise ValueError(f"chosen {text_of(first)!r} begins no legal play")
            order[n] = <uint8_t> face
            n += 1
    return 0 if n else alike(&f), next_faces(&f, order, n)


def count_follows(lead, hand, Trump trump not None, rules=None):
    """Count the plays that may follow a lead: different sets of faces, in constant time.

    Arguments and errors as for :func:`is_legal_follow`. 0 for a hand that is shorter than the lead.
    """
    cdef gz_follow f
    read_follows(lead, hand, trump, rules, &f)
    return count(&f)


def iter_follows(lead, hand, Trump trump not None, rules=None):
    """Iterate over the plays that may follow a lead, as text, each set of faces once.

    Arguments and errors as for :func:`is_legal_follow`. 棒 and 滚 come first.
    """
    cdef gz_follow f
    read_follows(lead, hand, trump, rules, &f)
    return (text_of(follow_at(&f, i)) for i in range(count(&f)))


def random_follow(lead, hand, Trump trump not None, rules=None, seed=None):
    """Draw one of the plays that :func:`iter_follows` gives, each as likely, without listing them.

    ``seed``: an int below 2**256 or 32 bytes, the same seed draws the same play; None takes one
    from the operating system. Returns text. Other arguments and errors as for
    :func:`is_legal_follow`; ``ValueError`` too for a hand that is shorter than the lead.
    """
    cdef gz_follow f
    cdef qp_chacha chance
    read_follows(lead, hand, trump, rules, &f)
    cdef bytes key = seed_bytes(seed)
    cdef int n = count(&f)
    if n == 0:
        raise ValueError("hand is shorter than the lead")
    qp_chacha_init(&chance, <const uint8_t *> PyBytes_AsString(key), 0)
    return text_of(follow_at(&f, <int> qp_chacha_below(&chance, <uint32_t> n)))


def trick_winner(plays, Trump trump not None):
    """Tell who wins a trick (GZ-55): the index of the play, 0 the leader.

    ``plays``: cards of each player in the order played, the lead first; of a trick that still runs,
    those made so far. The highest play of the lead's shape wins, in the suit led or in trumps, the
    first of equals. ``ValueError`` for a lead that is no shape, a play of another size, a fourth
    card of a face, no play and a fifth.
    """
    cdef gz_hand play, table
    cdef uint64_t faces
    cdef int8_t face[PLAYS]
    cdef int lead, size, i
    try:
        given = list(plays)
    except TypeError:
        raise TypeError(f"plays must be a list of plays, not {plays!r}") from None
    if not 1 <= len(given) <= PLAYS:
        raise ValueError(f"a trick has 1 to {PLAYS} plays, not {len(given)}")
    read_lead(given[0], &lead, &size)
    face[0] = <int8_t> lead
    table = gz_alike(lead, size)
    for i in range(1, len(given)):
        read(given[i], &play)
        if gz_size(play) != size:
            raise ValueError(f"play {text_of(play)!r} has not the {size} cards of the lead")
        if gz_overfull(table, play):
            raise ValueError(f"play {text_of(play)!r} brings a fourth card of a face")
        table = gz_plus(table, play)
        faces = gz_faces(play)
        face[i] = -1 if faces & (faces - 1) else <int8_t> qp_ctz64(faces)
    return trick_taker(trump.face, face, <int> len(given))


class Settlement(NamedTuple):
    """What a hand comes to (GZ-60..66); sides are those of the hand played.

    ``gainer``: ``"dealers"``, ``"attackers"`` or None: who met GZ-62, GZ-63 or GZ-65, even if
    nothing is gained at level 10. ``levels``: the dealers' and the attackers' after the hand,
    (3, 3) after a round. ``gained``: levels the gainer gained, as GZ-66 counts them. ``blood``:
    cards due at the next hand (GZ-32, GZ-33); ``payer``: the side that owes them, None for no
    blood. ``next_dealer``: seats on from the dealer (GZ-12), None after a round. ``round_winner``:
    the side that won the round, or None.
    """

    gainer: str | None
    levels: tuple[int, int]
    gained: int
    blood: int
    payer: str | None
    next_dealer: int | None
    round_winner: str | None


def settle(points, dug, buried, *, level, dry=False, rules=None):
    """Settle a hand (GZ-60..66); returns a :class:`Settlement`.

    ``points``: the attackers' total, the doubled bottom included (GZ-61). ``dug``: whether the
    attackers won the last trick (抠底). ``buried``: how many 大王 and 小王 lie in the bottom.
    ``level``: the dealers' and the attackers' before the hand. ``dry``: whether it was 干锅
    (GZ-44). ``ValueError`` for points that are no multiple of 5, above 300 without 抠底 or above
    what the bottom can add, more than three of a joker and a level outside 3..10.
    """
    cdef gz_rules flat
    cdef gz_settlement s
    rules = sheet(rules)
    cdef bint last = flag(dug, "dug"), barren = flag(dry, "dry")
    if not hasattr(buried, "__len__") or len(buried) != 2:
        raise ValueError(f"buried must be the numbers of 大王 and 小王, not {buried!r}")
    if not hasattr(level, "__len__") or len(level) != 2:
        raise ValueError(f"level must be the dealers' and the attackers', not {level!r}")
    cdef int big = whole(buried[0], "buried 大王", 0, DECKS)
    cdef int small = whole(buried[1], "buried 小王", 0, DECKS)
    cdef int dealers = whole(level[0], "the dealers' level", 3, 10)
    cdef int attackers = whole(level[1], "the attackers' level", 3, 10)
    # Each joker of the bottom takes the room of ten points.
    cdef int total = whole(points, "points", 0, 300 + (10 * (6 - big - small) if last else 0))
    if total % 5:
        raise ValueError(f"points must be a multiple of 5, not {total}")
    worth = rules.joker_levels
    flat.joker_levels[0], flat.joker_levels[1] = worth[0], worth[1]
    flat.big_only = rules.instant_jokers == "big"
    s = settlement(&flat, total, last, big, small, dealers, attackers, barren)
    return Settlement._make((
        SIDES[s.gainer + 1], (s.levels[0], s.levels[1]), s.gained, s.blood, SIDES[s.payer + 1],
        s.next_dealer if s.next_dealer >= 0 else None, SIDES[s.round_winner + 1]))


# Batches ---------------------------------------------------------------------------------------

cdef enum:
    NO_CARD = 255
    SIZE_AT = 60

# By trump, suit of the face led and face: 0 for a side card of another suit, else its strength + 1.
# Where trumps are led the suit makes no difference: all side cards are weaker.
cdef uint8_t[GZ_TRUMPS][4][64] RIVALS


cdef void fill_rivals() noexcept:
    cdef int trump, suit, face, strength
    for trump in range(GZ_TRUMPS):
        for face in range(GZ_FACES):
            strength = gz_strength(trump, face)
            for suit in range(4):
                if strength >= GZ_WEAKEST_TRUMP or face & 3 == suit:
                    RIVALS[trump][suit][face] = <uint8_t> (strength + 1)


fill_rivals()


cdef struct tricks:
    const uint64_t *packed
    const uint8_t *faces
    const uint8_t *trumps
    int trump
    uint8_t *out


cdef inline uint64_t packed_trick(const uint8_t *row) noexcept nogil:
    """A row of faces as a packed trick, 0 where one is too high or the lead not all alike."""
    cdef uint64_t second = -(row[1] == NO_CARD) & NO_CARD, third = -(row[2] == NO_CARD) & NO_CARD
    cdef uint64_t x = row[0], a, b, c
    cdef uint64_t high = x >> 6 | second & ~third
    cdef int i
    high |= (row[1] ^ x) & ~second | (row[2] ^ x) & ~third  # GZ-50
    for i in range(1, 4):
        # Places that are not used become zeros.
        a, b, c = row[3 * i], row[3 * i + 1] ^ second, row[3 * i + 2] ^ third
        high |= (a | b | c) >> 6
        x |= (a | b << 6 | c << 12) << (18 * i - 12)
    return 0 if high else x | <uint64_t> (3 - (second & 1) - (third & 1)) << SIZE_AT


cdef inline int taker(const uint8_t (*rivals)[64], uint64_t x) noexcept nogil:
    """:func:`trick_taker` of a packed trick, without branches; -1 where it is none."""
    cdef uint64_t size = x >> SIZE_AT
    if not 1 <= size <= 3:
        return -1
    cdef uint64_t two = size > 1, three = size > 2, repeated = 1 | two << 6 | three << 12
    cdef uint64_t fields = 63 * repeated, used = fields << 42 | fields << 24 | fields << 6 | 63
    cdef uint64_t wrong = x & ~(used | <uint64_t> 3 << SIZE_AT)
    # Copies of each face: `ones` is the lowest bit of their number and `twos` a carry out of it; a
    # second carry is a fourth copy.
    cdef uint64_t lead = x & 63, a = <uint64_t> 1 << lead, b, c
    cdef uint64_t ones = a & -(size & 1), twos = a & -two
    cdef uint64_t play, face, odd, pair
    cdef const uint8_t *rival = rivals[lead & 3]
    # Strength, then who played first.
    cdef int i, here, best = rival[lead] << 2 | 3
    for i in range(1, 4):
        play = x >> (18 * i - 12) & 0o777777
        face = play & 63
        a, b, c = <uint64_t> 1 << face, two << (play >> 6 & 63), three << (play >> 12)
        odd, pair = a ^ b ^ c, a & b | c & (a ^ b)
        wrong |= twos & pair
        twos |= pair
        wrong |= twos & ones & odd
        twos |= ones & odd
        ones ^= odd
        here = rival[face] & -(play == face * repeated)
        best = max(best, here << 2 | 3 - i)
    return -1 if wrong | (ones | twos) >> GZ_FACES else 3 - (best & 3)


cdef Py_ssize_t take_tricks(void *context, Py_ssize_t lo, Py_ssize_t hi) noexcept nogil:
    cdef tricks t = (<tricks *> context)[0]
    cdef Py_ssize_t i
    cdef int winner, trump = t.trump
    for i in range(lo, hi):
        if t.trumps != NULL:
            trump = t.trumps[i]
            if trump >= GZ_TRUMPS:
                return i
        winner = taker(
            RIVALS[trump], t.packed[i] if t.packed != NULL else packed_trick(t.faces + 12 * i))
        if winner < 0:
            return i
        t.out[i] = <uint8_t> winner
    return -1


def trick_winner_many(plays, trump, *, out=None, threads=1):
    """Tell who wins each of many tricks of four plays (GZ-55).

    ``plays``: C-contiguous, either ``uint8`` of shape (n, 12), the faces (0..53) of the leader's
    cards, then of the others in turn, three places a player and 255 in those that are not used; or
    ``uint64`` of shape (n,) in which the face led is in bits 0..5, the cards of follower i = 0..2
    follow from bit 6 + 18 * i on, six bits each and zeros in those that are not used, and how many
    cards each player played is in bits 60..61. ``trump``: one :class:`Trump` for all, or ``uint8``
    of shape (n,) of ``int(trump)``. ``out``: the caller's ``uint8`` array with room for n.

    Returns ``uint8`` of shape (n,), the index of the winner, 0 the leader. ``ValueError`` names the
    first row that is no trick: no size, a lead not all alike, a face above 53 or for the fourth
    time, a play of another size; ``out`` is untouched then. No GIL is held while it works; the
    result is the same for every number of ``threads``.
    """
    import numpy

    cdef tricks t
    cdef int parallel = thread_count(threads)
    cdef Rows rows = hands(plays, "plays", 12), each = None, target = None
    t.packed, t.faces, t.trumps, t.trump = rows.packed(), rows.counts(), NULL, 0
    if type(trump) is Trump:
        t.trump = (<Trump> trump).face
    else:
        each = extras(trump, "trump", rows.n)
        t.trumps = <const uint8_t *> each.view.buf
    if out is not None:
        target = writable(out, "out", rows.n, 1, b"B")
    # The caller's array is written only once all rows are known to be tricks.
    answer = numpy.empty(rows.n, numpy.uint8)
    cdef Rows made = writable(answer, "answer", rows.n, 1, b"B")
    t.out = <uint8_t *> made.view.buf
    cdef Py_ssize_t wrong = spread(take_tricks, &t, rows.n, parallel)
    if wrong >= 0:
        if t.trumps != NULL and t.trumps[wrong] >= GZ_TRUMPS:
            raise ValueError(f"trump[{wrong}]: {t.trumps[wrong]} is no trump: they are 0 to 31")
        if t.packed != NULL:
            raise ValueError(f"plays[{wrong}]: {t.packed[wrong]:#x} is no packed trick")
        raise ValueError(
            f"plays[{wrong}]: {[t.faces[12 * wrong + i] for i in range(12)]} is no trick")
    if target is None:
        return answer
    memcpy(target.view.buf, made.view.buf, rows.n)
    return out[:rows.n]
