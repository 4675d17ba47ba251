"""The page on which people judge: one decision on the screen, whatever kind of judging it is."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from karat.campaign.definition import Task
from karat.campaign.judging.agenda import has_work
from karat.campaign.judging.asking import unasked
from karat.campaign.judging.commands import Summarise
from karat.campaign.judging.kinds import kind_of
from karat.campaign.refusing import refuse
from karat.errors import DataError, KaratError
from karat.server.api import reply, status_of
from karat.server.judging import Sheet, asked, find, judge, next_for, note_shown, undo
from karat.server.pages import Visit, in_campaign, say, show, task_of, text_of
from karat.server.pages.conflicts import CHANGED, Conflict, conflict
from karat.server.pages.forms import sentence
from karat.server.pages.screens import Ending, Screen, acknowledged, draft_of, problem_words
from karat.server.store import execute, material, state_of

FRAGMENT = "X-Karat-Fragment"
"""The header with which the page's own script asks for a unit without the page around it."""
SAVED = "Saved."
DONE = {
    "undo": "Taken back.",
    "skip": "Skipped.",
    "remove": "Taken out of the list.",
    "summarise": "Your summary is stored.",
}
"""What is said after what was done."""
MOST_DIGITS = 9
REMOVED = "removed"
"""Why an entry of a list is judged no more."""


@require_http_methods(["GET", "HEAD", "POST"])
@in_campaign("assessor", "organiser")
def judging(request: HttpRequest, visit: Visit, task: str) -> HttpResponse:
    """The next unit to judge, or a given one; and what becomes of a judgment."""
    wanted = task_of(visit, task)
    return _sent(request, visit, wanted) if request.method == "POST" else _page(request, visit, wanted)


def _page(
    request: HttpRequest, visit: Visit, task: Task, status: int = 200, wrong: str = "", draft: Mapping[str, Any] = {}
) -> HttpResponse:
    """The page, or with the header of its script only what changes from unit to unit."""
    facts: dict[str, Any] = {"task": task, "wrong": wrong}
    if visit.member is None or not has_work(visit.state.work_of(task.name), visit.member.account):
        facts["nothing"] = True
    elif not visit.signed:
        facts["unsigned"] = True
    else:
        facts |= _screen(request, visit, task, draft)
    template = "judge_unit" if request.headers.get(FRAGMENT) else "judge"
    if template == "judge":
        facts["guidelines"] = text_of(visit.state, "guidelines")
    response: HttpResponse = show(request, template, visit, status, **facts)
    return response


def _screen(request: HttpRequest, visit: Visit, task: Task, draft: Mapping[str, Any]) -> dict[str, Any]:
    assert visit.member is not None
    state, who, name = visit.state, visit.member.account, task.name
    asked, after = draft.get("unit") or request.GET.get("unit", ""), request.GET.get("after", "")
    # What is fetched ahead is not shown yet, and whoever looks through other eyes judges nothing.
    note = not visit.looks and "ahead" not in request.GET
    try:
        item = find(state, who, name, asked) if asked else None
        before = find(state, who, name, after) if after else None
    except DataError:
        item = before = None
    item = None if item is None else item.whole
    if item is not None and note:
        note_shown(state, who, name, item)
    item = item or next_for(state, who, name, before, note)
    if item is None:
        return {"end": Ending.of(state, task, who)}
    return {"screen": Screen.of(state, task, who, item, draft)}


