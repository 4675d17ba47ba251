"""The share of each label according to a judge, naive and corrected by people's labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.data.parameters import generator
from karat.data.result import Estimate
from karat.kernels.counting import divide
from karat.statistics import corrected_rates
from karat.statistics.multiple_testing import corrected
from karat.statistics.paired import mcnemar
from karat.studies.judge.parts import LabelRate, Rates

Codes = NDArray[np.integer]


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
) -> Rates:
    """Rates of all labels, from people's labels (unless tied) and the judge's verdicts.

    Units on which people are tied are neither labelled nor unlabelled. With `labelled`, people's labels are hidden on
    all but that many random units, to see how well the corrections do. The units kept are the first that the judge
    judged in one random order of all units, so that all judges have the same ones as far as possible.
    """
    shown = (majority >= 0) & (said >= 0)
    if 0 < labelled < shown.sum():
        order = generator(seed, "judge", "labelled").permutation(len(said))
        kept = order[shown[order]][:labelled]
        shown = np.zeros(len(said), dtype=bool)
        shown[kept] = True
        alone = (said >= 0) & ~shown & (~judged | (majority >= 0))
    else:
        alone = (said >= 0) & ~judged
    codes = np.arange(len(labels))[:, None]
    theirs, its = (majority[shown] == codes).astype(int), (said[shown] == codes).astype(int)
    both = np.stack([[((theirs == y) & (its == f)).sum(axis=1) for f in (0, 1)] for y in (0, 1)]).transpose(2, 0, 1)
    hits = (said[alone] == codes).sum(axis=1)
    unlabelled = np.stack([alone.sum() - hits, hits], axis=-1).astype(np.float64)
    tables = both.astype(np.float64)
    made = (
        corrected_rates.human(tables, level),
        corrected_rates.naive(tables, unlabelled, level),
        corrected_rates.naive(np.zeros_like(tables), unlabelled, level),
        corrected_rates.rogan_gladen(tables, unlabelled, level),
        corrected_rates.prediction_powered(tables, unlabelled, level, tuned=False),
        corrected_rates.prediction_powered(tables, unlabelled, level),
    )
    # The weight is undefined if the estimate is.
    weight = np.where(np.isnan(made[-1].value), np.nan, corrected_rates.power(tables, unlabelled))
    people_alone, together = corrected_rates.budget(tables, half_width, float((shown | alone).sum()), level)
    # Exact test on the units to which only one of the two gives the label.
    p = np.where(shown.any(), mcnemar(both[:, 0, 1], both[:, 1, 0]), np.nan)
    everybody = divide((majority == codes).sum(axis=1).astype(np.float64), np.asarray(float((majority >= 0).sum())))
    rows: list[list[Any]] = [[Estimate(*row) for row in np.stack(rate, axis=-1).tolist()] for rate in made]
    rows += [column.tolist() for column in (weight, people_alone, together, p)]
    return Rates(
        labelled=int(shown.sum()),
        unlabelled=int(alone.sum()),
        half_width=half_width,
        people=dict(zip(labels, everybody.tolist(), strict=True)),
        labels=[LabelRate(label, *row) for label, *row in zip(labels, *rows, strict=True)],
    )
