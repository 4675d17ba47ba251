"""How hard each series is over all runs: five numbers per series, and how many medians are 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from karat.arrays import Floats
from karat.data.questions import TYPES, Questions
from karat.data.shown import Shown, Why


@dataclass(frozen=True)
class SeriesBox:
    """One series over all runs: from the lowest score to the highest."""

    series: str
    target: str
    kind: Annotated[str | None, Why("the questions do not say of what kind it is")]
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
    """Five numbers of every series (runs, series); NaN where it is not scored."""
    made = []
    for at, series in enumerate(questions.series):
        column = scores[:, at][~np.isnan(scores[:, at])]
        five = np.quantile(column, (0, 0.25, 0.5, 0.75, 1)).tolist() if len(column) else [np.nan] * 5
        made.append(SeriesBox(series.id, series.target, series.kind, len(series.questions), *five))
    return made


def zero_medians(values: Floats, series: Floats, questions: Questions) -> list[Medians]:
    """The share of zero medians among questions of each type, and among series."""
    groups = {kind.lower(): values[:, questions.types == at] for at, kind in enumerate(TYPES)}
    return [_medians(name, scores) for name, scores in {**groups, "series": series}.items()]


def _medians(name: str, scores: Floats) -> Medians:
    scored = scores[:, ~np.isnan(scores).any(axis=0)]
    medians = np.median(scored, axis=0) if scored.size else np.empty(0)
    zero = int((medians == 0).sum())
    return Medians(name, len(medians), zero, zero / len(medians) if len(medians) else float("nan"))
