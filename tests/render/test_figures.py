"""Figures: the page's colours, ids of their own, files that are the same every time."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import matplotlib
import pytest
from matplotlib.font_manager import fontManager
from matplotlib.text import Text
from PIL import Image

from karat.arrays import NAN
from karat.data.charts import (
    Bars,
    Box,
    Boxes,
    Chart,
    Counts,
    Dots,
    Heat,
    Interval,
    Line,
    Lines,
    Panels,
    Place,
    Point,
    Points,
    Series,
)
from karat.errors import UsageError
from karat.render.characters import draw as draw_characters
from karat.render.figures import FILES, WIDTHS, Picture, document, draw, save, svg, svg_pair
from karat.render.figures.alt_text import described
from karat.render.figures.alt_text import told as told_by_class
from karat.render.figures.canvas import drawn as drawn_by_class
from karat.render.figures.canvas import fonts, run_look
from karat.render.figures.palette import DARK, LABELS, LIGHT, RUN_COLOURS
from karat.render.page import SCRIPT, STYLE
from tests.render.drawn import lines_of, look, named, pieces, size, texts, told

DOTS = Dots(title="Dots & <all>", labels=("⊢ a", "$b$ \x00"), series=(Series("x", [0.1, NAN]), Series("y", [0.9, 0.5])))
BOXES = Boxes(title="Boxes", labels=("a",), boxes=(Box(0, 0.25, 0.5, 0.75, 1),))
BARS = Bars(
    title="Bars", labels=("0", "1"), series=(Series("<a>", [0.1, NAN]), Series("b", [0.4, 0.6])), axes=("x", "y")
)
HEAT = Heat(
    title="Heat", labels=("<a>", "b"), series=(Series("x", [0.1, NAN]), Series("y", [-0.4, 0.6])), axes=("x", "y")
)
POINTS = Points(title="Points", points=(Point("<a>", 0.1, 0.1, "x"), Point("b", 0.2, 0.6, "y")))
LINES = Lines(
    title="Lines", lines=tuple(Line([0, 1], [n / 9, 0.5], f"r{n}") for n in range(9)), axes=("x", "y"), rule=0.5
)
COUNTS = Counts(
    title="Counts", labels=("a",), places=(Place("0", [1]), Place("1", [2], 2.0)), low=1.0, high=4.0, axes=("m", "")
)
PANELS = Panels(title="Panels", panels=(replace(DOTS, title="one"), replace(DOTS, title="two <b>")))
EVERY: list[Chart] = [DOTS, PANELS, BOXES, BARS, HEAT, POINTS, LINES, COUNTS]
ALL = pytest.mark.parametrize("chart", EVERY, ids=lambda chart: type(chart).__name__)


def test_every_class_is_drawn() -> None:
    """There is no way of drawing that this file does not look at."""
    assert {type(chart) for chart in EVERY} == set(Chart.__subclasses__())
    draw(DOTS)  # loads the modules that draw
    for choice in (drawn_by_class, told_by_class, draw_characters):
        assert set(choice.registry) == {object, *Chart.__subclasses__()}


@ALL
def test_colours_are_those_of_the_page(chart: Chart) -> None:
    """Every colour is a variable that the page defines in both themes, and text has the page's font."""
    drawn = svg(chart)
    assert not re.search("#[0-9a-f]{6}[^-]", re.sub('(href|id)="[^"]*"|url\\([^)]*\\)', "", drawn.split("</desc>")[1]))
    used = set(re.findall(r"var\(--(\w+)\)", drawn))
    assert {"ink"} <= used <= LIGHT.keys() == DARK.keys()
    assert all(STYLE.count(f"--{name}: ") == 2 for name in used)
    styles = [node.get("style", "") for node in ElementTree.fromstring(drawn).iter()]
    assert not any("font" in style for style in styles)
    assert len(looks(drawn)) == len(texts(drawn))
    assert all("fill: var(" in style for style in looks(drawn))


def looks(drawn: str) -> list[str]:
    """How words look: by what they say themselves, or what their group says."""
    nodes = [(parent, child) for parent in ElementTree.fromstring(drawn).iter() for child in parent]
    return [child.get("style", parent.get("style", "")) for parent, child in nodes if child.tag.endswith("}text")]


