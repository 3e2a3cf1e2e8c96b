"""Standard output: coloured on a terminal, elsewhere plain text."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

Part = str | tuple[str, str]  # text, or text and its style


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
