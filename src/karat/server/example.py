"""The example campaigns, made from the data that come with karat: one is open, the other one is over."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

from msgspec.structs import replace

from karat import examples
from karat.campaign.commands import ChoosePrimary, Extend, Join, Release, SendReport, Withdraw
from karat.campaign.dates import Dates
from karat.campaign.definition import Definition, Judging, Task
from karat.campaign.events import Audience
from karat.errors import UsageError
from karat.server import models
from karat.server.accounts import HOST
from karat.server.example_judging import ASSESSORS, EXAMPLES, PLANTED, RATED, finish, rate, work
from karat.server.store import digest_of, execute, names, now, state_of
from karat.server.submitting import Declared, submit

NAME, SCORED, FINISHED = "example", "example-scored", "example-finished"
AGREEMENT = """# Agreement

We use the test data for this evaluation only, and we do not look at the test set to change our systems.
We report everything that we did specifically for this test set.
"""
GUIDELINES = """# Guidelines for assessors

Read the text, then the hypothesis. Decide by what the text says, together with what every reader knows.

- **ENTAILMENT**: a person who reads the text would say that the hypothesis is most likely true.
- **CONTRADICTION**: a person who reads the text would say that the hypothesis is most likely false.
- **UNKNOWN**: the text decides neither.
"""
RATING_GUIDELINES = """
# Justifications

