"""Cards as the callers give them, read into packed rank counts or physical ids."""

from cpython.bytes cimport PyBytes_AsString
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.string cimport memset

from qipai._core.bits cimport (
    QP_COPIES, QP_DECKS, QP_MOST_CARDS, QP_TEXT_FINE, QP_TEXT_MANY, QP_TEXT_REPEAT, qp_nibble,
    qp_pack15, qp_packed_fits, qp_read_cards,
)
from qipai._core.numbers cimport whole_number

cdef str RANKS = "3456789TJQKA2BR"
cdef str SUITS = "DCHS"


cdef int read_text(str text, qp_cards *out) except -1:
    """Read card text; ValueError names the first thing that is no card."""
    cdef Py_ssize_t length
    cdef size_t where = 0
    cdef const char *data
    try:
        data = PyUnicode_AsUTF8AndSize(text, &length)
    except UnicodeEncodeError:
        raise ValueError(f"{text!r} is no card text") from None
    cdef int flaw = qp_read_cards(data, <size_t> length, out, &where)
    if flaw == QP_TEXT_FINE:
        return 0
    if flaw == QP_TEXT_MANY:
        raise ValueError(f"{text[:60]!r} has more cards, or more copies of one, than {QP_DECKS} decks")
    cdef str rest = data[where:length].decode("utf-8", "replace")
    if flaw == QP_TEXT_REPEAT:
        raise ValueError(f"{rest[:12]!r} in {text[:60]!r} repeats a card wrongly: write H8*3")
    raise ValueError(f"{rest[:6]!r} in {text[:60]!r} is no card")


cdef uint64_t packed_ranks(object cards, int decks, int most) except? 0xffffffffffffffff:
    """Rank counts of any form of cards, packed; at most `most` cards of one or two decks."""
    cdef uint64_t packed = 0
    cdef uint8_t counts[15]
    cdef qp_cards read
    cdef const uint8_t *data = counts
    cdef int i
    if type(cards) is bytes:
        data = <const uint8_t *> PyBytes_AsString(cards)
        if len(<bytes> cards) == 15:
            packed = qp_pack15(data)
        elif len(<bytes> cards) == 54:
            memset(counts, 0, 15)
            for i in range(54):
                if data[i] > decks:
                    raise ValueError(f"{data[i]} copies of {face_text(i)}: there are {decks}")
                counts[rank_of_face(i)] += data[i]
            packed = qp_pack15(counts)
            data = counts
        else:
            raise ValueError(
                f"bytes of counts must be 15 (ranks) or 54 (faces) long, not {len(<bytes> cards)}")
    elif isinstance(cards, str):
        read_text(cards, &read)
        memset(counts, 0, 15)
        for i in range(read.n):
            counts[read.card[i].rank] += 1
        packed = qp_pack15(counts)
        for i in range(read.n):
            if read.card[i].suit >= 0:
                # Suited text is a claim about faces, so the faces must exist as well.
                physical(cards, decks)
                break
    else:
        memset(counts, 0, 15)
        for i in physical(cards, decks):
            counts[rank_of_face(i % 54)] += 1
        packed = qp_pack15(counts)
    if qp_packed_fits(packed, decks, most):
        return packed
    raise ValueError(misfit(data, decks, most))


cdef str misfit(const uint8_t *counts, int decks, int most):
    """What is wrong with rank counts that no hand can have."""
    cdef int i, total = 0, limit
    for i in range(15):
        limit = 4 * decks if i < 13 else decks
        total += counts[i]
        if counts[i] > limit:
            return f"{counts[i]} cards of rank {RANKS[i]}: there are {limit}"
    return f"{total} cards: no hand holds more than {most}"


cdef str misfit_of_packed(uint64_t packed, int decks, int most):
    """The same for packed counts."""
    cdef uint8_t counts[15]
    cdef int i
    if packed >> 60:
        return "a packed hand has nothing above bit 59"
    for i in range(15):
        counts[i] = qp_nibble(packed, i)
    return misfit(counts, decks, most)


cdef inline int rank_of_face(int face):
    return face // 4 if face < 52 else face - 39


