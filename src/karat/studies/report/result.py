"""A report: results of several studies of one evaluation, what they say together, and how all of it is computed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any

from karat.data.charts import Chart
from karat.data.composite import Chapter, Items, Portrait
from karat.data.result import Field, Finding, Sheet
from karat.data.shown import Cell, Shown, Why
from karat.studies.base import StudyResult
from karat.studies.report.portraits import portraits
from karat.studies.report.undecided import POWER, Undecided


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
class LeftOut:
    """A section that could not be made, and why."""

    name: Annotated[str, Shown("section")]
    reason: str


@dataclass(frozen=True)
class Method:
    """How something in the report is computed."""

    name: str
    what: str
    source: str


@dataclass(frozen=True, kw_only=True, repr=False)
class Report(StudyResult):
    """What `report` returns."""

    title: str
    sections: list[Section]
    undecided: list[Undecided]
    """Neighbours in the ranking that were not significantly different, and how many units might show a difference."""
    left_out: list[LeftOut]
    methods: list[Method]
    items: Annotated[Items | None, Why("the report is of questions or of scores, not of pairs")]
    """The pairs with every answer, where the report is of pairs."""

    @property
    def heading(self) -> str:
        """The title."""
        return self.title

    def of(self, name: str) -> Any:
        """The result of a section; None where it is not there."""
        return next((section.result for section in self.sections if section.name == name), None)

    def headlines(self) -> list[Finding]:
        """What the sections say together, then what each of them would have seen first."""
        each = [said for section in self.sections for said in section.result.headlines()]
        return list(dict.fromkeys([*self.findings(), *each]))

    def shown_items(self) -> Items | None:
        """All of them."""
        return self.items

    def chapters(self) -> list[Chapter]:
        """The sections as a page takes them."""
        return [Chapter(one.name, one.question, one.result, one.about, one.note) for one in self.sections]

    @cached_property
    def _portraits(self) -> list[Portrait]:
        return list(portraits(self.chapters()))

    def portraits(self) -> list[Portrait]:
        """Every run by itself."""
        return self._portraits

    def charts(self) -> list[Chart]:
        """Those of all sections; where two of one study draw the same figure, each under its section's name."""
        drawn = [(section, chart) for section in self.sections for chart in section.result.charts()]
        return [
            chart if section.name == section.result.study else replace(chart, name=f"{section.name}-{chart.name}")
            for section, chart in drawn
        ]

    def citations(self) -> list[str]:
        """What any section rests on."""
        return list(dict.fromkeys(source for section in self.sections for source in section.result.citations()))

    def every_sheet(self) -> list[Sheet]:
        """Those of all sections, then its own."""
        return [*(sheet for section in self.sections for sheet in section.result.sheets()), *self.sheets()]

    def make_sheets(self) -> list[Sheet]:
        """Neighbours that do not differ significantly, the sections, those not made, and how all is computed."""
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
            made.append(self.sheet("Left out", self.left_out, "name reason"))
        return [*made, self.sheet("How it is computed", self.methods, "name what source")]

    def records(self) -> Sheet:
        """One row per number of every section, with the section that it is of."""
        rows: list[tuple[Cell, ...]] = [
            (section.name, row, column.name, value)
            for section in self.sections
            for column in section.result.records().columns
            for row, value in enumerate(column.values, start=1)
        ]
        return Sheet.listed(self.title, ("section", "row", "column", "value"), rows)
