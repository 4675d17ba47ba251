"""Submitting, and what a team can do with its runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from karat.campaign.checking import MOST_BYTES
from karat.campaign.commands import ChoosePrimary, Command, Withdraw
from karat.campaign.definition import Task
from karat.campaign.events import RunRefused
from karat.campaign.sight import sees_score
from karat.campaign.state import Run
from karat.errors import KaratError, Problem
from karat.server import results
from karat.server.middleware import received
from karat.server.pages import Visit, download, in_campaign, say, show, task_of
from karat.server.pages.dating import dates_of
from karat.server.pages.forms import sentence
from karat.server.store import content, execute, state_of
from karat.server.submitting import FIELDS, Submission, TooOftenError, count_sending, declared, receipt
from karat.server.submitting import submit as send

MOST_SHOWN = 1000
"""The problems that a page lists; a browser is slow with more."""
FREE_SHOWN = 3


@in_campaign("team")
def submit(request: HttpRequest, visit: Visit, task: str) -> HttpResponse:
    """Check or submit a run."""
    wanted = task_of(visit, task)
    if not wanted.takes_runs:
        raise Http404
    if request.method != "POST":
        return _form(request, visit, wanted)
    given, file = request.POST, request.FILES.get("file")
    if file is None:
        return _form(request, visit, wanted, 422, wrong="No file was chosen.")
    fields = {name: values for name, values in given.lists() if name in FIELDS and values != [""]}
    if (seen := given.get(f"instead_of.{given.get('run', '')}")) is not None:
        fields["instead_of"] = [seen]
    try:
        # What was meant to count is refused after the close, and not stored as practice.
        count_sending(visit.name, visit.account.name)
        said, dry_run = declared(wanted.name, fields)
        answer = send(visit.name, visit.account.name, file.name, file.read(), said, received(request), dry_run)
    except TooOftenError as error:
        return _form(request, visit, wanted, 429, wrong=f"Too many requests at once: wait for {error.seconds} seconds.")
    except KaratError as error:
        return _form(request, visit, wanted, 422, wrong=sentence(str(error)))
    if answer.run is None or dry_run:
        return _form(request, visit, wanted, 200 if answer.run else 422, answer=answer, file=file.name)
    say(request, "Your run is stored. This page is your receipt.")
    target = reverse("run", kwargs={"name": visit.name, "id": answer.run.id})
    if "HX-Request" in request.headers:
        return HttpResponse(headers={"HX-Redirect": target})
    return redirect(target)


def _form(
    request: HttpRequest, visit: Visit, task: Task, status: int = 200, answer: Submission | None = None, **facts: Any
) -> HttpResponse:
    closed, practice = visit.phase == "closed", visit.state.definition.practice
    problems = () if answer is None else answer.problems
    chosen = request.POST.get("run") or request.GET.get("run") or ""
    slots = _slots(visit, task, "practice" if closed else "official")
    if not chosen:
        chosen = str(next((number for number, run in slots if run is None), ""))
    known = {
        "task": task,
        "slots": slots,
        "chosen": chosen,
        "given": request.POST,
        "practice": closed and practice,
        "can_send": visit.sight.submit,
        "closes": next(date for date in dates_of(visit.state, visit.now, visit.team) if date.name == "closes"),
        "most": MOST_BYTES >> 20,
        "answer": answer,
        **listed(problems),
    }
    return show(request, "submit", visit, status, **known | facts)


def listed(problems: Sequence[Problem]) -> dict[str, Any]:
    """Problems for a page: errors before warnings, and how many are not shown."""
    ordered = sorted(problems, key=lambda one: one.severity != "error")
    shown = ordered[:MOST_SHOWN]
    return {"problems": shown, "unlisted": len(problems) - len(shown), "count": len(problems)}


def _slots(visit: Visit, task: Task, area: str) -> list[tuple[int, Run | None]]:
    """The numbers that a run can have, with what stands there: all that are taken, and the next free ones."""
    taken = {run.received.number: run for run in visit.state.active(visit.team, task.name, area)}
    free = [number for number in range(1, task.runs + 1) if number not in taken][:FREE_SHOWN]
    return [(number, taken.get(number)) for number in sorted({*taken, *free})]


def _run(visit: Visit, id: str) -> Run:
    """A run of the team that asks, or any for an organiser; 404 otherwise."""
    found = visit.state.runs.get(id)
    if found is None or not (visit.organises or found.received.team == visit.team):
        raise Http404
    return found


@require_safe
@in_campaign("team", "organiser")
def run(request: HttpRequest, visit: Visit, id: str) -> HttpResponse:
    """A run and its receipt."""
    return _receipt(request, visit, _run(visit, id))


def _receipt(request: HttpRequest, visit: Visit, found: Run, status: int = 200, wrong: str = "") -> HttpResponse:
    event = found.received
    successor = next((one for one in visit.state.runs.values() if one.received.replaces == event.id), None)
    facts = {
        "run": found,
        "sent": event.sent,
        "task": visit.state.definition.task(event.sent.task),
        "receipt": receipt(visit.state, event, visit.sight),
        "successor": successor,
        "primary": visit.state.primary(event.team, event.sent.task) == event.number,
        "sees_score": sees_score(visit.sight, found),
        "can_change": visit.team is not None and visit.state.changeable(found, visit.now),
        **listed(event.warnings),
    }
    return show(request, "run", visit, status, wrong=wrong, **facts)


@require_safe
@in_campaign()
def run_file(request: HttpRequest, visit: Visit, id: str) -> HttpResponse:
    """The file of a run, as it was sent; of a run of others that counts, under the name that they have here."""
    del request
    found = visit.state.runs.get(id)
    if found is not None and visit.sight.all_runs and not visit.organises and found.received.team != visit.team:
        task = visit.state.definition.task(found.received.sent.task)
        counting = results.counting(visit.state, task, visit.sight, visit.team)
        seen = [name for name, run in counting.items() if run.received.id == id]
        if not seen:
            raise Http404
        file, raw = results.file_for(visit.state, task, seen[0], found)
        return download(raw, file)
    sent = _run(visit, id).received.sent
    return download(content(sent.sha256), sent.file)


@require_POST
@in_campaign("team")
def withdraw(request: HttpRequest, visit: Visit, id: str) -> HttpResponse:
    """Take a run back."""
    found = _run(visit, id)
    command = Withdraw(account=visit.account.name, id=id, reason=request.POST.get("reason", ""))
    return _change(request, visit, found, command, "The run is withdrawn. It stays in the record.")


@require_POST
@in_campaign("team")
def primary(request: HttpRequest, visit: Visit, id: str) -> HttpResponse:
    """Choose a run as the official one of the team."""
    found = _run(visit, id)
    command = ChoosePrimary(account=visit.account.name, task=found.received.sent.task, number=found.received.number)
    return _change(request, visit, found, command, f"{found.name} is your primary run now.")


def _change(request: HttpRequest, visit: Visit, found: Run, command: Command, done: str) -> HttpResponse:
    count_sending(visit.name, visit.account.name)
    try:
        execute(visit.name, command, visit.account.name)
    except KaratError as error:
        fresh = replace(visit, state=state_of(visit.name))
        return _receipt(request, fresh, fresh.state.runs[found.received.id], 409, sentence(str(error)))
    say(request, done)
    return redirect("campaign", name=visit.name)


@require_safe
@in_campaign("team", "organiser")
def attempt(request: HttpRequest, visit: Visit, number: int) -> HttpResponse:
    """An attempt that was refused, with its problems."""
    event = _attempt(visit, number)
    return show(request, "attempt", visit, number=number, event=event, **listed(event.problems), total=event.count)


@require_safe
@in_campaign("team", "organiser")
def attempt_file(request: HttpRequest, visit: Visit, number: int) -> HttpResponse:
    """The file that was refused."""
    del request
    sent = _attempt(visit, number).sent
    return download(content(sent.sha256), sent.file)


def _attempt(visit: Visit, number: int) -> RunRefused:
    if (found := visit.attempts.get(number)) is None:
        raise Http404
    return found
