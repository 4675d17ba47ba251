"""What all studies share: the decorator that signs and explains their results, and a result that renders itself."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import PurePath
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, TypeVar, get_type_hints

import msgspec

from karat import __version__
from karat.data.ballots import Ballots
from karat.data.charts import Chart, Figures
from karat.data.fields import Shown, explain
from karat.data.parameters import check_arguments, explained, flat, parameters, without_struct
from karat.data.parts import BallotParts, ScoreParts
from karat.data.provenance import IN_MEMORY, Source
from karat.data.responses import Responses
from karat.data.result import Finding, Findings, Result, Signature
from karat.data.scores import Scores
from karat.errors import WARNINGS_SHOWN, Problem, UsageError, in_python, printable, summary
from karat.measures import measures
from karat.registry import Registered, Registry
from karat.render import render
from karat.render.figures import Picture
from karat.statistics.multiple_testing import CONTROLS
from karat.studies import OVERVIEW
from karat.studies.in_memory import TAKEN, aligned, subject_of, with_labels
from karat.studies.wording import unit_of

R = TypeVar("R", bound="StudyResult")
P = TypeVar("P", bound=msgspec.Struct)
D = TypeVar("D", bound=Callable[..., object])

studies = Registry("study", "parameters", "findings", "figures")

MOST_RUNS = 1000
"""The most runs that a study of all pairs of runs accepts."""


def study(
    name: str,
    kind: type[P],
    most: Mapping[str, int] = MappingProxyType({}),
    findings: Findings = (),
    figures: Figures = (),
    nouns: type | None = None,
    expects: Collection[str] = (),
) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Register a study under the name of its command.

    The function takes its subject, then one struct of parameters, and further data as keyword-only arguments. Callers
    see a flat signature in which the fields of the struct are keywords. The result is signed here (version, study,
    files and how they were read, parameters), every null in it gets its reason, and the warnings of the readers come
    before those of the study. `most` limits the number of runs or assessors where all pairs of them are compared.
    `findings` and `figures` are listed in the order of a report; `karat.studies.OVERVIEW` names the figures too. A
    study of many arguments may take a single dataclass, `nouns`, whose fields, the struct included, are what callers
    see. Readers' warnings whose codes a study `expects` are left out: its result says more about them.
    """
    drawn = tuple(map(_figure, figures))
    if tuple(one.name for one in drawn) != OVERVIEW[name].figures:
        raise TypeError(f"the figures of {name} are not those that karat.studies.OVERVIEW names")

    def register(function: Callable[..., R]) -> Callable[..., R]:
        if nouns is not None:
            function = _unbundled(function, nouns)
        public, struct = without_struct(function, kind)
        subject = subject_of(function)

        @functools.wraps(function)
        def call(*subjects: Any, **options: Any) -> R:
            if subject and not (all(map(is_dataclass, subjects)) and options.keys().isdisjoint(TAKEN)):
                subjects = aligned(name, subjects, options)
            named = {noun: options.pop(noun) for noun in public.parameters if noun in options}
            given = check_arguments(function, public, subjects, named)
            asked = parameters(kind, options, [*seen.parameters][1:])
            _check_numbers(given.values(), most)
            subjects = tuple(given.values())
            try:
                result = function(**given, **{struct: asked})
            except UsageError as error:
                error.warnings = tuple(dict.fromkeys([*warnings_of(subjects), *error.warnings]))
                raise
            told = [one for one in [*warnings_of(subjects), *result.warnings] if one.code not in expects]
            found = dict.fromkeys(told)
            again = {one.bare for one in found if one.bare is not one}  # repeated by results within this result
            warnings = tuple(one.bare for one in found if one not in again)
            signature = _sign(name, subjects, asked, result)
            return explain(replace(_bared(result), study=name, signature=signature, warnings=warnings))

        seen = with_labels(public, subject, get_type_hints(function)[subject]) if subject else public
        call.__signature__ = flat(seen, kind)  # type: ignore[attr-defined]
        call.__doc__ = explained(function, kind)
        return studies.register(name, parameters=kind, findings=findings, figures=drawn)(call)

    return register


