"""Tiles as the callers give them, read into counts of the 34 kinds or physical ids."""

from libc.stdint cimport int8_t, uint8_t, uint64_t

cdef enum:
    KINDS = 34
    TILES = 136

cdef struct tile_list:
    int n
    uint8_t kind[136]
    int8_t copy[136]  # -1 where the text names none

cdef int read_text(str text, tile_list *out) except -1
cdef int tile_counts(object tiles, uint8_t *counts) except -1
cdef list physical(object tiles)
cdef int kind_of(object tile, str name) except -2
cdef uint64_t kind_set(object tiles, str name) except? 0xffffffffffffffff
cdef str kind_text(int kind)
cdef str kinds_text(object kinds)
