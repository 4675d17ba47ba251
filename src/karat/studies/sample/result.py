"""A sample of pairs: what `sample` returns, and the sheet that judges fill in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from karat.data.criteria import JUSTIFICATIONS
from karat.data.result import Column, Field, Finding, Findings, Sheet
from karat.data.undefined import Why
from karat.studies.base import StudyResult
from karat.studies.wording import counted

CRITERIA = tuple(one.name for one in JUSTIFICATIONS)


@dataclass(frozen=True)
class Stratum:
    """Pairs of one setting, short or long."""

    setting: str
    length: str
    pairs: int
    sampled: int


@dataclass(frozen=True)
class SampledPair:
    """One pair of the sample."""

    id: str
    setting: str
    length: str
    right: float
    """The share of runs whose decision is right."""
    interest: float
    """From 0 to 1, by the words that its justifications have to themselves."""
    by_hand: bool
    order: list[str]
    """In which the runs are shown, to every judge."""


@dataclass(frozen=True)
class SheetRow:
    """One justification to be judged."""

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
    """What `sample` returns."""

    attribute: str | None
    runs: list[str]
    """That justify."""
    strata: list[Stratum]
    pairs: list[SampledPair]
    sheet: list[SheetRow]

    WHY: ClassVar[Why] = {
        "attribute": "no attribute was named",
        "pairs/*/right": "the key has no label for it",
    }

    def columns(self, criteria: Sequence[str] = CRITERIA) -> dict[str, list[str]]:
        """The sheet to be filled in: who judges what, an empty column a criterion, and then what is judged."""
        head = {name: [getattr(row, name) for row in self.sheet] for name in ("run", "unit", "judge")}
        empty = {name: [""] * len(self.sheet) for name in criteria}
        shown = ("text", "hypothesis", "key", "decision", "justification")
        return head | empty | {name: [getattr(row, name) for row in self.sheet] for name in shown}

    def make_sheets(self) -> list[Sheet]:
        """Strata, and the pairs."""
        fields = [Field("pair", "id"), Field("setting"), Field("length"), Field("right", digits=2)]
        fields += [Field("interest", digits=2), Field("by hand", "by_hand")]
        listed = Sheet.of("Pairs to judge", self.pairs, *fields, at="pairs")
        order = Column("order of the runs", [" ".join(pair.order) for pair in self.pairs])
        strata = [Field("setting"), Field("length"), Field("pairs"), Field("sampled")]
        return [
            Sheet.of("Strata", self.strata, *strata, at="strata"),
            Sheet(listed.title, (*listed.columns, order), ("The order is the same for every judge.",)),
        ]

    def records(self) -> Sheet:
        """The sheet to be filled in."""
        return Sheet("To judge", tuple(Column(name, values) for name, values in self.columns().items()))


def size(result: Sampled) -> Iterable[Finding]:
    """How much there is to judge."""
    right = sum(pair.right > 0.5 for pair in result.pairs)
    yield Finding(
        f"{counted(len(result.pairs), 'pair')} of {counted(len(result.strata), 'stratum', 'strata')}, "
        f"{right} of them got right by most runs: {counted(len(result.sheet), 'justification')} to judge."
    )


def short(result: Sampled) -> Iterable[Finding]:
    """That there are fewer pairs than were asked for."""
    wanted = result.signature.parameters["pairs"]
    if len(result.pairs) < int(str(wanted)):
        there = f"all {counted(len(result.pairs), 'pair')} with a label in the key"
        yield Finding(f"--pairs {wanted} is more than there are: {there} are in the sample.")


FINDINGS: Findings = (size, short)
