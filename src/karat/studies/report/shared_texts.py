"""Pairs that share a text: how many there are, and how much wider intervals are if such pairs are not independent."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from karat.arrays import NAN, Floats, Ints
from karat.data.fields import Why
from karat.data.pairs import TEXT
from karat.data.scores import cluster_numbers
from karat.studies.report.evidence import Evidence


@dataclass(frozen=True)
class SharedTexts:
    """Pairs whose text is that of another pair, too."""

    pairs: int
    texts: int
    """The number of different texts of all pairs."""
    times_as_wide: Annotated[float, Why("no run is right on some of these pairs and wrong on others")]
    """The width of an interval by texts over that of one by pairs, for the accuracy of a run: the median over runs."""


def shared_texts(evidence: Evidence) -> SharedTexts | None:
    """The pairs that share a text; None if there are none."""
    key = evidence.key
    if key is None or not any(key.texts):
        return None
    clusters = key.clusters(TEXT)
    times = Counter(clusters)
    sharing = sum(one is not None and times[one] > 1 for one in clusters)
    if not sharing:
        return None
    wide = NAN
    if evidence.leading is not None and not key.blind:
        wide = times_as_wide(evidence.leading.right(evidence.way).values, cluster_numbers(clusters))
    return SharedTexts(sharing, len(times.keys() - {None}), wide)


def times_as_wide(values: Floats, clusters: Ints) -> float:
    """The standard error of a mean over clusters over that of independent units, the median over rows of values."""
    known = ~np.isnan(values)
    means = np.where(known, values, 0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    errors = np.where(known, values - means[:, None], 0.0)
    squares = (errors**2).sum(axis=1)
    together = np.array([(np.bincount(clusters, row) ** 2).sum() for row in errors])
    ratios = np.sqrt(together[squares > 0] / squares[squares > 0])
    return float(np.median(ratios)) if len(ratios) else NAN
