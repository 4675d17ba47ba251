"""Small campaigns from the empty server to the public page, in browsers alone: what is shown is what files give."""

from __future__ import annotations

import csv
import json
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.players import Play, playing, written
from tests.browser.test_campaign import KARAT
from tests.browser.test_judging import saved
from tests.browser.test_nuggets import new

AGREEMENT = "You keep the test data to yourselves until the results are public."
GUIDELINES = "# Guidelines\n\nJudge by the text alone."
PAIRS = {
    "The ferry left at noon with forty people.": ("The ferry left at noon.", "ENTAILMENT"),
    "Nobody has climbed the tower since 1950.": ("The tower was climbed in 1960.", "CONTRADICTION"),
    "The bakery sells bread and cakes.": ("The bakery opens at six.", "UNKNOWN"),
    "Ines sold her boat to Paul.": ("Paul bought a boat.", "ENTAILMENT"),
    "The bridge is closed all week.": ("The bridge was open on Tuesday of that week.", "CONTRADICTION"),
    "Most of the apples were ripe.": ("Some of the apples were ripe.", "UNKNOWN"),
}
"""Texts, hypotheses, and a key with a slip at the end, which the assessors find."""
LABELS = ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")
ANSWERS = {
    "Maple": ("ENTAILMENT", "CONTRADICTION", "UNKNOWN", "UNKNOWN", "CONTRADICTION", "ENTAILMENT"),
    "Willow": ("ENTAILMENT", "UNKNOWN", "ENTAILMENT", "ENTAILMENT", "UNKNOWN", "UNKNOWN"),
}


