"""`karat formats`."""

from __future__ import annotations

from karat.cli.options import make_command
from karat.studies.catalogue import list_formats

command = make_command("formats", [], lambda _: list_formats())
