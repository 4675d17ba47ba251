"""The share of each label according to a judge, corrected by people's labels on some of the units."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bools, Floats, Ints
from karat.data.fields import Missing
from karat.data.parameters import generator
from karat.data.result import Estimate
from karat.data.scores import shared_clusters
from karat.kernels.counting import divide
from karat.statistics import corrected_rates
from karat.statistics.clusters import ONE, Effect, design_effect, widened
from karat.statistics.corrected_rates import RateInterval
from karat.statistics.intervals import holding
from karat.statistics.multiple_testing import corrected
from karat.statistics.paired import EXACT_WORK, Paired, exact_randomisation, exact_work, mcnemar, paired_t
from karat.studies.judge.parts import LabelRate, Rates

Codes = NDArray[np.integer]
IN_CLUSTERS = "units are in clusters, and how many are needed depends on how those are chosen"


def over_judges(made: Sequence[Rates]) -> list[Rates]:
    """The rates with p corrected over the labels of all judges; two labels are a single test."""
    raw = np.array([[label.p for label in rates.labels] for rates in made])
    p = np.broadcast_to(corrected(raw[:, :1] if raw.shape[1] == 2 else raw, "holm"), raw.shape).tolist()
    return [
        replace(rates, labels=[replace(label, p=one) for label, one in zip(rates.labels, row, strict=True)])
        for rates, row in zip(made, p, strict=True)
    ]


def rates(
    majority: Codes,
    said: Codes,
    judged: NDArray[np.bool_],
    labels: tuple[str, ...],
    *,
    labelled: int,
    half_width: float,
    level: float,
    seed: int,
    cluster: Ints | None = None,
    times: Ints | None = None,
) -> Rates:
    """Rates of all labels, from people's labels (unless tied) and the judge's verdicts.

    Units on which people are tied are neither labelled nor unlabelled. With `labelled`, people's labels are hidden on
    all but that many random units, to see how well the corrections do. The units kept are the first that the judge
    judged in one random order of all units, so that all judges have the same ones as far as possible. Intervals and
    tests are over clusters of units if there are any. Each unit stands for so many (`times`), by
    default one.
    """
    many = np.ones(len(said), dtype=np.int64) if times is None else times
    shown = (majority >= 0) & (said >= 0)
    if 0 < labelled < many[shown].sum():
        order = generator(seed, "judge", "labelled").permutation(len(said))
        kept = order[shown[order]][:labelled]
        shown = np.zeros(len(said), dtype=bool)
        shown[kept] = True
        alone = (said >= 0) & ~shown & (~judged | (majority >= 0))
    else:
        alone = (said >= 0) & ~judged
    codes = np.arange(len(labels))[:, None]
    theirs, its = (majority[shown] == codes).astype(int), (said[shown] == codes).astype(int)
    both = np.stack([[((theirs == y) & (its == f)) @ many[shown] for f in (0, 1)] for y in (0, 1)]).transpose(2, 0, 1)
    hits = (said[alone] == codes) @ many[alone]
    unlabelled = np.stack([many[alone].sum() - hits, hits], axis=-1).astype(np.float64)
    tables = both.astype(np.float64)
    moves = Moves(majority == codes, said == codes, shown, alone, cluster, level)
    nobody, naive = np.zeros_like(tables), partial(corrected_rates.naive, level=level)
    powered = partial(corrected_rates.prediction_powered, level=level)
    weight = corrected_rates.power(tables, unlabelled)
    made = (
        over_clusters(lambda both, _: corrected_rates.human(both, level), tables, unlabelled, moves.human()),
        over_clusters(naive, tables, unlabelled, moves.judge(shown | alone)),
        over_clusters(naive, nobody, unlabelled, moves.judge(alone)),
        over_clusters(partial(corrected_rates.rogan_gladen, level=level), tables, unlabelled, moves.rogan_gladen()),
        over_clusters(partial(powered, tuned=False), tables, unlabelled, moves.powered(np.ones(len(labels)))),
        over_clusters(powered, tables, unlabelled, moves.powered(weight)),
    )
    # The weight is undefined if the estimate is.
    weight = np.where(np.isnan(made[-1].value), np.nan, weight)
    people_alone, together = corrected_rates.budget(tables, half_width, float(many[shown | alone].sum()), level)
    p = _tested(theirs, its, many[shown], None if cluster is None else shared_clusters(cluster[shown].tolist()))
    everybody = divide(((majority == codes) @ many).astype(np.float64), np.asarray(float(many[majority >= 0].sum())))
    rows: list[list[Any]] = [[Estimate(*row) for row in np.stack(rate, axis=-1).tolist()] for rate in made]
    rows.append(weight.tolist())
    unknown = [Missing(IN_CLUSTERS)] * len(labels)
    rows += [column.tolist() if cluster is None else unknown for column in (people_alone, together)]
    rows.append(p.tolist())
    return Rates(
        labelled=int(many[shown].sum()),
        unlabelled=int(many[alone].sum()),
        half_width=half_width,
        people=dict(zip(labels, everybody.tolist(), strict=True)),
        labels=[LabelRate(label, *row) for label, *row in zip(labels, *rows, strict=True)],
    )


def _tested(theirs: Ints, its: Ints, times: Ints, cluster: Ints | None) -> Floats:
    """p (labels) of people and judge giving a label equally often, from 0 and 1 (labels, units) on common units.

    The exact test on the units to which only one of the two gives the label; over clusters, that of flipping whole
    clusters, or a t test if they are too many to count all flips.
    """
    if not theirs.shape[1]:
        return np.full(len(theirs), np.nan)
    if cluster is None:
        return np.asarray(mcnemar((theirs < its) @ times, (theirs > its) @ times))
    p, one, other = [], np.array([0]), np.array([1])
    for both in zip(theirs, its, strict=True):
        paired = Paired.of(np.stack(both).astype(np.float64), one, other, cluster)
        test = exact_randomisation if exact_work(paired) <= EXACT_WORK else paired_t
        p.append(float(test(paired)[0]) if paired.clusters > 1 else float("nan"))
    return np.array(p)


def over_clusters(
    estimate: Callable[[Floats, Floats], RateInterval], both: Floats, alone: Floats, effect: Effect
) -> RateInterval:
    """A share with its interval, in which units count for as many fewer as clusters make them."""

    def ends(fewer: Floats) -> tuple[Floats, Floats]:
        found = estimate(both / fewer[..., None, None], alone / fewer[..., None])
        return holding(value, (found.low, found.high))

    found = estimate(both, alone)
    value = found.value
    return found if effect is ONE else RateInterval(value, *widened(effect, ends))


class Moves:
    """The effect of clusters on the shares of labels (labels): from what each unit adds to an estimate.

    `theirs` and `its` (labels, units) say who gives a label. A cluster may have units that people judged and others,
    so that both kinds are added up within it.
    """

    def __init__(
        self, theirs: Bools, its: Bools, shown: Bools, alone: Bools, cluster: Ints | None, level: float
    ) -> None:
        self.theirs, self.its = theirs.astype(np.float64), its.astype(np.float64)
        self.shown, self.alone = shown, alone
        self.cluster, self.level = cluster, level

    def human(self) -> Effect:
        """On people's share."""
        return self._effect(_apart(self.theirs, self.shown), self.shown)

    def judge(self, among: Bools) -> Effect:
        """On the judge's share among some units."""
        return self._effect(_apart(self.its, among), among)

    def powered(self, weight: Floats) -> Effect:
        """On the prediction-powered share, with the judge at this weight."""
        left = _apart(self.theirs - weight[:, None] * self.its, self.shown) / max(int(self.shown.sum()), 1)
        right = weight[:, None] * _apart(self.its, self.alone) / max(int(self.alone.sum()), 1)
        return self._effect(left + right, self.shown | self.alone)

    def rogan_gladen(self) -> Effect:
        """On the share corrected by sensitivity and specificity."""
        has, lacks = (self.shown & (self.theirs == one) for one in (1, 0))
        hit, false = (_mean(self.its, some) for some in (has, lacks))
        share = divide(_mean(self.its, self.alone) - false, hit - false)[:, None]
        moved = _apart(self.its, self.alone) / max(int(self.alone.sum()), 1)
        for part, times in ((has, -share), (lacks, share - 1)):
            moved = moved + times * _apart(self.its, part) / np.maximum(part.sum(axis=1, keepdims=True), 1)
        return self._effect(np.nan_to_num(moved), self.shown | self.alone)

    def _effect(self, moved: Floats, counted: Bools) -> Effect:
        return design_effect(moved, self.cluster, self.level, counted)


def _mean(values: Floats, among: Bools) -> Floats:
    """The mean of values (labels, units) among some units, of all labels or of each."""
    inside = np.broadcast_to(among, values.shape)
    return divide(np.where(inside, values, 0.0).sum(axis=1), inside.sum(axis=1).astype(np.float64))


def _apart(values: Floats, among: Bools) -> Floats:
    """The difference of values (labels, units) from their mean among some units; 0 for the others."""
    return np.where(among, values - np.nan_to_num(_mean(values, among))[:, None], 0.0)
