"""Three answers from one score: entailment above a threshold, contradiction within a band, all learnt together."""

from __future__ import annotations

import msgspec
import numpy as np

from karat.arrays import Bools, Floats, Ints
from karat.engines.learning.threshold import CONTRADICTION, ENTAILMENT, UNKNOWN, Codes, between, distinct, plateau

ALIKE = 1e-9
"""Values closer than this are equal."""


class ThreeWay(msgspec.Struct, frozen=True):
    """Contradiction from `low` up to below `high` where there is a cue; else entailment from a threshold on.

    An end of the band that is `None` is open; a model that never contradicts says so.
    """

    entailment: float
    value: float
    """The share of the training pairs answered right."""
    contradicts: bool = False
    low: float | None = None
    high: float | None = None

    def decide(self, scores: Floats, cue: Bools | None = None) -> Codes:
        """Three-way codes; nothing contradicts where there is no cue."""
        codes = np.where(scores >= self.entailment, ENTAILMENT, UNKNOWN).astype(np.int8)
        if not self.contradicts or cue is None:
            return codes
        band = cue.copy()
        if self.low is not None:
            band &= scores >= self.low
        if self.high is not None:
            band &= scores < self.high
        codes[band] = CONTRADICTION
        return codes


def learn_band(scores: Floats, codes: Codes, cue: Bools, least: float = 1.0) -> ThreeWay:
    """The best threshold and the best band together, where only pairs with a cue can contradict.

    For every threshold the band is the run of cued scores that gains most, be it above the threshold or below: what
    contradicts is often worded much like what it denies. Where a band gains less than `least` over the best threshold
    alone, nothing contradicts.
    """
    cuts, allowed, below = _cuts(scores, codes)
    single = np.where(allowed, below[-1, ENTAILMENT] - below[:, ENTAILMENT] + below[:, UNKNOWN], -np.inf)
    cued, where = np.unique(scores[cue], return_inverse=True)
    tallies = np.zeros((len(cued), 3))
    np.add.at(tallies, where, _worth(codes)[cue])
    gained, first, last = _best_bands(cued, tallies, cuts)
    together = single + gained
    total = max(float(below[-1].sum()), ALIKE)
    if together.max() < single.max() + max(least - ALIKE, ALIKE):
        return ThreeWay(float(cuts[_choose(single, allowed, cuts)]), float(single.max()) / total)
    place = _choose(together, allowed, cuts)
    edges = between(cued)
    start, stop = int(first[place]), int(last[place]) + 1
    low = None if start == 0 else float(edges[start])
    high = None if stop == len(cued) else float(edges[stop])
    return ThreeWay(float(cuts[place]), float(together.max()) / total, True, low, high)


def _cuts(scores: Floats, codes: Codes) -> tuple[Floats, Bools, Floats]:
    """The thresholds, which of them part unequal scores, and what each answer to all below is worth (cuts, answers)."""
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    below = np.concatenate([np.zeros((1, 3)), np.cumsum(_worth(codes)[order], axis=0)])
    return between(ordered), distinct(ordered), below


def _worth(codes: Codes) -> Floats:
    return np.eye(3)[codes]


def _choose(values: Floats, allowed: Bools, cuts: Floats) -> int:
    return int(plateau(values >= values.max() - ALIKE, allowed, cuts))


def _best_bands(cued: Floats, tallies: Floats, cuts: Floats) -> tuple[Floats, Ints, Ints]:
    """For each threshold the run of cued scores that gains most if it contradicts: its gain, first and last place.

    Of equals the first that ends; a gain of 0 is of no run at all.
    """
    best, running = np.zeros(len(cuts)), np.zeros(len(cuts))
    first, last, start = (np.zeros(len(cuts), dtype=np.int64) for _ in range(3))
    for place, (score, (if_entailed, if_unknown, if_contradicted)) in enumerate(zip(cued, tallies, strict=True)):
        gain = if_contradicted - np.where(score >= cuts, if_entailed, if_unknown)
        fresh = running <= ALIKE
        start = np.where(fresh, place, start)
        running = np.where(fresh, 0.0, running) + gain
        better = running > best + ALIKE
        best = np.where(better, running, best)
        first, last = np.where(better, start, first), np.where(better, place, last)
    return best, first, last
