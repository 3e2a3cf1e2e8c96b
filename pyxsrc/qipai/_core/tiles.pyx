"""Tiles as the callers give them, read into counts of the 34 kinds or physical ids."""

from cpython.bytes cimport PyBytes_AsString
from cpython.number cimport PyIndex_Check
from cpython.ref cimport PyObject
from libc.stdint cimport int8_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from qipai._core.numbers cimport whole_number

cdef extern from "Python.h":
    Py_ssize_t PyNumber_AsSsize_t(object number, PyObject *error) except? -1  # NULL: clipped

cdef Py_ssize_t LONGEST = 4096  # signs of a text of tiles
cdef str SUITS = "mpsz"
cdef dict SUIT_OF = {
    letter: suit
    for suit, letters in enumerate(("m万萬", "p筒饼餅", "s条條", "z"))
    for letter in letters
}
cdef dict HONOUR_OF = {
    sign: 27 + i for i, signs in enumerate(("东東", "南", "西", "北", "白", "发發", "中")) for sign in signs
}


cdef int read_text(str text, tile_list *out) except -1:
    """Read tile text; ValueError names the first thing that is no tile."""
    cdef int i, kind, suit, digit, first = 0  # first: of the digits that wait for their suit
    out.n = 0
    if len(text) > LONGEST:
        raise ValueError(f"{text[:60]!r} and so on is too long: {len(text)} signs")
    for sign in text:
        digit = ord(sign) - 48
        kind = -1
        if 1 <= digit <= 9:
            kind = digit - 1
        elif sign == "'":
            if first == out.n or out.copy[out.n - 1] == 3:
                raise ValueError(f"\"'\" in {text[:60]!r} follows no tile that has one more copy")
            out.copy[out.n - 1] = 1 if out.copy[out.n - 1] < 0 else out.copy[out.n - 1] + 1
            continue
        elif sign in SUIT_OF:
            suit = SUIT_OF[sign]
            if first == out.n:
                raise ValueError(f"{sign!r} in {text[:60]!r} follows no rank")
            for i in range(first, out.n):
                if suit == 3 and out.kind[i] > 6:
                    raise ValueError(
                        f"'{out.kind[i] + 1}z' in {text[:60]!r} is no tile: honours are 1z to 7z")
                out.kind[i] += 9 * suit
            first = out.n
            continue
        elif first < out.n:
            break
        elif sign in HONOUR_OF:
            kind = HONOUR_OF[sign]
        elif sign in " ,":
            continue
        else:
            raise ValueError(f"{sign!r} in {text[:60]!r} is no tile")
        if out.n == TILES:
            raise ValueError(f"{text[:60]!r} has more than {TILES} tiles")
        out.kind[out.n], out.copy[out.n] = kind, -1
        out.n += 1
        if sign in HONOUR_OF:
            first = out.n
    if first < out.n:
        raise ValueError(
            f"'{out.kind[first] + 1}' in {text[:60]!r} has no suit: write m, p, s or z after it")
    return 0


cdef str kind_text(int kind):
    return f"{kind % 9 + 1}{SUITS[kind // 9]}"


cdef str kinds_text(object kinds):
    """The text of kinds in the order given, suits written once for neighbours."""
    cdef list words = []
    cdef int kind, suit = -1
    for kind in kinds:
        if kind // 9 != suit and suit >= 0:
            words.append(SUITS[suit])
        suit = kind // 9
        words.append(str(kind % 9 + 1))
    if suit >= 0:
        words.append(SUITS[suit])
    return "".join(words)


cdef int too_many(int count, int kind) except -1:
    raise ValueError(f"{count} copies of {kind_text(kind)}: there are 4")


