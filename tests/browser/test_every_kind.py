"""Every kind of judging in a browser: without a connection, by two at once, without scripts, by night, on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import seats
from tests.browser.test_campaign import served
from tests.browser.test_judging import at_hand, check, moved, saved, unit
from tests.server.stages import JUDGED
from tests.surroundings import elsewhere

pytestmark = pytest.mark.nightly

Open = Callable[..., Page]


class Desks:
    """A served campaign, the sessions of those who judge, and a look at what is stored."""

    def __init__(self, home: Path, address: str, made: dict[str, Any]) -> None:
        self.home, self.address, self.name, self.sessions = home, address, made["campaign"], made["sessions"]

    def held(self, task: str) -> dict[str, dict[str, dict[str, str]]]:
        """The units, and entries, that everybody has judged in a task, with what they said."""
        found = _called(self.home, "look")
        assert found["verify"]["equal"], found["verify"]
        made: dict[str, dict[str, dict[str, str]]] = {who: {} for who in self.sessions}
        for who, of, one, values, _ in found["held"]:
            if of == task:
                made.setdefault(who, {})[one] = values
        return made


def _called(*arguments: object) -> Any:
    return elsewhere("-m", "tests.browser.everything", *arguments)


@pytest.fixture(scope="module")
def desks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desks]:
    """One campaign for all tests: what one of them judges, another does not need."""
    home = tmp_path_factory.mktemp("everything") / "home"
    made = _called(home)
    with served(home) as (address, _):
        yield Desks(home, address, made)


@pytest.fixture
def sit(browser: Browser, desks: Desks) -> Iterator[Open]:
    """Open the judging page of a task as somebody; whatever goes wrong in it is a failure."""
    with seats(browser, desks.address) as opened:
        yield lambda who, task, **facts: opened(desks.sessions[who], f"/c/{desks.name}/tasks/{task}/judge/", **facts)


def press(page: Page, *keys: str) -> None:
    """Press keys."""
    for one in keys:
        page.keyboard.press(one)


def _part(page: Page) -> None:
    """A part of a pair, in one's own words, and the pair is finished."""
    press(page, "a", "ArrowDown", *["Tab"] * 5)
    page.keyboard.type("Something is so.")
    press(page, "Tab", "1", "Enter")
    expect(page.locator("[data-entry-count]")).to_have_text("1")
    _finish(page)


def _series(page: Page) -> None:
    """A series of one question."""
    press(page, "a", "3", "Enter")
    expect(page.locator("[data-entry-count]")).to_have_text("1")
    press(page, "Escape", "t")
    page.keyboard.type("The yew")
    _finish(page)


def _finish(page: Page) -> None:
    """By keys alone: Esc leaves whatever is in hand, also an answer that can be chosen."""
    press(page, "Escape", "Enter")


KEYS: dict[str, Callable[[Page], None]] = {
    "labels": lambda page: press(page, "1"),
    "answers": lambda page: press(page, "r"),
    "lists": lambda page: press(page, "Enter"),
    "nuggets": lambda page: press(page, "n", "Enter", "v", "Enter"),
    "matches": lambda page: press(page, "s", "1", "c", "1", "Enter"),
    "citations": lambda page: press(page, "f", "r", "Enter"),
    "quality": lambda page: press(page, "7", "t", "Enter"),
    "preferences": lambda page: press(page, "2"),
    "ratings": lambda page: press(page, "4", "3", "Enter"),
    "parts": _part,
    "development": _series,
}
"""How a unit of each task is judged by keyboard alone."""


def judge(page: Page, task: str) -> str:
    """Judge the unit that is shown; its name."""
    before = unit(page)
    assert before, "nothing is left to judge"
    KEYS[task](page)
    moved(page, before)
    return before


def test_every_task_is_played() -> None:
    """A new kind of judging has to be shown here too."""
    assert KEYS.keys() == JUDGED.keys()


