"""Nuggets in a browser: lists and matches by keyboard alone, without a connection, by two at once, on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import seats
from tests.browser.test_campaign import served
from tests.browser.test_judging import check, moved, saved, unit
from tests.server.nugget_panels import LONG
from tests.surroundings import elsewhere

Open = Callable[..., Page]
MILL = "Why did the harbour mill fall silent?"


class Desks:
    """Two served campaigns, one for lists and one for matches, and a look at what is stored."""

    def __init__(self, home: Path, address: str, made: dict[str, Any]) -> None:
        self.home, self.address, self.made = home, address, made

    def told(self, part: str, who: str) -> list[dict[str, Any]]:
        """What somebody wrote and judged."""
        campaign = self.made[part]["campaign"]
        found: list[dict[str, Any]] = elsewhere("-m", "tests.browser.nugget_desks", self.home, campaign, who)
        return found

    def nuggets(self, who: str) -> list[dict[str, str]]:
        """The nuggets of the first question."""
        found: list[dict[str, str]] = self.told("lists", who)[0]["nuggets"]
        return found


@pytest.fixture(scope="module")
def desks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desks]:
    """The same campaigns for all tests; each test is somebody's own work."""
    home = tmp_path_factory.mktemp("nuggets") / "home"
    made = elsewhere("-m", "tests.browser.nugget_desks", home)
    with served(home) as (address, _):
        yield Desks(home, address, made)


@pytest.fixture
def sit(browser: Browser, desks: Desks) -> Iterator[Open]:
    """Open the judging page as somebody; whatever goes wrong in it is a failure."""

    def opened(part: str, who: str, **facts: Any) -> Page:
        made = desks.made[part]
        return open_page(made["sessions"][who], f"/c/{made['campaign']}/tasks/answers/judge/", **facts)

    with seats(browser, desks.address) as open_page:
        yield opened


def to_mill(page: Page) -> None:
    """Go to the first question, whichever comes first."""
    if MILL not in page.locator(".hypothesis").inner_text():
        before = unit(page)
        # Another test may have finished either question: the other one is then before or after this.
        page.keyboard.press("Shift+P" if page.locator("#judge .moves a[rel=prev]").count() else "Shift+N")
        moved(page, before)
    expect(page.locator(".hypothesis")).to_have_text(MILL)


def go_to(page: Page, begins: str) -> None:
    """Move to the string that begins so, by j."""
    for _ in range(10):
        if page.locator("[data-string].current .saying").inner_text().startswith(begins):
            return
        page.keyboard.press("j")
    for _ in range(10):
        if page.locator("[data-string].current .saying").inner_text().startswith(begins):
            return
        page.keyboard.press("k")
    raise AssertionError(begins)


def new(page: Page, begins: str, importance: str, text: str = "") -> None:
    """A nugget from the string that begins so, in other words if some are given."""
    rows = page.locator("[data-entry]:not([data-new])")
    count = rows.count()
    go_to(page, begins)
    page.keyboard.press("n")
    if text:
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(text)
    page.keyboard.press("Enter")
    page.keyboard.press(importance)
    expect(rows).to_have_count(count + 1)


