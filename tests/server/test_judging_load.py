"""Judges at once, whatever they judge, and a server that is killed meanwhile: nothing is lost, nothing doubled."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.server import stages
from tests.server.assessors import Judging
from tests.server.clients import Answer
from tests.server.conftest import Served, servers
from tests.server.judges import Act, expected, faults, panel, send, work
from tests.server.stages import JUDGED, PER_UNIT

JUDGES = [f"judge-{number:02d}" for number in range(20)]
BY_DAY, BY_NIGHT = 40, 2000
"""Judgments of each kind."""
ROUNDS = [pytest.param(3, id="thrice"), pytest.param(20, id="twenty times", marks=pytest.mark.nightly)]


@pytest.fixture(scope="module")
def served(home: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server beside this process, on the same home."""
    with servers(tmp_path_factory.mktemp("beside")) as start:
        yield start(home=home.folder)


@pytest.fixture(scope="module")
def crowd(served: Served) -> dict[str, str]:
    """Assessors who have a little of everything to judge, by their tokens; the campaign is called `crowd`."""
    del served
    return stages.make("crowd", JUDGES[:5], BY_DAY)


def test_every_stage_is_judged_here() -> None:
    """Whatever can be judged is in the campaign of these tests, but for what comes of labels that differ."""
    from karat.campaign.judging.kinds import KINDS

    every = {kind.stage for kinds in KINDS.values() for kind in kinds}
    assert every - {one.stage for one in JUDGED.values()} == {"norming", "adjudication"}


@pytest.mark.parametrize("task", JUDGED)
def test_judges_at_once(served: Served, crowd: dict[str, str], task: str) -> None:
    """All begin at the same moment; entries, changes and what is undone are stored once, as each judge sent them."""
    _check(*panel(served.address, "crowd", crowd, task, BY_DAY), stages.look("crowd"), BY_DAY)


def test_a_planted_loss_is_found() -> None:
    """The check finds a judgment that is lost, there twice, changed, or not taken back; and one that nobody sent."""
    acts = [
        Act("anna", "nuggets", unit, values={"text": text}, undo=not text, id=str(id), answer=Answer(201, {}, b""))
        for id, (unit, text) in enumerate([("u/a", "one"), ("u/a", "two"), ("u/b", "three"), ("u/a", "")])
    ]
    assert expected(acts) == {("anna", "nuggets", unit): ({"text": text}, "") for unit, text in BOTH.items()}
    found: dict[str, Any] = {
        "held": [("anna", "nuggets", unit, {"text": text}, "") for unit, text in BOTH.items()],
        "recorded": [("anna", "nuggets", act.id) for act in acts],
        "verify": {"equal": True},
    }
    assert list(faults(found, acts)) == []
    planted: list[tuple[dict[str, Any], str]] = [
        ({"held": found["held"][:1]}, "None holds"),
        ({"held": [*found["held"], ("anna", "nuggets", "u/c", {}, "")]}, "None should"),
        ({"held": [("anna", "nuggets", "u/a", {"text": "two"}, ""), found["held"][1]]}, "'two'}, '') holds"),
        ({"recorded": found["recorded"][1:]}, "is lost"),
        ({"recorded": [*found["recorded"], found["recorded"][0]]}, "is stored 2 times"),
        ({"verify": {"equal": False}}, "false"),
    ]
    for change, said in planted:
        (fault,) = faults(found | change, acts)
        assert said in fault
    assert "was not stored" in next(faults(found, [replace(acts[0], answer=None), *acts[1:]]))


BOTH = {"u/a": "one", "u/b": "three"}


@pytest.mark.nightly
@pytest.mark.parametrize("task", JUDGED)
def test_twenty_judges_at_once(served: Served, task: str) -> None:
    """The same with 20 judges and 2,000 judgments."""
    name = f"crowd-{task}"
    tokens = stages.make(name, JUDGES, BY_NIGHT, [task])
    _check(*panel(served.address, name, tokens, task, BY_NIGHT), stages.look(name), BY_NIGHT)


def _check(acts: list[Act], waits: list[float], found: Any, judgments: int) -> None:
    assert list(faults(found, acts)) == []
    task, ids = acts[0].task, {act.id for act in acts}
    assert 0.8 * judgments <= len(ids) < len(acts)
    assert len({act.who for act in acts}) > 1
    if JUDGED[task].shared:
        assert set(found["people"][task].values()) == {PER_UNIT}, "nobody is given what enough others look at"
    assert waits


@pytest.mark.parametrize("rounds", ROUNDS)
def test_killed_while_judging(serve: Callable[..., Served], tmp_path: Path, rounds: int) -> None:
    """After each kill -9 all that was acknowledged is there; what had no answer, sent again, is there once."""
    told = {"name": "killed", "people": JUDGES[:2], "judgments": 30 * rounds}
    tokens = stages.elsewhere(tmp_path / "home", told)
    served, acts, interrupted = serve(), list[Act](), 0
    for turn in range(rounds):
        sent = _until_killed(served, tokens, Random(turn))
        assert served.process.returncode == -signal.SIGKILL
        served = serve()
        last = [[act for act in one if act.stored][-1:] + one[-1:] for one in sent]
        repeated = [_again(served, tokens, act) for one in last for act in one]
        acts += [act for one in sent for act in one if act.answer is not None] + repeated
        interrupted += sum(act.answer is None for one in sent for act in one)
    assert interrupted, "no request was interrupted"
    assert len({act.task for act in acts}) == len(JUDGED)
    assert list(faults(stages.elsewhere(tmp_path / "home", "killed"), acts)) == []


def _again(served: Served, tokens: dict[str, str], act: Act) -> Act:
    return send(Judging(served.address, "killed", tokens[act.who], act.task), act)


def _until_killed(served: Served, tokens: dict[str, str], chance: Random) -> list[list[Act]]:
    """Everybody judges all kinds at once until the server is killed, at any moment after some have been answered."""
    enough = threading.Semaphore(0)

    def judge(who: str, task: str) -> list[Act]:
        made, judging = list[Act](), Judging(served.address, "killed", tokens[who], task)
        for act in work(judging, who, task, 10**6):
            made.append(act)
            enough.release()
        return made

    with ThreadPoolExecutor(len(tokens) * len(JUDGED)) as threads:
        working = [threads.submit(judge, who, task) for who in tokens for task in JUDGED]
        for _ in range(chance.randint(20, 60)):
            assert enough.acquire(timeout=60)
        time.sleep(chance.uniform(0, 0.05))
        served.process.kill()
        served.process.wait(timeout=120)
        return [one.result(timeout=60) for one in working]
