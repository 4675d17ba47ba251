"""Sensitivity of questions: their ranking under other choices of scoring, and where two runs swap ranks by β."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np

from karat.arrays import Floats
from karat.data.importance import other_importance
from karat.errors import UsageError
from karat.studies.qa.given import Given, parts_of
from karat.studies.qa.parameters import QaParameters, rank_name
from karat.studies.qa.scoring import QuestionScores
from karat.studies.sensitivity.result import CrossingPoint, Sensitivity, Setting, scored_settings
from karat.studies.unit_means import beta_curves, plain_mean

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
    official = _units(given, scored, asked)
    units = official.shape[1] - int(np.isnan(official).any(axis=0).sum())
    ranked_by = given.measure(scored, asked).measure
    by = {"series_score": "by series", "type_score": "by type"}.get(ranked_by, rank_name(ranked_by))
    made = [Setting("official", by, plain_mean(official), units, True)]
    if ranked_by != "type_score":
        made.append(Setting("by", "type", parts_of(scored, asked).by_type(asked.weights), units))
    for choice, value in _choices(given):
        if getattr(asked, choice) != value:
            other = msgspec.structs.replace(asked, **{choice: value})
            made.append(changed_setting(choice, value, _units(given, given.score(other), other), official))
    for name, matches in ({} if given.matches is None else other_importance(given.matches)).items():
        changed = replace(given, matches=matches)
        made.append(changed_setting("nuggets", name, _units(changed, changed.score(asked), asked), official))
    curves = beta_curves(names, scored.nuggets.precision, scored.nuggets.recall, asked.beta)
    return Sensitivity(
        way=None,
        measure=ranked_by,
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


def _units(given: Given, scored: QuestionScores, asked: QaParameters) -> Floats:
    """The scores that are averaged for the ranking: by series (runs, series), or else the measure itself (runs, 1)."""
    if asked.rank_by in ("auto", "series_score") and scored.questions.series:
        return parts_of(scored, asked).by_series(asked.weights)
    return given.measure(scored, asked).values[:, None]


def changed_setting(choice: str, value: Any, scores: Floats, official: Floats) -> Setting:
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
