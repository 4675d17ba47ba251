"""Tests of wins against losses: McNemar's exact test (the sign test), and Tango's score test of a margin."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats, Ints, above_zero
from karat.kernels.counting import divide


def mcnemar(won: Ints, lost: Ints, mid: bool = False) -> Floats:
    """Two-sided p of wins against losses under equal chances; ties are ignored.

    On right/wrong scores this is exactly the sign-flip permutation test. `mid` counts half of the probability of the
    observed outcome: its size is closer to the nominal level, but sometimes exceeds it.
    """
    from scipy.special import bdtr, gammaln  # here: scipy takes long to load

    fewer, total = np.minimum(won, lost).astype(np.int64), won.astype(np.int64) + lost
    # Among half a million pairs, many have the same counts, so each combination is computed once.
    width = int(total.max(initial=0)) + 1
    different, place = np.unique(fewer * width + total, return_inverse=True)
    k, n = different // width, different % width
    p = np.minimum(2 * bdtr(k.astype(np.float64), n, 0.5), 1.0)
    if mid:
        here = np.exp(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) - n * np.log(2))
        # If wins equal losses, the observed outcome is counted once, not on both sides.
        p = np.where(2 * k == n, 1.0, p) - np.where(2 * k == n, 0.5, 1.0) * here
    return above_zero(p)[place].reshape(np.shape(won))


def score_p(behind: Floats, ahead: Floats, units: Floats, margin: float) -> Floats:
    """Tango's one-sided p if losses exceed wins by at least the margin, as shares of the units (Tango 1998).

    The standard error is that of the most likely shares under the null hypothesis. p is 1 if the margin is 0 and there
    are neither wins nor losses.
    """
    from scipy.special import ndtr  # here: scipy takes long to load

    middle = (2 * units - behind + ahead) * margin - behind - ahead
    ends = ahead * margin * (1 - margin)
    least = (np.sqrt(middle**2 + 8 * units * ends) - middle) / (4 * units)
    error = np.sqrt(units * (2 * least + margin * (1 - margin)))
    z = divide(behind - ahead - units * margin, error)
    return np.where((error == 0) & ~np.isnan(units), 1.0, ndtr(z))