cdef int tile_counts(object tiles, uint8_t *counts) except -1:
    """Counts of the 34 kinds of any form of tiles, each at most 4."""
    cdef tile_list read
    cdef int i
    if type(tiles) is bytes:
        if len(<bytes> tiles) != KINDS:
            raise ValueError(
                f"bytes of counts must be {KINDS} (kinds) long, not {len(<bytes> tiles)}")
        memcpy(counts, PyBytes_AsString(tiles), KINDS)
    elif isinstance(tiles, str):
        read_text(tiles, &read)
        memset(counts, 0, KINDS)
        for i in range(read.n):
            if read.copy[i] >= 0:
                physical(tiles)  # the copies named must exist as well
                break
        for i in range(read.n):
            counts[read.kind[i]] += 1
    else:
        memset(counts, 0, KINDS)
        for i in physical(tiles):
            counts[i // 4] += 1
    for i in range(KINDS):
        if counts[i] > 4:
            too_many(counts[i], i)
    return 0


cdef int lowest(bytearray used, int kind) except -1:
    """Take the lowest id of a kind that is not used yet."""
    cdef int tile
    for tile in range(4 * kind, 4 * kind + 4):
        if not used[tile]:
            used[tile] = 1
            return tile
    too_many(5, kind)


cdef list physical(object tiles):
    """Ids of tiles given as text, counts or ids; each at most once."""
    cdef bytearray used = bytearray(TILES)
    cdef list ids = []
    cdef tile_list read
    cdef int i, tile
    if isinstance(tiles, str):
        read_text(tiles, &read)
        ids = [-1] * read.n
        # Copies named exactly come first, so that the others take what they leave.
        for i in range(read.n):
            if read.copy[i] >= 0:
                tile = 4 * read.kind[i] + read.copy[i]
                if used[tile]:
                    raise ValueError(
                        f"a copy of {kind_text(read.kind[i])} is named twice in {tiles[:60]!r}")
                used[tile] = 1
                ids[i] = tile
        for i in range(read.n):
            if read.copy[i] < 0:
                ids[i] = lowest(used, read.kind[i])
        return ids
    if type(tiles) is bytes:
        if len(<bytes> tiles) != KINDS:
            raise ValueError(
                f"bytes of counts must be {KINDS} (kinds) long, not {len(<bytes> tiles)}")
        for i in range(KINDS):
            if (<bytes> tiles)[i] > 4:
                too_many((<bytes> tiles)[i], i)
            for _ in range((<bytes> tiles)[i]):
                ids.append(lowest(used, i))
        return ids
    try:
        items = iter(tiles)
    except (TypeError, NotImplementedError):  # the latter of a memoryview
        raise TypeError(
            f"tiles must be text, bytes of counts or ids, not {type(tiles).__name__}") from None
    for item in items:
        index = whole_number(item, "a tile id")
        if not 0 <= index < TILES:
            raise ValueError(f"tile id {index} is out of range 0..{TILES - 1}")
        tile = index
        if used[tile]:
            raise ValueError(f"tile id {tile} ({kind_text(tile // 4)}) is given twice")
        used[tile] = 1
        ids.append(tile)
    return ids


cdef int kind_of(object tile, str name) except -2:
    """The kind of one tile given as a kind or as text, -1 for None."""
    cdef tile_list read
    cdef Py_ssize_t index
    if tile is None:
        return -1
    if isinstance(tile, str):
        read_text(tile, &read)
        if read.n != 1:
            raise ValueError(f"{name} must be one tile, not {tile[:60]!r}")
        return read.kind[0]
    if isinstance(tile, bool) or not PyIndex_Check(tile):
        raise TypeError(f"{name} must be a kind, tile text or None, not {tile!r}")
    try:
        index = PyNumber_AsSsize_t(tile, NULL)
    except TypeError:  # an array
        raise TypeError(f"{name} must be a kind, tile text or None, not {tile!r}") from None
    if not 0 <= index < KINDS:
        raise ValueError(f"{name} must be a kind from 0 to {KINDS - 1}, not {tile!r}")
    return index


cdef uint64_t kind_set(object tiles, str name) except? 0xffffffffffffffff:
    """Kinds as a set of bits; text, one kind, or an iterable of both."""
    cdef tile_list read
    cdef uint64_t kinds = 0
    cdef int i
    if isinstance(tiles, str):
        read_text(tiles, &read)
        for i in range(read.n):
            kinds |= <uint64_t> 1 << read.kind[i]
        return kinds
    if hasattr(tiles, "__index__") and not getattr(tiles, "shape", ()):
        tiles = (tiles,)
    try:
        items = iter(tiles)
    except (TypeError, NotImplementedError):  # the latter of a memoryview
        raise TypeError(f"{name} must be kinds or tile text, not {tiles!r}") from None
    for item in items:
        if item is None:
            raise TypeError(f"{name} must be kinds or tile text, not None")
        kinds |= <uint64_t> 1 << kind_of(item, name)
    return kinds


def parse(tiles):
    """Read tiles into ids, in the order given.

    Text is ranks and then their suit, ``"123m456p789s11z"``: ``m`` or 万, ``p`` or 筒, ``s`` or 条,
    ``z`` for 东南西北白发中 as 1 to 7, which may be written themselves; spaces or commas stand
    between suits as you like. A tile means the lowest id of its kind that the text leaves; ``'``
    after a rank, up to three times, names its second, third or fourth copy.

    ``bytes`` of 34 counts and sequences of ids are taken too. Returns a list of ints,
    ``4 * kind + copy``, kinds 0..33 in the order m, p, s, z. Raises ``ValueError`` that names what
    is no tile, or of what there are more than four.
    """
    return physical(tiles)


def format(tiles):
    """Write ids as text that :func:`parse` reads back into the same ids, in the same order.

    A copy that would not be reached by counting gets its ``'``. ``ValueError`` for an id that does
    not exist or is given twice.
    """
    cdef list ids = physical(tiles)
    cdef list words = []
    cdef bytearray seen = bytearray(KINDS)
    cdef bytearray plain = bytearray(b"\1" * KINDS)
    cdef int tile, suit = -1
    # Counting copies works for a kind exactly when they come as 0, 1, 2, 3 in this order.
    for tile in ids:
        if tile % 4 != seen[tile // 4]:
            plain[tile // 4] = 0
        seen[tile // 4] += 1
    for tile in ids:
        if tile // 36 != suit and suit >= 0:
            words.append(SUITS[suit])
        suit = tile // 36
        words.append(str(tile // 4 % 9 + 1) + ("" if plain[tile // 4] else "'" * (tile % 4)))
    if suit >= 0:
        words.append(SUITS[suit])
    return "".join(words)
