from typing import SupportsIndex

def seed_bytes(seed: SupportsIndex | bytes | bytearray | None) -> bytes:
    """32 bytes of a seed as the callers give it; fresh ones for None."""
