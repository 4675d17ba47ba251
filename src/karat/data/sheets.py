"""Tables for people: the digits and the unit in which numbers are read, and which columns stay together on a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Annotated, Any, TypeVar

from karat.data.fields import USUAL_DECIMALS, Cell, Described, Missing, Shown, decimals, described, reached, written
from karat.errors import spelled_out

T = TypeVar("T")
TITLED = "in the title"
"""The unit of a column in per cent that is headed by a name: the title of the table says what is below."""


NAMES = ("run", "run a", "run b", "second", "b", "officially better", "better here")
"""The headings of columns without which nobody knows what a row is about."""
INTERVAL = re.compile(r"\b(low|high)$|interval$|\d ?%( CI)?$")
"""How the headings of intervals and of their ends end."""


class IntervalCell(str):
    """An interval in one cell: as CSV has it, with its ends, which people read in the digits of the column."""

    ends: tuple[float, float]

    @classmethod
    def of(cls, low: float, high: float) -> IntervalCell:
        """From its ends."""
        made = cls(f"{low:.3f} – {high:.3f}")
        made.ends = low, high
        return made


def ends(interval: tuple[float, float] | None) -> float | str | None:
    """An interval in one cell; NaN stays NaN, with its reason."""
    if interval is None:
        return None
    low, high = interval
    return low if low != low else IntervalCell.of(low, high)


Ends = Annotated[tuple[float, float], Shown(form=ends)]
"""An interval in a result, shown in one column."""


class Bounded:
    """A row with the ends of an interval, which tables show in one column."""

    low: float
    high: float

    @property
    def interval(self) -> Annotated[Ends, Shown("{it.percent} CI")]:
        """Both ends."""
        return self.low, self.high


@dataclass(frozen=True)
class Estimate(Bounded):
    """A number with the ends of its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Column:
    """A column of a sheet: numbers, with the digits and the unit in which people read them, or text."""

    name: str
    values: Sequence[Cell]
    digits: int | None = None
    note: str = ""
    """What the heading means, for readers who hover or look below the table."""
    unit: str = ""
    """`%`, or `points` for a difference of percentages, or `TITLED`; the values themselves are not multiplied."""
    least: float = 0.0  # smaller numbers are only said to be smaller

    @property
    def heading(self) -> str:
        """The name, with the unit of the numbers below it."""
        suffix = {"%": " %", "points": ", points"}.get(self.unit, "")
        return self.name if self.intervals else self.name + suffix  # the value to their left has it

    @cached_property
    def intervals(self) -> list[tuple[float, float]]:
        """The ends of the intervals in its cells."""
        return [value.ends for value in self.values if isinstance(value, IntervalCell)]

    @cached_property
    def _dash(self) -> str:
        """Between the ends of intervals: a dash would be read as a minus beside one."""
        return " to " if any(low < 0 for low, _ in self.intervals) else "–"

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
        if isinstance(value, int):
            return written(value, 0)
        if isinstance(value, float):
            digits = (1 if self.unit else USUAL_DECIMALS) if self.digits is None else self.digits
            if 0 <= value < self.least:
                return f"<{written(self.least, digits)}"
            return written(100 * value if self.unit else value, digits)
        if isinstance(value, IntervalCell):
            low, high = value.ends
            return self._dash.join(map(self.text, value.ends)) if high == high else f"{self.text(low)} or more"
        return spelled_out(str(value))  # a name may hold what a terminal obeys


