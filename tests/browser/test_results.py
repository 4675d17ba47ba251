"""Released results in a browser: by day, by night and on a phone, and a report that cannot act for its reader."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import go_to
from tests.browser.test_campaign import served
from tests.surroundings import elsewhere

pytestmark = pytest.mark.nightly

PREPARE = """
import json, sys
from karat.server.serving import prepare
prepare(sys.argv[1])
from tests.server.contests import FEW, contest
made = {
    "public": contest(baselines=("Cedar",)), "anonymous": contest(names=100), "teams": contest(),
    "live": contest(share=0.3, closes=1), "errors": contest(FEW, key_with_results=True),
}
for name, audiences in {"public": ["public"], "anonymous": ["public"], "teams": ["teams"], "errors": ["teams"]}.items():
    made[name].release(*audiences)
sessions = {name: {who: one.cookies["sessionid"].value for who, one in of.people.items() if "sessionid" in one.cookies}
            for name, of in made.items()}
print(json.dumps({name: {"name": of.name, "sessions": sessions[name]} for name, of in made.items()}))
"""
"""Makes campaigns in each state of release, and prints their names and the sessions of their people."""
SEEN = [
    ("public", "", ""),
    ("public", "", "results/"),
    ("public", "", "teams/Alder/"),
    ("public", "organiser", "results/"),
    ("anonymous", "Birch", "results/"),
    ("teams", "Alder", "results/"),
    ("teams", "Alder", ""),
    ("live", "Alder", "results/"),
    ("live", "organiser", "results/"),
    ("errors", "Alder", "teams/Alder/"),
]
"""Each state of release, through whose eyes, and which page."""


class Site(NamedTuple):
    """A server, and its campaigns by their state."""

    address: str
    campaigns: dict[str, Any]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Campaigns in every state of release, served."""
    home = tmp_path_factory.mktemp("results") / "home"
    made = elsewhere("-c", PREPARE, home)
    with served(home) as (address, _):
        yield Site(address, made)


def opened(browser: Browser, site: Site, state: str, who: str, wrong: list[str], **facts: Any) -> Page:
    """A page of somebody; whatever its console says is wrong."""
    context = browser.new_context(base_url=site.address, **facts)
    if who:
        cookie = {"name": "sessionid", "value": site.campaigns[state]["sessions"][who], "url": site.address}
        context.add_cookies([cookie])  # type: ignore[list-item]
    page = context.new_page()
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    return page


SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def test_accessible_and_on_a_phone(browser: Browser, site: Site) -> None:
    """Axe finds nothing, the policy forbids nothing that is there, and nothing is wider than a phone."""
    axe, wrong = Axe(), list[str]()
    for state, who, address in SEEN:
        page = opened(browser, site, state, who, wrong)
        answer = go_to(page, f"/c/{site.campaigns[state]['name']}/{address}")
        assert answer.status == 200, (state, who, address)
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            found = axe.run(page)
            assert found.violations_count == 0, (page.url, who, scheme, found.generate_report())
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, (state, who, address)
        assert axe.run(page).violations_count == 0, (page.url, who, "phone")
        page.context.close()
    assert wrong == []


def test_a_board_has_its_style(browser: Browser, site: Site) -> None:
    """Dots stand where their values are, in order, and lead to the page of their team."""
    wrong: list[str] = []
    page = opened(browser, site, "public", "", wrong)
    page.goto("/")
    page.get_by_role("link", name="public since").filter(has_text=site.campaigns["public"]["name"]).click()
    expect(page.locator(".board").first).to_be_visible()  # perhaps after the page that says that it takes a moment
    dots = page.locator(".board").first.locator("tbody .ends u").evaluate_all("e => e.map(one => one.offsetLeft)")
    assert len(set(dots)) > 3
    assert dots == sorted(dots, reverse=True)
    page.get_by_role("link", name="Alder-1").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Results of Alder")
    page.context.close()
    assert wrong == []


def test_a_report_acts_for_nobody(browser: Browser, site: Site) -> None:
    """It is served without an origin, and everything in it works: errors, their address, tables as files."""
    wrong: list[str] = []
    page = opened(browser, site, "errors", "Alder", wrong, accept_downloads=True)
    go_to(page, f"/c/{site.campaigns['errors']['name']}/results/")
    page.get_by_role("link", name="Every error").click()
    page.wait_for_selector("#explorer input")  # after the page that says that it takes a moment
    assert page.evaluate("self.origin") == "null"
    page.locator("#explorer input").first.fill("the")
    page.wait_for_url("**#pairs?q=the*")
    page.locator(".tools button:visible").first.click()
    with page.expect_download() as download:
        page.locator("#export a").first.click()
    assert download.value.suggested_filename.endswith(".csv")
    page.context.close()
    assert wrong == []
