"""Whether a record says what its files say: every stored score, computed again by the key of its time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from math import nan

from karat.campaign.definition import Task
from karat.campaign.events import Entry, Rekeyed, RunReceived, Scores
from karat.campaign.state import Campaign, apply

Rescore = Callable[[Campaign, RunReceived], Scores]
"""The scores of a run by the newest key of a state."""


def misfits(entries: Iterable[Entry], rescore: Rescore) -> Iterator[str]:
    """The runs whose file gives other scores than the record has."""
    state: Campaign | None = None
    for entry in entries:
        state = apply(state, entry)
        given = {entry.event.id: entry.event.scores} if isinstance(entry.event, RunReceived) else {}
        given = entry.event.scores if isinstance(entry.event, Rekeyed) else given
        for id, scores in given.items():
            if not alike(scores, rescore(state, state.runs[id].received)):
                yield f"the scores of run {id} in event {entry.sequence} are not those that its file gives"


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
