"""What ratings must keep to: scales, conditions, skipped units. A reader and a judging page both ask here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat.data.criteria import Criterion
from karat.data.pairs import Pairs
from karat.data.ratings import Floats, Ratings
from karat.data.responses import Responses
from karat.errors import Problems
from karat.labels import THREE, TWO


@dataclass(frozen=True)
class Fault:
    """What is wrong with one rating: a code of the catalogue, what was found, and what was expected."""

    code: str
    found: str
    expected: str


def faults(given: Sequence[float | None], scales: Sequence[Criterion], unasked: str = "refuse") -> list[Fault]:
    """What is wrong with the ratings of one answer, a number a criterion; None where empty, NaN where not applicable.

    An answer that is not rated at all has nothing wrong with it.
    """
    if all(value is None for value in given):
        return []
    made, by_name = [], dict(zip((one.name for one in scales), given, strict=True))
    for scale, value in zip(scales, given, strict=True):
        asked = is_asked(scale, by_name)
        if value is None:
            if asked:
                made.append(Fault("not-rated", f"no {scale.name}", f"{scale.low} to {scale.high}"))
        elif not asked:
            code = "unasked" if unasked == "refuse" else "unasked-dropped"
            other = f"{scale.asked_if} {_plain(by_name[scale.asked_if or ''])}"
            what = f"no {scale.name} where {scale.asked_if} is below {scale.at_least}"
            made.append(Fault(code, f"{scale.name} {_plain(value)} where {other}", what))
        elif value == value and value not in scale.values:
            what = f"a whole number from {scale.low} to {scale.high}"
            made.append(Fault("rating", f"{scale.name} {_plain(value)}", what))
    return made


def is_asked(scale: Criterion, by_name: dict[str, float | None]) -> bool:
    """Whether a criterion is asked, as another was rated; where that is not applicable it is not."""
    if scale.asked_if is None:
        return True
    other = by_name[scale.asked_if]
    return other is not None and other >= scale.at_least


def _plain(value: float | None) -> str:
    return "nothing" if value is None else "not applicable" if value != value else f"{value:g}"


def check_skips(ratings: Ratings, problems: Problems) -> None:
    """Who disagrees with the key on a unit skips it for all runs: skipping it for some alone is told."""
    cell = ratings.assessor.astype(np.int64) * len(ratings.units) + ratings.unit
    skipped, rated = np.unique(cell[ratings.skipped]), np.unique(cell[~ratings.skipped])
    for row in np.flatnonzero(ratings.skipped & np.isin(cell, np.intersect1d(skipped, rated))).tolist():
        file, line = ratings.places[row]
        judge, unit, run = (
            ratings.assessors[ratings.assessor[row]],
            ratings.units[ratings.unit[row]],
            ratings.runs[ratings.run[row]],
        )
        problems.add(
            "skipped-partly", f"{judge!r} skips {unit!r} for run {run!r} and not for all", file=file, line=line
        )


def check_decisions(ratings: Ratings, key: Pairs, runs: Responses, reason: str, problems: Problems) -> None:
    """Rated units are of the key and rated runs are there; a wrong decision has not the best of reasons."""
    places = key.places(ratings.units)
    for unit in np.flatnonzero(places < 0).tolist():
        file, line = ratings.places[int(np.flatnonzero(ratings.unit == unit)[0])]
        problems.add("unknown-id", f"unit {ratings.units[unit]!r}", file=file, line=line)
    absent = [run for run in ratings.runs if run not in runs.names]
    for run in absent:
        file = ratings.places[0][0]
        what = "the answers of every run that is rated"
        problems.add("run-without", f"ratings of run {run!r} and no answers of it", file=file, what=what)
    scale = next((one for one in ratings.scales if one.name == reason), None)
    if scale is None or absent or (places < 0).any():
        return
    right = decided_right(ratings, runs)
    best = (ratings.criterion(reason) == scale.high) & (right == 0)
    for row in np.flatnonzero(best).tolist():
        file, line = ratings.places[row]
        run, unit = ratings.runs[ratings.run[row]], ratings.units[ratings.unit[row]]
        found = f"{reason} {scale.high} for run {run!r} on {unit!r}, whose decision is wrong"
        what = f"at most {scale.high - 1} for a wrong decision"
        problems.add("best-of-wrong", found, file=file, line=line, what=what)


def decided_right(ratings: Ratings, runs: Responses) -> Floats:
    """For every row 1 where the run's decision is the key's, 0 where not, NaN where the key has none.

    A run that says no more than two-way is held against the folded key.
    """
    three, two = runs.right(THREE).values, runs.right(TWO).values
    right = np.where(runs.allows(THREE)[:, None], three, two)
    run = np.array([runs.names.index(name) for name in ratings.runs], dtype=np.int64)
    unit = runs.key.places(ratings.units)
    return np.asarray(right[run[ratings.run], unit[ratings.unit]], dtype=np.float64)
