"""Seeds as the callers give them."""

cpdef bytes seed_bytes(object seed)
