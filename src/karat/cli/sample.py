"""`karat sample`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from karat.cli.command import KEY, RUNS_OF_KEY, StudyCommand, options_of, pick, runs_of
from karat.data.criteria import declared
from karat.data.provenance import Reading
from karat.errors import UsageError
from karat.files import is_file, write_whole
from karat.formats.writing import write_rows
from karat.studies.sample import Sampled, SampleParameters, sample

OUT = [
    click.Option(["--sheet"], type=click.Path(dir_okay=False), help="also write the sheet to fill in (.tsv, .csv)"),
    click.Option(["--force"], is_flag=True, help="overwrite an existing file with the sheet"),
    click.Option(
        ["--criterion"],
        multiple=True,
        metavar="NAME:LOW..HIGH[?OTHER>=N]",
        help="a criterion, as in justify; by default understandable and compelling",
    ),
]


def run(given: dict[str, Any]) -> Sampled:
    """Draw the pairs, and write the sheet if asked to."""
    asked = pick(SampleParameters, given)
    if not asked["judge"]:
        del asked["judge"]
    result = sample(runs_of(given), **asked)
    if given["sheet"]:
        columns = result.columns([scale.name for scale in declared(given["criterion"])])
        path = Path(given["sheet"])
        made = write_rows(columns, path.suffix)
        if is_file(path) and not given["force"]:
            raise UsageError(f"{path} already exists and may be filled in: name another file, or use --force")
        write_whole(path, made)
    return result


command = StudyCommand("sample", [KEY, RUNS_OF_KEY, *options_of(SampleParameters, Reading)], run, out=OUT)
