"""What all studies share: parameters from keywords, a signature, findings, figures, and results that render."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar, get_type_hints

import msgspec

from karat.data.charts import Chart, Figures
from karat.data.parameters import check_arguments, parameters
from karat.data.result import Finding, Findings, Result
from karat.data.source import Source
from karat.data.undefined import explain
from karat.errors import Problem, UsageError, printable
from karat.measures import measures
from karat.registry import Entry, Registry
from karat.render import render
from karat.render.figures import Picture
from karat.statistics.corrections import CONTROLS
from karat.studies import FIGURES
from karat.studies.signing import sign

R = TypeVar("R", bound="StudyResult")
P = TypeVar("P", bound=msgspec.Struct)

studies = Registry("study", "parameters", "findings", "figures")


MOST_RUNS = 1000
"""Runs that a study takes which compares every two of them."""


def study(
    name: str,
    kind: type[P],
    most: Mapping[str, int] = MappingProxyType({}),
    findings: Findings = (),
    figures: Figures = (),
    nouns: type | None = None,
) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """File a study under its command's name.

    The function takes what it studies, one checked struct of parameters last, and further things to look at as
    keyword-only arguments. Callers see one flat signature, the struct's fields being keywords. The result is signed
    here: the version, the study, the files of everything given and how they were read, and every parameter; every null
    in it gets its reason; and the readers' warnings are put before the study's own. `most` says how many runs or
    assessors a subject may have, where every two are compared. `findings` and `figures` are what the result tells and
    draws, in this order; the figures are named in `karat.studies.FIGURES` too. `nouns` is a dataclass of all
    that a study takes, the struct included, if that is much: the function takes one, and callers see its fields.
    """
    drawn = tuple(map(_figure, figures))
    if tuple(one.name for one in drawn) != FIGURES.get(name, ()):
        raise TypeError(f"the figures of {name} are not those that karat.studies.FIGURES names")

    def file(function: Callable[..., R]) -> Callable[..., R]:
        if nouns is not None:
            function = _unbundled(function, nouns)
        taken = inspect.signature(function)
        # What the caller gives: all but the struct, which is made from keywords.
        door = taken.replace(
            parameters=[one for one in taken.parameters.values() if one.annotation not in (kind, kind.__name__)]
        )

        @functools.wraps(function)
        def call(*subjects: Any, **options: Any) -> R:
            named = {noun: options.pop(noun) for noun in door.parameters if noun in options}
            given = check_arguments(function, door, subjects, named)
            asked = parameters(kind, options)
            _check_numbers(given.values(), most)
            subjects = tuple(given.values())
            try:
                result = function(**given, **{struct: asked})
            except UsageError as error:
                error.warnings = tuple(dict.fromkeys([*warnings_of(subjects), *error.warnings]))
                raise
            told = dict.fromkeys([*warnings_of(subjects), *result.warnings])
            again = {one.bare for one in told if one.bare is not one}  # those that results within a result hold
            warnings = tuple(one.bare for one in told if one not in again)
            signature = sign(name, subjects, asked, result)
            signed = replace(_bared(result), study=name, signature=signature, warnings=warnings)
            return explain(signed)

        (struct,) = taken.parameters.keys() - door.parameters.keys()
        call.__signature__ = flat(door, kind)  # type: ignore[attr-defined]
        return studies.register(name, parameters=kind, findings=findings, figures=drawn)(call)

    return file


def _unbundled(function: Callable[..., R], bundle: type) -> Callable[..., R]:
    """A function of a dataclass as one of the dataclass's fields."""

    def call(**given: Any) -> R:
        return function(bundle(**given))

    hints = get_type_hints(bundle) | {"return": get_type_hints(function)["return"]}
    taken = [one.replace(annotation=hints[one.name]) for one in inspect.signature(bundle).parameters.values()]
    for attribute in ("__module__", "__name__", "__qualname__", "__doc__"):
        setattr(call, attribute, getattr(function, attribute))
    call.__annotations__ = hints
    call.__signature__ = inspect.Signature(taken, return_annotation=hints["return"])  # type: ignore[attr-defined]
    return call


def flat(door: inspect.Signature, kind: type[msgspec.Struct]) -> inspect.Signature:
    """The signature that callers see: what is studied, then every field of the struct as a keyword."""
    hints, usual = get_type_hints(kind), msgspec.structs.asdict(kind())
    fields = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hints[name])
        for name, default in usual.items()
    ]
    return door.replace(parameters=[*door.parameters.values(), *fields])


