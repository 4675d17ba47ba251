"""From series of questions that assessors write to the test set of a campaign."""

from __future__ import annotations

from typing import Any

from karat.campaign.checking import read_files
from karat.campaign.commands import Edit
from karat.campaign.definition import Task
from karat.campaign.judging.kinds import kinds_of
from karat.campaign.judging.kinds.development import developed, questions_file, unfinished
from karat.campaign.state import Campaign
from karat.errors import KaratError, UsageError
from karat.server.accounts import HOST
from karat.server.assigning import check_units, set_round
from karat.server.store import content, digest_of, execute, material, state_of, test_set

UNWRITTEN = b"id\tseries\ttarget\tkind\ttype\tquestion\n"
"""A test set in which nobody has written anything yet."""
UNWRITTEN_NAME = "questions.tsv"


def is_developed(task: Task) -> bool:
    """Whether assessors can write the questions of a task."""
    return "development" in kinds_of(task)


def unwritten(state: Campaign) -> list[Task]:
    """The tasks that have no questions yet."""
    return [one for one in state.definition.tasks if is_developed(one) and not len(test_set(state, one).units)]


def told_of(campaign: str, task: str) -> dict[str, Any]:
    """The series of a task: those that are finished, and those that are not."""
    state = state_of(campaign)
    wanted = state.definition.task(task)
    if not is_developed(wanted):
        raise UsageError(f"{task} is a task of the kind {wanted.kind}, of which assessors write no questions")
    about = material(state, wanted)
    return {
        "campaign": campaign,
        "task": task,
        "series": [{"id": one.id, "target": one.target, "questions": len(one.questions)} for one in developed(about)],
        "unfinished": unfinished(about),
        "applied": False,
        "sha256": digest_of(questions_file(about)),
    }


def make_test_set(campaign: str, task: str, actor: str = HOST) -> dict[str, Any]:
    """Make the test set from all finished series; the round is closed, so that they stay as they are."""
    if not told_of(campaign, task)["series"]:
        raise UsageError(f"no series of {task} is finished, so there is nothing to make a test set from")
    was_open = "development" not in state_of(campaign).work_of(task).closed
    set_round(campaign, task, "development", opened=False, actor=actor)
    try:
        _replace(campaign, task, actor)
    except KaratError:
        if was_open:
            set_round(campaign, task, "development", True, "the test set could not be made", actor)
        raise
    return told_of(campaign, task) | {"applied": True}


def _replace(campaign: str, task: str, actor: str) -> None:
    """Put the questions in the place of the test set, for every task that has the same one."""
    state = state_of(campaign)
    old, definition = state.definition.task(task).test, state.definition
    raw = questions_file(material(state, task))
    contents = {name: content(digest) for name, digest in state.files.items()} | {old: raw}
    read_files(definition, contents.__getitem__, "the questions")
    check_units(state, definition, contents)
    command = Edit(definition=definition, files=state.files | {old: digest_of(raw)}, reason="written by assessors")
    execute(campaign, command, actor, {digest_of(raw): raw})
