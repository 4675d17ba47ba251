"""Many teams at once: what they send, what they are told, and what must be true of it afterwards."""

from __future__ import annotations

import http.client
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from tests.server.clients import Answer, Client, variant

LOST = (OSError, http.client.HTTPException)
"""What a client sees of a server that dies."""


@dataclass(frozen=True)
class Attempt:
    """A run that was sent, and the answer; None if there was none."""

    team: str
    raw: bytes
    answer: Answer | None
    seconds: float

    @property
    def receipt(self) -> dict[str, Any] | None:
        """The receipt, if there is one."""
        return None if self.answer is None or self.answer.status != 201 else self.answer.json["receipt"]


def crowd(
    address: str, campaign: str, tokens: Mapping[str, str], count: int, ready: Callable[[], None] = lambda: None
) -> list[Attempt]:
    """Every team sends this many different runs, one after the other, all teams at once from the same moment on."""
    barrier = threading.Barrier(len(tokens), action=ready)

    def send(place: int, team: str) -> list[Attempt]:
        client = Client(address, tokens[team])
        barrier.wait(timeout=60)
        return [attempt(client, campaign, team, variant(place * 100 + number)) for number in range(count)]

    with ThreadPoolExecutor(len(tokens)) as threads:
        return [one for sent in threads.map(send, range(len(tokens)), tokens, timeout=120) for one in sent]


def attempt(client: Client, campaign: str, team: str, raw: bytes, **said: str) -> Attempt:
    """Send a run; a server that does not answer is an answer too."""
    start = time.perf_counter()
    try:
        answer = client.submit(campaign, raw, **said)
    except LOST:
        answer = None
    return Attempt(team, raw, answer, time.perf_counter() - start)


def faults(
    address: str, campaign: str, tokens: Mapping[str, str], attempts: Sequence[Attempt], limit: int
) -> Iterator[str]:
    """What is wrong after a crowd: runs lost, stored twice, over the limit, or other than their receipts say."""
    for team, token in tokens.items():
        stored = {run["id"]: run for run in Client(address, token).runs(campaign)}
        receipts = {one.receipt["id"]: one.receipt for one in attempts if one.team == team and one.receipt is not None}
        for run, receipt in receipts.items():
            if run not in stored:
                yield f"{team}: run {run} is lost"
            elif changed := [key for key, value in receipt.items() if stored[run][key] != value]:
                yield f"{team}: run {run} differs from its receipt in {', '.join(changed)}"
        active = [run for run in stored.values() if run["state"] not in ("replaced", "withdrawn")]
        if len(active) > limit:
            yield f"{team}: {len(active)} runs, {limit} are allowed"
        for what in ("run", "sha256"):
            yield from (
                f"{team}: {what} {one} twice" for one, n in Counter(run[what] for run in active).items() if n > 1
            )
