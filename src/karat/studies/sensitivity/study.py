"""Sensitivity: how the ranking depends on choices that could have been made otherwise (`karat sensitivity`).

A setting is a name, a value and a score for every run; whatever can be put so can be added.
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
from karat.data.tables import Table
from karat.data.verdicts import Verdicts
from karat.errors import NotApplicable, UsageError
from karat.labels import THREE, WAYS, Way
from karat.measures import measures
from karat.measures.accuracy import priors
from karat.registry import Bound
from karat.studies.base import MOST_RUNS, study
from karat.studies.keys.alternatives import alternative_keys
from karat.studies.keys.rescoring import Rescoring
from karat.studies.qa.given import Given
from karat.studies.qa.parameters import AS_USUAL, QaParameters
from karat.studies.score.shift import crossings as prior_crossings
from karat.studies.score_matrix import complete, way_of
from karat.studies.sensitivity.averages import of_scores
from karat.studies.sensitivity.charts import FIGURES
from karat.studies.sensitivity.crossings import weight_crossings
from karat.studies.sensitivity.questions import of_questions
from karat.studies.sensitivity.result import FINDINGS, CrossingPoint, Sensitivity, SettingWithheld
from karat.studies.sensitivity.settings import Setting, scored_settings

MEASURES = ("accuracy", "mean_recall", "kappa", "information", "decided_f(weight=1/3)")


class SensitivityParameters(msgspec.Struct, frozen=True, kw_only=True):
    """What `sensitivity` can be asked."""

    way: OneWayOption = "auto"
    measure: Annotated[str, Meta(description="what the official ranking ranks by")] = "accuracy"
    other: Annotated[
        tuple[str, ...], Meta(description="a measure to rank by instead; the usual ones", examples=["kappa"])
    ] = ()
    weight: Annotated[
        tuple[str, ...], Meta(description="a weight of recall in decided F; 0 1/9 1/3 1 3", examples=["1/2"])
    ] = ()
    prior: Annotated[
        tuple[str, ...],
        Meta(description="another mix of labels; uniform, and half for each label", examples=["0.5/0.35/0.15"]),
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
    """The ranking of runs, of a score matrix, or of answers to questions under every setting.

    And where two runs change places. Questions are scored as `scoring` says, and otherwise, by what `qa` takes.
    """
    if questions is not None and answers is not None and runs is None:
        if asked != SensitivityParameters() or ballots is not None:
            raise UsageError(
                "measures, folds, label mixes and keys are of pairs; questions vary in how they are scored"
            )
        return of_questions(Given.of(questions, answers, verdicts, matches, patterns, scoring), scoring)
    if runs is None or questions is not None or answers is not None:
        raise UsageError("give runs or a score matrix, or else questions and the answers to them")
    if isinstance(runs, Scores):
        if asked.other or asked.weight or asked.prior or ballots is not None:
            raise UsageError("measures, label mixes and keys need the key and the runs, not scores")
        # Averages over units do not ask which of them belong together.
        return of_scores(complete(replace(runs, clusters=None), "sensitivity"))
    way_of(runs.key)
    if len(runs) < 2:
        raise UsageError(f"sensitivity compares rankings of runs: give two at least; here is {len(runs)}")
    rescoring = Rescoring.of(runs, asked.way, asked.measure)
    official = rescoring.scores(runs.key.labels)
    withheld: list[SettingWithheld] = []
    made = [
        Setting("official", f"{rescoring.measure}, {rescoring.way.name}-way", official, rescoring.units, True),
        *_ways(rescoring, withheld),
        *_measures(rescoring, asked, withheld),
        *_priors(rescoring, asked, withheld),
        *_keys(rescoring, ballots, withheld),
    ]
    return Sensitivity(
        way=rescoring.way.name,
        measure=str(rescoring.measure),
        runs=list(runs.names),
        settings=scored_settings(runs.names, made),
        crossings=_crossings(rescoring),
        withheld=withheld,
    )


def _ways(rescoring: Rescoring, withheld: list[SettingWithheld]) -> Iterator[Setting]:
    """The official measure on every fold."""
    for way in WAYS.values():
        if way is rescoring.way:
            continue
        if not rescoring.runs.allows(way).all():
            reason = "the key or a run is two-way, and two-way never unfolds"
            withheld.append(SettingWithheld("way", way.name, reason))
        elif (scores := _try("way", way.name, rescoring.runs, way, rescoring.measure, withheld)) is not None:
            yield Setting("way", way.name, scores, rescoring.units)


def _measures(rescoring: Rescoring, asked: SensitivityParameters, withheld: list[SettingWithheld]) -> Iterator[Setting]:
    """Other measures, and decided F over its weight, in the official way."""
    chosen = [("measure", str(bound), bound) for bound in map(measures.parse, asked.other or MEASURES)]
    for weight in asked.weight or ("0", "1/9", "1/3", "1", "3"):
        chosen.append(("weight", weight, measures["decided_f"].bind(weight=_weight(weight))))
    for setting, value, bound in chosen:
        if setting == "measure" and bound == rescoring.measure:
            continue
        scores = _try(setting, value, rescoring.runs, rescoring.way, bound, withheld)
        if scores is not None:
            yield Setting(setting, value, scores, rescoring.units)


def _weight(spelling: str) -> Fraction:
    try:
        return Fraction(spelling)
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"--weight {spelling}: write a number or a fraction, as 1/3") from None


def _priors(rescoring: Rescoring, asked: SensitivityParameters, withheld: list[SettingWithheld]) -> Iterator[Setting]:
    """Accuracy on other mixes of labels."""
    size = len(rescoring.way.labels)
    halves = ["/".join(f"{0.5 if at == label else 0.5 / (size - 1):g}" for at in range(size)) for label in range(size)]
    # Two-way, half for each label is the uniform mix again.
    for prior in asked.prior or ("uniform", *(halves if size > 2 else ())):
        try:
            priors(prior, size)
        except NotApplicable as reason:
            raise UsageError(f"--prior {prior}: {reason}") from None
        bound = measures["shifted_accuracy"].bind(prior=prior)
        scores = _try("prior", prior, rescoring.runs, rescoring.way, bound, withheld)
        if scores is not None:
            yield Setting("prior", prior, scores, rescoring.units, rescoring.measure.entry.name == "accuracy")


def _keys(rescoring: Rescoring, ballots: Ballots | None, withheld: list[SettingWithheld]) -> Iterator[Setting]:
    """Keys that other rules make from the same ballots."""
    key = rescoring.runs.key
    if ballots is None:
        withheld.append(SettingWithheld("key", "", "no ballots were given (--ballots FILE)"))
        return
    made, missing = alternative_keys(align_ballots(ballots, key), key)
    withheld += [SettingWithheld("key", name, reason) for name, reason in missing.items()]
    for one in made[1:]:
        codes = np.where(key.labels >= 0, one.codes, np.int8(-1))
        there, here = rescoring.scores(np.stack([rescoring.official(codes), codes]))
        yield Setting("key", one.name, here, int((codes >= 0).sum()), comparable=True, reference=there)


def _try(
    setting: str, value: str, runs: Responses, way: Way, measure: Bound, withheld: list[SettingWithheld]
) -> Floats | None:
    """The runs' scores, or the reason why there are none."""
    try:
        # A measure of rankings cannot be asked of a table; it is refused in the same words as elsewhere.
        if measure.facts["of"] is not Table:
            raise NotApplicable("it is a measure of rankings, which other labels leave as they are")
        return np.asarray(measure(runs.count(way)))
    except NotApplicable as reason:
        withheld.append(SettingWithheld(setting, value, str(reason)))
        return None


def _crossings(rescoring: Rescoring) -> list[CrossingPoint]:
    """Where two runs change places, solved: over the weight of decided F, and over the mix of labels."""
    table, names, way = rescoring.runs.count(rescoring.way), rescoring.runs.names, rescoring.way.name
    found = [
        CrossingPoint("prior", way, one.a, one.b, [list(point) for point in one.priors])
        for one in prior_crossings(names, table, way)
    ]
    if rescoring.way is THREE:
        found += [CrossingPoint("weight", way, a, b, [[at]]) for a, b, at in weight_crossings(names, table)]
    return found
