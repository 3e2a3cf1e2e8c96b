"""Damaged snapshots, their checksum made right again: a ValueError or a sound game."""

from __future__ import annotations

import random
from binascii import crc32

import qipai

HEADER = 20


def sealed(header: bytes, body: bytes) -> bytes:
    """A snapshot whose length and checksum fit its body."""
    return header[:12] + len(body).to_bytes(4, "little") + crc32(body).to_bytes(4, "little") + body


def damage(body: bytes, rng: random.Random) -> bytes:
    """The bytes with one to a few changes of all kinds."""
    data = bytearray(body)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        kind = rng.randrange(6)
        at = rng.randrange(len(data)) if data else 0
        if kind == 0 and data:
            data[at] = rng.randrange(256)
        elif kind == 1 and data:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 2 and data:
            del data[at : at + rng.choice((1, 2, 4, 40))]
        elif kind == 3:
            data[at:at] = rng.randbytes(rng.choice((1, 2, 4, 40)))
        elif kind == 4 and len(data) > 8:
            other = rng.randrange(len(data))
            data[at], data[other] = data[other], data[at]
        elif kind == 5 and data:
            data[at : at + 2] = rng.choice((b"\xff\xff", b"\0\0", b"\x7f\xff", b"\xff\x7f"))
    return bytes(data)


def sound(game: qipai.Game) -> None:
    """The invariants that any game keeps."""
    assert qipai.restore(game.snapshot()) == game
    assert game.is_over == (game.turn is None)
    for seat in range(game.players):
        game.view(seat).as_dict()
        game.observe(seat)
    if game.is_over:
        assert len(game.scores()) == game.players
        assert game.result
    else:
        assert 0 <= game.turn < game.players
        assert game.legal_count() >= 1
        game.clone().apply(game.legal_actions()[-1])
    replayed = game.record().replay()
    # Answers that are held are no part of a record.
    assert replayed == game or set(game.pending()) < set(replayed.pending())


def fuzz(name: str, n: int, seed: int) -> tuple[int, int]:
    """Damage n snapshots of a game; (refused, accepted)."""
    rng = random.Random(seed)
    refused = accepted = 0
    pool: list[bytes] = []
    while len(pool) < 200:
        game = qipai.new(name, seed=rng.getrandbits(256))
        while not game.is_over and len(pool) < 200:
            if rng.random() < 0.08:
                pool.append(game.snapshot())
            game.apply(rng.choice(game.legal_actions()))
        pool.append(game.snapshot())
    for _ in range(n):
        good = rng.choice(pool)
        data = sealed(good[:HEADER], damage(good[HEADER:], rng))
        if rng.random() < 0.02:
            data = damage(good, rng)
        try:
            game = qipai.restore(data)
        except ValueError:
            refused += 1
            continue
        accepted += 1
        if accepted % 10 == 0:
            sound(game)
    return refused, accepted
