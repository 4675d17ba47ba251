"""Sensitivity: how the ranking depends on choices that could have been made differently (`karat sensitivity`).

A setting has a name, a value and a score for every run; any choice of that form can be added.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta

from karat.align.ballots import align_ballots
from karat.arrays import Floats
from karat.data.answers import Answers
from karat.data.ballots import Ballots
from karat.data.importance import other_importance
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
from karat.studies.qa.given import Given, parts_of
from karat.studies.qa.parameters import AS_USUAL, QaParameters, rank_name
from karat.studies.qa.scoring import QuestionScores
from karat.studies.rankings import prior_crossings, weight_crossings
from karat.studies.scorer import Scorer
from karat.studies.sensitivity.result import (
    FIGURES,
    FINDINGS,
    CrossingPoint,
    Sensitivity,
    Setting,
    SettingWithheld,
    scored_settings,
)
from karat.studies.unit_means import beta_curves, plain_mean

TRIMMED_SHARE = 0.2
"""The share of units trimmed at either end of a run's scores."""
MIDDLE = (
    "there are only two different scores, so medians and trimmed means are mostly one of the two, and most runs tie"
)
BEATEN = "there are only two different scores, so this ranks runs as the mean does"
OTHER_MEASURES = ("accuracy", "mean_recall", "kappa", "information")


class SensitivityParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `sensitivity`."""

    way: OneWayOption = "auto"
    measure: Annotated[str, Meta(description="the measure of the official ranking")] = "accuracy"
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
    """The ranking of runs, of a score matrix, or of answers to questions under every setting.

    It also solves for the points at which two runs swap ranks. `scoring` has the official choices for questions, as
    `qa` takes them.
    """
    if questions is not None and answers is not None and runs is None:
        if asked != SensitivityParameters() or ballots is not None:
            raise UsageError("measures, label mixes and keys apply to pairs; for questions, leave these options out")
        return of_questions(Given.of(questions, answers, verdicts, matches, patterns, scoring), scoring)
    if runs is None or questions is not None or answers is not None:
        raise UsageError("give runs or a score matrix, or else questions and the answers to them")
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
        comparable = scorer.measure.entry.name == "accuracy"
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
            made.append(_setting(choice, value, _units(given, given.score(other), other), official))
    for name, matches in ({} if given.matches is None else other_importance(given.matches)).items():
        changed = replace(given, matches=matches)
        made.append(_setting("nuggets", name, _units(changed, changed.score(asked), asked), official))
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
