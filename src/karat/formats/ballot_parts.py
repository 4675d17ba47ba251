"""Ballots in a Parquet file too large to hold: one row per ballot, those of a unit together, read part by part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from karat.align.ballot_cells import COLUMN_NAMES, PROGRAM, BallotCell
from karat.align.ballot_scales import scale_of
from karat.arrays import Int32s, Ints
from karat.data.ballots import Ballots, Scale
from karat.data.parameters import takes
from karat.data.parts import BallotParts
from karat.data.provenance import BallotReading
from karat.errors import Problems, UsageError, counted
from karat.formats.documents import FilePath, FilePaths, listed
from karat.formats.parquet_parts import LARGE, ParquetParts, large_parquet
from karat.places import check_place
from karat.progress import track

NAMED = ("text", "whole number")
"""Columns that can name a unit, an assessor or a label."""
OF_ONE_LABEL = 1000
"""Rows of a label by which its scale is found: enough to tell a rare label from a common one."""
SORTED = "sort the file by the unit, as with polars.scan_parquet(FILE).sort(UNIT).sink_parquet(NEW)"


@dataclass(frozen=True, eq=False)
class _Rows:
    """Ballots of whole units: the hash of the unit of each, and assessor and label by their place in the file."""

    unit: NDArray[np.uint64]
    assessor: Ints
    label: Ints

    def __getitem__(self, some: slice | NDArray[np.bool_]) -> _Rows:
        return _Rows(self.unit[some], self.assessor[some], self.label[some])

    def __add__(self, other: _Rows) -> _Rows:
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return _Rows(*(np.concatenate(pair) for pair in pairs))

    @property
    def starts(self) -> Ints:
        """Where the units start."""
        return np.flatnonzero(np.append(True, self.unit[1:] != self.unit[:-1])) if len(self.unit) else np.empty(0, int)


@dataclass(frozen=True, eq=False)
class _File:
    """The columns of a file of ballots."""

    table: ParquetParts
    unit: str
    assessor: str | None
    label: str
    exchangeable: bool
    rows_at_once: int | None

    def parts(self, assessors: dict[str, int], labels: dict[str, int], what: str) -> Iterator[_Rows]:
        """Rows with a label, some units at a time; names that are not known yet are added. A unit stays whole."""
        texts = [self.label] if self.assessor is None else [self.assessor, self.label]
        rest: _Rows | None = None
        parts = self.table.parts(texts=texts, hashed=[self.unit], rows_at_once=self.rows_at_once)
        for part in track(parts, what, self.table.rows, lambda part: part.rows):
            label = _numbered(*part.texts[self.label], labels)
            who = np.zeros(part.rows, np.int64)
            if self.assessor is not None:
                who = _numbered(*part.texts[self.assessor], assessors, label >= 0)
            rows = _Rows(part.hashed[self.unit], who, label)[label >= 0]
            rows = rows if rest is None else rest + rows
            last = int(rows.starts[-1]) if len(rows.unit) else 0
            if last:
                yield rows[:last]
            rest = rows[last:]
        if rest is not None and len(rest.unit):
            yield rest


def _numbered(
    places: Int32s, words: Sequence[str], known: dict[str, int], counts: NDArray[np.bool_] | None = None
) -> Ints:
    """The number of each cell, -1 if it is empty; words that count get the next numbers in order of appearance."""
    order: Sequence[int] = range(len(words))
    if counts is not None and not counts.all():
        seen, first = np.unique(places[counts], return_index=True)
        order = seen[np.argsort(first)].tolist()
    for place in order:
        if word := words[place].strip():
            known.setdefault(word, len(known))
    return np.array([known.get(word.strip(), -1) for word in words], dtype=np.int64)[places]


@takes(BallotReading)
def read_ballot_parts(
    paths: FilePaths,
    reading: BallotReading,
    least: int = LARGE,
    rows_at_once: int | None = None,
    on: str = "here",
) -> BallotParts | None:
    """Ballots in parts, from one Parquet file of more than `least` cells with one row per ballot; None for other files.

    The rows of a unit must follow one another. All rows are read once, to learn who judged and what was said.
    """
    check_place(on)
    match listed(paths):
        case [path] if not (reading.assessor or reading.leading or reading.same):
            found = _of_file(path, reading, least, rows_at_once)
            return found and replace(found, on=on)
    return None


def _of_file(path: FilePath, reading: BallotReading, least: int, rows_at_once: int | None) -> BallotParts | None:
    table = large_parquet(path, least)
    if table is None:
        return None
    found = {role: _column(table, role, reading) for role in COLUMN_NAMES}
    unit, assessor, label = (found[role] for role in ("unit", "assessor", "label"))
    others = PROGRAM in table.columns or any(found[role] for role in ("reason", "kind", "comment"))
    if others or unit is None or label is None or (assessor is None and not reading.exchangeable):
        return None
    if any(table.columns[name] not in NAMED for name in (unit, assessor, label) if name is not None):
        return None
    file = _File(table, unit, assessor, label, reading.exchangeable, rows_at_once)
    problems, assessors, labels = Problems(), dict[str, int](), dict[str, int]()
    units, said, slots = _checked(file, assessors, labels, problems)
    if not said:
        problems.add("empty-file", "no ballots", file=table.name, what="a ballot")
    problems.raise_errors()
    cells = [
        cell
        for text in labels
        for cell in [BallotCell(table.name, None, "…", "…", text)] * min(said[labels[text]], OF_ONE_LABEL)
    ]
    scale, codes = scale_of(cells, None, reading, problems)
    problems.raise_errors()
    code = np.array([codes[text] for text in labels], dtype=np.int32)
    names = tuple(f"slot {slot + 1}" for slot in range(slots)) if assessor is None else tuple(assessors)
    return BallotParts(
        assessors=names,
        scale=scale,
        units=units,
        size=said.total(),
        parts=lambda: _parts(file, assessors, labels, code, names, scale),
        held=lambda: _held(file, assessors, labels, code, names, scale),
        exchangeable=reading.exchangeable,
        sources=(table.source,),
        reading=reading,
        warnings=tuple(problems),
    )


def _column(table: ParquetParts, role: str, reading: BallotReading) -> str | None:
    names = [reading.ballot_column[role]] if role in reading.ballot_column else COLUMN_NAMES[role]
    return next((name for name in names if name in table.columns), None)


def _checked(
    file: _File, assessors: dict[str, int], labels: dict[str, int], problems: Problems
) -> tuple[int, Counter[int], int]:
    """The number of units, how often each label is said, and the most ballots of a unit; problems are reported."""
    met, said, most, again, nobody = [], Counter[int](), 0, 0, 0
    for rows in file.parts(assessors, labels, "checking ballots"):
        starts = rows.starts
        met.append(rows.unit[starts])
        said.update(dict(enumerate(np.bincount(rows.label).tolist())))
        sizes = np.diff(np.append(starts, len(rows.unit)))
        most = max(most, int(sizes.max()))
        nobody += int((rows.assessor < 0).sum())
        if file.assessor is not None:
            cells = np.repeat(np.arange(len(starts)), sizes) * (len(assessors) + 1) + rows.assessor
            cells.sort()
            again += int((cells[1:] == cells[:-1]).sum())
    name, every = file.table.name, np.sort(np.concatenate(met)) if met else np.empty(0, np.uint64)
    if scattered := int((every[1:] == every[:-1]).sum()):
        found = f"{counted(scattered, 'unit')} whose rows are in several places of the file"
        problems.add("format", found, file=name, what="the rows of a unit one after another", fix=SORTED)
    if again:
        problems.add("duplicate-id", f"{counted(again, 'ballot')} of a unit by somebody who judged it", file=name)
    if nobody:
        problems.add("no-id", f"{counted(nobody, 'ballot')} without an assessor", file=name)
    return len(every), said, most


def _parts(
    file: _File, assessors: dict[str, int], labels: dict[str, int], code: Int32s, names: tuple[str, ...], scale: Scale
) -> Iterator[Ballots]:
    """The ballots of one part after another."""
    for rows in file.parts(dict(assessors), dict(labels), "reading ballots"):
        starts = rows.starts
        sizes = np.diff(np.append(starts, len(rows.unit)))
        unit = np.repeat(np.arange(len(starts), dtype=np.int32), sizes)
        if rows.assessor.max(initial=0) >= max(len(assessors), 1) or rows.label.max(initial=0) >= len(code):
            raise UsageError(f"{file.table.name} changed while it was read; give a file that nobody writes to")
        who = np.arange(len(unit)) - np.repeat(starts, sizes) if file.assessor is None else rows.assessor
        yield Ballots(
            units=("",) * len(starts),
            assessors=names,
            scale=scale,
            unit=unit,
            assessor=who.astype(np.int32),
            code=code[rows.label],
            exchangeable=file.exchangeable,
        )


def _held(
    file: _File, assessors: dict[str, int], labels: dict[str, int], code: Int32s, names: tuple[str, ...], scale: Scale
) -> Ballots:
    """All ballots at once; units have numbers for names."""
    parts = list(_parts(file, assessors, labels, code, names, scale))
    before = np.cumsum([0, *(len(part.units) for part in parts)])
    return replace(
        parts[0],
        units=tuple(map(str, range(1, int(before[-1]) + 1))),
        unit=np.concatenate([part.unit + start for part, start in zip(parts, before, strict=False)]).astype(np.int32),
        assessor=np.concatenate([part.assessor for part in parts]),
        code=np.concatenate([part.code for part in parts]),
        sources=(file.table.source,),
    )
