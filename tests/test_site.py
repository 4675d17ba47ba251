"""The documentation as a site: it builds without a warning, and asks nothing of anybody."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest
from PIL import Image
from tools.make_docs import ROOT
from tools.screenshot import quoted
from tools.site_pages import bars_plain, links_named, titles

from karat.errors import CATALOGUE

DOCS = ROOT / "docs"
CODE = re.compile(r"<(?:code|pre)\b.*?</(?:code|pre)>", re.S)
BLOCK = re.compile(r"^```.*?^```$|^(?!\s*$).+?(?=\n\n|\Z)", re.S | re.M)
COMMAND = re.compile(r"```(?:sh|bash|)\n(?:pip install .*\n)?(?:karat|python -m) |```python\nimport ")
OUTPUT = re.compile(r"```(?:output|json)\n|!\[|\[!\[|\| |<div class=\"gallery\">")
ESCAPED_TWICE = re.compile(r"&amp;(?:\w+|#\d+);")
NO_COMMAND = {"glossary.md", "map.md", "decisions/index.md"}
"""Pages about words and about the code, which no command prints."""
ITS_OWN_OUTPUT = {"calibration.md", "scale.md"}
"""A page that its command writes from beginning to end, and one whose commands take files of gigabytes."""


def begins_with(page: str) -> list[str]:
    """What a page begins with, below its title: commands, outputs and text."""
    body = re.sub(r"<!--.*?-->", "", page.partition("\n")[2], flags=re.S)
    kinds = {"command": COMMAND, "output": OUTPUT}
    return [
        next((kind for kind, pattern in kinds.items() if pattern.match(block)), "text")
        for block in BLOCK.findall(body)[:3]
    ]


def seen(cell: str) -> str:
    """The text that a browser shows of a piece of HTML."""
    return html.unescape(re.sub(r"<[^>]+>", "", cell))


def test_nothing_is_fetched(site: Path) -> None:
    """No page loads a script, a style, a font or a picture from elsewhere."""
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        loaded = re.findall(
            r"<(?:script|link|img|iframe)[^>]*(?:src|href)=\"([^\"]+)\"", page.read_text(encoding="utf-8")
        )
        assert loaded
        assert [address for address in loaded if re.match(r"(?:https?:)?//", address)] == []
    for style in site.rglob("*.css"):
        assert not re.search(r"(?:@import|url\()\s*[\"']?(?:https?:)?//", style.read_text(encoding="utf-8")), style


def test_search_works_from_files(site: Path) -> None:
    """The index is there as a script, for pages opened without a server, and finds the pages."""
    script = (site / "search" / "search_index.js").read_text(encoding="utf-8")
    found = json.loads(script.removeprefix("var __index = "))
    assert {"compare.html", "add-measure.html", "decisions/index.html"} <= {page["location"] for page in found["docs"]}
    assert "assets/iframe-worker.js" in (site / "index.html").read_text(encoding="utf-8")


def test_tables_and_lists_are_read_as_such(site: Path) -> None:
    """No row of a table, fence or heading is left over as plain text."""
    for page in site.rglob("*.html"):
        text = CODE.sub("", page.read_text(encoding="utf-8"))
        assert not re.search(r"<p>[^<]*(?:^\|[ -]|^```|^#+ |^- )", text, re.M), page


def test_titles_are_the_questions_of_the_menu(site: Path) -> None:
    """Every page of the menu asks a question, and is called the same in its file, on the site and in the menu."""
    for page, title in titles().items():
        assert title.endswith("?")
        assert (DOCS / page).read_text(encoding="utf-8").startswith(f"# {title}\n"), page
        built = (site / page).with_suffix(".html").read_text(encoding="utf-8")
        assert [seen(heading) for heading in re.findall(r"<h1[^>]*>(.*?)<a class=\"headerlink\"", built)] == [title]
        assert f"{title}" in [
            seen(entry).strip() for entry in re.findall(r"<span class=\"md-ellipsis\">(.*?)</span>", built, re.S)
        ]
    assert set(titles()) == {file.name for file in DOCS.glob("*.md")} | {"json/index.md", "decisions/index.md"}


@pytest.mark.parametrize("page", sorted(set(titles()) - NO_COMMAND))
def test_pages_begin_with_command_and_output(page: str) -> None:
    """Below the question stand the command and what it prints; only the front page says first what karat is."""
    begun = begins_with((DOCS / page).read_text(encoding="utf-8"))
    assert begun[page == "index.md"] == "command"
    assert page in ITS_OWN_OUTPUT or begun[(page == "index.md") + 1] == "output"


def test_other_beginnings_are_seen() -> None:
    """The test of beginnings knows text, commands and outputs apart."""
    assert begins_with("# A?\n\n<!-- made -->\n\n```sh\nkarat score\n\nkarat qa\n```\n\n| a |\n|---|\n\nText.") == [
        "command",
        "output",
        "text",
    ]
    assert begins_with("# A?\n\nText,\nmore.\n\n```\nname: value\n```\n\n```output\n1\n```") == [
        "text",
        "text",
        "output",
    ]


def test_entities_are_shown_as_meant(site: Path) -> None:
    """No entity is escaped twice, and the page of problems shows what the catalogue says."""
    for page in site.rglob("*.html"):
        assert not ESCAPED_TWICE.search(CODE.sub("", page.read_text(encoding="utf-8"))), page
    rows = re.findall(r"<tr>\n(.*?)</tr>", (site / "problems.html").read_text(encoding="utf-8"), re.S)
    shown = [[seen(cell) for cell in re.findall(r"<td>(.*?)</td>", row)] for row in rows[1:]]
    told = [[code, kind.severity, kind.expected, kind.fix] for code, kind in CATALOGUE.items()]
    assert shown == [[cell.replace("`", "") for cell in row] for row in told]
    assert any("&amp;" in row[2] for row in shown)


@pytest.mark.parametrize("page", ["formats", "map", "measures", "problems"])
def test_names_are_shown_as_written(site: Path, page: str) -> None:
    """The names that a generated table lists are code, so that no underscore or star in them is read as Markdown."""
    cells = re.findall(r"<tr>\n<td>(.*?)</td>", (site / f"{page}.html").read_text(encoding="utf-8"))
    assert len(cells) > 15
    assert [cell for cell in cells if not cell.startswith("<code>")] == []


def test_every_page_is_on_the_tour() -> None:
    """The first page leads to every other page of docs/, and so does no reader need the menu to find one."""
    tour = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    named = {target.partition("#")[0] for target in re.findall(r"\]\(([^)]+)\)", tour)}
    pages = {file.name for file in (ROOT / "docs").glob("*.md")} | {"json/index.md", "decisions/index.md"}
    assert pages - named == {"index.md"}


def test_readme_is_short() -> None:
    """The README has at most 120 lines: how to install karat without extras, and three commands with their output."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.splitlines()) <= 120
    assert re.search(r"^pip install \.\s", readme, re.M)
    assert readme.index("pip install") < readme.index("![") < readme.index("## ")
    assert len(re.findall(r"^```sh\nkarat .*\n```\n\n<!-- prints: .* -->\n\n```output\n", readme, re.M)) == 3


