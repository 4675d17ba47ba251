"""The command line: parse, call one study, render. Nothing heavy is loaded before a command is known."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import shutil
import signal
import sys
import textwrap
import threading
from collections import Counter
from collections.abc import Iterator, Mapping

import click

from karat import __version__
from karat.errors import WARNINGS_SHOWN, DataError, KaratError, UsageError, spelled_out, summary
from karat.files import guarded, write_out
from karat.studies import OVERVIEW

OF_THE_SERVER = {
    "serve": "Serve campaigns: teams submit, assessors judge, organisers release.",
    "campaign": "Make a campaign, invite, extend, show tables, release, verify the record.",
    "submit": "Submit a run to a campaign server.",
    "assess": "Judge units of a campaign with a program, or a model behind an endpoint.",
}
COMMANDS = {name: one.help for name, one in OVERVIEW.items()} | {
    "figure": "A single figure of any of these, as .svg, .pdf or .png.",
    "demo": "Everything at once, on the examples that come with karat.",
    **OF_THE_SERVER,
}
"""Every command and its line of help."""
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
"""The signals that stop a program: Ctrl-C, a scheduler, a closed terminal."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""The names of this machine, which nobody else can reach."""
SETTINGS = {"help_option_names": ["-h", "--help"]}


FORMAT = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="what is printed"
)


class Command(click.Command):
    """A command that refuses a repeated option unless it takes several values."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as usual, and refuse repeated options and empty file names."""
        for option in self.params:
            # A number that may be left out: what follows is a file otherwise.
            if isinstance(option, click.Option) and option.flag_value == 0 and not option.is_flag:
                args = _with_number(option.opts[0], args)
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


def _with_number(option: str, args: list[str]) -> list[str]:
    """The words of a call in which the option is followed by a number, 0 unless one was given."""
    if option not in args:
        return args
    place = args.index(option) + 1
    try:
        float(args[place])
    except (IndexError, ValueError):
        return [*args[:place], "0", *args[place:]]
    return args


def print_answer(answer: Mapping[str, object], form: str, lines: list[str]) -> None:
    """Print what a program reads, or the lines that people read."""
    import msgspec  # here: `karat --help` needs none

    text = msgspec.json.format(msgspec.json.encode(answer), indent=2).decode() if form == "json" else "\n".join(lines)
    write_out(f"{text}\n".encode(errors="backslashreplace"))


def tell(text: str) -> None:
    """Print to standard error, with control characters escaped; on a terminal, lines break between words."""
    lines = [spelled_out(line) for line in text.split("\n")]
    if sys.stderr is not None and sys.stderr.isatty():
        wrapper = textwrap.TextWrapper(
            shutil.get_terminal_size().columns, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
        )
        lines = [part for line in lines for part in wrapper.wrap(line) or [""]]
    click.echo("\n".join(lines), err=True)


@contextlib.contextmanager
def shown(work: str, quiet: bool = False) -> Iterator[None]:
    """Show the progress of some work, if standard error is a terminal that can erase it at the end."""
    erases = os.environ.get("TERM", "").lower() not in ("dumb", "unknown")
    if quiet or not (sys.stderr and sys.stderr.isatty() and erases):
        yield
        return
    from karat.progress.display import displayed  # here: rich takes long to load

    with displayed(work):
        yield


def load_command(name: str) -> click.Command:
    """A command, from the module of its name, or if there is none from the declaration of its study."""
    command: click.Command
    if importlib.util.find_spec(f"karat.cli.{name}"):
        command = importlib.import_module(f"karat.cli.{name}").command
    else:
        importlib.import_module(f"karat.studies.{OVERVIEW[name].module}")
        command = importlib.import_module("karat.cli.of_study").command_of_study(name)
    command.help = command.help or COMMANDS[name]
    # Its own, too: click keeps the help option of the first context, and one without a parent knows nothing of `cli`.
    command.context_settings.update(SETTINGS)
    return command


class Commands(click.Group):
    """A group that imports only the command that is called."""

    kind: str | None = None
    """What its commands are called where one is unknown."""

    def overview(self) -> dict[str, str]:
        """Every command with its line of help, in order."""
        return COMMANDS

    def load(self, name: str) -> click.Command | None:
        """The command itself."""
        return load_command(name) if name in COMMANDS else None

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of the overview."""
        del ctx
        return list(self.overview())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        del ctx
        return self.load(cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The overview, from the table alone: nothing is imported."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(self.overview().items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """An unknown command is an error that suggests the nearest one."""
        if args and not args[0].startswith("-") and self.load(args[0]) is None:
            raise click.UsageError(
                str(UsageError.unknown(self.kind or self.name or "command", args[0], self.overview())), ctx
            )
        return super().resolve_command(ctx, args)


@click.group("command", cls=Commands, context_settings=SETTINGS)
@click.version_option(__version__, prog_name="karat")
def cli() -> None:
    """Evaluate systems that understand language, and evaluate the evaluation."""


class Stopped(BaseException):
    """The program was stopped by a signal; processes that it started are stopped on the way out."""

    def __init__(self, number: int) -> None:
        self.number = number


def _stop(number: int, _: object) -> None:
    for other in _numbers():  # once is enough: what is started is being ended
        signal.signal(other, signal.SIG_IGN)
    raise Stopped(number)


def _numbers() -> list[int]:
    return [number for name in SIGNALS if (number := getattr(signal, name, None)) is not None]


@contextlib.contextmanager
def _stoppable() -> Iterator[None]:
    """Turn signals into an exception, so that every `with` and `finally` is left properly."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # What is ignored (under nohup) stays ignored.
    before = {number: signal.getsignal(number) for number in _numbers() if signal.getsignal(number) != signal.SIG_IGN}
    for number in before:
        signal.signal(number, _stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line.

    Exit status: 1 the data have problems or a check fails, 2 the call is wrong, 128 + n stopped by signal n.
    """
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a sign shows another: no reason to fail.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        # Outside of its own mode click returns the status of an Exit, and raises what is wrong.
        with guarded(), _stoppable():
            status = cli.main(arguments, prog_name="karat", standalone_mode=False) or 0
            if sys.stdout is not None:
                sys.stdout.flush()
        sys.exit(status)
    except click.ClickException as error:
        error.show(said := io.StringIO())
        tell(said.getvalue().rstrip("\n"))
        sys.exit(2)
    except click.Abort:
        _last_words("stopped")
        sys.exit(128 + signal.SIGINT)
    except Stopped as stopped:
        _last_words(f"stopped by {signal.Signals(stopped.number).name}")
        sys.exit(128 + stopped.number)
    except DataError as error:
        tell(error.on_command_line)
        sys.exit(error.status)
    except KaratError as error:
        if error.warnings:
            tell(summary(error.warnings, shown=WARNINGS_SHOWN))
        tell(f"karat: {error.on_command_line}")
        sys.exit(error.status)
    except MemoryError:
        _last_words("not enough memory: give fewer units, runs or replicates")
        sys.exit(1)
    except BrokenPipeError:
        # The reader of our output has seen enough; its end of the pipe is no error of ours.
        _nowhere()
        sys.exit(0)
    except OSError as error:  # files are told with their names where they are opened: what is left is the output
        _nowhere()
        _last_words(f"cannot write to standard output: {error.strerror or error}")
        sys.exit(2)


def _nowhere() -> None:
    """Discard what is left in the buffer, so that it is not written again on exit."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _last_words(text: str) -> None:
    with contextlib.suppress(OSError, ValueError, AttributeError):
        tell(f"karat: {text}")
