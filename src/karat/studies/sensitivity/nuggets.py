"""Sensitivity of nuggets: the ranking of answers under other scores, and under other choices of what is vital."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from karat.data.importance import other_importance, pyramid
from karat.data.nuggets import Matches
from karat.data.provenance import IN_MEMORY
from karat.errors import UsageError
from karat.studies.nuggets.result import BY_LENGTH, NUGGET_SCORES
from karat.studies.nuggets.study import NuggetParameters, topic_scores
from karat.studies.qa.parameters import QaParameters
from karat.studies.sensitivity.questions import OF_NUGGETS, changed_setting
from karat.studies.sensitivity.result import CrossingPoint, Sensitivity, Setting, scored_settings
from karat.studies.unit_means import beta_curves, plain_mean

SHARED = ("beta", "length", "allowance", "recall", "missing")
"""What nuggets are scored with wherever they belong to."""


def of_nuggets(matches: Matches, measure: str | None, scoring: QaParameters) -> Sensitivity:
    """The ranking by one of the scores of nuggets, by default vital support, and by every other choice."""
    measure = measure or "vital"
    if measure not in NUGGET_SCORES:
        raise UsageError.unknown("score of nuggets", measure, NUGGET_SCORES)
    if len(matches.runs) < 2:
        raise UsageError(f"sensitivity compares rankings, which need at least two runs; there is {len(matches.runs)}")
    if scoring.recall == "pyramid":
        matches = pyramid(matches)
    asked = NuggetParameters(**{name: getattr(scoring, name) for name in SHARED})
    scores = topic_scores(matches, asked)
    official = scores[measure]
    scored = ~np.isnan(official).any(axis=0)
    if not scored.any():
        lengths = "; F needs the length of every answer" if measure in BY_LENGTH else ""
        raise UsageError(f"no topic has a score of {measure} for every run{lengths}")
    made = [Setting("official", measure, plain_mean(official), int(scored.sum()), True)]
    for name in NUGGET_SCORES:
        if name != measure and not np.isnan(scores[name]).any(axis=0).all():
            made.append(changed_setting("measure", name, scores[name], official))
    for choice, value in _choices(measure):
        if getattr(asked, choice) != value:
            other = msgspec.structs.replace(asked, **{choice: value})
            made.append(changed_setting(choice, value, topic_scores(matches, other)[measure], official))
    for name, changed in other_importance(matches).items():
        made.append(changed_setting("nuggets", name, topic_scores(changed, asked)[measure], official))
    curves = beta_curves(matches.runs, scores["precision"][None], scores["recall"][None], asked.beta)
    crossings = curves.crossings if curves and measure == "f" else []
    return Sensitivity(
        way=None,
        measure=measure,
        runs=list(matches.runs),
        settings=scored_settings(matches.runs, made),
        crossings=[CrossingPoint("beta", "", one.a, one.b, [[one.beta]]) for one in crossings],
        withheld=[],
        sources=[one for one in (matches.nuggets.source, *matches.sources) if one != IN_MEMORY],
    )


def _choices(measure: str) -> Iterator[tuple[str, Any]]:
    """The alternative choices that the score depends on: only F has a β and an allowance."""
    for choice, values in OF_NUGGETS.items():
        if measure in BY_LENGTH or choice == "missing":
            for value in values:
                yield choice, value
