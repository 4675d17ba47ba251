"""Lines over x, each named at its end."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from karat.data.charts import Lines
from karat.render.figures.canvas import (
    DASHES,
    LABEL,
    SLOPE,
    WIDTH,
    Canvas,
    colour_of,
    dashes_of,
    legend_rows,
    wide,
)
from karat.render.figures.palette import LIGHT
from karat.render.figures.words import printable, short
from karat.render.scale import apart, rounded, ticks

HEIGHT, TOP, LEFT = 240, 17, 72
SAMPLE = 26
"""How long a piece of a line is that tells what its dashes mean."""
MANY = 12
"""More marks than this of one series are small."""


def draw(chart: Lines) -> Figure:
    """A line a series, its name at its end; colour, dashes and marks tell the series too."""
    like = originals(chart)
    own = [name for name in chart.series if name not in like]
    kinds = dashes_by_kind(chart)
    legend = legend_rows([" " * 3 + short(kind) for kind in kinds])
    top = TOP + (LABEL * (1 + legend[-1][1]) if legend else 0)
    bottom = top + max(HEIGHT, LABEL * len(own))
    (first, last), (low, high) = chart.reach, scale(chart)
    names = max((wide(short(name)) for name in own), default=0)
    tilted = _crowded(chart, first, last)
    below = 20 + (SLOPE * max(wide(short(label)) for label in chart.labels) if tilted else 0)
    left = max(LEFT, SLOPE * wide(short(chart.labels[round(first)])) + 12 if tilted else 0)
    canvas = Canvas(left + WIDTH + 44 + names, bottom + below + 30)
    axes = canvas.axes(left, top, left + WIDTH, bottom)
    axes.set(xlim=(first, last), ylim=(low, high))
    _scales(canvas, axes, chart, tilted)
    canvas.text(left + WIDTH / 2, bottom + below + 16, chart.axes[0], "center", "axis")
    canvas.turned(left - LEFT + 18, (top + bottom) / 2, chart.axes[1])
    for (at, row, _), (kind, dashes) in zip(legend, kinds.items(), strict=True):
        x, y = left + at, 12 + LABEL * row
        canvas.stroke([(x - 6, y), (x - 6 + SAMPLE, y)], "sample", LIGHT["ink"], 2, dashes)
        canvas.text(x + SAMPLE, y, short(kind), kind="legend-name")
    if chart.rule is not None and min(low, high) <= chart.rule <= max(low, high):
        canvas.stroke([(first, chart.rule), (last, chart.rule)], "rule", LIGHT["soft"], dashes=(4, 4), on=axes)
    ends: dict[str, tuple[float, float]] = {}
    coloured = [name for name in own if name not in chart.reference]
    for name in chart.series:
        if name in chart.reference:
            points = chart.points(name)
            canvas.stroke(points, "reference", LIGHT["soft"], 1.5, (6, 4), on=axes)
            ends[name] = points[-1]
            continue
        original = like.get(name, name)
        place = coloured.index(original)
        # Where dashes tell a kind they cannot tell a series too.
        dashes = kinds[kind_of(name, original)] if name in like else () if kinds else dashes_of(place)
        end = _series(canvas, axes, chart, name, place, dashes)
        # The name stands at the end of whichever line leads furthest.
        if end and (original not in ends or end[0] > ends[original][0]):
            ends[original] = end
    placed = {
        name: (left + WIDTH * (x - first) / (last - first), bottom - (bottom - top) * (y - low) / (high - low))
        for name, (x, y) in ends.items()
    }
    _names(canvas, placed, coloured, left + WIDTH + 20, bottom)
    return canvas.figure


def scale(chart: Lines) -> tuple[float, float]:
    """What stands at the bottom and at the top; an axis that is turned round ends where the chart says."""
    low, high = apart(chart.low, chart.high)
    return (low, high) if low > high else rounded(low, high)


def originals(chart: Lines) -> dict[str, str]:
    """The series that are like another, which is drawn and is not like a third."""
    drawn = {name: original for name, original in chart.like.items() if {name, original} <= chart.series.keys()}
    return {name: original for name, original in drawn.items() if original not in drawn}


def kind_of(name: str, original: str) -> str:
    """What a series that is like another is: what its name adds to the other's."""
    return name.removeprefix(original).strip() or name


