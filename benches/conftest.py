"""Benches count per item: a round works through all inputs, and the table is of one item."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_table: list[tuple[str, float, float]] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rounds", type=int, default=7, help="rounds of every bench")


@pytest.fixture
def each(
    benchmark: Any, request: pytest.FixtureRequest
) -> Callable[[Callable[[], Any], int], float]:
    """``each(work, n)`` times work that does n items; the median time of one, in nanoseconds."""

    def run(work: Callable[[], Any], n: int) -> float:
        rounds = request.config.getoption("rounds")
        benchmark.pedantic(work, rounds=rounds, iterations=1, warmup_rounds=1)
        if benchmark.stats is None:  # --benchmark-disable: it ran, and that is all
            return 0.0
        nanoseconds = benchmark.stats.stats.median / n * 1e9
        best = benchmark.stats.stats.min / n * 1e9
        benchmark.extra_info["ns_per_item"] = nanoseconds
        benchmark.extra_info["items"] = n
        about = (request.function.__doc__ or "").strip().partition("\n\n")[0]
        benchmark.extra_info["note"] = " ".join(about.split())
        _table.append((request.node.nodeid.split("::", 1)[1], nanoseconds, best))
        return nanoseconds

    return run


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print what one item costs."""
    if not _table:
        return
    terminalreporter.section("per item: median, best, and items a second by the median")
    wide = max(len(name) for name, _, _ in _table)
    for name, median, best in _table:
        terminalreporter.write_line(
            f"{name:<{wide}} {median:>14,.1f} ns {best:>14,.1f} ns {1e9 / median:>16,.0f} /s"
        )
