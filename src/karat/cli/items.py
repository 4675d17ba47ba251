"""`karat items`."""

from __future__ import annotations

from karat.cli.options import study_of_runs
from karat.studies import items as items  # files the study

command = study_of_runs("items")
