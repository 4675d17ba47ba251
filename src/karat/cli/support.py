"""`karat support`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.command import RUNS, StudyCommand, options_of, pick, scores_out
from karat.formats.scores import write_scores
from karat.formats.support_table import read_support
from karat.studies.support.result import SUPPORT_SCORES, SupportScores
from karat.studies.support.study import SupportParameters, support

JUDGMENTS = click.Argument(["judgments"], type=click.Path(), metavar="JUDGMENTS")


def run(given: dict[str, Any]) -> SupportScores:
    """Read the judged citations and the runs, and score."""
    result = support(read_support(given["judgments"], given["runs"]), **pick(SupportParameters, given))
    if given["scores_out"]:
        write_scores(result.scores(given["measure"]), given["scores_out"])
    return result


command = StudyCommand(
    "support", [JUDGMENTS, RUNS, *options_of(SupportParameters)], run, out=scores_out(SUPPORT_SCORES, "f1")
)
