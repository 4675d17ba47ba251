"""A report: the results of several studies of one evaluation, their findings together, and their methods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Annotated, Any, Self

from karat.data.charts import Chart
from karat.data.composite import Chapter, Opening, Portrait, runs_by_rank
from karat.data.explored import Explored
from karat.data.fields import Cell, Shown, Why, readable
from karat.data.result import Field, Finding, Sheet
from karat.studies.base import LeftOut, StudyResult
from karat.studies.report.evidence import LEADING
from karat.studies.shared_texts import SharedTexts

POWER = 0.8
"""The power at which the units needed for a difference are computed."""
SAME_SCORE = "the two runs have the same score on the units scored for both"


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

    name: Annotated[str, Shown(form=readable)]
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
    opening: Opening
    """The first screen."""
    undecided: list[Undecided]
    """Neighbours in the ranking that were not significantly different, and how many units might show a difference."""
    left_out: list[LeftOut]
    methods: list[Method]
    shared_texts: Annotated[SharedTexts | None, Why("no two pairs share a text, or the pairs have none")]
    """The pairs that share a text."""
    pairs: Annotated[Explored | None, Why("the report is not of pairs with a key")]
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

    def first_screen(self) -> Opening:
        """Facts, verdict, grades and leaderboard."""
        return self.opening

    def explored(self) -> Explored | None:
        """All pairs."""
        return self.pairs

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
        made = []
        for section in self.sections:
            runs = runs_by_rank(self.chapters(), self.portraits(), section.about)
            first = "" if section.name == section.result.study else f"{section.name}-"
            made += [replace(one, name=f"{first}{one.name}", runs=runs) for one in section.result.charts()]
        return made

    def citations(self) -> list[str]:
        """The sources of all sections, and of the rules of the grades."""
        of_sections = [source for section in self.sections for source in section.result.citations()]
        return list(dict.fromkeys([*of_sections, *(one.grade.rule for one in self.opening.grades)]))

    def in_full(self) -> Self:
        """The same report, in whose sections tables have all their rows."""
        return replace(self, sections=[replace(one, result=one.result.in_full()) for one in self.sections])

    def every_sheet(self) -> list[Sheet]:
        """The sheets of all sections, then the report's own."""
        return [*(sheet for section in self.sections for sheet in section.result.sheets()), *self.sheets()]

    def make_sheets(self) -> list[Sheet]:
        """Neighbours that are not significantly different, the sections, those left out, and the methods."""
        made = []
        if self.undecided:
            note = (
                f"units needed: to find the observed difference with {POWER:.0%} power among all these runs, at a "
                "level of 0.05 divided by the number of pairs, if it is the true difference and the runs disagree as "
                "often as here (McNemar's exact test; for graded scores, the paired t test); alone: if only these "
                "two runs were compared. The observed difference is uncertain, so only the first digit of these "
                "numbers is reliable"
            )
            title = "Neighbours in the ranking that were not significantly different"
            columns = "a b difference at_hand units units_alone p p_corrected"
            made.append(self.sheet(title, self.undecided, columns, notes=[note]))
        if self.opening.grades:
            shown = (Field("part", "grade.part"), Field("grade", "grade.word"), Field("rule", "grade.rule"))
            official = {"", *(view.board.way for view in self.opening.views[:1])}
            first = [one for one in self.opening.grades if one.way in official]
            made.append(self.sheet("How the grades are given", first, *shown))
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
            ranked = [run for result in results if result.study == "compare" for run in result.sheets()[0].runs]
            runs = (ranked or runs)[:LEADING]
        for run in runs:
            # Sentences about the run itself come before those that only mention it.
            named = sorted((one for one in findings if run in one.runs), key=lambda one: not one.startswith(run))
            yield Portrait(run, about, tuple(named), tuple(sheet for result in results for sheet in result.about(run)))
