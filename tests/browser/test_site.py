"""The documentation in a browser: nothing is wider than a phone, and no rule of accessibility is broken."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser
from tools.site_pages import titles

SOME = ["compare", "index", "json/index", "judge", "limits"]
"""Pages that together have everything: tables, figures, pictures, and all kinds of blocks."""


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessible(browser: Browser, site: Path, scheme: Literal["light", "dark"]) -> None:
    """Axe finds nothing, by day and by night."""
    page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme=scheme)
    for name in SOME:
        page.goto((site / f"{name}.html").as_uri())
        found = Axe().run(page).response["violations"]
        assert [(name, one["id"], one["nodes"][0]["html"]) for one in found] == []
    page.close()


@pytest.mark.nightly
def test_phone(browser: Browser, site: Path) -> None:
    """On a phone no page is wider than the screen; tables and blocks are scrolled in themselves."""
    page = browser.new_page(viewport={"width": 390, "height": 844})
    for name in titles():
        page.goto((site / name).with_suffix(".html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
    page.close()


@pytest.mark.parametrize(("scheme", "file"), [("light", "report.png"), ("dark", "report-dark.png")])
def test_front_page_shows_one_picture(
    browser: Browser, site: Path, scheme: Literal["light", "dark"], file: str
) -> None:
    """The picture of a report is the one for the colours of the page, and is loaded."""
    page = browser.new_page(color_scheme=scheme)
    page.goto((site / "index.html").as_uri())
    (picture,) = [one for one in page.locator(".md-content img").all() if one.is_visible()]
    assert (picture.get_attribute("src") or "").startswith(f"assets/{file}")
    assert picture.evaluate("image => image.naturalWidth") > 1000
    page.close()
