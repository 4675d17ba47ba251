"""Sheet: the units that each assessor labels, in which order, and the sheets to fill in (`karat sheet`)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from karat.data.fields import Shown
from karat.data.pairs import Pairs
from karat.data.parameters import SeedOption
from karat.data.records import Records, RowsAt
from karat.data.result import Finding, Findings, Sheet, headline
from karat.errors import UsageError, printable
from karat.labels import THREE
from karat.statistics.dealing import deal
from karat.studies.base import StudyResult, study
from karat.studies.wording import counted, listed

MOST_ASSESSORS = 200
UNSAFE = frozenset('/\\:*?"<>|')
"""Characters that a name of a file cannot have everywhere."""


class SheetParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `sheet`."""

    assessor: Annotated[
        tuple[str, ...], Meta(description="somebody who labels; one option each", examples=["NAME"])
    ] = ()
    overlap: Annotated[int | None, Meta(description="how many assessors label each unit; by default all of them")] = (
        None
    )
    choice: Annotated[
        tuple[str, ...],
        Meta(description="a label that can be given; by default those of the key, or of three-way entailment"),
    ] = ()
    attribute: Annotated[
        tuple[str, ...], Meta(description="an attribute of the pairs that assessors see", examples=["NAME"])
    ] = ()
    seed: SeedOption = 0


@dataclass(frozen=True)
class AssessorUnits:
    """What one assessor labels."""

    assessor: str
    number: Annotated[int, Shown("units")]
    units: list[str]
    """In the order of the sheet."""


@dataclass(frozen=True)
class SharedUnits:
    """How many units two assessors both label, from which their agreement is estimated."""

    a: str
    b: str
    units: int


@dataclass(frozen=True, kw_only=True, repr=False)
class Sheets(StudyResult):
    """The result of `sheet`."""

    pairs: int
    overlap: int
    labels: list[str]
    shown: list[str]
    """The attributes that assessors see."""
    assessors: list[AssessorUnits]
    shared: list[SharedUnits]

    RECORDS: ClassVar[Records] = Records("assessor, number", RowsAt("assessors.*"))

    def columns(self, pairs: Pairs, row: AssessorUnits) -> dict[str, list[str]]:
        """The sheet of one assessor: unit, an empty column for label and comment, and what is to be judged."""
        places = pairs.places(tuple(row.units)).tolist()
        made = {"unit": row.units, "label": [""] * len(places), "comment": [""] * len(places)}
        if pairs.has_texts:
            made |= {"text": [pairs.texts[at] for at in places], "hypothesis": [pairs.hypotheses[at] for at in places]}
        return made | {name: [pairs.attributes[name][at] or "" for at in places] for name in self.shown}

    def make_sheets(self) -> list[Sheet]:
        """Who labels how many units, and how many two share."""
        made = [self.sheet("Sheets", self.assessors, "assessor number")]
        return [*made, self.sheet("Labelled by both", self.shared, "a b units")] if self.shared else made


def dealt(result: Sheets) -> Iterable[Finding]:
    """How the units are dealt."""
    numbers = sorted({row.number for row in result.assessors})
    each = f"{numbers[0]:,}" if len(numbers) == 1 else f"{numbers[0]:,} or {numbers[-1]:,}"
    who = "one assessor" if result.overlap == 1 else f"{result.overlap} assessors"
    units = f"{counted(result.pairs, 'unit')}, each labelled by {who} of {len(result.assessors)}"
    yield headline(f"{units}: {each} for each of them, with the labels {listed(result.labels)}.")


def alone(result: Sheets) -> Iterable[Finding]:
    """Without overlap nothing is known about agreement."""
    if result.overlap == 1:
        yield Finding("No unit is labelled twice, so agreement cannot be estimated, nor errors found.")


FINDINGS: Findings = (dealt, alone)


@study("sheet", SheetParameters, findings=FINDINGS)
def sheet(pairs: Pairs, asked: SheetParameters) -> Sheets:
    """Units for each assessor: equally many, every two together equally often, in an order by the seed."""
    names = asked.assessor
    _check_names(names)
    for name in asked.attribute:
        if name not in pairs.attributes:
            raise UsageError.unknown("attribute of the pairs", name, pairs.attributes)
    overlap = len(names) if asked.overlap is None else asked.overlap
    if not 1 <= overlap <= len(names):
        raise UsageError(f"--overlap {overlap}: expected 1 to {len(names)}, as many as there are assessors")
    known = (pairs.way or THREE).labels
    labels = list(dict.fromkeys(asked.choice or known))

    def draw(*what: str) -> bytes:
        return hashlib.sha256("\0".join((str(asked.seed), "sheet", *what)).encode()).digest()

    given = deal(draw, pairs.ids, names, overlap)
    held = {who: set(units) for who, units in given.items()}
    return Sheets(
        pairs=len(pairs),
        overlap=overlap,
        labels=labels,
        shown=list(dict.fromkeys(asked.attribute)),
        assessors=[AssessorUnits(who, len(units), units) for who, units in given.items()],
        shared=[SharedUnits(a, b, len(held[a] & held[b])) for a, b in combinations(names, 2)],
    )


def _check_names(names: tuple[str, ...]) -> None:
    """Names of assessors are names of files too."""
    if not names:
        raise UsageError("nobody was named: give --assessor NAME for everybody who labels")
    if len(names) > MOST_ASSESSORS:
        raise UsageError(f"{len(names):,} assessors; expected at most {MOST_ASSESSORS}")
    if len({name.casefold() for name in names}) < len(names):
        twice = next(name for name in names if sum(name.casefold() == other.casefold() for other in names) > 1)
        raise UsageError(f"--assessor {twice} is given twice: files are named after assessors")
    for name in names:
        if not name.strip() or name.startswith(".") or UNSAFE & set(name) or not name.isprintable():
            raise UsageError(f"--assessor {printable(name)!r}: expected a name that a file can have")
