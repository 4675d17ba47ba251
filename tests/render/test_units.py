"""Charts in the unit that people read."""

from __future__ import annotations

from karat.data.charts import Dots, Interval, Line, Lines, Panels, Point, Points, Series, Variant
from karat.render.scale import in_unit

DOTS = Dots(
    title="a",
    labels=("x",),
    series=(Series("one", [0.5]),),
    intervals=(Interval(0.25, 0.75),),
    axis="accuracy",
    rule=0.125,
    unit="%",
)


def test_dots_in_per_cent() -> None:
    """Marks, intervals, rule and scale are multiplied, once, and the axis says so."""
    drawn = in_unit(DOTS)
    assert (drawn.series[0].values, drawn.intervals[0], drawn.rule) == ([50.0], (25.0, 75.0), 12.5)
    assert (drawn.low, drawn.high, drawn.axis) == (0.0, 100.0, "accuracy (%)")
    assert in_unit(drawn) == drawn
    assert in_unit(Panels(title="b", panels=(DOTS,))).panels == (drawn,)


def test_a_chart_without_unit_stays() -> None:
    """A score that nobody gives in per cent."""
    plain = Dots(title="a", labels=("x",), series=(Series("one", [0.5]),))
    assert in_unit(plain) is plain


def test_lines_in_per_cent() -> None:
    """Variants too; x only if it has a unit of its own."""
    line = Line([0.5, 2.0], [0.25, 1.0], "a", variants=(Variant([1.0], [0.5], "fit"),))
    chart = Lines(title="a", lines=(line,), axes=("difference", "error"), high=None, rule=0.05, unit="%")
    drawn = in_unit(chart)
    assert (drawn.lines[0].points, drawn.lines[0].variants[0].points) == ([(0.5, 25.0), (2.0, 100.0)], [(1.0, 50.0)])
    assert (drawn.axes, drawn.rule, drawn.high) == (("difference", "error (%)"), 5.0, None)
    both = in_unit(Lines(title="a", lines=(line,), axes=("difference", "error"), unit="%", x_unit="points"))
    assert (both.lines[0].points[0], both.axes) == ((50.0, 25.0), ("difference (points)", "error (%)"))


def test_points_in_per_cent() -> None:
    """The height has the unit."""
    drawn = in_unit(Points(title="a", points=(Point("r", 0.5, 0.5),), axes=("bits", "accuracy"), unit="%"))
    assert (drawn.points[0].x, drawn.points[0].y, drawn.axes) == (0.5, 50.0, ("bits", "accuracy (%)"))
