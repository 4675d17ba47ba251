"""The registered engines (`karat engines`)."""

from __future__ import annotations

import inspect
import typing
from dataclasses import astuple, dataclass
from typing import Annotated, Any, ClassVar

from karat.data.fields import Shown
from karat.data.records import Records, RowsAt
from karat.data.result import Field, Sheet
from karat.engines.engine import engines
from karat.registry import Registered
from karat.studies.base import StudyResult, study
from karat.studies.catalogue import NoParameters


@dataclass(frozen=True)
class Parameter:
    """A parameter that may be given in brackets after the name of an engine."""

    name: str
    default: str
    values: str
    what: str


def _with_defaults(parameters: list[Parameter]) -> str:
    return ", ".join(f"{one.name}={one.default}" for one in parameters)


Names = Annotated[list[str], Shown(form=", ".join)]


@dataclass(frozen=True)
class EngineFacts:
    """An engine with its facts."""

    engine: str
    learns: str
    """Whether it is trained on pairs: no, may or must."""
    ways: Names
    what: str
    source: str
    parameters: Annotated[list[Parameter], Shown(form=_with_defaults)]
    switches: Names
    """The components that can be switched off."""


@dataclass(frozen=True, kw_only=True, repr=False)
class EngineCatalogue(StudyResult):
    """The result of `engines`."""

    engines: list[EngineFacts]
    RECORDS: ClassVar[Records] = Records(
        "engine, learns, what, source, ways, parameters, switches", RowsAt("engines.*")
    )

    def citations(self) -> list[str]:
        """The source of every engine."""
        return [one.source for one in self.engines]

    def make_sheets(self) -> list[Sheet]:
        """The engines, their parameters, and the components that can be switched off."""
        rows = [(one.engine, *astuple(parameter)) for one in self.engines for parameter in one.parameters]
        off = [one for one in self.engines if one.switches]
        return [
            self.sheet("Engines", self.engines, "engine learns what source"),
            Sheet.listed("Parameters: ENGINE(parameter=value)", ("engine", "name", "default", "values", "what"), rows),
            self.sheet("What they can do without: --without NAME", off, "engine", Field("names", "switches")),
        ]


@study("engines", NoParameters)
def list_engines(_: NoParameters) -> EngineCatalogue:
    """Every engine with its parameters, whether it learns, and the components that can be switched off."""
    return EngineCatalogue(
        engines=[
            EngineFacts(
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


def _parameters(entry: Registered) -> list[Parameter]:
    """The parameters of an engine, with the descriptions in their annotations."""
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
    """The values of a parameter, in words."""
    if typing.get_origin(kind) is typing.Literal:
        return " | ".join(value or "–" for value in typing.get_args(kind))
    return {bool: "True | False", int: "a whole number", float: "a number", str: "text"}.get(kind, str(kind))
