"""Settings: alternative choices and the rankings they give; for a score matrix, other averages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat.arrays import Floats
from karat.data.scores import Scores
from karat.studies.rankings import ranking_change
from karat.studies.sensitivity.result import ScoredSetting, Sensitivity, SettingWithheld

TRIMMED_SHARE = 0.2
"""The share of units trimmed at either end of a run's scores."""
MIDDLE = "the scores have two values only: the middle of a run's scores is mostly one of the two, and most runs tie"
BEATEN = "the scores have two values only: this ranks runs as the mean does"


@dataclass(frozen=True, eq=False)
class Setting:
    """One alternative choice, and the runs' scores under it."""

    setting: str
    value: str
    scores: Floats
    units: int
    """The number of units that it scores."""
    comparable: bool = False
    """Whether the scores are of the official measure, so that their differences are meaningful."""
    reference: Floats | None = None
    """The official scores on the same units, if it does not score all of them."""


def scored_settings(names: tuple[str, ...], settings: Sequence[Setting]) -> list[ScoredSetting]:
    """Every setting's ranking compared with that of the first, the official one, on the same units."""
    made = []
    for one in settings:
        official = settings[0].scores if one.reference is None else one.reference
        change = vars(ranking_change(names, official, one.scores, one.comparable))
        there = dict(zip(names, official.tolist(), strict=True))
        made.append(ScoredSetting(**change, setting=one.setting, value=one.value, units=one.units, official=there))
    return made


def of_scores(scores: Scores) -> Sensitivity:
    """The ranking by the mean, compared with rankings by other averages over units."""
    values, units = scores.values, scores.values.shape[1]
    official = Setting("official", "mean", values.mean(axis=1), units, True)
    others = [
        Setting("average", "median", np.median(values, axis=1), units, True),
        Setting("average", f"mean without the {TRIMMED_SHARE:.0%} at either end", trimmed_means(values), units, True),
        Setting("average", "runs beaten, unit by unit", runs_beaten(values), units),
    ]
    withheld = []
    if len(np.unique(values)) <= 2:
        reasons = zip(others, (MIDDLE, MIDDLE, BEATEN), strict=True)
        withheld = [SettingWithheld(one.setting, one.value, reason) for one, reason in reasons]
        others = []
    return Sensitivity(
        way=None,
        measure=scores.measure,
        runs=list(scores.runs),
        settings=scored_settings(scores.runs, [official, *others]),
        crossings=[],
        withheld=withheld,
    )


def trimmed_means(values: Floats) -> Floats:
    """The trimmed mean of each row."""
    cut = int(TRIMMED_SHARE * values.shape[1])
    return np.sort(values, axis=1)[:, cut : values.shape[1] - cut].mean(axis=1)


def runs_beaten(values: Floats) -> Floats:
    """The mean share of the other runs that each run beats on a unit, with ties counted half."""
    beaten = [(values < row).sum(axis=0) + ((values == row).sum(axis=0) - 1) / 2 for row in values]
    return np.array([counts.mean() for counts in beaten]) / max(len(values) - 1, 1)
