"""Figures: the page's colours, ids of their own, files that are the same every time."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import matplotlib
import pytest

from karat.data.result import Chart
from karat.errors import UsageError
from karat.report.figures import FILES, draw, save, svg
from karat.report.figures.palette import DARK, LIGHT, SERIES
from karat.report.html import STYLE
from tests.report.drawn import look, named, texts

NAN = float("nan")
DOTS = Chart("dots", "Dots & <all>", ("⊢ a", "$b$ \x00"), {"x": [0.1, NAN], "y": [0.9, 0.5]})
BOXES = Chart("boxes", "Boxes", ("a",), {name: [place / 4] for place, name in enumerate("abcde")})
LINES = Chart("lines", "Lines", (), {f"r{n}": [n / 9, 0.5] for n in range(9)}, x=[0, 1], axes=("x", "y"), rule=0.5)
COUNTS = Chart("counts", "Counts", ("a",), {"0": [1], "1": [2]}, 1.0, 4.0, x={"1": [2.0]}, axes=("m", ""))
ALL = pytest.mark.parametrize("chart", [DOTS, BOXES, LINES, COUNTS], ids=lambda chart: chart.kind)


@ALL
def test_colours_are_those_of_the_page(chart: Chart) -> None:
    """Every colour is a variable that the page defines in both themes, and text has the page's font."""
    drawn = svg(chart)
    assert not re.search("#[0-9a-f]{6}[^-]", re.sub('(href|id)="[^"]*"|url\\([^)]*\\)', "", drawn.split("</desc>")[1]))
    used = set(re.findall(r"var\(--(\w+)\)", drawn))
    assert {"ink", "line"} <= used <= LIGHT.keys() == DARK.keys()
    assert all(STYLE.count(f"--{name}: ") == 2 for name in used)
    assert all("font" not in node.get("style", "") and "fill: var(" in node.attrib["style"] for node in texts(drawn))


def test_themes_do_not_mix() -> None:
    """A colour stands for one variable only, or a page could not take its own; no series looks like another."""
    for theme in (LIGHT, DARK):
        assert len(set(theme.values())) == len(theme)
        assert "#000000" not in theme.values()  # matplotlib leaves it out
    assert set(SERIES) <= LIGHT.keys()


@ALL
def test_one_element_with_words(chart: Chart) -> None:
    """No prologue and no style sheet that would reach the page; an image with title and description."""
    drawn = svg(chart)
    assert drawn.startswith("<svg ")
    root = ElementTree.fromstring(drawn)
    assert root.attrib["role"] == "img"
    title, words = root[0], root[1]
    assert (title.text, title.attrib["id"]) == (chart.title, root.attrib["aria-labelledby"])
    assert (words.tag.rpartition("}")[2], words.attrib["id"]) == ("desc", root.attrib["aria-describedby"])
    assert (words.text or "").startswith(f"{chart.title}: ")
    assert not {"style", "metadata"} & {node.tag.rpartition("}")[2] for node in root.iter()}


def test_ids_are_unique_on_a_page() -> None:
    """The same chart twice, and others: no id stands twice, and every reference finds its own."""
    charts = [DOTS, DOTS, BOXES, LINES, COUNTS]
    drawn = [svg(chart, str(place)) for place, chart in enumerate(charts)]
    ids = [found for one in drawn for found in re.findall(r' id="([^"]*)"', one)]
    assert len(ids) == len(set(ids)) > 10
    for one in drawn:
        meant = re.findall(r'href="#([^"]*)"|url\(#([^)]*)\)', one)
        assert {first or second for first, second in meant} <= set(re.findall(r' id="([^"]*)"', one))


def test_names_are_only_names() -> None:
    """Dollars are no formulas, and what XML forbids is spelled out."""
    assert {"⊢ a", r"$b$ \x00"} <= {node.text for node in texts(svg(DOTS))}


def test_hollow_marks_show_the_paper() -> None:
    """Four full shapes, then four hollow ones."""
    looks = [look(node)[1] for node in named(svg(LINES), "legend")]
    assert ["var(--paper)" in style for style in looks] == [False] * 4 + [True] * 4 + [False]


@ALL
@pytest.mark.parametrize("form", FILES)
def test_files_are_the_same_every_time(chart: Chart, form: str, tmp_path: Path) -> None:
    """Two files, the same bytes, of the kind that their names say."""
    first, second = tmp_path / f"a{form}", tmp_path / f"b{form}"
    save(chart, first)
    save(chart, str(second))
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().startswith({".svg": b"<svg ", ".pdf": b"%PDF", ".png": b"\x89PNG"}[form])
    assert svg(chart) == svg(chart)


def test_a_file_needs_nothing_else(tmp_path: Path) -> None:
    """Colours of the light theme on paper, letters drawn or embedded; still told in words."""
    save(LINES, tmp_path / "a.svg")
    written = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "var(" not in written
    assert {LIGHT["a"], LIGHT["paper"], LIGHT["ink"]} <= set(re.findall("#[0-9a-f]{6}", written))
    assert not texts(written)
    assert "<desc" in written
    save(LINES, tmp_path / "a.pdf")
    assert b"/FontFile2" in (tmp_path / "a.pdf").read_bytes()


def test_unknown_kind_of_file(tmp_path: Path) -> None:
    """The known ones are told."""
    with pytest.raises(UsageError, match=r"\.svg"):
        save(DOTS, tmp_path / "a.svgg")
    assert not list(tmp_path.iterdir())


def test_settings_of_others_stay(tmp_path: Path) -> None:
    """Neither are the user's settings changed, nor do they change a figure."""
    plain = svg(DOTS)
    with matplotlib.rc_context({"font.size": 30, "svg.fonttype": "path", "text.usetex": False}):
        before = dict(matplotlib.rcParams)
        assert svg(DOTS) == plain
        save(DOTS, tmp_path / "a.png")
        assert dict(matplotlib.rcParams) == before


def test_figures_can_be_changed() -> None:
    """A figure is matplotlib's own, with axes in the chart's numbers."""
    (axes,) = draw(DOTS).axes
    assert axes.get_xlim() == (0.0, 1.0)


def test_loaded_when_drawn() -> None:
    """Importing the renderer of pages loads no matplotlib; drawing loads no pyplot."""
    program = (
        "import sys; import karat.report.html; from karat.report.figures import svg;"
        "from karat.data.result import Chart;"
        "assert 'matplotlib' not in sys.modules; svg(Chart('dots', 't', ('a',), {'x': [0.5]}));"
        "assert 'matplotlib' in sys.modules and 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