def test_themes_do_not_mix() -> None:
    """A colour has one meaning, or a page could not take its own: links share theirs with the first run alone."""
    for theme in (LIGHT, DARK):
        assert len(set(theme.values())) == len(theme) - 1
        assert theme["a"] == theme["run-1"]
        assert "#000000" not in theme.values()  # matplotlib leaves it out
    assert {*RUN_COLOURS, *LABELS.values()} <= LIGHT.keys()


def test_every_variable_of_the_style_is_defined() -> None:
    """No rule refers to a colour that the themes do not have."""
    used = set(re.findall(r"var\(--([\w-]+)", STYLE + SCRIPT))
    assert used - {"wide", "id", "label"} <= LIGHT.keys() == DARK.keys()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_labels_can_be_read_as_text(theme: dict[str, str]) -> None:
    """A label in its colour on the page has the contrast that WCAG asks of text."""
    for name in (*LABELS.values(), "warn", "ink", "soft", "a"):
        assert contrast(theme[name], theme["paper"]) >= 4.5, name


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, after WCAG."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    """The relative luminance of a colour, after WCAG."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_runs_and_labels_keep_their_colours() -> None:
    """A run has the colour of its rank in every kind of chart, a label its own, and nothing else has either."""
    runs = ("first", "second")
    by_series = Dots(title="t", labels=("x",), series=(Series("second", [0.1]), Series("other", [0.2])), runs=runs)
    by_row = replace(by_series, labels=("second",), series=(Series("score", [0.3]),), intervals=(Interval(0.1, 0.4),))
    lines = replace(LINES, lines=(Line([0, 1], [0, 1], "second", "both"),), runs=runs)
    points = replace(POINTS, points=(Point("second", 0.1, 0.2, "runs"), Point("(x)", 0.1, 0.3, "baselines")), runs=runs)
    bars = Bars(title="t", labels=("0",), series=(Series("second", [0.1]), Series("UNKNOWN", [0.2])), runs=runs)
    for chart, kind in ((by_series, "mark"), (by_row, "mark"), (lines, "mark"), (points, "mark"), (bars, "bars")):
        found = [set(re.findall(r"var\(--([\w-]+)\)", look(node)[1])) for node in named(svg(chart), kind)]
        assert {"run-2"} in [one - {"paper"} for one in found], kind
        assert not {"run-1"} & set().union(*found)
    assert "var(--run-2)" in look(named(svg(by_row), "interval")[0])[1]
    assert "var(--unknown)" in look(named(svg(bars), "bars")[1])[1]
    marks = [look(node) for node in named(svg(by_series), "mark")]
    assert not re.search("run-|entailment", marks[1][1])
    assert len({run_look(rank)[:3] for rank in range(24)}) == 24


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
    charts = [DOTS, *EVERY]
    drawn = [svg(chart, str(place)) for place, chart in enumerate(charts)]
    ids = [found for one in drawn for found in re.findall(r' id="([^"]*)"', one)]
    assert len(ids) == len(set(ids)) > 10
    for one in drawn:
        meant = re.findall(r'href="#([^"]*)"|url\(#([^)]*)\)', one)
        assert {first or second for first, second in meant} <= set(re.findall(r' id="([^"]*)"', one))


def test_names_are_only_names() -> None:
    """Dollars are no formulas, and what XML forbids is spelled out."""
    assert {"⊢ a", r"$b$ \x00"} <= {node.text for node in texts(svg(DOTS))}


def test_the_marks_of_runs_are_full() -> None:
    """A hollow mark is a baseline, or something else that is no run; 24 runs have different marks."""
    marked = replace(LINES, lines=tuple(replace(line, look="both") for line in LINES.lines))
    looks = [look(node)[1] for node in named(svg(replace(marked, runs=tuple(f"r{n}" for n in range(9)))), "legend")]
    assert not any("var(--paper)" in style for style in looks)
    assert len({run_look(rank)[:2] for rank in range(24)}) == 24


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
    """Colours of the light theme on paper, fonts named or embedded; still told in words."""
    save(LINES, tmp_path / "a.svg")
    written = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "var(" not in written
    assert {LIGHT["paper"], LIGHT["ink"]} <= set(re.findall("#[0-9a-f]{6}", written))
    assert "Noto Sans CJK" in ElementTree.fromstring(written).attrib["style"]
    assert {"Lines", "r0"} <= {node.text for node in texts(written)}  # its title too
    assert "<desc" in written
    save(LINES, tmp_path / "a.pdf")
    assert b"/FontFile2" in (tmp_path / "a.pdf").read_bytes()


