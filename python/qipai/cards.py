"""Cards as text and as ids.

An id is ``copy * 54 + face``, with ``face = 4 * rank + suit``: ranks 0..12 are 3..A,2, suits D C H
S are 0..3, face 52 is 小王 and 53 大王.
"""

from __future__ import annotations

from qipai._core.cards import format as format
from qipai._core.cards import parse as parse

__all__ = ["format", "parse"]