def karat(*arguments: object) -> None:
    """Carry out a command."""
    done = subprocess.run([*KARAT, *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def visited(play: Play) -> Page:
    """The page of results as somebody sees it who has no account."""
    page = play.sit("visitor")
    page.goto("/")
    page.get_by_role("link", name=play.title).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{play.title}: results")
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    return page


def downloaded(play: Play, page: Page) -> Path:
    """The folder of all files behind that page."""
    found = play.saved_as(page, page.get_by_role("link", name="Download all of this as files"))
    with zipfile.ZipFile(found) as archive:
        archive.extractall(play.folder / "public")
    (folder,) = (play.folder / "public").iterdir()
    return folder


def key_file() -> str:
    """The pairs with their labels."""
    pairs = "".join(
        f'<pair id="{number}" entailment="{label}" task="IE" length="short"><t>{text}</t><h>{hypothesis}</h></pair>\n'
        for number, (text, (hypothesis, label)) in enumerate(PAIRS.items(), 1)
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<entailment-corpus>\n{pairs}</entailment-corpus>\n'


def run_file(team: str) -> str:
    """A run with justifications."""
    lines = [
        {"id": str(number), "label": label, "justification": f"{team} read the text, and number {number} is {label}."}
        for number, label in enumerate(ANSWERS[team], 1)
    ]
    return "".join(json.dumps(one) + "\n" for one in lines)


@pytest.mark.nightly
def test_entailment_with_justifications(browser: Browser, tmp_path: Path) -> None:
    """Labels, decisions and ratings by keyboard; the agreed key replaces the first; the page shows `karat score`."""
    files = written(tmp_path, {"pairs.xml": key_file()} | {f"{team}-1.jsonl": run_file(team) for team in ANSWERS})

    def set_up(page: Page) -> None:
        page.get_by_label("Agreement").fill(AGREEMENT)
        page.get_by_label("Guidelines for assessors").fill(GUIDELINES)
        task = page.get_by_role("group", name="Further task")
        task.get_by_label("Name", exact=True).fill("reasons")
        task.get_by_label("Title", exact=True).fill("Reasons")
        task.get_by_label("Kind").select_option("justifications")
        task.get_by_label("Justifications").select_option("required")
        task.get_by_label("Test set with key").set_input_files(files["pairs.xml"])

    with playing(browser, tmp_path) as play:
        play.start(files["pairs.xml"], "Spring of entailment")
        play.open(set_up)
        play.join("team", *ANSWERS)
        play.join("assessor", "anna", "ben", "carla")
        for team in ANSWERS:
            for task in ("Three-way entailment", "Reasons"):
                blind = play.data(team, task)
                assert b"Ines sold her boat" in blind
                assert not any(label.encode() in blind for label in LABELS)
                play.submit(team, task, files[f"{team}-1.jsonl"])
        play.close()
        judge_pairs(play)
        replace_key(play)
        release(play)
        page = visited(play)
        for task in ("Three-way entailment", "Reasons"):
            expect_board(page, task, {"Maple-1": "83.3", "Willow-1": "33.3"})
        folder = downloaded(play, page)
        runs = [files[f"{team}-1.jsonl"] for team in ANSWERS]
        # Reports break results down by the first attribute that pairs have.
        karat("score", tmp_path / "agreed.xml", *runs, "--by", "task", "-o", tmp_path / "scores.csv")
        for task in ("three-way", "reasons"):
            assert rows(folder / task / "scores.csv") == rows(tmp_path / "scores.csv")
            assert (folder / task / "former-keys" / "version-2.xml").read_bytes() == files["pairs.xml"].read_bytes()


def judge_pairs(play: Play) -> None:
    """Two label and rate, a third decides what they differ on."""
    task, gold = "Three-way entailment", dict(PAIRS.values()) | {"Some of the apples were ripe.": "ENTAILMENT"}
    unsure, _ = PAIRS["The bridge is closed all week."]

    def label(page: Page, said: Mapping[str, str] = gold) -> None:
        page.keyboard.press(str(1 + LABELS.index(said[page.locator(".hypothesis").inner_text()])))

    def decide(page: Page) -> None:
        expect(page.locator(".hypothesis")).to_have_text(unsure)
        page.keyboard.press("3")
        page.keyboard.press("e")
        page.keyboard.press("Enter")

    def rate(page: Page) -> None:
        page.keyboard.press("4")
        expect(page.get_by_role("group", name="How compelling is it")).to_be_visible()
        page.keyboard.press("3")
        page.keyboard.press("Enter")

    play.assign(task, "labels", "anna", "ben")
    play.assign(task, "adjudication", "carla")
    assert play.judge("anna", task, label) == 6
    assert play.judge("ben", task, lambda page: label(page, gold | {unsure: "UNKNOWN"})) == 6
    assert play.judge("carla", task, decide) == 1
    for stage in ("labels", "adjudication"):
        play.close_round(task, stage)
    play.assign("Reasons", "ratings", "anna", "ben", Units="1\n6")
    for who in ("anna", "ben"):
        assert play.judge(who, "Reasons", rate) == 4
    play.close_round("Reasons", "ratings")


def replace_key(play: Play) -> None:
    """Take the labels that were agreed on as the new key, after a look at what changes."""
    page = play.menu("Judging: Three-way entailment")
    file = play.saved_as(page, page.get_by_role("region", name="Files").get_by_role("link", name="key.xml"))
    agreed = file.rename(play.folder / "agreed.xml")
    play.menu("New key")
    page.get_by_label("The new key").set_input_files(agreed)
    page.get_by_label("Why it is replaced").fill("what the assessors agreed on")
    page.get_by_role("button", name="Show what it changes").click()
    expect(page.get_by_text("Key version 3 would replace version 2")).to_be_visible()
    page.get_by_role("button", name="Replace the key").click()
    expect(page.get_by_role("status")).to_contain_text("Key version 3 is in force")


def release(play: Play) -> None:
    """To the teams first, of which each sees its own results alone; then to everybody."""
    play.release("To each team: its own results", "Release to the teams")
    for team, other in (("Maple", "Willow"), ("Willow", "Maple")):
        page = play.overview(team)
        page.get_by_role("link", name="See the results").click()
        expect(page.get_by_role("link", name=f"All numbers of team {team}").first).to_be_visible()
        expect(page.locator("main")).not_to_contain_text(other)
    play.release("To everybody: all results", "Release to everybody")


def rows(file: Path) -> list[dict[str, str]]:
    """A table."""
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def expect_board(page: Page, task: str, values: dict[str, str]) -> None:
    """The leaderboard of a task has these runs with these values."""
    board = page.get_by_role("region", name=task).locator(".board").first
    for run, value in values.items():
        expect(board.get_by_role("row", name=run)).to_contain_text(value)


QUESTIONS = """id\tseries\ttarget\ttype\tquestion
1.1\t1\tthe harbour mill\tFACTOID\tWhen was the mill built?
1.2\t1\tthe harbour mill\tLIST\tWhat did the mill have inside?
1.3\t1\tthe harbour mill\tOTHER\tOther
"""
FLOOD, STEAM = "A flood broke the wheel in 1871.", "Steam ground the grain from then on."
STRINGS = {
    "Maple": (
        ("1.1", "1790"),
        ("1.2", "a wheel"),
        ("1.2", "the stone"),
        ("1.2", "a hoist"),
        ("1.3", FLOOD),
        ("1.3", STEAM),
    ),
    "Willow": (("1.1", "about 1790"), ("1.2", "stone"), ("1.2", "a clock"), ("1.2", "a winch"), ("1.3", FLOOD)),
}
VERDICTS = {"1790": "r", "about 1790": "x", "a wheel": "r", "the stone": "r", "stone": "r"} | {
    "a hoist": "l",
    "a clock": "w",
    "a winch": "u",
}
"""What the assessors say about each string, by the key."""
TASK = "Questions"


def answers_of(team: str) -> str:
    """A run of answers, each from a document of its own; both teams call theirs the same."""
    rows = [f"our best\t{question}\tD{number}\t{string}\n" for number, (question, string) in enumerate(STRINGS[team])]
    return "".join(["run\tqid\tdoc\tanswer\n", *rows])


@pytest.mark.nightly
def test_a_series_of_questions(browser: Browser, tmp_path: Path) -> None:
    """Verdicts, lists, nuggets and matches by keyboard; scores come with closed rounds; the page shows `karat qa`."""
    files = written(tmp_path, {"series.tsv": QUESTIONS} | {f"by {team}.tsv": answers_of(team) for team in STRINGS})

    def set_up(page: Page) -> None:
        page.get_by_label("Agreement").fill(AGREEMENT)
        page.get_by_label("Guidelines for assessors").fill(GUIDELINES)

    with playing(browser, tmp_path) as play:
        play.start(files["series.tsv"], "Summer of questions")
        play.open(set_up)
        play.join("team", *STRINGS)
        play.join("assessor", "anna", "ben", "carla")
        for team in STRINGS:
            assert b"When was the mill built?" in play.data(team, TASK)
            play.submit(team, TASK, files[f"by {team}.tsv"])
        play.close()
        judge_answers(play)
        judge_nuggets(play)
        release(play)
        page = visited(play)
        shown = page.get_by_role("region", name=TASK)
        for run, value in (("Maple-1", "0.917"), ("Willow-1", "0.274")):
            row = shown.get_by_role("table", name="Runs").get_by_role("row", name=run)
            expect(row.get_by_role("cell").first).to_have_text(value)
        folder = downloaded(play, page) / "questions"
        given = [(f"--{name}", folder / f"{name}.tsv") for name in ("judgments", "nuggets", "matches")]
        karat("qa", files["series.tsv"], folder / "runs", *sum(given, ()), "-o", tmp_path / "scores.csv")
        assert rows(folder / "scores.csv") == rows(tmp_path / "scores.csv")
        lists = [folder / f"{name}.tsv" for name in ("nuggets", "matches")]
        karat("nuggets", *lists, "--answers", folder / "runs", "-o", tmp_path / "nuggets.csv")
        assert {row["run"] for row in rows(tmp_path / "nuggets.csv")} == {"Maple-1", "Willow-1"}
        assert {row["own_name"] for row in rows(folder / "runs.csv")} == {"our best"}
        # Half for the factoid, a quarter each for the list (wheel and stone of wheel, stone and sieve) and the nuggets.
        assert float(rows(folder / "scores.csv")[0]["score"]) == pytest.approx((2 * 1 + 2 / 3 + 1) / 4)


def judge_answers(play: Play) -> None:
    """Verdicts and lists of distinct answers by two, and the decisions of a third where they differ."""

    def judge(page: Page, said: Mapping[str, str] = VERDICTS) -> None:
        _, string = (page.locator("#judge").get_attribute("data-same") or "").split("\t")
        page.keyboard.press(said[string])

    def decide(page: Page) -> None:
        expect(page.get_by_role("heading", name="Verdicts so far")).to_be_visible()
        for key in ("x", "e", "Enter"):
            page.keyboard.press(key)

    def finish(page: Page, apart: bool = False) -> None:
        fields = page.locator("[form=answer][data-group-number]")
        for number in range(1, 1 + (fields.count() if apart else 0)):
            page.keyboard.press("ArrowDown")
            page.keyboard.type(str(number))
        page.keyboard.press("Escape")
        if fields.count() and not apart:
            page.keyboard.press("a")
            page.keyboard.type("a sieve")
            page.keyboard.press("Enter")
            page.keyboard.type("9")
            page.keyboard.press("Enter")
            saved(page)
            expect(page.locator("[data-entry-count]")).to_have_text("1")
            page.keyboard.press("Escape")
        page.keyboard.press("Enter")

    play.assign(TASK, "labels", "anna", "ben")
    play.assign(TASK, "adjudication", "carla")
    assert play.judge("anna", TASK, judge) == len(VERDICTS)
    assert play.judge("ben", TASK, lambda page: judge(page, VERDICTS | {"about 1790": "r"})) == len(VERDICTS)
    assert play.judge("carla", TASK, decide) == 1
    assert "Scores wait" in play.close_round(TASK, "labels")
    play.assign(TASK, "lists", "anna", "ben", Assessors_for_each_unit="2")
    assert play.judge("anna", TASK, finish) == 2
    # For Ben, “the stone” and “stone” are two answers.
    assert play.judge("ben", TASK, lambda page: finish(page, apart=True)) == 2
    assert "1 list whose groups differ" in play.close_round(TASK, "lists")

    def regroup(page: Page) -> None:
        expect(page.get_by_text("Groups so far")).to_be_visible()
        for key in ("d", "Enter"):  # as the answers begin: alike, if they differ in spelling alone
            page.keyboard.press(key)

    assert play.judge("carla", TASK, regroup) == 1
    assert "2 runs scored by the judgments" in play.close_round(TASK, "adjudication")


def match(page: Page) -> None:
    """Each nugget where its words are."""
    told = " ".join(page.locator("[data-number] .saying").all_inner_texts())
    for nugget in (FLOOD, STEAM):
        for key in ("s", "1") if nugget in told else ("n",):
            page.keyboard.press(key)
    page.keyboard.press("Enter")


def judge_nuggets(play: Play) -> None:
    """Two write lists and look for their nuggets in each response; they differ on what is vital."""

    def write(page: Page, importance: str) -> None:
        new(page, FLOOD, "v")
        new(page, STEAM, importance)
        saved(page)
        page.keyboard.press("Enter")

    play.assign(TASK, "nuggets", "anna", "ben")
    for who, importance in (("anna", "v"), ("ben", "o")):
        assert play.judge(who, TASK, lambda page, how=importance: write(page, how)) == 1  # type: ignore[misc]
    assert "Scores wait" in play.close_round(TASK, "nuggets")
    play.assign(TASK, "matches", "anna", "ben")
    for who in ("anna", "ben"):
        assert play.judge(who, TASK, match) == 2
    assert "2 runs scored by the judgments" in play.close_round(TASK, "matches")
