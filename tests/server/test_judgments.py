"""Judgments of answers as a versioned file: previewed, applied with a reason, and shown like any other scores."""

from __future__ import annotations

from typing import Any

import pytest

import karat
from karat import examples
from karat.campaign.definition import Task
from karat.errors import DataError, UsageError

QA = examples.HERE / "qa"
QUESTIONS = Task(name="questions", kind="questions", test="questions.xml")
LABELS = Task(name="three-way", test="pairs.xml")
JUDGMENTS = (QA / "judgments.tsv").read_bytes()
RUNS = ("careful", "steady", "guesser")


@pytest.fixture
def asked(home: Any) -> tuple[Any, str]:
    """A campaign of questions with three runs that await judgment."""
    del home
    from karat.server import store
    from karat.server.submitting import Declared, submit
    from tests.server import campaigns

    files = {"questions.xml": (QA / "questions.xml").read_bytes()}
    name = campaigns.make_campaign(tasks=(LABELS, QUESTIONS), agreement=False, files=files)
    for run in RUNS:
        campaigns.member(name, run.title(), f"{name}-{run}", signed=False)
        raw = (QA / "runs" / f"{run}.tsv").read_bytes()
        made = submit(name, f"{name}-{run}", f"{run}.tsv", raw, Declared(task="questions"), store.now())
        assert made.run is not None
        assert made.run.state == "awaiting judgment"
    return campaigns, name


def apply(name: str, raw: bytes = JUDGMENTS, apply: bool = True) -> Any:
    """Preview or apply judgments."""
    from karat.server.rescoring import rescore

    return rescore(name, "judgments.tsv", raw, "people have judged", apply=apply, task="questions")


def expected() -> dict[str, float]:
    """What `karat qa` gives for the same files."""
    questions = karat.read_questions(QA / "questions.xml")
    answers = karat.read_answers([QA / "runs" / f"{run}.tsv" for run in RUNS], questions)
    found = karat.qa(questions, answers, verdicts=karat.read_verdicts(QA / "judgments.tsv", questions))
    return {f"{row.run.title()}-1": row.factoid.accuracy for row in found.runs}


def test_judgments_give_scores(asked: tuple[Any, str]) -> None:
    """First a preview that stores nothing, then the scores of `karat qa` for every run, verified from the files."""
    campaigns, name = asked
    preview = apply(name, apply=False)
    assert campaigns.store.state_of(name).judgments == {}
    made = apply(name)
    assert made.applied
    assert preview.digest == made.digest
    state = campaigns.store.state_of(name)
    found = {run.name: run.scores["questions"]["factoid_accuracy"] for run in state.runs.values()}
    assert found == pytest.approx(expected())
    assert {run.state for run in state.runs.values()} == {"scored"}
    assert len(state.keys) == 2
    assert campaigns.store.verify(name)["equal"] is True
    assert apply(name).applied is False, "the same judgments are no new version"
    answer = made.answer()
    assert answer["new"]["scores"]["questions"]["questions"].keys() == found.keys()
    assert "answers are scored for the first time" in answer["findings"][0]


def test_other_judgments_are_another_version(asked: tuple[Any, str]) -> None:
    """What was right and is wrong now is counted, and every run has its new score."""
    campaigns, name = asked
    apply(name)
    lines = JUDGMENTS.decode().splitlines()
    place = lines[0].split("\t").index("verdict")
    rows = [line.split("\t") for line in lines[1:]]
    for row in rows:
        row[place] = "W" if row[place] in ("R", "correct") else row[place]
    harsh = "\n".join([lines[0], *("\t".join(row) for row in rows)]).encode()
    made = apply(name, harsh)
    assert [(one.way, one.old, one.new) for one in made.result.labels] == [
        ("factoid", "correct", "incorrect"),
        ("list", "correct", "incorrect"),
    ]
    state = campaigns.store.state_of(name)
    assert len(state.keys) == 3
    assert all(run.scores["questions"]["factoid_accuracy"] < 0.5 for run in state.runs.values())
    assert campaigns.store.verify(name)["equal"] is True


