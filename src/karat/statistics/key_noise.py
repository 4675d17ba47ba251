"""The effect of errors in the key on a comparison of two runs.

The joint distribution of (key, answer a, answer b) of two pilot runs says how often each alone is right. If the key
confuses label k with k' with probability C[k, k'], only units with different answers distinguish the runs; on these a
alone is right if k' = a, and b alone if k' = b:

    discordance' = Σ over k, a ≠ b of P(k, a, b) · (C[k, a] + C[k, b])
    difference'  = Σ over k, a ≠ b of P(k, a, b) · (C[k, a] − C[k, b])

With two labels and a symmetric error e, the discordance is unchanged and the difference shrinks by 1 − 2e. With K
labels it shrinks by 1 − e·K/(K−1); the discordance loses the units where a third label makes both wrong, and gains
units where both were wrong in different ways.
"""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Floats, Integers, Ints

UNITS_AT_ONCE = 1024
"""Units of all simulated test sets that are drawn together: more would not be faster, and take more memory."""


def joint_of(key: Integers, one: Integers, other: Integers, labels: int) -> Floats:
    """Shares (key, answer of one, answer of other) over the units that have a key."""
    scored = key >= 0
    place = (key[scored].astype(np.int64) * labels + one[scored]) * labels + other[scored]
    counts = np.bincount(place, minlength=labels**3).reshape((labels,) * 3)
    return counts / max(counts.sum(), 1)


def symmetric(error: float, labels: int) -> Floats:
    """A confusion matrix in which every label has the same error, spread evenly over the others."""
    return np.where(np.eye(labels, dtype=bool), 1 - error, error / (labels - 1))


def confusion_of(key: Integers, counts: Ints) -> Floats:
    """How often assessors give each label when the key has a given one, from ballots (units, labels).

    A label of the key that nobody voted on is not confused.
    """
    said = np.stack([counts[key == label].sum(axis=0) for label in range(counts.shape[1])]).astype(np.float64)
    total = said.sum(axis=1, keepdims=True)
    return np.where(total > 0, said / np.where(total > 0, total, 1), np.eye(counts.shape[1]))


def _alone(labels: int) -> tuple[Bools, Bools]:
    """The cells of the joint distribution where only the first run is right, and where only the second is."""
    key, one, other = np.indices((labels,) * 3)
    return (one == key) & (other != key), (other == key) & (one != key)


def discordance_of(joint: Floats) -> tuple[float, float]:
    """The share of units that exactly one run gets right, and the difference of accuracies."""
    first, second = (float(joint[cells].sum()) for cells in _alone(len(joint)))
    return first + second, first - second


def tilted(joint: Floats, difference: float, discordance: float | None = None) -> Floats:
    """The joint distribution with another difference of accuracies and, if given, another discordance.

    The discordance is at least the difference. Only how often each run alone is right changes; the distribution of the
    other's wrong answers is kept.
    """
    first, second = _alone(len(joint))
    psi = max(discordance_of(joint)[0] if discordance is None else discordance, abs(difference))
    made = joint.copy()
    for cells, wanted in ((first, (psi + difference) / 2), (second, (psi - difference) / 2)):
        now = joint[cells].sum()
        # If a run is never right alone, nothing is known about the other's wrong answers: take them as equally likely.
        made[cells] = joint[cells] * (wanted / now) if now > 0 else wanted / cells.sum()
    rest = ~(first | second)
    made[rest] = joint[rest] * ((1 - psi) / joint[rest].sum()) if joint[rest].sum() > 0 else (1 - psi) / rest.sum()
    return made


def with_noise(joint: Floats, confusion: Floats) -> tuple[float, float]:
    """The discordance and the difference under a key with errors."""
    labels = len(joint)
    _, one, other = np.indices(joint.shape)
    differ = (one != other) * joint
    key = np.arange(labels)[:, None, None]
    first, second = (float((differ * confusion[key, answer]).sum()) for answer in (one, other))
    return first + second, first - second


def simulated_wins(
    joint: Floats, confusion: Floats, units: int, replicates: int, random: np.random.Generator
) -> tuple[Ints, Ints]:
    """How many units only one run gets right, for each run, in simulated test sets with a noisy key.

    Numbers are drawn by the quantiles of binomial distributions, since numpy's own binomial numbers depend on its
    version.
    """
    from scipy.stats import binom  # here: scipy takes long to load

    discordance, difference = with_noise(joint, confusion)
    first, second = (min(max((discordance + sign * difference) / 2, 0.0), 1.0) for sign in (1, -1))
    won, lost = random.random((2, replicates))
    won = binom.ppf(won, units, first).astype(np.int64)
    rest = min(second / (1 - first), 1.0) if first < 1 else 0.0
    return won, binom.ppf(lost, units - won, rest).astype(np.int64)


def simulated_means(
    differences: Floats, shift: float, units: int, replicates: int, random: np.random.Generator
) -> tuple[Floats, Floats]:
    """Means and variances of resamples of the observed differences, shifted to have the mean `shift`."""
    moved = differences - differences.mean() + shift
    means, squares = np.zeros(replicates), np.zeros(replicates)
    for done in range(0, units, UNITS_AT_ONCE):
        drawn = moved[random.integers(len(moved), size=(replicates, min(UNITS_AT_ONCE, units - done)))]
        means += drawn.sum(axis=1) / units
        squares += np.einsum("ij,ij->i", drawn, drawn) / units
    return means, np.maximum(squares - means**2, 0.0) * units / max(units - 1, 1)
