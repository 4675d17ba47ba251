"""The command line: parse, call one study, render. Nothing heavy is loaded before a command is known."""

from __future__ import annotations

import importlib
import sys

import click

from karat import __version__
from karat.errors import DataError, KaratError, UsageError
from karat.files import guarded

COMMANDS = {
    "check": "Validate runs against a test set: every problem, line by line.",
    "score": "Measure runs, both ways, beside the trivial systems.",
    "diagnose": "What a system can and cannot do, by phenomenon; what to fix first.",
    "compare": "Which runs differ, by how much, and how surely.",
    "qa": "Score answers to questions: factoid, list and other, by type and by series.",
    "nuggets": "Score answers by what they should say: vital and okay nuggets.",
    "sample": "Which pairs to judge justifications on, and the sheet that judges fill in.",
    "justify": "Ratings of justifications: means, agreement, right for the wrong reason.",
    "items": "Item analysis: which pairs are hard, and of what kind.",
    "agree": "Agreement of assessors: every coefficient, with intervals.",
    "keys": "Other keys from the same ballots, and the rankings they induce.",
    "judge": "An automatic judge held against people.",
    "sensitivity": "How the ranking depends on choices made otherwise.",
    "swap": "How often another test set would order two runs the other way, by size.",
    "size": "How many units a difference needs, and what a test set can show.",
    "run": "Answer a test set with a reference engine, or with any program.",
    "ablate": "What each part of an engine is worth: the same without it.",
    "engines": "The engines: what they do, their parameters and their parts.",
    "report": "Everything the data allow, as one page that needs nothing else.",
    "figure": "One figure of any of these alone, as .svg, .pdf or .png.",
    "measures": "The measures: what they respect, their range and source.",
    "formats": "The file formats that are read and written.",
    "demo": "Everything at once, on the examples that come with karat.",
}
"""Every command and its one line of help; the module of the same name is loaded when it is called."""
SETTINGS = {"help_option_names": ["-h", "--help"]}


def load_command(name: str) -> click.Command:
    """A command out of its module."""
    command: click.Command = importlib.import_module(f"karat.cli.{name}").command
    command.help = command.help or COMMANDS[name]
    # Its own, too: click keeps the help option of the first context, and one without a parent knows nothing of `cli`.
    command.context_settings.update(SETTINGS)
    return command


class Commands(click.Group):
    """A group that imports a command's module only when that command is wanted."""

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
        """The command out of its module."""
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
        """An unknown command is told with the nearest one."""
        if args and not args[0].startswith("-") and self.load(args[0]) is None:
            raise click.UsageError(str(UsageError.unknown(self.name or "command", args[0], self.overview())), ctx)
        return super().resolve_command(ctx, args)


@click.group("command", cls=Commands, context_settings=SETTINGS)
@click.version_option(__version__, prog_name="karat")
def cli() -> None:
    """Evaluate systems that understand language, and evaluate the evaluation."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line: 0 done, 1 the data has problems, 2 the call is wrong."""
    try:
        # Outside of its own mode click returns the status of an Exit, and raises what is wrong.
        with guarded():
            sys.exit(cli.main(arguments, prog_name="karat", standalone_mode=False) or 0)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.Abort:
        sys.exit(130)
    except DataError as error:
        click.echo(str(error), err=True)
        sys.exit(1)
    except KaratError as error:
        click.echo(f"karat: {error}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output has seen enough; its end of the pipe is no error of ours.
        sys.stderr.close()
        sys.exit(0)
