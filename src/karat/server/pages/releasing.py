"""Releasing results and writing to the teams: what would change for whom, and every letter before it is sent."""

from __future__ import annotations

from typing import Any, get_args

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from karat.campaign.commands import Release
from karat.campaign.events import Audience
from karat.campaign.letters import ABOUT, About, check_letters, sent_before
from karat.campaign.releasing import hindrances
from karat.campaign.sight import ROLES, Sight
from karat.errors import UsageError
from karat.server.pages import Visit, in_campaign, say, show
from karat.server.pages.campaign import SEEN
from karat.server.pages.forms import sentence
from karat.server.releasing import LETTER, changes, checks_of, mailing, send
from karat.server.store import execute

WHO = {"organiser": "Organisers", "team": "Each team", "assessor": "Assessors", "public": "Everybody"}
TITLES: dict[Audience, str] = {"teams": "To each team: its own results", "public": "To everybody: all results"}
either = require_http_methods(["GET", "HEAD", "POST"])


@either
@in_campaign("organiser")
def release(request: HttpRequest, visit: Visit) -> HttpResponse:
    """What to look at before a release and what it changes; the release itself, once that is confirmed."""
    if request.method != "POST":
        return _release(request, visit)
    to = request.POST.get("to", "")
    if to not in get_args(Audience):
        raise Http404
    if request.POST.get("confirm") != "yes":
        return _release(request, visit, 422, {to: "Nothing was released: first confirm what will become visible."})
    try:
        execute(visit.name, Release(to=to), visit.account.name)
    except UsageError as error:
        return _release(request, visit, 422, {to: sentence(str(error))})
    say(request, "Released. Now look at what others see, and write to the teams.")
    return redirect("release", name=visit.name)


def _release(
    request: HttpRequest, visit: Visit, status: int = 200, wrong: dict[str, str] | None = None
) -> HttpResponse:
    audiences = [_audience(visit, to, (wrong or {}).get(to, "")) for to in TITLES]
    return show(request, "release", visit, status, audiences=audiences, roles=list(ROLES))


def _audience(visit: Visit, to: Audience, wrong: str) -> dict[str, Any]:
    """One of the two releases: its state, the checklist, and what each role sees before and after."""
    state, moment = visit.state, visit.now
    sees = changes(state, to, moment)
    rows = {
        words: [(role, getattr(was, what), getattr(will, what)) for role, (was, will) in sees.items()]
        for what, words in SEEN.items()
    }

    def new(what: str, was: Sight, will: Sight) -> bool:
        return getattr(will, what) and not getattr(was, what)

    becomes = {
        WHO[role]: [f"{words[0].lower()}{words[1:]}" for what, words in SEEN.items() if new(what, was, will)]
        for role, (was, will) in sees.items()
    }
    return {
        "to": to,
        "title": TITLES[to],
        "released": state.released.get(to),
        "hindered": hindrances(state, to, moment),
        "checks": checks_of(state, to, moment),
        "rows": rows,
        "becomes": {who: what for who, what in becomes.items() if what},
        "letter": LETTER[to],
        "wrong": wrong,
    }


@either
@in_campaign("organiser")
def mail(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Every letter before it is sent; sending it to the teams that have not had it, or to all again."""
    given = request.POST if request.method == "POST" else request.GET
    about = given.get("letter", "")
    if about and about not in ABOUT:
        raise Http404
    if request.method != "POST" or not about:
        return _mail(request, visit, about)
    try:
        told = send(visit.name, _kind(about), _address(request), visit.account.name, given.get("again") == "yes")
    except UsageError as error:
        return _mail(request, visit, about, sentence(str(error)))
    good = sum(one.sent for results in told.values() for one in results)
    failed = [f"{team}: {one.text}." for team, results in told.items() for one in results if not one.sent]
    say(request, " ".join([f"{good} {'letter' if good == 1 else 'letters'} sent.", *failed]))
    # A page that is loaded again sends nothing again.
    return redirect(reverse("mail", kwargs={"name": visit.name}) + f"?letter={about}")


def _kind(about: str) -> About:
    return next(one for one in ABOUT if one == about)


def _address(request: HttpRequest) -> str:
    return request.build_absolute_uri("/")


def _mail(request: HttpRequest, visit: Visit, about: str, problem: str = "") -> HttpResponse:
    choices = [(one, words, _why_not(visit, one), len(sent_before(visit.state, one))) for one, words in ABOUT.items()]
    facts: dict[str, Any] = {"choices": choices, "about": about, "sends_mail": bool(settings.MAIL_SERVER.hostname)}
    why = about and _why_not(visit, _kind(about))
    if about and not why:
        facts["written"] = mailing(visit.state, _kind(about), visit.now, _address(request))
    problem = problem or (sentence(why) if why else "")
    facts |= {"problem": problem, "back": reverse("release", kwargs={"name": visit.name})}
    return show(request, "mail", visit, 422 if problem else 200, **facts)


def _why_not(visit: Visit, about: About) -> str:
    """Why this letter cannot be written now; empty if it can."""
    try:
        check_letters(visit.state, about, visit.now)
    except UsageError as error:
        return str(error).partition(": karat campaign")[0]  # a page has no commands
    return ""