@dataclass(frozen=True)
class Field:
    """A column with a heading of its own. `path` may lead to a nested field (`factoid.value`).

    Steps that may contain a dot, such as names of runs, are given as a tuple. What no field holds is a function of the
    row: with runs as rows, `Field(assessor, scores.get)` is the column of one assessor. `interval` leads to the
    intervals of the values, which decide on the digits.
    """

    name: str
    path: str | tuple[str, ...] | Callable[[Any], Cell] = ""
    digits: int | None = None
    note: str = ""
    unit: str = ""
    interval: tuple[str, ...] = ()

    @cached_property
    def steps(self) -> tuple[str, ...]:
        """From the row to the value."""
        assert not callable(self.path)
        return self.path if isinstance(self.path, tuple) else tuple((self.path or self.name).split("."))

    def column(self, rows: Sequence[Any], result: Any) -> Column:
        """The values of some rows."""
        if callable(self.path):
            return Column(self.name, [self.path(row) for row in rows], self.digits, self.note, self.unit)
        said = _described(rows, self.steps)
        heading, note, unit = (
            one.format(it=result) if "{it." in one else one
            for one in (said.shown.heading, said.shown.note, said.shown.unit)
        )
        heading = self.name or heading or self.steps[-1].replace("_", " ")  # a name is as it is, braces and all
        digits = said.shown.digits if self.digits is None else self.digits
        if digits is None:
            # Not of a baseline, whose interval may be narrow for reasons of its own: beside one run it would decide.
            measured = [row for row in rows if not getattr(row, "trivial", False)] or rows
            values = [reached(row, self.interval or self.steps) for row in measured]
            found = (
                [one for one in values if one]
                if self.interval
                else [one for one in values if isinstance(one, Estimate)]
            )
            digits = decimals(
                ((one.low, one.high) if isinstance(one, Estimate) else one for one in found), self.unit or unit
            )
        cells = [self._cell(row, said, result) for row in rows]
        return Column(heading, cells, digits, self.note or note, self.unit or unit, said.shown.least)

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
    """How the last field on a path is described; elements of lists, tuples and dictionaries have the unit of it."""
    said = Described(kind=type(rows[0]) if rows else None)
    if said.kind is tuple:
        said, steps = Described(kind=type(rows[0][int(steps[0])])), steps[1:]
    for step in steps:
        inside = described(said.kind, step)
        said = replace(inside, shown=inside.shown.over(Shown(unit=said.shown.unit)))
    return said


def _in_same_digits(columns: Sequence[Column]) -> tuple[Column, ...]:
    """Intervals in the unit and digits of the value to their left, which follow from them."""
    made = list(columns)
    for at in range(1, len(made)):
        value, beside = made[at - 1 : at + 1]
        if beside.intervals and value.numeric:
            digits = decimals(beside.intervals, value.unit) if value.digits is None else value.digits
            made[at - 1] = replace(value, digits=digits)
            made[at] = replace(beside, digits=digits, unit=beside.unit or value.unit)
    return tuple(made)


class Note(str):
    """A note that explains some columns of a table, and is left out with them."""

    columns: tuple[str, ...]

    @classmethod
    def of(cls, text: str, *columns: str) -> Note:
        """The columns are given by their names."""
        made = cls(text)
        made.columns = columns
        return made


