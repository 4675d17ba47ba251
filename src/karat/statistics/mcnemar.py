"""Exact tests of wins against losses: McNemar's for right and wrong, the sign test for any score."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats, Ints
from karat.kernels.arithmetic import above_zero


def mcnemar(won: Ints, lost: Ints, mid: bool = False) -> Floats:
    """Two-sided p of so many wins against so many losses, were both as likely; ties say nothing.

    On right/wrong scores this is the sign-flip permutation test, exactly. `mid` counts half of the probability of what
    was observed: closer to the level asked for, at the price of exceeding it now and then.
    """
    from scipy.special import bdtr, gammaln  # here: scipy takes long to load

    fewer, total = np.minimum(won, lost).astype(np.int64), won.astype(np.int64) + lost
    # Of half a million pairs many have the same counts: each is worked out once.
    width = int(total.max(initial=0)) + 1
    different, place = np.unique(fewer * width + total, return_inverse=True)
    k, n = different // width, different % width
    p = np.minimum(2 * bdtr(k.astype(np.float64), n, 0.5), 1.0)
    if mid:
        here = np.exp(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) - n * np.log(2))
        # Where wins equal losses what was observed is counted once, not on both sides.
        p = np.where(2 * k == n, 1.0, p) - np.where(2 * k == n, 0.5, 1.0) * here
    return above_zero(p)[place].reshape(np.shape(won))
