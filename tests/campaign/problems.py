"""Bad campaign files, test sets and submissions, one for every code of the catalogue that they can have."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from karat import examples
from karat.campaign import competition as competition_file
from karat.campaign.archive import unpacked
from karat.campaign.checking import check_run, read_files, read_test
from karat.campaign.commands import Join
from karat.campaign.definition import Task, parse
from karat.campaign.events import Item, RunRefused, Stage
from karat.campaign.judging.commands import Assign, Judge, SetRound
from karat.campaign.new_key import new_key
from karat.campaign.refusing import refuse
from karat.errors import DataError, Problem
from tests.campaign.asks import form
from tests.campaign.worlds import AFTER, DEFINITION, OPENS, World

HEADER = "id\ttext\thypothesis\tlabel\n"
SORTED = HEADER + "".join(f"{n}\tt\th\t{'ENTAILMENT' if n < 20 else 'CONTRADICTION'}\n" for n in range(1, 40))


def refused(**told: object) -> list[Problem]:
    """What is said of a submission to a task with at most two runs, from somebody who has not signed."""
    world = World()
    world.join("alder", signed=False)
    event = world.submit("alder", **told)  # type: ignore[arg-type]
    assert isinstance(event, RunRefused)
    return list(event.problems)


def two_way_key() -> list[Problem]:
    """What is said of a key with two labels, of a task that has three."""
    with pytest.raises(DataError) as caught:
        read_test(Task(name="t", test="key.tsv"), f"{HEADER}1\tt\th\tYES\n2\tt\th\tNO\n".encode())
    return list(caught.value.problems)


def folded() -> list[Problem]:
    """What is said of a two-way run that is the fold of a three-way run."""
    world = World()
    world.join("alder")
    world.accepted("alder", answers="f")
    return list(world.accepted("alder", "b", task="two-way", answers="f").warnings)


def campaign_file(text: str) -> list[Problem]:
    """What is said of a campaign file."""
    with pytest.raises(DataError) as caught:
        parse(text, "campaign.toml")
    return list(caught.value.problems)


def competition(text: str) -> list[Problem]:
    """What is said of a competition without a key."""
    with pytest.raises(DataError) as caught:
        competition_file.read(text, "competition.yaml", lambda _: b"", None)
    return list(caught.value.problems)


def without_files() -> list[Problem]:
    """What is said of a campaign whose files are missing."""

    def read(_: str) -> bytes:
        raise FileNotFoundError(2, "No such file or directory")

    with pytest.raises(DataError) as caught:
        read_files(DEFINITION, read, "campaign.toml")
    return list(caught.value.problems)


def no_archive() -> list[Problem]:
    """What is said of a file that is no archive."""
    with pytest.raises(DataError) as caught:
        unpacked(b"PK")
    return list(caught.value.problems)


def run(given: str | bytes, ranked: bool = False, justifications: bool = False) -> list[Problem]:
    """What is said of a run, by default an example, that is submitted to the three-way task."""
    prepared = read_test(Task(name="three-way", test="pairs.xml"), examples.PAIRS.read_bytes())
    name, raw = ("run", given) if isinstance(given, bytes) else (given, (examples.RUNS / given).read_bytes())
    return list(check_run(prepared, name, raw, ranked=ranked, justifications=justifications).problems)


def two_runs() -> list[Problem]:
    """What is said of a file with two runs."""
    questions = (examples.QUESTIONS / "questions.xml").read_bytes()
    prepared = read_test(Task(name="questions", kind="questions", test="questions.xml"), questions)
    raw = (examples.QUESTIONS / "runs" / "steady.tsv").read_bytes()
    return list(check_run(prepared, "a.tsv", raw + raw.replace(b"steady", b"other").partition(b"\n")[2]).problems)


def new(key: str) -> list[Problem]:
    """What is said of a new key for two pairs."""
    rows = HEADER + "1\tt\th\tENTAILMENT\n2\tt\th\tUNKNOWN\n"
    with pytest.raises(DataError) as caught:
        new_key(read_test(Task(name="t", test="key.tsv"), rows.encode()), "new", key.encode())
    return list(caught.value.problems)


def judgment(who: str = "anna", unit: str = "u1", stage: Stage = "labels", **told: object) -> list[Problem]:
    """What is said of a judgment after another one, in a campaign in which units were given to one assessor."""
    world = World(agreement=None)
    for name in ("anna", "ben"):
        world.do(Join(account=name, role="assessor", person=name))
    world.do(Assign(task="three-way", stage="labels", units=("u1", "u2"), assessors=("anna",), per_unit=1))
    world.do(Assign(task="three-way", stage="labels", units=("u1",), assessors=("ben",), per_unit=1, examples=("x",)))
    asks = form("labels")
    given = {"id": "2", "task": "three-way", "asks": asks, "values": {"label": "UNKNOWN"}}
    world.do(Judge(**given | {"id": "1", "account": "anna", "item": Item("labels", "u1")}))  # type: ignore[arg-type]
    if told.pop("close", False):
        world.do(SetRound(task="three-way", stage="labels", open=False))
    with pytest.raises(DataError) as caught:
        world.do(Judge(**given | {"account": who, "item": Item(stage, unit)} | told))  # type: ignore[arg-type]
    return list(caught.value.problems)


BLIND = b'<entailment-corpus><pair id="1" task="IE"><t>A text.</t><h>A text.</h></pair></entailment-corpus>'
BAD_CAMPAIGNS: dict[str, Callable[[], list[Problem]]] = {
    "toml": lambda: campaign_file("name = "),
    "yaml": lambda: competition("title: ["),
    "not-taken-over": lambda: competition("image: logo.png\n"),
    "campaign-key": lambda: campaign_file("nmae = 'a'\n"),
    "campaign-missing": lambda: campaign_file(""),
    "campaign-value": lambda: campaign_file("grace = -1\n"),
    "campaign-file": without_files,
    "archive": no_archive,
    "gives-key-away": lambda: list(read_test(Task(name="t", test="key.tsv"), SORTED.encode()).warnings),
    "no-questions": lambda: list(read_test(Task(name="t", kind="questions", test="q.tsv"), b"id\tquestion\n").warnings),
    "no-key": lambda: list(read_test(Task(name="t", test="key.xml"), BLIND).warnings),
    "key-missing": lambda: new("1 ENTAILMENT\n"),
    "key-unknown": lambda: new("1 ENTAILMENT\n2 UNKNOWN\n3 UNKNOWN\n"),
    "key-text": lambda: new(HEADER + "1\tt\th\tENTAILMENT\n2\tother\th\tUNKNOWN\n"),
    "key-labels": lambda: new("1 YES\n2 NO\n"),
    "not-open": lambda: refused(received=OPENS - timedelta(seconds=1)),
    "closed": lambda: refused(received=AFTER),
    "not-signed": refused,
    "ballot": lambda: judgment(values={"label": "MAYBE"}),
    "ballot-id": lambda: judgment(unit="u2", id="1"),
    "judgment-changed": lambda: judgment(values={"label": "ENTAILMENT"}, instead_of=""),
    "not-assigned": lambda: judgment(unit="u3"),
    "not-qualified": lambda: judgment(who="ben"),
    "round-closed": lambda: judgment(close=True),
    "no-runs-taken": lambda: refused(task="parts"),
    "run-limit": lambda: refused(run=3),
    "run-changed": lambda: refused(run=1, instead_of="gone"),
    "not-text": lambda: run(b"PAR1"),
    "too-many-lines": lambda: run(b"1 YES\n" * 10_000),
    "several-runs": two_runs,
    "two-way-key": two_way_key,
    "other-way": lambda: run("two-way.txt"),
    "no-justifications": lambda: run("cautious.txt", justifications=True),
    "stray-justifications": lambda: run("chatty.jsonl"),
    "not-ranked": lambda: run("cautious.txt", ranked=True),
    "same-as-fold": folded,
    # The requests that are answered so are in the tests of the interface for programs.
    "request": lambda: list(refuse("request", "no file", what="one file").problems),
    "token": lambda: list(refuse("token", "a token that does not work").problems),
    "not-found": lambda: list(refuse("not-found", "the run 'x'").problems),
    "not-allowed": lambda: list(refuse("not-allowed", "a ballot", what="a run", fix="send a run").problems),
    "other-account": lambda: list(refuse("other-account", "a judgment by anna").problems),
    "too-often": lambda: list(refuse("too-often", "more", limit="60 in a minute", seconds="9").problems),
    "failed": lambda: list(refuse("failed", "an error of the server").problems),
}
