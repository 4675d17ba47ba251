"""Judgments that were given elsewhere: what is wrong with them, and what follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import groupby

from msgspec.structs import replace

from karat.campaign.events import Assigned, BallotsImported, Event, Item, Judged, Revealed, RoundSet, Stage, chained
from karat.campaign.judging.asking import MOST_WORDS, Ask, check_values
from karat.campaign.judging.brought import Report, reporting
from karat.campaign.judging.commands import Brought, ImportBallots
from karat.campaign.judging.files import CONTROL, in_order
from karat.campaign.judging.kinds import Kind, kinds_of
from karat.campaign.judging.library import Library, Material
from karat.campaign.judging.naming import ENTRY, UNIT
from karat.campaign.judging.rules import MOST_PROGRAM, events_of
from karat.campaign.judging.work import Work, having
from karat.campaign.state import Campaign, apply
from karat.errors import DataError, Problems

FILE_KEPT = 120
"""The characters of a file's name that are kept."""
CLOSES: Mapping[Stage, Stage] = {"lists": "labels", "matches": "nuggets"}
"""The round that is over when something is judged that follows from it."""
DECIDED: tuple[Stage, ...] = ("labels", "lists")
"""What an adjudicator decides on where people differ, who is none of them."""
FOLLOWED = "judgments that follow from it were brought in"


def rehearse(command: ImportBallots, state: Campaign, library: Library, now: datetime, problems: Problems) -> int:
    """Report everything that speaks against bringing in a file, as each judgment would be met; how many are new.

    What is asked can follow from judgments before it in the same file: about a response, the nuggets of a list.
    """
    task = state.definition.task(command.task)
    new = new_ones(command.task, command.file, command.ballots, state, state.work_of(command.task), problems)
    kinds, known, lines = kinds_of(task), dict[Stage, set[str]](), {id_of(one, command): one for one in new}
    for event in _following(command, new, state):
        if isinstance(event, Judged) and event.item.stage in kinds:
            one, kind, about = lines[event.id], kinds[event.item.stage], library.material(state, task)
            item, who = event.item, one.account
            if item.stage not in known:
                known[item.stage] = set(kind.units(about))
            if not kind.named and item.unit not in known[item.stage]:
                problems.add("unknown-id", f"unit {item.unit!r}", file=command.file, line=one.line)
                continue
            if wrong := _of_runs(kind, about, item):
                reporting(command.file, problems)(f"a judgment of unit {item.unit!r}", wrong, one.line)
                continue
            asks = tuple(kind.asked(about, item, who))
            found = () if one.skipped else kind.against(about, item, who, one.values)
            if not check_answers(command.file, one, kind, state.work_of(task.name), asks, found, problems):
                continue  # on what is not as it should be, nothing can follow
        state = apply(state, chained(state.head, state.sequence + 1, now, "", event))
    return len(new)


def _of_runs(kind: Kind, about: Material, item: Item) -> str:
    """What should be said about runs, if something else is: those that have something to judge for a unit."""
    if kind.runs is None:
        return "no runs: it is judged for all of them together" if item.run else ""
    same = {} if kind.judged_as is None else kind.judged_as(about, item.unit)
    possible, runs = kind.runs(about, item.unit), [same.get(run, run) for run in item.run.split("+")]
    if "+".join(runs) in possible or "+".join(reversed(runs)) in possible:
        return ""
    return "a run that has something to judge there" if item.stage != "preferences" else "two runs that were compared"


def check_answers(
    file: str,
    one: Brought,
    kind: Kind,
    work: Work,
    asks: Sequence[Ask] | None,
    wrong: Iterable[tuple[str, str]],
    problems: Problems,
) -> bool:
    """Whether a judgment answers what is asked about its unit; what is wrong with it is reported."""
    report = reporting(file, problems)
    if one.skipped and one.values:
        report("answers and a reason to skip", "one or the other", one.line)
        return False
    if len(one.comment) > MOST_WORDS or len(one.skipped) > MOST_WORDS:
        report("a longer remark", f"at most {MOST_WORDS:,} characters", one.line)
    if len(one.program) > MOST_PROGRAM:
        report("a longer description of the program", f"at most {MOST_PROGRAM:,} characters", one.line)
    if one.skipped or asks is None:
        return True
    try:
        check_values(asks, one.values, (*kind.check(work, one.item, one.account, one.values), *wrong))
    except DataError as error:
        for problem in error.problems:
            report(problem.found, problem.expected, one.line)
        return False
    return True


