"""The ranking of answers to questions, by series or else by type, under other scoring choices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from karat.arrays import Floats
from karat.errors import UsageError
from karat.studies.qa.betas import beta_curves
from karat.studies.qa.given import Given, parts_of
from karat.studies.qa.parameters import QaParameters
from karat.studies.qa.scoring import QuestionScores
from karat.studies.sensitivity.result import CrossingPoint, Sensitivity, Setting, scored_settings
from karat.studies.unit_means import plain_mean

THIRD = 1 / 3
OF_NUGGETS: dict[str, tuple[Any, ...]] = {
    "beta": (1.0, 2.0, 3.0, 5.0),
    "allowance": (50.0, 100.0, 150.0, 200.0),
    "missing": ("missing", "zero"),
}
OF_VERDICTS: dict[str, tuple[Any, ...]] = {"accept": ((), ("inexact",), ("unsupported",), ("inexact", "unsupported"))}
OF_SERIES: dict[str, tuple[Any, ...]] = {"no_list": ("literal", "exact"), "no_other": ("left-out", "reweighted")}
OF_TYPES: dict[str, tuple[Any, ...]] = {
    "weights": ((0.5, 0.25, 0.25), (THIRD,) * 3, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
}


def of_questions(given: Given, asked: QaParameters) -> Sensitivity:
    """The official ranking, the rankings under every other choice, and every β at which two runs swap ranks."""
    names = given.answers.runs
    if len(names) < 2:
        raise UsageError(f"sensitivity compares rankings, which need at least two runs; there is {len(names)}")
    scored = given.score(asked)
    official = _units(scored, asked)
    units = official.shape[1] - int(np.isnan(official).any(axis=0).sum())
    by = "series" if given.questions.series else "type"
    made = [Setting("official", f"by {by}", plain_mean(official), units, True)]
    if given.questions.series:
        made.append(Setting("by", "type", parts_of(scored, asked).by_type(asked.weights), units))
    for choice, value in _choices(given):
        if getattr(asked, choice) != value:
            other = msgspec.structs.replace(asked, **{choice: value})
            made.append(_setting(choice, value, _units(given.score(other), other), official))
    curves = beta_curves(names, scored.nuggets.precision, scored.nuggets.recall, asked.beta)
    return Sensitivity(
        way=None,
        measure="series_score" if given.questions.series else "score by type",
        runs=list(names),
        settings=scored_settings(names, made),
        crossings=[CrossingPoint("beta", "", one.a, one.b, [[one.beta]]) for one in curves.crossings] if curves else [],
        withheld=[],
        sources=given.sources,
        warnings=given.warnings,
    )


def _choices(given: Given) -> Iterator[tuple[str, Any]]:
    """The alternative choices that apply to the data given."""
    tables = [OF_NUGGETS] * (given.matches is not None) + [OF_VERDICTS] * (given.verdicts is not None)
    tables += [OF_SERIES] * bool(given.questions.series) + [OF_TYPES]
    for table in tables:
        for choice, values in table.items():
            for value in values:
                yield choice, value


def _units(scored: QuestionScores, asked: QaParameters) -> Floats:
    """The scores that are averaged for the ranking: by series (runs, series), or else the score by type (runs, 1)."""
    parts = parts_of(scored, asked)
    return parts.by_series(asked.weights) if scored.questions.series else parts.by_type(asked.weights)[:, None]


def _setting(choice: str, value: Any, scores: Floats, official: Floats) -> Setting:
    """One alternative choice, compared with the official ranking on the units that both score."""
    both = ~(np.isnan(scores) | np.isnan(official)).any(axis=0)
    fewer = both.sum() < (~np.isnan(official).any(axis=0)).sum()
    reference = plain_mean(official[:, both]) if fewer else None
    return Setting(choice, _spelled(value), plain_mean(scores[:, both]), int(both.sum()), reference=reference)


def _spelled(value: Any) -> str:
    if isinstance(value, tuple):
        plain = [f"{one:.3g}" if isinstance(one, float) else one for one in value]
        return " ".join(plain) or "correct only"
    return f"{value:g}" if isinstance(value, float) else str(value)
