"""The command of a study with one subject or none, which follows from its declaration."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any, NamedTuple

import click
import msgspec

from karat.cli.command import (
    ALSO,
    BALLOT_FILES,
    KEY,
    PATH,
    RUNS_OF_KEY,
    RUNS_OR_SCORES,
    StudyCommand,
    command_of,
    options_of,
    pick,
    runs_of,
    runs_or_scores_of,
)
from karat.data.ballots import Ballots
from karat.data.parts import BallotParts, ScoreParts
from karat.data.preferences import Preferences
from karat.data.provenance import BallotReading, PreferenceReading, Reading, ScoreReading
from karat.data.responses import Responses
from karat.data.scores import Scores
from karat.formats.ballot_parts import read_ballot_parts
from karat.formats.ballots import read_ballots
from karat.formats.preference_table import read_preferences
from karat.formats.scores import read_scores_in_parts
from karat.studies.base import studies

ON = click.Option(
    ["--on"],
    default="here",
    show_default=True,
    metavar="here|processes|ray[://HOST:PORT]",
    help="where a file that is too large to be held is counted, part by part",
)


def scores_in_parts_of(given: dict[str, Any]) -> Responses | Scores | ScoreParts:
    """The runs or a score matrix; a large Parquet file of scores is not held, but read in parts."""
    if not given["scores"] or given["key"]:
        return runs_or_scores_of(given)
    return read_scores_in_parts(given["scores"], on=given["on"], **pick(ScoreReading, given))


def ballots_in_parts_of(given: dict[str, Any]) -> Ballots | BallotParts:
    """The ballots of all files that were named; a single large Parquet file is not held, but read in parts."""
    files = [*given["ballots"], *given["also"]]
    large = read_ballot_parts(files[0], on=given["on"], **pick(BallotReading, given)) if len(files) == 1 else None
    return large or read_ballots(files, **pick(BallotReading, given))


def preferences_of(given: dict[str, Any]) -> Preferences:
    """The comparisons of answers in all files."""
    return read_preferences(given["preferences"], **pick(PreferenceReading, given))


PREFERENCES = click.Argument(["preferences"], type=PATH, nargs=-1, required=True, metavar="PREFERENCES...")


class Taken(NamedTuple):
    """How the command line names a subject, and who reads it."""

    arguments: list[click.Parameter]
    how: list[type[msgspec.Struct]]
    """Options of reading that follow those of the study."""
    read: Callable[[dict[str, Any]], Any]


TAKEN: dict[Any, Taken] = {
    Responses: Taken([KEY, RUNS_OF_KEY], [Reading], runs_of),
    Responses | Scores: Taken(RUNS_OR_SCORES, [Reading], runs_or_scores_of),
    Responses | Scores | ScoreParts: Taken([*RUNS_OR_SCORES, ON], [Reading], scores_in_parts_of),
    Preferences: Taken([PREFERENCES], [PreferenceReading], preferences_of),
    Ballots | BallotParts: Taken([BALLOT_FILES, ALSO, *options_of(BallotReading), ON], [], ballots_in_parts_of),
}


def command_of_study(name: str) -> StudyCommand:
    """The command of a study with one subject or none: it follows from the subject's type and the parameters."""
    function = inspect.unwrap(studies[name].function)
    noun, kind = next(iter(typing.get_type_hints(function).items()))
    if kind is studies[name].facts["parameters"]:
        return StudyCommand(name, [], lambda _: studies[name].function())
    taken = TAKEN[kind]
    return command_of(name, lambda given: {noun: taken.read(given)}, taken.arguments, *taken.how)
