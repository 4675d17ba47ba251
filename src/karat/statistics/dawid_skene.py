"""Dawid and Skene's model of ballots: each unit has one true label, and each assessor has a confusion matrix.

Fitted by expectation–maximisation to the posterior mode. The Dirichlet prior on the rows of the confusion matrices
keeps assessors with few ballots from being estimated as perfect, or as always wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat.arrays import Floats, Int32s

NEEDED_ASSESSORS = 3
"""Assessors per unit, on average; with two the model is not identifiable."""
CONVERGED = 1e-10
"""Relative change of the objective below which no displayed digit changes."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """The fitted model."""

    posterior: Floats
    """(units, labels); NaN if a unit has no ballot."""
    shares: Floats
    """The prevalence of each label (labels)."""
    confusions: Floats
    """(assessors, true label, given label)."""
    objective: list[float]
    """The log posterior after every iteration; it never decreases."""
    converged: bool


def dawid_skene(
    unit: Int32s,
    assessor: Int32s,
    code: Int32s,
    shape: tuple[int, int, int],
    prior: float = 1.0,
    rounds: int = 1000,
) -> Fitted:
    """Fit the model to ballots; `shape` gives the numbers of units, assessors and labels.

    `prior` is the number of pseudo-ballots of each assessor for every pair of true and given label, with one more on
    the diagonal: without it, permuted labels would fit equally well.
    """
    units, assessors, labels = shape
    pseudo = np.full((labels, labels), prior) + np.eye(labels)
    said = assessor.astype(np.int64) * labels + code
    counts = np.bincount(unit.astype(np.int64) * labels + code, minlength=units * labels).reshape(units, labels)
    judged = counts.sum(axis=1) > 0
    posterior = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)  # start from the shares of the ballots
    objective: list[float] = []
    converged = False
    for _ in range(rounds):
        shares = (posterior[judged].sum(axis=0) + 1) / (judged.sum() + labels)
        expected = np.stack(
            [np.bincount(said, posterior[unit, true], minlength=assessors * labels) for true in range(labels)]
        ).reshape(labels, assessors, labels)
        confusions = expected.swapaxes(0, 1) + pseudo
        confusions /= confusions.sum(axis=-1, keepdims=True)
        logs = np.log(confusions).swapaxes(0, 1).reshape(labels, assessors * labels)
        evidence = np.stack([np.bincount(unit, row[said], minlength=units) for row in logs], axis=-1) + np.log(shares)
        peak = evidence.max(axis=-1, keepdims=True)
        posterior = np.exp(evidence - peak)
        scale = posterior.sum(axis=-1, keepdims=True)
        posterior /= scale
        fit = float((peak + np.log(scale))[judged].sum() + (pseudo * np.log(confusions)).sum() + np.log(shares).sum())
        converged = bool(objective) and abs(fit - objective[-1]) <= CONVERGED * abs(fit)
        objective.append(fit)
        if converged:
            break
    return Fitted(np.where(judged[:, None], posterior, np.nan), shares, confusions, objective, converged)
