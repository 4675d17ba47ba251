"""The registry of measures, and the facts that stand beside each.

`respects` names what leaves the value unchanged (a label that the measure takes as argument changes along). One
property test holds every declared fact against every measure, and looks for a counterexample to every fact that
is not declared. They are facts of three-way labels; the two-way fold breaks negation for every measure:

negation       key and run both negated (⊢ ↔ ⊣)
transposition  key and response change places
relabelling    the run's labels permuted while the key's stay
scaling        every unit counted as often again
merging        (never rises when two response labels are merged)
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, Literal, TypeVar

from karat.data.runs import RankedBy
from karat.errors import UsageError
from karat.registry import Bound, Registry

F = TypeVar("F", bound=Callable[..., object])

Respect = Literal["negation", "transposition", "relabelling", "scaling", "merging"]
LOG_LABELS = "log2 of the labels"
"""The upper end of an entropy's range."""
Interval = Literal["wilson", "delta", "recalls", "root", "bca"]

measures = Registry(
    "measure",
    *("of", "range", "respects", "interval", "trials", "plain", "undefined", "source", "shown", "unit", "ranked_by"),
)


def measure(
    name: str,
    *,
    of: type,
    range: tuple[float, float | str],
    source: str,
    respects: frozenset[Respect] | set[Respect] = frozenset(),
    interval: Interval = "delta",
    trials: Callable[..., object] | None = None,
    plain: str = "",
    undefined: str = "",
    shown: bool = True,
    unit: str = "",
    ranked_by: RankedBy | None = None,
) -> Callable[[F], F]:
    """File a measure: what it is a function of, its range, what it respects, how its interval is made.

    `interval="recalls"` is the delta method for a measure of those labels only that the key has. `trials` (for
    `interval="wilson"`) gives the units a proportion is of; it must be linear in the counts, so that weighted tables
    have their effective number. For `interval="root"` it gives what the measure is multiplied by to be chi-square, and
    `plain` names the measure whose interval one that is corrected for bias shares. `undefined` is the reason given
    beside a NaN. `shown` says whether `score` computes it without being asked; `ranked_by` what ranking a measure of
    orders needs.
    """
    register = measures.register(
        name,
        of=of,
        range=range,
        respects=frozenset(respects),
        interval=interval,
        trials=trials,
        plain=plain,
        undefined=undefined,
        source=source,
        shown=shown,
        unit=unit,
        ranked_by=ranked_by,
    )
    return lambda function: _checked(name, of, register(function))


def _checked(name: str, of: type, function: F) -> F:
    """The measure as Python calls it; what is filed, and called in loops, does not look at its argument."""

    @functools.wraps(function)
    def call(subject: Any, *positional: Any, **named: Any) -> Any:
        if not isinstance(subject, of):
            example = "; make one: karat.Table([[20, 5], [10, 15]])" if of.__name__ == "Table" else ""
            raise UsageError(f"{name} is a function of {of.__name__}, not of {type(subject).__name__}{example}")
        return function(subject, *positional, **named)

    return call  # type: ignore[return-value]


question_measures = Registry("measure of questions", "of", "range", "undefined", "source")
"""Measures of one question (a run's is their mean), apart from those of a run on a whole test set of pairs."""


def question_measure(
    name: str, *, of: type, range: tuple[float, float], undefined: str, source: str
) -> Callable[[F], F]:
    """File a measure of questions: what counts it is a function of, its range, why it may be undefined."""
    return question_measures.register(name, of=of, range=range, undefined=undefined, source=source)


def bounds(bound: Bound, labels: int) -> tuple[float, float]:
    """The range of a measure over so many labels."""
    low, high = bound.facts["range"]
    return low, math.log2(labels) if high == LOG_LABELS else high
