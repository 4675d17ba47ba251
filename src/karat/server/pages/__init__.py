"""The pages that people use: each view reads the state, or carries out one command, and renders a template."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header

from karat import __version__
from karat.campaign.definition import Task
from karat.campaign.events import Role, RunRefused
from karat.campaign.judging.agenda import has_work
from karat.campaign.sight import Eyes, Sight, sees_all, sight
from karat.campaign.state import Campaign, Member
from karat.errors import Problems, UsageError
from karat.formats.documents import document_of
from karat.server import models
from karat.server.accounts import is_organiser
from karat.server.store import content, now, state_of
from karat.server.submitting import TooOftenError

LOOKING = "looking"
"""Where a session keeps the example account through whose eyes the host looks."""
SEEING = "seeing"
"""Where a session keeps the campaign, the role and the team through whose eyes an organiser looks."""
SAID = "said"
"""Where a session keeps a sentence for the next page."""
View = Callable[..., HttpResponse]


@dataclass(frozen=True)
class Visit:
    """Who asks for a page of a campaign, and what they are in it."""

    who: models.Account | None
    """None for a visitor who has not logged in."""
    state: Campaign
    role: Eyes
    now: datetime
    seen_as: str | None = None
    """The team through whose eyes an organiser looks."""
    looks: bool = False
    """Whether an organiser looks through the eyes of others, and so can change nothing."""

    @property
    def account(self) -> models.Account:
        """The account of whoever asks, who has logged in."""
        assert self.who is not None
        return self.who

    @property
    def name(self) -> str:
        """The name of the campaign."""
        return self.state.definition.name

    @property
    def member(self) -> Member | None:
        """The member; None for the public, and for the host, who organises without being one."""
        if self.looks:
            own = [one for one in self.state.members.values() if one.team == self.seen_as and one.role == self.role]
            return max(own, key=self.state.has_signed, default=None)
        return None if self.who is None else self.state.members.get(self.who.name)

    @property
    def team(self) -> str | None:
        """The team of a member."""
        return None if self.member is None or self.role != "team" else self.member.team

    @property
    def organises(self) -> bool:
        """Whether this is an organiser."""
        return self.role == "organiser"

    @property
    def phase(self) -> str:
        """The stage of the campaign for whoever asks."""
        return self.state.phase(self.now, self.team)

    @property
    def signed(self) -> bool:
        """Whether nothing remains to be accepted."""
        return self.member is None or self.state.has_signed(self.member)

    @cached_property
    def sight(self) -> Sight:
        """What whoever asks can see and do."""
        return sight(self.state, self.role, self.now, self.team, self.signed)

    @property
    def has_results(self) -> bool:
        """Whether there are any results that whoever asks may see."""
        return self.sight.scores or self.sight.live or (self.sight.own_scores and self.team is not None)

    @property
    def judges(self) -> list[Task]:
        """The tasks in which anything was given to whoever asks to judge."""
        if self.member is None or self.role not in ("assessor", "organiser"):
            return []
        who = self.member.account
        return [task for task in self.state.definition.tasks if has_work(self.state.work_of(task.name), who)]

    @property
    def attempts(self) -> dict[int, RunRefused]:
        """The refused files that whoever asks may see, by the number in their address.

        Organisers see the numbers of the record. A team counts its own, since gaps would tell what other teams do.
        """
        if self.organises:
            return dict(self.state.refused)
        own = [event for _, event in self.state.refused if self.team is not None and event.team == self.team]
        return dict(enumerate(own, 1))


def asking(request: HttpRequest) -> models.Account | None:
    """The account that a request acts for: the example account that the host looks through, or one's own."""
    if not request.user.is_authenticated:
        return None
    looking = request.session.get(LOOKING) if request.user.is_host else None
    found = models.Account.objects.filter(name=looking, example=True).first() if looking else None
    return found or request.user


def role_in(account: models.Account, state: Campaign) -> Role | None:
    """The role of an account in a campaign; None if it has none, as accounts of the example in all that count."""
    if account.example and not state.example:
        return None
    if is_organiser(account, state):
        return "organiser"
    return state.members[account.name].role if account.name in state.members else None


