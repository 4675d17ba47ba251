"""Records: the rows of a result for spreadsheets and data frames, declared by paths to its fields.

    Records("run, topic, score, value", Part("runs.*.scores.*score.*topic", value="."))

has one row per topic, score and run. On a path, `*` leads to every element of a list or a dictionary. `*topic` also
puts the key, or the position in a list from 1, into the column `topic`; `*label:labels` takes the keys from the list
`labels`. A column is the field of its name in the innermost thing on the path that has one, the result excepted, and
empty if nothing has. The heading (`low=interval.0`), or a part for its own place on the path, may say otherwise:

- `mean.value` is another field, perhaps of the result; a step `{run}` is the value of the column `run`;
- `.` is what the path leads to; `=text` is a text, in which `{other}` is a key; nothing leaves the column empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, cached_property
from typing import Any

from karat.data.fields import Missing, described, reached
from karat.data.sheets import Estimate, Sheet

Trail = tuple[Any, ...]
"""A result, and everything on the path from it to some place."""


COMPUTED = (property, cached_property)


class RowsAt:
    """The rows at a path; with further parts, the rows of these at every place that the path leads to."""

    def __init__(self, path: str, /, *parts: RowsAt, **columns: str) -> None:
        self.steps = path.split(".")
        self.parts, self.columns = parts, columns

    def rows(self, trail: Trail, keys: Mapping[str, Any], around: Mapping[str, tuple[str, Trail]]) -> Iterator[_Row]:
        """Every row; `around` has the columns that parts around this one declare, with the places of these parts."""
        for here, known in _along(self.steps, trail, keys):
            declared = {**around, **{name: (path, here) for name, path in self.columns.items()}}
            for part in self.parts:
                yield from part.rows(here, known, declared)
            if not self.parts:
                yield _Row(here, known, declared)


class Records:
    """The columns, separated by commas, and the parts of a result that give rows, in this order."""

    def __init__(self, columns: str, *parts: RowsAt) -> None:
        split = [one.partition("=") for one in columns.split(", ")]
        self.columns = {name: path or name for name, _, path in split}
        self.parts = parts

    def of(self, result: Any, title: str) -> Sheet:
        """The records of one result; `{it.measure}` in the name of a column is its measure."""
        rows = [
            [row.cell(name, path) for name, path in self.columns.items()]
            for part in self.parts
            for row in part.rows((result,), {}, {})
        ]
        return Sheet.listed(title, [name.format(it=result) for name in self.columns], rows)


@dataclass(frozen=True)
class _Row:
    trail: Trail
    keys: Mapping[str, Any]
    declared: Mapping[str, tuple[str, Trail]]

    def cell(self, name: str, path: str = "") -> Any:
        """The value of a column: text and numbers as they are, a list as tables show it, or its length."""
        if name in self.keys:
            return self.keys[name]
        path, trail = self.declared.get(name, (path, self.trail))
        if path in ("", "."):
            return trail[-1] if path else None
        if path[0] == "=":
            return path[1:].format_map(self.keys)
        first, rest = _split(path)
        holder = _holder(first, trail[1:] if path == name else trail)
        value = getattr(holder, first, None)
        if rest:
            value = reached(value, [self.cell(step[1:-1]) if step[0] == "{" else step for step in rest])
        if isinstance(value, list):
            form = described(holder.__class__, first).shown.form
            return form(value) if form else len(value)
        return value.value if isinstance(value, Estimate) else value


def _along(steps: list[str], trail: Trail, keys: Mapping[str, Any]) -> Iterator[tuple[Trail, Mapping[str, Any]]]:
    """Every place that some steps lead to; none where something on the way is absent."""
    if not steps:
        yield trail, keys
        return
    step, here = steps[0], trail[-1]
    if here is None or isinstance(here, Missing):
        return
    if step.startswith("*"):
        name, _, labels = step[1:].partition(":")
        numbered = zip(getattr(_holder(labels, trail), labels), here, strict=True) if labels else enumerate(here, 1)
        for key, one in here.items() if isinstance(here, Mapping) else numbered:
            yield from _along(steps[1:], (*trail, one), {**keys, name: key})
    elif (part := getattr(here, step)) is not None:
        yield from _along(steps[1:], (*trail, part), keys)


def _holder(name: str, trail: Trail) -> Any:
    """The innermost thing on a path that has a field or property of this name, if there is one."""
    for one in reversed(trail):
        if name in _names(one.__class__):
            return one
    return None


@cache
def _split(path: str) -> tuple[str, list[str]]:
    first, *rest = path.split(".")
    return first, rest


@cache
def _names(kind: type) -> frozenset[str]:
    """The fields and properties of a class of rows."""
    if not is_dataclass(kind):
        return frozenset()
    computed = (name for above in kind.mro() for name, one in vars(above).items() if isinstance(one, COMPUTED))
    return frozenset([*computed, *(one.name for one in fields(kind))])
