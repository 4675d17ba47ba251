"""`karat sheet`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from karat.cli.command import options_of, pick
from karat.cli.writing import WritingCommand, check_new
from karat.data.provenance import Reading
from karat.errors import UsageError
from karat.files import is_file
from karat.formats.pairs import read_pairs
from karat.formats.writing import write_sheet
from karat.studies.sheet import SheetParameters, Sheets, sheet

PAIRS = click.Argument(["pairs"], type=click.Path(), metavar="PAIRS")
OUT = [
    click.Option(
        ["--output", "-o"], type=click.Path(file_okay=False), metavar="FOLDER", help="write one file per assessor here"
    ),
    click.Option(
        ["--ending"],
        type=click.Choice(["csv", "tsv", "xlsx"]),
        default="csv",
        show_default=True,
        help="the kind of files; a spreadsheet (xlsx) offers the labels, and needs openpyxl (karat[excel])",
    ),
]


def run(given: dict[str, Any]) -> tuple[Sheets, Callable[[], None]]:
    """Read the pairs, deal them out, and write the sheets."""
    pairs = read_pairs(given["pairs"], **pick(Reading, given))
    result = sheet(pairs, **pick(SheetParameters, given))

    def write() -> None:
        if not given["output"]:
            return
        folder = Path(given["output"])
        if is_file(folder):
            raise UsageError(f"{folder} is a file: name a folder, in which every assessor has a file")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot write {folder}: {error.strerror}") from None
        files = {row.assessor: folder / f"{row.assessor}.{given['ending']}" for row in result.assessors}
        for file in files.values():  # all, before the first is written
            check_new(str(file), given["force"])
        for row in result.assessors:
            write_sheet(files[row.assessor], result.columns(pairs, row), {"label": result.labels, "comment": []})

    return result, write


command = WritingCommand("sheet", [PAIRS, *options_of(SheetParameters, Reading), *OUT], run, files=())