def test_a_list_by_keyboard_alone(sit: Open, desks: Desks) -> None:
    """Write, attach, mark, merge, split, take out and undo; what is stored is what the page shows."""
    page = sit("lists", "anna")
    to_mill(page)
    expect(page.get_by_text("There is no vital nugget").first).to_be_visible()
    new(page, "The wheel", "v", "a flood broke the wheel")
    expect(page.locator("fieldset", has_text="There is no vital nugget")).to_be_hidden()
    expect(page.get_by_text("in 2 of 3 responses")).to_be_visible()
    go_to(page, "Floods broke")
    page.keyboard.press("n")
    expect(page.get_by_text("Similar to nugget 1")).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.press("o")
    new(page, "The miller", "o")
    new(page, "Grain was", "v")
    saved(page)
    assert [one["importance"] for one in desks.nuggets("anna")] == ["vital", "okay", "okay", "vital"]
    # Nugget 2 says what nugget 1 says.
    page.keyboard.press("2")
    page.keyboard.press("2")
    expect(page.get_by_text("Similar to nugget 1")).to_have_count(0)  # said of a new nugget alone
    page.keyboard.press("m")
    hint = page.locator("[data-entry].current").get_by_text("Merge nugget 2 into which one?")
    expect(hint).to_be_in_viewport()
    page.keyboard.press("1")
    rows = page.locator("[data-entry]:not([data-new])")
    expect(rows).to_have_count(3)
    saved(page)
    merged = desks.nuggets("anna")
    assert len(merged) == 3
    assert len(merged[0]["sources"].split()) == 2
    page.keyboard.press("z")
    expect(rows).to_have_count(4)
    unmerged = desks.nuggets("anna")
    assert [len(one["sources"].split()) for one in unmerged] == [1, 1, 1, 1], "one key undoes the whole merge"
    # Split what was put together, and undo that as well.
    go_to(page, "Grain was")
    page.keyboard.press("3")
    saved(page)
    expect(page.locator("[data-entry].current [data-share]")).to_have_text("in 2 of 3 responses")
    page.keyboard.press("x")
    expect(rows).to_have_count(5)
    page.keyboard.press("Escape")
    saved(page)
    assert [len(one["sources"].split()) for one in desks.nuggets("anna")] == [1, 1, 1, 1, 1]
    page.keyboard.press("z")
    expect(rows).to_have_count(4)
    assert [len(one["sources"].split()) for one in desks.nuggets("anna")] == [1, 1, 2, 1]
    page.keyboard.press("d")
    expect(rows).to_have_count(3)
    before = unit(page)
    page.keyboard.press("Enter")
    moved(page, before)
    page.keyboard.press("t")
    expect(page.get_by_label("There is no vital nugget")).to_be_checked()
    saved(page)
    assert [one["unit"] for one in desks.told("lists", "anna") if one.get("stage") == "nuggets"] == ["t1"]


@pytest.mark.nightly
def test_without_a_connection_and_beside_each_other(sit: Open, desks: Desks) -> None:
    """What is written while the network is cut is stored when it is back; another assessor's list is not touched."""
    page, other = sit("lists", "ben"), desks.nuggets("anna")
    to_mill(page)

    def refuse(route: Route) -> None:
        route.abort()

    page.route("**/judge/**", refuse)
    new(page, "The mill burned", "v", "fire")
    new(page, "The miller", "o", "the miller left")
    go_to(page, "Grain was")
    page.keyboard.press("2")
    expect(page.locator("#saves")).to_contain_text("3 saves waiting")
    assert desks.nuggets("ben") == []
    page.unroute("**/judge/**")
    page.evaluate("dispatchEvent(new Event('online'))")
    saved(page)
    assert [(one["text"], len(one["sources"].split())) for one in desks.nuggets("ben")] == [
        ("fire", 1),
        ("the miller left", 2),
    ]
    assert desks.nuggets("anna") == other
    page.reload()
    to_mill(page)
    expect(page.locator("[data-entry].vital textarea")).to_have_value("fire")


@pytest.mark.nightly
def test_a_nugget_that_is_changed_in_two_windows(sit: Open, desks: Desks) -> None:
    """The window that does not know of the other asks, with both texts; a list is written on in both."""
    here = sit("lists", "fay")
    to_mill(here)
    new(here, "The mill burned", "o", "a first text")
    saved(here)
    there = sit("lists", "fay")
    to_mill(there)
    for page, text in ((there, "said there"), (here, "said here")):
        row = page.locator("[data-entry]:not([data-new])").last
        row.locator("textarea").fill(text)
        row.locator("textarea").press("Enter")
        if page is there:
            saved(page)
    box = here.get_by_role("alert", name="Judged in another window since")
    expect(box).to_contain_text("There: Nugget: said there")
    expect(box).to_contain_text("Here: Nugget: said here")
    expect(here.locator("[data-entry]:not([data-new]) textarea").last).to_have_value("said there")
    assert desks.nuggets("fay")[-1]["text"] == "said there"
    new(here, "The miller", "o", "another nugget")
    saved(here)
    box.get_by_role("button", name="Save what was said here").click()
    saved(here)
    assert [one["text"] for one in desks.nuggets("fay")[-2:]] == ["said here", "another nugget"]
    here.keyboard.press("z")
    expect(here.locator("#saves")).to_have_text("Taken back.")
    assert [one["text"] for one in desks.nuggets("fay")[-2:]] == ["said there", "another nugget"]


