"""`karat nuggets`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.command import StudyCommand, file_option, options_of, pick, scores_out
from karat.formats.answer_table import read_answers
from karat.formats.nugget_table import read_matches, read_nuggets, write_matches, write_nuggets
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
WRITE = "{}: JSON lines of TREC RAG if the name ends in .jsonl, else a table"
OUT = [
    click.Option(["--nuggets-out"], type=click.Path(), help=WRITE.format("also write the nuggets")),
    click.Option(["--matches-out"], type=click.Path(), help=WRITE.format("also write which nuggets answers contain")),
    *scores_out(NUGGET_SCORES, "vital", "one row per run and topic, or part of it by the first --by"),
]


def run(given: dict[str, Any]) -> NuggetScores:
    """Read the nuggets and the assignments, and score."""
    listed = read_nuggets(given["nuggets"])
    matches = read_matches(given["matches"], listed)
    if given["answers"]:
        matches = matches.with_texts(read_answers(given["answers"], matches.nuggets))
    nouns: dict[str, Any] = {"ratings": read_ratings(given["ratings"])} if given["ratings"] else {}
    if given["stored"]:
        nouns["stored"] = [read_rag_metrics(path) for path in given["stored"]]
    result = nuggets(matches, **pick(NuggetParameters, given), **nouns)
    if given["scores_out"]:
        write_scores(result.scores(given["measure"], next(iter(given["by"]), None)), given["scores_out"])
    if given["nuggets_out"]:
        write_nuggets(listed, given["nuggets_out"])
    if given["matches_out"]:
        write_matches(matches, given["matches_out"])
    return result


command = StudyCommand("nuggets", [NUGGETS, MATCHES, *FILES, *options_of(NuggetParameters)], run, out=OUT)
