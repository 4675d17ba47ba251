"""Judging answers to questions: pooled over runs, with suggestions; then lists, files and the laboratory."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from karat import examples, read_questions
from karat.campaign.definition import Task
from karat.data.verdicts import LETTERS
from karat.formats.verdict_table import read_verdicts
from tests.server.test_pages_judging import Desk, unit_of

TASK = "questions"
QA = examples.HERE / "qa"
DOCUMENTS = (
    "id\ttext\n"
    "KRT19980311.0042\tOttilie Brandvold was born in Ostdal in  1871 as the third of seven. She went to Varnholm.\n"
)
PATTERNS = "1.1\t\\b1871\\b\n1.2\tVarnholm\n"


@pytest.fixture
def quiz(panels: Any) -> Any:
    """A campaign with three runs of the example, and two assessors and an adjudicator."""
    from karat.server import store
    from karat.server.submitting import Declared, submit
    from tests.server import campaigns

    task = Task(
        name=TASK,
        kind="questions",
        test="q.xml",
        documents="docs.tsv",
        patterns="patterns.txt",
        link="https://example.org/{id}",
    )
    files = {
        "q.xml": (QA / "questions.xml").read_bytes(),
        "docs.tsv": DOCUMENTS.encode(),
        "patterns.txt": PATTERNS.encode(),
    }
    made = panels.make("anna", "ben", "cleo", tasks=(task,), files=files)
    for name in ("careful", "steady", "sloppy"):
        account = f"{made.name}-{name}"
        campaigns.member(made.name, name.title(), account, signed=False)
        raw = (QA / "runs" / f"{name}.tsv").read_bytes()
        sent = submit(made.name, account, f"{name}.tsv", raw, Declared(task=TASK), store.now() - timedelta(days=2))
        assert sent.run is not None, sent.problems
    return made


def key() -> dict[str, str]:
    """The verdicts that come with karat, by unit."""
    questions = read_questions(QA / "questions.xml")
    known = read_verdicts(QA / "judgments.tsv", questions)
    return {
        f"{known.units[place]}\t{document}\t{string}": LETTERS[known.verdict[row]]
        for (place, document, string), row in known.index.items()
    }


def pool(made: Any) -> list[str]:
    """Everything that can be judged."""
    from karat.campaign.judging.kinds import kinds_of
    from karat.server import store

    about = store.material(store.state_of(made.name), TASK)
    return list(kinds_of(about.task)["labels"].units(about))


def give(made: Any, *people: str, **more: Any) -> Any:
    """Give out everything, or what is named."""
    from karat.server import assigning

    return assigning.assign(made.name, TASK, made.names(*people), **more)


def close(made: Any) -> None:
    """Close the round of verdicts."""
    from karat.server import assigning

    assigning.set_round(made.name, TASK, "labels", opened=False)


def unit_shown(made: Any, show: Any) -> str:
    """The unit that is shown, found by its answer, document and question."""
    questions = read_questions(QA / "questions.xml")
    ids = {one.id for one in questions.questions if one.text == show["question"]}
    tail = f"\t{show['document']}\t{show['answer']}"
    (found,) = [unit for unit in pool(made) if unit.endswith(tail) and unit.partition("\t")[0] in ids]
    return found


def by_key(made: Any) -> Any:
    """Judge as the verdicts that come with karat do."""
    known = key()
    return lambda show: {"label": known[unit_shown(made, show)]}


def test_each_document_and_string_is_judged_once(quiz: Any) -> None:
    """Whatever runs gave it; without NIL and without answers to OTHER; those of a question come together."""
    units = pool(quiz)
    assert len(units) == len(set(units)) > 60
    types = {one.id: one.type for one in read_questions(QA / "questions.xml").questions}
    assert {types[unit.partition("\t")[0]] for unit in units} == {"FACTOID", "LIST"}
    assert not [unit for unit in units if unit.split("\t")[1] == "NIL"]
    give(quiz, "anna", "ben", "cleo", per_unit=2)
    from karat.server import store

    work = store.state_of(quiz.name).work_of(TASK)
    whose: dict[str, set[str]] = {}
    for who in quiz.names("anna", "ben", "cleo"):
        heads = [item.unit.partition("\t")[0] for item in work.queues["labels", who]]
        assert len([one for place, one in enumerate(heads) if place == 0 or heads[place - 1] != one]) == len(set(heads))
        for head in heads:
            whose.setdefault(head, set()).add(who)
    assert {len(people) for people in whose.values()} == {2}


def test_what_is_shown_and_suggested(quiz: Any) -> None:
    """Question, target, earlier questions, the document with the string in it; nothing about runs."""
    units = [unit for unit in pool(quiz) if unit.startswith(("1.1\t", "1.2\t", "1.3\t"))]
    give(quiz, "anna", units=units, per_unit=1)
    shown: dict[str, Any] = {}
    while (one := quiz.next("anna", TASK)) is not None:
        unit = unit_shown(quiz, one["show"])
        shown[unit] = one
        label = "W" if "three" in unit else "U" if "fourteen" in unit else "R"
        answer = quiz.judge("anna", one["unit"], TASK, values={"label": label}, suggested=one["suggested"])
        assert answer.status_code == 201
    born = shown["1.1\tKRT19980311.0042\t1871"]["show"]
    assert born["target"] == "Ottilie Brandvold"
    assert born["earlier"] == []
    assert [one["text"] for one in born["passages"] if one["found"]] == ["1871"]
    assert len(shown["1.3\tKRT19990620.0117\tfourteen"]["show"]["earlier"]) == 2
    assert shown["1.3\tKRT19990620.0117\tfourteen"]["show"]["link"] == "https://example.org/KRT19990620.0117"
    suggested = {unit: one["suggested"] for unit, one in shown.items()}
    assert suggested["1.1\tKRT19980311.0042\t1871"].startswith("a pattern accepts it; judge")
    assert suggested["1.2\tKRT19980402.0008\tthe Ostdal school"] == "W: no pattern accepts it"
    both = [said for unit, said in suggested.items() if unit.endswith("\tfourteen")]
    assert len(both) == 2, "from two documents"
    assert sorted(bool(said) for said in both) == [False, True], "the second brings the first one's verdict"
    assert "you judged this answer right, but not supported by another document" in max(both)
    from karat.server import store

    mine = store.state_of(quiz.name).work_of(TASK).of(*quiz.names("anna"))
    assert {item.unit: ballot.said.suggested for item, ballot in mine.items()} == suggested
    assert all("careful" not in repr(one) and "steady" not in repr(one) for one in shown.values())


def test_patterns_ignore_case_and_accept_whole_words(panels: Any) -> None:
    """As TREC's patterns are used; a pattern that is found inside a word alone suggests no verdict, neither way."""
    from karat.server import store
    from karat.server.submitting import Declared, submit
    from tests.server import campaigns

    said = ("in la", "ATLANTA", "Boston", "LAX, LA", "la.")
    rows = "".join(f"1\tD{number}\t{answer}\n" for number, answer in enumerate(said))
    files = {"q.tsv": b"id\ttype\tquestion\n1\tLIST\tWhere?\n", "p.txt": b"1 LA\n", "d.tsv": b"id\ttext\nD0\tin LA\n"}
    task = Task(name=TASK, kind="questions", test="q.tsv", patterns="p.txt", documents="d.tsv")
    made = panels.make("anna", tasks=(task,), files=files)
    campaigns.member(made.name, "Ash", f"{made.name}-ash", signed=False)
    sent = f"qid\tdoc\tanswer\n{rows}".encode()
    submit(made.name, f"{made.name}-ash", "run.tsv", sent, Declared(task=TASK), store.now() - timedelta(days=2))
    give(made, "anna", per_unit=1)
    found, without = {}, {}
    while (one := made.next("anna", TASK)) is not None:
        found[one["show"]["answer"]] = one["suggested"]
        without[one["show"]["document"]] = one["show"].get("without_text", "")
        page = made.page("anna", f"tasks/{TASK}/judge/").content.decode()
        assert ("not in the campaign’s table of documents" in page) is bool(without[one["show"]["document"]])
        assert made.judge("anna", one["unit"], TASK, values={"label": "R"}).status_code == 201
    accepted = "a pattern accepts it; judge whether the document supports it"
    assert found == {
        "in la": accepted,
        "LAX, LA": accepted,
        "la.": accepted,
        "ATLANTA": "a pattern is found in it, but only inside a word; judge whether that is the answer",
        "Boston": "W: no pattern accepts it",
    }
    assert [name for name, words in without.items() if not words] == ["D0"]


