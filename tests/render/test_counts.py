"""Counts on a log scale with gutters beside it, in text and as SVG."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from karat.data.charts import Counts, Place
from karat.render.figures import svg
from karat.render.figures.counts import marked_places
from tests.render.drawn import Element, box, lines_of, named, path, tagged, texts, told, words

CHART = Counts(
    title="index",
    labels=("<a>", "b"),
    places=(
        Place("0", [3, 0]),
        Place("1", [8, 1], 1.0),
        Place("2", [0, 4], 2.0),
        Place("4", [1, 0], 4.0),
        Place("0/0", [0, 2]),
    ),
    low=1.0,
    high=4.0,
    axes=("m/k", ""),
)


def test_scale() -> None:
    """Twice as much is one step, wherever; gutters are not on it."""
    assert [CHART.share(x) for _, x in CHART.on_scale] == pytest.approx([0.0, 0.5, 1.0])
    assert [place.name for place in CHART.gutters] == ["0", "0/0"]


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
    assert [one.text for one in gutters] == ["0", "3", "0", "0/0", "0", "2"]
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
    changed = {"2": [float("nan"), 4], "0/0": [float("nan"), 2]}
    places = tuple(place._replace(counts=changed.get(place.name, place.counts)) for place in CHART.places)
    chart = replace(CHART, places=places)
    drawn = svg(chart)
    assert len(named(drawn, "disc")) == 4
    assert [node.text for node in words(drawn, "gutter")] == ["0", "3", "0", "0/0", "–", "2"]
    assert lines_of(chart)[1].endswith("0: 3  0/0: –")
    assert "nan" not in told(drawn)


def test_marks_of_the_scale_are_values_that_occur() -> None:
    """The ends, and of the fractions between them those of most units that have room; never a number nobody has."""
    between = {"4/3": 5, "3/2": 50, "8/5": 1, "2": 9}
    fractions = {"1": 1.0, "4/3": 4 / 3, "3/2": 1.5, "8/5": 1.6, "2": 2.0, "3": 3.0}
    places = tuple(Place(name, [between.get(name, 1)], x) for name, x in fractions.items())
    chart = replace(CHART, labels=("a",), places=places, high=3.0)
    assert [shown for _, shown in marked_places(chart, 480)] == ["1", "4/3", "3/2", "2", "3"]
    assert [shown for _, shown in marked_places(chart, 80)] == ["1", "3/2", "3"]
    assert marked_places(replace(chart, places=()), 480) == [(1.0, "1"), (3.0, "3")]


def test_two_places_of_one_name() -> None:
    """A place beside the scale may be called as one on it; both are drawn, and neither counts for the other."""
    chart = replace(CHART, labels=("a",), places=(Place("1", [5]), Place("1", [7], 1.0)))
    assert [name for name, _, _ in discs(svg(chart))] == ["7 at 1"]
    assert [node.text for node in words(svg(chart), "gutter")] == ["1", "5"]
    assert "a 5 at 1, 7 at 1" in told(svg(chart))
