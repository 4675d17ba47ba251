"""Equivalence: two one-sided tests that a difference lies within a margin either way (Schuirmann 1987)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.kernels.arithmetic import divide
from karat.statistics.paired import Paired, adjusted

Floats = NDArray[np.float64]


def equivalence(paired: Paired, margin: float) -> Floats:
    """p of both tests together, the larger of the two; NaN where the difference has no error to judge by.

    Right/wrong scores of single units are judged by the adjusted difference, which always has one.
    """
    from scipy.special import ndtr, stdtr  # here: scipy takes long to load

    if paired.right is not None:
        difference, error = adjusted(paired)
        return ndtr((np.abs(difference) - margin) / error)
    t = divide(np.abs(paired.differences) - margin, paired.errors)
    return stdtr(max(paired.clusters - 1, 1), t)
