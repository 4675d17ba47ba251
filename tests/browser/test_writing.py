"""Decomposition and question development in a browser: by keyboard, without a connection, by two, without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_campaign import served
from tests.browser.test_judging import Desks, Open, check, moved, saved, sit, unit
from tests.surroundings import elsewhere

assert sit  # a fixture


class Writers(Desks):
    """A served campaign, and a look at what was written."""

    def written(self, task: str, who: str) -> dict[str, Any]:
        """What somebody has written, by unit; and whether the record can be verified."""
        found: dict[str, Any] = asked(self.home, self.name, task, f"{self.name}-{who}")
        return found


def asked(home: Path, *arguments: str) -> Any:
    """What the other process says."""
    return elsewhere("-m", "tests.browser.writers", home, *arguments)


@pytest.fixture
def desks(tmp_path: Path) -> Iterator[Writers]:
    """A campaign of its own for each test."""
    home = tmp_path / "home"
    made = asked(home)
    with served(home) as (address, _):
        yield Writers(home, address, made)


def field(page: Page, name: str, row: int = -1) -> Any:
    """A field of an entry; of the new one, unless another is named."""
    return page.locator("[data-entry]").nth(row).locator(f'[name="answer.{name}"]')


def first_word(page: Page) -> str:
    """The first word of the text."""
    return page.locator("[data-whole]").inner_text().split()[0]


def test_a_pair_is_decomposed_by_keyboard_alone(sit: Open, desks: Writers) -> None:
    """Words are marked in the text by keys, the hypothesis follows what is typed, and a change of it is a rewrite."""
    page = sit("anna", "parts")
    before, text = unit(page), page.locator("[data-whole]").inner_text()
    page.keyboard.press("l")
    expect(page.locator("#trouble")).to_contain_text("First select words")
    for one in ("t", "ArrowRight", "l"):
        page.keyboard.press(one)
    expect(field(page, "lhs")).to_have_value(first_word(page))
    expect(field(page, "rhs")).to_be_focused()
    page.keyboard.type("Somebody")
    composed = text.replace(first_word(page), "Somebody", 1)
    expect(field(page, "hypothesis")).to_have_value(composed)
    expect(page.locator("[data-new] [data-composed-how]")).to_have_text("Composed by the rule.")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    expect(field(page, "phenomenon")).to_be_focused()
    for _ in range(5):
        page.keyboard.press("ArrowDown")
    for typed in ("x => y", "synonymy(x, y)"):
        page.keyboard.press("Tab")
        page.keyboard.type(typed)
    expect(field(page, "pattern")).to_have_value("x ⇒ y")
    odd = page.locator("[data-new] [data-rule-and-label]")
    expect(odd).to_have_text("")
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    expect(odd).to_have_text("The rule and the label do not agree: ⇒ entails, ⇎ contradicts.")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    expect(odd).to_have_text("")
    field(page, "pattern").fill("a<=/=> b")
    expect(field(page, "pattern")).to_have_value("a⇎ b")
    expect(odd).to_contain_text("do not agree")
    field(page, "pattern").fill("x ⇒ y")
    page.locator("[data-new] [value=ENTAILMENT]").focus()
    page.keyboard.press("Enter")
    saved(page)
    expect(page.locator("[data-entry-count]")).to_have_text("1")
    expect(field(page, "phenomenon", 0)).to_have_value("lexical:synonymy")
    expect(field(page, "lhs")).to_have_value("")
    page.keyboard.press("Escape")
    page.locator("#unit-heading").focus()
    page.keyboard.press("Enter")
    moved(page, before)
    saved(page)
    page.keyboard.press("Shift+P")
    expect(page.locator("[data-said]")).to_contain_text("You have judged this")
    field(page, "hypothesis", 0).fill("Something else is true.")
    expect(page.locator("[data-composed-how]").first).to_have_text("Written by hand: a rewrite.")
    field(page, "hypothesis", 0).blur()
    saved(page)
    page.locator("#unit-heading").focus()
    page.keyboard.press("z")
    expect(page.locator("#saves")).to_have_text("Taken back.")
    expect(field(page, "hypothesis", 0)).to_have_value(composed)
    found = desks.written("parts", "anna")
    (part,) = next(iter(found["entries"].values()))
    assert part["hypothesis"] == composed
    assert part["label"] == "ENTAILMENT"
    assert (len(found["finished"]), found["equal"]) == (1, True)


def test_the_place_that_was_marked_is_replaced(sit: Open) -> None:
    """Not the first that looks like it; what is not in the text is said, and nothing is sent."""
    page = sit("anna", "parts")
    text = page.locator("[data-whole]").inner_text()
    words = text.rstrip(".").split()
    twice = next(one for one in words if words.count(one) > 1)
    at = text.rindex(twice)
    page.evaluate(
        "([start, end]) => { const node = document.querySelector('[data-whole]').firstChild;"
        " getSelection().setBaseAndExtent(node, start, node, end); }",
        [at, at + len(twice)],
    )
    page.keyboard.press("l")
    page.keyboard.type("QQ")
    made = field(page, "hypothesis").input_value()
    assert made == text[:at] + "QQ" + text[at + len(twice) :]
    expect(page.locator("[data-new] [data-composed-how]")).to_have_text("Composed by the rule.")
    field(page, "lhs").fill("nowhere at all")
    assert not field(page, "lhs").evaluate("one => one.checkValidity()")


def write(page: Page, kind: str, text: str = "", answers: str = "") -> None:
    """Write a question of a series, by keys."""
    page.locator("#unit-heading").focus()
    page.keyboard.press("a")
    page.keyboard.press(kind)
    if text:
        field(page, "text").focus()
        page.keyboard.type(text)
    if answers:
        field(page, "answers").focus()
        page.keyboard.type(answers)
    before = page.locator("[data-entry]").count()
    field(page, "text").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-entry]")).to_have_count(before + 1)


def texts(page: Page) -> list[str]:
    """The questions in the order on the screen."""
    found: list[str] = page.locator("[data-entry]:not([data-new]) [name='answer.text']").evaluate_all(
        "all => all.map(one => one.value)"
    )
    return found


@pytest.mark.nightly
def test_a_series_is_written_moved_and_finished_without_a_connection(sit: Open, desks: Writers) -> None:
    """A question comes before OTHER by itself; everything is kept and sent when the connection is back."""
    page = sit("anna", "series")
    write(page, "3")
    saved(page)
    page.context.set_offline(True)
    write(page, "1", "When was he born?", "1952 | NYT1")
    expect(page.locator("#saves")).to_contain_text("waiting: no connection")
    write(page, "2", "Which films was he in?")
    assert texts(page) == ["When was he born?", "Which films was he in?", ""]
    field(page, "text", 1).focus()
    page.keyboard.press("Alt+ArrowUp")
    assert texts(page) == ["Which films was he in?", "When was he born?", ""]
    field(page, "text", 0).focus()
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Alt+ArrowUp")
    page.keyboard.press("Escape")
    page.locator("#target").fill("Christopher Reeve")
    page.locator("#definition").fill("An actor.")
    page.locator("#unit-heading").focus()
    page.keyboard.press("Enter")
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#unit-heading")).to_have_text("Nothing left to judge")
    saved(page)
    found = desks.written("series", "anna")
    assert [one.get("text", "") for one in found["entries"]["S1"]] == [
        "Which films was he in?",
        "When was he born?",
        "",
    ]
    assert found["finished"]["S1"] == {"target": "Christopher Reeve", "definition": "An actor."}
    assert found["equal"]


def test_what_is_missing_is_said_and_an_entry_that_was_not_added_is_not_lost(sit: Open) -> None:
    """Finishing waits for an entry that is half written; a series without OTHER is refused, and shown again."""
    page = sit("ben", "series")
    page.locator("#target").fill("Crips")
    field(page, "text").fill("Who are they?")
    page.locator("#unit-heading").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#trouble")).to_contain_text("not added yet")
    write(page, "1")
    page.locator("#unit-heading").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#trouble")).to_contain_text("one OTHER question, the last of the series")
    expect(page.locator("#target")).to_have_value("Crips")
    expect(field(page, "text", 0)).to_have_value("Who are they?")


@pytest.mark.nightly
def test_two_write_at_once(sit: Open, desks: Writers) -> None:
    """Each in their own list, of the same pair too."""
    anna, ben = sit("anna", "parts"), sit("ben", "parts")
    for page, right in ((anna, "One"), (ben, "Another")):
        for one in ("t", "ArrowRight", "l"):
            page.keyboard.press(one)
        page.keyboard.type(right)
        field(page, "phenomenon").select_option("lexical:hypernymy")
    for page in (anna, ben):
        field(page, "label").first.check()
        page.locator("[data-new] button[value=save]").click()
    for page in (anna, ben):
        saved(page)
    for who, right in (("anna", "One"), ("ben", "Another")):
        assert [part["rhs"] for parts in desks.written("parts", who)["entries"].values() for part in parts] == [right]


@pytest.mark.nightly
@pytest.mark.parametrize("task", ["parts", "series"])
def test_nothing_is_inaccessible(sit: Open, task: str) -> None:
    """With an entry and without, by day and by night, on a phone; the list of keys has those of the kind."""
    page = sit("anna", task)
    check(page)
    if task == "parts":
        for one in ("t", "ArrowRight", "l"):
            page.keyboard.press(one)
        page.keyboard.type("Somebody")
        field(page, "phenomenon").select_option("lexical:hypernymy")
        field(page, "label").first.check()
        page.locator("[data-new] button[value=save]").click()
    else:
        write(page, "1", "Who?")
    saved(page)
    check(page)
    page.locator("#unit-heading").focus()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_contain_text("left side" if task == "parts" else "earlier")


@pytest.mark.nightly
def test_without_scripts(sit: Open, desks: Writers) -> None:
    """Forms do the same: the hypothesis is composed by the server."""
    page = sit("anna", "parts", java_script_enabled=False)
    word = page.locator("[data-whole]").inner_text().split()[0]
    field(page, "phenomenon").select_option("lexical:hypernymy")
    field(page, "lhs").fill(word)
    field(page, "rhs").fill("Somebody")
    field(page, "label").first.check()
    page.get_by_role("button", name="Add").click()
    assert field(page, "hypothesis", 0).input_value().startswith("Somebody ")
    page.get_by_role("button", name="Finish").click()
    assert len(desks.written("parts", "anna")["finished"]) == 1


def test_the_organiser_makes_the_test_set(browser: Browser, sit: Open, desks: Writers) -> None:
    """By a button on the page of judging, which then says that the round is closed."""
    page = sit("anna", "series")
    write(page, "3")
    page.locator("#target").fill("Crips")
    page.locator("#unit-heading").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#unit-heading")).to_have_text("Nothing left to judge")
    saved(page)
    context = browser.new_context(base_url=desks.address, viewport={"width": 1280, "height": 900})
    context.add_cookies([{"name": "sessionid", "value": desks.sessions["host"], "url": desks.address}])
    host = context.new_page()
    host.goto(f"/c/{desks.name}/tasks/series/judging/")
    check(host)
    host.get_by_role("button", name="Make the test set").click()
    expect(host.get_by_text("The test set is made")).to_be_visible()
    expect(host.get_by_text("New questions: closed")).to_be_visible()
    context.close()


@pytest.mark.nightly
@pytest.mark.parametrize(("task", "typed"), [("parts", "hypothesis"), ("series", "text")])
def test_a_new_entry_that_is_half_written_is_kept(sit: Open, task: str, typed: str) -> None:
    """When one looks at another unit, loads the page again, or undoes what was added before; until it is added."""
    page = sit("anna", task)
    chosen = page.locator("[data-new] select, [data-new] [type=radio]").first
    one = page.locator("[data-new]").locator(f'[name="answer.{typed}"]')

    def choose() -> None:
        if chosen.evaluate("one => one.type") == "radio":
            chosen.check()
        else:
            chosen.select_option(index=1)

    choose()
    one.fill("added")
    if task == "parts":
        page.locator('[data-new] [value="ENTAILMENT"]').check()
    page.locator("[data-new] [value=save]").click()
    expect(page.locator("[data-entry-count]")).to_have_text("1")
    saved(page)
    here = unit(page)
    choose()
    one.fill("half written")
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+N")
    if task == "parts":  # of the series, there is one
        moved(page, here)
        expect(one).to_have_value("")
    page.goto(f"{page.url.partition('?')[0]}?unit={here}")
    expect(one).to_have_value("half written")
    page.reload()
    expect(one).to_have_value("half written")
    if chosen.evaluate("one => one.type") == "radio":
        expect(chosen).to_be_checked()
    page.keyboard.press("z")
    expect(page.locator("[data-entry-count]")).to_have_text("0")
    expect(one).to_have_value("half written")
    if task == "parts":
        page.locator('[data-new] [value="ENTAILMENT"]').check()
    page.locator("[data-new] [value=save]").click()
    expect(page.locator("[data-entry-count]")).to_have_text("1")
    saved(page)
    page.reload()
    expect(one).to_have_value("")
