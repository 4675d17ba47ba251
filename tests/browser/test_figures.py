"""Figures in a browser: legible on a phone, in the colours of the theme, each run in its own."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from playwright.sync_api import Browser

from karat.render.figures.palette import DARK, LIGHT

SMALLEST = 10
"""The smallest letters on a phone, in pixels."""
SHOWN = """() => {
  document.querySelectorAll("details").forEach(one => one.open = true);
  return [...document.querySelectorAll("svg.chart")].filter(one => one.getBoundingClientRect().width).map(one => {
    const box = one.getBoundingClientRect();
    return [one.classList.contains("narrow"), box.width, 13 * box.width / one.viewBox.baseVal.width];
  });
}"""
"""Of every figure in sight: whether it is for phones, its width, and the size of its letters."""


def test_figures_fit_a_phone(browser: Browser, report: str) -> None:
    """None is wider than the page, nothing has to be moved to be seen, and letters can be read."""
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(report)
    shown = page.evaluate(SHOWN)
    assert len(shown) > 30
    assert sum(narrow for narrow, _, _ in shown) > 30
    assert max(width for _, width, _ in shown) <= 390 - 2 * 16
    assert min(letters for _, _, letters in shown) >= SMALLEST
    moved = "[...document.querySelectorAll('.scroll:has(> svg)')].filter(one => one.scrollWidth > one.clientWidth)"
    assert page.evaluate(f"{moved}.length") == 0
    page.close()


def test_a_desk_has_the_wide_ones(browser: Browser, report: str) -> None:
    """On a large screen and on paper no figure is drawn twice."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(report)
    for medium in ("screen", "print"):
        page.emulate_media(media=medium)
        shown = page.evaluate(SHOWN)
        assert len(shown) > 30
        assert not any(narrow for narrow, _, _ in shown)
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_run_has_one_colour(browser: Browser, report: str, scheme: Literal["light", "dark"]) -> None:
    """The leader is in the first colour in figures of different sections, by day and by night."""
    page = browser.new_page(color_scheme=scheme)
    page.goto(report)
    theme = {"light": LIGHT, "dark": DARK}[scheme]
    for section in ("keys", "sensitivity"):
        mark = page.locator(f"#{section} svg .key").first
        colour = mark.evaluate("one => getComputedStyle(one.querySelector('use') ?? one).fill")
        assert tuple(map(int, re.findall(r"\d+", colour))) == tuple(
            int(theme["run-1"][at : at + 2], 16) for at in (1, 3, 5)
        )
    page.close()
