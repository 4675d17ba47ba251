"""`karat prefer`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.command import StudyCommand, options_of, pick
from karat.data.provenance import PreferenceReading
from karat.formats.preference_table import read_preferences
from karat.studies.prefer.result import Preferred
from karat.studies.prefer.study import PreferParameters, prefer

PREFERENCES = click.Argument(["preferences"], type=click.Path(), nargs=-1, required=True, metavar="PREFERENCES...")


def run(given: dict[str, Any]) -> Preferred:
    """Read the preferences, and rank the runs."""
    preferences = read_preferences(given["preferences"], **pick(PreferenceReading, given))
    return prefer(preferences, **pick(PreferParameters, given))


command = StudyCommand("prefer", [PREFERENCES, *options_of(PreferParameters, PreferenceReading)], run)
