"""What stands on the judging page: a unit with its questions, or the end of the work; and all of that in words."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from msgspec.structs import replace

from karat.campaign.definition import Task
from karat.campaign.events import Item
from karat.campaign.judging.agenda import agenda, has_work, last_judged, needed, waiting_items
from karat.campaign.judging.dealing import token
from karat.campaign.judging.kinds import kind_of
from karat.campaign.judging.progress import Progress, progress, progresses
from karat.campaign.judging.told import attempts
from karat.campaign.state import Campaign
from karat.errors import Problem
from karat.server.judging import Shown, find, shown
from karat.server.pages.forms import sentence
from karat.server.pages.questions import ANSWER, Entry, Question, question

AHEAD = 5
"""How many units the page fetches before they are needed, so that work goes on without a connection."""
REFUSALS = {
    "not-assigned": "This is not yours to judge any more: somebody else has decided it, or it was taken back.",
    "round-closed": "The round has been closed, so nothing can be saved or changed. The organisers can open it again.",
    "not-qualified": "First come the examples. Reload the page to see them.",
}
"""What has happened while somebody was judging, in the words of the page."""
SHARED = {
    "entry": ("a", "Write a new entry of the list"),
    "next": ("N", "Next"),
    "previous": ("P", "Previous"),
    "open": ("O", "To the next one that is not judged"),
    "undo": ("z", "Undo the last judgment, and show it"),
    "skip": ("S", "Skip it, and say why"),
    "comment": ("C", "A comment, or the note of a decision"),
    "guidelines": ("g", "Guidelines"),
    "leave": ("Esc", "Leave a field, so that keys work again"),
    "help": ("?", "The keys of the page"),
}
"""The keys that are the same on every page, and what they do: no kind of judging uses them for itself.