@pytest.mark.nightly
def test_by_mouse_and_for_everybody(sit: Open, desks: Desks) -> None:
    """Buttons do what keys do; nothing is inaccessible by day, by night and on a phone."""
    page = sit("lists", "gil")
    to_mill(page)
    rows = page.locator("[data-entry]:not([data-new])")
    new(page, "The wheel", "v")
    before = rows.count()
    page.locator("[data-string]", has_text="Floods broke").click()
    page.get_by_role("button", name="New nugget").click()
    page.locator("[data-new]").get_by_label("vital").check()
    page.locator("[data-new]").get_by_role("button", name="Add").click()
    expect(rows).to_have_count(before + 1)
    rows.last.get_by_role("button", name="Merge").click()
    rows.first.locator("[data-label]").click()
    expect(rows).to_have_count(before)
    saved(page)
    assert len(desks.nuggets("gil")) == before
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Keys")).to_be_visible()
    page.keyboard.press("?")
    check(page)


def test_matches_and_citations_by_keyboard_alone(sit: Open, desks: Desks) -> None:
    """One key for each nugget, evidence by a number or by selection, the rest by one key; then citations."""
    page = sit("matches", "cleo")
    check(page)
    for _ in range(5):
        before, mill = unit(page), MILL in page.locator(".hypothesis").inner_text()
        page.keyboard.press("s")
        page.keyboard.press("k")
        page.keyboard.press("1")
        expect(page.locator("fieldset").first).to_contain_text("string 1")
        if mill:
            page.evaluate(
                """() => { const text = document.querySelector("[data-number] .saying").firstChild;
                getSelection().setBaseAndExtent(text, 0, text, 8); }"""
            )
            page.keyboard.press("e")
            expect(page.locator("mark")).to_have_text(
                page.locator("[data-number] .saying").first.inner_text()[:8].strip()
            )
            expect(page.get_by_text("1 not answered yet")).to_be_visible()
            page.keyboard.press("r")
        page.keyboard.press("Enter")
        moved(page, before)
    saved(page)
    told = [one for one in desks.told("matches", "cleo") if one.get("stage") == "matches"]
    assert len(told) == 5
    assert all(one["values"]["1"] == "support" for one in told)
    assert {one["values"]["evidence.1"].partition(":")[0] for one in told} == {"1"}
    assert {one["values"].get("2") for one in told} == {"not_support", None}
    expect(page.locator("#judge")).to_have_attribute("data-stage", "citations")
    page.set_viewport_size({"width": 390, "height": 700})
    page.locator("fieldset").last.get_by_role("radio").first.focus()
    page.keyboard.press("k")
    page.keyboard.press("j")
    expect(page.locator("[data-number].current .saying")).to_be_in_viewport()  # the sentence, also on a phone
    page.set_viewport_size({"width": 1280, "height": 900})
    page.locator("fieldset").first.get_by_role("radio").first.focus()
    before = unit(page)
    page.keyboard.press("f")
    page.keyboard.press("r")
    page.keyboard.press("Enter")
    moved(page, before)
    saved(page)
    (cited,) = [one for one in desks.told("matches", "cleo") if one.get("stage") == "citations"]
    assert cited["values"]["1.1"] == "full"
    page.keyboard.press("Shift+O")
    long = page.locator("legend", has_text=LONG)
    for _ in range(5):
        if long.count():
            break
        before = unit(page)
        page.keyboard.press("Shift+N")
        moved(page, before)
    expect(long).to_be_visible()
    check(page)


