"""What organisers do, the same from the command line and from pages; each returns what is shown, as plain values."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any

from msgspec.structs import asdict

from karat.campaign.checking import read_files
from karat.campaign.commands import Create, Extend, Invite, Join
from karat.campaign.dates import exact, faces, remaining
from karat.campaign.definition import Definition, Read
from karat.campaign.events import Invited, Role
from karat.campaign.sight import shown_dates, sight, sights
from karat.campaign.state import Campaign, Run
from karat.errors import Problem, UsageError
from karat.server import mail, models
from karat.server.accounts import HOST, HOST_RESET, is_reset, make_link
from karat.server.store import Outcome, digest_of, execute, names, now, state_of, test_set
from karat.studies.base import StudyResult

Shown = dict[str, Any]


def create(definition: Definition, read: Read, file: str, actor: str = HOST, example: bool = False) -> Campaign:
    """Make a campaign with every file that it names, or nothing of it."""
    contents = read_files(definition, read, file)
    digests = {name: digest_of(data) for name, data in contents.items()}
    stored = {digests[name]: data for name, data in contents.items()}
    return execute(definition.name, Create(definition=definition, files=digests, example=example), actor, stored).state


def warnings_of(state: Campaign) -> list[Problem]:
    """What its organisers should know about the test sets of a campaign."""
    return [warning for task in state.definition.tasks for warning in test_set(state, task).warnings]


def created(state: Campaign) -> Shown:
    """What is shown of a new campaign."""
    tasks = [task.name for task in state.definition.tasks]
    return {"campaign": state.definition.name, "tasks": tasks, "commitment": state.commitment}


def invite(
    campaign: str,
    role: Role,
    name: str,
    address: str,
    actor: str = HOST,
    purpose: str | None = None,
    mail_to: str = "",
) -> Shown:
    """A one-time link for a team, an assessor or an organiser, or for a new password, if `purpose` says so.

    The link is also mailed if an address is given; a message that cannot be sent does not undo the invitation.
    """
    made: list[tuple[str, datetime]] = []

    def store(outcome: Outcome) -> None:
        event = outcome.entries[0].event
        assert isinstance(event, Invited)
        use = purpose or (HOST_RESET if is_reset(role, name, outcome.state) else role)
        made.append((make_link("invitation", name, event.expires, campaign, use), event.expires))

    execute(campaign, Invite(role=role, name=name), actor, also=store)
    ((secret, expires),) = made
    url, until, told = f"{address.rstrip('/')}/enter/{secret}", exact(expires), ""
    if mail_to:
        title = state_of(campaign).definition.title
        text = mail.INVITATION.format(title=title, role=role, name=name, expires=until, url=url)
        try:
            told = mail.send(mail_to, f"Invitation to {title}", text)
        except UsageError as error:
            told = f"{error}; send the link yourself"
    return {"url": url, "expires": until, "mail": told}


def enrol(campaign: str, role: Role, name: str, signed: str, actor: str = HOST) -> Shown:
    """An account made by an organiser for somebody who has signed the agreement on paper."""
    if name.lower() == HOST and (name != HOST or role != "organiser"):
        raise UsageError(f"{HOST!r} is the account of whoever runs this server; choose another name")
    team = name if role == "team" else None

    def store(outcome: Outcome) -> None:
        account, _new = models.Account.objects.get_or_create(name=name, defaults={"password": "!"})
        if account.example and not outcome.state.example:
            # The host looks through its eyes, and would act in its name.
            raise UsageError(f"{name!r} is an account of the example campaign; choose another name")
        if account.has_usable_password() and name != HOST:
            # Whoever has it would see the runs of what may be another team.
            remedy = (
                f"choose another name, or let them join by a link: karat campaign invite {campaign} --{role} {name}"
            )
            raise UsageError(f"somebody already logs in as {name!r}; {remedy}")

    execute(campaign, Join(account=name, role=role, team=team, person=signed, signed=signed), actor, also=store)
    return {"account": name}


def extend(campaign: str, team: str, until: datetime, reason: str, actor: str = HOST) -> Shown:
    """More time for one team."""
    state = execute(campaign, Extend(team=team, until=until, reason=reason), actor).state
    deadline = state.deadline(team)
    told = {"faces": faces(deadline, state.definition.clock), "in": remaining(deadline, now())}
    return {"campaign": campaign, "team": team, "deadline": exact(deadline)} | told


def shown(campaign: str) -> Shown:
    """A campaign as its organisers see it: state, dates, counts, what each role can see now."""
    state, moment = state_of(campaign), now()
    roles = Counter(member.role for member in state.members.values())
    return {
        "campaign": campaign,
        "title": state.definition.title,
        "state": state.phase(moment),
        "now": exact(moment),
        "zone": state.definition.zone,
        "dates": shown_dates(state, moment),
        "counts": {
            "teams": len(state.teams),
            "organisers": roles["organiser"],
            "assessors": roles["assessor"],
            "runs": len(state.active()),
            "practice_runs": len(state.active(area="practice")),
            "refused": len(state.refused),
            "events": state.sequence,
        },
        "tasks": [
            {
                "name": task.name,
                "kind": task.kind,
                "way": task.way,
                "units": len(test_set(state, task).units),
                "limit": task.runs,
                "runs": len(state.active(task=task.name)),
            }
            for task in state.definition.tasks
        ],
        "teams": [
            {
                "name": team.name,
                "members": [member.account for member in state.members.values() if member.team == team.name],
                "signed": any(state.has_signed(one) for one in state.members.values() if one.team == team.name),
                "deadline": exact(state.deadline(team.name)),
                "runs": len(state.active(team.name)),
            }
            for team in state.teams.values()
        ],
        "sees": {role: asdict(of) for role, of in sights(state, moment).items()},
        "released": {to: exact(at) for to, at in state.released.items()},
        "key_version": len(state.keys),
        "commitment": state.commitment,
    }


def listed() -> list[Shown]:
    """All campaigns."""
    return [shown(name) for name in names()]


def board(campaign: str, task: str | None = None) -> tuple[dict[str, StudyResult], list[Run]]:
    """The official runs scored again from their files, by task; and the runs that people have yet to judge."""
    from karat.server.results import official, scored

    state = state_of(campaign)
    tasks = state.definition.tasks if task is None else (state.definition.task(task),)
    tables = {one.name: scored(state, one, runs) for one in tasks if (runs := official(state, one))}
    waiting = [run for one in tasks for run in state.active(task=one.name) if run.state != "scored"]
    return tables, waiting


def archive(campaign: str, task: str | None = None) -> bytes:
    """All results as plain files in a zip archive, as an organiser sees them."""
    from karat.server.result_files import Reader, packed

    state = state_of(campaign)
    if task is not None:
        state.definition.task(task)
    return packed(state, Reader(sight(state, "organiser", now()), task=task))
