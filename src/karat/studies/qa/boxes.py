"""Scores of all runs on each series as a five-number summary, and the number of medians that are 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from karat.arrays import NAN, Floats
from karat.data.fields import Shown, Why
from karat.data.questions import TYPES, Questions


@dataclass(frozen=True)
class SeriesBox:
    """The five-number summary of the scores of all runs on one series."""

    series: str
    target: str
    kind: Annotated[str | None, Why("the questions do not say which kind of target it is")]
    questions: int
    low: float
    lower: float
    median: float
    upper: float
    high: float


@dataclass(frozen=True)
class Medians:
    """Units of one kind whose median score over runs is 0."""

    of: str
    units: Annotated[int, Shown("scored")]
    zero: Annotated[int, Shown("median 0")]
    share: Annotated[float, Why("nothing of this kind is scored")]


def series_boxes(scores: Floats, questions: Questions) -> list[SeriesBox]:
    """The five-number summary of every series, from its scores (runs, series); NaN if it is not scored."""
    made = []
    for at, series in enumerate(questions.series):
        column = scores[:, at][~np.isnan(scores[:, at])]
        five = np.quantile(column, (0, 0.25, 0.5, 0.75, 1)).tolist() if len(column) else [np.nan] * 5
        made.append(SeriesBox(series.id, series.target, series.kind, len(series.questions), *five))
    return made


def zero_medians(values: Floats, series: Floats, questions: Questions) -> list[Medians]:
    """The share of zero medians among questions of each type, and among series."""
    groups = {kind.lower(): values[:, questions.types == at] for at, kind in enumerate(TYPES)} | {"series": series}
    made = []
    for name, scores in groups.items():
        scored = scores[:, ~np.isnan(scores).any(axis=0)]
        number, zero = scored.shape[1], int((np.median(scored, axis=0) == 0).sum()) if scored.size else 0
        made.append(Medians(name, number, zero, zero / number if number else NAN))
    return made
