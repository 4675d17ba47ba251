"""What commands take: a key and runs, a score matrix, ballots; and the commands of studies that take only runs."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any, NamedTuple

import click
import msgspec

from karat.cli.options import StudyCommand, file_option, options_of, pick
from karat.data.ballots import Ballots
from karat.data.pairs import Pairs
from karat.data.provenance import BallotReading, Reading, ScoreReading
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
    file_option(
        "scores",
        "a score matrix instead of KEY and RUN: one row per run, one column per unit; a row `cluster` names their "
        "clusters",
    ),
    *options_of(ScoreReading),
]
BALLOTS = click.Argument(["ballots"], type=PATH, metavar="BALLOTS")
ALSO = file_option("also", "a further file of ballots on the same units, by other assessors", many=True, metavar="FILE")


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


class Taken(NamedTuple):
    """How the command line names a subject, and who reads it."""

    arguments: list[click.Parameter]
    how: list[type[msgspec.Struct]]
    """Options of reading that follow those of the study."""
    read: Callable[[dict[str, Any]], Any]


TAKEN: dict[Any, Taken] = {
    Responses: Taken([KEY, RUNS], [Reading], runs_of),
    Responses | Scores: Taken(RUNS_OR_SCORES, [Reading], runs_or_scores_of),
    Ballots: Taken([BALLOTS, ALSO, *options_of(BallotReading)], [], ballots_of),
}


def command_of(name: str) -> StudyCommand:
    """The command of a study with one subject or none: it follows from the subject's type and the parameters."""
    entry = studies[name]
    kind = entry.facts["parameters"]
    subject = next(iter(typing.get_type_hints(inspect.unwrap(entry.function)).values()))
    if subject is kind:
        return StudyCommand(name, [], lambda _: entry.function())
    taken = TAKEN[subject]

    def run(given: dict[str, Any]) -> Result:
        result: Result = entry.function(taken.read(given), **pick(kind, given))
        return result

    options = options_of(kind, *taken.how, without=[one.name for one in taken.arguments if one.name])
    return StudyCommand(name, [*taken.arguments, *options], run)
