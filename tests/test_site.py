"""The documentation as a site: it builds without a warning, and asks nothing of anybody."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image
from tools.make_docs import ROOT
from tools.screenshot import quoted
from tools.site_pages import bars_plain, links_named

CODE = re.compile(r"<(?:code|pre)\b.*?</(?:code|pre)>", re.S)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built strictly: a page that the menu lacks or a link that leads nowhere is an error."""
    pytest.importorskip("material", reason="mkdocs-material is not installed")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


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


def test_every_page_is_on_the_tour() -> None:
    """The first page leads to every other page of docs/, and so does no reader need the menu to find one."""
    tour = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    named = {target.partition("#")[0] for target in re.findall(r"\]\(([^)]+)\)", tour)}
    pages = {file.name for file in (ROOT / "docs").glob("*.md")} | {"json/index.md", "decisions/index.md"}
    assert pages - named == {"index.md"}


def test_readme_is_short_and_has_its_picture() -> None:
    """The README fits on two screens, and its picture is there, small, wide enough to be read, and told in words."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.splitlines()) < 80
    words, target = re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", readme)[0]
    assert len(words) > 20
    assert (ROOT / target).stat().st_size < 200_000
    with Image.open(ROOT / target) as picture:
        assert picture.format == "PNG"
        assert picture.width >= 1000


def test_picture_is_of_the_quoted_command() -> None:
    """The command that the README says its picture is from is the one that it is made with, and is run by a test."""
    assert f"`karat report {quoted()} -o report.html`" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"```sh\nkarat report {quoted()} -o report.html\n" in (ROOT / "docs" / "report.md").read_text(
        encoding="utf-8"
    )


def test_links_out_of_docs_are_named() -> None:
    """A link that a site cannot follow becomes the file's name; others stay."""
    page = "[the log](../benchmarks/log.md), [how](../compare.md#few), [keys](keys.md)"
    assert links_named(page, "engines.md").startswith("the log (`benchmarks/log.md`), how (`compare.md`), [keys]")
    assert links_named("[how](../compare.md#few)", "decisions/0001.md") == "[how](../compare.md#few)"


def test_bars_in_code_are_plain() -> None:
    """A bar that is escaped for a table loses its backslash inside code and nowhere else."""
    assert bars_plain("| `a\\|b` | c\\|d |\n`e\\|f`") == "| `a|b` | c\\|d |\n`e\\|f`"
