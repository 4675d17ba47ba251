"""How units are given out to assessors, and taken back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from karat.campaign.events import Assigned, Event, Unassigned
from karat.campaign.judging.commands import Assign, Reassign
from karat.campaign.judging.kinds import kinds_of
from karat.campaign.judging.naming import check_unit_name
from karat.campaign.judging.work import Work, having
from karat.campaign.refusing import need_reason
from karat.campaign.state import Campaign
from karat.errors import UsageError


def given_out(command: Assign, state: Campaign, work: Work, now: datetime) -> tuple[Event, ...]:
    """Units that are given out, if they can be; whoever has not tried before qualifies first."""
    task = state.definition.task(command.task)
    kinds = kinds_of(task)
    if command.stage not in kinds:
        known = " or ".join(kinds) or "nothing"
        raise UsageError(f"{command.task} is a task of the kind {task.kind}, of which assessors judge {known}")
    need_assessors(state, command.assessors)
    if command.stage in work.closed:
        raise UsageError(f"the round is closed: open it again before more is assigned ({command.stage})")
    if hindrance := kinds[command.stage].hindrance(state, task, now):
        raise UsageError(hindrance)
    if command.stage == "adjudication":
        if command.units:
            raise UsageError("adjudication is about the units whose labels differ: name no units")
        new = tuple(who for who in command.assessors if who not in work.adjudicators)
        return (Assigned(task=command.task, stage="adjudication", units=(), assessors=new, per_unit=1),) if new else ()
    if not command.units:
        raise UsageError("there is nothing to assign: no units were given")
    if kinds[command.stage].named:
        for unit in command.units:
            check_unit_name(unit)
    if not 1 <= command.per_unit <= len(command.assessors):
        raise UsageError(
            f"{command.per_unit} assessors for each unit, and {len(command.assessors)} named: name more, or give each "
            "unit to fewer"
        )
    if command.shared and (command.repeats or command.planted or command.stage != "labels"):
        raise UsageError("units in a pool cannot be repeated, mixed with examples, rated or discussed: deal them out")
    if command.stage == "norming" and work.revealed:
        raise UsageError("the votes of the norming round have been shown: no more units can be added")
    tried = {item.unit for who in command.assessors for item in work.queues.get(("qualification", who), ())}
    if seen := sorted(tried.intersection(command.planted) or set(command.examples).intersection(command.planted)):
        raise UsageError(f"{', '.join(seen)}: assessors qualify by these examples, and would know them: plant others")
    units = _still_free(command, work)
    if not units:
        return ()
    given = Assigned(
        task=command.task,
        stage=command.stage,
        units=units,
        assessors=command.assessors,
        per_unit=command.per_unit,
        shared=command.shared,
        runs={unit: command.runs[unit] for unit in units if unit in command.runs},
        repeats=command.repeats,
        planted=command.planted,
        as_judged=command.as_judged,
    )
    beginners = tuple(who for who in command.assessors if ("qualification", who) not in work.queues)
    if not command.examples or not beginners or command.stage != "labels":
        return (given,)
    examples, each = command.examples, len(beginners)
    return (
        Assigned(task=command.task, stage="qualification", units=examples, assessors=beginners, per_unit=each),
        given,
    )


def _still_free(command: Assign, work: Work) -> tuple[str, ...]:
    """The units that can be given to so many of the assessors; those that all of them have are left out."""
    if command.shared:
        taken = {item.unit for pool in work.pools if pool.stage == command.stage for item in pool.items}
        command = replace(command, units=tuple(unit for unit in command.units if unit not in taken))
    held = having(work, command.stage)
    free, short = [], []
    for unit in dict.fromkeys(command.units):
        left = sum(who not in held.get(unit, ()) for who in command.assessors)
        if left >= command.per_unit:
            free.append(unit)
        elif left:
            short.append(unit)
    if short:
        raise UsageError(
            f"{len(short)} units, first {short[0]!r}, are already with some of these assessors, and fewer than "
            f"{command.per_unit} are left: name other assessors, or other units"
        )
    return tuple(free)


def need_assessors(state: Campaign, names: Sequence[str]) -> None:
    """Refuse to give units to nobody, to somebody twice, or to a team."""
    if not names:
        raise UsageError("nobody was named: name at least one assessor")
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise UsageError(f"{twice} is named twice")
    for name in names:
        if state.member(name).role == "team":
            raise UsageError(f"{name} is the account of a team: teams do not judge")


def moved(command: Reassign, state: Campaign, work: Work) -> tuple[Event, ...]:
    """What somebody has not begun is taken back, and given to others if any are named."""
    need_reason(command.reason)
    state.member(command.assessor)
    if command.stage == "adjudication":
        return _other_adjudicators(command, state, work)
    items = work.queues.get((command.stage, command.assessor), ())
    mine = work.of(command.assessor)
    begun = {item.unit for item in mine if item.stage == command.stage}
    units = tuple(dict.fromkeys(item.unit for item in items if item.stage == command.stage and item.unit not in begun))
    if not units:
        raise UsageError(f"{command.assessor} has no unit left that nobody has begun")
    gone = Unassigned(
        task=command.task, stage=command.stage, assessor=command.assessor, units=units, reason=command.reason.strip()
    )
    if not command.to:
        return (gone,)
    if command.stage in work.closed:
        raise UsageError(f"the round is closed: open it again before more is assigned ({command.stage})")
    need_assessors(state, command.to)
    if command.assessor in command.to:
        raise UsageError(f"{command.assessor} would get the units back")
    held = having(work, command.stage)
    stuck = [unit for unit in units if all(who in held.get(unit, ()) for who in command.to)]
    if stuck:
        raise UsageError(f"{len(stuck)} units, first {stuck[0]!r}, are with those assessors already: name others too")
    runs = {item.unit: tuple(one.run for one in items if one.unit == item.unit) for item in items if item.run}
    return (
        gone,
        Assigned(
            task=command.task,
            stage=command.stage,
            units=units,
            assessors=command.to,
            per_unit=1,
            runs={unit: runs[unit] for unit in units if unit in runs},
        ),
    )


def _other_adjudicators(command: Reassign, state: Campaign, work: Work) -> tuple[Event, ...]:
    """Somebody decides no more, and others do instead; what was decided stays."""
    if command.assessor not in work.adjudicators:
        raise UsageError(f"{command.assessor} does not decide in {command.task}")
    reason = command.reason.strip()
    gone = Unassigned(task=command.task, stage="adjudication", assessor=command.assessor, units=(), reason=reason)
    if not command.to:
        return (gone,)
    need_assessors(state, command.to)
    if command.assessor in command.to:
        raise UsageError(f"{command.assessor} would get the units back")
    new = tuple(who for who in command.to if who not in work.adjudicators)
    others = Assigned(task=command.task, stage="adjudication", units=(), assessors=new, per_unit=1)
    return (gone, others) if new else (gone,)
