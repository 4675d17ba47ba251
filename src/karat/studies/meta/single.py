"""Single judgments: how far two judges agree on each run and unit, whatever becomes of the means."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from karat.arrays import Floats
from karat.data.ballots import Ballots, Scale
from karat.data.coincidences import MOST_TABLED
from karat.data.provenance import Level
from karat.data.scores import cluster_numbers
from karat.studies.agree.coefficients import Agreeing, all_coefficients
from karat.studies.meta.parts import SingleJudgments

DIGITS = 12
"""Scores that differ only beyond so many decimals are the same."""


def single_judgments(
    reference: Floats,
    judge: Floats,
    cluster: Sequence[str | None] | None,
    level: Level | None,
    interval: float,
    seed: int,
) -> SingleJudgments:
    """The agreement of two matrices of scores (runs, units), cell by cell.

    The scores of all runs on a unit have the unit in common (its topic), and so are a cluster; units may be in clusters
    of their own. Scores are ranks, such as grades from 0 to 3, unless there are too many different ones.
    """
    runs, units = reference.shape
    scores = np.round(np.stack([reference.ravel(), judge.ravel()]), DIGITS) + 0.0
    values, codes = np.unique(scores, return_inverse=True)
    level = level or ("ordinal" if len(values) <= MOST_TABLED else "interval")
    among = cluster_numbers(list(range(units)) if cluster is None else cluster)
    ballots = Ballots(
        units=tuple(map(str, range(runs * units))),
        assessors=("reference", "judge"),
        scale=Scale(tuple(map(repr, values.tolist())), level),
        unit=np.tile(np.arange(runs * units, dtype=np.int32), 2),
        assessor=np.repeat(np.arange(2, dtype=np.int32), runs * units),
        code=codes.reshape(-1).astype(np.int32),
    )
    agreeing = Agreeing(ballots, np.tile(among, runs))
    return SingleJudgments(
        judgments=runs * units,
        values=len(values),
        level=level,
        clusters=int(among.max()) + 1,
        coefficients=all_coefficients(partial(agreeing.coefficient, interval=interval, seed=seed), runs * units),
    )
