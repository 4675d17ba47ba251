"""What another key, fold or measure does to a ranking: one shape for every study that asks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from karat.data.result import Undefined
from karat.statistics.rank_correlation import (
    best_first,
    largest_move,
    pair_orders,
    tau,
    tau_ap,
    tau_ap_b,
    tau_b,
    tied,
)

Floats = NDArray[np.float64]
COEFFICIENTS = {
    "tau": "Kendall's tau to the official ranking: pairs of runs in the same order less the others, over all",
    "tau_b": "tau with tied pairs taken out of the denominator",
    "tau_ap": "AP correlation, the official ranking as reference: changes at the top count more",
    "tau_ap_reversed": "AP correlation with this ranking as reference",
    "tau_ap_b": "AP correlation between peers, ties meaning ties",
}

TIED_NOTE = "Runs are tied in the official ranking: tau counts a tied pair as neither way round, so it cannot reach 1."


@dataclass(frozen=True)
class Swap:
    """Two runs that change places: officially a is better, here b. Differences are score of a less score of b."""

    a: str
    b: str
    official: float
    here: float


@dataclass(frozen=True)
class RankingChange:
    """One ranking against the official one."""

    ranking: list[str]
    """Best first; tied runs in their own order."""
    scores: dict[str, float]
    tau: float
    tau_b: float
    tau_ap: float
    tau_ap_reversed: float
    tau_ap_b: float
    tied: int
    """Pairs of runs with the same score."""
    swaps: list[Swap]
    largest_move: float
    """Ranks by which the run that moves most moves."""
    largest_change: float
    """Of any run's score, up or down; NaN where the scores are of different measures."""
    changed_run: str | None


def ranking_change(names: Sequence[str], official: Floats, here: Floats, comparable: bool = True) -> RankingChange:
    """Scores (runs,) against the official ones; `comparable` says that both are of one measure."""
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


def _swap(names: Sequence[str], official: Floats, here: Floats, a: int, b: int) -> Swap:
    if official[a] < official[b]:
        a, b = b, a
    return Swap(names[a], names[b], float(official[a] - official[b]), float(here[a] - here[b]))


def why_undefined(change: RankingChange, official: Floats, at: tuple[str | int, ...]) -> Iterable[Undefined]:
    """The reason beside every NaN of a comparison."""
    if len(change.scores) < 2:
        reason = "there is one run only"
    elif np.isnan(official).any() or any(score != score for score in change.scores.values()):
        reason = "a run has no score"
    else:
        reason = "all runs of a ranking are tied"
    for name, score in change.scores.items():
        if score != score:
            yield Undefined.at(*at, "scores", name, reason="the measure is undefined on this run's answers")
    for field in (*COEFFICIENTS, "largest_move"):
        if (value := getattr(change, field)) != value:
            yield Undefined.at(*at, field, reason=reason)
    if change.largest_change != change.largest_change:
        reason = "the scores are of different measures" if change.tau == change.tau else "a run has no score"
        yield Undefined.at(*at, "largest_change", reason=reason)
    if change.changed_run is None:
        yield Undefined.at(*at, "changed_run", reason="no change of score is known")
