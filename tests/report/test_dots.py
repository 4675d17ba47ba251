"""Dots: intervals as bars, axes that fit the data, and more series than marks; in text and as SVG."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from karat.data.result import Chart
from karat.report.figures import svg
from karat.report.scale import dot_range, rounded, step_of, ticks
from karat.report.text import DRAWN
from tests.report.drawn import look, named, path, spot, texts

NAN = float("nan")


def dots(*rows: tuple[float, ...], names: tuple[str, ...] = ("value", "low", "high"), **options: object) -> Chart:
    """A row a label; three numbers are a value and the ends of its interval."""
    series = {name: [row[at] for row in rows] for at, name in enumerate(names)}
    ends = ("low", "high") if "low" in names else None
    return Chart("dots", "dots", tuple(f"r{at}" for at in range(len(rows))), series, ends=ends, **options)  # type: ignore[arg-type]


def text(chart: Chart) -> list[str]:
    """As a page without colour shows it."""
    console = Console(file=io.StringIO(), width=200, no_color=True, highlight=False)
    DRAWN["dots"](chart, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def test_interval_is_a_bar_in_text() -> None:
    """From low to high, the value on it; no mark of its own for either end."""
    lines = text(dots((0.5, 0.25, 0.75), (0.9, 0.0, 1.0)))
    assert lines[1].split()[1] == "·" * 10 + "├" + "─" * 9 + "●" + "─" * 9 + "┤" + "·" * 10
    assert "◆" not in "".join(lines)
    assert "├─┤ interval" in lines[0]


def test_interval_is_a_bar_in_svg() -> None:
    """One line from low to high and a stroke at either end; where an interval is undefined, the value alone."""
    drawn = svg(dots((0.5, 0.25, 0.75), (0.9, NAN, NAN), (0.2, 0.0, 1.0)))
    bars, marks = named(drawn, "interval"), named(drawn, "mark")
    assert len(bars) == 3 * 3  # two rows and the legend
    assert (len(marks), len(named(drawn, "legend"))) == (3, 1)
    (low, y), (high, _) = path(bars[0])
    assert spot(marks[0]) == pytest.approx(((low + high) / 2, y), abs=0.1)
    assert [path(stroke)[0][0] for stroke in bars[1:3]] == [low, high]


def test_close_values_are_not_one_spot() -> None:
    """The axis has round ends around the data, and says that it is a part of the scale."""
    close = dots((0.8422, 0.835, 0.849), (0.8502, 0.843, 0.857))
    assert dot_range(close) == (0.835, 0.86)
    assert "axis from 0.835 to 0.86, a part of 0 to 1" in text(close)[-2]
    first, second = (line.split()[1].index("●") for line in text(close)[1:3])
    assert second > first + 5
    assert "axis from 0.835 to 0.86, a part of 0 to 1" in svg(close)
    wide = dots((0.1, 0.0, 0.2), (0.8, 0.7, 0.9))
    assert dot_range(wide) == (0, 1)
    assert "axis from" not in svg(wide) + "".join(text(wide))
    alike = dots((0.5, 0.5, 0.5))
    assert dot_range(alike) == (0, 1)


def test_more_series_than_marks() -> None:
    """Every series is drawn and named, however many."""
    names = tuple(f"series {place}" for place in range(7))
    made = dots(tuple(place / 7 for place in range(7)), names=names)
    lines = text(made)
    assert all(name in lines[0] for name in names)
    assert len(set(lines[1].split()[1])) == 8
    drawn = svg(made)
    assert len({look(node) for node in named(drawn, "mark")}) == len(named(drawn, "legend")) == 7
    width = float(drawn.split('viewBox="', 1)[1].split('"')[0].split()[2])
    legend = [node for node in texts(drawn) if node.text in names]
    assert max(float(node.attrib["x"]) + 8 * len(node.text or "") for node in legend) < width
    assert len({node.attrib["y"] for node in legend}) > 1


@given(low=st.floats(-1e6, 1e6), span=st.floats(1e-6, 1e6))
def test_steps_are_round(low: float, span: float) -> None:
    """A step is 1, 2 or 5 times a power of ten; ticks are its multiples, inside, few; rounded ends are outside."""
    high = low + span
    step = step_of(low, high)
    assert f"{step:.6e}"[0] in "125"
    assert float(f"{step:.6e}".split("e")[0]) in (1, 2, 5)
    marked = ticks(low, high)
    slack = 1e-6 * step + 1e-9 * abs(low)
    assert all(low - slack <= value <= high + slack for value, _ in marked)
    assert 2 <= len(marked) <= 7
    assert len({written for _, written in marked}) == len(marked)
    first, last = rounded(low, high)
    assert first <= low + slack
    assert last >= high - slack
