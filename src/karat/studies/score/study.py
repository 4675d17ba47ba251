"""Score: every run measured, both ways, beside the trivial systems (`karat score`)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta

from karat.data.pairs import Pairs
from karat.data.parameters import TAIL, WayOption
from karat.data.responses import Responses
from karat.data.slices import attribute_slices
from karat.data.undefined import Absent, Missing, known
from karat.data.weights import Scheme, UnitWeights, own_weights
from karat.errors import NotApplicable
from karat.labels import THREE, TWO, WAYS
from karat.studies.base import study
from karat.studies.score.charts import FIGURES
from karat.studies.score.findings import FINDINGS
from karat.studies.score.inversion import Inversion, inversions
from karat.studies.score.measuring import Measured, Measuring
from karat.studies.score.reliability import Reliability, reliability
from karat.studies.score.result import (
    HEADLINE,
    Evaluation,
    Intervals,
    KeySummary,
    RunScores,
    Slice,
    SliceScores,
    Tables,
    Values,
)
from karat.studies.score.shift import Crossing, crossings
from karat.studies.score.soundness import soundness
from karat.studies.score.trivial import trivial_names
from karat.studies.score_matrix import way_of
from karat.studies.ways import shown_ways

SHIFT = "shifted_accuracy"


class ScoreParameters(msgspec.Struct, frozen=True, kw_only=True):
    """What `score` can be asked."""

    way: WayOption = "auto"
    measure: Annotated[tuple[str, ...], Meta(description="a measure (see karat measures); all of the table")] = ()
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
        Meta(description="another mix of labels to give the accuracy for", examples=["0.5/0.35/0.15"]),
    ] = ()
    crossings: Annotated[bool, Meta(description="the label mixes at which two runs change places")] = False
    seed: Annotated[int, Meta(description="seed of every random number")] = 0


@study("score", ScoreParameters, findings=FINDINGS, figures=FIGURES)
def score(runs: Responses, asked: ScoreParameters, *, unit_weights: UnitWeights | None = None) -> Evaluation:
    """Measure every run, both ways, beside the trivial systems."""
    key = runs.key
    key_way = way_of(key)
    shown = shown_ways(runs, asked.way)
    measuring = Measuring(
        runs,
        asked.measure,
        [f"shifted_accuracy({prior!r})" for prior in asked.prior],
        None if unit_weights is None else unit_weights.values,
        own_weights(runs, asked.weights) if unit_weights is None else None,
        asked.interval,
        asked.ties,
        asked.seed,
    )
    whole = [measuring.whole(way) for way in WAYS.values() if way is TWO or key_way is THREE]
    inverted = _inverted(whole, [way.name for way in shown], len(runs), asked.interval)
    headline = [name for name in HEADLINE if not asked.measure and any(name in one.values for one in whole)]
    weighted = unit_weights is not None or asked.weights != "uniform"
    if headline and weighted:
        # How easy a task the weights make it, beside how well the run did on it.
        headline.insert(headline.index("information"), "entropy_key")
    headline += [
        str(one) for way in shown for one in measuring.measures(way) if asked.measure or one.entry.name == SHIFT
    ]
    return Evaluation(
        key=KeySummary(len(key), key.label_counts()),
        runs=[_run(runs, place, whole, asked, weighted, inverted[place]) for place in range(len(runs))],
        baselines=[_trivial(name, len(runs) + place, whole) for place, name in enumerate(trivial_names(key_way))],
        slices=_slices(key, runs, measuring, whole, asked),
        crossings=_crossings(runs, whole) if asked.crossings else [],
        shown=[way.name for way in shown],
        headline=list(dict.fromkeys(headline)),
        own_weights=measuring.own is not None,
    )


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
    merges = next(measured for measured in ways if measured.scored[place]).degradations[place]
    reliable = _reliability(runs, place, asked, weighted)
    tables = _tables(ways, place)
    return RunScores(info.name, info.manual, False, values, tables, sound, merges, intervals, reliable, inverted)


def _inverted(ways: list[Measured], shown: list[str], runs: int, level: float) -> list[list[Inversion]]:
    """The inversions of each run in the ways that are shown, where kappa and information are measured."""
    tested = [one for one in ways if one.way.name in shown and {"kappa", "information_corrected"} <= set(one.values)]
    found: list[list[Inversion]] = [[] for _ in range(runs)]
    tests = sum(int(one.scored[:runs].sum()) for one in tested)
    for measured in tested:
        places = np.flatnonzero(measured.scored[:runs])
        each = inversions(measured.table[places], measured.way, 1 - (1 - level) / max(1, tests))
        for place, some in zip(places, each, strict=True):
            found[place] += some
    return found


def _reliability(runs: Responses, place: int, asked: ScoreParameters, weighted: bool) -> Reliability | Absent:
    """What one run's confidences are worth; where that cannot be told, the reason is."""
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


def _slices(
    key: Pairs,
    runs: Responses,
    measuring: Measuring,
    whole: list[Measured],
    asked: ScoreParameters,
) -> list[Slice]:
    """Every run on every value of every attribute asked for."""
    made: list[Slice] = []
    for attribute in asked.by:
        names, within = attribute_slices(key, attribute)
        parts = [measuring.sliced(measured.way, within) for measured in whole]
        for value, name in enumerate(names):
            rows = []
            for place, run in enumerate(runs.names):
                rows.append(SliceScores(run, *_numbers(parts, (value, place))))
            made.append(Slice(attribute, name, int((within[value] & (key.labels >= 0)).sum()), rows))
    return made


def _numbers(ways: list[Measured], place: tuple[int, ...]) -> tuple[Values, Intervals]:
    """Values and intervals of one system out of the arrays; what is not a number has its reason."""
    values: Values = dict.fromkeys(WAYS)
    intervals: Intervals = dict.fromkeys(WAYS)
    for measured in ways:
        if not measured.scored[place[-1]]:
            continue
        numbers = values[measured.way.name] = {}
        bounds = intervals[measured.way.name] = {}
        for name, column in measured.values.items():
            why = measured.reasons[name][place[-1]]
            numbers[name] = known(float(column[place]), why)
            if numbers[name] == numbers[name]:
                why = measured.interval_reasons[name][place[-1]]
            low, high = (known(float(ends[name][place]), why) for ends in (measured.low, measured.high))
            bounds[name] = low, high
    return values, intervals


def _tables(ways: list[Measured], system: int) -> Tables:
    """The contingency in each way."""
    tables: Tables = dict.fromkeys(WAYS)
    for measured in ways:
        if measured.scored[system]:
            tables[measured.way.name] = measured.table.counts[system].tolist()
    return tables


def _crossings(runs: Responses, ways: list[Measured]) -> list[Crossing]:
    """Crossings in each way, among the runs scored in it."""
    found = []
    for measured in ways:
        places = np.flatnonzero(measured.scored[: len(runs)])
        names = tuple(runs.names[place] for place in places)
        found += crossings(names, measured.table[places], measured.way.name)
    return found
