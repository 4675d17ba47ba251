"""Figures of an ablation."""

from __future__ import annotations

from collections.abc import Iterable
from math import nan

from karat.data.charts import Chart, Dots, Figures, Heat, Interval, Series
from karat.studies.ablate.result import Ablation, Worth
from karat.studies.base import needs


def worth(result: Ablation) -> Iterable[Chart]:
    """The contribution of each part to accuracy on the same pairs, with its interval, largest first.

    It is the accuracy with all parts minus the accuracy without this one: right of 0 the part helps, left of 0 the
    engine is better without it. If the interval includes 0, these pairs do not show whether the part helps.
    """
    rows = _ordered(result)
    if rows:
        yield Dots(
            title="What each part adds to accuracy",
            labels=tuple(row.without for row in rows),
            series=(Series("worth", [row.worth.value for row in rows]),),
            intervals=tuple(Interval(row.worth.low, row.worth.high) for row in rows),
            axis="accuracy with the part less accuracy without it",
            low=None,
            high=None,
            rule=0.0,
        )


@needs("an attribute of the pairs: --by ATTRIBUTE")
def worth_by_value(result: Ablation) -> Iterable[Chart]:
    """The contribution of each part to accuracy by value of an attribute; below 0 it does harm.

    A part may contribute nothing overall and much on the pairs it was made for. The numbers in a row are from the same
    pairs; with few pairs large numbers may be due to chance, and the table has p-values.
    """
    values = list(dict.fromkeys(row.value for row in result.slices))
    known = {(row.without, row.value): row.worth.value for row in result.slices}
    parts = [row.without for row in _ordered(result)]
    if values:
        yield Heat(
            title="What each part adds to accuracy, by value of the attribute",
            labels=tuple(map(str, values)),
            series=tuple(Series(part, [known.get((part, value), nan) for value in values]) for part in parts),
            axes=("part", result.signature.parameters.get("by") or "value"),
            low=None,
            high=None,
            digits=3,
        )


def _ordered(result: Ablation) -> list[Worth]:
    return sorted(result.parts, key=lambda row: -row.worth.value)


FIGURES: Figures = (worth, worth_by_value)
