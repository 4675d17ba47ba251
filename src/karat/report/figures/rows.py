"""Dots and boxes: a row a label."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from karat.data.result import Chart
from karat.report.figures.canvas import KIND, LABEL, ROW, WIDTH, Canvas, wide
from karat.report.figures.palette import LIGHT
from karat.report.figures.words import short
from karat.report.scale import dot_range, fitted, ticks

LONGEST = 48


def draw_dots(chart: Chart) -> Figure:
    """One mark a series, shape and colour both telling which; a bar between the ends of an interval."""
    legend = _legend(chart)
    canvas, axes = _rows(chart, *dot_range(chart), LABEL * (1 + max((row for _, row, _ in legend), default=0)))
    left = _left(chart)
    for place, (at, row, name) in enumerate(legend):
        x, y = left + at, 12 + LABEL * row
        if place < len(chart.dots):
            canvas.mark(place, x, y, kind="legend")
        else:
            _bar(canvas, x - 8, x + 6, y, 5)
        canvas.text(x + 12, y, name, kind="legend-name")
    for row in range(len(chart.labels)):
        known = {name: values[row] for name, values in chart.series.items() if values[row] == values[row]}
        if chart.ends and all(end in known for end in chart.ends):
            _bar(canvas, known[chart.ends[0]], known[chart.ends[1]], row + 0.5, 5 / ROW, axes)
        for place, name in enumerate(chart.dots):
            if name in known:
                canvas.mark(place, known[name], row + 0.5, axes)
    return canvas.figure


def draw_boxes(chart: Chart) -> Figure:
    """Whiskers to the ends, a box over the middle half, a bar at the median; nothing where a number is undefined."""
    canvas, axes = _rows(chart, chart.low, chart.high, LABEL)
    for row in range(len(chart.labels)):
        five = [values[row] for values in chart.series.values()]
        if any(value != value for value in five):
            continue
        low, lower, median, upper, high = five
        y, narrowest = row + 0.5, (chart.high - chart.low) / WIDTH
        canvas.stroke([(low, y), (lower, y)], "whisker", LIGHT["soft"], 1.5, on=axes)
        canvas.stroke([(upper, y), (high, y)], "whisker", LIGHT["soft"], 1.5, on=axes)
        box = Rectangle((lower, y - 7 / ROW), max(upper - lower, narrowest), 14 / ROW, facecolor=LIGHT["a"], alpha=0.35)
        box.set_gid(f"{KIND}box")
        axes.add_patch(box).set_clip_on(False)
        canvas.stroke([(median, y - 9 / ROW), (median, y + 9 / ROW)], "median", LIGHT["b"], 3, on=axes)
    return canvas.figure


def _left(chart: Chart) -> float:
    return 24 + max((wide(short(label, LONGEST)) for label in chart.labels), default=32)


def _rows(chart: Chart, low: float, high: float, above: float) -> tuple[Canvas, Axes]:
    """The scale with a name a row, and room above it."""
    fit = fitted(chart) if chart.kind == "dots" else ""
    left, top = _left(chart), above + 10
    bottom = top + ROW * max(len(chart.labels), 1) + 4
    canvas = Canvas(left + WIDTH + 28, bottom + (48 if fit else 28))
    axes = canvas.axes(left, top, left + WIDTH, bottom)
    axes.set(xlim=(low, high), ylim=((bottom - top) / ROW, 0))
    marked = ticks(low, high)
    axes.set_xticks([value for value, _ in marked], [written for _, written in marked])
    axes.set_yticks([])
    canvas.ruled(axes, "x")
    for row, label in enumerate(chart.labels):
        canvas.text(left - 14, top + ROW * (row + 0.5), short(label, LONGEST), "right")
    if fit:
        canvas.text(left + WIDTH / 2, bottom + 36, fit, "center", "soft")
    return canvas, axes


def _bar(canvas: Canvas, low: float, high: float, y: float, half: float, on: Axes | None = None) -> None:
    """An interval, with a stroke at either end."""
    for points in ([(low, y), (high, y)], [(low, y - half), (low, y + half)], [(high, y - half), (high, y + half)]):
        canvas.stroke(points, "interval", LIGHT["a"], 2, on=on)


def _legend(chart: Chart) -> list[tuple[float, int, str]]:
    """Where every series is named, in as many rows as they need: across, row, name."""
    made, at, row = [], 0.0, 0
    for name in [*chart.dots, *(["interval"] if chart.ends else [])]:
        if at and at + 12 + wide(name) > WIDTH:
            at, row = 0.0, row + 1
        made.append((at, row, name))
        at += 34 + wide(name)
    return made
