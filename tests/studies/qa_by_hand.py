"""Scores of questions from the definitions, in plain loops over a world: no numpy, nothing of the package.

A question that is not scored is None; every run is scored on the same questions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from statistics import mean, stdev

from scipy import stats

from tests.studies.qa_worlds import World

RIGHT = "R"


def known(world: World, question: str, accept: str = RIGHT) -> set[str]:
    """The distinct answers: groups, or else strings whatever their case."""
    found = set()
    for (its, _, string), (letter, group) in world.verdicts.items():
        if its == question and letter in accept:
            found.add(group or string.casefold())
    return found


def is_right(world: World, question: str, document: str, string: str, accept: str = RIGHT) -> bool:
    """NIL is right where nothing is known to be correct."""
    if document == "NIL":
        return not known(world, question)
    return world.verdicts[question, document, string][0] in accept


def factoid(world: World, run: str, question: str, accept: str = RIGHT) -> float:
    """1 where the first answer is right."""
    document, string, _ = world.said[run, question][0]
    return float(is_right(world, question, document, string, accept))


def reciprocal_rank(world: World, run: str, question: str, deepest: int) -> float:
    """1 over the rank of the first right answer."""
    for rank, (document, string, _) in enumerate(world.said[run, question][:deepest], 1):
        if is_right(world, question, document, string):
            return 1 / rank
    return 0.0


def list_f(world: World, run: str, question: str, accept: str = RIGHT) -> float | None:
    """IP = D/N, IR = D/S, F their harmonic mean."""
    answers = known(world, question, accept)
    if not answers:
        return None
    given = world.said[run, question]
    found = set()
    for document, string, _ in given:
        if document != "NIL" and is_right(world, question, document, string, accept):
            found.add(world.verdicts[question, document, string][1] or string.casefold())
    if not found:
        return 0.0
    precision, recall = len(found) / len(given), len(found) / len(answers)
    return 2 * precision * recall / (precision + recall)


def length(world: World, run: str, question: str) -> int:
    """Characters that are no white space."""
    return sum(len("".join(string.split())) for _, string, _ in world.said[run, question])


def f_of_list(world: World, run: str, question: str, assessor: str, beta: float) -> float | None:
    """F by one assessor's list; partial support holds a nugget."""
    listed = world.nuggets[assessor, question]
    held = [name for name, _ in listed if (run, assessor, question, name) in world.held]
    vital = [name for name, importance in listed if importance == "vital"]
    if not vital:
        return None
    recall = len([name for name in held if name in vital]) / len(vital)
    allowance, size = 100 * len(held), length(world, run, question)
    precision = 1.0 if size <= allowance else 1 - (size - allowance) / size
    if recall == 0:
        return 0.0
    return (beta**2 + 1) * precision * recall / (beta**2 * precision + recall)


def other_f(world: World, run: str, question: str, beta: float = 3.0) -> float | None:
    """The mean over the assessors who have a list with a vital nugget."""
    lists = [assessor for assessor, its in world.nuggets if its == question]
    scores = [f_of_list(world, run, question, assessor, beta) for assessor in lists]
    scored = [score for score in scores if score is not None]
    return mean(scored) if scored else None


def score(world: World, run: str, question: str, kind: str, answers: int = 1) -> float | None:
    """By the type of the question."""
    if kind == "FACTOID":
        return factoid(world, run, question) if answers == 1 else reciprocal_rank(world, run, question, answers)
    return list_f(world, run, question) if kind == "LIST" else other_f(world, run, question)


def type_mean(world: World, run: str, kind: str, answers: int = 1) -> float | None:
    """Over the scored questions of one type."""
    scores = [score(world, run, question, kind, answers) for question in world.of_type(kind)]
    scored = [one for one in scores if one is not None]
    return mean(scored) if scored else None


def by_type(world: World, run: str, weights: Sequence[float] = (0.5, 0.25, 0.25)) -> float | None:
    """Types that nobody asks leave their weight to the others."""
    total = share = 0.0
    for kind, weight in zip(("FACTOID", "LIST", "OTHER"), weights, strict=True):
        if weight and world.of_type(kind):
            value = type_mean(world, run, kind)
            if value is None:
                return None
            total, share = total + weight * value, share + weight
    return total / share if share else None


