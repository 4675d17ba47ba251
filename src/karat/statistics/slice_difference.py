"""Tests of whether slices of units differ: in a run's score, in a mean share, or in difficulty."""

from __future__ import annotations

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Bools, Floats, Ints

MOST_PERMUTATIONS, FEWEST_PERMUTATIONS, PERMUTED_SCORES = 999, 199, 50_000_000
"""Up to 999 permutations, fewer for very many units, but at least 199."""


def weaker_over_clusters(right: Floats, inside: Bools, cluster: Ints) -> Floats:
    """One-sided p (runs,) of a lower mean score (runs, units) inside a slice than outside, for clustered units.

    The difference divided by its standard error from the residuals of clusters (which may extend into both); Student's
    t with one degree of freedom less than there are clusters inside or outside, whichever is fewer. NaN with one
    cluster on either side.
    """
    from scipy.special import stdtr  # here: scipy takes long to load

    fewest = min(len(np.unique(cluster[side])) for side in (inside, ~inside))
    if fewest < 2:
        return np.full(len(right), np.nan)
    means = [right[:, side].mean(axis=1, keepdims=True) for side in (inside, ~inside)]
    departs = (right - np.where(inside, *means)) * np.where(inside, 1 / inside.sum(), -1 / (~inside).sum())
    size = int(cluster.max()) + 1
    sums = np.stack([np.bincount(cluster, row, minlength=size) for row in departs])
    error = np.sqrt((sums**2).sum(axis=1) * fewest / (fewest - 1))
    apart = (means[0] - means[1])[:, 0]
    # If nothing varies, either the difference is certain or there is none.
    t = np.where(error > 0, apart / np.where(error > 0, error, 1.0), np.where(apart < 0, -np.inf, np.inf))
    return np.asarray(stdtr(fewest - 1, t))


def share_difference(shares: Floats, times: Floats, member: Bools) -> float:
    """Welch's two-sided p for shares (patterns,) occurring `times` each, with a 1 and a 0 added to both groups.

    The two added units are those of Agresti and Caffo (2000) for proportions; otherwise a few identical units would
    appear to have no error. NaN if a group has no unit.
    """
    from scipy.special import stdtr  # here: scipy takes long to load

    means, errors, sizes = [], [], []
    for group in (member, ~member):
        size = times[group].sum() + 2
        if size == 2:
            return float("nan")
        mean = (times[group] @ shares[group] + 1) / size
        squares = times[group] @ (shares[group] - mean) ** 2 + mean**2 + (1 - mean) ** 2
        means.append(mean)
        errors.append(squares / (size * (size - 1)))
        sizes.append(size)
    freedom = sum(errors) ** 2 / sum(error**2 / (size - 1) for error, size in zip(errors, sizes, strict=True))
    return float(2 * stdtr(freedom, -abs(means[0] - means[1]) / sum(errors) ** 0.5))


def range_p(scores: Floats, members: Bools, random: np.random.Generator) -> float:
    """Permutation p of the largest difference between the means of groups (groups, units); NaN for one group."""
    if len(members) < 2:
        return float("nan")
    shares = members / members.sum(axis=1, keepdims=True)
    observed = np.ptp(shares @ scores)
    number = int(np.clip(PERMUTED_SCORES // max(len(scores), 1), FEWEST_PERMUTATIONS, MOST_PERMUTATIONS))
    beyond = sum(np.ptp(shares @ random.permutation(scores)) >= observed - EXACT_TOLERANCE for _ in range(number))
    return float((1 + beyond) / (1 + number))