def test_every_answer_must_be_judged(asked: tuple[Any, str]) -> None:
    """Judgments that leave out answers of runs that count are refused with all of them; so are those of labels."""
    _, name = asked
    short = b"\n".join(JUDGMENTS.splitlines()[:20]) + b"\n"
    with pytest.raises(DataError) as refused:
        apply(name, short)
    assert {problem.code for problem in refused.value.problems} == {"unjudged"}
    assert len(refused.value.problems) > 20
    from karat.campaign.commands import Rekey
    from karat.server.store import execute

    with pytest.raises(UsageError, match="judgments are for tasks of the kind questions"):
        execute(name, Rekey(judgments={"three-way": {"verdicts": "0" * 64}}, scores={}, reason="x"), "organiser")


def test_methods_and_letters_tell_of_judgments(asked: tuple[Any, str]) -> None:
    """The methods take in the report on the questions, and the letters on the newest version speak of judgments."""
    from datetime import timedelta

    from karat.campaign.commands import Release
    from karat.campaign.sight import sight
    from karat.server.releasing import mailing, methods_of

    campaigns, name = asked
    apply(name)
    later = campaigns.store.now() + timedelta(days=9)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(campaigns.store, "now", lambda: later)
        campaigns.store.execute(name, Release(to="teams"), "organiser")
    state = campaigns.store.state_of(name)
    text, references = methods_of(state, sight(state, "organiser", later))
    assert "The runs of questions were scored with karat" in text
    assert "3 pairs of runs were compared in factoid accuracy on 43 questions in 12 series" in text
    assert "Key version 2 brought the judgments of the answers in questions" in text
    assert "voorhees2005" in references
    letters = {one.team: one for one in mailing(state, "key", later, "https://example.org").letters}
    assert set(letters) == {run.title() for run in RUNS}
    for run in RUNS:
        assert f"{expected()[f'{run.title()}-1']:.3f}" in letters[run.title()].text
        assert "have been judged, on" in letters[run.title()].text


def test_the_results_of_questions(asked: tuple[Any, str]) -> None:
    """Judged answers have a leaderboard, a report, pages of teams and files like labels have."""
    import io
    import zipfile
    from datetime import timedelta

    from karat.campaign.commands import Release
    from karat.server import operations

    campaigns, name = asked
    organiser, anybody = campaigns.host(), campaigns.client()
    assert "Awaiting judgment: Careful-1" in campaigns.text_of(organiser.get(f"/c/{name}/results/"))
    apply(name)
    tables, waiting = operations.board(name)
    assert waiting == []
    table: Any = tables["questions"]
    assert {row.run: row.factoid.accuracy for row in table.runs} == pytest.approx(expected())
    page = campaigns.text_of(organiser.get(f"/c/{name}/results/"))
    assert "scores highest" in page
    assert '<div class="board"' in page
    later = campaigns.store.now() + timedelta(days=9)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(campaigns.store, "now", lambda: later)
        campaigns.store.execute(name, Release(to="public"), "organiser")
        page = campaigns.text_of(anybody.get(f"/c/{name}/results/"))
        assert '<div class="board"' in page
        for run in RUNS:
            team = campaigns.text_of(anybody.get(f"/c/{name}/teams/{run.title()}/"))
            assert f"{expected()[f'{run.title()}-1']:.2f}" in team
        assert anybody.get(f"/c/{name}/tasks/questions/key/").content == JUDGMENTS
        while (answer := anybody.get(f"/c/{name}/results.zip")).status_code == 202:
            pass  # the report is being made
        packed = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    files = {one.filename.partition("/")[2] for one in packed.infolist()}
    wanted = {"scores.csv", "scores.json", "comparison.csv", "board.csv", "judgments.tsv", "report.html"}
    assert {f"questions/{one}" for one in wanted} <= files
    assert packed.read(f"{name}-results/questions/judgments.tsv") == JUDGMENTS
