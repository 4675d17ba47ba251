"""Commands of studies: their options, made from parameter structs, their subjects, and how results are shown."""

from __future__ import annotations

import importlib
import os
import sys
import types
import typing
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import msgspec

from karat.cli import Command, cli, shown, tell
from karat.data.ballots import Ballots
from karat.data.pairs import Pairs
from karat.data.provenance import BallotReading, Reading, ScoreReading
from karat.data.responses import Responses
from karat.data.result import Result
from karat.data.scores import Scores
from karat.errors import WARNINGS_SHOWN, KaratError, Problem, UsageError, printable, summary
from karat.files import check_folder, write_out, write_whole
from karat.formats.ballots import read_ballots
from karat.formats.pairs import holds_runs, read_pairs
from karat.formats.runs import read_runs
from karat.formats.scores import read_scores, write_scores
from karat.progress import heard
from karat.render import OUTPUT_FORMATS, render
from karat.render.figures import FILES, Picture
from karat.render.junit import of_error
from karat.render.selection import selected
from karat.studies import OVERVIEW
from karat.studies.base import StudyResult, studies

ENDINGS = {
    ".txt": "text",
    ".json": "json",
    ".csv": "csv",
    ".tex": "latex",
    ".md": "markdown",
    ".html": "html",
    ".htm": "html",
    ".bib": "bibtex",
    ".xml": "junit",
    **dict.fromkeys(FILES, "figure"),
}
"""The format of a file, by its ending; a figure is the first of the result."""
WRITTEN = f"{', '.join(list(ENDINGS)[:-1])} or {list(ENDINGS)[-1]}"
SHOWING = [
    click.Option(
        ["--format"], type=click.Choice(OUTPUT_FORMATS), help="format of the output; by default that of FILE's ending"
    ),
    click.Option(["--table"], metavar="N|TITLE", help="only this table, as text, csv, latex or markdown"),
    click.Option(["--columns"], metavar="NAME,NAME", help="only these columns, of that table or the first with them"),
    click.Option(["--caption"], metavar="TEXT", help="the caption of that table"),
    click.Option(["--tex-label"], metavar="NAME", help="the label of that table in LaTeX, as tab:results"),
    click.Option(["--all"], is_flag=True, help="all rows of tables that show only the main ones"),
    click.Option(["--verbose", "-v"], is_flag=True, help="the whole signature, not only its hash"),
    click.Option(
        ["--output", "-o"],
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help=f"write to this file instead, in the format of its ending: {WRITTEN}; without an ending, as text "
        "(a report, as a page)",
    ),
]
COMMON = [
    *SHOWING,
    click.Option(["--seed"], type=int, default=0, show_default=True, help="seed of every random number"),
    click.Option(["--quiet"], is_flag=True, help="no warnings and no progress: only the result, or an error"),
]


def scores_out(measures: Sequence[str], default: str, rows: str = "one row per run and topic") -> list[click.Option]:
    """Options that also write one of the scores to a file."""
    choice, told = click.Choice(measures), "the score that is written there"
    return [
        click.Option(["--scores-out"], type=click.Path(), help=f"also write the scores, {rows}"),
        click.Option(["--measure"], type=choice, default=default, show_default=True, help=told),
    ]


def file_option(name: str, help: str, many: bool = False, metavar: str | None = None) -> click.Option:
    """An option that names a file to read, or several."""
    return click.Option([flag_of(name)], type=click.Path(), multiple=many, metavar=metavar, help=help)


def flag_of(name: str) -> str:
    """The option for a field or a file."""
    return f"--{name.replace('_', '-')}"


def options_of(*structs: type[msgspec.Struct], without: Sequence[str] = ()) -> list[click.Option]:
    """One option per field; a field that several structs share is one option.

    The fields that a struct names in `PATHS` are files.
    """
    made: dict[str, click.Option] = {}
    for struct in structs:
        hints = typing.get_type_hints(struct, include_extras=True)
        paths = getattr(struct, "PATHS", ())
        for field in msgspec.structs.fields(struct):
            if field.name not in ("seed", *without):
                option = _option(field, hints[field.name])
                option.type = click.Path() if field.name in paths else option.type
                made.setdefault(field.name, option)
    return list(made.values())


