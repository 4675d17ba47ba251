"""`karat justify`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.command import command_of, file_option, pick, runs_of
from karat.data.parameters import parameters
from karat.data.provenance import RatingReading, Reading
from karat.errors import UsageError
from karat.files import is_file
from karat.formats.judge_table import read_judges
from karat.formats.justification_ratings import holds_ratings, read_justifications

RATINGS = click.Argument(["ratings"], type=click.Path(), metavar="RATINGS")
KEY = click.Argument(["key"], type=click.Path(), required=False, metavar="[KEY")
RUNS = click.Argument(["runs"], type=click.Path(), nargs=-1, metavar="RUN...]")
FILES = [
    file_option("also", "a further file of ratings", many=True, metavar="FILE"),
    file_option("judges", "a table of judges: their attributes and a closing summary"),
]
OUT = [
    click.Option(["--scores-out"], type=click.Path(), help="also write a score matrix, runs × pairs, of all criteria"),
    click.Option(
        ["--weight"],
        multiple=True,
        metavar="CRITERION=W",
        help="weight of a criterion in that matrix; by default 1 for each, and if any is given 0 for the others",
    ),
]


def nouns(given: dict[str, Any]) -> dict[str, Any]:
    """The ratings and, if given, the runs with their key and the judges."""
    asked = pick(RatingReading, given)
    _refuse_swapped(given, parameters(RatingReading, asked))
    if given["key"] and not given["runs"]:
        raise UsageError("a key without runs is of no use here: give the runs too, RATINGS KEY RUN...")
    return {
        "ratings": read_justifications([given["ratings"], *given["also"]], **asked),
        "runs": runs_of(given) if given["key"] else None,
        "judges": read_judges(given["judges"]) if given["judges"] else None,
    }


def _weights(given: tuple[str, ...]) -> dict[str, float] | None:
    """The weights of criteria from NAME=W; None if there are none."""
    weights = {}
    for spelled in given:
        name, _, number = spelled.rpartition("=")
        try:
            weights[name] = float(number)
        except ValueError:
            raise UsageError(f"--weight {spelled}: write CRITERION=NUMBER, such as compelling=2") from None
    return weights or None


def _refuse_swapped(given: dict[str, Any], reading: RatingReading) -> None:
    """Say so if a key or run is given in place of the ratings, instead of listing its problems as ratings."""
    others = [name for name in (given["key"], *given["runs"]) if name and is_file(name)]
    if not others or holds_ratings(given["ratings"], reading):
        return
    found = next((name for name in others if holds_ratings(name, reading)), None)
    if found is not None:
        raise UsageError(
            f"the files are swapped: {found} contains ratings, and {given['ratings']}, given in their place, does "
            "not; write RATINGS KEY RUN..."
        )


command = command_of(
    "justify",
    nouns,
    [RATINGS, KEY, RUNS, *FILES],
    RatingReading,
    Reading,
    out=OUT,
    scores=lambda result, given: result.scores(_weights(given["weight"])),
)
