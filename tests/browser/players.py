"""Everybody who takes part in a campaign, each in a browser of their own; what they do, they do on pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.test_campaign import served, tab_to
from tests.browser.test_judging import moved, saved, unit

PASSWORD = "correct horse battery"
DAY = timedelta(days=1)


def clock(moment: datetime) -> str:
    """A moment as a field for dates takes it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S")


class Play:
    """A server on which there is nothing yet, and the browsers of those who use it."""

    def __init__(self, browser: Browser, address: str, link: str, folder: Path) -> None:
        self.browser, self.address, self.folder = browser, address, folder
        self.wrong: list[str] = []
        self.people: dict[str, Page] = {}
        self.host = self.sit("organiser")
        self.host.goto(link)

    def sit(self, who: str) -> Page:
        """A browser in which nobody is logged in yet; whatever goes wrong in it is remembered."""
        context = self.browser.new_context(base_url=self.address, timezone_id="UTC", accept_downloads=True)
        page = self.people[who] = context.new_page()
        page.on("pageerror", lambda error: self.wrong.append(f"{who}: {error}"))
        page.on("console", lambda said: self.wrong.extend([f"{who}: {said.text}"] * (said.type == "error")))
        return page

    def start(self, key: Path, title: str) -> None:
        """Make a campaign from nothing but a key file."""
        page = self.host
        page.get_by_label("Key file").set_input_files(key)
        page.get_by_label("Title").fill(title)
        page.get_by_role("button", name="Start the campaign").click()
        self.said("Your campaign is ready")
        self.title = title

    def menu(self, entry: str) -> Page:
        """Go to a page of the organiser by the menu."""
        menu = self.host.get_by_role("navigation", name="Pages")
        with self.host.expect_navigation():
            menu.get_by_role("link", name=entry, exact=True).click()
        return self.host

    def said(self, text: str) -> None:
        """Wait until the page tells the organiser that something was done."""
        expect(self.host.get_by_role("status").first).to_contain_text(text)

    def settings(self, reason: str, fill: Callable[[Page], None]) -> None:
        """Change the settings of the campaign, and say why."""
        page = self.menu("Settings")
        fill(page)
        page.get_by_label("Reason").fill(reason)
        page.get_by_role("button", name="Save").click()
        self.said("The changes are saved.")

    def open(self, fill: Callable[[Page], None]) -> None:
        """Set the campaign up: whatever `fill` enters, and dates by which submissions are open."""

        def enter(page: Page) -> None:
            now = datetime.now(UTC)
            page.get_by_label("Submissions open").fill(clock(now - DAY))
            page.get_by_label("Submissions close").fill(clock(now + DAY))
            fill(page)

        self.settings("The campaign begins", enter)

    def close(self) -> None:
        """Move the deadline to a moment ago, as an organiser who ends a campaign early does."""
        ago = clock(datetime.now(UTC) - timedelta(seconds=1))
        self.settings("Every team has submitted", lambda page: page.get_by_label("Submissions close").fill(ago))
        expect(self.host.locator("header .facts")).to_contain_text("closed")

    def join(self, role: str, *names: str) -> None:
        """Invite teams or assessors by links; whoever opens one accepts the agreement, if there is one."""
        for name in names:
            page = self.menu("People")
            page.get_by_role("combobox", name="Invite").select_option(role)
            page.get_by_label("Name", exact=True).fill(name)
            page.get_by_role("button", name="Make a link").click()
            link = page.locator("#secret").inner_text()
            page.get_by_role("link", name="Done").click()
            guest = self.sit(name)
            guest.goto(link)
            person = f"{name.title()} Example"
            guest.get_by_label("Your full name", exact=True).fill(person)
            guest.get_by_label("Password").fill(PASSWORD)
            guest.get_by_label("Type your full name to accept the agreement").fill(person)
            guest.get_by_role("button", name="Join").click()
            expect(guest.get_by_role("status")).to_contain_text(f"Welcome, {person}.")

    def data(self, team: str, task: str) -> bytes:
        """Download the test data as a team gets them."""
        page = self.overview(team)
        part = page.get_by_role("region", name=task)
        return self.saved_as(page, part.get_by_role("link", name="Download the test data")).read_bytes()

    def submit(self, team: str, task: str, run: Path) -> None:
        """Check a file, then submit it."""
        page = self.overview(team)
        page.get_by_role("region", name=task).get_by_role("link", name="Submit a run").click()
        page.get_by_label("File").set_input_files(run)
        page.get_by_role("radio", name="1", exact=True).check()
        page.get_by_role("button", name="Check only").click()
        expect(page.get_by_role("heading", name=f"would be accepted as {team}-1")).to_be_visible()
        page.get_by_role("button", name="Submit").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(f"Receipt: {team}-1")

    def overview(self, who: str) -> Page:
        """Go to the page of the campaign."""
        page = self.people[who]
        with page.expect_navigation():
            page.get_by_role("navigation", name="Pages").get_by_role("link", name="Overview").click()
        return page

    def saved_as(self, page: Page, link: Locator) -> Path:
        """Follow a link to a file, and keep the file."""
        with page.expect_download() as coming:
            link.click()
        path = self.folder / coming.value.suggested_filename
        coming.value.save_as(path)
        return path

    def assign(self, task: str, stage: str, *people: str, **fields: str) -> None:
        """Give out units."""
        page = self.menu(f"Judging: {task}")
        form = page.get_by_role("region", name="Give out units")
        for who in people:
            form.get_by_role("checkbox", name=who, exact=True).check()
        form.get_by_label("What is judged").select_option(stage)
        for label, value in fields.items():
            form.get_by_label(label.replace("_", " "), exact=True).fill(value)
        form.get_by_role("button", name="Give them out").click()
        self.said("The units are given out.")

    def close_round(self, task: str, stage: str) -> str:
        """Close a round; what the page says about it."""
        page = self.menu(f"Judging: {task}")
        form = page.locator("form", has=page.locator(f"input[name=stage][value={stage}]"))
        form.get_by_role("button").click()
        self.said("The round is closed")
        return page.get_by_role("status").first.inner_text()

    def release(self, title: str, button: str) -> None:
        """Release results, which has to be confirmed."""
        part = self.menu("Release").get_by_role("region", name=title)
        part.get_by_role("checkbox").check()
        part.get_by_role("button", name=button).click()
        expect(part.get_by_text("Released ")).to_be_visible()

    def judge(self, who: str, task: str, decide: Callable[[Page], None]) -> int:
        """Go from the overview to the end of what waits, by keyboard alone; how many units that were."""
        page = self.overview(who)
        way = page.get_by_role("link", name=re.compile(f"^(Begin|Go on judging) with {task}$"))
        tab_to(page, (way.text_content() or "").strip())
        page.keyboard.press("Enter")
        page.wait_for_url("**/judge/**")
        count = 0
        while unit(page):
            before = unit(page)
            decide(page)
            moved(page, before)
            count += 1
        expect(page.get_by_role("heading", name="Nothing left to judge")).to_be_visible()
        if count:
            saved(page)
        return count


@contextmanager
def playing(browser: Browser, folder: Path) -> Iterator[Play]:
    """A server without a campaign; at the end, nothing may have gone wrong in any browser."""
    with served(folder / "home") as (address, link):
        play = Play(browser, address, link, folder)
        try:
            yield play
        finally:
            for page in play.people.values():
                page.context.close()
        assert play.wrong == []


def written(folder: Path, files: Mapping[str, str]) -> dict[str, Path]:
    """Files with some content."""
    paths = {name: folder / name for name in files}
    for name, path in paths.items():
        path.write_text(files[name], "utf-8")
    return paths
