"""Fields of results: how tables show them, why they may be null, and numbers that know why they are missing.

    difference: Annotated[float, Shown("a − b", note="difference in {it.measure}"), Why(no_pair)]

A reason that is always the same, or follows from the row and the result, is declared on the field (`Why`). It holds for
everything inside the field, unless something deeper declares another. A reason that only the computation knows comes
with the number (`Missing`). The decorator of studies calls `explain` once; after that, every NaN of a result has its
reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache, cached_property
from inspect import signature
from statistics import median_low
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from karat.errors import in_python
from karat.labels import IN_WORDS

R = TypeVar("R")
NO_REASON = "undefined"
"""The reason of a null that has none; a test checks that it occurs in no example."""
MOST_LISTED = 1000
"""More nulls than this with one reason are listed as one pattern; a thousand runs have a million."""
NOT_EXPLAINED = ("study", "signature", "undefined", "warnings")
"""Parts of every result that contain no numbers."""
WRITTEN_DIGITS = 12
"""Significant digits of all numbers written; different machines agree on at least the first nine."""
MOST_DECIMALS, MOST_OF_PERCENT = 4, 3
"""The most decimals of a number with an interval in a table, and of one in per cent or points."""
USUAL_DECIMALS = 3
"""The decimals of other numbers, unless their fields declare theirs."""
NO_WIDTH = 1e-9
"""An interval no wider than this is a point."""
Steps = tuple[str | int, ...]
Cell = str | float | int | bool | None


@dataclass(frozen=True)
class Shown:
    """How tables show a field. In heading and note, `{it.measure}` is the measure of the result."""

    heading: str = ""
    """By default the name of the field."""
    digits: int | None = None
    note: str = ""
    form: Callable[[Any], Cell] | None = None
    """Makes a cell of a value that is not a number or text."""
    unit: str = ""
    """`%`, or `points` for a difference of percentages: people read the number times 100. Like heading and note, it may
    depend on the result."""
    least: float = 0.0
    """Smaller numbers are only said to be smaller: a p-value of 1.4e-05 is <0.0001."""

    def over(self, other: Shown) -> Shown:
        """These settings, and those of another for what is not set here."""
        digits = other.digits if self.digits is None else self.digits
        form, unit = self.form or other.form, self.unit or other.unit
        heading, note, least = self.heading or other.heading, self.note or other.note, self.least or other.least
        return Shown(heading, digits, note, form, unit, least)


@dataclass(frozen=True)
class Why:
    """Why a field may be null: in words, in which `{it.measure}` is the measure of the result, or a function.

    The function takes the row that has the field, the `result`, or both. Where it returns nothing, the field around the
    row is asked instead.
    """

    reason: str | Callable[..., str]

    @cached_property
    def _of_result(self) -> list[bool]:
        """For each parameter of the function, whether it is the result."""
        assert not isinstance(self.reason, str)
        return [name == "result" for name in signature(self.reason).parameters]

    def of(self, row: Any, result: Any) -> str:
        """The reason in one row."""
        if isinstance(self.reason, str):
            return self.reason.format(it=result) if "{it." in self.reason else self.reason
        return self.reason(*(result if whole else row for whole in self._of_result))


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
    """What a class says of a field or property, or a dictionary of its values, in the annotation."""
    inside = get_origin(kind) is dict
    hint = get_args(kind)[1] if inside else _hint(kind, name)
    said = hint.__metadata__ if get_origin(hint) is Annotated else ()
    shown = Shown()
    for one in said:
        shown = one.over(shown) if isinstance(one, Shown) else shown
    bare = hint.__origin__ if said else hint
    options = set(get_args(bare) if get_origin(bare) in (Union, UnionType) else [bare]) - {type(None)}
    return Described(
        shown,
        next((one for one in said if isinstance(one, Why)), None),
        not inside and bool(options & {int, float}),
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


class Missing(float):
    """A NaN with its reason. It is false, so that it can replace any part of a result that is absent."""

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
        return f"Missing({in_python(self.why)!r})"

    def __deepcopy__(self, _: object) -> Missing:
        return self  # like any float: the copy of a result equals the result

    def __reduce__(self) -> tuple[type[Missing], tuple[str]]:
        return Missing, (self.why,)


if TYPE_CHECKING:
    Absent = Missing
else:
    Absent = None  # null in JSON
"""In annotations: a part of a result that may be absent for a reason that only the computation knows."""


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
    return replace(made, undefined=walk.collected())


class _Walk:
    """One pass over a result, which copies only what contains a NaN without a reason."""

    def __init__(self) -> None:
        self._alike: dict[tuple[Steps, str], list[Steps]] = {}
        self._missing: dict[str, Missing] = {}

    def collected(self) -> tuple[Undefined, ...]:
        """Every null that was found; if very many are alike, their pattern."""
        made: list[Undefined] = []
        for (pattern, reason), places in self._alike.items():
            listed = [pattern] if len(places) > MOST_LISTED else places
            made += [Undefined(pointer(*steps), reason) for steps in listed]
        return tuple(made)

    def through(self, value: Any, at: Steps, like: Steps, why: Callable[[], str], result: Any) -> Any:
        """The value at the path `at`, whose pattern is `like`; `why` gives the reason of the field around it."""
        if value is None or (isinstance(value, float) and not math.isfinite(value)):
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
        whole = hasattr(row, "undefined")  # a result, possibly inside another
        result = row if whole else result
        changed = {}
        kind: Any = type(row)
        for name, reason in reasons_of(kind):
            part = getattr(row, name)
            if isinstance(part, str | int) or (isinstance(part, float) and math.isfinite(part)):
                continue
            inner = why
            if whole and name in NOT_EXPLAINED:
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


def _asked(reason: Why, row: Any, result: Any, around: Callable[[], str]) -> Callable[[], str]:
    """The reason of a field or, if it gives none for this row, of the field around it."""
    return lambda: reason.of(row, result) or around()


def _does_not_apply() -> str:
    return "does not apply to this section"


def rounded(value: float) -> float:
    """The number rounded as in output."""
    return float(f"{value:.{WRITTEN_DIGITS}g}")


def written(value: float, digits: int, signed: bool = False) -> str:
    """A number for people: thousands separated, a true minus, a dash where it is undefined."""
    if not math.isfinite(value):
        return "–" if value != value else "∞" if value > 0 else "−∞"
    # Rounded first: a tie (.00125 to four digits) must not fall on either side by a processor's last digit.
    return f"{rounded(value):{'+' * signed}z,.{digits}f}".replace("-", "−")


SUPPORT = {"vital": "vital support", "weighted": "weighted support", "all": "support of all nuggets"}
"""Scores by nuggets, which tables of nuggets call by the first word."""


CAPITALS = {"f": "F", "f1": "F1", "auroc": "AUROC", "brier": "Brier", "matthews": "Matthews"}
"""Parts of names of measures that people write with capitals."""


def readable(spelling: str) -> str:
    """The name of a measure for people: mean_recall is mean recall, decided_f(weight=1/3) is decided F, weight 1/3.

    With its way, `mean_recall, 2-way` is mean recall, two-way.
    """
    measure, ways, way = spelling.partition(", ")
    if way.removesuffix("-way") in IN_WORDS:
        return f"{readable(measure)}{ways}{IN_WORDS[way.removesuffix('-way')]}"
    if supported := SUPPORT.get(spelling.removeprefix("strict_")):
        return f"strict {supported}" if spelling.startswith("strict_") else supported
    name, _, options = spelling.removesuffix(")").partition("(")
    words = " ".join(CAPITALS.get(word, word) for word in name.split("_"))
    return f"{words}, {options.replace('=True', '').replace('=', ' ')}" if options else words


def span(numbers: tuple[int, int] | None) -> str | None:
    """The smallest and the largest of some integers in one cell: 1–8, or 3 if they are the same."""
    if numbers is None:
        return None
    low, high = numbers
    return f"{low}" if low == high else f"{low}–{high}"


def decimals(intervals: Iterable[tuple[float, float]], unit: str = "") -> int | None:
    """As many as give two significant digits of the median half-width, in the unit; None if no interval has a width.

    Not of the narrowest: one run that always gives the same answer would decide on the digits of all others.
    """
    times = 100 if unit else 1
    halves = [times * (high - low) / 2 for low, high in intervals if NO_WIDTH < high - low < math.inf]
    if not halves:
        return None
    fewest, most = (1, MOST_OF_PERCENT) if unit else (2, MOST_DECIMALS)
    return min(most, max(fewest, 1 - math.floor(math.log10(rounded(median_low(halves))))))
