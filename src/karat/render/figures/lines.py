"""Lines over x, each named at its end."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from karat.data.charts import Line, Lines, Look, Trace
from karat.render.figures.canvas import (
    DASHES,
    EDGE,
    LABEL,
    SLOPE,
    Align,
    Canvas,
    Space,
    Style,
    WrittenName,
    both,
    drawn,
    legend_rows,
    look_of,
    wide,
    wrapped,
)
from karat.render.figures.palette import LIGHT
from karat.render.scale import line_scale, log_ticks, roomy, spaced, ticks

HEIGHT, TOP, LEFT = 240, 17, 72
SAMPLE = 26
"""The length of the sample line for a kind of dashes in the legend."""
MANY_MARKS = 12
"""If a line has more marks than this, they are small."""
Spot = tuple[float, float]
Box = tuple[float, float, float, float]


class End(NamedTuple):
    """Where a line ends, and how it is named there; a reference has no style."""

    spot: Spot
    name: WrittenName
    line: Line
    style: Style | None


@drawn.register
def draw(chart: Lines, space: Space) -> Figure:
    """The lines, each with its name at its end, or above if there is little room; colour, dashes and marks too."""
    longest = space.longest()
    names, below_names = both([line.name for line in chart.lines]), both(chart.labels, longest)
    kinds = dashes_by_kind(chart)
    left, beside = LEFT, 44 + max((wide(shown) for shown, _ in names), default=0)
    if space.narrow:
        beside = 36  # half a number at the end of the axis
    (first, last), (low, high) = chart.reach, line_scale(chart)
    width = space.scale_width(left + beside)
    tilted = any(wide(shown) > width / (last - first) for shown, _ in below_names)
    if tilted:
        left = round(max(LEFT, SLOPE * wide(below_names[round(first)][0]) + 12))
        width = space.scale_width(left + beside)
    whole = left + width + beside
    legend = legend_rows(kinds, mark=SAMPLE, width=whole - left)
    # On a phone no name is on the plot, where the lines leave no room.
    named = [*names, *both([chart.rule_name] if chart.rule_name else [])]
    keys = legend_rows((shown for shown, _ in named), mark=SAMPLE, width=whole - EDGE) if space.narrow else []
    kind_rows, key_rows = (1 + rows[-1][1] if rows else 0 for rows in (legend, keys))
    top = TOP + LABEL * (kind_rows + key_rows + bool(chart.at_name))
    bottom = top + (HEIGHT if space.narrow else max(HEIGHT, LABEL * len(chart.lines)))
    below = 20 + (SLOPE * max(wide(shown) for shown, _ in below_names) if tilted else 0)
    canvas = Canvas(space, whole, bottom + below + 12 + LABEL * len(wrapped(chart.axes[0], whole)), chart.note)
    axes = canvas.axes(left, top, left + width, bottom)
    axes.set_xscale("log" if chart.log else "linear")
    axes.set(xlim=(first, last), ylim=(low, high))
    _scales(canvas, axes, chart, below_names, tilted, width)
    canvas.axis_name(left + width / 2, bottom + below + 16, chart.axes[0])
    canvas.turned(left - LEFT + 18, (top + bottom) / 2, chart.axes[1])
    for (at, row), (kind, name) in zip(legend, zip(kinds, both(list(kinds)), strict=True), strict=True):
        x, y = left + at, 12 + LABEL * row
        canvas.strokes([[(x - 6, y), (x - 6 + SAMPLE, y)]], "sample", LIGHT["ink"], 2, kinds[kind])
        canvas.name(x + SAMPLE, y, name, kind="legend-name")
    _rules(canvas, axes, replace(chart, rule_name="") if space.narrow else chart, (left, top, width, bottom))
    ends: list[End] = []
    places = {"marks": 0, "line": 0}  # a mark looks the same however many lines there are
    for line, name in zip(chart.lines, names, strict=True):
        kind = "marks" if line.look == "marks" else "line"
        style = look_of(chart, line.name, places[kind])
        if line.look == "reference":
            canvas.strokes(line.stretches, "reference", LIGHT["soft"], 1.5, (6, 4), on=axes)
        else:
            # If dashes show a kind, they cannot also identify a line.
            _trace(canvas, axes, line, line.look, style._replace(dashes=()) if kinds else style)
            for variant in line.variants:
                _trace(canvas, axes, variant, "line", style._replace(dashes=kinds[variant.kind]))
        if (end := _end(line)) is not None:
            across = left + width * chart.share(end[0])
            down = bottom - (bottom - top) * (end[1] - low) / (high - low)
            ends.append(End((across, down), name, line, None if line.look == "reference" else style))
        places[kind] += line.look != "reference"
    if not space.narrow:
        _names(canvas, ends, left + width + 20, bottom)
    ends += [End((left, top), name, Line([], [], chart.rule_name, "reference"), None) for name in named[len(names) :]]
    for (at, row), one in zip(keys, ends, strict=False):
        _key(canvas, EDGE + at, 12 + LABEL * (kind_rows + row), one)
    return canvas.figure


def _key(canvas: Canvas, x: float, y: float, end: End) -> None:
    """A line in the legend: a sample of it, and its name."""
    colour, dashes = (LIGHT["soft"], (6, 4)) if end.style is None else (end.style.colour, end.style.dashes)
    if end.line.look != "marks":
        canvas.strokes([[(x - 4, y), (x - 8 + SAMPLE, y)]], "sample", colour, 2, dashes)
    if end.style is not None and end.line.look in ("marks", "both"):
        canvas.marks(end.style, [(x - 6 + SAMPLE / 2, y)], kind="legend", size=0.8)
    canvas.name(x + SAMPLE, y, end.name, kind="legend-name")


def _rules(canvas: Canvas, axes: Axes, chart: Lines, plot: Box) -> None:
    """The reference value across the lines and the x of interest, with their names."""
    left, top, width, bottom = plot
    (first, last), (low, high) = axes.get_xlim(), axes.get_ylim()
    name: Box | None = None
    if chart.rule is not None and min(low, high) <= chart.rule <= max(low, high):
        canvas.strokes([[(first, chart.rule), (last, chart.rule)]], "rule", LIGHT["soft"], dashes=(4, 4), on=axes)
        y = bottom - (bottom - top) * (chart.rule - low) / (high - low)
        x, y, align = place_of_rule_name(chart, plot, (low, high), y)
        canvas.text(x, y, chart.rule_name, align, "soft")
        start = x if align == "left" else x - wide(chart.rule_name)
        name = start, y - LABEL / 2, start + wide(chart.rule_name), y + LABEL / 2
    if chart.at is not None and first <= chart.at <= last:
        across = left + width * chart.share(chart.at)
        parts = around([(across, top), (across, bottom)], name)
        heights = [[low + (high - low) * (bottom - y) / (bottom - top) for y in reversed(part)] for part in parts]
        uprights = [[(chart.at, height) for height in part] for part in heights]
        canvas.strokes(uprights, "at", LIGHT["soft"], dashes=(4, 4), on=axes)
        half = wide(chart.at_name) / 2
        x = min(max(left + width * chart.share(chart.at), half), canvas.width - half)
        canvas.text(x, top - 10, chart.at_name, "center", "soft")


def place_of_rule_name(chart: Lines, plot: Box, scale: Spot, y: float) -> tuple[float, float, Align]:
    """The place for the name of the rule at this height: above or below it, where the fewest lines cross it."""
    left, top, width, bottom = plot
    long, (low, high) = wide(chart.rule_name), scale
    lines = [
        [(left + width * chart.share(x), bottom - (bottom - top) * (y - low) / (high - low)) for x, y in stretch]
        for _, trace in chart.told
        for stretch in trace.stretches
    ]
    if chart.at is not None:
        across = left + width * chart.share(chart.at)
        lines.append([(across, top), (across, bottom)])
    ends: list[tuple[float, Align]] = [(left + 6, "left"), (left + width - 6, "right")]
    heights = [y - 10, y + 10] if y + LABEL <= bottom else [y - 10]
    places = [(x, height, align) for x, align in ends for height in heights]

    def crossed(place: tuple[float, float, Align]) -> int:
        x, height, align = place
        first = x if align == "left" else x - long
        return sum(_crosses(line, (first, height - LABEL / 2, first + long, height + LABEL / 2)) for line in lines)

    return min(places, key=crossed)


def around(upright: list[Spot], name: Box | None) -> list[list[float]]:
    """The heights between which a vertical line is drawn: it stops at a name that is in its way, and goes on after."""
    (x, top), (_, bottom) = upright
    if name is None or not name[0] <= x <= name[2]:
        return [[top, bottom]]
    ends = [[top, min(name[1], bottom)], [max(name[3], top), bottom]]
    return [[above, below] for above, below in ends if above < below]


def _crosses(line: list[Spot], box: Box) -> bool:
    """Whether a line goes through a box (left, top, right, bottom)."""
    left, top, right, bottom = box
    for (x, y), (other_x, other_y) in pairwise(sorted(line)):
        first, last = max(x, left), min(other_x, right)
        if first <= last:
            slope = (other_y - y) / (other_x - x) if other_x > x else 0.0
            ends = (y, other_y) if other_x == x else (y + slope * (first - x), y + slope * (last - x))
            if max(ends) >= top and min(ends) <= bottom:
                return True
    return False


def dashes_by_kind(chart: Lines) -> dict[str, tuple[int, ...]]:
    """The dashes of each kind of variant; the first is solid if all lines with variants are drawn as marks."""
    having = [line for line in chart.lines if line.variants]
    kinds = dict.fromkeys(variant.kind for line in having for variant in line.variants)
    whole = all(line.look == "marks" for line in having)
    return {kind: DASHES[(place + (not whole)) % len(DASHES)] for place, kind in enumerate(kinds)}


def _trace(canvas: Canvas, axes: Axes, trace: Trace, look: Look, style: Style) -> None:
    """One line, its points, or both, clipped to the scale."""
    least, most = sorted(axes.get_ylim())
    stretches = [[(x, min(max(y, least), most)) for x, y in stretch] for stretch in trace.stretches]
    if look != "marks":
        lines = [stretch for stretch in stretches if len(stretch) > 1]
        canvas.strokes(lines, "line", style.colour, 2, style.dashes, axes)
    if look == "line":  # between two gaps there is a single point and no line
        lone = [stretch[0] for stretch in stretches if len(stretch) == 1]
        canvas.shapes(lone, "o", "point", style.colour, 4, axes)
    else:
        points = [point for stretch in stretches for point in stretch]
        canvas.marks(style, points, axes, size=0.6 if len(points) > MANY_MARKS else 1.0)


def _end(line: Line) -> Spot | None:
    """The position of the name: at the end of the trace that extends furthest; of two, the first."""
    ends = [trace.points[-1] for _, trace in line.told if trace.points]
    return max(ends, key=lambda end: end[0], default=None)


def _scales(canvas: Canvas, axes: Axes, chart: Lines, named: list[WrittenName], tilted: bool, width: float) -> None:
    """Round numbers on both axes, or the names of x."""
    (low, high), (first, last) = axes.get_ylim(), axes.get_xlim()
    marked = ticks(low, high, whole=low > high and low == round(low) and high == round(high))
    axes.set_yticks([value for value, _ in marked], [written for _, written in marked])
    canvas.ruled(axes, "y")
    whole = all(x == round(x) for _, trace in chart.told for x, _ in trace.points)
    marked = spaced(log_ticks(first, last), width, wide) if chart.log else roomy(first, last, width, wide, whole)
    numbers = [(x, (written, written)) for x, written in marked]
    if chart.log:
        axes.xaxis.set_minor_locator(NullLocator())
    across = [(float(place), name) for place, name in enumerate(named)] or numbers
    canvas.below(axes, [(x, name) for x, name in across if first <= x <= last], tilted)
    axes.tick_params(axis="x", length=4 * canvas.scale)
    axes.tick_params(axis="y", pad=11 * canvas.scale)  # outside marks at the edge


def _names(canvas: Canvas, ends: list[End], x: float, bottom: float) -> None:
    """The name of every line, with its mark if it has one, at the height of its end or as near as there is room."""
    ends = sorted(ends, key=lambda end: end.spot[1])
    heights: list[float] = []
    for y in (end.spot[1] for end in ends):
        heights.append(max(y, heights[-1] + LABEL if heights else 0.0))
    for at in range(len(heights) - 1, -1, -1):
        most = heights[at + 1] - LABEL if at + 1 < len(heights) else bottom
        heights[at] = min(heights[at], most)
    for end, y in zip(ends, heights, strict=True):
        canvas.strokes([[end.spot, (x, y)]], "leader", LIGHT["line"])
        if end.line.look in ("both", "marks") and end.style is not None:
            canvas.marks(end.style, [(x, y)], kind="legend")
        elif end.style is not None:
            canvas.strokes([[(x - 14, y), (x + 8, y)]], "sample", end.style.colour, 2, end.style.dashes)
        canvas.name(x + 12, y, end.name)
