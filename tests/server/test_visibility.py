"""Who gets what at every address, in every state of a campaign: one table, which knows all addresses."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from karat.campaign.sight import seen_as, sight

States = tuple[str, ...]
BEFORE: States = ("preparing", "registering", "data", "open", "live", "grace", "closed")
PUBLIC: States = ("anonymous", "named")
SINCE_RELEASE: States = ("teams", "teams with key", *PUBLIC)
ALWAYS: States = (*BEFORE, *SINCE_RELEASE)
SINCE_DATA, SINCE_OPEN = ALWAYS[2:], ALWAYS[3:]
ROLES = {
    "nobody": "public",
    "stranger": "public",
    "team": "team",
    "unsigned": "unsigned",
    "other": "other",
    "assessor": "assessor",
    "organiser": "organiser",
    "host": "organiser",
    "as team": "team",
    "as assessor": "assessor",
    "as public": "public",
}
"""Everybody who asks, and the column of the table that holds for them.

`team` is the team whose run, file and report the addresses name, `unsigned` one that has not accepted the agreement.
"""
Columns = dict[str, States]
"""The states in which a column gets something; never, where it is not named."""
MEMBERS, INSIDE = ("team", "unsigned", "other"), ("team", "unsigned", "other", "assessor", "organiser")
LOGGED_IN = tuple(role for role in ROLES if role != "nobody")


def always(*columns: str) -> Columns:
    """These columns, in every state."""
    return dict.fromkeys(columns, ALWAYS)


@dataclass(frozen=True)
class Row:
    """Who can get an address, and who can send something to it; None where the method is not allowed."""

    get: Columns | None = None
    post: Columns | None = None
    ok: int = 200
    no: int = 404
    fixed: Mapping[str, int] | None = None
    """The answer to a GET by role, where it depends on nothing else."""
    form: Mapping[str, str] = field(default_factory=dict)


def everybody(status: int) -> dict[str, int]:
    """The same answer for all."""
    return dict.fromkeys(ROLES, status)


ORGANISER = always("organiser")
JUDGES = always("assessor", "organiser")
OWN_OR_ORGANISER: Columns = {"team": SINCE_OPEN, "organiser": SINCE_OPEN}
OUTSIDE = ("team", "unsigned", "other", "assessor", "public")
PUBLISHED: Columns = dict.fromkeys(OUTSIDE, PUBLIC)
WITH_KEY: States = ("teams with key", *PUBLIC)
RESULTS = ORGANISER | PUBLISHED | {"unsigned": SINCE_RELEASE}
RESULTS |= dict.fromkeys(("team", "other"), ("live", *SINCE_RELEASE))
TABLE = {
    # The server
    "healthz": Row(fixed=everybody(200)),
    "front": Row(fixed=everybody(200)),
    "with-slash": Row(fixed=everybody(404)),
    "welcome": Row(fixed=everybody(404) | {"nobody": 302, "host": 200}),
    "look": Row(fixed=everybody(405)),
    "start": Row(fixed=everybody(405)),
    "enter": Row(fixed=everybody(410)),
    "login": Row(fixed=everybody(200)),
    "logout": Row(fixed=everybody(405)),
    "account": Row(fixed=dict.fromkeys(LOGGED_IN, 200) | {"nobody": 302}),
    "make-token": Row(fixed=everybody(405)),
    "end-token": Row(fixed=everybody(405)),
    # A campaign
    "campaign": Row(always(*INSIDE) | {"public": PUBLIC}),
    "join": Row(fixed=everybody(404)),
    "data": Row(PUBLISHED | {"organiser": ALWAYS, "team": SINCE_DATA, "other": SINCE_DATA}),
    "see-as": Row(None, ORGANISER),
    # Results
    "results": Row(RESULTS),
    "results-files": Row(RESULTS),
    "task-report": Row({"organiser": SINCE_OPEN} | PUBLISHED),
    "key": Row(ORGANISER | PUBLISHED | dict.fromkeys(("team", "other"), WITH_KEY)),
    "team-results": Row(ORGANISER | PUBLISHED | {"team": SINCE_RELEASE}),
    "team-report": Row({"organiser": SINCE_OPEN} | PUBLISHED | {"team": WITH_KEY}),
    # A team
    "sign": Row(None, always(*MEMBERS, "assessor")),
    "send-report": Row(None, always(*MEMBERS)),
    "report": Row(dict.fromkeys(OUTSIDE, ("named",)) | OWN_OR_ORGANISER),
    "submit": Row(always(*MEMBERS), always(*MEMBERS)),
    "run": Row(OWN_OR_ORGANISER),
    "run-file": Row(PUBLISHED | OWN_OR_ORGANISER),
    "withdraw": Row(None, {"team": SINCE_OPEN}),
    "primary": Row(None, {"team": SINCE_OPEN}),
    "attempt": Row(OWN_OR_ORGANISER),
    "attempt-file": Row(OWN_OR_ORGANISER),
    # Its assessors
    "judge": Row(always("assessor", "organiser"), always("assessor", "organiser")),
    # Judging
    "guidelines": Row(JUDGES),
    "guidelines-version": Row(JUDGES),
    "qualification": Row(JUDGES),
    "discussion": Row(JUDGES, JUDGES),
    "outcomes": Row(JUDGES),
    # Its organisers
    "attempts": Row(ORGANISER),
    "people": Row(ORGANISER),
    "invite": Row(None, ORGANISER, form={"role": "team", "name": "Elm"}),
    "end-link": Row(None, ORGANISER),
    "extend": Row(None, ORGANISER),
    "reset": Row(None, ORGANISER),
    "edit": Row(ORGANISER, ORGANISER),
    "campaign-file": Row(ORGANISER),
    "record": Row(ORGANISER, ORGANISER),
    "record-file": Row(ORGANISER),
    "rescore": Row(ORGANISER, ORGANISER),
    "release": Row(ORGANISER, ORGANISER, form={"to": "teams"}),
    "mail": Row(ORGANISER, ORGANISER),
    "export": Row(ORGANISER),
    "judging": Row(ORGANISER),
    "judging-assign": Row(None, ORGANISER),
    "judging-reassign": Row(None, ORGANISER),
    "judging-round": Row(None, ORGANISER, form={"stage": "labels"}),
    "judging-questions": Row(None, ORGANISER),
    "judging-import": Row(None, ORGANISER),
    "judging-file": Row(ORGANISER),
    # Programs
    "openapi": Row(fixed=everybody(200)),
    "api-unknown": Row(fixed=everybody(404)),
    "api-campaign": Row(always(*INSIDE)),
    "api-data": Row(PUBLISHED | {"organiser": ALWAYS, "team": SINCE_DATA, "other": SINCE_DATA}, no=403),
    "api-runs": Row(always(*INSIDE), always(*MEMBERS), no=403),
    "api-run": Row({"team": SINCE_OPEN, "organiser": SINCE_OPEN}),
    "api-guidelines": Row(JUDGES, no=403),
    "api-next": Row(JUDGES, ok=204, no=403),
    "api-ballots": Row(None, JUDGES, no=403),
    "api-undo": Row(None, JUDGES, no=403),
}
"""What is at every address; a new one needs a row, and a test fails until it has one."""


def expected(row: Row, method: str, role: str, stage: str, name: str) -> int:
    """The status by the table; 0 for a form that is looked at, whatever becomes of it."""
    columns = row.get if method == "GET" else row.post
    if columns is None:
        return 405
    if (name, role, method) == ("campaign", "as public", "GET"):
        return 200  # says that the public sees nothing yet, and leads back
    if method == "POST" and role.startswith("as "):
        return 403 if ROLES[role] in columns else row.no
    if role == "nobody" and name.startswith("api-"):
        return 401
    if stage not in columns.get(ROLES[role], ()):
        return 302 if role == "nobody" else row.no
    return row.ok if method == "GET" else 0


EVERY_STATE = [
    pytest.param(("open", "closed", "teams with key", "named"), id="some states"),
    pytest.param(ALWAYS, id="every state", marks=pytest.mark.nightly),
]
FORM_STATES = [
    pytest.param(("open", "teams"), id="some states"),
    pytest.param(
        ("preparing", "open", "live", "closed", "teams", "named"), id="where forms differ", marks=pytest.mark.nightly
    ),
]
"""Nothing begins or ends in the other states that a form depends on."""


def stages(sights: Any, wanted: States) -> Iterator[tuple[Any, str]]:
    """The wanted states, each with a campaign that is in it."""
    if "live" in wanted:
        yield sights.World(share=0.4).until("open"), "live"
    world = sights.World()
    for stage in world.stages():
        if stage in wanted:
            yield world, stage


def address(world: Any, state: Any, pattern: Any, role: str) -> str:
    """The address of what is the team's, as somebody would find it."""
    from django.urls import reverse

    from tests.server.sights import OWN, TASK, Clock

    column = ROLES[role]
    eyes = column if column in ("organiser", "assessor", "public") else "team"
    seen = seen_as(state, OWN, sight(state, eyes, Clock.at), OWN if column == "team" else None)  # type: ignore[arg-type]
    mine = [number for number, event in state.refused if event.team == OWN]
    values = {
        "name": world.name,
        "task": TASK,
        "id": next((id for id, run in state.runs.items() if run.received.team == OWN), "none"),
        "team": seen,
        "number": mine[0] if mine and column == "organiser" else 1,
        "account": world.account(OWN),
        "secret": "nothing",
        "path": "nowhere",
        "version": 1,
        "what": "ballots",
    }
    if column != "team" and mine and column != "organiser":
        values["number"] = 7  # others have as many of their own, which are theirs to see
    if pattern.name is None:
        return "/nowhere"
    return str(reverse(pattern.name, kwargs={place: values[place] for place in pattern.pattern.converters}))