def dashes_by_kind(chart: Lines) -> dict[str, tuple[int, ...]]:
    """The dashes of each kind of series that is like another; the first is whole where the others are marks only."""
    like = originals(chart)
    kinds = dict.fromkeys(kind_of(name, like[name]) for name in chart.series if name in like)
    whole = all(original in chart.scattered for original in like.values())
    return {kind: DASHES[(place + (not whole)) % len(DASHES)] for place, kind in enumerate(kinds)}


def _series(
    canvas: Canvas, axes: Axes, chart: Lines, name: str, place: int, dashes: tuple[int, ...]
) -> tuple[float, float] | None:
    """One series, inside the scale; where it ends."""
    least, most = sorted(axes.get_ylim())
    stretches = [[(x, min(max(y, least), most)) for x, y in stretch] for stretch in chart.stretches(name)]
    points = [point for stretch in stretches for point in stretch]
    if name not in chart.scattered:
        if lines := [stretch for stretch in stretches if len(stretch) > 1]:
            canvas.strokes(lines, "line", colour_of(place), 2, dashes, axes)
        if name not in chart.marked:  # between two holes there is a point and no line
            for stretch in stretches:
                if len(stretch) == 1:
                    canvas.point(place, *stretch[0], axes)
    if name in (*chart.scattered, *chart.marked):
        canvas.marks(place, points, axes, size=0.6 if len(points) > MANY else 1.0)
    return points[-1] if points else None


def _scales(canvas: Canvas, axes: Axes, chart: Lines, tilted: bool) -> None:
    """Round numbers on both axes, or the names of x."""
    (low, high), (first, last) = axes.get_ylim(), axes.get_xlim()
    marked = ticks(low, high, whole=low > high and low == round(low) and high == round(high))
    axes.set_yticks([value for value, _ in marked], [written for _, written in marked])
    canvas.ruled(axes, "y")
    whole = all(x == round(x) for name in chart.series for x, _ in chart.points(name))
    named = [(float(place), printable(short(label))) for place, label in enumerate(chart.labels)]
    across = [(x, written) for x, written in named or ticks(first, last, whole) if first <= x <= last]
    axes.set_xticks([x for x, _ in across], [written for _, written in across])
    axes.tick_params(axis="x", length=4)
    axes.tick_params(axis="y", pad=11)  # beyond marks at the edge
    if tilted:
        for label in axes.get_xticklabels():
            label.set(rotation=45, rotation_mode="anchor", ha="right", va="center_baseline")


def _crowded(chart: Lines, first: float, last: float) -> bool:
    """Whether names below the axis would touch if they stood level."""
    return any(wide(short(label)) > WIDTH / (last - first) for label in chart.labels)


def _names(canvas: Canvas, ends: dict[str, tuple[float, float]], series: list[str], x: float, bottom: float) -> None:
    """The name of every line, and its mark if it has one, at the height of its end or as near as there is room."""
    order = sorted(ends, key=lambda name: ends[name][1])
    heights: list[float] = []
    for name in order:
        heights.append(max(ends[name][1], heights[-1] + LABEL if heights else 0.0))
    for place in range(len(heights) - 1, -1, -1):
        most = heights[place + 1] - LABEL if place + 1 < len(heights) else bottom
        heights[place] = min(heights[place], most)
    for name, y in zip(order, heights, strict=True):
        canvas.stroke([ends[name], (x, y)], "leader", LIGHT["line"])
        if name in series:
            canvas.mark(series.index(name), x, y, kind="legend")
        canvas.text(x + 12, y, short(name))
