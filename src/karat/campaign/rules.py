"""What people can do in a campaign, and what follows from it: commands in, events out."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from functools import singledispatch

from karat.campaign.commands import (
    ChoosePrimary,
    Command,
    Create,
    Edit,
    EndInvitation,
    Extend,
    Invite,
    IssueToken,
    Join,
    NoteMail,
    Rekey,
    Release,
    RevokeToken,
    SendReport,
    Sign,
    Submit,
    Withdraw,
)
from karat.campaign.dates import exact
from karat.campaign.definition import Task, check_name
from karat.campaign.editing import check_edit, check_files
from karat.campaign.entering import check_entry, check_lengths, in_slot, number_of, receipt_of, same_as_fold
from karat.campaign.events import (
    Checked,
    Created,
    Edited,
    Event,
    Extended,
    InvitationEnded,
    Invited,
    Joined,
    Mailed,
    PrimaryChosen,
    Rekeyed,
    Released,
    ReportReceived,
    RunReceived,
    RunRefused,
    RunWithdrawn,
    Signed,
    TokenIssued,
    TokenRevoked,
    commitment_to,
)
from karat.campaign.judging import importing as importing
from karat.campaign.judging import rules as judging
from karat.campaign.judging.commands import JudgingCommand
from karat.campaign.refusing import StaleError, need_reason, need_text, refuse
from karat.campaign.releasing import hindrances
from karat.campaign.sight import ALIAS
from karat.campaign.state import SCORED_BY, WHOLE_SECOND, Campaign
from karat.errors import Problems, UsageError

Random = Callable[[int], bytes]
"""Gives that many random bytes."""
INVITATION = timedelta(days=14)
PROBLEMS_KEPT = 100
"""The problems of a refused file that the record keeps; the team was shown all of them."""


def decide(state: Campaign | None, command: Command, now: datetime, random: Random) -> tuple[Event, ...]:
    """The events that follow from a command, none if it has been carried out already; a refusal is a `KaratError`."""
    if isinstance(command, Create):
        if state is not None:
            raise UsageError(f"there is a campaign called {command.definition.name!r} already; choose another name")
        return (_created(command, random),)
    if state is None:
        raise UsageError("there is no such campaign")
    check_lengths(command)
    return events_of(command, state, now, random)


def _created(command: Create, random: Random) -> Created:
    check_files(command.definition, command.files)
    nonce, seed = random(16).hex(), random(32).hex()
    return Created(
        definition=command.definition,
        files=command.files,
        nonce=nonce,
        seed=seed,
        commitment=commitment_to(nonce, command.files, command.definition),
        example=command.example,
    )


@singledispatch
def events_of(command: Command, state: Campaign, now: datetime, random: Random) -> tuple[Event, ...]:
    """The events that follow from a command in a campaign that exists."""
    del state, now, random
    raise TypeError(f"no rule for {type(command).__name__}")


@events_of.register
def _(command: Edit, state: Campaign, now: datetime, random: Random) -> tuple[Event, ...]:
    del random
    before, new = state.definition, command.definition
    check_files(new, command.files)
    commitment = commitment_to(state.nonce, command.files, new)
    check_edit(state, new, command.files, now)
    if new == before and command.files == state.files:
        return ()
    need_reason(command.reason)
    return (Edited(definition=new, files=command.files, commitment=commitment, reason=command.reason),)


@events_of.register
def _(command: Invite, state: Campaign, now: datetime, random: Random) -> tuple[Event, ...]:
    del random
    check_name(command.name, command.role)
    if command.role == "team":
        check_team(state, command.name)
        _check_alias(command.name)
    if command.role == "team" and state.phase(now) == "closed" and not state.definition.practice:
        raise UsageError("the campaign is closed: no further teams can join")
    return (Invited(role=command.role, name=command.name, expires=now + INVITATION),)


@events_of.register
def _(command: EndInvitation, state: Campaign, now: datetime, random: Random) -> tuple[Event, ...]:
    del state, now, random
    return (InvitationEnded(role=command.role, name=command.name),)


@events_of.register
def _(command: Join, state: Campaign, now: datetime, random: Random) -> tuple[Event, ...]:
    del now, random
    check_name(command.account, "account")
    check_account(state, command.account)
    if (command.role == "team") != (command.team is not None):
        raise UsageError("expected a team for each account with the role of a team, and for no other")
    if command.team is not None:
        check_name(command.team, "team")
        check_team(state, command.team)
        _check_alias(command.team)
    need_text(command.person, "the full name of a person")
    joined = Joined(
        account=command.account,
        role=command.role,
        team=command.team,
        person=command.person.strip(),
        contact=command.contact.strip(),
    )
    name = state.definition.agreement
    if not command.signed or name is None:
        return (joined,)
    who, text = command.signed.strip(), state.files[name]
    return joined, Signed(account=command.account, person=who, agreement=text, on_paper=command.on_paper)


@events_of.register
def _(command: Sign, state: Campaign, now: datetime, random: Random) -> tuple[Event, ...]:
    del now, random
    member = state.member(command.account)
    if (name := state.definition.agreement) is None or state.has_signed(member):
        return ()
    need_text(command.person, "your full name, typed as a signature")
    return (Signed(account=command.account, person=command.person.strip(), agreement=state.files[name]),)


@events_of.register
def _(command: IssueToken, state: Campaign, now: datetime, random: Random) -> tuple[Event, ...]:
    del now, random
    state.member(command.account)
    return (TokenIssued(account=command.account, fingerprint=command.fingerprint),)


@events_of.register
def _(command: RevokeToken, state: Campaign, now: datetime, random: Random) -> tuple[Event, ...]:
    del now, random
    if state.tokens.get(command.fingerprint) != command.account:
        return ()
    return (TokenRevoked(account=command.account, fingerprint=command.fingerprint),)


@events_of.register
def _(command: Extend, state: Campaign, now: datetime, random: Random) -> tuple[Event, ...]:
    del random
    state.team(command.team)
    need_reason(command.reason)
    if state.released:
        raise UsageError("results have been released: no team can submit an official run any more")
    if command.until <= now:
        raise UsageError(f"{exact(command.until)} has passed; an extension ends in the future")
    if command.until < state.definition.dates.closes:
        raise UsageError(f"an extension cannot end before the deadline, {exact(state.definition.dates.closes)}")
    return (Extended(team=command.team, until=command.until.astimezone(UTC), reason=command.reason.strip()),)


@events_of.register
def _(command: Submit, state: Campaign, now: datetime, random: Random) -> tuple[Event, ...]:
    del now  # what counts is when the file was received
    sent, member = command.sent, state.member(command.account)
    if member.team is None:
        raise UsageError("only teams can submit runs")
    if receipt_of(state, member.team, sent) is not None:
        return ()
    if command.key != state.files[state.definition.task(sent.task).test]:
        raise StaleError("the key has been replaced since; send the run again")
    problems = Problems()
    number = number_of(sent, command.instead_of, state, member.team, problems)
    check_entry(state, member, sent, problems)
    before_reading = [problem for problem in problems if problem not in command.checked.problems]
    found = (*before_reading, *command.checked.problems)
    if any(problem.severity == "error" for problem in found):
        kept = sorted(found, key=lambda problem: problem.severity)[:PROBLEMS_KEPT]
        return (
            RunRefused(team=member.team, account=member.account, sent=sent, problems=tuple(kept), count=len(found)),
        )
    before = in_slot(state, member.team, sent.task, number, sent.area)
    task = state.definition.task(sent.task)
    return (
        RunReceived(
            id=random(8).hex(),
            team=member.team,
            account=member.account,
            number=number,
            sent=sent,
            state="scored" if _is_scored(state, task, command.checked) else "awaiting judgment",
            scores=command.checked.scores,
            answers=command.checked.answers,
            warnings=(*found, *same_as_fold(state, member.team, sent, command.checked.answers)),
            replaces=None if before is None else before.received.id,
            late=state.phase(sent.received, member.team) == "grace",
        ),
    )


@events_of.register
def _(command: Withdraw, state: Campaign, now: datetime, random: Random) -> tuple[Event, ...]:
    del random
    member = state.member(command.account)
    run = state.runs.get(command.id)
    if run is None or run.received.team != member.team:
        raise UsageError("your team has no such run")
    if run.status == "replaced":
        raise refuse("run-changed", f"a withdrawal of {run.name}, which has been replaced since")
    if run.status == "withdrawn":
        return ()
    if not state.changeable(run, now):
        raise refuse("closed", "a withdrawal", closes=exact(state.deadline(member.team)))
    return (RunWithdrawn(id=command.id, reason=command.reason.strip()),)


@events_of.register
def _(command: ChoosePrimary, state: Campaign, now: datetime, random: Random) -> tuple[Event, ...]:
    del random
    member = state.member(command.account)
    if member.team is None:
        raise UsageError("only teams can choose a primary run")
    run = in_slot(state, member.team, state.definition.task(command.task).name, command.number)
    if run is None:
        raise UsageError(f"your team has no run {command.number} in {command.task}")
    if state.phase(now, member.team) == "closed":
        raise refuse("closed", "a choice of the primary run", closes=exact(state.deadline(member.team)))
    if state.primary(member.team, command.task) == command.number:
        return ()
    return (PrimaryChosen(team=member.team, task=command.task, number=command.number),)


@events_of.register
def _(command: SendReport, state: Campaign, now: datetime, random: Random) -> tuple[Event, ...]:
    del now, random
    member, dates = state.member(command.account), state.definition.dates
    if member.team is None:
        raise UsageError("only teams can send system reports")
    if state.phase(command.received, member.team) not in ("open", "grace", "closed"):
        raise refuse("not-open", "a system report", opens=exact(dates.opens))
    if dates.reports is not None and command.received >= dates.reports + WHOLE_SECOND:
        raise refuse("closed", "a system report", closes=exact(dates.reports))
    before = state.teams[member.team].report
    if before is not None and before.sha256 == command.sha256:
        return ()
    return (
        ReportReceived(
            team=member.team, account=member.account, file=command.file, sha256=command.sha256, size=command.size
        ),
    )


@events_of.register
def _(command: Rekey, state: Campaign, now: datetime, random: Random) -> tuple[Event, ...]:
    del random
    tests = {task.test for task in state.definition.tasks}
    if strange := set(command.files) - tests:
        raise UsageError.unknown(f"test set of {state.definition.name}", min(strange), tests)
    for name, files in command.judgments.items():
        if (known := SCORED_BY.get(state.definition.task(name).kind)) is None:
            raise UsageError(f"{name!r} has no answers to questions: judgments are for tasks of the kind questions")
        if strange := set(files) - set(known):
            raise UsageError.unknown(f"file of judgments of {name}", min(strange), known)
    need_reason(command.reason)
    if now < state.definition.dates.opens:
        raise UsageError("submissions have not opened: replace the test set in the settings")
    changed = {name: digest for name, digest in command.files.items() if state.files[name] != digest}
    judged = {
        task: new
        for task, files in command.judgments.items()
        if (new := {name: one for name, one in files.items() if dict(state.judged_by(task)).get(name) != one})
    }
    if not changed and not judged:
        return ()
    files = state.files | changed
    check_files(state.definition, files)
    if scored_anew(state, changed, judged) != set(command.scores):
        raise StaleError("a run has come in since; look at the preview again")
    commitment = commitment_to(state.nonce, files, state.definition)
    return (
        Rekeyed(
            files=changed,
            judgments=judged,
            commitment=commitment,
            reason=command.reason.strip(),
            scores=command.scores,
        ),
    )


@events_of.register
def _(command: Release, state: Campaign, now: datetime, random: Random) -> tuple[Event, ...]:
    del random
    if command.to in state.released:
        return ()
    if hindered := hindrances(state, command.to, now):
        raise UsageError(f"results cannot be released yet: {'; '.join(hindered)}")
    return (Released(to=command.to),)


@events_of.register
def _(command: NoteMail, state: Campaign, now: datetime, random: Random) -> tuple[Event, ...]:
    del state, now, random
    return (Mailed(subject=command.subject, teams=command.teams),)


@events_of.register
def _(command: JudgingCommand, state: Campaign, now: datetime, random: Random) -> tuple[Event, ...]:
    del random
    task = state.definition.task(command.task).name
    return judging.events_of(command, state, state.work_of(task), now)


def scored_anew(state: Campaign, files: Collection[str], judged: Collection[str]) -> set[str]:
    """The runs that get new scores by a new key in these files, and by judgments of these tasks."""
    tasks = {*judged, *(task.name for task in state.definition.tasks if task.test in files)}
    scored = {id for id, run in state.runs.items() if run.scores and run.received.sent.task in tasks}
    return scored | {run.received.id for run in state.active() if run.received.sent.task in judged}


def check_account(state: Campaign, account: str) -> None:
    """Refuse an account that takes part already, or that people would confuse with one that does."""
    if account in state.members:
        raise UsageError(f"the account {account!r} takes part already")
    if near := [name for name in state.members if name.casefold() == account.casefold()]:
        raise UsageError(f"there is an account {near[0]!r}: two names must differ in more than capitals")


def _check_alias(team: str) -> None:
    """Refuse a name that another team may have while it is anonymous."""
    if ALIAS.fullmatch(team.casefold()):
        raise UsageError(f"{team!r} could be the alias of a team that is anonymous; choose another name")


def check_team(state: Campaign, team: str) -> None:
    """Refuse a name that people would confuse with that of another team."""
    near = [name for name in state.teams if name.casefold() == team.casefold() and name != team]
    if near:
        raise UsageError(f"there is a team called {near[0]!r}: two names must differ in more than capitals")


def _is_scored(state: Campaign, task: Task, checked: Checked) -> bool:
    """Whether people have nothing left to judge."""
    return bool(checked.scores) and (not task.needs_people or task.name in state.judgments)
