"""Seeds as the callers give them."""

cdef bytes seed_bytes(object seed)
