"""A sample of pairs: the result of `sample`, and the sheet that judges fill in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

from karat.data.criteria import JUSTIFICATIONS
from karat.data.fields import Shown, Why
from karat.data.result import Column, Finding, Findings, Sheet
from karat.studies.base import StudyResult
from karat.studies.wording import counted

CRITERIA = tuple(one.name for one in JUSTIFICATIONS)


@dataclass(frozen=True)
class Stratum:
    """The short or long pairs of one setting."""

    setting: str
    length: str
    pairs: int
    sampled: int


@dataclass(frozen=True)
class SampledPair:
    """One pair of the sample."""

    id: Annotated[str, Shown("pair")]
    setting: str
    length: str
    right: Annotated[float, Shown(digits=2), Why("the key has no label for it")]
    """The share of runs whose decision is right."""
    interest: Annotated[float, Shown(digits=2)]
    """From 0 to 1, by the number of words that only its justifications have."""
    by_hand: bool
    order: Annotated[list[str], Shown("order of runs", form=" ".join)]
    """The order in which the runs are shown to every judge."""


@dataclass(frozen=True)
class SheetRow:
    """One justification to judge."""

    run: str
    unit: str
    judge: str
    text: str
    hypothesis: str
    key: str
    decision: str
    justification: str


@dataclass(frozen=True, kw_only=True, repr=False)
class Sampled(StudyResult):
    """The result of `sample`."""

    attribute: Annotated[str | None, Why("no attribute was given (--by)")]
    runs: list[str]
    """The runs with justifications."""
    strata: list[Stratum]
    pairs: list[SampledPair]
    to_judge: list[SheetRow]

    def columns(self, criteria: Sequence[str] = CRITERIA) -> dict[str, list[str]]:
        """The sheet to fill in: run, unit and judge, one empty column per criterion, and the justification."""
        head = {name: [getattr(row, name) for row in self.to_judge] for name in ("run", "unit", "judge")}
        empty = {name: [""] * len(self.to_judge) for name in criteria}
        shown = ("text", "hypothesis", "key", "decision", "justification")
        return head | empty | {name: [getattr(row, name) for row in self.to_judge] for name in shown}

    def make_sheets(self) -> list[Sheet]:
        """The strata and the pairs."""
        same = "The order is the same for every judge."
        return [
            self.sheet("Strata", self.strata, "setting length pairs sampled"),
            self.sheet("Pairs to judge", self.pairs, "id setting length right interest by_hand order", notes=[same]),
        ]

    def records(self) -> Sheet:
        """The sheet to fill in."""
        return Sheet("To judge", tuple(Column(name, values) for name, values in self.columns().items()))


def size(result: Sampled) -> Iterable[Finding]:
    """The numbers of pairs and of justifications to judge."""
    right = sum(pair.right > 0.5 for pair in result.pairs)
    yield Finding(
        f"{counted(len(result.pairs), 'pair')} from {counted(len(result.strata), 'stratum', 'strata')}, {right:,} of "
        f"which most runs get right: {counted(len(result.to_judge), 'justification')} to judge."
    )


def short(result: Sampled) -> Iterable[Finding]:
    """There are fewer pairs than were asked for."""
    wanted = result.signature.parameters["pairs"]
    if len(result.pairs) < int(str(wanted)):
        there = f"all {counted(len(result.pairs), 'pair')} with a label in the key"
        yield Finding(f"--pairs {wanted} is more than there are, so {there} are in the sample.")


FINDINGS: Findings = (size, short)
