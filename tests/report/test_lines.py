"""Charts of lines: well-formed, told in words, and drawn in text as heights."""

from __future__ import annotations

import io
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from karat.data.result import Chart
from karat.report.figures import svg
from karat.report.text import _draw_lines
from tests.report.drawn import look, named, path, texts, told

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


def test_lines_are_well_formed_and_told() -> None:
    """XML whatever the names; ends of every line in words; every line named at its end; the rule is drawn."""
    drawn = svg(chart(marked=("b",)))
    assert "<a> 0.500 at 5 to 0.100 at 7" in told(drawn)
    assert "b 0.400 at 5 to 0.200 at 10" in told(drawn)
    (second,) = named(drawn, "line")
    assert len(path(second)) == 2
    assert "stroke-dasharray" in look(second)[1]
    assert {"<a>", "b", *AXES} <= {node.text for node in texts(drawn)}
    assert len(named(drawn, "rule")) == 1
    # A small point between holes or a mark a point, and the mark beside the name.
    assert [len(named(drawn, kind)) for kind in ("point", "mark", "legend")] == [2, 2, 2]


def test_no_line_leads_across_a_hole() -> None:
    """A value that is missing breaks the line: a stretch a line; text does not fill the column either."""
    values = [0.4] * 20 + [NAN] + [0.2] * 20
    made = chart(series={"a": values}, x=list(range(41)))
    assert [len(path(line)) for line in named(svg(made), "line")] == [20, 20]
    assert made.stretches("a")[1][0] == (21.0, 0.2)
    assert text(made).splitlines()[1].split("a ", 1)[1][:41].index(" ") == 20
    whole = chart(series={"a": [0.1, 0.0]}, x=[1, 3])
    broken = chart(series={"a": [0.1, NAN, 0.0]}, x=[1, 2, 3])
    assert ("0.05 at" in text(whole), "0.05 at" in text(broken)) == (True, False)


def test_many_lines_differ() -> None:
    """Two dozen lines: no two have the same colour and dashes, no two marks are alike, no two names overlap."""
    names = [f"run {place}" for place in range(24)]
    drawn = svg(chart(series={name: [0.1, 0.2 + place / 1e3] for place, name in enumerate(names)}, x=[0, 1]))
    assert len({look(node) for node in named(drawn, "line")}) == 24
    assert len({look(node) for node in named(drawn, "legend")}) == len(named(drawn, "legend")) == 24
    height = float(drawn.split('viewBox="', 1)[1].split('"')[0].split()[3])
    places = sorted(float(node.attrib["y"]) for node in texts(drawn) if node.text in names)
    assert min(b - a for a, b in itertools.pairwise(places)) >= 12
    assert 0 < places[0] < places[-1] < height


def test_thirty_lines_differ() -> None:
    """By colour and dashes alone, five of them in each of six colours; sixty are all named, within the figure."""
    names = [f"run {place}" for place in range(60)]
    drawn = svg(chart(series={name: [0.1, place / 200] for place, name in enumerate(names)}, x=[0, 1]))
    lines = [look(node) for node in named(drawn, "line")]
    assert (len(lines), len(set(lines[:30])), lines[30:]) == (60, 30, lines[:30])
    assert sorted(node.text or "" for node in texts(drawn) if node.text in names) == sorted(names)


@pytest.mark.parametrize(
    ("x", "marked"),
    [([5, 80], ["20", "40", "60", "80"]), ([2, 6181], ["2,000", "4,000", "6,000"]), ([5, 7], ["5", "6", "7"])],
)
def test_ticks_are_round(x: list[float], marked: list[str]) -> None:
    """Units are marked at round numbers, never between two of them."""
    words = [node.text for node in texts(svg(chart(series={"a": [0.1, 0.2]}, x=x)))]
    assert words[: len(marked)] == marked
    assert words[len(marked) :][:6] == ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]


def test_lines_stay_inside() -> None:
    """A value beyond the scale is drawn at its edge; a lone point and no point at all are drawn too."""
    (line,) = named(svg(chart(series={"a": [9.0, -9.0]}, x=[1, 2])), "line")
    assert [y for _, y in path(line)] == pytest.approx([17.0, 257.0])
    lone = svg(chart(series={"a": [0.1]}, x=[3]))
    assert (len(named(lone, "point")), len(named(lone, "legend"))) == (1, 1)
    empty = svg(chart(series={"a": [NAN]}, x=[3]))
    assert not named(empty, "line")
    assert "a undefined" in told(empty)


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


@settings(deadline=None, max_examples=30)
@given(
    values=st.lists(st.floats(-1, 2) | st.just(NAN), min_size=1, max_size=30),
    name=st.text(min_size=1, max_size=10),
)
def test_any_line(values: list[float], name: str) -> None:
    """No values and no name break a chart."""
    name = name.encode("utf-8", "replace").decode()
    made = chart(series={name: values}, x=list(range(len(values))))
    assert told(svg(made))
    assert text(made)


def test_x_is_of_the_series() -> None:
    """As many x as values, or it is an error at once."""
    with pytest.raises(ValueError, match="zip"):
        chart(series={"a": [0.1, 0.2]}, x=[1]).points("a")


def test_lines_over_names() -> None:
    """Judges have their names below and runs theirs at the end of their lines, in text the first and last judge."""
    names = ("ann", "<ben>", "cem")
    made = Chart("lines", "Ranks", names, {"a": [1, 2, 3], "b": [3, NAN, 1]}, low=1, high=3, x=[0, 1, 2])
    drawn = svg(made)
    words = [node.text for node in texts(drawn)]
    assert [words.count(name) for name in names] == [1, 1, 1]
    assert [words.count(name) for name in "ab"] == [1, 1]
    assert "a 1.000 at ann to 3.000 at cem" in told(drawn)
    console = Console(file=io.StringIO(), width=120)
    _draw_lines(made, console)
    last = console.file.getvalue().rstrip().splitlines()[-1]  # type: ignore[attr-defined]
    assert last.split()[:2] == ["ann", "cem"]


def test_long_names_below_are_tilted_and_inside() -> None:
    """Names that would touch are turned; the first of them does not leave the figure."""
    names = tuple(f"a judge of a long name {place}" for place in range(9))
    drawn = svg(Chart("lines", "Ranks", names, {"a": [1] * 9}, low=0, high=3, x=list(range(9))))
    turned = [node for node in texts(drawn) if node.text in names]
    assert len(turned) == 9
    assert all("rotate(-45" in node.attrib["transform"] for node in turned)
    assert float(turned[0].attrib["x"]) > 0.7 * 6.5 * len(names[0])
