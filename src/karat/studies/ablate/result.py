"""What an engine's parts are worth: what `ablate` returns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from karat.data.result import Estimate, Field, Finding, Findings, Sheet
from karat.data.undefined import Why
from karat.engines.engine import engines
from karat.studies.base import StudyResult, sources_of
from karat.studies.wording import counted

SURE = 0.05


@dataclass(frozen=True)
class Worth:
    """What one part is worth: the accuracy with all parts less the accuracy without this one, on the same pairs."""

    without: str
    value: str | None
    """The value of the attribute whose pairs these are; none: all pairs."""
    pairs: int
    accuracy: float
    """Without the part."""
    worth: Estimate
    gained: int
    """Pairs that are right only with the part."""
    lost: int
    """Pairs that are right only without it."""
    p: float
    p_corrected: float


@dataclass(frozen=True, kw_only=True, repr=False)
class Ablation(StudyResult):
    """What `ablate` returns."""

    engine: str
    way: str
    knowledge: dict[str, str]
    validated: str
    """How the answers were come by: on other pairs than it learnt from, or by cross-validation."""
    pairs: int
    accuracy: Estimate
    """With all parts."""
    parts: list[Worth]
    slices: list[Worth]

    SOURCES: ClassVar[tuple[str, ...]] = ("McNemar", "Holm 1979")
    WHY: ClassVar[Why] = {"parts/*/value": "of all pairs"}

    @property
    def resolved(self) -> dict[str, Any]:
        """What the numbers depend on beside what was asked."""
        return {"engine": self.engine, **self.knowledge}

    def citations(self) -> list[str]:
        """The source of the engine as well."""
        return [*super().citations(), *sources_of(engines, [self.engine])]

    def make_sheets(self) -> list[Sheet]:
        """One table of what each part is worth; one by the values of the attribute."""
        notes = (
            f"{self.engine}, {self.validated}: accuracy {self.accuracy.value:.4f} "
            f"[{self.accuracy.low:.4f}, {self.accuracy.high:.4f}] with all parts.",
            "p is of McNemar's exact test on the pairs that change, corrected after Holm over the rows of the table.",
        )
        sheets = [Sheet.of("What each part is worth", self.parts, *FIELDS, at="parts", notes=notes)]
        if self.slices:
            by = (FIELDS[0], Field("value"), *FIELDS[1:])
            sheets.append(Sheet.of("By value of the attribute", self.slices, *by, at="slices"))
        return sheets

    def records(self) -> Sheet:
        """Every row of both tables."""
        fields = (FIELDS[0], Field("value"), *FIELDS[1:])
        return Sheet.of("Ablation", [*self.parts, *self.slices], *fields)


FIELDS = (
    Field("without"),
    Field("pairs"),
    Field("accuracy without", "accuracy", digits=4),
    Field("worth", "worth.value", digits=4, note="accuracy with all parts less accuracy without this one"),
    Field("low", "worth.low", digits=4),
    Field("high", "worth.high", digits=4),
    Field("right only with", "gained", note="pairs"),
    Field("right only without", "lost", note="pairs"),
    Field("p", digits=4),
    Field("p corrected", "p_corrected", digits=4),
)


def worth(result: Ablation) -> Iterable[Finding]:
    """Which parts are surely worth something, and which surely do harm."""
    for sign, says in ((1, "is worth its place"), (-1, "does harm")):
        sure = [row for row in result.parts if row.p_corrected < SURE and row.worth.value * sign > 0]
        for row in sorted(sure, key=lambda row: -abs(row.worth.value)):
            points = f"{abs(row.worth.value) * 100:.1f} points of accuracy"
            yield Finding(f"{row.without} {says}: {points}, p = {row.p_corrected:.3g} after Holm.")
    if not any(row.p_corrected < SURE for row in result.parts):
        yield Finding(f"No part of {result.engine} can be told from nothing on {counted(result.pairs, 'pair')}.")


def idle(result: Ablation) -> Iterable[Finding]:
    """Which parts change no answer."""
    same = [row.without for row in result.parts if not row.gained and not row.lost]
    if same:
        yield Finding(f"No answer turns right or wrong without {', '.join(same)}.")


FINDINGS: Findings = (worth, idle)
