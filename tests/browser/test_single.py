"""The page of one result: its heading is the question, and on paper nothing is broken or missing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser
from tools.examples import result_of

import karat
from karat.data.scores import Scores

PAPER = 688
"""The width of A4 within its margins, in pixels."""
BROKEN = """() => [...document.querySelectorAll("thead th, td[data-value]")].filter((cell) => {
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const range = document.createRange(), lines = new Set();
  while (texts.nextNode()) {
    range.selectNodeContents(texts.currentNode);
    for (const one of range.getClientRects()) lines.add(Math.round(one.top));
  }
  return lines.size > cell.textContent.split(/[ -]/).length;
}).map((cell) => cell.textContent)"""
"""The headings, intervals and numbers that are in more lines than they have words."""


@pytest.mark.parametrize("study", ["keys", "diagnose"])
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


def test_every_table_can_be_taken_away(browser: Browser, tmp_path: Path) -> None:
    """As on a report: CSV, LaTeX, Markdown and the sources, and headings sort."""
    file = tmp_path / "page.html"
    file.write_text(result_of("agree").render("html"), encoding="utf-8")
    page = browser.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    page.goto(file.as_uri())
    assert page.locator(".tools").count() == page.locator("main table").count() > 1
    assert page.locator(".tools").first.locator("button").all_inner_texts() == ["CSV", "LaTeX", "Markdown", "cite"]
    page.locator(".tools").first.get_by_role("button", name="CSV").click()
    assert page.locator("#export textarea").input_value().startswith("coefficient,value,95% CI")
    page.locator("#export").get_by_role("button", name="Close").click()
    page.locator(".tools").first.get_by_role("button", name="cite").click()
    assert "@article{" in page.locator("#export textarea").input_value()
    page.locator("#export").get_by_role("button", name="Close").click()
    heading = page.locator("main table").first.locator("th", has_text="value")
    heading.get_by_role("button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    assert wrong == []
    page.close()


def test_long_names(browser: Browser, tmp_path: Path) -> None:
    """A sentence calls a run what the leaderboard calls it, on paper by its whole name; no heading leaves a phone."""
    runs = [f"baseline_track_2024_systems_{name}_with_reranking_top_20" for name in ("plus", "mini", "large")]
    scores = Scores(tuple(runs), tuple(map(str, range(40))), np.random.default_rng(0).random((3, 40)))
    file = tmp_path / "page.html"
    file.write_text(karat.compare(scores).render("html"), encoding="utf-8")
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(file.as_uri())
    named = page.locator(".found .name").first
    assert named.inner_text() in page.locator(".board tbody .run").all_inner_texts()
    assert named.inner_text() not in runs
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.emulate_media(media="print")
    assert named.evaluate("(one) => getComputedStyle(one, '::after').content").strip('"') in runs
    assert not named.locator("span").is_visible()
    page.close()
