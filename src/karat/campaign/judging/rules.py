"""What can be done about judging, and what follows: commands in, events out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import singledispatch

from msgspec.structs import replace

from karat.campaign.events import (
    Assigned,
    Event,
    Item,
    Judged,
    JudgmentUndone,
    Remarked,
    Revealed,
    RoundSet,
    Stage,
    Summarised,
    Unassigned,
)
from karat.campaign.judging.agenda import agenda, can_change, may_begin, skipped_together
from karat.campaign.judging.asking import MOST_WORDS, check_values, unasked
from karat.campaign.judging.commands import (
    Assign,
    Judge,
    JudgingCommand,
    Reassign,
    Remark,
    Reveal,
    SetRound,
    Summarise,
    Undo,
)
from karat.campaign.judging.told import in_discussion, voters
from karat.campaign.judging.work import Ballot, Work, having
from karat.campaign.refusing import need_reason, need_text, refuse
from karat.campaign.state import Campaign
from karat.errors import UsageError

STAGES: Mapping[str, tuple[Stage, ...]] = {
    "entailment": ("labels", "norming", "adjudication"),
    "justifications": ("ratings",),
}
"""What is judged in a task of each kind, the usual thing first."""
BY_PEOPLE = ("norming", "adjudication")
"""Stages in which people see what was said, or follow it."""
MOST_ID = 100
MOST_PROGRAM = 50_000


@singledispatch
def events_of(command: JudgingCommand, state: Campaign, work: Work, now: datetime) -> tuple[Event, ...]:
    """The events that follow from a command."""
    del state, work, now
    raise TypeError(f"no rule for {type(command).__name__}")


@events_of.register
def _(command: Assign, state: Campaign, work: Work, now: datetime) -> tuple[Event, ...]:
    task = state.definition.task(command.task)
    if command.stage not in STAGES.get(task.kind, ()):
        known = " or ".join(STAGES.get(task.kind, ())) or "nothing yet"
        raise UsageError(f"{command.task} is a task of the kind {task.kind}, of which assessors judge {known}")
    need_assessors(state, command.assessors)
    if command.stage in work.closed:
        raise UsageError(f"the round is closed: open it again before more is assigned ({command.stage})")
    if command.stage == "adjudication":
        new = tuple(who for who in command.assessors if who not in work.adjudicators)
        return (Assigned(task=command.task, stage="adjudication", units=(), assessors=new, per_unit=1),) if new else ()
    if not command.units:
        raise UsageError("there is nothing to assign: no units were given")
    if not 1 <= command.per_unit <= len(command.assessors):
        raise UsageError(
            f"{command.per_unit} assessors for each unit: expected 1 to {len(command.assessors)}, as many as are named"
        )
    if command.shared and (command.repeats or command.planted or command.stage != "labels"):
        raise UsageError("units in a pool cannot be repeated, mixed with examples, rated or discussed: deal them out")
    if command.stage == "ratings" and state.phase(now) != "closed":
        raise UsageError("submissions are still open: justifications are rated when all of them are in")
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


@events_of.register
def _(command: Reassign, state: Campaign, work: Work, now: datetime) -> tuple[Event, ...]:
    del now
    need_reason(command.reason)
    state.member(command.assessor)
    items = work.queues.get((command.stage, command.assessor), ())
    mine = work.of(command.assessor)
    begun = {item.unit for item in items if item in mine}
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


@events_of.register
def _(command: Judge, state: Campaign, work: Work, now: datetime) -> tuple[Event, ...]:
    _check_id(command.id)
    known = state.ballot_ids.get(command.id)
    if known is not None:
        if known != (command.task, command.account, command.item, "judged"):
            raise refuse("ballot-id", f"the id {command.id!r}")
        return ()
    _check_may(command.account, command.item, command.task, state, work)
    if command.guidelines > len(state.guidelines) or command.guidelines < 0:
        found, what = f"version {command.guidelines} of the guidelines", f"a version up to {len(state.guidelines)}"
        raise refuse("ballot", found, what=what)
    if len(command.comment) > MOST_WORDS or len(command.skipped) > MOST_WORDS:
        raise refuse("ballot", "a longer remark", what=f"at most {MOST_WORDS:,} characters")
    if len(command.program) > MOST_PROGRAM:
        raise refuse("ballot", "a longer description of the program", what=f"at most {MOST_PROGRAM:,} characters")
    mine = work.of(command.account)
    if (mine or command.account in work.programs) and (command.account in work.programs) != bool(command.program):
        found = f"a judgment by {'a program' if command.program else 'a person'}"
        who = "a program" if command.account in work.programs else "a person"
        raise refuse("ballot", found, what=f"judgments by {who}, as before: give each an account of its own")
    if command.program and command.item.stage in BY_PEOPLE:
        raise refuse("ballot", "a judgment by a program", what="one by a person: others see it, or are bound by it")
    before = mine.get(command.item)
    cleared: dict[str, str] = {}
    if command.skipped.strip():
        if command.values:
            raise refuse("ballot", "answers and a reason to skip", what="one or the other")
        if command.item.stage == "adjudication":
            raise refuse("ballot", "a skipped decision", what="a decision; leave the unit for another adjudicator")
    else:
        check_values(command.asks, command.values)
        _check_decision(command, work)
        gone = unasked(command.asks, command.values)
        cleared = {} if before is None else {name: v for name, v in before.said.values.items() if name in gone}
    made = Judged(
        id=command.id,
        task=command.task,
        item=command.item,
        assessor=command.account,
        values=command.values,
        skipped=command.skipped.strip(),
        comment=command.comment.strip(),
        guidelines=command.guidelines,
        seconds=None if command.shown is None else max(0.0, round((now - command.shown).total_seconds(), 3)),
        expected=command.expected,
        cleared=cleared,
        program=command.program,
    )
    return _with_the_pair(made, work) if made.skipped else (made, *_lifted(made, work))


def _with_the_pair(made: Judged, work: Work) -> tuple[Event, ...]:
    """A skipped judgment; whoever disagrees with the key of a pair skips all of its justifications."""
    if made.item.stage != "ratings":
        return (made,)
    queue = work.queues.get(("ratings", made.assessor), ())
    others = [item for item in queue if item.unit == made.item.unit and item != made.item]
    return (made, *(replace(made, id=f"{made.id}/{place}", item=item) for place, item in enumerate(others, 2)))


def _lifted(made: Judged, work: Work) -> list[JudgmentUndone]:
    """Whoever rates one justification of a pair that they have skipped no longer skips the others either."""
    mine, found = work.of(made.assessor), list[JudgmentUndone]()
    for item in work.queues.get(("ratings", made.assessor), ()) if made.item.stage == "ratings" else ():
        other = item.unit == made.item.unit and item != made.item
        for _ in range(_skips(mine.get(item)) if other else 0):
            id = f"{made.id}/{len(found) + 2}"
            found.append(JudgmentUndone(id=id, task=made.task, item=item, assessor=made.assessor))
    return found


def _skips(ballot: Ballot | None) -> int:
    """How many times in succession, up to this judgment, it was skipped."""
    count = 0
    while ballot is not None and ballot.said.skipped:
        count, ballot = count + 1, ballot.before
    return count


def _check_decision(command: Judge, work: Work) -> None:
    """A decision against all who judged needs a note."""
    if command.item.stage != "adjudication":
        return
    given = set(work.outcome(command.item.unit).labels.values())
    if command.values["label"] not in given and not command.values.get("note", "").strip():
        raise refuse("ballot", f"{command.values['label']}, which nobody gave", what="a note that says why")


def _check_id(id: str) -> None:
    if not 1 <= len(id) <= MOST_ID or not id.isascii() or not id.isprintable() or "/" in id:
        what = f"1 to {MOST_ID} printable characters without a slash, as of a UUID"
        raise refuse("ballot", f"the id {id[:MOST_ID]!r}", what=what)


def _check_may(account: str, item: Item, task: str, state: Campaign, work: Work) -> None:
    """Refuse a judgment by somebody who cannot give it, or not any more."""
    member = state.member(account)
    if not state.has_signed(member):
        raise refuse("not-signed", f"{account} has not accepted the agreement")
    if item.stage != "qualification" and not may_begin(state, task, account):
        raise refuse("not-qualified", "a judgment before the examples were judged well enough")
    if not _is_theirs(account, item, task, state, work):
        raise refuse("not-assigned", "a judgment about something else")
    if not can_change(work, account, item):
        raise refuse("round-closed", "a judgment that can no longer be given or changed")


def _is_theirs(account: str, item: Item, task: str, state: Campaign, work: Work) -> bool:
    """Whether something was given to an assessor; in a pool, whatever they were shown, since no work is thrown away."""
    if any(account in pool.assessors and pool.stage == item.stage and item in pool.items for pool in work.pools):
        return True
    return item in work.of(account) or item in agenda(state, task, account)


@events_of.register
def _(command: Undo, state: Campaign, work: Work, now: datetime) -> tuple[Event, ...]:
    del now
    _check_id(command.id)
    known = state.ballot_ids.get(command.id)
    if known is not None:
        if known != (command.task, command.account, command.item, "undone"):
            raise refuse("ballot-id", f"the id {command.id!r}")
        return ()
    if command.item not in work.of(command.account):
        raise refuse("not-assigned", "nothing to take back")
    _check_may(command.account, command.item, command.task, state, work)
    made = JudgmentUndone(id=command.id, task=command.task, item=command.item, assessor=command.account)
    others = [item for item in skipped_together(work, command.account, command.item) if item != command.item]
    held = work.of(command.account)[command.item]
    if command.item.stage == "ratings" and not held.said.skipped:
        # The rating lifted the skip of the whole pair, which does not come back for this justification alone.
        others = [command.item] * _skips(held.before)
    return (made, *(replace(made, id=f"{made.id}/{place}", item=item) for place, item in enumerate(others, 2)))


@events_of.register
def _(command: SetRound, state: Campaign, work: Work, now: datetime) -> tuple[Event, ...]:
    del state, now
    if (command.stage in work.closed) != command.open:
        return ()
    if command.open:
        need_reason(command.reason)
    return (RoundSet(task=command.task, stage=command.stage, open=command.open, reason=command.reason.strip()),)


@events_of.register
def _(command: Reveal, state: Campaign, work: Work, now: datetime) -> tuple[Event, ...]:
    del state, now
    if work.revealed:
        return ()
    voters = {who: items for (stage, who), items in work.queues.items() if stage == "norming"}
    if not voters:
        raise UsageError("there is no norming round: assign its units first")
    late = [who for who, items in voters.items() if any(item not in work.of(who) for item in items)]
    if late:
        raise UsageError(f"{', '.join(late)} {'has' if len(late) == 1 else 'have'} not voted on every unit yet")
    return (Revealed(task=command.task),)


@events_of.register
def _(command: Remark, state: Campaign, work: Work, now: datetime) -> tuple[Event, ...]:
    del now
    need_text(command.text, "a remark")
    member = state.member(command.account)
    _check_words(command.text)
    if not work.revealed or command.unit not in in_discussion(work):
        raise refuse("not-assigned", "a remark on a unit that is not discussed")
    if member.role != "organiser" and command.account not in voters(work):
        raise refuse("not-assigned", "a remark by somebody who has not voted")
    return (Remarked(task=command.task, unit=command.unit, account=command.account, text=command.text.strip()),)


@events_of.register
def _(command: Summarise, state: Campaign, work: Work, now: datetime) -> tuple[Event, ...]:
    del now
    state.member(command.account)
    _check_words(command.text)
    if not work.of(command.account):
        raise refuse("not-assigned", "a summary of no judgments")
    if work.summaries.get(command.account, "") == command.text.strip():
        return ()
    return (Summarised(task=command.task, assessor=command.account, text=command.text.strip()),)


def _check_words(text: str) -> None:
    if len(text) > 5 * MOST_WORDS:
        raise refuse("ballot", f"{len(text):,} characters", what=f"at most {5 * MOST_WORDS:,} characters")
