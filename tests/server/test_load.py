"""Fifty teams at the deadline, on a real server: none lost, none double, none over the limit."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.server.clients import Answer, Client, move_deadline, prepared, variant
from tests.server.conftest import Served, karat
from tests.server.crowds import Attempt, attempt, crowd, faults

NAME, LIMIT, TEAMS = "rte-2027", 2, [f"team-{number:02d}" for number in range(50)]


def test_fifty_teams_at_the_deadline(
    serve: Callable[..., Served], campaign_file: Callable[..., Path], tmp_path: Path
) -> None:
    """All send as the deadline passes: who was in time has a receipt that holds, who was late is told so."""
    tokens = prepared(tmp_path / "home", campaign_file(task=f"runs = {LIMIT}"), *TEAMS)
    served = serve()
    first = attempt(Client(served.address, tokens[TEAMS[0]]), NAME, TEAMS[0], variant(99))  # however slow the rest is
    deadline = move_deadline(served.home, NAME, 3.0) + timedelta(seconds=1)  # the end of the second that is named

    def ready() -> None:
        time.sleep(max(0.0, (deadline - datetime.now(UTC)).total_seconds() - 0.8))

    attempts = [first, *crowd(served.address, NAME, tokens, 3, ready)]
    assert len(attempts) == 151
    assert all(one.answer is not None for one in attempts)
    assert list(faults(served.address, NAME, tokens, attempts, LIMIT)) == []
    for one in attempts:
        _check_answer(one, deadline)
    again = Client(served.address, tokens[first.team]).submit(NAME, first.raw)
    assert first.receipt is not None
    assert again.json["receipt"] == first.receipt  # sent again after the close
    told = karat(served.home, "campaign", "verify", NAME, "--format", "json")
    assert (told.returncode, json.loads(told.stdout)["equal"]) == (0, True), told


def _check_answer(one: Attempt, deadline: datetime) -> None:
    """Accepted in time, or refused because of the limit or the deadline."""
    if one.receipt is not None:
        assert datetime.fromisoformat(one.receipt["received"]) < deadline
        return
    codes = {problem["code"] for problem in one.answer.json["problems"]}
    assert (one.answer.status, bool(codes & {"run-limit", "closed"})) in ((403, True), (409, True)), one.answer
    if "closed" in codes:
        assert one.answer.status == 403
        found = next(problem["found"] for problem in one.answer.json["problems"] if problem["code"] == "closed")
        assert datetime.fromisoformat(found.rpartition(" ")[2]) >= deadline


def test_a_planted_loss_is_found(
    serve: Callable[..., Served], campaign_file: Callable[..., Path], tmp_path: Path
) -> None:
    """The check of a crowd finds a lost run, a changed receipt and a run too many."""
    tokens = prepared(tmp_path / "home", campaign_file(), "alder")
    address = serve().address
    sent = crowd(address, NAME, tokens, 2)
    first = sent[0].receipt
    assert first is not None
    assert list(faults(address, NAME, tokens, sent, 2)) == []
    assert list(faults(address, NAME, tokens, sent, 1)) == ["alder: 2 runs, 1 are allowed"]
    for change, said in (
        ({"id": "gone"}, "alder: run gone is lost"),
        ({"received": "earlier"}, f"alder: run {first['id']} differs from its receipt in received"),
    ):
        body = json.dumps({"receipt": first | change}).encode()
        planted = Attempt("alder", sent[0].raw, Answer(201, {}, body), 0.0)
        assert list(faults(address, NAME, tokens, [planted], 2)) == [said]
