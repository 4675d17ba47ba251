"""Ratings scored in plain loops over dictionaries: nothing of the package."""

from __future__ import annotations

from statistics import fmean, median

Rating = tuple[int | None, int | None]
"""Understandable and compelling; compelling None where not asked, both None where the pair was skipped."""
World = dict[tuple[str, str, str], Rating]
"""By run, pair and judge."""


def numbers(world: World, criterion: int, policy: str) -> dict[tuple[str, str, str], int]:
    """What counts."""
    made = {}
    for place, rating in world.items():
        value = rating[criterion]
        if value is None and rating[0] is not None and policy == "zero":
            value = 0
        if value is not None:
            made[place] = value
    return made


def some(values: list[int]) -> float:
    """Their mean; NaN of none."""
    return fmean(values) if values else float("nan")


def mean_of(world: World, criterion: int, policy: str, run: str, pair: str = "", judge: str = "") -> float:
    """Over all that fits."""
    return some(
        [
            value
            for (r, p, j), value in numbers(world, criterion, policy).items()
            if r == run and pair in ("", p) and judge in ("", j)
        ]
    )


def median_of(world: World, criterion: int, policy: str, run: str) -> float:
    """Of one run."""
    return median(value for (r, _, _), value in numbers(world, criterion, policy).items() if r == run)


def mean_rank(world: World, criterion: int, policy: str, run: str, judge: str) -> float:
    """Over the pairs on which the judge rated all runs."""
    scores = numbers(world, criterion, policy)
    runs = sorted({r for r, _, _ in world})
    ranks = []
    for pair in sorted({p for _, p, _ in world}):
        row = {r: scores.get((r, pair, judge)) for r in runs}
        if None not in row.values():
            better = sum(row[r] > row[run] for r in runs)  # type: ignore[operator]
            same = sum(row[r] == row[run] for r in runs)
            ranks.append(better + (same + 1) / 2)
    return some(ranks)  # type: ignore[arg-type]


def weighted_kappa(world: World, criterion: int, policy: str, a: str, b: str, power: int) -> float:
    """One less observed over expected disagreement of two judges."""
    scores = numbers(world, criterion, policy)
    both = [(scores[r, p, a], scores[r, p, b]) for r, p, j in scores if j == a and (r, p, b) in scores]
    observed = fmean(abs(x - y) ** power for x, y in both)
    expected = fmean(abs(x - y) ** power for x, _ in both for _, y in both)
    return 1 - observed / expected if expected else float("nan")


def wrong_reasons(world: World, right: dict[tuple[str, str], bool], run: str) -> tuple[int, int]:
    """How many ratings of right decisions are poor or not asked, and of how many."""
    mine = [rating for (r, p, _), rating in world.items() if r == run and right[r, p] and rating[0] is not None]
    return sum(rating[1] is None or rating[1] <= 2 for rating in mine), len(mine)
