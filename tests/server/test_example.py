"""Tests of the example campaign."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from karat.formats.justification_ratings import read_justifications
from karat.studies.justify.study import justify
from tests.server.conftest import karat
from tests.surroundings import surroundings

TWICE = """
import json, sys
from concurrent.futures import ThreadPoolExecutor
from karat.server.serving import prepare
prepare(sys.argv[1])
from django.db import connections
from karat.server.example import make_example
from karat.server.store import names, state_of, verify
def make(_):
    try:
        return make_example(), len(state_of("example").members), len(state_of("example").active())
    finally:
        connections.close_all()
with ThreadPoolExecutor(4) as threads:
    made = list(threads.map(make, range(4)))
print(json.dumps([made, names(), [verify(name)["equal"] for name in names()], len(state_of("example").refused)]))
"""


def test_pressed_twice(tmp_path: Path) -> None:
    """However often it is asked for at once, there is one example, which everybody sees whole."""
    command = [sys.executable, "-c", TWICE, str(tmp_path / "home")]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings(), timeout=120)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [
        [["example", 10, 8]] * 4,
        ["example", "example-scored", "example-finished"],
        [True] * 3,
        2,
    ]


STATES = """
import json, sys
from karat.server.serving import prepare
prepare(sys.argv[1])
from karat.server.example import FINISHED, NAME, SCORED, make_example
from karat.server.assigning import counts
from karat.server.store import state_of
make_example()
open, over = state_of(NAME), state_of(FINISHED)
def times(campaign):
    said = [one.said for of in state_of(campaign).work_of("three-way").ballots.values() for one in of.values()]
    return {f"{one.assessor} {one.item.stage} {one.item.unit}": one.seconds for one in said}
print(json.dumps({
    "signed": [name for name, member in open.members.items() if open.has_signed(member)],
    "runs": {
        name: sorted({run.status for run in open.runs.values() if run.received.team == name}) for name in open.teams
    },
    "refused": sorted(event.team for _, event in open.refused),
    "extended": [name for name, team in open.teams.items() if team.until],
    "primary": open.primary("Alder", "three-way"),
    "late": [run.name for run in over.active() if run.received.late],
    "keys": len(over.keys),
    "released": sorted(over.released),
    "waiting": [[run.name for run in one.active() if run.state != "scored"] for one in (open, over)],
    "scored": [sorted(state_of(SCORED).released), state_of(SCORED).definition.key_with_results],
    "reports": [name for name, team in over.teams.items() if team.report],
    "judging": counts(NAME, "three-way"),
    "judged": counts(FINISHED, "three-way"),
    "rated": counts(SCORED, "justifications"),
    "times": [times(name) for name in (NAME, SCORED, FINISHED)],
    "guidelines": [len(one.guidelines) for one in (open, over)],
}))
"""


ARCHIVED = """
import sys
from karat.server.serving import prepare
prepare(sys.argv[1])
from msgspec.structs import replace
from karat.campaign.archive import packed, verified
from karat.campaign.events import GENESIS, Created, chained
from karat.errors import DataError
from karat.server import archives
from karat.server.example import FINISHED, NAME, make_example
make_example()
for name in (NAME, FINISHED):
    for anonymous in (False, True):
        archive = verified(archives.export(name, anonymous).data)
with open(sys.argv[2], "wb") as file:
    file.write(archives.export(FINISHED).data)
entries = []
for one in archive.entries:
    event = replace(one.event, example=False) if isinstance(one.event, Created) else one.event
    before = entries[-1].hash if entries else GENESIS
    entries.append(chained(before, len(entries) + 1, one.at, one.actor, event))
try:
    verified(packed(entries, archive.contents))
except DataError as error:
    print(error)
