"""One-time links: the host's, invitations, new passwords; and joining a campaign that is open to everybody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from karat.campaign.commands import Join
from karat.campaign.state import Campaign
from karat.errors import UsageError
from karat.server import models
from karat.server.accounts import HOST_RESET, beyond_reach, end_host_links, find_link, is_reset, use_link
from karat.server.pages import asking, say, show, text_of
from karat.server.pages.account import begin, password_of, too_soon
from karat.server.pages.forms import (
    Field,
    check,
    filled,
    mark,
    need_account_name,
    need_password,
    need_short,
    sentence,
    wrong,
)
from karat.server.store import Outcome, execute, now, state_of

TEXTS = ("person", "contact", "signed")
USED = UsageError("somebody has used this link in the meantime; ask for a new one")


def enter(request: HttpRequest, secret: str) -> HttpResponse:
    """Follow a one-time link."""
    link = find_link(secret, "host", "invitation")
    if link is not None and link.purpose == "host":
        if request.method != "GET":
            raise Http404
        return _as_host(request, link) if use_link(link) else _useless(request)
    try:
        state = None if link is None else state_of(link.campaign)
    except UsageError:
        state = None
    if link is None or state is None:
        return _useless(request)
    if is_reset(link.role, link.name, state):
        # Looked at again: somebody may have got rights elsewhere since an organiser made the link.
        barred = link.role != HOST_RESET and link.name in beyond_reach(link.campaign)
        return _useless(request) if barred else _reset(request, link, state)
    return _join(request, Coming(state, link.role, link.name, link))


def _as_host(request: HttpRequest, link: models.Secret) -> HttpResponse:
    host = models.Account.objects.get(name=link.name)
    begin(request, host)
    return redirect("welcome")


def _useless(request: HttpRequest) -> HttpResponse:
    return show(request, "useless", status=410)


def _reset(request: HttpRequest, link: models.Secret, state: Campaign) -> HttpResponse:
    """Choose a new password for an account that exists."""
    fields = [_password(f"For the account {link.name}.")]
    if request.method == "POST":
        fields = check(filled(fields, request.POST), request.POST, {"password": need_password})
        if not wrong(fields):
            hashed = make_password(request.POST["password"])
            with transaction.atomic():
                if not use_link(link):
                    return _useless(request)
                account, _ = models.Account.objects.get_or_create(name=link.name)
                account.password = hashed
                account.save()
                end_host_links(account.name)
            begin(request, account)
            say(request, "Your new password is set.")
            return redirect("campaign", name=state.definition.name)
    title = "Choose a new password"
    return show(
        request, "enter", title=title, fields=fields, username=link.name, button="Set password", status=_status(fields)
    )


@dataclass(frozen=True)
class Coming:
    """Somebody who is about to join a campaign."""

    state: Campaign
    role: str
    name: str
    """The team, or the account of an assessor or organiser; empty if they choose it."""
    link: models.Secret | None = None

    @property
    def agreement(self) -> str:
        """The text that they have to accept; empty if there is none."""
        return "" if self.role == "organiser" else text_of(self.state, "agreement")

    @property
    def title(self) -> str:
        """What the page is for."""
        what = f"team {self.name}" if self.role == "team" and self.name else {"team": "a team"}.get(self.role, "")
        return f"Join as {what or ('an ' + self.role)}"


def open_to(state: Campaign) -> bool:
    """Whether a team can join without an invitation now."""
    phase = state.phase(now())
    return state.definition.registration == "open" and phase not in ("preparing", "closed")


def join(request: HttpRequest, name: str) -> HttpResponse:
    """Join a campaign that is open to everybody, as a new team."""
    try:
        state = state_of(name)
    except UsageError:
        raise Http404 from None
    if not open_to(state):
        raise Http404
    account = asking(request)
    if account is not None and account.name in state.members:
        return redirect("campaign", name=name)
    return _join(request, Coming(state, "team", ""))


def _join(request: HttpRequest, coming: Coming) -> HttpResponse:
    """Enter name, password and signature; everything is stored at once."""
    fields = _fields(coming)
    if request.method == "POST":
        fields = filled(fields, request.POST)
        rules = {"account": need_account_name, "password": need_password} | dict.fromkeys(TEXTS, need_short)
        fields = check(fields, request.POST, rules)
        if not wrong(fields):
            answer = _joined(request, coming, fields)
            if isinstance(answer, HttpResponse):
                return answer
            fields = answer
    state = coming.state
    facts: dict[str, Any] = {"title": coming.title, "fields": fields, "button": "Join", "agreement": coming.agreement}
    # With the commitment to the key, which binds the organisers only if those outside have seen it before the opening.
    return show(request, "enter", state=state, definition=state.definition, **facts, status=_status(fields))


def _fields(coming: Coming) -> list[Field]:
    person = Field("person", "Your full name", complete="name")
    contact = Field(
        "contact", "E-mail (optional)", "email", required=False, complete="email", help="For the organisers only."
    )
    account_help = "For logging in. If you have an account on this server, give its name and its password."
    given = "" if coming.role == "team" and coming.name in coming.state.teams else coming.name
    account = Field("account", "Login name", value=given, help=account_help, complete="username")
    fields = [person, contact, account, _password("At least 10 characters.")]
    if coming.role == "team" and not coming.name:
        fields.insert(0, Field("team", "Name of your team", help="Letters, digits, dots, dashes and underscores."))
    if coming.agreement:
        fields.append(Field("signed", "Type your full name to accept the agreement", complete="name"))
    return fields


def _password(note: str) -> Field:
    return Field("password", "Password", "password", help=note, complete="new-password")


def _joined(request: HttpRequest, coming: Coming, fields: list[Field]) -> HttpResponse | list[Field]:
    """The answer to a joined member, or the fields with what is wrong."""
    given: Mapping[str, str] = request.POST
    account, wait = password_of(request, given["account"], given["password"], may_be_new=True)
    if wait:
        return too_soon(request, wait)
    if account is None and models.Account.objects.filter(name__iexact=given["account"]).exists():
        text = "There is already an account with this name. Give its password, or choose another name."
        return mark(fields, "account", text)
    if account is not None and account.example and not coming.state.example:
        # The host looks through its eyes, and would act in its name.
        return mark(fields, "account", "This is an account of the example campaign. Choose another name.")
    new_hash = "" if account is not None else make_password(given["password"])
    team = (coming.name or given["team"].strip()) if coming.role == "team" else None
    command = Join(
        account=given["account"],
        role=coming.role,  # type: ignore[arg-type]  # a link has no other
        team=team,
        person=given["person"],
        contact=given.get("contact", ""),
        signed=given.get("signed", "") if coming.agreement else "",
        on_paper=False,
    )

    def also(outcome: Outcome) -> None:
        if coming.link is not None and not use_link(coming.link):
            raise USED
        if not coming.name and sum(one.team == team for one in outcome.state.members.values()) > 1:
            raise UsageError(f"there is a team called {team!r}; choose another name, or ask it for an invitation")
        if new_hash:
            models.Account.objects.create(name=command.account, password=new_hash)

    try:
        execute(coming.state.definition.name, command, command.account, also=also)
    except UsageError as error:
        where = "team" if "team called" in str(error) and not coming.name else "account"
        return mark(fields, where, sentence(str(error)))
    except IntegrityError:
        return mark(fields, "account", "Somebody has just taken this name. Choose another one.")
    begin(request, models.Account.objects.get(name=command.account))
    door = request.build_absolute_uri(reverse("login"))
    used = " The link is used up;" if coming.link is not None else ""
    say(request, f"Welcome, {command.person.strip()}.{used or ' You have joined;'} from now on, log in at {door}")
    return redirect("campaign", name=coming.state.definition.name)


def _status(fields: list[Field]) -> int:
    return 422 if wrong(fields) else 200
