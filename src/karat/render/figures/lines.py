"""Lines over x, each named at its end."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from karat.data.charts import Line, Lines, Look, Trace
from karat.render.figures.canvas import (
    DASHES,
    LABEL,
    SLOPE,
    WIDTH,
    Canvas,
    Shown,
    both,
    colour_of,
    dashes_of,
    drawn,
    legend_rows,
    wide,
)
from karat.render.figures.palette import LIGHT
from karat.render.scale import line_scale, ticks

HEIGHT, TOP, LEFT = 240, 17, 72
SAMPLE = 26
"""The length of the sample line for a kind of dashes in the legend."""
MANY_MARKS = 12
"""If a line has more marks than this, they are small."""
Spot = tuple[float, float]


@drawn.register
def draw(chart: Lines) -> Figure:
    """The lines, each with its name at its end; colour, dashes and marks identify it too."""
    names, below_names = both([line.name for line in chart.lines]), both(chart.labels)
    kinds = dashes_by_kind(chart)
    legend = legend_rows(kinds, mark=SAMPLE)
    top = TOP + (LABEL * (1 + legend[-1][1]) if legend else 0)
    bottom = top + max(HEIGHT, LABEL * len(chart.lines))
    (first, last), (low, high) = chart.reach, line_scale(chart)
    tilted = any(wide(shown) > WIDTH / (last - first) for shown, _ in below_names)
    below = 20 + (SLOPE * max(wide(shown) for shown, _ in below_names) if tilted else 0)
    left = max(LEFT, SLOPE * wide(below_names[round(first)][0]) + 12 if tilted else 0)
    beside = max((wide(shown) for shown, _ in names), default=0)
    canvas = Canvas(left + WIDTH + 44 + beside, bottom + below + 30, chart.note)
    axes = canvas.axes(left, top, left + WIDTH, bottom)
    axes.set(xlim=(first, last), ylim=(low, high))
    _scales(canvas, axes, chart, below_names, tilted)
    canvas.text(left + WIDTH / 2, bottom + below + 16, chart.axes[0], "center", "axis")
    canvas.turned(left - LEFT + 18, (top + bottom) / 2, chart.axes[1])
    for (at, row), (kind, name) in zip(legend, zip(kinds, both(list(kinds)), strict=True), strict=True):
        x, y = left + at, 12 + LABEL * row
        canvas.strokes([[(x - 6, y), (x - 6 + SAMPLE, y)]], "sample", LIGHT["ink"], 2, kinds[kind])
        canvas.name(x + SAMPLE, y, name, kind="legend-name")
    if chart.rule is not None and min(low, high) <= chart.rule <= max(low, high):
        canvas.strokes([[(first, chart.rule), (last, chart.rule)]], "rule", LIGHT["soft"], dashes=(4, 4), on=axes)
    ends: list[tuple[Spot, Shown, int | None]] = []
    place = 0
    for line, name in zip(chart.lines, names, strict=True):
        if line.look == "reference":
            canvas.strokes(line.stretches, "reference", LIGHT["soft"], 1.5, (6, 4), on=axes)
        else:
            # If dashes show a kind, they cannot also identify a line.
            _trace(canvas, axes, line, line.look, place, () if kinds else dashes_of(place))
            for variant in line.variants:
                _trace(canvas, axes, variant, "line", place, kinds[variant.kind])
        if (end := _end(line)) is not None:
            across = left + WIDTH * (end[0] - first) / (last - first)
            down = bottom - (bottom - top) * (end[1] - low) / (high - low)
            ends.append(((across, down), name, None if line.look == "reference" else place))
        place += line.look != "reference"
    _names(canvas, ends, left + WIDTH + 20, bottom)
    return canvas.figure


def dashes_by_kind(chart: Lines) -> dict[str, tuple[int, ...]]:
    """The dashes of each kind of variant; the first is solid if all lines with variants are drawn as marks."""
    having = [line for line in chart.lines if line.variants]
    kinds = dict.fromkeys(variant.kind for line in having for variant in line.variants)
    whole = all(line.look == "marks" for line in having)
    return {kind: DASHES[(place + (not whole)) % len(DASHES)] for place, kind in enumerate(kinds)}


def _trace(canvas: Canvas, axes: Axes, trace: Trace, look: Look, place: int, dashes: tuple[int, ...]) -> None:
    """One line, its points, or both, clipped to the scale."""
    least, most = sorted(axes.get_ylim())
    stretches = [[(x, min(max(y, least), most)) for x, y in stretch] for stretch in trace.stretches]
    if look != "marks":
        lines = [stretch for stretch in stretches if len(stretch) > 1]
        canvas.strokes(lines, "line", colour_of(place), 2, dashes, axes)
    if look == "line":  # between two gaps there is a single point and no line
        lone = [stretch[0] for stretch in stretches if len(stretch) == 1]
        canvas.shapes(lone, "o", "point", colour_of(place), 4, axes)
    else:
        points = [point for stretch in stretches for point in stretch]
        canvas.marks(place, points, axes, size=0.6 if len(points) > MANY_MARKS else 1.0)


def _end(line: Line) -> Spot | None:
    """The position of the name: at the end of the trace that extends furthest; of two, the first."""
    ends = [trace.points[-1] for _, trace in line.told if trace.points]
    return max(ends, key=lambda end: end[0], default=None)


def _scales(canvas: Canvas, axes: Axes, chart: Lines, named: list[Shown], tilted: bool) -> None:
    """Round numbers on both axes, or the names of x."""
    (low, high), (first, last) = axes.get_ylim(), axes.get_xlim()
    marked = ticks(low, high, whole=low > high and low == round(low) and high == round(high))
    axes.set_yticks([value for value, _ in marked], [written for _, written in marked])
    canvas.ruled(axes, "y")
    whole = all(x == round(x) for _, trace in chart.told for x, _ in trace.points)
    numbers = [(x, (written, written)) for x, written in ticks(first, last, whole)]
    across = [(float(place), name) for place, name in enumerate(named)] or numbers
    canvas.below(axes, [(x, name) for x, name in across if first <= x <= last], tilted)
    axes.tick_params(axis="x", length=4)
    axes.tick_params(axis="y", pad=11)  # outside marks at the edge


def _names(canvas: Canvas, ends: list[tuple[Spot, Shown, int | None]], x: float, bottom: float) -> None:
    """The name of every line, with its mark if it has one, at the height of its end or as near as there is room."""
    ends = sorted(ends, key=lambda end: end[0][1])
    heights: list[float] = []
    for (_, y), _, _ in ends:
        heights.append(max(y, heights[-1] + LABEL if heights else 0.0))
    for at in range(len(heights) - 1, -1, -1):
        most = heights[at + 1] - LABEL if at + 1 < len(heights) else bottom
        heights[at] = min(heights[at], most)
    for (spot, name, place), y in zip(ends, heights, strict=True):
        canvas.strokes([[spot, (x, y)]], "leader", LIGHT["line"])
        if place is not None:
            canvas.marks(place, [(x, y)], kind="legend")
        canvas.name(x + 12, y, name)
