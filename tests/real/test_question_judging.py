"""The question series of TREC 2004 judged through the judging pages' own interface, and scored as `karat qa` does."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.campaign.definition import Task
from karat.data.nuggets import Nuggets
from karat.data.questions import Questions

TASK = "series"
RUNS = {"good": 1, "middling": 2, "poor": 5}
"""Made-up runs, each right on every so many questions, list answers and nuggets."""
WRONG = "no idea"
NOISE = " ".join(["and so on, as everybody knows who has read a newspaper in those years"] * 8)


@dataclass
class Material:
    """What the assessors of TREC left: questions, right answers, lists, and nuggets."""

    questions: Questions
    right: dict[str, list[str]]
    nuggets: Nuggets
    listed: dict[str, list[int]]
    """The nuggets of each OTHER question by their places."""

    def answers(self, every: int) -> Iterator[tuple[str, str, str]]:
        """The rows of a made-up run: question, document and string."""
        for place, one in enumerate(self.questions.questions):
            if one.type == "OTHER":
                said = [self.nuggets.texts[at] for at in self.listed.get(one.id, [])][place % every :: every]
                yield from ((one.id, f"D{one.id}", text) for text in said)
                if every > 2:
                    yield one.id, f"D{one.id}", f"{NOISE} {one.id}"
            elif one.type == "FACTOID":
                known = self.right.get(one.id, []) if place % every == 0 else []
                yield one.id, f"D{one.id}", known[0] if known else f"{WRONG} {one.id}"
            else:
                some = self.right.get(one.id, [])[::every] or [f"{WRONG} {one.id}"]
                yield from ((one.id, f"D{one.id}", text) for text in some)


def example(pattern: str) -> str:
    """A string that a simple pattern accepts; empty if none is found."""
    text = re.sub(r"\((?:\?:)?([^()|]*)(?:\|[^()]*)?\)\??", r"\1", pattern)
    text = re.sub(r"\((?:\?:)?([^()|]*)(?:\|[^()]*)?\)\??", r"\1", text).split("|")[0]
    text = re.sub(r"\\s[?*+]?|\.[*+]", " ", text)
    text = re.sub(r"\[(.)[^]]*\]", r"\1", text)
    text = re.sub(r"\\d[?*+]?", "1", text)
    text = " ".join(re.sub(r"\\(.)|[?^$*+]", r"\1", text).split())
    try:
        return text if text and re.search(pattern, text) else ""
    except re.error:
        return ""


@pytest.fixture(scope="module")
def trec(real: Path) -> Material:
    """TREC 2004."""
    folder = real / "trec-qa"
    questions = karat.read_questions(folder / "trec13questions.xml")
    right: dict[str, list[str]] = {}
    for line in (folder / "trec13patterns_factoid").read_text(encoding="latin-1").splitlines():
        name, _, pattern = line.partition(" ")
        if found := example(pattern.strip()):
            right.setdefault(name, []).append(found)
    verdicts = karat.read_verdicts(folder / "trec13answers_list", questions)
    for question, string in zip(verdicts.question.tolist(), verdicts.strings, strict=True):
        right.setdefault(questions.questions[question].id, []).append(string)
    nuggets = karat.read_nuggets(folder / "trec13answers_other")
    listed: dict[str, list[int]] = {}
    for at, topic in enumerate(nuggets.topic.tolist()):
        listed.setdefault(nuggets.units[topic], []).append(at)
    return Material(questions, right, nuggets, listed)


def strings_in(shown: Any) -> set[str]:
    """All strings of what is shown, wherever they stand."""
    if isinstance(shown, str):
        return {" ".join(shown.split())}
    parts = shown.values() if isinstance(shown, dict) else shown if isinstance(shown, list) else ()
    return {one for part in parts for one in strings_in(part)}


class Judge:
    """An assessor who knows what those of TREC thought."""

    def __init__(self, made: Any, trec: Material) -> None:
        self.made, self.trec = made, trec
        series = {one.target: one.questions for one in trec.questions.series}
        self.other = {target: [name for name in of if name in trec.listed] for target, of in series.items()}

    def all(self, values: Any) -> int:
        """Judge everything that there is."""
        count = 0
        while (shown := self.made.next("anna", TASK)) is not None:
            answer = self.made.judge("anna", shown["unit"], TASK, values=values(shown))
            assert answer.status_code == 201, (answer.content, shown)
            count += 1
        return count

    def verdict(self, shown: Any) -> dict[str, str]:
        """Right unless the run said that it had no idea."""
        return {"label": "W" if shown["show"]["answer"].startswith(WRONG) else "R"}

    def groups(self, shown: Any) -> dict[str, str]:
        """Every string is an answer of its own."""
        asked = [one["name"] for one in shown["ask"] if not one["values"]]
        return {name: str(number) for number, name in enumerate(asked, 1)}

    def write(self, shown: Any) -> dict[str, str]:
        """Write the list of nuggets of a question, entry by entry; then it is finished."""
        (question,) = self.other[shown["show"]["target"]]
        kinds = set()
        for at in self.trec.listed[question]:
            kinds.add(kind := self.trec.nuggets.spelled[at].strip().casefold())
            entry = {"text": self.trec.nuggets.texts[at], "importance": kind}
            body = {"id": str(uuid.uuid4()), "unit": f"{shown['unit']}/n{at}", "values": entry, "guidelines": 0}
            answer = self.made.ask("anna", "ballots", body, TASK)
            assert answer.status_code == 201, answer.content
        return {} if "vital" in kinds else {"vital": "no_vital"}

    def match(self, shown: Any) -> dict[str, str]:
        """A nugget is there if its words are a string of the response."""
        said = strings_in(shown["show"])
        asked = [one for one in shown["ask"] if "support" in one["values"]]
        return {one["name"]: "support" if " ".join(one["text"].split()) in said else "not_support" for one in asked}


@pytest.mark.nightly
@pytest.mark.timeout(3600)  # thousands of judgments, one by one
def test_series_of_2004_from_the_first_verdict_to_the_scores(trec: Material, panels: Any, tmp_path: Path) -> None:
    """Verdicts, distinct answers, nuggets and matches by an assessor; each close brings scores, those of `karat qa`."""
    from karat.server import assigning, store
    from karat.server.submitting import Declared, submit
    from tests.server import campaigns

    task = Task(name=TASK, kind="questions", test="questions.jsonl")
    raw = "".join(json.dumps(row) + "\n" for row in question_rows(trec.questions)).encode()
    made = panels.make("anna", tasks=(task,), files={"questions.jsonl": raw})
    at = store.now() - timedelta(days=2)
    for run, every in RUNS.items():
        account = f"{made.name}-{run}"
        campaigns.member(made.name, run.title(), account, signed=False)
        rows = "".join("\t".join(row) + "\n" for row in trec.answers(every))
        file = tmp_path / f"{run.title()}-1.tsv"
        file.write_text("qid\tdoc\tanswer\n" + rows)
        sent = submit(made.name, account, file.name, file.read_bytes(), Declared(task=TASK), at)
        assert sent.run is not None, sent.problems[:3]
    judge, others = Judge(made, trec), [one for one in trec.listed if one in trec.questions.index]
    rounds = {"labels": judge.verdict, "lists": judge.groups, "nuggets": judge.write, "matches": judge.match}
    for stage, values in rounds.items():
        units = others if stage in ("nuggets", "matches") else None
        assigning.assign(made.name, TASK, made.names("anna"), stage=stage, units=units, per_unit=1)  # type: ignore[arg-type]
        assert judge.all(values) > 50
        told = assigning.set_round(made.name, TASK, stage, False)  # type: ignore[arg-type]
    assert told["scored"] == 3, told
    state = store.state_of(made.name)
    stored: dict[str, Any] = {run.name: run.scores["questions"] for run in state.active(task=TASK)}
    for name in ("verdicts", "nuggets", "matches"):
        (tmp_path / f"{name}.tsv").write_bytes(assigning.file_of(made.name, TASK, name))
    (tmp_path / "questions.jsonl").write_bytes(raw)
    by_files = scored(tmp_path, tmp_path / "verdicts.tsv", tmp_path / "nuggets.tsv", tmp_path / "matches.tsv")
    by_hand = scored(tmp_path, *without_pages(trec, tmp_path))
    for name, scores in stored.items():
        for found in (by_files[name], by_hand[name]):
            assert scores["factoid_accuracy"] == pytest.approx(found.factoid.accuracy)
            assert scores["list_f"] == pytest.approx(found.list.score.value)
            assert scores["nugget_f"] == pytest.approx(found.other.score.value)
            assert scores["series"] == pytest.approx(found.by_series.value)
    assert stored["Good-1"]["series"] > stored["Middling-1"]["series"] > stored["Poor-1"]["series"] > 0
    assert store.verify(made.name)["equal"] is True


@pytest.fixture
def panels(home: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Campaigns with assessors; nobody judges thousands of things a minute but here."""
    del home
    from karat.server import api
    from karat.server.throttle import Rate
    from tests.server import panels

    monkeypatch.setattr(api, "requests", Rate(10**9, 60))
    return panels


