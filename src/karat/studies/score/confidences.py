"""What confidences are worth, as a table and as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from karat.data.result import Cell, Field, Sheet
from karat.studies.score.reliability import Reliability

NOTES = (
    "Brier: the mean squared distance of confidence from being right (1) or wrong (0); always saying 0.5 gives 0.25",
    "calibration error: how far confidence and accuracy are apart, in tenths of confidence, on average over the pairs; "
    "by luck: what it would be on as many pairs if every confidence were true",
)


def confidence_sheet(shown: Sequence[tuple[str, Reliability]], level: float) -> Sheet:
    """A row a run."""
    percent = f"{100 * level:g} %"
    rows = [
        (name, f"{one.way}-way", one, _between(*one.interval), _between(one.by_luck.low, one.by_luck.high))
        for name, one in shown
    ]
    fields = (
        Field("run", "0"),
        Field("way", "1"),
        Field("mean confidence", "2.confidence", 4),
        Field("accuracy", "2.accuracy", 4),
        Field(f"{percent} interval", "3"),
        Field("Brier", "2.brier", 4),
        Field("calibration error", "2.calibration_error", 4),
        Field("by luck", "2.by_luck.value", 4),
        Field(f"{percent} by luck", "4"),
    )
    return Sheet.of("Reliability of confidences", rows, *fields, notes=NOTES)


def confidence_records(run: str, one: Reliability) -> Iterator[tuple[Cell, ...]]:
    """Every number as `records` has them; a tenth of the confidences is a slice of the pairs."""
    luck = one.by_luck
    whole = (run, "run", None, None, one.way)
    yield *whole, "mean_confidence", one.confidence, None, None
    yield *whole, "brier", one.brier, None, None
    yield *whole, "calibration_error", one.calibration_error, None, None
    yield *whole, "calibration_error_by_luck", luck.value, luck.low, luck.high
    for tenth in one.bins:
        slice_ = (run, "run", "confidence", f"{tenth.low:g} – {tenth.high:g}", one.way)
        yield *slice_, "mean_confidence", tenth.confidence, None, None
        yield *slice_, "accuracy", tenth.accuracy, *tenth.interval


def _between(low: float, high: float) -> str:
    return f"{low:.3f} – {high:.3f}"
