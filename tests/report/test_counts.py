"""Counts on a log scale with gutters beside it, in text and as SVG."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest
from rich.console import Console

from karat.data.result import Chart
from karat.report.figures import svg
from karat.report.text import DRAWN
from tests.report.drawn import Element, named, path, tagged, texts, told

CHART = Chart(
    "counts",
    "index",
    ("<a>", "b"),
    {"0": [3, 0], "1": [8, 1], "2": [0, 4], "4": [1, 0], "0/0": [0, 2]},
    low=1.0,
    high=4.0,
    x={"1": [1.0], "2": [2.0], "4": [4.0]},
    axes=("m/k", ""),
)


def test_scale() -> None:
    """Twice as much is one step, wherever; gutters are not on it."""
    assert CHART.on_scale() == pytest.approx({"1": 0.0, "2": 0.5, "4": 1.0})


def test_text() -> None:
    """Heights at the places of the scale, numbers for what is beside it."""
    console = Console(file=io.StringIO(), width=200, no_color=True, highlight=False)
    DRAWN["counts"](CHART, console)
    assert isinstance(console.file, io.StringIO)
    first, second = (line.split(None, 1)[1] for line in console.file.getvalue().splitlines()[1:3])
    assert (first[0], first[20], first[40]) == ("█", "·", "▁")
    assert (second[0], second[20], second[40]) == ("▁", "▄", "·")
    assert first.endswith("0: 3  0/0: 0")
    assert second.endswith("0: 0  0/0: 2")


def across(group: Element) -> tuple[float, float]:
    """Middle and radius of a disc."""
    x = [x for x, _ in path(group)]
    return (max(x) + min(x)) / 2, (max(x) - min(x)) / 2


def test_svg() -> None:
    """A disc a number, its area as the number; gutters' counts as text; all of it in words."""
    drawn = svg(CHART)
    discs = {tagged(disc, "title")[0].text: across(disc) for disc in named(drawn, "disc")}
    assert len(discs) == len(named(drawn, "disc")) == 4
    x = [discs[name][0] for name in ("8 at 1", "4 at 2", "1 at 4")]
    assert x[1] - x[0] == pytest.approx(x[2] - x[1], abs=0.2)
    assert discs["8 at 1"][1] > discs["4 at 2"][1] > discs["1 at 1"][1]
    assert "<a> 3 at 0, 8 at 1, 1 at 4" in told(drawn)
    assert "b 1 at 1, 4 at 2, 2 at 0/0" in told(drawn)
    edge = path(named(drawn, "rule")[0])[0][0]
    gutters = [tagged(one, "text")[0] for one in named(drawn, "gutter")]
    assert [one.text for one in gutters] == ["0", "0/0", "3", "0", "0", "2"]
    assert all(float(one.attrib["x"]) < edge < min(x) for one in gutters)


def test_svg_says_what_sizes_mean() -> None:
    """A disc of one unit and one of as many as there are anywhere, with their numbers, as large as in the rows."""
    drawn = svg(CHART)
    discs = {tagged(disc, "title")[0].text: across(disc)[1] for disc in named(drawn, "disc")}
    sizes = [across(one)[1] for one in named(drawn, "size")]
    assert sizes == pytest.approx([discs[name] for name in ("1 at 1", "8 at 1")])
    assert [tagged(one, "text")[0].text for one in named(drawn, "soft")] == ["1", "8"]


def test_svg_is_no_wider_than_a_page() -> None:
    """Long names lose their middle, and the scale gives way."""
    drawn = svg(replace(CHART, labels=("a" * 80, "b" * 25)))
    assert float(ElementTree.fromstring(drawn).attrib["width"]) <= 1000
    assert any(one.text == "a" * 15 + "…" + "a" * 15 for one in texts(drawn))
    assert float(ElementTree.fromstring(svg(CHART)).attrib["width"]) < 1000


def test_an_undefined_count_is_a_dash() -> None:
    """No disc, and a dash in a gutter."""
    drawn = svg(replace(CHART, series={**CHART.series, "2": [float("nan"), 4], "0/0": [float("nan"), 2]}))
    assert len(named(drawn, "disc")) == 4
    assert [tagged(one, "text")[0].text for one in named(drawn, "gutter")][2:4] == ["3", "–"]
