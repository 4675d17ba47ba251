"""Charts of lines: well-formed, told in words, and drawn in text as heights."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.arrays import NAN
from karat.data.charts import Line, Lines, Look, Variant
from karat.render.figures import svg
from karat.render.figures.lines import around, dashes_by_kind, place_of_rule_name
from karat.render.scale import line_scale
from tests.render.drawn import lines_of, look, named, path, pieces, size, spots, tagged, texts, told, words

AXES = ("units <in> each", "error & rate")


def lines(series: dict[str, list[float]], x: Sequence[float], look: Look = "line") -> tuple[Line, ...]:
    """Lines over one x."""
    return tuple(Line(x[: len(values)], values, name, look) for name, values in series.items())


def chart(**changes: object) -> Lines:
    """Two lines, one of them over an x of its own and with a hole."""
    given: dict[str, object] = {
        "lines": (Line([5, 6, 7], [0.5, NAN, 0.1], "<a>"), Line([5, 10], [0.4, 0.2], "b")),
        "axes": AXES,
        "high": 0.5,
        "rule": 0.05,
        **changes,
    }
    return Lines(title="Error & size", **given)  # type: ignore[arg-type]


def over(series: dict[str, list[float]], x: Sequence[float], look: Look = "line", **changes: object) -> Lines:
    """A chart of lines over one x."""
    return chart(lines=lines(series, x, look), **changes)


def text(chart: Lines) -> str:
    """As a page without colour shows it."""
    return "\n".join(lines_of(chart, 120))


def test_lines_are_well_formed_and_told() -> None:
    """XML whatever the names; ends of every line in words; every line named at its end; the rule is drawn."""
    first, second_line = chart().lines
    drawn = svg(chart(lines=(first, replace(second_line, look="both"))))
    assert "error & rate by units <in> each; <a> 0.500 at 5, 0.100 at 7; b 0.400 at 5, 0.200 at 10" in told(drawn)
    (second,) = named(drawn, "line")
    assert len(path(second)) == 2
    assert "stroke-dasharray" in look(second)[1]
    assert {"<a>", "b", *AXES} <= {node.text for node in texts(drawn)}
    assert len(named(drawn, "rule")) == 1
    # A small point between holes or a mark a point, and the mark beside the name.
    assert [len(spots(drawn, kind)) for kind in ("point", "mark", "legend")] == [2, 2, 1]
    assert len(named(drawn, "sample")) == 1


def test_no_line_leads_across_a_hole() -> None:
    """A value that is missing breaks the line: a stretch a line; text does not fill the column either."""
    values = [0.4] * 20 + [NAN] + [0.2] * 20
    made = over({"a": values}, range(41))
    (line,) = named(svg(made), "line")
    assert [len(piece) for piece in pieces(line)] == [20, 20]
    assert made.lines[0].stretches[1][0] == (21.0, 0.2)
    assert text(made).splitlines()[1].split("a ", 1)[1][:41].index(" ") == 20
    whole = over({"a": [0.1, 0.0]}, [1, 3])
    broken = over({"a": [0.1, NAN, 0.0]}, [1, 2, 3])
    assert ("0.05 at" in text(whole), "0.05 at" in text(broken)) == (True, False)


def test_many_lines_differ() -> None:
    """Two dozen lines: no two have the same colour and dashes, no two marks are alike, no two names overlap."""
    names = [f"run {place}" for place in range(24)]
    series = {name: [0.1, 0.2 + place / 1e3] for place, name in enumerate(names)}
    drawn = svg(over(series, [0, 1], "both", runs=tuple(names)))
    assert len({look(node) for node in named(drawn, "line")}) == 24
    assert len({look(node) for node in named(drawn, "legend")}) == len(named(drawn, "legend")) == 24
    places = sorted(float(node.attrib["y"]) for node in texts(drawn) if node.text in names)
    assert min(b - a for a, b in itertools.pairwise(places)) >= 12
    assert 0 < places[0] < places[-1] < size(drawn)[1]


def test_thirty_lines_differ() -> None:
    """By colour and dashes alone, five of them in each of six colours; sixty are all named, within the figure."""
    names = [f"run {place}" for place in range(60)]
    drawn = svg(over({name: [0.1, place / 200] for place, name in enumerate(names)}, [0, 1], runs=tuple(names)))
    lines = [look(node) for node in named(drawn, "line")]
    assert (len(lines), len(set(lines[:30])), lines[30:]) == (60, 30, lines[:30])
    assert sorted(node.text or "" for node in texts(drawn) if node.text in names) == sorted(names)


@pytest.mark.parametrize(
    ("x", "marked"),
    [([5, 80], ["20", "40", "60", "80"]), ([2, 6181], ["2,000", "4,000", "6,000"]), ([5, 7], ["5", "6", "7"])],
)
def test_ticks_are_round(x: list[float], marked: list[str]) -> None:
    """Units are marked at round numbers, never between two of them."""
    words = [node.text for node in texts(svg(over({"a": [0.1, 0.2]}, x)))]
    assert words[: len(marked)] == marked
    assert words[len(marked) :][:6] == ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]


def test_the_scale_holds_all_lines() -> None:
    """A value beyond the scale widens it; a lone point and no point at all are drawn too."""
    beyond = svg(over({"a": [0.9, -0.3]}, [1, 2]))
    (line,) = named(beyond, "line")
    (top, bottom) = (y for _, y in path(line))
    assert 17 <= top < bottom <= 257
    assert {"−0.5", "1.0"} <= {node.text for node in texts(beyond)}
    lone = svg(over({"a": [0.1]}, [3]))
    assert (len(named(lone, "point")), len(named(lone, "sample"))) == (1, 1)
    empty = svg(over({"a": [NAN]}, [3]))
    assert not named(empty, "line")
    assert "a undefined" in told(empty)


def test_a_scale_as_needed() -> None:
    """Without ends it begins at 0, unless all lines are far from it, or some are below."""
    cases = ([0.1, 0.9], (0, 1)), ([0.8, 0.9], (0.8, 0.9)), ([-0.2, 0.9], (-0.5, 1)), ([NAN], (-0.5, 0.5))
    for values, ends in cases:
        assert line_scale(over({"a": values}, [0, 1], low=None, high=None)) == pytest.approx(ends)


def test_text_shows_heights_and_ends() -> None:
    """A high bar where the value is high, a low one where it is low, and the two ends as numbers."""
    line = next(line for line in text(chart()).splitlines() if "<a>" in line)
    assert line.split()[1] == "█"
    assert line.endswith("0.500 → 0.100")
    assert "–" in text(over({"a": [NAN]}, [1]))


@pytest.mark.parametrize("count", [40, 41, 30, 25])
def test_rounding_makes_no_holes(count: int) -> None:
    """Points that stand closer than two columns fill every column; points that stand apart do not."""
    rising = [place / (count - 1) for place in range(count)]
    line = text(over({"a": rising}, list(range(count)), high=1)).splitlines()[1]
    heights = line.split("a ", 1)[1][:41]
    assert " " not in heights
    assert sorted(heights) == list(heights)
    apart = text(over({"a": [0.1, 0.2, 0.3]}, [0, 1, 2])).splitlines()[1]
    assert apart.count(" ") > 30


def test_text_tells_where_the_rule_is_met() -> None:
    """Between two points by a line; nothing where the rule is not met, or met more than once."""
    assert "0.05 at 2.500" in text(over({"a": [0.1, 0.1, 0.0]}, [1, 2, 3]))
    assert "0.0333 at 2.333" in text(replace(over({"a": [0.1, 0.05, 0.0]}, [1, 2, 3]), rule=1 / 30))
    assert " at " not in text(over({"a": [0.1, 0.0, 0.1]}, [1, 2, 3]))
    assert " at " not in text(over({"a": [0.3, 0.2, 0.1]}, [1, 2, 3]))


@settings(deadline=None, max_examples=30)
@given(
    values=st.lists(st.floats(-1, 2) | st.just(NAN), min_size=1, max_size=30),
    name=st.text(min_size=1, max_size=10),
)
def test_any_line(values: list[float], name: str) -> None:
    """No values and no name break a chart."""
    name = name.encode("utf-8", "replace").decode()
    made = over({name: values}, list(range(len(values))))
    assert told(svg(made))
    assert text(made)


def test_x_is_of_the_line() -> None:
    """As many x as values, or it is an error at once."""
    with pytest.raises(ValueError, match="zip"):
        _ = Line([1], [0.1, 0.2], "a").points


def test_lines_over_names() -> None:
    """Judges have their names below and runs theirs at the end of their lines, in text the first and last judge."""
    names = ("ann", "<ben>", "cem")
    series: dict[str, list[float]] = {"a": [1, 2, 3], "b": [3, NAN, 1]}
    made = Lines(title="Ranks", labels=names, lines=lines(series, [0, 1, 2]), low=1, high=3)
    drawn = svg(made)
    words = [node.text for node in texts(drawn)]
    assert [words.count(name) for name in names] == [1, 1, 1]
    assert [words.count(name) for name in "ab"] == [1, 1]
    assert "a 1 at ann, 2 at <ben>, 3 at cem; b 3 at ann, 1 at cem" in told(drawn)
    *_, first, last, _ = lines_of(made)
    assert first.endswith("3 → 1")
    assert last.split()[:2] == ["ann", "cem"]


def test_long_names_below_are_tilted_and_inside() -> None:
    """Names that would touch are turned; the first of them does not leave the figure."""
    names = tuple(f"a judge of a long name {place}" for place in range(9))
    drawn = svg(Lines(title="Ranks", labels=names, lines=lines({"a": [1] * 9}, range(9)), low=0, high=3))
    turned = [node for node in texts(drawn) if node.text in names]
    assert len(turned) == 9
    assert all("rotate(-45" in node.attrib["transform"] for node in turned)
    assert float(turned[0].attrib["x"]) > 0.7 * 6.5 * len(names[0])


def test_ranks_have_one_on_top() -> None:
    """Where low is the larger it stands at the bottom, drawn and in text; the scale ends at it and at 1."""
    both = lines({"a": [1, 25], "b": [25, 1]}, [0, 1])
    made = Lines(title="Ranks", labels=("k", "l"), lines=both, low=25, high=1)
    drawn = svg(made)
    up, down = (path(line) for line in named(drawn, "line"))
    assert (up[0][1], up[1][1]) == (down[1][1], down[0][1]) == (17, 257)
    assert [node.text for node in texts(drawn)][2:8] == ["1", "5", "10", "15", "20", "25"]
    assert [line.split()[1][0] for line in lines_of(made)[1:3]] == ["█", "▁"]
    assert "▁ 25  █ 1" in text(made)
    alone = Lines(title="Ranks", labels=("k", "l"), lines=lines({"a": [1, 1]}, [0, 1]), low=1, high=1)
    assert {y for _, y in path(named(svg(alone), "line")[0])} == {137}


def family(look: Look = "marks") -> Lines:
    """Two lines, and two variants of each of them that lead further."""

    def variants(fitted: list[float], fresh: list[float]) -> dict[str, Variant]:
        return {kind: Variant([1, 2, 3], y, kind) for kind, y in (("fitted", fitted), ("fresh", fresh))}

    one, other = variants([0.4, 0.3, 0.2], [0.3, 0.2, 0.1]), variants([0.1, 0.1, 0.01], [0.2, 0.1, 0.05])
    first = Line([1, 2], [0.4, 0.3], ".1", look, (one["fitted"], one["fresh"]))
    second = Line([1, 2], [0.2, 0.1], ".2", look, (other["fresh"], other["fitted"]))
    return chart(lines=(first, second), rule=None)


def styles(drawn: str, kind: str = "line") -> list[tuple[str, str]]:
    """Colour and dashes of each line."""
    declared = [dict(part.split(": ") for part in look(node)[1].split("; ")) for node in named(drawn, kind)]
    return [(one["stroke"], one.get("stroke-dasharray", "")) for one in declared]


def test_what_is_like_another_has_its_colour() -> None:
    """Marks alone for what was observed, a whole line for the first kind beside it, dashes for the next."""
    drawn = svg(replace(family(), runs=(".1", ".2")))
    found = styles(drawn)
    assert [colour for colour, _ in found] == ["var(--run-1)"] * 2 + ["var(--run-2)"] * 2
    assert [dashes for _, dashes in found] == ["", found[1][1], found[1][1], ""]
    assert found[1][1]
    assert len(spots(drawn, "mark")) == 4
    assert [look(node)[1].split(";")[0] for node in named(drawn, "mark")] == [
        "fill: var(--run-1)",
        "fill: var(--run-2)",
    ]


def test_dashes_are_explained() -> None:
    """A sample of each kind beside what the names add; at the ends of lines only the originals are named."""
    drawn = svg(family())
    assert [node.text for node in words(drawn, "legend-name")] == ["fitted", "fresh"]
    assert [dashes for _, dashes in styles(drawn, "sample")] == [styles(drawn)[0][1], styles(drawn)[1][1]]
    assert [node.text for node in words(drawn, "name")] == [".1", ".2"]
    (first, _) = spots(drawn, "legend")
    last = max(path(named(drawn, "line")[0]))
    leader = path(named(drawn, "leader")[0])
    assert leader[0] == pytest.approx(last)  # from the end of the line that leads furthest
    assert leader[1] == pytest.approx(first)


def test_a_whole_original() -> None:
    """What is like a line has dashes from the first kind on, and lines have none to tell them apart."""
    drawn = svg(family("line"))
    assert [bool(dashes) for _, dashes in styles(drawn)] == [False, True, True, False, True, True]
    kinds = dashes_by_kind(family("line"))
    assert len(set(kinds.values())) == 2


def test_names_are_only_names() -> None:
    """Lines may be called alike, or as a variant of another is told: all are drawn and named."""
    variant = Variant([0, 1], [0.2, 0.1], "fitted")
    made = chart(
        lines=(
            Line([0, 1], [0.1, 0.2], "a", "line", (variant,)),
            Line([0, 1], [0.3, 0.4], "a fitted"),
            Line([0, 1], [0.5, 0.5], "a"),
            Line([0, 1], [0.0, 0.5], "a", "reference"),
        )
    )
    drawn = svg(made)
    assert len(named(drawn, "line")) == 4
    assert len(named(drawn, "reference")) == 1
    assert sorted(node.text or "" for node in words(drawn, "name")) == ["a", "a", "a", "a fitted"]
    assert [line[2:10].strip() for line in lines_of(made)[1:6]] == ["a", "a fitted", "a fitted", "a", "a"]
    assert told(drawn).count("a fitted 0.") == 2


def test_a_reference_is_no_line_of_a_run() -> None:
    """It takes no colour and no mark, so that runs look the same with and without it; without points there is none."""
    runs = lines({"a": [0.1, 0.2], "b": [0.2, 0.3]}, [0, 1])
    reference = Line([0, 1], [0, 0.5], "true", "reference")
    with_it, without = svg(chart(lines=(reference, *runs))), svg(chart(lines=runs))
    assert [look(node) for node in named(with_it, "line")] == [look(node) for node in named(without, "line")]
    assert len(named(with_it, "sample")) == 2
    assert "true" in {node.text for node in words(with_it, "name")}
    assert not named(svg(chart(lines=(replace(reference, y=[NAN, NAN]), *runs))), "reference")


def test_many_points_are_few_bytes_and_few_words() -> None:
    """Twenty-five lines of fifty points stay below 40 KB; the words have ends, and what lies beyond them."""
    series = {f"run {n}": [0.5 + 0.4 * math.sin(n + at / 5) for at in range(50)] for n in range(25)}
    made = over(series, range(50), high=1.0)
    drawn = svg(made)
    assert len(drawn.encode()) < 40_000
    values = series["run 0"]
    most, least = max(values), min(values)
    assert (
        f"run 0 {values[0]:.3f} at 0 to {values[-1]:.3f} at 49, least {least:.3f} at {values.index(least)}, "
        f"most {most:.3f} at {values.index(most)}; run 1"
    ) in told(drawn)
    assert len(told(drawn)) < 25 * 100


def test_marks_of_long_series_are_small() -> None:
    """Fifty marks of a series do not cover each other; five are as large as anywhere."""
    few, many = (over({"a": [0.1] * count}, range(count), "marks", axes=("", "")) for count in (5, 50))
    widths = []
    for made in (few, many):
        drawn = svg(made)
        (group,) = named(drawn, "mark")
        (shape,) = {use.attrib["href"][1:] for use in tagged(group, "use")}
        (found,) = (node for node in named(drawn, "chart")[0].iter() if node.get("id") == shape)
        widths.append(max(x for x, _ in path(found)))
        assert not named(drawn, "line")
    assert widths[1] < 0.7 * widths[0]


@pytest.mark.parametrize(
    ("points", "side", "above"),
    [
        ([(0, 0.5), (100, 0.2)], "left", True),
        ([(0, 0.5), (30, 0.01), (100, 0.01)], "left", False),  # it comes down close to the name, above the rule
        ([(0, 0.5), (10, 0.01), (100, 0.01)], "right", True),  # it falls through the rule where the name would be
        ([(0, 0.5), (10, 0.01), (90, 0.01), (100, 0.5)], "left", True),  # there is no such place
    ],
)
def test_the_name_of_the_rule_is_crossed_by_no_line(points: list[tuple[float, float]], side: str, above: bool) -> None:
    """It is at the end of the rule where there is room."""
    across, up = zip(*points, strict=True)
    drawn = over({"a": list(up)}, across, rule=0.1, rule_name="observed lead")
    left, top, width, bottom = plot = (72.0, 17.0, 480.0, 257.0)
    height = bottom - (bottom - top) * 0.1 / 0.5
    x, y, align = place_of_rule_name(drawn, plot, (0.0, 0.5), height)
    assert (align, y < height) == (side, above)
    assert x == (left + 6 if side == "left" else left + width - 6)


def test_the_vertical_line_goes_around_a_name() -> None:
    """It stops above a name in its way and goes on below it; elsewhere it is whole."""
    upright = [(50.0, 0.0), (50.0, 100.0)]
    assert around(upright, (10.0, 40.0, 60.0, 60.0)) == [[0.0, 40.0], [60.0, 100.0]]
    assert around(upright, (10.0, 80.0, 60.0, 100.0)) == [[0.0, 80.0]]
    assert around(upright, (51.0, 40.0, 90.0, 60.0)) == around(upright, None) == [[0.0, 100.0]]


def test_the_name_of_the_rule_is_crossed_by_as_few_lines_as_possible() -> None:
    """The vertical line crosses a long name anywhere, and the other line only above the rule."""
    drawn = over({"a": [0.12, 0.12]}, (0, 100), rule=0.1, rule_name="observed lead " * 4, at=50, at_name="here")
    height = 257 - 240 * 0.1 / 0.5
    _, y, align = place_of_rule_name(drawn, (72.0, 17.0, 480.0, 257.0), (0.0, 0.5), height)
    assert (align, y > height) == ("left", True)
