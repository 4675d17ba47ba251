"""`karat adjudicate`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from karat.cli.command import ALSO, BALLOT_FILES, file_option, options_of, pick
from karat.cli.writing import WritingCommand
from karat.data.provenance import BallotReading, Reading
from karat.files import write_whole
from karat.formats.ballots import HISTORY, check_decisions, read_ballots, table
from karat.formats.pairs import read_pairs, write_pairs
from karat.formats.writing import write_sheet
from karat.studies.adjudicate.study import Adjudicated, AdjudicateParameters, adjudicate

FILE = click.Path(dir_okay=False)
OPTIONS = [
    file_option("decisions", "the sheet of disputed units, filled in", many=True, metavar="FILE"),
    file_option("pairs", "the test set of these units, whose texts the sheet shows and whose format the key has"),
    click.Option(["--sheet"], type=FILE, help="write the units that need a decision, to be filled in (.xlsx, .csv)"),
    click.Option(["--adjudicator"], metavar="NAME", default="adjudicator", show_default=True, help="who decides"),
    click.Option(["--output", "-o"], type=FILE, metavar="KEY", help="write the key (.xml, .tsv, .csv, .jsonl …)"),
    click.Option(["--history"], type=FILE, help="write who labelled what, who decided, and why (.tsv, .csv …)"),
]


def run(given: dict[str, Any]) -> tuple[Adjudicated, Callable[[], None]]:
    """Read ballots and decisions; write what is asked for."""
    if given["decisions"]:
        check_decisions(given["decisions"], **pick(BallotReading, given))
    files = [*given["ballots"], *given["also"], *given["decisions"]]
    ballots = read_ballots(files, **pick(BallotReading, given))
    pairs = read_pairs(given["pairs"], **pick(Reading, given)) if given["pairs"] else None
    nouns = {} if pairs is None else {"pairs": pairs}
    result = adjudicate(ballots, **nouns, **pick(AdjudicateParameters, given))

    def write() -> None:
        if given["sheet"]:
            write_sheet(given["sheet"], result.disputed_sheet(pairs, given["adjudicator"]), result.choices)
        if given["output"] and pairs is not None:
            write_pairs(result.keyed(pairs), given["output"])
        elif given["output"]:
            rows = list(result.labels_by_unit().items())
            write_whole(given["output"], table(("id", "label"), rows, Path(given["output"]).suffix))
        if given["history"]:
            write_whole(given["history"], table(HISTORY, result.history(), Path(given["history"]).suffix))

    return result, write


options = options_of(AdjudicateParameters, BallotReading, Reading)
command = WritingCommand(
    "adjudicate", [BALLOT_FILES, ALSO, *options, *OPTIONS], run, files=("output", "sheet", "history")
)
