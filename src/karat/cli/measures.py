"""`karat measures`."""

from __future__ import annotations

from karat.cli.options import StudyCommand
from karat.studies.catalogue import list_measures

command = StudyCommand("measures", [], lambda _: list_measures())
