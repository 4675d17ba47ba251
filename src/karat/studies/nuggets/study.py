"""Nuggets (`karat nuggets`): answers scored by the nuggets they hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations, product
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import EXACT_TOLERANCE, NAN, Floats
from karat.data.fields import Missing, known
from karat.data.importance import pyramid
from karat.data.nugget_counts import NuggetCounts, count_nuggets
from karat.data.nuggets import NEITHER, OKAY, VITAL, Matches, Nuggets
from karat.data.parameters import IntervalOption
from karat.data.provenance import IN_MEMORY
from karat.data.ratings import Ratings
from karat.data.scores import RagMetrics
from karat.errors import Problems, UsageError, counted
from karat.measures.nuggets import (
    all_support,
    nugget_f,
    nugget_precision,
    nugget_recall,
    vital_support,
    weighted_support,
)
from karat.statistics.rank_correlation import best_first, tau
from karat.studies.base import study
from karat.studies.nuggets.findings import FIGURES, FINDINGS
from karat.studies.nuggets.parameters import AllowanceOption, BetaOption, LengthOption, MissingOption, RecallOption
from karat.studies.nuggets.parts import NuggetPart
from karat.studies.nuggets.result import (
    BY_LENGTH,
    F_PARTS,
    NO_F,
    NO_LENGTH,
    NUGGET_SCORES,
    UNSCORED,
    AssessorRanking,
    Changed,
    Kind,
    NuggetCount,
    NuggetRun,
    NuggetScores,
    RankingPair,
    Reordered,
    StoredScore,
    UnscoredTopic,
)
from karat.studies.unit_means import BetaCurves, Mean, beta_curves, mean_of_defined, plain_mean, unit_means

CONTENT, ORGANISATION = "content", "organisation"


class NuggetParameters(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of `nuggets`."""

    beta: BetaOption = 3.0
    length: LengthOption = "characters"
    allowance: AllowanceOption = 100.0
    recall: RecallOption = "vital"
    missing: MissingOption = "missing"
    content: Annotated[float, Meta(description="weight of content relative to organisation in ratings", ge=0, le=1)] = (
        0.75
    )
    by: Annotated[
        tuple[str, ...],
        Meta(description="an attribute of the nuggets to slice by, such as sub-narratives", examples=["NAME"]),
    ] = ()
    interval: IntervalOption = 0.95


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
    lists = _score_lists(matches, asked)
    scores = _mean_over_lists(lists)
    problems = Problems()
    _check_lengths(matches, scores["length"], problems)
    rankings = _by_assessor(matches, lists, asked.beta)
    rated = [] if ratings is None else _by_rating(ratings, asked.content)
    sources = (matches.nuggets.source, *matches.sources, *(one.source for one in stored))
    return NuggetScores(
        nuggets=_count(matches.nuggets),
        runs=_runs(matches, scores, asked),
        junk=list(matches.junk),
        changed=_changed(matches, asked),
        unscored=_unscored(matches, scores["vital"]),
        parts=[part for name in dict.fromkeys(asked.by) for part in _parts(matches, name, asked)],
        stored=_stored(matches, scores, stored),
        rankings=_reordered(scores) if len(matches.runs) > 1 else [],
        betas=beta_curves(matches.runs, lists["precision"], lists["recall"], asked.beta),
        assessors=rankings,
        ratings=rated,
        agreement=compare_rankings(rankings, rated),
        sources=[one for one in sources if one != IN_MEMORY],
        warnings=problems.warnings,
    )


def _parts(matches: Matches, name: str, asked: NuggetParameters) -> list[NuggetPart]:
    """The scores of every run on the nuggets of a topic with each value of an attribute."""
    parted, parts = matches.by(name)
    scores = topic_scores(parted, asked)
    listed = parted.nuggets
    vital, okay = (
        np.bincount(listed.topic[listed.importance == kind], minlength=len(parts)).tolist() for kind in (VITAL, OKAY)
    )
    by_run = {
        score: [dict(zip(matches.runs, column, strict=True)) for column in scores[score].T.tolist()]
        for score in NUGGET_SCORES
        if score not in BY_LENGTH
    }
    return [
        NuggetPart(
            by=name,
            value=value,
            topic=matches.nuggets.units[topic],
            vital=vital[at],
            okay=okay[at],
            scores={score: rows[at] for score, rows in by_run.items()},
        )
        for at, (topic, value) in enumerate(parts)
    ]


