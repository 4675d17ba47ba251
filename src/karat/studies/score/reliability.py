"""Reliability: is a run as often right as it says it is sure?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats
from karat.data.responses import Responses
from karat.data.result import Estimate
from karat.data.shown import Cell, Shown
from karat.errors import NotApplicable
from karat.kernels.random import generator
from karat.labels import THREE, TWO, fold
from karat.statistics.poisson_binomial import Count
from karat.statistics.wilson import wilson
from karat.studies.wording import Ends

BINS = 10
EDGES = np.arange(BINS + 1) / BINS
"""Of tenths, as decimals are read: a confidence of 0.3 is in the tenth that begins there."""
DRAWS = 1000
NORMAL_FROM = 25.0
"""From this variance on a sum of independent answers is drawn as a normal: its mean is off by 0.3 % at most."""
CHUNK = 4_000_000
"""Answers drawn at a time."""
SOURCES = ("Brier 1950", "Naeini, Cooper and Hauskrecht 2015", "Broecker and Smith 2007")


@dataclass(frozen=True)
class Tenth:
    """The pairs on which a run is sure by at least `low` and by less than `high`; the last tenth has 1 as well."""

    low: float
    high: float
    pairs: int
    confidence: float
    """The mean of the confidences."""
    accuracy: float
    interval: tuple[float, float]
    p: float
    """As of the whole run, of these pairs alone."""


@dataclass(frozen=True)
class Reliability:
    """Confidences held against answers: all together, and by tenths that have a pair."""

    way: Annotated[str, Shown(form="{}-way".format)]
    """The labels that the run answers with, and is sure of."""
    pairs: int
    confidence: Annotated[float, Shown("mean confidence")]
    accuracy: float
    interval: Annotated[Ends, Shown("{it.percent} interval")]
    """Of the accuracy."""
    p: float
    """How likely a run whose every confidence is true is to be right so seldom, or so often: exact, two-sided; 1e-30
    stands for anything below."""
    brier: Annotated[float, Shown("Brier")]
    """The mean squared distance of the confidence from 1 where the answer is right, from 0 where it is wrong."""
    calibration_error: float
    """How far confidence and accuracy are apart in a tenth, on average over the pairs."""
    by_luck: Annotated[Estimate, Shown("by luck")]
    """The calibration error of a run whose every confidence is true, and the middle of its distribution."""
    bins: list[Tenth]

    @property
    def luck(self) -> Annotated[Ends, Shown("{it.percent} by luck")]:
        """The interval of the calibration error by luck."""
        return self.by_luck.low, self.by_luck.high

    def records(self, run: str) -> Iterator[tuple[Cell, ...]]:
        """Every number as the records of scores have them; a tenth of the confidences is a slice of the pairs."""
        whole = (run, "run", None, None, self.way)
        yield *whole, "mean_confidence", self.confidence, None, None
        yield *whole, "brier", self.brier, None, None
        yield *whole, "calibration_error", self.calibration_error, None, None
        yield *whole, "calibration_error_by_luck", self.by_luck.value, *self.luck
        for tenth in self.bins:
            slice_ = (run, "run", "confidence", f"{tenth.low:g} – {tenth.high:g}", self.way)
            yield *slice_, "mean_confidence", tenth.confidence, None, None
            yield *slice_, "accuracy", tenth.accuracy, *tenth.interval

    def claims(self, level: float) -> int:
        """1 where the run is significantly surer on the whole than it is right, -1 where less sure, else 0."""
        return int(np.sign(self.confidence - self.accuracy)) if self.p <= 1 - level else 0

    def worst(self) -> tuple[Tenth, float]:
        """The tenth that is least likely if the confidences are true, and its p corrected for all tenths."""
        tenth = min(self.bins, key=lambda one: one.p)
        return tenth, min(1.0, tenth.p * len(self.bins))


def reliability(responses: Responses, run: int, level: float = 0.95, seed: int = 0) -> Reliability:
    """The reliability of one run's confidences in its answers; refused, with the reason, where it states none.

    Tenths of equal width are fixed before anything is seen and the same for every run, so curves and errors of runs
    can be held against each other, and how the pairs spread over them tells how a run uses its scale. Tenths with
    equally many pairs would be steadier, but other ones for every run.

    The calibration error is biased upward: a few pairs in a tenth are hardly ever right exactly as often as they
    should be. What luck alone makes of it is therefore told beside it: answers are drawn as if each confidence were
    the chance of being right (Broecker and Smith 2007). Whether a run is off is tested without it: given the
    confidences, the number of right answers has a known distribution, on the whole and in each tenth.
    """
    confidence, right, way = _stated(responses, run)
    place = np.searchsorted(EDGES[1:-1], confidence, side="right")
    pairs, sure, hits = (
        np.bincount(place, each, minlength=BINS).astype(np.float64) for each in (np.ones(len(place)), confidence, right)
    )
    random = generator(seed, "score", "reliability", responses.names[run])
    luck = _luck(confidence, place, random) / len(place)
    ends = np.quantile(luck, [(1 - level) / 2, (1 + level) / 2])
    used = np.flatnonzero(pairs)
    shares = hits[used] / pairs[used]
    bounds = wilson(shares, pairs[used], level)
    true = [Count.of(confidence[place == one]) for one in used]
    overall = wilson(np.array(right.mean()), np.array(float(len(right))), level)
    return Reliability(
        way=way,
        pairs=len(place),
        confidence=float(confidence.mean()),
        accuracy=float(right.mean()),
        interval=(float(overall[0]), float(overall[1])),
        p=reduce(Count.__add__, true).p(int(hits.sum())),
        brier=float(((confidence - right) ** 2).mean()),
        calibration_error=float(np.abs(sure - hits).sum() / len(place)),
        by_luck=Estimate(float(luck.mean()), float(ends[0]), float(ends[1])),
        bins=[
            Tenth(
                low=float(EDGES[one]),
                high=float(EDGES[one + 1]),
                pairs=int(pairs[one]),
                confidence=float(sure[one] / pairs[one]),
                accuracy=float(share),
                interval=(float(low), float(high)),
                p=count.p(int(hits[one])),
            )
            for one, share, low, high, count in zip(used, shares, *bounds, true, strict=True)
        ],
    )


def _stated(responses: Responses, run: int) -> tuple[Floats, Floats, str]:
    """Confidence in the answer, and 1 where it is right, for every scored pair; and the way they are of."""
    info, confidence = responses.runs[run].info, responses.runs[run].confidence
    if confidence is None:
        raise NotApplicable("the run states no confidences")
    if info.ranked_by != "response":
        raise NotApplicable("the run's confidences are in entailment, not in its answers")
    # On any pair, scored or not: what goes beyond 1 once is no probability anywhere.
    stated = confidence[responses.codes[run] >= 0]
    if not ((stated >= 0) & (stated <= 1)).all():
        raise NotApplicable("the run's confidences are no probabilities: some lie outside 0 to 1")
    way = THREE if responses.allows(THREE)[run] else TWO
    key = responses.key_codes(way)
    scored = key >= 0
    if not scored.any():
        raise NotApplicable("there are no scored pairs")
    right = fold(responses.codes[run], way) == key
    return confidence[scored], right[scored].astype(np.float64), way.name


def _luck(confidence: Floats, place: NDArray[np.intp], random: np.random.Generator) -> Floats:
    """Sums of |sure − right| over the tenths (draws), when every answer is right as often as its confidence says."""
    variance = np.bincount(place, confidence * (1 - confidence), minlength=BINS)
    many = variance >= NORMAL_FROM
    total = np.abs(random.standard_normal((DRAWS, int(many.sum()))) * np.sqrt(variance[many])).sum(axis=1)
    few = ~many[place]
    order = np.argsort(place[few], kind="stable")
    sure, tenths = confidence[few][order], place[few][order]
    starts = np.flatnonzero(np.diff(tenths, prepend=-1))
    if len(starts):
        expected = np.add.reduceat(sure, starts)
        rows = max(1, CHUNK // len(sure))
        for start in range(0, DRAWS, rows):
            # Single precision is half the work, and a chance that is off by 1e-7 is the same chance.
            drawn = random.random((min(rows, DRAWS - start), len(sure)), dtype=np.float32) < sure
            right = np.add.reduceat(drawn, starts, axis=1, dtype=np.int64)
            total[start : start + len(drawn)] += np.abs(right - expected).sum(axis=1)
    return total
