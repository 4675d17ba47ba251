"""Ballots files: long (a row a ballot), wide (a column an assessor), a key's own labels, two assessors' table."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta

from karat.data.ballots import Ballots, Level, Scale
from karat.data.pairs import Pairs
from karat.data.parameters import parameters
from karat.data.reading import Reading
from karat.errors import Problems, UsageError
from karat.formats.ballot_tables import is_table, parse_table
from karat.formats.documents import Document, FilePath, read_document
from karat.formats.reading import parse_pairs
from karat.formats.rows import Rows, find_column, read_rows, text_of
from karat.labels import Spellings, code_table, way_of

NAMES = {
    "unit": ("unit", "id", "pair", "pair_id", "item", "orig_id"),
    "assessor": ("assessor", "annotator", "judge", "rater", "worker", "!amt_worker_ids"),
    "label": ("label", "judgment", "rating", "value", "response"),
}
NOT_NUMBERS = {
    "ordinal": "say the order of the labels: --order LOW --order … --order HIGH",
    "interval": "use --level ordinal",
}
Cell = tuple[int | None, str, str, str]
"""Line, unit, assessor, label."""


class BallotReading(msgspec.Struct, frozen=True, kw_only=True):
    """How ballots are read."""

    level: Annotated[Level, Meta(description="what the order of labels means")] = "nominal"
    assessor: Annotated[
        tuple[str, ...], Meta(description="a column that is an assessor, in a file of a column an assessor")
    ] = ()
    ballot_column: Annotated[
        dict[str, str], Meta(description="which column is unit, assessor or label", examples=["unit=pairID"])
    ] = {}
    order: Annotated[
        tuple[str, ...], Meta(description="the labels from low to high, one a time, for an ordinal scale")
    ] = ()
    label: Annotated[
        dict[str, str], Meta(description="what a label's spelling means", examples=["NO=CONTRADICTION"])
    ] = {}
    exchangeable: Annotated[
        bool, Meta(description="first and second assessor differ from unit to unit; no column need name them")
    ] = False


def read_ballots(path: FilePath, key: Pairs | None = None, **options: Any) -> Ballots:
    """Ballots from a file; with a key, its units and its labels, else as they are found."""
    problems = Problems()
    document = read_document(path, problems)
    ballots = None if document is None else parse_ballots(document, key, parameters(BallotReading, options), problems)
    problems.raise_errors()
    assert ballots is not None
    return ballots


def parse_ballots(document: Document, key: Pairs | None, reading: BallotReading, problems: Problems) -> Ballots | None:
    """Ballots from a document at hand; None where it has errors."""
    head = document.head
    if head.is_xml or {"label_counter", "annotator_labels"} & head.fields:
        pairs = parse_pairs(document, Reading(label=reading.label), problems)
        if pairs is not None and pairs.ballots is None:
            what = "several labels a pair, or rows of unit, assessor and label"
            problems.add("empty-file", "a test set without ballots", file=document.name, what=what)
        if pairs is None or pairs.ballots is None:
            return None
        scale = Scale(pairs.ballots.scale.values, reading.level)
        return replace(pairs.ballots, scale=scale, source=document.source, warnings=pairs.warnings)
    if is_table(document):
        ballots = parse_table(document, reading.level, problems)
        return replace(ballots, exchangeable=True) if ballots and reading.exchangeable else ballots
    rows = read_rows(document, problems)
    if rows is None:
        return None
    cells = _wide(document, rows, reading, problems) if reading.assessor else _long(document, rows, reading, problems)
    _check(document.name, cells, key, problems)
    if problems.failed(document.name):
        return None
    return _ballots(document, cells, key, reading, problems)


def _long(document: Document, rows: Rows, reading: BallotReading, problems: Problems) -> list[Cell]:
    columns: dict[str, list[str]] = {}
    for role, names in NAMES.items():
        wanted = [reading.ballot_column[role]] if role in reading.ballot_column else names
        # Whose ballot it was need not be known where it does not matter.
        option = None if role == "assessor" and reading.exchangeable else "--ballot-column"
        name = find_column(rows, document.name, role, wanted, problems, option)
        if name is not None:
            columns[role] = [(text_of(value) or "").strip() for value in rows.columns[name]]
    if problems.failed(document.name):
        return []
    if "assessor" not in columns:
        columns["assessor"] = _slots(columns["unit"], columns["label"])
    return list(zip(rows.lines, *(columns[role] for role in NAMES), strict=True))


def _slots(units: Sequence[str], labels: Sequence[str]) -> list[str]:
    """Assessors by the place of a ballot among those of its unit."""
    met: Counter[str] = Counter()
    slots = []
    for unit, label in zip(units, labels, strict=True):
        met[unit] += bool(label)
        slots.append(f"slot {met[unit]}")
    return slots


def _wide(document: Document, rows: Rows, reading: BallotReading, problems: Problems) -> list[Cell]:
    """A row a unit; without a column of units, rows are numbered from 1."""
    unit = reading.ballot_column.get("unit")
    names = [find_column(rows, document.name, "assessor", [name], problems, "--assessor") for name in reading.assessor]
    if unit is not None:
        unit = find_column(rows, document.name, "unit", [unit], problems, "--ballot-column")
    units = [str(row) for row in range(1, len(rows.lines) + 1)] if unit is None else map(str, rows.columns[unit])
    return [
        (line, name, assessor, (text_of(rows.columns[assessor][row]) or "").strip())
        for row, (line, name) in enumerate(zip(rows.lines, units, strict=True))
        for assessor in names
        if assessor is not None
    ]


def _check(file: str, cells: Sequence[Cell], key: Pairs | None, problems: Problems) -> None:
    """Each assessor judges a unit once, and units are the key's."""
    seen: dict[tuple[str, str], int | None] = {}
    if not cells and not problems.failed(file):
        problems.add("empty-file", "no ballots", file=file, what="a ballot")
    for line, unit, assessor, label in cells:
        if key is not None and unit not in key.index:
            problems.add("unknown-id", f"unit {unit!r}", file=file, line=line)
        if label and (unit, assessor) in seen:
            where = f" (first in line {seen[unit, assessor]})" if seen[unit, assessor] else ""
            found = f"unit {unit!r} judged again by {assessor!r}{where}"
            problems.add("duplicate-id", found, file=file, line=line)
        if label:
            seen[unit, assessor] = line


