"""Ratings and judges from the columns of files; checks of scales, conditions, skipped units and misspelled names."""

from __future__ import annotations

import difflib
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat.align.columns import Columns, seen_before
from karat.arrays import Floats
from karat.data.criteria import Criterion
from karat.data.ratings import Judges, Ratings
from karat.data.responses import Responses
from karat.errors import SIMILARITY, Problems
from karat.files import as_number
from karat.labels import THREE, TWO

SKIP = "skip"
"""The value of the first criterion if an assessor declined to rate the unit."""
Given = float | str | None
"""The value of one criterion: a number, a word that is not a number, or nothing."""
SUMMARY = "summary"
"""The column of closing comments; all others except the name are attributes."""
RARE_RATIO = 10
"""A name with at most a tenth of the usual number of rows may be misspelled,"""
USUAL_ROWS = 4
"""and so may one with a single row if this many are usual."""


@dataclass(frozen=True)
class Fault:
    """A problem with one rating: its code in the catalogue, what was found, and what was expected."""

    code: str
    found: str
    expected: str


def faults(given: Sequence[Given], scales: Sequence[Criterion], unasked: str = "refuse") -> list[Fault]:
    """The problems of the ratings of one answer, one value per criterion.

    A value is None if empty, NaN if not applicable, and a string if it is not a number. An answer without any rating
    has no problems.
    """
    if all(value is None for value in given):
        return []
    made, by_name = [], dict(zip((one.name for one in scales), given, strict=True))
    for scale, value in zip(scales, given, strict=True):
        asked = is_asked(scale, by_name, scales)
        if isinstance(value, str):
            made.append(Fault("rating", f"{scale.name} {value!r}", _expected(scale, scales[0], value)))
        elif value is None:
            if asked and not isinstance(by_name.get(scale.asked_if or ""), str):
                made.append(Fault("not-rated", f"no {scale.name}", f"{scale.low} to {scale.high}"))
        elif not asked and value == value:  # "not applicable" is allowed if it was not asked
            code = "unasked" if unasked == "refuse" else "unasked-dropped"
            other = f"{scale.asked_if} {_plain(by_name[scale.asked_if or ''])}"
            what = f"no {scale.name} where {scale.asked_if} is below {scale.at_least}"
            made.append(Fault(code, f"{scale.name} {_plain(value)} where {other}", what))
        elif asked and value == value and value not in scale.values:
            made.append(Fault("rating", f"{scale.name} {_plain(value)}", _expected(scale, scales[0])))
    return made


def _expected(scale: Criterion, first: Criterion, found: str = "") -> str:
    what = f"a whole number from {scale.low} to {scale.high}"
    if scale is first:
        return f"{what}, or {SKIP}" if found else what
    if found.casefold() == SKIP:
        return f"{what}; a pair is skipped by {SKIP} under {first.name}"
    return f"{what}, or an empty cell if it was not asked" if found and scale.asked_if else what


def is_asked(scale: Criterion, by_name: dict[str, Given], scales: Sequence[Criterion]) -> bool:
    """Whether a criterion was asked, given the rating of the criterion it depends on.

    It was not asked if the other was not asked or not applicable; if the other is not a number, it may have been asked.
    """
    if scale.asked_if is None:
        return True
    if not is_asked(next(one for one in scales if one.name == scale.asked_if), by_name, scales):
        return False
    other = by_name[scale.asked_if]
    return isinstance(other, str) or (other is not None and other >= scale.at_least)


def _plain(value: Given) -> str:
    if isinstance(value, str):
        return repr(value)
    return "nothing" if value is None else "not applicable" if value != value else f"{value:g}"


def check_skips(ratings: Ratings, problems: Problems) -> None:
    """A judge who disagrees with the key on a unit must skip it for all runs."""
    cell = ratings.assessor.astype(np.int64) * len(ratings.units) + ratings.unit
    skipped, rated = np.unique(cell[ratings.skipped]), np.unique(cell[~ratings.skipped])
    for row in np.flatnonzero(ratings.skipped & np.isin(cell, np.intersect1d(skipped, rated))).tolist():
        file, line = ratings.places[row]
        judge, unit = ratings.assessors[ratings.assessor[row]], ratings.units[ratings.unit[row]]
        found = f"{judge!r} skips {unit!r} for run {ratings.runs[ratings.run[row]]!r}, but not for all runs"
        problems.add("skipped-partly", found, file=file, line=line)


