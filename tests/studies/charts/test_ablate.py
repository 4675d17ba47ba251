"""Ablations drawn."""

from __future__ import annotations

import math
from dataclasses import replace

from karat.data.charts import Dots, Heat
from karat.data.result import Estimate, Signature
from karat.render.scale import dot_range, heat_scale
from karat.studies.ablate import Ablation, Worth
from tests.studies.charts.reading import of


def ablation(*rows: Worth) -> Ablation:
    """A made-up ablation: parts where a row has no value, slices where it has."""
    signature = Signature("0", "ablate", (), (), None, None, None, None, {"by": "task"})
    return Ablation(
        study="ablate",
        signature=signature,
        engine="x",
        way="3",
        knowledge={},
        validated="",
        pairs=9,
        accuracy=Estimate(0.5, 0.4, 0.6),
        parts=[row for row in rows if row.value is None],
        slices=[row for row in rows if row.value is not None],
    )


def test_worth() -> None:
    """Parts from the most to the least, 0 in sight; by value a part without such pairs is undefined."""
    first = Worth("a", None, 9, 0.5, Estimate(-0.1, -0.3, 0.0), 0, 1, 1.0, 1.0)
    second = replace(first, without="b<$\x00", worth=Estimate(0.2, 0.1, 0.25))
    slices = [replace(first, value="QA", worth=Estimate(0.4, 0, 0)), replace(second, value="IE")]
    drawn = of(ablation(first, second, *slices))
    chart, by_value = drawn["worth"], drawn["worth-by-value"]
    assert isinstance(chart, Dots)
    assert isinstance(by_value, Heat)
    assert chart.labels == ("b<$\x00", "a")
    assert (dot_range(chart), chart.rule) == ((-0.4, 0.4), 0.0)
    assert chart.series == (("worth", [0.2, -0.1]),)
    assert chart.intervals == ((0.1, 0.25), (-0.3, 0.0))
    assert (by_value.labels, heat_scale(by_value)) == (("QA", "IE"), (0.0, 40.0))
    assert by_value.axes == ("part", "task")
    (second_name, second_values), (first_name, first_values) = by_value.series
    assert (second_name, first_name) == ("b<$\x00", "a")
    assert first_values[0] == 40
    assert second_values[1] == 20
    assert math.isnan(first_values[1])
    assert list(of(ablation(first))) == ["worth"]
    assert of(ablation()) == {}
