"""Melds of 鞍山麻将: a byte each, at most four in a uint32 (csrc/mahjong.h)."""

cimport cython
from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from qipai._core.tiles cimport kinds_text, tile_counts

from enum import IntEnum

cdef extern from "mahjong.h" nogil:
    enum:
        MJ_M_KONG, MJ_M_OPEN


cdef int meld_kinds(int code, uint8_t *kinds) noexcept nogil:
    """The kinds of a meld's tiles; how many."""
    cdef int form = form_of(code), kind = lowest_kind(code), i
    cdef int n = 3 if form <= MJ_PONG else 4
    for i in range(n):
        kinds[i] = kind + i if form == MJ_CHOW else kind
    return n


cdef void add_melds(uint32_t melds, uint8_t *held) noexcept nogil:
    """Add the tiles of the melds to counts."""
    cdef uint8_t kinds[4]
    cdef int i
    while melds:
        if melds & 255:
            for i in range(meld_kinds(melds & 255, kinds)):
                held[kinds[i]] += 1
        melds >>= 8


class MeldForm(IntEnum):
    """What a meld is (AM-10)."""

    CHOW = 0
    PONG = 1
    OPEN_KONG = 2
    ADDED_KONG = 3
    CONCEALED_KONG = 4


cdef tuple FORMS = tuple(MeldForm)


@cython.final
@cython.freelist(64)
cdef class Meld:
    """A meld by its text.

    That is ``"123m"`` 吃, ``"777z"`` 碰, ``"7777z"`` 明杠, ``"7777z+"`` 加杠, ``"(7777z)"`` 暗杠;
    ``ValueError`` for text that is none of these; the order of the tiles does not matter.
    ``int(meld)`` is its byte in arrays of melds. Immutable and hashable; ``str`` gives the text.
    """
    cdef readonly int code

    def __init__(self, str text not None):
        self.code = meld_code(text)

    @property
    def form(self):
        """What it is, a :class:`MeldForm`."""
        return FORMS[form_of(self.code)]

    @property
    def kinds(self):
        """The kinds of its tiles, ascending."""
        cdef uint8_t kinds[4]
        cdef int i, n = meld_kinds(self.code, kinds)
        return tuple([kinds[i] for i in range(n)])

    @property
    def is_kong(self):
        """Whether it has four tiles."""
        return mj_has(mj_meld[self.code], MJ_M_KONG) != 0

    @property
    def is_open(self):
        """Whether it opens the hand: all but a 暗杠 do (AM-33)."""
        return mj_has(mj_meld[self.code], MJ_M_OPEN) != 0

    def __int__(self):
        return self.code

    def __index__(self):
        return self.code

    def __eq__(self, other):
        return isinstance(other, Meld) and (<Meld> other).code == self.code

    def __hash__(self):
        return self.code

    def __str__(self):
        text = kinds_text(self.kinds)
        if form_of(self.code) == MJ_CONCEALED_KONG:
            return f"({text})"
        return text + "+" if form_of(self.code) == MJ_ADDED_KONG else text

    def __repr__(self):
        return f"Meld({str(self)!r})"

    def __reduce__(self):
        return Meld, (str(self),)


cdef object meld_object(int code):
    cdef Meld meld = Meld.__new__(Meld)
    meld.code = code
    return meld


cdef int meld_code(str text) except -1:
    """The byte of a meld's text."""
    cdef uint8_t counts[34]
    cdef str tiles = text.strip()
    cdef int kind, size = 0, form = MJ_OPEN_KONG
    if tiles.startswith("(") and tiles.endswith(")"):
        tiles, form = tiles[1:len(tiles) - 1], MJ_CONCEALED_KONG
    elif tiles.endswith("+"):
        tiles, form = tiles.removesuffix("+"), MJ_ADDED_KONG
    try:
        tile_counts(tiles, counts)
    except ValueError as error:
        raise ValueError(f"{text[:60]!r} is no meld: {error}") from None
    for kind in range(MJ_KINDS):
        size += counts[kind]
    for kind in range(MJ_KINDS):
        if counts[kind]:
            break
    if size == 4 and counts[kind] == 4:
        return meld_of(form, kind)
    if size == 3 and form == MJ_OPEN_KONG:
        if counts[kind] == 3:
            return meld_of(MJ_PONG, kind)
        if kind < 25 and kind % 9 < 7 and counts[kind + 1] and counts[kind + 2]:
            return meld_of(MJ_CHOW, kind)
    raise ValueError(f"{text[:60]!r} is no meld")


cdef uint32_t melds_of(object melds) except? 0xffffffff:
    """Melds in any form, as bytes."""
    cdef uint32_t packed = 0
    cdef int n = 0
    if type(melds) is tuple and not melds:
        return 0
    if type(melds) is bytes:
        if len(<bytes> melds) != 4:
            raise ValueError(f"bytes of melds must be 4 long, not {len(<bytes> melds)}")
        for code in <bytes> melds:
            packed |= <uint32_t> code << 8 * n
            n += 1
        return packed
    if isinstance(melds, str):
        melds = melds.split()
    try:
        items = iter(melds)
    except (TypeError, NotImplementedError):  # the latter of a memoryview
        raise TypeError(f"melds must be texts or Melds, not {type(melds).__name__}") from None
    for item in items:
        if n == 4:
            raise ValueError("more than 4 melds")
        if type(item) is Meld:
            packed |= <uint32_t> (<Meld> item).code << 8 * n
        elif isinstance(item, str):
            packed |= <uint32_t> meld_code(item) << 8 * n
        else:
            raise TypeError(f"a meld must be text or Meld, not {item!r}")
        n += 1
    return packed


def pack_melds(melds):
    """Melds as four bytes, ``int(meld)`` each and 0 for none: a row of an array of melds.

    ``ValueError`` for what is no meld, or more than four.
    """
    cdef uint32_t packed = melds_of(melds)
    cdef uint8_t codes[4]
    cdef int i
    for i in range(4):
        codes[i] = packed >> 8 * i & 255
        if codes[i] and mj_meld[codes[i]] == 0:
            raise ValueError(f"{codes[i]} is no meld")
    return PyBytes_FromStringAndSize(<const char *> codes, 4)