def _unbundled(function: Callable[..., R], bundle: type) -> Callable[..., R]:
    """A function of a dataclass as a function of the fields of the dataclass."""

    def call(**given: Any) -> R:
        return function(bundle(**given))

    hints = get_type_hints(bundle) | {"return": get_type_hints(function)["return"]}
    taken = [one.replace(annotation=hints[one.name]) for one in inspect.signature(bundle).parameters.values()]
    for attribute in ("__module__", "__name__", "__qualname__", "__doc__"):
        setattr(call, attribute, getattr(function, attribute))
    call.__annotations__ = hints
    call.__signature__ = inspect.Signature(taken, return_annotation=hints["return"])  # type: ignore[attr-defined]
    return call


def _bared(result: R) -> R:
    """The result with the names of files but not their folders."""
    changed: dict[str, Any] = {}
    for field in fields(result):
        value = getattr(result, field.name)
        if isinstance(value, Source):
            changed[field.name] = value.bare
        elif isinstance(value, list | tuple) and value and isinstance(value[0], Source | Problem):
            changed[field.name] = type(value)(one.bare for one in value)
    return replace(result, **changed)


def _check_numbers(subjects: Iterable[Any], most: Mapping[str, int]) -> None:
    """Refuse too many runs or assessors before anything is computed for all pairs of them."""
    for subject in subjects:
        for part, limit in most.items():
            many = len(getattr(subject, part, ()))
            if many > limit:
                raise UsageError(
                    f"{many:,} {part}; expected at most {limit:,}, since all pairs are compared; leave some out"
                )


def warnings_of(given: Any) -> Iterator[Problem]:
    """The readers' warnings about some data, with those about nested data first."""
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


def _sign(name: str, subjects: Sequence[Any], asked: msgspec.Struct, result: Result) -> Signature:
    """Everything the numbers depend on; what the result resolved (its way, its measures) overrides what was asked."""
    given = msgspec.to_builtins(asked)
    subjects = [noun for subject in subjects for noun in _with_key(subject)]
    given |= {path: PurePath(given[path]).name for path in getattr(asked, "PATHS", ()) if given.get(path)}
    # The result's own value counts even if it is None: a score matrix has no way.
    stated = {part: getattr(result, part, given.get(part)) for part in ("way", "ties")}
    stated["missing"] = getattr(result, "missing", given.get("missing") or _missing(subjects))
    for subject in subjects:
        reading = subject if isinstance(subject, msgspec.Struct) else getattr(subject, "reading", None)
        for option, value in ({} if reading is None else _changed(reading)).items():
            before = given.get(option)
            if isinstance(before, dict) and isinstance(value, dict):  # spellings of labels, in a key and in ballots
                given[option] = before | value
            elif before is None:  # otherwise the parameter overrides the reader's option, as with the level of ballots
                given[option] = value
    files = [source for subject in subjects for source in _sources(subject)]
    measure = getattr(result, "measure", None)
    given.pop("measure", None)
    given |= getattr(result, "resolved", {})
    return Signature(
        version=__version__,
        study=name,
        files=tuple(dict.fromkeys(source.bare for source in (*files, *getattr(result, "sources", ())))),
        measures=tuple(getattr(result, "measures", () if measure is None else (measure,))),
        seed=given.pop("seed", None),
        parameters={key: value for key, value in given.items() if key not in ("way", "ties", "missing")},
        **stated,
    )


def _with_key(subject: Any) -> tuple[Any, ...]:
    """Runs are signed after the key that they were read with."""
    return (subject.key, subject) if isinstance(subject, Responses) else (subject,)


def _missing(subjects: Sequence[Any]) -> str | None:
    """How missing data are treated unless the result says otherwise; None if nothing could be missing."""
    treatments = dict.fromkeys((Responses, Scores, ScoreParts), "refused")
    treatments |= dict.fromkeys((Ballots, BallotParts), "ballots left out")
    if any(isinstance(subject, Responses) and subject.reading.missing == "wrong" for subject in subjects):
        treatments[Responses] = "counted as wrong"
    found = [treatments[kind] for kind in treatments if any(isinstance(subject, kind) for subject in subjects)]
    return ", ".join(dict.fromkeys(found)) or None


