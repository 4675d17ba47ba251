"""The registry of measures, and the facts declared with each.

`respects` names the changes that leave the value unchanged (a label given as argument changes too). One property test
checks every declared fact of every measure, and looks for a counterexample to every fact that is not declared. The
facts hold for three-way labels; the two-way fold breaks negation for every measure:

negation       key and run both negated (⊢ ↔ ⊣)
transposition  key and response exchanged
relabelling    the run's labels permuted, but not the key's
scaling        every unit counted several times
merging        (never rises when two response labels are merged)
"""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

from karat.data.orders import RankedBy
from karat.data.tables import Table
from karat.errors import NotApplicable, UsageError
from karat.labels import Way
from karat.registry import Bound, Registry

F = TypeVar("F", bound=Callable[..., object])

Respect = Literal["negation", "transposition", "relabelling", "scaling", "merging"]
LOG_LABELS, LOG_ANSWERS = "log2 of the labels", "log2 of the answers"
"""The upper limit of an entropy's range."""
Interval = Literal["wilson", "dice", "delta", "recalls", "used", "root", "bca", "mean", "tenths"]


class IntervalMethod(NamedTuple):
    """How the interval of a measure is computed: in words, by whom, and why there may be none."""

    words: str
    source: str
    none: str


_DELTA = "the delta method, with two units added where counts are small"
_FLAT = "the derivative of the measure is 0 here: the delta method fails"
_NO_PAIRS = "there are no pairs to count"
_NOT_SCORED = "there are no scored pairs"
INTERVALS: dict[Interval, IntervalMethod] = {
    "wilson": IntervalMethod("Wilson's method", "Wilson 1927", _NO_PAIRS),
    "dice": IntervalMethod("Wilson's method, for the units that key or run give the label", "Wilson 1927", _NO_PAIRS),
    "delta": IntervalMethod(_DELTA, "Agresti and Coull 1998", _FLAT.replace("here", "here (as for a uniform key)")),
    "recalls": IntervalMethod(_DELTA, "Agresti and Coull 1998", _FLAT),
    "used": IntervalMethod(_DELTA, "Agresti and Coull 1998", _FLAT),
    "root": IntervalMethod(
        "a normal approximation to the root of a noncentral chi-square", "Sankaran 1963", _NOT_SCORED
    ),
    "bca": IntervalMethod("the accelerated bootstrap", "accelerated", "the measure does not vary over resamples"),
    "mean": IntervalMethod("Student's t over units", "Student 1908", "all pairs have the same loss"),
    "tenths": IntervalMethod("bounds on the bias of the measure", "", _NOT_SCORED),
}

measures = Registry(
    "measure",
    *("of", "range", "respects", "mean", "interval", "trials", "plain", "each", "lower"),
    *("undefined", "source", "shown", "unit", "percent", "heading", "ranked_by"),
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
    each: Callable[..., object] | None = None,
    lower: bool = False,
    undefined: str = "",
    shown: bool = True,
    unit: str = "",
    percent: bool = False,
    heading: str = "",
    ranked_by: RankedBy | None = None,
) -> Callable[[F], F]:
    """Register a measure: what it is a function of, its range, what it respects, how its interval is computed.

    `mean` says that it is the mean over units of 1 for a right answer and 0 for a wrong one, over all of them or over
    those that the key gives some label: differences are then tested unit by unit, and `swap` and `size` can use it.
    `interval="recalls"` is the delta method for a measure over the labels that occur in the key, `interval="used"` for
    one over the labels that occur in the key or the run. `trials` (for `interval="wilson"`) gives the number of units
    of a proportion; it must be linear in the counts, so that weighted tables have an effective number. For
    `interval="dice"` it gives the number of units that the key or the run gives a label: the share p of these on which
    they agree is a proportion, and the measure is 2p/(1+p). For `interval="root"` it gives the factor that turns the
    measure into a chi-square, and `plain` names the uncorrected measure whose interval a bias-corrected one uses.
    `interval="mean"` is Student's for a mean over units of the numbers that `each` gives; `interval="tenths"` is for a
    sum of absolute means over tenths of confidence, which `each` gives, by bounds on its bias. `lower` says that
    smaller values are better. `undefined` is the reason shown for a NaN. `shown` says whether `score` computes the
    measure by default; `percent` that people give it in per cent; `heading` is that of its column in tables,
    by default its name; `ranked_by` is what ranking a measure of orders needs.
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
        each=each,
        lower=lower,
        undefined=undefined,
        source=source,
        shown=shown,
        unit=unit,
        percent=percent,
        heading=heading,
        ranked_by=ranked_by,
    )
    return lambda function: _checked(name, of, register(function))


def _checked(name: str, of: type, function: F) -> F:
    """The measure as called from Python, with its argument checked; the registered one, called in loops, is not."""

    @functools.wraps(function)
    def call(subject: Any, *positional: Any, **named: Any) -> Any:
        if not isinstance(subject, of):
            example = "; make one: karat.Table([[20, 5], [10, 15]])" if of.__name__ == "Table" else ""
            raise UsageError(f"{name} is a function of {of.__name__}, not of {type(subject).__name__}{example}")
        return function(subject, *positional, **named)

    return call  # type: ignore[return-value]


question_measures = Registry("measure of questions", "of", "range", "undefined", "source")
"""Measures of one question, averaged over questions for a run; separate from those of a run on a whole test set."""


def question_measure(
    name: str, *, of: type, range: tuple[float, float] = (0, 1), undefined: str, source: str
) -> Callable[[F], F]:
    """Register a measure of questions: what counts it is a function of, its range, why it may be undefined."""
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


def range_of(spelling: str) -> tuple[float, float] | None:
    """The range of a registered measure, of labels or of questions, by its spelling; None if it is not known."""
    for registry in (measures, question_measures):
        with contextlib.suppress(UsageError):
            low, high = registry.parse(spelling).facts["range"]
            return None if isinstance(high, str) else (float(low), float(high))
    return None


def bounds(bound: Bound, labels: int, answers: int = 0) -> tuple[float, float]:
    """The range of a measure for this many labels, and for this many answers if having none is one of them."""
    low, high = bound.facts["range"]
    logs = {LOG_LABELS: labels, LOG_ANSWERS: answers or labels}
    return low, math.log2(logs[high]) if high in logs else high
