"""docs/environments.md: its blocks print what stands under them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "environments.md"
BLOCK = re.compile(r"^## (\w+)$|^```py\n(.*?)^```\n\n```text\n(.*?)^```\n", re.M | re.S)


def blocks() -> Iterator[tuple[str, str, str]]:
    """Heading, code and output of every block."""
    heading = ""
    for block in BLOCK.finditer(PAGE.read_text(encoding="utf-8")):
        if block[1]:
            heading = block[1]
        else:
            yield heading, block[2], block[3]


@pytest.mark.filterwarnings("default")
@pytest.mark.skipif(not PAGE.exists(), reason="no documentation beside the tests")
def test_blocks_print_what_is_shown() -> None:
    for library in ("pettingzoo", "gymnasium", "pyspiel", "distributed"):
        pytest.importorskip(library)
    names: dict[str, object] = {"__name__": "__main__"}
    shown = list(blocks())
    assert [heading for heading, _, _ in shown] == [
        "PettingZoo", "Gymnasium", "OpenSpiel", "Clusters",
    ]  # fmt: skip
    assert len(shown) == PAGE.read_text(encoding="utf-8").count("```py\n")
    for heading, code, output in shown:
        out = io.StringIO()
        with redirect_stdout(out):
            exec(compile(code, heading, "exec", dont_inherit=True), names)
        assert (heading, out.getvalue()) == (heading, output)
