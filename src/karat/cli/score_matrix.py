"""What studies of reliability take on the command line: a key and runs, or `--scores FILE` instead."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.options import options_of, pick
from karat.data.reading import Reading, ScoreReading
from karat.data.responses import Responses
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.formats.reading import read_pairs, read_runs
from karat.formats.scores import read_scores

KEY_OR_NONE = click.Argument(["key"], type=click.Path(), required=False, metavar="[KEY")
RUNS_OR_NONE = click.Argument(["runs"], type=click.Path(), nargs=-1, required=False, metavar="RUN...]")
SCORES = [
    click.Option(
        ["--scores"],
        type=click.Path(),
        help="a score matrix instead of KEY and RUN: one row per run, one column per unit; a row `cluster` names their "
        "clusters",
    ),
    *options_of(ScoreReading),
]


def runs_of(given: dict[str, Any]) -> Responses | Scores:
    """The runs on a key, or a score matrix, whichever was named."""
    if given["scores"]:
        if given["key"]:
            raise UsageError("--scores stands instead of KEY and RUN: give one or the other")
        return read_scores(given["scores"], **pick(ScoreReading, given))
    if given["transpose"]:
        raise UsageError("--transpose says how a score matrix is read: give it with --scores FILE")
    if not given["key"] or not given["runs"]:
        raise UsageError("give KEY and RUN..., or --scores FILE")
    reading = pick(Reading, given)
    return read_runs(given["runs"], read_pairs(given["key"], **reading), **reading)
