"""Standard output: coloured on a terminal, elsewhere plain text."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

Part = str | tuple[str, str]  # text, or text and its style


class Face(NamedTuple):
    """A card or tile: what stands above, what below, its style."""

    above: str
    below: str
    style: str

    def __str__(self) -> str:
        return self.above + self.below


def counted(n: int, word: str) -> str:
    """Return ``"1 hand"``, ``"2 hands"``."""
    return f"{n} {word}" if n == 1 else f"{n} {word}s"


class Screen:
    """Writes lines and tables; ``console`` is rich's."""

    def __init__(self) -> None:
        reconfigure = getattr(sys.stdout, "reconfigure", None)
        if reconfigure is not None:  # an encoding without Chinese must not end the command
            reconfigure(errors="replace")
        self.console = Console(highlight=False)

    def line(self, *parts: Part) -> None:
        """Write one line."""
        self.console.print(Text.assemble(*parts), soft_wrap=True)

    def table(self, rows: Sequence[Sequence[str]], *styles: str, wrap: int = -1) -> None:
        """Write rows, indented, their columns aligned and styled; the column ``wrap`` may wrap."""
        if not self.console.is_terminal:
            widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
            for row in rows:
                cells = zip(row, widths, strict=True)
                padded = [cell + " " * (width - cell_len(cell)) for cell, width in cells]
                self.line("  " + "  ".join(padded).rstrip())
            return
        grid = Table.grid(padding=(0, 2, 0, 0))
        for place, style in enumerate(styles):
            grid.add_column(style=style, no_wrap=place != wrap % len(styles))
        for row in rows:
            grid.add_row(*map(Text, row))
        self.console.print(Padding(grid, (0, 0, 0, 2)))

    def pieces(self, faces: Sequence[Face]) -> None:
        """Draw cards or tiles side by side, each over the right of the one before."""
        if not self.console.is_terminal:
            self.line("  " + " ".join(map(str, faces)))
            return
        wide = max(1, (self.console.width - 3) // 3)
        for start in range(0, len(faces), wide):
            row = faces[start : start + wide]
            self.line("  ", "╭──" * len(row), "╮")
            for side in ("above", "below"):
                parts: list[Part] = ["  "]
                for face in row:
                    text: str = getattr(face, side)
                    parts += ["│", (text + " " * (2 - cell_len(text)), face.style)]
                self.line(*parts, "│")
            self.line("  ", "╰──" * len(row), "╯")
