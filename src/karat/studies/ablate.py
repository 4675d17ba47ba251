"""Ablate: an engine without each of its parts in turn (`karat ablate`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import Annotated, Any, ClassVar

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import NAN, Bools
from karat.data.charts import Chart, Dots, Figures, Heat, Interval, Series
from karat.data.fields import Shown, Why
from karat.data.pairs import Pairs, attribute_slices
from karat.data.parameters import IntervalOption, SeedOption
from karat.data.records import Records, RowsAt
from karat.data.result import Estimate, Finding, Findings, Sheet
from karat.engines.engine import Decisions, Setup, engines
from karat.engines.knowledge import Knowledge, load_knowledge
from karat.engines.model import bare_spelling, check_without, fit, make_engine, names_of
from karat.engines.predicting import predict
from karat.engines.validation import cross_validate
from karat.errors import Problem, UsageError
from karat.labels import THREE, TWO, Way, fold
from karat.progress import track
from karat.statistics.intervals import wilson
from karat.statistics.multiple_testing import holm
from karat.statistics.paired import Paired, adjusted_interval, mcnemar
from karat.studies.base import StudyResult, needs, sources_of, study
from karat.studies.run import AnswerWay, Trees, way_to_answer
from karat.studies.wording import ALPHA, counted, in_points, p_is, per_cent, some_of

WORTH_COLUMNS = "pairs accuracy worth worth.low worth.high gained lost p p_corrected"


@dataclass(frozen=True)
class Worth:
    """The worth of one part: the accuracy with all parts minus the accuracy without this one, on the same pairs."""

    without: str
    value: Annotated[str | None, Why("of all pairs")]
    """The value of the attribute that selects the pairs; None for all pairs."""
    pairs: int
    accuracy: Annotated[float, Shown("accuracy without", unit="%")]
    """The accuracy without the part."""
    worth: Annotated[Estimate, Shown(note="accuracy with all parts minus accuracy without this one", unit="points")]
    gained: Annotated[int, Shown("right only with", note="pairs")]
    """Pairs that are right only with the part."""
    lost: Annotated[int, Shown("right only without", note="pairs")]
    """Pairs that are right only without it."""
    p: float
    p_corrected: float


@dataclass(frozen=True, kw_only=True, repr=False)
class Ablation(StudyResult):
    """The result of `ablate`."""

    engine: str
    way: str
    knowledge: dict[str, str]
    validated: str
    """How the engine was validated: on pairs other than the training pairs, or by cross-validation."""
    pairs: int
    accuracy: Estimate
    """The accuracy with all parts."""
    parts: list[Worth]
    slices: list[Worth]

    RECORDS: ClassVar[Records] = Records(
        "without, value, pairs, accuracy without=accuracy, worth, low=worth.low, high=worth.high, "
        "right only with=gained, right only without=lost, p, p corrected=p_corrected",
        RowsAt("parts.*"),
        RowsAt("slices.*"),
    )
    SOURCES: ClassVar[tuple[str, ...]] = ("McNemar", "Holm 1979")

    @property
    def resolved(self) -> dict[str, Any]:
        """The engine with all its arguments and its knowledge, for the signature."""
        return {"engine": self.engine, **self.knowledge}

    def citations(self) -> list[str]:
        """The source of the engine as well."""
        return [*super().citations(), *sources_of(engines, [self.engine])]

    def make_sheets(self) -> list[Sheet]:
        """The worth of each part, and by value of the attribute."""
        notes = (
            f"{self.engine}, {self.validated}: accuracy {per_cent(self.accuracy.value)} "
            f"({self.percent} CI {per_cent(self.accuracy.low)} to {per_cent(self.accuracy.high)}) with all parts.",
            "p: McNemar's exact test on the pairs that change, with Holm correction over the rows of the table.",
        )
        sheets = [self.sheet("What does each part contribute?", self.parts, "without", WORTH_COLUMNS, notes=notes)]
        if self.slices:
            sheets.append(self.sheet("By value of the attribute", self.slices, "without value", WORTH_COLUMNS))
        return sheets


def help_or_harm(result: Ablation) -> Iterable[Finding]:
    """Which parts significantly help, and which significantly do harm."""
    for sign, says in ((1, "significantly raises accuracy"), (-1, "significantly lowers accuracy")):
        sure = [row for row in result.parts if row.p_corrected < ALPHA and row.worth.value * sign > 0]
        for row in sorted(sure, key=lambda row: -abs(row.worth.value)):
            points = in_points("accuracy", abs(row.worth.value))
            yield Finding(f"{row.without} {says}, by {points} ({p_is(row.p_corrected)}, Holm correction).")
    if not any(row.p_corrected < ALPHA for row in result.parts):
        yield Finding(
            f"No part of {result.engine} changes its accuracy significantly on {counted(result.pairs, 'pair')}."
        )


def idle(result: Ablation) -> Iterable[Finding]:
    """Which parts change no answer."""
    same = [row.without for row in result.parts if not row.gained and not row.lost]
    if same:
        yield Finding(f"Without {some_of(same, len(same))}, no answer changes between right and wrong.")


def worth(result: Ablation) -> Iterable[Chart]:
    """The contribution of each part to accuracy on the same pairs, with its interval, largest first.

    It is the accuracy with all parts minus the accuracy without this one: right of 0 the part helps, left of 0 the
    engine is better without it. If the interval includes 0, these pairs do not show whether the part helps.
    """
    rows = _ordered(result)
    if rows:
        yield Dots(
            title="Contribution of each part to accuracy",
            labels=tuple(row.without for row in rows),
            series=(Series("worth", [row.worth.value for row in rows]),),
            intervals=tuple(Interval(row.worth.low, row.worth.high) for row in rows),
            axis="accuracy with the part minus accuracy without it",
            unit="points",
            low=None,
            high=None,
            rule=0.0,
        )


@needs("an attribute of the pairs: --by ATTRIBUTE")
def worth_by_value(result: Ablation) -> Iterable[Chart]:
    """The contribution of each part to accuracy by value of an attribute; below 0 it lowers accuracy.

    A part may contribute nothing overall and much on the pairs it was made for. The numbers in a row are from the same
    pairs; with few pairs large numbers may be due to chance, and the table has p-values.
    """
    values = list(dict.fromkeys(row.value for row in result.slices))
    known = {(row.without, row.value): row.worth.value for row in result.slices}
    parts = [row.without for row in _ordered(result)]
    if values:
        yield Heat(
            title="Contribution of each part to accuracy in points, by value of the attribute",
            labels=tuple(map(str, values)),
            series=tuple(Series(part, [100 * known.get((part, value), nan) for value in values]) for part in parts),
            axes=("part", result.signature.parameters.get("by") or "value"),
            low=None,
            high=None,
            digits=1,
        )


def _ordered(result: Ablation) -> list[Worth]:
    return sorted(result.parts, key=lambda row: -row.worth.value)


FINDINGS: Findings = (help_or_harm, idle)
FIGURES: Figures = (worth, worth_by_value)


class AblateParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `ablate`."""

    PATHS: ClassVar = ("trees",)

    way: AnswerWay = "auto"
    without: Annotated[
        tuple[str, ...],
        Meta(description="a part to switch off, one option each; by default every part in turn"),
    ] = ()
    by: Annotated[str | None, Meta(description="an attribute of the pairs by which the change is also reported")] = None
    folds: Annotated[int, Meta(description="folds of the cross-validation, if there is no --train", ge=2)] = 10
    interval: IntervalOption = 0.95
    trees: Trees = "chunker"
    seed: SeedOption = 0