def in_campaign(*roles: Eyes, oneself: bool = False) -> Callable[[View], View]:
    """Call a view with the visit of somebody who has one of these roles, any if none is named; 404 for all others.

    Whoever has not logged in is the public, once there is anything to see. An organiser who looks through other eyes
    has their role, unless the view is for `oneself`.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, name: str, **rest: Any) -> HttpResponse:
            visit = visit_of(request, name, oneself)
            if visit is None or (roles and visit.role not in roles):
                if asking(request) is None:
                    return to_login(request)
                raise Http404
            if visit.looks and request.method not in ("GET", "HEAD"):
                text = "You are looking through the eyes of others. Go back to your own view to change anything."
                response: HttpResponse = show(request, "problem", visit, 403, title="Nothing was changed", text=text)
                return response
            try:
                return view(request, visit, **rest)
            except TooOftenError as error:
                return too_often(request, error)

        return answer

    return decorate


def visit_of(request: HttpRequest, name: str, oneself: bool = False) -> Visit | None:
    """The visit of whoever asks to a campaign; None if there is nothing for them to see."""
    account, at = asking(request), now()
    try:
        state = state_of(name)
    except UsageError:
        return None
    role: Eyes | None = None if account is None else role_in(account, state)
    if role is None:
        return Visit(account, state, "public", at) if sees_all(state, at).anything else None
    eyes = request.session.get(SEEING) or {}
    if role == "organiser" and eyes.get("campaign") == name and not oneself:
        team = eyes["team"] if eyes["team"] in state.teams else None
        return Visit(account, state, eyes["role"], at, team, looks=True)
    return Visit(account, state, role, at)


def too_often(request: HttpRequest, error: TooOftenError) -> HttpResponse:
    """The answer to somebody who sends too much at a time."""
    text = f"Nothing was stored. Wait for {error.seconds} seconds, then send it again."
    response: HttpResponse = show(request, "problem", title="Too much at a time", text=text, status=429)
    response.headers["Retry-After"] = str(error.seconds)
    return response


def signed_in(view: View) -> View:
    """Call a view with the account that asks; others are asked to log in."""

    @wraps(view)
    def answer(request: HttpRequest, **rest: Any) -> HttpResponse:
        account = asking(request)
        return to_login(request) if account is None else view(request, account, **rest)

    return answer


def host_only(view: View) -> View:
    """Call a view for the host; 404 for all others who are logged in."""

    @wraps(view)
    def answer(request: HttpRequest, **rest: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return to_login(request)
        if not request.user.is_host:
            raise Http404
        return view(request, **rest)

    return answer


def to_login(request: HttpRequest) -> HttpResponse:
    """Ask somebody to log in, and lead them back; what a form has sent cannot be sent again."""
    return redirect_to_login(request.get_full_path() if request.method in ("GET", "HEAD") else "/")


def task_of(visit: Visit, name: str) -> Task:
    """A task by the name in an address; 404 if there is none."""
    try:
        return visit.state.definition.task(name)
    except UsageError:
        raise Http404 from None


def text_of(state: Campaign, use: str) -> str:
    """The agreement or the guidelines of a campaign, in whatever encoding they were given; empty if there are none."""
    name, problems = getattr(state.definition, use), Problems()
    document = None if name is None else document_of(name, content(state.files[name]), problems)
    return "" if document is None else document.text(problems) or ""


def say(request: HttpRequest, text: str) -> None:
    """Show a sentence on the next page."""
    request.session[SAID] = text


def show(request: HttpRequest, template: str, visit: Visit | None = None, status: int = 200, **facts: Any) -> Any:
    """A page from a template."""
    known = {} if visit is None else {"visit": visit, "campaign": visit.state.definition, "state": visit.state}
    return render(request, f"karat/{template}.html", known | facts, status=status)


def download(data: bytes, name: str) -> HttpResponse:
    """A file that the browser stores and never shows."""
    response = HttpResponse(data, content_type="application/octet-stream")
    response.headers["Content-Disposition"] = content_disposition_header(True, name)
    return response


def context(request: HttpRequest) -> dict[str, Any]:
    """What every template knows."""
    account = asking(request) if hasattr(request, "user") else None
    said = request.session.pop(SAID, "") if account is not None and SAID in request.session else ""
    return {
        "version": __version__,
        "account": account,
        "host": account is not None and request.user.is_host,
        "looking": account is not None and account.pk != request.user.pk,
        "said": said,
        "now": now(),
    }


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The answer to a form without a valid token: usually one that was open for too long."""
    del reason
    text = "It was open for too long, or you have logged in or out since. Go back, reload the page, and send it again."
    return show(request, "problem", title="This form has expired", text=text, status=403)
