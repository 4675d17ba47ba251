"""What the sections of a report say together, which none of them can say alone."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from karat.studies.base import finding
from karat.studies.compare.result import Comparison, PairOfRuns
from karat.studies.report.result import Report
from karat.studies.score.result import Evaluation
from karat.studies.words import some_of

SAME = 1e-9
"""Values nearer than this are one value."""
MANY = 1_000_000
"""Beyond this the number itself tells nothing more."""
SHOWN = 3
"""So many pairs that are not told apart are named; the table has all."""


@finding("leading", study="report")
def leading(report: Report) -> Iterable[str]:
    """What is about the leading runs only."""
    for note, group in groupby((one for one in report.sections if one.note), key=lambda one: one.note):
        names = ", ".join(one.name for one in group)
        yield f"{note.removesuffix('.')} are compared with each other and shown one by one ({names})."


@finding("best", study="report")
def best(report: Report) -> Iterable[str]:
    """Who is first, how surely, and what a trivial system would have."""
    for name, on in (("compare", ""), ("qa-compare", "On the questions, "), ("nuggets-compare", "By nuggets, ")):
        compared = report.of(name)
        if isinstance(compared, Comparison) and compared.letters is not None:
            first = [row for row in compared.runs if row.value >= compared.runs[0].value - SAME]
            scored = report.of("score") if name == "compare" else None
            if len(first) == 1:
                yield on + _best(compared, scored)
            elif first:
                names = some_of([row.run for row in first])
                value = f"{_named(compared)} {first[0].value:.3f}{_beside(compared, scored)}"
                yield f"{on}{names} share the first place ({value})."


@finding("alone", study="report")
def alone(report: Report) -> Iterable[str]:
    """How good a run is that there is none to compare with."""
    scored = report.of("score")
    if isinstance(scored, Evaluation) and report.of("compare") is None:
        way = report.items.way if report.items is not None else scored.shown[-1]
        trivial = max((row.value(way, "accuracy") or 0.0) for row in scored.baselines)
        for run in scored.systems(way)[: min(SHOWN, len(scored.runs))]:
            value, ends = run.value(way, "accuracy"), (run.intervals[way] or {}).get("accuracy")
            if value is not None and value == value and ends:
                interval = f"95 % interval {ends[0]:.3f} – {ends[1]:.3f}"
                yield f"{run.name} has {way}-way accuracy {value:.3f} ({interval}); a trivial system has {trivial:.3f}."


def _best(compared: Comparison, scored: Evaluation | None) -> str:
    first = compared.runs[0]
    low, high = first.interval
    ends = f", {100 * compared.level:g} % interval {low:.3f} – {high:.3f}" if low == low else ""
    told = f"{first.run} is first of {len(compared.runs)} runs ({_named(compared)} {first.value:.3f}{ends}"
    told += f"{_beside(compared, scored)})"
    mine = [pair for pair in compared.pairs if first.run in (pair.a, pair.b) and pair.difference == pair.difference]
    ahead = {_other(pair, first.run): pair.difference * (1 if pair.a == first.run else -1) for pair in mine}
    better = [_other(pair, first.run) for pair in mine if pair.different and ahead[_other(pair, first.run)] < 0]
    rivals = [_other(pair, first.run) for pair in mine if not pair.different]
    if better:
        are = "is" if len(better) == 1 else "are"
        return f"{told}, but {some_of(better)} {are} better on the units that both were scored on."
    if not rivals:
        return f"{told}, and told apart from every other."
    if len(rivals) == len(mine) and len(rivals) > 1:
        return f"{told}, but not told apart from any other."
    return f"{told}, but not told apart from {some_of(rivals)}."


def _other(pair: PairOfRuns, run: str) -> str:
    return pair.b if pair.a == run else pair.a


def _named(compared: Comparison) -> str:
    """The measure in words."""
    words = compared.measure.replace("_", " ")
    return f"{compared.way}-way {words}" if compared.way else words


def _beside(compared: Comparison, scored: Evaluation | None) -> str:
    """What a trivial system has, where runs are compared by what it has too."""
    if scored is None or not compared.way or compared.measure != "accuracy":
        return ""
    trivial = max((row.value(compared.way, "accuracy") or 0.0) for row in scored.baselines)
    return f"; a trivial system has {trivial:.3f}"


@finding("undecided", study="report")
def undecided(report: Report) -> Iterable[str]:
    """What cannot be told apart, and what it would take."""
    compared = report.of("compare")
    unit = "pairs" if report.items is not None else "units"
    for one in report.undecided[:SHOWN]:
        shared = "" if one.at_hand == compared.units else f" on the {one.at_hand} {unit} that both were scored on"
        values = f"{one.value_a:.3f} and {one.value_b:.3f}{shared}"
        told = f"{one.a} and {one.b} cannot be told apart on this test set ({values})"
        if one.units is None:
            yield f"{told}: they score the same."
        elif one.p <= 1 - compared.level:
            among = f"among {len(compared.pairs)} pairs of runs that is no longer sure"
            yield f"{told}: asked about alone they would be (p {one.p:.2g}), {among}."
        else:
            if one.units > MANY:
                yield f"{told}; if they differ by what they seem to, it would take more than {MANY:,} {unit}."
                continue
            alone = f" ({_round(one.units_alone)} if no other run was asked about)" if len(compared.pairs) > 1 else ""
            yield f"{told}; if they differ by what they seem to, it would take about {_round(one.units)} {unit}{alone}."
    if len(report.undecided) > SHOWN:
        yield f"So it is with {len(report.undecided) - SHOWN} more neighbours in the ranking (see the appendix)."


def _round(units: int | None) -> str:
    """Two digits are all that such a number is good for."""
    digits = max(len(str(units or 0)) - 2, 0)
    return f"{round(units or 0, -digits):,}"


@finding("soundness", study="report")
def of_scores(report: Report) -> Iterable[str]:
    """What is wrong with single runs: labels that contradict a ranking, rewards for saying less."""
    scored = report.of("score")
    if scored is not None:
        yield from scored.headlines()
