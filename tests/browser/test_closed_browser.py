"""A browser that is closed while there is no connection: what was judged in it is stored when it is opened again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import time

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.browser.test_judging import Desks, at_hand, key, saved
from tests.browser.test_judging import desks as desks

LABELS = ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")
ANSWERS = "121231"


@contextmanager
def opened(browser: Browser, desks: Desks, profile: Path, **session: str) -> Iterator[Page]:
    """A browser of its own, which keeps what it knows in a folder; it is closed without being asked."""
    context = browser.browser_type.launch_persistent_context(
        profile, executable_path=CHROMIUM, args=ARGUMENTS, base_url=desks.address
    )
    for name, value in session.items():
        context.add_cookies([{"name": name, "value": value, "url": desks.address, "expires": time() + 86400}])
    yield context.pages[0]
    context.close()


@pytest.mark.nightly
def test_what_was_judged_without_a_connection_outlives_the_browser(
    browser: Browser, desks: Desks, tmp_path: Path
) -> None:
    """Six judgments wait when it is closed."""
    address, profile = f"/c/{desks.name}/tasks/labels/judge/", tmp_path / "profile"
    with opened(browser, desks, profile, sessionid=desks.sessions["anna"]) as page:
        page.goto(address)
        at_hand(page)
        page.context.set_offline(True)
        key(page, *ANSWERS[:-1])
        page.keyboard.press(ANSWERS[-1])  # of the last unit at hand
        expect(page.locator("#saves")).to_contain_text("6 saves waiting: no connection")
    assert desks.ballots("labels", "anna") == []
    with opened(browser, desks, profile) as page:
        page.goto(f"/c/{desks.name}/")
        expect(page.get_by_text("6 saves wait in this browser")).to_be_visible()
        page.get_by_role("link", name="send what was judged").click()
        saved(page)
        expect(page.get_by_text("6 of 12 judged")).to_be_visible()
        page.goto(f"/c/{desks.name}/")
        expect(page.get_by_role("link", name="Go on judging with Labels of pairs")).to_be_visible()
        expect(page.get_by_text("wait in this browser")).to_have_count(0)
    said = [one["values"]["label"] for one in desks.ballots("labels", "anna")]
    assert said == [LABELS[int(one) - 1] for one in ANSWERS]
