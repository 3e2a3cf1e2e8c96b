"""Tile text and ids."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai import tiles


def test_kinds_in_order() -> None:
    """AM-1: 万 筒 条, then 东南西北白发中; an id is four times the kind and the copy."""
    assert tiles.parse("123m456p789s11z") == [0, 4, 8, 48, 52, 56, 96, 100, 104, 108, 109]
    assert tiles.parse("东南西北白发中") == [4 * kind for kind in range(27, 34)]
    assert tiles.parse("1234567z") == tiles.parse("东南西北白发中")
    assert tiles.parse("19万19筒9饼19条") == tiles.parse("19m19p9p19s")
    assert tiles.parse("東發1萬") == tiles.parse("1z6z1m")
    assert tiles.parse(" 12m, 1m 中") == [0, 4, 1, 132]
    assert tiles.parse("") == []
    assert len({*tiles.parse("".join(f"{r}" * 4 for r in range(1, 10)) + "m")}) == 36


def test_copies() -> None:
    """A tile is the lowest copy left; ``'`` names another one."""
    assert tiles.parse("11m1m") == [0, 1, 2]
    assert tiles.parse("1'1m") == [1, 0]
    assert tiles.parse("11'''m1m") == [0, 3, 1]
    assert tiles.format([0, 1, 4]) == "112m"
    assert tiles.format([1, 0]) == "1'1m"
    assert tiles.format([3]) == "1'''m"
    assert tiles.format([0, 36, 1]) == "1m1p1m"


def test_other_forms() -> None:
    """Counts and ids are taken as well."""
    counts = bytes([2, *[0] * 32, 1])
    assert tiles.parse(counts) == [0, 1, 132]
    assert tiles.format(counts) == "11m7z"
    assert tiles.parse([5, 4]) == [5, 4]


@given(st.lists(st.integers(0, 135), unique=True))
def test_round_trip(ids: list[int]) -> None:
    """Text is read back into the same ids, in the same order."""
    assert tiles.parse(tiles.format(ids)) == ids


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("8z", "8z"),
        ("0m", "'0'"),
        ("12", "no suit"),
        ("12 3m", "no suit"),
        ("1中", "no suit"),
        ("m", "no rank"),
        ("1mm", "no rank"),
        ("1x", "no suit"),
        ("x", "'x'"),
        ("11111m", "5 copies of 1m"),
        ("'1m", "follows no tile"),
        ("1''''m", "follows no tile"),
        ("1'1'm", "named twice"),
        ("1m" * 137, "136 tiles|5 copies"),
        ("123456789m" * 16, "136 tiles"),
        (bytes(33), "34"),
        (bytes([5, *[0] * 33]), "5 copies of 1m"),
        ([136], "136"),
        ([-1], "-1"),
        ([7, 7], "given twice"),
    ],
)
def test_what_is_no_tile(wrong: object, why: str) -> None:
    """``ValueError`` names the culprit."""
    with pytest.raises(ValueError, match=why):
        tiles.parse(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=why):
        tiles.format(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [None, 7, [1.5], [True], ["1m"]])
def test_what_is_of_no_type(wrong: object) -> None:
    """``TypeError`` for what is neither text, counts nor ids."""
    with pytest.raises(TypeError):
        tiles.parse(wrong)  # type: ignore[arg-type]
