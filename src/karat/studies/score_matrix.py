"""What studies of runs or of score matrices ask of them before they begin."""

from __future__ import annotations

import numpy as np

from karat.data.pairs import Pairs
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.labels import Way
from karat.measures import measures

LARGEST = 1e120
"""Scores beyond this, or all below its inverse, have squares that sums overflow or lose."""
MEAN = "accuracy"
"""The measure of pairs that is a mean over them."""


def way_of(key: Pairs) -> Way:
    """The labels that a key is in; a blind test set has none, and is refused."""
    if key.way is None:
        raise UsageError(f"{key.source.name} has no key: a blind test set can be checked against, not scored")
    return key.way


def must_be_mean(spelling: str, study: str) -> None:
    """Refuse a measure that is not a mean over units, with the reason."""
    bound = measures.parse(spelling)
    if str(bound) != MEAN:
        raise UsageError(
            f"--measure {bound}: {study} adds up scores unit by unit, and {bound} is not a mean over units; "
            f"use {MEAN}, or give a matrix of scores whose mean over units is what you want"
        )


def must_be_squarable(scores: Scores) -> None:
    """Refuse scores whose squares, of which errors are made, are no numbers any more."""
    if np.isinf(scores.values).any():
        raise UsageError("scores are finite numbers, or NaN where a unit is not scored")
    largest = np.nan_to_num(np.abs(scores.values)).max(axis=1, initial=0.0)
    for run, most in zip(scores.runs, largest.tolist(), strict=True):
        if most and not 1 / LARGEST < most < LARGEST:
            raise UsageError(
                f"the scores of run {run!r} go up to {most:g}, and their squares are too "
                f"{'small' if most < 1 else 'large'} to be computed with; give all scores in another measurement unit"
            )


def complete(scores: Scores, study: str) -> Scores:
    """The units that are scored at all, every run on every one of them; anything else is refused.

    Clusters become the units, since it is they that another test set would draw anew.
    """
    must_be_squarable(scores)
    if len(scores.runs) < 2:
        raise UsageError(f"{study} compares runs: give two at least; here is {len(scores.runs)}")
    missing = np.isnan(scores.values)
    kept = np.atleast_1d(~missing.all(axis=0))
    if not kept.any():
        raise UsageError(f"no unit has a score of any run, so there is nothing for {study} to compare")
    holes = np.argwhere(missing[:, kept])
    if len(holes):
        run, unit = holes[0]
        name = [unit for unit, keep in zip(scores.units, kept, strict=True) if keep][unit]
        raise UsageError(
            f"{len(holes)} scores are missing, the first of run {scores.runs[run]!r} on unit {name!r}; "
            f"{study} compares runs on the same units: leave out the run or the unit"
        )
    return scores.of_units(kept).by_cluster()
