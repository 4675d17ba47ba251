"""A heat map: cells whose colour and number show a value.

A cell is one colour of the theme, more opaque for larger values; so it works in the light and in the dark theme, and
text is readable on all of it (the two colours are chosen for that).
"""

from __future__ import annotations

from collections import defaultdict
from math import isfinite

from matplotlib.figure import Figure

from karat.data.charts import Heat
from karat.data.result import run_of
from karat.render.figures.canvas import (
    LABEL,
    ROW,
    SLOPE,
    WIDTH,
    Canvas,
    Space,
    WrittenName,
    both,
    drawn,
    look_of,
    wide,
    wrapped,
)
from karat.render.figures.palette import LIGHT
from karat.render.scale import LONGEST_NAME, heat_scale, written

MOST_NUMBERED = 20
"""With more columns than this, cells have no numbers."""
WIDEST, WIDEST_NARROW = 1100, 452
"""Nor if the chart would be wider than this, or than the other where there is little room."""
NARROW_ROW, WIDEST_CELL = 13, 44
"""The length of a name that there is always room for; the usual width of a cell."""
UPRIGHT_NAME = 26
"""The longest name of a column that is written upwards."""
KEY = 16
"""The room for the mark of a run beside its name."""
SMALL_FIELD, SMALLEST_FIELD = 16, 14
"""The side of a cell without a number, and its smallest width, which still separates the names of many columns."""
NARROWEST_TILTED = 20
"""Names above narrower columns would overlap if they were tilted."""
SHADES = 50
"""The number of shades, more than anybody can distinguish; the faintest differs from an empty cell."""
SCALE_STEPS, SCALE_STEP = 11, 20
"""The number of cells in the colour scale, and their width."""


