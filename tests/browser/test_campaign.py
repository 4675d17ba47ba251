"""Campaigns in a browser: the first minute, by keyboard, without scripts, by day, by night and on a phone."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from karat import examples
from tests.browser.conftest import go_to

KARAT = [sys.executable, "-c", "from karat.cli import main; main()"]
EXPECTED = re.compile(
    r"Failed to load resource: (net::ERR_FAILED|.* a status of (403|404|410|422|429))|htmx:(send|after)"
)
"""What a browser says about an answer to something wrong, and about a server that does not answer."""
RUN = examples.HERE / "runs" / "ranked.txt"


class Server(NamedTuple):
    """A server with the example campaign, and the session of its host."""

    address: str
    link: str
    session: Any


@contextmanager
def served(home: Path, *arguments: str) -> Iterator[tuple[str, str]]:
    """A server process: its address and the organiser's link."""
    command = [*KARAT, "serve", "--home", str(home), "--port", "0", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    try:
        first, second = process.stdout.readline().split(), process.stdout.readline().split()
        assert (first[0], second[0]) == ("organiser:", "serving:")
        yield second[1], first[1]
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=120) == 0
        process.stdout.close()


@pytest.fixture(scope="module")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The example campaign, served."""
    with served(tmp_path_factory.mktemp("campaign") / "home", "--example") as (address, link):
        context = browser.new_context()
        page = context.new_page()
        page.goto(link)
        session = context.storage_state()
        context.close()
        yield Server(address, link, session)


Open = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, server: Server) -> Iterator[Open]:
    """Pages of the host, who looks through somebody's eyes; whatever goes wrong in them is a failure."""
    wrong: list[str] = []
    contexts = []

    def opened(role: str = "", **facts: Any) -> Page:
        facts = {"viewport": {"width": 1200, "height": 900}, "storage_state": server.session} | facts
        context = browser.new_context(base_url=server.address, **facts)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.extend([message.text] * (not EXPECTED.match(message.text))))
        page.on("request", lambda asked: wrong.extend([asked.url] * (not asked.url.startswith(server.address))))
        page.on("filechooser", lambda _: None)  # from now on, no real one opens
        page.goto("/welcome/")
        if (back := page.get_by_role("button", name="Back to your own view")).count():
            back.click()
        if role:
            page.get_by_role("button", name=role).click()
            page.wait_for_url("**/c/example/")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []


def test_the_first_minute(browser: Browser, tmp_path: Path) -> None:
    """From the printed link to a look through the example, and to a campaign of one's own, without a question."""
    with served(tmp_path / "home") as (_, link):
        page = browser.new_page()
        page.goto(link)
        expect(page.get_by_role("heading", level=1)).to_have_text("Welcome to karat")
        expect(page.get_by_text(str(tmp_path / "home")).first).to_be_visible()
        page.get_by_role("button", name="As organiser").click()
        expect(page.get_by_role("link", name="6 teams")).to_be_visible()
        page.goto(f"{link.partition('/enter/')[0]}/welcome/")
        page.get_by_label("Key file").set_input_files(examples.HERE / "pairs.xml")
        page.get_by_label("Title").fill("Our first campaign")
        page.get_by_role("button", name="Start the campaign").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Our first campaign")
        expect(page).to_have_url(re.compile("/c/our-first-campaign/$"))
        page.close()


def tab_to(page: Page, text: str) -> None:
    """Press Tab until something is focused."""
    said = "e => (e.labels?.[0]?.textContent ?? e.textContent).trim()"
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(f"({said})(document.activeElement ?? document.body)").startswith(text):
            return
    pytest.fail(f"no way to {text!r} by keyboard")


def test_submitting_by_keyboard(open_page: Open) -> None:
    """No mouse is needed from the overview to the receipt."""
    page = open_page("As a team")
    tab_to(page, "Skip to the content")
    page.keyboard.press("Enter")
    tab_to(page, "Submit a run")
    page.keyboard.press("Enter")
    page.wait_for_url("**/submit/")
    tab_to(page, "File")
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files(RUN)
    tab_to(page, "3")
    tab_to(page, "Ranked")
    page.keyboard.press("Space")
    tab_to(page, "Anything done")
    page.keyboard.type("Nothing.")
    tab_to(page, "Check only")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="would be accepted as Alder-3")).to_be_focused()
    tab_to(page, "Submit")
    page.keyboard.press("Enter")
    page.wait_for_url("**/runs/**")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Receipt: Alder-3")
    expect(page.get_by_text(re.compile(r"\d\d:\d\d:\d\d\.\d{6}Z"))).to_be_visible()


