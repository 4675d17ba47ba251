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

import numpy as np

from karat.data.runs import RankedBy
from karat.data.tables import Table
from karat.errors import NotApplicable, UsageError
from karat.labels import Way
from karat.registry import Bound, Registry

F = TypeVar("F", bound=Callable[..., object])

Respect = Literal["negation", "transposition", "relabelling", "scaling", "merging"]
LOG_LABELS = "log2 of the labels"
"""The upper end of an entropy's range."""
Interval = Literal["wilson", "delta", "recalls", "root", "bca"]

measures = Registry(
    "measure",
    *("of", "range", "respects", "mean", "interval", "trials", "plain"),
    *("undefined", "source", "shown", "unit", "ranked_by"),
)


def measure(
    name: str,
    *,
    of: type,
    range: tuple[float, float | str],
    source: str,
    respects: frozenset[Respect] | set[Respect] = frozenset(),
    mean: bool = False,
    interval: Interval = "delta",
    trials: Callable[..., object] | None = None,
    plain: str = "",
    undefined: str = "",
    shown: bool = True,
    unit: str = "",
    ranked_by: RankedBy | None = None,
) -> Callable[[F], F]:
    """File a measure: what it is a function of, its range, what it respects, how its interval is made.

    `mean` says that it is the mean over units of 1 for a right answer and 0 for a wrong one, over all of them or over
    those that the key gives some label: differences are then tested unit by unit, and `swap` and `size` can use it.
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
        mean=mean,
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


def expand(name: str, way: Way, every_label: bool = False) -> list[Bound]:
    """The measures that a spelling names: one, or one for each label where it needs a label and gives none."""
    entry = measures[name] if name.replace("_", "").isalnum() else None
    label = entry.parameters.get("label") if entry else None
    if entry is None or label is None:
        return [measures.parse(name)]
    plain = [] if label.default is label.empty else [entry.bind()]
    if plain and not every_label:
        return plain
    return plain + [entry.bind(label) for label in way.labels]


def not_defined(bound: Bound, way: Way) -> str:
    """Why a measure of tables is not defined on the labels of a way; empty where it is."""
    if bound.facts["of"] is Table:
        try:
            bound(Table(np.zeros((len(way.labels),) * 2), way.labels))
        except NotApplicable as reason:
            return str(reason)
    return ""


def bounds(bound: Bound, labels: int) -> tuple[float, float]:
    """The range of a measure over so many labels."""
    low, high = bound.facts["range"]
    return low, math.log2(labels) if high == LOG_LABELS else high