def check_names(ratings: Ratings, problems: Problems) -> None:
    """Report names with hardly any rows, which may be misspelled."""
    kinds = [("run", ratings.runs, ratings.run), ("pair", ratings.units, ratings.unit)]
    kinds += [] if ratings.exchangeable else [("judge", ratings.assessors, ratings.assessor)]
    for kind, names, index in kinds:
        counts = np.bincount(index, minlength=len(names))
        usual = int(np.sort(counts)[len(counts) // 2])  # the (upper) median
        rare = (counts * RARE_RATIO <= usual) | ((counts == 1) & (usual >= USUAL_ROWS))
        others = [name for name, odd in zip(names, rare.tolist(), strict=True) if not odd]
        for at in np.flatnonzero(rare).tolist():
            file, line = ratings.places[int(np.flatnonzero(index == at)[0])]
            near = nearest(names[at], others)
            fix = f"correct it if {near!r} was meant" if near else "correct it if it is a slip"
            found = f"{kind} {names[at]!r} in {counts[at]} of {len(index)} rows"
            what = f"about {usual} for each {kind}"
            problems.add("rare-name", found, file=file, line=line, what=what, fix=fix)


def check_judges(ratings: Ratings, judges: Judges, problems: Problems) -> None:
    """Everyone who rated must be in the table of judges."""
    for at, name in enumerate(ratings.assessors):
        if name not in judges.names:
            file, line = ratings.places[int(np.flatnonzero(ratings.assessor == at)[0])]
            near = nearest(name, judges.names)
            fix = f"did you mean {near!r}? Correct it" if near else "correct it"
            there = ", ".join(judges.names)
            problems.add("unknown-judge", f"judge {name!r}", file=file, line=line, judges=there, fix=fix)


def nearest(name: str, known: Sequence[str]) -> str | None:
    """The known name that is most similar, ignoring case; None if none is."""
    by_fold = {one.casefold(): one for one in known}
    near = difflib.get_close_matches(name.casefold(), by_fold, n=1, cutoff=SIMILARITY)
    return by_fold[near[0]] if near else None


def check_decisions(ratings: Ratings, runs: Responses, reason: str, problems: Problems) -> None:
    """Rated units and runs must exist, and a wrong decision cannot have the highest rating."""
    key = runs.key
    places = key.places(ratings.units)
    for unit in np.flatnonzero(places < 0).tolist():
        file, line = ratings.places[int(np.flatnonzero(ratings.unit == unit)[0])]
        problems.add("unknown-id", f"unit {ratings.units[unit]!r}", file=file, line=line)
    absent = [run for run in ratings.runs if run not in runs.names]
    for run in absent:
        file, line = ratings.places[int(np.flatnonzero(ratings.run == ratings.runs.index(run))[0])]
        near = nearest(run, runs.names)
        what = "the answers of every run that is rated" + (f" (did you mean {near!r}?)" if near else "")
        problems.add("run-without", f"ratings of run {run!r}, but no answers", file=file, line=line, what=what)
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
    """For every row, 1 if the decision of the run is right, 0 if it is wrong, NaN if the key has no label.

    Two-way runs are compared with the folded key.
    """
    three, two = runs.right(THREE).values, runs.right(TWO).values
    right = np.where(runs.allows(THREE)[:, None], three, two)
    run = np.array([runs.names.index(name) for name in ratings.runs], dtype=np.int64)
    unit = runs.key.places(ratings.units)
    return np.asarray(right[run[ratings.run], unit[ratings.unit]], dtype=np.float64)


def make_ratings(columns: Columns, problems: Problems) -> Ratings | None:
    """Ratings of runs by assessors on criteria; None if they have errors."""
    if problems.failed(columns.file):
        return None
    criteria = columns.facts["attributes"]
    if not criteria or not len(columns):
        what = "one row per rated answer, with one column per criterion"
        problems.add("empty-file", "no ratings", file=columns.file, what=what)
    values = np.full((len(columns), len(criteria)), np.nan)
    for at, (name, texts) in enumerate(criteria.items()):
        for row, text in enumerate(texts):
            values[row, at] = number = as_number(text)
            if text and not math.isfinite(number):
                columns.report(problems, "score", f"{name} {text!r}", row)
    met: dict[tuple[str, ...], int | None] = {}
    keys = list(zip(*(columns[role] for role in ("run", "unit", "assessor")), strict=True))
    for row, key in enumerate(keys):
        if not all(key):
            columns.report(problems, "no-id", "a rating without run, unit or assessor", row)
        if (first := seen_before(met, key, columns.lines[row])) is not None:
            found = f"run {key[0]!r} on {key[1]!r} rated again by {key[2]!r}{first}"
            columns.report(problems, "duplicate-id", found, row)
    if problems.failed(columns.file):
        return None
    return Ratings.of(keys, list(criteria), values, sources=(columns.source,))


def make_judges(columns: Columns, problems: Problems) -> Judges | None:
    """Judges with their attributes and closing comments; None if they have errors."""
    names = columns["assessor"]
    met: dict[str, int | None] = {}
    for row, name in enumerate(names):
        if not name:
            columns.report(problems, "no-id", "a judge without a name", row)
        if (first := seen_before(met, name, columns.lines[row])) is not None:
            columns.report(problems, "duplicate-id", f"judge {name!r} again{first}", row)
    if not names:
        problems.add("empty-file", "no judges", file=columns.file, what="one row per judge")
    if problems.failed(columns.file):
        return None
    cells = {name: tuple(text or None for text in texts) for name, texts in columns.facts["attributes"].items()}
    summaries = cells.pop(SUMMARY, (None,) * len(names))
    return Judges(tuple(names), cells, summaries, columns.source)
