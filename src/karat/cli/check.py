"""`karat check`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.options import KEY, OUTPUT, RUNS, options_of, pick, show, write
from karat.data.reading import Reading
from karat.errors import summary
from karat.studies.check import check


def run(**given: Any) -> None:
    """Check, show, and say by the exit status whether there were errors."""
    result = check(given["key"], given["runs"], **pick(Reading, given))
    if given["format"] == "text":
        shown = [one for one in result.problems if one.severity == "error" or not given["quiet"]]
        lines = [summary(shown)] if shown else []
        write("\n".join([*lines, *result.findings()]) + "\n", given["output"])
    else:
        show(result, given)
    if result.failed:
        raise click.exceptions.Exit(1)


command = click.Command("check", params=[KEY, RUNS, *options_of(Reading), *OUTPUT], callback=run)