def _check_lengths(matches: Matches, lengths: Floats, problems: Problems) -> None:
    """F needs the answers of all runs or of none; warn of single answers without a text."""
    unknown = np.isnan(lengths)
    if not matches.texts:
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
        reason = f"nobody judged {', '.join(absent)} on it" if absent else "it has no judged vital nugget"
        made.append(UnscoredTopic(matches.nuggets.units[topic], reason))
    return made


def _stored(matches: Matches, scores: dict[str, Floats], stored: Sequence[RagMetrics]) -> list[StoredScore]:
    if stored and len(stored) != len(matches.runs):
        raise UsageError(
            f"{counted(len(stored), 'file')} of stored scores for {counted(len(matches.runs), 'run')}: give one for "
            "each, in order"
        )
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
    vital, okay, other = (int((listed.importance == kind).sum()) for kind in (VITAL, OKAY, NEITHER))
    return NuggetCount(len(listed.units), vital, okay, other, list(listed.without_vital()))


def _runs(matches: Matches, scores: dict[str, Floats], asked: NuggetParameters) -> list[NuggetRun]:
    means = {name: plain_mean(scores[name]).tolist() for name in (*NUGGET_SCORES, *F_PARTS, "length")}
    intervals = {name: unit_means(scores[name], asked.interval) for name in NUGGET_SCORES}
    topics = matches.nuggets.units
    scored = int((~np.isnan(scores["vital"]).any(axis=0)).sum())
    by_topic = {name: scores[name].tolist() for name in NUGGET_SCORES}
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
            contradicted=0 if matches.contradicted is None else int(matches.contradicted[at].sum()),
            scores={name: dict(zip(topics, rows[at], strict=True)) for name, rows in by_topic.items()},
        )
        for at, run in enumerate(matches.runs)
    ]


def _changed(matches: Matches, asked: NuggetParameters) -> list[Changed]:
    """Every score that differs between leaving out labels without a meaning and counting them as no support."""
    out, zero = (
        topic_scores(matches, msgspec.structs.replace(asked, missing=policy)) for policy in ("missing", "zero")
    )
    labels: dict[tuple[str, str], list[str]] = {}
    for junk in matches.junk:
        labels.setdefault((junk.run, junk.topic), []).append(f"{junk.what} {junk.label!r}")
    made = []
    for name in NUGGET_SCORES:
        differ = (out[name] != zero[name]) & ~(np.isnan(out[name]) & np.isnan(zero[name])) & matches.answered
        for at, topic in np.argwhere(differ).tolist():
            run, unit = matches.runs[at], matches.nuggets.units[topic]
            met = list(dict.fromkeys(labels.get((run, unit), ())))
            values = float(out[name][at, topic]), float(zero[name][at, topic])
            made.append(((at, topic), Changed(run, unit, name, *values, met)))
    return [change for _, change in sorted(made, key=lambda row: row[0])]


def _reordered(scores: dict[str, Floats]) -> list[Reordered]:
    means = {name: plain_mean(scores[name]) for name in NUGGET_SCORES}
    return [Reordered(a, b, float(tau(means[a], means[b]))) for a, b in combinations(NUGGET_SCORES, 2)]


def _measures(asked: NuggetParameters) -> Mapping[str, Callable[[NuggetCounts], Floats]]:
    f = partial(nugget_f, beta=asked.beta, recall=asked.recall, allowance=asked.allowance)
    return {
        "strict_vital": partial(vital_support, strict=True),
        "vital": vital_support,
        "strict_weighted": partial(weighted_support, strict=True),
        "weighted": weighted_support,
        "strict_all": partial(all_support, strict=True),
        "all": all_support,
        "f": f,
        "strict_f": partial(f, strict=True),
        "recall": partial(nugget_recall, recall=asked.recall),
        "precision": partial(nugget_precision, allowance=asked.allowance),
    }


def topic_scores(matches: Matches, asked: NuggetParameters) -> dict[str, Floats]:
    """Every score (runs, topics); NaN if a topic is not scored for a run."""
    return _mean_over_lists(_score_lists(matches, asked))


