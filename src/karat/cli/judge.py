"""`karat judge`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.command import ALSO, BALLOTS, ballots_of, command_of, file_option, pick
from karat.cli.of_study import ON, ballots_in_parts_of
from karat.data.provenance import BallotReading, Reading
from karat.data.responses import Responses
from karat.errors import UsageError
from karat.formats.pairs import read_pairs
from karat.formats.runs import read_runs

RUNS = click.Argument(["runs"], type=click.Path(), nargs=-1, metavar="[RUN]...")
KEY = file_option("key", "people's key, to compare rankings of the runs with")


def nouns(given: dict[str, Any]) -> dict[str, Any]:
    """The ballots and, if given, the runs with their key."""
    reading = pick(Reading, given)
    if given["runs"] and not given["key"]:
        raise UsageError("runs need the key they answer: --key KEY")
    if given["assessor"]:  # a judge is an assessor too, and need not be named twice
        given = given | {"assessor": tuple(dict.fromkeys([*given["assessor"], *given["automatic"]]))}
    if not given["key"]:
        return {"ballots": ballots_in_parts_of(given | {"ballots": [given["ballots"]]})}
    key = read_pairs(given["key"], **reading)
    ballots = ballots_of(given, key)
    runs = read_runs(given["runs"], key, **reading) if given["runs"] else Responses.of(key, [])
    return {"ballots": ballots, "runs": runs}


command = command_of("judge", nouns, [BALLOTS, RUNS, ALSO, ON], BallotReading, Reading, files=[KEY])
