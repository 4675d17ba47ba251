"""Points: where they stand, and names that neither meet each other nor a mark."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.arrays import NAN
from karat.data.charts import Point, Points
from karat.render.figures import draw, svg
from karat.render.figures.canvas import wide
from karat.render.figures.points import (
    HALF_MARK,
    MOST_NAMES,
    NAME_DISTANCE,
    Box,
    Spot,
    crosses,
    leader,
    matched,
    placed,
)
from karat.render.scale import point_scales, shortened
from tests.render.drawn import Element, lines_of, look, named, pieces, size, spots, texts, told, words


def points(*places: tuple[float, float], names: tuple[str, ...] = (), trivial: int = 0, **options: object) -> Points:
    """Points of runs, and after them points of baselines."""
    labels = names or tuple(f"run {place}" for place in range(len(places)))
    kinds = ["runs"] * (len(places) - trivial) + ["baselines"] * trivial
    made = tuple(Point(label, x, y, kind) for label, (x, y), kind in zip(labels, places, kinds, strict=True))
    given = {"low": 0.0, "high": 1.0, **options}
    return Points(title="Points", points=made, axes=("information", "accuracy"), **given)  # type: ignore[arg-type]


def crowd(count: int, spread: float, long: int = 0) -> Points:
    """So many runs about one place, and four baselines far from it."""
    chance = random.Random(count)
    places = [(0.3 + chance.gauss(0, spread), 0.6 + chance.gauss(0, spread / 2)) for _ in range(count)]
    places += [(0.0, 0.5), (0.0, 0.45), (0.001, 0.33), (0.0, 0.36)]
    return points(*places, names=tuple(f"team{n}-run{'x' * long}" for n in range(count + 4)), trivial=4)


def boxes(drawn: str) -> list[Box]:
    """What the names at points and in the list take up."""
    return [_box(node, looked) for kind in ("name", "listed") for node, looked in _looked(drawn, kind)]


def _looked(drawn: str, kind: str) -> list[tuple[Element, str]]:
    return [
        (text, text.get("style", group.get("style", ""))) for group in named(drawn, kind) for text in words_in(group)
    ]


def words_in(group: Element) -> list[Element]:
    """A word, or all of a group of words."""
    return [node for node in group.iter() if node.tag.endswith("}text")]


def _box(node: Element, looked: str) -> Box:
    x, y, width = float(node.attrib["x"]), float(node.attrib["y"]) - 4.5, wide(node.text or "")
    left = x - width if "end" in looked else x - width / 2 if "middle" in looked else x
    return left, y - 6, left + width, y + 6


def touching(one: Box, other: Box) -> bool:
    """Whether two boxes overlap: the naive way, a comparison for each side."""
    return not (one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1])


def test_marks_stand_where_they_should() -> None:
    """x to the right, y upwards, in steps of the same length; a mark a label, of its series' shape and colour."""
    drawn = svg(points((0.0, 0.2), (0.2, 0.4), (0.4, 0.8), trivial=1))
    low, middle, high = sorted(spots(drawn, "mark"))
    assert middle[0] - low[0] == pytest.approx(high[0] - middle[0], abs=0.1)
    assert low[1] - middle[1] == pytest.approx((middle[1] - high[1]) / 2, abs=0.1)
    trivial, runs = (look(node) for node in named(drawn, "mark"))  # the first lie on top
    assert runs[0] != trivial[0]
    assert runs[1] != trivial[1]
    assert [look(node) for node in named(drawn, "legend")] == [runs, trivial]
    assert [node.text for node in words(drawn, "legend-name")] == ["runs", "baselines"]
    assert {"information", "accuracy"} <= {node.text for node in texts(drawn)}


def test_scales_fit() -> None:
    """x from 0 with room at its end, y the part of its scale that is needed; one point has a scale too."""
    assert point_scales(points((0.1, 0.5), (0.4, 0.6))) == ((0.0, 0.5), (0.5, 0.6))
    assert point_scales(points((0.1, 0.0), (0.33, 0.9))) == ((0.0, 0.4), (0.0, 1.0))
    assert point_scales(points((0.1, 0.31), (0.33, 0.9), low=None, high=None))[1] == (0.2, 1.0)
    assert point_scales(points((0.91, 0.1), (0.93, 0.9)))[0] == (0.91, 0.935)
    assert point_scales(points((0.2, 0.5))) == ((0.0, 0.25), (0.0, 1.0))
    assert point_scales(points((-0.2, 0.5), (NAN, 0.1)))[0] == (-0.2, 0.0)
    (axes,) = draw(points((0.1, 0.5), (0.4, 0.6))).axes
    assert (axes.get_xlim(), axes.get_ylim()) == ((0.0, 0.5), (0.5, 0.6))


