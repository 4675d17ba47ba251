"""A least-squares kernel machine with a Gaussian kernel, whose width and penalty exact leave-one-out errors choose."""

from __future__ import annotations

import msgspec
import numpy as np

from karat.arrays import Bools, Floats
from karat.engines.learning.logistic import DIGITS, Scaling, fit_scaling

WIDTHS = (0.1, 0.3, 1.0)
"""Likeness is e to the minus of this times the squared distance a feature."""
PENALTIES = (0.3, 1.0, 3.0, 10.0, 30.0)


class KernelMachine(msgspec.Struct, frozen=True):
    """A margin that is a weighted sum of likenesses to the training rows; its sign decides."""

    scaling: Scaling
    rows: tuple[tuple[float, ...], ...]
    weights: tuple[float, ...]
    intercept: float
    width: float
    penalty: float

    def margin(self, features: Floats) -> Floats:
        """How far each row (rows, features) is on the side of yes; near 1 and −1 for rows well inside."""
        likeness = _likeness(self.scaling.apply(features), np.array(self.rows), self.width)
        return likeness @ np.array(self.weights) + self.intercept


def fit(
    features: Floats, yes: Bools, widths: tuple[float, ...] = WIDTHS, penalties: tuple[float, ...] = PENALTIES
) -> tuple[KernelMachine, Floats]:
    """The machine of the width and penalty with the least squared leave-one-out error, and its leave-one-out margins.

    No row has to be left out in fact: what a row's margin would be without it follows from the inverse of the whole
    (Cawley and Talbot 2004). These margins are what a calibration or a threshold is fitted to.
    """
    if len(yes) < 2:
        raise ValueError(f"a kernel machine needs two rows to leave one out, and has {len(yes)}")
    scaling = fit_scaling(features)
    rows, targets = scaling.apply(features), np.where(yes, 1.0, -1.0)
    kept = tuple(tuple(row) for row in rows.tolist())
    tried: list[tuple[float, float, float, Floats, float, Floats]] = []
    for width in widths:
        share = width / max(1, rows.shape[1])
        # One decomposition serves every penalty.
        values, vectors = np.linalg.eigh(_likeness(rows, rows, share))
        for penalty in penalties:
            weights, intercept, left_out = _solve(values, vectors, targets, penalty)
            error = float(((targets - left_out) ** 2).sum())
            tried.append((error, share, penalty, weights, intercept, left_out))
    _, share, penalty, weights, intercept, left_out = min(tried, key=lambda one: one[0])
    rounded = tuple(weights.round(DIGITS).tolist())
    return KernelMachine(scaling, kept, rounded, round(intercept, DIGITS), share, penalty), left_out


def _solve(values: Floats, vectors: Floats, targets: Floats, penalty: float) -> tuple[Floats, float, Floats]:
    """Weights, intercept and leave-one-out margins, from the likenesses' eigenvalues and eigenvectors."""
    inverse = 1 / (np.maximum(values, 0.0) + penalty)
    ones = vectors @ (inverse * vectors.sum(axis=0))
    intercept = float(ones @ targets / ones.sum())
    weights = vectors @ (inverse * (targets @ vectors)) - intercept * ones
    return weights, intercept, targets - weights / (vectors**2 @ inverse - ones**2 / ones.sum())


def _likeness(some: Floats, others: Floats, width: float) -> Floats:
    squares = (some**2).sum(axis=1)[:, None] + (others**2).sum(axis=1) - 2 * some @ others.T
    return np.exp(-width * np.maximum(squares, 0.0))