@drawn.register
def draw(chart: Heat, space: Space) -> Figure:
    """Columns from the left, named above; rows from the top, named on the left; below, the colour scale."""
    columns, rows = len(chart.series), len(chart.labels)
    heads = both([one.name for one in chart.series], UPRIGHT_NAME if space.narrow else LONGEST_NAME)
    axes_names = ("", "") if space.narrow else chart.axes
    key = KEY if any(run_of(label) in chart.runs for label in chart.labels) else 0
    beside = max(map(wide, ("n", *(f"{count:,}" for count in chart.counts)))) + 12 if chart.counts else 0
    around = (36 if axes_names[1] else 12) + 12 + key + beside
    width, limit = _room(chart, heads, space), WIDEST_NARROW if space.narrow else WIDEST
    room = int((space.width - around - width * columns) // 8)
    names = both(chart.labels, max(NARROW_ROW, min(room, LONGEST_NAME)))
    left = around + max((wide(shown) for shown, _ in names), default=0)
    if space.narrow:
        width = max(width, min((space.width - 12 - left) / max(columns, 1), WIDEST_CELL))
    numbers = columns <= MOST_NUMBERED and left + width * columns <= limit
    height = ROW if numbers else SMALL_FIELD
    if not numbers:
        width = min(max((limit - left) / max(columns, 1), SMALLEST_FIELD), SMALL_FIELD)
    tilted = any(wide(shown) > width for shown, _ in heads)
    upright = space.narrow or width < NARROWEST_TILTED
    slope, angle = (1.0, 90) if upright else (SLOPE, 45)
    top = round(12 + (slope * max(wide(shown) for shown, _ in heads) + 8 if tilted else LABEL))
    # A tilted name extends beyond the last column.
    leaning = enumerate(heads if tilted and not upright else [])
    reach = [SLOPE * wide(shown) - width * (columns - at - 0.5) for at, (shown, _) in leaning]
    beyond = 12 + max(0.0, *reach, 0.0)
    right, bottom = left + width * columns, top + height * max(rows, 1)
    below = 12 + LABEL * len(wrapped(axes_names[0], right))
    whole = max(right + beyond, space.width if space.narrow else left + SCALE_STEP * SCALE_STEPS + 90)
    canvas = Canvas(space, whole, bottom + below + 32, chart.note, f"outlined: {chart.mark}" if chart.marked else "")
    axes = canvas.axes(left, top, right, bottom)
    axes.set(xlim=(0, max(columns, 1)), ylim=(max(rows, 1), 0), xticks=[], yticks=[])
    alike: dict[tuple[str, float], list[tuple[float, float, float, float]]] = defaultdict(list)
    for column, (head, (_, values)) in enumerate(zip(heads, chart.series, strict=True)):
        x = left + width * (column + 0.5)
        if tilted:
            canvas.tilted(x, top - 8, head, "column", angle)
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
                kind = "soft" if not isfinite(value) else "marked" if (row, column) in chart.marked else "value"
                canvas.text(x, y, chart.text(value), "center", kind)
    for (colour, thick), fields in sorted(alike.items()):
        canvas.boxes(fields, "field", LIGHT[colour], thick, on=axes)
    outlines = [_outline(row + 2 / height, column + 2 / width, width, height) for row, column in sorted(chart.marked)]
    canvas.strokes(outlines, "outline", LIGHT["ink"], 1.5, on=axes)
    _row_names(canvas, chart, names, (left - beside, top, height), key)
    if chart.counts:
        canvas.text(left - 10, top - LABEL / 2, "n", "right", "soft")
    for row, count in enumerate(chart.counts):
        canvas.text(left - 10, top + height * (row + 0.5), f"{count:,}", "right", "soft")
    canvas.axis_name((left + right) / 2, bottom + 20, axes_names[0])
    canvas.turned(20, (top + bottom) / 2, axes_names[1])
    _scale(canvas, chart, 12 if space.narrow else left, bottom + below + 12)
    return canvas.figure


def _row_names(
    canvas: Canvas, chart: Heat, names: list[WrittenName], at: tuple[float, float, float], key: float
) -> None:
    """The names of the rows, with the mark of a run beside its name."""
    right, top, height = at
    for row, (name, label) in enumerate(zip(names, chart.labels, strict=True)):
        y = top + height * (row + 0.5)
        canvas.name(right - 12 - key, y, name, "right")
        if run_of(label) in chart.runs:
            canvas.marks(look_of(chart, label, row), [(right - 14, y)], kind="key", size=0.8)


def _outline(row: float, column: float, width: float, height: float) -> list[tuple[float, float]]:
    """The edges of a cell, just inside it."""
    right, bottom = column + 1 - 4 / width, row + 1 - 4 / height
    return [(column, row), (right, row), (right, bottom), (column, bottom), (column, row)]


def thickness(chart: Heat, value: float) -> tuple[str, float]:
    """The colour of a cell and its opacity, from the low end on, or away from 0 if there are negative values."""
    low, high = heat_scale(chart)
    if low < 0:
        share, colour = abs(value) / max(-low, high), "less" if value < 0 else "more"
    else:
        share, colour = (value - low) / (high - low), "more"
    return colour, min(max(round(share * SHADES) / SHADES, 1 / SHADES), 1.0)


def _room(chart: Heat, heads: list[WrittenName], space: Space) -> float:
    """The width of a cell that fits all numbers."""
    widest = max((wide(chart.text(value)) for one in chart.series for value in one.values), default=0.0)
    if space.narrow:
        return max(22.0, widest + 4 if chart.marked else widest)  # a number does not touch its outline
    widest_head = max((wide(shown) for shown, _ in heads), default=0.0)
    # Names need not be tilted if there is room for all of them.
    return max(WIDEST_CELL, widest + 10, widest_head + 8 if (widest_head + 8) * len(heads) <= WIDTH else 0)


def _scale(canvas: Canvas, chart: Heat, left: float, y: float) -> None:
    """The colour scale from low to high in steps, with the numbers at both ends; at 0 the two colours meet."""
    low, high = heat_scale(chart)
    ends = [written(100 * end) + "%" if chart.percent else written(end) for end in (low, high)]
    start = left + wide(ends[0]) + 6
    for step in range(SCALE_STEPS):
        colour, thick = thickness(chart, low + (high - low) * step / (SCALE_STEPS - 1))
        x = start + SCALE_STEP * step
        canvas.boxes([(x, y - 6, x + SCALE_STEP, y + 6)], "scale", LIGHT[colour], thick)
    canvas.text(start - 6, y, ends[0], "right", "soft")
    canvas.text(start + 6 + SCALE_STEP * SCALE_STEPS, y, ends[1], "left", "soft")
