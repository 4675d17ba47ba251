"""The example campaign, made from the data that come with karat: everything can be tried before it is used."""

from __future__ import annotations

import threading
from datetime import timedelta

from karat import examples
from karat.campaign.commands import Join
from karat.campaign.dates import Dates
from karat.campaign.definition import Definition, Task
from karat.errors import UsageError
from karat.server import models
from karat.server.accounts import HOST
from karat.server.store import execute, names, now, state_of
from karat.server.submitting import Declared, submit

NAME = "example"
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
TEAMS = {
    "Alder": {"careful.jsonl": "three-way", "confident.jsonl": "three-way", "two-way.txt": "two-way"},
    "Birch": {"cautious.txt": "three-way", "ranked.txt": "three-way"},
    "Cedar": {"terse.jsonl": "three-way", "overlap.txt": "three-way", "qa/runs/steady.tsv": "questions"},
}
"""The runs of each team, with the task that they were submitted to."""
ASSESSOR = "Wren"
ELSEWHERE = "try it on a server of its own: karat serve --home DIR --example"
_making = threading.Lock()
"""Whoever presses the button twice sees it whole, and once."""


def make_example() -> str:
    """The example campaign with its teams and runs, open for submissions; its name."""
    with _making:
        _check_free()
        if NAME not in names():
            _create()
        if ASSESSOR not in state_of(NAME).members:  # the last to join: a server that was killed meanwhile goes on
            _fill()
    return NAME


def _check_free() -> None:
    """Refuse to mix the example with what counts: a campaign of its name, or people with the names of its teams."""
    if NAME in names():
        if not state_of(NAME).example:
            raise UsageError(f"there is a campaign called {NAME!r} that is not the example; {ELSEWHERE}")
        if ASSESSOR in state_of(NAME).members:
            return
    taken = models.Account.objects.filter(name__in=[*TEAMS, ASSESSOR], example=False).values_list("name", flat=True)
    if taken:
        raise UsageError(f"the example needs the accounts of others: {', '.join(sorted(taken))}; {ELSEWHERE}")


def _create() -> None:
    from karat.server.operations import create  # here: it loads scipy

    own = {"agreement.md": AGREEMENT.encode(), "guidelines.md": GUIDELINES.encode()}
    create(_definition(), lambda name: own.get(name) or (examples.HERE / name).read_bytes(), "example", example=True)


def _fill() -> None:
    """Let teams join and submit, as far as they have not yet."""
    for team, runs in TEAMS.items():
        _join(Join(account=team, role="team", team=team, person=f"{team} Example", signed=f"{team} Example"))
        for file, task in runs.items():
            home = examples.HERE if "/" in file else examples.HERE / "runs"
            raw = (home / file).read_bytes()
            submit(
                NAME, team, file.rpartition("/")[2], raw, Declared(task=task, ranked=file.startswith("ranked")), now()
            )
    _join(Join(account=ASSESSOR, role="assessor", person=f"{ASSESSOR} Example", signed=f"{ASSESSOR} Example"))


def _definition() -> Definition:
    midnight = now().replace(hour=0, minute=0, second=0, microsecond=0)
    dates = Dates(
        register=midnight - timedelta(days=30),
        data=midnight - timedelta(days=3),
        opens=midnight - timedelta(days=3),
        closes=midnight + timedelta(days=5) - timedelta(seconds=1),
        results=midnight + timedelta(days=20),
        public=midnight + timedelta(days=60),
        reports=midnight + timedelta(days=40),
    )
    tasks = (
        Task(name="three-way", title="Three-way entailment", test="pairs.xml", justifications="optional"),
        Task(name="two-way", title="Two-way entailment", way=2, test="pairs.xml"),
        Task(name="questions", title="Questions in series", kind="questions", test="qa/questions.xml"),
    )
    return Definition(
        name=NAME,
        title="Recognising textual entailment: an example",
        description="A small campaign with invented teams. Look around, submit, change: nothing here counts.",
        agreement="agreement.md",
        guidelines="guidelines.md",
        practice=True,
        dates=dates,
        tasks=tasks,
    )


def _join(command: Join) -> None:
    if command.account in state_of(NAME).members:
        return
    # Never the account of somebody else, even if it was made just now: then this fails.
    models.Account.objects.get_or_create(name=command.account, example=True, defaults={"password": "!"})
    execute(NAME, command, HOST)
