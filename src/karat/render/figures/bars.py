"""Bars: one small panel per series, side by side on one scale."""

from __future__ import annotations

from math import ceil

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from karat.data.charts import Bars
from karat.render.figures.canvas import LABEL, SLOPE, Canvas, Space, WrittenName, both, drawn, look_of, wide, wrapped
from karat.render.scale import bar_height, ticks

LEFT, ALL_PANELS, GAP = 72, 640, 24
"""The room for the numbers, the width of all panels together, and the gap between two of them."""
NARROWEST, BAR, NARROW_BAR, WIDEST_BAR = 112, 16, 9, 44
"""The smallest width of a panel; the width of a bar at least, if there is little room, and at most."""
TITLE, HEIGHT, ALONE = 26, 96, 180
"""The height of a title, of a panel in several rows, and of a panel in a single row."""
OTHER = 2
"""The place whose colour bars have that belong to neither a run nor a label."""
LONGEST_LEVEL = 40
"""Names wider than this are tilted if they do not fit below their bars; of narrower ones some are left out."""


@drawn.register
def draw(chart: Bars, space: Space) -> Figure:
    """One panel per series, in rows from the left, with the names of bars below the last panel of each column."""
    bars = max(len(chart.labels), 1)
    least = NARROW_BAR if space.narrow else BAR
    available = int(min(ALL_PANELS, space.width - LEFT - 24))
    columns = max(1, min(len(chart.series), available // max(NARROWEST, least * bars)))
    width = min((available - GAP * (columns - 1)) / columns, max(NARROWEST, WIDEST_BAR * bars))
    rows = ceil(len(chart.series) / columns)
    height = ALONE if rows == 1 else HEIGHT
    names = both(chart.labels, space.longest())
    every, tilted = _shown(names, width / bars)
    below = 20 + (SLOPE * max(wide(shown) for shown, _ in names) if tilted else 0)
    left = max(LEFT, SLOPE * wide(names[0][0]) + 12 if tilted else 0)
    bottom = (TITLE + height) * max(rows, 1) + 12 * max(rows - 1, 0)
    across = columns * width + (columns - 1) * GAP
    whole = left + across + 24
    canvas = Canvas(space, whole, bottom + below + 16 + LABEL * len(wrapped(chart.axes[0], whole)), chart.note)
    high = bar_height(chart)
    titles = both([one.name for one in chart.series], int(width // 8))
    for place, (title, (name, values)) in enumerate(zip(titles, chart.series, strict=True)):
        row, column = divmod(place, columns)
        x, y = left + column * (width + GAP), TITLE + row * (TITLE + height + 12)
        canvas.name(x, y - 12, title, kind="panel")
        axes = canvas.axes(x, y, x + width, y + height)
        axes.set(xlim=(-0.5, bars - 0.5), ylim=(0, high))
        axes.set_label(title[1])
        known = [(at, value) for at, value in enumerate(values) if value == value]
        if fields := [(at - 0.4, 0.0, at + 0.4, value) for at, value in known if value > 0]:
            canvas.boxes(fields, "bars", _colour(chart, name), on=axes)
        for at, value in enumerate(values):
            if value != value:
                canvas.text(x + width * (at + 0.5) / bars, y + height - 8, "–", "center", "soft")
        _numbers(canvas, axes, column == 0)
        last = place + columns >= len(chart.series)
        canvas.below(axes, list(enumerate(names))[::every] if last else [], tilted)
        axes.tick_params(axis="x", pad=4 * canvas.scale)
    canvas.axis_name(left + across / 2, bottom + below + 18, chart.axes[0])
    canvas.turned(left - LEFT + 18, (TITLE + bottom) / 2, chart.axes[1])
    return canvas.figure


def _colour(chart: Bars, name: str) -> str:
    """The colour of a run or a label, as in other figures, since its panel has its name; grey for anything else."""
    return look_of(chart, name, OTHER).colour


def _shown(names: list[WrittenName], room: float) -> tuple[int, bool]:
    """The interval between names written below bars, and whether they are tilted."""
    widest = max((wide(shown) for shown, _ in names), default=0.0) + 4
    if widest <= room:
        return 1, False
    tilted = widest > LONGEST_LEVEL
    return ceil((LABEL if tilted else widest) / room), tilted


def _numbers(canvas: Canvas, axes: Axes, first: bool) -> None:
    """Numbers beside the first panel of a row, and grid lines in all."""
    marked = [*ticks(*axes.get_ylim())]
    marked = marked[:: ceil(len(marked) / 4)]  # a low panel has no room for more
    axes.set_yticks([value for value, _ in marked], [written if first else "" for _, written in marked])
    canvas.ruled(axes, "y")
