"""`karat sensitivity`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.options import make_command, options_of, pick
from karat.cli.score_matrix import KEY_OR_NONE, RUNS_OR_NONE, SCORES, subjects_of
from karat.data.reading import Reading
from karat.formats.ballots import BallotReading, read_ballots
from karat.studies.sensitivity.result import Sensitivity
from karat.studies.sensitivity.study import SensitivityParameters, sensitivity

BALLOTS = click.Option(["--ballots"], type=click.Path(), help="assessors' labels, from which other keys are made")


def run(given: dict[str, Any]) -> Sensitivity:
    """Read what was named and, where they are given, the ballots."""
    subjects = subjects_of(given)
    nouns = {}
    if given["ballots"]:
        key = subjects[0] if len(subjects) > 1 else None
        nouns = {"ballots": read_ballots(given["ballots"], key, **pick(BallotReading, given))}
    return sensitivity(*subjects, **pick(SensitivityParameters, given), **nouns)


options = options_of(SensitivityParameters, BallotReading, Reading, without=["level", "order"])
command = make_command("sensitivity", [KEY_OR_NONE, RUNS_OR_NONE, SCORES, *options, BALLOTS], run)
