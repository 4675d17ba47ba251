"""`karat compare`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.command import RUNS_OR_SCORES, StudyCommand, options_of, pick, runs_or_scores_of
from karat.data.provenance import Reading
from karat.studies.compare.result import Comparison
from karat.studies.compare.study import CompareParameters, compare

FAIL = "--fail-if-worse"


class CompareCommand(StudyCommand):
    """Compare, whose option `--fail-if-worse` may be followed by a margin or by anything else."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """A margin of 0 unless a number follows."""
        if FAIL in args:
            place = args.index(FAIL) + 1
            if not _is_number(args[place] if place < len(args) else ""):
                args = [*args[:place], "0", *args[place:]]
        return super().parse_args(ctx, args)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def run(given: dict[str, Any]) -> Comparison:
    """Read runs or scores, and compare them."""
    return compare(runs_or_scores_of(given), **pick(CompareParameters, given))


MARGIN = click.Option(
    [FAIL],
    type=float,
    metavar="[MARGIN]",
    help="exit with 1 if a run is significantly worse than that of --versus, by more than MARGIN if one is given",
)
options = options_of(CompareParameters, Reading, without=["fail_if_worse"])
place = [option.name for option in options].index("strict")
command = CompareCommand("compare", [*RUNS_OR_SCORES, *options[:place], MARGIN, *options[place:]], run)