def _bared(result: R) -> R:
    """A result that names files, and does not say where they lie."""
    changed: dict[str, Any] = {}
    for field in fields(result):
        value = getattr(result, field.name)
        if isinstance(value, Source):
            changed[field.name] = value.bare
        elif isinstance(value, list | tuple) and value and isinstance(value[0], Source | Problem):
            changed[field.name] = type(value)(one.bare for one in value)
    return replace(result, **changed)


def _check_numbers(subjects: Iterable[Any], most: Mapping[str, int]) -> None:
    """Raise before anything is computed that grows with the square of their number."""
    for subject in subjects:
        for part, limit in most.items():
            many = len(getattr(subject, part, ()))
            if many > limit:
                raise UsageError(
                    f"{many:,} {part}; expected at most {limit:,}, since every two are compared; leave some out"
                )


def warnings_of(given: Any) -> Iterator[Problem]:
    """What the readers of some nouns warned of, those of the nouns inside them first."""
    if isinstance(given, list | tuple):
        for one in given:
            yield from warnings_of(one)
    elif is_dataclass(given):
        for field in fields(given):
            value = getattr(given, field.name)
            if field.name == "warnings":
                yield from value
            elif is_dataclass(value):
                yield from warnings_of(value)


def _figure(draw: Callable[[Any], Iterable[Chart]]) -> Entry:
    """A figure, known by the name of its function with hyphens; `needs` says what the data would have to have."""
    return Entry("figure", draw.__name__.replace("_", "-"), draw, {"needs": getattr(draw, "needs", "")})


def sources_of(registry: Registry, spellings: Iterable[str]) -> tuple[str, ...]:
    """Where some entries of a registry come from; what is not filed there (a column of scores) has no source."""
    names = {spelling.partition("(")[0] for spelling in spellings}
    return tuple(entry.facts["source"] for entry in registry if entry.name in names)


def _named(entry: Entry, chart: Chart) -> Chart:
    """A chart under the name of its figure, with what tells it from others of that name."""
    name = f"{entry.name}-{chart.name}" if chart.name else entry.name
    return replace(chart, name=name, caption=chart.caption or inspect.cleandoc(entry.function.__doc__ or ""))


@dataclass(frozen=True, kw_only=True, repr=False)
class StudyResult(Result):
    """A result that can show itself."""

    METHOD: ClassVar[str] = ""
    """How the study works, in a sentence or two, for readers of a report."""
    SOURCES: ClassVar[tuple[str, ...]] = ()
    """What the study rests on, whatever it is asked; named as in `karat.render.bibliography`."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.signature}>"

    def _of_study(self, fact: str) -> tuple[Any, ...]:
        """What the study was filed with."""
        return next((entry.facts[fact] for entry in studies if entry.name == self.study), ())

    def findings(self) -> list[Finding]:
        """Every sentence that the study's findings have to say."""
        return [one for tell in self._of_study("findings") for one in tell(self)]

    def charts(self) -> list[Chart]:
        """Every chart that the study's figures have to show, named and with its caption."""
        return [_named(entry, chart) for entry in self._of_study("figures") for chart in entry.function(self)]

    def figure(self, name: str) -> Picture:
        """One of the charts, drawn: a notebook shows it, `.save("x.pdf")` keeps it."""
        charts = {chart.name: chart for chart in self.charts()}
        named = [name] if name in charts else [other for other in charts if other.startswith(f"{name}-")]
        if not named:
            raise self._no_figure(name, list(charts))
        if len(named) > 1:
            raise UsageError(f"{name} is several figures: choose one of {', '.join(map(printable, named))}")
        return Picture(charts[named[0]], str(self.signature))

    def _no_figure(self, name: str, there: list[str]) -> UsageError:
        """Why there is no such figure: it is none of the study's, or the data do not give it."""
        names = [printable(other) for other in there]
        for entry in self._of_study("figures"):
            if entry.name == name:
                needs = f"; it needs {entry.facts['needs']}" if entry.facts["needs"] else ""
                return UsageError(f"there is nothing to draw as {name}{needs}. Drawn can be: {', '.join(names) or '–'}")
        return UsageError.unknown("figure of this result", name, names)

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