def _changed(struct: msgspec.Struct) -> dict[str, Any]:
    """The reader's options that differ from their defaults, without paths, as files are signed by their contents."""
    defaults = msgspec.to_builtins(type(struct)())
    paths = (*getattr(struct, "PATHS", ()), *getattr(struct, "UNSIGNED", ()))
    values = msgspec.to_builtins(struct).items()
    return {name: value for name, value in values if value != defaults[name] and name not in paths}


def _sources(subject: Any) -> Iterable[Source]:
    """The files that a subject was read from, or else a hash of its contents."""
    one = getattr(subject, "source", None)
    named = [source for source in getattr(subject, "sources", (one,)) if source not in (None, IN_MEMORY)]
    return named or ([Source.of_noun(subject)] if is_dataclass(subject) else [])


def needs(what: str) -> Callable[[D], D]:
    """Declare what data or options a figure requires, for the message that there is nothing to draw."""

    def mark(draw: D) -> D:
        vars(draw)["needs"] = what
        return draw

    return mark


def _figure(draw: Callable[[Any], Iterable[Chart]]) -> Registered:
    """A figure, named after its function with hyphens; `needs` says what the data must have for it."""
    return Registered("figure", draw.__name__.replace("_", "-"), draw, {"needs": getattr(draw, "needs", "")})


def sources_of(registry: Registry, spellings: Iterable[str]) -> tuple[str, ...]:
    """The sources of some entries of a registry; names that are not registered (a column of scores) have none."""
    found = {id(entry) for spelling in spellings if (entry := registry.named(spelling))}
    return tuple(entry.facts["source"] for entry in registry if id(entry) in found)


def _named(entry: Registered, chart: Chart, runs: tuple[str, ...]) -> Chart:
    """The chart under the name of its figure, followed by its own name if it has one, with the runs it may show."""
    name = f"{entry.name}-{chart.name}" if chart.name else entry.name
    return replace(chart, name=name, caption=chart.caption or _caption(entry), runs=runs)


def _caption(entry: Registered) -> str:
    """The docstring of the figure's function, without its line breaks."""
    paragraphs = inspect.cleandoc(entry.function.__doc__ or "").split("\n\n")
    return "\n\n".join(" ".join(one.split()) for one in paragraphs)


@dataclass(frozen=True)
class LeftOut:
    """A run, a key or a section that a study left out, and why."""

    name: str
    reason: Annotated[str, Shown("why")]


