"""Points with their names beside them, or in a list beside the chart if there is no room."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from karat.data.charts import Point, Points
from karat.render.figures.canvas import LABEL, WIDTH, Canvas, Shown, both, legend_rows, wide
from karat.render.figures.palette import LIGHT
from karat.render.figures.placing import NAME_DISTANCE, Box, Spot, crosses, leader, matched, placed
from karat.render.figures.style import drawn
from karat.render.scale import point_scales, ticks

HEIGHT, LEFT, RIGHT = 360, 72, 28
FURTHEST = 70.0
"""The largest distance of a name from its point, if all names find room."""
FAN = 70
"""The room for the lines that lead to the list."""
MOST_NAMES = 60
"""The longest list of names."""


@drawn.register
def draw(chart: Points) -> Figure:
    """One mark per point, with shape and colour by kind; names that find no room are listed on the right."""
    shown, kinds = chart.placed, chart.kinds
    present = [place for place, kind in enumerate(kinds) if any(point.kind == kind for point in shown)]
    heads = [name for place, name in enumerate(both(kinds)) if place in present and len(kinds) > 1]
    legend = legend_rows(name for name, _ in heads)
    top = 16 + (LABEL * (1 + legend[-1][1]) if legend else 0)
    across, up = point_scales(chart)
    spots = _spots(shown, top, HEIGHT, across, up)
    inside = (LEFT + 2.0, top - 8.0, LEFT + WIDTH + RIGHT - 2.0, top + HEIGHT + 8.0)
    names = both([point.name for point in shown])
    widths = [wide(name) for name, _ in names]
    boxes, listed, height = placed(spots, widths, inside, FURTHEST), {}, HEIGHT
    if len(boxes) < len(shown):  # only names right beside their points keep their places
        height = max(HEIGHT, LABEL * min(len(shown), MOST_NAMES))
        spots = _spots(shown, top, height, across, up)
        inside = (LEFT + 2.0, top - 8.0, LEFT + WIDTH + 0.0, top + height + 8.0)
        boxes = placed(spots, widths, inside, NAME_DISTANCE)
        listed = _listed(spots, boxes, top, height)
    names_right = max((FAN + 12 + widths[one] for one in listed), default=RIGHT)
    unnamed = len(shown) - len(boxes) - len(listed)
    told = f"{unnamed} points are not named" if unnamed else ""
    canvas = Canvas(LEFT + WIDTH + names_right + 8, top + height + 56, chart.note, told)
    axes = canvas.axes(LEFT, top, LEFT + WIDTH, top + height)
    axes.set(xlim=across, ylim=up)
    _marked(canvas, axes)
    canvas.text(LEFT + WIDTH / 2, top + height + 42, chart.axes[0], "center", "axis")
    canvas.turned(18, top + height / 2, chart.axes[1])
    for (at, row), name, place in zip(legend, heads, present, strict=False):
        canvas.marks(place, [(LEFT + at, 12 + LABEL * row)], kind="legend")
        canvas.name(LEFT + at + 12, 12 + LABEL * row, name, kind="legend-name")
    for place in present:
        places = [(point.x, point.y) for point in shown if point.kind == kinds[place]]
        canvas.marks(place, places, axes, size=0.6 if listed else 1.0)
    x = LEFT + WIDTH + FAN
    lines = [leader(spots[one], box) for one, box in boxes.items()]
    lines += [(*spots[one], x - 4.0, y) for one, y in listed.items()]
    led = [[(a, b), (c, d)] for a, b, c, d in filter(None, lines)]
    canvas.strokes(led, "leader", LIGHT["soft"], 0.5 if listed else 1)
    for one, box in boxes.items():
        _beside(canvas, names[one], spots[one][0], box)
    for one, y in listed.items():
        canvas.name(x, y, names[one], kind="listed")
    return canvas.figure


def _spots(points: list[Point], top: float, height: float, across: Spot, up: Spot) -> list[Spot]:
    """The positions of points on the canvas."""
    (first, last), (low, high) = across, up
    return [
        (LEFT + WIDTH * (point.x - first) / (last - first), top + height * (high - point.y) / (high - low))
        for point in points
    ]


def _listed(spots: list[Spot], boxes: dict[int, Box], top: float, height: float) -> dict[int, float]:
    """The heights of the names in the list, including those in `boxes` that a line to the list would cross."""
    while True:
        listed = [one for one in range(len(spots)) if one not in boxes][:MOST_NAMES]
        room = height / max(len(listed), 1)
        step = min(room, LABEL)
        middle = sum(spots[one][1] for one in listed) / max(len(listed), 1)
        first = min(max(middle - step * len(listed) / 2, top), top + height - step * len(listed)) + step / 2
        x = LEFT + WIDTH + FAN - 4.0
        heights = matched([spots[one] for one in listed], x, [first + step * place for place in range(len(listed))])
        lines = [(*spots[one], x, y) for one, y in zip(listed, heights, strict=True)]
        crossed = [one for one, box in boxes.items() if any(crosses(line, box) for line in lines)]
        if not crossed or len(listed) == MOST_NAMES:
            return dict(zip(listed, heights, strict=True))
        for one in crossed:
            del boxes[one]


def _marked(canvas: Canvas, axes: Axes) -> None:
    for ends, set_ticks in ((axes.get_xlim(), axes.set_xticks), (axes.get_ylim(), axes.set_yticks)):
        marked = ticks(*ends)
        set_ticks([value for value, _ in marked], [written for _, written in marked])
    axes.tick_params(pad=11)  # outside marks at the edge
    canvas.ruled(axes, "x")
    canvas.ruled(axes, "y")


def _beside(canvas: Canvas, name: Shown, x: float, box: Box) -> None:
    """A name in its box, aligned with the side of its point."""
    left, top, right, bottom = box
    if left >= x:
        canvas.name(left, (top + bottom) / 2, name)
    elif right <= x:
        canvas.name(right, (top + bottom) / 2, name, "right")
    else:
        canvas.name((left + right) / 2, (top + bottom) / 2, name, "center")
