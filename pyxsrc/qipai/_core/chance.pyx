"""Seeds as the callers give them."""

from os import urandom

from qipai._core.numbers cimport whole_number


cpdef bytes seed_bytes(object seed):
    """32 bytes of a seed as the callers give it; fresh ones for None."""
    if seed is None:
        return urandom(32)
    cdef bytes given
    if isinstance(seed, (bytes, bytearray)):
        given = bytes.join(b"", (seed,))  # of a subclass too its bytes, and no code of it
        if len(given) != 32:
            raise ValueError(f"seed must be 32 bytes long, not {len(given)}")
        return given
    if not hasattr(seed, "__index__"):
        raise TypeError(f"seed must be an integer or 32 bytes, not {type(seed).__name__}")
    number = whole_number(seed, "seed")
    if not 0 <= number < 1 << 256:
        raise ValueError("seed must be at least 0 and below 2**256")
    return number.to_bytes(32, "little")
