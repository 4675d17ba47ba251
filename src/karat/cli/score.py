"""`karat score`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.options import KEY, RUNS, make_command, options_of, pick
from karat.data.reading import Reading
from karat.formats import read_pairs, read_runs, write_scores
from karat.labels import WAYS
from karat.studies.evaluate import EvaluateParameters, Evaluation, evaluate

SCORES = click.Option(
    ["--scores-out"], type=click.Path(), help="also write right/wrong, runs × pairs (.csv, .parquet)"
)


def run(given: dict[str, Any]) -> Evaluation:
    """Read, evaluate, and leave the score matrix where it is asked for."""
    reading = pick(Reading, given)
    key = read_pairs(given["key"], **reading)
    runs = read_runs(given["runs"], key, **reading)
    result = evaluate(key, runs, **pick(EvaluateParameters, given))
    if given["scores_out"]:
        way = WAYS["2" if result.signature.way == "2" else "3"]
        write_scores(runs.right(way), given["scores_out"])
    return result


command = make_command("score", [KEY, RUNS, *options_of(Reading, EvaluateParameters), SCORES], run)
