"""How another key, fold or measure changes a ranking, in the form that all studies share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Floats
from karat.data.fields import Shown, Why
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

ONE_RUN = "there is one run only"
NO_SCORE = "a run has no score"
UNMEASURED = "the measure is undefined on this run's answers"
TIED_NOTE = "Runs are tied in the official ranking: tau counts a tied pair as neither way round, so it cannot reach 1."


@dataclass(frozen=True)
class Swap:
    """Two runs that swap ranks: a is better officially, b here. Differences are the score of a minus that of b."""

    a: str
    b: str
    official: float
    here: float


def _no_coefficient(change: Any, _: object) -> str:
    if len(change.scores) < 2:
        return ONE_RUN
    # Ties leave the plain tau defined.
    return NO_SCORE if change.tau != change.tau else "all runs of a ranking are tied"


def _no_change(change: Any, _: object) -> str:
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
        Shown(note="Kendall's tau to the official ranking: pairs of runs in the same order less the others, over all"),
        Unranked,
    ]
    tau_b: Annotated[float, Shown("tau_b", note="tau with tied pairs taken out of the denominator"), Unranked]
    tau_ap: Annotated[
        float,
        Shown("tau_ap", note="AP correlation, the official ranking as reference: changes at the top count more"),
        Unranked,
    ]
    tau_ap_reversed: Annotated[
        float, Shown("tau_ap_reversed", note="AP correlation with this ranking as reference"), Unranked
    ]
    tau_ap_b: Annotated[float, Shown("tau_ap_b", note="AP correlation between peers, ties meaning ties"), Unranked]
    tied: Annotated[int, Shown("ties", note="pairs of runs with the same score")]
    """Pairs of runs with the same score."""
    swaps: list[Swap]
    largest_move: Annotated[float, Shown("ranks", 1, "the largest move of a run"), Unranked]
    """The largest change of any run's rank."""
    largest_change: Annotated[
        float, Shown(note="of any run's score, from the official one on the same units"), Why(_no_change)
    ]
    """The largest change of any run's score, up or down; NaN if the scores are of different measures."""
    changed_run: Annotated[str | None, Why("no change of score is known")]

    @property
    def swapped(self) -> Annotated[int, Shown("swaps", note="pairs of runs that change places")]:
        """The number of pairs of runs that swap ranks."""
        return len(self.swaps)


RANKING_COLUMNS = "tau tau_b tau_ap tau_ap_b swapped tied largest_move"
"""The columns that every study shows of a comparison of rankings."""


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


def _swap(names: Sequence[str], official: Floats, here: Floats, a: int, b: int) -> Swap:
    if official[a] < official[b]:
        a, b = b, a
    return Swap(names[a], names[b], float(official[a] - official[b]), float(here[a] - here[b]))


def tied_note(whole: Mapping[str, float], parts: Mapping[str, Mapping[str, float]]) -> list[str]:
    """A note that ties in the official scores limit tau: on all units, or on those of the parts that it names."""
    if _any_tied(whole):
        return [TIED_NOTE]
    some = [name for name, scores in parts.items() if _any_tied(scores)]
    where = f"On the units of {', '.join(some)} runs are tied in the official ranking: tau cannot reach 1 there."
    return [where] if some else []


def _any_tied(scores: Mapping[str, float]) -> bool:
    return bool(tied(np.array(list(scores.values()))))


def leads(run: str, scores: Mapping[str, float]) -> bool:
    """Whether the run has a score and no run has a better one."""
    return scores[run] == scores[run] and all(not other > scores[run] + EXACT_TOLERANCE for other in scores.values())


def leaders(scores: Mapping[str, float]) -> list[str]:
    """The run with the best score; several if they tie, none if no run has a score."""
    return [run for run in scores if leads(run, scores)]
