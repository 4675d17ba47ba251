"""What studies hand to the edges: results with a signature, sheets, charts and findings.

Renderers see only what is here, and JSON is the result itself; no study knows a format.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePath
from typing import Any, ClassVar, Literal

from karat.data.source import Source
from karat.data.undefined import Undefined as Undefined
from karat.data.undefined import Why, pointer, reached
from karat.errors import Problem, UsageError

Cell = str | float | int | bool | None


@dataclass(frozen=True)
class Estimate:
    """A number with the ends of its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Column:
    """A column of a sheet: numbers with so many digits, or words."""

    name: str
    values: Sequence[Cell]
    digits: int | None = None
    note: str = ""
    """What the heading means, for readers who hover or look below the table."""
    at: Sequence[str] = ()
    """Where in the result each value stands (JSON pointers), so that a dash finds its reason."""

    @property
    def numeric(self) -> bool:
        """Whether the column holds numbers, which are set flush right."""
        return any(isinstance(value, int | float) and not isinstance(value, bool) for value in self.values)

    def text(self, value: Cell) -> str:
        """One value as people read it: nothing for nothing, a dash for undefined."""
        if value is None:
            return ""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, float):
            return "–" if value != value else f"{value:z.{4 if self.digits is None else self.digits}f}"
        text = str(value)
        # A name may hold what a terminal obeys.
        return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


@dataclass(frozen=True)
class Field:
    """A column that is one field of every row: `path` may go deeper (`factoid.value`, `interval.0`).

    Steps that could hold a dot (names of runs) are given one by one.
    """

    name: str
    path: str | tuple[str, ...] = ""
    digits: int | None = None
    note: str = ""

    @cached_property
    def steps(self) -> tuple[str, ...]:
        """From the row to the value."""
        return self.path if isinstance(self.path, tuple) else tuple((self.path or self.name).split("."))

    def of(self, row: Any) -> Any:
        """The value in one row: NaN, a dash, for a number that is null; None where something on the way is None."""
        value = reached(row, self.steps)
        null = value is None and self.digits is not None and reached(row, self.steps[:-1]) is not None
        return float("nan") if null else value


@dataclass(frozen=True)
class Sheet:
    """One table for people."""

    title: str
    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, title: str, rows: Sequence[Any], *fields: Field, at: str = "", notes: Sequence[str] = ()) -> Sheet:
        """A row for each of some dataclasses, which stand in the result at `at`."""
        columns = []
        for one in fields:
            places = [pointer(*at.split("/"), row, *one.steps) for row in range(len(rows))] if at else ()
            columns.append(Column(one.name, [one.of(row) for row in rows], one.digits, one.note, places))
        return cls(title, tuple(columns), tuple(notes))

    def ordered(self, rows: Sequence[int]) -> Sheet:
        """The same with its rows in another order."""
        columns = (
            replace(
                column,
                values=[column.values[row] for row in rows],
                at=[column.at[row] for row in rows] if column.at else (),
            )
            for column in self.columns
        )
        return replace(self, columns=tuple(columns))

    def rows(self) -> list[list[str]]:
        """The cells as text, row by row."""
        return [
            [column.text(value) for column, value in zip(self.columns, row, strict=True)]
            for row in zip(*(column.values for column in self.columns), strict=True)
        ]


@dataclass(frozen=True)
class Chart:
    """Data to be drawn, on a scale from low to high: dots, for each label one value a series; or lines over x.

    Boxes have five series: for each label its lowest value, quartile, median, quartile and highest. Lines have
    an x for each of their values: one sequence for all series, or one a series by its name; labels, where there are
    any, are the names of x = 0, 1, …. Counts say how many units of each label stand at each series' one x, on a log
    scale; series without x stand in gutters beside it.
    """

    kind: Literal["dots", "lines", "boxes", "counts"]
    title: str
    labels: tuple[str, ...]
    series: Mapping[str, Sequence[float]]
    low: float = 0.0
    high: float = 1.0
    x: Sequence[float] | Mapping[str, Sequence[float]] = ()
    axes: tuple[str, str] = ("", "")
    """What x and y are, for lines."""
    marked: tuple[str, ...] = ()
    """Series of lines whose points are drawn too."""
    rule: float | None = None
    """A value that is drawn across, to read the lines against."""
    ends: tuple[str, str] | None = None
    """Of dots: the two series that are the ends of an interval, drawn as a bar between them."""

    def points(self, name: str) -> list[tuple[float, float]]:
        """The (x, y) of one series of lines, where y is defined."""
        return [point for stretch in self.stretches(name) for point in stretch]

    def stretches(self, name: str) -> list[list[tuple[float, float]]]:
        """The same, apart wherever a y between two points is undefined: no line leads across what is missing."""
        x = self.x[name] if isinstance(self.x, Mapping) else self.x
        made: list[list[tuple[float, float]]] = [[]]
        for a, b in zip(x, self.series[name], strict=True):
            if b == b:
                made[-1].append((float(a), float(b)))
            elif made[-1]:
                made.append([])
        return [stretch for stretch in made if stretch]

    @property
    def dots(self) -> list[str]:
        """The series that have a mark of their own: all but the ends of a bar."""
        return [name for name in self.series if name not in (self.ends or ())]

    def on_scale(self) -> dict[str, float]:
        """Of counts: the series that stand on the scale, each with its share of the way from low to high in logs."""
        x = self.x if isinstance(self.x, Mapping) else {}
        whole = math.log(self.high / self.low)
        return {name: math.log(x[name][0] / self.low) / whole for name in self.series if name in x}

    def told(self, x: float) -> str:
        """An x of lines in words: its name, or the number."""
        return self.labels[round(x)] if self.labels else f"{x:g}"

    @property
    def reach(self) -> tuple[float, float]:
        """The smallest and the largest x of any point; never the same."""
        at = [x for name in self.series for x, _ in self.points(name)] or [0.0, 1.0]
        return min(at), max(at) if max(at) > min(at) else min(at) + 1


