"""Means over the units (questions, series, topics) on which every run has a score: intervals, and F by β."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from karat.arrays import NAN, Floats, Ints
from karat.data.charts import Line, Lines
from karat.data.fields import Shown, Why
from karat.data.result import Estimate, Finding, Sheet, all_marked, headline, marked
from karat.data.scores import Scores, shared_clusters
from karat.kernels.counting import divide
from karat.measures.nuggets import f_beta
from karat.statistics.clusters import right_interval
from karat.statistics.crossing import crossings
from karat.statistics.paired import Paired, mean_interval
from karat.statistics.rank_correlation import best_first, tau
from karat.studies.rankings import ONE_RUN
from karat.studies.wording import listed

CONSTANT = "all units have the same score, neither 0 nor 1, or there are too few to tell how it varies"


def _no_end(mean: Mean) -> str:
    return CONSTANT if mean.value == mean.value else ""


@dataclass(frozen=True)
class Mean(Estimate):
    """A mean over units, with its interval; the field that holds it gives the reason if there is no mean."""

    low: Annotated[float, Why(_no_end)]
    high: Annotated[float, Why(_no_end)]


def mean_of_defined(values: Floats, axis: int = 0) -> Floats:
    """The mean of the defined values over an axis; NaN where none is defined."""
    known = ~np.isnan(values)
    return np.asarray(divide(np.where(known, values, 0.0).sum(axis=axis), known.sum(axis=axis).astype(np.float64)))


def plain_mean(values: Floats) -> Floats:
    """The mean of each run (runs,) over the units that are scored for every run; NaN if there are none."""
    scored = ~np.isnan(values).any(axis=0)
    return values[:, scored].mean(axis=1) if scored.any() else np.full(len(values), np.nan)


def clustered(values: Floats, cluster: Ints | None) -> Paired:
    """Scores (runs, units) by cluster of units, for means and their intervals; no two runs are compared."""
    no_pairs = np.empty(0, dtype=np.int64)
    return Paired.of(
        values, no_pairs, no_pairs, None if cluster is None else np.unique(cluster, return_inverse=True)[1]
    )


def matrix_of(
    rows: Mapping[str, Mapping[str, float]], measure: str, clusters: Mapping[str, str] | None = None
) -> Scores:
    """The scores of each run by unit as a matrix of the units that are scored for every run."""
    units = [unit for unit in next(iter(rows.values())) if all(row[unit] == row[unit] for row in rows.values())]
    values = np.array([[row[unit] for unit in units] for row in rows.values()]).reshape(len(rows), len(units))
    of = None if clusters is None else tuple(clusters[unit] for unit in units)
    return Scores(runs=tuple(rows), units=tuple(units), values=values, measure=measure, clusters=of)


def unit_means(values: Floats, level: float, cluster: Ints | None = None) -> list[Mean]:
    """The mean of every run over the units scored for all runs, with Student's interval clipped to [0, 1].

    `cluster` numbers the clusters of dependent units; the interval is then over clusters.
    """
    scored = ~np.isnan(values).any(axis=0)
    if not len(values) or not scored.any():
        return [Mean(NAN, NAN, NAN)] * len(values)
    among = None if cluster is None else shared_clusters(cluster[scored].tolist())
    paired = clustered(values[:, scored], among)
    # Wilson's if answers are right or wrong, as in `compare`.
    if np.isin(values[:, scored], (0, 1)).all():
        ends = right_interval(values[:, scored], np.ones((len(values), paired.units), dtype=bool), among, level)
    else:
        ends = mean_interval(paired, level, (0, 1))
    return [Mean(*row) for row in np.stack([paired.means, *ends], axis=-1).tolist()]


def highest_mean(runs: Sequence[str], what: str) -> Finding:
    """Which runs have the highest mean of what is named with its value."""
    named = listed(all_marked(runs))
    if len(runs) > 1:
        return headline(f"{named} have the highest {what}.", runs)
    return headline(f"{named} has the highest {what}; for significance, see `karat compare`.", runs, leads=True)


HIGHEST_BETA = 10.0
BETAS_DRAWN = (*(place / 10 for place in range(30)), *(3 + place / 2 for place in range(15)))
"""Where curves are computed: denser below 3, where they bend."""
BETAS_RANKED = (1.0, 2.0, 3.0, 5.0)
CROSSINGS = "two runs swap ranks"
CROSSINGS_SHOWN = 20
"""The most in the table and in the figure; JSON has all."""
RUNS_CROSSED = 64
"""Crossings are computed among this many of the best runs: nobody would read more."""


@dataclass(frozen=True)
class BetaCrossing:
    """Two runs that swap ranks: a is better below this β, b above it."""

    a: Annotated[str, Shown("better below")]
    b: Annotated[str, Shown("better above")]
    beta: Annotated[float, Shown("β", 3)]


@dataclass(frozen=True)
class BetaRanking:
    """The ranking at one β, and its Kendall's tau with the ranking at the β asked for."""

    beta: Annotated[float, Shown("β", form="{:g}".format)]
    ranking: Annotated[list[str], Shown(form=", ".join)]
    scores: dict[str, float]
    tau: Annotated[float, Shown(note="Kendall's tau to the ranking at the β asked for"), Why(ONE_RUN)]


