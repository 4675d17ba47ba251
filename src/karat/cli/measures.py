"""`karat measures`."""

from __future__ import annotations

from karat.cli.options import make_command
from karat.studies.catalogue import list_measures

command = make_command("measures", [], lambda _: list_measures())
