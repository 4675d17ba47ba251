"""`karat agree`."""

from __future__ import annotations

from typing import Any

from karat.cli.options import StudyCommand, options_of, pick
from karat.cli.subjects import ALSO, BALLOTS, ballots_of
from karat.data.reading import BallotReading
from karat.studies.agree.result import Agreement
from karat.studies.agree.study import AgreeParameters, agree


def run(given: dict[str, Any]) -> Agreement:
    """Read the ballots and hold them against each other."""
    return agree(ballots_of(given), **pick(AgreeParameters, given))


command = StudyCommand("agree", [BALLOTS, ALSO, *options_of(BallotReading, AgreeParameters)], run)
