"""The alternative-annotator test: can a judge replace a human annotator? (Calderon, Reichart and Dror 2025)

The people are left out one at a time. On each unit, the judge and the person left out are compared with the remaining
people: on nominal labels by how many of them agree, on ranks and amounts by the root mean squared difference from
them. The judge may be worse by epsilon, the price of a person's time.

The authors test the mean difference with Student's t, which rejects too often if judge and person seldom differ: with
30 units and epsilon .1, a judge that is worse by exactly epsilon passes in up to 18 % of data sets at the 5 % level.
Tango's score test estimates the error under the null hypothesis and keeps its level; with many units the two agree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat.arrays import Bools, Floats, Int32s, Ints
from karat.kernels.counting import divide
from karat.statistics.clusters import design_effect
from karat.statistics.multiple_testing import corrected
from karat.statistics.paired import score_p

ONE_SIDED = 0.9
"""The level of a two-sided interval whose upper end is a one-sided test at 5%."""


@dataclass(frozen=True, eq=False)
class AlternativeAnnotator:
    """How each judge compares with each person (judges, people); NaN if the two share too few units."""

    units: Ints
    """How many units were judged by the judge, the person and at least one other person."""
    advantage: Floats
    """The share of units on which the judge is at least as close to the others as the person is."""
    persons_advantage: Floats
    """The share of units on which the person is at least as close to the others as the judge is."""
    p: Floats
    """One-sided p of the null hypothesis that the judge is worse than the person by epsilon or more."""
    p_corrected: Floats
    """Corrected after Benjamini and Yekutieli, over all people tested and all judges together."""

    def winning_rate(self, level: float = 0.05) -> Floats:
        """The share of tested people that each judge can replace; a judge passes from one half on."""
        tested = ~np.isnan(self.p_corrected)
        return divide((self.p_corrected <= level).sum(axis=-1).astype(float), tested.sum(axis=-1).astype(float))

    @property
    def mean_advantage(self) -> Floats:
        """The mean of each judge's advantages over the tested people."""
        tested = (~np.isnan(self.p)).sum(axis=-1).astype(float)
        return divide(np.nansum(self.advantage, axis=-1), tested)


def alternative_annotator(
    people: Int32s,
    judges: Int32s,
    labels: int,
    epsilon: float = 0.2,
    fewest: int = 30,
    places: Floats | None = None,
    cluster: Ints | None = None,
) -> AlternativeAnnotator:
    """The test for judges (judges, units) against people (people, units), with -1 for missing labels.

    `places` are the positions of ordinal or numeric labels; without it labels are nominal. `cluster` numbers the
    clusters of units; the test then takes them for as many fewer independent units.
    """
    each = [compared(people, judge, labels, places) for judge in judges]
    fewer = np.stack([effect_of_clusters(*one, cluster) for one in each])
    size, ahead, behind = (np.stack([part.sum(axis=-1) for part in column]) for column in zip(*each, strict=True))
    return of_sums(size, ahead, behind, epsilon, fewest, fewer)


def of_sums(
    size: Ints, ahead: Ints, behind: Ints, epsilon: float, fewest: int, fewer: Floats | float = 1.0
) -> AlternativeAnnotator:
    """The test from the numbers of units compared, and of those where the judge is closer, or farther (judges, people).

    `fewer` says how many times fewer units count.
    """
    shared = np.where(size >= max(fewest, 2), size, np.nan)
    level = size - ahead - behind
    p = score_p(behind / fewer, ahead / fewer, shared / fewer, epsilon)
    return AlternativeAnnotator(size, (ahead + level) / shared, (behind + level) / shared, p, corrected(p, "by"))


def effect_of_clusters(usable: Bools, ahead: Bools, behind: Bools, cluster: Ints | None) -> Floats:
    """How many times fewer units count for each person (people,); NaN with one cluster."""
    won = ahead.astype(np.float64) - behind
    mean = won.sum(axis=-1, keepdims=True) / np.maximum(usable.sum(axis=-1, keepdims=True), 1)
    effect = design_effect(np.where(usable, won - mean, 0.0), cluster, ONE_SIDED, usable).whole
    return np.broadcast_to(np.where(effect > 0, effect, np.nan), len(usable))


def compared(people: Int32s, judge: Int32s, labels: int, places: Floats | None) -> tuple[Bools, Bools, Bools]:
    """For each person (people, units): the units compared, and where the judge is closer to the others, or farther.

    The smaller root mean squared difference belongs to whoever is nearer to the mean.
    """
    usable = (people >= 0) & (judge >= 0) & ((people >= 0).sum(axis=0) >= 2)
    if places is None:
        person, unit = np.nonzero(people >= 0)
        size = people.shape[1] * labels
        said = np.bincount(unit * labels + people[person, unit], minlength=size).reshape(-1, labels)
        at = np.arange(people.shape[1])
        # How many of the others agree with the person, less how many agree with the judge.
        apart = said[at, np.maximum(people, 0)] - 1.0 - said[at, np.maximum(judge, 0)] + (people == judge)
        rounding = 0.5
    else:
        said = np.where(people >= 0, places[people], 0.0)
        mean = divide(said.sum(axis=0) - said, ((people >= 0).sum(axis=0) - (people >= 0)).astype(np.float64))
        apart = np.abs(places[judge] - mean) - np.abs(said - mean)
        rounding = 1e-9 * float(np.ptp(places)) if len(places) else 0.0
    ahead, behind = (usable & (side > rounding) for side in (-apart, apart))
    return usable, ahead, behind
