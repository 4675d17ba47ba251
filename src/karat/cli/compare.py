"""`karat compare`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.options import make_command, options_of, pick
from karat.data.reading import Reading
from karat.errors import UsageError
from karat.formats import read_pairs, read_runs
from karat.formats.scores import read_scores
from karat.studies.compare import CompareParameters, compare
from karat.studies.comparison import Comparison

KEY = click.Argument(["key"], type=click.Path(), required=False, metavar="[KEY")
RUNS = click.Argument(["runs"], type=click.Path(), nargs=-1, metavar="RUN...]")
SCORES = click.Option(
    ["--scores"], type=click.Path(), help="a score matrix instead of KEY and RUN: a row a run, a column a unit"
)


def run(given: dict[str, Any]) -> Comparison:
    """Read a key and runs, or a score matrix, and compare."""
    asked = pick(CompareParameters, given)
    if given["scores"]:
        if given["key"]:
            raise UsageError("give a key and runs, or --scores FILE, not both")
        return compare(read_scores(given["scores"]), **asked)
    if not given["key"] or not given["runs"]:
        raise UsageError("nothing to compare: give KEY and RUN..., or --scores FILE")
    reading = pick(Reading, given)
    key = read_pairs(given["key"], **reading)
    return compare(key, read_runs(given["runs"], key, **reading), **asked)


command = make_command("compare", [KEY, RUNS, SCORES, *options_of(CompareParameters, Reading)], run)