def new_ones(
    task: str, file: str, ballots: Sequence[Brought], state: Campaign, work: Work, problems: Problems
) -> list[Brought]:
    """The judgments that are not there yet; whatever cannot be brought in is reported."""
    report, stages = reporting(file, problems), kinds_of(state.definition.task(task))
    seen: dict[object, int | None] = {}
    who = {one.account: _not_judging(one.account, state) for one in ballots}
    here: dict[str, set[str]] = {}
    for one in ballots:
        if one.item.stage in DECIDED:
            here.setdefault(one.item.unit, set()).add(one.account)
    whole, programs = {(one.item, one.account) for one in ballots}, dict[str, bool]()
    found = []
    for one in ballots:
        item, known = one.item, work.of(one.account).get(one.item)
        tell = partial(_told, report, one.line)
        if item.stage not in stages and (item.stage, None) not in seen:
            seen[item.stage, None] = one.line  # one sentence for a file of another kind, not one for each row
            tell(f"a judgment of the kind {item.stage}", f"what assessors judge in {task}: {' or '.join(stages)}")
        if one.program and item.stage in stages and stages[item.stage].by_people:
            tell(f"a judgment of the kind {item.stage} by a program", "one by a person")
        if who[one.account] and (one.account, None) not in seen:
            seen[one.account, None] = one.line
            stranger = f"the assessor {one.account!r}, {who[one.account]}"
            fix = (
                f"enrol them first: karat campaign enrol {state.definition.name} --assessor {one.account} --signed NAME"
            )
            what = "an assessor who was enrolled and has signed"
            problems.add("ballot", stranger, file=file, line=one.line, what=what, fix=fix)
        place = (item.stage, item.unit) if item.stage == "adjudication" else (item, one.account)
        if place in seen:
            twice = f"unit {item.unit!r} judged again (first in line {seen[place]})"
            problems.add("duplicate-id", twice, file=file, line=one.line)
        seen.setdefault(place, one.line)
        differ = here.get(item.unit, set()) | work.judges_of(item.unit) if item.stage == "adjudication" else {""}
        if not differ:
            tell(f"a decision on unit {item.unit!r}, which nobody has judged", "a unit with judgments")
        if one.account in differ:
            tell(f"a decision of {one.account!r}, who judged the unit", "somebody who did not")
        listed = item.stage not in stages or stages[item.stage].entry is not None
        if item.entry and not (listed and ENTRY.fullmatch(item.entry)):
            tell(f"the entry {item.entry[:40]!r}", "an entry of a list: 1 to 40 letters, digits and dashes")
        if item.stage in stages and stages[item.stage].named and not UNIT.fullmatch(item.unit):
            tell(f"the unit {item.unit[:40]!r}", "1 to 40 letters, digits, dashes and underscores")
        first = replace(item, copy=1)
        if item.copy > 1 and item.stage not in ("labels", "norming"):
            tell(f"a second judgment of the kind {item.stage}", "second labels, or votes after a discussion")
        elif item.copy > 1 and first not in work.of(one.account) and (first, one.account) not in whole:
            tell(f"a second judgment of unit {item.unit!r} by {one.account}", "their first one too")
        if one.skipped and item.stage == "adjudication":
            tell("a skipped decision", "a decision")
        if one.guidelines > len(state.guidelines):
            tell(f"version {one.guidelines} of the guidelines", f"a version up to {len(state.guidelines)}")
        if work.of(one.account):
            programs[one.account] = one.account in work.programs
        if programs.setdefault(one.account, bool(one.program)) != bool(one.program):
            tell(f"{one.account!r} as {'a program' if one.program else 'a person'}", "always the one or the other")
        if known is not None and _in_a_table(known.said) == _in_a_table(one):
            continue
        if known is not None:
            tell(f"unit {item.unit!r}, which {one.account} has judged otherwise here", "what is not there yet")
        elif item.stage in work.closed:
            tell(f"a judgment of a closed round ({item.stage})", "a round that is open")
        elif item.stage == "norming" and item.copy == 1 and work.revealed:
            tell(f"a blind vote on unit {item.unit!r}", "none: the votes have been shown here")
        elif item.copy == 1 and item.stage in (*DECIDED, "adjudication") and item.unit in work.decisions:
            tell(f"unit {item.unit!r}, which is decided here", "a unit that is not decided yet")
        found.append(one)
    if not work.revealed and (again := next((one for one in found if _is_again(one)), None)) is not None:
        for late in sorted({name for name, item in _waiting(work, "norming") if (item, name) not in whole}):
            _told(report, again.line, f"a vote after the discussion, while {late} has not voted", "the votes of all")
    for stage, before in CLOSES.items():
        follows = next((one for one in found if one.item.stage == stage), None)
        if follows is None or before in work.closed:
            continue
        for late in sorted({name for name, item in _waiting(work, before) if (item, name) not in whole}):
            about = f"a judgment of the kind {stage}, while {late} has not judged everything of the kind {before}"
            _told(report, follows.line, about, f"a round that is over ({before}): it is closed by what follows from it")
    return found


