"""How a system's answers to whole pairs go with its answers to their parts (Cabrio and Magnini 2010).

The correlation index is a ratio of accuracies, and no correlation; the correlation itself stands beside it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.kernels.arithmetic import divide
from karat.statistics.wilson import quantile

Floats = NDArray[np.float64]
IDEAL = (0.9, 1.1)
"""An interval inside of this is called 1."""


def correlation_index(originals: Floats, parts: Floats) -> Floats:
    """Accuracy on originals over that on monothematic pairs; NaN where none of the parts is right."""
    return divide(originals, parts)


def deviation_index(positive: Floats, negative: Floats) -> Floats:
    """How far the correlation indices of positive and negative pairs are apart; 0 is ideal."""
    return np.abs(positive - negative)


def pair_index(right: Floats, parts_right: Floats, parts: Floats) -> Floats:
    """The index of one original: m/k if right, 0 if wrong and k > 0; NaN where none of its m parts is right."""
    return divide(right * parts, parts_right)


def weighted_correlation(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Pearson's correlation of x and y (units,) under weights (…, units); NaN where either does not vary."""
    total = weights.sum(axis=-1, keepdims=True)
    shares = divide(weights, np.broadcast_to(total, weights.shape))
    apart = [side - (shares @ side)[..., None] for side in (x, y)]
    joint, first, second = (
        (shares * a * b).sum(axis=-1) for a, b in ((apart[0], apart[1]), (apart[0],) * 2, (apart[1],) * 2)
    )
    spread = first * second
    return divide(joint, np.sqrt(np.where(spread > 1e-20, spread, 0.0)))


def index_test(above: Floats, of: Floats, below: Floats, out_of: Floats) -> Floats:
    """Two-sided p (groups,) that wholes are as accurate as parts at the same mix of labels.

    From right answers and counts (homes, sides, groups) of originals and of parts: the difference of the two accuracies
    over its standard error, homes varying as wholes; t on one degree of freedom less than there are originals, or parts
    of a label.
    """
    from scipy.special import stdtr  # here: scipy takes long to load

    (right, n), (parts_right, parts) = (
        (one.sum(axis=0), two.sum(axis=0)) for one, two in ((above, of), (below, out_of))
    )
    wholes, accuracy = divide(right[0], n[0]), divide(parts_right, parts)[1:]
    mix = divide(n[1:], np.broadcast_to(n[0], n[1:].shape))
    # A side that no original is on counts nothing, though it be undefined.
    accuracy = np.where(mix == 0, 0.0, accuracy)
    apart = wholes - (mix * accuracy).sum(axis=0)
    by_home = divide(below - divide(parts_right, parts) * out_of, np.broadcast_to(parts, below.shape))[:, 1:]
    rests = (above[:, 0] - (of[:, 1:] * accuracy).sum(axis=1) - apart * of[:, 0]) / np.maximum(n[0], 1)
    rests = rests - np.where(mix == 0, 0.0, mix * by_home).sum(axis=1)
    least = _least(right[0], n[0]) + np.where(mix == 0, 0.0, mix**2 * _least(parts_right, parts)[1:]).sum(axis=0)
    variance = (rests**2).sum(axis=0) * n[0] / np.maximum(n[0] - 1, 1) + least
    fewest = np.minimum(n[0], np.where(mix == 0, np.inf, parts[1:]).min(axis=0))
    return np.asarray(2 * stdtr(np.maximum(fewest - 1, 1), -np.abs(divide(apart, np.sqrt(variance)))))


def _least(right: Floats, n: Floats) -> Floats:
    """What the variance of a share lacks of that with one more right and one more wrong, which is never 0."""
    share, likely = divide(right, n), (right + 1) / (n + 2)
    return np.maximum(likely * (1 - likely) / (n + 2) - share * (1 - share) / np.maximum(n - 1, 1), 0)


def reading(
    index: float, interval: tuple[float, float] | None, p_corrected: float, alpha: float, tests: int = 1
) -> str:
    """What an index means, in a word: missing or over where it is significantly not 1, ideal, or not significant.

    Ideal is a claim too, one of `tests`: the interval must lie near 1 when it is as long as that many ask for.
    """
    if index != index:
        return "undefined"
    if p_corrected <= alpha:
        return "missing" if index < 1 else "over"
    if interval is None:
        return "too few to tell"
    if p_corrected != p_corrected:
        return "not tested"
    longer = quantile(1 - alpha / max(tests, 1)) / quantile(1 - alpha)
    low, high = (index * (end / index) ** longer if index else end for end in interval)
    return "ideal" if IDEAL[0] <= low and high <= IDEAL[1] else "not significant"
