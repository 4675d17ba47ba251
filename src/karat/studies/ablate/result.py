"""The contributions of an engine's parts: the result of `ablate`, its tables, findings and figures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import nan
from typing import Annotated, Any, ClassVar

from karat.data.charts import Chart, Dots, Figures, Heat, Interval, Series
from karat.data.fields import Shown, Why
from karat.data.records import Records, RowsAt
from karat.data.result import Estimate, Finding, Findings, Sheet
from karat.engines.engine import engines
from karat.studies.base import StudyResult, needs, sources_of
from karat.studies.wording import ALPHA, counted, in_points, some_of

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
            f"{self.engine}, {self.validated}: accuracy {self.accuracy.value:.4f} "
            f"[{self.accuracy.low:.4f}, {self.accuracy.high:.4f}] with all parts.",
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
            yield Finding(f"{row.without} {says}, by {points} (p = {row.p_corrected:.3g}, Holm correction).")
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
