"""Evaluate: every run measured, both ways, beside the trivial systems (`karat score`)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from karat.data.pairs import Pairs
from karat.data.responses import Responses
from karat.data.result import Chart, Sheet, Undefined
from karat.data.source import Source
from karat.data.weights import RANK_WEIGHTS, given_weights, rank_weights, system_weights
from karat.errors import UsageError
from karat.formats.weights import read_weights
from karat.labels import THREE, TWO, WAYS
from karat.studies import evaluation_sheets
from karat.studies.base import StudyResult, sign, study
from karat.studies.degradation import Degradation
from karat.studies.measuring import Measured, Measuring
from karat.studies.shift import Crossing, crossings
from karat.studies.slices import attribute_slices
from karat.studies.soundness import Soundness, soundness

Values = dict[str, dict[str, float] | None]
Intervals = dict[str, dict[str, tuple[float, float]] | None]
Tables = dict[str, list[list[float]] | None]


class EvaluateParameters(msgspec.Struct, frozen=True, kw_only=True):
    """What `score` can be asked."""

    way: Annotated[
        Literal["auto", "2", "3", "both"],
        Meta(description="labels to show; auto: 3 if key and all runs are three-way, else 2"),
    ] = "auto"
    measure: Annotated[tuple[str, ...], Meta(description="a measure (see karat measures); all of the table")] = ()
    by: Annotated[tuple[str, ...], Meta(description="an attribute of the pairs to slice by")] = ()
    weights: Annotated[
        str, Meta(description="uniform, linear, reciprocal, system, or a file of ids and weights")
    ] = "uniform"
    interval: Annotated[float, Meta(description="level of the intervals", gt=0, lt=1)] = 0.95
    ties: Annotated[
        Literal["expected", "file", "id"],
        Meta(description="ties in a ranking: exact expectation, order of lines, order of ids"),
    ] = "expected"
    prior: Annotated[
        tuple[str, ...],
        Meta(description="another mix of labels to give the accuracy for", examples=["0.5/0.35/0.15"]),
    ] = ()
    crossings: Annotated[bool, Meta(description="the label mixes at which two runs change places")] = False
    seed: Annotated[int, Meta(description="seed of the bootstrap")] = 0


@dataclass(frozen=True)
class KeySummary:
    """The key in numbers."""

    units: int
    labels: dict[str, int]


@dataclass(frozen=True)
class RunScores:
    """One run, or one trivial system, measured."""

    run: str
    manual: bool
    values: Values
    table: Tables
    sound: Soundness | None
    degradations: list[Degradation]
    intervals: Intervals


@dataclass(frozen=True)
class Slice:
    """The runs on the pairs with one value of an attribute."""

    attribute: str
    value: str
    units: int
    runs: list[RunScores]


@dataclass(frozen=True, kw_only=True)
class Evaluation(StudyResult):
    """What `evaluate` returns."""

    key: KeySummary
    runs: list[RunScores]
    baselines: list[RunScores]
    slices: list[Slice] = field(default_factory=list)
    crossings: list[Crossing] = field(default_factory=list)

    def sheets(self) -> list[Sheet]:
        """Runs and trivial systems, conditioned accuracies, what else was asked for."""
        return evaluation_sheets.sheets(self)

    def table(self) -> Sheet:
        """Every number, one a row."""
        return evaluation_sheets.table(self)

    def charts(self) -> list[Chart]:
        """Conditioned accuracy of each run."""
        return evaluation_sheets.charts(self)


@study("score", EvaluateParameters)
def evaluate(key: Pairs, runs: Responses, asked: EvaluateParameters) -> Evaluation:
    """Measure every run, both ways, beside the trivial systems."""
    if key.way is None:
        raise UsageError(f"{key.source.name} has no key: a blind test set can be checked against, not scored")
    if runs.key is not key:
        raise UsageError("the runs were read against another key; read them again: read_runs(paths, key)")
    weights, files = _weights(runs, asked.weights)
    priors = [f"shifted_accuracy({prior!r})" for prior in asked.prior]
    measuring = Measuring(runs, asked.measure, priors, weights, asked.interval, asked.ties, asked.seed)
    ways = [way for way in WAYS.values() if way is TWO or key.way is THREE]
    whole = [measuring.measure(way) for way in ways]
    undefined: list[Undefined] = []
    count = len(runs)
    systems = [_scores(whole, place, undefined, _pointer(place, count)) for place in range(len(whole[0].systems))]
    slices: list[Slice] = []
    for attribute in asked.by:
        for value, within in attribute_slices(key, attribute):
            part = [measuring.measure(way, within) for way in ways]
            at = f"/slices/{len(slices)}/runs"
            rows = [_scores(part, place, undefined, f"{at}/{place}") for place in range(count)]
            slices.append(Slice(attribute, value, int((within & (key.labels >= 0)).sum()), rows))
    return Evaluation(
        study="score",
        signature=sign(
            "score",
            asked,
            [key.source, *(info.source for info in runs.infos), *files],
            measures=dict.fromkeys(name for measured in whole for name in measured.values),
            way=_shown_way(runs, asked.way),
            missing="partial runs are refused",
        ),
        undefined=tuple(undefined),
        warnings=(*key.warnings, *runs.warnings),
        key=KeySummary(len(key), key.label_counts()),
        runs=[
            replace(row, manual=info.manual, sound=soundness(runs, place, asked.ties))
            for place, (row, info) in enumerate(zip(systems[:count], runs.infos, strict=True))
        ],
        baselines=systems[count:],
        slices=slices,
        crossings=_crossings(runs, whole) if asked.crossings else [],
    )


def _pointer(place: int, runs: int) -> str:
    return f"/runs/{place}" if place < runs else f"/baselines/{place - runs}"


def _scores(ways: list[Measured], place: int, undefined: list[Undefined], at: str) -> RunScores:
    """One system out of the arrays; what is not a number is told with its reason."""
    values: Values = dict.fromkeys(WAYS)
    intervals: Intervals = dict.fromkeys(WAYS)
    tables: Tables = dict.fromkeys(WAYS)
    for measured in ways:
        name = measured.way.name
        if not measured.scored[place]:
            undefined.append(Undefined(f"{at}/values/{name}", "the run is two-way"))
            continue
        numbers = {spelled: float(column[place]) for spelled, column in measured.values.items()}
        bounds = {
            spelled: (float(measured.low[spelled][place]), float(measured.high[spelled][place]))
            for spelled in measured.values
        }
        for spelled, number in numbers.items():
            if number != number:
                reason = measured.reasons[spelled][place]
                undefined.append(Undefined(f"{at}/values/{name}/{spelled}", reason))
            elif bounds[spelled][0] != bounds[spelled][0]:
                undefined.append(Undefined(f"{at}/intervals/{name}/{spelled}", measured.reasons[spelled][place]))
        values[name], intervals[name] = numbers, bounds
        tables[name] = measured.table.counts[place].tolist()
    return RunScores(ways[0].systems[place], False, values, tables, None, _merges(ways, place), intervals)


def _merges(ways: list[Measured], place: int) -> list[Degradation]:
    """The rewarded merges in the finest way the system is scored in."""
    finest = next(measured for measured in ways if measured.scored[place])
    return finest.degradations[place]


def _crossings(runs: Responses, ways: list[Measured]) -> list[Crossing]:
    """Crossings in each way, among the runs scored in it."""
    found = []
    for measured in ways:
        places = np.flatnonzero(measured.scored[: len(runs)])
        names = tuple(runs.names[place] for place in places)
        found += crossings(names, measured.table[places], measured.way.name)
    return found


def _shown_way(runs: Responses, asked: str) -> str:
    """The way people see first: three-way if key and all runs are."""
    if asked != "auto":
        return asked
    return "3" if runs.key.way is THREE and all(info.way is THREE for info in runs.infos) else "2"


def _weights(runs: Responses, spelled: str) -> tuple[NDArray[np.float64] | None, list[Source]]:
    """Weights over units, or over runs × units, and the files they came from."""
    if spelled == "uniform":
        return None, []
    if spelled == "system":
        return system_weights(runs), []
    if spelled in RANK_WEIGHTS:
        return rank_weights(runs, spelled), []
    by_id, source = read_weights(spelled)
    return given_weights(runs, by_id), [source]