@pytest.mark.nightly
@pytest.mark.parametrize("task", JUDGED)
def test_the_connection_is_cut_and_two_judge_at_once(sit: Open, desks: Desks, task: str) -> None:
    """One goes on without a connection while the other judges the same; all of it is stored, each under its name."""
    anna, ben = sit("anna", task), sit("ben", task)
    before = desks.held(task)
    pooled = JUDGED[task].shared
    done = {"anna": [judge(anna, task)], "ben": [judge(ben, task)]}
    saved(anna)
    if not pooled:  # in a pool, the next unit is given out when it is asked for
        at_hand(anna)
        anna.context.set_offline(True)
    done["anna"].append(judge(anna, task))
    if not pooled:
        expect(anna.locator("#saves")).to_contain_text("waiting: no connection")
    done["ben"].append(judge(ben, task))
    saved(ben)
    anna.context.set_offline(False)
    anna.evaluate("dispatchEvent(new Event('online'))")
    saved(anna)
    after = desks.held(task)
    for who, units in done.items():
        stored = after[who].keys() - before[who].keys()
        assert set(units) <= stored
        assert {one.partition("/")[0] for one in stored} == set(units)


@pytest.mark.nightly
@pytest.mark.parametrize("task", JUDGED)
def test_accessible_by_night_on_a_phone_and_without_scripts(sit: Open, desks: Desks, task: str) -> None:
    """Axe finds nothing, nothing is wider than a phone, and plain forms store the same."""
    page = sit("anna", task)
    check(page)
    page = sit("ben", task, java_script_enabled=False)
    here = unit(page)
    if task in ("nuggets", "parts", "development"):
        form = page.locator("[data-entry-form]").last
        if task == "nuggets":
            form.locator("textarea").fill("written without scripts")
            form.get_by_label("vital").check()
        elif task == "parts":
            form.locator("select").select_option(index=1)
            form.get_by_label("Hypothesis").fill("Something is so.")
            form.get_by_label("ENTAILMENT", exact=True).or_(form.locator("input[type=radio]").first).first.check()
        else:
            form.get_by_label("OTHER").check()
        form.get_by_role("button", name="Add").click()
        assert unit(page) == here, "the list goes on"
        expect(page.locator("[data-entry-count]")).to_have_text("1")
    form = page.locator("#answer")
    if task == "development":
        page.locator("#target").fill("The oak")
    for group in form.locator("fieldset").all():
        if group.is_visible() and group.locator("input[type=radio]").count():
            group.locator("input[type=radio]").first.check()
    form.locator("[value=save]").click()
    expect(page.locator("#judge")).not_to_have_attribute("data-unit", here)
    assert page.locator(".error").count() == 0
    assert here in desks.held(task)["ben"]


def test_groups_that_differ_are_decided_by_keyboard(sit: Open, desks: Desks) -> None:
    """The adjudicator sees both groupings without names, and sets groups, reason and note by keys."""
    page = sit("cleo", "lists")
    expect(page.get_by_text("Groups so far")).to_be_visible()
    expect(page.locator(".votes li")).to_have_count(2)
    text = page.locator("main").inner_text()
    assert "dora" not in text
    assert "emil" not in text
    check(page)
    press(page, "ArrowDown", "1", "ArrowDown", "1", "ArrowDown", "2", "ArrowDown", "2", "Escape", "e", "Enter")
    expect(page.locator("#trouble")).to_contain_text("Groups that nobody made")
    press(page, "Escape", "Shift+C")
    page.keyboard.type("two are alike")
    press(page, "Escape", "Enter")
    expect(page.get_by_role("heading", name="Nothing left to judge")).to_be_visible()
    saved(page)
    (values,) = desks.held("lists")["cleo"].values()
    assert values["note"] == "two are alike"
    assert sorted(value for name, value in values.items() if name.startswith("group-")) == ["1", "1", "2", "2"]
