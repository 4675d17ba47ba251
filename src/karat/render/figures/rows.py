"""Dots and boxes: one row per label."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from karat.data.charts import Boxes, Dots, Panels
from karat.render.figures.canvas import (
    EDGE,
    LABEL,
    ROW,
    Canvas,
    Space,
    Style,
    both,
    drawn,
    legend_rows,
    look_of,
    wide,
    wrapped,
)
from karat.render.figures.palette import LIGHT
from karat.render.scale import Joined, box_scale, dot_range, fitted, numbers, packed, panel_range, roomy

LONGEST_NAME = 48
COLUMN, KNOT = 10, 5
"""The distance between lines beside rows, and the size of the knots that show which rows they join."""
TOUCHING, SWARM = 6, 8
"""Marks of a row this close would hide each other, and are moved this far apart, up and down."""
MARK, RIGHT = 10, 28
PANEL, GAP, ALL_PANELS = 200, 28, 760
"""The width of a panel, the gap between two, and the width of all of them with the names."""
Strokes = list[list[tuple[float, float]]]


@drawn.register
def draw_dots(chart: Dots, space: Space) -> Figure:
    """One mark per series, identified by shape and colour; a bar for an interval, in the colour of its mark."""
    joined, left_out = packed(chart)
    beside = 8 + COLUMN * (1 + max(column for column, _ in joined)) if joined else 0
    low, high = dot_range(chart)
    left = _left(chart, space)
    width = space.scale_width(left + RIGHT + beside)
    whole = left + width + RIGHT + beside
    at = EDGE + 6 if space.narrow else left  # the legend
    names = both([one.name for one in chart.series])
    names += [("interval", "interval")] * bool(chart.intervals)
    legend = legend_rows((shown for shown, _ in names), width=whole - at)
    above = LABEL * (1 + max((row for _, row in legend), default=0)) + 10
    canvas = _canvas(chart, space, whole, above, [chart.note, fitted(chart), left_out])
    for place, ((across, row), name) in enumerate(zip(legend, names, strict=True)):
        x, y = at + across, 12 + LABEL * row
        if place < len(chart.series):
            # A mark has the colour of its row if it is that of a run.
            canvas.marks(look_of(chart, chart.series[place].name, place), [(x, y)], kind="legend")
        else:
            canvas.strokes(_bar(x - 8, x + 6, y, 5), "interval-legend", LIGHT["ink"], 2)
        canvas.name(x + 12, y, name, kind="legend-name")
    _plot(canvas, chart, (left, above, width), low, high)
    _names(canvas, chart, space, left, above)
    canvas.axis_name(left + width / 2, above + _height(chart) + 38, chart.axis)
    _joined(canvas, joined, left + width + 16, above)
    return canvas.figure


@drawn.register
def draw_panels(chart: Panels, space: Space) -> Figure:
    """Dots side by side in as many columns as there is room for, with the names of the rows on the left of each row."""
    first = chart.panels[0]
    left = _left(first, space)
    low, high = panel_range(chart)
    columns = 1 if space.narrow else max(1, min(len(chart.panels), int((ALL_PANELS - left + GAP) // (PANEL + GAP))))
    width = space.scale_width(left + RIGHT) if columns == 1 else PANEL
    lines = ceil(len(chart.panels) / columns)
    height = LABEL + 10 + _height(first) + 30
    whole = left + columns * width + (columns - 1) * GAP + RIGHT
    bottom = height * lines + LABEL * len(wrapped(first.axis, whole - EDGE)) + 8
    canvas = Canvas(space, whole, bottom, chart.note)
    heads = both([panel.title for panel in chart.panels], max(int(width // 9), 8))
    for place, panel in enumerate(chart.panels):
        line, column = divmod(place, columns)
        x, y = left + column * (width + GAP), line * height + LABEL + 10
        canvas.marks(look_of(chart, panel.title, place), [(x + 5, y - 12)], kind="legend")
        canvas.name(x + 16, y - 12, heads[place], kind="panel")
        _plot(canvas, panel, (x, y, width), low, high, look_of(chart, panel.title, place))
        if column == 0:
            _names(canvas, panel, space, left, y)
    canvas.axis_name(left + (whole - left - RIGHT) / 2, height * lines + LABEL / 2, first.axis)
    return canvas.figure


def _plot(
    canvas: Canvas, chart: Dots, at: tuple[float, float, float], low: float, high: float, look: Style | None = None
) -> None:
    """The scale of some rows with its rules, intervals and marks, all in one look if one is given."""
    left, top, width = at
    axes = _scale(canvas, left, top, width, _height(chart), low, high)
    ruled = {0.0} if min(low, high) < 0 < max(low, high) else set()
    if chart.rule is not None:
        ruled.add(chart.rule)
    bottom = axes.get_ylim()[0]
    canvas.strokes(([(value, 0), (value, bottom)] for value in sorted(ruled)), "zero", LIGHT["soft"], on=axes)
    if chart.joined:
        spans = [[value for one in chart.series if (value := one.values[row]) == value] for row in _rows(chart)]
        lines = [[(min(span), row + 0.5), (max(span), row + 0.5)] for row, span in enumerate(spans) if len(span) > 1]
        canvas.strokes(lines, "joined", LIGHT["line"], 3, on=axes)
    looks = _looks(chart) if look is None else [[look] * len(chart.labels) for _ in chart.series]
    _intervals(canvas, axes, chart, looks)
    lifted = swarm(chart, low, high, width)
    tell, below = numbers(chart.series), min(low, high)
    for place, one in enumerate(chart.series):
        alike: dict[Style, list[tuple[float, float]]] = {}
        for row, value in enumerate(one.values):
            if value < below:
                canvas.shapes([(below, row + 0.5)], "<", "beyond", looks[place][row].colour, 8, axes)
                canvas.text(left + 10, top + ROW * (row + 0.5), tell(value))
            elif value == value:
                lift = 0.0 if chart.joined else lifted[row][place] / ROW
                alike.setdefault(looks[place][row], []).append((value, row + 0.5 + lift))
        for same, points in alike.items():
            canvas.marks(same, points, axes)


def _rows(chart: Dots | Boxes) -> range:
    return range(len(chart.labels))


def _looks(chart: Dots) -> list[list[Style]]:
    """The look of each mark, by series and row; with one series, a row that is a run has the run's."""
    made = []
    for place, one in enumerate(chart.series):
        own = look_of(chart, one.name, place)
        by_row = [look_of(chart, label, place) if label in chart.runs else own for label in chart.labels]
        made.append(by_row if len(chart.series) == 1 else [own] * len(chart.labels))
    return made


