"""Items: which pairs are hard, for which runs, and of what kind (`karat items`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Annotated, ClassVar

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import DISPLAY_TOLERANCE
from karat.data.charts import Bars, Chart, series
from karat.data.fields import Shown, Why
from karat.data.pairs import attribute_slices
from karat.data.parameters import OneWayOption, generator
from karat.data.responses import Responses
from karat.data.result import Cell, Field, Finding, RunName, Sheet, headline
from karat.errors import UsageError
from karat.kernels.counting import divide
from karat.labels import fold
from karat.statistics.multiple_testing import corrected
from karat.statistics.slice_difference import range_p
from karat.studies.base import StudyResult, study
from karat.studies.wording import ALPHA, counted, listed, p_is, per_cent

ENOUGH_PAIRS = 10
"""The fewest pairs with a value of an attribute for the value to be called hard or easy."""
MOST_VALUES = 30
"""An attribute with more values is broken down only if it is asked for by name."""
MOST_IDS, LONGEST_IDS = 12, 60
"""The most ids shown in one cell, and the most characters, unless the first id is longer."""


class ItemsParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `items`."""

    way: OneWayOption = "auto"
    by: Annotated[tuple[str, ...], Meta(description="attributes to break down by; by default all with few values")] = ()


@dataclass(frozen=True)
class Item:
    """One pair and how the runs did on it."""

    id: str
    label: str
    right: int
    answers: dict[str, int]


@dataclass(frozen=True)
class Difficulty:
    """The runs' mean accuracy on the pairs with one value of an attribute."""

    value: str
    units: Annotated[int, Shown("pairs")]
    accuracy: Annotated[float, Shown("mean accuracy", unit="%")]
    never_right: Annotated[int, Shown("right in no run")]


@dataclass(frozen=True)
class Conditioned:
    """One run's accuracy on the pairs of each label."""

    run: str
    manual: bool
    recall: Annotated[dict[str, float], Shown(unit="%"), Why("the key has no pair with this label")]

    @property
    def name(self) -> RunName:
        """As shown: manual runs are starred."""
        return RunName.of(self.run, self.manual)


@dataclass(frozen=True, kw_only=True, repr=False)
class ItemAnalysis(StudyResult):
    """What `items` returns."""

    way: str
    units: int
    runs: list[str]
    never_right: list[str]
    always_right: list[str]
    unanimous: list[str]
    difficulty: dict[str, list[Difficulty]]
    difficulty_p: Annotated[dict[str, float], Why(f"not tested, since fewer than two values have {ENOUGH_PAIRS} pairs")]
    """By attribute: p of a permutation test of whether its values with at least ten pairs are equally hard, corrected
    for the number of attributes."""
    pooled: list[list[int]]
    labels: list[str]
    conditioned: list[Conditioned]
    items: list[Item]

    METHOD: ClassVar[str] = (
        "How many runs are right on each pair, and their mean accuracy on the pairs of each kind; a pair that every "
        "run gets wrong is hard, or its key is wrong. Kinds are called hardest and easiest if a permutation test of "
        "the range of their accuracies is significant."
    )

    def make_sheets(self) -> list[Sheet]:
        """Extremes, pooled contingency, difficulty by attribute, conditioned accuracy."""
        extremes = (
            ("no run is right", self.never_right),
            ("every run is right", self.always_right),
            ("all runs agree", self.unanimous),
        )
        counts = [(name, len(ids), _first(ids)) for name, ids in extremes]
        pooled: list[list[Cell]] = [[label, *row] for label, row in zip(self.labels, self.pooled, strict=True)]
        made = [
            Sheet.listed(f"{self.units:,} pairs, {len(self.runs):,} runs", ("pairs where", "count", "ids"), counts),
            Sheet.listed("Answers of all runs together (columns) by key (rows)", ("key", *self.labels), pooled),
        ]
        for attribute, parts in self.difficulty.items():
            columns = Field(attribute, "value"), "units accuracy never_right"
            made.append(self.sheet(f"Difficulty by {attribute}", parts, *columns))
        recalls = [Field(label, ("recall", label)) for label in self.labels]
        return [
            *made,
            self.sheet("Accuracy on the pairs of each label", self._best_first(), Field("run", "name"), *recalls),
        ]

    def _best_first(self) -> list[Conditioned]:
        """The runs by their accuracy on all pairs."""
        pairs = {label: sum(row) for label, row in zip(self.labels, self.pooled, strict=True) if sum(row)}

        def right(one: Conditioned) -> float:
            return sum(one.recall[label] * number for label, number in pairs.items())

        return sorted(self.conditioned, key=right, reverse=True)

    def records(self) -> Sheet:
        """One row per pair."""
        rows: list[list[Cell]] = [
            [one.id, one.label, one.right, len(self.runs), *one.answers.values()] for one in self.items
        ]
        return Sheet.listed("items", ("id", "label", "right", "runs", *self.labels), rows)


def difficulty(result: ItemAnalysis) -> Iterable[Chart]:
    """The number of pairs by how many runs got them right, one panel per label of the key, on a common scale.

    Hard pairs are on the left, easy ones on the right. Pairs at either end do not distinguish between runs; those at 0
    deserve another look, since the key may be wrong.
    """
    places = range(len(result.runs) + 1)
    counts = {label: [0.0] * len(places) for label in result.labels}
    for item in result.items:
        counts[item.label][item.right] += 1
    yield Bars(
        title="Pairs by how many runs got them right",
        labels=tuple(map(str, places)),
        series=series(counts),
        axes=("runs that are right", "pairs"),
    )


