"""What an entry says about judging that cannot have happened: each event is held against the rule that makes it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import asdict, replace

from karat.campaign.events import (
    Assigned,
    BallotsImported,
    Event,
    Judged,
    JudgmentUndone,
    Remarked,
    Revealed,
    RoundSet,
    Summarised,
    Unassigned,
)
from karat.campaign.judging.asking import Ask
from karat.campaign.judging.commands import (
    Assign,
    Brought,
    Judge,
    JudgingCommand,
    Reassign,
    Remark,
    Reveal,
    SetRound,
    Summarise,
    Undo,
)
from karat.campaign.judging.giving import need_assessors
from karat.campaign.judging.kinds import kind_of, kinds_of
from karat.campaign.judging.library import Library, NoFilesError, no_content
from karat.campaign.judging.rules import events_of
from karat.campaign.state import Campaign
from karat.errors import KaratError, Problems

Wrong = tuple[tuple[str, str], ...]
NO_FILES = Library(no_content)
JUDGING = (Assigned, Unassigned, Judged, BallotsImported, JudgmentUndone, RoundSet, Revealed, Remarked, Summarised)


def misjudged(state: Campaign, event: Event, at: datetime, library: Library = NO_FILES) -> Iterator[str]:
    """Why something about judging cannot have happened; nothing if it can, or if it is about something else."""
    if not isinstance(event, JUDGING):
        return
    if event.task not in {task.name for task in state.definition.tasks}:
        yield f"there is no task {event.task!r}"
        return
    if isinstance(event, Judged | JudgmentUndone) and event.id in state.ballot_ids:
        yield f"the id {event.id!r} has been used before"
        return
    if isinstance(event, BallotsImported):  # what it says is in its file, and in the judgments that follow
        return
    if isinstance(event, Judged) and event.imported:
        yield from _of_import(state, event, library)
        return
    if isinstance(event, Assigned):
        wrong = list(_of_assignment(state, event))
        if wrong or event.stage == "qualification":
            yield from wrong
            return
        # Ratings that were given elsewhere can be brought in while submissions are open.
        at = max(at, state.deadline() + timedelta(days=2))
    command = _command(state, event, library)
    try:
        expected = events_of(command, state, state.work_of(event.task), at)[:1]
    except KaratError as error:
        yield f"{_what(event)} that would have been refused: {error}"
        return
    if isinstance(event, Judged) and isinstance(command, Judge) and command.asks is None:
        event = replace(event, cleared={})
    if expected != (_plain(event),):
        yield f"{_what(event)} that does not follow from the rules"


def _command(state: Campaign, event: Event, library: Library) -> JudgingCommand:
    """What somebody must have asked for."""
    match event:
        case Assigned():
            return Assign(**asdict(event))
        case Unassigned():
            return Reassign(task=event.task, stage=event.stage, assessor=event.assessor, reason=event.reason)
        case Judged():
            asks, wrong = _asked(state, event, library)
            given = {name: value for name, value in asdict(event).items() if name in Judge.__struct_fields__}
            return Judge(**given | {"id": _mark(event.id), "account": event.assessor, "asks": asks, "wrong": wrong})
        case JudgmentUndone():
            return Undo(id=_mark(event.id), task=event.task, account=event.assessor, item=event.item)
        case RoundSet():
            return SetRound(task=event.task, stage=event.stage, open=event.open, reason=event.reason)
        case Revealed():
            return Reveal(task=event.task)
        case Remarked():
            return Remark(task=event.task, unit=event.unit, account=event.account, text=event.text)
        case Summarised():
            return Summarise(task=event.task, account=event.assessor, text=event.text)
    raise TypeError(f"no rule makes {type(event).__name__}")


def _asked(state: Campaign, event: Judged, library: Library) -> tuple[tuple[Ask, ...] | None, Wrong]:
    """What an assessor was asked, and what the files say against the answer; None and nothing without them."""
    material = library.material(state, event.task)
    try:
        kind = kind_of(material.task, event.item)
        asks = tuple(kind.asked(material, event.item, event.assessor))
        return asks, () if event.skipped else tuple(kind.against(material, event.item, event.assessor, event.values))
    except (NoFilesError, KeyError):  # what is in no file, or is no kind of this task, is found by the rules
        return None, ()


def _of_import(state: Campaign, event: Judged, library: Library) -> Iterator[str]:
    """What is wrong with a judgment that was given elsewhere."""
    from karat.campaign.judging.importing import check_answers, new_ones  # here: it loads what reads files

    names = ("item", "values", "skipped", "comment", "guidelines", "seconds", "suggested", "program")
    given: dict[str, Any] = {name: getattr(event, name) for name in names}
    one, problems, work = Brought(line=None, account=event.assessor, **given), Problems(), state.work_of(event.task)
    new = new_ones(event.task, event.imported, [one], state, work, problems)
    if (kind := kinds_of(state.definition.task(event.task)).get(event.item.stage)) is not None:
        check_answers(event.imported, one, kind, work, *_asked(state, event, library), problems)
    yield from (f"{_what(event)} that would have been refused: {one.found}" for one in problems)
    if not new or event.cleared or event.expected:
        yield f"{_what(event)} that does not follow from the rules"


def _mark(id: str) -> str:
    """Another id, in the form that is asked for: those of pairs that were skipped as a whole have a number added."""
    return hashlib.sha256(id.encode()).hexdigest()


def _plain(event: Event) -> Event:
    """An event without what cannot be known afterwards."""
    match event:
        case Judged() | JudgmentUndone():
            return replace(event, id=_mark(event.id))
    return event


def _of_assignment(state: Campaign, event: Assigned) -> Iterator[str]:
    """What is wrong with units that were given out, beside what the rule of a command would find."""
    work, task = state.work_of(event.task), state.definition.task(event.task)
    kind = kinds_of(task).get(event.stage)
    if event.runs or (kind is not None and kind.runs is not None):
        known = {id for id, run in state.runs.items() if run.received.sent.task == task.name}
        named = [{one for run in of for one in run.split("+")} for of in event.runs.values()]
        if event.runs.keys() != set(event.units) or not all(of and known.issuperset(of) for of in named):
            yield "runs to judge that the campaign does not have"
    if event.stage != "qualification":
        return
    try:
        need_assessors(state, event.assessors)
    except KaratError as error:
        yield str(error)
        return
    plain = Assigned(
        task=event.task,
        stage="qualification",
        units=tuple(dict.fromkeys(event.units)),
        assessors=event.assessors,
        per_unit=len(event.assessors),
    )
    again = any(("qualification", who) in work.queues for who in event.assessors)
    if event != plain or not event.units or again or "labels" not in kinds_of(task):
        yield "a qualification that does not follow from the rules"


def _what(event: Event) -> str:
    match event:
        case Judged():
            return f"a judgment by {event.assessor} about the unit {event.item.unit!r}"
        case JudgmentUndone():
            return f"a judgment taken back by {event.assessor} about the unit {event.item.unit!r}"
        case Assigned() | Unassigned():
            return f"{len(event.units)} units of {event.task}, given out or taken back,"
        case RoundSet():
            return f"a round of {event.task}, closed or opened again,"
        case Revealed():
            return f"votes about {event.task}, shown to those who voted,"
    return "a remark or a summary"
