"""ChaCha20 and the deals made with it, in plain Python: what anyone needs to check a deal."""

from __future__ import annotations

from collections.abc import Iterator


def block(key: bytes, counter: int, nonce: bytes) -> bytes:
    """One block of RFC 8439."""
    words = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574]
    data = key + counter.to_bytes(4, "little") + nonce
    words += [int.from_bytes(data[i : i + 4], "little") for i in range(0, 48, 4)]
    x = list(words)

    def quarter(a: int, b: int, c: int, d: int) -> None:
        for one, two, three, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            x[one] = (x[one] + x[two]) & 0xFFFFFFFF
            mixed = x[three] ^ x[one]
            x[three] = (mixed << turn | mixed >> 32 - turn) & 0xFFFFFFFF

    for _ in range(10):
        for i in range(4):
            quarter(i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return b"".join(
        ((one + two) & 0xFFFFFFFF).to_bytes(4, "little") for one, two in zip(x, words, strict=True)
    )


def words(seed: bytes, stream: int = 0) -> Iterator[int]:
    """The 32-bit words of a seed's key stream."""
    nonce = stream.to_bytes(4, "little") + bytes(8)
    for counter in range(1 << 32):
        part = block(seed, counter, nonce)
        yield from (int.from_bytes(part[i : i + 4], "little") for i in range(0, 64, 4))


def below(stream: Iterator[int], n: int) -> int:
    """A number from 0 to n - 1: words of the last, incomplete stretch are thrown away."""
    return next(word for word in stream if word < (1 << 32) // n * n) % n


def shuffled(stream: Iterator[int], n: int) -> list[int]:
    """0 .. n - 1 in the order of Fisher and Yates."""
    items = list(range(n))
    for i in range(n - 1, 0, -1):
        j = below(stream, i + 1)
        items[i], items[j] = items[j], items[i]
    return items
