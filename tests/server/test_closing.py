"""Scores appear when rounds are closed: by verdicts, by nuggets, by grades; visibly, and without a release."""

from __future__ import annotations

import csv
import io
import zipfile
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

import karat
from karat import examples
from karat.campaign.definition import Task
from karat.campaign.events import Rekeyed
from karat.campaign.judging.asking import Ask
from karat.campaign.judging.kinds.kind import Export, Kind

QA = examples.HERE / "qa"
TASK = "questions"
RUNS = ("careful", "steady", "guesser")
NAMES = {run: f"{run.title()}-1" for run in RUNS}
YES = Ask(name="done", text="Done?", values=("yes",), keys=("1",))


def made_of(name: str) -> bytes:
    """A file of the examples, with the names that runs have in the campaign."""
    rows = list(csv.reader(io.StringIO((QA / f"{name}.tsv").read_text()), delimiter="\t"))
    if "run" in rows[0]:
        place = rows[0].index("run")
        rows = rows[:1] + [[*row[:place], NAMES[row[place]], *row[place + 1 :]] for row in rows if row[place] in NAMES]
    return ("\n".join("\t".join(row) for row in rows) + "\n").encode()


FILES = {"verdicts": made_of("judgments"), "nuggets": made_of("nuggets"), "matches": made_of("matches")}


def kind(stage: Any, *names: str, runs: bool = False) -> Kind:
    """A round in which somebody says yes, and whose files are those of the examples."""
    return Kind(
        stage=stage,
        title=stage.title(),
        units=lambda material: material.questions.index,  # type: ignore[arg-type, return-value]
        runs=(lambda material, _: tuple(material.runs)) if runs else None,
        show=lambda *_: {},
        ask=lambda *_: (YES,),
        files=tuple(
            Export(name, f"{name}.tsv", "as read", lambda _, __, name=name: FILES[name])  # type: ignore[misc]
            for name in names
        ),
    )


