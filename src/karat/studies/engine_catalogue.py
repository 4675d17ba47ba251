"""Which engines there are (`karat engines`)."""

from __future__ import annotations

import inspect
import typing
from dataclasses import dataclass
from typing import Any

from karat.data.result import Column, Field, Sheet
from karat.engines.engine import engines
from karat.registry import Entry
from karat.studies.base import StudyResult, study
from karat.studies.catalogue import Nothing


@dataclass(frozen=True)
class Parameter:
    """What may stand in brackets after an engine's name."""

    name: str
    default: str
    values: str
    what: str


@dataclass(frozen=True)
class Described:
    """An engine with its facts."""

    engine: str
    learns: str
    """Whether it takes training pairs: no, may, must."""
    ways: list[str]
    what: str
    source: str
    parameters: list[Parameter]
    switches: list[str]
    """What it can do without."""


@dataclass(frozen=True, kw_only=True, repr=False)
class EngineCatalogue(StudyResult):
    """What `engines` returns."""

    engines: list[Described]

    def citations(self) -> list[str]:
        """The source of every engine."""
        return [one.source for one in self.engines]

    def make_sheets(self) -> list[Sheet]:
        """The engines, their parameters, and what they can do without."""
        listed = [Field("engine"), Field("learns"), Field("what"), Field("source")]
        rows = [(one.engine, parameter) for one in self.engines for parameter in one.parameters]
        off = [one for one in self.engines if one.switches]
        return [
            Sheet.of("Engines", self.engines, *listed),
            Sheet(
                "Parameters: ENGINE(parameter=value)",
                (
                    Column("engine", [engine for engine, _ in rows]),
                    *(
                        Column(name, [getattr(parameter, name) for _, parameter in rows])
                        for name in ("name", "default", "values", "what")
                    ),
                ),
            ),
            Sheet(
                "What they can do without: --without NAME",
                (
                    Column("engine", [one.engine for one in off]),
                    Column("names", [", ".join(one.switches) for one in off]),
                ),
            ),
        ]

    def records(self) -> Sheet:
        """An engine a row."""
        fields = [Field("engine"), Field("learns"), Field("what"), Field("source")]
        ways = Column("ways", [", ".join(one.ways) for one in self.engines])
        made = [", ".join(f"{p.name}={p.default}" for p in one.parameters) for one in self.engines]
        parameters = Column("parameters", made)
        switches = Column("switches", [", ".join(one.switches) for one in self.engines])
        sheet = Sheet.of("Engines", self.engines, *fields)
        return Sheet(sheet.title, (*sheet.columns, ways, parameters, switches))


@study("engines", Nothing)
def list_engines(_: Nothing) -> EngineCatalogue:
    """Every engine with its parameters, whether it learns, and what it can do without."""
    return EngineCatalogue(
        engines=[
            Described(
                engine=entry.name,
                learns=entry.facts["learns"],
                ways=list(entry.facts["ways"]),
                what=entry.summary,
                source=entry.facts["source"],
                parameters=_parameters(entry),
                switches=list(entry.facts["switches"]),
            )
            for entry in sorted(engines, key=lambda entry: entry.name)
        ]
    )


def _parameters(entry: Entry) -> list[Parameter]:
    """The parameters of an engine, with the words that stand beside them."""
    hints = typing.get_type_hints(entry.function, include_extras=True)
    made = []
    for name, parameter in entry.parameters.items():
        hint = hints[name]
        kind, *notes = typing.get_args(hint) if typing.get_origin(hint) is typing.Annotated else (hint,)
        what = next((note.description for note in notes if getattr(note, "description", None)), "")
        default = "" if parameter.default is inspect.Parameter.empty else str(parameter.default)
        listed = next((str(note.examples[0]) for note in notes if getattr(note, "examples", None)), _values(kind))
        made.append(Parameter(name, default or "–", listed, what))
    return made


def _values(kind: Any) -> str:
    """The values that a parameter takes, in words."""
    if typing.get_origin(kind) is typing.Literal:
        return " | ".join(value or "–" for value in typing.get_args(kind))
    return {bool: "True | False", int: "a whole number", float: "a number", str: "text"}.get(kind, str(kind))