def _option(field: msgspec.structs.FieldInfo, hint: Any) -> click.Option:
    kind, meta = typing.get_args(hint)[:2]
    flag = flag_of(field.name)
    example = meta.examples[0] if meta.examples else "NAME=VALUE" if typing.get_origin(kind) is dict else None
    settings: dict[str, Any] = {"help": meta.description, "default": field.default, "show_default": True}
    if typing.get_origin(kind) is tuple and Ellipsis not in typing.get_args(kind):
        parts = typing.get_args(kind)
        return click.Option([flag], type=parts[0], nargs=len(parts), **settings)
    if typing.get_origin(kind) in (dict, tuple):
        each: Any = typing.get_args(kind)[0]
        if typing.get_origin(each) is typing.Literal:
            each = click.Choice(typing.get_args(each))
        elif typing.get_origin(each) is typing.Annotated:
            each = typing.get_args(each)[0]
        return click.Option([flag], type=each, multiple=True, metavar=example, help=meta.description)
    if typing.get_origin(kind) in (typing.Union, types.UnionType):  # X | None
        kind = typing.get_args(kind)[0]
        settings["show_default"] = False
    if example and example.startswith("["):  # a number that may be left out
        return click.Option([flag], type=kind, is_flag=False, flag_value=0, metavar=example, help=meta.description)
    if kind is bool:
        return click.Option([flag], is_flag=True, help=meta.description)
    if typing.get_origin(kind) is typing.Literal:
        kind = click.Choice(typing.get_args(kind))
    return click.Option([flag], type=kind, **settings)


def pick(struct: type[msgspec.Struct], given: dict[str, Any]) -> dict[str, Any]:
    """The values of one struct's fields among all options of a command."""
    hints = typing.get_type_hints(struct)
    return {
        name: _mapping(name, given[name], typing.get_args(hints[name])[1])
        if typing.get_origin(hints[name]) is dict
        else given[name]
        for name in struct.__struct_fields__
        if name in given
    }


def _mapping(name: str, pairs: Sequence[str], kind: type) -> dict[str, Any]:
    """NAME=VALUE options as a dictionary; each name once."""
    found = {}
    for pair in pairs:
        left, separator, right = pair.partition("=")
        said = f"{flag_of(name)} {pair}"
        if not (left and separator and right):
            raise UsageError(f"{said}: write NAME=VALUE")
        if left in found:
            raise UsageError(f"{said}: {left} is given twice; name it once")
        try:
            found[left] = kind(right)
        except ValueError:
            raise UsageError(f"{said}: {right!r} is not a number; write for example {left}=0.5") from None
    return found


class StudyCommand(Command):
    """A command that asks a study and shows its result; exit status 1 where it failed.

    `out` are options for where else the result is written, which `karat figure` ignores. An option with the name of a
    common one replaces it.
    """

    form = "text"
    """The format if neither --format nor the ending of the file says otherwise."""

    def __init__(
        self,
        name: str,
        parameters: Sequence[click.Parameter],
        ask: Callable[[dict[str, Any]], Result],
        out: Sequence[click.Option] = (),
    ) -> None:
        own = {one.name for one in (*parameters, *out)}
        common = [option for option in COMMON if option.name not in own]
        once = {option.name: option for option in (*parameters, *out, *common)}  # readers may share an option
        super().__init__(name, params=[*once.values()], callback=self._show)
        self._ask = ask
        self.out = frozenset(option.name for option in (*out, *SHOWING))

    def ask(self, given: dict[str, Any]) -> Result:
        """The result for these options; on a terminal, long work shows its progress."""
        try:
            with heard(None if given["quiet"] else tell), shown(f"karat {self.name}", given["quiet"]):
                return self._ask(given)
        except KaratError as error:
            if given["quiet"]:
                raise error.alone() from None
            raise

    def _show(self, **given: Any) -> None:
        if given["output"]:
            check_folder(given["output"])
        given["format"] = format_of(given["output"], given["format"], self.form)
        if given["format"] == "figure" and not OVERVIEW[self.name or ""].figures:
            why = f"karat {self.name} has no figure"
            if self.name == "report":
                why = "a report is a page (.html, which browsers print), and karat figure NAME draws one figure"
            raise UsageError(f"cannot write {given['output']}: {why}")
        if given["format"] == "html" and not given["output"] and sys.stdout and sys.stdout.isatty():
            raise UsageError("a page is for a browser: name a file, -o page.html, or ask for --format text")
        try:
            result = self.ask(given)
        except KaratError as error:
            # A build server must not read the file of an earlier call, nor take unreadable data for a worse run.
            if given["format"] == "junit" and given["output"]:
                write(of_error(self.name or "", error.on_command_line), given["output"])
            if given.get("fail_if_worse") is not None:
                error.status = 2
            raise
        show(result, given)
        self.shown(given)
        if getattr(result, "failed", False):
            if given["output"] and not given["quiet"]:
                tell("\n".join(one.text for one in result.checks() if one.outcome == "failed"))
            raise click.exceptions.Exit(1)

    def shown(self, given: dict[str, Any]) -> None:
        """Called after the result is shown."""


