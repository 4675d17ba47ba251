"""By which judgments the runs of a task can be scored: those of rounds that are closed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from karat.campaign.definition import Task
from karat.campaign.events import Stage
from karat.campaign.judging.kinds import kinds_of
from karat.campaign.judging.kinds.answer_lists import ungrouped
from karat.campaign.judging.library import Material
from karat.campaign.judging.work import Work
from karat.campaign.releasing import still_open
from karat.campaign.state import SCORED_BY, Campaign
from karat.errors import counted

FED_BY: Mapping[str, tuple[Stage, ...]] = {
    "verdicts": ("labels", "adjudication", "lists"),
    "nuggets": ("nuggets", "matches"),
    "matches": ("nuggets", "matches"),
    "quality": ("quality",),
}
"""The rounds that each file of judgments comes from."""
WHOLE: tuple[Stage, ...] = ("lists", "nuggets", "matches")
"""Rounds of which everything has to be judged: what nobody has looked at would count as not there."""
NEEDED: Mapping[str, tuple[Stage, ...]] = {
    "FACTOID": ("labels",),
    "LIST": ("labels", "lists"),
    "OTHER": ("matches",),
}
"""The rounds without which no question of a type can be scored; lists of nuggets can come from a file."""


def _scored_by(task: Task) -> dict[Stage, None]:
    """The rounds by which the runs of a task are scored."""
    kinds = kinds_of(task)
    return {one: None for name in SCORED_BY.get(task.kind, ()) for one in FED_BY[name] if one in kinds}


def open_rounds(state: Campaign, task: Task) -> list[str]:
    """The rounds that are open, though runs are scored by them, with what is not judged there."""
    work, kinds, told = state.work_of(task.name), kinds_of(task), []
    for stage in _scored_by(task):
        if _given_out(work, stage) and stage not in work.closed:
            count = _left(work, stage)
            told.append(kinds[stage].title.lower() + f" ({count:,} not judged)" * bool(count))
    return told


def closed_early(state: Campaign, task: Task, stage: Stage, now: datetime) -> str:
    """Why it is too early to close a round by which runs are scored; empty if it is not."""
    can_submit = still_open(state, now) if stage in _scored_by(task) else ""
    return f"{can_submit}, and runs that come in later would have answers that nobody has judged" if can_submit else ""


class Ready(NamedTuple):
    """What runs can be scored by now, and what is missing until they can be scored by the rest."""

    files: tuple[str, ...]
    missing: tuple[str, ...]


def ready(material: Material) -> Ready:
    """The files of judgments that are complete, as far as the rounds tell."""
    work, kinds = material.work, kinds_of(material.task)
    files, missing, must = [], dict[str, None](), _needed(material)
    for name in SCORED_BY.get(material.task.kind, ()):
        rounds = [stage for stage in FED_BY[name] if stage in kinds]
        held = [stage for stage in rounds if _given_out(work, stage)]
        needed = [stage for stage in rounds if stage in must]
        if not needed:  # no question asks for it
            continue
        lacking = [f"nothing is given out yet: {kinds[one].title.lower()}" for one in needed if one not in held]
        lacking += [f"the round is open: {kinds[one].title.lower()}" for one in held if one not in work.closed]
        lacking += [
            f"{count:,} not judged: {kinds[one].title.lower()}"
            for one in held
            if one in WHOLE and one in work.closed and (count := _left(work, one))
        ]
        bare = ungrouped(material) if name == "verdicts" and {"labels", "lists"} <= work.closed else []
        differ = sum(unit in work.disputed for unit in bare)
        left = len(bare) - differ
        lacking += [f"{counted(differ, 'list')} whose groups differ, and nobody has decided"] * bool(differ)
        lacking += [f"{counted(left, 'list')} with answers that nobody has grouped"] * bool(left)
        missing.update(dict.fromkeys(lacking))
        if not lacking:
            files.append(name)
    return Ready(tuple(files), tuple(missing))


def _needed(material: Material) -> set[Stage]:
    """The rounds that the questions of a task need."""
    if material.task.kind != "questions":
        return {"matches", "quality"}
    return {stage for one in material.questions.questions for stage in NEEDED[one.type]}


def _given_out(work: Work, stage: Stage) -> bool:
    if stage == "adjudication":
        return bool(work.adjudicators)
    dealt = any(one == stage and items for (one, _), items in work.queues.items())
    return dealt or any(pool.stage == stage and pool.items for pool in work.pools)


def _left(work: Work, stage: Stage) -> int:
    """How much of a round somebody has not judged, or all who have it skipped."""
    held: dict[tuple[str, str], list[bool | None]] = {}
    for (one, who), items in work.queues.items():
        for item in items if one == stage else ():
            ballot = work.of(who).get(item)
            held.setdefault((item.unit, item.run), []).append(None if ballot is None else not ballot.said.skipped)
    return sum(None in said or True not in said for said in held.values())
