"""`karat engines`."""

from __future__ import annotations

from karat.cli.options import make_command
from karat.studies.engine_catalogue import list_engines

command = make_command("engines", [], lambda _: list_engines())
