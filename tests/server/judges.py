"""Many assessors at once, whatever they judge: what they send, what they are told, and what must be true afterwards."""

from __future__ import annotations

import http.client
import json
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from tests.server.assessors import Judging
from tests.server.clients import Answer
from tests.server.stages import FIRST

LOST = (OSError, http.client.HTTPException)
Values = dict[str, str]
EVIDENCE = "evidence."


@dataclass(frozen=True)
class Act:
    """Something that an assessor sends, and the answer; None if there was none."""

    who: str
    task: str
    unit: str
    values: Values = field(default_factory=dict)
    skipped: str = ""
    undo: bool = False
    id: str = ""
    answer: Answer | None = None
    seconds: float = 0.0

    @property
    def stored(self) -> bool:
        """Whether the server has said that it is on disk."""
        return self.answer is not None and self.answer.status == 201


def send(judging: Judging, act: Act) -> Act:
    """Send it, with an id of its own unless it has one; a server that does not answer is an answer too."""
    id, start = act.id or str(uuid.uuid4()), time.perf_counter()
    post = judging.undo if act.undo else partial(judging.send, values=act.values, skipped=act.skipped)
    try:
        answer = post(act.unit, id=id)
    except LOST:
        answer = None
    return replace(act, id=id, answer=answer, seconds=time.perf_counter() - start)


def answers(shown: Any, number: int, who: str) -> Values:
    """Answers to whatever is asked about a unit, other ones for another number."""
    found, followed = dict[str, str](), {ask["asked_if"] for ask in shown["ask"]}
    for ask in shown["ask"]:
        if ask["name"].startswith(EVIDENCE):
            string = shown["show"]["strings"][number % len(shown["show"]["strings"])]
            found[ask["name"]] = f"{string['number']}: {string['text'].split()[0]}"
        elif ask["asked_if"] or ask["name"] == "vital":
            continue  # what depends on others: a low first rating, and a vital nugget in the list
        elif ask["values"]:
            values = ask["values"][: 2 if ask["name"] in followed else None]
            found[ask["name"]] = values[number % len(values)]
        else:
            found[ask["name"]] = ask["start"] or f"{who} {number}"
    return found


ENTRIES: Mapping[str, Any] = {
    "lists": lambda said, _: {"answer": said},
    "nuggets": lambda said, _: {"text": said, "importance": "vital"},
    "parts": lambda said, _: {"phenomenon": "lexical:identity", "hypothesis": said, "label": "ENTAILMENT"},
    "development": lambda said, last: {"kind": "OTHER" if last else "FACTOID", "text": said},
}
"""An entry of a list by its stage, in somebody's own words; and the last one."""


def entry(shown: Any, text: str, last: bool) -> Values:
    """An entry of the list that is shown; a further answer to a list question has a group, too."""
    grouped = any(ask["name"] == "group" for ask in shown["entry"])
    return dict(ENTRIES[shown["stage"]](text, last)) | ({"group": str(len(text))} if grouped else {})


def about(shown: Any, who: str, task: str, number: int) -> Iterator[Act]:
    """What somebody sends about a unit until it is judged; about some also what they change or take back."""
    unit, act = shown["unit"], Act(who, task, shown["unit"])
    if shown["entry"] is not None:
        yield from listed(shown, who, task)
    elif number % 4 == 1:  # changed, and the change taken back
        yield replace(act, values=answers(shown, number, who))
        yield replace(act, values=answers(shown, number + 1, who))
        yield Act(who, task, unit, undo=True)
        return
    elif number % 4 == 3 and shown["stage"] != "ratings":  # a skip there is one of the whole pair
        yield replace(act, skipped="no sense")
        yield replace(act, undo=True)
    yield replace(act, values=answers(shown, number, who))


def listed(shown: Any, who: str, task: str) -> Iterator[Act]:
    """A list that is written: entries, two of them merged, one split, some of it undone, one taken out.

    Whoever begins again, since the server was gone, writes the same entries again.
    """
    marks = " ".join(one["id"] for one in shown["show"].get("strings", ())[:2])

    def said(text: str, last: bool) -> Values:
        sources = {"sources": marks} if marks else {}
        return entry(shown, text, last) | sources

    def written(name: str, **what: Any) -> Act:
        return Act(who, task, f"{shown['unit']}/{name}", **what)

    one, two, three, four = (f"{who[-2:]}{letter}" for letter in "abcd")
    for name in (one, two, three):
        yield written(name, values=said(f"{who} wrote {name}", False))
    yield written(one, values=said(f"{one} and {two}", False))
    yield written(two, skipped="merged")
    yield written(four, values=said(f"split from {one}", True))
    for name in (two, one):
        yield written(name, undo=True)
    yield written(three, skipped="removed")


def work(judging: Judging, who: str, task: str, most: int, waits: list[float] | None = None) -> Iterator[Act]:
    """What somebody sends until so many acts are done, nothing is left, or the server answers no more."""
    count = number = 0
    while count < most:
        start = time.perf_counter()
        try:
            shown = judging.next()
        except LOST:
            return
        if waits is not None:
            waits.append(time.perf_counter() - start)
        if shown is None:
            return
        for act in about(shown, who, task, number):
            count += 1
            yield (sent := send(judging, act))
            if sent.answer is None:
                return
            if count % 10 == 1:  # a reply that was lost on the way
                yield send(judging, sent)
        number += 1


def panel(
    address: str, campaign: str, tokens: Mapping[str, str], task: str, most: int
) -> tuple[list[Act], list[float]]:
    """Everybody judges, all from the same moment on: what they sent, and the seconds of each `next`."""
    barrier, waits = threading.Barrier(len(tokens)), list[float]()

    def judge(who: str) -> list[Act]:
        judging = Judging(address, campaign, tokens[who], task)
        barrier.wait(timeout=60)
        return list(work(judging, who, task, most, waits))

    with ThreadPoolExecutor(len(tokens)) as threads:
        return [act for sent in threads.map(judge, tokens, timeout=500) for act in sent], waits


def expected(acts: Sequence[Act]) -> dict[tuple[str, str, str], tuple[Values, str]]:
    """What must hold after acts that were all stored, in the order in which each assessor sent them."""
    held: dict[tuple[str, str, str], list[tuple[Values, str]]] = {}
    for act in {act.id: act for act in acts}.values():
        said = held.setdefault((act.who, act.task, act.unit), [])
        if act.undo:
            said.pop()
        else:
            said.append((act.values, act.skipped))
    return {place: said[-1] for place, said in held.items() if said}


def faults(found: Any, acts: Sequence[Act]) -> Iterator[str]:
    """What is wrong afterwards in the tasks of these acts: lost, stored twice, or other than it was sent."""
    tasks = {act.task for act in acts}
    yield from (f"{act.who}: {act} was not stored" for act in acts if not act.stored)
    sent = Counter({(act.who, act.task, act.id): 1 for act in acts})
    kept = Counter((who, task, id) for who, task, id in found["recorded"] if task in tasks and who != FIRST)
    yield from (f"{place} is lost" for place in sent - kept)
    yield from (f"{place} is stored {kept[place]} times, and was sent {sent[place]} times" for place in kept - sent)
    held = {
        (who, task, unit): (values, skipped)
        for who, task, unit, values, skipped in found["held"]
        if task in tasks and who != FIRST
    }
    hold = expected(acts)
    yield from (
        f"{place}: {held.get(place)} holds, and {hold.get(place)} should"
        for place in held.keys() | hold.keys()
        if held.get(place) != hold.get(place)
    )
    if not found["verify"]["equal"]:
        yield json.dumps(found["verify"])