def test_problems_come_without_a_reload(open_page: Open, tmp_path: Path) -> None:
    """The file stays chosen while its problems are listed."""
    page = open_page("As a team")
    page.goto("/c/example/tasks/two-way/submit/")
    page.evaluate("window.before = true")
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("1 YES\n2 PERHAPS\n", "utf-8")
    page.get_by_label("File").set_input_files(wrong)
    page.get_by_role("button", name="Check only").click()
    expect(page.get_by_role("heading", name="wrong.txt:")).to_be_focused()
    expect(page.get_by_role("cell", name="2:3")).to_be_visible()
    assert page.evaluate("window.before && document.getElementById('file').files.length") == 1
    page.route("**/submit/", lambda route: route.abort())
    page.get_by_role("button", name="Check only").click()
    expect(page.get_by_text("Nothing was stored")).to_be_visible()
    page.unroute("**/submit/")
    page.context.clear_cookies()
    page.get_by_role("button", name="Check only").click()
    expect(page.get_by_text("You are no longer logged in")).to_be_visible()


@pytest.mark.nightly
def test_two_members_at_one_number(open_page: Open) -> None:
    """Who was slower sees what stands there now, and replaces it by sending again, not before."""
    first, second = open_page("As a team"), open_page("As a team")
    for page, file in ((first, "two-way.txt"), (second, "overlap.txt")):
        page.goto("/c/example/tasks/two-way/submit/")
        page.get_by_label("File").set_input_files(examples.HERE / "runs" / file)
        page.get_by_role("radio", name="2", exact=True).check()
    first.get_by_role("button", name="Submit").click()
    first.wait_for_url("**/runs/**")
    second.get_by_role("button", name="Submit").click()
    expect(second.get_by_text("run-changed")).to_be_visible()
    expect(second.get_by_role("radio", name="2, instead of two-way.txt")).to_be_checked()
    second.get_by_role("button", name="Submit").click()
    second.wait_for_url("**/runs/**")
    expect(second.get_by_text("Replaces")).to_be_visible()


@pytest.mark.nightly
def test_everything_without_scripts(open_page: Open, server: Server, browser: Browser, tmp_path: Path) -> None:
    """Inviting, joining, signing, checking, submitting, choosing, withdrawing: all with forms alone."""
    host = open_page("As organiser", java_script_enabled=False)
    host.goto("/c/example/people/")
    host.get_by_label("Name", exact=True).fill("Gorse")
    host.get_by_role("button", name="Make a link").click()
    link = host.locator("#secret").inner_text()
    context = browser.new_context(java_script_enabled=False, base_url=server.address)
    page = context.new_page()
    page.goto(link)
    page.get_by_label("Your full name", exact=True).fill("Ada Lovelace")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_label("Type your full name").fill("Ada Lovelace")
    page.get_by_role("button", name="Join").click()
    page.get_by_role("link", name="Submit a run").first.click()
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("1 YES\n", "utf-8")
    page.get_by_label("File").set_input_files(wrong)
    page.get_by_label("Manual").check()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="wrong.txt:")).to_be_visible()
    expect(page.get_by_label("Manual")).to_be_checked()
    for number in ("1", "2"):
        page.get_by_label("File").set_input_files(RUN)
        page.get_by_label(number, exact=True).check()
        page.get_by_role("button", name="Submit").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(f"Receipt: Gorse-{number}")
        page.get_by_role("link", name="Back to the overview").click()
        page.get_by_role("link", name="Submit a run").first.click()
    page.goto("/c/example/")
    page.get_by_role("button", name="Make Gorse-2 primary").click()
    expect(page.get_by_text("Gorse-2 is your primary run now.")).to_be_visible()
    page.get_by_role("link", name="Receipt of Gorse-1").click()
    page.get_by_role("button", name="Withdraw this run").click()
    expect(page.get_by_text("1 earlier run")).to_be_visible()
    expect(page.locator("[data-yours]").first).to_be_hidden()
    context.close()
    host.goto("/c/example/record/")
    host.get_by_role("button", name="Verify the record").click()
    expect(host.get_by_text("the chain is unbroken")).to_be_visible()


def test_what_is_wrong_is_in_sight(open_page: Open) -> None:
    """The first field with a problem has the focus, wherever it is on the page."""
    page = open_page("As organiser")
    page.goto("/c/example/people/")
    page.get_by_label("New deadline").fill("2020-01-01T00:00:00")
    page.get_by_label("Reason").fill("A power cut")
    page.get_by_role("button", name="Extend").click()
    expect(page.get_by_label("New deadline")).to_be_focused()
    expect(page.get_by_label("New deadline")).to_have_accessible_description(re.compile("has passed"))
    expect(page.get_by_label("New deadline")).to_be_in_viewport()


def test_times_in_the_readers_zone(open_page: Open) -> None:
    """Beside the zones of the server, each reader sees their own; the countdown follows the server's clock."""
    page = open_page("As a team", timezone_id="Asia/Tokyo")
    yours = page.locator(".clocks [data-yours]")
    expect(yours).to_contain_text("Your time, Asia/Tokyo")
    moment = datetime.fromisoformat(page.locator(".clocks time").first.get_attribute("datetime") or "").astimezone(UTC)
    assert f"{(moment.hour + 9) % 24:02}:{moment:%M:%S}" in yours.inner_text()
    page.clock.install(time="2020-01-01T00:00:00")
    page.reload()
    expect(page.locator(".verdict time")).to_have_text(re.compile(r"^in \d+ (day|hour)s?"))


