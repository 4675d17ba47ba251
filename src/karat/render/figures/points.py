"""Points with their names beside them, or in a list beside the chart if there is no room."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations
from math import cos, hypot, pi, sin

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from karat.arrays import Bools, Floats
from karat.data.charts import Point, Points
from karat.data.result import run_of
from karat.render.figures.canvas import (
    LABEL,
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
from karat.render.scale import point_scales, roomy, ticks

HEIGHT, NARROW_HEIGHT, LEFT, RIGHT = 360, 280, 72, 28
FURTHEST = 70.0
"""The largest distance of a name from its point, if all names find room."""
FAN = 70
"""The room for the lines that lead to the list."""
MOST_NAMES = 60
"""The longest list of names."""
Spot = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom; for a line, its start and its end."""
HALF_MARK = 7.0
"""Half the side of the square that a mark keeps free."""
NAME_HEIGHT = 15.0
NAME_DISTANCE = 11.0
"""The distance of a name from the centre of the point it is beside."""
RING_STEP, DIRECTIONS = 9.0, 24
"""How much further away a name looks for room each time, and in how many directions."""
CROWD_RADIUS = 60.0
"""Points within this distance of each other are a crowd."""


@drawn.register
def draw(chart: Points, space: Space) -> Figure:
    """One mark per point, a run in its own look, others by kind; names that find no room are listed on the right."""
    shown, kinds = chart.placed, chart.kinds
    width = space.scale_width(LEFT + RIGHT + 8)
    heads = _heads(chart)
    legend = legend_rows((name for (name, _), _ in heads), width=width)
    top = 16 + (LABEL * (1 + legend[-1][1]) if legend else 0)
    across, up = point_scales(chart)
    names = both([point.name for point in shown], space.longest())
    widths = [wide(name) if point.named else 0.0 for (name, _), point in zip(names, shown, strict=True)]
    named = {place for place, point in enumerate(shown) if point.named}
    height = NARROW_HEIGHT if space.narrow else HEIGHT
    spots = _spots(shown, top, width, height, across, up)
    inside = (LEFT + 2.0, top - 8.0, LEFT + width + RIGHT - 2.0, top + height + 8.0)
    boxes, listed = placed(spots, widths, inside, FURTHEST, named), dict[int, float]()
    if len(boxes) < len(named) and not space.narrow:  # only names right beside their points keep their places
        height = max(HEIGHT, LABEL * min(len(named), MOST_NAMES))
        spots = _spots(shown, top, width, height, across, up)
        inside = (LEFT + 2.0, top - 8.0, LEFT + width + 0.0, top + height + 8.0)
        boxes = placed(spots, widths, inside, NAME_DISTANCE, named)
        listed = _listed(spots, boxes, named, (top, width, height))
    names_right = max((FAN + 12 + widths[one] for one in listed), default=RIGHT)
    unnamed = len(named) - len(boxes) - len(listed)
    told = f"{unnamed} {'points are' if unnamed > 1 else 'point is'} not named" if unnamed else ""
    whole = LEFT + width + names_right + 8
    below = 38 + LABEL * len(wrapped(chart.axes[0], whole))
    canvas = Canvas(space, whole, top + height + below, chart.note, told)
    axes = canvas.axes(LEFT, top, LEFT + width, top + height)
    axes.set(xlim=across, ylim=up)
    _marked(canvas, axes, width)
    canvas.axis_name(LEFT + width / 2, top + height + 42, chart.axes[0])
    canvas.turned(18, top + height / 2, chart.axes[1])
    for (at, row), (name, look) in zip(legend, heads, strict=True):
        canvas.marks(look, [(LEFT + at, 12 + LABEL * row)], kind="legend")
        canvas.name(LEFT + at + 12, 12 + LABEL * row, name, kind="legend-name")
    alike: dict[Style, list[Spot]] = {}
    for point in shown:
        alike.setdefault(_look(chart, point, kinds), []).append((point.x, point.y))
    for look, places in reversed(alike.items()):  # the first lie on top
        canvas.marks(look, places, axes, size=0.6 if listed else 1.0)
    x = LEFT + width + FAN
    lines = [leader(spots[one], box) for one, box in boxes.items()]
    lines += [(*spots[one], x - 4.0, y) for one, y in listed.items()]
    led = [[(a, b), (c, d)] for a, b, c, d in filter(None, lines)]
    canvas.strokes(led, "leader", LIGHT["soft"], 0.5 if listed else 1)
    for one, box in boxes.items():
        _beside(canvas, names[one], spots[one][0], box)
    for one, y in listed.items():
        canvas.name(x, y, names[one], kind="listed")
    return canvas.figure


