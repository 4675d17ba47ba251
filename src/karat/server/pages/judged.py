"""What surrounds the judging page: guidelines, the results of examples, the discussion of votes, and the outcomes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from karat.campaign.definition import Task
from karat.campaign.events import Item
from karat.campaign.guidelines import GuidelinesVersion, changes
from karat.campaign.judging import told
from karat.campaign.judging.agenda import Attempt, attempt, needed
from karat.campaign.judging.commands import Remark, Reveal
from karat.campaign.judging.dealing import token
from karat.campaign.judging.kinds import kinds_of
from karat.campaign.judging.kinds.pairs import texts
from karat.campaign.judging.work import Ballot
from karat.campaign.state import Campaign
from karat.errors import KaratError, Problems
from karat.formats.documents import document_of
from karat.server.norming import agreement
from karat.server.pages import Visit, in_campaign, say, show, task_of
from karat.server.pages.forms import sentence
from karat.server.pages.questions import WORDS
from karat.server.store import content, execute, material

STANDINGS = {
    "open": "not everybody has labelled it",
    "agreed": "all who gave a label gave this one",
    "disputed": "the labels differ, and nobody has decided yet",
    "undecided": "too few gave a label",
    "adjudicated": "the labels differed, and the adjudicator decided",
}
"""Where a unit stands, in words."""
REASONS = {"error": "an error", "difference": "a legitimate difference"}


class Link(NamedTuple):
    """Where something is to be read."""

    words: str
    address: str
    note: str = ""


def around(visit: Visit) -> list[Link]:
    """What there is beside the judging page for whoever asks, task by task."""
    if not visit.sight.judge:
        return []
    links = []
    for task in visit.state.definition.tasks:
        name, state, who = task.name, visit.state, _who(visit)
        work, place = state.work_of(name), {"name": visit.name, "task": name}
        title = task.title or name
        if told.attempts(state, name, who) or (visit.organises and _beginners(state, name)):
            links.append(Link(f"{title}: results of the examples", reverse("qualification", kwargs=place)))
        if who in told.voters(work) or (visit.organises and told.voters(work)):
            note = "the votes have been shown" if work.revealed else "the votes have not been shown yet"
            links.append(Link(f"{title}: discussion of the norming round", reverse("discussion", kwargs=place), note))
        if own := told.outcomes(state, name, who):
            overruled = sum(one.overruled for one in own)
            note = f"{overruled} decided otherwise" if overruled else "none decided otherwise"
            links.append(Link(f"{title}: what became of your labels", reverse("outcomes", kwargs=place), note))
    return links


def _who(visit: Visit) -> str:
    """The account whose judging is shown."""
    return visit.account.name if visit.member is None else visit.member.account


def _beginners(state: Campaign, task: str) -> list[str]:
    """Everybody who qualifies by examples."""
    return [who for stage, who in state.work_of(task).queues if stage == "qualification"]


@require_safe
@in_campaign("assessor", "organiser")
def guidelines(request: HttpRequest, visit: Visit, version: int | None = None) -> HttpResponse:
    """A version of the guidelines, by default the newest, and what changed since the one before."""
    versions = visit.state.guidelines
    if version is not None and not 1 <= version <= len(versions):
        raise Http404
    number = len(versions) if version is None else version
    read = [_text(one) for one in versions[max(0, number - 2) : number]]
    facts: dict[str, Any] = {"versions": list(reversed(list(enumerate(versions, 1)))), "number": number}
    facts["former"] = number - 1
    if versions:
        facts |= {"chosen": versions[number - 1], "text": read[-1], "newest": number == len(versions)}
        facts["changes"] = changes(*read) if len(read) > 1 else []
    response: HttpResponse = show(request, "guidelines", visit, **facts)
    return response


def _text(version: GuidelinesVersion) -> str:
    problems = Problems()
    document = document_of(version.file, content(version.sha256), problems)
    return "" if document is None else document.text(problems) or ""


@require_safe
@in_campaign("assessor", "organiser")
def qualification(request: HttpRequest, visit: Visit, task: str) -> HttpResponse:
    """What became of one's attempts to qualify; for organisers, of those of everybody."""
    wanted, state = _judged(visit, task), visit.state
    names = _beginners(state, task) if visit.organises else [_who(visit)]
    people = [_tried(state, wanted, who) for who in names]
    own = next((one for one in people if one["who"] == _who(visit)), None)
    judge = _judge(visit, task)
    response: HttpResponse = show(request, "qualification", visit, task=wanted, people=people, own=own, judge=judge)
    return response


def _tried(state: Campaign, task: Task, who: str) -> dict[str, Any]:
    """The attempts of somebody: those that are over with every label, the one that is not with its count alone."""
    newest = attempt(state, task.name, who)
    over = told.attempts(state, task.name, who)
    return {
        "who": who,
        "newest": newest,
        "begun": newest is not None and not newest.over and newest.done,
        "needed": 0 if newest is None else needed(state, len(newest.items)),
        "over": [(one, _compared(state, task, who, one)) for one in reversed(over)],
        "passed": any(one.passed for one in over),
    }


def _compared(state: Campaign, task: Task, who: str, one: Attempt) -> list[dict[str, Any]]:
    pairs, mine = material(state, task).examples, state.work_of(task.name).of(who)
    return [
        {
            "pair": texts(pairs, item.unit),
            "ballot": mine[item],
            "expected": mine[item].said.expected,
            "right": mine[item].label == mine[item].said.expected,
        }
        for item in one.items
    ]


def _labelled(state: Campaign, task: Task, unit: str) -> dict[str, Any]:
    """A unit as whoever labels it sees it, and by which template; of a pair, its texts."""
    kind = kinds_of(task)["labels"]
    told = kind.show(material(state, task), Item("labels", unit), "")
    return told if kind.shows == "pair" else told | {"template": f"karat/show/{kind.shows}.html"}


