"""The weights of three components that leave a ranking by their weighted mean unchanged.

Weights are points of a triangle. Two runs are in one order on one side of a line through it, so the weights that keep
the order of all runs form a convex polygon: the triangle cut by one line per pair of runs.
"""

from __future__ import annotations

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Floats

TRIANGLE = np.eye(3)


def weight_region(parts: Floats, weights: Floats) -> Floats:
    """The corners (n, 3) of the weights that rank runs (runs, 3 parts) as `weights` do; ties may go either way."""
    region = TRIANGLE
    for a in range(len(parts)):
        for b in range(a + 1, len(parts)):
            apart = parts[a] - parts[b]
            ahead = float(apart @ weights)
            if abs(ahead) > EXACT_TOLERANCE:
                region = _cut(region, np.sign(ahead) * apart)
    return region


def _cut(corners: Floats, normal: Floats) -> Floats:
    """The part of a convex polygon where normal · w ≥ 0."""
    side = corners @ normal
    kept: list[Floats] = []
    for place in range(len(corners)):
        here, there = side[place], side[(place + 1) % len(corners)]
        if here >= 0:
            kept.append(corners[place])
        if here * there < 0:
            share = here / (here - there)
            kept.append(corners[place] + share * (corners[(place + 1) % len(corners)] - corners[place]))
    return np.array(kept).reshape(-1, 3)


def share_of_all(corners: Floats) -> float:
    """The area of a polygon of weights as a share of the triangle."""
    x, y = corners[:, 0], corners[:, 1]
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)))


def grid_of_weights(step: int = 10) -> Floats:
    """All weights that are multiples of 1 / `step`."""
    made = [(i, j, step - i - j) for i in range(step + 1) for j in range(step + 1 - i)]
    return np.array(made, dtype=np.float64) / step
