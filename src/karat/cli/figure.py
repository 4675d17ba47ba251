"""`karat figure`: one figure of a study alone, from the same files and options."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import click

from karat.cli import COMMANDS, Command, Commands, load_command, tell
from karat.cli.command import StudyCommand, warn
from karat.files import is_folder
from karat.registry import Registered
from karat.render.figures import FILES, WIDTHS
from karat.studies import OVERVIEW
from karat.studies.base import StudyResult, studies

ENDINGS = ", ".join(FILES[:-1]) + f" or {FILES[-1]}"


class FigureFile(click.Path):
    """A file that a figure can be written to, checked before anything is computed."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name, if it has the ending of a figure and its folder exists."""
        path = Path(value)
        if path.suffix.lower() not in FILES:
            self.fail(f"{str(value)!r} does not end in {ENDINGS}, which determines the format.", param, ctx)
        if is_folder(path):
            self.fail(f"{str(value)!r} is a folder: name a file in it.", param, ctx)
        if not is_folder(path.parent):
            self.fail(f"{str(path.parent)!r} is not a folder: create it first, or name another.", param, ctx)
        return super().convert(value, param, ctx)

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """What to write instead."""
        del param, ctx
        return f"Name the file to write: -o FILE, ending in {ENDINGS}."


OUTPUT = click.Option(
    ["--output", "-o"],
    required=True,
    type=FigureFile(dir_okay=False, writable=True),
    metavar="FILE",
    help="the file to write: a vector image for pages (.svg) or papers (.pdf), or a bitmap (.png)",
)


MOST_LACKING = 12
LACKING = (
    "No installed font has these characters, which are drawn as boxes: {}. Install one that has them, such as Noto "
    "Sans CJK, or write an .svg, in which text stays text."
)
WIDTH = click.Option(
    ["--width"],
    type=click.Choice(list(WIDTHS)),
    help=f"as wide as a paper's column ({WIDTHS['column']} in) or its text ({WIDTHS['text']} in)",
)


class Figures(Commands):
    """A command for each figure, with the arguments of the study that draws it."""

    def overview(self) -> dict[str, str]:
        """Every figure and its study."""
        return {name: study for study, one in OVERVIEW.items() for name in one.figures}

    def load(self, name: str) -> click.Command | None:
        """The study's command, drawing instead of printing; `ratings-compelling` belongs to `ratings`."""
        known = [one for one in self.overview() if name == one or name.startswith(f"{one}-")]
        if not known:
            return None
        asked = max(known, key=len)
        command, figures = _drawn_by(self.overview()[asked])
        return _drawing(name, next(one for one in figures if one.name == asked), command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The figures, listed under the command whose arguments they take."""
        del ctx
        for study in dict.fromkeys(self.overview().values()):
            command, figures = _drawn_by(study)
            _, *takes = command.collect_usage_pieces(command.make_context(study, [], resilient_parsing=True))
            with formatter.section(" ".join(["karat", study, *takes])):
                formatter.write_dl([(one.name, one.summary) for one in figures])


def _drawn_by(study: str) -> tuple[StudyCommand, tuple[Registered, ...]]:
    """The command of a study, which loads it, and its figures."""
    command = load_command(study)
    assert isinstance(command, StudyCommand)
    return command, studies[study].facts["figures"]


def _drawing(name: str, entry: Registered, study: StudyCommand) -> click.Command:
    """The command that draws one figure."""
    kept = [option for option in study.params if option.name not in study.out]

    def draw(**given: Any) -> None:
        output, width = given.pop("output"), given.pop("width")
        result = study.ask(given | dict.fromkeys(study.out))
        assert isinstance(result, StudyResult)
        lacking = result.figure(name).save(output, width)
        if not given["quiet"]:
            warn(result.warnings)
        if lacking and not given["quiet"]:
            tell(LACKING.format(lacking[:MOST_LACKING]))

    about = f"{inspect.getdoc(entry.function)}\n\nFiles and options are those of karat {study.name}."
    if entry.facts["needs"]:
        about += f" It needs {entry.facts['needs']}."
    return Command(name, params=[*kept, WIDTH, OUTPUT], callback=draw, help=about)


command = Figures(
    "figure",
    options_metavar="",
    subcommand_metavar="NAME FILES... [OPTIONS] -o FILE",
    help=f"""{COMMANDS["figure"]}

    A figure takes the files and options of the command that it is listed under: karat figure difficulty key.xml runs
    -o difficulty.svg draws the result of karat items key.xml runs. If there are several figures of one kind, each has
    its own name, such as ratings-compelling; if you give only the kind, the error message lists the names.""",
)
