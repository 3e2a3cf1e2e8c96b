"""Snapshots that are damaged, foreign or of another version."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import qipai

_spec = importlib.util.spec_from_file_location(
    "snapshots", Path(__file__).with_name("snapshots.py")
)
assert _spec is not None and _spec.loader is not None
snapshots = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(snapshots)


@pytest.mark.parametrize("name", qipai.games())
def test_damaged(name: str) -> None:
    refused, _ = snapshots.fuzz(name, 1500, 2)
    assert refused > 100


@pytest.mark.parametrize("name", qipai.games())
def test_headers(name: str) -> None:
    good = qipai.new(name, seed=1).snapshot()
    for data in (b"", good[:19], b"x" + good[1:], good[:-1], good + b"\0", good[:20]):
        with pytest.raises(ValueError, match="snapshot"):
            qipai.restore(data)
    for at, what in ((6, "format"), (8, "game"), (10, "version"), (16, "checksum")):
        data = bytearray(good)
        data[at] ^= 0x41
        with pytest.raises(ValueError, match=what):
            qipai.restore(bytes(data))
    for data in (None, "text", 7):
        with pytest.raises(TypeError):
            qipai.restore(data)  # type: ignore[arg-type]
    assert qipai.restore(bytearray(good)) == qipai.restore(memoryview(good))


def test_every_single_byte() -> None:
    """Each byte of a snapshot in the middle of a hand, set to a few other values."""
    game = qipai.new("shuangkou/lishui", seed=2)
    for _ in range(40):
        game.apply(game.auto())
    good = game.snapshot()
    body = good[snapshots.HEADER :]
    for at in range(len(body)):
        for value in (0, 1, 0x7F, 0x80, 0xFF, body[at] ^ 1, body[at] + 1 & 0xFF):
            damaged = body[:at] + bytes([value]) + body[at + 1 :]
            try:
                other = qipai.restore(snapshots.sealed(good, damaged))
            except ValueError:
                continue
            assert (other == game) == (damaged == body)
            assert len(other.events()) >= 40
