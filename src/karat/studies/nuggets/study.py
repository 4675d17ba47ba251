"""Nuggets (`karat nuggets`): answers scored by the nuggets they hold."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import msgspec
import numpy as np

from karat.arrays import EXACT_TOLERANCE, NAN, Floats
from karat.data.fields import Missing, known
from karat.data.nuggets import OKAY, OTHER, VITAL, Matches, Nuggets, pyramid
from karat.data.provenance import IN_MEMORY
from karat.data.ratings import Ratings
from karat.data.scores import RagMetrics
from karat.errors import Problems, UsageError
from karat.statistics.rank_correlation import tau
from karat.studies.base import study
from karat.studies.nuggets.charts import FIGURES
from karat.studies.nuggets.findings import FINDINGS
from karat.studies.nuggets.pilot import by_assessor, by_rating, compare_rankings
from karat.studies.nuggets.result import (
    Changed,
    NuggetCount,
    NuggetRun,
    NuggetScores,
    Reordered,
    StoredScore,
    UnscoredTopic,
)
from karat.studies.nuggets.scoring import (
    BY_LENGTH,
    NO_F,
    NO_LENGTH,
    PARTS,
    SCORES,
    UNSCORED,
    NuggetParameters,
    mean_over_lists,
    score_lists,
)
from karat.studies.qa.betas import beta_curves
from karat.studies.unit_means import Mean, plain_mean, unit_means


@study("nuggets", NuggetParameters, findings=FINDINGS, figures=FIGURES)
def nuggets(
    matches: Matches,
    asked: NuggetParameters,
    *,
    ratings: Ratings | None = None,
    stored: Sequence[RagMetrics] = (),
) -> NuggetScores:
    """Support of vital, weighted and all nuggets, strict and lenient, and the F that penalises length.

    `stored` are scores from elsewhere to compare with, one file per run, in the order of the runs.
    """
    if not matches.runs:
        raise UsageError("there are no runs to score")
    if asked.recall == "pyramid":
        matches = pyramid(matches)
    lists = score_lists(matches, asked)
    scores = mean_over_lists(lists)
    problems = Problems()
    _check_lengths(matches, scores["length"], problems)
    rankings = by_assessor(matches, lists, asked.beta)
    rated = [] if ratings is None else by_rating(ratings, asked.content)
    sources = (matches.nuggets.source, *matches.sources, *(one.source for one in stored))
    return NuggetScores(
        nuggets=_count(matches.nuggets),
        runs=_runs(matches, scores, asked),
        junk=list(matches.junk),
        changed=_changed(matches, asked),
        unscored=_unscored(matches, scores["vital"]),
        stored=_stored(matches, scores, stored),
        rankings=_reordered(scores) if len(matches.runs) > 1 else [],
        betas=beta_curves(matches.runs, lists["precision"], lists["recall"], asked.beta),
        assessors=rankings,
        ratings=rated,
        agreement=compare_rankings(rankings, rated),
        sources=[one for one in sources if one != IN_MEMORY],
        warnings=problems.warnings,
    )


def _check_lengths(matches: Matches, lengths: Floats, problems: Problems) -> None:
    """F needs the answers of all runs or of none; warn of single answers without a text."""
    unknown = np.isnan(lengths)
    if unknown.all():
        return
    for run in np.flatnonzero(unknown.all(axis=1)).tolist():
        found = f"no answers of run {matches.runs[run]!r}, so no lengths"
        problems.add("run-without", found, file="answers", what="the answers of all runs, or of none")
    problems.raise_errors()
    for run, topic in np.argwhere(unknown & matches.answered).tolist():
        found = f"no text of run {matches.runs[run]!r} on topic {matches.nuggets.units[topic]!r}"
        problems.add("no-text", found, file="answers")


def _unscored(matches: Matches, vital: Floats) -> list[UnscoredTopic]:
    """Topics that are left out of the means of all runs."""
    made = []
    for topic in np.flatnonzero(np.isnan(vital).any(axis=0)).tolist():
        absent = [run for run, judged in zip(matches.runs, matches.answered[:, topic], strict=True) if not judged]
        reason = f"nobody judged {', '.join(absent)} on it" if absent else "it has no vital nugget that is judged"
        made.append(UnscoredTopic(matches.nuggets.units[topic], reason))
    return made


def _stored(matches: Matches, scores: dict[str, Floats], stored: Sequence[RagMetrics]) -> list[StoredScore]:
    if stored and len(stored) != len(matches.runs):
        raise UsageError(f"{len(stored)} files of stored scores for {len(matches.runs)} runs: one for each, in order")
    made = []
    for at, (run, theirs) in enumerate(zip(matches.runs, stored, strict=False)):
        for name, by_topic in theirs.by_topic().items():
            ours = dict(zip(matches.nuggets.units, scores[name][at].tolist(), strict=True))
            apart = [abs(ours[topic] - value) for topic, value in by_topic.items() if topic in ours]
            apart = [one for one in apart if one == one]
            largest = max(apart, default=NAN)
            made.append(StoredScore(run, name, len(apart), sum(one <= EXACT_TOLERANCE for one in apart), largest))
    return made


def _count(listed: Nuggets) -> NuggetCount:
    vital, okay, other = (int((listed.importance == kind).sum()) for kind in (VITAL, OKAY, OTHER))
    return NuggetCount(len(listed.units), vital, okay, other, list(listed.without_vital()))


def _runs(matches: Matches, scores: dict[str, Floats], asked: NuggetParameters) -> list[NuggetRun]:
    means = {name: plain_mean(scores[name]).tolist() for name in (*SCORES, *PARTS, "length")}
    intervals = {name: unit_means(scores[name], asked.interval) for name in SCORES}
    topics = matches.nuggets.units
    scored = int((~np.isnan(scores["vital"]).any(axis=0)).sum())
    by_topic = {name: scores[name].tolist() for name in SCORES}
    for name in BY_LENGTH:
        intervals[name] = [one if one.value == one.value else Mean(*[Missing(NO_F)] * 3) for one in intervals[name]]
        by_topic[name] = [[known(one, f"{UNSCORED}, or {NO_LENGTH}") for one in row] for row in by_topic[name]]
    return [
        NuggetRun(
            run=run,
            **{name: values[at] for name, values in means.items()},
            interval={name: rows[at] for name, rows in intervals.items()},
            topics=scored,
            missing=len(topics) - scored,
            scores={name: dict(zip(topics, rows[at], strict=True)) for name, rows in by_topic.items()},
        )
        for at, run in enumerate(matches.runs)
    ]


def _changed(matches: Matches, asked: NuggetParameters) -> list[Changed]:
    """Every score that differs between leaving out labels without a meaning and counting them as no support."""
    out, zero = (
        mean_over_lists(score_lists(matches, msgspec.structs.replace(asked, missing=policy)))
        for policy in ("missing", "zero")
    )
    labels: dict[tuple[str, str], list[str]] = {}
    for junk in matches.junk:
        labels.setdefault((junk.run, junk.topic), []).append(f"{junk.what} {junk.label!r}")
    made = []
    for name in SCORES:
        differ = (out[name] != zero[name]) & ~(np.isnan(out[name]) & np.isnan(zero[name])) & matches.answered
        for at, topic in np.argwhere(differ).tolist():
            run, unit = matches.runs[at], matches.nuggets.units[topic]
            met = list(dict.fromkeys(labels.get((run, unit), ())))
            values = float(out[name][at, topic]), float(zero[name][at, topic])
            made.append(((at, topic), Changed(run, unit, name, *values, met)))
    return [change for _, change in sorted(made, key=lambda row: row[0])]


def _reordered(scores: dict[str, Floats]) -> list[Reordered]:
    means = {name: plain_mean(scores[name]) for name in SCORES}
    return [Reordered(a, b, float(tau(means[a], means[b]))) for a, b in combinations(SCORES, 2)]
