"""What studies hand to the edges: results with a signature, sheets, charts and findings.

Renderers see only what is here, and JSON is the result itself; no study knows a format.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Literal

from karat.data.source import Source
from karat.errors import Problem

Cell = str | float | int | bool | None


@dataclass(frozen=True)
class Column:
    """A column of a sheet: numbers with so many digits, or words."""

    name: str
    values: Sequence[Cell]
    digits: int | None = None
    note: str = ""
    """What the heading means, for readers who hover or look below the table."""

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
            return "–" if value != value else f"{value:.{4 if self.digits is None else self.digits}f}"
        return str(value)


@dataclass(frozen=True)
class Sheet:
    """One table for people."""

    title: str
    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()

    def rows(self) -> list[list[str]]:
        """The cells as text, row by row."""
        return [
            [column.text(value) for column, value in zip(self.columns, row, strict=True)]
            for row in zip(*(column.values for column in self.columns), strict=True)
        ]


@dataclass(frozen=True)
class Chart:
    """Data to be drawn, on a scale from low to high: dots, for each label one value a series; or lines over x.

    Lines have no labels but an x for each of their values: one sequence for all series, or one a series by its name.
    """

    kind: Literal["dots", "lines"]
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

    def points(self, name: str) -> list[tuple[float, float]]:
        """The (x, y) of one series of lines, where y is defined."""
        x = self.x[name] if isinstance(self.x, Mapping) else self.x
        return [(float(a), float(b)) for a, b in zip(x, self.series[name], strict=True) if b == b]

    @property
    def reach(self) -> tuple[float, float]:
        """The smallest and the largest x of any point; never the same."""
        at = [x for name in self.series for x, _ in self.points(name)] or [0.0, 1.0]
        return min(at), max(at) if max(at) > min(at) else min(at) + 1


@dataclass(frozen=True)
class Undefined:
    """Where a result has no number (a JSON pointer, RFC 6901), and why."""

    path: str
    reason: str

    @classmethod
    def at(cls, *steps: str | int, reason: str) -> Undefined:
        """From the steps of the path, which may hold slashes of their own."""
        return cls("".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps), reason)


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

    def sheets(self) -> list[Sheet]:
        """The result as tables."""
        raise NotImplementedError

    def records(self) -> Sheet:
        """Every number of the result, one a row: what spreadsheets and data frames want."""
        raise NotImplementedError

    def lines(self) -> list[str]:
        """What is told line by line rather than in tables, where that is the custom."""
        return []

    def reasons_shown(self) -> list[str]:
        """Why cells of the sheets are undefined, if any are."""
        dashes = any(value != value for sheet in self.sheets() for column in sheet.columns for value in column.values)
        # A whole way that a run lacks is an empty cell, not a dash.
        told = [one for one in self.undefined if "/values/" in one.path or "/conditioned/" in one.path]
        reasons = [one.reason for one in told if one.path.count("/") > 4 or "/conditioned/" in one.path]
        return list(dict.fromkeys(reasons)) if dashes else []

    def findings(self) -> list[str]:
        """What a reader should take away, in sentences."""
        return []

    def charts(self) -> list[Chart]:
        """What is worth drawing."""
        return []