@require_http_methods(["GET", "HEAD", "POST"])
@in_campaign("assessor", "organiser")
def discussion(request: HttpRequest, visit: Visit, task: str) -> HttpResponse:
    """The votes of a norming round after the reveal, what is said about them, and whether they agree."""
    wanted = _judged(visit, task)
    if request.method != "POST":
        return _discussion(request, visit, wanted)
    unit = ""
    try:
        if visit.organises and request.POST.get("do") == "reveal":
            execute(visit.name, Reveal(task=task), visit.account.name)
            say(request, "Everybody who voted can see the votes now.")
            return redirect("discussion", name=visit.name, task=task)
        unit = request.POST.get("unit", "")
        said = Remark(task=task, unit=_unit(visit, task, unit), account=_who(visit), text=request.POST.get("text", ""))
        execute(visit.name, said, visit.account.name)
    except KaratError as error:
        return _discussion(request, visit, wanted, 422, wrong=sentence(str(error)), at=unit)
    say(request, "Your remark is there.")
    return redirect(f"{reverse('discussion', kwargs={'name': visit.name, 'task': task})}#unit-{unit}")


def _unit(visit: Visit, task: str, name: str) -> str:
    """The unit behind the name in a form; empty if none of the discussion has it."""
    units = told.in_discussion(visit.state.work_of(task))
    return next((unit for unit in units if token(visit.state.seed, task, Item("norming", unit)) == name), "")


def _discussion(
    request: HttpRequest, visit: Visit, task: Task, status: int = 200, wrong: str = "", at: str = ""
) -> HttpResponse:
    state, who = visit.state, _who(visit)
    work, name = state.work_of(task.name), task.name
    voters = told.voters(work)
    facts: dict[str, Any] = {"task": task, "voters": voters, "votes": who in voters, "wrong": wrong, "at": at}
    facts["noun"] = _noun(task)
    facts["units"] = [
        _shown(visit, task, one, request.POST.get("text", "") if at else "", at)
        for one in (told.discussion(state, name, who) if who in voters or visit.organises else ())
    ]
    counted = [(one, *_voted(state, name, one)) for one in (voters if visit.organises else [who])]
    facts["counts"], facts["ready"] = counted, all(done == total for _, done, total in counted)
    if visit.organises and work.revealed:
        facts["agreement"] = [
            ("Blind votes", agreement(state, task, 1)),
            ("Votes after the discussion", agreement(state, task, 2)),
        ]
    facts["revealed"], facts["judge"] = work.revealed, _judge(visit, name)
    response: HttpResponse = show(request, "discussion", visit, status, **facts)
    return response


def _voted(state: Campaign, task: str, who: str) -> tuple[int, int]:
    """On how many units somebody has voted before the reveal, and of how many."""
    work = state.work_of(task)
    items = work.queues.get(("norming", who), ())
    return sum(item in work.of(who) for item in items), len(items)


def _shown(visit: Visit, task: Task, one: told.Discussed, draft: str, at: str) -> dict[str, Any]:
    seed, name = visit.state.seed, token(visit.state.seed, task.name, Item("norming", one.unit))
    return {
        "name": name,
        "pair": _labelled(visit.state, task, one.unit),
        "of": one,
        "commented": any(vote.ballot.said.comment for vote in one.votes),
        "votes": [(vote, _given(vote.ballot)) for vote in one.votes],
        "again": "" if one.again is None else _given(one.again),
        "link": f"{_judge(visit, task.name)}?unit={token(seed, task.name, Item('norming', one.unit, copy=2))}",
        "draft": draft if name == at else "",
    }


def _given(ballot: Ballot) -> str:
    """What somebody said, in words."""
    return WORDS.get(ballot.label, ballot.label) if ballot.label else f"skipped: {ballot.said.skipped}"


@require_safe
@in_campaign("assessor", "organiser")
def outcomes(request: HttpRequest, visit: Visit, task: str) -> HttpResponse:
    """What became of one's labels, once the round is closed."""
    wanted = _judged(visit, task)
    own = told.outcomes(visit.state, task, _who(visit))
    facts: dict[str, Any] = {"task": wanted, "closed": own is not None, "rows": [], "noun": _noun(wanted)}
    if own is not None:
        facts["rows"] = [_outcome(visit.state, wanted, one) for one in sorted(own, key=lambda one: not one.overruled)]
        facts["overruled"] = sum(one.overruled for one in own)
    response: HttpResponse = show(request, "outcomes", visit, **facts)
    return response


def _outcome(state: Campaign, task: Task, one: told.Own) -> dict[str, Any]:
    said: Iterable[str] = (REASONS.get(one.decision.get("reason", ""), ""), one.decision.get("kind", ""))
    return {
        "pair": _labelled(state, task, one.unit),
        "of": one,
        "given": _given(one.given),
        "label": "" if one.label is None else WORDS.get(one.label, one.label),
        "standing": STANDINGS[one.standing],
        "why": ", ".join(part for part in said if part),
        "note": one.decision.get("note", ""),
    }


def _noun(task: Task) -> str:
    """What is labelled."""
    return "answer" if task.kind == "questions" else "pair"


def _judged(visit: Visit, task: str) -> Task:
    """A task, for somebody who can judge; 404 for all others."""
    if not visit.sight.judge:
        raise Http404
    return task_of(visit, task)


def _judge(visit: Visit, task: str) -> str:
    """The address of the judging page."""
    return f"{reverse('campaign', kwargs={'name': visit.name})}tasks/{task}/judge/"