SCHEMES: dict[Literal["light", "dark"], dict[str, Any]] = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}
"""By night only the colours differ."""
PAGES = {
    "": ["/", "/welcome/", "/account/", "/nowhere"],
    "As organiser": [
        f"/c/example/{one}"
        for one in (
            *("", "results/", "teams/Alder/", "people/", "attempts/", "rescore/", "release/", "mail/", "edit/"),
            "record/",
        )
    ],
    "As a team": ["/c/example/", "/c/example/tasks/three-way/submit/", "/account/"],
    "As an assessor": ["/c/example/"],
}


@pytest.mark.nightly
def test_accessible(open_page: Open, server: Server, tmp_path: Path) -> None:
    """Axe finds nothing on any page, by day and by night; each has one heading of the first level."""
    axe = Axe()

    def check(page: Page) -> None:
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        for scheme, rules in SCHEMES.items():
            page.emulate_media(color_scheme=scheme)
            found = axe.run(page, options=rules)
            assert found.violations_count == 0, (page.url, scheme, found.generate_report())
        assert page.locator("h1").count() == 1, page.url

    for role, addresses in PAGES.items():
        page = open_page(role)
        for address in addresses:
            go_to(page, address)
            check(page)
    page = open_page("As a team")
    (wrong := tmp_path / "wrong.txt").write_text("1 MAYBE\n", "utf-8")
    page.goto("/c/example/tasks/two-way/submit/")
    page.get_by_label("File").set_input_files(wrong)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="wrong.txt:")).to_be_visible()
    check(page)
    page.goto("/c/example/")
    page.get_by_role("link", name="wrong.txt").first.click()
    check(page)
    page.goto("/c/example/")
    page.get_by_role("link", name="Receipt of Alder-1").first.click()
    check(page)
    page.goto("/account/")
    page.get_by_role("button", name="Make a token").first.click()
    check(page)
    host = open_page("As organiser")
    host.goto("/c/example/edit/")
    host.get_by_label("Runs per team").first.fill("1000")
    host.get_by_label("Reason").fill("A test")
    host.get_by_role("button", name="Save").click()
    expect(host.get_by_text("Nothing was changed")).to_be_visible()
    check(host)
    host.goto("/c/example/")
    host.get_by_role("link", name="Alder-1").first.click()
    check(host)
    host.goto("/c/example/people/")
    host.get_by_label("Name", exact=True).fill("Elder")
    host.get_by_role("button", name="Make a link").click()
    check(host)
    host.goto(host.locator("#secret").inner_text())
    check(host)
    stranger = open_page("", storage_state=None)
    expect(stranger.get_by_role("heading", level=1)).to_have_text("Log in")
    check(stranger)
    stranger.goto(server.link)
    check(stranger)


@pytest.mark.nightly
def test_on_a_phone(open_page: Open) -> None:
    """Nothing is wider than the screen, and what is pressed is large enough."""
    for role, addresses in PAGES.items():
        page = open_page(role, viewport={"width": 390, "height": 844}, has_touch=True)
        for address in addresses:
            go_to(page, address)
            page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, address
            if (here := page.locator("nav.menu a[aria-current]")).count():
                expect(here).to_be_in_viewport()
            small = "e => e.filter(one => one.offsetHeight && one.offsetHeight < 24).map(one => one.textContent)"
            assert page.locator("main button, main .button").evaluate_all(small) == [], address


@pytest.mark.nightly
def test_a_new_key_without_scripts(open_page: Open, tmp_path: Path) -> None:
    """What it changes is shown on a phone too, and is applied after a look, with the file chosen once."""
    raw = (examples.HERE / "pairs.xml").read_bytes()
    (key := tmp_path / "key.xml").write_bytes(raw.replace(b'entailment="UNKNOWN"', b'entailment="ENTAILMENT"', 12))
    for scripts in (True, False):
        page = open_page(
            "As organiser", viewport={"width": 390, "height": 844}, java_script_enabled=scripts, has_touch=True
        )
        page.get_by_role("link", name="New key").click()
        page.get_by_label("The new key").set_input_files(key)
        page.get_by_label("Why it is replaced").fill("twelve slips")
        page.get_by_role("button", name="Show what it changes").click()
        expect(page.get_by_text("Key version 2 would replace version 1")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        if scripts:
            assert (found := Axe().run(page)).violations_count == 0, found.generate_report()
    page.get_by_role("button", name="Replace the key").click()
    expect(page.get_by_role("status")).to_contain_text("Key version 2 is in force")
    expect(page.get_by_role("heading", name="Key versions")).to_be_visible()
