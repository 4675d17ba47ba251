"""Fewer bytes, the same picture: what is taken out of an SVG changes nothing that is seen."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from karat.data.charts import Dots, Interval, Series
from karat.render.figures import document, svg
from karat.render.figures.vector import rounded, slimmed


def made(inside: str) -> ElementTree.Element:
    """An image of something, slimmed."""
    root = ElementTree.fromstring(f"<svg>{inside}</svg>")
    slimmed(root)
    return root


@pytest.mark.parametrize(
    ("written", "short"),
    [
        ("M 1.005999 2 L -0.001 10.100001", "M 1.01 2 L 0 10.1"),
        ("12.345678", "12.35"),
        ("translate(1.23456 2) scale(0.015625 -0.015625)", "translate(1.23 2) scale(0.015625 -0.015625)"),
        ("rotate(-45 1.23456 2)", "rotate(-45 1.23 2)"),
        ("1e5 and 0.5", "1e5 and 0.5"),
    ],
)
def test_places_have_two_decimals(written: str, short: str) -> None:
    """Rounded, not cut; no minus before nothing; factors stay as they are."""
    assert rounded(written) == short


def test_groups_that_say_nothing() -> None:
    """Wrappers go, empty ones with all they hold; a named group of one thing gives it its name."""
    root = made('<g><g class="a"><path d="M 0 0" style="stroke: red" /></g><g /><defs /></g><g class="b"><g /></g>')
    (path,) = root
    assert (path.tag, path.attrib) == ("path", {"d": "M 0 0", "style": "stroke: red", "class": "a"})


def test_what_differs_stays_apart() -> None:
    """A group with a style does not override that of what is in it, nor does a shift replace another."""
    root = made('<g class="a" style="fill: red"><text style="fill: blue">x</text></g>')
    assert root[0].attrib["style"] == "fill: red"
    assert root[0][0].attrib["style"] == "fill: blue"
    moved = made('<g transform="translate(1 2)"><g transform="translate(3 4)" class="a"><path d="M 1 1" /></g></g>')
    assert [node.get("transform") for node in moved.iter() if node.get("transform")] == [
        "translate(1 2)",
        "translate(3 4)",
    ]


def test_a_shape_is_drawn_once() -> None:
    """Two colours of one shape are one shape; what a shape said of itself goes before what its use said."""
    shape = '<defs><path id="{}" d="M 0 0 L 1 1" style="stroke: {}" /></defs>'
    use = '<g class="m"><use href="#{}" x="1" y="2" style="fill: {}; stroke: none" /></g>'
    root = made(shape.format("p", "red") + use.format("p", "red") + shape.format("q", "blue") + use.format("q", "blue"))
    (path,) = root.iter("path")
    assert "style" not in path.attrib
    assert [node.attrib["href"] for node in root.iter("use")] == ["#p", "#p"]
    assert [node.attrib["style"] for node in root.iter("use")] == ["fill: red; stroke: red", "fill: blue; stroke: blue"]


def test_rectangles() -> None:
    """Four corners become two lengths each way; what is no rectangle stays."""
    root = made('<path d="M 1 2 L 5 2 L 5 4 L 1 4 L 1 2 z M 0 0 L 1 0 L 2 1 L 0 1 z" style="fill: red" />')
    assert root[0].attrib["d"] == "M 1 2 H 5 V 4 H 1 z M 0 0 L 1 0 L 2 1 L 0 1 z"


def test_words_that_look_alike() -> None:
    """Three in a row say how they look together; two do not, nor do three that differ."""
    text = '<text style="fill: {}" class="n" x="1">a</text>'
    alike = made(text.format("red") * 3)
    assert alike[0].attrib == {"style": "fill: red", "class": "n"}
    assert [node.attrib for node in alike[0]] == [{"x": "1"}] * 3
    assert [node.tag for node in made(text.format("red") * 2)] == ["text"] * 2
    assert [node.tag for node in made("".join(map(text.format, ("red", "blue", "red"))))] == ["text"] * 3


def test_a_chart_of_many_runs_is_small() -> None:
    """Twenty-five runs with intervals: below 20 KB on a page, below 40 KB with its letters drawn."""
    values = [0.5 + place / 100 for place in range(25)]
    intervals = tuple(Interval(v - 0.03, v + 0.03) for v in values)
    labels = tuple(f"team{place}-run{place}" for place in range(25))
    chart = Dots(title="t", labels=labels, series=(Series("accuracy", values),), intervals=intervals)
    assert len(svg(chart).encode()) < 20_000
    assert len(document(chart).encode()) < 40_000