def _mean_over_lists(lists: Mapping[str, Floats]) -> dict[str, Floats]:
    """Every score (runs, topics); the mean over assessors if a topic has several lists."""
    return {name: mean_of_defined(values) for name, values in lists.items()}


def _score_lists(matches: Matches, asked: NuggetParameters) -> dict[str, Floats]:
    """Every score by every assessor's list (lists, runs, topics); NaN if an assessor has no list for a topic.

    A list against which some run was not judged cannot compare runs: it is left out of that topic.
    """
    assessors = matches.nuggets.assessors
    lists = [matches.of(one) for one in assessors] if len(assessors) > 1 else [matches]
    parts = [count_nuggets(one, asked.missing, asked.length) for one in lists]
    scores = {name: np.stack([measure(one) for one in parts]) for name, measure in _measures(asked).items()}
    if len(lists) > 1:
        shared = np.stack([one.nuggets.listed & one.judged.all(axis=0) for one in lists])[:, None]
        scores = {name: np.where(shared, values, np.nan) for name, values in scores.items()}
    return scores | {"length": np.stack([one.length for one in parts])}


def _by_assessor(matches: Matches, lists: Mapping[str, Floats], beta: float) -> list[AssessorRanking]:
    """F of every run by each assessor's own list (from `_score_lists`); recall if lengths are unknown."""
    made = []
    for at, assessor in enumerate(matches.nuggets.assessors):
        means = {name: plain_mean(lists[name][at]) for name in ("f", "recall")}
        of: Kind = "recall" if np.isnan(means["f"]).all() else "f"
        scored = ~np.isnan(lists["recall"][at]).any(axis=0)
        lengths = dict(zip(matches.runs, plain_mean(lists["length"][at][:, scored]).tolist(), strict=True))
        alone = slice(at, at + 1)
        curves = beta_curves(matches.runs, lists["precision"][alone], lists["recall"][alone], beta)
        made.append(_ranking(assessor, of, matches.runs, means[of], lengths, curves if of == "f" else None))
    return made


def _by_rating(ratings: Ratings, weight: float) -> list[AssessorRanking]:
    """The weighted sum of content and organisation, averaged over the answers that each assessor rated."""
    for name in (CONTENT, ORGANISATION):
        if name not in ratings.criteria:
            there = ", ".join(ratings.criteria)
            raise UsageError(f"ratings need the columns {CONTENT} and {ORGANISATION}; there are {there}")
    rows = zip(ratings.assessors, ratings.means(weighted_rating(ratings, weight)), strict=True)
    return [_ranking(assessor, "ratings", ratings.runs, row, {}, None) for assessor, row in rows]


def weighted_rating(ratings: Ratings, weight: float) -> Floats:
    """The weighted sum of content and organisation, one for each rating."""
    return weight * ratings.criterion(CONTENT) + (1 - weight) * ratings.criterion(ORGANISATION)


def _ranking(
    assessor: str, of: Kind, runs: Sequence[str], scores: Floats, lengths: dict[str, float], betas: BetaCurves | None
) -> AssessorRanking:
    ranking = [runs[place] for place in best_first(scores)]
    return AssessorRanking(assessor, of, dict(zip(runs, scores.tolist(), strict=True)), ranking, lengths, betas)


def compare_rankings(nuggets: Sequence[AssessorRanking], ratings: Sequence[AssessorRanking]) -> list[RankingPair]:
    """Every two assessors by nuggets, every two by ratings, and every rating with every list of nuggets."""
    named = [(one, f"nuggets of {one.name}") for one in nuggets]
    rated = [(one, f"ratings of {one.name}") for one in ratings]
    pairs = [*combinations(named, 2), *combinations(rated, 2), *product(rated, named)]
    made = []
    for (one, first), (other, second) in pairs:
        shared = [run for run in one.scores if run in other.scores]
        a, b = (np.array([ranking.scores[run] for run in shared]) for ranking in (one, other))
        defined = len(shared) > 1 and not np.isnan([a, b]).any()
        pearson = float(np.corrcoef(a, b)[0, 1]) if defined and a.std() > 0 and b.std() > 0 else NAN
        made.append(RankingPair(first, second, float(tau(a, b)) if defined else NAN, pearson))
    return made
