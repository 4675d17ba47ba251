"""Charts of scores: slices, accuracy by label, information and confidences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from math import ceil, floor, nan

import numpy as np

from karat.arrays import DISPLAY_TOLERANCE
from karat.data.charts import (
    Chart,
    Dots,
    Figures,
    Heat,
    Interval,
    Line,
    Lines,
    Panels,
    Point,
    Points,
    Series,
    Variant,
)
from karat.data.fields import readable
from karat.labels import IN_WORDS, WAYS
from karat.measures.probabilities import EDGES
from karat.studies.base import needs
from karat.studies.score.caveats import Reliability
from karat.studies.score.result import Evaluation
from karat.studies.score.rows import RunScores
from karat.studies.wording import MOST_ROWS, captioned, of_all, unit_of

INFORMATION = "information_corrected"
MOST_COLUMNS = 6
"""Up to this many slices are columns, however few the runs."""
MOST_PANELS = 3
"""The most runs with a panel each; more share a table."""
FEWEST_FOR_OUTLIERS, FAR_OFF = 4, 3.7
"""Among fewer runs none is far off; a run is, at this multiple of the median distance from the line of Theil and Sen,
which is 2.5 standard deviations if distances are normal."""
MOST_RUNS_DRAWN = 5
"""The most runs that can be distinguished around the diagonal."""
FEWEST_IN_SLICE = 10
"""The fewest pairs with a value of an attribute for it to be drawn; the table has all."""
FEWEST_PAIRS = 5
"""The fewest pairs in a tenth of the confidences for its accuracy to be drawn."""


@needs("an attribute of the pairs to slice by: --by ATTRIBUTE")
def slices(result: Evaluation) -> Iterable[Chart]:
    """Each run on the pairs with each value of an attribute, with n, the number of these pairs.

    Up to three runs have a panel each, with intervals; more share a table, the stronger the colour the better. Each
    interval is for one number by itself. Slices with few pairs vary by chance: compare runs on one slice, which is on
    the same pairs, rather than slices of one run.
    """
    attributes = list(dict.fromkeys(part.attribute for part in result.slices))
    for attribute in attributes:
        drawn = _by_slice(result, attribute)
        if drawn is not None:
            caption = captioned(
                "Each run on the pairs with each value of an attribute, with n, the number of these pairs.",
                "Each run has a panel, with intervals. Each interval is for one number by itself."
                if isinstance(drawn, Panels)
                else "The stronger the colour, the better.",
                "Slices with few pairs vary by chance: compare runs on one slice, which is on the same pairs, rather "
                "than slices of one run.",
            )
            yield replace(drawn, name=attribute if len(attributes) > 1 else "", asked_for=True, caption=caption)


def _by_slice(result: Evaluation, attribute: str) -> Panels | Heat | None:
    """The runs by value of one attribute, unless the measure is defined for none of them."""
    way, measure = result.sliced_way, result.headline[0]
    named, percent = readable(measure), bool(unit_of(measure))
    low, high = (0.0, 1.0) if percent else (None, None)
    systems = result.systems(way)[: len(result.runs)]
    every = [part for part in result.slices if part.attribute == attribute]
    enough = [part for part in every if part.units >= FEWEST_IN_SLICE]
    parts = (enough if len(enough) > 1 else every)[:MOST_ROWS]
    rest = len(every) - len(parts)
    few = f" with fewer than {FEWEST_IN_SLICE} pairs" * (len(enough) == len(parts))
    note = f"the table also has {rest:,} value{'s' * (rest > 1)}{few}" if rest else ""
    found = [{row.run: row for row in part.runs} for part in parts]
    values = {row.run: [_known((one[row.run].values[way] or {}).get(measure)) for one in found] for row in systems}
    title = f"{named.capitalize()} by {attribute}, {IN_WORDS[way]}"
    if not any(value == value for numbers in values.values() for value in numbers):
        return None
    if len(systems) > MOST_PANELS:
        if percent:  # from the lowest tenth to the highest: on the whole scale, most colours would be alike
            known = [value for numbers in values.values() for value in numbers if value == value]
            low = min(floor(10 * min(known)), 9) / 10
            high = max(ceil(10 * max(known)) / 10, low + 0.1)
        by_run = len(parts) <= max(len(systems), MOST_COLUMNS)  # as in the table
        columns = [
            Series(f"{part.value} (n {part.units:,})", [values[row.run][place] for row in systems])
            for place, part in enumerate(parts)
        ]
        return Heat(
            title=title,
            labels=tuple([row.name for row in systems] if by_run else [part.value for part in parts]),
            counts=() if by_run else tuple(part.units for part in parts),
            series=tuple(columns if by_run else (Series(row.name, values[row.run]) for row in systems)),
            axes=(attribute, "run") if by_run else ("run", attribute),
            digits=0 if percent else 2,
            percent=percent,
            low=low,
            high=high,
            note=note,
        )
    panels = []
    for row in systems:
        ends = [(one[row.run].intervals[way] or {}).get(measure, (nan, nan)) for one in found]
        panels.append(
            Dots(
                title=row.name,
                labels=tuple(f"{part.value} (n {part.units:,})" for part in parts),
                series=(Series(measure, values[row.run]),),
                intervals=tuple(Interval(*one) for one in ends),
                axis=f"{named}, {IN_WORDS[way]}, with {result.percent} CI",
                unit="%" if percent else "",
                low=low,
                high=high,
            )
        )
    return Panels(title=title, panels=tuple(panels), note=note)


def _known(value: float | None) -> float:
    return nan if value is None else value


def conditioned(result: Evaluation) -> Iterable[Chart]:
    """Accuracy on the pairs of each label, one row per run; it does not depend on the mix of labels.

    A long line is a run that recognises one label much better than another.
    """
    for way in (WAYS[name] for name in result.shown):
        rows = [row for row in result.systems(way.name)[: len(result.runs)] if row.values[way.name]]
        names = {label: f"recall({label})" for label in way.labels}
        if rows and all(name in (rows[0].values[way.name] or {}) for name in names.values()):
            yield Dots(
                name=_chart_name(result, way.name),
                way=result.one_of(way.name),
                title=f"Accuracy on the pairs of each label, {IN_WORDS[way.name]}",
                labels=tuple(row.name for row in rows),
                series=tuple(
                    Series(label, [_number(row, way.name, name) for row in rows]) for label, name in names.items()
                ),
                axis=f"accuracy on the pairs of each label, {IN_WORDS[way.name]}",
                unit="%",
                joined=True,
            )


NO_BASELINES = captioned(
    "Accuracy against information, one point per run.",
    "The most accurate and the most informative run are named, and those far from the line through all runs; of "
    "several at one position, the first. Top right is good. A run at the bottom right is informative but misleading: "
    "its labels are swapped, or it misses one of them. A run at the top left is accurate only because of the mix of "
    "labels, as a constant answer would be. Information is corrected for its bias, so that an uninformative run is at "
    "0 on average, and sometimes below.",
)
"""The caption where runs have weights of their own, and baselines have none."""


def information(result: Evaluation) -> Iterable[Chart]:
    """Accuracy against information, one point per run, with the baselines, which carry no information.

    The most accurate and the most informative run are named, and those far from the line through all runs; of several
    at one position, the first. Top right is good. A run at the bottom right is informative but misleading: its labels
    are swapped, or it misses one of them. A run at the top left is accurate only because of the mix of labels, as a
    constant answer would be. Information is corrected for its bias, so that an uninformative run is at 0 on average,
    like the baselines, and sometimes below.
    """
    trivial = [] if result.own_weights else result.baselines
    for way in result.shown:
        rows = result.systems(way)[: len(result.runs)]
        found = [(row.name, at) for row in rows if (at := _at(row, way))]
        if not 0 < len(found) <= MOST_ROWS:
            continue
        first_at = {at: place for place, (_, at) in reversed(list(enumerate(found)))}
        named = _standing_out([at for _, at in found]) & set(first_at.values())
        marks = [Point(name, *at, "runs", place in named) for place, (name, at) in enumerate(found)]
        marks += [Point(name, *at, "baselines", False) for at, name in _together(trivial, way).items()]
        yield Points(
            name=_chart_name(result, way),
            way=result.one_of(way),
            title=f"Accuracy and information, {IN_WORDS[way]}",
            points=tuple(marks),
            axes=(f"information, corrected (bits, {IN_WORDS[way]})", f"accuracy, {IN_WORDS[way]}"),
            unit="%",
            caption="" if trivial else NO_BASELINES,
        )


@needs("runs with confidences in their answers, from 0 to 1")
def confidence(result: Evaluation) -> Iterable[Chart]:
    """The share of a run's answers that are right, by the confidence stated in them; one line per run.

    On the diagonal a run is perfectly calibrated; below it is overconfident, above it underconfident. Each point is a
    tenth of the scale, at the mean confidence of its pairs. For a single run the ends of the intervals are drawn too.
    Tenths with fewer than 5 pairs are left out, and those with few pairs are still noisy: the table has the calibration
    error of each run, and the error expected by chance if the run were perfectly calibrated.
    """
    shown = [(name, one) for name, one in result.confident() if any(tenth.pairs >= FEWEST_PAIRS for tenth in one.bins)]
    if not shown:
        return
    drawn = shown[:MOST_RUNS_DRAWN]
    lines = []
    for name, one in drawn:
        variants = []
        if len(drawn) == 1:
            (x, low), (_, high) = (_trace(one, [tenth.interval[end] for tenth in one.bins]) for end in (0, 1))
            variants.append(Variant([*x, nan, *x], [*low, nan, *high], f"{result.percent} CI"))
        lines.append(Line(*_trace(one, [tenth.accuracy for tenth in one.bins]), name, "both", tuple(variants)))
    yield Lines(
        title="Reliability of confidences",
        note=of_all(drawn, len(shown), "the first "),
        lines=(*lines, Line([0.0, 1.0], [0.0, 1.0], "perfectly calibrated", "reference")),
        axes=("confidence", "share of right answers"),
        caption=captioned(
            "The share of a run's answers that are right, by the confidence stated in them; one line per run.",
            "On the diagonal a run is perfectly calibrated; below it is overconfident, above it underconfident. Each "
            "point is a tenth of the scale, at the mean confidence of its pairs.",
            "Dots around it are the ends of the intervals." * (len(drawn) == 1),
            "Tenths with fewer than 5 pairs are left out, and those with few pairs are still noisy: the table has the "
            "calibration error of each run, and the error expected by chance if the run were perfectly calibrated.",
        ),
        unit="%",
        x_unit="%",
    )


def _trace(run: Reliability, heights: list[float]) -> tuple[list[float], list[float]]:
    """One point per tenth, at its mean confidence; none if the tenth has too few pairs."""
    points = {
        tenth.low: (tenth.confidence, height)
        for tenth, height in zip(run.bins, heights, strict=True)
        if tenth.pairs >= FEWEST_PAIRS
    }
    traced = [points.get(float(low), (nan, nan)) for low in EDGES[:-1]]
    return [x for x, _ in traced], [y for _, y in traced]


def _chart_name(result: Evaluation, way: str) -> str:
    return f"{way}-way" if len(result.shown) > 1 else ""


def _number(row: RunScores, way: str, measure: str) -> float:
    return _known(row.value(way, measure))


def _at(row: RunScores, way: str) -> tuple[float, float] | None:
    """Information and accuracy of a system, if both are defined."""
    x, y = _number(row, way, INFORMATION), _number(row, way, "accuracy")
    return (x, y) if x == x and y == y else None


def _standing_out(places: list[tuple[float, float]]) -> set[int]:
    """The highest point, the one furthest right, and those far from the line through all: the ones worth a name."""
    named = {max(range(len(places)), key=lambda one: (places[one][axis], -one)) for axis in (0, 1)}
    if len(places) < FEWEST_FOR_OUTLIERS:
        return named
    x, y = np.array(places).T
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in combinations(places, 2) if b[0] != a[0]]
    off = y - x * (np.median(slopes) if slopes else 0.0)
    off = np.abs(off - np.median(off))
    return named | set(np.flatnonzero(off > FAR_OFF * np.median(off) + DISPLAY_TOLERANCE).tolist())


def _together(rows: Iterable[RunScores], way: str) -> dict[tuple[float, float], str]:
    """The baselines by their position, since on a balanced key all of them coincide."""
    there: dict[tuple[float, float], list[str]] = {}
    for row in rows:
        if at := _at(row, way):
            there.setdefault((round(at[0], 9), round(at[1], 9)), []).append(row.name)
    more = {at: len(names) - 1 for at, names in there.items()}
    return {at: names[0] + f" and {more[at]} more" * (more[at] > 0) for at, names in there.items()}


FIGURES: Figures = (slices, conditioned, information, confidence)