@dataclass(frozen=True)
class Items:
    """The units of a test set with everybody's answers, as columns: a page shows one when it is opened."""

    ids: Sequence[str]
    texts: Sequence[str]
    hypotheses: Sequence[str]
    labels: tuple[str, ...]
    """What the letters stand for: a is the first label, b the second; a dash is none."""
    key: str
    """A letter for each unit."""
    answers: Mapping[str, str]
    """For each run a letter a unit."""


@dataclass(frozen=True)
class Signature:
    """All that a number depends on. Threads and time never enter."""

    version: str
    study: str
    files: tuple[Source, ...]
    measures: tuple[str, ...]
    way: str | None
    ties: str | None
    missing: str | None
    seed: int | None
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        """One line for people: what was not said is not shown; JSON has all of it."""
        parts = [f"karat {self.version}", self.study]
        named = {
            "way": self.way,
            "ties": self.ties,
            "missing": self.missing,
            "seed": self.seed,
            **self.parameters,
        }
        parts += [f"{name}:{_plain(value)}" for name, value in named.items() if _said(value)]
        parts += [f"{PurePath(source.name).name}:{source.sha256[:12]}" for source in self.files]
        return " | ".join(parts)


UNSIGNED = Signature("", "", (), (), None, None, None, None)


def _said(value: Any) -> bool:
    return bool(value) or (value == 0 and value is not False)


def _plain(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


@dataclass(frozen=True, kw_only=True)
class Result:
    """What every study returns."""

    study: str = ""
    signature: Signature = UNSIGNED
    """Both are put in by the decorator that files the study."""
    undefined: tuple[Undefined, ...] = ()
    warnings: tuple[Problem, ...] = ()
    WHY: ClassVar[Why] = {}
    """Why a part of the result may be undefined, by its path; what depends on more is told as it is computed."""
    SHEETS_BEFORE_CHARTS: ClassVar[int | None] = None
    """On a page the charts stand after so many sheets; after all of them where nothing is said."""

    @property
    def heading(self) -> str:
        """What stands at the top of a page."""
        return f"karat {self.study}"

    def sheets(self) -> list[Sheet]:
        """The result as tables."""
        raise NotImplementedError

    def sheet_named(self, wanted: str) -> Sheet:
        """One of the tables, by its number from 1 or by the beginning of its title, in any case."""
        sheets = self.sheets()
        numbered = {str(number): sheet for number, sheet in enumerate(sheets, 1)}
        begun = [sheet for sheet in sheets if sheet.title.casefold().startswith(wanted.casefold())]
        found = [numbered[wanted]] if wanted in numbered else begun
        if len(found) != 1:
            listed = "; ".join(f"{number} {sheet.title}" for number, sheet in numbered.items())
            raise UsageError(f"{wanted!r} names {len(found) or 'no'} tables of this result: choose one of {listed}")
        return found[0]

    def records(self) -> Sheet:
        """Every number of the result, one a row: what spreadsheets and data frames want."""
        raise NotImplementedError

    def shown_items(self) -> Items | None:
        """The units that a page can open."""
        return None

    def chapters(self) -> list[tuple[str, str, Result]]:
        """Of a result that is made of others: an anchor, a heading and a result each."""
        return []

    def lines(self) -> list[str]:
        """What is told line by line rather than in tables, where that is the custom."""
        return []

    def reasons_shown(self) -> list[str]:
        """Why cells of the sheets are undefined, if any are."""
        exact = {one.path: one.reason for one in self.undefined}
        patterns = [one for one in self.undefined if "*" in one.path]
        columns = [column for sheet in self.sheets() for column in sheet.columns if column.at]
        dashes = [
            at for column in columns for value, at in zip(column.values, column.at, strict=True) if value != value
        ]
        told = [exact.get(at) or next((one.reason for one in patterns if one.covers(at)), None) for at in dashes]
        return list(dict.fromkeys(reason for reason in told if reason))

    def findings(self) -> list[str]:
        """What a reader should take away, in sentences."""
        return []

    def charts(self) -> list[Chart]:
        """What is worth drawing."""
        return []

    def citations(self) -> list[str]:
        """What the numbers come from, in words that name their sources (`Cohen 1960`)."""
        return []
