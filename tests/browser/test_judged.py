"""The pages around judging in a browser: guidelines, results of examples, the discussion, what became of labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_campaign import SCHEMES, served

pytestmark = pytest.mark.nightly

PAGES = {
    "Wren": (
        "example/guidelines/",
        "example/guidelines/1/",
        "example/tasks/three-way/qualification/",
        "example/tasks/three-way/discussion/",
        "example-finished/tasks/three-way/outcomes/",
        "example/tasks/three-way/judge/",
        "example-scored/tasks/justifications/judge/",
    ),
    "Finch": (
        "example/",
        "example-scored/",
        "example/tasks/three-way/qualification/",
        "example/tasks/three-way/judge/",
        "example-scored/tasks/justifications/judge/",
    ),
    "Owl": ("example/tasks/three-way/judge/",),
    "organiser": (
        "example/",
        "example/tasks/three-way/judging/",
        "example/tasks/three-way/qualification/",
        "example/tasks/three-way/discussion/",
        "example-scored/tasks/justifications/judging/",
    ),
}
"""What each of them looks at in the example campaigns."""
Look = Callable[..., Page]


@pytest.fixture(scope="module")
def look(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Look]:
    """Opens the example through somebody's eyes."""
    with served(tmp_path_factory.mktemp("judged") / "home", "--example") as (address, link):
        first = browser.new_context()
        first.new_page().goto(link)
        session = first.storage_state()
        first.close()
        opened = []

        def open_as(who: str, **options: Any) -> Page:
            context = browser.new_context(base_url=address, storage_state=session, **options)
            opened.append(context)
            page = context.new_page()
            page.goto("/welcome/")
            page.locator("summary", has_text="assessors").click()
            page.locator(f"button[name=as][value='{who}']").first.click()
            return page

        yield open_as
        for context in opened:
            context.close()


def test_accessible_and_on_a_phone(look: Look) -> None:
    """Axe finds nothing by day and by night, and nothing is wider than a phone."""
    axe = Axe()
    for who, addresses in PAGES.items():
        page = look(who)
        for address in addresses:
            page.set_viewport_size({"width": 1200, "height": 900})
            answer = page.goto(f"/c/{address}")
            assert answer is not None
            assert answer.status == 200, (who, address)
            page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
            for width, scheme in product((1280, 390), SCHEMES):
                page.emulate_media(color_scheme=scheme)
                page.set_viewport_size({"width": width, "height": 844})
                found = axe.run(page)
                assert found.violations_count == 0, (who, address, scheme, width, found.generate_report())
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, (who, address)


def test_a_remark_by_keyboard(look: Look) -> None:
    """What somebody says stands below the votes, without their name; the vote after it is one key away."""
    page = look("Wren")
    page.goto("/c/example/tasks/three-way/discussion/")
    field = page.get_by_label("Your remark on pair 1")
    field.focus()
    page.keyboard.type("The third year in a row, so he won before.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    said = page.locator(".remarks li", has_text="The third year in a row")
    expect(said).to_have_count(1)
    expect(said).to_contain_text("(you)")
    expect(page.locator("main")).not_to_contain_text("Robin")
    page.get_by_role("link", name="Change it").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("after the discussion")
    expect(page.get_by_role("radio").first).to_be_visible()


def test_the_discussion_without_scripts(look: Look) -> None:
    """Votes, remarks and the form are plain pages."""
    page = look("Robin", java_script_enabled=False)
    page.goto("/c/example/tasks/three-way/discussion/")
    page.get_by_label("Your remark on pair 2").fill("It is a matter of tense.")
    page.get_by_role("button", name="Say it").nth(1).click()
    expect(page.locator(".remarks li", has_text="a matter of tense")).to_have_count(1)
