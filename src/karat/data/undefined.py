"""Undefined: a number that is missing knows why, and every null of a result has its reason.

A reason that depends on the data is born with the number (`Missing`). One that is always the same stands on the field,
or is a function of the row and the result there (`Why`); it holds for everything below the field, unless what is below
says otherwise. A study's decorator asks `explain` once, and from then on every NaN of the result carries its reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, is_dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from karat.data.shown import Why, reasons_of

R = TypeVar("R")
NO_REASON = "undefined"
"""A null that nobody thought of: a test looks for it in every example."""
MANY_ALIKE = 1000
"""More nulls than this with one reason are told as one, by the pattern they share: two a pair of a thousand runs."""
UNTOLD = ("study", "signature", "undefined", "warnings")
"""Parts of every result that are no numbers."""
Steps = tuple[str | int, ...]


class Missing(float):
    """A NaN that knows why it is one. False, so that it can stand for any part of a result that is not there."""

    __slots__ = ("why",)
    why: str

    def __new__(cls, why: str) -> Missing:
        """NaN, with its reason in words."""
        made = super().__new__(cls, "nan")
        made.why = why
        return made

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return f"Missing({self.why!r})"

    def __reduce__(self) -> tuple[type[Missing], tuple[str]]:
        return Missing, (self.why,)


if TYPE_CHECKING:
    Absent = Missing
else:
    Absent = None  # what JSON has in its place
"""For annotations: a part of a result that may not be there, for a reason that only the data know."""


def known(value: float, why: str) -> float:
    """A number as it is, or NaN with its reason."""
    return Missing(why) if value != value else value


@dataclass(frozen=True)
class Undefined:
    """Where a result has no number (a JSON pointer, RFC 6901), and why; of very many alike, a pattern with `*`."""

    path: str
    reason: str


def pointer(*steps: str | int) -> str:
    """The JSON pointer of some steps."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def reached(value: Any, steps: Iterable[str | int]) -> Any:
    """What stands at a path inside a value; None where something on the way is missing."""
    for step in steps:
        if value is None or isinstance(value, Missing):
            return None
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list | tuple):
            value = value[int(step)]
        else:
            value = getattr(value, str(step))
    return value


def explain(result: R) -> R:
    """The same result with a reason in every NaN, and `undefined` saying where each null is and why."""
    walk = _Walk()
    made = walk.through(result, (), (), lambda: NO_REASON, result)
    return replace(made, undefined=walk.told())


class _Walk:
    """One pass over a result: nothing is copied but what holds a NaN without its reason."""

    def __init__(self) -> None:
        self._alike: dict[tuple[Steps, str], list[Steps]] = {}
        self._missing: dict[str, Missing] = {}

    def told(self) -> tuple[Undefined, ...]:
        """Every null that was met; of very many alike, the pattern."""
        made: list[Undefined] = []
        for (pattern, reason), places in self._alike.items():
            told = [pattern] if len(places) > MANY_ALIKE else places
            made += [Undefined(pointer(*steps), reason) for steps in told]
        return tuple(made)

    def through(self, value: Any, at: Steps, like: Steps, why: Callable[[], str], result: Any) -> Any:
        """A value at a path, and at the pattern that rows and names alike share; `why` is the reason of what is around.

        A result may have millions of words and numbers: those are not walked into.
        """
        if _is_null(value):
            return self._null(value, at, like, why)
        if isinstance(value, Mapping):
            changed = dict(self._each(value.items(), at, (*like, "*"), why, result))
            return {**value, **changed} if changed else value
        if isinstance(value, list | tuple):
            changed = dict(self._each(enumerate(value), at, (*like, "*"), why, result))
            return type(value)(changed.get(place, one) for place, one in enumerate(value)) if changed else value
        if is_dataclass(value):
            return self._fields(value, at, like, why, result)
        return value

    def _each(
        self, parts: Iterable[tuple[Any, Any]], at: Steps, like: Steps, why: Callable[[], str], result: Any
    ) -> Iterable[tuple[Any, Any]]:
        """The parts that have changed."""
        for step, part in parts:
            if not isinstance(part, str | int) and not (isinstance(part, float) and math.isfinite(part)):
                new = self.through(part, (*at, step), like, why, result)
                if new is not part:
                    yield step, new

    def _fields(self, row: Any, at: Steps, like: Steps, why: Callable[[], str], result: Any) -> Any:
        whole = hasattr(row, "undefined")  # a result, maybe inside another
        result = row if whole else result
        changed = {}
        kind: Any = type(row)
        for name, reason in reasons_of(kind):
            part = getattr(row, name)
            if isinstance(part, str | int) or (isinstance(part, float) and math.isfinite(part)):
                continue
            inner = why
            if whole and name in UNTOLD:
                if not at:
                    continue
                inner = _does_not_apply
            elif reason:
                inner = _asked(reason, row, result, why)
            new = self.through(part, (*at, name), (*like, name), inner, result)
            if new is not part:
                changed[name] = new
        return replace(row, **changed) if changed else row

    def _null(self, value: Any, at: Steps, like: Steps, why: Callable[[], str]) -> Any:
        reason = value.why if isinstance(value, Missing) else why()
        self._alike.setdefault((like, reason), []).append(at)
        if isinstance(value, float) and value != value and not isinstance(value, Missing):
            return self._missing.setdefault(reason, Missing(reason))
        return value


def _is_null(value: object) -> bool:
    return value is None or (isinstance(value, float) and not math.isfinite(value))


def _asked(reason: Why, row: Any, result: Any, around: Callable[[], str]) -> Callable[[], str]:
    """What a field says, or, where it has nothing to say of this row, what is around it."""
    return lambda: reason.of(row, result) or around()


def _does_not_apply() -> str:
    return "does not apply to this section"