def hardest(result: ItemAnalysis) -> Iterable[Finding]:
    """The values of an attribute that are hardest and easiest, if values with enough pairs differ significantly."""
    for attribute, parts in result.difficulty.items():
        if not result.difficulty_p[attribute] <= ALPHA:
            continue
        large = [part for part in parts if part.units >= ENOUGH_PAIRS]
        low, high = (pick(part.accuracy for part in large) for pick in (min, max))
        ends = ([part for part in large if abs(part.accuracy - end) < DISPLAY_TOLERANCE] for end in (low, high))
        hard, easy = (listed([f"{part.value} ({part.units:,} pairs)" for part in end]) for end in ends)
        among = "" if len(large) == len(parts) else f" among values with at least {ENOUGH_PAIRS} pairs"
        yield Finding(
            f"Accuracy differs significantly by {attribute} (corrected {p_is(result.difficulty_p[attribute])}){among}: "
            f"the mean over runs is lowest on {hard}, at {per_cent(low)}, and highest on {easy}, at {per_cent(high)}."
        )


def _first(ids: Sequence[str]) -> str:
    """The first ids, as far as they fit into a cell."""
    ends = accumulate(len(name) + 1 for name in ids)
    fitting = max(1, sum(end <= LONGEST_IDS for end in islice(ends, MOST_IDS)))
    return " ".join(ids[:fitting]) + " …" * (len(ids) > fitting)


def never(result: ItemAnalysis) -> Iterable[Finding]:
    """How many pairs of each label no run got right, or that there are none."""
    if not result.never_right:
        every, always = counted(result.units, "pair"), len(result.always_right)
        yield headline(f"Each of {every} was answered correctly by at least one run, and {always} by every run.")
    else:
        lost = set(result.never_right)
        by_label = {
            label: sum(item.label == label and item.id in lost for item in result.items) for label in result.labels
        }
        labels = [f"{count:,} {label}" for label, count in by_label.items() if count]
        which = f": {', '.join(labels)}"
        if len(labels) == 1:
            label = next(label for label, count in by_label.items() if count)
            which = f", which is {label}" if len(lost) == 1 else f", all of them {label}"
        yield headline(f"No run is right on {len(lost):,} of {counted(result.units, 'pair')}{which}.")


@study("items", ItemsParameters, findings=(hardest, never), figures=(difficulty,))
def items(runs: Responses, asked: ItemsParameters) -> ItemAnalysis:
    """Which pairs no run or every run got right, and how hard each kind of pair is."""
    key = runs.key
    if key.way is None or not len(runs):
        raise UsageError("item analysis needs a key with labels, and at least one run")
    [way] = runs.ways(asked.way)
    scored = np.flatnonzero(key.labels >= 0)
    right = runs.right(way).values[:, scored]
    hits = right.sum(axis=0).astype(int)
    codes = fold(runs.codes, way)[:, scored]
    answers = np.stack([(codes == code).sum(axis=0) for code in range(len(way.labels))], axis=1)
    labels = fold(key.labels, way)[scored]
    table = runs.count(way)
    recalls = divide(table.diagonal, table.key)
    ids = [key.ids[unit] for unit in scored]
    attributes = list(asked.by) or [
        name for name, values in key.attributes.items() if 1 < len(set(values)) <= MOST_VALUES
    ]
    difficulty, tested = {}, []
    for attribute in attributes:
        parts, large = [], []
        for value, within in zip(*attribute_slices(key, attribute), strict=True):
            here = within[scored]
            if here.any():
                accuracy, never = float(right[:, here].mean()), int((hits[here] == 0).sum())
                parts.append(Difficulty(value, int(here.sum()), accuracy, never))
                large += [here] * (int(here.sum()) >= ENOUGH_PAIRS)
        difficulty[attribute] = parts
        members = np.array(large).reshape(-1, len(scored))
        tested.append(range_p(hits / len(runs), members, generator(0, "items", attribute)))
    conditioned = [
        Conditioned(info.name, info.manual, dict(zip(way.labels, row.tolist(), strict=True)))
        for info, row in zip(runs.infos, recalls, strict=True)
    ]
    return ItemAnalysis(
        way=way.name,
        units=len(scored),
        runs=list(runs.names),
        never_right=[name for name, hit in zip(ids, hits, strict=True) if hit == 0],
        always_right=[name for name, hit in zip(ids, hits, strict=True) if hit == len(runs)],
        unanimous=[name for name, row in zip(ids, answers, strict=True) if row.max() == len(runs)],
        difficulty=difficulty,
        difficulty_p=dict(zip(attributes, corrected(np.array(tested), "holm").tolist(), strict=True)),
        pooled=table.sum().counts.astype(int).tolist(),
        labels=list(way.labels),
        conditioned=conditioned,
        items=[
            Item(name, way.labels[label], int(hit), dict(zip(way.labels, row.tolist(), strict=True)))
            for name, label, hit, row in zip(ids, labels, hits, answers, strict=True)
        ],
    )
