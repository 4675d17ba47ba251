"""Studies of large Parquet files part by part, against polars and numpy with everything in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars

from benchmarks.scale_studies import ballots, scores
from benchmarks.timing import Row, best, no_slower, same
from karat.data.coincidences import BallotPatterns
from karat.formats.ballot_parts import read_ballot_parts
from karat.formats.score_parts import read_score_parts
from karat.statistics.right_sums import RightSums
from karat.studies.agree.pairs import added_up
from karat.studies.compare.in_parts import right_sums

RUNS, UNITS, JUDGED = 300, 100_000, 400_000


def run(folder: Path) -> list[Row]:
    """The sums that `compare` and `agree` are made of."""
    matrix = scores(folder / "scores.parquet", RUNS, UNITS)

    def of_scores() -> RightSums:
        parts = read_score_parts(matrix, least=0)
        assert parts is not None
        found = right_sums(parts)
        assert found is not None
        return found

    def gram() -> np.ndarray:
        values = polars.read_parquet(matrix).drop("unit").to_numpy().astype(np.float32)
        return values.T @ values

    same("X·Xᵀ", of_scores().both, gram())
    votes = ballots(folder / "ballots.parquet", JUDGED)

    def of_ballots() -> BallotPatterns:
        parts = read_ballot_parts(votes, least=0)
        assert parts is not None
        held, _ = added_up(parts)
        assert not hasattr(held, "unit")
        return held.patterns

    def grouped() -> polars.DataFrame:
        counted = polars.col("label").cast(polars.String)
        labels = ("CONTRADICTION", "ENTAILMENT", "UNKNOWN")
        each = polars.read_parquet(votes).group_by("unit").agg(*((counted == one).sum().alias(one) for one in labels))
        return each.group_by(labels).len().sort("len")

    same("patterns", np.sort(of_ballots().times), grouped()["len"].to_numpy())
    return [
        no_slower(
            f"parts: {RUNS} runs × {UNITS:,} units from Parquet, checked and added up (peer: polars, then X·Xᵀ)",
            best(of_scores, 2, warm=False),
            best(gram, 2, warm=False),
            10,
        ),
        no_slower(
            f"parts: {5 * JUDGED:,} ballots from Parquet, checked, patterns and common units (peer: polars, patterns)",
            best(of_ballots, 2, warm=False),
            best(grouped, 2, warm=False),
            30,
        ),
    ]
