"""Rankings, as all studies compare them: how another key or measure changes them, and where two runs swap ranks."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any, NamedTuple

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Floats
from karat.data.charts import Dots, Heat, Series
from karat.data.fields import Shown, Why
from karat.data.tables import Table
from karat.kernels.counting import divide
from karat.measures.contingency import decided_precision_recall
from karat.statistics.rank_correlation import (
    best_first,
    largest_move,
    pair_orders,
    ranks,
    tau,
    tau_ap,
    tau_ap_b,
    tau_b,
    tied,
)
from karat.studies.wording import MOST_ROWS, of_all

MOST_LINES = 30
"""The most runs in a grid of ranks."""
ONE_RUN = "there is only one run"
NO_SCORE = "a run has no score"
UNMEASURED = "the measure is undefined on this run's answers"
TIED_NOTE = (
    "Runs are tied in the official ranking: tau counts a tied pair as neither concordant nor discordant, so it cannot "
    "be 1."
)
RANKING_COLUMNS = "tau tau_b tau_ap tau_ap_b swapped tied largest_move"
"""The columns that every study shows of a comparison of rankings."""


@dataclass(frozen=True)
class RankSwap:
    """Two runs that swap ranks: a is better officially, b here. Differences are the score of a minus that of b."""

    a: Annotated[str, Shown("officially better")]
    b: Annotated[str, Shown("better here")]
    official: Annotated[float, Shown("by", unit="{it.in_points}")]
    here: float

    @property
    def lead_here(self) -> Annotated[float, Shown("here by", unit="{it.in_points}")]:
        """By how much b is better here."""
        return -self.here


def _no_coefficient(change: Any) -> str:
    if len(change.scores) < 2:
        return ONE_RUN
    # Ties leave the plain tau defined.
    return NO_SCORE if change.tau != change.tau else "all runs of a ranking are tied"


def _no_change(change: Any) -> str:
    return "the scores are of different measures" if change.tau == change.tau else NO_SCORE


Unranked = Why(_no_coefficient)


@dataclass(frozen=True)
class RankingChange:
    """One ranking compared with the official one."""

    ranking: list[str]
    """Best first; tied runs in their original order."""
    scores: Annotated[dict[str, float], Why(UNMEASURED)]
    tau: Annotated[
        float,
        Shown(
            digits=3,
            note="Kendall's tau to the official ranking: concordant minus discordant pairs of runs, over all pairs",
        ),
        Unranked,
    ]
    tau_b: Annotated[float, Shown("tau-b", 3, note="tau with tied pairs excluded from the denominator"), Unranked]
    tau_ap: Annotated[
        float,
        Shown("tau-AP", 3, note="AP correlation with the official ranking as reference: changes at the top count more"),
        Unranked,
    ]
    tau_ap_reversed: Annotated[
        float, Shown("tau-AP, reversed", 3, note="AP correlation with this ranking as reference"), Unranked
    ]
    tau_ap_b: Annotated[
        float, Shown("tau-AP-b", 3, note="AP correlation for rankings with ties, neither being the reference"), Unranked
    ]
    tied: Annotated[int, Shown("ties", note="pairs of runs with the same score")]
    """Pairs of runs with the same score."""
    swaps: list[RankSwap]
    largest_move: Annotated[float, Shown("largest move", 1, "the largest change of any run's rank"), Unranked]
    """The largest change of any run's rank."""
    largest_change: Annotated[
        float,
        Shown(
            note="the largest change of any run's score, compared with the official one on the same units",
            unit="{it.in_points}",
        ),
        Why(_no_change),
    ]
    """The largest change of any run's score, up or down; NaN if the scores are of different measures."""
    changed_run: Annotated[str | None, Why("no change of score is known")]

    @property
    def swapped(self) -> Annotated[int, Shown("swaps", note="pairs of runs that swap ranks")]:
        """The number of pairs of runs that swap ranks."""
        return len(self.swaps)


def ranking_change(names: Sequence[str], official: Floats, here: Floats, comparable: bool = True) -> RankingChange:
    """Scores (runs,) compared with the official ones; `comparable` says that both are of the same measure."""
    first, second = np.triu_indices(len(names), 1)
    swapped = np.flatnonzero(pair_orders(official) * pair_orders(here) < 0)
    apart = np.abs(here - official)
    known = comparable and not np.isnan(apart).all()
    return RankingChange(
        ranking=[names[place] for place in best_first(here)],
        scores=dict(zip(names, here.tolist(), strict=True)),
        tau=float(tau(official, here)),
        tau_b=float(tau_b(official, here)),
        tau_ap=float(tau_ap(official, here)),
        tau_ap_reversed=float(tau_ap(here, official)),
        tau_ap_b=float(tau_ap_b(official, here)),
        tied=int(tied(here)),
        swaps=[_swap(names, official, here, int(first[pair]), int(second[pair])) for pair in swapped],
        largest_move=float(largest_move(official, here)),
        largest_change=float(np.nanmax(apart)) if known else float("nan"),
        changed_run=names[int(np.nanargmax(apart))] if known else None,
    )


def _swap(names: Sequence[str], official: Floats, here: Floats, a: int, b: int) -> RankSwap:
    if official[a] < official[b]:
        a, b = b, a
    return RankSwap(names[a], names[b], float(official[a] - official[b]), float(here[a] - here[b]))


