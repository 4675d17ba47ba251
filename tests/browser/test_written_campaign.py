"""A campaign that begins without questions, in browsers alone: assessors write them; what they know is scored by."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.players import playing, written
from tests.browser.test_judging import saved
from tests.browser.test_nuggets import new
from tests.browser.test_whole_campaign import (
    AGREEMENT,
    FLOOD,
    STEAM,
    TASK,
    downloaded,
    karat,
    match,
    release,
    rows,
    visited,
)
from tests.browser.test_writing import field, write

TARGET, DEFINITION = "the harbour mill", "What became of the mill after 1871."
STRINGS = {
    "Maple": (
        ("S1.1", "D1", "1790"),
        ("S1.2", "D2", "a wheel"),
        ("S1.2", "D3", "the stone"),
        ("S1.3", "NIL", ""),
        ("S1.4", "D4", FLOOD),
        ("S1.4", "D5", STEAM),
    ),
    "Willow": (("S1.1", "D1", "1791"), ("S1.2", "D2", "a clock"), ("S1.3", "D3", "Paul"), ("S1.4", "D4", FLOOD)),
}
WRONG = ("1791", "a clock", "paul")
"""Whatever their capitals."""


def answers_of(team: str) -> str:
    """A run of answers."""
    return "qid\tdoc\tanswer\n" + "".join("\t".join(row) + "\n" for row in STRINGS[team])


def write_series(page: Page) -> None:
    """A series with answers that its author knows, and a question to which none was found."""
    write(page, "3")
    write(page, "1", "When was the mill built?", "1790 | D1")
    write(page, "2", "What did the mill have inside?", "a wheel\na sieve")
    page.locator("#unit-heading").focus()
    page.keyboard.press("a")
    field(page, "none").first.check()
    write(page, "1", "Who owns the mill today?")
    page.keyboard.press("Escape")
    page.locator("#target").fill(TARGET)
    page.locator("#definition").fill(DEFINITION)
    saved(page)
    page.locator("#unit-heading").focus()
    page.keyboard.press("Enter")


def judge_verdict(page: Page) -> None:
    """Right, or incorrect."""
    _, string = (page.locator("#judge").get_attribute("data-same") or "").split("\t")
    page.keyboard.press("w" if string in WRONG else "r")


def write_nuggets(page: Page) -> None:
    """Both facts, by the definition of whoever wrote the series."""
    expect(page.get_by_text(DEFINITION)).to_be_visible()
    for nugget in (FLOOD, STEAM):
        new(page, nugget, "v")
    saved(page)
    page.keyboard.press("Enter")


@pytest.mark.nightly
def test_questions_are_written_answered_judged_and_released(browser: Browser, tmp_path: Path) -> None:
    """Known answers count among those to be found, NIL is right where none was found; the page shows `karat qa`."""
    files = written(tmp_path, {f"{team}.tsv": answers_of(team) for team in STRINGS})
    with playing(browser, tmp_path) as play:
        page = play.host
        page.get_by_label("No file yet").check()
        page.get_by_label("Title").fill("Autumn of questions")
        page.get_by_role("button", name="Start the campaign").click()
        play.said("Your campaign is ready")
        play.title = "Autumn of questions"
        play.settings("There is an agreement", lambda page: page.get_by_label("Agreement").fill(AGREEMENT))
        play.join("assessor", "anna")
        alone = {"Assessors_for_each_unit": "1"}
        play.assign(TASK, "development", "anna", Units="S1", **alone)
        assert play.judge("anna", TASK, write_series) == 1
        play.menu(f"Judging: {TASK}").get_by_role("button", name="Make the test set").click()
        expect(page.get_by_text("The test set is made")).to_be_visible()
        play.open(lambda _: None)
        play.join("team", *STRINGS)
        for team in STRINGS:
            blind = play.data(team, TASK)
            assert b"Who owns the mill today?" in blind
            assert not any(known in blind for known in (b"1790", b"sieve", DEFINITION.encode()))
            play.submit(team, TASK, files[f"{team}.tsv"])
        play.close()
        play.assign(TASK, "labels", "anna", **alone)
        assert play.judge("anna", TASK, judge_verdict) == 6
        play.close_round(TASK, "labels")
        play.assign(TASK, "lists", "anna", **alone)
        play.judge("anna", TASK, lambda page: page.keyboard.press("Enter"))
        play.close_round(TASK, "lists")
        play.assign(TASK, "nuggets", "anna", **alone)
        assert play.judge("anna", TASK, write_nuggets) == 1
        play.close_round(TASK, "nuggets")
        play.assign(TASK, "matches", "anna", **alone)
        assert play.judge("anna", TASK, match) == 2
        assert "2 runs scored by the judgments" in play.close_round(TASK, "matches")
        release(play)
        folder = downloaded(play, visited(play)) / "questions"
        given = [(f"--{name}", folder / f"{name}.tsv") for name in ("judgments", "nuggets", "matches")]
        (key,) = folder.glob("key.*")
        karat("qa", key, folder / "runs", *sum(given, ()), "-o", tmp_path / "scores.csv")
        assert rows(folder / "scores.csv") == rows(tmp_path / "scores.csv")
        # Both factoids; two of three list answers, one of them known to the author alone; both nuggets.
        scores = {(row["run"], row["unit"]): float(row["score"]) for row in rows(folder / "scores.csv")}
        assert scores["Maple-1", "S1.3"] == 1, "NIL is right"
        assert scores["Willow-1", "S1.3"] == 0
        assert scores["Maple-1", "S1"] == pytest.approx((2 * 1 + 0.8 + 1) / 4)