@ALL
def test_a_column_is_as_wide_as_asked_and_legible(chart: Chart, tmp_path: Path) -> None:
    """In every kind of file a figure has the width of a paper's column, and no letter is below 7 points there."""
    for width, inches in WIDTHS.items():
        made = draw(chart, width, title=True)
        assert made.get_size_inches()[0] == pytest.approx(inches)
        words = made.findobj(lambda artist: isinstance(artist, Text) and bool(artist.get_text()))
        assert min(float(one.get_fontsize()) for one in words if isinstance(one, Text)) >= 7
        save(chart, tmp_path / "a.svg", width=width)
        assert ElementTree.parse(tmp_path / "a.svg").getroot().attrib["width"] == f"{inches}in"
        save(chart, tmp_path / "a.pdf", width=width)
        (box,) = re.findall(rb"/MediaBox \[ *0 0 ([\d.]+)", (tmp_path / "a.pdf").read_bytes())
        assert float(box) == pytest.approx(72 * inches, abs=0.01)
    with pytest.raises(UsageError, match="column"):
        draw(chart, "colum")


@ALL
def test_a_page_has_a_figure_for_phones(chart: Chart) -> None:
    """Drawn again for 358 pixels unless it is as narrow already, with ids of its own."""
    made = re.findall("<svg.*?</svg>", svg_pair(chart), re.DOTALL)
    wide = next((one for one in made if 'class="chart wide"' in one[:900]), None)
    if wide is None:
        assert size(made[0])[0] <= 442
        return
    (narrow,) = (one for one in made if 'class="chart narrow"' in one[:900])
    assert size(narrow)[0] < size(wide)[0]
    assert size(narrow)[0] <= 442
    assert told(narrow) == told(wide)
    # Where nothing says otherwise, as in a notebook, it is seen once.
    assert ["display: none" in one.split(">")[0] for one in (wide, narrow)] == [False, True]
    ids = re.findall(r' id="([^"]*)"', "".join(made))
    assert len(ids) == len(set(ids))


