"""`karat check`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.command import KEY, command_of, pick
from karat.data.parameters import parameters
from karat.data.provenance import QuestionFiles

RUNS = click.Argument(["runs"], type=click.Path(), nargs=-1, metavar="[RUN]...")


def nouns(given: dict[str, Any]) -> dict[str, Any]:
    """The names of the files."""
    files = parameters(QuestionFiles, pick(QuestionFiles, given))
    return {"key": given["key"], "runs": given["runs"], "files": files}


command = command_of("check", nouns, [KEY, RUNS], QuestionFiles)
