"""Captions are about the figure above them, not about another that other data would give."""

from __future__ import annotations

import pytest
from tools.examples import EVERYTHING, result_of

import karat
from karat.data.charts import Chart, Heat, Panels

GENERAL = ("Up to three", "for one or two runs", "For a single run", "A single run", "if there are no series")
"""What depends on the data, in docstrings."""


def test_captions_of_everything() -> None:
    """Nothing in them depends on data that the reader would have to look up."""
    found = {chart.name: chart.caption for chart in result_of("report", EVERYTHING).charts()}
    assert [name for name, caption in found.items() if any(words in caption for words in GENERAL)] == []
    assert [name for name, caption in found.items() if not caption.endswith(".") or "  " in caption] == []


@pytest.mark.parametrize(("runs", "kind"), [(2, Panels), (5, Heat)])
def test_slices(runs: int, kind: type[Chart], key: karat.Pairs) -> None:
    """Few runs have panels with intervals, many share a table without."""
    files = ["careful.jsonl", "cautious.txt", "overlap.txt", "chatty.jsonl", "terse.jsonl"]
    read = karat.read_runs([karat.examples.HERE / "runs" / file for file in files[:runs]], key)
    (chart,) = (one for one in karat.score(read, by=["task"]).charts() if one.name.startswith("slices"))
    assert isinstance(chart, kind)
    assert ("Each run has a panel, with intervals." in chart.caption) == (kind is Panels)
    assert ("The stronger the colour, the better." in chart.caption) == (kind is Heat)
    assert ("interval" in chart.caption) == (kind is Panels)
