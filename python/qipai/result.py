"""The itemised result of a hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a result.

    ``amounts``: what each player wins or loses by it, stake included; the amounts of all lines add
    up to the scores. ``count``: of a line that only counts (stars, 番). ``clause``: the rule.
    """

    text: str
    text_zh: str
    clause: str
    amounts: tuple[int, ...] | None = None
    count: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the line as plain JSON."""
        return {
            "text": self.text,
            "text_zh": self.text_zh,
            "clause": self.clause,
            "amounts": None if self.amounts is None else list(self.amounts),
            "count": self.count,
        }

    def _repr_html_(self) -> str:
        from qipai.draw import result

        return result([self])
