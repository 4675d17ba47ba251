"""Whether a record says what its files say: scores, computed again by the key of their time, and judgments of units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from math import nan

from karat.campaign.definition import Task
from karat.campaign.events import Assigned, Entry, Rekeyed, RunReceived, Scores
from karat.campaign.judging.doubts import misjudged
from karat.campaign.judging.kinds import kinds_of
from karat.campaign.judging.library import Library
from karat.campaign.state import Campaign, apply

Rescore = Callable[[Campaign, RunReceived], Scores]
"""The scores of a run by the newest key of a state."""


def misfits(entries: Iterable[Entry], rescore: Rescore, library: Library) -> Iterator[str]:
    """Runs whose file gives other scores than the record has, and judgments that nobody can have given.

    It ends with the first of the latter, on which nothing can follow.
    """
    state: Campaign | None = None
    for entry in entries:
        wrong = [] if state is None else list(misjudged(state, entry.event, entry.at, library))
        if isinstance(entry.event, Assigned) and state is not None and not wrong:
            wrong = list(_strange(state, entry.event, library))
        if wrong:
            yield from (f"event {entry.sequence}: {what}" for what in wrong)
            return
        state = apply(state, entry)
        given = {entry.event.id: entry.event.scores} if isinstance(entry.event, RunReceived) else {}
        given = entry.event.scores if isinstance(entry.event, Rekeyed) else given
        for id, scores in given.items():
            if not alike(scores, rescore(state, state.runs[id].received)):
                yield f"the scores of run {id} in event {entry.sequence} are not those that its file gives"


def _strange(state: Campaign, event: Assigned, library: Library) -> Iterator[str]:
    """Units that were given out and are in no file."""
    task = state.definition.task(event.task)
    material, examples = library.material(state, task), event.units if event.stage == "qualification" else event.planted
    units = () if event.stage == "qualification" else event.units
    kind = kinds_of(task)[event.stage] if units else None
    known = () if kind is None else units if kind.named else kind.units(material)
    for what, given, among in ((f"unit of {task.name}", units, known), ("example", examples, None)):
        if given and among is None:
            among = material.examples.ids if state.definition.judging.examples else ()
        if strange := sorted(set(given).difference(among or ())):
            yield f"the {what} {strange[0]!r}, which is in no file"


def from_files(contents: Mapping[str, bytes]) -> Rescore:
    """Scores computed from files that are at hand, each test set read once."""
    from karat.campaign import checking  # here: scoring loads scipy

    @cache
    def keyed(task: Task, sha256: str, seed: str, judged: tuple[tuple[str, str], ...]) -> checking.TestSet:
        return checking.read_test(task, contents[sha256], seed, {name: contents[one] for name, one in judged})

    def rescore(state: Campaign, run: RunReceived) -> Scores:
        task = state.definition.task(run.sent.task)
        test = keyed(task, state.files[task.test], state.seed, state.judged_by(task.name))
        return checking.rescored(test, run.id, run.sent, contents[run.sent.sha256])

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