def _sent(request: HttpRequest, visit: Visit, task: Task) -> HttpResponse:
    """Carry out what was sent: by the script, which gets JSON, or by a plain form, which leads to the next page."""
    scripted, given = "application/json" in request.headers.get("Accept", ""), request.POST
    try:
        unit = _carry_out(visit, task, given, scripted)
    except KaratError as error:
        problems = error.problems if isinstance(error, DataError) else ()
        text = " ".join(problem_words(one) for one in problems) or sentence(str(error))
        other = _conflict(_now(visit), task, given) if any(one.code == CHANGED for one in problems) else None
        if scripted:
            told = {"accepted": False, "problems": problems, "text": text}
            return reply(told | ({"conflict": other._asdict()} if other else {}), status_of(problems))
        draft = draft_of(given)
        if other is not None:
            undone, listed = given.get("do") == "undo", "/" in draft["unit"]
            text = f"{'Nothing was taken back' if undone else 'Not saved'}. {other.text}"
            if undone or listed:
                draft = {"unit": draft["unit"]}
            text += f" Below is what was said {'there' if undone or listed else 'here: save it to replace the other'}."
        return _page(request, _now(visit), task, 409 if other else 422, text, draft)
    if scripted:
        return reply(acknowledged(state_of(visit.name), task, visit.account.name, unit))
    say(request, DONE.get(given.get("do", ""), SAVED))
    # After an entry, its list is still in hand; so is what was taken back.
    address, where = reverse("judge", kwargs={"name": visit.name, "task": task.name}), given.get("do") == "undo"
    unit, _, entry = unit.partition("/")
    where = where or bool(entry)
    return redirect(f"{address}?{'unit' if where else 'after'}={unit}" if unit else address)


def _conflict(visit: Visit, task: Task, given: Mapping[str, str]) -> Conflict:
    """What was judged in another window since, and here."""
    who = visit.account.name
    item = find(visit.state, who, task.name, given.get("unit", ""))
    return conflict(visit.state, task, who, item, given, draft_of(given)["values"])


def _now(visit: Visit) -> Visit:
    """The visit with the newest state: a judgment was refused because of something that has happened since."""
    return replace(visit, state=state_of(visit.name))


def _carry_out(visit: Visit, task: Task, given: Mapping[str, str], scripted: bool) -> str:
    """Save, skip, take back or summarise; the unit that it was about, if any."""
    who, act = visit.account.name, given.get("do", "save")
    if visit.member is None:
        raise refuse("not-assigned", "a judgment by somebody who is not a member of the campaign")
    if given.get("account", who) != who:
        # A page that was open while somebody else logged in: its judgments are not theirs.
        raise refuse("other-account", f"a judgment by {given['account']}, while {who} is logged in")
    if act == "summarise":
        execute(visit.name, Summarise(task=task.name, account=who, text=given.get("summary", "")), who)
        return ""
    id, unit = given.get("id", ""), given.get("unit", "")
    if act == "undo":
        return str(undo(visit.name, who, task.name, id, unit, given.get("instead_of"))["unit"])
    skipped = given.get("skipped", "").strip() if act == "skip" else REMOVED if act == "remove" else ""
    if act == "skip" and not skipped:
        raise refuse("ballot", "no reason", what="a few words on why you skip it")
    values = {} if skipped else draft_of(given)["values"]
    sheet = Sheet(
        id=id,
        unit=unit,
        values=values,
        guidelines=int(whole) if (whole := given.get("guidelines", "")).isdecimal() and len(whole) < MOST_DIGITS else 0,
        skipped=skipped,
        comment=given.get("comment", ""),
        suggested=given.get("suggested", ""),
        seconds=_seconds(given.get("seconds", "")),
        instead_of=given.get("instead_of"),
    )
    if not scripted and _says_otherwise(visit, task, sheet):
        sheet = sheet._replace(id=str(uuid.uuid4()), instead_of=sheet.id)
    return str(judge(visit.name, who, task.name, sheet, drop=True)["unit"])


def _says_otherwise(visit: Visit, task: Task, sheet: Sheet) -> bool:
    """Whether a form that was stored before comes again with other answers: somebody went back to it."""
    state, who = visit.state, visit.account.name
    known = state.ballot_ids.get(sheet.id)
    if known is None or known[:2] != (task.name, who):
        return False
    ballot = state.work_of(task.name).of(who).get(known[2])
    held = None if ballot is None else (ballot.said.values, ballot.said.skipped, ballot.said.comment)
    gone = set() if sheet.skipped else unasked(asked(state, task, known[2], who), sheet.values)
    values = {name: value for name, value in sheet.values.items() if name not in gone}
    values = kind_of(task, known[2]).complete(material(state, task), known[2], values)
    return held != (values, sheet.skipped, sheet.comment.strip())


def _seconds(given: str) -> float | None:
    """How long a unit was in sight; None if the page does not say."""
    try:
        return float(given)
    except ValueError:
        return None
