"""Tests of the store: events, files and what goes with them are stored together or not at all, and never changed.

They run on SQLite, and by `test_postgres` on PostgreSQL as well.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from karat.campaign.commands import Create, Extend, Withdraw
from karat.errors import UsageError
from tests.server.clients import RUN, variant


@pytest.fixture
def campaign(home: Any, campaign_file: Callable[..., Path]) -> Callable[..., str]:
    """Make a campaign of its own name, with teams; its name."""
    del home
    from karat.campaign.definition import parse
    from karat.server import operations, store

    def make(*teams: str, **how: Any) -> str:
        name = f"store-{len(store.names())}"
        file = campaign_file(name, **how)
        operations.create(parse(file.read_text(), file.name), lambda one: (file.parent / one).read_bytes(), file.name)
        for team in teams or ("alder",):
            operations.enrol(name, "team", team, "Ada Lovelace")
        return name

    return make


def send(name: str, account: str, raw: bytes = RUN, **said: Any) -> Any:
    """Submit a run, as the interface for programs and the page do."""
    from karat.server.store import now
    from karat.server.submitting import Declared, submit

    return submit(name, account, "run.txt", raw, Declared(task="three-way", **said), now())


def rows(name: str) -> Any:
    """The stored entries of a campaign."""
    from karat.server.models import Event

    return Event.objects.filter(campaign__name=name).order_by("sequence")


def in_threads(work: Callable[[int], Any], count: int) -> list[Any]:
    """Do something in several threads at once, each with a connection of its own."""
    from django.db import connections

    def job(number: int) -> Any:
        try:
            return work(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(job, range(count), timeout=60))


def test_the_record_is_append_only(campaign: Callable[..., str]) -> None:
    """The database itself refuses to change an entry or to delete one."""
    from django.db import DatabaseError, transaction

    name = campaign()
    before = list(rows(name).values())
    attempts: list[Callable[[], Any]] = [
        lambda: rows(name).update(actor="somebody else"),
        lambda: rows(name).filter(sequence=1).update(data="{}"),
        lambda: rows(name).filter(sequence=2)._raw_delete("default"),
    ]
    for attempt in attempts:
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            attempt()
    assert list(rows(name).values()) == before


def test_all_or_nothing(campaign: Callable[..., str]) -> None:
    """If what goes with an event fails, neither event nor file is stored, and the state in memory is as before."""
    from karat.server.models import Content
    from karat.server.store import digest_of, execute, state_of

    name = campaign("alder")
    before, files = state_of(name), Content.objects.count()

    def fail(outcome: Any) -> None:
        assert outcome.entries
        assert state_of(name).sequence == before.sequence + 1  # what this transaction sees, and nobody else
        raise OSError("the disk is full")

    command = Extend(team="alder", until=before.deadline() + timedelta(days=1), reason="ill")
    with pytest.raises(OSError, match="full"):
        execute(name, command, "organiser", {digest_of(b"x"): b"x"}, also=fail)
    assert state_of(name) == before
    assert Content.objects.count() == files
    assert execute(name, command, "organiser").state.sequence == before.sequence + 1


def test_no_longer_transaction(campaign: Callable[..., str]) -> None:
    """A command inside a transaction of somebody else's is refused: its answer could still be undone."""
    from django.db import transaction

    from karat.server.store import execute, state_of

    name = campaign()
    with pytest.raises(RuntimeError, match="durable"), transaction.atomic():
        execute(name, Withdraw(account="alder", id="x"), "alder")
    assert state_of(name).sequence == rows(name).count()


