"""What studies return: results with a signature, sheets, charts and findings.

Renderers use only what is here, and JSON is the result itself; no study knows an output format.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, cast, get_args, get_origin

from karat.data.charts import Chart
from karat.data.fields import Cell as Cell
from karat.data.fields import Described, Missing, Undefined, described, reached, rounded
from karat.data.provenance import Source
from karat.errors import Problem, UsageError, spelled_out

if TYPE_CHECKING:
    from karat.data.board import Board, Opening
    from karat.data.composite import Chapter, Portrait
    from karat.data.explored import Explored


@dataclass(frozen=True)
class Estimate:
    """A number with the ends of its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Column:
    """A column of a sheet: numbers, with the digits to show, or text."""

    name: str
    values: Sequence[Cell]
    digits: int | None = None
    note: str = ""
    """What the heading means, for readers who hover or look below the table."""

    @property
    def names_runs(self) -> bool:
        """Whether its cells are names of runs, which a page may link to."""
        return self.name in ("run", "run a", "run b") or any(isinstance(value, RunName) for value in self.values)

    @property
    def numeric(self) -> bool:
        """Whether the column holds numbers, which are set flush right."""
        return any(isinstance(value, int | float) and not isinstance(value, bool) for value in self.values)

    def text(self, value: Cell) -> str:
        """One value as text: empty for None, a dash for an undefined number."""
        if value is None:
            return ""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, float):
            digits = 4 if self.digits is None else self.digits
            # Rounded first: a tie (.00125 to four digits) must not fall on either side by a processor's last digit.
            return "–" if value != value else f"{rounded(value):z.{digits}f}"
        return spelled_out(str(value))  # a name may hold what a terminal obeys


@dataclass(frozen=True)
class Field:
    """A column with a heading of its own. `path` may lead to a nested field (`factoid.value`).

    Steps that may contain a dot, such as names of runs, are given as a tuple.
    """

    name: str
    path: str | tuple[str, ...] = ""
    digits: int | None = None
    note: str = ""

    @cached_property
    def steps(self) -> tuple[str, ...]:
        """From the row to the value."""
        return self.path if isinstance(self.path, tuple) else tuple((self.path or self.name).split("."))

    def column(self, rows: Sequence[Any], result: Any) -> Column:
        """The values of some rows."""
        said = _described(rows, self.steps)
        heading, note = (
            one.format(it=result) if "{it." in one else one for one in (said.shown.heading, said.shown.note)
        )
        heading = self.name or heading or self.steps[-1].replace("_", " ")  # a name is as it is, braces and all
        digits = said.shown.digits if self.digits is None else self.digits
        return Column(heading, [self._cell(row, said, result) for row in rows], digits, self.note or note)

    def _cell(self, row: Any, said: Described, result: Any) -> Cell:
        """A dash if a number is null; empty if something on the path to it is."""
        value = reached(row, self.steps)
        cell: Cell = value.value if isinstance(value, Estimate) else value
        if said.shown.form:
            cell = said.shown.form(value)
        elif value is None and (said.number or self.digits is not None):
            cell = float("nan")
        if value is None and cell != cell:
            holder = reached(row, self.steps[:-1])
            return None if holder is None else Missing(said.why.of(holder, result) if said.why else "")
        return cell


def _described(rows: Sequence[Any], steps: Sequence[str]) -> Described:
    """How the last field on a path is described; elements of lists, tuples and dictionaries are not."""
    said = Described(kind=type(rows[0]) if rows else None)
    for step in steps:
        said = described(said.kind, step)
    return said


class RunName(str):
    """The name of a run as shown in tables, with the run itself, so that no decoration has to be parsed."""

    run: str | None

    @classmethod
    def of(cls, run: str, manual: bool = False, trivial: bool = False) -> RunName:
        """Manual runs have a star; baselines are in brackets and are not runs."""
        made = cls(f"({run})" if trivial else run + "*" * manual)
        made.run = None if trivial else run
        return made


def run_of(cell: Cell) -> str | None:
    """The run that a cell names, if it names one."""
    return cell.run if isinstance(cell, RunName) else None if cell is None else str(cell)


