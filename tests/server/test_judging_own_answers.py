"""Answers that people know themselves are grouped like those of runs: how long a list is decides how runs score."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from karat.campaign.definition import Task
from karat.campaign.events import Item
from karat.campaign.judging.dealing import token
from tests.server.test_development import send
from tests.server.test_judging_answers import close, give

TASK = "series"
LIST, WHERE = "S1.1", "S1.2"
QUESTIONS = (
    f"id\ttype\tquestion\n{LIST}\tLIST\tWho discovered the comet?\n{WHERE}\tFACTOID\tWhere?\nS1.3\tOTHER\tOther\n"
)
RUN = f"qid\tdoc\tanswer\n{LIST}\td1\tAlan Hale\n{LIST}\td2\tbopp\n{LIST}\td3\tElvis\n{WHERE}\td4\tArizona\n"


@pytest.fixture
def comet(panels: Any, monkeypatch: Any) -> Any:
    """A campaign whose author knows Hale and Bopp; a run gives both in other words, and its verdicts are closed."""
    from karat.server import assigning, store
    from karat.server.submitting import Declared, submit
    from tests.server import campaigns, test_judging_answers

    monkeypatch.setattr(test_judging_answers, "TASK", TASK)
    task = Task(name=TASK, kind="questions", test="q.tsv")
    made = panels.make("anna", "ben", "cleo", "dora", tasks=(task,), files={"q.tsv": QUESTIONS.encode()})
    assigning.assign(made.name, TASK, made.names("dora"), stage="development", units=("S1",))
    author = {"one": ("LIST", "Hale\nBopp"), "two": ("FACTOID", "Arizona\nthe  desert"), "three": ("OTHER", "")}
    for entry, (kind, known) in author.items():
        answers = {"answers": known} if known else {}
        assert send(made, "dora", "S1", entry, kind=kind, text="Who?", **answers).status_code == 201
    assert send(made, "dora", "S1", target="Hale-Bopp").status_code == 201
    campaigns.member(made.name, "Ash", f"{made.name}-ash", signed=False)
    at = store.now() - timedelta(days=2)
    assert submit(made.name, f"{made.name}-ash", "run.tsv", RUN.encode(), Declared(task=TASK), at).run is not None
    give(made, "dora", per_unit=1)
    made.play("dora", lambda show: {"label": "W" if show["answer"] == "Elvis" else "R"}, TASK)
    close(made)
    return made


def page_of(made: Any, question: str) -> str:
    """The unit of a question on the page of distinct answers."""
    from karat.server import store

    return str(token(store.state_of(made.name).seed, TASK, Item("lists", question)))


def group(made: Any, who: str, **numbers: str) -> None:
    """Group the answers by what stands in them."""
    shown = made.next(who, TASK)
    values = {ask["name"]: numbers[ask["text"].split()[-1].casefold()] for ask in shown["ask"] if ask["number"]}
    answer = made.judge(who, shown["unit"], TASK, values=values)
    assert answer.status_code == 201, answer.content


def add(made: Any, who: str, answer: str, number: str) -> None:
    """Add an answer that somebody knows."""
    unit = f"{page_of(made, LIST)}/{answer.encode().hex()[:40]}"
    stored = made.judge(who, unit, TASK, values={"answer": answer, "group": number})
    assert stored.status_code == 201, stored.content


def score(made: Any) -> float:
    """The F of the run on the list question, by the settled verdicts."""
    from karat.campaign.judged import read_judgments
    from karat.campaign.judging.answer_rankings import _scores
    from karat.campaign.judging.kinds.answer_lists import verdicts_file
    from karat.server import store

    about = store.material(store.state_of(made.name), TASK)
    verdicts = read_judgments(about.questions, {"verdicts": verdicts_file(about, False)}).verdicts
    assert verdicts is not None
    return float(_scores(about, verdicts)[0, about.questions.index[LIST]])


def expected(distinct: int) -> float:
    """F of two right answers among the run's three, if there are so many distinct ones."""
    return 2 * (2 / 3) * (2 / distinct) / (2 / 3 + 2 / distinct)


def test_known_answers_are_grouped_with_those_of_runs(comet: Any) -> None:
    """Hale is Alan Hale: a run that gives both discoverers has found everything."""
    give(comet, "anna", stage="lists", units=[LIST])
    shown = comet.next("anna", TASK)
    rows = {ask["text"]: ask for ask in shown["ask"]}
    assert sorted(rows) == ["Alan Hale", "Hale", "bopp"], "bopp and Bopp differ in capitals alone"
    assert rows["Hale"]["help"] == "known to whoever wrote the question"
    assert rows["bopp"]["help"] == "d2, known to whoever wrote the question"
    assert "known to whoever wrote the question" in comet.page("anna", f"tasks/{TASK}/judge/").content.decode()
    group(comet, "anna", hale="1", bopp="2")
    assert score(comet) == pytest.approx(expected(2))


