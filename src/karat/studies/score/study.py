"""Score: every measure of every run, both ways, with baselines for comparison (`karat score`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from math import factorial
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import Bools, Floats, Ints
from karat.data.fields import Absent, Missing
from karat.data.orders import Ties
from karat.data.pairs import attribute_slices
from karat.data.parameters import ClusterOption, IntervalOption, SeedOption, WayOption
from karat.data.responses import Responses
from karat.data.scores import clusters_in, shared_clusters
from karat.data.tables import Table
from karat.data.weights import Scheme, UnitWeights, own_weights
from karat.errors import NotApplicable, UsageError
from karat.labels import THREE, TWO, WAYS, Way
from karat.measures import measures
from karat.measures.facts import expand, not_defined
from karat.statistics.clusters import UnitCells
from karat.studies.base import study
from karat.studies.rankings import Crossing, prior_crossings
from karat.studies.score.caveats import (
    Degradation,
    Relabelling,
    Reliability,
    degradations,
    relabellings,
    reliability,
    soundness,
)
from karat.studies.score.charts import FIGURES
from karat.studies.score.findings import FINDINGS
from karat.studies.score.result import MAIN_MEASURES, PROBABILITY_MEASURES, Evaluation
from karat.studies.score.rows import Intervals, KeySummary, RunScores, Slice, SliceScores, Tables, Values
from karat.studies.scorer import Estimates, Scorer
from karat.studies.shared_texts import shared_texts

SHIFT = "shifted_accuracy"


class ScoreParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `score`."""

    way: WayOption = "auto"
    measure: Annotated[
        tuple[str, ...],
        Meta(description="a measure (see karat measures); by default accuracy, macro F1 and kappa, and more in JSON"),
    ] = ()
    by: Annotated[tuple[str, ...], Meta(description="an attribute of the pairs to slice by")] = ()
    weights: Annotated[
        Scheme, Meta(description="weights of the pairs: by rank of the run's confidence, or by its weight column")
    ] = "uniform"
    cluster: ClusterOption = None
    interval: IntervalOption = 0.95
    ties: Annotated[
        Literal["expected", "file", "id"],
        Meta(description="ties in a ranking: exact expectation, order of lines, order of ids"),
    ] = "expected"
    prior: Annotated[
        tuple[str, ...],
        Meta(description="another label distribution for which to report accuracy", examples=["0.5/0.35/0.15"]),
    ] = ()
    confusion: Annotated[bool, Meta(description="show the confusion matrix of every run; of a single run always")] = (
        False
    )
    crossings: Annotated[bool, Meta(description="report the label distributions at which two runs swap ranks")] = False
    seed: SeedOption = 0


@study("score", ScoreParameters, findings=FINDINGS, figures=FIGURES)
def score(runs: Responses, asked: ScoreParameters, *, unit_weights: UnitWeights | None = None) -> Evaluation:
    """Measure every run, both ways, with baselines for comparison."""
    key, shown = runs.key, runs.ways(asked.way, every_run=False)
    assert key.way is not None
    _check_counted(runs, asked, unit_weights)
    weights = own_weights(runs, asked.weights) if unit_weights is None else unit_weights.values
    priors = [f"{SHIFT}({prior!r})" for prior in asked.prior]
    names = None if asked.cluster is None else key.clusters(asked.cluster)
    cluster = shared_clusters(names)
    by_way = {
        way.name: scorers(runs, way, asked.measure, priors, weights, asked.ties, cluster)
        for way in WAYS.values()
        if way is TWO or key.way is THREE
    }
    whole = [measured(of, asked.interval, asked.seed) for of in by_way.values()]
    relabelled = _relabelled(whole, [way.name for way in shown], len(runs), asked.interval)
    headline = [name for name in MAIN_MEASURES if not asked.measure and any(name in one.estimates for one in whole)]
    weighted = weights is not None
    headline += [
        str(one.measure)
        for way in shown
        for one in by_way[way.name]
        if asked.measure or one.measure.entry.name == SHIFT
    ]
    return Evaluation(
        key=KeySummary(runs.pairs, key.label_counts(runs.times)),
        runs=[_run(runs, place, whole, asked, weighted, relabelled[place]) for place in range(len(runs))],
        baselines=[_trivial(name, len(runs) + place, whole) for place, name in enumerate(trivial_names(key.way))],
        slices=_slices(runs, list(by_way.values()), asked),
        crossings=_crossings(runs, whole) if asked.crossings else [],
        shown=[way.name for way in shown],
        headline=list(dict.fromkeys(headline)),
        identical=_identical(runs),
        own_weights=weighted and unit_weights is None,
        clusters=clusters_in(None if names is None else list(compress(names, key.labels >= 0))),
        shared_texts=None if asked.cluster is not None else shared_texts(runs, shown[0], asked.seed),
    )


