"""A heat map: cells whose colour and number show a value.

A cell is one colour of the theme, more opaque for larger values; so it works in the light and in the dark theme, and
text is readable on all of it (the two colours are chosen for that).
"""

from __future__ import annotations

from collections import defaultdict
from math import isfinite

from matplotlib.figure import Figure

from karat.data.charts import Heat
from karat.render.figures.canvas import LABEL, ROW, SLOPE, WIDTH, Canvas, Shown, both, drawn, wide
from karat.render.figures.palette import LIGHT
from karat.render.scale import field, heat_scale, written

MOST_NUMBERED = 20
"""With more columns than this, cells have no numbers."""
WIDEST = 1100
"""Nor if the chart would be wider than this."""
SMALL_FIELD, SMALLEST_FIELD = 16, 14
"""The side of a cell without a number, and its smallest width, which still separates the names of many columns."""
SHADES = 50
"""The number of shades, more than anybody can distinguish; the faintest differs from an empty cell."""
SCALE_STEPS, SCALE_STEP = 11, 20
"""The number of cells in the colour scale, and their width."""


@drawn.register
def draw(chart: Heat) -> Figure:
    """Columns from the left, named above; rows from the top, named on the left; below, the colour scale."""
    columns, rows = len(chart.series), len(chart.labels)
    heads, names = both([one.name for one in chart.series]), both(chart.labels)
    left = (36 if chart.axes[1] else 12) + 12 + max((wide(shown) for shown, _ in names), default=0)
    width = _room(chart, heads)
    numbers = columns <= MOST_NUMBERED and left + width * columns <= WIDEST
    height = ROW if numbers else SMALL_FIELD
    if not numbers:
        width = min(max((WIDEST - left) / columns, SMALLEST_FIELD), SMALL_FIELD)
    tilted = any(wide(shown) > width for shown, _ in heads)
    top = round(12 + (SLOPE * max(wide(shown) for shown, _ in heads) + 8 if tilted else LABEL))
    # A tilted name extends beyond the last column.
    reach = [SLOPE * wide(shown) - width * (columns - at - 0.5) for at, (shown, _) in enumerate(heads) if tilted]
    beyond = 12 + max(0.0, *reach, 0.0)
    right, bottom = left + width * columns, top + height * max(rows, 1)
    below = 30 if chart.axes[0] else 12
    canvas = Canvas(max(right + beyond, left + SCALE_STEP * SCALE_STEPS + 90), bottom + below + 32, chart.note)
    axes = canvas.axes(left, top, right, bottom)
    axes.set(xlim=(0, max(columns, 1)), ylim=(max(rows, 1), 0), xticks=[], yticks=[])
    alike: dict[tuple[str, float], list[tuple[float, float, float, float]]] = defaultdict(list)
    for column, (head, (_, values)) in enumerate(zip(heads, chart.series, strict=True)):
        x = left + width * (column + 0.5)
        if tilted:
            canvas.tilted(x, top - 8, head, "column")
        else:
            canvas.name(x, top - LABEL / 2, head, "center", "column")
        for row in range(rows):
            value, y = values[row], top + height * (row + 0.5)
            if isfinite(value):
                inset = 0.5 / width, 0.5 / height
                alike[thickness(chart, value)].append(
                    (column + inset[0], row + inset[1], column + 1 - inset[0], row + 1 - inset[1])
                )
            if numbers or not isfinite(value):
                shown = field(value, chart.digits)
                canvas.text(x, y, shown, "center", "value" if isfinite(value) else "soft")
    for (colour, thick), fields in sorted(alike.items()):
        canvas.boxes(fields, "field", LIGHT[colour], thick, on=axes)
    for row, name in enumerate(names):
        canvas.name(left - 12, top + height * (row + 0.5), name, "right")
    canvas.text((left + right) / 2, bottom + 20, chart.axes[0], "center", "axis")
    canvas.turned(20, (top + bottom) / 2, chart.axes[1])
    _scale(canvas, chart, left, bottom + below + 12)
    return canvas.figure


def thickness(chart: Heat, value: float) -> tuple[str, float]:
    """The colour of a cell and its opacity, from the low end on, or away from 0 if there are negative values."""
    low, high = sorted(heat_scale(chart))
    if low < 0:
        share, colour = abs(value) / max(-low, high), "less" if value < 0 else "more"
    else:
        share, colour = (value - low) / (high - low), "more"
    return colour, min(max(round(share * SHADES) / SHADES, 1 / SHADES), 1.0)


def _room(chart: Heat, heads: list[Shown]) -> float:
    """The width of a cell that fits all numbers."""
    widest = max((wide(field(value, chart.digits)) for one in chart.series for value in one.values), default=0.0)
    widest_head = max((wide(shown) for shown, _ in heads), default=0.0)
    # Names need not be tilted if there is room for all of them.
    return max(44.0, widest + 10, widest_head + 8 if (widest_head + 8) * len(heads) <= WIDTH else 0)


def _scale(canvas: Canvas, chart: Heat, left: float, y: float) -> None:
    """The colour scale from low to high in steps, with the numbers at both ends; at 0 the two colours meet."""
    low, high = sorted(heat_scale(chart))
    start = left + wide(written(low)) + 6
    for step in range(SCALE_STEPS):
        colour, thick = thickness(chart, low + (high - low) * step / (SCALE_STEPS - 1))
        x = start + SCALE_STEP * step
        canvas.boxes([(x, y - 6, x + SCALE_STEP, y + 6)], "scale", LIGHT[colour], thick)
    canvas.text(start - 6, y, written(low), "right", "soft")
    canvas.text(start + 6 + SCALE_STEP * SCALE_STEPS, y, written(high), "left", "soft")
