"""Standard output: coloured on a terminal, elsewhere plain text."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

Part = str | tuple[str, str]  # text, or text and its style


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

    def table(self, rows: Sequence[Sequence[str]], *styles: str) -> None:
        """Write rows, indented, their columns aligned and styled; the last column may wrap."""
        if not self.console.is_terminal:
            widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
            for row in rows:
                cells = zip(row, widths, strict=True)
                padded = [cell + " " * (width - cell_len(cell)) for cell, width in cells]
                self.line("  " + "  ".join(padded).rstrip())
            return
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column()
        for place, style in enumerate(styles, 1):
            grid.add_column(style=style, no_wrap=place < len(styles))
        for row in rows:
            grid.add_row("", *map(Text, row))
        self.console.print(grid)
