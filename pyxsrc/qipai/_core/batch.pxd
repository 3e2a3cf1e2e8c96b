"""Arrays of callers, checked, and work spread over threads."""

from cpython.buffer cimport Py_buffer
from libc.stdint cimport uint8_t, uint64_t

from qipai._core.bits cimport qp_pack15

# Works on rows lo..hi-1 and returns the first row that is wrong, or -1.
ctypedef Py_ssize_t (*row_work)(void *context, Py_ssize_t lo, Py_ssize_t hi) noexcept nogil

cdef class Rows:
    """A caller's C-contiguous array; released with the object."""
    cdef Py_buffer view
    cdef bint held
    cdef readonly Py_ssize_t n

    cdef inline const uint64_t *packed(self):
        """The rows as packed hands, or NULL where they are counts."""
        return <const uint64_t *> self.view.buf if self.view.ndim == 1 else NULL

    cdef inline const uint8_t *counts(self):
        return <const uint8_t *> self.view.buf if self.view.ndim == 2 else NULL

# Row i of packed hands or, where those are NULL, of counts.
cdef inline uint64_t packed_row(const uint64_t *packed, const uint8_t *counts, Py_ssize_t i) noexcept nogil:
    return packed[i] if packed != NULL else qp_pack15(counts + 15 * i)

cdef Rows hands(object array, str name, int ranks)
cdef Rows extras(object array, str name, Py_ssize_t n)
cdef Rows writable(object array, str name, Py_ssize_t n, Py_ssize_t itemsize, const char *kinds)
cdef Rows table(object array, str name, int columns)
cdef Rows items(object array, str name, Py_ssize_t n, Py_ssize_t itemsize, const char *kinds)
cdef Py_ssize_t spread(row_work work, void *context, Py_ssize_t n, int threads) except -2
cdef int thread_count(object threads) except -1
cdef int need_apart(Rows one, Rows other, str name) except -1
cdef int need_packed(Rows rows, str name, int decks, int most, int threads) except -1
