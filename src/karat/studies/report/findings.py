"""What the sections of a report say together, which none of them can say alone."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from karat.data.result import Finding, Findings
from karat.studies.compare.findings import highest
from karat.studies.compare.result import Comparison
from karat.studies.report.result import POWER, Report
from karat.studies.score.result import Evaluation

MANY = 1_000_000
"""Larger numbers of units are only said to be larger."""
SHOWN = 3
"""The most neighbours in the ranking that are named; the table has all."""


def leading(report: Report) -> Iterable[Finding]:
    """Which sections are limited to the leading runs."""
    for note, group in groupby((one for one in report.sections if one.note), key=lambda one: one.note):
        names = ", ".join(one.name for one in group)
        yield Finding(f"{note.removesuffix('.')} are compared with each other and shown one by one ({names}).")


def best(report: Report) -> Iterable[Finding]:
    """The run with the highest score, its interval, and the score of a trivial system."""
    for name, on in (("compare", ""), ("qa-compare", "On the questions: "), ("nuggets-compare", "By nuggets: ")):
        compared = report.of(name)
        if isinstance(compared, Comparison) and compared.versus == "all" and (leaders := compared.leaders):
            first = leaders[0]
            low, high = first.interval
            ends = f", {100 * compared.level:g} % interval {low:.3f} – {high:.3f}" if low == low else ""
            scored = report.of("score") if name == "compare" else None
            yield highest(compared, leaders, f"{first.value:.3f}{ends}{_beside(compared, scored)}", on)


def alone(report: Report) -> Iterable[Finding]:
    """The accuracy of runs that are not compared with others."""
    scored = report.of("score")
    if isinstance(scored, Evaluation) and report.of("compare") is None:
        way = report.items.way if report.items is not None else scored.shown[-1]
        trivial = max((row.value(way, "accuracy") or 0.0) for row in scored.baselines)
        for run in scored.systems(way)[: min(SHOWN, len(scored.runs))]:
            value, ends = run.value(way, "accuracy"), (run.intervals[way] or {}).get("accuracy")
            if value is not None and value == value and ends:
                told = f"{run.name} has {way}-way accuracy {value:.3f} (95 % interval {ends[0]:.3f} – {ends[1]:.3f})"
                yield Finding(f"{told}; a trivial system has {trivial:.3f}.", [run.run])


def _beside(compared: Comparison, scored: Evaluation | None) -> str:
    """The accuracy of the best trivial system, if runs are compared by accuracy."""
    if scored is None or not compared.way or compared.measure != "accuracy":
        return ""
    trivial = max((row.value(compared.way, "accuracy") or 0.0) for row in scored.baselines)
    return f"; a trivial system has {trivial:.3f}"


def undecided(report: Report) -> Iterable[Finding]:
    """Neighbours in the ranking that are not significantly different, and how many units might show a difference."""
    compared = report.of("compare")
    unit = "pairs" if report.items is not None else "units"
    shown = report.undecided[:SHOWN]
    number = f"{len(compared.pairs):,}" if shown else ""
    for one in shown:
        shared = "" if one.at_hand == compared.units else f" on the {one.at_hand} {unit} that both were scored on"
        told = f"{one.a} and {one.b} were not significantly different ({one.value_a:.3f} and {one.value_b:.3f}{shared})"
        if one.units is None:
            told += ": they score the same."
        elif one.p <= 1 - compared.level:
            told += f": p is {one.p:.2g} for these two alone, not enough among {number} pairs of runs."
        else:
            among = f" among all {number} pairs of runs" if len(compared.pairs) > 1 else ""
            alone = f" ({_about(one.units_alone)} if these were the only two)" if among else ""
            needed = f"it would take {_about(one.units)} {unit} to show that with power {POWER:g}{among}{alone}"
            told += f". If the true difference is the observed one, {needed}."
        yield Finding(told, [one.a, one.b])
    if any(one.units is not None and one.p > 1 - compared.level for one in shown):
        yield Finding(
            f"Such numbers of {unit} rest on the observed difference, which is uncertain, and more likely too large "
            "than too small: it may well take more."
        )
    if len(report.undecided) > SHOWN:
        more = len(report.undecided) - SHOWN
        yield Finding(f"{more} more neighbours in the ranking were not significantly different.")


def _about(units: int | None) -> str:
    """A number of units to one digit: it rests on one observed difference."""
    if units is None or units > MANY:
        return f"more than {MANY:,}"
    return f"about {float(f'{units:.0e}'):,.0f}"


def of_scores(report: Report) -> Iterable[Finding]:
    """What `score` says first about single runs, such as labels that contradict their ranking."""
    scored = report.of("score")
    if scored is not None:
        yield from scored.headlines()


FINDINGS: Findings = (leading, best, alone, undecided, of_scores)