def command_of(
    name: str,
    nouns: Callable[[dict[str, Any]], dict[str, Any]],
    parameters: Sequence[click.Parameter],
    *how: type[msgspec.Struct],
    files: Sequence[click.Option] = (),
    without: Sequence[str] = (),
    out: Sequence[click.Option] = (),
    scores: Callable[[Any, dict[str, Any]], Scores] | None = None,
) -> StudyCommand:
    """The command of a study, given how its `nouns` are read; `scores` of the result are what --scores-out writes.

    The options of `how` to read follow those of the study, and `files` come last.
    """
    importlib.import_module(f"karat.studies.{OVERVIEW[name].module}")
    entry = studies[name]
    kind = entry.facts["parameters"]
    own = [one.name for one in (*parameters, *files) if one.name]

    def ask(given: dict[str, Any]) -> Result:
        result: Result = entry.function(**{**pick(kind, given), **nouns(given)})
        if scores and given["scores_out"]:
            write_scores(scores(result, given), given["scores_out"])
        return result

    options = options_of(kind, *how, without=[*own, *without])
    return StudyCommand(name, [*parameters, *options, *files], ask, out)


def ask(*words: str) -> StudyResult:
    """What `karat WORDS` would print, as the result itself."""
    with cli.make_context("karat", list(words)) as context:
        name, command, rest = cli.resolve_command(context, list(words))
        assert isinstance(command, StudyCommand), f"{name} is the command of no study"
        with command.make_context(name, rest, parent=context) as asked:
            result = command.ask(asked.params)
    assert isinstance(result, StudyResult)
    return result


def format_of(output: str | None, asked: str | None, otherwise: str = "text") -> str:
    """The format that was asked for, or that of the file's ending; the two must not contradict each other."""
    ending = Path(output or "").suffix.lower()
    named = ENDINGS.get(ending)
    if asked and named not in (None, asked):
        kind = "a figure" if named == "figure" else named
        raise UsageError(f"--format {asked} contradicts {output}: {ending} is {kind}; leave out one of the two")
    if not asked and not named and ending:
        raise UsageError(f"cannot tell what to write to {output}: name it {WRITTEN}, or use --format")
    return asked or named or otherwise


