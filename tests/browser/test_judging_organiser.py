"""The organisers' page of judging in a browser: by keyboard, without scripts, by day, by night and on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_campaign import served
from tests.surroundings import elsewhere

pytestmark = pytest.mark.nightly

PREPARE = """
import hashlib, json, sys
from datetime import UTC, datetime, timedelta
from tests.browser.homes import open_home
open_home(sys.argv[1])
from karat.server import assigning, judging, store
from tests.server import campaigns
from tests.server.contests import contest

made = contest()
real = store.now()
people = ["anna", "ben", "carla", "dora"]
for who in people:
    campaigns.member(made.name, None, who, role="assessor")
state = made.state
task = made.task.name


class Clock(datetime):
    at = real

    @classmethod
    def now(cls, tz=None):
        return cls.at


store.datetime = Clock
assigning.assign(made.name, task, people, per_unit=3, repeats=6)
labels = ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")
for number, who in enumerate(people):
    Clock.at = real - timedelta(days=4)
    count = 0
    while (shown := judging.next_unit(made.name, who, task)) is not None and count < 60:
        Clock.at += timedelta(seconds=2 if who == "dora" else 20 + number)
        chance = hashlib.sha256(f"{who} {shown.show['text']}".encode()).digest()[0]
        kind = hashlib.sha256(shown.show["hypothesis"].encode()).digest()[0]
        label = labels[(kind + (chance < (90 if who == "dora" else 40))) % 3]
        sheet = judging.Sheet(id=f"{who}-{count}", unit=shown.unit, values={"label": label})
        judging.judge(made.name, who, task, sheet)
        count += 1
        if count % 15 == 0:
            Clock.at += timedelta(days=1)
store.datetime = datetime
session = made.people["organiser"].cookies["sessionid"].value
print(json.dumps({"name": made.name, "task": task, "session": session}))
"""
"""Makes a campaign with runs and four assessors, of whom one is fast and careless; prints the organiser's session."""
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


class Site(NamedTuple):
    """A server, and where the judging is."""

    address: str
    judging: str
    session: str


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A campaign that is being judged, served."""
    home = tmp_path_factory.mktemp("judging") / "home"
    told = elsewhere("-c", PREPARE, home)
    with served(home) as (address, _):
        yield Site(address, f"/c/{told['name']}/tasks/{told['task']}/judging/", told["session"])


def opened(browser: Browser, site: Site, wrong: list[str], **facts: Any) -> Page:
    """The page of the organiser, once everything on it is computed."""
    context = browser.new_context(base_url=site.address, **facts)
    context.add_cookies([{"name": "sessionid", "value": site.session, "url": site.address}])
    page = context.new_page()
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    for _ in range(120):
        answer = page.goto(site.judging)
        assert answer is not None
        assert answer.status == 200
        if not page.get_by_text("Look again in a moment").count():
            break
        page.wait_for_timeout(500)
    expect(page.get_by_text("Look again in a moment")).to_have_count(0)
    return page


def test_accessible_and_on_a_phone(browser: Browser, site: Site) -> None:
    """Axe finds nothing, the policy forbids nothing that is there, and nothing is wider than a phone."""
    axe, wrong = Axe(), list[str]()
    page = opened(browser, site, wrong)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        found = axe.run(page)
        assert found.violations_count == 0, (scheme, found.generate_report())
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert axe.run(page).violations_count == 0
    page.context.close()
    assert wrong == []


def test_what_stands_out_is_named(browser: Browser, site: Site) -> None:
    """The one who is ten times as fast as the others, and the keys under which runs are ranked."""
    wrong: list[str] = []
    page = opened(browser, site, wrong)
    expect(page.get_by_text("dora is 10")).to_be_visible()
    table = page.get_by_role("table", name="The ranking under each key")
    expect(table.get_by_role("rowheader")).to_contain_text(
        ["official key", "anna", "ben", "carla", "dora", "agreed key"]
    )
    page.context.close()
    assert wrong == []


def test_units_given_out_by_keyboard(browser: Browser, site: Site) -> None:
    """From the first box to the button without a mouse, with and without scripts; wrong numbers are kept and named."""
    for scripts in (True, False):
        wrong: list[str] = []
        page = opened(browser, site, wrong, java_script_enabled=scripts)
        page.get_by_role("checkbox", name="anna").focus()
        page.keyboard.press("Space")
        page.get_by_label("Assessors for each unit").focus()
        page.keyboard.type("7")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("1 named")
        expect(page.get_by_label("Assessors for each unit")).to_have_value("7")
        expect(page.get_by_role("checkbox", name="anna")).to_be_checked()
        page.get_by_label("Assessors for each unit").focus()
        page.keyboard.press("Control+a")
        page.keyboard.type("1")
        page.keyboard.press("Enter")
        expect(page.get_by_role("status").first).to_have_text("The units are given out.")
        page.context.close()
        assert [one for one in wrong if "422" not in one] == []


def test_a_round_is_closed_and_opened_by_keyboard(browser: Browser, site: Site) -> None:
    """With a reason, which the browser asks for."""
    wrong: list[str] = []
    page = opened(browser, site, wrong)
    page.get_by_role("button", name="Close it (labels)").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_have_text("The round is closed (labels).")
    page.locator("#why-labels").focus()
    page.keyboard.type("two came late")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_have_text("The round is open again (labels).")
    page.context.close()
    assert wrong == []