class RunName(str):
    """The name of a run as shown in tables, with the run itself, so that no decoration has to be parsed."""

    run: str | None

    @classmethod
    def of(cls, run: str, manual: bool = False, trivial: bool = False) -> RunName:
        """Manual runs have a star; trivial systems are in brackets and are not runs."""
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
    sorted_by: str = ""
    """The name of the column that the rows are sorted by."""
    ascending: bool = False
    """Whether the smallest value comes first."""
    best: tuple[str, ...] = ()
    """The columns in which the highest value is the best, which papers set in bold."""
    whole: Callable[[], Sheet] | None = None
    """Makes the table with all its rows, if only the main ones are here."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", _in_same_digits(self.columns))

    @classmethod
    def of(
        cls,
        title: str,
        rows: Sequence[Any],
        *columns: str | Field | Column,
        result: Any = None,
        notes: Sequence[str] = (),
        sorted_by: str = "",
    ) -> Sheet:
        """One row per dataclass. Columns are names of fields, several in one string, or `Field`s, or made already.

        A row may be a tuple, of a run and one of its scores, say: `0.run` and `1.value` are then fields of either.
        """
        made: list[Column] = []
        for one in columns:
            if isinstance(one, Column):
                made.append(one)
            else:
                fields = [one] if isinstance(one, Field) else [Field("", path) for path in one.split()]
                made += [field.column(rows, result) for field in fields]
        return cls(title, tuple(made), tuple(notes), sorted_by=sorted_by)

    @classmethod
    def listed(
        cls, title: str, names: Sequence[str], rows: Sequence[Sequence[Cell]], notes: Sequence[str] = ()
    ) -> Sheet:
        """One row per tuple, with one name per element."""
        return cls(title, tuple(Column(name, [row[at] for row in rows]) for at, name in enumerate(names)), tuple(notes))

    def kept(self, name: str, values: Collection[Cell]) -> Sheet:
        """The rows in which a column has one of these values."""
        column = next(one for one in self.columns if one.name == name)
        rows = [row for row, value in enumerate(column.values) if value in values]
        columns = tuple(replace(one, values=[one.values[row] for row in rows]) for one in self.columns)
        return replace(self, columns=columns, whole=None)

    @property
    def runs(self) -> list[str]:
        """The runs in the column `run`, in order."""
        column = next((column for column in self.columns if column.name == "run"), None)
        named = map(run_of, column.values if column else ())
        return list(dict.fromkeys(run for run in named if run is not None))

    @property
    def naming_columns(self) -> int:
        """How many columns identify a row: all up to its names, and more while two rows are alike."""
        columns = self.columns
        first = next((place for place, one in enumerate(columns) if place and one.numeric), len(columns))
        least = max([1, *(place for place, one in enumerate(columns[:first], 1) if one.name in NAMES)])
        # A number right after the first column may be what rows are about, as the difference that a size is for.
        for count in range(least, first + 1 + (first == 1 < len(columns))):
            named = list(zip(*(column.values for column in columns[:count]), strict=True))
            if len(set(named)) == len(named):
                return count
        return least

    def in_full(self) -> Sheet:
        """The table with all its rows."""
        return self.whole() if self.whole else self

    def about(self, run: str) -> Sheet | None:
        """The rows that name a run, if any; a single row is transposed."""
        naming = [column for column in self.columns if column.names_runs]
        cells = zip(*(column.values for column in naming), strict=True)
        rows = [row for row, named in enumerate(cells) if run in map(run_of, named)]
        if len(rows) != 1:
            return replace(self.ordered(rows), notes=(), whole=None) if rows else None
        kept = [column for column in self.columns if column not in naming[:1] and column.values[rows[0]] is not None]
        texts = [column.text(column.values[rows[0]]) for column in kept]
        if not kept:
            return None
        columns = (Column("what", [column.heading for column in kept]), Column("value", texts))
        return Sheet(self.title, columns, way=self.way)

    def with_columns(self, places: Sequence[int]) -> Sheet:
        """Only these columns, without the notes that explain others."""
        chosen = tuple(self.columns[place] for place in places)
        named = {column.name for column in chosen}
        kept = tuple(one for one in self.notes if not isinstance(one, Note) or named & set(one.columns))
        return replace(self, columns=chosen, notes=kept)

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


def joined(columns: Sequence[Column]) -> set[int]:
    """The columns that belong to the one before them: intervals, and their ends."""
    return {place for place, one in enumerate(columns) if one.intervals or INTERVAL.search(one.name)}


def pieces(widths: Sequence[float], page: float, naming: int = 1, joined: Collection[int] = ()) -> list[list[int]]:
    """Column numbers in as few groups as fit the page, each with the first `naming`, and as even as possible.

    Those that are `joined` stay beside the one before them, unless a page cannot hold both.
    """
    blocks: list[list[int]] = []
    for place in range(naming, len(widths)):
        together = blocks and sum(widths[one] for one in (*range(naming), *blocks[-1], place)) <= page
        if place in joined and together:
            blocks[-1].append(place)
        else:
            blocks.append([place])
    return evenly(partial(_side_by_side, widths, naming, blocks), page)


def evenly(fill: Callable[[float], list[T]], room: float) -> list[T]:
    """Groups filled to less than the room, as long as that does not need more of them."""
    made = fill(room)
    for less in range(int(room), 0, -5):
        tried = fill(less)
        if len(tried) > len(made):
            break
        made = tried
    return made


def _side_by_side(
    widths: Sequence[float], naming: int, blocks: Sequence[Sequence[int]], page: float
) -> list[list[int]]:
    made = [list(range(naming))]
    for block in blocks:
        if len(made[-1]) > naming and sum(widths[one] for one in (*made[-1], *block)) > page:
            made.append(list(range(naming)))
        made[-1] += block
    return made
