"""Question development: from a campaign without questions to its test set, and what the series feed afterwards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.campaign.definition import Task
from karat.errors import UsageError
from tests.server.test_pages_judging import Desk
from tests.server.test_parts import fields, problems

HEADING = b"id\tquestion\n"
TASKS = (
    Task(name="series", kind="questions", test="q.tsv"),
    Task(name="nuggets", kind="nuggets", test="q.tsv"),
)
ABOUT = {"target": "Christopher Reeve", "type": "person", "definition": "An actor who rode.\nAnd spoke for others."}
WRITTEN: tuple[tuple[str, dict[str, str]], ...] = (
    ("born", {"kind": "FACTOID", "text": "When was he born?", "answers": "1952 | NYT1\nSeptember 25,  1952\tNYT2\n"}),
    ("horse", {"kind": "FACTOID", "text": "What was his first horse called?", "none": "yes"}),
    (
        "films",
        {"kind": "LIST", "text": "Which films was he in?", "answers": "Superman|NYT3\nSuperman|NYT4\nNoises Off"},
    ),
    ("other", {"kind": "OTHER"}),
)


def make(panels: Any, *people: str, opens: float = 1, **facts: Any) -> Any:
    """A campaign without questions, before submissions open."""
    given = {"tasks": TASKS, "files": {"q.tsv": HEADING}, "opens": opens, "closes": opens + 1} | facts
    return panels.make(*people, **given)


def assign(panel: Any, *people: str, units: tuple[str, ...] = ("S1", "S2"), **more: Any) -> Any:
    """Give out series."""
    from karat.server import assigning

    return assigning.assign(panel.name, "series", panel.names(*people), stage="development", units=units, **more)


def unit_of(panel: Any, series: str) -> str:
    """The name of a series for its author."""
    from karat.campaign.events import Item
    from karat.campaign.judging.dealing import token
    from karat.server import store

    return str(token(store.state_of(panel.name).seed, "series", Item("development", series)))


def send(panel: Any, who: str, series: str, entry: str = "", **values: str) -> Any:
    """Write a question of a series, or finish it."""
    return panel.judge(who, unit_of(panel, series) + f"/{entry}" * bool(entry), "series", values=values)


def write(panel: Any, who: str, series: str) -> None:
    """Write a whole series, and finish it."""
    for entry, values in WRITTEN:
        answer = send(panel, who, series, entry, **values)
        assert answer.status_code == 201, answer.content
    assert send(panel, who, series, **ABOUT).status_code == 201


def exported(panel: Any, name: str, tmp_path: Path) -> Path:
    """A file of the judgments."""
    from karat.server import assigning

    path = tmp_path / f"{name}.tsv"
    path.write_bytes(assigning.file_of(panel.name, "series", name))
    return path


def test_series_become_questions_known_answers_and_definitions(panels: Any, tmp_path: Path) -> None:
    """As `karat qa` reads them: S, NIL and the lists of nuggets follow from what the author knows."""
    from karat.campaign.judging.kinds.development import known_answers
    from karat.campaign.judging.kinds.nuggets import definition
    from karat.server import developing, store

    made = make(panels, "anna", "ben")
    assign(made, "anna", units=("S10", "S2"))
    write(made, "anna", "S10")
    write(made, "anna", "S2")
    questions = karat.read_questions(exported(made, "questions", tmp_path))
    assert [one.id for one in questions.questions][:5] == ["S2.1", "S2.2", "S2.3", "S2.4", "S10.1"]
    assert [one.type for one in questions.questions][:4] == ["FACTOID", "FACTOID", "LIST", "OTHER"]
    assert (questions.series[0].target, questions.series[0].kind) == ("Christopher Reeve", "PERSON")
    verdicts = karat.read_verdicts(exported(made, "known", tmp_path), questions)
    assert not verdicts.warnings
    known = dict(zip(verdicts.units, verdicts.known(), strict=True))
    assert (len(known["S2.1"]), len(known["S2.2"]), len(known["S2.3"])) == (2, 0, 2)
    assert verdicts.documents[:2] == ("NYT1", "NYT2")
    developing.make_test_set(made.name, "series")
    about = store.material(store.state_of(made.name), "nuggets")
    assert [one.document for one in known_answers(about, "S10.3")] == ["NYT3", "NYT4", ""]
    for task in ("series", "nuggets"):
        for who in made.names("anna", "ben"):
            assert definition(store.material(store.state_of(made.name), task), "S10.4", who) == ABOUT["definition"]
    assert store.verify(made.name)["equal"]


def test_the_test_set_is_made_from_finished_series(panels: Any) -> None:
    """By a button, before submissions open; the round is closed, and a series that is not finished is left out."""
    from karat.server import store
    from tests.server import campaigns

    made = make(panels, "anna", "ben")
    host = campaigns.host()
    overview = host.get(f"/c/{made.name}/").content.decode()
    assert overview.count("has no questions yet") == 2
    assign(made, "anna", "ben", units=("S1", "S2", "S3"))
    page = f"/c/{made.name}/tasks/series/judging/"
    assert "No series is finished yet" in host.get(page).content.decode()
    refused = host.post(f"{page}questions/")
    assert refused.status_code == 422
    assert "nothing to make a test set from" in refused.content.decode()
    queues = store.state_of(made.name).work_of("series").queues
    holders = {item.unit: who for (_, who), items in queues.items() for item in items}
    assert len(holders) == 3, "each series has one author"
    author = {name: who.rpartition("-")[2] for name, who in holders.items()}
    write(made, author["S1"], "S1")
    write(made, author["S3"], "S3")
    shown = host.get(page).content.decode()
    assert "Not finished: S2." in shown
    assert host.post(f"{page}questions/").status_code == 302
    state = store.state_of(made.name)
    for task in ("series", "nuggets"):
        assert [one.id for one in store.test_set(state, state.definition.task(task)).units.series] == ["S1", "S3"]
    assert "development" in state.work_of("series").closed
    assert send(made, author["S1"], "S1", "more", **WRITTEN[0][1]).status_code == 403
    assert "has no questions yet" not in host.get(f"/c/{made.name}/").content.decode()
    assert store.verify(made.name)["equal"]


def test_nothing_is_made_after_submissions_have_opened(panels: Any) -> None:
    """The round that was closed for it is opened again, and the reason says why."""
    from karat.server import developing, store

    made = make(panels, "anna", opens=-1)
    assign(made, "anna")
    write(made, "anna", "S1")
    with pytest.raises(UsageError, match="submissions have opened"):
        developing.make_test_set(made.name, "series")
    state = store.state_of(made.name)
    assert "development" not in state.work_of("series").closed
    assert "could not be made" in str([one.event for one in store.record_of(made.name)][-1])


def test_a_series_ends_with_its_only_other(panels: Any) -> None:
    """Finishing says what is missing; questions can be moved, and the places are kept."""
    made = make(panels, "anna")
    assign(made, "anna")
    assert "questions, and OTHER as the last one" in problems(send(made, "anna", "S1", **ABOUT))
    for entry, values in (WRITTEN[3], WRITTEN[0]):
        assert send(made, "anna", "S1", entry, **values).status_code == 201
    assert "an OTHER question that is not the last one" in problems(send(made, "anna", "S1", **ABOUT))
    assert send(made, "anna", "S1", "again", kind="OTHER").status_code == 201
    assert "2 OTHER questions" in problems(send(made, "anna", "S1", **ABOUT))
    assert made.judge("anna", f"{unit_of(made, 'S1')}/again", "series", skipped="twice").status_code == 201
    for entry, values, place in ((*WRITTEN[3], "2"), (*WRITTEN[0], "1")):
        assert send(made, "anna", "S1", entry, **values, place=place).status_code == 201
    assert send(made, "anna", "S1", **ABOUT).status_code == 201
    (shown,) = [one for one in (made.next("anna", "series"),) if one is not None]
    assert shown["show"] in ({"series": "S2"}, {"series": "S1"})
    page = Desk(made, "anna", "series").open(f"?unit={unit_of(made, 'S1')}")
    assert page.index("When was he born?") < page.index('value="OTHER" data-key="3" checked')


def test_what_does_not_go_together_is_refused(panels: Any) -> None:
    """Every problem of a question at once."""
    made = make(panels, "anna")
    assign(made, "anna")
    told = problems(send(made, "anna", "S1", "x", kind="FACTOID", answers="1952", none="yes", place="first"))
    assert "no text" in told
    assert "answers, and that none was found" in told
    assert "place 'first'" in told
    assert "judged by nuggets" in problems(send(made, "anna", "S1", "x", kind="OTHER", answers="1952"))


def test_units_are_named_by_organisers(panels: Any) -> None:
    """Series are in no file: they need names, of which ids of questions can be made."""
    from karat.server import assigning

    made = make(panels, "anna")
    with pytest.raises(UsageError, match="name the units, such as S1"):
        assigning.assign(made.name, "series", made.names("anna"), stage="development")
    with pytest.raises(UsageError, match=r"'S1\.2' cannot be the name of a unit"):
        assign(made, "anna", units=("S1.2",))
    form = {"assessor": made.names("anna"), "stage": "development", "units": "S1\nS2\n"}
    assert made.page("organiser", "tasks/series/judging/assign/", form).status_code == 302
    assert made.next("anna", "series")["show"]["series"] in ("S1", "S2")


def test_two_authors_at_once_see_nothing_of_each_other(panels: Any, tmp_path: Path) -> None:
    """Nor does one of two who write the same series; the one who was first given series is taken."""
    made = make(panels, "anna", "ben")
    assign(made, "anna", "ben", units=("S1",), per_unit=2)
    write(made, "ben", "S1")
    seen = json.dumps(made.next("anna", "series"))
    assert "Reeve" not in seen
    assert "born" not in seen
    send(made, "anna", "S1", "one", kind="OTHER")
    assert "Reeve" in exported(made, "questions", tmp_path).read_text()
    send(made, "anna", "S1", target="Crips")
    assert "Reeve" not in exported(made, "questions", tmp_path).read_text()


def test_plain_forms_do_all_of_it(panels: Any) -> None:
    """Without a script, places are typed; a refusal keeps what was written."""
    made = make(panels, "anna")
    assign(made, "anna", units=("S1",))
    desk = Desk(made, "anna", "series")
    for _, values in WRITTEN:
        page = desk.open()
        given = {f"answer.{name}": value for name, value in values.items()}
        assert desk.browser.post(desk.address, fields(page, -1) | given | {"do": "save"}).status_code == 302
    page = desk.open()
    refused = desk.send(page, answer__definition="An actor.")
    assert refused.status_code == 422
    assert "An actor.</textarea>" in refused.content.decode()
    assert desk.send(page, answer__target="Reeve").status_code == 302
    assert "Nothing left to judge" in desk.open()


def test_a_campaign_is_set_up_without_a_file(home: Any) -> None:
    """On the start page and in the settings; the start page still asks for a file if that is not said."""
    from karat.server import store
    from tests.server import campaigns

    del home
    host, at = campaigns.host(), {"zone": "UTC", "opens": "2099-01-01T00:00", "closes": "2099-02-01T00:00"}
    form = {"title": "Series of questions", "name": "developed-here", **at}
    assert "No file was chosen" in host.post("/welcome/start/", form).content.decode()
    assert host.post("/welcome/start/", form | {"develop": "yes"}).status_code == 302
    state = store.state_of("developed-here")
    assert [task.kind for task in state.definition.tasks] == ["questions"]
    assert len(store.test_set(state, state.definition.tasks[0]).units) == 0
    assert "has no questions, so that it has no runs" in host.get("/c/developed-here/release/").content.decode()
    for page in ("", "edit/", "release/", "results/", "rescore/", "people/", "tasks/questions/judging/", "record/"):
        assert host.get(f"/c/developed-here/{page}").status_code == 200, page
    page = host.get("/c/developed-here/edit/").content.decode()
    version = page.partition('name="version" value="')[2].partition('"')[0]
    task = {"name": "more", "kind": "nuggets", "way": "3", "runs": "3", "justifications": "none", "attributes": ""}
    old = task | {"name": "questions", "kind": "questions", "title": "Questions", "attributes": "task, length"}
    sent = {f"tasks.0.{k}": v for k, v in old.items()} | {f"tasks.1.{k}": v for k, v in task.items()}
    sent |= {"title": "Series of questions", "zone": "UTC", "registration": "invited", "version": version}
    sent |= {"dates.opens": at["opens"], "dates.closes": at["closes"], "reason": "more", "judging.per_unit": "2"}
    answer = host.post("/c/developed-here/edit/", sent)
    assert answer.status_code == 302, answer.content.decode()
    state = store.state_of("developed-here")
    assert state.definition.task("more").test == "more-questions.tsv"


def test_teams_find_a_task_without_questions(panels: Any) -> None:
    """Their pages work, and a run to it is refused."""
    from tests.server import campaigns
    from tests.server.sights import upload

    made = make(panels, "anna", opens=-1)
    team = campaigns.member(made.name, "Maple", f"{made.name}-maple", signed=False)
    for page in ("", "tasks/series/submit/", "tasks/series/data/"):
        assert team.get(f"/c/{made.name}/{page}").status_code == 200, page
    run = b"run\tqid\trank\tdoc\tanswer\nr\t1\t1\td\ta\n"
    answer = team.post(f"/c/{made.name}/tasks/series/submit/", {"run": "1", "file": upload(run, "run.tsv")})
    assert answer.status_code == 422
