"""The ranking by each assessor, as compared in the definition pilot: by nuggets, and by rated content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Annotated, Any, Literal

import numpy as np

from karat.arrays import NAN, Floats
from karat.data.fields import Shown, Why
from karat.data.nuggets import Matches
from karat.data.ratings import Ratings
from karat.data.result import Column, Sheet
from karat.errors import UsageError
from karat.statistics.rank_correlation import best_first, tau
from karat.studies.nuggets.scoring import NO_F, NO_LENGTH
from karat.studies.qa.betas import BetaCurves, beta_curves
from karat.studies.unit_means import plain_mean

CONTENT, ORGANISATION = "content", "organisation"
Kind = Literal["f", "recall", "ratings"]
RANKED_BY: dict[Kind, str] = {
    "f": "the F of each assessor's own list",
    "recall": "recall of each assessor's own list, since lengths are not known",
    "ratings": "the weighted sum of content and organisation",
}
"""What the runs are ranked by, in words."""
NOT_COMPARED = "fewer than two runs are in both rankings, a run has no score, or all runs of one are tied"


def _no_betas(ranking: Any, _: object) -> str:
    return "ratings know no β" if ranking.of == "ratings" else NO_F


@dataclass(frozen=True)
class AssessorRanking:
    """The ranking of the runs by one assessor."""

    assessor: str
    of: Kind
    """The F of nuggets, their recall if lengths are unknown, or the weighted sum of ratings."""
    scores: dict[str, float]
    ranking: list[str]
    length: Annotated[dict[str, float], Why(NO_LENGTH)]
    """The mean length of each run's answers; empty for ratings."""
    betas: Annotated[BetaCurves | None, Why(_no_betas)]
    """F by this assessor's list as a function of β."""

    @property
    def name(self) -> str:
        """The name of the assessor, who may be anonymous."""
        return self.assessor or "the assessor"


@dataclass(frozen=True)
class RankingPair:
    """Two rankings of the same runs."""

    a: str
    b: str
    tau: Annotated[float, Why(NOT_COMPARED)]
    pearson: Annotated[float, Shown("Pearson"), Why(NOT_COMPARED)]


def by_assessor(matches: Matches, lists: Mapping[str, Floats], beta: float) -> list[AssessorRanking]:
    """F of every run by each assessor's own list (from `score_lists`); recall if lengths are unknown."""
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


def by_rating(ratings: Ratings, weight: float) -> list[AssessorRanking]:
    """The weighted sum of content and organisation, averaged over the answers that each assessor rated."""
    for name in (CONTENT, ORGANISATION):
        if name not in ratings.criteria:
            there = ", ".join(ratings.criteria)
            raise UsageError(f"ratings need the columns {CONTENT} and {ORGANISATION}; there are {there}")
    mixed = weight * ratings.criterion(CONTENT) + (1 - weight) * ratings.criterion(ORGANISATION)
    rows = zip(ratings.assessors, ratings.means(mixed), strict=True)
    return [_ranking(assessor, "ratings", ratings.runs, row, {}, None) for assessor, row in rows]


def _ranking(
    assessor: str, of: Kind, runs: Sequence[str], scores: Floats, lengths: dict[str, float], betas: BetaCurves | None
) -> AssessorRanking:
    ranking = [runs[place] for place in best_first(scores)]
    return AssessorRanking(assessor, of, dict(zip(runs, scores.tolist(), strict=True)), ranking, lengths, betas)


def assessor_sheet(title: str, rankings: Sequence[AssessorRanking]) -> Sheet:
    """One row per run, best first by the first assessor; one column per assessor, and the mean length if known."""
    runs = rankings[0].ranking
    columns = [Column("run", runs)]
    columns += [Column(one.name, [one.scores[run] for run in runs]) for one in rankings]
    same = all(one.length == rankings[0].length for one in rankings)  # assessors of the same questions
    for one in rankings[:1] if same else rankings:
        if any(length == length for length in one.length.values()):
            name = "length" if same else f"length, {one.name}"
            columns.append(Column(name, [one.length[run] for run in runs], 0, "mean over questions"))
    orders = "; ".join(f"{one.name} {' '.join(one.ranking)}" for one in rankings)
    return Sheet(title, tuple(columns), (f"By {RANKED_BY[rankings[0].of]}. Rankings: {orders}.",))


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
