"""What can be done about judging, and what follows: commands in, events out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import singledispatch
from textwrap import shorten

from msgspec.structs import replace

from karat.campaign.events import (
    Event,
    Item,
    Judged,
    JudgmentUndone,
    Remarked,
    Revealed,
    RoundSet,
    Summarised,
)
from karat.campaign.judging.agenda import agenda, can_change, may_begin, skipped_together
from karat.campaign.judging.answer_groups import groups_made, partition
from karat.campaign.judging.asking import MOST_WORDS, check_values, unasked
from karat.campaign.judging.closing import closed_early
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
from karat.campaign.judging.giving import given_out, moved
from karat.campaign.judging.kinds import kind_of, kinds_of
from karat.campaign.judging.naming import check_entry_name, check_id
from karat.campaign.judging.told import in_discussion, voters
from karat.campaign.judging.work import Ballot, Work
from karat.campaign.refusing import need_reason, need_text, refuse
from karat.campaign.state import Campaign
from karat.errors import UsageError

MOST_PROGRAM = 50_000
MOST_ENTRIES = 1000
MOST_SHOWN = 300
"""The characters of a judgment in a refusal."""


@singledispatch
def events_of(command: JudgingCommand, state: Campaign, work: Work, now: datetime) -> tuple[Event, ...]:
    """The events that follow from a command."""
    del state, work, now
    raise TypeError(f"no rule for {type(command).__name__}")


@events_of.register
def _(command: Assign, state: Campaign, work: Work, now: datetime) -> tuple[Event, ...]:
    return given_out(command, state, work, now)


@events_of.register
def _(command: Reassign, state: Campaign, work: Work, now: datetime) -> tuple[Event, ...]:
    del now
    return moved(command, state, work)


@events_of.register
def _(command: Judge, state: Campaign, work: Work, now: datetime) -> tuple[Event, ...]:
    del now
    check_id(command.id)
    known = state.ballot_ids.get(command.id)
    if known is not None:
        if known != (command.task, command.account, command.item, "judged") or _says_otherwise(command, work):
            raise refuse("ballot-id", f"the id {command.id!r}")
        return ()
    _check_may(command.account, command.item, command.task, state, work)
    _check_latest(command, work)
    _check_entry(command, work)
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
    kind = kind_of(state.definition.task(command.task), command.item)
    if command.program and kind.by_people:
        raise refuse("ballot", "a judgment by a program", what="one by a person: others see it, or are bound by it")
    before = mine.get(command.item)
    cleared: dict[str, str] = {}
    if command.skipped.strip():
        if command.values:
            raise refuse("ballot", "answers and a reason to skip", what="one or the other")
        if command.item.stage == "adjudication":
            raise refuse("ballot", "a skipped decision", what="a decision; leave the unit for another adjudicator")
    elif command.asks is not None:
        together = (*kind.check(work, command.item, command.account, command.values), *command.wrong)
        check_values(command.asks, command.values, together)
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
        seconds=None if command.seconds is None else max(0.0, round(command.seconds, 3)),
        expected=command.expected,
        suggested=command.suggested,
        cleared=cleared,
        program=command.program,
    )
    return _with_the_pair(made, work) if made.skipped else (made, *_lifted(made, work))


def _check_latest(command: Judge | Undo, work: Work) -> None:
    """Refuse to replace what somebody has said since, in another window: nothing is overwritten unseen."""
    if command.instead_of is None or command.instead_of == work.latest_of(command.account, command.item):
        return
    held = work.of(command.account).get(command.item)
    there = "that it is taken back" if held is None else _in_words(held.said.values, held.said.skipped)
    if isinstance(command, Undo):
        raise refuse("judgment-changed", f"to take back what you said before; since then you have said {there}")
    if held is not None and _same(command, held):
        return
    raise refuse("judgment-changed", f"{_in_words(command.values, command.skipped)}; since then you have said {there}")


def _in_words(values: Mapping[str, str], skipped: str) -> str:
    """A judgment, shortened if it is long."""
    said = f"skipped: {skipped}" if skipped else ", ".join(f"{name} {value!r}" for name, value in values.items())
    return shorten(said or "nothing else", MOST_SHOWN, placeholder=" …")


def _same(command: Judge, ballot: Ballot) -> bool:
    """Whether a judgment is the one that is stored."""
    said = ballot.said
    given = (command.values, command.skipped.strip(), command.comment.strip())
    return given == (said.values, said.skipped, said.comment)


def _says_otherwise(command: Judge, work: Work) -> bool:
    """Whether the judgment that is stored under an id, if it still holds, is another one."""
    ballot = held = work.of(command.account).get(command.item)
    while ballot is not None and ballot.said.id != command.id:
        ballot = ballot.before
    # Whoever goes back to an old form and sends what holds now says nothing else.
    return ballot is not None and not any(_same(command, one) for one in (ballot, held) if one is not None)


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
    if command.values.get("note", "").strip():
        return
    given, label = work.outcome(command.item.unit).labels.values(), command.values.get("label")
    if label is not None and label not in given:
        raise refuse("ballot", f"{label}, which nobody gave", what="a note that says why")
    made, decided = groups_made(work, command.item.unit).values(), command.values
    # Nobody has grouped the further answers of others, so what is decided about these is against nobody.
    agreed = (partition(_only(decided, groups)) == partition(_only(groups, decided)) for groups in made)
    if label is None and not any(agreed):
        raise refuse("ballot", "groups that nobody made", what="a note that says why")


def _only(values: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    return {name: values[name] for name in names if name in values}


def _check_entry(command: Judge, work: Work) -> None:
    """Refuse an entry that has no proper name, or one more than a list can have."""
    item = command.item
    if not item.entry:
        return
    check_entry_name(item.entry)
    mine = work.of(command.account)
    if item not in mine and len(work.written.get((command.account, item.whole), ())) >= MOST_ENTRIES:
        raise refuse("ballot", "one entry more", what=f"at most {MOST_ENTRIES:,} entries in a list")


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
    """Whether something was given to an assessor; in a pool, whatever they were shown, since no work is thrown away.

    Who has a list has its entries.
    """
    if item.entry:
        listed = kind_of(state.definition.task(task), item).entry is not None
        return listed and _is_theirs(account, item.whole, task, state, work)
    if any(account in pool.assessors and pool.stage == item.stage and item in pool.items for pool in work.pools):
        return True
    # Whoever may begin has all that they were dealt; an attempt to qualify that is over is on no agenda.
    dealt = work.queues.get(("labels" if item.stage == "planted" else item.stage, account), {})
    known = item in work.of(account) or (item.stage != "qualification" and item in dealt)
    return known or item in agenda(state, task, account)


@events_of.register
def _(command: Undo, state: Campaign, work: Work, now: datetime) -> tuple[Event, ...]:
    del now
    check_id(command.id)
    known = state.ballot_ids.get(command.id)
    if known is not None:
        if known != (command.task, command.account, command.item, "undone"):
            raise refuse("ballot-id", f"the id {command.id!r}")
        return ()
    _check_latest(command, work)
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
    if (command.stage in work.closed) != command.open:
        return ()
    task = state.definition.task(command.task)
    kind = kinds_of(task).get(command.stage)
    if command.open:
        need_reason(command.reason)
        if kind is not None and (why := kind.final(work)):
            raise UsageError(why)
    elif not command.reason.strip() and (why := closed_early(state, task, command.stage, now)):
        raise UsageError(f"{why}: close the round after that, or give a reason to close it now, which the record keeps")
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
