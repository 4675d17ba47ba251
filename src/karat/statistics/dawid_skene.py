"""Dawid and Skene's model of ballots: each unit has one true label, each assessor confuses labels in a way of his own.

Fitted by expectation–maximisation to the posterior mode. The Dirichlet prior on the rows of the confusions is what
keeps assessors with few ballots from being called perfect, or perfectly wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat.arrays import Floats, Int32s

NEEDED_ASSESSORS = 3
"""Assessors a unit, on average: with two the model is not identifiable."""
CONVERGED = 1e-10
"""Of the objective, relative: further rounds change no digit that is shown."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """What the ballots say under the model."""

    posterior: Floats
    """(units, labels); NaN where a unit has no ballot."""
    shares: Floats
    """(labels): the share of each label."""
    confusions: Floats
    """(assessors, true label, said label)."""
    objective: list[float]
    """The log posterior after every round; it never falls."""
    converged: bool


def dawid_skene(
    unit: Int32s,
    assessor: Int32s,
    code: Int32s,
    shape: tuple[int, int, int],
    prior: float = 1.0,
    rounds: int = 1000,
) -> Fitted:
    """Fit the model to ballots; `shape` is how many units, assessors and labels there are.

    `prior` is how many ballots each assessor is thought to have cast beforehand for every pair of true and said
    label; on the diagonal there is one more, since without it calling every label by another's name fits as well.
    """
    units, assessors, labels = shape
    pseudo = np.full((labels, labels), prior) + np.eye(labels)
    said = assessor.astype(np.int64) * labels + code
    counts = np.bincount(unit.astype(np.int64) * labels + code, minlength=units * labels).reshape(units, labels)
    judged = counts.sum(axis=1) > 0
    posterior = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)  # to begin with: the shares of the ballots
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
