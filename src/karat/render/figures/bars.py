"""Bars: a small panel a series, side by side on one scale."""

from __future__ import annotations

from math import ceil

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from karat.data.charts import Bars
from karat.render.figures.canvas import LABEL, SLOPE, Canvas, wide
from karat.render.figures.palette import LIGHT
from karat.render.figures.words import printable, short
from karat.render.scale import apart, rounded, ticks

LEFT, WHOLE, GAP = 72, 640, 24
"""Room for the numbers, width of all panels together, and what stands between two of them."""
NARROWEST, BAR, WIDEST_BAR = 120, 16, 44
"""A panel is no narrower, and has so much room for a bar if it can; more is of no use."""
TITLE, HEIGHT, ALONE = 26, 96, 180
"""Height of a title, of a panel among many, and of one that shares its row with nobody below."""
LEVEL = 40
"""Names below bars that are wider than this are tilted where they do not fit; others are left out in turn."""


def draw(chart: Bars) -> Figure:
    """A panel a series, in rows from the left; names of bars below the last panel of each column."""
    bars = max(len(chart.labels), 1)
    columns = max(1, min(len(chart.series), WHOLE // max(NARROWEST, BAR * bars)))
    width = min((WHOLE - GAP * (columns - 1)) / columns, max(NARROWEST, WIDEST_BAR * bars))
    rows = ceil(len(chart.series) / columns)
    height = ALONE if rows == 1 else HEIGHT
    every, tilted = _shown(chart.labels, width / bars)
    below = 20 + (SLOPE * max(wide(short(label)) for label in chart.labels) if tilted else 0)
    left = max(LEFT, SLOPE * wide(short(chart.labels[0])) + 12 if tilted else 0)
    bottom = (TITLE + height) * max(rows, 1) + 12 * max(rows - 1, 0)
    across = columns * width + (columns - 1) * GAP
    canvas = Canvas(left + across + 24, bottom + below + 34)
    high = rounded(*apart(0.0, chart.high))[1]
    for place, (name, values) in enumerate(chart.series.items()):
        row, column = divmod(place, columns)
        x, y = left + column * (width + GAP), TITLE + row * (TITLE + height + 12)
        canvas.text(x, y - 12, short(name, int(width // 8)), kind="panel")
        axes = canvas.axes(x, y, x + width, y + height)
        axes.set(xlim=(-0.5, bars - 0.5), ylim=(0, high))
        axes.set_label(printable(name))
        known = [(at, value) for at, value in enumerate(values) if value == value]
        if drawn := [(at - 0.4, 0.0, at + 0.4, min(value, high)) for at, value in known if value > 0]:
            canvas.boxes(drawn, "bars", LIGHT["a"], on=axes)
        for at, value in enumerate(values):
            if value != value:
                canvas.text(x + width * (at + 0.5) / bars, y + height - 8, "–", "center", "soft")
        _scales(canvas, axes, chart, column == 0, place + columns >= len(chart.series), every, tilted)
    canvas.text(left + across / 2, bottom + below + 18, chart.axes[0], "center", "axis")
    canvas.turned(left - LEFT + 18, (TITLE + bottom) / 2, chart.axes[1])
    return canvas.figure


def _shown(labels: tuple[str, ...], room: float) -> tuple[int, bool]:
    """Every how many-th name is written below its bar, and whether it is tilted."""
    widest = max((wide(short(label)) for label in labels), default=0.0) + 4
    if widest <= room:
        return 1, False
    tilted = widest > LEVEL
    return ceil((LABEL if tilted else widest) / room), tilted


def _scales(canvas: Canvas, axes: Axes, chart: Bars, first: bool, last: bool, every: int, tilted: bool) -> None:
    """Numbers beside the first panel of a row, names below the last of a column."""
    marked = [*ticks(*axes.get_ylim())]
    marked = marked[:: ceil(len(marked) / 4)]  # a low panel has no room for more
    axes.set_yticks([value for value, _ in marked], [written if first else "" for _, written in marked])
    canvas.ruled(axes, "y")
    shown = list(enumerate(chart.labels))[::every] if last else []
    axes.set_xticks([at for at, _ in shown], [printable(short(label)) for _, label in shown])
    axes.tick_params(axis="x", pad=4)
    if tilted:
        for label in axes.get_xticklabels():
            label.set(rotation=45, rotation_mode="anchor", ha="right", va="center_baseline")
