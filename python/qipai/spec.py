"""What the numbers of an observation mean."""

from __future__ import annotations

from typing import NamedTuple


class Slice(NamedTuple):
    """A named stretch of an observation: ``observation[start:stop].reshape(shape)``."""

    name: str
    start: int
    stop: int
    shape: tuple[int, ...]
    meaning: str


def lay_out(*parts: tuple[str, tuple[int, ...], str]) -> tuple[Slice, ...]:
    """Return slices that follow one another, of (name, shape, meaning)."""
    slices: list[Slice] = []
    start = 0
    for name, shape, meaning in parts:
        size = 1
        for side in shape:
            size *= side
        slices.append(Slice(name, start, start + size, shape, meaning))
        start += size
    return tuple(slices)
