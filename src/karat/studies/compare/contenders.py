"""Contenders: the runs to be compared, from answers and a measure or from a score matrix."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from karat.data.scores import Scores, cluster_numbers
from karat.errors import UsageError
from karat.studies.compare.contests import Drawing
from karat.studies.compare.means import Means
from karat.studies.compare.remeasured import Remeasured
from karat.studies.compare.result import LeftOut
from karat.studies.scorer import Scorer

INTERVAL_METHODS = {
    "bootstrap": "percentiles of the bootstrap",
    "bca": "bias-corrected and accelerated bootstrap",
    "right": "normal, after one unit is added to each kind of disagreement (Bonett and Price 2012)",
    "t": "by t over units",
    "clusters": "by t over clusters, the mean taken as a ratio of sums",
}


@dataclass(frozen=True)
class Contenders:
    """The runs to be compared, by which measure, and on which units."""

    names: tuple[str, ...]
    contest: Means | Remeasured
    measure: str
    units: int
    scored: list[int]
    """The number of units on which each run was scored."""
    way: str | None = None
    clusters: int | None = None
    undefined: str = "the run was scored on no unit"
    left_out: list[LeftOut] = field(default_factory=list)

    def interval_method(self, test: str) -> str:
        """The method of the intervals of the differences."""
        if test in ("bootstrap", "bca"):
            return INTERVAL_METHODS[test]
        if isinstance(self.contest, Remeasured):
            return INTERVAL_METHODS["bootstrap"]
        if self.contest.right_or_wrong:
            return INTERVAL_METHODS["right"]
        return INTERVAL_METHODS["t" if self.clusters is None else "clusters"]


def of_scores(scores: Scores, drawing: Drawing) -> Contenders:
    """The rows of a score matrix, with its clusters kept together."""
    found = scores.squarable().values[~np.isnan(scores.values)]
    share = bool(np.isin(found, (0, 1)).all()) or (
        scores.measure == "accuracy" and bool(((found >= 0) & (found <= 1)).all())
    )
    return _by_means(scores, drawing, share)


def _by_means(scores: Scores, drawing: Drawing, share: bool) -> Contenders:
    known = ~np.isnan(scores.values)
    here = known.any(axis=0)  # units on which no run was scored are left out
    numbers = None
    if scores.clusters is not None:
        numbers = cluster_numbers([scores.clusters[place] for place in np.flatnonzero(here)])
    return Contenders(
        names=scores.runs,
        contest=Means(scores.values[:, here], drawing, numbers, share),
        measure=scores.measure or "mean score",
        units=int(here.sum()),
        scored=known.sum(axis=1).tolist(),
        clusters=None if numbers is None else len(set(numbers.tolist())),
    )


def of_runs(scorer: Scorer, cluster: str | None, drawing: Drawing) -> Contenders:
    """Runs by a measure: as means over units if it is one, otherwise recomputed on every resample."""
    attributes = scorer.runs.key.attributes
    if cluster is not None and cluster not in attributes:
        raise UsageError.unknown("attribute of the pairs", cluster, attributes)
    clusters = None if cluster is None else attributes[cluster]
    if scorer.measure.facts["mean"]:
        made = _by_means(scorer.scores("compare", clusters), drawing, share=True)
    else:
        scored = np.flatnonzero(scorer.runs.key.labels >= 0).tolist()
        numbers = None if clusters is None else cluster_numbers([clusters[place] for place in scored])
        contest = Remeasured(scorer, drawing, numbers)
        made = Contenders(
            names=scorer.runs.names,
            contest=contest,
            measure=str(scorer.measure),
            units=scorer.units,
            scored=[scorer.units] * len(scorer.runs),
            clusters=None if numbers is None else contest.clusters,
        )
    return replace(
        made,
        way=scorer.way.name,
        undefined=str(scorer.measure.facts["undefined"]),
        left_out=[LeftOut(name, reason) for name, reason in scorer.left_out.items()],
    )