def _is_again(one: Brought) -> bool:
    """Whether it is a vote after a discussion: whoever gave it has seen the votes."""
    return one.item.stage == "norming" and one.item.copy > 1


def _waiting(work: Work, stage: Stage) -> Iterator[tuple[str, Item]]:
    """The judgments that a round waits for."""
    for (of, who), items in work.queues.items():
        yield from ((who, item) for item in items if of == stage and item not in work.of(who))


def _in_a_table(said: Judged | Brought) -> list[tuple[str, str]]:
    """What a judgment says, as far as a table keeps it: in one line, and not as a formula."""
    words = [*said.values.items(), ("skipped", said.skipped)]
    plain = [(name, " ".join(CONTROL.sub(" ", text).split()).removeprefix("'")) for name, text in words]
    return sorted((name, text) for name, text in plain if text)


def _told(report: Report, line: int | None, found: str, what: str) -> None:
    report(found, what, line)


def _not_judging(name: str, state: Campaign) -> str:
    """Why somebody cannot judge; empty if they can."""
    member = state.members.get(name)
    if member is None:
        return "who has no account here"
    if member.role == "team":
        return "which is the account of a team"
    return "" if state.has_signed(member) else "who has not accepted the agreement"


@events_of.register
def _(command: ImportBallots, state: Campaign, work: Work, now: datetime) -> tuple[Event, ...]:
    del now
    problems = Problems()
    new = new_ones(command.task, command.file, command.ballots, state, work, problems)
    problems.raise_errors()
    if not new:
        return ()
    file = command.file[-FILE_KEPT:]
    made = BallotsImported(task=command.task, file=file, sha256=command.sha256, count=len(new))
    return (made, *_following(command, new, state))


def _following(command: ImportBallots, new: Sequence[Brought], state: Campaign) -> Iterator[Event]:
    """What happens when judgments are brought in: kind by kind, those first from which others follow.

    What was judged elsewhere counts as given out. Votes after a discussion show the votes; what follows from a round
    closes it.
    """
    task, work = command.task, state.work_of(command.task)
    given = {stage for stage, _ in work.queues} | {one.item.stage for one in new}
    ordered = sorted(new, key=lambda one: in_order(one.item))
    shown, closed, deciding = work.revealed, set(work.closed), set(work.adjudicators)
    for stage, of in groupby(ordered, key=lambda one: one.item.stage):
        judged, before = list(of), CLOSES.get(stage)
        if before is not None and before not in closed and (before in given or stage == "lists"):
            closed.add(before)
            yield RoundSet(task=task, stage=before, open=False, reason=FOLLOWED)
        if stage == "adjudication":
            for who in dict.fromkeys(one.account for one in judged if one.account not in deciding):
                yield Assigned(task=task, stage=stage, units=(), assessors=(who,), per_unit=1)
            deciding.update(one.account for one in judged)
        else:
            yield from _given_out(task, judged, work)
        for one in judged:
            if _is_again(one) and not shown:
                shown = True
                yield Revealed(task=task)
            yield _judged(one, command)


def id_of(one: Brought, command: ImportBallots) -> str:
    """The id of a judgment of a file."""
    return f"{command.sha256}/{command.task[:20]}/{one.line or command.ballots.index(one) + 1}"


def _judged(one: Brought, command: ImportBallots) -> Judged:
    return Judged(
        id=id_of(one, command),
        task=command.task,
        item=one.item,
        assessor=one.account,
        values=one.values,
        skipped=one.skipped,
        comment=one.comment,
        guidelines=one.guidelines,
        seconds=one.seconds,
        suggested=one.suggested,
        program=one.program,
        imported=command.sha256,
    )


def _given_out(task: str, new: Sequence[Brought], work: Work) -> Iterator[Assigned]:
    """What was judged elsewhere counts as given out: to everybody exactly what they have judged."""
    wanted: dict[tuple[Stage, str], dict[str, dict[str, None]]] = {}
    for one in new:
        units = wanted.setdefault((one.item.stage, one.account), {})
        units.setdefault(one.item.unit, {})[one.item.run] = None
    for (stage, who), units in wanted.items():
        held = having(work, stage)
        pools = [pool.items for pool in work.pools if pool.stage == stage and who in pool.assessors]
        pooled = {item.unit for items in pools for item in items}
        left = {unit: tuple(of) for unit, of in units.items() if who not in held.get(unit, ()) and unit not in pooled}
        given = Assigned(task=task, stage=stage, units=tuple(left), assessors=(who,), per_unit=1)
        if left and any(map(any, left.values())):
            yield replace(given, runs=left, as_judged=stage == "preferences")
        elif left:
            yield given
