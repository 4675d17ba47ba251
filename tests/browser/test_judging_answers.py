"""Judging answers in a browser: a key for each verdict, suggestions, the document, groups and further answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_campaign import served
from tests.browser.test_judging import Desks, Open, at_hand, check, key, saved, unit
from tests.browser.test_judging import sit as sit
from tests.surroundings import elsewhere


@pytest.fixture
def desks(tmp_path: Path) -> Iterator[Desks]:
    """A campaign of its own for each test."""
    home = tmp_path / "home"
    made = elsewhere("-m", "tests.browser.quiz", home)
    with served(home) as (address, _):
        yield Desks(home, address, made)


def told(page: Page, said: set[str]) -> str:
    """What is suggested, once it follows from what was said about the same string; `said` has these strings."""
    box, same = page.locator("[data-suggested]"), page.locator("#judge").get_attribute("data-same") or ""
    if same in said:
        expect(box).to_contain_text("you judged", ignore_case=True)
    said.add(same)
    return box.inner_text().lower()


def test_verdicts_by_keyboard_alone(sit: Open, desks: Desks) -> None:
    """One key per verdict; Enter confirms what is suggested, where that is a verdict; z takes back."""
    page, other = sit("anna", "verdicts"), sit("ben", "verdicts")
    total = page.locator("#judge progress").get_attribute("max")
    judged, confirmed, asked = 0, 0, 0
    strings: dict[str, list[str]] = {}
    known: set[str] = set()
    for turn in range(int(total or 0)):
        told(page, known)
        suggested = page.locator("[data-suggested]")
        label = suggested.get_attribute("data-suggested")
        string = page.locator("#judge").get_attribute("data-same") or ""
        strings.setdefault(string, []).append(unit(page))
        if label == "" and asked == 0:
            before = unit(page)
            page.keyboard.press("Enter")
            assert unit(page) == before, "nothing is chosen and nothing suggested that is a verdict"
            asked += 1
        if label == "W":
            expect(suggested).to_contain_text("Incorrect")
            key(page, "Enter")
            confirmed += 1
        else:
            key(page, "wuxrl"[turn % 5])
        saved(page)
        judged += 1
    assert confirmed > 0
    expect(page.get_by_role("heading", name="Nothing left to judge")).to_be_visible()
    key(page, "z")
    expect(page.locator("#saves")).to_have_text("Taken back.")
    check(page)
    said = desks.ballots("verdicts", "anna")
    assert [one["act"] for one in said] == ["judged"] * judged + ["undone"]
    assert {one["values"].get("label") for one in said} >= set("WUXRL")
    assert unit(other) in {name for names in strings.values() for name in names}
    key(other, "r")
    saved(other)
    assert len(desks.ballots("verdicts", "ben")) == 1


@pytest.mark.nightly
def test_the_document_is_shown_at_the_answer(sit: Open) -> None:
    """The string is marked, and the box is scrolled to it."""
    page = sit("anna", "verdicts")
    for _ in range(40):
        if page.locator(".document mark").count() and page.locator(".document mark").first.inner_text() == "Varnholm":
            break
        key(page, "Shift+N")
    mark = page.locator(".document mark").first
    assert mark.inner_text() == "Varnholm"
    inside = "one => { const a = one.getBoundingClientRect(), b = one.closest('.document').getBoundingClientRect(); "
    assert mark.evaluate(
        inside + "return a.top >= b.top && a.bottom <= b.bottom && one.closest('.document').scrollTop > 0; }"
    )
    check(page)


@pytest.mark.nightly
def test_a_suggestion_follows_ones_own_verdict_without_a_connection_too(sit: Open, desks: Desks) -> None:
    """Work goes on while the network is cut; once it is back, the same string brings what was said about it."""
    page = sit("anna", "verdicts")
    at_hand(page)
    page.context.set_offline(True)
    key(page, "r", "w")
    expect(page.locator("#saves")).to_contain_text("2 saves waiting")
    page.context.set_offline(False)
    expect(page.get_by_text("2 of")).to_be_visible(timeout=30_000)
    seen, known = False, set[str]()
    for _ in range(60):
        if page.locator("[data-end]").count():
            break
        seen |= "you judged" in told(page, known)
        key(page, "r")
        saved(page)
    assert seen
    suggested = [one for one in desks.ballots("verdicts", "anna") if one["act"] == "judged"]
    assert len({one["unit"] for one in suggested}) == len(suggested)


@pytest.mark.nightly
def test_keys_work_while_a_group_is_written(sit: Open, desks: Desks) -> None:
    """A group takes digits alone; letters do what they do elsewhere; Enter goes on, and finishes on its button only."""
    page = sit("cleo", "lists")
    if not page.locator("[form=answer][data-group-number]").count():
        key(page, "Shift+N")
    here, fields = unit(page), page.locator("[form=answer][data-group-number]")
    begun = [fields.nth(at).input_value() for at in range(fields.count())]
    page.keyboard.press("ArrowDown")
    for letter in "unpc":
        page.keyboard.press(letter)
    assert [fields.nth(at).input_value() for at in range(fields.count())] == begun
    page.keyboard.press("g")
    assert not page.locator("#guidelines").evaluate("one => one.open")
    fields.first.focus()
    page.keyboard.press("a")
    page.keyboard.type("the lost saxifrage 2")
    page.keyboard.press("Enter")
    expect(page.locator("[data-new] [data-group-number]")).to_be_focused()
    page.keyboard.press("9")
    page.keyboard.press("Enter")
    expect(page.locator("[data-entry-count]")).to_have_text("1")
    saved(page)
    fields.first.focus()
    fields.first.evaluate("one => { one.value = 'x4y'; one.dispatchEvent(new Event('input', { bubbles: true })); }")
    expect(fields.first).to_have_value("4")
    for at in range(1, fields.count()):
        page.keyboard.press("Enter")
        expect(fields.nth(at)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#answer [value=save]")).to_be_focused()
    assert unit(page) == here
    assert [one["values"] for one in desks.ballots("lists", "cleo") if one["stage"] == "lists"] == [
        {"answer": "the lost saxifrage 2", "group": "9"}
    ]
    key(page, "Enter")
    saved(page)
    values = [one["values"] for one in desks.ballots("lists", "cleo") if one["stage"] == "lists"][-1]
    assert sorted(values.values()) == sorted(["4", *begun[1:]])


@pytest.mark.nightly
def test_a_suggestion_can_be_tapped(sit: Open, desks: Desks) -> None:
    """On a phone, which shows no keys, and without scripts."""
    for scripts in (True, False):
        who = "anna" if scripts else "ben"
        page = sit(who, "verdicts", java_script_enabled=scripts)
        page.set_viewport_size({"width": 390, "height": 844})
        agree, known = page.get_by_role("button", name="Agree"), set[str]()
        for _ in range(60):
            told(page, known)
            if agree.count() and agree.is_visible():
                break
            before = unit(page)
            page.get_by_text("Incorrect", exact=True).first.click()
            if not scripts:
                page.get_by_role("button", name="Save").click()
            expect(page.locator("#judge")).not_to_have_attribute("data-unit", before)
            if scripts:
                saved(page)
        before, done = unit(page), len(desks.ballots("verdicts", who))
        agree.click()
        expect(page.locator("#judge")).not_to_have_attribute("data-unit", before)
        expect(page.get_by_text("Saved.")).to_be_visible()
        said = desks.ballots("verdicts", who)
        assert len(said) == done + 1
        assert said[-1]["values"] == {"label": "W"}


@pytest.mark.nightly
def test_groups_and_further_answers_by_keyboard(sit: Open, desks: Desks) -> None:
    """Arrows move from answer to answer, digits set groups; an own answer is added; Enter finishes."""
    page = sit("cleo", "lists")
    if not page.locator("[form=answer][data-group-number]").count():
        key(page, "Shift+N")
    fields = page.locator("[form=answer][data-group-number]")
    count = fields.count()
    assert count >= 3
    expect(page.locator("[data-suggested]")).to_contain_text("the same but for spelling", ignore_case=True)
    page.keyboard.press("ArrowDown")
    expect(fields.first).to_be_focused()
    page.keyboard.press("7")
    page.keyboard.press("ArrowDown")
    expect(fields.nth(1)).to_be_focused()
    page.keyboard.press("7")
    page.keyboard.press("ArrowUp")
    expect(fields.first).to_have_value("7")
    check(page)
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.keyboard.type("Ottilie's campion")
    page.keyboard.press("Enter")
    expect(page.locator("[data-new] [data-group-number]")).to_be_focused()
    page.keyboard.press("9")
    page.keyboard.press("Enter")
    saved(page)
    expect(page.locator("[data-entry-count]")).to_have_text("1")
    page.keyboard.press("Escape")
    key(page, "Enter")
    saved(page)
    said = desks.ballots("lists", "cleo")
    lists = [one for one in said if one.get("stage") == "lists"]
    assert lists[0]["values"] == {"answer": "Ottilie's campion", "group": "9"}
    groups = [value for name, value in lists[1]["values"].items() if name.startswith("group-")]
    assert len(groups) == count
    assert groups.count("7") >= 2


@pytest.mark.nightly
def test_nothing_is_undone_on_a_page_that_is_closed(sit: Open, desks: Desks) -> None:
    """`z` there would take back what was judged elsewhere."""
    page = sit("cleo", "lists")
    key(page, "Enter")
    saved(page)
    done = len(desks.ballots("lists", "cleo"))
    page.goto(page.url.partition("?")[0])
    for _ in range(20):
        if page.get_by_text("nothing can be changed here").count():
            break
        before = unit(page)
        key(page, "Shift+P")
        expect(page.locator("#judge")).not_to_have_attribute("data-unit", before)
    expect(page.get_by_role("heading", name="What you said")).to_be_visible()
    check(page)
    page.keyboard.press("z")
    expect(page.locator("#trouble")).to_have_text("Nothing can be undone here.")
    assert len(desks.ballots("lists", "cleo")) == done
