"""A release in a browser: looked at, confirmed, written to the teams; without scripts, by night and on a phone."""

from __future__ import annotations

from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_campaign import SCHEMES, served
from tests.surroundings import elsewhere

PREPARE = """
import json, sys
from karat.server.serving import prepare
prepare(sys.argv[1], "http://127.0.0.1:8000")
from tests.server import campaigns
from tests.server.test_releasing import closed
print(json.dumps(closed(campaigns, {"Alder": "alder@example.org", "Birch": "birch@example.org", "Cedar": ""})))
"""


def test_results_are_released_and_teams_written_to(browser: Browser, tmp_path: Path) -> None:
    """All with forms; axe finds nothing on any page on the way, and nothing is wider than a phone."""
    home = tmp_path / "home"
    campaign = elsewhere("-c", PREPARE, home)
    with served(home) as (address, link):
        context = browser.new_context(base_url=address, viewport={"width": 1200, "height": 900})
        page = context.new_page()
        page.goto(link)
        page.goto(f"/c/{campaign}/release/")
        _check(page)
        first = page.get_by_role("region", name="To each team: its own results")
        first.get_by_role("button", name="Release to the teams").click()
        expect(first.get_by_role("checkbox")).to_be_focused()  # the browser asks for the confirmation
        first.get_by_role("checkbox").check()
        first.get_by_role("button", name="Release to the teams").click()
        expect(first.get_by_text("Released ")).to_be_visible()
        session = context.storage_state()
        context.close()
        context = browser.new_context(base_url=address, storage_state=session, java_script_enabled=False)
        page = context.new_page()
        page.goto(f"/c/{campaign}/release/")
        page.get_by_role("link", name="Write to the teams").click()
        expect(page.get_by_text("No mail goes to teams without an address: Cedar.")).to_be_visible()
        page.get_by_role("button", name="Send to 2 teams").click()
        expect(page.get_by_role("status")).to_contain_text("2 letters sent. Cedar: not sent")
        page.reload()
        assert len(list((home / "outbox").iterdir())) == 2
        page.goto(f"/c/{campaign}/release/")
        page.get_by_label("See this campaign as").select_option("team Alder")
        page.get_by_role("button", name="Look").click()
        expect(page.get_by_text("You see this campaign as team Alder would.")).to_be_visible()
        page.get_by_role("button", name="Back to your own view").click()
        context.close()
        context = browser.new_context(base_url=address, storage_state=session)
        page = context.new_page()
        for place in ("release/", "mail/?letter=results"):
            page.goto(f"/c/{campaign}/{place}")
            _check(page)
        context.close()


def _check(page: Page) -> None:
    """Nothing inaccessible by day and by night, and nothing wider than a phone."""
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    for scheme, rules in SCHEMES.items():
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page, options=rules)
        assert found.violations_count == 0, (page.url, scheme, found.generate_report())
    before = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, page.url
    assert before is not None
    page.set_viewport_size(before)
