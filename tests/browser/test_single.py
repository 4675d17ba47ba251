"""The page of one result: its heading is the question, and on paper nothing is broken or missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser
from tools.examples import result_of

PAPER = 688
"""The width of A4 within its margins, in pixels."""
BROKEN = """() => [...document.querySelectorAll("thead th, td[data-value]")].filter((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  const lines = new Set([...range.getClientRects()].map((one) => Math.round(one.top))).size;
  return lines > cell.textContent.split(/[ -]/).length;
}).map((cell) => cell.textContent)"""
"""The headings, intervals and numbers that are in more lines than they have words."""


@pytest.mark.parametrize("study", ["keys", "diagnose", "nuggets"])
def test_wide_tables_on_paper(browser: Browser, tmp_path: Path, study: str) -> None:
    """A table of fifteen columns fits the paper, and neither a word of its headings nor an interval is broken."""
    file = tmp_path / "page.html"
    file.write_text(result_of(study).render("html"), encoding="utf-8")
    page = browser.new_page(viewport={"width": PAPER, "height": 1000})
    page.emulate_media(media="print")
    page.goto(file.as_uri())
    assert (
        page.evaluate("Math.max(...[...document.querySelectorAll('table')].map((one) => one.rows[0].cells.length))")
        > 13
    )
    assert page.evaluate(BROKEN) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PAPER
    page.close()


def test_the_head_and_the_foot_of_a_page(browser: Browser, tmp_path: Path) -> None:
    """The question, the command and the version; the whole signature is folded on a screen, and open on paper."""
    result = result_of("swap")
    file = tmp_path / "page.html"
    file.write_text(result.render("html", date="2026-05-01"), encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    asked, short = "Would a new test set rank them the same way?", result.signature.short.split()[-1]
    assert page.title() == page.locator("h1").inner_text() == asked
    facts = f"karat swap · version {result.signature.version} · 2026-05-01 · signature {short}"
    assert page.locator("h1 + .facts").inner_text() == facts
    whole = page.locator("footer p")
    closed = whole.bounding_box()
    page.emulate_media(media="print")
    opened = whole.bounding_box()
    assert (closed["height"] if closed else 0) == 0
    assert opened is not None
    assert opened["height"] > 10
    assert not page.get_by_text("warning about the files").is_visible()
    page.close()
