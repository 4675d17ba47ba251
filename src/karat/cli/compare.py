"""`karat compare`."""

from __future__ import annotations

from typing import Any

from karat.cli.options import StudyCommand, options_of, pick
from karat.cli.score_matrix import KEY_OR_NONE, RUNS_OR_NONE, SCORES, runs_of
from karat.data.reading import Reading
from karat.studies.compare.result import Comparison
from karat.studies.compare.study import CompareParameters, compare


def run(given: dict[str, Any]) -> Comparison:
    """Read what was named, and compare."""
    return compare(runs_of(given), **pick(CompareParameters, given))


command = StudyCommand("compare", [KEY_OR_NONE, RUNS_OR_NONE, *SCORES, *options_of(CompareParameters, Reading)], run)