def test_east_asian_names_find_a_font(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed font with such characters comes after the first, and others are not asked for."""
    fonts.cache_clear()
    monkeypatch.setattr(type(fontManager), "get_font_names", lambda _: ["DejaVu Sans", "IPAGothic", "Arial"])
    assert fonts() == ["DejaVu Sans", "IPAGothic"]
    fonts.cache_clear()


def test_a_font_installed_since_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """matplotlib keeps a list of fonts; one installed after it was written is found, and a broken file does no harm."""
    fonts.cache_clear()
    known, added = fontManager.ttflist[0].fname, list[str]()
    monkeypatch.setattr(type(fontManager), "get_font_names", lambda _: ["DejaVu Sans", *added])
    monkeypatch.setattr("matplotlib.font_manager.findSystemFonts", lambda: [known, "new.ttc", "broken.ttf"])

    def add(_: object, path: str) -> None:
        if path != "new.ttc":
            raise RuntimeError(path)
        added.append("Noto Sans CJK JP")

    monkeypatch.setattr(type(fontManager), "addfont", add)
    assert fonts() == ["DejaVu Sans", "Noto Sans CJK JP"]
    fonts.cache_clear()


def test_characters_that_no_font_has_are_told(tmp_path: Path) -> None:
    """A picture lacks them, and says which; a file that keeps text as text lacks none."""
    fonts.cache_clear()
    odd = replace(DOTS, labels=("a \U0001f9ff", "⊢ b"))  # an amulet, which no font for reading has
    assert save(odd, tmp_path / "a.png") == save(odd, tmp_path / "a.pdf") == "\U0001f9ff"
    assert (save(odd, tmp_path / "a.svg"), save(DOTS, tmp_path / "b.png")) == ("", "")
    assert "\U0001f9ff" in (tmp_path / "a.svg").read_text("utf-8")


def test_unknown_kind_of_file(tmp_path: Path) -> None:
    """The known ones are told."""
    with pytest.raises(UsageError, match=r"\.svg"):
        save(DOTS, tmp_path / "a.svgg")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("form", FILES)
def test_files_keep_the_signature(form: str, tmp_path: Path) -> None:
    """Read back from the file: all of it, whatever is in it, and the title."""
    signature = "karat 1 | score | way:<3> | pairs \x01 ü.xml:0123"
    Picture(DOTS, signature).save(tmp_path / f"a{form}")
    kept, title = read_back(tmp_path / f"a{form}")
    assert kept == (signature if form != ".svg" else signature.replace("\x01", r"\x01"))
    assert title == DOTS.title
    save(DOTS, tmp_path / f"b{form}")
    assert read_back(tmp_path / f"b{form}")[0] is None


def read_back(path: Path) -> tuple[str | None, str | None]:
    """Signature and title, as another program finds them."""
    if path.suffix == ".svg":
        root = ElementTree.parse(path).getroot()
        found = {node.tag.rpartition("}")[2]: node.text for node in root}
        return found.get("metadata"), found["title"]
    if path.suffix == ".png":
        with Image.open(path) as image:
            return image.info.get("Description"), image.info["Title"]
    written = path.read_bytes()
    return _of_pdf(written, b"Subject"), _of_pdf(written, b"Title")


def _of_pdf(written: bytes, name: bytes) -> str | None:
    """A text of a PDF's information: in brackets, some characters behind a backslash, UTF-16 if it begins so."""
    found = re.search(rb"/" + name + rb" \(((?:[^\\()]|\\.)*)\)", written, re.DOTALL)
    if not found:
        return None
    escapes = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
    text = re.sub(rb"\\([0-7]{3}|.)", lambda one: _byte(one[1], escapes), found[1], flags=re.DOTALL)
    return text[2:].decode("utf-16-be") if text.startswith(b"\xfe\xff") else text.decode("latin-1")


def _byte(after: bytes, escapes: dict[bytes, bytes]) -> bytes:
    return bytes([int(after, 8)]) if after.isdigit() else escapes.get(after, after)


class Images(HTMLParser):
    """The images of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[dict[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """One more tag."""
        self.found.append({"tag": tag, **dict(attrs)})


def test_notebooks_show_a_picture() -> None:
    """One picture that says what it shows and where it is from, in colours of its own and without a ground."""
    chart = replace(DOTS, labels=('"><script>', "a'b"))
    parser = Images()
    shown = Picture(chart, "signed <b>")._repr_html_()
    parser.feed(shown)
    assert [one["tag"] for one in parser.found].count("svg") == 1
    assert not {"script", "b", "img"} & {one["tag"] for one in parser.found}
    assert f"{escape(described(chart), quote=False)}</desc>" in shown
    assert "<metadata>signed &lt;b&gt;</metadata>" in shown
    style, drawn = shown.split("</style>")
    used = set(re.findall(r"var\((--[a-z0-9-]+)\)", drawn))
    assert "--ink" in used
    assert all(f"{name}: {DARK[name[2:]]};" in style and f"{name}: {LIGHT[name[2:]]};" in style for name in used)
    assert "background" not in style
    assert LIGHT["paper"] not in drawn


@ALL
def test_a_long_title_changes_no_size(chart: Chart) -> None:
    """A figure is as wide as its scale and its names, whatever it is called."""
    assert size(svg(replace(chart, title="a title " * 50))) == size(svg(chart))


HOSTILE = ("<b>&amp;$x_1$", "\x00\x1b[31m", "名" * 60, "[bold]", "𝔘" * 10, "same", "same")


def renamed(chart: Chart, names: tuple[str, ...]) -> Chart:
    """The chart with other names wherever it has any."""
    turn = itertools.cycle(names)
    changes: dict[str, Any] = {}
    for field in ("series", "points", "places"):
        if hasattr(chart, field):
            changes[field] = tuple(one._replace(name=next(turn)) for one in getattr(chart, field))
    if isinstance(chart, Lines):
        changes["lines"] = tuple(replace(line, name=next(turn)) for line in chart.lines)
    if isinstance(chart, Panels):
        changes["panels"] = tuple(replace(panel, title=next(turn)) for panel in chart.panels)
    if getattr(chart, "labels", ()):
        changes["labels"] = tuple(itertools.islice(turn, len(chart.labels)))  # type: ignore[attr-defined]
    return replace(chart, **changes)


@ALL
def test_hostile_names(chart: Chart) -> None:
    """Long, forbidden, wide and marked-up names: well-formed, in bounds, and the same in text and file."""
    made = replace(renamed(chart, HOSTILE), title="\x00<t>", note="\x1b[31m <note> " + "長" * 300)
    drawn = svg(made)
    assert size(drawn)[0] < 1600
    assert told(drawn).startswith(r"\x00<t> (\x1b[31m <note> ")
    written = "\n".join(lines_of(made))
    assert "\x1b" not in written
    assert "\x00" not in written
    assert r"\x00<t>" in written
    assert r"\x1b[31m <note>" in written
    ElementTree.fromstring(document(made))


@ALL
def test_long_names_that_differ_look_different(chart: Chart) -> None:
    """Names of two hundred letters that differ in one, in the middle, are shortened and still differ; all are told."""
    names = tuple(f"{'a' * 100}{letter}{'b' * 100}" for letter in "0123456789")
    made = renamed(chart, names)
    drawn = svg(made)
    shown = [node.text or "" for node in texts(drawn) if "…" in (node.text or "")]
    assert max(map(len, shown)) <= 48
    titles = {node.text for node in ElementTree.fromstring(drawn).iter() if node.tag.endswith("}title")}
    assert len(titles & set(names)) == len(set(shown)) > 0


@ALL
def test_a_note_is_in_the_picture(chart: Chart) -> None:
    """It stands below all else, in the words and in the text; the figure is as much higher, and no wider."""
    noted, plain = svg(replace(chart, note="the best 60 of 90 runs")), svg(chart)
    written = [node for node in texts(noted) if node.text == "the best 60 of 90 runs"] or [
        node for node in texts(noted) if (node.text or "").startswith("the best")
    ]
    assert written
    assert float(written[0].attrib["y"]) > max(float(node.attrib["y"]) for node in texts(plain))
    assert size(noted)[0] == size(plain)[0]
    assert size(noted)[1] > size(plain)[1]
    assert "(the best 60 of 90 runs)" in told(noted)
    assert "the best 60 of 90 runs" in "\n".join(lines_of(replace(chart, note="the best 60 of 90 runs")))


def unknown(chart: Chart) -> Any:
    """The chart without a number."""
    if isinstance(chart, Points):
        return replace(chart, points=tuple(point._replace(y=NAN) for point in chart.points))
    if isinstance(chart, Lines):
        return replace(chart, lines=tuple(replace(line, y=[NAN] * len(line.y)) for line in chart.lines))
    assert isinstance(chart, Dots | Bars | Heat)
    return replace(chart, series=tuple(Series(name, [NAN] * len(values)) for name, values in chart.series))


@pytest.mark.parametrize("chart", [POINTS, BARS, HEAT, LINES, DOTS], ids=lambda chart: type(chart).__name__)
@pytest.mark.parametrize("ends", [{}, {"low": None, "high": None}])
def test_nothing_known(chart: Chart, ends: dict[str, None]) -> None:
    """All values undefined: drawn and told without a number that is none, whatever the ends of the scale."""
    made = replace(unknown(chart), **{name: end for name, end in ends.items() if hasattr(chart, name)})
    drawn = svg(made)
    assert "nan" not in drawn.lower()
    assert "undefined" in told(drawn) or "none" in told(drawn)
    assert "nan" not in "\n".join(lines_of(made)).lower()
    assert not any(named(drawn, kind) for kind in ("mark", "line", "bars", "field"))


def test_an_interval_alone() -> None:
    """An interval whose value is undefined is drawn; one with an end that is undefined is not."""
    chart = replace(unknown(DOTS), intervals=(Interval(0.2, 0.4), Interval(0.2, NAN)))
    (bars,) = named(svg(chart), "interval")
    assert len(pieces(bars)) == 3


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
        "import sys; import karat.render.html; from karat.render.figures import svg;"
        "from karat.data.charts import Dots, Series;"
        "assert 'matplotlib' not in sys.modules; svg(Dots(title='t', labels=('a',), series=(Series('x', [0.5]),)));"
        "assert 'matplotlib' in sys.modules and 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
