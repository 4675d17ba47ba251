"""What a field of a result says of itself: its heading, digits and note in tables, and why it may be null.

difference: Annotated[float, Shown("a − b", note="difference in {it.measure}"), Why(no_pair)]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache, cached_property
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

Cell = str | float | int | bool | None


@dataclass(frozen=True)
class Shown:
    """How tables show a field. In heading and note, `{it.measure}` is the measure of the result."""

    heading: str = ""
    """The name of the field, if nothing else is said."""
    digits: int | None = None
    note: str = ""
    form: Callable[[Any], Cell] | None = None
    """What makes a cell of a value that is no number or word."""

    def over(self, other: Shown) -> Shown:
        """What is said here, and the rest as another has it."""
        digits = other.digits if self.digits is None else self.digits
        return Shown(self.heading or other.heading, digits, self.note or other.note, self.form or other.form)


@dataclass(frozen=True)
class Why:
    """Why a field may be null: in words, or a function of the row that has the field and of the result.

    A function returns nothing where it has nothing to say, and the field around the row is asked instead.
    """

    reason: str | Callable[[Any, Any], str]

    def of(self, row: Any, result: Any) -> str:
        """The reason in one row."""
        return self.reason if isinstance(self.reason, str) else self.reason(row, result)


@dataclass(frozen=True)
class Described:
    """All that is known of a field, or of one inside it."""

    shown: Shown = Shown()
    why: Why | None = None
    number: bool = False
    """Whether it holds a number, so that a dash stands where there is none."""
    kind: Any = None
    """The class of its values, to go on from."""


@cache
def reasons_of(kind: Any) -> tuple[tuple[str, Why | None], ...]:
    """The fields of a class, each with the reason it gives, if it gives one."""
    return tuple((one.name, described(kind, one.name).why) for one in fields(kind))


@cache
def described(kind: Any, name: str) -> Described:
    """What a class says of a field or property, in its annotation."""
    hint = _hint(kind, name)
    said = hint.__metadata__ if get_origin(hint) is Annotated else ()
    shown = Shown()
    for one in said:
        shown = one.over(shown) if isinstance(one, Shown) else shown
    bare = hint.__origin__ if said else hint
    options = set(get_args(bare) if get_origin(bare) in (Union, UnionType) else [bare]) - {type(None)}
    return Described(
        shown,
        next((one for one in said if isinstance(one, Why)), None),
        bool(options & {int, float}),
        options.pop() if len(options) == 1 else None,
    )


def _hint(kind: Any, name: str) -> Any:
    found = getattr(kind, name, None)
    if isinstance(found, property | cached_property):
        function = found.fget if isinstance(found, property) else found.func
        return get_type_hints(function, include_extras=True).get("return")
    return _hints(kind).get(name)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True) if isinstance(kind, type) else {}
