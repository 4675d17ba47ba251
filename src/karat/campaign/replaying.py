"""Whether a record says what its files say: scores, computed again by the key of their time, and judgments of units."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from math import nan

from karat.campaign.definition import Task
from karat.campaign.events import Assigned, Entry, Rekeyed, RunReceived, Scores
from karat.campaign.judging.doubts import misjudged
from karat.campaign.state import Campaign, apply
from karat.errors import Problems

Rescore = Callable[[Campaign, RunReceived], Scores]
"""The scores of a run by the newest key of a state."""
Known = Callable[[Campaign, Task | None], Collection[str]]
"""The ids of the units of a task, or without one of the examples."""


def misfits(entries: Iterable[Entry], rescore: Rescore, known: Known) -> Iterator[str]:
    """Runs whose file gives other scores than the record has, and judgments that nobody can have given.

    It ends with the first of the latter, on which nothing can follow.
    """
    state: Campaign | None = None
    for entry in entries:
        wrong = [] if state is None else list(misjudged(state, entry.event, entry.at))
        if isinstance(entry.event, Assigned) and state is not None and not wrong:
            wrong = list(_strange(state, entry.event, known))
        if wrong:
            yield from (f"event {entry.sequence}: {what}" for what in wrong)
            return
        state = apply(state, entry)
        given = {entry.event.id: entry.event.scores} if isinstance(entry.event, RunReceived) else {}
        given = entry.event.scores if isinstance(entry.event, Rekeyed) else given
        for id, scores in given.items():
            if not alike(scores, rescore(state, state.runs[id].received)):
                yield f"the scores of run {id} in event {entry.sequence} are not those that its file gives"


def _strange(state: Campaign, event: Assigned, known: Known) -> Iterator[str]:
    """Units that were given out and are in no file."""
    task = state.definition.task(event.task)
    examples = event.units if event.stage == "qualification" else event.planted
    units = () if event.stage == "qualification" else event.units
    for given, of in ((units, task), (examples, None)):
        if given and (strange := next((unit for unit in given if unit not in known(state, of)), None)) is not None:
            yield f"the {'example' if of is None else f'unit of {task.name}'} {strange!r}, which is in no file"


def known_from(content: Callable[[str], bytes]) -> Known:
    """The ids of units in files, each read once, by their SHA-256."""
    from karat.campaign import checking  # here: it loads scipy

    @cache
    def units(task: Task, sha256: str, seed: str) -> Collection[str]:
        return frozenset(checking.read_test(task, content(sha256), seed).units.ids)

    @cache
    def examples(name: str, sha256: str) -> Collection[str]:
        pairs = checking.read_examples(name, content(sha256), Problems())
        return frozenset(() if pairs is None else pairs.ids)

    def known(state: Campaign, task: Task | None) -> Collection[str]:
        if task is not None:
            return units(task, state.files[task.test], state.seed)
        name = state.definition.judging.examples
        return () if name is None else examples(name, state.files[name])

    return known


def from_files(contents: Mapping[str, bytes]) -> Rescore:
    """Scores computed from files that are at hand, each test set read once."""
    from karat.campaign import checking  # here: scoring loads scipy

    @cache
    def keyed(task: Task, sha256: str, seed: str, judgments: str | None) -> checking.TestSet:
        return checking.read_test(task, contents[sha256], seed, None if judgments is None else contents[judgments])

    def rescore(state: Campaign, run: RunReceived) -> Scores:
        task = state.definition.task(run.sent.task)
        test = keyed(task, state.files[task.test], state.seed, state.judgments.get(task.name))
        return checking.rescored(test, run.sent, contents[run.sent.sha256])

    return rescore


def alike(stored: Scores, found: Scores) -> bool:
    """Whether scores are equal, but for the last digits, in which processors differ."""
    import numpy as np

    one, other = _flat(stored), _flat(found)
    return one.keys() == other.keys() and bool(
        np.allclose([*one.values()], [other[name] for name in one], rtol=0, atol=1e-9, equal_nan=True)
    )


def _flat(scores: Scores) -> dict[tuple[str, str], float]:
    return {(way, name): nan if value is None else value for way, of in scores.items() for name, value in of.items()}
