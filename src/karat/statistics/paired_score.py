"""Tango's score test of a paired difference of shares (Tango 1998)."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats
from karat.kernels.arithmetic import divide


def score_p(behind: Floats, ahead: Floats, units: Floats, margin: float) -> Floats:
    """One-sided p that the share of units one is behind on exceeds the share it is ahead on by the margin or more.

    The error is that of the likeliest shares among those that differ by just the margin. Where the margin is 0 and
    nothing was seen either way, p is 1.
    """
    from scipy.special import ndtr  # here: scipy takes long to load

    middle = (2 * units - behind + ahead) * margin - behind - ahead
    ends = ahead * margin * (1 - margin)
    least = (np.sqrt(middle**2 + 8 * units * ends) - middle) / (4 * units)
    error = np.sqrt(units * (2 * least + margin * (1 - margin)))
    z = divide(behind - ahead - units * margin, error)
    return np.where((error == 0) & ~np.isnan(units), 1.0, ndtr(z))
