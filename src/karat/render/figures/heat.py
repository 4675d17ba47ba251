"""A heat map: fields whose colour and number tell a value.

A field is one colour of the theme, laid over the paper the more thickly the larger the value is; so a page shows it
by day and by night, and ink can be read on all of it (the two colours are chosen for that).
"""

from __future__ import annotations

from collections import defaultdict
from math import isfinite

from matplotlib.figure import Figure

from karat.data.charts import Heat
from karat.render.figures.canvas import LABEL, ROW, SLOPE, WIDTH, Canvas, wide
from karat.render.figures.palette import LIGHT
from karat.render.figures.words import short
from karat.render.scale import apart, written

MOST = 20
"""With more columns than this there are no numbers in the fields, and a scale is drawn instead."""
SMALL = 16
"""The side of a field without a number."""
SHADES = 50
"""So many can be told from each other by nobody; the faintest tells a field from none."""
STEPS, STEP = 11, 20
"""How many fields the scale has, and how wide they are."""


def draw(chart: Heat) -> Figure:
    """Columns from the left, named above; rows from the top, named on their left."""
    columns, rows, numbers = len(chart.series), len(chart.labels), len(chart.series) <= MOST
    width, height = (_room(chart), ROW) if numbers else (SMALL, SMALL)
    heads = [short(name) for name in chart.series]
    tilted = any(wide(head) > width for head in heads)
    left = (36 if chart.axes[1] else 12) + 12 + max((wide(short(label)) for label in chart.labels), default=0)
    top = round(12 + (SLOPE * max(map(wide, heads)) + 8 if tilted else LABEL))
    # A tilted name leads beyond the last column.
    reach = [SLOPE * wide(head) - width * (columns - at - 0.5) for at, head in enumerate(heads) if tilted]
    beyond = 12 + max(0.0, *reach, 0.0)
    right, bottom = left + width * columns, top + height * max(rows, 1)
    scale = 0 if numbers else 44
    least = left + STEP * STEPS + 60 if scale else 0
    canvas = Canvas(max(right + beyond, least), bottom + (30 if chart.axes[0] else 12) + scale)
    axes = canvas.axes(left, top, right, bottom)
    axes.set(xlim=(0, max(columns, 1)), ylim=(max(rows, 1), 0), xticks=[], yticks=[])
    alike: dict[tuple[str, float], list[tuple[float, float, float, float]]] = defaultdict(list)
    for column, values in enumerate(chart.series.values()):
        x = left + width * (column + 0.5)
        if tilted:
            canvas.tilted(x, top - 8, heads[column], "column")
        else:
            canvas.text(x, top - LABEL / 2, heads[column], "center", "column")
        for row in range(rows):
            value, y = values[row], top + height * (row + 0.5)
            if isfinite(value):
                inset = 0.5 / width, 0.5 / height
                field = (column + inset[0], row + inset[1], column + 1 - inset[0], row + 1 - inset[1])
                alike[thickness(chart, value)].append(field)
            if numbers or not isfinite(value):
                canvas.text(x, y, told(chart, value), "center", "value" if isfinite(value) else "soft")
    for (colour, thick), fields in sorted(alike.items()):
        canvas.boxes(fields, "field", LIGHT[colour], thick, on=axes)
    for row, label in enumerate(chart.labels):
        canvas.text(left - 12, top + height * (row + 0.5), short(label), "right")
    canvas.text((left + right) / 2, bottom + 20, chart.axes[0], "center", "axis")
    canvas.turned(20, (top + bottom) / 2, chart.axes[1])
    if scale:
        _scale(canvas, chart, left, canvas.height - 32)
    return canvas.figure


def told(chart: Heat, value: float) -> str:
    """A value as it stands in its field."""
    return f"{value:z.{chart.digits}f}" if isfinite(value) else "–"


def thickness(chart: Heat, value: float) -> tuple[str, float]:
    """The colour of a field and how thickly it is laid: from low on, or away from 0 where low is below it."""
    low, high = sorted(apart(chart.low, chart.high))
    if low < 0:
        share, colour = abs(value) / max(-low, high), "less" if value < 0 else "more"
    else:
        share, colour = (value - low) / (high - low), "more"
    return colour, min(max(round(share * SHADES) / SHADES, 1 / SHADES), 1.0)


def _room(chart: Heat) -> float:
    """The width of a field that holds any of the numbers."""
    widest = max((wide(told(chart, value)) for values in chart.series.values() for value in values), default=0.0)
    heads = max((wide(short(name)) for name in chart.series), default=0.0)
    # Names need not be tilted where there is room for them all.
    return max(44.0, widest + 10, heads + 8 if (heads + 8) * len(chart.series) <= WIDTH else 0)


def _scale(canvas: Canvas, chart: Heat, left: float, y: float) -> None:
    """From low to high in steps, with the numbers at both ends and, where colours meet, 0."""
    low, high = sorted(apart(chart.low, chart.high))
    for step in range(STEPS):
        colour, thick = thickness(chart, low + (high - low) * step / (STEPS - 1))
        x = left + 24 + STEP * step
        canvas.boxes([(x, y - 6, x + STEP, y + 6)], "scale", LIGHT[colour], thick)
    canvas.text(left + 18, y, written(low), "right", "soft")
    canvas.text(left + 30 + STEP * STEPS, y, written(high), "left", "soft")
