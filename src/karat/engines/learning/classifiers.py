"""Logistic regression over features on one scale, by Newton's method, its penalty chosen by cross-validation."""

from __future__ import annotations

import msgspec
import numpy as np

from karat.arrays import Bools, Floats, Ints

STEPS = 100
HALVINGS = 40
ENOUGH = 1e-14
"""A step that could gain less than this a row is the last."""


def sigmoid(margins: Floats) -> Floats:
    """1 / (1 + e⁻ᵐ), with no overflow at either end."""
    small = np.exp(-np.abs(margins))
    return np.where(margins >= 0, 1.0, small) / (1 + small)


def log_loss(margins: Floats, targets: Floats) -> Floats:
    """−log of the probability that each margin gives its target (0 to 1), in nats."""
    return np.maximum(margins, 0.0) + np.log1p(np.exp(-np.abs(margins))) - targets * margins


def minimise(design: Floats, targets: Floats, penalties: Floats, start: Floats) -> Floats:
    """The coefficients with the least Σ log loss + ½ Σ penalty · coefficient².

    A step that does not lower the sum is halved until it does, so that separable rows and wild beginnings end well.
    """
    coefficients, margins, ones = start, design @ start, np.ones(len(targets))
    objective = float(ones @ log_loss(margins, targets) + penalties @ coefficients**2 / 2)
    for _ in range(STEPS):
        probabilities = sigmoid(margins)
        slope = design.T @ (probabilities - targets) + penalties * coefficients
        curved = np.maximum(probabilities * (1 - probabilities), 1e-12)
        curvature = design.T @ (design * curved[:, None])
        curvature[np.diag_indices_from(curvature)] += penalties
        step = np.linalg.solve(curvature, slope)
        if float(slope @ step) <= ENOUGH * len(targets):
            return coefficients - step
        for _ in range(HALVINGS):
            proposed = coefficients - step
            margins = design @ proposed
            reached = float(ones @ log_loss(margins, targets) + penalties @ proposed**2 / 2)
            if reached <= objective * (1 + ENOUGH):  # rounding is no reason to halve
                break
            step = step / 2
        else:
            break
        coefficients, objective = proposed, reached
    return coefficients


CONSTANT = 1e-9
"""A feature that varies by less than this share of its size does not vary."""


class Scaling(msgspec.Struct, frozen=True):
    """Each feature's mean and spread among the training rows; a spread of 0 is a constant one, which is dropped."""

    means: tuple[float, ...]
    scales: tuple[float, ...]

    def apply(self, features: Floats) -> Floats:
        """The features that vary (rows, kept), each with mean 0 and deviation 1 among the training rows."""
        scales = np.array(self.scales)
        if features.shape[-1] != len(scales):
            raise ValueError(f"{features.shape[-1]} features, but the model was fitted to {len(scales)}")
        kept = scales > 0
        return (features[:, kept] - np.array(self.means)[kept]) / scales[kept]

    def spread(self, kept: Floats) -> tuple[float, ...]:
        """Numbers that belong to the kept features, with 0 for those that were dropped."""
        full = np.zeros(len(self.scales))
        full[np.array(self.scales) > 0] = kept
        return tuple(full.tolist())


def fit_scaling(features: Floats) -> Scaling:
    """Means and deviations of features (rows, features)."""
    if not np.isfinite(features).all():
        bad = np.flatnonzero(~np.isfinite(features).all(axis=0)).tolist()
        raise ValueError(f"features must be finite; columns {bad} are not")
    means = features.sum(axis=0) / len(features)
    deviations = np.sqrt(((features - means) ** 2).sum(axis=0) / len(features))
    size = np.abs(features).max(axis=0, initial=0.0)
    scales = np.where(deviations > CONSTANT * size, deviations, 0.0)
    return Scaling(tuple(means.tolist()), tuple(scales.tolist()))


PENALTIES = tuple(float(f"{10 ** (power / 2):.4g}") for power in range(7, -5, -1))
"""From heavy to light, half a power of ten apart: a penalty is 1 / C of other libraries."""

