"""The page of a campaign, which differs by role, and the files and texts that everybody in it can get."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from karat.campaign.commands import Sign
from karat.campaign.definition import MOST_BYTES, Task
from karat.campaign.sight import ROLES, Eyes, Sight, sights
from karat.campaign.state import Campaign
from karat.errors import UsageError
from karat.server.developing import unwritten
from karat.server.operations import warnings_of
from karat.server.pages import Visit, download, in_campaign, say, show, task_of, text_of
from karat.server.pages.dating import dates_of, next_date
from karat.server.pages.forms import Field, sentence
from karat.server.pages.judged import around
from karat.server.pages.portions import first_asked, others, portion
from karat.server.store import execute, test_set

SEEN = {
    "data": "Test data, without the key",
    "submit": "Submitting",
    "report": "Sending a system report",
    "own_runs": "The team's own runs",
    "live": "The live board",
    "own_scores": "The team's own scores",
    "all_runs": "All runs",
    "scores": "All scores",
    "key": "The key",
    "names": "The names of other teams",
    "judge": "Judging",
    "manage": "Managing the campaign",
}
"""What each role may see, in words."""
SHOWN = (
    ("3", "accuracy"),
    ("2", "accuracy"),
    ("2", "average_precision"),
    ("questions", "factoid_accuracy"),
    ("questions", "list_f"),
    ("questions", "nugget_f"),
    ("questions", "series"),
    ("nuggets", "nugget_f"),
    ("nuggets", "vital"),
)
"""The stored measures in the tables of the overview, by way."""


@require_safe
@in_campaign()
def overview(request: HttpRequest, visit: Visit) -> HttpResponse:
    """A campaign, as whoever asks may see it."""
    return page(request, visit)


def page(request: HttpRequest, visit: Visit, status: int = 200, **facts: Any) -> HttpResponse:
    """The page for the role of whoever asks."""
    known: dict[str, Any] = {
        "dates": dates_of(visit.state, visit.now, visit.team),
        "next": next_date(visit.state, visit.now, visit.team),
        "texts": {use: text_of(visit.state, use) for use in ("agreement", "guidelines")},
        "tasks": [_task(visit, task, first_asked(request)) for task in visit.state.definition.tasks],
        "signature": Field("person", "Type your full name to accept the agreement", complete="name"),
        "counts": _counts(visit.state),
        "around": around(visit),
    }
    if visit.organises:
        known["problems"] = [one for one in warnings_of(visit.state) if one.code == "gives-key-away"]
        known["opened"] = visit.now >= visit.state.definition.dates.opens
        known["unwritten"] = unwritten(visit.state)
        known["roles"], known["sees"] = list(ROLES), who_sees_what(sights(visit.state, visit.now))
    if visit.team is not None:
        known["refused"] = list(reversed(visit.attempts.items()))
        known["reporting"] = report_fields() if visit.sight.report else []
        known["report"] = visit.state.teams[visit.team].report
        known["people"] = [one for one in visit.state.members.values() if one.team == visit.team]
    return show(request, f"campaign_{visit.role}", visit, status, **known | facts)


def report_fields() -> list[Field]:
    """What is asked for."""
    note = f"At most {MOST_BYTES >> 20} MiB. It replaces the one before, which the record keeps."
    return [Field("report", "Your system report", "file", help=note)]


def who_sees_what(sights: Mapping[Eyes, Sight]) -> dict[str, list[tuple[Eyes, bool]]]:
    """What each role sees, one row per thing to see, in words."""
    return {words: [(role, getattr(of, what)) for role, of in sights.items()] for what, words in SEEN.items()}


def _counts(state: Campaign) -> dict[str, int]:
    return {
        "teams": len(state.teams),
        "runs": len(state.active()),
        "refused": len(state.refused),
        "assessors": sum(one.role == "assessor" for one in state.members.values()),
    }


def _task(visit: Visit, task: Task, first: int) -> dict[str, object]:
    """A task with the runs that are shown with it, from a place on."""
    state, team = visit.state, visit.team
    seen = state.active(team, task.name) if team is not None or visit.organises else []
    practice = state.active(team, task.name, "practice") if team is not None or visit.organises else []
    old = [run for run in state.runs.values() if run.status != "active" and run.received.sent.task == task.name]
    return {
        "task": task,
        "runs": portion(seen, first),
        "count": len(seen),
        "others": others(len(seen), first),
        "practice": practice,
        "old": [run for run in old if visit.organises or team == run.received.team],
        "primary": None if team is None else state.primary(team, task.name),
        "left": task.runs - len(seen),
        "ways": [
            (way, measure)
            for way, measure in SHOWN
            if any(run.scores.get(way, {}).get(measure) is not None for run in seen)
        ],
        "units": len(test_set(state, task).units),
    }


@require_safe
@in_campaign()
def data(request: HttpRequest, visit: Visit, task: str) -> HttpResponse:
    """The blind set of a task, from its date on and with the agreement accepted."""
    del request
    wanted = task_of(visit, task)
    if not visit.sight.data:
        raise Http404
    test = test_set(visit.state, wanted)
    return download(test.blind, test.blind_name)


@require_POST
@in_campaign("team", "assessor")
def sign(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Accept the agreement by typing one's name."""
    try:
        execute(visit.name, Sign(account=visit.account.name, person=request.POST.get("person", "")), visit.account.name)
    except UsageError as error:
        wrong = Field("person", "Type your full name to accept the agreement", wrong=(sentence(str(error)),))
        return page(request, visit, 422, signature=wrong)
    say(request, "You have accepted the agreement.")
    return redirect("campaign", name=visit.name)