def today() -> str:
    """The date of a page, as in "1 May"; reproducible builds set SOURCE_DATE_EPOCH."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        now = datetime.fromtimestamp(int(given), UTC) if given else datetime.now().astimezone()
    except (ValueError, OverflowError, OSError):
        raise UsageError(f"SOURCE_DATE_EPOCH is {given!r}: expected seconds since 1970, or nothing") from None
    return f"{now.day} {now:%b %Y}"


def show(result: Result, given: dict[str, Any]) -> None:
    """Print or write the result; warnings go to standard error."""
    if not given["quiet"]:
        warn(result.warnings)
    if given["format"] == "figure":
        _draw_first(result, given)
        return
    result = result.in_full() if given["all"] else result
    table, columns, caption = one = given["table"], given["columns"] or "", given["caption"] or ""
    label, verbose = given["tex_label"] or "", given["verbose"]
    if given["format"] == "text" and not given["output"] and sys.stdout and sys.stdout.isatty():
        from karat.render.characters import Terminal  # here: JSON needs none of it
        from karat.render.text import show as show_text
        from karat.render.text import show_table

        if any(one):
            part, _, sheet = selected(result, *one)
            show_table(part, sheet, Terminal(), verbose)
        else:
            show_text(result, Terminal(), verbose)
        return
    chosen: Any = {"columns": columns, "caption": caption, "label": label}
    date = today() if given["format"] == "html" else ""
    with shown("writing", given["quiet"]):
        text = render(result, given["format"], table, date, **chosen, verbose=verbose)
    write(text, given["output"])
    if given["format"] == "csv" and not given["quiet"]:
        tell(result.signature.told(verbose))  # a table of values has no room for it


def _draw_first(result: Result, given: dict[str, Any]) -> None:
    """Write the first figure of a result, and say which others there are."""
    if not (charts := result.charts()):
        raise UsageError(f"cannot write {given['output']}: there is nothing to draw for these files")
    first, *rest = charts
    Picture(first, str(result.signature)).save(given["output"])
    if rest and not given["quiet"]:
        others = ", ".join(printable(one.name) for one in rest)
        tell(f"{given['output']} is the figure {first.name}; karat figure NAME draws the others: {others}")


def write(text: str, output: str | None) -> None:
    """Write to a file or to standard output; bytes of file names that are not UTF-8 are escaped."""
    if output:
        write_whole(output, text.encode(errors="backslashreplace"))
    else:
        write_out(text.encode(errors="backslashreplace"))


def warn(warnings: Sequence[Problem]) -> None:
    """Print warnings to standard error."""
    if warnings:
        tell(summary(warnings, shown=WARNINGS_SHOWN))


PATH = click.Path()
KEY = click.Argument(["key"], type=PATH, metavar="KEY")
RUNS = click.Argument(["runs"], type=PATH, nargs=-1, required=True, metavar="RUN...")
RUNS_OF_KEY = click.Argument(["runs"], type=PATH, nargs=-1, metavar="RUN...")
"""Runs, or none if the file of the key has their answers too."""
RUNS_OR_SCORES = [
    click.Argument(["key"], type=PATH, required=False, metavar="[KEY"),
    click.Argument(["runs"], type=PATH, nargs=-1, required=False, metavar="RUN...]"),
    file_option(
        "scores",
        "scores instead of KEY and RUN: a matrix (one row per run, one column per unit; a row `cluster` names their "
        "clusters), a table of run, unit and score, what trec_eval or ir_measures prints, or a log; a file or a folder",
        many=True,
        metavar="FILE",
    ),
    *options_of(ScoreReading),
]
BALLOTS = click.Argument(["ballots"], type=PATH, metavar="BALLOTS")
BALLOT_FILES = click.Argument(["ballots"], type=PATH, nargs=-1, required=True, metavar="BALLOTS...")
ALSO = file_option("also", "a further file of ballots on the same units, by other assessors", many=True, metavar="FILE")


def runs_of(given: dict[str, Any]) -> Responses:
    """The runs, which hold their key; if none are named, they are in the file of the key."""
    reading, key = pick(Reading, given), given["key"]
    if not given["runs"] and not given["run_columns"] and (key == "-" or not holds_runs(key)):
        raise UsageError("Missing argument 'RUN...': name the runs; they are not in the file of KEY")
    return read_runs(given["runs"] or key, read_pairs(key, **reading), **reading)


def runs_or_scores_of(given: dict[str, Any]) -> Responses | Scores:
    """The runs, or a score matrix, whichever was named."""
    if given["scores"]:
        if given["key"]:
            raise UsageError(
                "--scores replaces KEY and RUN: give one or the other; for several files: --scores FILE --scores FILE"
            )
        return read_scores(given["scores"], **pick(ScoreReading, given))
    for name in ("transpose", "score"):
        if given[name]:
            raise UsageError(f"--{name} applies to scores: give it with --scores FILE")
    if not given["key"]:
        raise UsageError("give KEY and RUN..., or --scores FILE")
    return runs_of(given)


def ballots_of(given: dict[str, Any], key: Pairs | None = None) -> Ballots:
    """The ballots of all files that were named."""
    return read_ballots([given["ballots"], *given["also"]], key, **pick(BallotReading, given))