def parts_of(engine: str, asked: Sequence[str] = ()) -> tuple[str, ...]:
    """The parts to switch off: those asked for, or all parts of the engine."""
    bound = engines.parse(engine)
    check_without(engine, tuple(asked))
    if not bound.facts["switches"]:
        raise UsageError(f"{bound} has no part that can be switched off")
    # A part that needs an argument of the same name, such as a network, is missing if that is empty.
    absent = {name for name, value in bound.arguments if value == ""}
    return tuple(dict.fromkeys(asked or (name for name in bound.facts["switches"] if name not in absent)))


@study("ablate", AblateParameters, findings=FINDINGS, figures=FIGURES)
def ablate(
    engine: str,
    key: Pairs,
    asked: AblateParameters,
    *,
    train: Pairs | None = None,
) -> Ablation:
    """The worth of each part of an engine, which is trained and run again without it on the same pairs."""
    if key.way is None:
        raise UsageError(
            f"{key.source.name} has no labels, and the contribution of a part can be measured on labelled pairs only"
        )
    for given in (key, train):
        if given is not None:
            given.need_texts("an engine")
    bound, switches = engines.parse(engine), parts_of(engine, asked.without)
    way = way_to_answer(asked.way, train, key)
    if key.way is TWO and way is THREE:
        if asked.way == "3":
            raise UsageError(f"{key.source.name} has two labels: use --way 2")
        way = TWO
    full_knowledge = load_knowledge(asked.trees)
    rows: list[Bools] = []
    warnings: list[Problem] = []
    for off in track(("", *switches), lambda off: f"without {off}" if off else "with all parts"):
        knowledge = full_knowledge if not off else load_knowledge(asked.trees, (off,))
        decisions = _decisions(engine, key, train, way, knowledge, asked)
        rows.append(decisions.codes == fold(key.labels, way))
        warnings += decisions.warnings
    scored = key.labels >= 0
    right = np.array(rows)[:, scored]
    slices: list[Worth] = []
    if asked.by is not None:
        values, within = attribute_slices(key, asked.by)
        for value, members in zip(values, within[:, scored], strict=True):
            slices += _worths(switches, value, right[:, members], asked.interval) if members.any() else []
    mean = right[0].mean()
    low, high = wilson(np.array(mean), np.array(right.shape[1]), asked.interval)
    return Ablation(
        engine=bare_spelling(bound),
        way=way.name,
        knowledge=full_knowledge.names | names_of(make_engine(engine, Setup(full_knowledge, way, asked.seed))),
        validated=f"trained on {train.source.bare.name}" if train else f"{asked.folds}-fold cross-validation",
        pairs=right.shape[1],
        accuracy=Estimate(float(mean), float(low), float(high)),
        parts=_corrected(_worths(switches, None, right, asked.interval)),
        slices=_corrected(slices),
        warnings=tuple(warnings),
    )


