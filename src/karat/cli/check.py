"""`karat check`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.command import KEY, StudyCommand, options_of, pick
from karat.data.parameters import parameters
from karat.data.provenance import QuestionFiles, Reading
from karat.studies.check import Check, check

RUNS = click.Argument(["runs"], type=click.Path(), nargs=-1, metavar="[RUN]...")


def run(given: dict[str, Any]) -> Check:
    """Check the files."""
    files = parameters(QuestionFiles, pick(QuestionFiles, given))
    return check(given["key"], given["runs"], files=files, **pick(Reading, given))


command = StudyCommand("check", [KEY, RUNS, *options_of(Reading, QuestionFiles)], run)