def test_what_has_no_place_is_not_drawn() -> None:
    """A point without x or y has neither mark nor name; one beyond the scale widens it."""
    drawn = svg(points((0.1, 0.2), (NAN, 0.3), (0.2, NAN), (0.3, 7.0), (NAN, NAN), trivial=1))
    assert len(spots(drawn, "mark")) == 2
    assert all(0 < y < size(drawn)[1] for _, y in spots(drawn, "mark"))
    assert [node.text for node in words(drawn, "name")] == ["run 0", "run 3"]
    assert "runs: run 0 0.200 at 0.100, run 3 7.000 at 0.300; baselines: none" in told(drawn)


@pytest.mark.parametrize(
    "chart",
    [crowd(3, 0.1), crowd(12, 0.08), crowd(26, 0.1), crowd(26, 0.02), crowd(26, 0.002), crowd(56, 0.02, 30)],
    ids=["few", "dozen", "loose", "close", "closest", "long"],
)
def test_names_meet_nothing(chart: Points) -> None:
    """Every label is named once; no name is over another or over a mark, none is outside, no line is through one."""
    drawn = svg(chart)
    found = [node.text for kind in ("name", "listed") for node in words(drawn, kind)]
    assert sorted(found, key=str) == sorted(shortened([point.name for point in chart.points]))
    assert len(set(found)) == len(chart.points)
    taken = boxes(drawn)
    assert not any(touching(one, other) for one, other in itertools.combinations(taken, 2))
    marks = [(x - 3, y - 3, x + 3, y + 3) for x, y in spots(drawn, "mark")]
    assert not any(touching(one, mark) for one in taken for mark in marks)
    width, height = size(drawn)
    assert all(0 <= left < right <= width and 0 <= top < bottom <= height for left, top, right, bottom in taken)
    lines = [piece for node in named(drawn, "leader") for piece in pieces(node)]
    inner = [(left + 2, top + 2, right - 2, bottom - 2) for left, top, right, bottom in taken]
    assert not any(crosses((*first, *last), one) for first, last in lines for one in inner)
    assert width < 1000
    assert height < 1300


def test_a_name_away_from_its_point_is_led_to() -> None:
    """Listed names have a line each, from their points; names beside their points have none."""
    drawn = svg(crowd(26, 0.01))
    listed = words(drawn, "listed")
    (leaders,) = named(drawn, "leader")
    assert len(listed) > 10
    assert len(pieces(leaders)) == len(listed)
    marks = spots(drawn, "mark")
    for first, last in pieces(leaders):
        assert min(abs(first[0] - x) + abs(first[1] - y) for x, y in marks) < 0.1
        assert min(abs(last[1] - (float(node.attrib["y"]) - 4.5)) for node in listed) < 2
    assert not named(svg(points((0.1, 0.1), (0.5, 0.9))), "leader")


def test_all_in_one_spot() -> None:
    """Sixty points that look like one are all named; of more, the figure says how many are not."""
    assert len(boxes(svg(points(*[(0.2, 0.5)] * 60)))) == 60
    drawn = svg(points(*[(0.2, 0.5)] * 100))
    (note,) = (node.text or "" for node in words(drawn, "noted"))
    assert note == f"{100 - len(boxes(drawn))} points are not named"
    assert len(boxes(drawn)) >= MOST_NAMES
    assert size(drawn)[1] < 1300


SPOTS = st.lists(st.tuples(st.floats(80, 540), st.floats(20, 350)), max_size=14)


