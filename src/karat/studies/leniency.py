"""With which runs a judge is lenient: what `judge` and `meta` say and draw of rows with a run and its bias."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from karat.arrays import DISPLAY_TOLERANCE
from karat.data.charts import Dots, Interval, Series
from karat.data.fields import written
from karat.data.result import Finding, marked
from karat.studies.wording import MOST_ROWS, listed, noted, of_all

MOST_NAMED = 3
"""The most runs named in a sentence."""


def favoured(rows: Sequence[Any], sign: int) -> list[Any]:
    """The runs with which a judge is significantly more lenient (1), or more severe (−1), than with the average run."""
    ends = ((row, row.relative.low if sign > 0 else -row.relative.high) for row in rows)
    return [row for row, end in ends if end > DISPLAY_TOLERANCE]


def leniency(judge: str, rows: Sequence[Any], points: str = "") -> Iterator[Finding]:
    """Which runs a judge favours, and with which it is severe, in these points or in the unit of the scores."""
    times, digits, unit = (100, 1, f" {points}") if points else (1, 3, "")
    for kind, sign in (("lenient", 1), ("severe", -1)):
        if found := sorted(favoured(rows, sign), key=lambda row: -abs(row.relative.value)):
            named = []
            for row in found[:MOST_NAMED]:
                ends = row.relative.value, row.relative.low, row.relative.high
                value, low, high = (written(times * end, digits, signed=True) for end in ends)
                named.append(f"{marked(row.run)} ({value}{unit}, simultaneous CI {low} to {high})")
            more = [f"{len(found) - MOST_NAMED:,} more"] if len(found) > MOST_NAMED else []
            whom = listed([*named, *more])
            text = f"{judge} is significantly more {kind} with {whom} than with the average run."
            yield Finding(text, [row.run for row in found])


def bias_dots(judge: str, rows: Sequence[Any], axis: str, unit: str = "", name: str = "") -> Iterator[Dots]:
    """The bias of a judge for each run; of too many runs, those with which it is most lenient and most severe."""
    known = sorted((row for row in rows if row.bias.value == row.bias.value), key=lambda row: -row.bias.value)
    half = MOST_ROWS // 2
    drawn = known if len(known) <= MOST_ROWS else [*known[:half], *known[-half:]]
    if drawn:
        yield Dots(
            name=name,
            title=f"Bias of {judge} for each run",
            note=noted(f"judge: {judge}", of_all(drawn, len(known), "")),
            labels=tuple(row.run for row in drawn),
            series=(Series("bias", [row.bias.value for row in drawn]),),
            intervals=tuple(Interval(row.bias.low, row.bias.high) for row in drawn),
            axis=axis,
            unit=unit,
            low=None,
            high=None,
            rule=0.0,
        )