def _look(chart: Points, point: Point, kinds: list[str]) -> Style:
    """The look of a run, or of the kind of the point."""
    place = kinds.index(point.kind)
    return look_of(chart, point.name if run_of(point.name) in chart.runs else point.kind, place)


def _heads(chart: Points) -> list[tuple[WrittenName, Style]]:
    """The kinds in the legend if there are several, without those that have no point."""
    kinds = chart.kinds
    present = [place for place, kind in enumerate(kinds) if any(point.kind == kind for point in chart.placed)]
    return [(name, look_of(chart, kinds[place], place)) for place, name in enumerate(both(kinds)) if place in present][
        : len(kinds) if len(kinds) > 1 else 0
    ]


def _spots(points: list[Point], top: float, width: float, height: float, across: Spot, up: Spot) -> list[Spot]:
    """The positions of points on the canvas."""
    (first, last), (low, high) = across, up
    return [
        (LEFT + width * (point.x - first) / (last - first), top + height * (high - point.y) / (high - low))
        for point in points
    ]


def _listed(
    spots: list[Spot], boxes: dict[int, Box], named: set[int], plot: tuple[float, float, float]
) -> dict[int, float]:
    """The heights of the names in the list, including those in `boxes` that a line to the list would cross."""
    top, width, height = plot
    while True:
        listed = [one for one in sorted(named) if one not in boxes][:MOST_NAMES]
        room = height / max(len(listed), 1)
        step = min(room, LABEL)
        middle = sum(spots[one][1] for one in listed) / max(len(listed), 1)
        first = min(max(middle - step * len(listed) / 2, top), top + height - step * len(listed)) + step / 2
        x = LEFT + width + FAN - 4.0
        heights = matched([spots[one] for one in listed], x, [first + step * place for place in range(len(listed))])
        lines = [(*spots[one], x, y) for one, y in zip(listed, heights, strict=True)]
        crossed = [one for one, box in boxes.items() if any(crosses(line, box) for line in lines)]
        if not crossed or len(listed) == MOST_NAMES:
            return dict(zip(listed, heights, strict=True))
        for one in crossed:
            del boxes[one]


def _marked(canvas: Canvas, axes: Axes, width: float) -> None:
    across, up = roomy(*axes.get_xlim(), width, wide), ticks(*axes.get_ylim())
    axes.set_xticks([value for value, _ in across], [written for _, written in across])
    axes.set_yticks([value for value, _ in up], [written for _, written in up])
    axes.tick_params(pad=11 * canvas.scale)  # outside marks at the edge
    canvas.ruled(axes, "x")
    canvas.ruled(axes, "y")


def _beside(canvas: Canvas, name: WrittenName, x: float, box: Box) -> None:
    """A name in its box, aligned with the side of its point."""
    left, top, right, bottom = box
    if left >= x:
        canvas.name(left, (top + bottom) / 2, name)
    elif right <= x:
        canvas.name(right, (top + bottom) / 2, name, "right")
    else:
        canvas.name((left + right) / 2, (top + bottom) / 2, name, "center")


