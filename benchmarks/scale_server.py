"""`python -m benchmarks.scale_server [FOLDER]`: a server with 500 teams, 10,000 runs and 1,000,000 judgments.

The record is written as the rules would have written it, but without asking them a million times; `karat campaign
verify`, which is one of the lines, does that. With KARAT_DATABASE=postgresql://… it is in that database instead of an
SQLite file. `docs/scale.md` has the results.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import numpy as np
from tests.server import judges
from tests.server.clients import LINES, Client
from tests.server.conftest import Served, servers
from tests.surroundings import surroundings

from benchmarks.scale_studies import RUNNER

NAME, TASK, JUDGED = "large", "three-way", "labels"
EACH, ASSESSORS, ASKED = 10, 50, 40
"""Labels per unit, assessors, and how often each page is asked for."""
AT_ONCE = 5000
HEADING = "| what | measured | wanted |\n| --- | --- | --- |"
JUDGES, LEFT = 10, 20
WHO = {"organiser": "organiser", "assessor": "judge-7", "adjudicator": "judge-8", "team": "team-7"}
ORGANISER = ("", "people/", "attempts/", "record/", "release/", "results/", f"tasks/{JUDGED}/judging/")
PAGES = {
    "organiser": (*ORGANISER, f"teams/team-7/tasks/{TASK}/"),
    "assessor": ("", f"tasks/{JUDGED}/judge/"),
    "adjudicator": (f"tasks/{JUDGED}/judge/",),
    "team": ("", f"tasks/{TASK}/submit/"),
}
"""The pages that each role asks for."""


def shuffled(number: int) -> bytes:
    """A run with the same answers as every other one, in an order of its own."""
    return b"".join(np.random.default_rng(number).permutation(LINES).tolist())


def make(home: str, teams: int, runs: int, judgments: int) -> dict[str, str]:
    """Write the home; one-time links for an organiser, an assessor and a team."""
    from karat.server.serving import prepare

    prepare(home)
    from karat import examples
    from karat.campaign.checking import check_run
    from karat.campaign.dates import Dates
    from karat.campaign.definition import Definition, Task
    from karat.campaign.events import Assigned, Event, Item, Joined, Judged, RunReceived, Sent, chained
    from karat.campaign.state import Campaign, apply
    from karat.server import models, operations, store

    now, day = store.now(), timedelta(days=1)
    units = judgments // EACH
    labels = ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")
    rows = (f"{n}\tText {n} is short.\tHypothesis {n}.\t{labels[n % 3]}\n" for n in range(units))
    files = {
        "pairs.xml": (examples.HERE / "pairs.xml").read_bytes(),
        "labels.tsv": ("id\ttext\thypothesis\tlabel\n" + "".join(rows)).encode(),
    }
    each = -(-runs // teams)
    asked = (
        Task(name=TASK, kind="entailment", test="pairs.xml", runs=each),
        Task(name=JUDGED, kind="entailment", test="labels.tsv"),
    )
    dates = Dates(opens=now - 10 * day, closes=now - 5 * day)
    made = Definition(name=NAME, title="A large campaign", dates=dates, tasks=asked)
    store.now = lambda: now - 10 * day
    state: Campaign = operations.create(made, files.__getitem__, "campaign.toml")
    store.now = lambda: now
    scored = check_run(store.test_set(state, state.definition.task(TASK)), "run.txt", shuffled(0))
    row = models.Campaign.objects.get(name=NAME)

    def entered() -> Iterator[Event]:
        for number in range(teams):
            name = f"team-{number}"
            models.Account.objects.create(name=name, password="!")
            yield Joined(account=name, role="team", team=name, person="Ada Lovelace")
        for number in range(ASSESSORS):
            models.Account.objects.create(name=f"judge-{number}", password="!")
            yield Joined(account=f"judge-{number}", role="assessor", team=None, person="Grace Hopper")
        for number in range(runs):
            raw, team = shuffled(number), f"team-{number % teams}"
            digest = store.digest_of(raw)
            models.Content.objects.create(sha256=digest, data=raw)
            sent = Sent(task=TASK, run=None, file="run.txt", sha256=digest, size=len(raw), received=now - 6 * day)
            told = {"id": f"{number:016x}", "team": team, "account": team, "number": number // teams + 1}
            yield RunReceived(sent=sent, state="scored", scores=scored.scores, answers=scored.answers, **told)  # type: ignore[arg-type]
        people = tuple(f"judge-{number}" for number in range(ASSESSORS))
        known = tuple(map(str, range(units)))
        yield Assigned(task=JUDGED, stage="labels", units=known, assessors=people, per_unit=EACH)
        yield Assigned(task=JUDGED, stage="adjudication", units=(), assessors=("judge-8",), per_unit=1)

    def judged(queues: dict[str, tuple[Item, ...]]) -> Iterator[Event]:
        random = np.random.default_rng(0)
        for place in range(max(map(len, queues.values()))):
            for who, items in queues.items():
                if place >= len(items) - LEFT:  # so that everybody has something left
                    continue
                item, wrong = items[place], random.random() < 0.2
                label = labels[(int(item.unit) + int(wrong)) % 3]
                id = f"{who}-{place:08d}"
                yield Judged(id=id, task=JUDGED, item=item, assessor=who, values={"label": label})

    def stored(events: Iterator[Event], head: tuple[str, int], since: timedelta) -> tuple[str, int]:
        entries: list[models.Event] = []
        for event in events:
            nonlocal state
            entry = chained(head[0], head[1] + 1, now - since, event_by(event), event)
            head = entry.hash, entry.sequence
            entries.append(store._row(row, entry))
            if not isinstance(event, Judged):
                state = apply(state, entry)
            if len(entries) == AT_ONCE:
                models.Event.objects.bulk_create(entries)
                entries.clear()
        models.Event.objects.bulk_create(entries)
        return head

    def event_by(event: Event) -> str:
        return str(getattr(event, "account", getattr(event, "assessor", "organiser")))

    from django.db import transaction

    with transaction.atomic():
        head = stored(entered(), (state.head, state.sequence), 6 * day)
        queues = {who: tuple(items) for (_, who), items in state.work_of(JUDGED).queues.items()}
        stored(judged(queues), head, 4 * day)
    from django.test import Client as Browser

    from karat.server.accounts import issue_token

    models.Account.objects.get_or_create(name="organiser", defaults={"is_host": True, "password": "!"})

    def session(name: str) -> str:
        browser = Browser()
        browser.force_login(models.Account.objects.get(name=name))
        return browser.cookies["sessionid"].value

    found = {role: session(name) for role, name in WHO.items()}
    return found | {f"judge-{number}": issue_token(NAME, f"judge-{number}", "organiser") for number in range(JUDGES)}


def pages(served: Served, told: dict[str, str]) -> Iterator[str]:
    """Each page, asked for in turn, and judgments by several assessors at once."""
    begun = time.perf_counter()
    client = Client(served.address, timeout=600)
    everything: list[float] = []
    for role, paths in PAGES.items():
        client.headers = {"Cookie": f"sessionid={told[role]}"}
        for path in paths:
            whole = f"/c/{NAME}/{path}"
            if client.made(whole).status != 200:
                raise RuntimeError(f"{whole} is answered with {client.ask('GET', whole).status}")
            if not everything:
                yield row("the first page of the campaign", time.perf_counter() - begun)
            seconds = []
            for _ in range(ASKED):
                start = time.perf_counter()
                client.ask("GET", whole)
                seconds.append(time.perf_counter() - start)
            everything += seconds
            yield row(f"{role}: {path or 'overview'}, 95 %", float(np.quantile(seconds, 0.95)), 0.3)
    yield row("all of these pages, 95 %", float(np.quantile(everything, 0.95)), 0.3)
    tokens = {f"judge-{number}": told[f"judge-{number}"] for number in range(JUDGES)}
    acts, waits = judges.panel(served.address, NAME, tokens, JUDGED, LEFT)
    yield row(f"{len(acts)} judgments by {JUDGES} people at once, 95 %", _most([act.seconds for act in acts]), 0.3)
    yield row("the next unit meanwhile, 95 %", _most(waits), 0.3)


def _most(seconds: list[float]) -> float:
    return float(np.quantile(seconds, 0.95))


def row(what: str, seconds: float, most: float | None = None) -> str:
    """A line of the table."""
    return f"| {what} | {seconds:,.3g} s | {'' if most is None else f'< {most:g} s'} |"


def command(what: str, *words: str) -> str:
    """A command on the home in a process of its own: seconds of the processor, and its peak memory."""
    done = subprocess.run(
        [sys.executable, "-c", RUNNER, *words], capture_output=True, text=True, env=surroundings(), check=True
    )
    _, worked, own, _, status = json.loads(done.stderr.splitlines()[-1])
    if status:
        raise RuntimeError(done.stdout + done.stderr)
    return f"| {what} | {worked:,.0f} s of the processor, {own:,.0f} MB | |"


def run(folder: Path, teams: int, runs: int, judgments: int) -> Iterator[str]:
    """Make the home if it is not there, and measure."""
    home, told = folder / "home", folder / "told.json"
    if not told.exists():
        made = [sys.executable, "-m", "benchmarks.scale_server", str(folder), "--make", f"{teams},{runs},{judgments}"]
        subprocess.run(made, check=True, env=surroundings())
    size = sum(file.stat().st_size for file in home.glob("karat.sqlite3*")) / 1e6
    yield f"| {teams:,} teams, {runs:,} runs, {judgments:,} judgments | {size:,.0f} MB | |"
    with servers(folder) as start:
        begun = time.perf_counter()
        served = start()
        Client(served.address).ask("GET", "/healthz")
        yield row("from the start of the server to its first answer", time.perf_counter() - begun, 3)
        yield from pages(served, json.loads(told.read_text()))
        usage = Path(f"/proc/{served.process.pid}/status").read_text(encoding="utf-8")
        peak = next(line.split()[1] for line in usage.splitlines() if line.startswith("VmHWM"))
        yield f"| memory of the server | {int(peak) / 1000:,.0f} MB | |"
    yield command("`karat campaign show`", "campaign", "show", NAME, "--home", str(home))
    yield command("`karat campaign verify`", "campaign", "verify", NAME, "--home", str(home))
    archive = ("-o", str(folder / "archive.zip"))
    yield command("`karat campaign export`", "campaign", "export", NAME, "--home", str(home), *archive)


def main() -> int:
    """Print the table, line by line as it is measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", help="kept, so that the home need not be made again")
    parser.add_argument("--size", default="500,10000,1000000", help="teams, runs and judgments")
    parser.add_argument("--make", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.make:
        made = make(f"{given.folder}/home", *map(int, given.make.split(",")))
        Path(given.folder, "told.json").write_text(json.dumps(made), encoding="utf-8")
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        print(HEADING, flush=True)
        for line in run(Path(given.folder or temporary), *map(int, given.size.split(","))):
            print(line, flush=True)
    print(f"\nPython {platform.python_version()}, {os.cpu_count()} cores, {os.environ.get('KARAT_DATABASE', 'SQLite')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
