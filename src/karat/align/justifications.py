"""Align ratings of justifications: check the rows of one or more files against the criteria."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import partial

import numpy as np

from karat.align.columns import Columns, seen_before
from karat.align.ratings import SKIP, Given, faults
from karat.data.criteria import declared
from karat.data.provenance import RatingReading
from karat.data.ratings import Ratings
from karat.errors import Problems, UsageError, counted
from karat.files import as_number

Key = tuple[str, str, str]
ROLES = ("run", "unit", "assessor")
"""The columns other than criteria."""


class RatedRows:
    """Rows of one or more files, checked as they are added."""

    def __init__(self, reading: RatingReading, problems: Problems) -> None:
        self.scales, self.reading, self.problems = declared(reading.criterion), reading, problems
        known = [*ROLES, *(scale.name for scale in self.scales)]
        for role in reading.rating_column:
            if role not in known:
                raise UsageError.unknown("role for --rating-column", role, known)
        try:
            self.absent = {float(code) for code in reading.not_applicable}
        except ValueError:
            message = ", ".join(reading.not_applicable)
            raise UsageError(f"--not-applicable {message}: write a number, for example -9") from None
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
        """Add the rows of one file."""
        self.files.append(columns)
        self.anonymous.add("assessor" not in columns.values)
        columns.need_rows(self.problems, "no ratings", "one row per rated justification")
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
        report, line = partial(columns.report, self.problems), columns.lines[row]
        if not all(key):
            report("no-id", "a rating without run, unit or judge", row)
        if (first := seen_before(self.met, key, line)) is not None:
            report("duplicate-id", f"run {key[0]!r} on {key[1]!r} rated again by {key[2]!r}{first}", row)
        skipped = cells[0].casefold() == SKIP
        given = [None if skipped else self._number(cell) for cell in cells]
        if skipped and any(cells[1:]):
            beside = next(place for place, cell in enumerate(cells) if place and cell)
            found = f"{self.scales[beside].name} {cells[beside]!r} of a pair that is skipped"
            report("rating", found, row, what=f"nothing beside {SKIP}")
        self.unrated[columns.file] += not skipped and not any(cells)
        for fault in faults(given, self.scales, self.reading.unasked):
            report(fault.code, fault.found, row, what=fault.expected)
        self.keys.append(key)
        self.values.append([math.nan if one is None or isinstance(one, str) else one for one in given])
        self.skipped.append(skipped)
        self.said.append(any(one is not None for one in given))
        self.places.append((columns.file, line))

    def _number(self, cell: str) -> Given:
        """A cell as a number: None if empty, NaN if not applicable, the text itself if it is not a number."""
        if not cell:
            return None
        number = as_number(cell)
        if number in self.absent:
            return math.nan
        return number if math.isfinite(number) else cell

    def ratings(self) -> Ratings:
        """All ratings; a criterion that was not asked has no value, and an answer that was not rated has no row."""
        for file, times in self.unrated.items():
            if times:
                self.problems.add("unrated", f"{counted(times, 'row')} without a rating", file=file)
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
