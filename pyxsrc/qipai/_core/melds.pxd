"""Melds of 鞍山麻将: a byte each, at most four in a uint32 (csrc/mahjong.h)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef extern from "mahjong.h" nogil:
    enum:
        MJ_KINDS
        MJ_CHOW, MJ_PONG, MJ_OPEN_KONG, MJ_ADDED_KONG, MJ_CONCEALED_KONG
    int mj_has(uint64_t melds, int what) noexcept

cdef extern from "mahjong_table.h" nogil:
    const uint64_t *mj_meld  # by byte: what it has (MJ_M_), 0 where it is no meld

# The byte of a meld of this form; `kind` is its lowest.
cdef inline int meld_of(int form, int kind) noexcept nogil:
    return 1 + MJ_KINDS * form + kind

cdef inline int form_of(int code) noexcept nogil:
    return (code - 1) // MJ_KINDS

cdef inline int lowest_kind(int code) noexcept nogil:
    return (code - 1) % MJ_KINDS

cdef inline int meld_count(uint32_t melds) noexcept nogil:
    cdef int n = 0
    while melds:
        n += melds & 255 != 0
        melds >>= 8
    return n

# The kinds of a meld's tiles; how many.
cdef int meld_kinds(int code, uint8_t *kinds) noexcept nogil
# Add the tiles of the melds to counts.
cdef void add_melds(uint32_t melds, uint8_t *held) noexcept nogil
cdef object meld_object(int code)
cdef uint32_t melds_of(object melds) except? 0xffffffff
