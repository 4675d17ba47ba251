"""`karat report`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.options import COMMON, KEY, RUNS, options_of, pick, show
from karat.data.reading import Reading
from karat.errors import UsageError
from karat.formats import read_pairs, read_runs
from karat.formats.ballots import read_ballots
from karat.formats.decomposed import read_decomposition
from karat.formats.justification_ratings import read_justifications
from karat.studies.report.parameters import ReportParameters
from karat.studies.report.study import report

FILES = [
    click.Option(["--ballots"], type=click.Path(), help="who labelled what: agreement, and other keys"),
    click.Option(["--decomposed"], type=click.Path(), help="a decomposed test set: what runs fail at"),
    click.Option(["--decomposed-runs"], type=click.Path(), multiple=True, help="the runs on it"),
    click.Option(["--ratings"], type=click.Path(), help="people's ratings of the runs' justifications"),
]


def call(**given: Any) -> None:
    """Read what there is, make every section that it allows, and write the page."""
    reading = pick(Reading, given)
    key = read_pairs(given["key"], **reading)
    nouns: dict[str, Any] = {"runs": read_runs(given["runs"], key, **reading)}
    if bool(given["decomposed"]) != bool(given["decomposed_runs"]):
        raise UsageError("a diagnosis needs both: --decomposed FILE --decomposed-runs RUN")
    if given["ballots"]:
        nouns["ballots"] = read_ballots(given["ballots"], key)
    if given["decomposed"]:
        nouns["decomposed"] = read_decomposition(given["decomposed"])
        nouns["decomposed_runs"] = read_runs(list(given["decomposed_runs"]), nouns["decomposed"].pairs)
    if given["ratings"]:
        nouns["ratings"] = read_justifications([given["ratings"]])
    result = report(key, nouns.pop("runs"), **nouns, **pick(ReportParameters, given))
    show(result, given)
    if given["output"] and not given["quiet"]:
        click.echo(f"Written: {given['output']}. Open it in any browser.", err=True)


def _common() -> list[click.Option]:
    """The common options; a report is a page where nothing else is said."""
    form = click.Option(["--format"], type=COMMON[0].type, default="html", show_default=True, help="form of the output")
    return [form, *(option for option in COMMON if option.name != "format")]


command = click.Command(
    "report", params=[KEY, RUNS, *options_of(ReportParameters, Reading), *FILES, *_common()], callback=call
)
