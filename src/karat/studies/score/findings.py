"""What a reader should take away about an evaluation: sentences and figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from math import nan

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
from karat.data.result import HEADLINE, Finding, Findings, headline
from karat.labels import WAYS
from karat.statistics.poisson_binomial import SMALLEST_P
from karat.studies.base import needs
from karat.studies.score.caveats import EDGES, Reliability
from karat.studies.score.result import Evaluation, RunScores
from karat.studies.wording import MOST_ROWS, counted, listed, of_all, p_value, said, some_of

MOST_NAMED = 8
"""The most runs named in a sentence; further ones are counted."""
CONFIDENCE_TESTS = 2
"""Tests of confidences per run: of all confidences, and of the worst tenth."""
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
FEWEST_PAIRS = 5
"""The fewest pairs in a tenth of the confidences for its accuracy to be drawn."""


def _of_first(runs: Sequence[str], text: str, weight: int = HEADLINE, flag: str = "") -> Finding:
    """A sentence about the first of some runs, followed by the others to which it applies."""
    _, *others = dict.fromkeys(runs)
    if others:
        text += (
            f" This also applies to {len(others)} other run{'s' * (len(others) > 1)}: {some_of(others, MOST_NAMED)}."
        )
    return Finding(text, runs, weight, flag)


def below_trivial(evaluation: Evaluation) -> Iterable[Finding]:
    """Runs that are less accurate than the best baseline."""
    if evaluation.own_weights:
        return  # the baselines have no weights of their own
    for way in evaluation.shown:
        trivial = [(value, row.run) for row in evaluation.baselines if (value := row.value(way, "accuracy"))]
        scored = [row for row in evaluation.runs if row.values[way]]
        if trivial and scored:
            # Among equals the first, which is a constant answer.
            best, name = max(trivial, key=lambda system: round(system[0], 9))
            below = [row.name for row in scored if (row.value(way, "accuracy") or 0) < best - DISPLAY_TOLERANCE]
            if below:
                of_runs = f"{len(below)} of {counted(len(scored), 'run')}"
                beaten = f"{of_runs} score{'s' * (len(below) == 1)} below the best baseline"
                which = some_of(below, MOST_NAMED)
                yield headline(f"{beaten}, {name} ({best:.1%}, {way}-way): {which}.", below, "below baseline", way)


def constant(evaluation: Evaluation) -> Iterable[Finding]:
    """Runs that give the same answer to every pair, as a baseline does; some only in one way of scoring."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in evaluation.runs:
        labels = {way: label for way in evaluation.shown if (label := _only_label(row, way))}
        ways = [way for way in evaluation.shown if row.table[way]]
        for label in dict.fromkeys(list(labels.values())[-1:]):
            found.setdefault((label, "" if len(labels) == len(ways) else next(iter(labels))), []).append(row.name)
    for (label, way), names in found.items():
        says = "1 run answers" if len(names) == 1 else f"{len(names)} runs answer"
        only = f", {way}-way" * bool(way)
        text = f"{says} {label} to every pair{only}: {some_of(names, MOST_NAMED)}."
        yield headline(text, names, "constant answer", way)


def _only_label(row: RunScores, way: str) -> str:
    """The label that a run gives to every pair; empty if it gives several."""
    given = [sum(column) for column in zip(*(row.table[way] or []), strict=True)]
    return WAYS[way].labels[given.index(max(given))] if sum(count > 0 for count in given) == 1 else ""


def identical(evaluation: Evaluation) -> Iterable[Finding]:
    """Runs that give the same answers as another, most of which were submitted twice by mistake."""
    for names in evaluation.identical:
        yield headline(f"{listed(names)} give the same answer to every pair.", names, "identical")


