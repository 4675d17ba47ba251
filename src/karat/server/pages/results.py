"""Results: what somebody sees of them follows from their sight alone."""

from __future__ import annotations

import io
from collections.abc import Mapping
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from karat.campaign.definition import Task
from karat.campaign.events import SCORED
from karat.campaign.remembered import Remembered
from karat.campaign.sight import alias, seen_as
from karat.campaign.state import Run
from karat.server import result_files, results
from karat.server.making import NotYet, patient
from karat.server.pages import View as Answering
from karat.server.pages import Visit, download, in_campaign, show, task_of
from karat.server.pages.portions import first_asked, others, portion
from karat.server.pages.team import listed
from karat.server.store import content, test_set

if TYPE_CHECKING:
    from karat.data.composite import Board, View
    from karat.data.result import Result, Sheet

PATIENCE = 3.0
"""The seconds for which a request may wait for what is being made; then a page says that it takes a moment."""
AGAIN = 2
"""The seconds after which that page asks again."""
OF_QUESTIONS = 2
"""The tables of answers to questions that are about runs; the others are about questions."""


def _or_later(view: Answering) -> Answering:
    """A view that answers with a page that asks again in a moment, if what it shows is still being made."""

    @wraps(view)
    def answer(request: HttpRequest, visit: Visit, **rest: str) -> HttpResponse:
        try:
            with patient(PATIENCE):
                return view(request, visit, **rest)
        except NotYet:
            response: HttpResponse = show(request, "making", visit, 202)
            response.headers["Refresh"] = str(AGAIN)
            return response

    return answer


