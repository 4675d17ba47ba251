"""What all studies share: parameters from keywords, a signature, findings, and results that render."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from karat import __version__
from karat.data.parameters import parameters
from karat.data.result import Result, Signature
from karat.data.source import Source
from karat.registry import Registry
from karat.report import render

R = TypeVar("R", bound="StudyResult")
P = TypeVar("P", bound=msgspec.Struct)

studies = Registry("study", "parameters")
findings = Registry("finding", "study")


def study(command: str, kind: type[P]) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """File a study under its command. Called with keywords, it gets them as one checked struct, last."""

    def file(function: Callable[..., R]) -> Callable[..., R]:
        @functools.wraps(function)
        def call(*subjects: Any, **options: Any) -> R:
            return function(*subjects, parameters(kind, options))

        return studies.register(command, parameters=kind)(call)

    return file


def finding(name: str, study: str) -> Callable[[Callable[..., Iterable[str]]], Callable[..., Iterable[str]]]:
    """File a predicate on a study's result that yields sentences where it has something to say."""
    return findings.register(name, study=study)


def sign(study: str, given: msgspec.Struct, files: Iterable[Source], **resolved: Any) -> Signature:
    """The signature of a result: version, files, and every parameter as it came to be used."""
    known = {name: resolved.pop(name, getattr(given, name, None)) for name in ("way", "ties", "missing", "seed")}
    rest = {name: value for name, value in msgspec.to_builtins(given).items() if name not in {*known, "measure"}}
    return Signature(
        version=__version__,
        study=study,
        files=tuple(files),
        measures=tuple(resolved.pop("measures", ())),
        parameters=rest | resolved,
        **known,
    )


@dataclass(frozen=True, kw_only=True)
class StudyResult(Result):
    """A result that can show itself."""

    def findings(self) -> list[str]:
        """Every sentence that the study's registered findings have to say."""
        mine = [entry for entry in findings if entry.facts["study"] == self.study]
        return [sentence for entry in mine for sentence in entry.function(self)]

    def render(self, format: str = "text") -> str:
        """The result as text, json, csv, latex or html."""
        return render(self, format)

    def to_polars(self) -> Any:
        """Every number, one a row, as a polars data frame."""
        import polars  # here: heavy, and optional

        return polars.DataFrame(
            {column.name: list(column.values) for column in self.table().columns}, strict=False
        )

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return render(self, "fragment")
