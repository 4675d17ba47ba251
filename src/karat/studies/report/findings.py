"""What the sections of a report say together, which none of them can say alone."""

from __future__ import annotations

from collections.abc import Iterable

from karat.studies.base import finding
from karat.studies.compare.result import Comparison
from karat.studies.report.result import Report
from karat.studies.score.result import Evaluation
from karat.studies.words import some_of

SHOWN = 3
"""So many pairs that are not told apart are named; the table has all."""


@finding("best", study="report")
def best(report: Report) -> Iterable[str]:
    """Who is first, how surely, and what a trivial system would have."""
    for name, on in (("compare", ""), ("qa-compare", "On the questions, ")):
        compared = report.of(name)
        if isinstance(compared, Comparison) and compared.letters is not None:
            yield on + _best(compared, report.of("score") if name == "compare" else None)


def _best(compared: Comparison, scored: Evaluation | None) -> str:
    first = compared.runs[0]
    low, high = first.interval
    way = f", {compared.way}-way" if compared.way else ""
    told = f"{first.run} is first of {len(compared.runs)} runs ({compared.measure} {first.value:.3f}{way}"
    told += f", {100 * compared.level:g} % interval {low:.3f} – {high:.3f})" if low == low else ")"
    if scored is not None and compared.way and compared.measure == "accuracy":
        trivial = max((row.value(compared.way, "accuracy") or 0.0) for row in scored.baselines)
        told += f", where a trivial system has {trivial:.3f}"
    beside = [pair for pair in compared.pairs if first.run in (pair.a, pair.b) and not pair.different]
    rivals = [pair.b if pair.a == first.run else pair.a for pair in beside]
    if not rivals:
        return f"{told}, and told apart from every other."
    if len(rivals) == len(compared.runs) - 1:
        return f"{told}, but not told apart from any other."
    return f"{told}, but not told apart from {some_of(rivals)}."


@finding("undecided", study="report")
def undecided(report: Report) -> Iterable[str]:
    """What cannot be told apart, and what it would take."""
    compared = report.of("compare")
    unit = "pairs" if report.items is not None else "units"
    for one in report.undecided[:SHOWN]:
        told = f"{one.a} and {one.b} cannot be told apart on this test set ({one.value_a:.3f} and {one.value_b:.3f})"
        if one.units is None:
            yield f"{told}: they score the same."
        elif one.units > one.at_hand:
            yield f"{told}; if they differ by what they seem to, it would take about {_round(one.units)} {unit}."
        else:
            among = len(compared.pairs)
            yield f"{told}: asked about alone they would be, among {among} pairs of runs that is no longer sure."
    if len(report.undecided) > SHOWN:
        yield f"So it is with {len(report.undecided) - SHOWN} more neighbours in the ranking (see the appendix)."


def _round(units: int) -> str:
    """Two digits are all that such a number is good for."""
    digits = max(len(str(units)) - 2, 0)
    return f"{round(units, -digits):,}"


@finding("soundness", study="report")
def of_scores(report: Report) -> Iterable[str]:
    """What is wrong with single runs: labels that contradict a ranking, rewards for saying less."""
    scored = report.of("score")
    if scored is not None:
        yield from scored.headlines()
