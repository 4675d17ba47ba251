"""A campaign server under load: its first minute, fifty teams at the deadline, twenty logins, its results, judges."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import numpy as np
from tests.server import judges, stages
from tests.server.clients import Client, prepared
from tests.server.conftest import Served, servers, write_campaign
from tests.server.crowds import attempt, crowd, faults

from benchmarks.timing import Differs, Row

NAME, TEAMS, LIMIT, LOGINS = "rte-2027", 50, 2, 20
JUDGES, JUDGMENTS, JUDGED = 20, 2000, ("labels", "answers", "nuggets", "matches")


def run(folder: Path) -> list[Row]:
    with servers(folder) as start:
        begun = time.perf_counter()
        first = start()
        if Client(first.address).ask("GET", "/healthz").status != 200:
            raise Differs("the server does not answer")
        seconds = time.perf_counter() - begun
        first.stop()
        tokens = prepared(folder / "home", write_campaign(folder, task=f"runs = {LIMIT}"), *_names())
        served = start()
        return [
            _below("from nothing to the first answer", seconds, 3),
            *_crowd(served, tokens),
            *_logins(served, tokens),
            *_results(served, urlsplit(first.link).path, tokens),
            *(row for task in JUDGED for row in _judges(served, task)),
        ]


def _names() -> list[str]:
    return [f"team-{number:02d}" for number in range(TEAMS)]


def _below(what: str, seconds: float, most: float) -> Row:
    return Row(f"campaign: {what}", f"{seconds:.3g} s", "", "", f"< {most:g} s", seconds < most)


def _crowd(served: Served, tokens: dict[str, str]) -> list[Row]:
    """All teams submit one run more than they are allowed."""
    attempts = crowd(served.address, NAME, tokens, LIMIT + 1)
    if wrong := list(faults(served.address, NAME, tokens, attempts, LIMIT)):
        raise Differs("; ".join(wrong))
    if sum(one.receipt is not None for one in attempts) != TEAMS * LIMIT:
        raise Differs("not every team has the runs that it is allowed")
    half, most, worst = np.quantile([one.seconds for one in attempts], [0.5, 0.95, 1])
    what = f"{TEAMS} teams submitting at once, {len(attempts)} requests"
    return [
        Row(f"campaign: {what}, median", f"{half:.3g} s", "", "", "", True),
        _below(f"{what}, 95 %", float(most), 2),
        Row(f"campaign: {what}, slowest", f"{worst:.3g} s", "", "", "", True),
    ]


def _judges(served: Served, task: str) -> list[Row]:
    """Judges who all begin at the same moment and give 2,000 judgments, of units of their own or of a pool."""
    name, people = f"judged-{task}", [f"judge-{number:02d}" for number in range(JUDGES)]
    told = {"name": name, "people": people, "judgments": JUDGMENTS, "tasks": [task]}
    tokens = stages.elsewhere(served.home, told)
    acts, waits = judges.panel(served.address, name, tokens, task, JUDGMENTS)
    if wrong := list(judges.faults(stages.elsewhere(served.home, name), acts)):
        raise Differs("; ".join(wrong[:5]))
    count = len({act.id for act in acts})
    if count < 0.8 * JUDGMENTS:
        raise Differs(f"{count} judgments instead of {JUDGMENTS}")
    half, most, worst = np.quantile([act.seconds for act in acts], [0.5, 0.95, 1])
    what = f"{JUDGES} judges at once, {count:,} judgments, {task}{' from a pool' * stages.JUDGED[task].shared}"
    return [
        Row(f"campaign: {what}, median", f"{half:.3g} s", "", "", "", True),
        _below(f"{what}, 95 %", float(most), 0.3),
        Row(f"campaign: {what}, slowest", f"{worst:.3g} s", "", "", "", True),
        _below(f"{what}, the next unit, 95 %", float(np.quantile(waits, 0.95)), 0.3),
    ]


def _logins(served: Served, tokens: dict[str, str]) -> list[Row]:
    """People log in at the same moment, while a program goes on asking."""
    barrier, done = threading.Barrier(LOGINS + 1), threading.Event()

    def log_in(number: int) -> float:
        client = Client(served.address)
        page = client.ask("GET", "/login/")
        cookie = page.headers["Set-Cookie"].partition(";")[0]
        mark = page.body.decode().partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
        form = urlencode({"csrfmiddlewaretoken": mark, "account": f"nobody-{number}", "password": "a wrong password"})
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie}
        barrier.wait(timeout=60)
        begun = time.perf_counter()
        if client.ask("POST", "/login/", form.encode(), **kind).status != 403:
            raise Differs("a wrong password is no 403")
        return time.perf_counter() - begun

    def others() -> float:
        client, slowest = Client(served.address, next(iter(tokens.values()))), 0.0
        barrier.wait(timeout=60)
        while not done.is_set():
            slowest = max(slowest, attempt(client, NAME, "", b"1 E\n", dry_run="true").seconds)
            time.sleep(0.02)
        return slowest

    with ThreadPoolExecutor(LOGINS + 1) as threads:
        other = threads.submit(others)
        logins = list(threads.map(log_in, range(LOGINS), timeout=60))
        done.set()
        what = f"{LOGINS} logins at once"
        return [
            Row(f"campaign: {what}, the slowest of them", f"{max(logins):.3g} s", "", "", "", True),
            _below(f"{what}, the slowest other request", other.result(timeout=60), 1),
        ]


def _results(served: Served, link: str, tokens: dict[str, str]) -> list[Row]:
    """The results of all those runs, and what else is asked while the whole report is made."""
    cookie = Client(served.address).ask("GET", link).headers["Set-Cookie"].partition(";")[0]
    organiser, done = Client(served.address, headers={"Cookie": cookie}), threading.Event()

    def timed(path: str) -> float:
        begun = time.perf_counter()
        while (status := organiser.ask("GET", f"/c/{NAME}/{path}").status) == 202:
            time.sleep(0.05)
        if status != 200:
            raise Differs(f"{path} is answered with {status}")
        return time.perf_counter() - begun

    def others() -> float:
        client, slowest = Client(served.address, next(iter(tokens.values()))), 0.0
        while not done.is_set():
            slowest = max(slowest, attempt(client, NAME, "", b"1 E\n", dry_run="true").seconds)
            time.sleep(0.02)
        return slowest

    first, again = timed("results/"), timed("results/")
    with ThreadPoolExecutor(1) as threads:
        other = threads.submit(others)
        whole = timed("tasks/three-way/report/")
        done.set()
        what = f"results of {TEAMS * LIMIT} runs"
        return [
            _below(f"{what}, the page at first", first, 10),
            _below(f"{what}, the page again", again, 1),
            _below(f"{what}, the whole report", whole, 30),
            _below(f"{what}, the slowest other request meanwhile", other.result(timeout=60), 2),
        ]
