"""Heat maps: colours that tell the value, numbers that can be read on them, by day and by night."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.arrays import NAN
from karat.data.charts import Heat, Series
from karat.data.charts import series as named_series
from karat.render.figures import svg
from karat.render.figures.heat import SHADES, thickness
from karat.render.figures.palette import DARK, LIGHT
from karat.render.scale import heat_scale
from tests.render.drawn import box, lines_of, look, named, pieces, size, texts, told, words


def heat(series: dict[str, list[float]], labels: tuple[str, ...], low: float = 0.0, digits: int = 2) -> Heat:
    """A heat map."""
    return Heat(
        title="Kappa", labels=labels, series=named_series(series), axes=("one", "other"), low=low, digits=digits
    )


def square(count: int, low: float = 0.0) -> Heat:
    """Everybody with everybody else, and nobody with himself."""
    names = [f"assessor {place}" for place in range(count)]
    values = [[(a * b % 17) / 17 if a != b else NAN for a in range(count)] for b in range(count)]
    return heat(dict(zip(names, values, strict=True)), tuple(names), low)


def fields(drawn: str) -> dict[tuple[float, float], tuple[str, float]]:
    """The colour and the thickness of every field, by its middle."""
    made = {}
    for node in named(drawn, "field"):
        style = look(node)[1]
        colour, thick = re.search(r"var\(--(\w+)\)", style), re.search(r"opacity: ([\d.]+)", style)
        assert colour
        for piece in pieces(node):
            left, top, right, bottom = box(piece)
            made[(left + right) / 2, (top + bottom) / 2] = (colour[1], float(thick[1]) if thick else 1.0)
    return made


def luminance(colour: tuple[float, ...]) -> float:
    """Relative luminance, as WCAG 2 defines it."""
    parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """Between 1 and 21, as WCAG 2 defines it."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def parts(colour: str) -> tuple[float, ...]:
    """Red, green and blue, from 0 to 1."""
    return tuple(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))


def test_contrast_itself() -> None:
    """Black on white is 21; a grey on white that WCAG gives as just enough is 4.5."""
    assert contrast(parts("#000000"), parts("#ffffff")) == pytest.approx(21)
    assert contrast(parts("#767676"), parts("#ffffff")) == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["day", "night"])
def test_numbers_can_be_read(theme: dict[str, str]) -> None:
    """On every shade there is, in both themes, a number has a contrast of at least 4.5 : 1."""
    names = tuple(f"r{place}" for place in range(SHADES + 1))
    values = [-1 + 2 * place / SHADES for place in range(SHADES + 1)]
    drawn = svg(heat({"a": values, "b": values[::-1]}, names, low=-1))
    (ink,) = {name for node in named(drawn, "value") for name in re.findall(r"var\(--(\w+)\)", node.get("style", ""))}
    shades = set(fields(drawn).values())
    assert len(shades) > SHADES
    assert {colour for colour, _ in shades} == {"less", "more"}
    for colour, thick in shades:
        over = zip(parts(theme[colour]), parts(theme["paper"]), strict=True)
        mixed = tuple(thick * above + (1 - thick) * below for above, below in over)
        assert contrast(mixed, parts(theme[ink])) >= 4.5


def test_fields_and_numbers_are_in_their_places() -> None:
    """Columns from the left and rows from the top; thicker for more; a dash and no field for what is undefined."""
    drawn = svg(heat({"x": [0.25, 1.0], "y": [NAN, 0.5]}, ("<a>", "b")))
    numbers = {node.text: (float(node.attrib["x"]), float(node.attrib["y"])) for node in words(drawn, "value")}
    assert set(numbers) == {"0.25", "1.00", "0.50"}
    (dash,) = (node for node in words(drawn, "soft") if node.text == "–")
    assert (dash.text, dash.attrib["x"]) == ("–", f"{numbers['0.50'][0]:g}")
    assert numbers["0.25"][0] == numbers["1.00"][0] < numbers["0.50"][0]
    assert numbers["0.25"][1] < numbers["1.00"][1] == numbers["0.50"][1]
    found = fields(drawn)
    assert len(found) == 3
    for text, (x, y) in numbers.items():
        (near,) = (thick for (a, b), (_, thick) in found.items() if abs(a - x) < 5 and abs(b - y) < 8)
        assert near == pytest.approx(float(text or ""), abs=0.02)
    assert [node.text for node in texts(drawn) if node.text in ("x", "y", "<a>", "b")] == ["x", "y", "<a>", "b"]


def test_two_colours_meet_at_nought() -> None:
    """Where low is below 0 one colour is below and one above, as thick as the value is far from 0."""
    chart = heat({"a": [0.0]}, ("a",), low=-0.5)
    assert [thickness(chart, value) for value in (-0.5, -0.25, 0.5, 1.0)] == [
        ("less", 0.5),
        ("less", 0.24),
        ("more", 0.5),
        ("more", 1.0),
    ]
    above = heat({"a": [0.5]}, ("a",), low=0.5)
    assert [thickness(above, value) for value in (0.5, 0.75, 2.0)] == [("more", 0.02), ("more", 0.5), ("more", 1.0)]


