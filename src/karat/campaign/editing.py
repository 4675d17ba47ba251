"""What of a campaign can still be changed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from karat.campaign.definition import Definition
from karat.campaign.state import Campaign
from karat.errors import UsageError


def check_files(definition: Definition, files: Mapping[str, str]) -> None:
    """Refuse a text with the content of a test set: whoever reads it would read the key."""
    keys = {files[task.test]: task.name for task in definition.tasks}
    for use, name in (
        ("agreement", definition.agreement),
        ("guidelines", definition.guidelines),
        ("examples", definition.judging.examples),
    ):
        if name is not None and files[name] in keys:
            raise UsageError(f"{use}: this is the test set of {keys[files[name]]!r} with its key; name another file")


def check_edit(state: Campaign, new: Definition, files: Mapping[str, str], now: datetime) -> None:
    """Refuse a new definition that breaks a promise, or that the runs so far would contradict."""
    if new.name != state.definition.name:
        raise UsageError("a campaign keeps its name; make a new one instead")
    _check_tasks(state, new)
    _check_judged(state, new, files)
    _check_dates(state, new, now)
    _check_shares(state, new, now)
    given = {task.name: files[task.test] for task in new.tasks}
    # Runs count too: a clock can be set back.
    for task in state.definition.tasks if now >= state.definition.dates.opens or state.runs else ():
        if given.get(task.name) != state.files[task.test]:
            raise UsageError(
                f"submissions have opened, and teams have been promised the key of {task.name!r}: keep this task and "
                "its file; another task can be added"
            )


def _check_dates(state: Campaign, new: Definition, now: datetime) -> None:
    """Refuse to undo what has begun: what teams have been given or promised then would be open to change again."""
    before, after = state.definition.dates, new.dates
    for name, was, becomes in (
        ("data", before.data or before.opens, after.data or after.opens),
        ("opens", before.opens, after.opens),
    ):
        if was <= now < becomes:
            raise UsageError(
                f"the date `{name}` has passed, and can no longer be moved to the future: leave it as it was"
            )

    if state.released and (new.dates.closes, new.grace) != (before.closes, state.definition.grace):
        raise UsageError("results have been released: the deadline and its grace can no longer change")


def _check_shares(state: Campaign, new: Definition, now: datetime) -> None:
    """Refuse another live board: what teams have learnt from it must not count, and what counts must not be shown."""
    shares = {task.name: task.public_share for task in state.definition.tasks}
    for task in new.tasks if now >= state.definition.dates.opens else ():
        if task.public_share != shares.get(task.name, task.public_share):
            raise UsageError(
                f"submissions have opened: the share of {task.name!r} on the live board can no longer change"
            )


def _check_tasks(state: Campaign, new: Definition) -> None:
    kept = {task.name: task for task in new.tasks}
    for run in state.runs.values():
        name, number = run.received.sent.task, run.received.number
        before, after = state.definition.task(name), kept.get(name)
        if after is None:
            raise UsageError(f"{name!r} has runs: a task that was submitted to cannot be removed")
        if (before.kind, before.way, before.justifications) != (after.kind, after.way, after.justifications):
            raise UsageError(f"{name!r} has runs: its kind, way and justifications can no longer change")
        if run.status == "active" and number > after.runs:
            raise UsageError(f"{run.received.team} has a run {number} in {name!r}: allow at least {number} runs")


def _check_judged(state: Campaign, new: Definition, files: Mapping[str, str]) -> None:
    """Refuse to take away what assessors have been given to judge, or to ask them for other labels.

    A file may change before submissions open: what people have judged can become its key. Whether the units are still
    in it is for those who can read it.
    """
    kept, before = {task.name: task for task in new.tasks}, state.definition
    for name in state.work:
        old, task = before.task(name), kept.get(name)
        if task is None or (task.kind, task.way) != (old.kind, old.way):
            raise UsageError(f"units of {name!r} have been given to assessors: keep the task, its kind and its way")
    examples = before.judging.examples
    if examples is not None and any(work.has_examples for work in state.work.values()):
        named = new.judging.examples
        if named is None or files[named] != state.files[examples]:
            raise UsageError("examples have been given to assessors: keep the file of the examples")
