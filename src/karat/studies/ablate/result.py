"""The contributions of an engine's parts: the result of `ablate`, its tables and findings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from karat.data.fields import Shown, Why
from karat.data.result import Estimate, Finding, Findings, Sheet
from karat.engines.engine import engines
from karat.studies.base import StudyResult, sources_of
from karat.studies.wording import ALPHA, counted


@dataclass(frozen=True)
class Worth:
    """The worth of one part: the accuracy with all parts minus the accuracy without this one, on the same pairs."""

    without: str
    value: Annotated[str | None, Why("of all pairs")]
    """The value of the attribute that selects the pairs; None for all pairs."""
    pairs: int
    accuracy: Annotated[float, Shown("accuracy without")]
    """The accuracy without the part."""
    worth: Annotated[Estimate, Shown(note="accuracy with all parts less accuracy without this one")]
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
            "p is of McNemar's exact test on the pairs that change, corrected after Holm over the rows of the table.",
        )
        sheets = [self.sheet("What each part is worth", self.parts, "without", WORTH_COLUMNS, notes=notes)]
        if self.slices:
            sheets.append(self.sheet("By value of the attribute", self.slices, "without value", WORTH_COLUMNS))
        return sheets

    def records(self) -> Sheet:
        """Every row of both tables."""
        return self.sheet("Ablation", [*self.parts, *self.slices], "without value", WORTH_COLUMNS)


WORTH_COLUMNS = "pairs accuracy worth worth.low worth.high gained lost p p_corrected"


def worth(result: Ablation) -> Iterable[Finding]:
    """Which parts significantly help, and which significantly do harm."""
    for sign, says in ((1, "is worth its place"), (-1, "does harm")):
        sure = [row for row in result.parts if row.p_corrected < ALPHA and row.worth.value * sign > 0]
        for row in sorted(sure, key=lambda row: -abs(row.worth.value)):
            points = f"{abs(row.worth.value) * 100:.1f} points of accuracy"
            yield Finding(f"{row.without} {says}: {points}, p = {row.p_corrected:.3g} after Holm.")
    if not any(row.p_corrected < ALPHA for row in result.parts):
        yield Finding(f"No part of {result.engine} can be told from nothing on {counted(result.pairs, 'pair')}.")


def idle(result: Ablation) -> Iterable[Finding]:
    """Which parts change no answer."""
    same = [row.without for row in result.parts if not row.gained and not row.lost]
    if same:
        yield Finding(f"No answer turns right or wrong without {', '.join(same)}.")


FINDINGS: Findings = (worth, idle)
