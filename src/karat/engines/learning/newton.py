"""Newton's method for logistic models with a quadratic penalty: the one solver that all of them share."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats

STEPS = 100
HALVINGS = 40
ENOUGH = 1e-14
"""A step that could gain less than this share of the weight of all rows is the last."""


def sigmoid(margins: Floats) -> Floats:
    """1 / (1 + e⁻ᵐ), with no overflow at either end."""
    small = np.exp(-np.abs(margins))
    return np.where(margins >= 0, 1.0, small) / (1 + small)


def log_loss(margins: Floats, targets: Floats) -> Floats:
    """−log of the probability that each margin gives its target (0 to 1), in nats."""
    return np.maximum(margins, 0.0) + np.log1p(np.exp(-np.abs(margins))) - targets * margins


def minimise(design: Floats, targets: Floats, weights: Floats, penalties: Floats, start: Floats) -> Floats:
    """The coefficients with the least Σ weight · log loss + ½ Σ penalty · coefficient².

    A step that does not lower the sum is halved until it does, so that separable rows and wild beginnings end well.
    """
    coefficients, margins = start, design @ start
    objective = float(weights @ log_loss(margins, targets) + penalties @ coefficients**2 / 2)
    for _ in range(STEPS):
        probabilities = sigmoid(margins)
        slope = design.T @ (weights * (probabilities - targets)) + penalties * coefficients
        curved = np.maximum(weights * probabilities * (1 - probabilities), 1e-12 * weights)
        curvature = design.T @ (design * curved[:, None])
        curvature[np.diag_indices_from(curvature)] += penalties
        step = np.linalg.solve(curvature, slope)
        if float(slope @ step) <= ENOUGH * float(weights.sum()):
            return coefficients - step
        for _ in range(HALVINGS):
            proposed = coefficients - step
            margins = design @ proposed
            reached = float(weights @ log_loss(margins, targets) + penalties @ proposed**2 / 2)
            if reached <= objective * (1 + ENOUGH):  # rounding is no reason to halve
                break
            step = step / 2
        else:
            break
        coefficients, objective = proposed, reached
    return coefficients