def question_rows(questions: Questions) -> Iterator[dict[str, str]]:
    """The questions as a table."""
    targets = {one.id: one.target for one in questions.series}
    for one in questions.questions:
        series = one.series or ""
        yield {"id": one.id, "series": series, "target": targets[series], "type": one.type, "question": one.text}


def scored(folder: Path, verdicts: Path, nuggets: Path, matches: Path) -> dict[str, Any]:
    """What `karat qa` says about files."""
    questions = karat.read_questions(folder / "questions.jsonl")
    answers = karat.read_answers([folder / f"{run.title()}-1.tsv" for run in RUNS], questions)
    held = karat.read_matches(matches, karat.read_nuggets(nuggets))
    found = karat.qa(questions, answers, verdicts=karat.read_verdicts(verdicts, questions), matches=held)
    return {one.run: one for one in found.runs}


def without_pages(trec: Material, folder: Path) -> tuple[Path, Path, Path]:
    """The same judgments as files that nobody judged on a page."""
    types = {one.id: one.type for one in trec.questions.questions}
    rows = {run: list(trec.answers(every)) for run, every in RUNS.items()}
    distinct = dict.fromkeys(
        (q, d, " ".join(s.split())) for of in rows.values() for q, d, s in of if types[q] != "OTHER"
    )
    lines = ["qid\tdoc\tanswer\tverdict\tgroup"]
    for question, document, string in distinct:
        wrong = string.startswith(WRONG)
        group = string.casefold() if types[question] == "LIST" and not wrong else ""
        lines.append("\t".join((question, document, string, "W" if wrong else "R", group)))
    listed, found = ["qid\tnugget\tassessor\timportance\ttext"], ["run\tqid\tnugget\tassessor\tdegree"]
    for question, places in trec.listed.items():
        for at in places if question in types else ():
            kind, text = trec.nuggets.spelled[at].strip().casefold(), trec.nuggets.texts[at]
            listed.append(f"{question}\tn{at}\ta\t{kind}\t{text}")
            for run, of in rows.items():
                said = {" ".join(s.split()) for q, _, s in of if q == question}
                degree = "support" if " ".join(text.split()) in said else "not_support"
                found.append(f"{run.title()}-1\t{question}\tn{at}\ta\t{degree}")
    paths = []
    for name, written in (("verdicts", lines), ("nuggets", listed), ("matches", found)):
        paths.append(folder / f"by-hand-{name}.tsv")
        paths[-1].write_text("\n".join(written) + "\n")
    return paths[0], paths[1], paths[2]