def tied_note(whole: Mapping[str, float], parts: Mapping[str, Mapping[str, float]]) -> list[str]:
    """A note that ties in the official scores limit tau: on all units, or on those of the parts that it names."""
    if _any_tied(whole):
        return [TIED_NOTE]
    some = [name for name, scores in parts.items() if _any_tied(scores)]
    where = f"On the units of {', '.join(some)}, runs are tied in the official ranking, so tau cannot be 1 there."
    return [where] if some else []


def _any_tied(scores: Mapping[str, float]) -> bool:
    return bool(tied(np.array(list(scores.values()))))


def best(scores: Mapping[str, float], most: int = MOST_ROWS) -> list[str]:
    """At most `most` runs, best first; those without a score come last."""
    names = list(scores)
    order = best_first(np.array(list(scores.values()), dtype=np.float64)).tolist()
    return [names[place] for place in islice(order, most)]


def places(scores: Mapping[str, float]) -> dict[str, float]:
    """The rank of every run by its score: 1 is the best, tied runs share their mean rank, NaN without a score."""
    return dict(zip(scores, ranks(np.array(list(scores.values()), dtype=np.float64)).tolist(), strict=True))


class ScoredRanking(NamedTuple):
    """Scores that give a ranking, and the official scores on the same units."""

    name: str
    scores: Mapping[str, float]
    official: Mapping[str, float]


def rank_grid(
    title: str, rankings: Sequence[ScoredRanking], axes: tuple[str, str], official_is: str = "in the official ranking"
) -> Heat:
    """One row per run with its rank in each of several rankings, the first of which is official and gives the order."""
    official = rankings[0].scores
    drawn = best(official, MOST_LINES)
    placed = [(places(one.scores), places(one.official)) for one in rankings]
    columns = [Series(one.name, [here[run] for run in drawn]) for one, (here, _) in zip(rankings, placed, strict=True)]
    moved = [
        (row, column)
        for column, (here, before) in enumerate(placed)
        for row, run in enumerate(drawn)
        if abs(here[run] - before[run]) > EXACT_TOLERANCE
    ]
    known = [place for column in columns for place in column.values if place == place]
    return Heat(
        title=title,
        note=of_all(drawn, len(official)),
        labels=tuple(drawn),
        series=tuple(columns),
        axes=axes,
        low=max([2.0, *known]),
        high=1.0,
        digits=None,
        marked=frozenset(moved),
        mark=f"not the rank {official_is} of the same units",
    )


def tau_dots(rankings: Sequence[tuple[str, RankingChange]]) -> Iterable[Dots]:
    """The similarity of rankings to the official one, each under its name; no chart if all are undefined.

    By the coefficients that allow for ties: a ranking with the same ties as the official one is identical to it.
    """
    changes = [one for _, one in rankings]
    by_name = Series("tau-b", [one.tau_b for one in changes]), Series("tau-AP-b", [one.tau_ap_b for one in changes])
    if any(value == value for one in by_name for value in one.values):
        yield Dots(
            title="Similarity to the official ranking",
            labels=tuple(name for name, *_ in rankings),
            series=by_name,
            axis="rank correlation with the official ranking",
        )


@dataclass(frozen=True)
class Crossing:
    """Priors (in label order) at which runs a and b are equally accurate.

    Two-way, it is a single point. Three-way, it is a line through the triangle of priors, given by its ends.
    """

    a: str
    b: str
    way: str
    priors: tuple[tuple[float, ...], ...]


def prior_crossings(names: tuple[str, ...], table: Table, way: str) -> list[Crossing]:
    """Every pair of runs whose order depends on the label mix, solved exactly: accuracy is linear in the priors."""
    recalls = divide(table.diagonal, table.key)
    return [
        Crossing(names[a], names[b], way, points)
        for a, b in itertools.combinations(range(len(names)), 2)
        if (points := _zeros(recalls[a] - recalls[b]))
    ]


def _zeros(apart: Floats) -> tuple[tuple[float, ...], ...]:
    """Where a linear function with these values at the corners of the triangle of priors is 0 on its border."""
    apart = np.where(np.abs(apart) < EXACT_TOLERANCE, 0.0, apart)
    if not ((apart > 0).any() and (apart < 0).any()):
        return ()
    corners = np.eye(len(apart))
    points = [corners[i] for i in range(len(apart)) if apart[i] == 0]
    for i, j in itertools.combinations(range(len(apart)), 2):
        if apart[i] * apart[j] < 0:
            share = apart[j] / (apart[j] - apart[i])
            points.append(share * corners[i] + (1 - share) * corners[j])
    return tuple(tuple(point.tolist()) for point in points)


def weight_crossings(names: tuple[str, ...], table: Table) -> list[tuple[str, str, float]]:
    """(a, b, w): a, which has the higher precision, is better below w, and b above. Takes three-way tables.

    In F = (1+w)PR/(wP+R) the factor 1+w cancels from F(a) = F(b), and the rest is linear in w:
    w = R(a)R(b)(P(a) − P(b)) / P(a)P(b)(R(b) − R(a)). So two runs cross at most once, and only if one has the higher
    precision and the other the higher recall. A run without a right decision has F = 0 at every weight.
    """
    precision, recall = (np.nan_to_num(side) for side in decided_precision_recall(table))
    found = []
    for one, other in itertools.combinations(range(len(names)), 2):
        a, b = (one, other) if precision[one] > precision[other] else (other, one)
        ahead, behind = precision[a] - precision[b], recall[b] - recall[a]
        if min(ahead, behind) > EXACT_TOLERANCE and precision[b] > 0 and recall[a] > 0:
            at = recall[a] * recall[b] * ahead / (precision[a] * precision[b] * behind)
            found.append((names[a], names[b], float(at)))
    return found
