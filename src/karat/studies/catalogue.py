"""What is registered: measures and formats, as results like any other (`karat measures`, `karat formats`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from karat.data.orders import Order
from karat.data.result import Cell, Column, Sheet
from karat.formats import pair_formats, run_formats
from karat.measures import measures
from karat.studies.base import StudyResult, study


class Nothing(msgspec.Struct, frozen=True):
    """There is nothing to ask."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Catalogue(StudyResult):
    """Entries of a registry with their facts."""

    title: str
    entries: list[dict[str, Any]]

    def sheets(self) -> list[Sheet]:
        """One table."""
        return [self.records()]

    def records(self) -> Sheet:
        """An entry a row."""
        names = list(self.entries[0])
        columns = (Column(name, [_cell(entry[name]) for entry in self.entries]) for name in names)
        return Sheet(self.title, tuple(columns))


def _cell(value: Any) -> Cell:
    return ", ".join(map(str, value)) if isinstance(value, list) else value


@study("measures", Nothing)
def list_measures(_: Nothing) -> Catalogue:
    """Every measure with its facts."""
    entries = [
        {
            "measure": _call(entry.name, entry.parameters),
            "of": "ranking by " + entry.facts["ranked_by"] if entry.facts["of"] is Order else "table",
            "range": [_bound(end) for end in entry.facts["range"]],
            "unit": entry.facts["unit"],
            "respects": sorted(entry.facts["respects"]),
            "interval": entry.facts["interval"],
            "what": entry.summary,
            "undefined": entry.facts["undefined"],
            "source": entry.facts["source"],
        }
        for entry in measures
    ]
    return Catalogue(title="Measures", entries=entries)


def _call(name: str, parameters: dict[str, Any]) -> str:
    inside = []
    for parameter in parameters.values():
        required = parameter.default is parameter.empty
        if parameter.name == "label":
            inside.append("LABEL" if required else "[LABEL]")
        else:
            inside.append(f"{parameter.name}={parameter.default}")
    return f"{name}({', '.join(inside)})" if inside else name


def _bound(end: float | str) -> str:
    return end if isinstance(end, str) else f"{end:g}".replace("-inf", "−∞").replace("inf", "∞")


@study("formats", Nothing)
def list_formats(_: Nothing) -> Catalogue:
    """Every format: what it holds, whether it is written."""
    entries = [
        {
            "format": entry.name,
            "of": registry.kind.removesuffix(" format"),
            "written": entry.facts["write"] is not None,
            "what": entry.facts["what"],
        }
        for registry in (pair_formats, run_formats)
        for entry in registry
    ]
    return Catalogue(title="Formats", entries=entries)
