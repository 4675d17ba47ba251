"""`karat sensitivity`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.options import KEY, RUNS, make_command, options_of, pick
from karat.data.reading import Reading
from karat.formats.ballots import BallotReading, read_ballots
from karat.formats.reading import read_pairs, read_runs
from karat.studies.sensitivity.result import Sensitivity
from karat.studies.sensitivity.study import SensitivityParameters, sensitivity

BALLOTS = click.Option(["--ballots"], type=click.Path(), help="assessors' labels, from which other keys are made")


def run(given: dict[str, Any]) -> Sensitivity:
    """Read the key, the runs and, where they are given, the ballots."""
    reading = pick(Reading, given)
    key = read_pairs(given["key"], **reading)
    runs = read_runs(given["runs"], key, **reading)
    nouns = {"ballots": read_ballots(given["ballots"], key, **pick(BallotReading, given))} if given["ballots"] else {}
    return sensitivity(key, runs, **pick(SensitivityParameters, given), **nouns)


options = options_of(SensitivityParameters, BallotReading, Reading, without=["level", "order"])
command = make_command("sensitivity", [KEY, RUNS, *options, BALLOTS], run)