@dataclass(frozen=True)
class Sheet:
    """One table for people."""

    title: str
    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()
    way: str = ""
    """In which way runs are scored, if there is another table of the same in the other way."""

    @classmethod
    def of(
        cls,
        title: str,
        rows: Sequence[Any],
        *columns: str | Field | Column,
        result: Any = None,
        notes: Sequence[str] = (),
    ) -> Sheet:
        """One row per dataclass. Columns are names of fields, several in one string, or `Field`s, or made already."""
        made: list[Column] = []
        for one in columns:
            if isinstance(one, Column):
                made.append(one)
            else:
                fields = [one] if isinstance(one, Field) else [Field("", path) for path in one.split()]
                made += [field.column(rows, result) for field in fields]
        return cls(title, tuple(made), tuple(notes))

    @classmethod
    def listed(
        cls, title: str, names: Sequence[str], rows: Sequence[Sequence[Cell]], notes: Sequence[str] = ()
    ) -> Sheet:
        """One row per tuple, with one name per element."""
        return cls(title, tuple(Column(name, [row[at] for row in rows]) for at, name in enumerate(names)), tuple(notes))

    @property
    def runs(self) -> list[str]:
        """The runs in the column `run`, in order."""
        column = next((column for column in self.columns if column.name == "run"), None)
        named = map(run_of, column.values if column else ())
        return list(dict.fromkeys(run for run in named if run is not None))

    def about(self, run: str) -> Sheet | None:
        """The rows that name a run, if any; a single row is transposed."""
        naming = [column for column in self.columns if column.names_runs]
        cells = zip(*(column.values for column in naming), strict=True)
        rows = [row for row, named in enumerate(cells) if run in map(run_of, named)]
        if len(rows) != 1:
            return replace(self.ordered(rows), notes=()) if rows else None
        kept = [column for column in self.columns if column not in naming[:1] and column.values[rows[0]] is not None]
        texts = [column.text(column.values[rows[0]]) for column in kept]
        if not kept:
            return None
        columns = (Column("what", [column.name for column in kept]), Column("value", texts))
        return Sheet(self.title, columns, way=self.way)

    def ordered(self, rows: Sequence[int]) -> Sheet:
        """The same with its rows in another order."""
        columns = (replace(column, values=[column.values[row] for row in rows]) for column in self.columns)
        return replace(self, columns=tuple(columns))

    def rows(self) -> list[list[str]]:
        """The cells as text, row by row."""
        return [
            [column.text(value) for column, value in zip(self.columns, row, strict=True)]
            for row in zip(*(column.values for column in self.columns), strict=True)
        ]


HEADLINE = 2
"""The weight of a finding that should be seen first."""


class Finding(str):
    """A sentence for the reader: a string with the runs it is about and its weight."""

    runs: tuple[str, ...]
    weight: int
    flag: str
    """A leaderboard shows these few words beside each of the runs."""

    def __new__(cls, text: str, runs: Iterable[str] = (), weight: int = 1, flag: str = "") -> Finding:
        """`runs` are those that the sentence names or only counts (`and 3 more`)."""
        made = super().__new__(cls, text)
        made.runs = tuple(dict.fromkeys(run for run in map(run_of, runs) if run is not None))
        made.weight = weight
        made.flag = flag
        return made


Findings = tuple[Callable[[Any], Iterable[Finding]], ...]
"""Functions of a result that yield findings."""


def headline(text: str, runs: Iterable[str] = (), flag: str = "") -> Finding:
    """A finding for the top of a report."""
    return Finding(text, runs, HEADLINE, flag)


