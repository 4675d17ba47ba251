"""Points, each with its name beside it; or in a list beside them all, where it has no room."""

from __future__ import annotations

from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from karat.data.charts import Points
from karat.render.figures.canvas import LABEL, WIDTH, Canvas, legend_rows, wide
from karat.render.figures.palette import LIGHT
from karat.render.figures.placing import NEAR, Box, Spot, crosses, leader, matched, placed
from karat.render.figures.words import short
from karat.render.scale import apart, needed, rounded, step_of, ticks

HEIGHT, LEFT, RIGHT = 360, 72, 28
FURTHEST = 70.0
"""How far a name may stand from its point, if every name finds room."""
FAN = 70
"""Room for the lines that lead to the list."""
MOST = 60
"""The longest list."""


class Point(NamedTuple):
    """A label of a series, and where it stands."""

    label: str
    place: int
    x: float
    y: float


def draw(chart: Points) -> Figure:
    """A mark a label, whose shape and colour tell its series; names that find no room stand on the right."""
    shown = points_of(chart)
    drawn = [place for place in range(len(chart.series)) if any(point.place == place for point in shown)]
    names = list(chart.series)
    legend = legend_rows(short(names[place]) for place in drawn if len(names) > 1)
    top = 16 + (LABEL * (1 + legend[-1][1]) if legend else 0)
    (first, last), (low, high) = scales(chart)
    spots = _spots(shown, top, HEIGHT, (first, last), (low, high))
    inside = (LEFT + 2.0, top - 8.0, LEFT + WIDTH + RIGHT - 2.0, top + HEIGHT + 8.0)
    widths = [wide(short(point.label)) for point in shown]
    boxes, listed, height = placed(spots, widths, inside, FURTHEST), {}, HEIGHT
    if len(boxes) < len(shown):  # only names right beside their points stay where they are
        height = max(HEIGHT, LABEL * min(len(shown), MOST))
        spots = _spots(shown, top, height, (first, last), (low, high))
        inside = (LEFT + 2.0, top - 8.0, LEFT + WIDTH + 0.0, top + height + 8.0)
        boxes = placed(spots, widths, inside, NEAR)
        listed = _listed(spots, boxes, top, height)
    names_right = max((FAN + 12 + widths[one] for one in listed), default=RIGHT)
    unnamed = len(shown) - len(boxes) - len(listed)
    canvas = Canvas(LEFT + WIDTH + names_right + 8, top + height + (76 if unnamed else 56))
    axes = canvas.axes(LEFT, top, LEFT + WIDTH, top + height)
    axes.set(xlim=(first, last), ylim=(low, high))
    _marked(canvas, axes)
    canvas.text(LEFT + WIDTH / 2, top + height + 42, chart.axes[0], "center", "axis")
    canvas.turned(18, top + height / 2, chart.axes[1])
    if unnamed:
        canvas.text(LEFT + WIDTH / 2, top + height + 62, f"{unnamed} points are not named", "center", "soft")
    for (at, row, name), place in zip(legend, drawn, strict=False):
        canvas.mark(place, LEFT + at, 12 + LABEL * row, kind="legend")
        canvas.text(LEFT + at + 12, 12 + LABEL * row, name, kind="legend-name")
    for place in drawn:
        places = [(point.x, point.y) for point in shown if point.place == place]
        canvas.marks(place, places, axes, size=0.6 if listed else 1.0)
    x = LEFT + WIDTH + FAN
    lines = [leader(spots[one], box) for one, box in boxes.items()]
    lines += [(*spots[one], x - 4.0, y) for one, y in listed.items()]
    if led := [[(a, b), (c, d)] for a, b, c, d in filter(None, lines)]:
        canvas.strokes(led, "leader", LIGHT["soft"], 0.5 if listed else 1)
    for one, box in boxes.items():
        _beside(canvas, short(shown[one].label), spots[one][0], box)
    for one, y in listed.items():
        canvas.text(x, y, short(shown[one].label), kind="listed")
    return canvas.figure


def points_of(chart: Points) -> list[Point]:
    """Every label that has a place; a y beyond the scale is drawn at its edge."""
    low, high = sorted(scales(chart)[1])
    return [
        Point(label, place, float(x), min(max(float(y), low), high))
        for place, values in enumerate(chart.series.values())
        for label, x, y in zip(chart.labels, chart.x, values, strict=True)
        if x == x and y == y
    ]


def scales(chart: Points) -> tuple[Spot, Spot]:
    """The ends of both axes: y is the chart's own or a part of it, x has room beyond its last point."""
    known = [(x, y) for values in chart.series.values() for x, y in zip(chart.x, values, strict=True)]
    across = [float(x) for x, y in known if x == x and y == y] or [0.0, 1.0]
    first, last = rounded(*needed(across, *apart(min(0.0, *across), max(0.0, *across))))
    if max(across) > first + 0.95 * (last - first):
        last += step_of(first, last)
    return (first, last), needed((y for x, y in known if x == x), chart.low, chart.high)


def _spots(points: list[Point], top: float, height: float, across: Spot, up: Spot) -> list[Spot]:
    """Where points stand on the canvas."""
    (first, last), (low, high) = across, up
    return [
        (LEFT + WIDTH * (point.x - first) / (last - first), top + height * (high - point.y) / (high - low))
        for point in points
    ]


def _listed(spots: list[Spot], boxes: dict[int, Box], top: float, height: float) -> dict[int, float]:
    """The heights of the names in the list; what a line to it would cross goes there too, out of `boxes`."""
    while True:
        listed = [one for one in range(len(spots)) if one not in boxes][:MOST]
        room = height / max(len(listed), 1)
        step = min(room, LABEL)
        middle = sum(spots[one][1] for one in listed) / max(len(listed), 1)
        first = min(max(middle - step * len(listed) / 2, top), top + height - step * len(listed)) + step / 2
        x = LEFT + WIDTH + FAN - 4.0
        heights = matched([spots[one] for one in listed], x, [first + step * place for place in range(len(listed))])
        lines = [(*spots[one], x, y) for one, y in zip(listed, heights, strict=True)]
        crossed = [one for one, box in boxes.items() if any(crosses(line, box) for line in lines)]
        if not crossed or len(listed) == MOST:
            return dict(zip(listed, heights, strict=True))
        for one in crossed:
            del boxes[one]


def _marked(canvas: Canvas, axes: Axes) -> None:
    """Round numbers on both axes."""
    for ends, set_ticks in ((axes.get_xlim(), axes.set_xticks), (axes.get_ylim(), axes.set_yticks)):
        marked = ticks(*ends)
        set_ticks([value for value, _ in marked], [written for _, written in marked])
    axes.tick_params(pad=11)  # beyond marks at the edge
    canvas.ruled(axes, "x")
    canvas.ruled(axes, "y")


def _beside(canvas: Canvas, word: str, x: float, box: Box) -> None:
    """A name in its box, flush with the side that its point is on."""
    left, top, right, bottom = box
    if left >= x:
        canvas.text(left, (top + bottom) / 2, word)
    elif right <= x:
        canvas.text(right, (top + bottom) / 2, word, "right")
    else:
        canvas.text((left + right) / 2, (top + bottom) / 2, word, "center")