def _check_counted(runs: Responses, asked: ScoreParameters, unit_weights: UnitWeights | None) -> None:
    """Refuse what needs the pairs themselves where they were only counted."""
    if runs.many is None:
        return
    needing = {"by": asked.by, "cluster": asked.cluster, "weights": unit_weights or asked.weights != "uniform"}
    for name in (name for name, given in needing.items() if given):
        raise UsageError(
            f"--{name} needs each pair, and these {runs.pairs:,} are read in parts and counted; take fewer pairs, or "
            "leave the option out"
        )


def _identical(runs: Responses) -> list[list[str]]:
    """Groups of runs that give the same answer to every pair."""
    groups: dict[tuple[str, bytes], list[str]] = {}
    answers = (codes.tobytes() for codes in runs.codes) if runs.many is None else runs.many.prints
    for run, said in zip(runs.runs, answers, strict=True):
        groups.setdefault((str(run.info.way), said), []).append(run.info.name)
    return [names for names in groups.values() if len(names) > 1]


def _run(
    runs: Responses,
    place: int,
    ways: list[Measured],
    asked: ScoreParameters,
    weighted: bool,
    relabelled: list[Relabelling],
) -> RunScores:
    info, sound = runs.infos[place], soundness(runs, place, asked.ties)
    values, intervals = _numbers(ways, (place,))
    merges = next(one for one in ways if one.scored[place]).degradations[place]
    reliable = _reliability(runs, place, asked, weighted, ways[0].cells.cluster)
    tables = _tables(ways, place)
    none = info.missing, info.unparsed
    return RunScores(
        info.name, info.manual, False, values, tables, sound, merges, intervals, reliable, relabelled, *none
    )


def _relabelled(ways: list[Measured], shown: list[str], runs: int, level: float) -> list[list[Relabelling]]:
    """The relabellings of each run in the ways shown, corrected for all of them."""
    tested = [one for one in ways if one.way.name in shown]
    found: list[list[Relabelling]] = [[] for _ in range(runs)]
    tests = sum(int(one.scored[:runs].sum()) * (factorial(len(one.way.labels)) - 1) for one in tested)
    for one in tested:
        places = np.flatnonzero(one.scored[:runs])
        for place, some in zip(
            places,
            relabellings(one.table[places], one.way, (1 - level) / max(1, tests), one.cells[places]),
            strict=True,
        ):
            found[place] += some
    return found


def _reliability(
    runs: Responses, place: int, asked: ScoreParameters, weighted: bool, cluster: Ints | None
) -> Reliability | Absent:
    """The reliability of one run's confidences, or the reason why there is none."""
    try:
        if weighted:
            raise NotApplicable("the calibration of confidences is assessed only if all pairs have the same weight")
        return reliability(runs, place, asked.interval, asked.seed, cluster)
    except NotApplicable as reason:
        return Missing(str(reason))


def _trivial(name: str, system: int, ways: list[Measured]) -> RunScores:
    values, intervals = _numbers(ways, (system,))
    unsaid = Missing("a baseline states no confidences")
    return RunScores(name, False, True, values, _tables(ways, system), None, [], intervals, unsaid)


def _slices(runs: Responses, by_way: list[list[Scorer]], asked: ScoreParameters) -> list[Slice]:
    made: list[Slice] = []
    for attribute in asked.by:
        names, within = attribute_slices(runs.key, attribute)
        parts = [measured(of, asked.interval, asked.seed, within) for of in by_way]
        for value, name in enumerate(names):
            rows = [SliceScores(run, *_numbers(parts, (value, place))) for place, run in enumerate(runs.names)]
            made.append(Slice(attribute, name, int((within[value] & (runs.key.labels >= 0)).sum()), rows))
    return made


def _numbers(ways: list[Measured], place: tuple[int, ...]) -> tuple[Values, Intervals]:
    """The values and intervals of one system, by way and measure."""
    values: Values = dict.fromkeys(WAYS)
    intervals: Intervals = dict.fromkeys(WAYS)
    for one in ways:
        if one.scored[place[-1]]:
            found = {name: estimates.at(place) for name, estimates in one.estimates.items()}
            values[one.way.name] = {name: value for name, (value, _) in found.items()}
            intervals[one.way.name] = {name: interval for name, (_, interval) in found.items()}
    return values, intervals


def _tables(ways: list[Measured], system: int) -> Tables:
    found = {one.way.name: one.table.counts[system].tolist() for one in ways if one.scored[system]}
    return dict.fromkeys(WAYS) | found


