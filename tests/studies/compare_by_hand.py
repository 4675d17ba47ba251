"""Comparisons in plain loops, from the definitions: lists of units, one replicate after the other.

A unit is a triple (key, answer of the first run, answer of the second) or, for rankings, whatever the measure is given.
Draws are arguments, so that the package can be held to the same ones.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from statistics import NormalDist

Labels = Sequence[int]
Measure = Callable[[Labels, Labels], float]
"""Of a key and the answers to it."""
NORMAL = NormalDist()


def kappa(key: Labels, answers: Labels) -> float:
    """(observed − expected)/(1 − expected), expected as if both said their labels independently."""
    n, ours, theirs = len(key), Counter(key), Counter(answers)
    observed = sum(a == b for a, b in zip(key, answers, strict=True)) / n
    expected = sum(ours[label] * theirs[label] for label in ours) / n**2
    return math.nan if expected == 1 else (observed - expected) / (1 - expected)


def information(key: Labels, answers: Labels) -> float:
    """Σ p(x, y) log₂ p(x, y)/(p(x) p(y))."""
    n, ours, theirs = len(key), Counter(key), Counter(answers)
    joint = Counter(zip(key, answers, strict=True))
    return sum(count / n * math.log2(count * n / (ours[a] * theirs[b])) for (a, b), count in joint.items())


def decided_f(key: Labels, answers: Labels) -> float:
    """F with weight 1/3 of the decisions ⊢ (0) and ⊣ (2)."""
    decided = sum(label != 1 for label in key)
    if not decided:
        return math.nan
    made = sum(label != 1 for label in answers)
    right = sum(a == b != 1 for a, b in zip(key, answers, strict=True))
    if not right:
        return 0.0
    precision, recall = right / made, right / decided
    return (4 / 3) * precision * recall / (precision / 3 + recall)


def mean_share(gains: Sequence[float]) -> float:
    """Confidence-weighted score: the share of gains among the first i, averaged over all i."""
    return sum(sum(gains[: place + 1]) / (place + 1) for place in range(len(gains))) / len(gains)


def average_precision(gains: Sequence[float]) -> float:
    """The share of gains down to each gain, averaged over gains."""
    shares = [sum(gains[: place + 1]) / (place + 1) for place, gain in enumerate(gains) if gain]
    return sum(shares) / len(shares) if shares else math.nan


def exchanged(measure: Measure, key: Labels, a: Labels, b: Labels, taken: Sequence[bool]) -> float:
    """The difference after both runs' answers are exchanged on some units."""
    one = [y if take else x for x, y, take in zip(a, b, taken, strict=True)]
    other = [x if take else y for x, y, take in zip(a, b, taken, strict=True)]
    return measure(key, one) - measure(key, other)


def drawn_units(cluster: Sequence[Hashable], weights: Sequence[int]) -> list[int]:
    """The units of a resample: those of a cluster drawn twice are there twice."""
    return [unit for unit, place in enumerate(cluster) for _ in range(weights[place])]  # type: ignore[call-overload]


def p_of(observed: float, null: Sequence[float]) -> float:
    """(1 + as extreme) / (1 + replicates); undefined is extreme."""
    return (1 + sum(not abs(one) < abs(observed) - 1e-12 for one in null)) / (1 + len(null))


def quantile(values: Sequence[float], share: float) -> float:
    """Between the two values nearest to the place (n − 1)·share."""
    ranked = sorted(values)
    place = (len(ranked) - 1) * share
    low = ranked[math.floor(place)]
    return low + (ranked[math.ceil(place)] - low) * (place - math.floor(place))


def deviation(values: Sequence[float]) -> float:
    """Of a population."""
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))


def bca(values: Sequence[float], left_out: Sequence[float], estimate: float, level: float) -> tuple[float, float]:
    """Efron 1987: quantiles moved by bias and acceleration."""
    below = sum((one < estimate - 1e-12) + 0.5 * (abs(one - estimate) <= 1e-12) for one in values)
    bias = NORMAL.inv_cdf(below / len(values))
    mean = sum(left_out) / len(left_out)
    cubes = sum((mean - one) ** 3 for one in left_out)
    skew = cubes / (6 * sum((mean - one) ** 2 for one in left_out) ** 1.5)
    ends = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        z = bias + NORMAL.inv_cdf(tail)
        ends.append(quantile(values, NORMAL.cdf(bias + z / (1 - skew * z))))
    return ends[0], ends[1]


def bca_p(values: Sequence[float], left_out: Sequence[float], estimate: float) -> float:
    """The level at which the interval just touches 0, by halving."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        ends = bca(values, left_out, estimate, middle)
        low, high = (middle, high) if not ends[0] <= 0 <= ends[1] else (low, middle)
    return 1 - (low + high) / 2


def holm(p: Sequence[float]) -> list[float]:
    """Each p times the number of those not smaller, and never below that of a smaller one."""
    order = sorted(range(len(p)), key=lambda place: p[place])
    made, largest = [0.0] * len(p), 0.0
    for step, place in enumerate(order):
        largest = max(largest, (len(p) - step) * p[place])
        made[place] = min(largest, 1.0)
    return made


def false_discovery(p: Sequence[float], dependent: bool) -> list[float]:
    """min over all q ≥ p of m·q/#{≤ q}, times Σ 1/i where nothing is known of the dependence."""
    factor = sum(1 / i for i in range(1, len(p) + 1)) if dependent else 1.0
    return [min(1.0, min(factor * len(p) * q / sum(r <= q for r in p) for q in p if q >= one)) for one in p]


def step_down(observed: Sequence[float], null: Sequence[Sequence[float]]) -> list[float]:
    """Westfall and Young, algorithm 4.1: from the largest statistic down, against the largest of those still left."""
    order = sorted(range(len(observed)), key=lambda place: -observed[place])
    made, largest = [0.0] * len(observed), 0.0
    for step, place in enumerate(order):
        rest = order[step:]
        extreme = sum(not max(row[one] for one in rest) < observed[place] * (1 - 1e-9) for row in null)
        largest = max(largest, (1 + extreme) / (1 + len(null)))
        made[place] = largest
    return made
