"""What organisers see and do: people, invitations, extensions, refused files, the record."""

from __future__ import annotations

import tempfile
from datetime import datetime
from typing import Any, BinaryIO

import msgspec
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from karat.campaign.commands import EndInvitation
from karat.campaign.dates import MomentError, faces, moment_of
from karat.campaign.events import Role
from karat.campaign.state import Member
from karat.errors import KaratError, UsageError
from karat.server import archives, models, operations
from karat.server.accounts import HOST_RESET, RESET, beyond_reach, is_reset, use_link
from karat.server.pages import SEEING, Visit, in_campaign, say, show
from karat.server.pages.forms import Field, filled, mark, sentence
from karat.server.pages.words import said
from karat.server.store import execute, record_of
from karat.server.store import verify as replay

ROLES = (("team", "a team"), ("assessor", "an assessor"), ("organiser", "an organiser"))
MOST_ENTRIES = 200


@require_safe
@in_campaign("organiser")
def people(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Everybody in the campaign."""
    return _people(request, visit)


def _people(
    request: HttpRequest,
    visit: Visit,
    status: int = 200,
    inviting: list[Field] | None = None,
    extending: list[Field] | None = None,
) -> HttpResponse:
    state = visit.state
    fixed = set() if visit.account.is_host else beyond_reach(visit.name)
    people = [(one, _person(visit, one, one.account not in fixed)) for one in state.members.values()]
    teams = [(team, [facts for one, facts in people if one.team == name]) for name, team in state.teams.items()]
    others = [facts for one, facts in people if one.team is None]
    facts: dict[str, Any] = {"inviting": inviting or _inviting(), "extending": extending or _extending(visit)}
    facts["reports"] = [team.report for team in state.teams.values() if team.report is not None]
    facts["waiting"] = _waiting(visit)
    return show(request, "people", visit, status, teams=teams, others=others, **facts)


def _waiting(visit: Visit) -> Any:
    """The links of the campaign that still work."""
    found = models.Secret.objects.filter(purpose="invitation", campaign=visit.name, used=None)
    return found.filter(expires__gt=visit.now).order_by("expires")


@require_POST
@in_campaign("organiser")
def end_link(request: HttpRequest, visit: Visit) -> HttpResponse:
    """End a link that was sent to the wrong person."""
    link = _waiting(visit).filter(sha256=request.POST.get("link", "")).first()
    if link is not None and use_link(link):
        execute(visit.name, EndInvitation(role=link.role, name=link.name), visit.account.name)
        say(request, "The link no longer works.")
    else:
        say(request, "The link had been used, or had expired.")
    return redirect("people", name=visit.name)


def _person(visit: Visit, member: Member, can_reset: bool) -> dict[str, object]:
    signed = member.role == "organiser" or visit.state.has_signed(member)
    return {"member": member, "signed": signed, "can_reset": can_reset}


def _inviting() -> list[Field]:
    return [
        Field("role", "Invite", "select", "team", choices=ROLES),
        Field(
            "name", "Name", help="Of the team, or the login name of a person. An existing team gets one more member."
        ),
        Field(
            "mail", "E-mail (optional)", "email", required=False, help="The link is mailed, or written to the outbox."
        ),
    ]


def _extending(visit: Visit) -> list[Field]:
    teams = tuple((name, name) for name in visit.state.teams)
    zone = visit.state.definition.zone
    return [
        Field("team", "Team", "select", choices=teams),
        Field("until", "New deadline", "datetime-local", help=f"Time in {zone}."),
        Field("reason", "Reason", help="The record keeps it."),
    ]


@require_POST
@in_campaign("organiser")
def invite(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Make a one-time link, and show it once."""
    fields, given = filled(_inviting(), request.POST), request.POST
    role, name = given.get("role", ""), given.get("name", "").strip()
    if role not in dict(ROLES):
        raise Http404
    if is_reset(role, name, visit.state) and not _may_reset(visit, name):
        fields = mark(fields, "name", f"{name} already has an account; only the host can give it a new password.")
        return _people(request, visit, 422, inviting=fields)
    purpose = _reset_by(visit) if is_reset(role, name, visit.state) else role
    return _link(request, visit, (role, name), purpose, fields)


@require_POST
@in_campaign("organiser")
def reset(request: HttpRequest, visit: Visit, account: str) -> HttpResponse:
    """Make a link with which a member chooses a new password."""
    member = visit.state.members.get(account)
    if member is None or not _may_reset(visit, account):
        raise Http404
    return _link(request, visit, (member.role, account), _reset_by(visit), _inviting())


def _may_reset(visit: Visit, account: str) -> bool:
    return visit.account.is_host or account not in beyond_reach(visit.name)


def _reset_by(visit: Visit) -> str:
    return HOST_RESET if visit.account.is_host else RESET


def _link(
    request: HttpRequest, visit: Visit, whom: tuple[Role, str], purpose: str, fields: list[Field]
) -> HttpResponse:
    try:
        address, mail = request.build_absolute_uri("/"), request.POST.get("mail", "").strip()
        made = operations.invite(visit.name, *whom, address, visit.account.name, purpose, mail)
    except UsageError as error:
        return _people(request, visit, 422, inviting=mark(fields, "name", sentence(str(error))))
    facts = {
        "title": f"A link for {whom[1]}",
        "secret": made["url"],
        "kind": "link",
        "role": purpose,
        "mail": made["mail"],
    }
    expires = faces(datetime.fromisoformat(made["expires"]), visit.state.definition.clock)["UTC"]
    return show(request, "once", visit, **facts, expires=expires, back=reverse("people", kwargs={"name": visit.name}))


@require_POST
@in_campaign("organiser")
def extend(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Give one team more time."""
    fields, given = filled(_extending(visit), request.POST), request.POST
    team = given.get("team", "")
    try:
        until = moment_of(given.get("until", ""), visit.state.definition.clock)
        operations.extend(visit.name, team, until, given.get("reason", ""), visit.account.name)
    except MomentError as error:
        return _people(request, visit, 422, extending=mark(fields, "until", f"Expected {error}."))
    except KaratError as error:
        where = "reason" if not given.get("reason", "").strip() else "until"
        if not any(one.wrong for one in fields):
            fields = mark(fields, where, sentence(str(error)))
        return _people(request, visit, 422, extending=fields)
    say(request, f"{team} now has until {faces(until, visit.state.definition.clock)['UTC']} UTC.")
    return redirect("people", name=visit.name)


@require_POST
@in_campaign("organiser", oneself=True)
def see_as(request: HttpRequest, visit: Visit) -> HttpResponse:
    """See the campaign as a team, an assessor or the public would, or as oneself again."""
    eyes = request.POST.get("as", "")
    role, _, team = eyes.partition(":")
    if role not in ("", "public", "assessor", "team") or (role == "team") != (team in visit.state.teams):
        raise Http404
    request.session.pop(SEEING, None)
    if role:
        request.session[SEEING] = {"campaign": visit.name, "role": role, "team": team or None}
    return redirect("campaign", name=visit.name)


@require_safe
@in_campaign("organiser")
def attempts(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Everything that was refused, for those who are asked for help."""
    return show(request, "attempts", visit, refused=list(reversed(visit.attempts.items())))


@in_campaign("organiser")
def record(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Everything that happened, the latest first; asked by POST, whether it is whole."""
    before = request.GET.get("before", "")
    last = int(before) - 1 if before.isdecimal() and len(before) < 10 else visit.state.sequence
    found = list(record_of(visit.name, max(0, last - MOST_ENTRIES), last))
    entries = [(entry, said(entry.event)) for entry in reversed(found)]
    checked = replay(visit.name) if request.method == "POST" else None
    earlier = entries[-1][0].sequence if entries and entries[-1][0].sequence > 1 else None
    return show(request, "record", visit, entries=entries, checked=checked, earlier=earlier)


@require_safe
@in_campaign("organiser")
def record_file(request: HttpRequest, visit: Visit) -> FileResponse:
    """The record as a file with one entry per line, from which the chain of hashes can be computed again."""
    del request
    file = tempfile.TemporaryFile()  # noqa: SIM115 - whoever gets it closes it
    file.writelines(msgspec.json.encode(entry) + b"\n" for entry in record_of(visit.name))
    return _sent(file, f"{visit.name}.jsonl")


@require_safe
@in_campaign("organiser")
def export(request: HttpRequest, visit: Visit) -> FileResponse:
    """The campaign with all its files as an archive, from which it can be rebuilt."""
    del request
    return _sent(archives.export(visit.name).file, f"{visit.name}.zip")


def _sent(file: BinaryIO, name: str) -> FileResponse:
    """A nameless file, which is sent piece by piece and then gone."""
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/octet-stream")
