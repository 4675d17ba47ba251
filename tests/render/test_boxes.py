"""Boxes: five numbers a label, drawn in text and as SVG."""

from __future__ import annotations

from dataclasses import replace

import pytest

from karat.arrays import NAN
from karat.data.charts import Box, Boxes
from karat.render.figures import svg
from tests.render.drawn import box, lines_of, named, path, pieces, told


def boxes(*numbers: tuple[float, ...]) -> Boxes:
    """A chart of so many boxes."""
    labels = tuple(f"<b{at}>" for at in range(len(numbers)))
    return Boxes(title="boxes", labels=labels, boxes=tuple(Box(*five) for five in numbers))


def test_text() -> None:
    """41 cells from 0 to 1: the range, the middle half and the median in their places."""
    (line,) = [line.split()[1] for line in lines_of(boxes((0.1, 0.25, 0.5, 0.75, 1.0))) if "<b0>" in line]
    assert (line.index("─"), line.index("█"), line.index("┃"), line.rindex("█"), line.rindex("─")) == (
        4,
        10,
        20,
        30,
        40,
    )
    assert line[:4] == "····"


def test_text_of_one_number() -> None:
    """All runs alike: the median alone; a box without numbers is empty."""
    alike, nothing = (line.split()[1] for line in lines_of(boxes((0.5,) * 5, (NAN,) * 5)) if "<b" in line)
    assert alike.replace("·", "") == "┃"
    assert set(nothing) == {"·"}


def test_svg() -> None:
    """Whiskers outside, the box between the quartiles, the median in it; told in words too."""
    made = svg(boxes((0.0, 0.25, 0.5, 0.75, 1.0)))
    (half,), (median,), (whiskers,) = (named(made, kind) for kind in ("box", "median", "whisker"))
    left, _, right, _ = box(path(half))
    first, second = pieces(whiskers)
    assert path(median)[0][0] == pytest.approx((left + right) / 2, abs=0.1)
    assert first[1][0] == pytest.approx(left, abs=0.1)
    assert second[0][0] == pytest.approx(right, abs=0.1)
    assert second[1][0] - first[0][0] == pytest.approx(2 * (right - left), abs=0.1)
    assert "<b0> low 0.000, lower 0.250, median 0.500, upper 0.750, high 1.000" in told(made)


def test_points_outside_the_whiskers() -> None:
    """Drawn on the scale, which they may widen, in text and as SVG, and told."""
    chart = replace(boxes((0.1, 0.25, 0.5, 0.75, 0.9), (0.2,) * 5), outside=((1.0,), ()))
    line = next(line.split()[1] for line in lines_of(chart) if "<b0>" in line)
    assert (line.index("o"), line.rindex("─")) == (40, 36)
    made = svg(chart)
    assert len(named(made, "outside")) == 1
    assert "high 0.900, outside 1.000" in told(made)
    assert not named(svg(boxes((0.1, 0.25, 0.5, 0.75, 0.9))), "outside")


def test_svg_without_numbers() -> None:
    """A box without numbers is not drawn: no coordinate is nan."""
    made = svg(boxes((NAN,) * 5, (0.1, 0.2, 0.3, 0.4, 0.5)))
    assert "nan" not in made.split("</desc>", 1)[1]
    assert len(pieces(named(made, "box")[0])) == 1
    assert not named(svg(boxes((NAN,) * 5)), "box")
