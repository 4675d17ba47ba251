"""Counts on a log scale with gutters beside it, in text and as SVG."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from karat.data.charts import Counts
from karat.render.figures import svg
from tests.render.drawn import Element, box, lines_of, named, path, tagged, texts, told, words

CHART = Counts(
    title="index",
    labels=("<a>", "b"),
    series={"0": [3, 0], "1": [8, 1], "2": [0, 4], "4": [1, 0], "0/0": [0, 2]},
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
    first, second = (line.split(None, 1)[1] for line in lines_of(CHART)[1:3])
    assert (first[0], first[20], first[40]) == ("█", "·", "▁")
    assert (second[0], second[20], second[40]) == ("▁", "▄", "·")
    assert first.endswith("0: 3  0/0: 0")
    assert second.endswith("0: 0  0/0: 2")


def discs(drawn: str, kind: str = "disc") -> list[tuple[str, float, float]]:
    """What discs say, where they stand, and how large they are."""
    shapes = {node.get("id"): node for node in ElementTree.fromstring(drawn).iter() if node.tag.endswith("}path")}
    return [(_title(node), *_across(node, shapes)) for node in named(drawn, kind)]


def _title(node: Element) -> str:
    return "".join(title.text or "" for title in tagged(node, "title"))


def _across(node: Element, shapes: dict[str | None, Element]) -> tuple[float, float]:
    (use,) = tagged(node, "use")
    left, _, right, _ = box(path(shapes[use.attrib["href"][1:]]))
    assert left == -right
    return float(use.attrib["x"]), right


def test_svg() -> None:
    """A disc a number, its area as the number; gutters' counts as text; all of it in words."""
    drawn = svg(CHART)
    found = {name: (x, radius) for name, x, radius in discs(drawn)}
    assert len(found) == len(named(drawn, "disc")) == 4
    x = [found[name][0] for name in ("8 at 1", "4 at 2", "1 at 4")]
    assert x[1] - x[0] == pytest.approx(x[2] - x[1], abs=0.2)
    assert found["8 at 1"][1] > found["4 at 2"][1] > found["1 at 1"][1]
    assert "<a> 3 at 0, 8 at 1, 1 at 4" in told(drawn)
    assert "b 1 at 1, 4 at 2, 2 at 0/0" in told(drawn)
    edge = path(named(drawn, "rule")[0])[0][0]
    gutters = words(drawn, "gutter")
    assert [one.text for one in gutters] == ["0", "0/0", "3", "0", "0", "2"]
    assert all(float(one.attrib["x"]) < edge < min(x) for one in gutters)


def test_svg_says_what_sizes_mean() -> None:
    """A disc of one unit and one of as many as there are anywhere, with their numbers, as large as in the rows."""
    drawn = svg(CHART)
    found = {name: radius for name, _, radius in discs(drawn)}
    assert [radius for _, _, radius in discs(drawn, "size")] == [found[name] for name in ("1 at 1", "8 at 1")]
    assert [node.text for node in words(drawn, "soft")] == ["1", "8"]


def test_svg_is_no_wider_than_a_page() -> None:
    """Long names lose their middle, and the scale gives way."""
    drawn = svg(replace(CHART, labels=("a" * 80, "b" * 25)))
    assert float(ElementTree.fromstring(drawn).attrib["width"]) <= 1000
    assert any(one.text == "a" * 15 + "…" + "a" * 15 for one in texts(drawn))
    assert float(ElementTree.fromstring(svg(CHART)).attrib["width"]) < 1000


def test_an_undefined_count_is_a_dash() -> None:
    """No disc, and a dash in a gutter."""
    chart = replace(CHART, series={**CHART.series, "2": [float("nan"), 4], "0/0": [float("nan"), 2]})
    drawn = svg(chart)
    assert len(named(drawn, "disc")) == 4
    assert [node.text for node in words(drawn, "gutter")][2:4] == ["3", "–"]
    assert lines_of(chart)[1].endswith("0: 3  0/0: –")
    assert "nan" not in told(drawn)
