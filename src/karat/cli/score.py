"""`karat score`."""

from __future__ import annotations

import typing
from typing import Any

import click

from karat.cli.command import KEY, RUNS_OF_KEY, StudyCommand, options_of, pick, runs_of
from karat.cli.of_study import ON
from karat.data.provenance import Reading
from karat.data.weights import Scheme
from karat.errors import UsageError
from karat.formats.run_parts import read_run_parts
from karat.formats.scores import write_scores
from karat.formats.weights import read_weights
from karat.labels import WAYS
from karat.studies.score.result import Evaluation
from karat.studies.score.study import ScoreParameters, score

SCHEMES = typing.get_args(Scheme)
WEIGHTS = click.Option(
    ["--weights"],
    type=click.Path(),
    default="uniform",
    show_default=True,
    metavar=f"{'|'.join(SCHEMES)}|FILE",
    help="weights of the pairs: by rank of the run's confidence, by its weight column, or from a file",
)
SCORES_OUT = click.Option(
    ["--scores-out"], type=click.Path(), help="also write right/wrong, one row per run and pair (.csv, .parquet)"
)


def run(given: dict[str, Any]) -> Evaluation:
    """Read, score, and write the scores if asked to."""
    large = read_run_parts(given["key"], on=given["on"], **pick(Reading, given)) if not given["runs"] else None
    runs = large or runs_of(given)
    if large is not None and (given["scores_out"] or given["weights"] not in SCHEMES):
        option = "--scores-out" if given["scores_out"] else "--weights"
        raise UsageError(f"{option} needs each pair, and these {large.pairs:,} are read in parts and counted")
    asked = pick(ScoreParameters, given)
    if given["weights"] not in SCHEMES:
        asked |= {"weights": "uniform", "unit_weights": read_weights(given["weights"], runs.key)}
    result = score(runs, **asked)
    if given["scores_out"]:
        write_scores(runs.right(WAYS[result.shown[0]]), given["scores_out"])
    return result


options = options_of(ScoreParameters, Reading, without=["weights"])
command = StudyCommand("score", [KEY, RUNS_OF_KEY, *options, WEIGHTS, ON], run, out=[SCORES_OUT])
