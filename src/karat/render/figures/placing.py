"""Positions of names beside their points, so that they cover no other name, mark or leader line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import cos, hypot, pi, sin

import numpy as np

from karat.arrays import Bools, Floats

Spot = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom; for a line, its start and its end."""

HALF_MARK = 7.0
"""Half the side of the square that a mark keeps free."""
HEIGHT = 15.0
NAME_DISTANCE = 11.0
"""The distance of a name from the centre of the point it is beside."""
RING_STEP, DIRECTIONS = 9.0, 24
"""How much further away a name looks for room each time, and in how many directions."""
CROWD_RADIUS = 60.0
"""Points within this distance of each other are a crowd."""


def placed(points: Sequence[Spot], widths: Sequence[float], inside: Box, furthest: float) -> dict[int, Box]:
    """A box for the name of each point that finds room within this distance.

    A name is beside its point if possible, otherwise as near as there is room. If names may move, those in a crowd
    choose first, because they have the fewest options; if not, they come last, because most of them find no room.
    """
    marks = np.array([(x - HALF_MARK, y - HALF_MARK, x + HALF_MARK, y + HALF_MARK) for x, y in points]).reshape(-1, 4)
    crowds = [sum(hypot(a - x, b - y) <= CROWD_RADIUS for a, b in points) for x, y in points]
    boxes: dict[int, Box] = {}
    lines: list[Box] = []
    for one in sorted(range(len(points)), key=lambda one: (crowds[one] * (-1 if furthest > NAME_DISTANCE else 1), one)):
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
    half, up = width / 2, HEIGHT / 2
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
