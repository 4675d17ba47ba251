"""A server that is killed in the middle of submissions: nothing half-stored, every receipt honoured."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from tests.server.clients import Client, prepared, variant
from tests.server.conftest import Served, karat
from tests.server.crowds import Attempt, attempt, faults

NAME = "rte-2027"
TEAMS = ["alder", "birch", "cedar", "dogwood", "elm", "fir"]
ROUNDS = [pytest.param(3, id="thrice"), pytest.param(20, id="twenty times", marks=pytest.mark.nightly)]


@pytest.mark.parametrize("rounds", ROUNDS)
def test_killed_while_storing(
    serve: Callable[..., Served], campaign_file: Callable[..., Path], tmp_path: Path, rounds: int
) -> None:
    """After each kill -9 every receipt that was given is honoured, what had no answer is there whole or not at all."""
    tokens = prepared(tmp_path / "home", campaign_file(task="runs = 99"), *TEAMS)
    served, attempts = serve(), list[Attempt]()
    numbers = dict.fromkeys(TEAMS, 0)
    for turn in range(rounds):
        attempts += _until_killed(served, tokens, numbers, Random(turn))
        assert served.process.returncode == -signal.SIGKILL
        served = serve()
        assert list(faults(served.address, NAME, tokens, attempts, 99)) == []
    unanswered = [one for one in attempts if one.answer is None]
    assert unanswered, "no request was interrupted"
    again = [attempt(Client(served.address, tokens[one.team]), NAME, one.team, one.raw) for one in unanswered]
    assert [one.answer.status for one in again] == [201] * len(again)
    assert list(faults(served.address, NAME, tokens, [*attempts, *again], 99)) == []
    told = karat(served.home, "campaign", "verify", NAME, "--format", "json")
    assert (told.returncode, json.loads(told.stdout)["equal"]) == (0, True), told
    assert sum(one.receipt is not None for one in attempts) > rounds


def _until_killed(served: Served, tokens: dict[str, str], numbers: dict[str, int], chance: Random) -> list[Attempt]:
    """All teams send runs until the server is killed, at any moment after some have been answered."""
    enough = threading.Semaphore(0)

    def send(team: str) -> list[Attempt]:
        client, made = Client(served.address, tokens[team]), list[Attempt]()
        while not made or made[-1].answer is not None:
            numbers[team] += 1
            raw = variant(1000 * TEAMS.index(team) + numbers[team])
            made.append(attempt(client, NAME, team, raw, run=str(numbers[team])))
            enough.release()
        return made

    with ThreadPoolExecutor(len(tokens)) as threads:
        sending = [threads.submit(send, team) for team in tokens]
        for _ in range(chance.randint(2, 20)):
            assert enough.acquire(timeout=60)
        time.sleep(chance.uniform(0, 0.05))
        served.process.kill()
        served.process.wait(timeout=120)
        return [one for sent in sending for one in sent.result(timeout=60)]
