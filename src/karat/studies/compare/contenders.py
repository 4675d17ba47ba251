"""Contenders: the runs to be compared, out of answers and a measure or out of a score matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from karat.arrays import Ints
from karat.data.pairs import Pairs
from karat.data.responses import Responses
from karat.data.scores import Scores
from karat.data.tables import Table
from karat.errors import NotApplicable, UsageError
from karat.labels import THREE, TWO, Way
from karat.measures import measures
from karat.registry import Bound
from karat.studies.compare.contests import Drawing
from karat.studies.compare.means import Means
from karat.studies.compare.remeasured import Remeasured
from karat.studies.compare.result import LeftOut
from karat.studies.score_matrix import must_be_squarable, way_of
from karat.studies.ways import one_way

INTERVALS = {
    "bootstrap": "percentiles of the bootstrap",
    "bca": "bias-corrected and accelerated bootstrap",
    "right": "normal, after one unit is added to each kind of disagreement (Bonett and Price 2012)",
    "t": "by t over units",
    "clusters": "by t over clusters, the mean taken as a ratio of sums",
}


@dataclass(frozen=True)
class Contenders:
    """Who competes, by what, and on which units."""

    names: tuple[str, ...]
    contest: Means | Remeasured
    measure: str
    units: int
    scored: list[int]
    """The units each run was scored on."""
    way: str | None = None
    clusters: int | None = None
    undefined: str = "the run was scored on no unit"
    left_out: list[LeftOut] = field(default_factory=list)

    def interval_method(self, test: str) -> str:
        """How the intervals of the differences are made."""
        if test in ("bootstrap", "bca"):
            return INTERVALS[test]
        if isinstance(self.contest, Remeasured):
            return INTERVALS["bootstrap"]
        if self.contest.right_or_wrong:
            return INTERVALS["right"]
        return INTERVALS["t" if self.clusters is None else "clusters"]


def of_scores(scores: Scores, cluster: str | None, drawing: Drawing) -> Contenders:
    """The rows of a score matrix; its own clusters are kept together."""
    if cluster is not None:
        raise UsageError(
            "--cluster names an attribute of the pairs of a key, and a score matrix has none; "
            "name the units' clusters in a row called cluster"
        )
    must_be_squarable(scores)
    known = ~np.isnan(scores.values)
    here = known.any(axis=0)  # a unit that nobody was scored on is no unit
    numbers = None
    if scores.clusters is not None:
        numbers = _numbered([scores.clusters[place] for place in np.flatnonzero(here)])
    found = scores.values[known]
    share = bool(np.isin(found, (0, 1)).all()) or (
        scores.measure == "accuracy" and bool(((found >= 0) & (found <= 1)).all())
    )
    return Contenders(
        names=scores.runs,
        contest=Means(scores.values[:, here], drawing, numbers, share),
        measure=scores.measure or "mean score",
        units=int(here.sum()),
        scored=known.sum(axis=1).tolist(),
        clusters=None if numbers is None else len(set(numbers.tolist())),
    )


def of_runs(runs: Responses, spelling: str, asked_way: str, cluster: str | None, drawing: Drawing) -> Contenders:
    """Runs on a key, by a measure: as means of right and wrong where it is one, else to be worked out anew."""
    key = runs.key
    way_of(key)
    measure = measures.parse(spelling)
    way = _way(runs, asked_way, measure)
    kept, left_out = _able(runs, measure, way)
    units = runs.key_codes(way) >= 0
    label = dict(measure.arguments).get("label")
    if measure.entry.name == "recall" and label in way.labels:
        units = runs.key_codes(way) == way.labels.index(str(label))
    places = np.flatnonzero(units)
    numbers = None if cluster is None else _clusters(key, cluster, places)
    contest: Means | Remeasured
    if measure.entry.name in ("accuracy", "recall"):
        contest = Means(kept.right(way).values[:, places], drawing, numbers, share=True)
    else:
        contest = Remeasured(kept, measure, way, drawing, numbers)
    return Contenders(
        names=kept.names,
        contest=contest,
        measure=str(measure),
        units=len(places),
        scored=[len(places)] * len(kept),
        way=way.name,
        clusters=None if numbers is None else int(numbers.max(initial=-1)) + 1,
        undefined=str(measure.facts["undefined"]),
        left_out=left_out,
    )


def _way(runs: Responses, asked: str, measure: Bound) -> Way:
    """One way for all runs; a ranking by entailment is of the two-way fold, some measures are of three labels only."""
    way = one_way(runs, asked, every_run=False)
    if measure.facts["ranked_by"] == "entailment":
        return TWO
    if measure.facts["ranked_by"] is None:
        try:
            measure(Table(np.zeros((len(way.labels),) * 2), way.labels))
        except NotApplicable as reason:
            if asked != "auto" or runs.key.way is not THREE:
                raise UsageError(f"--measure {measure}: {reason}") from None
            return THREE
    return one_way(runs, asked)


def _able(runs: Responses, measure: Bound, way: Way) -> tuple[Responses, list[LeftOut]]:
    """The runs that the measure can be taken of, and why not of the others."""
    left_out: list[LeftOut] = []
    for place, (name, allowed) in enumerate(zip(runs.names, runs.allows(way), strict=True)):
        if not allowed:
            left_out.append(LeftOut(name, f"the run is two-way, and {measure} is of three labels"))
        elif measure.facts["ranked_by"] is not None:
            try:
                runs.rank_scores(place, measure.facts["ranked_by"])
            except NotApplicable as reason:
                left_out.append(LeftOut(name, str(reason)))
    if not left_out:
        return runs, []
    gone = {one.run for one in left_out}
    kept = [run for run in runs.runs if run.info.name not in gone]
    return Responses.of(runs.key, kept, runs.reading, runs.warnings), left_out


def _clusters(key: Pairs, attribute: str, places: Ints) -> Ints:
    """The number of each unit's cluster; a unit without a value stands alone."""
    if attribute not in key.attributes:
        raise UsageError.unknown("attribute of the pairs", attribute, key.attributes)
    values = key.attributes[attribute]
    return _numbered([values[place] for place in places.tolist()])


def _numbered(names: Sequence[object]) -> Ints:
    """Each name by the place of its first appearance; what has no name is a cluster by itself."""
    number: dict[object, int] = {}
    return np.array(
        [number.setdefault((place,) if name is None else name, len(number)) for place, name in enumerate(names)],
        dtype=np.int64,
    )
