"""Groups of list answers on which assessors differ: nobody's count until an adjudicator has decided."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from karat.campaign.judging.dealing import token
from tests.server.test_judging_answers import TASK, by_key, close, give
from tests.server.test_judging_answers import quiz as quiz

LIST = "2.5"
"""A list question of the example with several correct answers."""


@pytest.fixture
def grouped(quiz: Any) -> Any:
    """A campaign whose verdicts are closed; anna and ben say which answers to a list question are the same."""
    from karat.server import assigning

    give(quiz, "cleo", per_unit=1)
    quiz.play("cleo", by_key(quiz), TASK)
    close(quiz)
    give(quiz, "anna", "ben", stage="lists", units=[LIST], per_unit=2)
    assert assigning.lacking(quiz.name, TASK)
    return quiz


def said(made: Any, who: str, *numbers: str) -> Any:
    """Group the answers by these numbers, or as they begin; the answers with their groups."""
    shown = made.next(who, TASK)
    asks = [ask for ask in shown["ask"] if ask["name"].startswith("group-")]
    values = {ask["name"]: (numbers[at] if numbers else ask["start"]) for at, ask in enumerate(asks)}
    answer = made.judge(who, shown["unit"], TASK, values=values)
    assert answer.status_code == 201, answer.content
    return {ask["text"]: values[ask["name"]] for ask in asks}


def groups_in_file(made: Any) -> dict[str, str]:
    """The groups of the list question in the file by which runs are scored, by string."""
    from karat.server import assigning

    rows = csv.DictReader(io.StringIO(assigning.file_of(made.name, TASK).decode()), delimiter="\t")
    return {row["answer"]: row["group"] for row in rows if row["qid"] == LIST and row["verdict"] == "R"}


def standings(made: Any) -> dict[str, int]:
    """How many strings and lists stand where, as the organiser's page says."""
    from karat.server import assigning

    found: dict[str, int] = assigning.counts(made.name, TASK)["units"]
    return found


def lacks(made: Any) -> str:
    """What is not in that file."""
    from karat.server import assigning

    return assigning.lacking(made.name, TASK)


def test_the_same_groups_under_other_numbers_are_the_same(grouped: Any) -> None:
    """What the groups are called does not matter."""
    first = said(grouped, "anna")
    other = {number: str(70 + place) for place, number in enumerate(dict.fromkeys(first.values()))}
    before = standings(grouped)
    said(grouped, "ben", *(other[number] for number in first.values()))
    assert groups_in_file(grouped) == first
    assert "differ" not in lacks(grouped)
    now = standings(grouped)
    assert now == before | {"open": before["open"] - 1, "agreed": before["agreed"] + 1}


def test_a_group_is_a_number(grouped: Any) -> None:
    """Whatever else stands in its field is refused, with what was expected, and nothing is stored."""
    shown = grouped.next("anna", TASK)
    names = [ask["name"] for ask in shown["ask"] if ask["name"].startswith("group-")]
    assert all(ask["number"] for ask in shown["ask"] if ask["name"] in names)
    for wrong in ("a", "1a", "2 ", "-1", "1.5", "²", "٣", "01", "1234567890"):
        values = dict.fromkeys(names, "1") | {names[0]: wrong}
        answer = grouped.judge("anna", shown["unit"], TASK, values=values)
        assert answer.status_code == 422, wrong
        (problem,) = answer.json()["problems"]
        assert "a number in digits" in problem["expected"], problem
    assert grouped.next("anna", TASK)["values"] == {}


