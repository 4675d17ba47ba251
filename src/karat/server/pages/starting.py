"""A first campaign from nothing but a key file."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any
from zoneinfo import available_timezones

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from karat.campaign.checking import read_test
from karat.campaign.definition import Definition, Task, build
from karat.errors import DataError, Problem, UsageError
from karat.server.developing import UNWRITTEN, UNWRITTEN_NAME
from karat.server.operations import create
from karat.server.pages import LOOKING, host_only, say, show
from karat.server.pages.forms import Field, filled, in_words, mark, sentence, wrong
from karat.server.store import names, now

ZONES = tuple((zone, zone) for zone in sorted(available_timezones()) if "/" in zone or zone == "UTC")
GUESSES: tuple[dict[str, Any], ...] = (
    {"name": "three-way", "title": "Three-way entailment", "way": 3},
    {"name": "two-way", "title": "Two-way entailment", "way": 2},
    {"name": "questions", "title": "Questions", "kind": "questions"},
)
"""What a key file can be for, the likeliest first."""


def start_fields() -> list[Field]:
    """What has to be known about a new campaign."""
    today = now().replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    opens, closes = today + timedelta(days=7), today + timedelta(days=22) - timedelta(seconds=1)
    return [
        Field(
            "key",
            "Key file",
            "file",
            help="The test set with its labels, or the questions of a QA task.",
            required=False,
        ),
        Field("develop", "No file yet: assessors will write series of questions here", "checkbox", required=False),
        Field("title", "Title", help="As in “Recognising Textual Entailment, spring 2027”."),
        Field(
            "name",
            "Short name (optional)",
            required=False,
            help="Used in addresses and commands. If empty, it is made from the title.",
        ),
        Field("zone", "Time zone", "select", "UTC", "The zone of the times below.", choices=ZONES),
        Field("opens", "Submissions open", "datetime-local", opens.isoformat(), "Until then, you can change the key."),
        Field("closes", "Submissions close", "datetime-local", closes.isoformat()),
    ]


@require_POST
@host_only
def start(request: HttpRequest) -> HttpResponse:
    """Make a campaign; every problem is shown at once, and what was entered is kept."""
    from karat.server.pages.front import welcome_facts

    given, sent = request.POST, request.FILES.get("key")
    develop, file = sent is None and given.get("develop") == "yes", UNWRITTEN_NAME if sent is None else sent.name
    fields = filled(start_fields(), given)
    name = given.get("name", "").strip() or re.sub(r"[^a-z0-9]+", "-", given.get("title", "").lower()).strip("-")[:40]
    problems: tuple[Problem, ...] = ()
    try:
        if sent is None and not develop:
            fields = mark(fields, "key", "No file was chosen.")
        definition = _definition(given, name, file)
    except DataError as error:
        fields = _beside(fields, error)
        definition = None
    if name in names():
        fields = mark(fields, "name", f"There is a campaign called {name} already. Choose another name.")
    if sent is not None or develop:
        data = UNWRITTEN if sent is None else sent.read()
        task, problems = guess(file, data)
        if problems:
            fields = mark(fields, "key", "This file cannot be used; see below.")
        elif definition is not None and not wrong(fields):
            definition = msgspec.structs.replace(definition, tasks=(task,))
            try:
                create(definition, lambda _: data, file, request.user.name)
            except UsageError as error:
                fields = mark(fields, "name", sentence(str(error)))
            else:
                request.session.pop(LOOKING, None)  # whoever looked through the example comes back
                say(request, WITHOUT_QUESTIONS if develop else READY)
                return redirect("campaign", name=name)
    return show(request, "welcome", **welcome_facts(request), fields=fields, problems=problems, status=422)


READY = "Your campaign is ready. Invite teams, or add an agreement and further tasks."
WITHOUT_QUESTIONS = "Your campaign is ready. Invite assessors, and give them series of questions to write."


def _definition(given: Any, name: str, file: str) -> Definition:
    dates = {key: given.get(key, "").strip() for key in ("opens", "closes")}
    table = {
        "name": name,
        "title": given.get("title", "").strip(),
        "zone": given.get("zone", "").strip(),
        "dates": dates,
        "tasks": [{"name": "task", "test": file}],
    }
    return build(table, "the form")


def guess(file: str, data: bytes) -> tuple[Task | None, tuple[Problem, ...]]:
    """The task that a key file is for, or what is wrong with it as the likeliest one."""
    first: tuple[Problem, ...] = ()
    for facts in GUESSES:
        task = Task(test=file, **facts)
        try:
            read_test(task, data)
        except DataError as error:
            first = first or error.problems
        else:
            return task, ()
    return None, first


def _beside(fields: list[Field], error: DataError) -> list[Field]:
    """Fields with the problems of a definition beside them, unless they are known to be empty."""
    for problem in error.problems:
        path, _, found = problem.found.partition(": ")
        name = path.rpartition(".")[2]
        if not any(one.wrong for one in fields if one.name == name):
            fields = mark(fields, name, in_words(replace(problem, found=found)))
    return fields
