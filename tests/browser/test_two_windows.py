"""One assessor in two windows: a stale one asks before it replaces anything, also after a lost connection."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_judging import Desks, Open, at_hand, check, key, saved, unit
from tests.browser.test_judging import desks as desks
from tests.browser.test_judging import sit as sit

pytestmark = pytest.mark.nightly


def asked(page: Page) -> None:
    """Wait until the page asks which judgment is to hold."""
    expect(page.get_by_role("alert", name="Judged in another window since")).to_be_visible()


def labels(desks: Desks) -> list[str]:
    """What anna said, in order."""
    return [one["values"].get("label", one["act"])[:1] for one in desks.ballots("labels", "anna")]


@pytest.mark.parametrize("choice", ["Keep what was said there", "Save what was said here"])
def test_a_stale_window_asks(sit: Open, desks: Desks, choice: str) -> None:
    """Both judgments are shown until one is chosen, also after a reload; what is chosen holds, and work goes on."""
    here, there = sit("anna", "labels"), sit("anna", "labels")
    at_hand(here)
    first = unit(here)
    key(there, "1", "2")
    saved(there)
    key(here, "3")
    asked(here)
    box = here.get_by_role("alert", name="Judged in another window since")
    expect(box).to_contain_text("There: Entailment")
    expect(box).to_contain_text("Here: Contradiction")
    expect(here.locator("#saves")).to_have_text("Not saved.")
    assert labels(desks) == ["E", "U"]
    check(here)
    here.reload()
    asked(here)
    box.get_by_role("link", name="Show it").click()
    expect(here.locator("#judge")).to_have_attribute("data-unit", first)
    expect(here.get_by_role("radio", name="Entailment")).to_be_checked()
    box.get_by_role("button", name=choice).click()
    expect(box).to_have_count(0)
    if choice.startswith("Keep"):
        expect(here.locator("#saves")).to_have_text("Kept what was said there.")
    else:
        saved(here)
        expect(here.get_by_role("radio", name="Contradiction")).to_be_checked()
    assert labels(desks) == ["E", "U"] + ["C"] * choice.startswith("Save")
    here.reload()
    expect(box).to_have_count(0)
    key(here, "Shift+O")
    key(here, "1")
    saved(here)
    assert len(labels(desks)) == 3 + choice.startswith("Save")


def test_undo_in_a_stale_window(sit: Open, desks: Desks) -> None:
    """It takes back what it knows of, and nothing that was said elsewhere since."""
    here = sit("anna", "labels")
    at_hand(here)
    first = unit(here)
    key(here, "1")
    saved(here)
    there = sit("anna", "labels")
    there.goto(f"/c/{desks.name}/tasks/labels/judge/?unit={first}")
    key(there, "2")
    saved(there)
    here.keyboard.press("z")
    asked(here)
    assert labels(desks) == ["E", "U"]
    here.get_by_role("button", name="Take that back").click()
    expect(here.locator("#saves")).to_have_text("Taken back.")
    assert labels(desks) == ["E", "U", "u"]


def test_what_waited_for_a_connection(sit: Open, desks: Desks) -> None:
    """It is stored as it was done, changed and taken back; only what was said elsewhere too is asked about."""
    here, there = sit("anna", "labels"), sit("anna", "labels")
    at_hand(here)
    first = unit(here)
    here.context.set_offline(True)
    key(here, "1", "2")
    key(here, "z")
    key(here, "3", "1")
    assert len({unit(here), first}) == 2
    key(there, "2")  # the first unit
    saved(there)
    here.context.set_offline(False)
    here.evaluate("dispatchEvent(new Event('online'))")
    asked(here)
    expect(here.get_by_role("alert", name="Judged in another window since")).to_have_count(1)
    assert labels(desks) == ["U", "U", "u", "C", "E"]
    here.get_by_role("button", name="Save what was said here").click()
    saved(here)
    assert labels(desks)[-1] == "E"


def test_what_was_taken_back_without_a_connection_is_not_asked_about(sit: Open, desks: Desks) -> None:
    """Said and taken back here, and said in another window: that holds."""
    here, there = sit("anna", "labels"), sit("anna", "labels")
    at_hand(here)
    here.context.set_offline(True)
    key(here, "1")
    key(here, "z")
    key(there, "2")
    saved(there)
    here.context.set_offline(False)
    here.evaluate("dispatchEvent(new Event('online'))")
    expect(here.locator("#saves")).to_have_text("Not saved.")
    expect(here.get_by_role("radio", name="Unknown")).to_be_checked()
    expect(here.get_by_role("alert", name="Judged in another window since")).to_have_count(0)
    assert labels(desks) == ["U"]


def test_a_pair_that_is_skipped_and_rated_again(sit: Open, desks: Desks) -> None:
    """One window alone never conflicts with itself, whatever follows from one act for several units."""
    page = sit("anna", "reasons")
    page.keyboard.press("Shift+S")
    page.keyboard.type("The key is wrong")
    key(page, "Enter")
    expect(page.locator("#saves")).to_have_text("Skipped.")
    key(page, "Shift+P")
    for _ in range(3):
        page.keyboard.press("1")
        key(page, "Enter")
        saved(page)
        key(page, "Shift+P")
        page.keyboard.press("Tab")
        page.keyboard.press("2")
        key(page, "Enter")
        saved(page)
    assert page.locator("#conflicts section").count() == 0
    assert {one["values"].get("understandable") for one in desks.ballots("reasons", "anna")} >= {"1", "2"}
