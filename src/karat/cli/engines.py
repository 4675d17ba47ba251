"""`karat engines`."""

from __future__ import annotations

from karat.cli.options import StudyCommand
from karat.studies.engine_catalogue import list_engines

command = StudyCommand("engines", [], lambda _: list_engines())