DIGITS = 9
"""Decimals kept of a weight: fewer than are exact, so that a model is the same however many threads fitted it."""


class Logistic(msgspec.Struct, frozen=True):
    """A margin linear in scaled features; its sign decides, its logistic is the probability of yes."""

    scaling: Scaling
    weights: tuple[float, ...]
    """Of the scaled features, so their sizes can be compared; 0 for features that were constant."""
    intercept: float
    penalty: float

    def margin(self, features: Floats) -> Floats:
        """The log-odds of yes for each row (rows, features)."""
        scales = np.array(self.scaling.scales)
        weights = np.divide(self.weights, scales, out=np.zeros(len(scales)), where=scales > 0)
        return features @ weights + (self.intercept - float(weights @ np.array(self.scaling.means)))

    def probability(self, features: Floats) -> Floats:
        """The probability of yes for each row (rows, features)."""
        return sigmoid(self.margin(features))


def fit_logistic(features: Floats, yes: Bools, penalty: float = 1.0) -> Logistic:
    """The most likely model under one penalty; the intercept is free of it.

    Rows that all say the same teach only how common that is: the weights are 0.
    """
    scaling = fit_scaling(features)
    path = _path(scaling.apply(features), yes, (penalty,)).round(DIGITS)
    return Logistic(scaling, scaling.spread(path[0, :-1]), float(path[0, -1]), penalty)


def fit_validated(features: Floats, yes: Bools, folds: Ints, penalties: tuple[float, ...] = PENALTIES) -> Logistic:
    """The model under the penalty with the least log loss on unseen folds; of equals the heaviest."""
    ordered = tuple(sorted(set(penalties), reverse=True))
    return fit_logistic(features, yes, ordered[int(np.argmin(validation_losses(features, yes, folds, ordered)))])


def validation_losses(features: Floats, yes: Bools, folds: Ints, penalties: tuple[float, ...]) -> Floats:
    """The mean log loss of unseen rows, in nats, under each penalty: models of the other folds, scaling included."""
    losses, sizes = [], []
    for fold in np.unique(folds).tolist():
        seen, unseen = folds != fold, folds == fold
        scaling = fit_scaling(features[seen])
        path = _path(scaling.apply(features[seen]), yes[seen], penalties)
        margins = path[:, :-1] @ scaling.apply(features[unseen]).T + path[:, -1:]
        sizes.append(float(unseen.sum()))
        losses.append(log_loss(margins, yes[unseen].astype(np.float64)) @ np.ones(unseen.sum()) / sizes[-1])
    return (np.array(sizes) / np.sum(sizes) @ np.array(losses)).round(DIGITS)


def _path(scaled: Floats, yes: Bools, penalties: tuple[float, ...]) -> Floats:
    """Coefficients, the intercept last, for each penalty; every fit begins where the one before it ended."""
    if min(penalties) <= 0:
        raise ValueError(f"penalties must be above 0, and {min(penalties)} is not")
    coefficients = np.zeros(scaled.shape[1] + 1)
    positives, negatives = float(yes.sum()), float((~yes).sum())
    coefficients[-1] = np.log((positives + 0.5) / (negatives + 0.5))
    if positives == 0 or negatives == 0:
        return np.tile(coefficients, (len(penalties), 1))
    if scaled.shape[1] > len(scaled):
        # The solution lies in the span of the rows, and no rotation changes a sum of squares: fewer numbers to find.
        basis = np.linalg.svd(scaled, full_matrices=False)[2]
        rotated = _path(scaled @ basis.T, yes, penalties)
        return np.column_stack([rotated[:, :-1] @ basis, rotated[:, -1]])
    design = np.column_stack([scaled, np.ones(len(scaled))])
    targets, free = yes.astype(np.float64), np.append(np.ones(scaled.shape[1]), 0.0)
    path = np.empty((len(penalties), len(coefficients)))
    for place, penalty in enumerate(penalties):
        path[place] = coefficients = minimise(design, targets, penalty * free, coefficients)
    return path
