"""`karat meta`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.command import StudyCommand, options_of, pick
from karat.data.provenance import ScoreReading
from karat.formats.scores import read_judgments
from karat.studies.meta.result import MetaEvaluation
from karat.studies.meta.study import MetaParameters, meta

JUDGMENTS = click.Argument(["judgments"], type=click.Path(), nargs=-1, required=True, metavar="SCORES...")


def run(given: dict[str, Any]) -> MetaEvaluation:
    """Read the scores by every judge, and compare them."""
    judgments = read_judgments(list(given["judgments"]), **pick(ScoreReading, given))
    return meta(judgments, **pick(MetaParameters, given))


command = StudyCommand("meta", [JUDGMENTS, *options_of(MetaParameters, ScoreReading)], run)
