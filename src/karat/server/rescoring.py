"""Replacing a key: first what it would change, then all of it in one event."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

import msgspec

from karat.campaign.checking import TestSet, rescored
from karat.campaign.commands import Rekey
from karat.campaign.definition import Task
from karat.campaign.events import Scores
from karat.campaign.judged import answers_of, read_judgments
from karat.campaign.new_key import ids_in, new_key, rekeyed
from karat.campaign.refusing import StaleError
from karat.campaign.rescored import Rescoring
from karat.campaign.rescoring import Rescored, preview, same_key
from karat.campaign.rules import decide, scored_anew
from karat.campaign.state import Campaign
from karat.errors import UsageError
from karat.server.accounts import HOST
from karat.server.results import counting, official
from karat.server.store import Outcome, content, digest_of, execute, now, state_of, test_set
from karat.studies.qa.study import qa

MOST_TRIES = 5
scoring = threading.Lock()
"""Scoring every run takes all of a core: one key at a time."""


class Rescore(NamedTuple):
    """A new key and what it changes, or has changed."""

    result: Rescoring
    command: Rekey
    contents: dict[str, bytes]
    """The new test sets, by their SHA-256."""
    scores: tuple[dict[str, Any], dict[str, Any]]
    """Old and new ones, by task, way and name of the run."""
    digest: str
    """Of everything that was previewed: the same only if the same would be stored."""
    applied: bool = False

    def answer(self) -> dict[str, Any]:
        """What programs read."""
        found, versions = self.result, (self.result.old_version, self.result.new_version)
        old, new = ({"key_version": one, "scores": of} for one, of in zip(versions, self.scores, strict=True))
        return {
            "old": old,
            "new": new,
            "ranks_changed": [
                {"task": row.task, "way": row.way, "run": row.run, "from": row.old_place, "to": row.new_place}
                for row in found.moved
            ],
            "passes": [asdict(row) for row in found.passes],
            "verdicts_changed": [asdict(row) for row in found.verdicts],
            "labels_changed": [
                {"task": row.task, "way": row.way, "from": row.old, "to": row.new, "units": row.units}
                for row in found.labels
            ],
            "runs": [asdict(row) for row in found.runs],
            "views": [asdict(row) for row in found.views],
            "rescored": len(self.command.scores),
            "findings": [str(one) for one in found.findings()],
            "problems": found.warnings,
            "reason": self.command.reason,
            "applied": self.applied,
        }


def rescore(
    campaign: str,
    file: str,
    raw: bytes,
    reason: str,
    actor: str = HOST,
    apply: bool = False,
    task: str | None = None,
    seen: str | None = None,
) -> Rescore:
    """What a new key would change; with `apply` it replaces the old one, and every run has new scores.

    It is the key of every entailment task with the same pairs, or of the one that is named; for a task of questions,
    it is the judgments of all answers. `seen` is the digest of the preview that somebody has agreed to: nothing is
    applied if it would be different now.
    """
    for _ in range(MOST_TRIES):
        state = state_of(campaign)
        with scoring:
            made = _previewed(state, file, raw, reason, task)
        if not apply or (seen is not None and seen != made.digest):
            decide(state, made.command, now(), bytes)  # what would be refused is refused now
            return made
        try:
            outcome = execute(campaign, made.command, actor, made.contents, also=_follows(state))
        except StaleError:
            continue  # a run came in, or another key, while the runs were scored
        return made._replace(applied=bool(outcome.entries))
    raise UsageError("runs are coming in faster than they can be scored; try again when fewer are being sent")


def _follows(state: Campaign) -> Callable[[Outcome], None]:
    """Refuse a key that does not replace the one with which it was compared."""

    def check(outcome: Outcome) -> None:
        if outcome.entries and len(outcome.state.keys) != len(state.keys) + 1:
            raise StaleError("another key has come in since; look at the preview again")

    return check


def _previewed(state: Campaign, file: str, raw: bytes, reason: str, task: str | None) -> Rescore:
    if task is not None and state.definition.task(task).kind == "questions":
        return _judged(state, state.definition.task(task), file, raw, reason)
    tasks: list[tuple[TestSet, TestSet]] = []
    contents = dict[str, bytes]()
    for tests in _meant(state, file, raw, task):
        made = new_key(tests[0], file, raw, *tests[1:])
        if tests[0].units.blind:
            raise UsageError(f"{tests[0].task.name!r} has no key that could be replaced: its test set has no labels")
        both = [(old, rekeyed(old, made, state.seed)) for old in tests]
        if not all(same_key(old, new) for old, new in both):
            contents[tests[0].task.test] = made
        tasks += both
    files = {name: digest_of(data) for name, data in contents.items()}
    scores = _scored_anew(state, [new for _, new in tasks], files, ())
    compared = [_compared(state, *both, scores) for both in tasks if not both[0].task.needs_people]
    return _made(state, compared, Rekey(files=files, scores=scores, reason=reason), contents.values())


def _judged(state: Campaign, task: Task, file: str, raw: bytes, reason: str) -> Rescore:
    """New judgments of the answers to questions; they have to cover every answer of every run that counts."""
    old = test_set(state, task)
    verdicts = read_judgments(old.units, {"verdicts": raw}, {"verdicts": file}).verdicts
    new = old._replace(judged=old.judged._replace(verdicts=verdicts))
    judgments = {} if same_key(old, new) else {task.name: {"verdicts": digest_of(raw)}}
    scores = _scored_anew(state, [new], (), judgments)
    compared = _compared(state, old, new, scores)
    if compared.files:  # this names what is not judged
        judged = compared.new.judged
        qa(new.units, answers_of(new.units, compared.files), verdicts=verdicts, matches=judged.matches)
    return _made(state, [compared], Rekey(judgments=judgments, scores=scores, reason=reason), [raw] * len(judgments))


def _scored_anew(
    state: Campaign, tests: Sequence[TestSet], files: Collection[str], judged: Collection[str]
) -> dict[str, Scores]:
    """The scores of every run that new files or judgments change, also of those that do not count, by its id."""
    by_task = {test.task.name: test for test in tests}
    sent = {id: state.runs[id].received.sent for id in sorted(scored_anew(state, files, judged))}
    return {id: rescored(by_task[one.task], id, one, content(one.sha256)) for id, one in sent.items()}


def scored_anew_by(state: Campaign, test: TestSet) -> dict[str, Scores]:
    """The scores of every run of a task by new judgments, by its id."""
    return _scored_anew(state, [test], (), (test.task.name,))


def _made(state: Campaign, tasks: list[Rescored], command: Rekey, contents: Iterable[bytes]) -> Rescore:
    result = preview(len(state.keys), tasks)
    sides = (
        {one.old.task.name: _by_way(one.old_scores) for one in tasks},
        {one.old.task.name: _by_way(one.new_scores) for one in tasks},
    )
    before = {name: state.files[name] for name in command.files}
    counted = sorted(run.received.id for run in state.active())
    asked = [len(state.keys), before, command.files, command.judgments, command.scores, counted]
    digest = hashlib.sha256(msgspec.json.encode(asked, order="deterministic")).hexdigest()
    return Rescore(result, command, {digest_of(data): data for data in contents}, sides, digest)


def _meant(state: Campaign, file: str, raw: bytes, task: str | None) -> list[list[TestSet]]:
    """The test sets that a key is for, those of one file together: all with the same pairs, or else the nearest."""
    definition = state.definition
    named = definition.tasks if task is None else (definition.task(task),)
    names = dict.fromkeys(one.test for one in named if not one.needs_people)
    if not names:
        what = f"{task!r} is judged by people" if task is not None else "every task is judged by people"
        raise UsageError(f"{what}, and has no key; a key belongs to a task of the kind entailment")
    groups = []
    for name in names:
        tests = [test_set(state, one) for one in definition.tasks if one.test == name]
        groups.append(sorted(tests, key=lambda one: one.task.needs_people))
    ids = ids_in(file, raw, max(len(tests[0].units) for tests in groups))
    exact = [tests for tests in groups if ids == set(tests[0].units.ids)]
    return exact or [max(groups, key=lambda tests: len(ids & set(tests[0].units.ids)))]


def _compared(state: Campaign, old: TestSet, new: TestSet, scores: dict[str, Scores]) -> Rescored:
    runs = counting(state, old.task) if old.task.kind == "questions" else official(state, old.task)
    sent = {name: run.received.sent for name, run in runs.items()}
    files = {name: (one.file, content(one.sha256)) for name, one in sent.items()}
    before = {name: run.scores for name, run in runs.items()}
    after = {name: scores.get(run.received.id, run.scores) for name, run in runs.items()}
    names = {run.received.id: name for name, run in runs.items()}
    old, new = (test._replace(judged=test.judged.of_runs(names)) for test in (old, new))
    return Rescored(old, new, files, before, after)


def _by_way(runs: Mapping[str, Scores]) -> dict[str, dict[str, Any]]:
    """The scores of runs, by way and then by run."""
    ways = dict.fromkeys(way for scores in runs.values() for way in scores)
    return {way: {run: scores[way] for run, scores in runs.items() if way in scores} for way in ways}
