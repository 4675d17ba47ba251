"""Dots and boxes: a row a label."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from karat.data.charts import Boxes, Dots
from karat.render.figures.canvas import LABEL, ROW, WIDTH, Canvas, legend_rows, wide
from karat.render.figures.palette import LIGHT
from karat.render.figures.words import short
from karat.render.joined import packed
from karat.render.scale import apart, dot_range, fitted, ticks

LONGEST = 48
COLUMN, TICK = 10, 5
"""How far the lines beside rows stand apart, and how long the stroke is that tells which rows they join."""


def draw_dots(chart: Dots) -> Figure:
    """One mark a series, shape and colour both telling which; a bar between the ends of an interval."""
    legend = legend_rows([*map(short, chart.dots), *(["interval"] if chart.ends else [])])
    joined, left_out = packed(chart)
    beside = 8 + COLUMN * (1 + max(column for column, _ in joined)) if joined else 0
    notes = [note for note in (fitted(chart), left_out) if note]
    low, high = dot_range(chart)
    above = LABEL * (1 + max((row for _, row, _ in legend), default=0))
    canvas, axes = _rows(chart, low, high, above, beside, notes)
    left = _left(chart)
    for place, (at, row, name) in enumerate(legend):
        x, y = left + at, 12 + LABEL * row
        if place < len(chart.dots):
            canvas.mark(place, x, y, kind="legend")
        else:
            canvas.strokes(_bar(x - 8, x + 6, y, 5), "interval-legend", LIGHT["a"], 2)
        canvas.text(x + 12, y, name, kind="legend-name")
    rows = range(len(chart.labels))
    ruled = {0.0} if min(low, high) < 0 < max(low, high) else set()
    if chart.rule is not None:
        ruled.add(chart.rule)
    for value in ruled:
        canvas.stroke([(value, 0), (value, axes.get_ylim()[0])], "zero", LIGHT["soft"], on=axes)
    if chart.ends:
        first, last = (chart.series[end] for end in chart.ends)
        known = [row for row in rows if first[row] == first[row] and last[row] == last[row]]
        if bars := [stroke for row in known for stroke in _bar(first[row], last[row], row + 0.5, 5 / ROW)]:
            canvas.strokes(bars, "interval", LIGHT["a"], 2, on=axes)
    for place, name in enumerate(chart.dots):
        values = chart.series[name]
        canvas.marks(place, [(values[row], row + 0.5) for row in rows if values[row] == values[row]], axes)
    for column, members in joined:
        x = left + WIDTH + 20 + COLUMN * column
        heights = [above + 10 + ROW * (row + 0.5) for row in members]
        ticks_of = [[(x - TICK, y), (x, y)] for y in heights]
        canvas.strokes([[(x, heights[0]), (x, heights[-1])], *ticks_of], "group", LIGHT["ink"], 1.5)
    return canvas.figure


def draw_boxes(chart: Boxes) -> Figure:
    """Whiskers to the ends, a box over the middle half, a bar at the median; nothing where a number is undefined."""
    low, high = apart(chart.low, chart.high)
    canvas, axes = _rows(chart, low, high, 0)
    fives = {row: [values[row] for values in chart.series.values()] for row in range(len(chart.labels))}
    known = {row + 0.5: five for row, five in fives.items() if all(value == value for value in five)}
    if not known:
        return canvas.figure
    narrowest = abs(high - low) / WIDTH
    whiskers = [line for y, (a, b, _, c, d) in known.items() for line in ([(a, y), (b, y)], [(c, y), (d, y)])]
    canvas.strokes(whiskers, "whisker", LIGHT["soft"], 1.5, on=axes)
    half = 7 / ROW
    boxes = [(b, y - half, max(c, b + narrowest), y + half) for y, (_, b, _, c, _) in known.items()]
    canvas.boxes(boxes, "box", LIGHT["a"], 0.35, on=axes)
    medians = [[(m, y - 9 / ROW), (m, y + 9 / ROW)] for y, (_, _, m, _, _) in known.items()]
    canvas.strokes(medians, "median", LIGHT["b"], 3, on=axes)
    return canvas.figure


def _left(chart: Dots | Boxes) -> float:
    return 24 + max((wide(short(label, LONGEST)) for label in chart.labels), default=32)


def _rows(
    chart: Dots | Boxes, low: float, high: float, above: float, beside: float = 0, notes: Sequence[str] = ()
) -> tuple[Canvas, Axes]:
    """The scale with a name a row, room above and beside it, and notes below."""
    left, top = _left(chart), above + 10
    bottom = top + ROW * max(len(chart.labels), 1) + 4
    canvas = Canvas(left + WIDTH + 28 + beside, bottom + 28 + (LABEL + 2) * len(notes))
    axes = canvas.axes(left, top, left + WIDTH, bottom)
    axes.set(xlim=(low, high), ylim=((bottom - top) / ROW, 0))
    marked = ticks(low, high)
    axes.set_xticks([value for value, _ in marked], [written for _, written in marked])
    axes.set_yticks([])
    canvas.ruled(axes, "x")
    for row, label in enumerate(chart.labels):
        canvas.text(left - 14, top + ROW * (row + 0.5), short(label, LONGEST), "right")
    for place, note in enumerate(notes):
        canvas.text(left + WIDTH / 2, bottom + 36 + (LABEL + 2) * place, note, "center", "soft")
    return canvas, axes


def _bar(low: float, high: float, y: float, half: float) -> list[list[tuple[float, float]]]:
    """An interval, with a stroke at either end."""
    return [[(low, y), (high, y)], [(low, y - half), (low, y + half)], [(high, y - half), (high, y + half)]]
