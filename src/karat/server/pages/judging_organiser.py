"""The judging of a task for organisers: give units out, follow the work, close rounds, take the files away."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from karat.campaign.definition import MOST_BYTES, Task
from karat.campaign.events import Stage
from karat.campaign.judging.closing import closed_early
from karat.campaign.judging.kinds import kinds_of
from karat.campaign.judging.work import Work
from karat.campaign.state import Campaign
from karat.errors import DataError, KaratError, UsageError, counted
from karat.server import assigning, developing, importing
from karat.server.making import awaited, patient
from karat.server.pages import Visit, download, in_campaign, say, show, task_of
from karat.server.pages.forms import Field, filled, mark, sentence
from karat.server.pages.judging_told import of_agreement, of_quality, of_rankings, progress, standing
from karat.server.pages.team import listed
from karat.server.pages.words import stages_of
from karat.server.store import material
from karat.server.watching import ranked, soon, watched

PATIENCE = 1.5
"""The seconds for which the page waits for studies; then it says that they are being made."""
NUMBERS = {"per_unit": (1, 1000), "sample": (1, 100_000), "repeats": (0, 100_000), "planted": (0, 100_000)}
"""The fields that are numbers, with the lowest and the highest."""


@require_safe
@in_campaign("organiser")
def judging(request: HttpRequest, visit: Visit, task: str) -> HttpResponse:
    """How far the judging is, and what it says so far."""
    return _page(request, visit, task_of(visit, task))


def _page(request: HttpRequest, visit: Visit, task: Task, status: int = 200, **facts: Any) -> HttpResponse:
    state, stages = visit.state, tuple(kinds_of(task))
    if not stages:
        raise Http404
    work, told = state.work_of(task.name), assigning.counts(visit.name, task.name)
    people = [name for name, one in state.members.items() if one.role != "team"]
    with patient(PATIENCE):
        watching, making = soon(partial(watched, state, task))
        ranking, making_rankings = soon(partial(ranked, state, task))
    seen = None if watching is None else watching.answer
    begun, about = told["ballots"] > 0, material(state, task)
    agreement = {one.name for kind in kinds_of(task).values() for one in kind.votes} - {"ballots"}
    facts = {
        "task": task,
        "told": told,
        "people": progress(state, task, told, None if seen is None else seen.quality),
        "standing": standing(told),
        "stages": [
            (stage, word, stage in work.closed, closed_early(state, task, stage, visit.now))
            for stage, word in stages_of(task).items()
        ],
        "making": begun and making,
        "agreement_at": None if watching is None or watching.current else watching.at,
        "rankings_at": None if ranking is None or ranking.current else ranking.at,
        "agreement": of_agreement(seen),
        "quality": of_quality(state, task, seen),
        "rankings": of_rankings(None if ranking is None else ranking.answer),
        "making_rankings": making_rankings,
        "assessors": [(name, name in request.POST.getlist("assessor")) for name in people],
        "assigning": _assigning(state.definition.judging.per_unit, stages_of(task)),
        "reassigning": _reassigning(work, stages_of(task), people),
        "bringing": _bringing("ratings" in stages),
        "norming": any(stage == "norming" for stage, _ in work.queues) and not work.revealed,
        "files": [(one, one.lacks(about)) for one in assigning.files(task).values() if one.name not in agreement],
        "scores": _scores(state, task),
        "rated": "labels" not in stages,
        "developed": developing.told_of(visit.name, task.name)
        if any(one == "development" for one, _ in work.queues)
        else None,
        "opened": visit.now >= state.definition.dates.opens,
    } | facts
    response: HttpResponse = show(request, "judging_organiser", visit, status, **facts)
    return response


def _scores(state: Campaign, task: Task) -> dict[str, Any] | None:
    """By which judgments the runs are scored, and what is missing; None where no answers are judged."""
    if not task.asks:
        return None
    from karat.server.closing import prepared, standing  # here: it loads scipy

    with patient(PATIENCE):
        made, _ = soon(lambda: awaited(standing.of((state.head, task.name), lambda: prepared(state, task))))
    runs = state.active(task=task.name)
    return {
        "by": [name for name, _ in state.judged_by(task.name)],
        "version": len(state.keys),
        "scored": sum(bool(run.scores) for run in runs),
        "runs": len(runs),
        "missing": None if made is None else [sentence(one) for one in made.missing],
    }


def _assigning(per_unit: int, stages: Mapping[Stage, str]) -> list[Field]:
    rated, labelled = "ratings" in stages, "labels" in stages
    made = [
        Field("stage", "What is judged", "select", choices=[*stages.items()]),
        Field(
            "per_unit", "Assessors for each unit", "number", required=False, help=f"{per_unit} if nothing is entered."
        ),
    ]
    if rated:
        made.append(Field("sample", "Draw a sample of so many pairs", "number", required=False))
    if labelled:
        repeats = "Units that each assessor gets a second time, to see whether they agree with themselves."
        planted = "Labelled examples that each assessor gets among the units."
        made += [
            Field("repeats", "Repeated units", "number", required=False, help=repeats),
            Field("planted", "Planted examples", "number", required=False, help=planted),
        ]
    if "preferences" in stages:
        most = "For preferences. All pairs if nothing is entered."
        made.append(Field("sample", "Pairs of answers to a question, at most", "number", required=False, help=most))
    units = "Ids, one per line. All units of the test set if nothing is entered"
    units += "." if rated else "; for adjudication, whatever differs."
    if "development" in stages:
        units += " For new questions, names of series that are not in the test set, such as S1 and S2."
    made.append(Field("units", "Units", "textarea", required=False, help=units))
    made.append(
        Field("file", "Or a file of units", "file", required=False, help="Lines, or a table with a column unit.")
    )
    if labelled:
        made.append(Field("pool", "One pool: units wait for whoever comes first", "checkbox", required=False))
    return made


def _reassigning(work: Work, stages: Mapping[Stage, str], people: list[str]) -> list[Field]:
    dealt = [who for (stage, who), items in work.queues.items() if stage in stages and items]
    holders = list(dict.fromkeys([*dealt, *work.adjudicators]))
    if not holders:
        return []
    choices = [*stages.items()]
    return [
        Field("move.from", "Take the open units of", "select", choices=[(name, name) for name in holders]),
        Field("move.to", "Give them to", "select", required=False, choices=[("", "nobody"), *((n, n) for n in people)]),
        Field("move.stage", "Which", "select", choices=choices),
        Field("move.reason", "Reason", help="The record keeps it.", wide=True),
    ]


def _bringing(rated: bool) -> list[Field]:
    columns = "run, unit, judge, understandable and compelling" if rated else "unit, assessor and label"
    about = (
        f"judgments.jsonl, as it is downloaded here, has judgments of every kind; or a table with columns {columns}."
        f" All of it is taken, or nothing{'' if rated else '; judgments of examples are not'}. At most "
        f"{MOST_BYTES >> 20} MiB."
    )
    return [Field("ballots", "A file of judgments", "file", help=about)]


def _back(visit: Visit, task: Task) -> HttpResponse:
    return redirect("judging", name=visit.name, task=task.name)


def _carried_out(
    request: HttpRequest, visit: Visit, task: Task, form: str, fields: list[Field], do: Any, done: str
) -> HttpResponse:
    """Do something, and say so; if it cannot be done, show the form with what is wrong."""
    try:
        do()
    except DataError as error:
        return _page(request, visit, task, 422, **{form: fields}, trouble=form, **listed(error.problems))
    except KaratError as error:
        return _page(request, visit, task, 422, **{form: fields}, trouble=form, wrong=sentence(str(error)))
    say(request, done)
    return _back(visit, task)


@require_POST
@in_campaign("organiser")
def assign(request: HttpRequest, visit: Visit, task: str) -> HttpResponse:
    """Give units to assessors."""
    wanted, given = task_of(visit, task), request.POST
    stages = tuple(kinds_of(wanted))
    fields = filled(_assigning(visit.state.definition.judging.per_unit, stages_of(wanted)), given)
    numbers: dict[str, int | None] = {}
    for name, (low, high) in NUMBERS.items():
        text = given.get(name, "").strip()
        numbers[name] = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None
        if text and not low <= (-1 if numbers[name] is None else numbers[name] or 0) <= high:
            fields = mark(fields, name, f"Expected a number from {low} to {high:,}.")
    if given.get("stage") not in stages:
        fields = mark(fields, "stage", f"Expected {' or '.join(stages)}.")
    if any(one.wrong for one in fields):
        return _page(request, visit, wanted, 422, assigning=fields, trouble="assigning")

    def carry_out() -> None:
        lines = given.get("units", "").split("\n")
        units = [line.strip() for line in lines if line.strip()]
        if (sent := request.FILES.get("file")) is not None:
            if units:
                raise UsageError("units were entered and a file of units was chosen: give one or the other")
            units = importing.listed_units(sent.name or "units", sent.read())
        assigning.assign(
            visit.name,
            wanted.name,
            given.getlist("assessor"),
            stage=given["stage"],
            units=units or None,
            shared="pool" in given,
            actor=visit.account.name,
            **numbers,
        )

    return _carried_out(request, visit, wanted, "assigning", fields, carry_out, "The units are given out.")


@require_POST
@in_campaign("organiser")
def reassign(request: HttpRequest, visit: Visit, task: str) -> HttpResponse:
    """Take the open units of an assessor, and give them to another."""
    wanted, given = task_of(visit, task), request.POST
    people = [name for name, one in visit.state.members.items() if one.role != "team"]
    fields = filled(_reassigning(visit.state.work_of(task), stages_of(wanted), people), given)
    if not fields or any(one.wrong for one in fields):
        return _page(request, visit, wanted, 422, reassigning=fields, trouble="reassigning")
    to = [given["move.to"]] if given.get("move.to") else []

    def carry_out() -> None:
        stage: Any = given["move.stage"]
        assigning.reassign(
            visit.name, wanted.name, given["move.from"], to, given["move.reason"], stage, visit.account.name
        )

    done = f"What {given['move.from']} had not judged is taken back" + (f" and given to {to[0]}." if to else ".")
    return _carried_out(request, visit, wanted, "reassigning", fields, carry_out, done)


@require_POST
@in_campaign("organiser")
def set_round(request: HttpRequest, visit: Visit, task: str) -> HttpResponse:
    """Close a round, or open it again."""
    wanted, given = task_of(visit, task), request.POST
    stage: Any = given.get("stage", "")
    if stage not in kinds_of(wanted):
        raise Http404
    opened = "open" in given

    told: dict[str, Any] = {"scores": ""}

    def carry_out() -> None:
        why = given.get("reason", "")
        told.update(assigning.set_round(visit.name, wanted.name, stage, opened, why, visit.account.name))

    done = f"The round is {'open again' if opened else 'closed'} ({stages_of(wanted)[stage]})."
    response = _carried_out(request, visit, wanted, "rounds", [], carry_out, done)
    if told["scores"]:
        say(request, f"{done} {sentence(told['scores'])}")
    return response


@require_POST
@in_campaign("organiser")
def make_questions(request: HttpRequest, visit: Visit, task: str) -> HttpResponse:
    """Make the test set from the series that assessors have finished."""
    wanted = task_of(visit, task)

    def carry_out() -> None:
        developing.make_test_set(visit.name, wanted.name, visit.account.name)

    done = "The test set is made from the finished series, and the round is closed."
    return _carried_out(request, visit, wanted, "questions", [], carry_out, done)


@require_POST
@in_campaign("organiser")
def bring(request: HttpRequest, visit: Visit, task: str) -> HttpResponse:
    """Bring in judgments that were given elsewhere."""
    wanted, sent = task_of(visit, task), request.FILES.get("ballots")
    fields = _bringing("ratings" in kinds_of(wanted))
    if sent is None or sent.size > MOST_BYTES:
        text = "No file was chosen." if sent is None else f"The file has {sent.size:,} bytes."
        return _page(request, visit, wanted, 422, bringing=mark(fields, "ballots", text), trouble="bringing")
    told: dict[str, Any] = {}

    def carry_out() -> None:
        name, raw = sent.name or "ballots", sent.read()
        told.update(importing.import_ballots(visit.name, wanted.name, name, raw, visit.account.name))

    response = _carried_out(request, visit, wanted, "bringing", fields, carry_out, "")
    if told:
        say(request, f"{counted(told['imported'], 'judgment')} brought in; {told['already']:,} already there.")
    return response


WITH_PROGRAMS = "-with-programs"
"""How the name of a file ends that has the judgments of programs too."""


@require_safe
@in_campaign("organiser")
def file(request: HttpRequest, visit: Visit, task: str, what: str) -> HttpResponse:
    """A file of judgments, or what follows from them."""
    del request
    wanted = task_of(visit, task)
    known, name = assigning.files(wanted), what.removesuffix(WITH_PROGRAMS)
    if name not in known or (name != what and not known[name].with_programs):
        raise Http404
    raw = assigning.file_of(visit.name, wanted.name, name, programs=name != what)
    stem, dot, ending = known[name].file.rpartition(".")
    return download(raw, f"{visit.name}-{wanted.name}-{stem}{what.removeprefix(name)}{dot}{ending}")
