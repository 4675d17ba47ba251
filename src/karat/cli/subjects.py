"""What commands take: a key and runs, a score matrix, ballots; and the commands of studies that take only runs."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any

import click

from karat.cli.options import StudyCommand, options_of, pick
from karat.data.ballots import Ballots
from karat.data.pairs import Pairs
from karat.data.reading import BallotReading, Reading, ScoreReading
from karat.data.responses import Responses
from karat.data.result import Result
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.formats.ballots import read_ballots
from karat.formats.reading import read_pairs, read_runs
from karat.formats.scores import read_scores
from karat.studies.base import studies

PATH = click.Path()
KEY = click.Argument(["key"], type=PATH, metavar="KEY")
RUNS = click.Argument(["runs"], type=PATH, nargs=-1, required=True, metavar="RUN...")
RUNS_OR_SCORES = [
    click.Argument(["key"], type=PATH, required=False, metavar="[KEY"),
    click.Argument(["runs"], type=PATH, nargs=-1, required=False, metavar="RUN...]"),
    click.Option(
        ["--scores"],
        type=PATH,
        help="a score matrix instead of KEY and RUN: one row per run, one column per unit; a row `cluster` names their "
        "clusters",
    ),
    *options_of(ScoreReading),
]
BALLOTS = click.Argument(["ballots"], type=PATH, metavar="BALLOTS")
ALSO = click.Option(
    ["--also"],
    type=PATH,
    multiple=True,
    metavar="FILE",
    help="a further file of ballots on the same units, by other assessors",
)


def runs_of(given: dict[str, Any]) -> Responses:
    """The runs, which hold their key."""
    reading = pick(Reading, given)
    return read_runs(given["runs"], read_pairs(given["key"], **reading), **reading)


def runs_or_scores_of(given: dict[str, Any]) -> Responses | Scores:
    """The runs, or a score matrix, whichever was named."""
    if given["scores"]:
        if given["key"]:
            raise UsageError("--scores stands instead of KEY and RUN: give one or the other")
        return read_scores(given["scores"], **pick(ScoreReading, given))
    if given["transpose"]:
        raise UsageError("--transpose says how a score matrix is read: give it with --scores FILE")
    if not given["key"] or not given["runs"]:
        raise UsageError("give KEY and RUN..., or --scores FILE")
    return runs_of(given)


def ballots_of(given: dict[str, Any], key: Pairs | None = None) -> Ballots:
    """The ballots of all files that were named."""
    return read_ballots([given["ballots"], *given["also"]], key, **pick(BallotReading, given))


TAKEN: dict[Any, tuple[list[click.Parameter], Callable[..., Any]]] = {
    Responses: ([KEY, RUNS], runs_of),
    Responses | Scores: (RUNS_OR_SCORES, runs_or_scores_of),
}
"""Arguments and reader by the type of what a study takes."""


def command_of(name: str) -> StudyCommand:
    """The command of a study that takes runs, or runs or scores, or nothing, and is asked its parameters."""
    entry = studies[name]
    kind = entry.facts["parameters"]
    subject = next(iter(typing.get_type_hints(inspect.unwrap(entry.function)).values()))
    if subject is kind:
        return StudyCommand(name, [], lambda _: entry.function())
    arguments, read = TAKEN[subject]

    def run(given: dict[str, Any]) -> Result:
        result: Result = entry.function(read(given), **pick(kind, given))
        return result

    return StudyCommand(name, [*arguments, *options_of(kind, Reading)], run)
