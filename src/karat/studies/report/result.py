"""A report: results of several studies of one evaluation, what they say together, and how all of it is computed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from karat.data.charts import Chart
from karat.data.composite import Chapter, Items, Portrait
from karat.data.result import Cell, Column, Field, Finding, Sheet
from karat.data.undefined import Steps, Why, pointer
from karat.studies.base import StudyResult
from karat.studies.report.portraits import portraits
from karat.studies.report.undecided import POWER, Undecided


@dataclass(frozen=True)
class Section:
    """One study's answer to one question."""

    name: str
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

    name: str
    reason: str


@dataclass(frozen=True)
class Method:
    """How something in the report is computed."""

    name: str
    what: str
    source: str


SAME = "the two runs have the same score on the units that both were scored on, and no number of units shows 0"


def _nested(result: Any, steps: Steps) -> str:
    """The reason that a section's own result gives."""
    inside, path = result.sections[int(steps[1])].result, pointer(*steps[3:])
    return next((one.reason for one in inside.undefined if one.covers(path)), "does not apply to this section")


@dataclass(frozen=True, kw_only=True, repr=False)
class Report(StudyResult):
    """What `report` returns."""

    title: str
    sections: list[Section]
    undecided: list[Undecided]
    """Neighbours in the ranking that were not significantly different, and how many units might show a difference."""
    left_out: list[LeftOut]
    methods: list[Method]
    items: Items | None
    """The pairs with every answer, where the report is of pairs."""

    WHY: ClassVar[Why] = {
        "sections/**": _nested,
        "undecided/*/units": SAME,
        "undecided/*/units_alone": SAME,
        "items": "the report is of questions or of scores, not of pairs",
    }

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
            fields = [Field("run a", "a"), Field("run b", "b"), Field("a − b", "difference", 4)]
            fields += [Field("units at hand", "at_hand"), Field("units needed", "units", 0)]
            fields += [Field("alone", "units_alone", 0), Field("p", digits=4), Field("p corrected", "p_corrected", 4)]
            notes = [
                f"units needed: to find the observed difference with power {POWER:g} among all these runs, at a level "
                "of .05 divided by the number of pairs, if it is the true one and the runs go on disagreeing as they "
                "do here (McNemar's exact test; of graded scores, the paired t test); alone: if no other run were "
                "compared. The observed difference is uncertain, and so are these numbers, beyond their first digit"
            ]
            title = "Neighbours in the ranking that were not significantly different"
            made.append(Sheet.of(title, self.undecided, *fields, at="undecided", notes=notes))
        fields = [Field("section", "name"), Field("question"), Field("signature", "result.signature.short")]
        made.append(Sheet.of("Sections", self.sections, *fields))
        if self.left_out:
            made.append(Sheet.of("Left out", self.left_out, Field("section", "name"), Field("reason")))
        return [*made, Sheet.of("How it is computed", self.methods, Field("name"), Field("what"), Field("source"))]

    def records(self) -> Sheet:
        """Every number of every section, one a row, with the section it is of."""
        rows: list[tuple[Cell, ...]] = [
            (section.name, row, column.name, value)
            for section in self.sections
            for column in section.result.records().columns
            for row, value in enumerate(column.values, start=1)
        ]
        names = ("section", "row", "column", "value")
        return Sheet(self.title, tuple(Column(name, [row[place] for row in rows]) for place, name in enumerate(names)))
