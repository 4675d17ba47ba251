"""Difficulty drawn."""

from __future__ import annotations

from collections.abc import Callable

import karat
from karat.data.charts import Bars
from tests.studies.charts.reading import values

Make = Callable[..., tuple[karat.Pairs, karat.Responses]]


def test_difficulty(make: Make) -> None:
    """Pairs by how many runs are right on them, label by label, as counted by hand; they add up to all pairs."""
    _, runs = make("E U C E", a="1 E\n2 E\n3 E\n4 U", b="1 E\n2 U\n3 E\n4 C")
    (chart,) = karat.items(runs).charts()
    assert isinstance(chart, Bars)
    assert chart.labels == ("0", "1", "2")
    assert values(chart) == {"ENTAILMENT": [1, 0, 1], "UNKNOWN": [0, 1, 0], "CONTRADICTION": [1, 0, 0]}


def test_difficulty_of_the_examples(runs: karat.Responses) -> None:
    """The bars of a label add up to its pairs, and weighted by their place to its right answers."""
    result = karat.items(runs)
    (chart,) = result.charts()
    assert isinstance(chart, Bars)
    for at, (label, counts) in enumerate(chart.series):
        assert sum(counts) == sum(item.label == label for item in result.items)
        assert sum(place * count for place, count in enumerate(counts)) == result.pooled[at][at]