@dataclass(frozen=True, kw_only=True, repr=False)
class StudyResult(Result):
    """A result with findings and figures, which renders itself."""

    METHOD: ClassVar[str] = ""
    """How the study works, in a sentence or two, for readers of a report."""
    SOURCES: ClassVar[tuple[str, ...]] = ()
    """What the study cites whatever its parameters, named as in `karat.render.bibliography`."""

    @property
    def heading(self) -> str:
        """The question that the study answers, or else the command."""
        return (OVERVIEW[self.study].question if self.study in OVERVIEW else "") or super().heading

    @property
    def interval_level(self) -> float:
        """The confidence level of the intervals."""
        return float(self.signature.parameters.get("interval", 0.95))

    @property
    def percent(self) -> str:
        """The same for headings."""
        return f"{100 * self.interval_level:g}%"

    @property
    def right_or_wrong(self) -> bool:
        """Whether every unit is right or wrong: labels are; what scores are given in is not known unless told."""
        return bool(self.signature.way)

    @property
    def in_percent(self) -> str:
        """The unit of a measure of what is right or wrong."""
        units = {unit_of(name) for name in self.signature.measures} if self.right_or_wrong else set()
        return units.pop() if len(units) == 1 else ""

    @property
    def in_points(self) -> str:
        """The unit of differences in the measure."""
        return "points" if self.in_percent else ""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.signature.short}>"

    def __str__(self) -> str:
        """The text that the command prints, with the warnings first, as there; options are named as in a call."""
        told = summary(self.warnings, shown=WARNINGS_SHOWN, python=True)
        return f"{told}\n" * bool(told) + in_python(self.render())

    def _of_study(self, fact: str) -> tuple[Any, ...]:
        """The findings or the figures that the study was registered with."""
        return next((entry.facts[fact] for entry in studies if entry.name == self.study), ())

    @functools.cached_property
    def _found(self) -> tuple[Finding, ...]:
        return tuple(one for finding in self._of_study("findings") for one in finding(self))

    def findings(self) -> list[Finding]:
        """Every sentence that the study's findings yield, which are computed only once."""
        return list(self._found)

    def charts(self) -> list[Chart]:
        """Every chart that the study's figures yield, with name and caption."""
        figures = self._of_study("figures")
        runs = self.runs_by_rank() if figures else ()
        return [_named(entry, chart, runs) for entry in figures for chart in entry.function(self)]

    def runs_by_rank(self) -> tuple[str, ...]:
        """The runs as on the leaderboard, or in the order in which tables name them."""
        board = self.board()
        ranked = [entry.run for entry in board.entries] if board else []
        named = [run for sheet in self.sheets() for run in sheet.runs]
        return tuple(dict.fromkeys([*ranked, *named]))

    def figure(self, name: str) -> Picture:
        """One of the charts, drawn: a notebook shows it, and `.save("x.pdf")` writes it to a file."""
        charts = {chart.name: chart for chart in self.charts()}
        named = [name] if name in charts else [other for other in charts if other.startswith(f"{name}-")]
        if not named:
            raise self._no_figure(name, list(charts))
        if len(named) > 1:
            raise UsageError(f"there are several figures {name}: choose one of {', '.join(map(printable, named))}")
        return Picture(charts[named[0]], str(self.signature))

    def _no_figure(self, name: str, there: list[str]) -> UsageError:
        """Why there is no such figure: the study has none of that name, or the data do not allow it."""
        names = [printable(other) for other in there]
        for entry in self._of_study("figures"):
            if entry.name == name:
                needs = f"; it needs {entry.facts['needs']}" if entry.facts["needs"] else ""
                return UsageError(f"there is nothing to draw for {name}{needs}. Available: {', '.join(names) or '–'}")
        return UsageError.unknown("figure of this result", name, names)

    def citations(self) -> list[str]:
        """The sources of the measures, of the correction for multiple tests, and of the study itself."""
        control = CONTROLS.get(self.signature.parameters.get("correction", ""), "")
        return [*sources_of(measures, self.signature.measures), control, *self.SOURCES]

    def render(
        self,
        format: str = "text",
        table: str | None = None,
        date: str = "",
        *,
        columns: str = "",
        caption: str = "",
        label: str = "",
        all_rows: bool = False,
        verbose: bool = False,
    ) -> str:
        """The result as text, json, csv, latex, markdown, html, bibtex or junit; one table also alone.

        The columns of that table are given by their headings, separated by commas; caption and label are for LaTeX.
        """
        one_table = {"columns": columns, "caption": caption, "label": label}
        return render(self, format, table, date, **one_table, all_rows=all_rows, verbose=verbose)

    def to_polars(self) -> Any:
        """The records as a polars data frame."""
        try:
            import polars  # imported late because it is slow to load, and optional
        except ImportError:
            raise UsageError("a data frame needs polars: pip install 'karat[tables]'") from None
        columns = self.records().columns
        return polars.DataFrame({column.name: list(column.values) for column in columns}, strict=False)

    def to_pandas(self) -> Any:
        """The records as a pandas data frame."""
        try:
            import pandas  # imported late because it is slow to load, and optional
        except ImportError:
            raise UsageError("this data frame needs pandas: pip install 'karat[pandas]'") from None
        return pandas.DataFrame({column.name: list(column.values) for column in self.records().columns})

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return render(self, "notebook")
