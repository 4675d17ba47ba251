"""What is said to somebody who judges in two windows, one of which does not know what was said in the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from karat.campaign.definition import Task
from karat.campaign.events import Item
from karat.campaign.state import Campaign
from karat.server.judging import asked
from karat.server.pages.questions import label_words

CHANGED = "judgment-changed"
"""The code of the refusal."""


class Conflict(NamedTuple):
    """What was said here, what was said elsewhere since, and the id of that."""

    here: str
    there: str
    latest: str

    @property
    def text(self) -> str:
        """For a page."""
        return f"You have judged this in another window since. There: {self.there}. Here: {self.here}."


def conflict(
    state: Campaign, task: Task, who: str, item: Item, given: Mapping[str, str], said: Mapping[str, str]
) -> Conflict:
    """Both judgments in words, as far as they differ; `said` are the answers that were given here."""
    work = state.work_of(task.name)
    held, latest = work.of(who).get(item), work.latest_of(who, item)
    there = {} if held is None else held.said.values
    words = {"save": "", "skip": f"skipped: {given.get('skipped', '')}", "remove": "taken out", "undo": "taken back"}
    here = words.get(given.get("do", "save"), "")
    elsewhere = "taken back" if held is None else "taken out" if item.entry and held.said.skipped else ""
    if held is not None and held.said.skipped and not item.entry:
        elsewhere = f"skipped: {held.said.skipped}"
    asks = {ask.name: ask.text for ask in asked(state, task, item, who)}
    differ = [name for name in asks if said.get(name, "") != there.get(name, "") or here or elsewhere]
    before = "" if held is None else held.said.comment
    if given.get("comment", "").strip() != before and not (here or elsewhere):
        asks, differ = asks | {"comment": "Comment"}, [*differ, "comment"]
    return Conflict(
        here or _words(asks, differ, dict(said) | {"comment": given.get("comment", "").strip()}),
        elsewhere or _words(asks, differ, dict(there) | {"comment": before}),
        latest,
    )


def _words(asks: Mapping[str, str], names: list[str], values: Mapping[str, str]) -> str:
    """Answers in words; with their questions, if there is more than one."""
    said = [(asks[name], label_words(values[name]) if values.get(name) else "nothing") for name in names]
    found = [answer for _, answer in said] if len(asks) == 1 else [f"{text}: {answer}" for text, answer in said]
    return "; ".join(found) or "nothing"
