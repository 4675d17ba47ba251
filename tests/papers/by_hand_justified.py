"""Figures of pair 75 in plain loops and fractions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from tomllib import loads

RATED: dict[str, str] = loads((Path(__file__).parent / "voorhees2008.toml").read_text(encoding="utf-8"))["ratings"]


def given(criterion: str, not_asked: str) -> dict[str, list[int | None]]:
    """What each judge gave each run."""
    place, absent = ("understandable", "compelling").index(criterion), 0 if not_asked == "zero" else None
    return {run: [absent if c[place] == "-" else int(c[place]) for c in cells.split()] for run, cells in RATED.items()}


def justified_figure(of: str, criterion: str = "compelling", run: str = "", not_asked: str = "zero") -> float:
    """One number."""
    scores = given(criterion, not_asked)
    judges = range(6)
    if of == "alpha":
        return float(ordinal_alpha(list(scores.values())))
    if of in ("right", "wrong_reason"):
        ratings = [one for row in given("compelling", "zero").values() for one in row]
        return len(ratings) if of == "right" else sum(one is not None and one <= 2 for one in ratings)
    numbers = {name: [one or 0 for one in row] for name, row in scores.items()}
    if of == "mean":
        return float(Fraction(sum(numbers[run]), 6))
    ranks = {
        name: [rank([numbers[other][j] for other in numbers], numbers[name][j]) for j in judges] for name in numbers
    }
    if of == "mean_rank":
        return float(sum(ranks[run]) / 6)
    sums = [sum(row) for row in ranks.values()]
    spread = sum((one - Fraction(sum(sums), 6)) ** 2 for one in sums)
    ties = sum(times**3 - times for j in judges for times in Counter(numbers[name][j] for name in numbers).values())
    return float(12 * spread / (36 * (6**3 - 6) - 6 * ties))


def rank(scores: list[int], mine: int) -> Fraction:
    """How many are better, and the middle of those that are the same."""
    return sum(one > mine for one in scores) + Fraction(sum(one == mine for one in scores) + 1, 2)


def ordinal_alpha(units: list[list[int | None]]) -> Fraction:
    """Krippendorff's: disagreement of ordered pairs within units, over that of all ordered pairs."""
    kept = [[one for one in row if one is not None] for row in units]
    kept = [row for row in kept if len(row) > 1]
    pooled = [one for row in kept for one in row]
    times = Counter(pooled)

    def apart(a: int, b: int) -> Fraction:
        low, high = sorted((a, b))
        between = sum(times[value] for value in times if low <= value <= high)
        return (between - Fraction(times[a] + times[b], 2)) ** 2

    within = sum(Fraction(sum(apart(a, b) for a in row for b in row), len(row) - 1) for row in kept)
    among = Fraction(sum(apart(a, b) for a in pooled for b in pooled), len(pooled) - 1)
    return 1 - within / among
