"""Judging in a browser: by keyboard alone, without a connection, by two at once, without scripts, and on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import seats
from tests.browser.test_campaign import SCHEMES, served
from tests.surroundings import elsewhere

Open = Callable[..., Page]


class Desks:
    """A served campaign, the sessions of those who judge, and a look at what is stored."""

    def __init__(self, home: Path, address: str, made: dict[str, Any]) -> None:
        self.home, self.address, self.name, self.sessions = home, address, made["campaign"], made["sessions"]

    def ballots(self, task: str, who: str) -> list[dict[str, Any]]:
        """Everything that somebody said about a task and took back, as the record has it."""
        account = f"{self.name}-{who}"
        found: list[dict[str, Any]] = elsewhere("-m", "tests.browser.desks", self.home, self.name, task, account)
        return found

    def act(self, what: str) -> None:
        """Let the organisers close the round of labels, or rewrite the guidelines."""
        elsewhere("-m", "tests.browser.desks", self.home, self.name, "labels", what)


@pytest.fixture
def desks(tmp_path: Path) -> Iterator[Desks]:
    """A campaign of its own for each test."""
    home = tmp_path / "home"
    made = elsewhere("-m", "tests.browser.desks", home)
    with served(home) as (address, _):
        yield Desks(home, address, made)


@pytest.fixture
def sit(browser: Browser, desks: Desks) -> Iterator[Open]:
    """Open the judging page of a task as somebody; whatever goes wrong in it is a failure."""
    with seats(browser, desks.address) as opened:
        yield lambda who, task, **facts: opened(desks.sessions[who], f"/c/{desks.name}/tasks/{task}/judge/", **facts)


def unit(page: Page) -> str:
    """The name of the unit that is shown."""
    return page.locator("#judge").get_attribute("data-unit") or ""


def moved(page: Page, before: str) -> None:
    """Wait until another unit is shown, or the end."""
    expect(page.locator("#judge")).not_to_have_attribute("data-unit", before)


def key(page: Page, *keys: str) -> None:
    """Press keys, each of which leads to another unit."""
    for one in keys:
        before = unit(page)
        page.keyboard.press(one)
        moved(page, before)


def at_hand(page: Page) -> None:
    """Wait until the units that come next have been fetched, so that work can go on without a connection."""
    expect(page.locator("#judge")).to_have_attribute("data-at-hand", "")


def saved(page: Page) -> None:
    """Wait until nothing waits to be stored."""
    expect(page.locator("#saves")).to_have_text("Saved.")


def check(page: Page) -> None:
    """Nothing inaccessible by day and by night; one heading of the first level; nothing wider than a phone."""
    page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
    for scheme, rules in SCHEMES.items():
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page, options=rules)
        assert found.violations_count == 0, (page.url, scheme, found.generate_report())
    assert page.locator("h1").count() == 1
    before = page.viewport_size
    assert before is not None
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, page.url
    small = "e => e.filter(one => one.offsetHeight && one.offsetHeight < 24).map(one => one.textContent)"
    assert page.locator("main button, main .button, .answer").evaluate_all(small) == []
    page.set_viewport_size(before)


def test_labels_by_keyboard_alone(sit: Open, desks: Desks) -> None:
    """One key per decision; comment, skip, undo, previous, next and help each by theirs; typing fires none of them."""
    page = sit("anna", "labels")
    expect(page.get_by_text("0 of 12 judged")).to_be_visible()
    first = unit(page)
    key(page, "1")
    saved(page)
    expect(page.get_by_text("1 of 12 judged")).to_be_visible()
    expect(page.locator("#unit-heading")).to_be_focused()
    page.keyboard.press("Shift+C")
    page.keyboard.type("1 unsure, p. 3?")
    expect(page.locator("#comment")).to_have_value("1 unsure, p. 3?")
    page.keyboard.press("Escape")
    second = unit(page)
    key(page, "2")
    saved(page)
    page.keyboard.press("Shift+S")
    page.keyboard.type("no sentence")
    key(page, "Enter")
    expect(page.locator("#saves")).to_have_text("Skipped.")
    key(page, "z")
    expect(page.locator("#saves")).to_have_text("Taken back.")
    third = unit(page)
    key(page, "Shift+N", "Shift+P", "Shift+P")
    assert unit(page) == second
    expect(page.locator("#comment")).to_have_value("1 unsure, p. 3?")
    expect(page.get_by_role("radio", name="Unknown")).to_be_checked()
    key(page, "Shift+O")
    assert unit(page) == third
    for keys in ("Control+1", "Alt+2", "Meta+3", "x", "5"):
        page.keyboard.press(keys)
    assert unit(page) == third
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
    assert unit(page) == third
    assert page.locator("#guidelines").evaluate("one => one.open")
    page.keyboard.press("g")
    assert not page.locator("#guidelines").evaluate("one => one.open")
    page.keyboard.press("g")
    expect(page.get_by_role("region", name="The guidelines")).to_be_focused()
    for _ in range(10):
        key(page, "3")
    expect(page.get_by_role("heading", name="Nothing left to judge")).to_be_focused()
    expect(page.get_by_text("12 of 12 judged")).to_be_visible()
    check(page)
    page.keyboard.press("Shift+P")
    expect(page.get_by_role("radio", name="Contradiction")).to_be_checked()
    page.keyboard.press("z")
    expect(page.locator("#saves")).to_have_text("Taken back.")
    expect(page.get_by_text("11 of 12 judged")).to_be_visible()
    key(page, "1")
    expect(page.get_by_role("heading", name="Nothing left to judge")).to_be_visible()
    said = desks.ballots("labels", "anna")
    assert [one["act"] for one in said] == ["judged"] * 3 + ["undone"] + ["judged"] * 10 + ["undone", "judged"]
    assert said[1]["comment"] == "1 unsure, p. 3?"
    assert all(one["guidelines"] == 1 and one["seconds"] is not None for one in said if one["act"] == "judged")
    assert first != second


@pytest.mark.nightly
def test_ratings_by_keyboard_alone(sit: Open, desks: Desks) -> None:
    """The second question appears when it is asked; a pair is skipped with all its justifications, and taken back."""
    page = sit("anna", "reasons")
    expect(page.get_by_text("Justification 1 of 3 for this pair")).to_be_visible()
    compelling = page.get_by_role("group", name="How compelling is it")
    expect(compelling).to_be_hidden()
    page.keyboard.press("4")
    expect(compelling).to_be_visible()
    page.keyboard.press("3")
    check(page)
    key(page, "Enter")
    saved(page)
    page.keyboard.press("2")
    expect(compelling).to_be_hidden()
    key(page, "Enter")
    saved(page)
    key(page, "Shift+P")
    page.keyboard.press("Tab")
    page.keyboard.press("5")
    page.keyboard.press("1")
    key(page, "Enter")
    saved(page)
    expect(page.get_by_text("Justification 3 of 3 for this pair")).to_be_visible()
    page.keyboard.press("Shift+S")
    page.keyboard.type("The key is wrong")
    key(page, "Enter")
    expect(page.locator("#saves")).to_have_text("Skipped.")
    expect(page.get_by_text("Justification 1 of 3 for this pair")).to_be_visible()
    expect(page.get_by_text("3 of 6 rated")).to_be_visible()
    key(page, "z")
    expect(page.locator("#saves")).to_have_text("Taken back.")
    expect(page.get_by_text("Justification 3 of 3 for this pair")).to_be_visible()
    expect(page.get_by_text("2 of 6 rated")).to_be_visible()
    for _ in range(4):
        page.keyboard.press("1")
        key(page, "Enter")
    expect(page.get_by_role("heading", name="Nothing left to judge")).to_be_visible()
    check(page)
    page.get_by_label("What was good or bad").fill("Too much jargon.")
    page.get_by_role("button", name="Store the summary").press("Enter")
    expect(page.get_by_text("Your summary is stored.")).to_be_visible()
    expect(page.get_by_label("What was good or bad")).to_have_value("Too much jargon.")
    values = [one["values"] for one in desks.ballots("reasons", "anna") if one["act"] == "judged" and one["values"]]
    assert values[:3] == [
        {"understandable": "4", "compelling": "3"},
        {"understandable": "2"},
        {"understandable": "5", "compelling": "1"},
    ]


def test_adjudication_by_keyboard_alone(sit: Open, desks: Desks) -> None:
    """Label, reason, kind and note; a label that nobody gave asks for its note before the page moves on."""
    page = sit("cleo", "disputes")
    expect(page.get_by_text("Who gave which is not shown")).to_be_visible()
    check(page)
    page.keyboard.press("1")
    page.keyboard.press("e")
    page.keyboard.press("k")
    page.keyboard.type("tense")
    page.keyboard.press("Escape")
    key(page, "Enter")
    saved(page)
    stays = unit(page)
    page.keyboard.press("3")
    page.keyboard.press("d")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("say why in a note")
    expect(page.get_by_label("A note")).to_be_focused()
    assert unit(page) == stays
    page.keyboard.type("Both overlooked the second sentence.")
    page.keyboard.press("Escape")
    key(page, "Enter")
    saved(page)
    first, second = (one["values"] for one in desks.ballots("disputes", "cleo"))
    assert first == {"label": "ENTAILMENT", "reason": "error", "kind": "tense"}
    assert (second["label"], second["reason"]) == ("CONTRADICTION", "difference")
    assert second["note"].startswith("Both")


def test_the_connection_is_cut_and_restored(sit: Open, desks: Desks) -> None:
    """Work goes on with what is at hand, undo included; what waits is said, and stored in order, once each."""
    page = sit("anna", "labels")
    at_hand(page)
    page.context.set_offline(True)
    key(page, "1", "2", "3")
    expect(page.locator("#saves")).to_contain_text("3 saves waiting: no connection")
    check(page)
    key(page, "z")
    expect(page.locator("#saves")).to_contain_text("4 saves waiting")
    key(page, "1", "2", "3")
    page.keyboard.press("1")  # the last that was at hand
    expect(page.get_by_text("This was the last unit at hand.")).to_be_visible()
    page.keyboard.press("2")
    expect(page.locator("#saves")).to_contain_text("8 saves waiting")
    assert desks.ballots("labels", "anna") == []
    page.context.set_offline(False)
    expect(page.get_by_text("6 of 12 judged")).to_be_visible(timeout=30_000)
    saved(page)
    expect(page.get_by_text("This was the last unit at hand.")).to_be_hidden()
    assert page.evaluate("Object.keys(localStorage)") == []
    said = desks.ballots("labels", "anna")
    assert [one["act"] for one in said] == ["judged"] * 3 + ["undone"] + ["judged"] * 4
    labels = [one["values"].get("label", "")[:1] for one in said if one["act"] == "judged"]
    assert labels == ["E", "U", "C", "E", "U", "C", "E"]
    key(page, "2")
    expect(page.get_by_text("7 of 12 judged")).to_be_visible()


@pytest.mark.nightly
def test_an_answer_that_was_lost_is_not_stored_twice(sit: Open, desks: Desks) -> None:
    """The server stored it and the reply was lost: it is sent again under its id."""
    page = sit("anna", "labels")
    at_hand(page)

    def lose(route: Route) -> None:
        if route.request.method != "POST":
            return route.continue_()
        route.fetch()
        return route.abort()

    page.route("**/judge/", lose)
    key(page, "1")
    expect(page.locator("#saves")).to_contain_text("1 save waiting: no connection")
    page.unroute("**/judge/")
    saved(page)
    assert len(desks.ballots("labels", "anna")) == 1


@pytest.mark.nightly
def test_what_waits_survives_the_page(sit: Open, desks: Desks) -> None:
    """Whoever leaves is warned; whoever comes back finds it sent."""
    page = sit("anna", "labels")
    at_hand(page)
    page.route("**/judge/", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    key(page, "1", "2")
    expect(page.locator("#saves")).to_contain_text("2 saves waiting")
    with page.expect_event("dialog") as asked:
        page.goto("/account/")
    assert asked.value.type == "beforeunload"
    page.unroute("**/judge/")
    page.goto(f"/c/{desks.name}/tasks/labels/judge/")
    expect(page.get_by_text("2 of 12 judged")).to_be_visible()
    saved(page)
    assert len(desks.ballots("labels", "anna")) == 2


@pytest.mark.nightly
def test_an_expired_session_loses_nothing(sit: Open, desks: Desks) -> None:
    """A new token is fetched without a word; whoever was logged out logs in elsewhere, and the page goes on."""
    page = sit("anna", "labels")
    at_hand(page)
    cookies = page.context.cookies()
    page.context.clear_cookies(name="csrftoken")
    key(page, "1")
    saved(page)
    page.keyboard.press("Shift+C")
    page.keyboard.type("A draft")
    page.keyboard.press("Escape")
    page.context.clear_cookies()
    key(page, "2")
    expect(page.locator("#saves")).to_contain_text("1 save waiting: you are no longer logged in.")
    expect(page.get_by_role("link", name="Log in in a new tab")).to_be_visible()
    check(page)
    other = desks.sessions["ben"]
    page.context.add_cookies([{"name": "sessionid", "value": other, "url": desks.address}])
    expect(page.locator("#saves")).to_contain_text("somebody else is logged in now")
    assert desks.ballots("labels", "ben") == []
    page.context.clear_cookies()
    page.context.add_cookies([one for one in cookies if one["name"] == "sessionid"])  # type: ignore[misc]
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(page.locator("#saves")).to_have_text("Saved.")
    assert [one["comment"] for one in desks.ballots("labels", "anna")] == ["", "A draft"]


@pytest.mark.nightly
def test_a_draft_stays_while_one_looks_elsewhere(sit: Open) -> None:
    """On other units, and after a reload."""
    page = sit("anna", "labels")
    page.keyboard.press("Shift+C")
    page.keyboard.type("half a thought")
    page.keyboard.press("Escape")
    key(page, "Shift+N", "Shift+P")
    expect(page.locator("#comment")).to_have_value("half a thought")
    page.reload()
    expect(page.locator("#comment")).to_have_value("half a thought")


@pytest.mark.nightly
def test_two_judge_at_once(sit: Open, desks: Desks) -> None:
    """In turns and in a pool: nobody waits, nobody gets what the other has, and both see only their own work."""
    anna, ben = sit("anna", "labels"), sit("ben", "labels")
    assert unit(anna) == unit(ben)
    for _ in range(4):
        key(anna, "1")
        key(ben, "3")
    expect(anna.get_by_text("4 of 12 judged")).to_be_visible()
    expect(ben.get_by_text("4 of 12 judged")).to_be_visible()
    assert {one["values"]["label"] for one in desks.ballots("labels", "anna")} == {"ENTAILMENT"}
    assert {one["values"]["label"] for one in desks.ballots("labels", "ben")} == {"CONTRADICTION"}
    dora, emil = sit("dora", "pool"), sit("emil", "pool")
    for page in (dora, emil):
        expect(page.get_by_text("The labels of these pairs are known.")).to_be_visible()
        for _ in range(2):
            key(page, "1" if page.get_by_text("All ran.").count() else "3")
        expect(page.get_by_text("0 judged")).to_be_visible()
    for _ in range(6):
        assert unit(dora) != unit(emil)
        key(dora, "1")
        key(emil, "2")
    for page in (dora, emil):
        expect(page.get_by_role("heading", name="Nothing left to judge")).to_be_visible()
    units = [one["unit"] for who in ("dora", "emil") for one in desks.ballots("pool", who) if one["stage"] == "labels"]
    assert len(units) == len(set(units)) == 12


@pytest.mark.nightly
def test_a_unit_that_did_not_come_comes_later(sit: Open) -> None:
    """One that was not at hand is asked for until it is there; one that comes when work has gone on is not shown."""
    page = sit("anna", "labels")
    at_hand(page)
    page.context.set_offline(True)
    key(page, *["Shift+N"] * 5)
    last = unit(page)
    page.keyboard.press("Shift+N")
    expect(page.get_by_role("alert")).to_contain_text("cannot be shown yet")
    page.context.set_offline(False)
    moved(page, last)
    at_hand(page)
    late: list[Route] = []
    page.route(re.compile(f"unit={last}$"), lambda route: late.append(route))
    page.keyboard.press("Shift+P")
    key(page, "1")
    now = unit(page)
    with page.expect_response(lambda answer: answer.url.endswith(f"?unit={last}")):
        late[0].continue_()
    saved(page)
    assert unit(page) == now != last


@pytest.mark.nightly
def test_by_mouse_and_by_the_browsers_own_buttons(sit: Open) -> None:
    """A click on an answer is enough where one answer is all; going back shows the unit before; undo is a button."""
    page = sit("anna", "labels")
    first = unit(page)
    page.get_by_text("Unknown", exact=True).first.click()
    moved(page, first)
    saved(page)
    page.go_back()
    expect(page.locator("#judge")).to_have_attribute("data-unit", first)
    expect(page.get_by_role("radio", name="Unknown")).to_be_checked()
    page.get_by_role("button", name="Undo the last judgment").click()
    expect(page.locator("#saves")).to_have_text("Taken back.")
    expect(page.get_by_role("radio", name="Unknown")).not_to_be_checked()
    page.get_by_role("radio", name="Entailment").focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    assert unit(page) == first  # whoever goes through the answers with arrows has not decided
    page.get_by_role("button", name="Save").click()
    moved(page, first)


@pytest.mark.nightly
def test_a_refusal_leads_back_to_the_unit(sit: Open, desks: Desks) -> None:
    """The round was closed meanwhile: the page says so, with what was entered."""
    page = sit("anna", "labels")
    at_hand(page)
    first = unit(page)
    desks.act("close")
    page.keyboard.press("1")
    expect(page.get_by_role("alert")).to_contain_text("Not saved.")
    expect(page.locator("#judge")).to_have_attribute("data-unit", first)
    assert desks.ballots("labels", "anna") == []
    page.reload()
    expect(page.get_by_text("This round is closed: nothing can be changed here.")).to_be_visible()
    page.goto(f"/c/{desks.name}/tasks/labels/judge/")
    expect(page.get_by_role("heading", name="Nothing left to judge")).to_be_visible()
    expect(page.get_by_text("The round is closed.")).to_be_visible()


@pytest.mark.nightly
def test_guidelines_that_change_while_one_judges(sit: Open, desks: Desks) -> None:
    """The page shows the new version at the next save, and each judgment has the version that was on the screen."""
    page = sit("anna", "labels")
    at_hand(page)
    desks.act("rewrite")
    key(page, "1")
    expect(page.get_by_text("The guidelines have just changed: this is version 2.")).to_be_visible()
    expect(page.get_by_text("Tense does not matter.")).to_be_visible()
    check(page)
    key(page, "2", "3")
    saved(page)
    assert [one["guidelines"] for one in desks.ballots("labels", "anna")] == [1, 2, 2]


@pytest.mark.nightly
def test_without_scripts(sit: Open, desks: Desks) -> None:
    """Save, comment, skip, undo, go back, go on, rate, decide: by forms alone."""
    page = sit("anna", "labels", java_script_enabled=False)
    first = unit(page)
    page.get_by_role("button", name="Save").click()
    assert unit(page) == first  # the browser asks for an answer
    page.get_by_role("radio", name="Entailment").check()
    page.locator("summary", has_text="Comment").click()
    page.locator("#comment").fill("Plain.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("1 of 12 judged")).to_be_visible()
    page.locator("summary", has_text="Skip this pair for good").click()
    page.get_by_label("Why").fill("no sentence")
    page.get_by_role("button", name="Skip it").click()
    expect(page.get_by_text("2 of 12 judged")).to_be_visible()
    page.get_by_role("button", name="Undo the last judgment").click()
    expect(page.get_by_text("Taken back.")).to_be_visible()
    page.get_by_role("link", name="Previous").click()
    assert unit(page) == first
    expect(page.get_by_role("radio", name="Entailment")).to_be_checked()
    page.get_by_role("link", name="To the next open one").click()
    expect(page.get_by_text("1 of 12 judged")).to_be_visible()
    page.get_by_text("Guidelines, version 1").click()
    expect(page.get_by_text("Tense matters.")).to_be_visible()
    page.goto(f"/c/{desks.name}/")
    page.get_by_role("link", name="Begin with Justifications").click()
    expect(page.get_by_role("group", name="How compelling")).to_be_hidden()
    page.get_by_role("group", name="How easy").get_by_role("radio", name="4").check()
    page.get_by_role("group", name="How compelling").get_by_role("radio", name="2").check()
    page.get_by_role("group", name="How easy").get_by_role("radio", name="2").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("1 of 6 rated")).to_be_visible()
    assert [one["values"] for one in desks.ballots("reasons", "anna")] == [{"understandable": "2"}]


@pytest.mark.nightly
def test_accessible_and_on_a_phone(sit: Open, desks: Desks) -> None:
    """The overview, the examples, and the list of keys; the rest is looked at on the way through other tests."""
    page = sit("dora", "pool")
    check(page)
    page.keyboard.press("?")
    check(page)
    page = sit("anna", "labels")
    check(page)
    page.goto(f"/c/{desks.name}/")
    expect(page.get_by_text("18 units wait for you.")).to_be_visible()
    check(page)