def test_a_failing_scorer_stores_nothing(campaign: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the checker is an error, and no run counts as finished."""
    from karat.server.store import state_of

    name = campaign()
    before = state_of(name)

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("karat.campaign.checking.check_run", broken)
    with pytest.raises(ZeroDivisionError):
        send(name, "alder")
    assert state_of(name) == before


def test_a_full_disk(campaign: Callable[..., str]) -> None:
    """A run for which there is no room is an error and nothing else; with room again, all goes on."""
    from django.db import DatabaseError, connection

    from karat.server.store import state_of, verify

    if connection.vendor != "sqlite":
        pytest.skip("only SQLite can be told that its disk is full")
    name = campaign()
    before = state_of(name)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0] + 2}")
        try:
            with pytest.raises(DatabaseError, match="full"):
                send(name, "alder", os.urandom(500_000))
        finally:
            cursor.execute("PRAGMA max_page_count = 4294967294")
    assert state_of(name) == before
    assert send(name, "alder").run is not None
    assert verify(name)["equal"] is True


def test_a_submission_is_stored(campaign: Callable[..., str]) -> None:
    """A run, a refused file and the receipts of both are there, and the record verifies."""
    from karat.server.store import content, state_of, verify

    name = campaign()
    accepted, refused = send(name, "alder"), send(name, "alder", b"nonsense\n")
    assert accepted.run is not None
    assert refused.run is None
    assert refused.problems
    assert content(accepted.run.sent.sha256) == RUN
    assert content(state_of(name).refused[0][1].sent.sha256) == b"nonsense\n"
    assert send(name, "alder").run == accepted.run
    assert verify(name) == {"events": 4, "chain": True, "equal": True, "broken_at": None, "differences": []}


def test_threads_do_not_collide(campaign: Callable[..., str]) -> None:
    """All who submit at the same time get a place in one unbroken record, and no team more runs than allowed."""
    from karat.server.store import state_of, verify

    name = campaign("alder", "birch")
    made = in_threads(lambda number: send(name, ("alder", "birch")[number % 2], variant(number)), 12)
    accepted = [one.run for one in made if one.run is not None]
    assert len(accepted) == 6
    assert {problem.code for one in made if one.run is None for problem in one.problems} == {"run-limit"}
    state = state_of(name)
    assert {run.id for run in accepted} == set(state.runs)
    assert sorted((run.team, run.number) for run in accepted) == [(t, n) for t in ("alder", "birch") for n in (1, 2, 3)]
    assert verify(name)["equal"] is True


def test_one_slot_left(campaign: Callable[..., str]) -> None:
    """Two members press the button at once with one place left: exactly one run is accepted, time after time."""
    for _ in range(5):
        name = campaign(task="runs = 1")
        made = in_threads(lambda number, name=name: send(name, "alder", variant(number)), 4)  # type: ignore[misc]
        assert sorted(one.run is not None for one in made) == [False, False, False, True]


def test_the_same_file_at_once(campaign: Callable[..., str]) -> None:
    """A file sent four times at the same moment is one run with one receipt."""
    name = campaign()
    made = in_threads(lambda _: send(name, "alder", RUN, run=2), 4)
    assert len({one.run.id for one in made}) == 1


def test_a_campaign_is_made_once(campaign: Callable[..., str]) -> None:
    """Of several attempts to make a campaign of one name at the same moment, one succeeds."""
    from karat.server.store import execute, state_of, verify

    state = state_of(campaign())
    command = Create(definition=state.definition, files=state.files)

    def create(_: int) -> str:
        try:
            execute(f"{state.definition.name}-x", command, "organiser")
        except UsageError as error:
            return str(error)
        return "made"

    assert sorted(text[:19] for text in in_threads(create, 4)) == ["made", *["there is a campaign"] * 3]
    assert verify(f"{state.definition.name}-x")["chain"] is True


OTHER_PROCESS = """
import json, sys
from karat.server.serving import prepare
prepare(sys.argv[1])
from karat.server.store import now
from karat.server.submitting import Declared, submit
from tests.server.clients import variant
print("ready", flush=True)
sys.stdin.readline()
made = [submit(sys.argv[2], sys.argv[3], "a.txt", variant(int(sys.argv[4]) + n), Declared(task="three-way"), now())
        for n in range(4)]
print(json.dumps([one.run.id for one in made if one.run is not None]))
"""


def test_two_processes_on_one_home(home: Any, campaign: Callable[..., str]) -> None:
    """A command beside the running server, and the server, write one record; each sees what the other has stored."""
    from karat.server.store import state_of, verify

    name = campaign("alder", "birch", task="runs = 5")
    state_of(name)
    command = [sys.executable, "-c", OTHER_PROCESS, str(home.folder), name, "birch", "100"]
    other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdin is not None
    assert other.stdout is not None
    try:
        assert other.stdout.readline() == "ready\n"
        other.stdin.write("\n")
        other.stdin.flush()
        here = [send(name, ("alder", "birch")[number % 2], variant(number)).run for number in range(6)]
        there = json.loads(other.communicate(timeout=60)[0])
    finally:
        other.kill()
        other.communicate()
    accepted = [run.id for run in here if run is not None] + there
    state = state_of(name)
    assert set(accepted) == set(state.runs)
    assert len(accepted) == len(set(accepted)) == 3 + 5
    assert verify(name)["equal"] is True


@pytest.fixture
def unguarded() -> Any:
    """Do what the triggers refuse, as somebody with the database in their hands can."""
    from django.db import connection

    def do(work: Callable[[], object]) -> None:
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
                triggers = cursor.fetchall()
                for trigger, _ in triggers:
                    cursor.execute(f"DROP TRIGGER {trigger}")
                work()
                for _, sql in triggers:
                    cursor.execute(sql)
            else:
                cursor.execute("ALTER TABLE server_event DISABLE TRIGGER USER")
                work()
                cursor.execute("ALTER TABLE server_event ENABLE TRIGGER USER")

    return do


@pytest.mark.parametrize(
    "change",
    [
        {"actor": "somebody else"},
        {"data": '{"event":"signed","account":"alder","person":"Eve","agreement":""}'},
        {"data": "{"},
        {"data": '{"event":"unheard of"}'},
        {"hash": "0" * 64},
    ],
)
def test_a_changed_entry_is_found(campaign: Callable[..., str], unguarded: Any, change: dict[str, str]) -> None:
    """Whoever changes an entry in the database is found out at its number, whatever stands there afterwards."""
    from karat.server.store import verify

    name = campaign("alder", "birch")
    send(name, "alder")
    unguarded(lambda: rows(name).filter(sequence=3).update(**change))
    found = verify(name)
    assert (found["chain"], found["equal"], found["broken_at"]) == (False, False, 3)
    assert found["events"] == 4


def test_a_removed_entry_is_found(campaign: Callable[..., str], unguarded: Any) -> None:
    """An entry that is gone leaves a gap."""
    from karat.server.store import verify

    name = campaign("alder", "birch", "cedar")
    unguarded(lambda: rows(name).filter(sequence=2)._raw_delete("default"))
    assert verify(name)["broken_at"] == 2


def test_a_changed_file_is_found(campaign: Callable[..., str]) -> None:
    """A stored file that was exchanged or removed is named, a refused one too."""
    from karat.server.models import Content
    from karat.server.store import digest_of, verify

    for raw, said in ((variant(777), "damaged"), (b"refused %d\n" % os.getpid(), "damaged"), (variant(778), "missing")):
        name = campaign()
        send(name, "alder", raw)
        stored = Content.objects.filter(sha256=digest_of(raw))
        assert stored.exists()
        if said == "missing":
            stored.delete()
        else:
            stored.update(data=b"something else")
        found = verify(name)
        assert (found["chain"], found["equal"]) == (True, False)
        assert found["differences"] == [f"the file {digest_of(raw)} is {said}"]


def test_a_former_file_is_found(campaign: Callable[..., str]) -> None:
    """What people signed or sent stays, also after something has taken its place."""
    from karat.campaign.commands import Edit, SendReport
    from karat.server.models import Content
    from karat.server.store import digest_of, execute, now, state_of, verify

    def dated(text: str) -> bytes:
        return f"{text} of {name}".encode()

    name = campaign()
    state = state_of(name)
    for text in ("former terms", "new terms"):
        files = state.files | {"terms.md": digest_of(dated(text))}
        definition = msgspec.structs.replace(state.definition, agreement="terms.md")
        stored = {digest_of(dated(text)): dated(text)}
        execute(name, Edit(definition=definition, files=files, reason="better"), "organiser", stored)
    for text in ("former report", "new report"):
        raw = dated(text)
        command = SendReport(account="alder", file="a", sha256=digest_of(raw), size=len(raw), received=now())
        execute(name, command, "alder", {digest_of(raw): raw})
    assert verify(name)["equal"] is True
    former = [digest_of(dated(text)) for text in ("former terms", "former report")]
    assert Content.objects.filter(sha256__in=former).delete()[0] == 2
    assert verify(name)["differences"] == [f"the file {digest} is missing" for digest in former]


def test_missing_triggers_are_found(campaign: Callable[..., str], unguarded: Any) -> None:
    """A database that lets the record be changed is no good one, even if nothing has been changed yet."""
    from karat.server.store import verify

    name, found = campaign(), []
    unguarded(lambda: found.append(verify(name)))
    told = "the database no longer protects the record from changes: its triggers are missing"
    assert found[0]["differences"] == [told]
    assert verify(name)["equal"] is True


def test_a_date_before_the_last_is_found(campaign: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The record goes on in time; a clock that is kept exact may step back a little."""
    from karat.server import operations, store

    name, moment = campaign(), store.now()
    for back, told in ((timedelta(seconds=30), []), (timedelta(days=1), ["event 4 has an earlier date than the one"])):
        monkeypatch.setattr(store, "now", lambda back=back: moment - back)
        operations.extend(name, "alder", moment + back + timedelta(days=9), "ill")
        differences: Any = store.verify(name)["differences"]
        assert [one[:40] for one in differences] == [one[:40] for one in told]


def test_other_scores_are_found(campaign: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A run whose file gives other scores than those stored is named; the last digit of a score is none."""
    from karat.server import store

    name = campaign()
    made = send(name, "alder").run
    nearly = {way: {k: v and v * (1 + 1e-13) for k, v in of.items()} for way, of in made.scores.items()}
    monkeypatch.setattr(store, "rescored", lambda *_: nearly)
    assert store.verify(name)["equal"] is True
    for other in ({}, {**made.scores, "3": {**made.scores["3"], "accuracy": 0.999}}):
        monkeypatch.setattr(store, "rescored", lambda *_, other=other: other)
        told = f"the scores of run {made.id} in event 3 are not those that its file gives"
        assert store.verify(name)["differences"] == [told]


def test_no_such_campaign(home: Any) -> None:
    """A name that there is not is an error that suggests another, and is never remembered."""
    del home
    from karat.server import store

    for ask in (store.state_of, store.verify):
        with pytest.raises(UsageError, match="no campaign is called 'nowhere'"):
            ask("nowhere")
    assert "nowhere" not in store._states
