"""Seeds as the callers give them."""

from os import urandom


cpdef bytes seed_bytes(object seed):
    """32 bytes of a seed as the callers give it; fresh ones for None."""
    if seed is None:
        return urandom(32)
    if isinstance(seed, (bytes, bytearray)):
        if len(seed) != 32:
            raise ValueError(f"seed must be 32 bytes long, not {len(seed)}")
        return bytes(seed)
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        raise TypeError(f"seed must be an integer or 32 bytes, not {type(seed).__name__}")
    number = seed.__index__()
    if not 0 <= number < 1 << 256:
        raise ValueError("seed must be at least 0 and below 2**256")
    return number.to_bytes(32, "little")
