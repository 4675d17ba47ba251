"""`karat formats`."""

from __future__ import annotations

from karat.cli.options import StudyCommand
from karat.studies.catalogue import list_formats

command = StudyCommand("formats", [], lambda _: list_formats())