"""


@pytest.mark.nightly
def test_archives_of_the_example(tmp_path: Path) -> None:
    """Both campaigns can be imported; only the example can have runs that were received before it was made."""
    file = tmp_path / "finished.zip"
    command = [sys.executable, "-c", ARCHIVED, str(tmp_path / "home"), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings(), timeout=120)
    assert done.returncode == 0, done.stderr
    assert "an entry that cannot be replayed: a run received at" in done.stdout
    told = karat(tmp_path / "other", "campaign", "import", str(file))
    assert told.returncode == 0, told.stderr
    assert "everything stored follows from the record" in told.stdout


@pytest.mark.nightly
def test_teams_in_every_state(tmp_path: Path) -> None:
    """A visitor finds every state that a team can be in, and a campaign that is over."""
    command = [sys.executable, "-c", STATES, str(tmp_path / "home")]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings(), timeout=120)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert "Dogwood" not in found["signed"]
    assert found["runs"] == {
        "Alder": ["active", "replaced"],
        "Birch": ["active", "withdrawn"],
        "Cedar": ["active"],
        "Dogwood": [],
        "Elm": [],
        "Fir": [],
    }
    assert found["refused"] == ["Birch", "Fir"]
    assert (found["extended"], found["primary"], found["late"]) == (["Elm"], 2, ["Fir-1"])
    assert (found["keys"], found["released"]) == (3, ["public", "teams"])
    assert found["waiting"] == [["Cedar-1"], []]
    assert found["reports"] == ["Alder", "Birch"]
    assert found["scored"] == [["teams"], True]
    people = {one["assessor"]: one for one in found["judging"]["assessors"]}
    assert list(people) == ["Wren", "Robin", "Finch", "Owl"]
    assert [one["qualified"] for one in people.values()] == [True, True, False, None]
    assert (people["Finch"]["attempts"], people["Finch"]["judged"]) == (2, 2)
    assert 0 < people["Wren"]["judged"] < people["Wren"]["units"]
    assert found["judging"]["units"]["adjudicated"] == 1
    assert found["judging"]["units"]["disputed"] > 0
    assert found["judging"]["revealed"]
    assert found["judged"]["units"] == {"open": 0, "agreed": 4, "disputed": 0, "undecided": 0, "adjudicated": 3}
    assert found["judged"]["closed"] == ["labels"]
    assert found["guidelines"] == [2, 1]
    rated = {one["assessor"]: (one["judged"], one["units"], one["skipped"]) for one in found["rated"]["assessors"]}
    assert rated == {"Wren": (24, 24, 0), "Robin": (24, 24, 3), "Finch": (10, 24, 0)}
    # Judgments of the same pairs take people as long in every campaign, and as long as people take.
    first, scored, finished = found["times"]
    assert scored == finished
    assert len(scored) == 17
    assert all(2 < seconds < 90 for seconds in (first | scored).values())
    assert len(set(first.values())) > 20


RATED = """
import json, sys
from karat.server.serving import prepare
prepare(sys.argv[1])
from karat.server import models
from karat.server.example import make_example
make_example()
from tests.server.campaigns import logged_in
from karat.server.accounts import HOST
models.Account.objects.create(name=HOST, password="!", is_host=True)
pages = {}
for who, page in (("Finch", "judge"), ("Wren", "judge"), (HOST, "judging")):
    browser = logged_in(models.Account.objects.get(name=who))
    while "in a moment" in (text := browser.get(f"/c/example-scored/tasks/justifications/{page}/").content.decode()):
        pass
    pages[who] = text
print(json.dumps(pages))
"""


@pytest.mark.nightly
def test_justifications_can_be_rated_at_once(tmp_path: Path) -> None:
    """One assessor has some left, another one is asked for a summary; the file is what `karat justify` reads."""
    home, file = tmp_path / "home", tmp_path / "ratings.tsv"
    command = [sys.executable, "-c", RATED, str(home)]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings(), timeout=120)
    assert done.returncode == 0, done.stderr
    finch, wren, host = json.loads(done.stdout).values()
    assert "10 of 24 rated" in finch
    assert "How easy is the justification to understand?" in finch
    assert "Say why, in a sentence, and stop." in wren
    assert "Runs: understandable" in host
    assert karat(home, "campaign", "ballots", "example-scored", "justifications", "-o", str(file)).returncode == 0
    rated = justify(read_justifications(file))
    assert sorted(run.run for run in rated.runs) == ["Alder-1", "Birch-1", "Elm-1"]
    assert sorted(judge.judge for judge in rated.judges) == ["Finch", "Robin", "Wren"]


TAKEN = """
import json, sys
from karat.server.serving import prepare
prepare(sys.argv[1])
from karat.errors import UsageError
from karat.server import models
from karat.server.accounts import HOST
from karat.server.example import make_example
from karat.server.store import names
from django.test import Client
models.Account.objects.create(name="Birch", password="!")
said = []
try:
    make_example()
except UsageError as error:
    said.append(str(error))
host = models.Account.objects.create(name=HOST, password="!", is_host=True)
browser = Client(headers={"host": "127.0.0.1:8000"})
browser.force_login(host)
answer = browser.post("/welcome/look/", {"as": "team"})
made = names()
from karat.campaign.definition import build
from karat.campaign.commands import Create
from karat.server.store import execute
models.Account.objects.filter(name="Birch").update(example=True)
dates = {"opens": "2027-05-01T00:00:00", "closes": "2027-05-02T00:00:00"}
real = build({"name": "example", "title": "Real", "dates": dates, "tasks": [{"name": "a", "test": "a"}]}, "")
execute("example", Create(definition=real, files={"a": "0"}), HOST)
try:
    make_example()
except UsageError as error:
    said.append(str(error))
print(json.dumps([said, made, answer.status_code, "Birch" in answer.content.decode()]))
"""


def test_names_that_are_taken(tmp_path: Path) -> None:
    """Nobody who is there already is made part of the example, and no campaign that counts becomes it."""
    command = [sys.executable, "-c", TAKEN, str(tmp_path / "home")]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings(), timeout=120)
    assert done.returncode == 0, done.stderr
    (first, second), *rest = json.loads(done.stdout)
    assert "accounts of others: Birch; try it on a server of its own" in first
    assert "that is not the example" in second
    assert rest == [[], 409, True]


CUT_OFF = """
import json, sys
from karat.server.serving import prepare
prepare(sys.argv[1])
from karat.server import example
from karat.server.store import state_of
whole, example.submit = example.submit, None
try:
    example.make_example()
except TypeError:
    pass
begun = len(state_of("example").members)
example.submit = whole
example.make_example()
print(json.dumps([begun, len(state_of("example").members), len(state_of("example").active())]))
"""


def test_cut_off(tmp_path: Path) -> None:
    """A server that was stopped while it made the example goes on where it was."""
    command = [sys.executable, "-c", CUT_OFF, str(tmp_path / "home")]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings(), timeout=120)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [6, 10, 8]
