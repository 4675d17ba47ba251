"""Charts of lines: well-formed, told in words, and drawn in text as heights."""

from __future__ import annotations

import io
import itertools
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from karat.data.result import Chart
from karat.report.svg import draw
from karat.report.text import _draw_lines

NAN = float("nan")
AXES = ("units <in> each", "error & rate")


def chart(**changes: object) -> Chart:
    """Two lines, one of them over an x of its own and with a hole."""
    given: dict[str, object] = {
        "series": {"<a>": [0.5, NAN, 0.1], "b": [0.4, 0.2]},
        "x": {"<a>": [5, 6, 7], "b": [5, 10]},
        "axes": AXES,
        "high": 0.5,
        "rule": 0.05,
        **changes,
    }
    return Chart("lines", "Error & size", (), **given)  # type: ignore[arg-type]


def elements(drawn: str, tag: str) -> list[ElementTree.Element]:
    """The elements of one kind."""
    return [node for node in ElementTree.fromstring(drawn) if node.tag.endswith(tag)]


def test_lines_are_well_formed_and_told() -> None:
    """XML whatever the names; ends of every line in words; every line named at its end; the rule is drawn."""
    drawn = draw(chart(marked=("b",)))
    told = ElementTree.fromstring(drawn).attrib["aria-label"]
    assert "<a> 0.500 at 5 to 0.100 at 7" in told
    assert "b 0.400 at 5 to 0.200 at 10" in told
    (second,) = elements(drawn, "polyline")
    assert len(second.attrib["points"].split()) == 2
    assert "stroke-dasharray" in second.attrib
    assert {"<a>", "b"} <= {node.text for node in elements(drawn, "text")}
    assert [line.attrib["class"] for line in elements(drawn, "line")].count("rule") == 1
    # The mark beside the name, and a small point between holes or a mark a point.
    assert (len(elements(drawn, "circle")), len(elements(drawn, "polygon"))) == (3, 3)


def test_no_line_leads_across_a_hole() -> None:
    """A value that is missing breaks the line: a stretch a polyline; text does not fill the column either."""
    values = [0.4] * 20 + [NAN] + [0.2] * 20
    made = chart(series={"a": values}, x=list(range(41)))
    first, second = (len(line.attrib["points"].split()) for line in elements(draw(made), "polyline"))
    assert (first, second) == (20, 20)
    assert made.stretches("a")[1][0] == (21.0, 0.2)
    assert text(made).splitlines()[1].split("a ", 1)[1][:41].index(" ") == 20
    whole = chart(series={"a": [0.1, 0.0]}, x=[1, 3])
    broken = chart(series={"a": [0.1, NAN, 0.0]}, x=[1, 2, 3])
    assert ("0.05 at" in text(whole), "0.05 at" in text(broken)) == (True, False)


def test_many_lines_differ() -> None:
    """Two dozen lines: no two have the same colour and dashes, no two marks are alike, no two names overlap."""
    names = [f"run {place}" for place in range(24)]
    drawn = draw(chart(series={name: [0.1, 0.2 + place / 1e3] for place, name in enumerate(names)}, x=[0, 1]))
    lines = {(node.attrib["class"], node.get("stroke-dasharray")) for node in elements(drawn, "polyline")}
    assert len(lines) == 24
    marks = [node for tag in ("circle", "rect") for node in elements(drawn, tag)]
    assert len(marks) + len(elements(drawn, "polygon")) == 24
    shapes = {(node.tag, node.attrib["class"]) for node in marks}
    shapes |= {(str(len(node.attrib["points"].split())), node.attrib["class"]) for node in elements(drawn, "polygon")}
    assert len(shapes) == 24
    height = float(ElementTree.fromstring(drawn).attrib["viewBox"].split()[3])
    places = sorted(float(node.attrib["y"]) for node in elements(drawn, "text") if node.text in names)
    assert min(b - a for a, b in itertools.pairwise(places)) >= 12
    assert 0 < places[0] < places[-1] < height


@pytest.mark.parametrize(
    ("x", "marked"),
    [([5, 80], ["20", "40", "60", "80"]), ([2, 6181], ["2,000", "4,000", "6,000"]), ([5, 7], ["5", "6", "7"])],
)
def test_ticks_are_round(x: list[float], marked: list[str]) -> None:
    """Units are marked at round numbers, never between two of them."""
    drawn = draw(chart(series={"a": [0.1, 0.2]}, x=x))
    texts = [node.text for node in elements(drawn, "text")]
    assert [text for text in texts if text in marked] == marked
    assert texts[:6] == ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]


