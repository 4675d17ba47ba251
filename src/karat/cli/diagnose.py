"""`karat diagnose`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.command import StudyCommand, file_option, options_of, pick
from karat.data.decomposition import by_attribute
from karat.data.parameters import parameters
from karat.data.provenance import Reading
from karat.errors import UsageError
from karat.formats.decomposed import read_leading_decomposition
from karat.formats.pairs import read_pairs
from karat.formats.runs import read_runs
from karat.formats.weights import read_relevance
from karat.studies.diagnose.parameters import DiagnoseParameters
from karat.studies.diagnose.result import Diagnosis
from karat.studies.diagnose.study import diagnose

FILES = click.Argument(["files"], type=click.Path(), nargs=-1, required=True, metavar="ORIGINALS [MONO] RUN...")
RELEVANCE = file_option("relevance", "phenomena and their weights, one per line")


def run(given: dict[str, Any]) -> Diagnosis:
    """Read the decomposed test set, or with --by any test set, and its runs; diagnose."""
    reading, asked = pick(Reading, given), pick(DiagnoseParameters, given)
    files = list(given["files"])
    if given["by"] is not None:
        key, paths = read_pairs(files[0], **reading), files[1:]
        decomposition = by_attribute(key, given["by"], given["separator"])
    else:
        decomposition, paths = read_leading_decomposition(files, parameters(Reading, reading))
    if not paths:
        raise UsageError("no run was given: karat diagnose ORIGINALS MONO RUN…, or KEY RUN… --by ATTRIBUTE")
    runs = read_runs(paths, decomposition.pairs, **reading)
    nouns: dict[str, Any] = {} if given["by"] is not None else {"decomposition": decomposition}
    if given["relevance"]:
        nouns["relevance"] = read_relevance(given["relevance"], decomposition)
    return diagnose(runs, **asked, **nouns)


command = StudyCommand("diagnose", [FILES, RELEVANCE, *options_of(DiagnoseParameters, Reading)], run)
