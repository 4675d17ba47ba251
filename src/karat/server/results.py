"""The results of a campaign: its runs, as somebody may see them, through the studies of the laboratory."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from karat.campaign.definition import Task
from karat.campaign.sight import Sight, seen_as
from karat.campaign.state import Campaign, Run
from karat.server.store import content

if TYPE_CHECKING:
    from karat.data.responses import Responses
    from karat.studies.report.result import Report

MOST_KEPT = 16
"""Reports that are kept in memory."""
_computing = threading.Lock()
"""A report takes seconds of a core; whoever asks for the same one waits for it instead of making it again."""


class Asked(NamedTuple):
    """What a report is made from: equal questions have equal answers."""

    task: Task
    key: str
    seed: str
    title: str
    runs: tuple[tuple[str, str, str, bool], ...]
    """The name of each run, its file, the SHA-256 of that, and whether it is manual."""
    live: bool
    whole: bool
    """With every section, or with the tables and the leaderboard alone."""


def official(
    state: Campaign, task: Task, seeing: Sight | None = None, own: str | None = None, team: str | None = None
) -> dict[str, Run]:
    """The scored runs that count, all or those of a team, by the name under which somebody sees them."""
    found = [run for run in state.active(team, task.name) if run.scores]
    shown = [run.received.team if seeing is None else seen_as(state, run.received.team, seeing, own) for run in found]
    return {f"{name}-{run.received.number}": run for name, run in zip(shown, found, strict=True)}


def responses(state: Campaign, task: Task, runs: Mapping[str, Run], live: bool = False) -> Responses:
    """Runs of a task with the key of its official scores, or of its live board."""
    return _responses(_asked(state, task, runs, live, whole=True))


def report(state: Campaign, task: Task, runs: Mapping[str, Run], *, live: bool = False, whole: bool = False) -> Report:
    """The report on runs of a task: its first screen and tables, or whole."""
    with _computing:
        made = _report(_asked(state, task, runs, live, whole))
    marked = {name for name, run in runs.items() if run.received.team in state.definition.baselines}
    return _with_baselines(made, marked) if marked else made


def _asked(state: Campaign, task: Task, runs: Mapping[str, Run], live: bool, whole: bool) -> Asked:
    sent = {name: run.received.sent for name, run in runs.items()}
    given = tuple((name, one.file, one.sha256, one.manual) for name, one in sent.items())
    title = f"{state.definition.title}: {task.title or task.name}"
    return Asked(task, state.files[task.test], state.seed, title, given, live, whole)


def _responses(asked: Asked) -> Responses:
    from karat.campaign.checking import together
    from karat.server.store import keyed

    test = keyed(asked.task, asked.key, asked.seed)
    files = {name: (file, content(digest)) for name, file, digest, _ in asked.runs}
    made = together(test, files, {name for name, _, _, manual in asked.runs if manual})
    return replace(made, key=test.live) if asked.live and test.live is not None else made


@lru_cache(maxsize=MOST_KEPT)
def _report(asked: Asked) -> Report:
    from karat.studies.report.study import SECTIONS
    from karat.studies.report.study import report as make

    left_out = () if asked.whole else tuple(name for name in SECTIONS if name not in ("score", "compare"))
    return make(_responses(asked), title=asked.title, without=left_out)


def _with_baselines(made: Report, marked: set[str]) -> Report:
    """The report with the runs of baselines marked on its leaderboards."""
    views = []
    for view in made.opening.views:
        flags = {one.run: (*one.flags, *("baseline",) * (one.run in marked)) for one in view.board.entries}
        views.append(replace(view, board=view.board.flagged(flags)))
    return replace(made, opening=replace(made.opening, views=tuple(views)))
