"""A browser, where Debian's chromium is installed."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Dialog, Page, Response, expect, sync_playwright
from tools.examples import EVERYTHING, result_of

CHROMIUM = shutil.which("chromium")
PATIENCE = 60_000
"""The milliseconds for which a page may take: a busy machine answers later, and no test here is about how soon."""
expect.set_options(timeout=PATIENCE)
MOST_ASKED = 120
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium without a window."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed: make system")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        chromium.on("context", lambda context: context.set_default_timeout(PATIENCE))
        yield chromium
        chromium.close()


@contextmanager
def seats(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Open pages of a server in sessions of their own; whatever goes wrong in one of them is a failure."""
    wrong: list[str] = []
    contexts = []

    def opened(session: str, path: str, **facts: Any) -> Page:
        context = browser.new_context(base_url=address, **{"viewport": {"width": 1280, "height": 900}} | facts)
        context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", _leave)
        page.goto(path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []


def _leave(dialog: Dialog) -> None:
    """Answer a question whether to leave a page with yes."""
    dialog.accept()


def go_to(page: Page, address: str) -> Response:
    """Open a page of a server once it is made: until then another one stands there, which loads itself again."""
    for _ in range(MOST_ASKED):
        if page.request.get(address).status != 202:
            break
        page.wait_for_timeout(500)
    answer = page.goto(address)
    assert answer is not None
    assert answer.status != 202, address
    return answer


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a report on all of the examples."""
    page = Path(tmp_path_factory.mktemp("pages")) / "report.html"
    page.write_text(result_of("report", EVERYTHING).render("html"), encoding="utf-8")
    return page.as_uri()