def self_contradictory(evaluation: Evaluation) -> Iterable[Finding]:
    """Runs whose labels contradict their ranking, the worst first."""
    found = [(row.name, row.sound) for row in evaluation.runs if row.sound and not row.sound.sound]
    found.sort(key=lambda one: -one[1].disagreements)
    for name, sound in found[:1]:
        yield _of_first(
            [run for run, _ in found],
            f"{name}'s labels contradict its ranking: no cut-off reproduces them, and even the best one, after "
            f"{counted(sound.cutoff, 'pair')}, differs from {counted(sound.disagreements, 'label')}.",
            flag="labels ≠ ranking",
        )


def inverted(evaluation: Evaluation) -> Iterable[Finding]:
    """Runs that are informative but agree with the key significantly less than chance would, the worst first."""
    found = [(row.name, one) for row in evaluation.runs for one in row.inversions]
    found.sort(key=lambda one: one[1].kappa[1])
    for name, one in found[:1]:
        yield _of_first(
            [run for run, _ in found],
            f"{name} is informative about the key, but agrees with it significantly less often than expected by chance "
            f"({one.way}-way kappa below {one.kappa[1]:.3f}, corrected for all runs). Are its labels swapped?",
            flag="labels swapped?",
        )


def degradation(evaluation: Evaluation) -> Iterable[Finding]:
    """Runs whose score would rise if two of their labels were merged, which loses information significantly."""
    merges = [(row.name, merge) for row in evaluation.runs for merge in row.degradations if merge.lost[0] > 0]
    if not merges:
        return
    name, merge = max(merges, key=lambda one: max(_rise(one[1].accuracy), _rise(one[1].kappa)))
    measure = "accuracy" if _rise(merge.accuracy) > DISPLAY_TOLERANCE else "kappa"
    before, after = getattr(merge, measure)
    yield _of_first(
        [name, *(run for run, _ in merges)],
        f"Merging {merge.source} into {merge.target} would raise {name}'s {merge.way}-way {measure} on these pairs "
        f"from {said(measure, before)} to {said(measure, after)}, although it would lose "
        f"{-_rise(merge.information):.4f} bits of information (at least {merge.lost[0]:.4f}, corrected for all runs "
        f"and merges): {measure} would reward the run for saying less.",
    )


def _rise(change: tuple[float, float]) -> float:
    """The change from before to after; −1 if it is undefined, so that it never counts."""
    rise = change[1] - change[0]
    return rise if rise == rise else -1.0


def _confidence_tests(evaluation: Evaluation) -> tuple[int, float]:
    """The number of tests of confidences, and the level of each of them after Bonferroni's correction."""
    tests = CONFIDENCE_TESTS * len(evaluation.confident())
    return tests, 1 - (1 - evaluation.interval_level) / max(tests, 1)


def _corrected(p: float, tests: int) -> str:
    """A p-value after Bonferroni's correction; the smallest that is computed is only an upper bound."""
    return f"corrected p {'<' if p <= SMALLEST_P else '='} {p_value(min(1.0, tests * p))}"


def overconfident(evaluation: Evaluation) -> Iterable[Finding]:
    """Runs that are significantly overconfident or underconfident, corrected for all runs."""
    tests, level = _confidence_tests(evaluation)
    for claims, word in ((1, "overconfident"), (-1, "underconfident")):
        found = [(name, one) for name, one in evaluation.confident() if one.claims(level) == claims]
        found.sort(key=lambda one: -abs(one[1].confidence - one[1].accuracy))
        for name, one in found[:1]:
            yield _of_first(
                [run for run, _ in found],
                f"{name} is significantly {word}: its mean confidence is {one.confidence:.1%}, but "
                f"{one.accuracy:.1%} of its answers are right ({one.way}-way, {_corrected(one.p, tests)}).",
                flag=word,
            )