def test_evidence_before_and_after_the_answer(sit: Open, desks: Desks) -> None:
    """Either way both belong to the same nugget, which is left when it has both; the mark says which one it is."""
    page = sit("many matches", "dora")
    groups, current = page.locator("fieldset"), page.locator("fieldset.current")
    page.keyboard.press("s")
    expect(groups.nth(0)).to_have_class(re.compile("current"))
    page.keyboard.press("1")
    expect(groups.nth(1)).to_have_class(re.compile("current"))
    expect(groups.nth(0)).to_contain_text("string 1")
    page.keyboard.press("1")
    expect(groups.nth(1)).to_have_class(re.compile("current"))
    page.keyboard.press("p")
    expect(groups.nth(2)).to_have_class(re.compile("current"))
    page.keyboard.press("n")  # nothing has to be shown for that
    expect(groups.nth(3)).to_have_class(re.compile("current"))
    page.keyboard.press("s")
    page.keyboard.press("c")  # another answer to the same nugget
    expect(groups.nth(3).get_by_label("the contrary")).to_be_checked()
    page.keyboard.press("Enter")  # without evidence
    expect(groups.nth(4)).to_have_class(re.compile("current"))
    expect(current).to_have_count(1)
    expect(page.get_by_text("41 not answered yet")).to_be_visible()
    page.keyboard.press("r")
    before = unit(page)
    page.keyboard.press("Enter")
    moved(page, before)
    saved(page)
    said = next(one["values"] for one in desks.told("many matches", "dora") if one.get("stage") == "matches")
    assert [said[name] for name in "1234"] == ["support", "partial_support", "not_support", "contradicted"]
    assert {name: value for name, value in said.items() if name.startswith("evidence")} == {
        "evidence.1": "1",
        "evidence.2": "1",
    }


def test_a_nugget_that_was_left_does_not_come_back(sit: Open) -> None:
    """Esc empties what was being written for good: also after an undo, which loads the page again."""
    page = sit("lists", "gil")
    to_mill(page)
    new(page, "The wheel", "v")
    saved(page)
    written = page.locator("[data-new] textarea")
    go_to(page, "The miller")
    page.keyboard.press("n")
    page.keyboard.type("and more")
    expect(page.locator("[data-new] .answer kbd").first).to_be_visible()  # how it would be added
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(written).to_have_value("")
    page.keyboard.press("z")
    expect(page.locator("#saves")).to_have_text("Taken back.")
    expect(written).to_have_value("")
    page.reload()
    expect(written).to_have_value("")
    go_to(page, "The miller")
    page.keyboard.press("n")  # from a string, whose words are kept too while nothing is done with them
    expect(written).not_to_have_value("")
    page.reload()
    expect(written).not_to_have_value("")
    page.keyboard.press("Escape")


def test_what_is_written_while_a_list_is_loaded_again_stays(sit: Open, desks: Desks) -> None:
    """An undo loads the list again with what came after it, and not in the middle of a word: letters are no keys."""
    page = sit("lists", "hal")
    to_mill(page)
    rows, written = page.locator("[data-entry]:not([data-new])"), page.locator("[data-new] textarea")
    new(page, "The wheel", "v", "the wheel broke")
    new(page, "Floods broke", "o", "a flood came")
    saved(page)
    held: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "GET":
            held.append(route)
        else:
            route.continue_()

    def undo() -> None:
        with page.expect_request(lambda one: one.method == "GET" and "unit=" in one.url):
            page.keyboard.press("z")

    def let_go() -> None:
        while held:
            with page.expect_event("requestfinished"):
                held.pop().continue_()

    page.route("**/judge/**", hold)
    undo()
    go_to(page, "The miller")
    page.keyboard.press("n")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("the miller ")
    let_go()
    page.keyboard.type("vended eels")
    expect(written).to_have_value("the miller vended eels")
    with page.expect_request(lambda one: one.method == "GET" and "unit=" in one.url):
        page.keyboard.press("Enter")
    page.keyboard.press("o")  # added before the list is there, which does not have it
    page.wait_for_function("() => document.getElementById('saves').textContent === 'Saved.'")
    let_go()
    page.unroute("**/judge/**")
    expect(rows).to_have_count(2)
    expect(rows.nth(1).locator("textarea")).to_have_value("the miller vended eels")
    assert [one["text"] for one in desks.nuggets("hal")] == ["the wheel broke", "the miller vended eels"]


