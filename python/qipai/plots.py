"""Plots of summaries, with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qipai.extras import missing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from qipai.batches import Summary

# Fonts that have Chinese, for the names of outcomes.
CHINESE = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "PingFang SC"),
    *("Microsoft YaHei", "SimHei", "WenQuanYi Micro Hei"),
)


def plot_summary(summary: Summary) -> Figure:
    """Return the figure of :meth:`qipai.Summary.plot`."""
    try:
        from matplotlib import font_manager
        from matplotlib.figure import Figure
    except ImportError as error:
        raise missing("Summary.plot", "matplotlib", "plot") from error
    installed = {font.name for font in font_manager.fontManager.ttflist}
    fonts = ["DejaVu Sans", *(name for name in CHINESE if name in installed)]
    figure = Figure(figsize=(9, 3), layout="constrained")
    left, right = figure.subplots(1, 2)
    places = range(len(summary.bots))
    means = [summary.mean(bot) for bot in places]
    errors = [
        summary.interval(bot)[1] - summary.mean(bot) if summary.n > 1 else 0 for bot in places
    ]
    left.axvline(0, color="0.7", linewidth=1)
    left.errorbar(means, places, xerr=errors, fmt="o", capsize=4)
    left.set_yticks(places, summary.bots)
    left.set_ylim(len(means) - 0.5, -0.5)
    left.set_xlabel("a hand and seat, with 95% interval")
    ends = {name or "-": count for name, count in summary.outcomes.items() if count}
    right.barh(list(ends), [100 * count / summary.hands for count in ends.values()])
    right.invert_yaxis()
    right.set_xlabel("% of the hands")
    for label in right.get_yticklabels():
        label.set_fontfamily(fonts)
    title = f"{summary.game}: {summary.n:,} deals, {summary.hands:,} hands"
    figure.suptitle(title)  # pyright: ignore[reportUnknownMemberType]
    return figure
