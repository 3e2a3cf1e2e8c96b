"""Nothing that a caller does leaves memory behind."""

from __future__ import annotations

import ctypes
import importlib.util
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

import qipai

_spec = importlib.util.spec_from_file_location("leaks", Path(__file__).with_name("leaks.py"))
assert _spec is not None and _spec.loader is not None
leaks: Any = importlib.util.module_from_spec(_spec)
sys.modules["leaks"] = leaks  # dataclasses look their module up
_spec.loader.exec_module(leaks)

# PYTHONMALLOC=malloc counts no blocks, coverage keeps what it sees, and without a GIL memory is
# given back late.
pytestmark = pytest.mark.skipif(
    not sys.getallocatedblocks()
    or sys.gettrace() is not None
    or bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    reason="needs an allocator that counts, and nobody else who allocates",
)

# One name a game: rule sheets share all code.
NAMES = list({name.split("/")[0]: name for name in qipai.games()}.values())


@pytest.mark.parametrize("name", NAMES)
def test_operations_leave_nothing_behind(name: str) -> None:
    assert leaks.leaking(name, 120) == []


def test_a_lost_object_is_found() -> None:
    kept: list[object] = []
    assert leaks.leaks(lambda: kept.append(object()), 160).blocks >= 160


def test_a_lost_reference_is_found() -> None:
    def lose() -> None:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object([None]))

    assert leaks.leaks(lose, 160).blocks >= 160


@pytest.mark.skipif(leaks.mallinfo2 is None, reason="the C library does not tell")
def test_a_lost_chunk_is_found() -> None:
    malloc = ctypes.CDLL(None).malloc
    malloc.argtypes, malloc.restype = [ctypes.c_size_t], ctypes.c_void_p
    assert leaks.leaks(lambda: malloc(1), 160).heap >= 160 * leaks.SMALLEST_CHUNK


def test_every_other_time_is_enough() -> None:
    kept: list[object] = []
    times = iter(range(10**6))
    assert leaks.leaks(lambda: next(times) % 2 and kept.append(object()), 160) is not None
    assert leaks.leaks(lambda: [object() for _ in range(9)], 160) is None