def series_score(
    world: World, run: str, series: str, weights: Sequence[float] = (0.5, 0.25, 0.25), exact: bool = False
) -> float | None:
    """.5, .25, .25 over the questions of a series; without lists .67 and .33."""
    means: dict[str, float] = {}
    for kind in ("FACTOID", "LIST", "OTHER"):
        asked = [question for question, its, home, _ in world.questions if its == kind and home == series]
        scores = [one for one in (score(world, run, question, kind) for question in asked) if one is not None]
        if scores:
            means[kind] = mean(scores)
        elif asked and kind == "OTHER" and weights[2]:
            return None  # its other question is not judged
    if tuple(weights) == (0.5, 0.25, 0.25) and not exact and set(means) == {"FACTOID", "OTHER"}:
        return 0.67 * means["FACTOID"] + 0.33 * means["OTHER"]
    weighed = dict(zip(("FACTOID", "LIST", "OTHER"), weights, strict=True))
    share = sum(weighed[kind] for kind in means)
    return sum(weighed[kind] * value for kind, value in means.items()) / share if share else None


def series_of(world: World) -> list[str]:
    """Their ids, in order."""
    return list(dict.fromkeys(series for _, _, series, _ in world.questions if series is not None))


def t_interval(scores: Sequence[float], level: float = 0.95) -> tuple[float, float, float]:
    """A mean with Student's interval, cut to 0 … 1."""
    half = stats.t.ppf((1 + level) / 2, len(scores) - 1) * stdev(scores) / math.sqrt(len(scores))
    return mean(scores), max(mean(scores) - half, 0.0), min(mean(scores) + half, 1.0)


def clustered_interval(clusters: Sequence[Sequence[float]], level: float = 0.95) -> tuple[float, float, float]:
    """A mean over units in clusters: a ratio of sums, its error from the clusters' departures."""
    units = sum(map(len, clusters))
    average = sum(map(sum, clusters)) / units
    departures = [sum(cluster) - average * len(cluster) for cluster in clusters]
    error = math.sqrt(sum(one**2 for one in departures) * len(clusters) / (len(clusters) - 1)) / units
    half = stats.t.ppf((1 + level) / 2, len(clusters) - 1) * error
    return average, max(average - half, 0.0), min(average + half, 1.0)


def right_interval(clusters: Sequence[Sequence[float]], level: float = 0.95) -> tuple[float, float, float]:
    """A share of right answers in clusters: Wilson's, for as many trials as give the error over clusters."""
    units, size = sum(map(len, clusters)), len(clusters)
    share = sum(map(sum, clusters)) / units
    over_clusters = sum((sum(cluster) - share * len(cluster)) ** 2 for cluster in clusters) * size / (size - 1)
    over_units = units * share * (1 - share) * units / (units - 1)
    wider = (stats.t.ppf((1 + level) / 2, size - 1) / stats.t.ppf((1 + level) / 2, units - 1)) ** 2
    trials, z = units * over_units / (over_clusters * wider), stats.norm.ppf((1 + level) / 2)
    centre, half = share + z * z / 2 / trials, z * math.sqrt(share * (1 - share) / trials + z * z / 4 / trials**2)
    return share, (centre - half) / (1 + z * z / trials), (centre + half) / (1 + z * z / trials)


def confidence_weighted(ranked: Sequence[float]) -> float:
    """Right or not, most certain first."""
    return mean(sum(ranked[: place + 1]) / (place + 1) for place in range(len(ranked)))


def tau(a: Sequence[float], b: Sequence[float]) -> float:
    """Pairs in the same order less the others, over all; differences by rounding alone are ties."""
    pairs = list(combinations(range(len(a)), 2))

    def sign(value: float) -> int:
        return 0 if abs(value) < 1e-9 else 1 if value > 0 else -1

    return sum(sign(a[i] - a[j]) * sign(b[i] - b[j]) for i, j in pairs) / len(pairs)
