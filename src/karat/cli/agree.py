"""`karat agree`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.options import make_command, options_of, pick
from karat.formats.ballots import BallotReading, read_ballots
from karat.studies.agree.result import Agreement
from karat.studies.agree.study import AgreeParameters, agree

BALLOTS = click.Argument(["ballots"], type=click.Path(), metavar="BALLOTS")


def run(given: dict[str, Any]) -> Agreement:
    """Read the ballots and hold them against each other."""
    return agree(read_ballots(given["ballots"], **pick(BallotReading, given)), **pick(AgreeParameters, given))


command = make_command("agree", [BALLOTS, *options_of(BallotReading, AgreeParameters)], run)
