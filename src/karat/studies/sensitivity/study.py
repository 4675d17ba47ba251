"""Sensitivity: how the ranking depends on choices that could have been made differently (`karat sensitivity`).

A setting has a name, a value and a score for every run; any choice of that form can be added.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from karat.align.ballots import align_ballots
from karat.arrays import Floats
from karat.data.answers import Answers
from karat.data.ballots import Ballots
from karat.data.nuggets import Matches
from karat.data.parameters import OneWayOption
from karat.data.patterns import Patterns
from karat.data.questions import Questions
from karat.data.responses import Responses
from karat.data.scores import Scores
from karat.data.verdicts import Verdicts
from karat.errors import NotApplicable, UsageError
from karat.labels import THREE, WAYS
from karat.measures import measures
from karat.measures.contingency import priors
from karat.studies.base import MOST_RUNS, study
from karat.studies.counted_runs import runs_that_count
from karat.studies.keys.alternatives import alternative_keys
from karat.studies.qa.given import Given
from karat.studies.qa.parameters import AS_USUAL, QaParameters
from karat.studies.rankings import prior_crossings, weight_crossings
from karat.studies.scorer import Scorer
from karat.studies.sensitivity.nuggets import of_nuggets
from karat.studies.sensitivity.questions import of_questions
from karat.studies.sensitivity.result import (
    FIGURES,
    FINDINGS,
    CrossingPoint,
    Sensitivity,
    Setting,
    SettingWithheld,
    scored_settings,
)

TRIMMED_SHARE = 0.2
"""The share of units trimmed at either end of a run's scores."""
MIDDLE = (
    "there are only two different scores, so medians and trimmed means are mostly one of the two, and most runs tie"
)
BEATEN = "there are only two different scores, so this ranks runs as the mean does"
ACCURACY = "accuracy"
OTHER_MEASURES = (ACCURACY, "mean_recall", "kappa", "information")


class SensitivityParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `sensitivity`."""

    way: OneWayOption = "auto"
    measure: Annotated[
        str, Meta(description="the measure of the official ranking; of nuggets one of their scores, by default vital")
    ] = ACCURACY
    other: Annotated[
        tuple[str, ...], Meta(description="another measure to rank by; by default the usual ones", examples=["kappa"])
    ] = ()
    weight: Annotated[
        tuple[str, ...], Meta(description="a weight of recall in decided F; by default 0 1/9 1/3 1 3", examples=["1/2"])
    ] = ()
    prior: Annotated[
        tuple[str, ...],
        Meta(
            description="another label distribution; by default uniform, and half for each label",
            examples=["0.5/0.35/0.15"],
        ),
    ] = ()


@study("sensitivity", SensitivityParameters, most={"runs": MOST_RUNS}, findings=FINDINGS, figures=FIGURES)
def sensitivity(
    runs: Responses | Scores | None = None,
    asked: SensitivityParameters = SensitivityParameters(),
    *,
    ballots: Ballots | None = None,
    questions: Questions | None = None,
    answers: Answers | None = None,
    verdicts: Verdicts | None = None,
    matches: Matches | None = None,
    patterns: Patterns | None = None,
    scoring: QaParameters = AS_USUAL,
) -> Sensitivity:
    """The ranking of runs, of a score matrix, or of answers to questions or on nuggets under every setting.

    It also solves for the points at which two runs swap ranks. `scoring` has the official choices for questions and
    nuggets, as `qa` takes them.
    """
    if questions is not None and answers is not None and runs is None:
        if asked != SensitivityParameters() or ballots is not None:
            raise UsageError("measures, label mixes and keys apply to pairs; for questions, leave these options out")
        return of_questions(Given.of(questions, answers, verdicts, matches, patterns, scoring), scoring)
    if matches is not None and runs is None and questions is None and answers is None:
        if msgspec.structs.replace(asked, measure=ACCURACY) != SensitivityParameters() or ballots is not None:
            raise UsageError("label mixes and keys apply to pairs; for nuggets, leave these options out")
        return of_nuggets(matches, None if asked.measure == ACCURACY else asked.measure, scoring)
    if runs is None or questions is not None or answers is not None:
        raise UsageError(
            "give runs or a score matrix, or else questions and the answers to them, or matches of nuggets with answers"
        )
    if isinstance(runs, Scores):
        if asked.other or asked.weight or asked.prior or ballots is not None:
            raise UsageError("measures, label mixes and keys need the key and the runs, not scores")
        # Averages over units ignore clusters.
        return _of_scores(replace(runs, clusters=None).complete("sensitivity"))
    if len(runs) < 2:
        raise UsageError(f"sensitivity compares rankings, which need at least two runs; there is {len(runs)}")
    scorer = Scorer.of(runs, asked.measure, asked.way)
    runs, left_out = runs_that_count(runs, [way for way in WAYS.values() if runs.allows(way).all()])
    scorer = replace(scorer, runs=runs)
    official = scorer.values(runs.key.labels)
    withheld: list[SettingWithheld] = []
    made = [
        Setting("official", f"{scorer.measure}, {scorer.way.name}-way", official, scorer.units, True),
        *_ways(scorer, withheld),
        *_measures(scorer, asked, withheld),
        *_priors(scorer, asked, withheld),
        *_keys(scorer, ballots, withheld),
    ]
    return Sensitivity(
        way=scorer.way.name,
        measure=str(scorer.measure),
        runs=list(runs.names),
        settings=scored_settings(runs.names, made),
        crossings=_crossings(scorer),
        withheld=withheld,
        left_out=left_out,
    )


def _ways(scorer: Scorer, withheld: list[SettingWithheld]) -> Iterator[Setting]:
    """The official measure on every fold."""
    for way in WAYS.values():
        if way is scorer.way:
            continue
        if not scorer.runs.allows(way).all():
            reason = "the key or a run has only two labels"
            withheld.append(SettingWithheld("way", way.name, reason))
        else:
            yield from _tried("way", way.name, replace(scorer, way=way), withheld)


def _measures(scorer: Scorer, asked: SensitivityParameters, withheld: list[SettingWithheld]) -> Iterator[Setting]:
    """Other measures, and decided F over its weight, in the official way."""
    chosen = [("measure", str(bound), bound) for bound in map(measures.parse, asked.other or OTHER_MEASURES)]
    for weight in asked.weight or ("0", "1/9", "1/3", "1", "3"):
        chosen.append(("weight", weight, measures["decided_f"].bind(weight=_weight(weight))))
    for setting, value, bound in chosen:
        if setting == "measure" and bound == scorer.measure:
            continue
        yield from _tried(setting, value, replace(scorer, measure=bound), withheld)


def _weight(spelling: str) -> Fraction:
    try:
        return Fraction(spelling)
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"--weight {spelling}: write a number or a fraction, such as 1/3") from None


def _priors(scorer: Scorer, asked: SensitivityParameters, withheld: list[SettingWithheld]) -> Iterator[Setting]:
    """Accuracy on other mixes of labels."""
    size = len(scorer.way.labels)
    halves = ["/".join(f"{0.5 if at == label else 0.5 / (size - 1):g}" for at in range(size)) for label in range(size)]
    # Two-way, half for each label is the uniform mix.
    for prior in asked.prior or ("uniform", *(halves if size > 2 else ())):
        try:
            priors(prior, size)
        except NotApplicable as reason:
            raise UsageError(f"--prior {prior}: {reason}") from None
        bound = measures["shifted_accuracy"].bind(prior=prior)
        comparable = scorer.measure.entry.name == ACCURACY
        yield from _tried("prior", prior, replace(scorer, measure=bound), withheld, comparable)


def _keys(scorer: Scorer, ballots: Ballots | None, withheld: list[SettingWithheld]) -> Iterator[Setting]:
    """Other keys made from the same ballots."""
    key = scorer.runs.key
    if ballots is None:
        withheld.append(SettingWithheld("key", "", "no ballots were given (--ballots FILE)"))
        return
    made, missing = alternative_keys(align_ballots(ballots, key), key)
    withheld += [SettingWithheld("key", name, reason) for name, reason in missing.items()]
    for one in made[1:]:
        codes = np.where(key.labels >= 0, one.codes, np.int8(-1))
        there, here = scorer.values(np.stack([scorer.key_on(codes >= 0), codes]))
        yield Setting("key", one.name, here, int((codes >= 0).sum()), comparable=True, reference=there)


def _tried(
    setting: str, value: str, scorer: Scorer, withheld: list[SettingWithheld], comparable: bool = False
) -> Iterator[Setting]:
    """The setting, or the reason why runs cannot be scored under it."""
    try:
        if scorer.ranks:
            raise NotApplicable("it is a measure of rankings, which do not depend on the label mix or the key")
        yield Setting(setting, value, scorer.values(), scorer.units, comparable)
    except NotApplicable as reason:
        withheld.append(SettingWithheld(setting, value, str(reason)))


def _crossings(scorer: Scorer) -> list[CrossingPoint]:
    """Where two runs swap ranks, solved exactly: over the weight of decided F, and over the label mix."""
    table, names, way = scorer.runs.count(scorer.way), scorer.runs.names, scorer.way.name
    found = [
        CrossingPoint("prior", way, one.a, one.b, [list(point) for point in one.priors])
        for one in prior_crossings(names, table, way)
    ]
    if scorer.way is THREE:
        found += [CrossingPoint("weight", way, a, b, [[at]]) for a, b, at in weight_crossings(names, table)]
    return found


def _of_scores(scores: Scores) -> Sensitivity:
    """The ranking by the mean, compared with rankings by other averages over units."""
    values, units = scores.values, scores.values.shape[1]
    official = Setting("official", "mean", values.mean(axis=1), units, True)
    others = [
        Setting("average", "median", np.median(values, axis=1), units, True),
        Setting("average", f"mean without {TRIMMED_SHARE:.0%} at either end", trimmed_means(values), units, True),
        Setting("average", "share of runs beaten per unit", runs_beaten(values), units),
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
