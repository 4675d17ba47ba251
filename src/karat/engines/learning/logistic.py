"""Logistic regression with a quadratic penalty, which cross-validation chooses."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats
from karat.engines.learning.newton import log_loss, minimise, sigmoid
from karat.engines.learning.scaling import Scaling, fit_scaling

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


class Validated(msgspec.Struct, frozen=True):
    """How each penalty fared in cross-validation: log loss of unseen rows in nats, and the penalty chosen."""

    penalties: tuple[float, ...]
    losses: tuple[float, ...]
    errors: tuple[float, ...]
    """Standard errors of the losses, over the folds."""
    chosen: float


def fit(features: Floats, yes: NDArray[np.bool_], penalty: float = 1.0, row_weights: Floats | None = None) -> Logistic:
    """The most likely model under one penalty; the intercept is free of it.

    Rows that all say the same teach only how common that is: the weights are 0.
    """
    rows = np.ones(len(yes)) if row_weights is None else row_weights
    scaling = fit_scaling(features, rows)
    path = _path(scaling.apply(features), yes, rows, (penalty,)).round(DIGITS)
    return Logistic(scaling, scaling.spread(path[0, :-1]), float(path[0, -1]), penalty)


def fit_validated(
    features: Floats,
    yes: NDArray[np.bool_],
    folds: NDArray[np.int64],
    penalties: tuple[float, ...] = PENALTIES,
    row_weights: Floats | None = None,
    one_error: bool = False,
) -> tuple[Logistic, Validated]:
    """The model under the penalty with the least log loss on unseen folds, and how all penalties fared.

    With `one_error` the heaviest penalty is taken whose loss is within one standard error of the least.
    """
    rows = np.ones(len(yes)) if row_weights is None else row_weights
    validated = validate(features, yes, folds, penalties, rows, one_error)
    return fit(features, yes, validated.chosen, rows), validated


def validate(
    features: Floats,
    yes: NDArray[np.bool_],
    folds: NDArray[np.int64],
    penalties: tuple[float, ...],
    rows: Floats,
    one_error: bool = False,
) -> Validated:
    """Each penalty's loss on every fold under models of the other folds, scaling included."""
    ordered = tuple(sorted(set(penalties), reverse=True))
    losses, sizes = [], []
    for fold in np.unique(folds).tolist():
        seen, unseen = folds != fold, folds == fold
        scaling = fit_scaling(features[seen], rows[seen])
        path = _path(scaling.apply(features[seen]), yes[seen], rows[seen], ordered)
        margins = path[:, :-1] @ scaling.apply(features[unseen]).T + path[:, -1:]
        size = rows[unseen].sum()
        losses.append(log_loss(margins, yes[unseen].astype(np.float64)) @ rows[unseen] / size)
        sizes.append(size)
    table, shares = np.array(losses), np.array(sizes) / np.sum(sizes)
    means = (shares @ table).round(DIGITS)
    errors = np.sqrt(shares @ (table - means) ** 2 / max(1, len(table) - 1)).round(DIGITS)
    best = int(np.argmin(means))  # the first of equals: the heaviest penalty
    chosen = int(np.argmax(means <= means[best] + errors[best])) if one_error else best
    return Validated(ordered, tuple(means.tolist()), tuple(errors.tolist()), ordered[chosen])


def _path(scaled: Floats, yes: NDArray[np.bool_], rows: Floats, penalties: tuple[float, ...]) -> Floats:
    """Coefficients, the intercept last, for each penalty; every fit begins where the one before it ended."""
    if min(penalties) <= 0:
        raise ValueError(f"penalties must be above 0, and {min(penalties)} is not")
    coefficients = np.zeros(scaled.shape[1] + 1)
    positives, negatives = float(rows[yes].sum()), float(rows[~yes].sum())
    coefficients[-1] = np.log((positives + 0.5) / (negatives + 0.5))
    if positives == 0 or negatives == 0:
        return np.tile(coefficients, (len(penalties), 1))
    design = np.column_stack([scaled, np.ones(len(scaled))])
    targets, free = yes.astype(np.float64), np.append(np.ones(scaled.shape[1]), 0.0)
    path = np.empty((len(penalties), len(coefficients)))
    for place, penalty in enumerate(penalties):
        path[place] = coefficients = minimise(design, targets, rows, penalty * free, coefficients)
    return path
