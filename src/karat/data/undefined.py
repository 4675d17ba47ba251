"""Undefined: where a result has no number, and why. Every null of every result has its reason."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

Steps = tuple[str | int, ...]
Reason = str | Callable[[Any, Steps], str]
"""In words; one that depends on the numbers is a function of the result and of the path."""
Why = Mapping[str, Reason]
"""Reasons by pattern: `pairs/*/interval` is every interval of every pair, `runs/**` everything below runs. Of several
patterns that fit the first counts."""
NO_REASON = "undefined"
"""A null that nobody thought of: a test looks for it in every example."""
MANY = 1000
"""More nulls than this with one reason are told as one, by the pattern they share: two a pair of a thousand runs."""
UNTOLD = ("study", "signature", "undefined", "warnings")
"""Parts of every result that are no numbers."""


@dataclass(frozen=True)
class Undefined:
    """Where a result has no number (a JSON pointer, RFC 6901), and why; of very many alike, a pattern with `*`."""

    path: str
    reason: str

    @classmethod
    def at(cls, *steps: str | int, reason: str) -> Undefined:
        """From the steps of the path, which may hold slashes of their own."""
        return cls(pointer(*steps), reason)

    def covers(self, path: str) -> bool:
        """Whether a path is meant."""
        return path == self.path or ("*" in self.path and re.fullmatch(_pattern(self.path[1:]), path) is not None)


def pointer(*steps: str | int) -> str:
    """The JSON pointer of some steps."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def reached(value: Any, steps: Iterable[str | int]) -> Any:
    """What stands at a path inside a value; None where something on the way is None."""
    for step in steps:
        if value is None:
            return None
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list | tuple):
            value = value[int(step)]
        else:
            value = getattr(value, str(step))
    return value


def nulls(value: object, at: Steps = ()) -> Iterator[Steps]:
    """The path of every NaN, infinity and None inside a value: what JSON has as null."""
    parts: Iterable[tuple[str | int, object]] = ()
    if _is_null(value):
        yield at
    elif isinstance(value, Mapping):
        parts = value.items()
    elif isinstance(value, list | tuple):
        parts = enumerate(value)
    elif is_dataclass(value):
        parts = ((one.name, getattr(value, one.name)) for one in fields(value))  # no class variables
    for step, part in parts:  # a result may have millions of words and numbers: those are not walked into
        if _is_null(part):
            yield (*at, step)
        elif not isinstance(part, str | int | float):
            yield from nulls(part, (*at, step))


def _is_null(value: object) -> bool:
    return value is None or (isinstance(value, float) and not math.isfinite(value))


def explained(result: Any, why: Why) -> tuple[Undefined, ...]:
    """All that is undefined in a result: what was told as it was computed, and what the patterns tell of the rest."""
    told = {one.path: one for one in result.undefined}
    # One expression for all patterns: of several that fit, the first counts.
    patterns = re.compile("|".join(f"({_pattern(spelled)})" for spelled in why), re.DOTALL)
    reasons = list(why.values())
    alike: dict[tuple[int, str], list[Undefined]] = {}
    for name in (one.name for one in fields(result)):
        if name in UNTOLD:
            continue
        for steps in nulls(getattr(result, name), (name,)):
            path = pointer(*steps)
            if path not in told:
                found = patterns.fullmatch(path)
                which = found.lastindex if found and found.lastindex else 0
                reason = reasons[which - 1] if which else NO_REASON
                words = reason if isinstance(reason, str) else reason(result, steps)
                alike.setdefault((which, words), []).append(Undefined(path, words))
    spelled = ["", *why]
    many = [Undefined("/" + spelled[which], words) for (which, words), paths in alike.items() if len(paths) > MANY]
    return (*told.values(), *many, *(one for paths in alike.values() if len(paths) <= MANY for one in paths))


def _pattern(spelled: str) -> str:
    """A regular expression: `*` is one step, `**` any number of them; names may hold anything, line breaks too."""
    parts = [".*" if part == "**" else "[^/]*" if part == "*" else re.escape(part) for part in spelled.split("/")]
    return "/" + "/".join(parts)
