"""`karat qa`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.command import RUNS, StudyCommand, options_of, pick
from karat.data.parameters import parameters
from karat.data.provenance import QuestionFiles
from karat.formats.question_set import read_question_set
from karat.formats.scores import write_scores
from karat.studies.qa.parameters import QaParameters
from karat.studies.qa.result import UNITS, QuestionAnswering
from karat.studies.qa.study import qa

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


def run(given: dict[str, Any]) -> QuestionAnswering:
    """Read everything, score, and write the scores if asked to."""
    files = parameters(QuestionFiles, pick(QuestionFiles, given))
    found = read_question_set(given["questions"], given["runs"], files)
    result = qa(found.questions, found.answers, **pick(QaParameters, given), **found.nouns())
    if given["scores_out"]:
        write_scores(result.scores(given["unit"]), given["scores_out"])
    return result


command = StudyCommand("qa", [QUESTIONS, RUNS, *options_of(QuestionFiles, QaParameters)], run, out=OUT)