def _decisions(
    engine: str, key: Pairs, train: Pairs | None, way: Way, knowledge: Knowledge, asked: AblateParameters
) -> Decisions:
    if train is None:
        return cross_validate(engine, key, way, folds=asked.folds, seed=asked.seed, knowledge=knowledge)
    without = tuple(knowledge.without)
    model = fit(engine, train, way, seed=asked.seed, trees=asked.trees, without=without, knowledge=knowledge)
    return predict(model, key, knowledge=knowledge)


def _worths(switches: tuple[str, ...], value: str | None, right: Bools, level: float) -> list[Worth]:
    """The worth of every part on some pairs, before correction; the first row of `right` is with all parts."""
    others = np.arange(1, len(right))
    paired = Paired.of(right.astype(np.float64), np.zeros_like(others), others)
    gained, lost = paired.wins
    low, high = adjusted_interval(paired, level)
    p = mcnemar(gained, lost)
    return [
        Worth(
            without=name,
            value=value,
            pairs=right.shape[1],
            accuracy=float(right[place + 1].mean()),
            worth=Estimate(float(paired.differences[place]), float(low[place]), float(high[place])),
            gained=int(gained[place]),
            lost=int(lost[place]),
            p=float(p[place]),
            p_corrected=NAN,
        )
        for place, name in enumerate(switches)
    ]


def _corrected(rows: list[Worth]) -> list[Worth]:
    """The rows of one table with p corrected for all of them."""
    raised = holm(np.array([row.p for row in rows])) if rows else np.zeros(0)
    return [replace(row, p_corrected=float(p)) for row, p in zip(rows, raised, strict=True)]