@dataclass(frozen=True)
class BetaCurves:
    """Mean F over questions as a function of β, for each run."""

    betas: list[float]
    runs: dict[str, list[float]]
    rankings: list[BetaRanking]
    crossings: list[BetaCrossing]

    def crossing_finding(self, beta: float, where: str) -> Iterator[Finding]:
        """A sentence, beginning with `where`, about the crossing nearest to a β of two runs that cross only once."""
        pairs = [frozenset((one.a, one.b)) for one in self.crossings]
        once = [one for one, pair in zip(self.crossings, pairs, strict=True) if pairs.count(pair) == 1]
        if once:
            one, count = min(once, key=lambda one: abs(one.beta - beta)), len(self.crossings)
            ahead = f"{marked(one.a)} ranks above {marked(one.b)} only for β below {one.beta:.2f}"
            all_of_them = f"; there are {count:,} such crossings in all" if count > 1 else ""
            yield Finding(f"{where}{ahead}{all_of_them}.", [one.a, one.b])

    def rankings_sheet(self, title: str) -> Sheet:
        """The rankings at several β."""
        return Sheet.of(title, self.rankings, "beta tau ranking")

    def sheets(self, title: str) -> list[Sheet]:
        """The rankings at several β, and the β at which two runs swap ranks, if any."""
        made, count = [self.rankings_sheet(title)], len(self.crossings)
        if count:
            shown = sorted(self.crossings, key=lambda one: one.beta)[:CROSSINGS_SHOWN]
            notes = [f"The first {CROSSINGS_SHOWN} of {count:,}."] if count > CROSSINGS_SHOWN else []
            made.append(Sheet.of("Values of β at which two runs swap ranks", shown, "beta a b", notes=notes))
        return made


def beta_curves(names: Sequence[str], precision: Floats, recall: Floats, beta: float) -> BetaCurves | None:
    """Curves of F from precision and recall (lists, runs, questions), over the questions scored for every run.

    As in the scores, the F of a question is the mean over its lists, one per assessor.
    """
    scored = ~np.isnan(mean_of_defined(f_beta(precision, recall, 1.0))).any(axis=0)
    p, r = precision[..., scored], recall[..., scored]
    if not p.size:
        return None

    def at(runs: Ints, betas: Floats) -> Floats:
        return mean_of_defined(f_beta(p[:, runs], r[:, runs], betas[:, None])).mean(axis=1)

    def over_runs(one: float) -> Floats:
        return at(np.arange(len(names)), np.full(len(names), one))

    drawn = np.array(BETAS_DRAWN)
    official = over_runs(beta)
    rankings = []
    for one in sorted({*BETAS_RANKED, beta}):
        scores = over_runs(one)
        ranking = [names[place] for place in best_first(scores)]
        by_run = dict(zip(names, scores.tolist(), strict=True))
        rankings.append(BetaRanking(one, ranking, by_run, float(tau(official, scores))))
    best = np.sort(best_first(official)[:RUNS_CROSSED])
    crossed = crossings(lambda runs, betas: at(best[runs], betas), len(best), 0.0, HIGHEST_BETA)
    return BetaCurves(
        betas=drawn.tolist(),
        runs={name: at(np.full(len(drawn), run), drawn).tolist() for run, name in enumerate(names)},
        rankings=rankings,
        crossings=[BetaCrossing(names[best[a]], names[best[b]], beta) for a, b, beta in crossed],
    )


def beta_chart(curves: BetaCurves, used: float) -> Lines:
    """F against β, one line per run, with the β used, and marks where two runs swap ranks unless these are too many."""
    ranked = sorted(curves.runs.items(), key=lambda one: -float(np.interp(used, curves.betas, one[1])))
    lines = [Line(curves.betas, values, run) for run, values in ranked]
    count = len(curves.crossings)
    if 0 < count <= CROSSINGS_SHOWN:
        at = sorted(
            (one.beta, float(np.interp(one.beta, curves.betas, curves.runs[one.a]))) for one in curves.crossings
        )
        lines.append(Line([beta for beta, _ in at], [y for _, y in at], CROSSINGS, "marks"))
    return Lines(
        title="Mean F of nuggets by β",
        note=f"two runs swap ranks {count:,} times" if count > CROSSINGS_SHOWN else "",
        lines=tuple(lines),
        axes=("β", "mean F"),
        low=None,
        high=None,
        at=used,
        at_name=f"β used: {used:g}",
    )
