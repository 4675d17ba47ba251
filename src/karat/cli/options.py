"""Options as every command takes them; nothing heavy is loaded here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import click
import msgspec

from karat.files import write_out

FORMAT = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="what is printed"
)


class Command(click.Command):
    """A command that refuses a repeated option unless it takes several values."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as usual, and refuse repeated options and empty file names."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for parameter, times in Counter(order).items():
            if isinstance(parameter, click.Option) and times > 1 and not parameter.multiple and not parameter.is_flag:
                raise click.UsageError(f"{parameter.opts[0]} is given {times} times, but takes one value.", ctx)
        rest = super().parse_args(ctx, args)
        for one in self.params:
            given = ctx.params.get(one.name or "")
            typed = ctx.get_parameter_source(one.name or "") is click.core.ParameterSource.COMMANDLINE
            if typed and isinstance(one.type, click.Path) and "" in (given if isinstance(given, tuple) else (given,)):
                raise click.UsageError(f"{one.get_error_hint(ctx)} names no file: the name is empty.", ctx)
        return rest


def print_answer(answer: Mapping[str, object], form: str, lines: list[str]) -> None:
    """Print what a program reads, or the lines that people read."""
    text = msgspec.json.format(msgspec.json.encode(answer), indent=2).decode() if form == "json" else "\n".join(lines)
    write_out(f"{text}\n".encode(errors="backslashreplace"))
