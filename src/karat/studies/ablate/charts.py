"""An ablation drawn."""

from __future__ import annotations

from collections.abc import Iterable
from math import nan

from karat.data.charts import Chart, Dots, Figures, Heat, Interval, Series
from karat.studies.ablate.result import Ablation, Worth
from karat.studies.drawing import needs


def worth(result: Ablation) -> Iterable[Chart]:
    """What each part adds to accuracy on the same pairs, between the ends of its interval; most comes first.

    It is the accuracy with all parts less the accuracy without this one: right of 0 the part is worth its place, left
    of it the engine is better off without. An interval that holds 0 is of a part that these pairs cannot judge.
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
    """What each part adds to accuracy on the pairs with each value of an attribute; below 0 it costs.

    A part may be worth nothing over all and much on the pairs it was made for. The numbers in a row are of the same
    pairs; of few pairs they are large by chance, and the table has p.
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
    """The parts, that which is worth most first."""
    return sorted(result.parts, key=lambda row: -row.worth.value)


FIGURES: Figures = (worth, worth_by_value)