def test_the_same_words_with_other_capitals(panels: Any) -> None:
    """From the same document that is said, and not that the document is another; only whole words are marked."""
    from karat.server import store
    from karat.server.submitting import Declared, submit
    from tests.server import campaigns

    files = {
        "q.tsv": b"id\ttype\tquestion\n1\tFACTOID\tWhere?\n",
        "d.tsv": b"id\ttext\nD0\tNot in Atlanta, but in LA (L.A.) for US$5.\n",
    }
    task = Task(name=TASK, kind="questions", test="q.tsv", documents="d.tsv")
    made = panels.make("anna", tasks=(task,), files=files)
    for team, answer in (("Ash", "LA"), ("Elm", "la"), ("Oak", "$5")):
        campaigns.member(made.name, team, f"{made.name}-{team}", signed=False)
        sent = f"qid\tdoc\tanswer\n1\tD0\t{answer}\n".encode()
        at = store.now() - timedelta(days=2)
        submit(made.name, f"{made.name}-{team}", "run.tsv", sent, Declared(task=TASK), at)
    give(made, "anna", per_unit=1)
    suggested, marked = {}, {}
    while (one := made.next("anna", TASK)) is not None:
        answer = one["show"]["answer"]
        suggested[answer] = one["suggested"]
        marked[answer] = [piece["text"] for piece in one["show"]["passages"] if piece["found"]]
        assert made.judge("anna", one["unit"], TASK, values={"label": "R"}).status_code == 201
    assert marked == {"LA": ["LA"], "la": ["LA"], "$5": ["$5"]}
    first, second = (answer for answer in suggested if answer.casefold() == "la")
    told = f"R: you judged “{first}” from this document correct; only capitals differ"
    assert suggested == {"$5": "", first: "", second: told}


