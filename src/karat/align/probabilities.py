"""Probabilities of labels, from the columns of a run to the labels that it answers with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.align.columns import Columns
from karat.arrays import DISPLAY_TOLERANCE, Floats
from karat.errors import Problems, counted
from karat.labels import Codes, Way, code_table


def align_probabilities(run: Columns, way: Way, codes: Codes, problems: Problems) -> Floats | None:
    """The probability of every label of the run's way (rows, labels); those of labels that fold into one add up."""
    if problems.failed(run.file):
        return None
    labels, table = run.facts["probabilities_of"], code_table(way)
    if outside := [label for label in labels if label not in table]:
        found = f"probabilities of {', '.join(outside)} beside answers that are {', '.join(way.labels)}"
        problems.add("probability-labels", found, file=run.file, line=1)
        return None
    shares = np.asarray(run["probabilities"]) @ np.eye(len(way.labels))[[table[label] for label in labels]]
    answered = of_answers(shares, codes)
    others = np.flatnonzero((answered < shares.max(axis=1) - DISPLAY_TOLERANCE) & (codes >= 0))
    if len(others) and not run.facts.get("likeliest"):
        row = int(others[0])
        first = f"{run['label'][row]!r} of pair {run['id'][row]!r}"
        found = f"{counted(len(others), 'answer')} other than the likeliest label, first {first}"
        run.report(problems, "not-likeliest", found, row, "label")
    return shares


def of_answers(shares: Floats, codes: Codes) -> Floats:
    """The probability of each answer."""
    return np.take_along_axis(shares, np.maximum(codes, 0)[:, None].astype(np.int64), axis=1)[:, 0]


def shares_in_key_order(shares: Floats, units: NDArray[np.int64], size: int) -> Floats:
    """Probabilities in the order of the key; NaN for pairs without an answer."""
    ordered = np.full((size, shares.shape[1]), np.nan)
    ordered[units] = shares
    return ordered
