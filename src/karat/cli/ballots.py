"""What every command that reads ballots shares."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.options import pick
from karat.data.ballots import Ballots
from karat.data.pairs import Pairs
from karat.data.reading import BallotReading
from karat.formats.ballots import read_ballots

BALLOTS = click.Argument(["ballots"], type=click.Path(), metavar="BALLOTS")
ALSO = click.Option(
    ["--also"],
    type=click.Path(),
    multiple=True,
    metavar="FILE",
    help="a further file of ballots on the same units, by other assessors",
)


def ballots_of(given: dict[str, Any], key: Pairs | None = None) -> Ballots:
    """The ballots of the file that was given and of those beside it."""
    return read_ballots([given["ballots"], *given["also"]], key, **pick(BallotReading, given))