cdef str face_text(int face):
    return "BR"[face - 52] if face >= 52 else SUITS[face % 4] + RANKS[face // 4]


cdef str ranks_text(uint64_t packed):
    """The ranks of a packed hand, low to high, run together."""
    cdef int i
    return "".join([RANKS[i] * qp_nibble(packed, i) for i in range(15) if qp_nibble(packed, i)])


cdef list physical(object cards, int decks, object taken=()):
    """Ids of cards given as text, face or rank counts, or ids; each at most once."""
    cdef bytearray used = bytearray(54 * decks)
    for id in taken:
        used[card_number(id, decks)] = 1
    cdef list ids = []
    cdef qp_cards read
    cdef int i, copy, face, card
    if isinstance(cards, str):
        read_text(cards, &read)
        ids = [-1] * read.n
        # Cards named exactly come first, so that rank-only text takes what they leave.
        for i in range(read.n):
            if read.card[i].suit >= 0 or read.card[i].rank >= 13:
                face = (read.card[i].rank + 39 if read.card[i].rank >= 13
                        else 4 * read.card[i].rank + read.card[i].suit)
                for copy in range(decks):
                    card = 54 * copy + face
                    if not used[card] and read.card[i].copy in (-1, copy):
                        break
                else:
                    raise ValueError(f"too many copies of {face_text(face)} in {cards[:60]!r}")
                used[card] = 1
                ids[i] = card
        for i in range(read.n):
            if ids[i] < 0:
                ids[i] = lowest(used, read.card[i].rank, decks)
        return ids
    if type(cards) is bytes:
        if len(<bytes> cards) == 15:
            for i in range(15):
                for _ in range((<bytes> cards)[i]):
                    ids.append(lowest(used, i, decks))
        elif len(<bytes> cards) == 54:
            for face in range(54):
                if (<bytes> cards)[face] > decks:
                    raise ValueError(
                        f"{(<bytes> cards)[face]} copies of {face_text(face)}: there are {decks}")
                for _ in range((<bytes> cards)[face]):
                    ids.append(lowest_of_face(used, face, decks))
        else:
            raise ValueError(
                f"bytes of counts must be 15 (ranks) or 54 (faces) long, not {len(<bytes> cards)}")
        return ids
    try:
        items = iter(cards)
    except (TypeError, NotImplementedError):  # the latter of a memoryview
        raise TypeError(
            f"cards must be text, bytes of counts or ids, not {type(cards).__name__}") from None
    for item in items:
        card = card_number(item, decks)
        if used[card]:
            raise ValueError(f"card id {card} ({face_text(card % 54)}) is given twice")
        used[card] = 1
        ids.append(card)
    return ids


cdef int card_number(object item, int decks) except -1:
    """An id of a caller's; ValueError for one that does not exist."""
    index = whole_number(item, "a card id")
    if not 0 <= index < 54 * decks:
        raise ValueError(f"card id {index} is out of range 0..{54 * decks - 1}")
    return index


cdef int lowest_of_face(bytearray used, int face, int decks) except -1:
    cdef int copy
    for copy in range(decks):
        if not used[54 * copy + face]:
            used[54 * copy + face] = 1
            return 54 * copy + face
    raise ValueError(f"too many copies of {face_text(face)}: there are {decks}")


cdef int lowest(bytearray used, int rank, int decks) except -1:
    """Take the lowest id of a rank that is not used yet."""
    cdef int copy, suit, card
    for copy in range(decks):
        for suit in range(4 if rank < 13 else 1):
            card = 54 * copy + (rank + 39 if rank >= 13 else 4 * rank + suit)
            if not used[card]:
                used[card] = 1
                return card
    raise ValueError(f"too many cards of rank {RANKS[rank]}: there are {(4 if rank < 13 else 1) * decks}")


def tokens(str text):
    """The cards of a text as (rank 0..14, suit or -1, copy or -1); ValueError for no card text."""
    cdef qp_cards read
    cdef int i
    read_text(text, &read)
    return [(read.card[i].rank, read.card[i].suit, read.card[i].copy) for i in range(read.n)]


cdef int deck_count(object decks) except -1:
    number = whole_number(decks, "decks")
    if not 1 <= number <= QP_DECKS:
        raise ValueError(f"decks must be 1 to {QP_DECKS}, not {number}")
    return number


def parse(cards, *, decks=3, taken=()):
    """Read cards into ids, in the order given.

    Text names ranks (``3 4 5 6 7 8 9 T J Q K A 2``, ``10`` for T) with or without a suit
    (``S H D C`` or its sign), the jokers ``B`` 小王 and ``R`` 大王, ``H8*3`` for several, with
    spaces, commas or ``+`` between as you like. A rank without a suit means the lowest id of that
    rank that the text leaves; ``'`` after a card, once or twice, means its second or third copy.

    ``bytes`` of 15 rank counts or 54 face counts and sequences of ids are taken too. ``taken``:
    ids that are used already, which text and counts pass over.

    Returns a list of ints, ``copy * 54 + face`` with ``face = 4 * rank + suit`` (52 小王, 53 大王).
    Raises ``ValueError`` that names what is no card, or of what there are too many for ``decks``.
    """
    return physical(cards, deck_count(decks), taken)


def format(cards, *, decks=3):
    """Write ids as text that :func:`parse` reads back into the same ids.

    A copy beyond the first that would not be reached by counting gets its ``'``.
    ``ValueError`` for an id that does not exist or is given twice.
    """
    cdef list ids = physical(cards, deck_count(decks))
    cdef list words = []
    cdef bytearray seen = bytearray(54)
    cdef int card, face, copy
    # Counting copies works for a face exactly when they come as 0, 1, 2 in this order.
    plain = bytearray(b"\1" * 54)
    for card in ids:
        face, copy = card % 54, card // 54
        if copy != seen[face]:
            plain[face] = 0
        seen[face] += 1
    for card in ids:
        face, copy = card % 54, card // 54
        words.append(face_text(face) + ("" if plain[face] else "'" * copy))
    return " ".join(words)
