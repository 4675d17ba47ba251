"""Score: every measure of every run, both ways, with trivial systems for comparison (`karat score`)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta

from karat.data.fields import Absent, Missing
from karat.data.parameters import TAIL, WayOption
from karat.data.responses import Responses
from karat.data.slices import attribute_slices
from karat.data.weights import Scheme, UnitWeights, own_weights
from karat.errors import NotApplicable
from karat.labels import THREE, TWO, WAYS
from karat.studies.base import study
from karat.studies.crossings import Crossing, prior_crossings
from karat.studies.score.caveats import Inversion, inversions, soundness
from karat.studies.score.charts import FIGURES
from karat.studies.score.findings import FINDINGS
from karat.studies.score.measured import Measured, measured, scorers, trivial_names
from karat.studies.score.reliability import Reliability, reliability
from karat.studies.score.result import (
    MAIN_MEASURES,
    Evaluation,
    Intervals,
    KeySummary,
    RunScores,
    Slice,
    SliceScores,
    Tables,
    Values,
)
from karat.studies.scorer import Scorer

SHIFT = "shifted_accuracy"


class ScoreParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `score`."""

    way: WayOption = "auto"
    measure: Annotated[
        tuple[str, ...], Meta(description="a measure (see karat measures); by default all that are shown")
    ] = ()
    by: Annotated[tuple[str, ...], Meta(description="an attribute of the pairs to slice by")] = ()
    weights: Annotated[
        Scheme, Meta(description="weights of the pairs: by rank of the run's confidence, or by its weight column")
    ] = "uniform"
    interval: Annotated[float, Meta(description="level of the intervals", ge=TAIL, le=1 - TAIL)] = 0.95
    ties: Annotated[
        Literal["expected", "file", "id"],
        Meta(description="ties in a ranking: exact expectation, order of lines, order of ids"),
    ] = "expected"
    prior: Annotated[
        tuple[str, ...],
        Meta(description="another label distribution for which to report accuracy", examples=["0.5/0.35/0.15"]),
    ] = ()
    crossings: Annotated[bool, Meta(description="report the label distributions at which two runs swap ranks")] = False
    seed: Annotated[int, Meta(description="seed of every random number")] = 0


@study("score", ScoreParameters, findings=FINDINGS, figures=FIGURES)
def score(runs: Responses, asked: ScoreParameters, *, unit_weights: UnitWeights | None = None) -> Evaluation:
    """Measure every run, both ways, with trivial systems for comparison."""
    key, shown = runs.key, runs.ways(asked.way, every_run=False)
    assert key.way is not None
    weights = own_weights(runs, asked.weights) if unit_weights is None else unit_weights.values
    priors = [f"{SHIFT}({prior!r})" for prior in asked.prior]
    by_way = {
        way.name: scorers(runs, way, asked.measure, priors, weights, asked.ties)
        for way in WAYS.values()
        if way is TWO or key.way is THREE
    }
    whole = [measured(of, asked.interval, asked.seed) for of in by_way.values()]
    inverted = _inverted(whole, [way.name for way in shown], len(runs), asked.interval)
    headline = [name for name in MAIN_MEASURES if not asked.measure and any(name in one.estimates for one in whole)]
    weighted = weights is not None
    if headline and weighted:
        # Weights change how hard the task is: its entropy is shown next to the information.
        headline.insert(headline.index("information"), "entropy_key")
    headline += [
        str(one.measure)
        for way in shown
        for one in by_way[way.name]
        if asked.measure or one.measure.entry.name == SHIFT
    ]
    return Evaluation(
        key=KeySummary(len(key), key.label_counts()),
        runs=[_run(runs, place, whole, asked, weighted, inverted[place]) for place in range(len(runs))],
        baselines=[_trivial(name, len(runs) + place, whole) for place, name in enumerate(trivial_names(key.way))],
        slices=_slices(runs, list(by_way.values()), asked),
        crossings=_crossings(runs, whole) if asked.crossings else [],
        shown=[way.name for way in shown],
        headline=list(dict.fromkeys(headline)),
        identical=_identical(runs),
        own_weights=weighted and unit_weights is None,
    )


def _identical(runs: Responses) -> list[list[str]]:
    """Groups of runs that give the same answer to every pair."""
    groups: dict[tuple[str, bytes], list[str]] = {}
    for run, codes in zip(runs.runs, runs.codes, strict=True):
        groups.setdefault((str(run.info.way), codes.tobytes()), []).append(run.info.name)
    return [names for names in groups.values() if len(names) > 1]


def _run(
    runs: Responses,
    place: int,
    ways: list[Measured],
    asked: ScoreParameters,
    weighted: bool,
    inverted: list[Inversion],
) -> RunScores:
    info, sound = runs.infos[place], soundness(runs, place, asked.ties)
    values, intervals = _numbers(ways, (place,))
    merges = next(one for one in ways if one.scored[place]).degradations[place]
    reliable = _reliability(runs, place, asked, weighted)
    tables = _tables(ways, place)
    return RunScores(info.name, info.manual, False, values, tables, sound, merges, intervals, reliable, inverted)


def _inverted(ways: list[Measured], shown: list[str], runs: int, level: float) -> list[list[Inversion]]:
    """The inversions of each run in the ways shown, if kappa and information are measured."""
    tested = [one for one in ways if one.way.name in shown and {"kappa", "information_corrected"} <= set(one.estimates)]
    found: list[list[Inversion]] = [[] for _ in range(runs)]
    tests = sum(int(one.scored[:runs].sum()) for one in tested)
    for one in tested:
        places = np.flatnonzero(one.scored[:runs])
        each = inversions(one.table[places], one.way, 1 - (1 - level) / max(1, tests))
        for place, some in zip(places, each, strict=True):
            found[place] += some
    return found


def _reliability(runs: Responses, place: int, asked: ScoreParameters, weighted: bool) -> Reliability | Absent:
    """The reliability of one run's confidences, or the reason why there is none."""
    try:
        if weighted:
            raise NotApplicable("confidences are held against pairs of equal weight")
        return reliability(runs, place, asked.interval, asked.seed)
    except NotApplicable as reason:
        return Missing(str(reason))


def _trivial(name: str, system: int, ways: list[Measured]) -> RunScores:
    values, intervals = _numbers(ways, (system,))
    unsaid = Missing("a trivial system states no confidences")
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