def swarm(chart: Dots, low: float, high: float, width: float) -> list[list[float]]:
    """How far up or down each mark of each row is moved, in pixels, so that none hides another."""
    made = []
    for row in _rows(chart):
        places = [(one.values[row] - low) / (high - low) * width for one in chart.series]
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


def _intervals(canvas: Canvas, axes: Axes, chart: Dots, looks: list[list[Style]]) -> None:
    """One bar per interval in the colour of its mark, with an arrow head where it extends out of sight."""
    least, most = sorted(axes.get_xlim())
    bars: dict[str, Strokes] = {}
    heads: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for row, interval in enumerate(chart.intervals):
        if interval.low != interval.low or not interval.high >= least:
            continue
        owner = next((place for place, one in enumerate(chart.series) if one.values[row] == one.values[row]), 0)
        colour = looks[owner][row].colour
        first, last = sorted(interval)
        y, half = row + 0.5, 5 / ROW
        whole, *ends = _bar(max(first, least), min(last, most), y, half)
        bars.setdefault(colour, []).append(whole)
        if first < least:
            heads.setdefault(("<", colour), []).append((least, y))
        else:
            bars[colour].append(ends[0])
        if last > most:
            heads.setdefault((">", colour), []).append((most, y))
        else:
            bars[colour].append(ends[1])
    for colour, strokes in bars.items():
        canvas.strokes(strokes, "interval", colour, 2, on=axes)
    for (shape, colour), points in heads.items():
        canvas.shapes(points, shape, "beyond", colour, 8, axes)


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
def draw_boxes(chart: Boxes, space: Space) -> Figure:
    """Whiskers, a box over the middle half, a bar at the median, and points outside; nothing if one is undefined."""
    low, high = box_scale(chart)
    left, top = _left(chart, space), 10
    width = space.scale_width(left + RIGHT)
    canvas = _canvas(chart, space, left + width + RIGHT, top, [chart.note])
    axes = _scale(canvas, left, top, width, _height(chart), low, high)
    _names(canvas, chart, space, left, top)
    canvas.axis_name(left + width / 2, top + _height(chart) + 38, chart.axis)
    known = [(row + 0.5, box) for row, box in enumerate(chart.boxes) if all(value == value for value in box)]
    if not known:
        return canvas.figure
    narrowest = abs(high - low) / width
    whiskers = [line for y, (a, b, _, c, d) in known for line in ([(a, y), (b, y)], [(c, y), (d, y)])]
    canvas.strokes(whiskers, "whisker", LIGHT["soft"], 1.5, on=axes)
    half = 7 / ROW
    boxes = [(b, y - half, max(c, b + narrowest), y + half) for y, (_, b, _, c, _) in known]
    canvas.boxes(boxes, "box", LIGHT["soft"], 0.35, on=axes)
    medians = [[(m, y - 9 / ROW), (m, y + 9 / ROW)] for y, (_, _, m, _, _) in known]
    canvas.strokes(medians, "median", LIGHT["ink"], 3, on=axes)
    outside = [(value, row + 0.5) for row, values in enumerate(chart.outside) for value in values]
    canvas.shapes(outside, "o", "outside", LIGHT["soft"], KNOT, on=axes)
    return canvas.figure