def test_lines_stay_inside() -> None:
    """A value beyond the scale is drawn at its edge; a lone point and no point at all are drawn too."""
    drawn = draw(chart(series={"a": [9.0, -9.0]}, x=[1, 2]))
    _, *ys = (float(place.split(",")[1]) for place in f"0,0 {elements(drawn, 'polyline')[0].attrib['points']}".split())
    assert ys == [17.0, 257.0]
    assert len(elements(draw(chart(series={"a": [0.1]}, x=[3])), "circle")) == 2
    empty = draw(chart(series={"a": [NAN]}, x=[3]))
    assert not elements(empty, "polyline")
    assert "a undefined" in ElementTree.fromstring(empty).attrib["aria-label"]


def text(drawn: Chart) -> str:
    """As a page without colour shows it."""
    console = Console(file=io.StringIO(), width=120, no_color=True)
    _draw_lines(drawn, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_text_shows_heights_and_ends() -> None:
    """A high bar where the value is high, a low one where it is low, and the two ends as numbers."""
    line = next(line for line in text(chart()).splitlines() if "<a>" in line)
    assert line.split()[1] == "█"
    assert line.endswith("0.500 → 0.100")
    assert "–" in text(chart(series={"a": [NAN]}, x=[1]))


@pytest.mark.parametrize("count", [40, 41, 30, 25])
def test_rounding_makes_no_holes(count: int) -> None:
    """Points that stand closer than two columns fill every column; points that stand apart do not."""
    rising = [place / (count - 1) for place in range(count)]
    line = text(chart(series={"a": rising}, x=list(range(count)), high=1)).splitlines()[1]
    heights = line.split("a ", 1)[1][:41]
    assert " " not in heights
    assert sorted(heights) == list(heights)
    apart = text(chart(series={"a": [0.1, 0.2, 0.3]}, x=[0, 1, 2])).splitlines()[1]
    assert apart.count(" ") > 30


def test_text_tells_where_the_rule_is_met() -> None:
    """Between two points by a line; nothing where the rule is not met, or met more than once."""
    assert "0.05 at 2.500" in text(chart(series={"a": [0.1, 0.1, 0.0]}, x=[1, 2, 3]))
    assert " at " not in text(chart(series={"a": [0.1, 0.0, 0.1]}, x=[1, 2, 3]))
    assert " at " not in text(chart(series={"a": [0.3, 0.2, 0.1]}, x=[1, 2, 3]))


@given(
    values=st.lists(st.floats(-1, 2) | st.just(NAN), min_size=1, max_size=30),
    name=st.text(min_size=1, max_size=10),
)
def test_any_line(values: list[float], name: str) -> None:
    """No values and no name break a chart."""
    name = name.encode("utf-8", "replace").decode()
    made = chart(series={name: values}, x=list(range(len(values))))
    assert draw(made)
    assert text(made)


def test_x_is_of_the_series() -> None:
    """As many x as values, or it is an error at once."""
    with pytest.raises(ValueError, match="zip"):
        chart(series={"a": [0.1, 0.2]}, x=[1]).points("a")


def test_lines_over_names() -> None:
    """Judges have their names below and runs theirs at the end of their lines, in text the first and last judge."""
    names = ("ann", "<ben>", "cem")
    made = Chart("lines", "Ranks", names, {"a": [1, 2, 3], "b": [3, NAN, 1]}, low=1, high=3, x=[0, 1, 2])
    drawn = draw(made)
    told = [node.text for node in elements(drawn, "text")]
    assert [told.count(name) for name in names] == [1, 1, 1]
    assert [told.count(name) for name in "ab"] == [1, 1]
    assert "a 1.000 at ann to 3.000 at cem" in ElementTree.fromstring(drawn).attrib["aria-label"]
    console = Console(file=io.StringIO(), width=120)
    _draw_lines(made, console)
    last = console.file.getvalue().rstrip().splitlines()[-1]  # type: ignore[attr-defined]
    assert last.split()[:2] == ["ann", "cem"]
