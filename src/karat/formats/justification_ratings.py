"""Ratings on declared criteria: one row per rated justification, checked as it is read."""

from __future__ import annotations

import difflib
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from karat.align.columns import Columns, again
from karat.align.ratings import SKIP, Given, check_names, check_skips, faults
from karat.data.arguments import checked
from karat.data.criteria import declared
from karat.data.numbers import as_number
from karat.data.parameters import parameters
from karat.data.ratings import Ratings
from karat.data.reading import RatingReading
from karat.errors import SIMILARITY, Problems, UsageError
from karat.formats.documents import Document, FilePath, FilePaths, read_document
from karat.formats.rating_table import COLUMNS, NAMES
from karat.formats.registry import anything, justification_formats, read_columns, without_errors
from karat.formats.rows import find_column, read_rows, texts_of

Key = tuple[str, str, str]


class _Rows:
    """Rows of some files, each checked as it is met."""

    def __init__(self, reading: RatingReading, problems: Problems) -> None:
        self.scales, self.reading, self.problems = declared(reading.criterion), reading, problems
        known = [*COLUMNS, *(scale.name for scale in self.scales)]
        for role in reading.rating_column:
            if role not in known:
                raise UsageError.unknown("role for --rating-column", role, known)
        try:
            self.absent = {float(code) for code in reading.not_applicable}
        except ValueError:
            told = ", ".join(reading.not_applicable)
            raise UsageError(f"--not-applicable {told}: write a number, for example -9") from None
        self.keys: list[Key] = []
        self.values: list[list[float]] = []
        self.skipped: list[bool] = []
        self.said: list[bool] = []
        self.places: list[tuple[str, int | None]] = []
        self.files: list[Columns] = []
        self.unrated = Counter[str]()
        self.anonymous: set[bool] = set()
        self.met: dict[Key, int | None] = {}

    def add(self, columns: Columns) -> None:
        """The rows of one file."""
        self.files.append(columns)
        self.anonymous.add("assessor" not in columns.values)
        columns.need_rows(self.problems, "no ratings", "a row a rated justification")
        if "assessor" not in columns.values and not (self.reading.exchangeable or self.problems.failed(columns.file)):
            self.problems.add("no-judges", "no column of judges", file=columns.file, line=1)
        runs = columns.get("run") or [columns.source.stem] * len(columns)
        judges = columns.get("assessor")
        times: Counter[tuple[str, str]] = Counter()
        for row, (run, unit, cells) in enumerate(zip(runs, columns["unit"], columns["cells"], strict=True)):
            times[run, unit] += 1
            key = (run, unit, f"slot {times[run, unit]}" if judges is None else judges[row])
            self._row(columns, row, key, cells)

    def _row(self, columns: Columns, row: int, key: Key, cells: Sequence[str]) -> None:
        tell, line = partial(columns.tell, self.problems), columns.lines[row]
        if not all(key):
            tell("no-id", "a rating without run, unit or judge", row)
        if (first := again(self.met, key, line)) is not None:
            tell("duplicate-id", f"run {key[0]!r} on {key[1]!r} rated again by {key[2]!r}{first}", row)
        skipped = cells[0].casefold() == SKIP
        given = [None if skipped else self._number(cell) for cell in cells]
        if skipped and any(cells[1:]):
            beside = next(place for place, cell in enumerate(cells) if place and cell)
            found = f"{self.scales[beside].name} {cells[beside]!r} of a pair that is skipped"
            tell("rating", found, row, what=f"nothing beside {SKIP}")
        self.unrated[columns.file] += not skipped and not any(cells)
        for fault in faults(given, self.scales, self.reading.unasked):
            tell(fault.code, fault.found, row, what=fault.expected)
        self.keys.append(key)
        self.values.append([math.nan if one is None or isinstance(one, str) else one for one in given])
        self.skipped.append(skipped)
        self.said.append(any(one is not None for one in given))
        self.places.append((columns.file, line))

    def _number(self, cell: str) -> Given:
        """A cell as a number: None where empty, NaN where not applicable, as it stands where it is none."""
        if not cell:
            return None
        number = as_number(cell)
        if number in self.absent:
            return math.nan
        return number if math.isfinite(number) else cell

    def ratings(self) -> Ratings:
        """All that was read; what was not asked has no value, and what was not rated no row."""
        for file, times in self.unrated.items():
            if times:
                self.problems.add("unrated", f"{times} rows without a rating", file=file)
        if len(self.anonymous) > 1:
            what = "a column of judges in all files, or in none"
            name = self.files[-1].file
            self.problems.add("columns", "files with and without judges", file=name, line=1, what=what)
        self.problems.raise_errors()
        values = np.array(self.values).reshape(len(self.keys), len(self.scales))
        for at, scale in enumerate(self.scales):
            if scale.asked_if is not None:
                other = values[:, [one.name for one in self.scales].index(scale.asked_if)]
                values[~(other >= scale.at_least), at] = math.nan
        skipped = np.array(self.skipped, dtype=bool)
        kept = np.flatnonzero(skipped | np.array(self.said, dtype=bool))
        return Ratings.of(
            [self.keys[row] for row in kept],
            [scale.name for scale in self.scales],
            values[kept],
            scales=self.scales,
            skipped=skipped[kept],
            exchangeable=True in self.anonymous,
            sources=tuple(one.source for one in self.files),
            reading=self.reading,
            places=tuple(self.places[row] for row in kept),
        )


