"""The registered measures and formats (`karat measures`, `karat formats`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from karat.data.fields import Cell
from karat.data.nugget_counts import NuggetCounts
from karat.data.orders import Order
from karat.data.question_counts import FirstRight, ListCounts, NilCounts, TokenCounts, TypeMeans
from karat.data.responses import Forecasts
from karat.data.result import Sheet
from karat.data.support import SupportCounts
from karat.data.tables import Table
from karat.formats.registry import FILE_FORMATS
from karat.measures import measures, question_measures
from karat.registry import Registered
from karat.studies.base import StudyResult, study

SUBJECTS = {
    Table: "table",
    Forecasts: "probabilities",
    FirstRight: "factoid answers",
    NilCounts: "NIL answers",
    ListCounts: "list answers",
    NuggetCounts: "nuggets",
    SupportCounts: "citations",
    TypeMeans: "types of questions",
    TokenCounts: "words of answers",
}
"""What measures are functions of, in words."""


class NoParameters(msgspec.Struct, frozen=True):
    """A study without parameters."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Catalogue(StudyResult):
    """The entries of a registry with their facts."""

    title: str
    entries: list[dict[str, Any]]

    def citations(self) -> list[str]:
        """The source of every entry that has one."""
        return [entry["source"] for entry in self.entries if "source" in entry]

    def make_sheets(self) -> list[Sheet]:
        """One table."""
        rows = [list(map(_cell, entry.values())) for entry in self.entries]
        return [Sheet.listed(self.title, list(self.entries[0]), rows)]


def _cell(value: Any) -> Cell:
    return ", ".join(map(str, value)) if isinstance(value, list) else value


@study("measures", NoParameters)
def list_measures(_: NoParameters) -> Catalogue:
    """Every measure with its facts."""
    entries = [
        {
            "measure": _spelled(entry),
            "of": _subject(entry),
            "range": [_bound(end) for end in entry.facts["range"]],
            "unit": entry.facts.get("unit", ""),
            "respects": sorted(entry.facts.get("respects", ())),
            "interval": entry.facts.get("interval", ""),
            "what": entry.summary,
            "undefined": entry.facts["undefined"],
            "source": entry.facts["source"],
        }
        for registry in (measures, question_measures)
        for entry in registry
    ]
    return Catalogue(title="Measures", entries=entries)


def _subject(entry: Registered) -> str:
    kind = entry.facts["of"]
    return f"ranking by {entry.facts['ranked_by']}" if kind is Order else SUBJECTS[kind]


def _spelled(entry: Registered) -> str:
    """A measure with its arguments, as a user writes them."""
    inside = []
    for parameter in entry.parameters.values():
        if parameter.name == "label":
            inside.append("LABEL" if parameter.default is parameter.empty else "[LABEL]")
        else:
            inside.append(f"{parameter.name}={parameter.default}")
    return f"{entry.name}({', '.join(inside)})" if inside else entry.name


def _bound(end: float | str) -> str:
    return end if isinstance(end, str) else f"{end:g}".replace("-inf", "−∞").replace("inf", "∞")


@study("formats", NoParameters)
def list_formats(_: NoParameters) -> Catalogue:
    """Every format, with the kind of file and whether it can be written."""
    entries = [
        {
            "format": entry.name,
            "of": formats.holds,
            "written": entry.facts["write"] is not None,
            "what": entry.facts["what"],
        }
        for formats in FILE_FORMATS
        for entry in formats
    ]
    return Catalogue(title="Formats", entries=entries)
