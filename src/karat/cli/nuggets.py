"""`karat nuggets`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.command import StudyCommand, file_option, options_of, pick
from karat.data.nuggets import topics_as_questions
from karat.formats.answer_table import read_answers
from karat.formats.nugget_table import read_matches, read_nuggets
from karat.formats.rag_metrics import read_rag_metrics
from karat.formats.rating_table import read_ratings
from karat.formats.scores import write_scores
from karat.studies.nuggets.result import NUGGET_SCORES, NuggetScores
from karat.studies.nuggets.study import NuggetParameters, nuggets

NUGGETS = click.Argument(["nuggets"], type=click.Path(), metavar="NUGGETS")
MATCHES = click.Argument(["matches"], type=click.Path(), nargs=-1, required=True, metavar="ASSIGNMENTS...")
FILES = [
    file_option("answers", "the answers of the runs, for their length", many=True),
    file_option("stored", "stored scores to compare with, one file per run", many=True),
    file_option("ratings", "a table of run, qid, assessor, content and organisation"),
]
OUT = [
    click.Option(["--scores-out"], type=click.Path(), help="also write the scores, one row per run and topic"),
    click.Option(
        ["--measure"],
        type=click.Choice(NUGGET_SCORES),
        default="vital",
        show_default=True,
        help="the score that is written there",
    ),
]


def run(given: dict[str, Any]) -> NuggetScores:
    """Read the nuggets and the assignments, and score."""
    listed = read_nuggets(given["nuggets"])
    matches = read_matches(given["matches"], listed)
    if given["answers"]:
        matches = matches.with_texts(read_answers(given["answers"], topics_as_questions(matches.nuggets)))
    nouns: dict[str, Any] = {"ratings": read_ratings(given["ratings"])} if given["ratings"] else {}
    if given["stored"]:
        nouns["stored"] = [read_rag_metrics(path) for path in given["stored"]]
    result = nuggets(matches, **pick(NuggetParameters, given), **nouns)
    if given["scores_out"]:
        write_scores(result.scores(given["measure"]), given["scores_out"])
    return result


command = StudyCommand("nuggets", [NUGGETS, MATCHES, *FILES, *options_of(NuggetParameters)], run, out=OUT)