def miscalibrated(evaluation: Evaluation) -> Iterable[Finding]:
    """Runs that are significantly miscalibrated in some tenth of their confidences, though not overall."""
    tests, level = _confidence_tests(evaluation)
    found = [(name, *one.worst()) for name, one in evaluation.confident() if not one.claims(level)]
    found = sorted((one for one in found if one[2] <= 1 - level), key=lambda one: one[2])
    for name, tenth, p in found[:1]:
        yield _of_first(
            [run for run, *_ in found],
            f"{name} is not significantly over- or underconfident overall, but it is miscalibrated where its "
            f"confidence is between {tenth.low:.0%} and {tenth.high:.0%}: its mean confidence there is "
            f"{tenth.confidence:.1%}, but {tenth.accuracy:.1%} of {counted(tenth.pairs, 'answer')} are right "
            f"({_corrected(p, tests)}).",
            weight=1,
        )


PANELS_OR_HEAT = (
    "Up to three runs have a panel each, with intervals; more share a table, the stronger the colour the better."
)
OF_PANELS = ((PANELS_OR_HEAT, "Each run has a panel, with intervals."),)
OF_HEAT = ((PANELS_OR_HEAT, "The stronger the colour, the better."), ("Each interval is for one number by itself.", ""))
"""What the caption of slices says of either kind of chart."""


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
            instead = OF_PANELS if isinstance(drawn, Panels) else OF_HEAT
            yield replace(drawn, name=attribute if len(attributes) > 1 else "", asked_for=True, instead=instead)


def _by_slice(result: Evaluation, attribute: str) -> Panels | Heat | None:
    """The runs by value of one attribute, unless the measure is defined for none of them."""
    way, measure = result.sliced_way, result.headline[0]
    named, percent = readable(measure), measure.partition("(")[0] in ("accuracy", "recall", "precision")
    low, high = (0.0, 1.0) if percent else (None, None)
    systems = result.systems(way)[: len(result.runs)]
    parts = [part for part in result.slices if part.attribute == attribute][:MOST_ROWS]
    found = [{row.run: row for row in part.runs} for part in parts]
    values = {row.run: [_known((one[row.run].values[way] or {}).get(measure)) for one in found] for row in systems}
    title = f"{named.capitalize()} by {attribute}, {way}-way"
    if not any(value == value for numbers in values.values() for value in numbers):
        return None
    if len(systems) > MOST_PANELS:
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
                axis=f"{named}, {way}-way, with {result.percent} CI",
                unit="%" if percent else "",
                low=low,
                high=high,
            )
        )
    return Panels(title=title, panels=tuple(panels))


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
                title=f"Accuracy on the pairs of each label, {way.name}-way",
                labels=tuple(row.name for row in rows),
                series=tuple(
                    Series(label, [_number(row, way.name, name) for row in rows]) for label, name in names.items()
                ),
                axis=f"accuracy on the pairs of each label, {way.name}-way",
                unit="%",
                joined=True,
            )


LIKE_THEM = ", like the baselines,"


def information(result: Evaluation) -> Iterable[Chart]:
    """Accuracy against information, one point per run, with the baselines, which carry no information.

    The most accurate and the most informative run are named, and those far from the line through all runs; of several
    at one position, the first. Top right is good. A run at the bottom right is informative but misleading: its labels
    are swapped, or it misses one of them. A run at the top left is accurate only because of the mix of labels, as a
    constant answer would be. Information is corrected for its bias, so that an uninformative run is at 0 on average,
    like the baselines, and sometimes below.
    """
    # Baselines have no weights of their own.
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
            title=f"Accuracy and information, {way}-way",
            points=tuple(marks),
            axes=(f"information, corrected (bits, {way}-way)", f"accuracy, {way}-way"),
            unit="%",
            instead=() if trivial else ((", with the baselines, which carry no information", ""), (LIKE_THEM, "")),
        )


ONE_RUN_ENDS = "For a single run the ends of the intervals are drawn too."


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
        instead=((ONE_RUN_ENDS, "Dots around it are the ends of the intervals." if len(drawn) == 1 else ""),),
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


FINDINGS: Findings = (
    below_trivial, constant, identical, self_contradictory, inverted, degradation, overconfident, miscalibrated,
)  # fmt: skip
FIGURES: Figures = (slices, conditioned, information, confidence)
