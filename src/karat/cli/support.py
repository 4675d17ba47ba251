"""`karat support`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.command import RUNS, command_of, scores_out
from karat.formats.support_table import read_support
from karat.studies.support.result import SUPPORT_SCORES

JUDGMENTS = click.Argument(["judgments"], type=click.Path(), metavar="JUDGMENTS")


def nouns(given: dict[str, Any]) -> dict[str, Any]:
    """The judged citations of the runs."""
    return {"judged": read_support(given["judgments"], given["runs"])}


command = command_of(
    "support",
    nouns,
    [JUDGMENTS, RUNS],
    out=scores_out(SUPPORT_SCORES, "f1"),
    scores=lambda result, given: result.scores(given["measure"]),
)
