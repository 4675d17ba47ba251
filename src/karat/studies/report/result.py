"""A report: results of several studies of one evaluation, what they say together, and how all of it is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from karat.data.result import Cell, Column, Items, Result, Sheet
from karat.data.undefined import Steps, Why, pointer
from karat.studies.base import StudyResult


@dataclass(frozen=True)
class Section:
    """One study's answer to one question."""

    name: str
    """The study, which is also the command that gives this section alone."""
    question: str
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


def _nested(result: Any, steps: Steps) -> str:
    """The reason that a section's own result gives."""
    inside, path = result.sections[int(steps[1])].result, pointer(*steps[3:])
    return next((one.reason for one in inside.undefined if one.covers(path)), "does not apply to this section")


@dataclass(frozen=True, kw_only=True, repr=False)
class Report(StudyResult):
    """What `report` returns."""

    title: str
    sections: list[Section]
    left_out: list[LeftOut]
    methods: list[Method]
    items: Items

    WHY: ClassVar[Why] = {"sections/**": _nested}

    @property
    def heading(self) -> str:
        """The title."""
        return self.title

    def shown_items(self) -> Items:
        """All of them."""
        return self.items

    def chapters(self) -> list[tuple[str, str, Result]]:
        """The sections as a page takes them: an anchor, a heading, a result."""
        return [(section.name, section.question, section.result) for section in self.sections]

    def citations(self) -> list[str]:
        """What any section rests on."""
        return list(dict.fromkeys(source for section in self.sections for source in section.result.citations()))

    def findings(self) -> list[str]:
        """What every section found, in order."""
        return [sentence for section in self.sections for sentence in section.result.findings()]

    def sheets(self) -> list[Sheet]:
        """Which sections there are, which could not be made, and how measures are computed."""
        sheets = [
            Sheet(
                "Sections",
                (
                    Column("section", [section.name for section in self.sections]),
                    Column("question", [section.question for section in self.sections]),
                    Column("signature", [str(section.result.signature) for section in self.sections]),
                ),
            )
        ]
        if self.left_out:
            sheets.append(_sheet("Left out", self.left_out, "name", "reason"))
        return [*sheets, _sheet("How it is computed", self.methods, "name", "what", "source")]

    def records(self) -> Sheet:
        """Every number of every section, one a row, with the section it is of."""
        rows: list[tuple[Cell, ...]] = [
            (section.name, row, column.name, column.text(value))
            for section in self.sections
            for column in section.result.records().columns
            for row, value in enumerate(column.values, start=1)
        ]
        names = ("section", "row", "column", "value")
        return Sheet(self.title, tuple(Column(name, [row[place] for row in rows]) for place, name in enumerate(names)))


def _sheet(title: str, rows: list[Any], *names: str) -> Sheet:
    return Sheet(title, tuple(Column(name, [getattr(row, name) for row in rows]) for name in names))
