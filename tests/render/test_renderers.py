"""Renderers: nothing a file can say breaks a page, and nothing is cut that should not be."""

from __future__ import annotations

import csv
import io
import re
from base64 import b64encode
from dataclasses import dataclass, replace
from hashlib import sha256
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.data.charts import Chart, Dots, Series
from karat.data.fields import Undefined
from karat.data.result import Column, Finding, Result, Sheet, Signature
from karat.errors import UsageError
from karat.render import OUTPUT_FORMATS, render
from karat.render.characters import Terminal
from karat.render.figures import svg
from karat.render.latex import escaped
from karat.render.text import pieces, show
from tests.render.drawn import named, spots, texts, told

NASTY = ["<script>alert(1)</script>", "[bold]x[/bold]", "a & b_c % d", "=1+1", "back\\slash", "⊢ – ünïcode", '"q"']


@dataclass(frozen=True, kw_only=True)
class Sample(Result):
    """A result of nasty names."""

    names: list[str]

    def make_sheets(self) -> list[Sheet]:
        """One table."""
        return [self.records()]

    def records(self) -> Sheet:
        """One table."""
        numbers = [0.5 + place for place in range(len(self.names))]
        return Sheet("nasty", (Column("run", self.names), Column("value", [*numbers[:-1], float("nan")], 2)))

    def charts(self) -> list[Chart]:
        """One chart."""
        return [Dots(title="nasty", labels=tuple(self.names), series=(Series("<b>", [0.5] * len(self.names)),))]

    def findings(self) -> list[Finding]:
        """What the names say."""
        return list(map(Finding, self.names))


def sample(names: list[str]) -> Sample:
    """A signed result."""
    signature = Signature("1", "sample", (), (), None, None, None, 0)
    return Sample(study="sample", signature=signature, names=names, undefined=(Undefined("/values/0", "no reason"),))


