"""Columns: what a reader found in a file, with the place of each row, and the checks that every kind of file needs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from karat.data.source import Source
from karat.errors import Problems

Place = tuple[int | None, int | None]
"""Line and column, where they are known."""
K = TypeVar("K", bound=Hashable)


@dataclass
class Columns:
    """Columns of equal length by what they hold, in file order, and as spelled unless the reader says otherwise."""

    source: Source
    values: dict[str, Any]
    lines: Sequence[int | None]
    """The line each row began on; Parquet has none."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What is said of the file as a whole."""
    at: Callable[[int, str], Place] | None = None
    """Line and column of one cell, worked out only where it is asked for."""

    @property
    def file(self) -> str:
        """The file's name."""
        return self.source.name

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, name: str) -> Sequence[Any]:
        """A column; one that the file lacks is empty in every row."""
        found: Sequence[Any] | None = self.values.get(name)
        return self._nothing if found is None else found

    @cached_property
    def _nothing(self) -> Sequence[str]:
        return [""] * len(self.lines)

    def get(self, name: str) -> Sequence[Any] | None:
        """A column, where the file has it."""
        return self.values.get(name)

    def place(self, row: int, name: str = "") -> Place:
        """Line and column of a row, or of its cell in one column."""
        return self.at(row, name) if self.at else (self.lines[row], None)

    def tell(self, problems: Problems, code: str, found: str, row: int, name: str = "", **facts: str) -> None:
        """A problem of one row."""
        line, column = self.place(row, name)
        problems.add(code, found, file=self.file, line=line, column=column, **facts)

    def need_rows(self, problems: Problems, found: str, what: str) -> None:
        """An empty file is a problem, unless it has another that is the reason."""
        if not len(self) and not problems.failed(self.file):
            problems.add("empty-file", found, file=self.file, what=what)


def again(met: dict[K, int | None], key: K, line: int | None) -> str | None:
    """Where a key stood first, in words, if it was met before; else None, and it is remembered."""
    if key not in met:
        met[key] = line
        return None
    return first_in(met[key])


def first_in(line: int | None) -> str:
    """Where something stood first, in words, where it is known."""
    return f" (first in line {line})" if line else ""


def tell_same_runs(parts: Sequence[tuple[Sequence[str], str]], problems: Problems) -> None:
    """A run that two files hold is a problem."""
    home: dict[str, str] = {}
    for runs, file in parts:
        for run in runs:
            if run in home:
                problems.add("duplicate-run", f"a run {run!r} again (first {home[run]})", file=file)
            home.setdefault(run, file)
