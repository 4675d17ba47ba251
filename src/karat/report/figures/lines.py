"""Lines over x, each named at its end."""

from __future__ import annotations

from matplotlib.figure import Figure

from karat.data.result import Chart
from karat.report.figures.canvas import LABEL, WIDTH, Canvas, colour_of, dashes_of, wide
from karat.report.figures.palette import LIGHT
from karat.report.figures.words import printable, short
from karat.report.scale import rounded, ticks

HEIGHT, TOP, LEFT = 240, 17, 72
SLOPE = 0.72
"""How far a tilted name reaches to the left and down, of its length."""


def draw(chart: Chart) -> Figure:
    """A line a series, its name at its end; colour, dashes and marks tell the series too."""
    bottom = TOP + max(HEIGHT, LABEL * len(chart.series))
    (first, last), (low, high) = chart.reach, rounded(chart.low, chart.high)
    names = max((wide(short(name)) for name in chart.series), default=0)
    tilted = _crowded(chart, first, last)
    below = 20 + (SLOPE * max(wide(short(label)) for label in chart.labels) if tilted else 0)
    left = max(LEFT, SLOPE * wide(short(chart.labels[round(first)])) + 12 if tilted else 0)
    canvas = Canvas(left + WIDTH + 44 + names, bottom + below + 30)
    axes = canvas.axes(left, TOP, left + WIDTH, bottom)
    axes.set(xlim=(first, last), ylim=(low, high))
    marked = ticks(low, high)
    axes.set_yticks([value for value, _ in marked], [written for _, written in marked])
    canvas.ruled(axes, "y")
    whole = all(x == round(x) for name in chart.series for x, _ in chart.points(name))
    named = [(float(place), printable(short(label))) for place, label in enumerate(chart.labels)]
    across = [(x, written) for x, written in named or ticks(first, last, whole) if first <= x <= last]
    axes.set_xticks([x for x, _ in across], [written for _, written in across])
    axes.tick_params(axis="x", length=4)
    if tilted:
        for label in axes.get_xticklabels():
            label.set(rotation=45, rotation_mode="anchor", ha="right", va="center_baseline")
    canvas.text(left + WIDTH / 2, bottom + below + 16, chart.axes[0], "center", "axis")
    canvas.turned(left - LEFT + 18, (TOP + bottom) / 2, chart.axes[1])
    if chart.rule is not None and low <= chart.rule <= high:
        canvas.stroke([(first, chart.rule), (last, chart.rule)], "rule", LIGHT["soft"], dashes=(4, 4), on=axes)
    ends: dict[str, tuple[float, float]] = {}
    for place, name in enumerate(chart.series):
        for stretch in chart.stretches(name):
            points = [(x, min(max(y, low), high)) for x, y in stretch]
            ends[name] = points[-1]
            if len(points) > 1:
                canvas.stroke(points, "line", colour_of(place), 2, dashes_of(place), axes)
            if name in chart.marked:
                for x, y in points:
                    canvas.mark(place, x, y, axes)
            elif len(points) == 1:  # between two holes there is a point and no line
                canvas.point(place, *points[0], axes)
    placed = {
        name: (left + WIDTH * (x - first) / (last - first), bottom - (bottom - TOP) * (y - low) / (high - low))
        for name, (x, y) in ends.items()
    }
    _names(canvas, placed, list(chart.series), left + WIDTH + 20, bottom)
    return canvas.figure


def _crowded(chart: Chart, first: float, last: float) -> bool:
    """Whether names below the axis would touch if they stood level."""
    return any(wide(short(label)) > WIDTH / (last - first) for label in chart.labels)


def _names(canvas: Canvas, ends: dict[str, tuple[float, float]], series: list[str], x: float, bottom: float) -> None:
    """The name of every line with its mark, at the height of its end or as near as other names leave room."""
    order = sorted(ends, key=lambda name: ends[name][1])
    heights: list[float] = []
    for name in order:
        heights.append(max(ends[name][1], heights[-1] + LABEL if heights else 0.0))
    for place in range(len(heights) - 1, -1, -1):
        most = heights[place + 1] - LABEL if place + 1 < len(heights) else bottom
        heights[place] = min(heights[place], most)
    for name, y in zip(order, heights, strict=True):
        canvas.stroke([ends[name], (x, y)], "leader", LIGHT["line"])
        canvas.mark(series.index(name), x, y, kind="legend")
        canvas.text(x + 12, y, short(name))
