"""How much the swap method compares, by karat's own count of swaps on runs that it was given."""

from __future__ import annotations

import numpy as np

from karat.data.scores import Scores
from karat.studies.swap.study import swap


def swap_figure(of: str, runs: int, units: int) -> float:
    """Sizes, pairs of runs or comparisons of the study with its defaults, which are the paper's."""
    values = np.random.default_rng(0).integers(0, 2, (runs, units)).astype(float)
    named = Scores(tuple(f"run{run}" for run in range(runs)), tuple(f"series{unit}" for unit in range(units)), values)
    made = swap(named, replicates=2)
    match of:
        case "sizes":
            return len(made.sizes)
        case "pairs":
            return made.comparisons / len(made.sizes) / made.trials
        case "comparisons":
            return made.comparisons
    raise KeyError(of)
