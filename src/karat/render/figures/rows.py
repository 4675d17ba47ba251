"""Dots and boxes: one row per label."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from karat.data.charts import Boxes, Dots, Interval
from karat.render.figures.canvas import LABEL, ROW, WIDTH, Canvas, both, drawn, legend_rows, wide
from karat.render.figures.palette import LIGHT
from karat.render.scale import Joined, box_scale, dot_range, fitted, packed, ticks

LONGEST_NAME = 48
COLUMN, KNOT = 10, 5
"""The distance between lines beside rows, and the size of the knots that show which rows they join."""
TOUCHING, SWARM = 6, 8
"""Marks of a row this close would hide each other, and are moved this far apart, up and down."""
MARK = 10
Strokes = list[list[tuple[float, float]]]


@drawn.register
def draw_dots(chart: Dots) -> Figure:
    """One mark per series, identified by shape and colour; a bar for an interval."""
    names = both([one.name for one in chart.series])
    names += [("interval", "interval")] * bool(chart.intervals)
    legend = legend_rows(shown for shown, _ in names)
    joined, left_out = packed(chart)
    beside = 8 + COLUMN * (1 + max(column for column, _ in joined)) if joined else 0
    low, high = dot_range(chart)
    above = LABEL * (1 + max((row for _, row in legend), default=0))
    canvas, axes = _rows(chart, low, high, above, beside, [chart.note, fitted(chart), left_out])
    left = _left(chart)
    for place, ((at, row), name) in enumerate(zip(legend, names, strict=True)):
        x, y = left + at, 12 + LABEL * row
        if place < len(chart.series):
            canvas.marks(place, [(x, y)], kind="legend")
        else:
            canvas.strokes(_bar(x - 8, x + 6, y, 5), "interval-legend", LIGHT["a"], 2)
        canvas.name(x + 12, y, name, kind="legend-name")
    ruled = {0.0} if min(low, high) < 0 < max(low, high) else set()
    if chart.rule is not None:
        ruled.add(chart.rule)
    bottom = axes.get_ylim()[0]
    canvas.strokes(([(value, 0), (value, bottom)] for value in sorted(ruled)), "zero", LIGHT["soft"], on=axes)
    _intervals(canvas, axes, chart.intervals)
    lifted = swarm(chart, low, high)
    for place, (_, values) in enumerate(chart.series):
        known = [row for row in range(len(chart.labels)) if values[row] == values[row]]
        canvas.marks(place, [(values[row], row + 0.5 + lifted[row][place] / ROW) for row in known], axes)
    _joined(canvas, joined, left + WIDTH + 16, above + 10)
    return canvas.figure


def swarm(chart: Dots, low: float, high: float) -> list[list[float]]:
    """How far up or down each mark of each row is moved, in pixels, so that none hides another."""
    made = []
    for row in range(len(chart.labels)):
        places = [(one.values[row] - low) / (high - low) * WIDTH for one in chart.series]
        moved = [0.0] * len(places)
        crowd: list[int] = []
        for place in sorted((at for at, x in enumerate(places) if x == x), key=lambda at: (places[at], at)):
            if crowd and places[place] - places[crowd[0]] > TOUCHING:
                _spread(crowd, moved)
                crowd = []
            crowd.append(place)
        _spread(crowd, moved)
        made.append(moved)
    return made


def _spread(crowd: list[int], moved: list[float]) -> None:
    """Spread marks that are close together vertically, in the order of their series, within their row."""
    step = min(SWARM, (ROW - MARK) / max(len(crowd) - 1, 1))
    for at, place in enumerate(sorted(crowd)):
        moved[place] = step * (at - (len(crowd) - 1) / 2)


def _intervals(canvas: Canvas, axes: Axes, intervals: Sequence[Interval]) -> None:
    """One bar per interval, with an arrow head where it extends out of sight."""
    least, most = sorted(axes.get_xlim())
    bars: Strokes = []
    heads: dict[str, list[tuple[float, float]]] = {"<": [], ">": []}
    for row, interval in enumerate(intervals):
        if interval.low != interval.low or interval.high != interval.high:
            continue
        first, last = sorted(interval)
        y, half = row + 0.5, 5 / ROW
        whole, *ends = _bar(max(first, least), min(last, most), y, half)
        bars.append(whole)
        if first < least:
            heads["<"].append((least, y))
        else:
            bars.append(ends[0])
        if last > most:
            heads[">"].append((most, y))
        else:
            bars.append(ends[1])
    canvas.strokes(bars, "interval", LIGHT["a"], 2, on=axes)
    for shape, points in heads.items():
        canvas.shapes(points, shape, "beyond", LIGHT["a"], 8, axes)


def _joined(canvas: Canvas, joined: Joined, left: float, top: float) -> None:
    """A line beside rows that belong together, with a knot at each; it is faint beside other rows."""
    whole: Strokes = []
    faint: Strokes = []
    knots = []
    for column, rows in joined:
        x = left + COLUMN * column
        heights = [top + ROW * (row + 0.5) for row in rows]
        knots += [(x, y) for y in heights]
        for place in range(1, len(rows)):
            line = [(x, heights[place - 1]), (x, heights[place])]
            (whole if rows[place] == rows[place - 1] + 1 else faint).append(line)
    canvas.strokes(faint, "past", LIGHT["soft"], 1, (2, 3))
    canvas.strokes(whole, "group", LIGHT["ink"], 1.5)
    canvas.shapes(knots, "o", "knot", LIGHT["ink"], KNOT)


@drawn.register
def draw_boxes(chart: Boxes) -> Figure:
    """Whiskers to the ends, a box over the middle half, a bar at the median; nothing if a number is undefined."""
    low, high = box_scale(chart)
    canvas, axes = _rows(chart, low, high, 0, 0, [chart.note])
    known = [(row + 0.5, box) for row, box in enumerate(chart.boxes) if all(value == value for value in box)]
    if not known:
        return canvas.figure
    narrowest = abs(high - low) / WIDTH
    whiskers = [line for y, (a, b, _, c, d) in known for line in ([(a, y), (b, y)], [(c, y), (d, y)])]
    canvas.strokes(whiskers, "whisker", LIGHT["soft"], 1.5, on=axes)
    half = 7 / ROW
    boxes = [(b, y - half, max(c, b + narrowest), y + half) for y, (_, b, _, c, _) in known]
    canvas.boxes(boxes, "box", LIGHT["a"], 0.35, on=axes)
    medians = [[(m, y - 9 / ROW), (m, y + 9 / ROW)] for y, (_, _, m, _, _) in known]
    canvas.strokes(medians, "median", LIGHT["b"], 3, on=axes)
    return canvas.figure


def _left(chart: Dots | Boxes) -> float:
    return 24 + max((wide(shown) for shown, _ in both(chart.labels, LONGEST_NAME)), default=32)


def _rows(
    chart: Dots | Boxes, low: float, high: float, above: float, beside: float, notes: Sequence[str]
) -> tuple[Canvas, Axes]:
    """The scale with one name per row, room above and beside it, and notes below."""
    left, top = _left(chart), above + 10
    bottom = top + ROW * max(len(chart.labels), 1) + 4
    canvas = Canvas(left + WIDTH + 28 + beside, bottom + (48 if chart.axis else 28), *notes)
    axes = canvas.axes(left, top, left + WIDTH, bottom)
    axes.set(xlim=(low, high), ylim=((bottom - top) / ROW, 0))
    marked = ticks(low, high)
    axes.set_xticks([value for value, _ in marked], [written for _, written in marked])
    axes.set_yticks([])
    canvas.ruled(axes, "x")
    canvas.text(left + WIDTH / 2, bottom + 38, chart.axis, "center", "axis")
    for row, name in enumerate(both(chart.labels, LONGEST_NAME)):
        canvas.name(left - 14, top + ROW * (row + 0.5), name, "right")
    return canvas, axes


def _bar(low: float, high: float, y: float, half: float) -> Strokes:
    """An interval, with a stroke at either end."""
    return [[(low, y), (high, y)], [(low, y - half), (low, y + half)], [(high, y - half), (high, y + half)]]
