"""How a system's answers to whole pairs relate to its answers to their parts (Cabrio and Magnini 2010).

The correlation index is a ratio of accuracies, not a correlation; the correlation itself is reported with it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat.arrays import Floats
from karat.kernels.counting import divide

IDEAL = (0.9, 1.1)
"""An interval inside this range counts as 1."""


def correlation_index(originals: Floats, parts: Floats) -> Floats:
    """Accuracy on originals divided by accuracy on monothematic pairs; NaN if none of the parts is right."""
    return divide(originals, parts)


def deviation_index(positive: Floats, negative: Floats) -> Floats:
    """The difference between the correlation indices of positive and negative pairs; 0 is ideal."""
    return np.abs(positive - negative)


def pair_index(right: Floats, parts_right: Floats, parts: Floats) -> Floats:
    """The index of one original: m/k if right, 0 if wrong and k > 0; NaN if none of its m parts is right."""
    return divide(right * parts, parts_right)


def weighted_correlation(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Pearson's correlation of x and y (units,) under weights (…, units); NaN if either does not vary."""
    total = weights.sum(axis=-1, keepdims=True)
    shares = divide(weights, np.broadcast_to(total, weights.shape))
    apart = [side - (shares @ side)[..., None] for side in (x, y)]
    joint, first, second = (
        (shares * a * b).sum(axis=-1) for a, b in ((apart[0], apart[1]), (apart[0],) * 2, (apart[1],) * 2)
    )
    spread = first * second
    return divide(joint, np.sqrt(np.where(spread > 1e-20, spread, 0.0)))


@dataclass(frozen=True, eq=False)
class Ratio:
    """The ratio of accuracy on originals to accuracy on parts with the same mix of labels, ready to test any value.

    The variance of wholes − r · parts, with originals as the sampled units, is a quadratic in r; `spread` holds its
    three coefficients (3, groups). Student's t has one degree of freedom less than there are originals, or parts of a
    label.
    """

    wholes: Floats
    parts: Floats
    spread: Floats
    freedom: Floats
    counts: Floats
    """The numbers of originals and of parts (2, groups)."""

    @classmethod
    def of(cls, above: Floats, of: Floats, below: Floats, out_of: Floats) -> Ratio:
        """From right originals (homes, groups), and originals, right parts and parts by label (homes, labels, groups).

        If all labels are taken together there is no mix to adjust for.
        """
        n, (parts_right, parts) = of.sum(axis=0), (one.sum(axis=0) for one in (below, out_of))
        size, right = n.sum(axis=0), above.sum(axis=0)
        mix = divide(n, np.broadcast_to(size, n.shape))
        # A label that no original has has weight 0, even if its accuracy is undefined.
        accuracy = np.where(mix == 0, 0.0, divide(parts_right, parts))
        wholes, whole_parts = divide(right, size), (mix * accuracy).sum(axis=0)
        by_home = divide(below - accuracy * out_of, np.broadcast_to(parts, below.shape))
        first = (above - wholes * of.sum(axis=1)) / np.maximum(size, 1)
        second = ((of * accuracy).sum(axis=1) - whole_parts * of.sum(axis=1)) / np.maximum(size, 1)
        second = second + np.where(mix == 0, 0.0, mix * by_home).sum(axis=1)
        least = np.where(mix == 0, 0.0, mix**2 * _least(parts_right, parts)).sum(axis=0)
        more = size / np.maximum(size - 1, 1)
        spread = [
            more * (first**2).sum(axis=0) + _least(right, size),
            more * (first * second).sum(axis=0),
            more * (second**2).sum(axis=0) + least,
        ]
        fewest = np.minimum(size, np.where(mix == 0, np.inf, parts).min(axis=0))
        counts = np.stack([size, np.where(mix == 0, 0.0, parts).sum(axis=0)])
        return cls(wholes, whole_parts, np.stack(spread), np.maximum(fewest - 1, 1), counts)

    def p(self) -> Floats:
        """Two-sided p of a ratio of 1."""
        from scipy.special import stdtr  # here: scipy takes long to load

        error = np.sqrt(self.spread[0] - 2 * self.spread[1] + self.spread[2])
        return np.asarray(2 * stdtr(self.freedom, -np.abs(divide(self.wholes - self.parts, error))))

    def interval(self, level: float) -> tuple[Floats, Floats]:
        """The ratios that t does not reject (Fieller), extended by those that wholes or parts alone leave possible.

        The latter are exact (Clopper and Pearson): if all answers of one kind are right, t underestimates the variance.
        NaN if the parts are too near 0 for an upper limit.
        """
        from scipy.special import stdtrit

        square = stdtrit(self.freedom, (1 + level) / 2) ** 2
        a, b, c = (
            one - square * spread
            for one, spread in zip((self.wholes**2, self.wholes * self.parts, self.parts**2), self.spread, strict=True)
        )
        root = np.sqrt(np.maximum(b**2 - a * c, 0))
        low, high = ((b + sign * root) / np.where(c > 0, c, np.nan) for sign in (-1, 1))
        wholes = _exact(self.wholes, self.counts[0], level)
        parts = _exact(self.parts, self.counts[1], level)
        lows = [low, divide(wholes[0], self.parts), divide(self.wholes, parts[1])]
        highs = [high, divide(wholes[1], self.parts), divide(self.wholes, parts[0])]
        return np.maximum(np.minimum.reduce(lows), 0.0), np.maximum.reduce(highs)


def _exact(share: Floats, n: Floats, level: float) -> tuple[Floats, Floats]:
    """Clopper and Pearson's interval for a share of n."""
    from scipy.special import betaincinv

    right, tail = share * n, (1 - level) / 2
    low = np.where(right > 0, betaincinv(np.maximum(right, 1e-9), n - right + 1, tail), 0.0)
    return low, np.where(right < n, betaincinv(right + 1, np.maximum(n - right, 1e-9), 1 - tail), 1.0)


def _least(right: Floats, n: Floats) -> Floats:
    """By how much the variance of a share falls short of that with one more right and one more wrong, never 0."""
    share, likely = divide(right, n), (right + 1) / (n + 2)
    return np.maximum(likely * (1 - likely) / (n + 2) - share * (1 - share) / np.maximum(n - 1, 1), 0)


def reading(index: float, interval: tuple[float, float] | None, p_corrected: float, alpha: float, ideal: bool) -> str:
    """The reading of an index: missing or over if it differs significantly from 1, ideal, or not significant.

    `ideal` says that an interval long enough for the number of claims lies near 1.
    """
    if index != index:
        return "undefined"
    if p_corrected <= alpha:
        return "missing" if index < 1 else "over"
    if interval is None:
        return "too few to tell"
    if p_corrected != p_corrected:
        return "not tested"
    return "ideal" if ideal else "not significant"