Capital letters need Shift.
"""
MINUTE, LONG, HOUR = 60.0, 90 * 60.0, 3600.0


@dataclass(frozen=True)
class Screen:
    """A unit as the page shows it."""

    shown: Shown
    title: str
    about: str
    """What this kind of judging is, where its name does not say it."""
    progress: Progress
    questions: tuple[Question, ...]
    entries: tuple[Entry, ...] | None
    """The list so far and the place for a new entry, which is the last; None if no list is asked for."""
    listed: str
    saving: str
    template: str
    """What shows the unit."""
    comment: str
    skipped: str
    skipping: str
    """What it is to skip this; empty if it cannot be skipped."""
    judged: bool
    id: str
    """For the judgment that a plain form sends."""
    previous: str
    following: str
    last: str
    """What can be taken back."""
    last_latest: str
    """The id of what was done last about that."""
    ahead: str
    group: str
    """The same for all justifications of a pair, which are skipped together."""
    guidelines_before: int | None
    """The version at the last judgment, if it has changed since."""
    before_list: bool
    """Whether what is asked about the whole stands before the list."""
    own_keys: tuple[tuple[str, str], ...]
    """The keys of the script of this kind of judging, and what they do."""

    @classmethod
    def of(cls, state: Campaign, task: Task, who: str, item: Item, draft: Mapping[str, Any] = {}) -> Screen:
        """An item for its assessor, with what they have said or are about to say."""
        items = agenda(state, task.name, who)
        place = items.index(item) if item in items else len(items)
        # What is in a pool is given out when it is shown, not before.
        pooled = {one for pool in state.work_of(task.name).pools for one in pool.items}
        waiting = (one for one in waiting_items(state, task.name, who, item) if one != item and one not in pooled)
        seen, names = shown(state, who, task.name, item), partial(token, state.seed, task.name)
        values, kind = draft.get("values", seen.values), kind_of(task, replace(item, stage=seen.stage))
        last, last_latest = last_unit(state, task, who)
        return cls(
            shown=seen,
            title=kind.title,
            about=_about(state, task, who, item),
            progress=progress(state, task.name, who, item),
            questions=tuple(question(ask, values, seen.ask) for ask in seen.ask),
            entries=_entries(seen),
            listed=kind.listed,
            saving=kind.saving,
            template=f"karat/show/{kind.shows}.html",
            comment=draft.get("comment", seen.comment),
            skipped=draft.get("skipped", seen.skipped),
            skipping=kind.skip,
            judged=item in state.work_of(task.name).of(who),
            id=str(uuid.uuid4()),
            previous=names(items[place - 1]) if place else "",
            following=names(items[place + 1]) if place + 1 < len(items) else "",
            last=last,
            last_latest=last_latest,
            ahead=" ".join(names(one) for one in islice(waiting, AHEAD)),
            group=names(Item("ratings", item.unit)) if item.stage == "ratings" else "",
            guidelines_before=_guidelines_before(state, task, who),
            before_list=kind.before_list,
            own_keys=kind.keys,
        )

    @property
    def keys(self) -> dict[str, str]:
        """The keys that every page has, by name."""
        return {name: key for name, (key, _) in SHARED.items()}

    @property
    def shared_keys(self) -> list[tuple[str, str]]:
        """The keys that every page has and what they do, as far as there is something to do here."""
        left_out = {"entry"} if self.entries is None else set()
        left_out |= set() if self.skipping else {"skip"}
        left_out |= set() if self.shown.open else {"entry", "undo", "skip", "comment"}
        return [one for name, one in SHARED.items() if name not in left_out]

    @property
    def single(self) -> bool:
        """Whether one answer is the whole judgment, so that it is saved at once."""
        return len(self.questions) == 1 and bool(self.questions[0].options) and self.entries is None

    @property
    def suggested(self) -> tuple[str, str]:
        """The answer that is suggested, if any is, and what is said about it."""
        label, colon, why = self.shown.suggested.partition(": ")
        known = colon and any(option.value == label for one in self.questions for option in one.options)
        return (label, why) if known else ("", self.shown.suggested)

    @property
    def suggested_field(self) -> str:
        """The name of the field that takes the suggested answer."""
        return self.questions[0].field

    @property
    def comments(self) -> bool:
        """Whether there is a field for a comment; a decision has its note."""
        return self.shown.stage != "adjudication"

    @property
    def given(self) -> str:
        """The labels from which an adjudicator can choose without a note."""
        said = self.shown.show.get("labels", ()) if self.shown.stage == "adjudication" else ()
        known = next((question.ask.values for question in self.questions if question.ask.name == "label"), ())
        return " ".join(dict.fromkeys(one["label"] for one in said if one["label"] in known))

    @property
    def said(self) -> list[tuple[str, str]]:
        """What the assessor has said, question by question, for a page on which nothing can be changed."""
        found = [pair for one in self.questions for pair in one.said(self.shown.values)]
        found += [("Skipped", self.shown.skipped)] if self.shown.skipped else []
        return found + [("Comment", self.shown.comment)] * bool(self.shown.comment)

    @property
    def said_in_entries(self) -> list[list[tuple[str, str]]]:
        """The same for each entry of the list."""
        written = zip((self.entries or ())[:-1], self.shown.entries.values(), strict=True)
        return [[pair for one in entry.questions for pair in one.said(values)] for entry, values in written]

    @property
    def state_of_unit(self) -> str:
        """Whether it is judged, for those who come back to it."""
        if not self.shown.open:
            closed = "This round is closed: nothing can be changed here."
            return closed if self.progress.closed else "This can no longer be changed."
        if self.shown.skipped:
            return "You have skipped this."
        return "You have judged this; what you save now replaces it." if self.judged else ""


def _entries(seen: Shown) -> tuple[Entry, ...] | None:
    """The entries of a list, and the place for a new one."""
    if seen.entry is None:
        return None
    asks, new = seen.entry, uuid.uuid4().hex[:12]
    return tuple(
        Entry(
            name=name,
            unit=f"{seen.unit}/{name}",
            questions=tuple(question(ask, values, asks) for ask in asks),
            id=str(uuid.uuid4()),
            latest=seen.latest_entries.get(name, ""),
        )
        for name, values in (seen.entries | {new: {}}).items()
    )


def _about(state: Campaign, task: Task, who: str, item: Item) -> str:
    """What somebody should know about this kind of judging before they answer."""
    if item.stage == "qualification":
        share = f"{state.definition.judging.qualify:.0%}"
        return (
            f"The labels of these pairs are known. You begin when at least {share} of your answers agree."
            f"{_attempt_before(state, task, who)}"
        )
    if item.stage == "norming" and item.copy == 1 and state.work_of(task.name).revealed:
        return "Your vote before the discussion."
    if item.stage == "norming":
        return "Vote again, after the discussion." if item.copy > 1 else "Vote by yourself. All votes are shown later."
    return kind_of(task, item).about or _qualified(state, task, who)


def _attempt_before(state: Campaign, task: Task, who: str) -> str:
    """What became of somebody's last attempt to qualify, if it was not enough."""
    over = attempts(state, task.name, who)
    if not over:
        return ""
    right, of, tried = over[-1].right, len(over[-1].items), len(over)
    return f" Attempt {tried}: {right} of {of} right, and {needed(state, of)} are needed. This is attempt {tried + 1}."


def _qualified(state: Campaign, task: Task, who: str) -> str:
    """That somebody has just qualified: nothing else tells them why the examples are over."""
    over = attempts(state, task.name, who)
    if not over or not over[-1].passed:
        return ""
    begun = any(item.stage not in ("qualification", "norming") for item in state.work_of(task.name).of(who))
    return "" if begun else f"You have qualified: {over[-1].right} of {len(over[-1].items)} examples right."