@pytest.mark.nightly
def test_documents_of_a_string_are_read_where_it_stands(sit: Open) -> None:
    """By a key, by its button, and closed again; the text is there once, however many strings come from it."""
    page = sit("lists", "gil")
    to_mill(page)
    go_to(page, "Floods broke")
    page.keyboard.press("i")
    here = page.locator("[data-string].current")
    expect(here.get_by_role("region", name="Document d1")).to_have_text(
        "In spring 1871 the flood took the great wheel."
    )
    check(page)
    page.keyboard.press("i")
    expect(here.get_by_role("region")).to_have_count(0)
    page.locator("[data-string]", has_text="Grain was").get_by_role("button", name="Read").click()
    expect(page.get_by_role("region", name="Document d3")).to_be_visible()
    assert page.locator("[data-text=d1]").count() == 1


@pytest.mark.nightly
def test_keys_reach_any_nugget_and_any_string(sit: Open, desks: Desks) -> None:
    """However many there are: by the number that stands beside it, to attach, to merge, and as evidence."""
    page = sit("many lists", "emil")
    to_mill(page)
    rows = page.locator("[data-entry]:not([data-new])")
    expect(rows).to_have_count(45)
    labels = rows.locator("[data-label]").all_inner_texts()
    assert len(set(labels)) == 45
    assert labels[8:10] == ["9", "A"]
    assert labels[-1] == "45"
    for _ in range(2):  # the twelfth, which has a letter; and taken off again
        page.keyboard.press("0")
        page.keyboard.type("12")
        page.keyboard.press("Enter")
        expect(rows.nth(11)).to_have_class(re.compile("current"))
    expect(page.locator("[data-string].current .chip")).to_have_count(0)
    page.keyboard.press("0")
    page.keyboard.type("45")
    page.keyboard.press("Enter")
    expect(rows.last.locator("[data-share]")).to_contain_text("of 3 responses")
    expect(page.locator("[data-string].current .chip")).to_have_text("45")
    page.keyboard.press("0")
    page.keyboard.type("99")
    page.keyboard.press("Enter")
    expect(page.get_by_text("There is no nugget 99.")).to_be_visible()
    page.keyboard.press("0")
    page.keyboard.press("Escape")
    expect(page.locator("#number-field")).to_have_count(0)
    page.keyboard.press("m")
    page.keyboard.press("0")
    page.keyboard.type("40")
    page.keyboard.press("Enter")
    expect(rows).to_have_count(44)
    saved(page)
    listed = desks.told("many lists", "emil")[0]["nuggets"]
    assert [one["text"] for one in listed if one.get("sources")] == ["fact 40 of t1"]
    check(page)
    page = sit("many matches", "emil")
    for _ in range(7):  # until a response is long
        if page.locator("[data-number]").count() > 30:
            break
        page.keyboard.press("Shift+N")
    page.keyboard.press("s")
    page.keyboard.press("k")
    page.keyboard.press("0")
    page.keyboard.type("31")
    page.keyboard.press("Enter")
    expect(page.locator("fieldset").first).to_contain_text("string 31")
    page.keyboard.press("r")
    before = unit(page)
    page.keyboard.press("Enter")
    moved(page, before)
    saved(page)
    said = [one["values"] for one in desks.told("many matches", "emil") if one.get("stage") == "matches"]
    assert "31" in [one.get("evidence.1") for one in said]