@pytest.mark.parametrize("page", ["README.md", "docs/index.md", "docs/report.md"])
def test_pictures_of_a_report(page: str) -> None:
    """The first picture is there, small, wide enough to be read, and told in words."""
    words, target = re.findall(r"!\[([^\]]*)\]\(([^)#]+)", (ROOT / page).read_text(encoding="utf-8"))[0]
    assert len(words) > 20
    shown = (ROOT / page).parent / target
    for file in (shown, shown.with_stem(f"{shown.stem}-dark")):
        assert file.stat().st_size < 200_000
        with Image.open(file) as picture:
            assert picture.format == "PNG"
            assert picture.width >= 1000


def test_picture_is_of_the_quoted_command() -> None:
    """The command above the picture is the one that it is made with, on every page, and is run by a test."""
    command = f"karat report {quoted()} -o report.html\n```\n\n[!["
    for page in ("README.md", "docs/index.md", "docs/report.md"):
        assert command in (ROOT / page).read_text(encoding="utf-8")
    assert f"```sh\n{command}" in (DOCS / "report.md").read_text(encoding="utf-8")


def test_links_out_of_docs_are_named() -> None:
    """A link that a site cannot follow becomes the file's name; others stay."""
    page = "[the log](../benchmarks/log.md), [how](../compare.md#few), [keys](keys.md)"
    assert links_named(page, "engines.md").startswith("the log (`benchmarks/log.md`), how (`compare.md`), [keys]")
    assert links_named("[how](../compare.md#few)", "decisions/0001.md") == "[how](../compare.md#few)"


def test_bars_in_code_are_plain() -> None:
    """A bar that is escaped for a table loses its backslash inside code and nowhere else."""
    assert bars_plain("| `a\\|b` | c\\|d |\n`e\\|f`") == "| `a|b` | c\\|d |\n`e\\|f`"