@require_safe
@in_campaign()
@_or_later
def overview(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The results of every task."""
    if not visit.has_results:
        raise Http404
    first = first_asked(request)
    tasks = [_task(visit, task, first) for task in visit.state.definition.tasks if task.takes_runs]
    state, own = visit.state, visit.team
    facts: dict[str, Any] = {
        "tasks": tasks,
        "key_version": len(state.keys),
        "newest": state.keys[-1],
        # Why it was replaced can tell a label, so that those who only have a live board do not learn it.
        "reason": state.keys[-1].reason if visit.sight.official else "",
        "anonymous": not visit.sight.names,
        "alias": "" if own is None else alias(state, own),
    }
    return _with_boards(show(request, "results", visit, **facts))


def _task(visit: Visit, task: Task, first: int) -> dict[str, Any]:
    """A task: its leaderboards and tables, as far as they are seen; of the runs, some from a place on."""
    state, seeing, own = visit.state, visit.sight, visit.team
    counting = results.counting(state, task, seeing, own, None if seeing.all_runs else own)
    shown = counting if seeing.all_runs or own else {}
    first = first if first < len(shown) else 0  # of another task, which has more runs
    facts: dict[str, Any] = {
        "task": task,
        "unit": "question" if task.asks else "pair",
        "units": results.units(state, task),
        "scored": sum(bool(run.scores) for run in shown.values()),
        "runs": [_run(visit, name, run) for name, run in portion([*shown.items()], first)],
        "count": len(shown),
        "others": others(len(shown), first),
        "waiting": [name for name, run in shown.items() if run.state != "scored"],
        "live": _live(visit, task) if seeing.live and task.public_share else None,
    }
    if seeing.scores:
        if runs := results.official(state, task, seeing, own):
            made = results.report(state, task, runs)
            facts["views"] = [_view(visit, view, runs) for view in made.opening.views]
            facts["ranked"] = portion(_ranked(made.opening.views[0].board, runs) if made.opening.views else [], first)
            reader = visit.name, task.name, seeing.names or own
            facts["spread"] = _spreads.of(reader, (made,), partial(_numbers, visit, task, (), runs))
            facts["signature"] = made.signature.short if seeing.key else ""
    elif seeing.own_scores and own and results.official(state, task, team=own):
        everybody = results.official(state, task)
        facts["own"] = _numbers(visit, task, results.official(state, task, team=own), everybody)
        facts["few"] = results.few_teams(everybody)
    return facts


_spreads: Remembered[SafeString] = Remembered(8)
"""The table over all runs, which takes long if there are thousands."""


def _run(visit: Visit, name: str, run: Run) -> dict[str, Any]:
    """A run that counts, by the name under which it is seen."""
    seeing, team = visit.sight, seen_as(visit.state, run.received.team, visit.sight, visit.team)
    address = reverse("team-results", kwargs={"name": visit.name, "team": team})
    return {
        "name": name,
        "team": team,
        "page": address if seeing.scores or seeing.own_scores else "",
        "run": run,
        "baseline": run.received.team in visit.state.definition.baselines,
        "file": results.file_of(name, run),
    }


def _ranked(board: Board, runs: Mapping[str, Run]) -> list[tuple[int, str, str]]:
    """The place of each run by its value alone, and that value, if the board cannot show all runs; otherwise nothing.

    Equal values have equal places.
    """
    if not board.left_out:
        return []
    found = {name: run.scores.get(board.way or "", {}).get(board.measure) for name, run in runs.items()}
    known = sorted(((name, value) for name, value in found.items() if value is not None), key=lambda one: -one[1])
    places = {value: place for place, (_, value) in reversed([*enumerate(known, 1)])}
    return [(places[value], name, board.said(value)) for name, value in known]


def _limited(board: Board, runs: Mapping[str, Run]) -> str:
    """What the board says nothing about, if there are more runs than are compared."""
    if not board.left_out:
        return ""
    return (
        f"Of {len(runs):,} runs with scores, the board has the {len(board.entries):,} that are compared with each "
        "other; its ranks are among those."
    )


def _view(visit: Visit, view: View, runs: Mapping[str, Run], linked: bool = True) -> dict[str, Any]:
    """One way of scoring: what is said about it, and its leaderboard."""
    from karat.render.escaped import prose
    from karat.render.leaderboard import board_names, leaderboard

    short = board_names(view.board.runs)
    shown = [(one.run, runs[one.run]) for one in view.board.entries if linked and one.run in runs]
    links = {name: page for name, run in shown if (page := _run(visit, name, run)["page"])}
    manual = {name for name, run in runs.items() if run.received.sent.manual}
    way = SCORED.get(view.board.way or "", "").capitalize()
    return {
        "way": way,
        "heading": f"{way.lower()} {view.board.heading}".strip(),
        "verdict": mark_safe(prose(view.verdict, short=short)),
        "limited": _limited(view.board, runs),
        "resolution": mark_safe(prose(view.resolution, short=short)),
        "board": mark_safe(leaderboard(view.board, links, f"{way} {view.board.heading}", manual)),
        "manual": bool(manual),
        "baseline": any(run.received.team in visit.state.definition.baselines for run in runs.values()),
    }


def _live(visit: Visit, task: Task) -> dict[str, Any]:
    """The live board: scores on the public share alone."""
    state = visit.state
    runs = results.official(state, task, visit.sight, visit.team)
    made = results.report(state, task, runs, live=True) if runs else None
    return {
        "views": [_view(visit, view, runs, linked=False) for view in made.opening.views] if made else [],
        "units": results.units(state, task, live=True),
        "same": test_set(state, task).live is test_set(state, task).scored,
    }


def _numbers(visit: Visit, task: Task, shown: Mapping[str, Run] | tuple[()], among: Mapping[str, Run]) -> SafeString:
    """Every measure of some runs, beside those of all of them where they can be told."""
    from karat.studies.score.result import Evaluation
    from karat.studies.score.spread import numbers

    made = results.scored(visit.state, task, among)
    if not isinstance(made, Evaluation):
        made = results.scored(visit.state, task, {name: among[name] for name in shown} or among)
        return _tables(made, made.sheets()[:OF_QUESTIONS])
    return _tables(made, numbers(made, tuple(shown), results.spread(made, among, visit.sight)))


def _tables(result: Result, sheets: list[Sheet]) -> SafeString:
    from html import escape

    from karat.render.html import table

    why = "; ".join(result.reasons_shown(sheets))
    note = f'<p class="note">– stands for no value: {escape(why)}.</p>' if why else ""
    return mark_safe("".join(table(sheet, 3) for sheet in sheets) + note)


def _with_boards(response: Any) -> HttpResponse:
    """The page with a policy that allows the positions of dots and intervals, which are attributes; nothing else."""
    policy = "; ".join(f"{name} {' '.join(sources)}" for name, sources in settings.SECURE_CSP.items())
    response.headers["Content-Security-Policy"] = f"{policy}; style-src-attr 'unsafe-inline'"
    made: HttpResponse = response
    return made


def _team(visit: Visit, name: str) -> str:
    """The team that is seen under a name; 404 if its results are not seen."""
    state, seeing = visit.state, visit.sight
    for team in state.teams:
        if seen_as(state, team, seeing, visit.team) == name:
            own = team == visit.team and seeing.own_scores
            if own or seeing.manage or (seeing.scores and state.active(team)):
                return team
    raise Http404


@require_safe
@in_campaign()
@_or_later
def team_results(request: HttpRequest, visit: Visit, team: str) -> HttpResponse:
    """All numbers of a team."""
    found = _team(visit, team)
    tasks = [_task_of_team(visit, task, found) for task in visit.state.definition.tasks if task.takes_runs]
    trusted = visit.sight.manage or found == visit.team or (visit.sight.all_runs and visit.sight.names)
    facts: dict[str, Any] = {
        "shown": team,
        "tasks": [one for one in tasks if one["runs"]],
        "report": visit.state.teams[found].report if trusted else None,
        "key_version": len(visit.state.keys),
        # What a file is called, and so what is said about it, could tell who the team is.
        "warned": trusted,
        "baseline": found in visit.state.definition.baselines,
    }
    response: HttpResponse = show(request, "team_results", visit, **facts)
    return response


def _task_of_team(visit: Visit, task: Task, team: str) -> dict[str, Any]:
    """The runs of a team in a task, with every measure, how they stand, and what was warned about."""
    from karat.render.leaderboard import standing

    state, seeing, own = visit.state, visit.sight, visit.team
    counting = results.counting(state, task, seeing, own, team)
    runs = {name: run for name, run in counting.items() if run.scores}
    facts: dict[str, Any] = {"task": task, "runs": [_run(visit, name, run) for name, run in counting.items()]}
    facts["warnings"] = [(name, listed(run.received.warnings)) for name, run in counting.items()]
    if not runs:
        return facts
    everybody = results.official(state, task, seeing, own) if seeing.scores else results.official(state, task)
    made = results.report(state, task, everybody)
    facts["numbers"] = _numbers(visit, task, runs, everybody)
    labels = made.of("score")
    counted = [(run, labels.contingency(run)) for run in runs] if labels else []
    facts["counted"] = [(run, _tables(made, sheets)) for run, sheets in counted if sheets]
    facts["ranked"] = [(run, f"{value:.3f}") for run, value in results.ranked(runs).items()]
    facts["units"] = results.units(state, task)
    facts["errors"] = seeing.key
    if seeing.scores:
        boards = [(SCORED.get(view.board.way or "", "").capitalize(), view.board) for view in made.opening.views]
        lines = [(run, way, standing(board, run)) for run in runs for way, board in boards]
        facts["standing"] = [line for line in lines if line[2]]
    return facts


@require_safe
@in_campaign()
@_or_later
def task_report(request: HttpRequest, visit: Visit, task: str) -> HttpResponse:
    """The whole report on the runs of a task."""
    del request
    wanted = task_of(visit, task)
    return _report(visit, wanted, results.official(visit.state, wanted, visit.sight, visit.team))


@require_safe
@in_campaign()
@_or_later
def team_report(request: HttpRequest, visit: Visit, team: str, task: str) -> HttpResponse:
    """The whole report on the runs of one team, with every error."""
    del request
    found, wanted = _team(visit, team), task_of(visit, task)
    runs = results.official(visit.state, wanted, visit.sight, visit.team, found)
    return _report(visit, wanted, runs, own=found == visit.team)


def _report(visit: Visit, task: Task, runs: Mapping[str, Run], own: bool = False) -> HttpResponse:
    """A report, which shows the key."""
    if not (visit.sight.key and (own or visit.sight.scores) and runs):
        raise Http404
    from karat.render.page import SCRIPT, linked_back, policy

    back = reverse("results", kwargs={"name": visit.name})
    response = HttpResponse(linked_back(results.page(visit.state, task, runs), back, "← Back to the campaign"))
    # In a sandbox: if anything in it were a script after all, it could not act for whoever reads it.
    response.headers["Content-Security-Policy"] = (
        f"{policy(SCRIPT)}; frame-ancestors 'none'; sandbox allow-scripts allow-downloads"
    )
    return response


@require_safe
@in_campaign()
def key(request: HttpRequest, visit: Visit, task: str) -> HttpResponse:
    """The key of a task, or the judgments of its answers."""
    wanted, version = task_of(visit, task), request.GET.get("version", "")
    if not visit.sight.key:
        raise Http404
    if version:
        known = {str(number): key.tests.get(wanted.name) for number, key in enumerate(visit.state.keys, 1)}
        if (digest := known.get(version)) is None:
            raise Http404
        return download(content(digest), f"{wanted.name}-key-{version}{results.ending(wanted.test)}")
    if wanted.name in visit.state.judgments:
        files = results.judgments(visit.state, wanted, visit.sight, visit.team)
        chosen = request.GET.get("file", next(iter(files)))
        if chosen not in files:
            raise Http404
        return download(files[chosen], f"{wanted.name}-{chosen}")
    file = visit.state.files[wanted.test]
    return download(content(file), f"{wanted.name}-key{results.ending(wanted.test)}")


@require_safe
@in_campaign()
@_or_later
def files(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Everything that whoever asks may see, as an archive of plain files."""
    if not visit.has_results:
        raise Http404
    del request
    archive = io.BytesIO(result_files.packed(visit.state, result_files.Reader(visit.sight, visit.team)))
    return FileResponse(archive, as_attachment=True, filename=f"{visit.name}-results.zip")
