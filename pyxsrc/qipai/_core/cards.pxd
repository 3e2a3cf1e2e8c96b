"""Cards as the callers give them, read into packed rank counts or physical ids."""

from libc.stdint cimport int16_t, uint8_t, uint64_t

from qipai._core.bits cimport qp_cards

cdef int read_text(str text, qp_cards *out) except -1
cdef uint64_t packed_ranks(object cards, int decks, int most) except? 0xffffffffffffffff
cdef str face_text(int face)
cdef str misfit_of_packed(uint64_t packed, int decks, int most)
cdef str ranks_text(uint64_t packed)
cdef list physical(object cards, int decks, object taken=*)
