"""`karat diagnose`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.command import command_of, file_option, pick
from karat.data.decomposition import by_attribute
from karat.data.parameters import parameters
from karat.data.provenance import Reading
from karat.errors import UsageError
from karat.formats.decomposed import read_leading_decomposition
from karat.formats.pairs import read_pairs
from karat.formats.runs import read_runs
from karat.formats.weights import read_relevance

FILES = click.Argument(["files"], type=click.Path(), nargs=-1, required=True, metavar="ORIGINALS [MONO] RUN...")
RELEVANCE = file_option("relevance", "phenomena and their weights, one per line")


def nouns(given: dict[str, Any]) -> dict[str, Any]:
    """The decomposed test set, or with --by any test set, and its runs."""
    reading = pick(Reading, given)
    files = list(given["files"])
    if given["by"] is not None:
        key, paths = read_pairs(files[0], **reading), files[1:]
        decomposition = by_attribute(key, given["by"], given["separator"])
    else:
        decomposition, paths = read_leading_decomposition(files, parameters(Reading, reading))
    if not paths:
        raise UsageError("no run was given: karat diagnose ORIGINALS MONO RUN…, or KEY RUN… --by ATTRIBUTE")
    runs = read_runs(paths, decomposition.pairs, **reading)
    relevance = read_relevance(given["relevance"], decomposition) if given["relevance"] else None
    return {"runs": runs, "decomposition": None if given["by"] is not None else decomposition, "relevance": relevance}


command = command_of("diagnose", nouns, [FILES, RELEVANCE], Reading)