def test_further_answers_stand_in_the_groups_of_whoever_knows_them(comet: Any) -> None:
    """Under whatever numbers each uses; one that is in no other group is one answer more."""
    give(comet, "anna", "ben", stage="lists", units=[LIST], per_unit=2)
    refused = comet.judge("anna", f"{page_of(comet, LIST)}/x", TASK, values={"answer": "A. Hale"})
    assert "a new number" in refused.json()["problems"][0]["expected"]
    add(comet, "anna", "A. Hale", "1")
    group(comet, "anna", hale="1", bopp="2")
    add(comet, "ben", "Thomas Bopp", "7")
    add(comet, "ben", "Thomas  J. Bopp", "7")
    group(comet, "ben", hale="8", bopp="7")
    assert score(comet) == pytest.approx(expected(2))
    add(comet, "ben", "Yuji Hyakutake", "5")
    add(comet, "ben", "Hyakutake", "5")
    assert score(comet) == pytest.approx(expected(3))


def test_further_answers_that_nobody_has_compared_are_decided(comet: Any) -> None:
    """Two people know one more, each without having seen the other's: a third says whether they are the same."""
    from karat.server import store

    give(comet, "anna", "ben", stage="lists", units=[LIST], per_unit=2)
    add(comet, "anna", "Brooklyn, NY", "3")
    group(comet, "anna", hale="1", bopp="2")
    assert "Brooklyn" not in str(comet.next("ben", TASK)), "nobody sees what others know"
    group(comet, "ben", hale="1", bopp="2")
    assert score(comet) == pytest.approx(expected(3))
    add(comet, "ben", "brooklyn", "3")
    assert LIST in store.state_of(comet.name).work_of(TASK).disputed
    give(comet, "cleo", stage="adjudication")
    shown = comet.next("cleo", TASK)
    rows = {ask["text"]: ask["name"] for ask in shown["ask"] if ask["number"]}
    assert sorted(rows) == ["Alan Hale", "Brooklyn, NY", "Hale", "bopp", "brooklyn"]
    assert sorted("Brooklyn, NY" in one["label"] for one in shown["show"]["groupings"]) == [False, True]
    numbers = {"Alan Hale": "1", "Hale": "1", "bopp": "2", "Brooklyn, NY": "3", "brooklyn": "3"}
    values = {rows[string]: number for string, number in numbers.items()} | {"reason": "difference"}
    assert comet.judge("cleo", shown["unit"], TASK, values=values).status_code == 201, "it is against nobody"
    assert score(comet) == pytest.approx(expected(3))
    assert store.verify(comet.name)["equal"]


def test_the_same_further_answer_of_two_is_one(comet: Any) -> None:
    """Capitals and white space make no difference, and nobody has to decide."""
    give(comet, "anna", "ben", stage="lists", units=[LIST], per_unit=2)
    for who, answer, number in (("anna", "Yuji Hyakutake", "3"), ("ben", "yuji  hyakutake", "9")):
        add(comet, who, answer, number)
        group(comet, who, hale="1", bopp="2")
    assert score(comet) == pytest.approx(expected(3))


def test_further_answers_of_somebody_who_has_not_finished_are_decided(comet: Any) -> None:
    """Once the round is closed: their numbers say nothing by themselves."""
    from karat.server import assigning, store

    give(comet, "anna", "ben", stage="lists", units=[LIST], per_unit=2)
    add(comet, "ben", "A. Hale", "1")
    group(comet, "anna", hale="1", bopp="2")
    assigning.set_round(comet.name, TASK, "lists", opened=False)
    assert LIST in store.state_of(comet.name).work_of(TASK).disputed


def test_the_correct_answers_to_a_factoid_are_shown(comet: Any) -> None:
    """Whoever is asked for one that no run gave sees those that runs gave and the author knows."""
    give(comet, "anna", stage="lists", units=[WHERE])
    shown = comet.next("anna", TASK)
    assert [one["string"] for one in shown["show"]["correct"]] == ["Arizona", "the desert"]
    page = comet.page("anna", f"tasks/{TASK}/judge/").content.decode()
    assert "Arizona <" in page
    assert "d4, known to whoever wrote the question" in page
    assert "the desert <" in page
    assert [ask["name"] for ask in shown["entry"]] == ["answer", "document"]