def askers(name: str, world: Any) -> list[str]:
    """Who can ask: programs need a token, or have none; whoever looks through other eyes can always stop."""
    if name.startswith("api-"):
        return [*world.tokens, "nobody"]
    return [role for role in ROLES if not (name == "see-as" and role.startswith("as "))]


def test_every_address_is_in_the_table(sights: Any) -> None:
    """An address that the table does not know fails, and so does a row for one that is gone."""
    del sights
    from tests.server.crawling import patterns

    assert set(patterns()) == set(TABLE)


@pytest.mark.parametrize("states", EVERY_STATE)
def test_who_gets_what(sights: Any, states: States, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every address answers every role in these states as the table says: 404, not 403, where it is not theirs."""
    from karat.server import results
    from tests.server.crawling import ask, patterns

    # Whole reports take seconds each, and what is in them is another question.
    monkeypatch.setattr(results, "_page", lambda _: b"a report")
    wrong, seen = [], Counter[int]()
    for world, stage in stages(sights, states):
        state = world.state
        for name, pattern in patterns().items():
            row = TABLE[name]
            for role in askers(name, world) if row.fixed is None or stage in ("open", "named") else ():
                found = ask(world, role, address(world, state, pattern, role)).status
                told = row.fixed[role] if row.fixed is not None else expected(row, "GET", role, stage, name)
                seen[found] += 1
                if role == "nobody" and stage in PUBLIC and (found, told) == (404, 302):
                    continue  # where there is something to see without logging in, it does not help to log in
                if found != told:
                    wrong.append(f"{name}, {stage}, {role}: {found}, expected {told}")
    assert sorted(wrong) == [], "\n".join(sorted(wrong))
    assert seen[200] > 500
    assert seen[404] > 500


def test_what_does_not_exist(sights: Any) -> None:
    """An unknown task is 404 for its organisers and teams too, and an unknown campaign as one that is not yours."""
    from django.urls import reverse

    from tests.server.crawling import ask, patterns

    world = sights.World().until("open")
    known = {"name": world.name, "task": "three-way", "id": next(iter(world.state.runs)), "team": "Alder"}
    known |= {"number": 1, "account": "x", "secret": "x", "path": "x", "version": 1}
    known |= {"number": 1, "account": "x", "secret": "x", "path": "x", "what": "ballots"}
    for name, pattern in patterns().items():
        for place, missing in (("task", "none"), ("name", "nowhere")):
            if place in pattern.pattern.converters:
                values = known | {place: missing}
                there = reverse(name, kwargs={one: values[one] for one in pattern.pattern.converters})
                for role in ("team", "organiser"):
                    assert ask(world, role, there).status in (404, 405), (there, role)


def test_what_does_not_count_is_never_shown(sights: Any) -> None:
    """Withdrawn, replaced, practice and refused files stay with their team and the organisers, whatever is public."""
    from tests.server.crawling import ask, everything

    world = sights.World().until("named")
    state = world.state
    hidden = [run.received for run in state.runs.values() if run not in state.active()]
    assert {state.runs[one.id].status for one in hidden} == {"withdrawn", "replaced", "active"}
    for one in hidden:
        for role, column in ROLES.items():
            mine = column == "organiser" or {"team": "Alder", "other": "Zebrawood"}.get(column) == one.team
            found = ask(world, role, f"/c/{world.name}/runs/{one.id}/file/").status
            assert found == (200 if mine else 404), (role, one)
    unseen = {one.id for one in hidden} | {one.sent.sha256 for one in hidden}
    unseen |= {event.sent.sha256 for _, event in state.refused}
    for role in ("assessor", "stranger", "nobody"):
        for there, answer in everything(world, role).items():
            parts = [part.decode("utf-8", "replace") for part in answer.parts()]
            assert not [one for one in unseen if one not in there for part in parts if one in part], (role, there)


def test_which_runs_and_scores_programs_get(sights: Any) -> None:
    """With a token, a team gets its own runs alone, with scores since its release; an organiser gets all of them."""
    from tests.server.crawling import ask

    world = sights.World()
    for stage in world.stages():
        there, state = f"/api/campaigns/{world.name}/tasks/three-way/runs", world.state
        for role in world.tokens:
            told = json.loads(ask(world, role, there).body)["runs"]
            team = {"team": "Alder", "other": "Zebrawood", "unsigned": "Cedar"}.get(role, "")
            seen = [id for id, run in state.runs.items() if role == "organiser" or run.received.team == team]
            assert [run["id"] for run in told] == seen, (stage, role)
            for run in told:
                found = state.runs[run["id"]]
                # The score of a run that does not count could tell a label to those who do not have the key.
                counts = found.status == "active" and found.received.sent.area == "official"
                key = "public" in state.released or (state.definition.key_with_results and role != "unsigned")
                scored = role == "organiser" or (stage in SINCE_RELEASE and (counts or key))
                assert run["scores"] == (found.scores if scored else None), (stage, role)
                assert run["key_version"] == (len(state.keys) if scored else None), (stage, role)


@pytest.mark.parametrize("states", FORM_STATES)
def test_who_can_change_anything(sights: Any, states: States, monkeypatch: pytest.MonkeyPatch) -> None:
    """A form is looked at for those whom the table names; for all others nothing is even decided."""
    from karat.errors import UsageError
    from karat.server import models, store
    from tests.server.crawling import ask, patterns

    wrong, reached = [], list[str]()

    def decided(*_: Any) -> Any:
        reached.append("")
        raise UsageError("nothing is changed in this test")

    def stored() -> tuple[int, ...]:
        return tuple(one.objects.count() for one in (models.Event, models.Content, models.Account, models.Secret))

    for world, stage in stages(sights, states):
        before, state = stored(), world.state
        with monkeypatch.context() as patch:
            patch.setattr(store, "decide", decided)
            for name, pattern in patterns().items():
                row = TABLE[name]
                for role in askers(name, world) if row.fixed is None else ():
                    reached.clear()
                    found = ask(world, role, address(world, state, pattern, role), row.form).status
                    told = expected(row, "POST", role, stage, name)
                    if told != 0 and reached:
                        wrong.append(f"{name}, {stage}, {role}: would be carried out")
                    if found != told and (told or found in (401, 403, 404, 405, 500)):
                        wrong.append(f"{name}, {stage}, {role}: {found}, expected {told or 'an answer'}")
        assert stored() == before
    assert sorted(wrong) == [], "\n".join(sorted(wrong))