@pytest.fixture
def asked(home: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A campaign of question series that has closed, with three runs, and rounds of which the files are known."""
    del home
    from karat.campaign.judging import kinds
    from karat.server import store
    from karat.server.submitting import Declared, submit
    from tests.server import campaigns, panels

    every = (kind("labels", "verdicts"), kind("nuggets", "nuggets"), kind("matches", "matches", runs=True))
    monkeypatch.setitem(kinds.KINDS, "questions", every)
    monkeypatch.setitem(kinds.KINDS, "nuggets", every[1:])
    tasks = (
        Task(name=TASK, kind="questions", test="questions.xml"),
        Task(name="answers", kind="nuggets", test="questions.xml"),
    )
    files = {"questions.xml": (QA / "questions.xml").read_bytes()}
    made = panels.make("anna", tasks=tasks, files=files)
    at = store.now() - timedelta(days=2)
    for run in RUNS:
        campaigns.member(made.name, run.title(), f"{made.name}-{run}", signed=False)
        raw = (QA / "runs" / f"{run}.tsv").read_bytes()
        for task in tasks:
            sent = submit(made.name, f"{made.name}-{run}", f"{run}.tsv", raw, Declared(task=task.name), at)
            assert sent.run is not None, sent.problems
            assert sent.run.state == "awaiting judgment"
    return made


def hold(made: Any, stage: Any, task: str = TASK, **facts: Any) -> None:
    """Give out a round, and judge all of it."""
    from karat.server import assigning

    questions = karat.read_questions(QA / "questions.xml").questions
    units = [one.id for one in questions if (one.type == "OTHER") == (stage != "labels")]
    assigning.assign(made.name, task, made.names("anna"), stage=stage, units=units, per_unit=1, **facts)
    made.play("anna", lambda _: {"done": "yes"}, task)


def close(made: Any, stage: str, task: str = TASK) -> Any:
    """Close a round on the page, and what it says."""
    from tests.server import campaigns

    host = campaigns.host()
    answer = host.post(f"/c/{made.name}/tasks/{task}/judging/round/", {"stage": stage}, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def stored(made: Any, task: str = TASK) -> dict[str, Any]:
    """The scores of each run."""
    from karat.server.store import state_of

    return {
        run.name: run.scores.get(state_of(made.name).definition.task(task).kind)
        for run in state_of(made.name).active(task=task)
    }


def expected(**nouns: Any) -> dict[str, Any]:
    """What `karat qa` says about the same files."""
    questions = karat.read_questions(QA / "questions.xml")
    answers = karat.read_answers([QA / "runs" / f"{run}.tsv" for run in RUNS], questions)
    return {NAMES[one.run]: one for one in karat.qa(questions, answers, **nouns).runs}


def nouns() -> tuple[Any, Any]:
    """The verdicts and the matches of the three runs."""
    questions = karat.read_questions(QA / "questions.xml")
    listed = karat.read_nuggets(QA / "nuggets.tsv")
    return karat.read_verdicts(QA / "judgments.tsv", questions), karat.read_matches(QA / "matches.tsv", listed)


def test_scores_come_with_the_rounds(asked: Any) -> None:
    """Factoids and lists when the verdicts close, whole series when the nuggets are found; the record says why."""
    from karat.server.store import record_of, state_of, verify

    hold(asked, "labels")
    page = asked.page("organiser", f"tasks/{TASK}/judging/").content.decode()
    assert "No run is scored yet" in page
    assert "The round is open: labels." in page
    assert "Nothing is given out yet: matches." in page
    assert "3 runs scored by the judgments: key version 2" in close(asked, "labels")
    verdicts, matches = nouns()
    by_verdicts = expected(verdicts=verdicts)
    for name, scores in stored(asked).items():
        assert scores["factoid_accuracy"] == pytest.approx(by_verdicts[name].factoid.accuracy)
        assert scores["series"] is None
        assert "nugget_f" not in scores
    hold(asked, "nuggets")
    assert "cores wait: nothing is given out yet: matches" in close(asked, "nuggets")
    assert stored(asked)["Careful-1"]["series"] is None
    hold(asked, "matches")
    assert "key version 3" in close(asked, "matches")
    whole = expected(verdicts=verdicts, matches=matches)
    for name, scores in stored(asked).items():
        assert scores["series"] == pytest.approx(whole[name].by_series.value)
        assert scores["nugget_f"] == pytest.approx(whole[name].other.score.value)
        assert scores["list_f"] == pytest.approx(whole[name].list.score.value)
    overview = asked.page("organiser", "").content.decode()
    for heading in ("Factoid accuracy", "List F", "Nugget F", "Series score"):
        assert f">By judgments: {heading}</th>" in overview, heading
    state = state_of(asked.name)
    assert {run.state for run in state.active(task=TASK)} == {"scored"}
    assert state.released == {}
    reasons = [entry.event.reason for entry in record_of(asked.name) if isinstance(entry.event, Rekeyed)]
    assert reasons == [f"a round of {TASK} was closed: labels", f"a round of {TASK} was closed: matches"]
    assert verify(asked.name)["equal"] is True
    assert "3 runs scored by the judgments: key version" not in close(asked, "matches"), "nothing is scored twice"
    assert len(state_of(asked.name).keys) == 3


def test_what_is_missing_is_said(asked: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers that nobody judged, and responses that nobody looked at: no score, and the page says what is missing."""
    from karat.server import assigning

    short = b"\n".join(FILES["verdicts"].splitlines()[:20]) + b"\n"
    with monkeypatch.context() as patch:
        patch.setitem(FILES, "verdicts", short)
        hold(asked, "labels")
        said = close(asked, "labels")
        assert "answers not judged, first" in said
        assert stored(asked)["Careful-1"] is None
        page = asked.page("organiser", f"tasks/{TASK}/judging/").content.decode()
        assert "answers not judged, first" in page
    assert assigning.set_round(asked.name, TASK, "labels", False)["scored"] == 3, "closed again, it is looked at again"
    hold(asked, "nuggets")
    units = [one.id for one in karat.read_questions(QA / "questions.xml").questions if one.type == "OTHER"]
    assigning.assign(asked.name, TASK, asked.names("anna"), stage="matches", units=units, per_unit=1)
    close(asked, "nuggets")
    assert f"{3 * len(units)} not judged: matches" in close(asked, "matches")
    assert stored(asked)["Careful-1"]["series"] is None


def test_nuggets_alone(asked: Any, tmp_path: Any) -> None:
    """A task of nuggets has the scores of `karat nuggets`, a board, and files that give them again."""
    from karat.campaign.commands import Release
    from karat.campaign.sight import sight
    from karat.server import operations, store
    from karat.server.releasing import methods_of
    from tests.server import campaigns

    for stage in ("nuggets", "matches"):
        hold(asked, stage, "answers")
        close(asked, stage, "answers")
    listed = karat.read_nuggets(QA / "nuggets.tsv")
    (tmp_path / "matches.tsv").write_bytes(FILES["matches"])
    questions = karat.read_questions(QA / "questions.xml")
    for run in RUNS:
        (tmp_path / f"{NAMES[run]}.tsv").write_bytes((QA / "runs" / f"{run}.tsv").read_bytes())
    answers = karat.read_answers([tmp_path / f"{NAMES[run]}.tsv" for run in RUNS], questions)
    answers = replace(answers, runs=tuple(NAMES.get(run, run) for run in answers.runs))
    found = karat.nuggets(karat.read_matches(tmp_path / "matches.tsv", listed).with_texts(answers))
    for one in found.runs:
        scores = stored(asked, "answers")[one.run]
        assert scores == pytest.approx(
            {"nugget_f": one.f, "vital": one.vital, "weighted": one.weighted, "all": one.all}
        )
    tables, _ = operations.board(asked.name, "answers")
    table: Any = tables["answers"]
    assert {one.run: one.vital for one in table.runs} == {one.run: pytest.approx(one.vital) for one in found.runs}
    page = campaigns.text_of(campaigns.host().get(f"/c/{asked.name}/results/"))
    assert '<div class="board"' in page
    store.execute(asked.name, Release(to="public"), "organiser")
    anybody = campaigns.client()
    assert '<div class="board"' in campaigns.text_of(anybody.get(f"/c/{asked.name}/results/"))
    assert "0." in campaigns.text_of(anybody.get(f"/c/{asked.name}/teams/Careful/"))
    state = store.state_of(asked.name)
    text, _ = methods_of(state, sight(state, "organiser", store.now()))
    assert "vital" in text
    assert "1 assessor judged on the pages of the campaign" in text
    while (answer := anybody.get(f"/c/{asked.name}/results.zip")).status_code == 202:
        pass  # the report is being made
    packed = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    folder = f"{asked.name}-results/answers"
    for name in ("nuggets", "matches"):
        (tmp_path / f"{name}.tsv").write_bytes(packed.read(f"{folder}/{name}.tsv"))
        assert asked.names("anna")[0].encode() not in packed.read(f"{folder}/{name}.tsv")
    again = karat.nuggets(karat.read_matches(tmp_path / "matches.tsv", karat.read_nuggets(tmp_path / "nuggets.tsv")))
    assert {one.run: one.vital for one in again.runs} == {one.run: pytest.approx(one.vital) for one in found.runs}
    key = anybody.get(f"/c/{asked.name}/tasks/answers/key/?file=matches.tsv").content
    assert key == packed.read(f"{folder}/matches.tsv")
    assert anybody.get(f"/c/{asked.name}/tasks/answers/key/?file=secret.tsv").status_code == 404


def test_an_archive_without_names_has_the_same_scores(asked: Any) -> None:
    """Runs have other ids in it, in the judgments too; verify holds."""
    from karat.campaign.anonymous import anonymised
    from karat.campaign.judging.library import Library
    from karat.campaign.replaying import from_files, misfits
    from karat.campaign.state import replay
    from karat.server import models
    from karat.server.store import record_of, state_of

    hold(asked, "labels")
    hold(asked, "nuggets")
    hold(asked, "matches")
    for stage in ("labels", "nuggets", "matches"):
        close(asked, stage)
    contents = {one.sha256: bytes(one.data) for one in models.Content.objects.all()}
    entries, files = anonymised(list(record_of(asked.name)), contents)
    assert list(misfits(entries, from_files(files), Library(files.__getitem__))) == []
    before, after = state_of(asked.name), replay(entries)
    assert sorted(str(run.scores) for run in after.runs.values()) == sorted(
        str(run.scores) for run in before.runs.values()
    )
    words = b"\n".join(files.values())
    for run in before.runs:
        assert run.encode() not in words
    assert asked.names("anna")[0].encode() not in words


def test_a_key_by_hand_keeps_the_nuggets(asked: Any) -> None:
    """Verdicts that an organiser brings later are previewed, and the series is scored with the nuggets found before."""
    from karat.server.rescoring import rescore

    for stage in ("labels", "nuggets", "matches"):
        hold(asked, stage)
        close(asked, stage)
    before = stored(asked)
    harsh = FILES["verdicts"].replace(b"\tcorrect\t", b"\tincorrect\t").replace(b"\tR\t", b"\tW\t")
    assert harsh != FILES["verdicts"]
    seen = rescore(asked.name, "judgments.tsv", harsh, "stricter", task=TASK)
    assert stored(asked) == before
    assert {view.way for view in seen.result.views} == {"series", "factoid", "list", "other"}
    rescore(asked.name, "judgments.tsv", harsh, "stricter", task=TASK, apply=True)
    after = stored(asked)
    for name in after:
        assert after[name]["nugget_f"] == before[name]["nugget_f"]
        assert after[name]["series"] < before[name]["series"]


@pytest.fixture
def grading(home: Any) -> Any:
    """Campaigns in which whole answers are graded."""
    del home
    from tests.server import grading

    return grading


def test_grades_give_scores(grading: Any) -> None:
    """The mean of content and organisation; a run that says nothing about a question has 0 there."""
    from karat.campaign.commands import Release
    from karat.campaign.sight import sight
    from karat.server import assigning, operations, store
    from karat.server.releasing import methods_of
    from tests.server import campaigns

    made = grading.make("anna", "ben", kind="ratings")
    assigning.assign(made.name, grading.DEFINED, made.names("anna", "ben"), stage="quality")

    def grade(show: Any) -> dict[str, str]:
        tree = 1 if "tree 1" in show["response"][0] else 0
        return {"content": str(8 - tree), "organisation": str(4 + tree)}

    made.play("anna", grade, grading.DEFINED)
    assert "cores wait" not in str(assigning.set_round(made.name, grading.DEFINED, "quality", False)["scores"])
    scores = stored(made, grading.DEFINED)
    assert scores["Maple-1"] == {"content_and_organisation": 7.0, "content": 8.0, "organisation": 4.0}
    assert scores["Willow-1"] == {"content_and_organisation": 6.75, "content": 7.5, "organisation": 4.5}
    assert scores["Hazel-1"]["content"] == pytest.approx(8 * 7 / 8), "it says nothing about one of eight questions"
    assert store.verify(made.name)["equal"] is True
    tables, waiting = operations.board(made.name)
    assert waiting == []
    assert set(tables) == {grading.DEFINED}
    host = campaigns.host()
    page = campaigns.text_of(host.get(f"/c/{made.name}/results/"))
    assert '<div class="board"' in page
    assert "8 questions" in page
    store.execute(made.name, Release(to="public"), "organiser")
    anybody = campaigns.client()
    assert '<div class="board"' in campaigns.text_of(anybody.get(f"/c/{made.name}/results/"))
    assert "7.0" in campaigns.text_of(anybody.get(f"/c/{made.name}/teams/Maple/"))
    state = store.state_of(made.name)
    text, _ = methods_of(state, sight(state, "organiser", store.now()))
    assert "Content counts three times as much as organisation" in text
    while (answer := anybody.get(f"/c/{made.name}/results.zip")).status_code == 202:
        pass  # the report is being made
    packed = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    quality = packed.read(f"{made.name}-results/{grading.DEFINED}/quality.tsv").decode()
    assert "Maple-1" in quality
    assert made.names("anna")[0] not in quality


@pytest.mark.parametrize("kind", ["ratings", "questions"])
def test_grades_are_in_the_archive(grading: Any, kind: Any) -> None:
    """Whether runs are scored by them or not; also in one without names, from which the same scores come."""
    from karat.campaign.anonymous import anonymised
    from karat.campaign.judging.library import Library
    from karat.campaign.replaying import from_files, misfits
    from karat.campaign.state import replay
    from karat.server import assigning, models, store

    made = grading.make("anna", "ben", kind=kind)
    assigning.assign(made.name, grading.DEFINED, made.names("anna", "ben"), stage="quality")
    for who, content in (("anna", "7"), ("ben", "5")):
        made.play(who, lambda _, said=content: {"content": said, "organisation": "10"}, grading.DEFINED)
    assigning.set_round(made.name, grading.DEFINED, "quality", False)
    before, contents = list(store.record_of(made.name)), {o.sha256: bytes(o.data) for o in models.Content.objects.all()}
    hidden, files = anonymised(before, contents)
    for entries, content_of in ((before, contents), (hidden, files)):
        assert list(misfits(entries, from_files(content_of), Library(content_of.__getitem__))) == []
        state = replay(entries)
        task = state.definition.tasks[0]
        about = Library(content_of.__getitem__).material(state, task)
        rows = assigning.files(task)["quality"].make(about, False).decode().splitlines()
        grades = sorted(tuple(row.split("\t")[-2:]) for row in rows[1:])
        assert set(grades) == {("5", "10"), ("7", "10")}
        assert len(grades) == len(assigning.file_of(made.name, grading.DEFINED, "quality").splitlines()) - 1
        assert all(bool(run.scores) == (kind == "ratings") for run in state.active(task=task.name))
    assert made.names("anna")[0].encode() not in b"".join(files.values())


def test_no_team_learns_that_it_is_scored_before_the_release(asked: Any) -> None:
    """On its page, its receipt and in the interface for programs, also of a run that comes in judged; then it does."""
    from karat.campaign.commands import Release
    from karat.server import models, store
    from karat.server.accounts import HOST, issue_token
    from karat.server.submitting import Declared, submit
    from tests.server import campaigns

    hold(asked, "labels")
    close(asked, "labels")
    account = f"{asked.name}-careful"
    raw, at = (QA / "runs" / "careful.tsv").read_bytes(), store.now() - timedelta(days=1.5)
    again = submit(asked.name, account, "again.tsv", raw + b"\n", Declared(task=TASK, run=2), at)
    assert again.run is not None
    assert again.run.state == "scored", "the same answers have been judged"
    browser = campaigns.logged_in(models.Account.objects.get(name=account))
    headers = {"Authorization": f"Bearer {issue_token(asked.name, account, HOST)}"}

    def told() -> set[str]:
        runs = campaigns.client().get(f"/api/campaigns/{asked.name}/tasks/{TASK}/runs", headers=headers).json()["runs"]
        pages = [browser.get(f"/c/{asked.name}/runs/{run['id']}/").content.decode() for run in runs]
        pages.append(browser.get(f"/c/{asked.name}/").content.decode())
        said = {
            state for page in pages for state in ("awaiting judgment", "and scored", "key version") if state in page
        }
        return said | {run["state"] for run in runs}

    assert told() == {"awaiting judgment"}
    organisers = campaigns.host().get(f"/c/{asked.name}/").content.decode()
    assert "awaiting judgment" in organisers, "in the task that nobody has judged"
    store.execute(asked.name, Release(to="teams"), "organiser")
    assert {"scored", "and scored", "key version"} <= told()
    store.execute(asked.name, Release(to="public"), "organiser")
    page = campaigns.client().get(f"/c/{asked.name}/teams/Careful/").content.decode()
    assert page.count("awaiting judgment") == 1, "of the task that nobody has judged"


def test_a_release_is_not_made_unawares_of_open_rounds(asked: Any) -> None:
    """A round that is open, or open again with a judgment taken back, is on the checklist; a closed one is not."""
    from karat.server import assigning, releasing

    def cautions() -> list[str]:
        found = releasing.release(asked.name, "teams")["checklist"]
        return [one["text"] for one in found if one["level"] == "caution" and "still being judged" in one["text"]]

    start = f"{TASK} is still being judged, and its scores can change: "
    hold(asked, "labels")
    assert cautions() == [f"{start}labels."]
    close(asked, "labels")
    units = [one.id for one in karat.read_questions(QA / "questions.xml").questions if one.type == "OTHER"]
    assigning.assign(asked.name, TASK, asked.names("anna"), stage="matches", units=units, per_unit=1)
    first = asked.next("anna", TASK)["unit"]
    asked.play("anna", lambda _: {"done": "yes"}, TASK)
    close(asked, "matches")
    assert cautions() == []
    assigning.set_round(asked.name, TASK, "matches", True, "a slip")
    assert cautions() == [f"{start}matches."]
    assert asked.ask("anna", "undo", {"id": "back", "unit": first}, TASK).status_code == 201
    assert cautions() == [f"{start}matches (1 not judged)."]
    page = asked.page("organiser", "release/").content.decode()
    assert f"{start}matches (1 not judged)." in page


def test_no_round_is_closed_unawares_while_teams_submit(asked: Any) -> None:
    """A run that comes in later would not be judged: a reason is needed, also where one team alone has more time."""
    from karat.campaign.commands import Extend
    from karat.errors import UsageError
    from karat.server import assigning, store
    from tests.server import campaigns

    hold(asked, "labels")
    more = Extend(team="Steady", until=store.now() + timedelta(days=1), reason="their university was closed")
    store.execute(asked.name, more, "organiser")
    with pytest.raises(UsageError, match=r"teams can submit until .* would have answers that nobody has judged: close"):
        assigning.set_round(asked.name, TASK, "labels", False)
    form = {"stage": "labels"}
    refused = campaigns.host().post(f"/c/{asked.name}/tasks/{TASK}/judging/round/", form, follow=True)
    assert refused.content.decode().casefold().count("teams can submit until") == 2, "why not, and beside the button"
    assert "Reason to close it before all runs are in" in refused.content.decode()
    assert stored(asked)["Careful-1"] is None
    assert assigning.set_round(asked.name, TASK, "labels", False, "a first look")["scored"] == 3
    assert store.verify(asked.name)["equal"] is True
    page = campaigns.host().get(f"/c/{asked.name}/tasks/{TASK}/judging/").content.decode()
    assert "verdicts: closed" in page.casefold()


def test_labels_of_pairs_are_closed_at_any_time(panels: Any) -> None:
    """No run bears on them."""
    from karat.server import assigning

    made = panels.make("anna", closes=1)
    assigning.assign(made.name, "three-way", made.names("anna"), per_unit=1)
    assert assigning.set_round(made.name, "three-way", "labels", False)["closed"] == ["labels"]
