"""`karat justify`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.command import StudyCommand, file_option, options_of, pick, runs_of
from karat.data.parameters import parameters
from karat.data.provenance import RatingReading, Reading
from karat.errors import UsageError
from karat.files import is_file
from karat.formats.judge_table import read_judges
from karat.formats.justification_ratings import holds_ratings, read_justifications
from karat.studies.justify.parameters import JustifyParameters
from karat.studies.justify.result import Justified
from karat.studies.justify.study import justify

RATINGS = click.Argument(["ratings"], type=click.Path(), metavar="RATINGS")
KEY = click.Argument(["key"], type=click.Path(), required=False, metavar="[KEY")
RUNS = click.Argument(["runs"], type=click.Path(), nargs=-1, metavar="RUN...]")
FILES = [
    file_option("also", "a further file of ratings", many=True, metavar="FILE"),
    file_option("judges", "a table of judges: their attributes and a closing summary"),
]


def run(given: dict[str, Any]) -> Justified:
    """Read the ratings and, if given, the key and runs."""
    asked = pick(RatingReading, given)
    _refuse_swapped(given, parameters(RatingReading, asked))
    if given["key"] and not given["runs"]:
        raise UsageError("a key without runs is of no use here: give the runs too, RATINGS KEY RUN...")
    nouns: dict[str, Any] = {}
    ratings = read_justifications([given["ratings"], *given["also"]], **asked)
    if given["key"]:
        nouns["runs"] = runs_of(given)
    if given["judges"]:
        nouns["judges"] = read_judges(given["judges"])
    return justify(ratings, **pick(JustifyParameters, given), **nouns)


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


command = StudyCommand(
    "justify", [RATINGS, KEY, RUNS, *FILES, *options_of(JustifyParameters, RatingReading, Reading)], run
)
