"""The weights of three parts under which a ranking by their weighted mean stays what it is.

Weights are points of a triangle. Of two runs one is ahead on one side of a line through it, so all weights that keep
every two runs in order are a convex polygon: the triangle cut by a line for every two runs.
"""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats

TRIANGLE = np.eye(3)


def weight_region(parts: Floats, weights: Floats) -> Floats:
    """The corners (n, 3) of the weights that rank runs (runs, 3 parts) as `weights` do; ties there bind nobody."""
    region = TRIANGLE
    for a in range(len(parts)):
        for b in range(a + 1, len(parts)):
            apart = parts[a] - parts[b]
            ahead = float(apart @ weights)
            if abs(ahead) > 1e-12:
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
    """The area of a polygon of weights as a share of all weights."""
    x, y = corners[:, 0], corners[:, 1]
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)))


def grid_of_weights(step: int = 10) -> Floats:
    """All weights that are whole tenths (or so)."""
    made = [(i, j, step - i - j) for i in range(step + 1) for j in range(step + 1 - i)]
    return np.array(made, dtype=np.float64) / step
