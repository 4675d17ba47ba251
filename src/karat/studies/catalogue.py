"""What is registered: measures and formats, as results like any other (`karat measures`, `karat formats`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from karat.data.orders import Order
from karat.data.reading import Reading
from karat.data.result import Cell, Column, Sheet
from karat.formats import pair_formats, run_formats
from karat.measures import measures
from karat.studies.base import StudyResult, sign


@dataclass(frozen=True, kw_only=True)
class Catalogue(StudyResult):
    """Entries of a registry with their facts."""

    title: str
    entries: list[dict[str, Any]]

    def sheets(self) -> list[Sheet]:
        """One table."""
        return [self.table()]

    def table(self) -> Sheet:
        """An entry a row."""
        names = list(self.entries[0])
        columns = (Column(name, [_cell(entry[name]) for entry in self.entries]) for name in names)
        return Sheet(self.title, tuple(columns))


def _cell(value: Any) -> Cell:
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def list_measures() -> Catalogue:
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
    return Catalogue(
        study="measures", signature=sign("measures", Reading(), []), title="Measures", entries=entries
    )


def _call(name: str, parameters: dict[str, Any]) -> str:
    inside = []
    for parameter in parameters.values():
        required = parameter.default is parameter.empty
        if parameter.name == "label":
            inside.append("LABEL" if required else "[LABEL]")
        else:
            inside.append(f"{parameter.name}={parameter.default}")
    return f"{name}({', '.join(inside)})" if inside else name


def _bound(end: float) -> str:
    return "log2 3" if 1.58 < end < 1.59 else "−∞" if end == -float("inf") else f"{end:g}"


def list_formats() -> Catalogue:
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
    return Catalogue(study="formats", signature=sign("formats", Reading(), []), title="Formats", entries=entries)