@dataclass(frozen=True)
class Signature:
    """All that a number depends on, never threads or time."""

    version: str
    study: str
    files: tuple[Source, ...]
    measures: tuple[str, ...]
    way: str | None
    ties: str | None
    missing: str | None
    seed: int | None
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def short(self) -> str:
        """A short identifier of the result, shown beside tables and figures."""
        return f"{self.study} {hashlib.sha256(repr(self).encode('utf-8', 'backslashreplace')).hexdigest()[:8]}"

    def __str__(self) -> str:
        """One line of what was set; JSON has everything."""
        parts = [f"karat {self.version}", self.study]
        named = {
            "way": self.way,
            "ties": self.ties,
            "missing": self.missing,
            "seed": self.seed,
            **self.parameters,
        }
        parts += [f"{name}:{_plain(value)}" for name, value in named.items() if _said(value)]
        parts += [f"{source.name}:{source.sha256[:12]}" for source in self.files]
        return spelled_out(" | ".join(parts))


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
    """Both are set by the decorator of studies."""
    undefined: tuple[Undefined, ...] = ()
    warnings: tuple[Problem, ...] = ()
    RECORDS: ClassVar[str] = ""
    """The list of rows that `records` returns."""

    @property
    def heading(self) -> str:
        """The heading of a page."""
        return f"karat {self.study}"

    def make_sheets(self) -> list[Sheet]:
        """The result as tables; a study implements this."""
        raise NotImplementedError

    @cached_property
    def _made_sheets(self) -> list[Sheet]:
        return self.make_sheets()

    def sheets(self) -> list[Sheet]:
        """The result as tables, which are made only once."""
        return list(self._made_sheets)

    def sheet(
        self, title: str, rows: Sequence[Any], *columns: str | Field | Column, notes: Sequence[str] = ()
    ) -> Sheet:
        """One of the tables: one row per dataclass, with columns as their fields describe them."""
        return Sheet.of(title, rows, *columns, result=self, notes=notes)

    @property
    def first_sheets(self) -> int:
        """The number of tables that a page shows before the charts."""
        return 1

    def every_sheet(self) -> list[Sheet]:
        """All tables that can be selected by number."""
        return self.sheets()

    def sheet_named(self, wanted: str) -> Sheet:
        """One of the tables, by its number from 1 or by the beginning of its title, in any case."""
        sheets = self.every_sheet()
        numbered = {str(number): sheet for number, sheet in enumerate(sheets, 1)}
        begun = [sheet for sheet in sheets if sheet.title.casefold().startswith(wanted.casefold())]
        found = [numbered[wanted]] if wanted in numbered else begun
        if len(found) != 1:
            listed = "; ".join(f"{number} {sheet.title}" for number, sheet in numbered.items())
            raise UsageError(f"{wanted!r} names {len(found) or 'no'} tables of this result: choose one of {listed}")
        return found[0]

    def records(self) -> Sheet:
        """The data for spreadsheets and data frames: one row per element of the list that RECORDS names."""
        rows, whole = getattr(self, self.RECORDS), cast(Any, type(self))
        part = get_args(described(whole, self.RECORDS).kind)[0]  # an empty list has its header too
        columns: list[Column] = []
        for name in (one.name for one in fields(part)):
            values = [getattr(row, name) for row in rows]
            if get_origin(described(part, name).kind) is tuple:  # an interval
                columns += [Column(end, [value[at] for value in values]) for at, end in enumerate(("low", "high"))]
            else:
                columns.append(Column(name, values))
        return Sheet(self.RECORDS, tuple(columns))

    def explored(self) -> Explored | None:
        """The pairs with every answer, from which a page lists errors."""
        return None

    def board(self) -> Board | None:
        """The runs as a leaderboard, in a result that ranks them."""
        return None

    def first_screen(self) -> Opening | None:
        """The first screen of a page, in a result that consists of others."""
        return None

    def chapters(self) -> list[Chapter]:
        """The parts of a result that consists of others."""
        return []

    def portraits(self) -> list[Portrait]:
        """The pages of single runs, in a result that consists of others."""
        return []

    def about(self, run: str) -> list[Sheet]:
        """The tables about one run."""
        return [about for sheet in self.sheets() if (about := sheet.about(run))]

    def lines(self) -> list[str]:
        """Output that is printed line by line instead of in tables."""
        return []

    def reasons_shown(self, sheets: Sequence[Sheet] | None = None) -> list[str]:
        """The reasons of undefined cells in the sheets, or in some of them."""
        columns = [column for sheet in (self.sheets() if sheets is None else sheets) for column in sheet.columns]
        told = [value.why for column in columns for value in column.values if isinstance(value, Missing)]
        return list(dict.fromkeys(why for why in told if why))

    def findings(self) -> list[Finding]:
        """The findings, in sentences."""
        return []

    def headlines(self) -> list[Finding]:
        """The findings for the top of a report."""
        return [one for one in self.findings() if one.weight >= HEADLINE]

    def charts(self) -> list[Chart]:
        """The charts."""
        return []

    def citations(self) -> list[str]:
        """The sources of the numbers (`Cohen 1960`)."""
        return []
