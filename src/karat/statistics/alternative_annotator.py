"""The alternative-annotator test: may a judge stand in for a person? (Calderon, Reichart and Dror 2025)

One person is left out at a time. On each unit, whoever agrees with more of the remaining people, the judge or the
person left out, is as good or better; the judge may be worse by epsilon, the price of a person's time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from karat.kernels.arithmetic import divide
from karat.statistics.corrections import corrected

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class AlternativeAnnotator:
    """For each person (people): how the judge compares with him. NaN where he shares too few units."""

    units: NDArray[np.int64]
    """How many units he, the judge and another person judged."""
    advantage: Floats
    """How often the judge agrees with the others at least as much as he does."""
    persons_advantage: Floats
    """How often he agrees with the others at least as much as the judge does."""
    p: Floats
    """One-sided: the judge is worse than he is by epsilon or more."""
    p_corrected: Floats
    """After Benjamini and Yekutieli, over the people tested."""

    def winning_rate(self, level: float = 0.05) -> float:
        """The share of people tested whom the judge may replace; from one half on, it passes."""
        tested = ~np.isnan(self.p_corrected)
        return float(divide((self.p_corrected[tested] <= level).sum().astype(float), tested.sum().astype(float)))

    @property
    def mean_advantage(self) -> float:
        """The mean of the advantages over the people tested."""
        tested = ~np.isnan(self.p)
        return float(self.advantage[tested].mean()) if tested.any() else float("nan")


def alternative_annotator(
    people: Codes, judge: Codes, labels: int, epsilon: float = 0.2, fewest: int = 30
) -> AlternativeAnnotator:
    """The test for one judge (units) against people (persons, units); -1 where nothing was said."""
    from scipy.special import stdtr

    # The label "none" has a column of its own, dropped at once, so that -1 indexes something harmless.
    said = np.eye(labels + 1)[people][..., :labels]
    counts = said.sum(axis=0)
    usable = (people >= 0) & (judge >= 0) & (counts.sum(axis=-1) >= 2)
    others = counts - said
    judges = np.take_along_axis(others, np.broadcast_to(np.maximum(judge, 0), people.shape)[..., None], axis=-1)[..., 0]
    theirs = np.take_along_axis(others, np.maximum(people, 0)[..., None], axis=-1)[..., 0]
    size = usable.sum(axis=-1)
    tested = size >= max(fewest, 2)
    shared = np.where(tested, size, 0).astype(np.float64)
    ahead = divide((usable & (judges >= theirs)).sum(axis=-1).astype(np.float64), shared)
    behind = divide((usable & (theirs >= judges)).sum(axis=-1).astype(np.float64), shared)
    apart = np.where(usable, np.sign(theirs - judges), 0.0)
    mean = divide(apart.sum(axis=-1), shared)
    squares = (np.where(usable, (apart - np.nan_to_num(mean)[:, None]) ** 2, 0.0)).sum(axis=-1)
    error = np.sqrt(divide(squares, shared * np.maximum(shared - 1, 1)))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (mean - epsilon) / error
    # Without any variation the mean itself decides.
    certain = np.where(mean < epsilon, 0.0, 1.0)
    p = np.where(error > 0, stdtr(np.maximum(shared - 1, 1), np.where(error > 0, t, 0.0)), certain)
    p = np.where(tested, p, np.nan)
    return AlternativeAnnotator(size, ahead, behind, p, corrected(p, "by"))
