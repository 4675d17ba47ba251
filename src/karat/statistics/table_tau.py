"""Kendall's tau-b of two ordered scales from their table: as good as from the units, and no slower for millions."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats
from karat.kernels.arithmetic import divide


def table_tau_b(counts: Floats) -> float:
    """tau-b of counts (values, values), both from low to high; NaN where one scale has a single value in use."""
    total, rows, columns = counts.sum(), counts.sum(axis=1), counts.sum(axis=0)
    # How many units lie above and to the right of each cell, and how many above and to the left.
    above = np.flip(np.cumsum(np.flip(counts, 0), axis=0), 0) - counts
    right = np.flip(np.cumsum(np.flip(above, 1), axis=1), 1) - above
    left = np.cumsum(above, axis=1) - above
    net = (counts * (right - left)).sum()
    untied = (total**2 - (rows**2).sum()) * (total**2 - (columns**2).sum()) / 4
    return float(divide(net, np.sqrt(untied)))
