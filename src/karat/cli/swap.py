"""`karat swap`."""

from __future__ import annotations

from typing import Any

from karat.cli.options import StudyCommand, options_of, pick
from karat.cli.score_matrix import KEY_OR_NONE, RUNS_OR_NONE, SCORES, runs_of
from karat.data.reading import Reading
from karat.studies.swap.parameters import SwapParameters
from karat.studies.swap.result import Swap
from karat.studies.swap.study import swap


def run(given: dict[str, Any]) -> Swap:
    """Read what was named, and count swaps."""
    return swap(runs_of(given), **pick(SwapParameters, given))


command = StudyCommand("swap", [KEY_OR_NONE, RUNS_OR_NONE, *SCORES, *options_of(SwapParameters, Reading)], run)
