"""Many assessors at once: what they send, what they are told, and what must be true of it afterwards."""

from __future__ import annotations

import http.client
import json
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.server.assessors import Judging, stored
from tests.server.clients import Answer

LOST = (OSError, http.client.HTTPException)
LABELS = ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")


@dataclass(frozen=True)
class Vote:
    """A judgment that was sent, and the answer; None if there was none."""

    who: str
    id: str
    unit: str
    label: str
    answer: Answer | None
    seconds: float

    @property
    def stored(self) -> bool:
        """Whether the server has said that it is on disk."""
        return self.answer is not None and self.answer.status == 201


def vote(judging: Judging, who: str, unit: str, label: str, id: str = "") -> Vote:
    """Send a judgment; a server that does not answer is an answer too."""
    id, start = id or str(uuid.uuid4()), time.perf_counter()
    try:
        answer = judging.send(unit, {"label": label}, id)
    except LOST:
        answer = None
    return Vote(who, id, unit, label, answer, time.perf_counter() - start)


def again(address: str, campaign: str, token: str, one: Vote) -> Vote:
    """The same judgment sent again."""
    return replace(vote(Judging(address, campaign, token), one.who, one.unit, one.label, one.id), seconds=one.seconds)


def panel(address: str, campaign: str, tokens: Mapping[str, str], count: int) -> tuple[list[Vote], list[float]]:
    """Everybody judges so many units, all from the same moment on: the judgments, and the seconds of each `next`."""
    barrier, waits = threading.Barrier(len(tokens)), list[float]()

    def work(place: int, who: str) -> list[Vote]:
        judging, sent = Judging(address, campaign, tokens[who]), list[Vote]()
        barrier.wait(timeout=60)
        for number in range(count):
            start = time.perf_counter()
            shown = judging.next()
            waits.append(time.perf_counter() - start)
            if shown is None:
                return sent
            sent.append(vote(judging, who, shown["unit"], LABELS[(place + number) % 3]))
            if number % 10 == 0:  # a reply that was lost on the way
                sent.append(again(address, campaign, tokens[who], sent[-1]))
        return sent

    with ThreadPoolExecutor(len(tokens)) as threads:
        return [one for sent in threads.map(work, range(len(tokens)), tokens, timeout=500) for one in sent], waits


def faults(home: Path, campaign: str, votes: Sequence[Vote], **environment: str) -> Iterator[str]:
    """What is wrong afterwards: judgments lost, stored twice, or other than they were sent."""
    found: Any = stored(home, campaign, **environment)
    held = {one["id"]: one for one in found["ballots"]}
    for one in {vote.id: vote for vote in votes if vote.stored}.values():
        if one.id not in held:
            yield f"{one.who}: the judgment {one.id} is lost"
        elif (held[one.id]["assessor"], held[one.id]["values"]) != (one.who, {"label": one.label}):
            yield f"{one.who}: the judgment {one.id} is another one"
    yield from (f"{id} is stored {n} times" for (_, id), n in Counter(map(tuple, found["judged"])).items() if n > 1)
    if strange := held.keys() - {vote.id for vote in votes}:
        yield f"judgments that nobody sent: {sorted(strange)}"
    units = Counter((one["assessor"], one["unit"]) for one in found["ballots"])
    yield from (f"{who} has judged {unit} {n} times" for (who, unit), n in units.items() if n > 1)
    if not found["verify"]["equal"]:
        yield json.dumps(found["verify"])
