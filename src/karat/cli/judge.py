"""`karat judge`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.command import ALSO, BALLOTS, StudyCommand, ballots_of, file_option, options_of, pick
from karat.data.provenance import BallotReading, Reading
from karat.data.responses import Responses
from karat.errors import UsageError
from karat.formats.pairs import read_pairs
from karat.formats.runs import read_runs
from karat.studies.judge.result import Judgement
from karat.studies.judge.study import JudgeParameters, judge

RUNS = click.Argument(["runs"], type=click.Path(), nargs=-1, metavar="[RUN]...")
KEY = file_option("key", "people's key, to compare rankings of the runs with")


def run(given: dict[str, Any]) -> Judgement:
    """Read the ballots and, if given, the key and runs."""
    asked, reading = pick(JudgeParameters, given), pick(Reading, given)
    if given["runs"] and not given["key"]:
        raise UsageError("runs need the key they answer: --key KEY")
    if given["assessor"]:  # a judge is an assessor too, and need not be named twice
        given = given | {"assessor": tuple(dict.fromkeys([*given["assessor"], *given["automatic"]]))}
    if not given["key"]:
        return judge(ballots_of(given), **asked)
    key = read_pairs(given["key"], **reading)
    ballots = ballots_of(given, key)
    runs = read_runs(given["runs"], key, **reading) if given["runs"] else Responses.of(key, [])
    return judge(ballots, runs=runs, **asked)


options = options_of(JudgeParameters, BallotReading, Reading)
command = StudyCommand("judge", [BALLOTS, RUNS, ALSO, *options, KEY], run)
