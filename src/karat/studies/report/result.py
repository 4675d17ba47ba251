"""A report: the results of several studies of one evaluation, their findings together, and their methods."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Annotated, Any

from karat.data.charts import Chart
from karat.data.composite import Chapter, Portrait, UnitAnswers
from karat.data.fields import Cell, Shown, Why
from karat.data.result import Field, Finding, Findings, Sheet
from karat.studies.base import LeftOut, StudyResult
from karat.studies.compare.findings import highest
from karat.studies.compare.result import Comparison
from karat.studies.report.evidence import LEADING
from karat.studies.score.result import Evaluation

POWER = 0.8
"""The power at which the units needed for a difference are computed."""
SAME_SCORE = "the two runs have the same score on the units that both were scored on, and no number of units shows 0"
MOST_UNITS_TOLD = 1_000_000
"""Larger numbers of units are only said to be larger."""
MOST_NAMED = 3
"""The most runs, or neighbours in the ranking, that are named; the table has all."""


@dataclass(frozen=True)
class Section:
    """One study's answer to one question."""

    name: Annotated[str, Shown("section")]
    """Of the section, and what it is left out by; that of the study, as far as one study makes one section."""
    question: str
    about: str
    """What its runs answer."""
    note: str
    """Which runs it is about, where it is not about all of them."""
    result: StudyResult


@dataclass(frozen=True)
class Method:
    """How something in the report is computed."""

    name: str
    what: str
    source: str


@dataclass(frozen=True)
class Undecided:
    """Two neighbours in the ranking that were not significantly different on the units both were scored on.

    `a` is ahead. The numbers of units rest on the observed difference, which is uncertain.
    """

    a: Annotated[str, Shown("run a")]
    b: Annotated[str, Shown("run b")]
    value_a: float
    value_b: float
    difference: Annotated[float, Shown("a − b")]
    units: Annotated[int | None, Shown("units needed"), Why(SAME_SCORE)]
    """With which the difference would be significant among all the runs with power .8, if the true one is the observed
    one and the runs go on disagreeing as they do here; None where the observed one is 0."""
    units_alone: Annotated[int | None, Shown("alone"), Why(SAME_SCORE)]
    """The same if no other run were compared."""
    p: float
    p_corrected: float
    at_hand: Annotated[int, Shown("units at hand")]


@dataclass(frozen=True, kw_only=True, repr=False)
class Report(StudyResult):
    """What `report` returns."""

    title: str
    sections: list[Section]
    undecided: list[Undecided]
    """Neighbours in the ranking that were not significantly different, and how many units might show a difference."""
    left_out: list[LeftOut]
    methods: list[Method]
    items: Annotated[UnitAnswers | None, Why("the report is not of pairs with a key")]
    """The pairs with every answer, where the report is of pairs."""

    @property
    def heading(self) -> str:
        """The title."""
        return self.title

    def of(self, name: str) -> Any:
        """The result of a section; None if there is no such section."""
        return next((section.result for section in self.sections if section.name == name), None)

    def headlines(self) -> list[Finding]:
        """The report's own findings, then the headlines of each section."""
        each = [said for section in self.sections for said in section.result.headlines()]
        return list(dict.fromkeys([*self.findings(), *each]))

    def shown_items(self) -> UnitAnswers | None:
        """All pairs."""
        return self.items

    def chapters(self) -> list[Chapter]:
        """The sections, for rendering."""
        return [Chapter(one.name, one.question, one.result, one.about, one.note) for one in self.sections]

    @cached_property
    def _portraits(self) -> list[Portrait]:
        return list(_portraits(self.chapters()))

    def portraits(self) -> list[Portrait]:
        """What the sections say about each run."""
        return self._portraits

    def charts(self) -> list[Chart]:
        """The charts of all sections; those of a study's second section are named after the section."""
        drawn = [(section, chart) for section in self.sections for chart in section.result.charts()]
        return [
            chart if section.name == section.result.study else replace(chart, name=f"{section.name}-{chart.name}")
            for section, chart in drawn
        ]

    def citations(self) -> list[str]:
        """The sources of all sections."""
        return list(dict.fromkeys(source for section in self.sections for source in section.result.citations()))

    def every_sheet(self) -> list[Sheet]:
        """The sheets of all sections, then the report's own."""
        return [*(sheet for section in self.sections for sheet in section.result.sheets()), *self.sheets()]

    def make_sheets(self) -> list[Sheet]:
        """Neighbours that are not significantly different, the sections, those left out, and the methods."""
        made = []
        if self.undecided:
            note = (
                f"units needed: to find the observed difference with power {POWER:g} among all these runs, at a level "
                "of .05 divided by the number of pairs, if it is the true one and the runs go on disagreeing as they "
                "do here (McNemar's exact test; of graded scores, the paired t test); alone: if no other run were "
                "compared. The observed difference is uncertain, and so are these numbers, beyond their first digit"
            )
            title = "Neighbours in the ranking that were not significantly different"
            columns = "a b difference at_hand units units_alone p p_corrected"
            made.append(self.sheet(title, self.undecided, columns, notes=[note]))
        signature = Field("signature", "result.signature.short")
        made.append(self.sheet("Sections", self.sections, "name question", signature))
        if self.left_out:
            made.append(self.sheet("Left out", self.left_out, Field("section", "name"), "reason"))
        return [*made, self.sheet("How it is computed", self.methods, "name what source")]

    def records(self) -> Sheet:
        """One row per number of every section."""
        rows: list[tuple[Cell, ...]] = [
            (section.name, row, column.name, value)
            for section in self.sections
            for column in section.result.records().columns
            for row, value in enumerate(column.values, start=1)
        ]
        return Sheet.listed(self.title, ("section", "row", "column", "value"), rows)


def _portraits(chapters: Sequence[Chapter]) -> Iterator[Portrait]:
    """What all sections on the same units say about each run, in the order in which they name the runs."""
    by_subject = sorted(chapters, key=lambda one: [other.about for other in chapters].index(one.about))
    for about, group in groupby(by_subject, key=lambda one: one.about):
        results = [chapter.result for chapter in group]
        findings = list(dict.fromkeys(one for result in results for one in result.findings()))
        runs = list(dict.fromkeys(run for result in results for sheet in result.sheets() for run in sheet.runs))
        if len(runs) > LEADING:
            compared = {run for result in results if result.study == "compare" for run in result.sheets()[0].runs}
            runs = [run for run in runs if run in compared or not compared][:LEADING]
        for run in runs:
            named = tuple(one for one in findings if run in one.runs)
            yield Portrait(run, about, named, tuple(sheet for result in results for sheet in result.about(run)))


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
        for run in scored.systems(way)[: min(MOST_NAMED, len(scored.runs))]:
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
    shown = report.undecided[:MOST_NAMED]
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
    if len(report.undecided) > MOST_NAMED:
        more = len(report.undecided) - MOST_NAMED
        yield Finding(f"{more} more neighbours in the ranking were not significantly different.")


def _about(units: int | None) -> str:
    """A number of units to one digit: it rests on one observed difference."""
    if units is None or units > MOST_UNITS_TOLD:
        return f"more than {MOST_UNITS_TOLD:,}"
    return f"about {float(f'{units:.0e}'):,.0f}"


def of_scores(report: Report) -> Iterable[Finding]:
    """What `score` says first about single runs, such as labels that contradict their ranking."""
    scored = report.of("score")
    if scored is not None:
        yield from scored.headlines()


FINDINGS: Findings = (leading, best, alone, undecided, of_scores)
