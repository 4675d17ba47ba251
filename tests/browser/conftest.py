"""A browser, where Debian's chromium is installed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright
from tools.examples import EVERYTHING, result_of

CHROMIUM = shutil.which("chromium")
# The address of everything that a browser asks for unasked is refused at once, by no network at all.
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium without a window."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed: make system")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a report on all of the examples."""
    page = Path(tmp_path_factory.mktemp("pages")) / "report.html"
    page.write_text(result_of("report", EVERYTHING).render("html"), encoding="utf-8")
    return page.as_uri()
