"""Bars: panels on one scale, wrapped, named; in text as heights."""

from __future__ import annotations

import itertools

import pytest

from karat.arrays import NAN
from karat.data.charts import Bars, Series
from karat.data.charts import series as named_series
from karat.render.figures import draw, svg
from tests.render.drawn import box, lines_of, named, pieces, size, texts, told, words


def bars(series: dict[str, list[float]], labels: tuple[str, ...] = ("0", "1", "2"), high: float | None = 1.0) -> Bars:
    """A chart of panels."""
    return Bars(title="Scores", labels=labels, series=named_series(series), axes=("score", "share"), high=high)


def many(runs: int, count: int = 10) -> Bars:
    """So many panels of so many bars."""
    series = {f"run {run}": [(run * 7 + place * 3) % 11 / 11 for place in range(count)] for run in range(runs)}
    return bars(series, tuple(f".{place}" for place in range(count)))


def test_heights_tell_values() -> None:
    """On one scale in every panel: twice the value is twice the height, from the same ground."""
    drawn = svg(bars({"a": [0.2, 0.4, 0.8], "b": [0.4, 0.0, 0.2]}))
    first, second = ([box(piece) for piece in pieces(node)] for node in named(drawn, "bars"))
    assert [bottom - top for _, top, _, bottom in first] == pytest.approx([36, 72, 144], abs=0.1)
    assert [bottom - top for _, top, _, bottom in second] == pytest.approx([72, 36], abs=0.1)  # none for nothing
    assert {bottom for *_, bottom in (*first, *second)} == {first[0][3]}
    assert first[2][2] < second[0][0]
    assert first[1][0] - first[0][0] == pytest.approx(first[2][0] - first[1][0])


def test_a_bar_stays_in_its_panel() -> None:
    """A value beyond the scale widens it; what is undefined is a dash and no bar."""
    drawn = svg(bars({"a": [3.0, NAN, 0.5]}))
    (tall, half) = (box(piece) for piece in pieces(named(drawn, "bars")[0]))
    assert tall[3] - tall[1] == pytest.approx(6 * (half[3] - half[1]), abs=0.1)
    assert tall[3] - tall[1] == pytest.approx(180, abs=0.1)
    (dash,) = words(drawn, "soft")
    assert dash.text == "–"
    assert tall[2] < float(dash.attrib["x"]) < half[0]


@pytest.mark.parametrize("runs", [1, 2, 5, 25, 60])
def test_panels_wrap(runs: int) -> None:
    """Every run has its panel and its name, none over another, within the width of a page."""
    drawn = svg(many(runs))
    assert len(named(drawn, "bars")) == len(words(drawn, "panel")) == runs
    assert [node.text for node in words(drawn, "panel")] == [f"run {run}" for run in range(runs)]
    assert size(drawn)[0] < 760
    panels = [box([spot for piece in pieces(node) for spot in piece]) for node in named(drawn, "bars")]
    for one, other in itertools.combinations(panels, 2):
        assert one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]


def test_names_below_the_last_of_each_column() -> None:
    """Seven panels in rows of four: names below the second row, and below the fourth of the first; numbers left."""
    drawn = svg(many(7))
    below = [node for node in texts(drawn) if node.text == ".0"]
    assert len({node.attrib["x"] for node in below}) == len(below) == 4
    assert len({node.attrib["y"] for node in below}) == 2
    assert len([node for node in texts(drawn) if node.text == "0.0"]) == 2


def test_crowded_names() -> None:
    """Short names are left out in turn, long ones are tilted; no two touch."""
    hundred = svg(many(1, 100))
    shown = [node for node in texts(hundred) if (node.text or "").startswith(".")]
    assert 5 < len(shown) < 40
    places = sorted(float(node.attrib["x"]) for node in shown)
    assert min(b - a for a, b in itertools.pairwise(places)) > 24
    words_below = ("not good at all", "fair", "good enough for anybody")
    tilted = [node for node in texts(svg(bars({"a": [0.1, 0.2, 0.3]}, words_below))) if node.text in words_below]
    assert len(tilted) == 3
    assert all("rotate(-45" in node.attrib["transform"] for node in tilted)


def test_told() -> None:
    """Few bars one by one, of many the highest of each panel."""
    assert "share by score; a 0.200 at 0, 0.400 at 2" in told(svg(bars({"a": [0.2, NAN, 0.4]})))
    assert "b undefined" in told(svg(bars({"b": [NAN] * 3})))
    chart = many(25)
    place, most = max(enumerate(chart.series[3].values), key=lambda pair: pair[1])
    assert f"run 3 most {most:.3f} at .{place}; run 4" in told(svg(chart))
    assert len(told(svg(many(60)))) < 60 * 40


def test_small() -> None:
    """Twenty-five runs in less than 40 KB."""
    assert len(svg(many(25)).encode()) < 40_000


def test_text() -> None:
    """Heights by value, a point for nothing, a dash for what is undefined; the highest as a number."""
    title, first, second, below, _ = lines_of(bars({"a": [0.125, 0.5, 1.0], "longer": [0.0, NAN, 0.01]}))
    assert "share by score" in title
    assert first.split() == ["a", "▁▁▁▄▄▄███", "most", "1.000", "at", "2"]
    assert second.split()[:2] == ["longer", "···–––▁▁▁"]
    assert below.split() == ["0", "2", "█", "1"]
    assert lines_of(bars({"a": [NAN] * 3}))[1].split() == ["a", "–––––––––", "–"]
    counts = lines_of(bars({"a": [3, 4, 0]}, high=4))[1]
    assert counts.endswith("most 4 at 1")


def test_axes_are_in_the_chart_s_numbers() -> None:
    """A panel is matplotlib's own axes, called by its series."""
    figure = draw(bars({"a": [1, 2, 3], "b": [3, 2, 1]}, high=3))
    assert [axes.get_label() for axes in figure.axes] == ["a", "b"]
    assert {axes.get_ylim() for axes in figure.axes} == {(0.0, 3.0)}


def test_a_scale_as_high_as_needed() -> None:
    """Without an end the scale leads to the round number above the highest bar; without a bar it is still a scale."""
    assert [axes.get_ylim() for axes in draw(bars({"a": [1, 2, 7.5]}, high=None)).axes] == [(0.0, 8.0)]
    ((low, high),) = [axes.get_ylim() for axes in draw(bars({"a": [NAN, NAN, 0]}, high=None)).axes]
    assert low < high


def test_two_panels_of_one_name() -> None:
    """Both are drawn."""
    chart = Bars(title="t", labels=("0",), series=(Series("a", [1.0]), Series("a", [2.0])))
    assert len(named(svg(chart), "bars")) == 2
    assert "a 1 at 0; a 2 at 0" in told(svg(chart))