class Tags(HTMLParser):
    """Collects the tags of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, _: object) -> None:
        """One more."""
        self.tags.append(tag)


def test_html_escapes() -> None:
    """Names from files are text, never markup; the page needs nothing from elsewhere."""
    parser = Tags()
    page = render(sample(NASTY), "html")
    parser.feed(page)
    assert not {"b", "link", "img", "iframe"} & set(parser.tags)
    assert parser.tags.count("script") == 2, "the sources as data, and karat's own script"
    assert "&lt;script&gt;" in page


def test_svg_is_xml() -> None:
    """A chart is well-formed, whatever its labels, and says in words what it draws."""
    drawn = svg(sample(NASTY).charts()[0])
    assert all(f"{name} <b> 0.500" in told(drawn) for name in NASTY)
    assert (len(spots(drawn, "mark")), len(named(drawn, "legend"))) == (len(NASTY), 1)
    assert set(NASTY) <= {node.text for node in texts(drawn)}


def test_csv_is_no_program() -> None:
    """A spreadsheet finds text where a name begins like a formula, and nothing where a number is undefined."""
    rows = list(csv.reader(io.StringIO(render(sample(NASTY), "csv"))))
    assert ["'=1+1", "3.5"] in rows
    assert rows[-1] == ['"q"', ""]


def test_latex_escapes() -> None:
    """Characters that LaTeX would take for commands are printed."""
    assert escaped("a_b & 5% {x} \\y ⊢") == r"a\_b \& 5\% \{x\} \textbackslash{}y $\vdash$"


def test_text_takes_no_markup() -> None:
    """Square brackets in names are brackets."""
    assert "[bold]x[/bold]" in render(sample(NASTY), "text")


def test_unknown_form() -> None:
    """An unknown form is told the known ones."""
    with pytest.raises(UsageError, match="did you mean 'latex'"):
        render(sample(["x"]), "latx")


@pytest.mark.nightly
@pytest.mark.parametrize("form", [form for form in OUTPUT_FORMATS if form != "junit"])  # for checks alone
@settings(deadline=None, max_examples=30)
@given(names=st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=4))
def test_any_name(form: str, names: list[str]) -> None:
    """No name breaks a renderer."""
    names = [name.encode("utf-8", "replace").decode() for name in names]
    assert render(sample(names), form)


@given(
    widths=st.lists(st.integers(1, 30), min_size=1, max_size=20),
    name=st.integers(1, 80),
    page=st.integers(60, 160),
)
def test_pieces_fit(widths: list[int], name: int, page: int) -> None:
    """A wide sheet is split at columns: each piece fits, begins with the names, and no column is lost."""
    columns = [Column("r" * name, ["x"]), *(Column("c" * width, [1.0]) for width in widths)]
    made = pieces(Sheet("wide", tuple(columns)), page)
    assert [column for piece in made for column in piece[1:]] == columns[1:]
    for piece in made:
        texts = [[column.name, *map(column.text, column.values)] for column in piece]
        widest = sum(3 + max(map(len, column)) for column in texts)
        assert widest - 3 <= page or len(piece) == 2 or name > 28


def test_pieces_repeat_what_identifies_a_row() -> None:
    """Ranks and runs, pairs of runs, and further columns while two rows would look alike."""
    numbers = [Column(f"measure {place}", [0.5, 0.25]) for place in range(12)]
    for first, naming in (
        ([Column("rank", ["1–2", "1–2"]), Column("run", ["a", "b"]), Column("letters", ["a", "a"])], 2),
        ([Column("rank", ["1", "2"]), Column("run", ["a", "b"])], 2),
        ([Column("run a", ["a", "b"]), Column("run b", ["b", "c"]), Column("different", [True, False])], 2),
        ([Column("label", ["x", "x"]), Column("estimate", ["naive", "PPI"])], 2),
        ([Column("run", ["a", "b"]), Column("merge", ["x", "y"])], 1),
        ([Column("coefficient", ["x", "x"]), Column("note", ["y", "y"])], 1),
        ([Column("way", ["2-way", "2-way"]), Column("difference", [0.01, 0.02])], 2),
        ([Column("way", ["2-way", "2-way"]), Column("difference", [0.01, 0.01])], 1),
        ([Column("run", ["a", "b"]), Column("value", [0.01, 0.02])], 1),
    ):
        made = pieces(Sheet("wide", (*first, *numbers)), 80)
        assert len(made) > 1
        assert all(piece[:naming] == tuple(first[:naming]) for piece in made)
        assert [column for piece in made for column in piece[naming:]] == [*first[naming:], *numbers]


def test_intervals_stay_beside_their_value() -> None:
    """No piece begins with the interval of a value in the piece before."""
    headings = [
        name for place in range(6) for name in (f"measure {place}", "low", "high", f"m{place}", "95 % interval")
    ]
    for width in range(50, 130, 10):
        made = pieces(Sheet("wide", (Column("run", ["a"]), *(Column(name, [0.5]) for name in headings))), width)
        assert {piece[1].name for piece in made} <= {f"{m}{place}" for m in ("measure ", "m") for place in range(6)}


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_numbers_are_never_cut(width: int) -> None:
    """On a terminal of any width every number is whole."""
    console = Terminal(width=width, file=io.StringIO(), force_terminal=True)
    sheet = Sheet(
        "wide",
        (
            Column("run", ["a-rather-long-name-of-a-run" * 2]),
            *(Column(f"m{i}", [i + 0.1234], 4) for i in range(20)),
        ),
    )

    @dataclass(frozen=True, kw_only=True)
    class Wide(Sample):
        """A wide one."""

        def make_sheets(self) -> list[Sheet]:
            """The wide sheet."""
            return [sheet]

    show(Wide(study="x", signature=sample([]).signature, names=["x"]), console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert all(f"{i}.1234" in text for i in range(20))


def test_pages_have_a_policy() -> None:
    """A browser asks for nothing, and runs nothing but karat's own script, told by its hash."""
    text = render(sample(NASTY), "html")
    assert text.index("Content-Security-Policy") < text.index("<title>")
    script = text[text.rindex("<script>") + len("<script>") : text.rindex("</script>")]
    told = b64encode(sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; script-src 'sha256-{told}';" in text
    assert "img-src data:" in text


@dataclass(frozen=True, kw_only=True)
class Long(Sample):
    """A result whose table shows its main rows only."""

    def make_sheets(self) -> list[Sheet]:
        """Two rows of three."""
        whole = Sheet("all", (Column("run", ["a", "b", "c"]), Column("value", [3.0, 2.0, 1.0])))
        return [replace(whole.ordered([0, 1]), title="main", whole=lambda: whole)]


def test_all_rows() -> None:
    """The main rows of a table, with a word on the others; all of them where asked for, and always in CSV."""
    result = Long(study="sample", signature=sample([]).signature, names=["x"])
    text = render(result, "text")
    assert "--all shows all rows" in text
    assert "1.0" not in text
    for format, shown in (("text", "c     1.0"), ("markdown", "| c | 1.0"), ("latex", "c & 1.0")):
        assert shown not in render(result, format, "1") + render(result, format)
        assert shown in render(result, format, all_rows=True)
        assert shown in render(result, format, "1", all_rows=True)
        assert "--all shows" not in render(result, format, all_rows=True)
    assert render(result, "csv", "1").endswith("c,1.0\n")


def test_signatures_in_text() -> None:
    """A hash, and how to see all of it; or all of it."""
    result = sample(["x"])
    assert render(result, "text").endswith(f"\nsignature: {result.signature.short} (--verbose shows it in full)\n")
    assert render(result, "text", verbose=True).endswith(f"\n{result.signature}\n")
    assert render(result, "text", "1", verbose=True).endswith(f"\n{result.signature}\n")


@pytest.mark.parametrize("width", [40, 80])
def test_a_terminal_breaks_between_words(width: int) -> None:
    """Titles, notes and findings fit the width, with further lines indented; only headings and tables are coloured."""
    words = "seven words that are repeated many times, 0.25 of 160; "

    @dataclass(frozen=True, kw_only=True)
    class Wordy(Sample):
        """Much to say."""

        def make_sheets(self) -> list[Sheet]:
            """A title and a note."""
            return [Sheet(words * 3, (Column("run", ["a"]),), (words * 4,))]

    console = Terminal(width=width, file=io.StringIO(), force_terminal=True, color_system="256")
    show(Wordy(study="x", signature=sample([]).signature, names=[words * 5]), console)
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    assert set(re.findall(r"\x1b\[([0-9;]*)m", shown)) <= {"0", "1", "2"}  # bold and dim, and no colour
    lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()
    assert max(map(len, lines)) <= width
    assert set(re.findall(r"[\w.]+", " ".join(lines))) >= set(re.findall(r"[\w.]+", words))
    found = next(place for place, line in enumerate(lines) if line.startswith("• "))
    assert lines[found + 1].startswith("  ")
    assert lines[found + 1][2] != " "
