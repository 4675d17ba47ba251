"""Twenty judges at once, and a server that is killed while they judge: no judgment is lost, none is there twice."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from tests.server.assessors import Judging, prepared
from tests.server.conftest import Served
from tests.server.judges import LABELS, LOST, Vote, again, faults, panel, vote

NAME, JUDGES = "judged", [f"judge-{number:02d}" for number in range(20)]
EACH = [pytest.param(25, id="25 each"), pytest.param(100, id="100 each", marks=pytest.mark.nightly)]
ROUNDS = [pytest.param(3, id="thrice"), pytest.param(20, id="twenty times", marks=pytest.mark.nightly)]


@pytest.mark.parametrize("each", EACH)
@pytest.mark.parametrize("shared", [False, True], ids=["dealt", "shared"])
def test_twenty_judges_at_once(serve: Callable[..., Served], tmp_path: Path, shared: bool, each: int) -> None:
    """They post all their judgments: each is stored once, and nobody waits long."""
    tokens = prepared(tmp_path / "home", NAME, *JUDGES, units=10 * each, per_unit=2, shared=shared)
    served = serve()
    votes, _ = panel(served.address, NAME, tokens, each + each // 5 * shared)
    assert all(one.stored for one in votes), next(one for one in votes if not one.stored)
    distinct, all_of_them = len({one.id for one in votes}), 20 * each
    assert distinct == all_of_them if not shared else distinct >= all_of_them
    assert list(faults(served.home, NAME, votes)) == []
    slow = sorted(one.seconds for one in votes)[int(0.95 * len(votes))]
    assert slow < 5.0  # the aim is 0.3 on two free cores: `python -m benchmarks campaign`


@pytest.mark.parametrize("rounds", ROUNDS)
def test_killed_while_judging(serve: Callable[..., Served], tmp_path: Path, rounds: int) -> None:
    """After each kill -9 every acknowledged judgment is there; one without an answer, sent again, is there once."""
    people = JUDGES[:6]
    tokens = prepared(tmp_path / "home", NAME, *people, units=3000, per_unit=2)
    served, votes = serve(), list[Vote]()
    for turn in range(rounds):
        sent = _until_killed(served, tokens, Random(turn))
        assert served.process.returncode == -signal.SIGKILL
        served = serve()
        unanswered = [one for one in sent if one.answer is None]
        repeated = [again(served.address, NAME, tokens[one.who], one) for one in unanswered]
        assert all(one.stored for one in repeated)
        votes += [*sent, *repeated]
        resent = next(one for one in sent if one.stored)
        assert again(served.address, NAME, tokens[resent.who], resent).stored
    assert any(one.answer is None for one in votes), "no request was interrupted"
    assert list(faults(served.home, NAME, votes)) == []
    assert sum(one.stored for one in votes) > rounds


def _until_killed(served: Served, tokens: dict[str, str], chance: Random) -> list[Vote]:
    """All judge until the server is killed, at any moment after some have been answered."""
    enough = threading.Semaphore(0)

    def work(who: str) -> list[Vote]:
        judging, made = Judging(served.address, NAME, tokens[who]), list[Vote]()
        while not made or made[-1].answer is not None:
            try:
                shown = judging.next()
            except LOST:
                return made
            made.append(vote(judging, who, shown["unit"], LABELS[len(made) % 3]))
            enough.release()
        return made

    with ThreadPoolExecutor(len(tokens)) as threads:
        working = [threads.submit(work, who) for who in tokens]
        for _ in range(chance.randint(5, 40)):
            assert enough.acquire(timeout=60)
        time.sleep(chance.uniform(0, 0.05))
        served.process.kill()
        served.process.wait(timeout=20)
        return [one for sent in working for one in sent.result(timeout=60)]