def test_groups_that_differ_are_decided(grouped: Any) -> None:
    """Nobody's groups count before that; the adjudicator sees both without names, and has grouped none themselves."""
    from karat.campaign.judging.closing import ready
    from karat.server import assigning, store

    first = said(grouped, "anna", "1", "1", "2", "3")
    assert set(groups_in_file(grouped).values()) == {""}, "ben is still at work"
    second = said(grouped, "ben", "1", "2", "3", "4")
    assert set(groups_in_file(grouped).values()) == {""}
    assert "the groups of 1 list on which people differ and nobody has decided" in lacks(grouped)
    give(grouped, "anna", "cleo", stage="adjudication")
    assert grouped.next("anna", TASK) is None, "nobody decides on what they have grouped"
    shown = grouped.next("cleo", TASK)
    assert shown["stage"] == "adjudication"
    told = [one["label"] for one in shown["show"]["groupings"]]
    assert sorted(one.count(" = ") for one in told) == [0, len(first) - len(set(first.values()))]
    assert not any(name in str(shown) for name in grouped.names("anna", "ben"))
    page = grouped.page("cleo", f"tasks/{TASK}/judge/").content.decode()
    assert "Groups so far" in page
    names = {ask["text"]: ask["name"] for ask in shown["ask"] if ask["name"].startswith("group-")}
    both = {"reason": "error", **{names[string]: "1" for string in names}}
    answer = grouped.judge("cleo", shown["unit"], TASK, values=both)
    assert answer.status_code == 422, "what nobody said needs a note"
    decided = {"reason": "difference", **{names[string]: group for string, group in second.items()}}
    assert assigning.counts(grouped.name, TASK)["units"]["disputed"] == 1
    assert grouped.judge("cleo", shown["unit"], TASK, values=decided).status_code == 201
    assert assigning.counts(grouped.name, TASK)["units"]["disputed"] == 0
    assert assigning.counts(grouped.name, TASK)["units"]["adjudicated"] == 1
    assert groups_in_file(grouped) == second
    assert "differ" not in lacks(grouped)
    assert grouped.ask("cleo", "undo", {"id": "u1", "unit": shown["unit"]}, TASK).status_code == 201
    assert set(groups_in_file(grouped).values()) == {""}
    assigning.set_round(grouped.name, TASK, "lists", opened=False)
    missing = ready(store.material(store.state_of(grouped.name), TASK)).missing
    assert "1 list whose groups differ, and nobody has decided" in missing
    assert grouped.judge("cleo", shown["unit"], TASK, values=both | {"note": "all the same"}).status_code == 201
    assert set(groups_in_file(grouped).values()) == {"1"}
    assert store.verify(grouped.name)["equal"] is True


def test_a_round_that_ends_leaves_nobody_to_wait_for(grouped: Any) -> None:
    """Groups differ when all have made them, when the round is closed, or when the last one gives the list back."""
    from karat.server import assigning, store

    said(grouped, "anna", "1", "1", "2", "3")
    give(grouped, "cleo", stage="lists", units=[LIST], per_unit=1)
    said(grouped, "ben", "1", "2", "2", "3")
    assert LIST not in store.state_of(grouped.name).work_of(TASK).disputed
    account = grouped.names("cleo")[0]
    assigning.reassign(grouped.name, TASK, account, [], "on leave", "lists")
    assert LIST in store.state_of(grouped.name).work_of(TASK).disputed


def test_answers_that_become_correct_later_are_grouped_too(grouped: Any) -> None:
    """A verdict that changes after the lists leaves an answer without a group: the list is not finished any more."""
    from karat.campaign.judging.closing import ready
    from karat.server import assigning, store

    def judge_again(label: str) -> None:
        assigning.set_round(grouped.name, TASK, "labels", opened=True, reason="a slip")
        state = store.state_of(grouped.name)
        mine = state.work_of(TASK).of(*grouped.names("cleo"))
        item = min(item for item in mine if item.unit.startswith(f"{LIST}\t"))
        assert grouped.judge("cleo", token(state.seed, TASK, item), TASK, values={"label": label}).status_code == 201
        close(grouped)

    judge_again("W")
    for who in ("anna", "ben"):
        said(grouped, who)
    assert "" not in groups_in_file(grouped).values()
    judge_again("R")
    assert set(groups_in_file(grouped).values()) == {""}
    assigning.set_round(grouped.name, TASK, "lists", opened=False)
    missing = ready(store.material(store.state_of(grouped.name), TASK)).missing
    assert [one for one in missing if "answers that nobody has grouped" in one]