def _left(chart: Dots | Boxes, space: Space) -> float:
    """The room for the names."""
    return 24 + max((wide(shown) for shown, _ in both(chart.labels, space.longest(LONGEST_NAME))), default=32)


def _height(chart: Dots | Boxes) -> float:
    return ROW * max(len(chart.labels), 1) + 4


def _canvas(chart: Dots | Boxes, space: Space, width: float, above: float, notes: Sequence[str]) -> Canvas:
    """A canvas for the rows, what is above, and the axis below in as many lines as it needs."""
    below = 28 + 2 * bool(chart.axis) + LABEL * len(wrapped(chart.axis, width - EDGE))
    return Canvas(space, width, above + _height(chart) + below, *notes)


def _scale(canvas: Canvas, left: float, top: float, width: float, height: float, low: float, high: float) -> Axes:
    """The scale below rows, with grid lines through them."""
    axes = canvas.axes(left, top, left + width, top + height)
    axes.set(xlim=(low, high), ylim=(height / ROW, 0))
    marked = roomy(low, high, width, wide)
    axes.set_xticks([value for value, _ in marked], [written for _, written in marked])
    axes.set_yticks([])
    canvas.ruled(axes, "x")
    return axes


def _names(canvas: Canvas, chart: Dots | Boxes, space: Space, left: float, top: float) -> None:
    for row, name in enumerate(both(chart.labels, space.longest(LONGEST_NAME))):
        canvas.name(left - 14, top + ROW * (row + 0.5), name, "right")


def _bar(low: float, high: float, y: float, half: float) -> Strokes:
    """An interval, with a stroke at either end."""
    return [[(low, y), (high, y)], [(low, y - half), (low, y + half)], [(high, y - half), (high, y + half)]]
