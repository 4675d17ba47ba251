"""`karat items`."""

from __future__ import annotations

from karat.cli.options import study_of_runs

command = study_of_runs("items")
