"""What all studies share: parameters from keywords, a signature, findings, and results that render."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

import msgspec

from karat.data.parameters import parameters
from karat.data.result import Result
from karat.data.undefined import explained
from karat.errors import UsageError
from karat.measures import measures
from karat.registry import Registry
from karat.report import render
from karat.statistics.corrections import CONTROLS
from karat.studies.signing import sign

R = TypeVar("R", bound="StudyResult")
P = TypeVar("P", bound=msgspec.Struct)

studies = Registry("study", "parameters")
findings = Registry("finding", "study")


def study(name: str, kind: type[P]) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """File a study under its command's name.

    Called with keywords, it gets them as one checked struct after its subjects; keyword-only arguments of its own
    are further subjects. Its result is signed here: the version, the study, the subjects' files and how they were
    read, and every parameter; and every null in it gets its reason.
    """

    def file(function: Callable[..., R]) -> Callable[..., R]:
        nouns = [one.name for one in inspect.signature(function).parameters.values() if one.kind is one.KEYWORD_ONLY]

        @functools.wraps(function)
        def call(*subjects: Any, **options: Any) -> R:
            given = {noun: options.pop(noun) for noun in nouns if noun in options}
            asked = parameters(kind, options)
            result = function(*subjects, asked, **given)
            subjects += tuple(given.values())
            signed = replace(result, study=name, signature=sign(name, subjects, asked, result))
            return replace(signed, undefined=explained(signed, signed.WHY))

        return studies.register(name, parameters=kind)(call)

    return file


def finding(name: str, study: str) -> Callable[[Callable[..., Iterable[str]]], Callable[..., Iterable[str]]]:
    """File a predicate on a study's result that yields sentences where it has something to say."""
    return findings.register(f"{study}: {name}", study=study)


def sources_of(registry: Registry, spellings: Iterable[str]) -> tuple[str, ...]:
    """Where some entries of a registry come from; what is not filed there (a column of scores) has no source."""
    names = {spelling.partition("(")[0] for spelling in spellings}
    return tuple(entry.facts["source"] for entry in registry if entry.name in names)


@dataclass(frozen=True, kw_only=True, repr=False)
class StudyResult(Result):
    """A result that can show itself."""

    SOURCES: ClassVar[tuple[str, ...]] = ()
    """What the study rests on, whatever it is asked; named as in `karat.report.bibliography`."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.signature}>"

    def findings(self) -> list[str]:
        """Every sentence that the study's registered findings have to say."""
        mine = [entry for entry in findings if entry.facts["study"] == self.study]
        return [sentence for entry in mine for sentence in entry.function(self)]

    def citations(self) -> list[str]:
        """The sources of the measures, of the correction for many questions, and of the study itself."""
        control = CONTROLS.get(self.signature.parameters.get("correction", ""), "")
        return [*sources_of(measures, self.signature.measures), control, *self.SOURCES]

    def render(self, format: str = "text", table: str | None = None) -> str:
        """The result as text, json, csv, latex, html or bibtex; one table alone as csv or latex."""
        return render(self, format, table)

    def to_polars(self) -> Any:
        """Every number, one a row, as a polars data frame."""
        try:
            import polars  # here: heavy, and optional
        except ImportError:
            raise UsageError("a data frame needs polars: pip install 'karat[tables]'") from None
        columns = self.records().columns
        return polars.DataFrame({column.name: list(column.values) for column in columns}, strict=False)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return render(self, "fragment")
