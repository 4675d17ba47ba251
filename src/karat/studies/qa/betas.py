"""The F of nuggets as β goes: one curve a run, and where two of them cross."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from karat.arrays import Floats, Ints
from karat.data.charts import Line, Lines
from karat.data.result import Column, Field, Finding, Sheet
from karat.measures.nuggets import f_beta
from karat.statistics.crossing import crossings
from karat.statistics.rank_correlation import best_first, tau
from karat.studies.unit_means import mean_of_defined

HIGHEST = 10.0
DRAWN = (*(place / 10 for place in range(30)), *(3 + place / 2 for place in range(15)))
"""Where curves are worked out: closer below 3, where they bend."""
CROSSINGS = "two runs change places"
LISTED = 20
"""Crossings in the table and in the figure; JSON has all."""
SHOWN = (1.0, 2.0, 3.0, 5.0)
MOST = 64
"""Crossings are looked for among so many runs, the best: of more, nobody reads them all."""


@dataclass(frozen=True)
class BetaCrossing:
    """Two runs that change places: a is better below β, b above."""

    a: str
    b: str
    beta: float


@dataclass(frozen=True)
class BetaRanking:
    """The ranking at one β, and its tau to that at the β that was asked for."""

    beta: float
    ranking: list[str]
    scores: dict[str, float]
    tau: float


@dataclass(frozen=True)
class BetaCurves:
    """Mean F over questions at every β, run by run."""

    betas: list[float]
    runs: dict[str, list[float]]
    rankings: list[BetaRanking]
    crossings: list[BetaCrossing]

    def nearest(self, beta: float) -> BetaCrossing | None:
        """Of the runs that change places once only, those that do so nearest to a β."""
        pairs = [frozenset((one.a, one.b)) for one in self.crossings]
        once = [one for one, pair in zip(self.crossings, pairs, strict=True) if pairs.count(pair) == 1]
        return min(once, key=lambda one: abs(one.beta - beta), default=None)

    def told(self, beta: float, where: str) -> Iterator[Finding]:
        """A sentence on the crossing nearest to a β, if there is one; `where` begins it."""
        one, count = self.nearest(beta), len(self.crossings)
        if one is not None:
            ahead = f"{one.a} is ahead of {one.b} for β below {one.beta:.2f} and behind above it"
            yield Finding(f"{where}{ahead}; {count} such crossing{'s' * (count > 1)} in all.", [one.a, one.b])


def beta_curves(names: Sequence[str], precision: Floats, recall: Floats, beta: float) -> BetaCurves | None:
    """Curves of F from precision and recall (lists, runs, questions), over the questions scored for every run.

    The F of a question is the mean over its lists, one an assessor, as the scores have it.
    """
    scored = ~np.isnan(mean_of_defined(f_beta(precision, recall, 1.0))).any(axis=0)
    p, r = precision[..., scored], recall[..., scored]
    if not p.size:
        return None

    def at(runs: Ints, betas: Floats) -> Floats:
        return mean_of_defined(f_beta(p[:, runs], r[:, runs], betas[:, None])).mean(axis=1)

    def over_runs(one: float) -> Floats:
        return at(np.arange(len(names)), np.full(len(names), one))

    drawn = np.array(DRAWN)
    official = over_runs(beta)
    rankings = []
    for one in sorted({*SHOWN, beta}):
        scores = over_runs(one)
        ranking = [names[place] for place in best_first(scores)]
        said = dict(zip(names, scores.tolist(), strict=True))
        rankings.append(BetaRanking(one, ranking, said, float(tau(official, scores))))
    best = np.sort(best_first(official)[:MOST])
    crossed = crossings(lambda runs, betas: at(best[runs], betas), len(best), 0.0, HIGHEST)
    return BetaCurves(
        betas=drawn.tolist(),
        runs={name: at(np.full(len(drawn), run), drawn).tolist() for run, name in enumerate(names)},
        rankings=rankings,
        crossings=[BetaCrossing(names[best[a]], names[best[b]], beta) for a, b, beta in crossed],
    )


def beta_chart(curves: BetaCurves) -> Lines:
    """F against β, a line a run, and a mark where two of them change places, unless these are too many to read."""
    lines = [Line(curves.betas, values, run) for run, values in curves.runs.items()]
    count = len(curves.crossings)
    if 0 < count <= LISTED:
        at = sorted(
            (one.beta, float(np.interp(one.beta, curves.betas, curves.runs[one.a]))) for one in curves.crossings
        )
        lines.append(Line([beta for beta, _ in at], [y for _, y in at], CROSSINGS, "marks"))
    return Lines(
        title="F of nuggets as β goes",
        note=f"{count} times two runs change places" if count > LISTED else "",
        lines=tuple(lines),
        axes=("β", "mean F"),
        low=None,
        high=None,
    )


def crossing_sheet(curves: BetaCurves) -> Sheet:
    """Every β at which two runs change places, those near 1 to 5 as any other."""
    return Sheet.of(
        "Where two runs change places",
        sorted(curves.crossings, key=lambda one: one.beta)[:LISTED],
        Field("β", "beta", 3),
        Field("ahead below", "a"),
        Field("ahead above", "b"),
        notes=[f"The first {LISTED} of {len(curves.crossings)}."] if len(curves.crossings) > LISTED else (),
    )


def beta_sheet(curves: BetaCurves, title: str) -> Sheet:
    """The ranking at some β."""
    rankings = curves.rankings
    return Sheet(
        title,
        (
            Column("β", [f"{one.beta:g}" for one in rankings]),
            Column("tau", [one.tau for one in rankings], 4, "Kendall's tau to the ranking at the β asked for"),
            Column("ranking", [" ".join(one.ranking) for one in rankings]),
        ),
    )