@pytest.mark.parametrize(
    ("values", "ends"),
    [([0.2, 0.4], (0.0, 0.4)), ([-0.1, 0.04], (-0.1, 0.05)), ([-3.0, -1.0], (-3.0, 0.0)), ([NAN, NAN], (-0.5, 0.5))],
)
def test_ends_as_needed(values: list[float], ends: tuple[float, float]) -> None:
    """Without ends the scale has 0 in it, where colours begin, and the round numbers about the values."""
    chart = Heat(title="t", labels=("a", "b"), series=(Series("x", values),), low=None, high=None)
    assert heat_scale(chart) == pytest.approx(ends)


def test_values_beyond_the_scale_widen_it() -> None:
    """Where one of many is below 0 there are two colours, and the scale below the map says to where they lead."""
    chart = heat({"a": [-0.3, 0.9]}, ("a", "b"))
    assert heat_scale(chart) == (-0.5, 1.0)
    assert thickness(chart, -0.3)[0] == "less"
    assert {"−0.5", "1"} <= {node.text for node in words(svg(chart), "soft")}


def test_columns_that_would_lead_too_far_have_no_numbers() -> None:
    """Twenty columns of wide numbers beside long names: fields are small instead, and the map is no wider."""
    names = tuple(f"{'name ' * 6}{place}" for place in range(20))
    values = {name: [12345.678] * 20 for name in names}
    drawn = svg(heat(values, names, digits=3))
    assert not words(drawn, "value")
    assert size(drawn)[0] < 1100


@given(st.floats(-5, 5), st.floats(-5, 5), st.sampled_from([-1.0, 0.0, 0.4]))
def test_more_is_never_paler(one: float, other: float, low: float) -> None:
    """Of two values on the same side, that further from the start is at least as thick."""
    chart = heat({"a": [0.0]}, ("a",), low)
    (first, thin), (second, thick) = sorted((thickness(chart, one), thickness(chart, other)), key=lambda pair: pair[1])
    assert 0 < thin <= thick <= 1
    if first == second:
        distance = {thickness(chart, value)[1]: abs(value) if low < 0 else value for value in (one, other)}
        assert distance[thin] <= distance[thick]


@pytest.mark.parametrize(("count", "numbers"), [(20, True), (21, False), (60, False)])
def test_many_columns(count: int, numbers: bool) -> None:
    """Up to twenty have numbers; all have a scale; names above are turned, inside, and apart."""
    drawn = svg(square(count))
    assert len(fields(drawn)) == count * (count - 1)
    assert len(words(drawn, "value")) == (count * (count - 1) if numbers else 0)
    assert len(named(drawn, "scale")) == 11
    assert {"0", "1"} <= {node.text for node in words(drawn, "soft")}
    assert len([node for node in words(drawn, "soft") if node.text == "–"]) == count
    above = words(drawn, "column")
    assert len(above) == count
    turned = "rotate(-45" if numbers else "rotate(-90"  # tilted names above narrow cells would overlap
    assert all(turned in node.attrib["transform"] for node in above)
    assert min(float(b.attrib["x"]) - float(a.attrib["x"]) for a, b in itertools.pairwise(above)) >= 14
    reach = 0.7 * 6.5 * len(above[-1].text or "") if numbers else 7
    assert float(above[-1].attrib["x"]) + reach < size(drawn)[0]
    assert size(drawn)[0] < 1100 + 0.72 * 10 * len("assessor 59")


def test_names_that_have_room_are_level() -> None:
    """Three labels are not tilted."""
    names = ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")
    drawn = svg(heat({name: [0.1, 0.2, 0.3] for name in names}, names))
    assert [node.get("transform") for node in words(drawn, "column")] == [None] * 3


def test_small() -> None:
    """A heat map of sixty assessors is no larger than a photograph; one of runs by measures stays below 40 KB."""
    assert len(svg(square(60)).encode()) < 200_000
    assert len(svg(square(25)).encode()) < 40_000
    runs = heat({f"m{m}": [(m * r % 23) / 23 for r in range(25)] for m in range(12)}, tuple(f"r{r}" for r in range(25)))
    assert len(svg(runs).encode()) < 40_000


def test_told() -> None:
    """Few fields one by one, of many the least and the most of each row."""
    assert "other by one; a x 0.250, y undefined; b" in told(svg(heat({"x": [0.25, 1.0], "y": [NAN, 0.5]}, ("a", "b"))))
    chart = square(60)
    row = {name: values[7] for name, values in chart.series if values[7] == values[7]}
    least, most = min(row, key=lambda name: row[name]), max(row, key=lambda name: row[name])
    assert f"assessor 7 from {row[least]:.3f} at {least} to {row[most]:.3f} at {most};" in told(svg(chart))
    assert len(told(svg(chart))) < 60 * 80


def test_text() -> None:
    """Numbers below the names of columns; where a line would be too long, shades, and what they mean."""
    chart = heat({"x": [0.25, 1.0], "名": [NAN, -0.001]}, ("a", "b"))
    _, above, first, second, _ = lines_of(chart)
    assert above.split() == ["x", "名"]
    assert (first.split(), second.split()) == (["a", "0.25", "–"], ["b", "1.00", "0.00"])
    wide = lines_of(square(60), 100)
    assert len(wide) == 64
    assert wide[1].split()[-1][:3] == "·○○"
    assert max(map(len, wide)) <= 100
    assert "○ 0  ░ 0.25  ▒ 0.5  ▓ 0.75  █ 1" in wide[-3]
    assert "columns: the rows" in wide[-2]
