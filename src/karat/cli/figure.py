"""`karat figure`: one figure of a study alone, from the same files and options."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from karat.cli import COMMANDS, Commands, load_command
from karat.cli.options import StudyCommand, warn
from karat.registry import Entry
from karat.render.figures import FILES
from karat.studies.base import StudyResult, figures

NOT_OF_FIGURES = ("format", "table", "output", "scores_out")
"""What says where else a result goes."""
ENDINGS = ", ".join(FILES[:-1]) + f" or {FILES[-1]}"
WITHOUT = ("figure", "demo")
"""Commands that are no study's."""


class FigureFile(click.Path):
    """A file that a figure can be written to; it is looked at before anything is worked out."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name as it is, if it ends as a figure's does and its folder is there."""
        path = Path(value)
        if path.suffix.lower() not in FILES:
            self.fail(f"{str(value)!r} does not end in {ENDINGS}, which says what is written.", param, ctx)
        if path.is_dir():
            self.fail(f"{str(value)!r} is a folder: name a file in it.", param, ctx)
        if not path.parent.is_dir():
            self.fail(f"{str(path.parent)!r} is no folder: make it first, or name another.", param, ctx)
        return super().convert(value, param, ctx)

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """What to write instead."""
        del param, ctx
        return f"Say where it goes: -o FILE, which ends in {ENDINGS}."


OUTPUT = click.Option(
    ["--output", "-o"],
    required=True,
    type=FigureFile(dir_okay=False, writable=True),
    metavar="FILE",
    help="where it goes: a vector image for pages (.svg) or papers (.pdf), or a picture (.png)",
)


class Figures(Commands):
    """A command for each figure, with the arguments of the study that draws it."""

    def overview(self) -> dict[str, str]:
        """Every figure and what it shows."""
        return {entry.name: entry.summary for entries in self.by_study().values() for entry in entries}

    def by_study(self) -> dict[str, list[Entry]]:
        """The figures of each study that has any, in the order of the commands."""
        filed = {study.name or "": _figures_of(study) for study in _studies()}
        return {name: entries for name, entries in filed.items() if entries}

    def load(self, name: str) -> click.Command | None:
        """The study's command, drawing instead of printing; `ratings-compelling` is one of the figures `ratings`."""
        for study in _studies():  # no further than needed: engines take long to load
            known = [one for one in _figures_of(study) if name == one.name or name.startswith(f"{one.name}-")]
            if known:
                return _drawing(name, max(known, key=lambda entry: len(entry.name)), study)
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The figures below the command whose arguments they take."""
        del ctx
        for study, entries in self.by_study().items():
            command = load_command(study)
            _, *takes = command.collect_usage_pieces(click.Context(command))
            with formatter.section(" ".join(["karat", study, *takes])):
                formatter.write_dl([(entry.name, entry.summary) for entry in entries])


def _studies() -> Iterator[StudyCommand]:
    """The commands of studies one after another, each loaded, which files its figures."""
    for name in COMMANDS:
        if name not in WITHOUT:
            study = load_command(name)
            if isinstance(study, StudyCommand):
                yield study


def _figures_of(study: StudyCommand) -> list[Entry]:
    return [entry for entry in figures if entry.facts["study"] == study.name]


def _drawing(name: str, entry: Entry, study: StudyCommand) -> click.Command:
    """The command that draws one figure."""
    kept = [option for option in study.params if option.name not in NOT_OF_FIGURES]
    nowhere_else = {option.name: None for option in study.params if option.name and option not in kept}

    def draw(**given: Any) -> None:
        output = given.pop("output")
        result = study.ask(given | nowhere_else)
        assert isinstance(result, StudyResult)
        if not given["quiet"]:
            warn(result.warnings)
        result.figure(name).save(output)

    about = f"{inspect.getdoc(entry.function)}\n\nFiles and options are those of karat {study.name}."
    if entry.facts["needs"]:
        about += f" It needs {entry.facts['needs']}."
    return click.Command(name, params=[*kept, OUTPUT], callback=draw, help=about)


command = Figures(
    "figure",
    options_metavar="",
    subcommand_metavar="NAME FILES... [OPTIONS] -o FILE",
    help=f"""{COMMANDS["figure"]}

    A figure takes the files and options of the command that it is listed under: what karat items key.xml runs tells,
    karat figure difficulty key.xml runs -o difficulty.svg draws. Where there are several of one kind each has a name,
    as ratings-compelling among the ratings; who asks for the kind is told the names.""",
)
