"""Ratings on declared criteria: a row a rated justification, checked as it is read."""

from __future__ import annotations

import difflib
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from karat.align.ratings import SKIP, Given, check_names, check_skips, faults
from karat.data.arguments import checked
from karat.data.criteria import declared
from karat.data.numbers import as_number
from karat.data.parameters import parameters
from karat.data.ratings import Ratings
from karat.data.reading import RatingReading
from karat.errors import ALIKE, Problems, UsageError
from karat.formats.documents import Document, FilePath, FilePaths, read_document
from karat.formats.rating_table import ROLES
from karat.formats.rows import Rows, find_column, read_rows, text_of

Key = tuple[str, str, str]


class _Rows:
    """Rows of some files, each checked as it is met."""

    def __init__(self, reading: RatingReading, problems: Problems) -> None:
        self.scales, self.reading, self.problems = declared(reading.criterion), reading, problems
        known = [*ROLES, *(scale.name for scale in self.scales)]
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
        self.documents: list[Document] = []
        self.unrated = Counter[str]()
        self.anonymous: set[bool] = set()
        self.met: dict[Key, int | None] = {}

    def read(self, path: FilePath) -> None:
        """One file."""
        document = read_document(path, self.problems)
        rows = None if document is None else read_rows(document, self.problems)
        if document is None or rows is None:
            return
        self.documents.append(document)
        roles = {role: self._column(document, rows, role) for role in ROLES}
        if self.reading.exchangeable:
            roles["assessor"] = None
        criteria = [self._column(document, rows, scale.name, required=True) for scale in self.scales]
        if roles["unit"] is None or None in criteria:
            return
        if not rows.lines and not self.problems.failed(document.name):
            what = "a row a rated justification"
            self.problems.add("empty-file", "no ratings", file=document.name, what=what)
        self.anonymous.add(roles["assessor"] is None)
        if roles["assessor"] is None and not self.reading.exchangeable and not self.problems.failed(document.name):
            self.problems.add("no-judges", "no column of judges", file=document.name, line=1)
        columns = [None if name is None else rows.columns[name] for name in (*roles.values(), *criteria)]
        times: Counter[tuple[str, str]] = Counter()
        for row, line in enumerate(rows.lines):
            run, unit, judge, *cells = ("" if one is None else (text_of(one[row]) or "").strip() for one in columns)
            run = document.stem if roles["run"] is None else run
            times[run, unit] += 1
            key = (run, unit, f"slot {times[run, unit]}" if roles["assessor"] is None else judge)
            self._row(document.name, line, key, cells)

    def _column(self, document: Document, rows: Rows, role: str, required: bool = False) -> str | None:
        said = self.reading.rating_column.get(role)
        names = [said] if said else list(ROLES.get(role, (role,)))
        required = required or said is not None or role == "unit"
        found = find_column(rows, document.name, role, names, self.problems, "--rating-column" if required else None)
        if found is None and not required and not (role == "assessor" and self.reading.exchangeable):
            self._tell_near(document, rows, role)
        return found

    def _tell_near(self, document: Document, rows: Rows, role: str) -> None:
        """A column may be left out, and a slip in its name must not be taken for that."""
        known = {name for names in ROLES.values() for name in names} | {scale.name for scale in self.scales}
        known |= set(self.reading.rating_column.values())
        for name in rows.header:
            near = difflib.get_close_matches(name.casefold(), ROLES[role], n=1, cutoff=ALIKE)
            if name not in known and near:
                found, what = f"a column {name!r}", f"a column {near[0]}, which it may be meant for"
                facts = {"what": what, "role": role, "option": "--rating-column"}
                self.problems.add("no-column", found, file=document.name, line=1, column=None, **facts)

    def _row(self, file: str, line: int | None, key: Key, cells: list[str]) -> None:
        add = self.problems.add
        if not all(key):
            add("no-id", "a rating without run, unit or judge", file=file, line=line)
        if key in self.met:
            found = f"run {key[0]!r} on {key[1]!r} rated again by {key[2]!r} (first in line {self.met[key]})"
            add("duplicate-id", found, file=file, line=line)
        self.met.setdefault(key, line)
        skipped = cells[0].casefold() == SKIP
        given = [None if skipped else self._number(cell) for cell in cells]
        if skipped and any(cells[1:]):
            beside = next(place for place, cell in enumerate(cells) if place and cell)
            found = f"{self.scales[beside].name} {cells[beside]!r} of a pair that is skipped"
            add("rating", found, file=file, line=line, what=f"nothing beside {SKIP}")
        self.unrated[file] += not skipped and not any(cells)
        for fault in faults(given, self.scales, self.reading.unasked):
            add(fault.code, fault.found, file=file, line=line, what=fault.expected)
        self.keys.append(key)
        self.values.append([math.nan if one is None or isinstance(one, str) else one for one in given])
        self.skipped.append(skipped)
        self.said.append(any(one is not None for one in given))
        self.places.append((file, line))

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
            name = self.documents[-1].name
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
            sources=tuple(document.source for document in self.documents),
            reading=self.reading,
            places=tuple(self.places[row] for row in kept),
        )


@checked
def read_justifications(paths: FilePaths, **options: Any) -> Ratings:
    """Ratings on declared criteria, from one file or several; options are those of `RatingReading`.

    Columns that are no criterion are not read. Without a column of assessors they are exchangeable, which is told;
    without one of runs a file is one run's, by its name.
    """
    problems, reading = Problems(), parameters(RatingReading, options)
    given = [paths] if isinstance(paths, str) or not isinstance(paths, Iterable) else list(paths)
    rows = _Rows(reading, problems)
    for path in given:
        rows.read(path)
    made = rows.ratings()
    if not len(made):
        problems.add("empty-file", "no ratings", file=rows.documents[0].name, what="at least one rated justification")
        problems.raise_errors()
    check_skips(made, problems)
    check_names(made, problems)
    return replace(made, warnings=problems.warnings)


def holds_ratings(path: FilePath, **options: Any) -> bool:
    """Whether a file has the columns of ratings: units, and the first criterion."""
    problems, reading = Problems(), parameters(RatingReading, options)
    document = read_document(path, problems)
    rows = None if document is None else read_rows(document, problems)
    if rows is None:
        return False
    wanted = {"unit": ROLES["unit"], (name := declared(reading.criterion)[0].name): (name,)}
    said = reading.rating_column
    return all(any(one in rows.header for one in (said.get(role, ""), *names)) for role, names in wanted.items())
