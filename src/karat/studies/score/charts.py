"""An evaluation drawn: what runs are good at, what they tell, and whether their confidences can be believed."""

from __future__ import annotations

from collections.abc import Iterable
from math import nan

from karat.data.charts import Chart, Dots, Figures, Line, Lines, Point, Points, Series, Variant
from karat.labels import WAYS
from karat.studies.drawing import DRAWN, needs, of_all
from karat.studies.score.reliability import EDGES, Reliability
from karat.studies.score.result import Evaluation, RunScores

INFORMATION = "information_corrected"
LINES = 5
"""So many runs can be told apart around the diagonal."""
LEAST_DRAWN = 5
"""A share of fewer pairs than this says nothing, and is not drawn."""


def conditioned(result: Evaluation) -> Iterable[Chart]:
    """Accuracy on the pairs of each label, a row a run: what a run is good at, whatever the mix of labels."""
    for way in (WAYS[name] for name in result.shown):
        rows = [row for row in result.systems(way.name)[: len(result.runs)] if row.values[way.name]]
        names = {label: f"recall({label})" for label in way.labels}
        if rows and all(name in (rows[0].values[way.name] or {}) for name in names.values()):
            yield Dots(
                name=_told_apart(result, way.name),
                title=f"Accuracy conditioned on the key, {way.name}-way",
                labels=tuple(row.name for row in rows),
                series=tuple(
                    Series(label, [_number(row, way.name, name) for row in rows]) for label, name in names.items()
                ),
                axis=f"accuracy on the pairs of each label, {way.name}-way",
            )


def information(result: Evaluation) -> Iterable[Chart]:
    """Accuracy against information, a mark a run, beside the trivial systems, which tell nothing.

    Top right is good. Right but low knows much and says it the wrong way: labels are swapped, or one of them is missed.
    Left but high is right by the mix of labels alone, as a constant answer would be. Information is corrected for its
    bias, so that a run that knows nothing is at 0 on average, where the trivial systems are, and now and then below.
    """
    # Of more runs nobody could name the points. The trivial systems have no weights of their own to be compared under.
    trivial = [] if result.own_weights else result.baselines
    for way in result.shown:
        runs = [row for row in result.systems()[: len(result.runs)] if _at(row, way)]
        if not 0 < len(runs) <= DRAWN:
            continue
        marks = [Point(row.name, *at, "runs") for row in runs if (at := _at(row, way))]
        marks += [Point(name, *at, "trivial systems") for at, name in _together(trivial, way).items()]
        yield Points(
            name=_told_apart(result, way),
            title=f"Accuracy and information, {way}-way",
            points=tuple(marks),
            axes=(f"information, corrected (bits, {way}-way)", f"accuracy, {way}-way"),
        )


@needs("runs with confidences in their answers, from 0 to 1")
def confidence(result: Evaluation) -> Iterable[Chart]:
    """How often a run's answers are right, by how sure it says it is of them, a line a run.

    On the diagonal a run is right as often as it claims. Below, it claims more than it delivers; above, less. A mark
    is a tenth of the scale, at the mean confidence of its pairs; of one run alone the ends of the intervals are drawn
    too. Tenths with fewer than 5 pairs are left out, and those with few still swing: the table has the calibration
    error of each run, and what luck alone would make of it.
    """
    shown = [(name, one) for name, one in result.confident() if any(tenth.pairs >= LEAST_DRAWN for tenth in one.bins)]
    if not shown:
        return
    drawn = shown[:LINES]
    lines = []
    for name, one in drawn:
        variants = []
        if len(drawn) == 1:
            (x, low), (_, high) = (_trace(one, [tenth.interval[end] for tenth in one.bins]) for end in (0, 1))
            variants.append(Variant([*x, nan, *x], [*low, nan, *high], f"{100 * result.level:g} % interval"))
        lines.append(Line(*_trace(one, [tenth.accuracy for tenth in one.bins]), name, "both", tuple(variants)))
    yield Lines(
        title="Reliability of confidences",
        note=of_all(drawn, len(shown), "the first "),
        lines=(*lines, Line([0.0, 1.0], [0.0, 1.0], "as sure as right", "reference")),
        axes=("confidence", "share right"),
    )


def _trace(run: Reliability, heights: list[float]) -> tuple[list[float], list[float]]:
    """A point a tenth, over its mean confidence; where pairs are few, nothing."""
    told = [(tenth, height) for tenth, height in zip(run.bins, heights, strict=True) if tenth.pairs >= LEAST_DRAWN]
    filled = {tenth.low: (tenth.confidence, height) for tenth, height in told}
    points = [filled.get(float(low), (nan, nan)) for low in EDGES[:-1]]
    return [x for x, _ in points], [y for _, y in points]


def _told_apart(result: Evaluation, way: str) -> str:
    """What tells the chart of one way from that of another, where both are shown."""
    return f"{way}-way" if len(result.shown) > 1 else ""


def _number(row: RunScores, way: str, measure: str) -> float:
    value = row.value(way, measure)
    return nan if value is None else value


def _at(row: RunScores, way: str) -> tuple[float, float] | None:
    """Information and accuracy of a system, where both are known."""
    x, y = _number(row, way, INFORMATION), _number(row, way, "accuracy")
    return (x, y) if x == x and y == y else None


def _together(rows: Iterable[RunScores], way: str) -> dict[tuple[float, float], str]:
    """The places of trivial systems, and who is there: on a balanced key all of them are at one."""
    there: dict[tuple[float, float], list[str]] = {}
    for row in rows:
        if at := _at(row, way):
            there.setdefault((round(at[0], 9), round(at[1], 9)), []).append(row.name)
    more = {at: len(names) - 1 for at, names in there.items()}
    return {at: names[0] + f" and {more[at]} more" * (more[at] > 0) for at, names in there.items()}


FIGURES: Figures = (conditioned, information, confidence)