def _ballots(
    document: Document, cells: Sequence[Cell], key: Pairs | None, reading: BallotReading, problems: Problems
) -> Ballots | None:
    cells = [cell for cell in cells if cell[3]]
    spelled = list(dict.fromkeys(label for _, _, _, label in cells))
    scale, codes = _scale(spelled, key, reading)
    for line, unit, assessor, label in cells:
        if label not in codes:
            what = f"one of {', '.join(scale.values)}"
            found = f"label {label!r} of unit {unit!r} by {assessor!r}"
            problems.add("label", found, file=document.name, line=line, what=what, spelled=label)
    if problems.failed(document.name):
        return None
    units = key.ids if key is not None else tuple(dict.fromkeys(unit for _, unit, _, _ in cells))
    assessors = tuple(dict.fromkeys(assessor for _, _, assessor, _ in cells))
    unit_place = {name: place for place, name in enumerate(units)}
    assessor_place = {name: place for place, name in enumerate(assessors)}
    return Ballots(
        units=units,
        assessors=assessors,
        scale=scale,
        unit=np.array([unit_place[unit] for _, unit, _, _ in cells], dtype=np.int32),
        assessor=np.array([assessor_place[assessor] for _, _, assessor, _ in cells], dtype=np.int32),
        code=np.array([codes[label] for _, _, _, label in cells], dtype=np.int32),
        exchangeable=reading.exchangeable,
        reading=Reading(label=reading.label),
        source=document.source,
        warnings=problems.warnings,
    )


def _scale(spelled: list[str], key: Pairs | None, reading: BallotReading) -> tuple[Scale, dict[str, int]]:
    """The scale, and the code of each spelling on it: the key's labels, a given order, numbers, or words."""
    if reading.order:
        return Scale(reading.order, reading.level), {label: place for place, label in enumerate(reading.order)}
    meanings = Spellings(reading.label)
    known = [meaning for label in spelled if (meaning := meanings[label])]
    way = None if key is None else key.way
    # YES and NO alone are anybody's words; with a key, or a three-way label among them, they are entailment's.
    if way is None and len(known) == len(spelled) and (reading.label or way_of(known).name == "3"):
        way = way_of(known)
    # With a key a spelling that means nothing is a mistake, unless all do: then they are ratings of something else.
    if way is not None and known:
        table = code_table(way)
        codes = {label: table[meaning] for label in spelled if (meaning := meanings[label]) in table}
        return Scale(way.labels, reading.level), codes
    numbers = _numbers(spelled)
    if numbers is None:
        if reading.level != "nominal":
            told = f"--level {reading.level}: {_first_word(spelled)!r} is no number"
            raise UsageError(f"{told}; {NOT_NUMBERS[reading.level]}")
        words = sorted(spelled)
        return Scale(tuple(words)), {label: place for place, label in enumerate(words)}
    # 1 and 1.0 are one number, spelled as it was first.
    values = sorted(set(numbers))
    place = {number: at for at, number in enumerate(values)}
    first = dict(zip(reversed(numbers), reversed(spelled), strict=True))
    codes = {label: place[number] for label, number in zip(spelled, numbers, strict=True)}
    return Scale(tuple(first[number] for number in values), reading.level), codes


def _numbers(spelled: Sequence[str]) -> list[float] | None:
    """The labels as numbers, if all are finite ones."""
    try:
        numbers = [float(label) for label in spelled]
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None


def _first_word(spelled: Sequence[str]) -> str:
    return next(label for label in spelled if _numbers([label]) is None)