First ask whether somebody who has never seen a system would understand the justification; then whether it is correct
and to the point. A justification for a wrong answer is never perfectly compelling. If you disagree with the key, skip
the pair.
"""
TEAMS = {
    "Alder": "has replaced a run and chosen its primary one",
    "Birch": "has withdrawn a run, and one of its files was refused",
    "Cedar": "is a baseline, and its answers to questions await judgment",
    "Dogwood": "has not accepted the agreement",
    "Elm": "was given more time, and has no run yet",
    "Fir": "has sent nothing but a file that was refused",
}
"""What can be seen through the eyes of each team."""
RUNS = (
    ("Alder", "chatty.jsonl", "three-way", 1),
    ("Alder", "careful.jsonl", "three-way", 1),
    ("Alder", "confident.jsonl", "three-way", 2),
    ("Alder", "two-way.txt", "two-way", 1),
    ("Birch", "cautious.txt", "three-way", 1),
    ("Birch", "ranked.txt", "three-way", 2),
    ("Birch", "self-contradictory.txt", "three-way", 3),
    ("Cedar", "terse.jsonl", "three-way", 1),
    ("Cedar", "overlap.txt", "three-way", 2),
    ("Cedar", "qa/runs/steady.tsv", "questions", 1),
)
"""What each team submits to the open campaign; a second file under the same number replaces the first."""
FINISHED_RUNS = (
    ("Alder", "careful.jsonl", "three-way", 1),
    ("Alder", "qa/runs/careful.tsv", "questions", 1),
    ("Birch", "ranked.txt", "three-way", 1),
    ("Birch", "qa/runs/steady.tsv", "questions", 1),
    ("Cedar", "overlap.txt", "three-way", 1),
    ("Cedar", "qa/runs/guesser.tsv", "questions", 1),
    ("Elm", "terse.jsonl", "three-way", 1),
    ("Fir", "cautious.txt", "three-way", 1),
)
JUSTIFIED_RUNS = (("Alder", "careful.jsonl"), ("Birch", "chatty.jsonl"), ("Elm", "terse.jsonl"))
"""Whose justifications are rated in the campaign that has been scored."""
PAST: dict[str, tuple[Audience, ...]] = {SCORED: ("teams",), FINISHED: ("teams", "public")}
"""The campaigns that have closed, and to whom their results were released."""
LATE = "Fir"
ASSESSOR = next(iter(ASSESSORS))
REFUSED = {"Birch": "half.txt", "Fir": "notes.txt"}
CORRECTED = {"8": "UNKNOWN", "22": "UNKNOWN", "58": "UNKNOWN"}
"""Labels of the new key of the finished campaign; every other pair keeps its own."""
WHY = "three pairs on which the assessors disagreed were decided again"
ELSEWHERE = "try it on a server of its own: karat serve --home DIR --example"
DAY, SECOND = timedelta(days=1), timedelta(seconds=1)
_making = threading.Lock()
"""Whoever presses the button twice sees it whole, and once."""


def make_example() -> str:
    """The example campaigns with their teams and runs; the name of the one that is open for submissions."""
    with _making:
        _check_free()
        if NAME not in names():
            _create(_open())
        if ASSESSOR not in state_of(NAME).members:  # the last to join: a server that was killed meanwhile goes on
            _fill()
        work(NAME, partial(_join, NAME), GUIDELINES)
        for name, audiences in PAST.items():
            if name not in names():
                _create(_over(name))
            if audiences[-1] not in state_of(name).released:
                _finish(name)
    return NAME


def _check_free() -> None:
    """Refuse to mix the example with what counts: a campaign of its name, or people with the names of its teams."""
    known = names()
    for name in {NAME, *PAST}.intersection(known):
        if not state_of(name).example:
            raise UsageError(f"there is a campaign called {name!r} that is not the example; {ELSEWHERE}")
    if NAME in known and set(ASSESSORS) <= state_of(NAME).members.keys():
        return
    taken = models.Account.objects.filter(name__in=[*TEAMS, *ASSESSORS], example=False).values_list("name", flat=True)
    if taken:
        raise UsageError(f"the example needs the accounts of others: {', '.join(sorted(taken))}; {ELSEWHERE}")


def _create(definition: Definition) -> None:
    from karat.server.operations import create  # here: it loads scipy

    guidelines = GUIDELINES + RATING_GUIDELINES * any(task.name == RATED for task in definition.tasks)
    own = {"agreement.md": AGREEMENT.encode(), "guidelines.md": guidelines.encode()}
    create(definition, lambda name: own.get(name) or (examples.HERE / name).read_bytes(), "example", example=True)


def _fill() -> None:
    """Let teams do everything that teams do while submissions are open."""
    closes = state_of(NAME).definition.dates.closes
    for team in TEAMS:
        _join(NAME, team, signed=team != "Dogwood")
    for team, file, task, number in RUNS:
        _send(NAME, team, file, task, number, now())
    whole = (examples.HERE / "runs" / "cautious.txt").read_bytes()
    for team, file in REFUSED.items():
        raw = whole[: len(whole) // 2] if team == "Birch" else b"Our run will follow tomorrow.\n"
        submit(NAME, team, file, raw, Declared(task="three-way"), now())
    withdrawn = [run for run in state_of(NAME).active("Birch", "three-way") if run.received.number == 3]
    for run in withdrawn:
        execute(NAME, Withdraw(account="Birch", id=run.received.id, reason="it had the wrong labels"), "Birch")
    execute(NAME, ChoosePrimary(account="Alder", task="three-way", number=2), "Alder")
    execute(NAME, Extend(team="Elm", until=closes + 2 * DAY, reason="their machines were being moved"), HOST)
    _join(NAME, ASSESSOR)


def _finish(name: str) -> None:
    """Let a campaign take place in the past: runs, a late one, reports, a new key, judgments, the release."""
    from karat.server.rescoring import rescore

    dates = state_of(name).definition.dates
    for team in dict.fromkeys(run[0] for run in FINISHED_RUNS):
        _join(name, team)
    for team, file, task, number in FINISHED_RUNS:
        received = dates.closes + timedelta(minutes=10) if team == LATE else dates.closes - DAY
        _send(name, team, file, task, number, received)
    if name == SCORED:
        for team, file in JUSTIFIED_RUNS:
            _send(name, team, file, RATED, 1, dates.closes - DAY)
        rate(name, partial(_join, name))
    for team in ("Alder", "Birch"):
        text = f"How team {team} answered\n\nThis is where the paper about the system would be.\n".encode()
        sent = SendReport(
            account=team, file="report.txt", sha256=digest_of(text), size=len(text), received=dates.closes + DAY
        )
        execute(name, sent, team, {digest_of(text): text})
    finish(name, partial(_join, name))
    rescore(name, "corrected.txt", b"".join(_corrected()), WHY, apply=True)
    judgments = (examples.HERE / "qa" / "judgments.tsv").read_bytes()
    rescore(name, "judgments.tsv", judgments, "assessors judged every answer", apply=True, task="questions")
    for audience in PAST[name]:
        execute(name, Release(to=audience), HOST)


def _corrected() -> Iterator[bytes]:
    """The lines of the new key."""
    from karat.formats.pairs import read_pairs

    pairs = read_pairs(examples.PAIRS)
    assert pairs.way is not None
    for id, code in zip(pairs.ids, pairs.labels.tolist(), strict=True):
        yield f"{id} {CORRECTED.get(id, pairs.way.labels[code])}\n".encode()


def _open() -> Definition:
    midnight = now().replace(hour=0, minute=0, second=0, microsecond=0)
    dates = Dates(
        register=midnight - 30 * DAY,
        data=midnight - 3 * DAY,
        opens=midnight - 3 * DAY,
        closes=midnight + 5 * DAY - SECOND,
        results=midnight + 20 * DAY,
        public=midnight + 60 * DAY,
        reports=midnight + 40 * DAY,
    )
    about = "A small campaign with invented teams. Look around, submit, change: nothing here counts."
    return _definition(NAME, "Recognising textual entailment: an example", about, dates, practice=True)


def _over(name: str) -> Definition:
    midnight = now().replace(hour=0, minute=0, second=0, microsecond=0)
    closes = midnight - 90 * DAY - SECOND
    dates = Dates(
        opens=closes - 8 * DAY, closes=closes, results=closes + 20 * DAY, public=closes + 60 * DAY, reports=closes + DAY
    )
    if name == FINISHED:
        about = "A campaign of last season with invented teams: closed, scored again by a new key, and public."
        return _definition(name, "Recognising textual entailment: a finished example", about, dates, grace=60)
    about = (
        "Closed, with a live board. Each team has its own results and the key; teams are anonymous. Assessors rate "
        "justifications."
    )
    later = replace(dates, public=midnight + 30 * DAY, names=midnight + 60 * DAY, reports=midnight + 20 * DAY)
    made = _definition(name, "Recognising textual entailment: an example with results", about, later, grace=60)
    rated = Task(name=RATED, title="Justifications", kind="justifications", test="pairs.xml", justifications="required")
    tasks = tuple(replace(task, public_share=0.3 * (task.kind != "questions")) for task in (*made.tasks, rated))
    return replace(made, tasks=tasks, key_with_results=True)


def _definition(name: str, title: str, about: str, dates: Dates, practice: bool = False, grace: int = 0) -> Definition:
    tasks = (
        Task(name="three-way", title="Three-way entailment", test="pairs.xml", justifications="optional"),
        Task(name="two-way", title="Two-way entailment", way=2, test="pairs.xml"),
        Task(name="questions", title="Questions in series", kind="questions", test="qa/questions.xml"),
    )
    return Definition(
        name=name,
        title=title,
        description=about,
        agreement="agreement.md",
        guidelines="guidelines.md",
        practice=practice,
        grace=grace,
        baselines=("Cedar",),
        dates=dates,
        judging=Judging(examples=EXAMPLES, planted=PLANTED, repeats=1) if name == NAME else Judging(),
        tasks=tasks if name == NAME else (tasks[0], tasks[2]),
    )


def _join(campaign: str, name: str, signed: bool = True) -> None:
    if name in state_of(campaign).members:
        return
    # Never the account of somebody else, even if it was made just now: then this fails.
    models.Account.objects.get_or_create(name=name, example=True, defaults={"password": "!"})
    person, contact = f"{name} Example", f"{name.lower()}@example.org"
    role, team = ("team", name) if name in TEAMS else ("assessor", None)
    command = Join(
        account=name,
        role=role,  # type: ignore[arg-type]
        team=team,
        person=person,
        contact=contact,
        signed=person * signed,
    )
    execute(campaign, command, HOST)


def _send(campaign: str, team: str, file: str, task: str, number: int, received: datetime) -> None:
    home = examples.HERE if "/" in file else examples.HERE / "runs"
    said = Declared(task=task, run=number, ranked=file.startswith("ranked"))
    submit(campaign, team, file.rpartition("/")[2], (home / file).read_bytes(), said, received)
