"""Campaigns in which whole answers are graded and compared, for tests."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from karat.campaign.definition import Kind, Task
from karat.server import assigning, store
from karat.server.submitting import Declared, submit
from tests.server import campaigns, panels

QUESTIONS = "qid\ttype\ttext\tseries\ttarget\n" + "".join(
    f"{number}.{place}\t{kind}\t{text}\t{number}\tTarget {number}\n"
    for number in range(1, 5)
    for place, kind, text in ((1, "FACTOID", "When was it made?"), (2, "OTHER", "Other"))
)
TEAMS = ("Maple", "Willow", "Hazel")
DEFINED = "definitions"


def answers(team: str, silent: str = "") -> bytes:
    """A run of a team, which says nothing about one question."""
    rows = [
        f"{number}.{place}\tD{number}\t{'19' + str(10 + number) if place == 1 else said}"
        for number in range(1, 5)
        for place, count in ((1, 1), (2, 2))
        for said in [f"Of {number}, string {nth} in the words of tree {TEAMS.index(team)}." for nth in range(count)]
        if f"{number}.{place}" != silent
    ]
    return ("qid\tdoc\tanswer\n" + "\n".join(rows) + "\n").encode()


def make(*people: str, kind: Kind = "questions", teams: tuple[str, ...] = TEAMS, **facts: Any) -> panels.Panel:
    """A campaign of question series that has closed, with a run of each team; the last one is silent once."""
    task = Task(name=DEFINED, title="Definitions", kind=kind, test="questions.tsv")
    files = {"questions.tsv": QUESTIONS.encode()}
    made = panels.make(*people, **{"tasks": (task,), "files": files} | facts)
    at = store.now() - timedelta(days=2)
    for team in teams:
        account = f"{made.name}-{team.lower()}"
        campaigns.member(made.name, team, account, signed=False)
        raw = answers(team, "4.2" if team == teams[-1] else "")
        sent = submit(made.name, account, f"{team.lower()}.tsv", raw, Declared(task=DEFINED), at)
        assert sent.run is not None, sent.problems
    return made


def give_out(made: panels.Panel, stage: Any, *people: str, **facts: Any) -> Any:
    """Give units of a stage to people."""
    return assigning.assign(made.name, DEFINED, made.names(*people), stage=stage, **facts)
