"""The first pages: all campaigns, and the host's welcome."""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve
from django.views.decorators.http import require_POST, require_safe

from karat.campaign.sight import sees_all
from karat.campaign.state import Campaign
from karat.errors import UsageError
from karat.server import example, models
from karat.server.example_judging import ASSESSORS
from karat.server.pages import LOOKING, asking, host_only, role_in, show
from karat.server.pages.dating import next_date
from karat.server.pages.enter import open_to
from karat.server.pages.forms import sentence
from karat.server.pages.starting import start_fields
from karat.server.store import names, now, state_of

EYES = {"organiser": "", "team": next(iter(example.TEAMS)), "assessor": example.ASSESSOR}
EYES |= {name: name for name in (*example.TEAMS, *ASSESSORS)}
"""The example account for each role, and each team and assessor; the host organises the example anyway."""


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """The campaigns of whoever asks, and those that a team can join."""
    account, states = asking(request), [state_of(name) for name in names()]
    own = [(state, role) for state in states if account is not None and (role := role_in(account, state))]
    mine = [_line(state, role, account) for state, role in own]
    known = {state.definition.name for state, _ in own}
    others = [_line(state, "", None) for state in states if state.definition.name not in known and open_to(state)]
    at = now()
    public = [
        {"definition": state.definition, "released": state.released["public"]}
        for state in states
        if sees_all(state, at).scores
    ]
    return show(request, "front", mine=mine, others=others, public=public)


def _line(state: Campaign, role: str, account: models.Account | None) -> dict[str, object]:
    member = None if account is None else state.members.get(account.name)
    team = None if member is None else member.team
    at = now()
    return {
        "definition": state.definition,
        "example": state.example,
        "role": role,
        "team": team,
        "phase": state.phase(at, team),
        "commitment": state.commitment,
        "next": next_date(state, at, team),
    }


@host_only
def welcome(request: HttpRequest) -> HttpResponse:
    """Where the host begins."""
    return show(request, "welcome", **welcome_facts(request), fields=start_fields())


def welcome_facts(request: HttpRequest) -> dict[str, Any]:
    """What the host should know about the server."""
    home = settings.HOME
    return {
        "home": home.folder,
        "database": "" if home.postgres else home.database,
        "backups": home.backups,
        "bound": request.get_host(),
        "alone": re.sub(r":\d+$", "", request.get_host()) in ("127.0.0.1", "localhost", "[::1]"),
        "has_password": request.user.has_usable_password(),
        "teams": example.TEAMS,
        "assessors": ASSESSORS,
    }


@require_POST
@host_only
def look(request: HttpRequest) -> HttpResponse:
    """Look through the example campaign as somebody in it, or be oneself again."""
    role = request.POST.get("as", "")
    if role == "":
        request.session.pop(LOOKING, None)
        return redirect("welcome")
    if role not in EYES:
        raise Http404
    try:
        name = example.make_example()
    except UsageError as error:
        return show(request, "problem", title="There is no example here", text=sentence(str(error)), status=409)
    request.session.pop(LOOKING, None)
    if EYES[role]:
        request.session[LOOKING] = EYES[role]
    return redirect("campaign", name=name)


@require_safe
def with_slash(request: HttpRequest, path: str) -> HttpResponse:
    """Lead those who typed an address without its last slash to the page."""
    del request
    try:
        found = resolve(f"/{path}/")
    except Resolver404:
        raise Http404 from None
    if path.startswith("/") or found.func is with_slash:
        raise Http404
    return redirect(f"/{path}/")
