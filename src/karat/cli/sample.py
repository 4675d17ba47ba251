"""`karat sample`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from karat.cli.command import KEY, RUNS_OF_KEY, StudyCommand, options_of, pick, runs_of
from karat.cli.writing import FORCE, check_new
from karat.data.criteria import declared
from karat.data.provenance import Reading
from karat.files import write_whole
from karat.formats.writing import write_rows
from karat.studies.sample import Sampled, SampleParameters, sample

OUT = [
    click.Option(["--sheet"], type=click.Path(dir_okay=False), help="also write the sheet to fill in (.tsv, .csv)"),
    FORCE,
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
        check_new(given["sheet"], given["force"])
        write_whole(given["sheet"], write_rows(columns, Path(given["sheet"]).suffix))
    return result


command = StudyCommand("sample", [KEY, RUNS_OF_KEY, *options_of(SampleParameters, Reading)], run, out=OUT)
