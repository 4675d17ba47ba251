"""Figures of an evaluation: accuracy by label, accuracy and information, and the reliability of confidences."""

from __future__ import annotations

from collections.abc import Iterable
from math import nan

from karat.data.charts import Chart, Dots, Figures, Line, Lines, Point, Points, Series, Variant
from karat.labels import WAYS
from karat.studies.drawing import MOST_ROWS, needs, of_all
from karat.studies.score.reliability import EDGES, Reliability
from karat.studies.score.result import Evaluation, RunScores

INFORMATION = "information_corrected"
MOST_RUNS_DRAWN = 5
"""The most runs that can be distinguished around the diagonal."""
FEWEST_PAIRS = 5
"""The fewest pairs in a tenth of the confidences for its accuracy to be drawn."""


def conditioned(result: Evaluation) -> Iterable[Chart]:
    """Accuracy on the pairs of each label, one row per run: its strengths, whatever the mix of labels."""
    for way in (WAYS[name] for name in result.shown):
        rows = [row for row in result.systems(way.name)[: len(result.runs)] if row.values[way.name]]
        names = {label: f"recall({label})" for label in way.labels}
        if rows and all(name in (rows[0].values[way.name] or {}) for name in names.values()):
            yield Dots(
                name=_chart_name(result, way.name),
                way=result.one_of(way.name),
                title=f"Accuracy conditioned on the key, {way.name}-way",
                labels=tuple(row.name for row in rows),
                series=tuple(
                    Series(label, [_number(row, way.name, name) for row in rows]) for label, name in names.items()
                ),
                axis=f"accuracy on the pairs of each label, {way.name}-way",
            )


def information(result: Evaluation) -> Iterable[Chart]:
    """Accuracy against information, one point per run, with the trivial systems, which carry no information.

    Top right is good. A run at the bottom right is informative but misleading: its labels are swapped, or it misses one
    of them. A run at the top left is accurate only because of the mix of labels, as a constant answer would be.
    Information is corrected for its bias, so that an uninformative run is at 0 on average, like the trivial systems,
    and sometimes below.
    """
    # Of more runs the points could not be named. Trivial systems have no weights of their own.
    trivial = [] if result.own_weights else result.baselines
    for way in result.shown:
        rows = result.systems()[: len(result.runs)]
        marks = [Point(row.name, *at, "runs") for row in rows if (at := _at(row, way))]
        if not 0 < len(marks) <= MOST_ROWS:
            continue
        marks += [Point(name, *at, "trivial systems") for at, name in _together(trivial, way).items()]
        yield Points(
            name=_chart_name(result, way),
            way=result.one_of(way),
            title=f"Accuracy and information, {way}-way",
            points=tuple(marks),
            axes=(f"information, corrected (bits, {way}-way)", f"accuracy, {way}-way"),
        )


@needs("runs with confidences in their answers, from 0 to 1")
def confidence(result: Evaluation) -> Iterable[Chart]:
    """How often a run's answers are right by the confidence it states in them, one line per run.

    On the diagonal a run is right as often as it claims; below it is overconfident, above underconfident. Each point is
    a tenth of the scale, at the mean confidence of its pairs; for a single run the ends of the intervals are drawn too.
    Tenths with fewer than 5 pairs are left out, and those with few pairs are still noisy: the table has the calibration
    error of each run, and its distribution under chance alone.
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
            variants.append(Variant([*x, nan, *x], [*low, nan, *high], f"{result.percent} interval"))
        lines.append(Line(*_trace(one, [tenth.accuracy for tenth in one.bins]), name, "both", tuple(variants)))
    yield Lines(
        title="Reliability of confidences",
        note=of_all(drawn, len(shown), "the first "),
        lines=(*lines, Line([0.0, 1.0], [0.0, 1.0], "as sure as right", "reference")),
        axes=("confidence", "share right"),
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
    value = row.value(way, measure)
    return nan if value is None else value


def _at(row: RunScores, way: str) -> tuple[float, float] | None:
    """Information and accuracy of a system, if both are defined."""
    x, y = _number(row, way, INFORMATION), _number(row, way, "accuracy")
    return (x, y) if x == x and y == y else None


def _together(rows: Iterable[RunScores], way: str) -> dict[tuple[float, float], str]:
    """The trivial systems by their position, since on a balanced key all of them coincide."""
    there: dict[tuple[float, float], list[str]] = {}
    for row in rows:
        if at := _at(row, way):
            there.setdefault((round(at[0], 9), round(at[1], 9)), []).append(row.name)
    more = {at: len(names) - 1 for at, names in there.items()}
    return {at: names[0] + f" and {more[at]} more" * (more[at] > 0) for at, names in there.items()}


FIGURES: Figures = (conditioned, information, confidence)