@checked
def read_justifications(paths: FilePaths, **options: Any) -> Ratings:
    """Ratings on declared criteria, from one file or several; options are those of `RatingReading`.

    Columns that are no criterion are not read. Without a column of assessors they are exchangeable, which is reported;
    without one of runs a file is one run's, by its name.
    """
    problems, reading = Problems(), parameters(RatingReading, options)
    given = [paths] if isinstance(paths, str) or not isinstance(paths, Iterable) else list(paths)
    rows = _Rows(reading, problems)
    for path in given:
        document = read_document(path, problems)
        columns = None if document is None else read_columns(justification_formats, document, problems, reading=reading)
        if columns is not None:
            rows.add(columns)
    made = rows.ratings()
    if not len(made):
        problems.add("empty-file", "no ratings", file=rows.files[0].file, what="at least one rated justification")
        problems.raise_errors()
    check_skips(made, problems)
    check_names(made, problems)
    return without_errors(made, problems)


@justification_formats.register(
    "table", sniff=anything, write=None, what="run, unit, assessor, and one column per criterion"
)
def read(document: Document, reading: RatingReading, problems: Problems) -> Columns | None:
    """Read the columns that --rating-column names, or else those of common names; run and assessor may be missing."""
    rows = read_rows(document, problems)
    if rows is None:
        return None
    scales = [scale.name for scale in declared(reading.criterion)]
    found = {role: _column(rows, role, role == "unit", reading, problems) for role in COLUMNS}
    if reading.exchangeable:
        found["assessor"] = None
    criteria = [_column(rows, name, True, reading, problems) for name in scales]
    if found["unit"] is None or None in criteria:
        return None
    values: dict[str, Any] = {role: texts_of(rows, name) for role, name in found.items() if name is not None}
    values["cells"] = list(zip(*(texts_of(rows, name) for name in criteria if name is not None), strict=True))
    return Columns(rows.source, values, rows.lines)


def _column(rows: Columns, role: str, required: bool, reading: RatingReading, problems: Problems) -> str | None:
    said = reading.rating_column.get(role)
    names = (said,) if said else COLUMNS[role].names if role in COLUMNS else (role,)
    required = required or said is not None
    found = find_column(rows, role, names, problems, "--rating-column" if required else None)
    if found is None and not required and not (role == "assessor" and reading.exchangeable):
        _tell_near(rows, role, reading, problems)
    return found


def _tell_near(rows: Columns, role: str, reading: RatingReading, problems: Problems) -> None:
    """A column may be left out, and a slip in its name must not be taken for that."""
    known = {*NAMES, *(scale.name for scale in declared(reading.criterion)), *reading.rating_column.values()}
    for name in rows.values:
        near = difflib.get_close_matches(name.casefold(), COLUMNS[role].names, n=1, cutoff=SIMILARITY)
        if name not in known and near:
            found, what = f"a column {name!r}", f"a column {near[0]}, which it may be meant for"
            problems.add("no-column", found, file=rows.file, line=1, what=what, role=role, option="--rating-column")


def holds_ratings(path: FilePath, **options: Any) -> bool:
    """Whether a file has the columns of ratings: units, and the first criterion."""
    problems, reading = Problems(), parameters(RatingReading, options)
    document = read_document(path, problems)
    rows = None if document is None else read_rows(document, problems)
    if rows is None:
        return False
    wanted = {"unit": COLUMNS["unit"].names, (name := declared(reading.criterion)[0].name): (name,)}
    said = reading.rating_column
    return all(any(one in rows.values for one in (said.get(role, ""), *names)) for role, names in wanted.items())
