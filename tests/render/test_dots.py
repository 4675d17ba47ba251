"""Dots: intervals as bars, axes that fit the data, more series than marks, rows that belong together."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.arrays import NAN
from karat.data.charts import Dots, Interval, Series
from karat.render.characters import Terminal
from karat.render.figures import svg
from karat.render.figures.rows import swarm
from karat.render.scale import MOST_COLUMNS, apart, dot_range, needed, packed, roomy, rounded, scale_of, step_of, ticks
from tests.render.drawn import lines_of, look, named, path, pieces, size, spots, texts, told, words


def dots(*rows: tuple[float, ...], names: tuple[str, ...] = (), **options: object) -> Dots:
    """A row a label; three numbers are a value and the ends of its interval, unless there are names."""
    series = tuple(Series(name, [row[at] for row in rows]) for at, name in enumerate(names or ("value",)))
    intervals = () if names else tuple(Interval(*row[1:]) for row in rows)
    labels = tuple(f"r{at}" for at in range(len(rows)))
    return Dots(title="dots", labels=labels, series=series, intervals=intervals, **options)  # type: ignore[arg-type]


def test_interval_is_a_bar_in_text() -> None:
    """From low to high, the value on it; no mark of its own for either end."""
    lines = lines_of(dots((0.5, 0.25, 0.75), (0.9, 0.0, 1.0)))
    assert lines[1].split()[1] == "·" * 10 + "├" + "─" * 9 + "●" + "─" * 9 + "┤" + "·" * 10
    assert "◆" not in "".join(lines)
    assert "├─┤ interval" in lines[0]


def test_interval_is_a_bar_in_svg() -> None:
    """One line from low to high and a stroke at either end; where an interval is undefined, the value alone."""
    drawn = svg(dots((0.5, 0.25, 0.75), (0.9, NAN, NAN), (0.2, 0.0, 1.0)))
    (bars,), marks = named(drawn, "interval"), spots(drawn, "mark")
    assert len(pieces(bars)) == 2 * 3
    assert (len(marks), len(named(drawn, "legend")), len(named(drawn, "interval-legend"))) == (3, 1, 1)
    (low, y), (high, _) = pieces(bars)[0]
    assert marks[0] == pytest.approx(((low + high) / 2, y), abs=0.1)
    assert [stroke[0][0] for stroke in pieces(bars)[1:3]] == [low, high]
    assert not named(svg(dots((0.5, NAN, NAN))), "interval")


def test_close_values_are_not_one_spot() -> None:
    """The axis has round ends around the data, and says that it is a part of the scale."""
    close = dots((0.8422, 0.835, 0.849), (0.8502, 0.843, 0.857))
    assert dot_range(close) == (0.835, 0.86)
    assert "truncated axis: 0.835 to 0.86 (of 0 to 1)" in lines_of(close)[-2]
    first, second = (line.split()[1].index("●") for line in lines_of(close)[1:3])
    assert second > first + 5
    assert "truncated axis: 0.835 to 0.86 (of 0 to 1)" in svg(close)
    wide = dots((0.1, 0.0, 0.2), (0.8, 0.7, 0.9))
    assert dot_range(wide) == (0, 1)
    assert "truncated axis" not in svg(wide) + "".join(lines_of(wide))
    alike = dots((0.5, 0.5, 0.5))
    assert dot_range(alike) == (0, 1)


def test_a_scale_turned_round() -> None:
    """Where low is the larger it stands on the left; ranks are marked at 1; a scale of one value is a scale."""
    ranks = dots((1, 1, 2), (25, 20, 25), low=25, high=1)
    (first, _), (last, _) = spots(svg(ranks), "mark")
    assert last < first
    assert {"1", "5", "25"} <= {node.text for node in texts(svg(ranks))}
    assert lines_of(ranks)[2].split()[1].startswith("●")
    (alone,) = spots(svg(dots((1, 1, 1), low=1, high=1)), "mark")
    assert alone[0] == pytest.approx((size(svg(dots((1, 1, 1), low=1, high=1)))[0] - 28 + 24 + 16) / 2, abs=1)
    assert needed([3.0, 4.0], 25, 1) == tuple(reversed(needed([3.0, 4.0], 1, 25)))
    assert apart(1, 1) == (0.5, 1.5)


def test_zero_is_ruled() -> None:
    """Where values lie on both sides of 0, it is a line; elsewhere there is none."""
    drawn = svg(dots((0.1, -0.1, 0.2), (-0.3, -0.4, 0.0), low=-0.5, high=0.5))
    (zero,) = named(drawn, "zero")
    (top, bottom) = path(zero)
    assert top[0] == bottom[0]
    assert pieces(named(drawn, "interval")[0])[3][1][0] == pytest.approx(top[0])  # the second interval ends at 0
    assert not named(svg(dots((0.1, 0.0, 0.2))), "zero")


def test_more_series_than_marks() -> None:
    """Every series is drawn and named, however many."""
    names = tuple(f"series {place}" for place in range(7))
    made = dots(tuple(place / 7 for place in range(7)), names=names)
    lines = lines_of(made)
    assert all(name in lines[0] for name in names)
    assert len(set(lines[1].split()[1])) == 8
    drawn = svg(made)
    assert len({look(node) for node in named(drawn, "mark")}) == len(named(drawn, "legend")) == 7
    legend = [node for node in texts(drawn) if node.text in names]
    assert max(float(node.attrib["x"]) + 8 * len(node.text or "") for node in legend) < size(drawn)[0]
    assert len({node.attrib["y"] for node in legend}) > 1


def joined(rows: int, *groups: tuple[int, ...]) -> Dots:
    """So many rows, of which some are joined."""
    return dots(*((row / rows, NAN, NAN) for row in range(rows)), groups=groups)


def test_joined_rows() -> None:
    """A knot at each of its rows, a line between neighbours, a faint one past others; apart in the same column."""
    chart = joined(7, (0, 1, 3), (1, 2), (2, 3), (5, 6))
    drawn = svg(chart)
    marks = [y for _, y in spots(drawn, "mark")]
    knots: dict[float, list[int]] = {}
    for x, y in spots(drawn, "knot"):
        knots.setdefault(x, []).append(marks.index(y))
    columns = sorted(knots)
    assert [knots[x] for x in columns] == [[0, 1, 3, 5, 6], [1, 2], [2, 3]]
    assert columns[-1] < size(drawn)[0]
    whole = {(piece[0][0], marks.index(piece[0][1]), marks.index(piece[1][1])) for piece in group_lines(drawn, "group")}
    assert whole == {(columns[0], 0, 1), (columns[1], 1, 2), (columns[2], 2, 3), (columns[0], 5, 6)}
    (past,) = group_lines(drawn, "past")
    assert [(x, marks.index(y)) for x, y in past] == [(columns[0], 1), (columns[0], 3)]
    assert "joined: r0, r1, r3; r1, r2; r2, r3; r5, r6" in told(drawn)
    beside = [line.ljust(60)[48:51] for line in lines_of(chart)[1:8]]
    assert beside == ["┐  ", "┤┐ ", "┊┘┐", "┘ ┘", "   ", "┐  ", "┘  "]


def group_lines(drawn: str, kind: str) -> list[list[tuple[float, float]]]:
    """The lines beside rows that are of one kind."""
    return [piece for node in named(drawn, kind) for piece in pieces(node)]


def test_too_many_groups() -> None:
    """Sixty rows in thirty groups: the widest that fit are drawn, the rest is told, and the figure is no wider."""
    groups = [tuple(range(start, start + 30)) for start in range(30)]
    chart = joined(60, *groups, (20, 21))
    made, note = packed(chart)
    assert note == f"{31 - MOST_COLUMNS} of 31 groups are not drawn, since there is no room"
    assert len(made) == MOST_COLUMNS
    assert min(len(rows) for _, rows in made) == 30
    assert note in {node.text for node in words(svg(chart), "noted")}
    assert note in "\n".join(lines_of(chart))
    assert size(svg(chart))[0] < 800
    assert "31 groups are joined" in told(svg(chart))


def test_groups_that_cannot_be_drawn() -> None:
    """A row alone and one that is not there join nothing."""
    chart = dots((0.1, NAN, NAN), (0.2, NAN, NAN), groups=((0,), (0, 9), (1, 0, 1)))
    assert packed(chart) == ([(0, [0, 1])], "")


def test_names_are_only_names() -> None:
    """A series may be called as an end of its interval, or as another, and rows as each other: all are drawn."""
    series = (Series("low", [0.2, 0.4]), Series("high", [0.3, 0.6]), Series("low", [0.5, 0.8]))
    intervals = (Interval(0.1, 0.6), Interval(0.3, 0.9))
    chart = Dots(title="t", labels=("same", "same"), series=series, intervals=intervals, groups=((0, 1),))
    drawn = svg(chart)
    assert (len(spots(drawn, "mark")), len(named(drawn, "legend")), len(spots(drawn, "knot"))) == (6, 3, 2)
    assert "same low 0.200, high 0.300, low 0.500, interval 0.100 to 0.600; same low 0.400" in told(drawn)
    assert sum(line.count(mark) for line in lines_of(chart)[1:3] for mark in "●◆▲") == 6


def test_marks_that_coincide_are_all_seen() -> None:
    """Where marks of a row would hide each other they stand below each other, inside the row and in one order."""
    names = ("a", "b", "c", "d", "e")
    chart = dots((0.5, 0.5, 0.5, 0.9, NAN), (0.0, 0.2, 0.4, 0.6, 0.8), (0.5,) * 5, names=names)
    crowd, apart_row, all_five = swarm(chart, 0.0, 1.0, 480)
    assert crowd == [-8, 0, 8, 0, 0]
    assert apart_row == [0] * 5
    assert all_five == [-8, -4, 0, 4, 8]
    drawn = svg(chart)
    assert len(set(spots(drawn, "mark"))) == len(spots(drawn, "mark")) == 14
    near = dots((0.5, 0.501), names=("a", "b"))
    assert swarm(near, 0.0, 1.0, 480) == [[-4, 4]]
    assert swarm(near, 0.5, 0.502, 480) == [[0, 0]]  # what is near on one scale is far on another


def test_an_interval_that_leads_far_is_an_arrow() -> None:
    """One of ten that would press all others flat is cut at the edge and ends in an arrow; its numbers are told."""
    rows = [(0.1 * row, 0.1 * row - 0.3, 0.1 * row + 0.3) for row in range(9)]
    chart = dots(*rows, (0.2, -15.0, 0.5), low=None, high=None, rule=0.0)
    low, high = dot_range(chart)
    assert -1 < low < 0 < high < 2
    drawn = svg(chart)
    (head,) = spots(drawn, "beyond")
    edge = min(x for node in named(drawn, "interval") for piece in pieces(node) for x, _ in piece)
    assert head[0] == pytest.approx(edge, abs=0.1)
    assert "interval −15.000 to 0.500" in told(drawn)
    text = "\n".join(lines_of(chart))
    assert text.count("◀") == 2  # in its row, and where it is said what it means
    assert "▶ the interval leads further" in text
    whole = dots(*rows, low=None, high=None)
    assert not named(svg(whole), "beyond")
    assert "leads further" not in "\n".join(lines_of(whole))


def test_a_row_far_below_is_an_arrow_with_its_number() -> None:
    """It does not squeeze the others, on a page or in a terminal; if a quarter of the rows are there, all fit."""
    near = [(0.6 + 0.01 * row, 0.55 + 0.01 * row, 0.65 + 0.01 * row) for row in range(7)]
    far = dots(*near, (0.129, 0.107, 0.153))
    assert dot_range(far) == (0.55, 0.75)
    drawn = svg(far)
    assert len(named(drawn, "beyond")) == 1
    assert "0.129" in [node.text for node in texts(drawn)]
    assert len(spots(drawn, "mark")) == 7
    text = lines_of(far)
    assert "◀ 0.129" in text[8]
    assert "├" not in text[8]
    assert "(of 0 to 1); ◀ is below it" in text[-2]
    assert "leads further" not in "".join(text)
    assert dot_range(dots(*near[:5], (0.129, 0.107, 0.153), (0.3, 0.25, 0.35), (0.2, 0.15, 0.25))) == (0, 1)
    assert dot_range(dots(*near[:2], (0.129, 0.107, 0.153))) == (0, 1)


def test_intervals_that_are_all_long_are_all_seen() -> None:
    """Nothing is cut where most lead far, where rows are few, or where the scale has ends of its own."""
    long = [(0.1, -5.0, 5.0)] * 6
    assert dot_range(dots(*long, low=None, high=None)) == (-6, 6)
    assert dot_range(dots((0.1, 0.0, 0.2), (0.1, -15.0, 0.2), low=None, high=None))[0] == -15
    rows = [(0.1, 0.0, 0.2)] * 9
    assert dot_range(dots(*rows, (0.1, -15.0, 0.2)))[0] <= -15
    (first, *_), *_ = (pieces(node)[0] for node in named(svg(dots(*rows, (0.1, -15.0, 0.2))), "interval"))
    assert first[0] > 0


def test_what_the_numbers_are() -> None:
    """The axis is named below its numbers, and a note stands below that, wrapped to the width of the figure."""
    note = "the best 60 of 90 runs; " * 9
    drawn = svg(dots((0.5, 0.0, 1.0), axis="kappa", note=note))
    (axis,) = words(drawn, "axis")
    notes = words(drawn, "noted")
    assert axis.text == "kappa"
    assert " ".join(node.text or "" for node in notes) == note.strip()
    assert len(notes) > 1
    assert all(float(axis.attrib["y"]) < float(node.attrib["y"]) < size(drawn)[1] for node in notes)
    assert all(12 + 6 * len(node.text or "") < size(drawn)[0] for node in notes)
    assert f"dots ({note}): kappa; r0 value 0.500" in told(drawn)
    assert lines_of(dots((0.5, 0.25, 0.75), note="seen"))[1].strip() == "seen"


@given(
    st.lists(st.floats(-1e3, 1e3) | st.just(NAN), max_size=8),
    st.sampled_from([None, 0.0, -1.0]),
    st.sampled_from([None, 1.0, 0.5]),
)
def test_a_scale_holds_its_values(values: list[float], low: float | None, high: float | None) -> None:
    """Ends differ; every value is between them; what was given stays where no value lies beyond it."""
    first, last = scale_of(values, low, high)
    known = [value for value in values if value == value]
    slack = 1e-6 * (last - first)
    assert first < last
    assert all(first - slack <= value <= last + slack for value in known)
    if low is not None and all(value >= low for value in known) and any(value > low for value in known):
        assert first == low
    if high is not None and all(value <= high for value in known) and any(value < high for value in known):
        assert last == high


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 19), min_size=2, max_size=6, unique=True), max_size=12))
def test_packed_as_densely_as_can_be(groups: list[list[int]]) -> None:
    """No two lines touch in a column, and there are no more columns than lines beside some row."""
    made, note = packed(joined(20, *map(tuple, groups)))
    assert not note
    assert sorted(rows for _, rows in made) == sorted(map(sorted, groups))
    for column, rows in made:
        others = [other for at, other in made if at == column and other is not rows]
        assert all(other[-1] < rows[0] or rows[-1] < other[0] for other in others)
    beside = [sum(rows[0] <= row <= rows[-1] for _, rows in made) for row in range(20)]
    assert len({column for column, _ in made}) == max(beside)


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
    assert ticks(high, low) == marked
    first, last = rounded(low, high)
    assert first <= low + slack
    assert last >= high - slack


@pytest.mark.parametrize(
    ("low", "high", "width", "shown"),
    [
        (0, 100, 200, ["0", "20", "40", "60", "80", "100"]),
        (0, 100, 90, ["0", "50", "100"]),
        (-0.05, 0.2, 100, ["0.0", "0.1", "0.2"]),
        (0, 100, 1, ["0"]),
    ],
)
def test_fewer_ticks_are_round_too(low: float, high: float, width: float, shown: list[str]) -> None:
    """Where there is little room, ticks are further apart, and still such as people would choose."""
    assert [text for _, text in roomy(low, high, width, lambda text: 7.0 * len(text))] == shown


@pytest.mark.parametrize("width", range(24, 60))
def test_a_mark_and_what_it_means_are_on_one_line(width: int) -> None:
    """A legend is broken between marks, never after one."""
    console = Terminal(file=io.StringIO(), width=width)
    console.say("● the first one  ◆ baselines  ├─┤ interval", "  ")
    assert isinstance(console.file, io.StringIO)
    lines = [line.rstrip() for line in console.file.getvalue().splitlines()]
    assert not [line for line in lines if line.endswith(("●", "◆", "┤"))]
    assert " ".join(" ".join(lines).split()) == "● the first one ◆ baselines ├─┤ interval"