def test_suggestions_are_ones_own(quiz: Any) -> None:
    """What somebody else said about the same string is not suggested."""
    units = [unit for unit in pool(quiz) if unit.startswith("1.3\t") and unit.endswith("\tfourteen")]
    assert len(units) == 2
    give(quiz, "anna", "ben", units=units, per_unit=2)
    quiz.play("anna", lambda _: {"label": "W"}, TASK)
    assert quiz.next("ben", TASK)["suggested"] == ""


def test_verdicts_become_the_file_that_scores(quiz: Any, tmp_path: Path) -> None:
    """Two judge, a third decides where they differ, lists are grouped: `karat qa` and `karat agree` read the files."""
    from karat.server import assigning, store

    give(quiz, "anna", "ben", per_unit=2)
    with pytest.raises(Exception, match="the verdicts are not closed yet"):
        give(quiz, "anna", stage="lists")
    known = key()
    quiz.play("anna", by_key(quiz), TASK)
    ben = {"W": "W", "R": "R", "X": "X", "U": "R"}
    quiz.play("ben", lambda show: {"label": ben[known[unit_shown(quiz, show)]]}, TASK)
    differ = [unit for unit in pool(quiz) if known[unit] == "U"]
    assert "answers whose verdict is not settled" in assigning.lacking(quiz.name, TASK, "verdicts")
    give(quiz, "cleo", stage="adjudication")
    decided = 0
    while (shown := quiz.next("cleo", TASK)) is not None:
        assert sorted(one["label"] for one in shown["show"]["labels"]) == ["R", "U"]
        values = {"label": "U", "reason": "error", "kind": "support"}
        assert quiz.judge("cleo", shown["unit"], TASK, values=values).status_code == 201
        decided += 1
    assert decided == len(differ) > 0
    close(quiz)
    give(quiz, "anna", stage="lists")
    finished = 0
    while (shown := quiz.next("anna", TASK)) is not None:
        values = {ask["name"]: ask["start"] for ask in shown["ask"]}
        if shown["show"]["type"] == "FACTOID":
            assert values == {}
        if finished == 0:
            said = {"answer": "an answer of mine", "document": ""}
            entry = f"{shown['unit']}/mine"
            values_ = {name: value for name, value in said.items() if value}
            values_ |= {"group": "99"} if shown["show"]["type"] == "LIST" else {}
            assert quiz.judge("anna", entry, TASK, values=values_).status_code == 201
        assert quiz.judge("anna", shown["unit"], TASK, values=values, suggested=shown["suggested"]).status_code == 201
        finished += 1
    questions = read_questions(QA / "questions.xml")
    assert finished == sum(one.type != "OTHER" for one in questions.questions)
    assert assigning.lacking(quiz.name, TASK, "verdicts") == ""
    verdicts, ballots = tmp_path / "verdicts.tsv", tmp_path / "ballots.tsv"
    verdicts.write_bytes(assigning.file_of(quiz.name, TASK))
    ballots.write_bytes(assigning.file_of(quiz.name, TASK, "ballots"))
    made = read_verdicts(verdicts, questions)
    found = {
        f"{made.units[place]}\t{document}\t{string}": LETTERS[made.verdict[row]]
        for (place, document, string), row in made.index.items()
    }
    own = {unit for unit in found if unit.endswith("\t\tan answer of mine")}
    assert len(own) == 1
    assert {unit: label for unit, label in found.items() if unit not in own} == {
        unit: known[unit] for unit in pool(quiz)
    }
    lists = [row for row in range(len(made)) if questions.questions[made.question[row]].type == "LIST"]
    assert all(bool(made.groups[row]) == (made.verdict[row] == 3) for row in lists)
    runs = [str(QA / "runs" / f"{name}.tsv") for name in ("careful", "steady", "sloppy")]
    for command in (["qa", str(QA / "questions.xml"), *runs, "--judgments", str(verdicts)], ["agree", str(ballots)]):
        done = subprocess.run(
            [Path(sys.executable).with_name("karat"), *command], capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
    checked = store.verify(quiz.name)
    assert checked["equal"], checked


def test_the_page_without_scripts(quiz: Any) -> None:
    """A verdict by a plain form with what was suggested; undo has a key of its own; lists begin with groups."""
    units = [unit for unit in pool(quiz) if unit.startswith(("1.2\t", "1.4\t"))]
    give(quiz, "anna", units=units, per_unit=1)
    desk = Desk(quiz, "anna", TASK)
    page = desk.open("?unit=" + quiz.next("anna", TASK)["unit"])
    assert "Incorrect" in page
    assert "Locally correct" in page
    assert 'data-key="z"' in page
    known = key()
    count = 0
    while (one := quiz.next("anna", TASK)) is not None:
        page = desk.open(f"?unit={one['unit']}")
        if one["suggested"].startswith("W: "):
            assert 'data-suggested="W"' in page
        assert desk.send(page, answer__label=known[unit_shown(quiz, one["show"])]).status_code == 302
        count += 1
    assert count == len(units)
    assert {ballot.said.suggested[:2] for ballot in desk.mine.values()} >= {"W:", "a "}
    close(quiz)
    give(quiz, "anna", stage="lists", units=["1.4"])
    page = desk.open()
    starts = re.findall(r'name="answer\.(group-\w+)" data-group-number[^>]* value="(\d+)"', page)
    assert len(starts) >= 2
    fields = {f"answer__{name}": value for name, value in starts}
    assert (
        desk.send(page, **{name.replace("answer__", "answer."): value for name, value in fields.items()}).status_code
        == 302
    )
    assert "Nothing left to judge" in desk.open()
    last = desk.open(f"?unit={unit_of(page)}")
    assert "You have judged this" in last or "closed" in last


def test_pages_beside_it(quiz: Any) -> None:
    """Norming and outcomes show answers, not pairs; the organisers' page has its agreement and files."""
    from karat.server import assigning

    units = [unit for unit in pool(quiz) if unit.startswith("1.")]
    give(quiz, "anna", "ben", stage="norming", units=units[:2])
    for who in ("anna", "ben"):
        quiz.play(who, lambda _: {"label": "R"}, TASK)
    assigning.reveal(quiz.name, TASK)
    text = quiz.page("anna", f"tasks/{TASK}/discussion/").content.decode()
    assert "Answer 1" in text
    assert "Correct" in text
    assert "Ottilie Brandvold" in text
    for who in ("anna", "ben"):
        quiz.play(who, lambda _: {"label": "R"}, TASK)
    give(quiz, "anna", "ben", units=units, per_unit=2)
    for who in ("anna", "ben"):
        quiz.play(who, by_key(quiz), TASK)
    close(quiz)
    text = quiz.page("ben", f"tasks/{TASK}/outcomes/").content.decode()
    assert f"{len(units) - 2} answers labelled by you" in text
    assert "Inexact" in text
    text = quiz.page("organiser", f"tasks/{TASK}/judging/").content.decode()
    assert "verdicts.tsv" in text
    assert "Krippendorff" in text
    assert "Not in it yet" in text
    assert "Effect on the ranking" in text


def test_the_effect_on_the_ranking(quiz: Any) -> None:
    """Whoever finds everything wrong ranks all runs alike; whoever says what was settled changes nothing."""
    from karat.campaign.judging.answer_rankings import rank
    from karat.server import store

    units = [unit for unit in pool(quiz) if unit.startswith(("1.", "2."))]
    give(quiz, "anna", "ben", units=units, per_unit=2)
    give(quiz, "cleo", stage="adjudication")
    quiz.play("anna", by_key(quiz), TASK)
    quiz.play("ben", lambda _: {"label": "W"}, TASK)
    known = key()
    while (shown := quiz.next("cleo", TASK)) is not None:
        values = {"label": known[unit_shown(quiz, shown["show"])], "reason": "error"}
        assert quiz.judge("cleo", shown["unit"], TASK, values=values).status_code == 201
    made = dict(rank(store.material(store.state_of(quiz.name), TASK)))
    anna, ben = (made[name] for name in quiz.names("anna", "ben"))
    assert (anna.changed, anna.swaps, anna.scores) == (0, [], anna.official)
    assert anna.units == len({unit.partition("\t")[0] for unit in units})
    assert ben.changed == sum(known[unit] != "W" for unit in units)
    assert 0 < ben.units < anna.units, "a list without a correct answer has no score"
    assert set(ben.scores.values()) != set(anna.scores.values())


def test_verdicts_that_were_given_elsewhere(quiz: Any) -> None:
    """The file of ballots, under another name, becomes somebody else's judgments of the same answers."""
    from karat.server import assigning, store
    from karat.server.importing import import_ballots

    units = [unit for unit in pool(quiz) if unit.startswith("1.")]
    give(quiz, "anna", units=units, per_unit=1)
    quiz.play("anna", by_key(quiz), TASK)
    anna, cleo = quiz.names("anna", "cleo")
    raw = assigning.file_of(quiz.name, TASK, "ballots").replace(anna.encode(), cleo.encode())
    assert import_ballots(quiz.name, TASK, "elsewhere.tsv", raw)["imported"] == len(units)
    assert import_ballots(quiz.name, TASK, "elsewhere.tsv", raw)["imported"] == 0
    work = store.state_of(quiz.name).work_of(TASK)
    assert {item.unit: one.label for item, one in work.of(cleo).items()} == {
        item.unit: one.label for item, one in work.of(anna).items()
    }
    assert store.verify(quiz.name)["equal"]