def placed(
    points: Sequence[Spot], widths: Sequence[float], inside: Box, furthest: float, named: Collection[int] | None = None
) -> dict[int, Box]:
    """A box for the name of each point that has one and finds room within this distance; by default all have one.

    A name is beside its point if possible, otherwise as near as there is room. If names may move, those in a crowd
    choose first, because they have the fewest options; if not, they come last, because most of them find no room.
    """
    marks = np.array([(x - HALF_MARK, y - HALF_MARK, x + HALF_MARK, y + HALF_MARK) for x, y in points]).reshape(-1, 4)
    crowds = [sum(hypot(a - x, b - y) <= CROWD_RADIUS for a, b in points) for x, y in points]
    boxes: dict[int, Box] = {}
    lines: list[Box] = []
    for one in sorted(
        range(len(points)) if named is None else named,
        key=lambda one: (crowds[one] * (-1 if furthest > NAME_DISTANCE else 1), one),
    ):
        tried = np.array(_candidates(points[one], widths[one], furthest))
        fits = (tried[:, :2] >= inside[:2]).all(axis=1) & (tried[:, 2:] <= inside[2:]).all(axis=1)
        for others in (marks, np.array([*boxes.values()]).reshape(-1, 4)):
            fits &= ~_touch(tried, others).any(axis=1)
        for left, top, right, bottom in tried[fits].tolist():
            box, line = (left, top, right, bottom), leader(points[one], (left, top, right, bottom))
            if any(crosses(other, box) for other in lines):
                continue
            if line and any(crosses(line, other) for other in boxes.values()):
                continue
            boxes[one] = box
            lines += [line] if line else []
            break
    return boxes


def leader(point: Spot, box: Box) -> Box | None:
    """The line from a point to its name, if the name is not right beside it."""
    x, y = point
    to = min(max(x, box[0]), box[2]), min(max(y, box[1] + 3), box[3] - 3)
    return (x, y, *to) if hypot(to[0] - x, to[1] - y) > NAME_DISTANCE + 2 else None


def crosses(line: Box, box: Box) -> bool:
    """Whether a line passes through a box."""
    x, y, dx, dy = line[0], line[1], line[2] - line[0], line[3] - line[1]
    start, end = 0.0, 1.0
    for step, near, far in ((dx, box[0] - x, box[2] - x), (dy, box[1] - y, box[3] - y)):
        if step == 0:
            if near >= 0 or far <= 0:
                return False
        else:
            start, end = max(start, min(near / step, far / step)), min(end, max(near / step, far / step))
    return start < end


def matched(points: Sequence[Spot], x: float, heights: Sequence[float]) -> list[float]:
    """The height in a list at x for the name of each point, such that no two lines to the list cross.

    Exchanging the ends of two crossing lines makes them shorter in total, so the exchanges come to an end.
    """
    order = sorted(range(len(points)), key=lambda one: (points[one][1], -points[one][0], one))
    at = dict(zip(order, sorted(heights), strict=True))
    changed = True
    while changed:
        changed = False
        for one, other in combinations(range(len(points)), 2):
            apart = _long(points[one], x, at[one]) + _long(points[other], x, at[other])
            if _long(points[one], x, at[other]) + _long(points[other], x, at[one]) < apart - 1e-6:
                at[one], at[other], changed = at[other], at[one], True
    return [at[one] for one in range(len(points))]


def _long(point: Spot, x: float, y: float) -> float:
    return hypot(x - point[0], y - point[1])


def _candidates(point: Spot, width: float, furthest: float) -> list[Box]:
    """Boxes to the right, left, above and below; at the corners; then in rings further and further away."""
    x, y = point
    half, up = width / 2, NAME_HEIGHT / 2
    middles = [
        (x + NAME_DISTANCE + half, y),
        (x - NAME_DISTANCE - half, y),
        (x, y - NAME_DISTANCE - up + 2),
        (x, y + NAME_DISTANCE + up - 2),
        *((x + across * (HALF_MARK + half), y + down * (HALF_MARK + up)) for down in (-1, 1) for across in (1, -1)),
    ]
    for ring in range(int((furthest - 2 * NAME_DISTANCE) // RING_STEP) + 1):
        away = 2 * NAME_DISTANCE + RING_STEP * ring
        turns = (2 * pi * way / DIRECTIONS for way in range(DIRECTIONS))
        # The distance is measured to the edge of the box, not to its centre.
        middles += [(x + cos(turn) * (away + half), y + sin(turn) * (away + up)) for turn in turns]
    return [(a - half, b - up, a + half, b + up) for a, b in middles]


def _touch(some: Floats, others: Floats) -> Bools:
    """Which of the boxes overlap which of the others."""
    a, b = some[:, None], others[None]
    apart = (a[..., :2] >= b[..., 2:]) | (b[..., :2] >= a[..., 2:])
    return ~(apart[..., 0] | apart[..., 1])
