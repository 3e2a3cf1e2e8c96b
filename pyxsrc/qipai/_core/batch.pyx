"""Arrays of callers, checked, and work spread over threads."""

from cpython.buffer cimport (
    PyBUF_C_CONTIGUOUS, PyBUF_FORMAT, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer,
)
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport strchr

from qipai._core.bits cimport qp_packed_fits
from qipai._core.cards cimport misfit_of_packed, packed_ranks
from qipai._core.numbers cimport whole_number

# Below this many rows a second thread costs more than it saves.
cdef Py_ssize_t ROWS_A_THREAD = 8192


cdef class Rows:
    def __dealloc__(self):
        if self.held:
            PyBuffer_Release(&self.view)


cdef Rows acquire(object array, str name, int flags):
    cdef Rows rows = Rows.__new__(Rows)
    try:
        PyObject_GetBuffer(array, &rows.view, flags | PyBUF_FORMAT | PyBUF_C_CONTIGUOUS)
    except (BufferError, ValueError) as error:
        raise ValueError(f"{name}: {error}") from None
    except TypeError:
        raise TypeError(f"{name} must be an array, not {type(array).__name__}") from None
    rows.held = True
    rows.n = rows.view.shape[0] if rows.view.ndim else -1
    return rows


cdef Rows aligned(Rows rows, str name):
    """The rows, where each item may be read as it lies."""
    if rows.view.len and <size_t> rows.view.buf % <size_t> rows.view.itemsize:
        raise ValueError(f"{name} does not begin at a multiple of its items' size")
    return rows


cdef bint is_format(const char *given, const char *kinds) noexcept:
    """Whether a buffer's format is one of the native kinds, a character each."""
    if given == NULL:
        return strchr(kinds, c"B") != NULL
    if given[0] in (c"@", c"=", c"<"):
        given += 1
    return given[0] != 0 and given[1] == 0 and strchr(kinds, given[0]) != NULL


cdef Rows hands(object array, str name, int ranks):
    """Hands of a caller: uint64 (n,) packed, or uint8 (n, ranks) counts."""
    cdef Rows rows = acquire(array, name, 0)
    if rows.view.ndim == 1 and rows.view.itemsize == 8 and is_format(rows.view.format, b"LQ"):
        return aligned(rows, name)
    if (rows.view.ndim == 2 and rows.view.shape[1] == ranks and rows.view.itemsize == 1
            and is_format(rows.view.format, b"B")):
        return rows
    shape = tuple([rows.view.shape[i] for i in range(rows.view.ndim)])
    packed = "uint64 of shape (n,) or " if ranks == 15 else ""  # ranks are packed, tiles are not
    raise ValueError(
        f"{name} must be {packed}uint8 of shape (n, {ranks}), "
        f"not format {(rows.view.format or b'B').decode('ascii', 'replace')!r} of shape {shape}")


cdef Rows extras(object array, str name, Py_ssize_t n):
    """A caller's uint8 for each of n rows."""
    cdef Rows rows = acquire(array, name, 0)
    if rows.view.ndim != 1 or rows.view.itemsize != 1 or not is_format(rows.view.format, b"B"):
        raise ValueError(f"{name} must be uint8 of shape ({n},)")
    if rows.n != n:
        raise ValueError(f"{name} has {rows.n} rows, {n} are needed")
    return rows


cdef Rows flat(Rows rows, str name, Py_ssize_t itemsize, const char *kinds):
    """The rows, where they are items of a size and one of the formats."""
    if rows.view.ndim != 1 or rows.view.itemsize != itemsize or (
            kinds != NULL and not is_format(rows.view.format, kinds)):
        raise ValueError(
            f"{name} must be one-dimensional, with {itemsize}-byte items of the documented dtype")
    return aligned(rows, name)


cdef Rows writable(object array, str name, Py_ssize_t n, Py_ssize_t itemsize, const char *kinds):
    """A caller's array for the answers: at least n items of a size and one of the formats."""
    cdef Rows rows = flat(acquire(array, name, PyBUF_WRITABLE), name, itemsize, kinds)
    if rows.n < n:
        raise ValueError(f"{name} has room for {rows.n} rows, {n} are needed")
    return rows


