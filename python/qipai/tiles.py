"""Tiles as text and as ids.

An id is ``4 * kind + copy``; kinds 0..33 are 1..9 of 万 (``m``), 筒 (``p``) and 条 (``s``), then
``1z`` to ``7z``: 东南西北白发中.
"""

from __future__ import annotations

from qipai._core.tiles import format as format
from qipai._core.tiles import parse as parse

__all__ = ["format", "parse"]
