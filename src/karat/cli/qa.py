"""`karat qa`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.command import RUNS, command_of, options_of, pick
from karat.data.parameters import parameters
from karat.data.provenance import QuestionFiles
from karat.formats.question_set import read_question_set
from karat.studies.qa.result import UNITS

QUESTIONS = click.Argument(["questions"], type=click.Path(), metavar="QUESTIONS")
OUT = [
    click.Option(
        ["--scores-out"], type=click.Path(), help="also write the scores, one row per run and unit (.csv, .parquet)"
    ),
    click.Option(
        ["--unit"],
        type=click.Choice(list(UNITS)),
        help="the units written there: series, or questions of one type (clustered by series); by default the units of "
        "the measure that ranks the runs",
    ),
]


def nouns(given: dict[str, Any]) -> dict[str, Any]:
    """The questions, the answers, and what is judged of them."""
    files = parameters(QuestionFiles, pick(QuestionFiles, given))
    found = read_question_set(given["questions"], given["runs"], files)
    return {"questions": found.questions, "runs": found.answers, **found.nouns()}


command = command_of(
    "qa",
    nouns,
    [QUESTIONS, RUNS, *options_of(QuestionFiles)],
    out=OUT,
    scores=lambda result, given: result.scores(given["unit"]),
)
