"""Nuggets (`karat nuggets`): answers scored by the nuggets they hold, all scores side by side."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from karat.data.nuggets import OKAY, OTHER, VITAL, Matches, Nuggets
from karat.data.ratings import Ratings
from karat.data.source import IN_MEMORY
from karat.errors import DataError, Problems, UsageError
from karat.statistics.rank_correlation import tau
from karat.studies.base import study
from karat.studies.nuggets import findings as findings  # files its sentences
from karat.studies.nuggets.pilot import by_assessor, by_rating, compare_rankings
from karat.studies.nuggets.result import Changed, NuggetCount, NuggetRun, NuggetScores, Reordered
from karat.studies.nuggets.scoring import PARTS, SCORES, NuggetParameters, score_lists, score_nuggets
from karat.studies.qa.betas import beta_curves
from karat.studies.unit_means import mean_of_defined, plain_mean, unit_means

Floats = NDArray[np.float64]


@study("nuggets", NuggetParameters)
def nuggets(matches: Matches, asked: NuggetParameters, *, ratings: Ratings | None = None) -> NuggetScores:
    """Support of vital, weighted and all nuggets, strict and not, and the F that punishes length."""
    if not matches.runs:
        raise UsageError("there are no runs to score")
    lists = score_lists(matches, asked)
    scores = {name: mean_of_defined(values) for name, values in lists.items()}
    _check_lengths(matches.runs, scores["length"])
    rankings = by_assessor(matches, lists, asked.beta)
    rated = [] if ratings is None else by_rating(ratings, asked.content)
    return NuggetScores(
        nuggets=_count(matches.nuggets),
        runs=_runs(matches, scores, asked),
        junk=list(matches.junk),
        changed=_changed(matches, asked),
        rankings=_reordered(scores) if len(matches.runs) > 1 else [],
        betas=beta_curves(matches.runs, lists["precision"], lists["recall"], asked.beta),
        assessors=rankings,
        ratings=rated,
        agreement=compare_rankings(rankings, rated),
        sources=[one for one in (matches.nuggets.source, *matches.sources) if one != IN_MEMORY],
        warnings=tuple(dict.fromkeys([*matches.nuggets.warnings, *matches.warnings])),
    )


def _check_lengths(runs: tuple[str, ...], lengths: Floats) -> None:
    """F compares runs whose answers are all known, or is not there at all."""
    known = ~np.isnan(lengths).all(axis=1)
    if known.any() and not known.all():
        problems = Problems()
        for run in np.flatnonzero(~known).tolist():
            found = f"no answers of run {runs[run]!r}, so no lengths"
            problems.add("run-without", found, file="answers", what="the answers of all runs, or of none")
        raise DataError(problems)


def _count(listed: Nuggets) -> NuggetCount:
    vital, okay, other = (int((listed.importance == kind).sum()) for kind in (VITAL, OKAY, OTHER))
    return NuggetCount(len(listed.units), vital, okay, other, list(listed.without_vital()))


def _runs(matches: Matches, scores: dict[str, Floats], asked: NuggetParameters) -> list[NuggetRun]:
    means = {name: plain_mean(scores[name]).tolist() for name in (*SCORES, *PARTS, "length")}
    intervals = {name: unit_means(scores[name], asked.interval) for name in SCORES}
    topics = matches.nuggets.units
    scored = (~np.isnan(scores["vital"])).sum(axis=1).tolist()
    return [
        NuggetRun(
            run=run,
            **{name: values[at] for name, values in means.items()},
            interval={name: rows[at] for name, rows in intervals.items()},
            topics=scored[at],
            missing=len(topics) - scored[at],
            scores={name: dict(zip(topics, scores[name][at].tolist(), strict=True)) for name in SCORES},
        )
        for at, run in enumerate(matches.runs)
    ]


def _changed(matches: Matches, asked: NuggetParameters) -> list[Changed]:
    """Every score that comes out otherwise with what means nothing left out than with it as no support."""
    out, zero = (score_nuggets(matches, asked, policy) for policy in ("missing", "zero"))
    labels: dict[tuple[str, str], list[str]] = {}
    for junk in matches.junk:
        labels.setdefault((junk.run, junk.topic), []).append(f"{junk.what} {junk.label!r}")
    made = []
    for name in SCORES:
        differ = (out[name] != zero[name]) & ~(np.isnan(out[name]) & np.isnan(zero[name]))
        for at, topic in np.argwhere(differ).tolist():
            run, unit = matches.runs[at], matches.nuggets.units[topic]
            said = list(dict.fromkeys(labels.get((run, unit), ())))
            one, other = float(out[name][at, topic]), float(zero[name][at, topic])
            made.append(((at, topic), Changed(run, unit, name, one, other, said)))
    return [change for _, change in sorted(made, key=lambda row: row[0])]


def _reordered(scores: dict[str, Floats]) -> list[Reordered]:
    """Tau between the rankings of any two scores."""
    means = {name: plain_mean(scores[name]) for name in SCORES}
    return [Reordered(a, b, float(tau(means[a], means[b]))) for a, b in combinations(SCORES, 2)]