def _crossings(runs: Responses, ways: list[Measured]) -> list[Crossing]:
    found = []
    for one in ways:
        places = np.flatnonzero(one.scored[: len(runs)])
        names = tuple(runs.names[place] for place in places)
        found += prior_crossings(names, one.table[places], one.way.name)
    return found


@dataclass(frozen=True)
class Measured:
    """Every measure of every system: the runs first, then the baselines if there are any."""

    way: Way
    scored: Bools
    """Which systems can be scored in this way."""
    table: Table
    estimates: dict[str, Estimates]
    level: float
    cells: UnitCells

    @cached_property
    def degradations(self) -> list[list[Degradation]]:
        """For each system, the merges of labels that raise a score and lower information."""
        return degradations(self.table, self.way, self.level, self.cells)


def scorers(
    runs: Responses,
    way: Way,
    asked: Sequence[str],
    extra: Sequence[str],
    weights: Floats | None,
    ties: Ties,
    cluster: Ints | None = None,
) -> list[Scorer]:
    """The measures asked for, or all that are shown and defined in this way, followed by the extra ones."""
    if asked:
        chosen = [bound for name in asked for bound in expand(name, way)]
    else:
        shown = [entry.name for entry in measures if entry.facts["shown"] and not entry.alias]
        chosen = [bound for name in shown for bound in expand(name, way, every_label=True)]
        chosen = [bound for bound in chosen if not not_defined(bound, way)]
        if any(run.probabilities is not None for run in runs.runs):
            chosen += [measures[name].bind() for name in PROBABILITY_MEASURES if name != "auroc" or way is TWO]
    chosen += [bound for name in extra for bound in expand(name, way)]
    return [Scorer(runs, bound, way, weights, ties, cluster=cluster) for bound in dict.fromkeys(chosen)]


def measured(of: Sequence[Scorer], level: float, seed: int, slices: Bools | None = None) -> Measured:
    """Every measure in one way of every run: with the baselines, or on each slice (slices, units)."""
    runs, way, weights = of[0].runs, of[0].way, of[0].weights
    scored = runs.allows(way)
    if slices is not None:
        table = runs.count(way, weights, of[0].key_on(slices))
    else:
        counted, trivial = runs.count(way, weights), _trivial_systems(runs, way, weights)
        # Baselines answer every pair.
        none = [(0, 0), (0, 0), (0, len(counted.response_labels) - len(way.labels))]
        table = Table(
            np.concatenate([counted.counts, np.pad(trivial.counts, none)]),
            way.labels,
            counted.response_labels,
            np.concatenate([counted.squares, np.pad(trivial.squares, none)]),
        )
        scored = np.append(scored, np.ones(len(trivial.counts), dtype=bool))
    estimates = {str(one.measure): one.estimates(table, level, seed, slices) for one in of}
    return Measured(way, scored, table, estimates, level, of[0].cells(table, slices))


def _trivial_systems(runs: Responses, way: Way, weights: Floats | None) -> Table:
    """The baselines under weights that all runs share, or under equal weights if each run has its own."""
    assert runs.key.way is not None
    key = runs.key_codes(way)
    shared = np.ones(len(key)) if weights is None or weights.ndim > 1 else weights
    margin, squares = (
        np.bincount(key[key >= 0], (one * runs.times)[key >= 0], minlength=len(way.labels)).astype(np.float64)
        for one in (shared, shared**2)
    )
    return trivial_tables(runs.key.way, way, margin, squares)


def trivial_tables(key_way: Way, way: Way, key: Floats, squares: Floats | None = None) -> Table:
    """Expected tables of the baselines: constant answers, uniform, and the key's own distribution.

    `key` has the counts (or weights) of the key's labels in `way`, `squares` the sums of squared weights. The expected
    table of a random system is N(g)·p(l), so that its kappa and information are exactly 0. It is not a sample, so it
    has no squared weights, and hence no interval and no bias to correct.
    """
    size = len(way.labels)
    constants = np.eye(size)[list(way.from_three if key_way is THREE else range(size))]
    shares = np.vstack([constants, np.full(size, 1 / size), key / max(float(key.sum()), 1e-300)])
    squares = key if squares is None else squares
    sampled = shares * np.isin(np.arange(len(shares)), range(len(constants)))[:, None]
    return Table(key[:, None] * shares[:, None, :], way.labels, squares=squares[:, None] * sampled[:, None, :])


def trivial_names(key_way: Way) -> list[str]:
    """The names of the baselines, in the order of `trivial_tables`."""
    return [*key_way.constants, "random-uniform", "random-key"]
