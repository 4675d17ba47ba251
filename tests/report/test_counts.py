"""Counts on a log scale with gutters beside it, in text and as SVG."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest
from rich.console import Console

from karat.data.result import Chart
from karat.report.svg import draw
from karat.report.text import DRAWN

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


def test_svg() -> None:
    """A disc a number, its area as the number; gutters' counts as text; all of it in words."""
    root = ElementTree.fromstring(draw(CHART))
    discs = [one for one in root.iter() if one.get("class") == "disc" and len(one)]
    assert len(discs) == 4
    by_title = {next(iter(disc)).text: disc for disc in discs}
    x = [float(by_title[name].attrib["cx"]) for name in ("8 at 1", "4 at 2", "1 at 4")]
    assert x[1] - x[0] == pytest.approx(x[2] - x[1], abs=0.2)
    assert float(by_title["8 at 1"].attrib["r"]) > float(by_title["4 at 2"].attrib["r"])
    label = root.attrib["aria-label"]
    assert "<a> 3 at 0, 8 at 1, 1 at 4" in label
    assert "b 1 at 1, 4 at 2, 2 at 0/0" in label
    edge = float(next(one for one in root.iter() if one.get("class") == "rule").attrib["x1"])
    gutters = [one for one in root.iter() if one.text in ("0", "0/0")]
    assert all(float(one.attrib["x"]) < edge < min(x) for one in gutters)


def test_svg_says_what_sizes_mean() -> None:
    """A disc of one unit and one of as many as there are anywhere, with their numbers, as large as in the rows."""
    root = ElementTree.fromstring(draw(CHART))
    legend = [one for one in root.iter() if one.get("class") == "disc" and not len(one)]
    drawn = {next(iter(one)).text: one for one in root.iter() if one.get("class") == "disc" and len(one)}
    assert [one.attrib["r"] for one in legend] == [drawn[name].attrib["r"] for name in ("1 at 1", "8 at 1")]
    assert [one.text for one in root.iter() if one.get("class") == "soft"] == ["1", "8"]


def test_svg_is_no_wider_than_a_page() -> None:
    """Long names lose their middle, and the scale gives way."""
    root = ElementTree.fromstring(draw(replace(CHART, labels=("a" * 80, "b" * 25))))
    assert float(root.attrib["width"]) <= 1000
    assert any(one.text == "a" * 15 + "…" + "a" * 15 for one in root.iter())
    assert float(ElementTree.fromstring(draw(CHART)).attrib["width"]) < 1000
