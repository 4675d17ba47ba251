"""Options: made from the parameter structs, so that command line, Python and signature cannot differ."""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from karat.data.result import Result
from karat.errors import Problem, UsageError, summary
from karat.report import FORMATS, render


def options_of(*structs: type[msgspec.Struct]) -> list[click.Option]:
    """One option a field; a field that two structs share is one option."""
    made: dict[str, click.Option] = {}
    for struct in structs:
        hints = typing.get_type_hints(struct, include_extras=True)
        for field in msgspec.structs.fields(struct):
            made.setdefault(field.name, _option(field, hints[field.name]))
    return list(made.values())


def _option(field: msgspec.structs.FieldInfo, hint: Any) -> click.Option:
    kind, meta = typing.get_args(hint)[:2] if typing.get_origin(hint) is typing.Annotated else (hint, None)
    flag = f"--{field.name.replace('_', '-')}"
    settings: dict[str, Any] = {"help": meta.description if meta else None, "show_default": True}
    default = field.default if field.default is not msgspec.NODEFAULT else None
    examples = meta.examples if meta and meta.examples else None
    if typing.get_origin(kind) is dict:
        return click.Option(
            [flag], multiple=True, metavar=examples[0] if examples else "NAME=VALUE", help=settings["help"]
        )
    if typing.get_origin(kind) is tuple:
        return click.Option(
            [flag], multiple=True, metavar=examples[0] if examples else "TEXT", help=settings["help"]
        )
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        kind = next(part for part in typing.get_args(kind) if part is not type(None))
        settings["show_default"] = False
    if kind is bool:
        return click.Option([flag], is_flag=True, default=default, help=settings["help"])
    if typing.get_origin(kind) is typing.Literal:
        kind = click.Choice(typing.get_args(kind))
    return click.Option([flag], type=kind, default=default, **settings)


def pick(struct: type[msgspec.Struct], given: dict[str, Any]) -> dict[str, Any]:
    """The keywords of one struct out of all the options of a command."""
    hints = typing.get_type_hints(struct)
    return {
        name: _mapping(name, given[name]) if typing.get_origin(hints[name]) is dict else given[name]
        for name in struct.__struct_fields__
        if name in given
    }


def _mapping(name: str, pairs: Sequence[str]) -> dict[str, str]:
    """NAME=VALUE options as a dictionary."""
    found = {}
    for pair in pairs:
        left, separator, right = pair.partition("=")
        if not (left and separator and right):
            raise UsageError(f"--{name.replace('_', '-')} {pair}: write NAME=VALUE")
        found[left] = right
    return found


OUTPUT = [
    click.Option(
        ["--format"], type=click.Choice(FORMATS), default="text", show_default=True, help="form of the output"
    ),
    click.Option(["--output", "-o"], type=click.Path(dir_okay=False), help="write to this file instead"),
    click.Option(["--quiet"], is_flag=True, help="no warnings"),
]

KEY = click.Argument(["key"], type=click.Path(), metavar="KEY")
RUNS = click.Argument(["runs"], type=click.Path(), nargs=-1, required=True, metavar="RUN...")


def make_command(
    name: str,
    parameters: Sequence[click.Parameter],
    call: Callable[[dict[str, Any]], Result],
    **settings: Any,
) -> click.Command:
    """A command that calls `call` with its options and shows the result."""

    def run(**given: Any) -> None:
        show(call(given), given)

    return click.Command(name, params=[*parameters, *OUTPUT], callback=run, **settings)


def show(result: Result, given: dict[str, Any]) -> None:
    """Print the result in the form asked for, or write it; warnings go to standard error."""
    if not given["quiet"]:
        warn(result.warnings)
    if given["format"] == "text" and not given["output"] and sys.stdout.isatty():
        from rich.console import Console

        from karat.report.text import show as show_text

        show_text(result, Console())
        return
    write(render(result, given["format"]), given["output"])


def write(text: str, output: str | None) -> None:
    """To a file or to standard output."""
    if output:
        try:
            Path(output).write_text(text, encoding="utf-8")
        except OSError as error:
            raise UsageError(f"cannot write {output}: {error.strerror}") from None
    else:
        # Bytes, so that ⊢ and – reach a pipe whatever the locale says.
        sys.stdout.buffer.write(text.encode())
        sys.stdout.flush()


def warn(warnings: Sequence[Problem]) -> None:
    """Warnings, apart from the output."""
    if warnings:
        click.echo(summary(warnings, shown=5), err=True)