def _guidelines_before(state: Campaign, task: Task, who: str) -> int | None:
    """The version of the guidelines at somebody's last judgment, if they have changed since."""
    ballots = state.work_of(task.name).of(who).values()
    last = max(ballots, key=lambda ballot: ballot.sequence, default=None)
    now = len(state.guidelines)
    return None if last is None or last.said.guidelines >= now else last.said.guidelines


def last_unit(state: Campaign, task: Task, who: str) -> tuple[str, str]:
    """What somebody judged last and can take back, and the id of what they did last about it; empty if nothing is."""
    item = last_judged(state, task.name, who)
    return (
        ("", "")
        if item is None
        else (token(state.seed, task.name, item), state.work_of(task.name).latest_of(who, item))
    )


@dataclass(frozen=True)
class Ending:
    """What is said when nothing is left to judge."""

    done: list[Progress]
    last: str
    """The unit at the end of the list, to go back to."""
    undo: str
    undo_latest: str
    id: str
    summary: str | None
    """What was written about the whole; None where it is not asked for."""

    @classmethod
    def of(cls, state: Campaign, task: Task, who: str) -> Ending:
        """The end for an assessor."""
        work, items = state.work_of(task.name), agenda(state, task.name, who)
        mine = work.of(who)
        judged = [item for item in items if item in mine]
        rated = any(item.stage == "ratings" for item in mine)
        undo, undo_latest = last_unit(state, task, who)
        return cls(
            done=progresses(state, task.name, who),
            last=token(state.seed, task.name, judged[-1]) if judged else "",
            undo=undo,
            undo_latest=undo_latest,
            id=str(uuid.uuid4()),
            summary=work.summaries.get(who, "") if rated else None,
        )


@dataclass(frozen=True)
class Duty:
    """What somebody has to judge in a task."""

    task: Task
    parts: list[Progress]

    @property
    def waiting(self) -> int:
        """What can be judged now."""
        return sum(part.waiting for part in self.parts)

    @property
    def begun(self) -> bool:
        """Whether anything was judged."""
        return any(part.done for part in self.parts)


def duties(state: Campaign, who: str) -> list[Duty]:
    """What was given to somebody to judge, by task."""
    found = [task for task in state.definition.tasks if has_work(state.work_of(task.name), who)]
    return [Duty(task, progresses(state, task.name, who)) for task in found]


def progress_words(one: Progress) -> str:
    """How far somebody is, and the time that is left where it can be estimated."""
    counted = f"{one.done:,} {one.verb}" if one.total is None else f"{one.done:,} of {one.total:,} {one.verb}"
    return counted if one.seconds is None else f"{counted}, {time_words(one.seconds)} left"


def time_words(seconds: float) -> str:
    """A time that is estimated."""
    if seconds < MINUTE:
        return "less than a minute"
    unit, name = (MINUTE, "minute") if seconds < LONG else (HOUR, "hour")
    count = max(1, round(seconds / unit))
    return f"about {count} {name}{'' if count == 1 else 's'}"


def problem_words(problem: Problem) -> str:
    """A refusal as a sentence on a page."""
    return (
        REFUSALS.get(problem.code) or f"{sentence(problem.found)} Expected: {problem.expected}. {sentence(problem.fix)}"
    )


def draft_of(given: Mapping[str, str]) -> dict[str, Any]:
    """What a form holds."""
    values = {name.removeprefix(ANSWER): value.strip() for name, value in given.items() if name.startswith(ANSWER)}
    return {
        "unit": given.get("unit", ""),
        "values": {name: value for name, value in values.items() if value},
        "comment": given.get("comment", ""),
        "skipped": given.get("skipped", ""),
    }


def acknowledged(state: Campaign, task: Task, who: str, unit: str) -> dict[str, Any]:
    """What the script of the page is told when a judgment is stored."""
    last, latest = last_unit(state, task, who)
    told: dict[str, Any] = {"accepted": True, "unit": unit, "last": last, "guidelines": len(state.guidelines)}
    told["latest"] = {last: latest} if last else {}
    if not unit:
        return told
    item = find(state, who, task.name, unit)
    # Justifications of a pair are skipped, and taken back, together.
    together = state.work_of(task.name).queues.get(("ratings", who), ()) if item.stage == "ratings" else ()
    for other in (item, *(one for one in together if one.unit == item.unit)):
        told["latest"][token(state.seed, task.name, other)] = state.work_of(task.name).latest_of(who, other)
    one = progress(state, task.name, who, item)
    return told | {"stage": one.stage, "words": progress_words(one), "done": one.done, "total": one.total}