cdef Rows table(object array, str name, int columns):
    """A caller's array for rows of bytes: any number of rows."""
    cdef Rows rows = acquire(array, name, PyBUF_WRITABLE)
    if (rows.view.ndim != 2 or rows.view.shape[1] != columns or rows.view.itemsize != 1
            or not is_format(rows.view.format, b"B")):
        raise ValueError(f"{name} must be uint8 of shape (n, {columns})")
    return rows


cdef Rows items(object array, str name, Py_ssize_t n, Py_ssize_t itemsize, const char *kinds):
    """A caller's n items of a size and one of the formats, to be read."""
    cdef Rows rows = flat(acquire(array, name, 0), name, itemsize, kinds)
    if rows.n != n:
        raise ValueError(f"{name} must have the shape ({n},), not ({rows.n},)")
    return rows


cdef int thread_count(object threads) except -1:
    count = whole_number(threads, "threads")
    if not 1 <= count <= 256:
        raise ValueError(f"threads must be 1 to 256, not {count}")
    return count


cdef class Slice:
    """One thread's share of the rows."""
    cdef row_work work
    cdef void *context
    cdef Py_ssize_t lo, hi, wrong

    def run(self):
        """Do the rows of the share."""
        if self.work == NULL:
            raise TypeError("a share of no work")
        with nogil:
            self.wrong = self.work(self.context, self.lo, self.hi)


cdef Py_ssize_t spread(row_work work, void *context, Py_ssize_t n, int threads) except -2:
    """Do all rows; the first that is wrong, or -1, whatever the number of threads."""
    cdef Py_ssize_t wrong
    cdef Slice share
    threads = min(threads, n // ROWS_A_THREAD + 1)
    if threads == 1:
        with nogil:
            wrong = work(context, 0, n)
        return wrong
    from threading import Thread

    shares = []
    for i in range(threads):
        share = Slice.__new__(Slice)
        share.work, share.context = work, context
        share.lo, share.hi = n * i // threads, n * (i + 1) // threads
        shares.append(share)
    others = [Thread(target=one.run) for one in shares[1:]]
    for thread in others:
        thread.start()
    shares[0].run()
    for thread in others:
        thread.join()
    for share in shares:
        if share.wrong >= 0:
            return share.wrong
    return -1


cdef struct fitting:
    const uint64_t *packed
    const uint8_t *counts
    int decks
    int most


cdef Py_ssize_t check_rows(void *context, Py_ssize_t lo, Py_ssize_t hi) noexcept nogil:
    cdef fitting *fit = <fitting *> context
    cdef Py_ssize_t i
    for i in range(lo, hi):
        if not qp_packed_fits(packed_row(fit.packed, fit.counts, i), fit.decks, fit.most):
            return i
    return -1


cdef int need_packed(Rows rows, str name, int decks, int most, int threads) except -1:
    """ValueError that names the first row that is no hand of so many cards of so many decks."""
    cdef fitting fit
    fit.packed, fit.counts, fit.decks, fit.most = rows.packed(), rows.counts(), decks, most
    cdef Py_ssize_t wrong = spread(check_rows, &fit, rows.n, threads)
    if wrong < 0:
        return 0
    if rows.counts() != NULL:
        try:
            packed_ranks((<const char *> rows.counts() + 15 * wrong)[:15], decks, most)
        except ValueError as error:
            raise ValueError(f"{name}[{wrong}]: {error}") from None
    raise ValueError(
        f"{name}[{wrong}] = {rows.packed()[wrong]:#x}: "
        f"{misfit_of_packed(rows.packed()[wrong], decks, most)}")


cdef int need_apart(Rows one, Rows other, str name) except -1:
    """ValueError where an array to be written shares memory with one to be read."""
    cdef char *a = <char *> one.view.buf
    cdef char *b = <char *> other.view.buf
    if a < b + other.view.len and b < a + one.view.len:
        raise ValueError(f"{name} shares memory with the array that is read")
    return 0
