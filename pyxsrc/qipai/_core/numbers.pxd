"""Numbers of callers."""

from cpython.number cimport PyNumber_Index


cdef inline object whole_number(object value, str name):
    """An int and no subclass of it, so that comparing it runs no code of the caller's."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an integer, not {value!r}")
    try:
        return PyNumber_Index(value)
    except TypeError:  # an array
        raise TypeError(f"{name} must be an integer, not {value!r}") from None
