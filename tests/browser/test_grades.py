"""Whole answers graded and compared in a browser: by keyboard, without a connection, by two at once, on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.test_campaign import served
from tests.browser.test_judging import Desks, Open, at_hand, check, key, saved, unit
from tests.browser.test_judging import sit as sit
from tests.surroundings import elsewhere

pytestmark = pytest.mark.nightly

PREPARE = """
import json, sys
from tests.browser.homes import open_home
open_home(sys.argv[1])
from karat.server import models
from tests.server import campaigns, grading

people = ("anna", "ben", "cleo")
made = grading.make(*people)
grading.give_out(made, "quality", "anna", per_unit=1)
grading.give_out(made, "preferences", "ben", "cleo")
sessions = {}
for who in people:
    (name,) = made.names(who)
    sessions[who] = campaigns.logged_in(models.Account.objects.get(name=name)).cookies["sessionid"].value
print(json.dumps({"campaign": made.name, "sessions": sessions}))
"""
TASK = "definitions"


@pytest.fixture
def desks(tmp_path: Path) -> Iterator[Desks]:
    """A campaign of its own for each test."""
    home = tmp_path / "home"
    made = elsewhere("-c", PREPARE, home)
    with served(home) as (address, _):
        yield Desks(home, address, made)


def test_grades_by_keyboard_alone(sit: Open, desks: Desks) -> None:
    """Two numbers, t for ten, Enter; changed, taken back, skipped; nothing inaccessible, and nothing too wide."""
    page = sit("anna", TASK)
    expect(page.get_by_text("0 of 11 graded")).to_be_visible()
    expect(page.get_by_text(re.compile("Answer 1 of [23] to this question"))).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("0 to 9, t for 10")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(page.get_by_text("0 of 11 graded")).to_be_visible()
    page.keyboard.press("7")
    page.keyboard.press("t")
    expect(page.get_by_role("group", name="Organisation").get_by_role("radio", name="10")).to_be_checked()
    check(page)
    key(page, "Enter")
    saved(page)
    page.keyboard.press("0")
    page.keyboard.press("3")
    key(page, "Enter")
    saved(page)
    expect(page.get_by_text("2 of 11 graded")).to_be_visible()
    key(page, "z")
    expect(page.locator("#saves")).to_have_text("Taken back.")
    page.keyboard.press("Shift+S")
    page.keyboard.type("no words")
    key(page, "Enter")
    expect(page.locator("#saves")).to_have_text("Skipped.")
    said = desks.ballots(TASK, "anna")
    assert [one["values"] for one in said] == [
        {"content": "7", "organisation": "10"},
        {"content": "0", "organisation": "3"},
        {},
        {},
    ]
    assert [one["act"] for one in said] == ["judged", "judged", "undone", "judged"]


def test_preferences_by_two_at_once(sit: Open, desks: Desks) -> None:
    """One key each; what is left for one is right for the other; both judge everything."""
    ben, cleo = sit("ben", TASK), sit("cleo", TASK)
    left, right = (ben.locator(".sides .answered").nth(place).inner_text() for place in (0, 1))
    other = [cleo.locator(".sides .answered").nth(place).inner_text() for place in (0, 1)]
    assert other == [right, left]
    check(ben)
    for place in range(10):
        key(ben, str(1 + place % 4))
        key(cleo, "2")
    for page in (ben, cleo):
        expect(page.get_by_role("heading", name="Nothing left to judge")).to_be_visible()
        expect(page.get_by_text("10 of 10 compared")).to_be_visible()
    values = [one["values"]["preference"] for one in desks.ballots(TASK, "ben")]
    assert values == ["left", "right", "tie", "both bad"] * 2 + ["left", "right"]
    assert {one["values"]["preference"] for one in desks.ballots(TASK, "cleo")} == {"right"}


def test_the_connection_is_cut_and_restored(sit: Open, desks: Desks) -> None:
    """Comparing goes on with what is at hand; all of it is stored, once and in order."""
    page = sit("ben", TASK)
    at_hand(page)
    page.context.set_offline(True)
    key(page, "1", "3", "4")
    expect(page.locator("#saves")).to_contain_text("3 saves waiting: no connection")
    key(page, "z")
    assert desks.ballots(TASK, "ben") == []
    page.context.set_offline(False)
    expect(page.get_by_text("2 of 10 compared")).to_be_visible(timeout=30_000)
    assert [one["act"] for one in desks.ballots(TASK, "ben")] == ["judged"] * 3 + ["undone"]


def test_without_scripts(sit: Open, desks: Desks) -> None:
    """By plain forms: two numbers and a button, or one choice and a button."""
    page = sit("anna", TASK, java_script_enabled=False)
    page.get_by_role("group", name="Content").get_by_role("radio", name="4").check()
    page.get_by_role("group", name="Organisation").get_by_role("radio", name="9").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("1 of 11 graded")).to_be_visible()
    page = sit("cleo", TASK, java_script_enabled=False)
    page.get_by_role("radio", name="Both are equally good").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("1 of 10 compared")).to_be_visible()
    values: list[Any] = [desks.ballots(TASK, who)[0]["values"] for who in ("anna", "cleo")]
    assert values == [{"content": "4", "organisation": "9"}, {"preference": "tie"}]
    assert unit(page)
