"""Captions are about the figure above them, not about another that other data would give."""

from __future__ import annotations

import pytest
from tools.examples import EVERYTHING, result_of

import karat
from karat.data.charts import Chart, Dots, Heat, Panels
from karat.registry import Registered
from karat.studies.base import _caption

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


def _figure() -> None:
    """What it shows. A run has a bar.

    If there are several runs, they share a table.
    """


def test_what_holds_instead() -> None:
    """A part of the docstring is replaced wherever its lines break; a part that is not there is an error."""
    entry = Registered("figure", "figure", _figure, {})
    plain = Dots(title="", labels=(), series=())
    assert _caption(entry, plain).endswith("\n\nIf there are several runs, they share a table.")
    told = Dots(title="", labels=(), series=(), instead=(("A run has a bar.", "a has a bar."), ("What it shows.", "")))
    assert _caption(entry, told).startswith("a has a bar.\n\nIf")
    with pytest.raises(ValueError, match="does not say: A run has two bars"):
        _caption(entry, Dots(title="", labels=(), series=(), instead=(("A run has two bars.", ""),)))