@settings(deadline=None, max_examples=50)
@given(SPOTS, st.integers(10, 200), st.sampled_from([NAME_DISTANCE, 70.0]))
def test_placed(found: list[Spot], width: int, furthest: float) -> None:
    """Boxes of the right width, inside, over no other and no mark; near enough."""
    inside = (74.0, 8.0, 578.0, 368.0)
    made = placed(found, [float(width)] * len(found), inside, furthest)
    for one, box in made.items():
        assert box[2] - box[0] == pytest.approx(width)
        assert inside[0] <= box[0] < box[2] <= inside[2]
        assert inside[1] <= box[1] < box[3] <= inside[3]
        assert not any(touching(box, other) for at, other in made.items() if at != one)
        assert not any(touching(box, (x - HALF_MARK, y - HALF_MARK, x + HALF_MARK, y + HALF_MARK)) for x, y in found)
        if furthest == NAME_DISTANCE:
            assert leader(found[one], box) is None
    if len(found) == 1 and width < 100:
        assert len(made) == 1
    no_line_through_a_name(found, made)


def no_line_through_a_name(found: list[Spot], made: dict[int, Box]) -> None:
    """What leads to a name leads through no other."""
    for one, box in made.items():
        line = leader(found[one], box)
        assert line is None or not any(crosses(line, other) for at, other in made.items() if at != one)


@pytest.mark.parametrize("seed", range(5))
def test_placed_in_a_crowd(seed: int) -> None:
    """Fourteen points on a spot of fifty pixels: names move away, and no line to one leads through another."""
    chance = random.Random(seed)
    found = [(300 + chance.uniform(-25, 25), 180 + chance.uniform(-25, 25)) for _ in range(14)]
    made = placed(found, [40.0] * 14, (74.0, 8.0, 578.0, 368.0), 70.0)
    assert sum(leader(found[one], box) is not None for one, box in made.items()) > 3
    no_line_through_a_name(found, made)


@settings(deadline=None, max_examples=50)
@given(SPOTS)
def test_lines_to_a_list_do_not_cross(found: list[Spot]) -> None:
    """Each name has a place of its own, and no two lines have a point in common but where they begin."""
    heights = [15.0 * place for place in range(len(found))]
    made = matched(found, 600.0, heights)
    assert sorted(made) == heights
    lines = [(spot, (600.0, height)) for spot, height in zip(found, made, strict=True)]
    for one, other in itertools.combinations(lines, 2):
        assert not strictly_cross(*one, *other)


def strictly_cross(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    """Whether a–b and c–d have a point in common inside both: each separates the ends of the other."""
    return side(a, b, c) * side(a, b, d) < -1e-3 and side(c, d, a) * side(c, d, b) < -1e-3


def side(a: Spot, b: Spot, c: Spot) -> float:
    """On which side of the line from a to b a third point lies, as twice the area of the triangle."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def test_crosses() -> None:
    """Through a box, beside it, ending before it, along its edge, and of no length."""
    box = (0.0, 0.0, 10.0, 10.0)
    assert crosses((-5, 5, 15, 5), box)
    assert crosses((-5, -5, 5, 5), box)
    assert not crosses((-5, 12, 15, 12), box)
    assert not crosses((-5, 5, -1, 5), box)
    assert not crosses((-5, 10, 15, 10), box)
    assert not crosses((20, 20, 20, 20), box)


def test_small() -> None:
    """Twenty-five runs in less than 40 KB."""
    assert len(svg(crowd(25, 0.01)).encode()) < 40_000


def test_text() -> None:
    """A field with the marks of both series, several in one place told; below it every label with its numbers."""
    lines = lines_of(points((0.0, 0.0), (1.0, 1.0), (1.0, 1.0), (0.5, 0.0), trivial=1))
    assert "accuracy by information   ● runs  ◆ baselines" in lines[0]
    assert lines[1].split() == ["1", "·" * 33 + "✚" + "·" * 7]
    assert lines[12].split() == ["0", "●" + "·" * 16 + "◆" + "·" * 23]
    assert lines[13].split() == ["0", "1.2", "✚", "several"]
    assert [line.strip() for line in lines[14:18]] == [
        "● run 0  0.000 at 0.000",
        "● run 1  1.000 at 1.000",
        "● run 2  1.000 at 1.000",
        "◆ run 3  0.000 at 0.500",
    ]


def test_two_points_of_one_name() -> None:
    """A run may be called as a baseline is: both are drawn, each as its kind."""
    drawn = svg(points((0.1, 0.2), (0.3, 0.4), names=("(random)", "(random)"), trivial=1))
    assert len({look(node) for node in named(drawn, "mark")}) == len(spots(drawn, "mark")) == 2
    assert "runs: (random) 0.200 at 0.100; baselines: (random) 0.400 at 0.300" in told(drawn)
