"""What is said to somebody who judges in two windows, one of which does not know what was said in the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import shorten
from typing import Any, NamedTuple

from karat.campaign.definition import Task
from karat.campaign.events import Item
from karat.campaign.judging.asking import Ask
from karat.campaign.judging.kinds import kind_of
from karat.campaign.judging.work import Ballot
from karat.campaign.state import Campaign
from karat.server.judging import asked
from karat.server.pages.questions import label_words
from karat.server.store import material

CHANGED = "judgment-changed"
"""The code of the refusal."""
NAMED_BY = ("answer", "hypothesis", "question", "series")
MOST_SHOWN = 100
COMMENT = Ask(name="comment", text="Comment", required=False)


class Conflict(NamedTuple):
    """What was said here, what was said elsewhere since, and the id of that."""

    here: str
    there: str
    latest: str
    about: str
    """What was judged, in a few words."""

    @property
    def text(self) -> str:
        """For a page."""
        about = f"“{self.about}”" if self.about else "this"
        return f"You have judged {about} in another window since. There: {self.there}. Here: {self.here}."


def conflict(
    state: Campaign, task: Task, who: str, item: Item, given: Mapping[str, str], said: Mapping[str, str]
) -> Conflict:
    """Both judgments in words, as far as they differ; `said` are the answers that were given here."""
    work = state.work_of(task.name)
    held, latest = work.of(who).get(item), work.latest_of(who, item)
    acts = {"skip": f"skipped: {given.get('skipped', '')}", "remove": "taken out", "undo": "taken back"}
    here, there = acts.get(given.get("do", ""), ""), _elsewhere(held, item)
    mine = dict(said) | {COMMENT.name: given.get("comment", "").strip()}
    theirs = {} if held is None else dict(held.said.values) | {COMMENT.name: held.said.comment}
    asks = asked(state, task, item, who)
    differ = [ask for ask in (*asks, COMMENT) if here or there or mine.get(ask.name, "") != theirs.get(ask.name, "")]
    alone = len(asks) == 1
    about = what_was_judged(kind_of(task, item).show(material(state, task), item.whole, who))
    return Conflict(here or _words(differ, mine, alone), there or _words(differ, theirs, alone), latest, about)


def what_was_judged(show: Mapping[str, Any]) -> str:
    """What is shown of a unit in a few words: its answer, or else its hypothesis, question or series."""
    name = next((name for name in NAMED_BY if show.get(name)), "")
    # The last question about each target says “Other”, and nothing else.
    target = [show["target"]] if name == "question" and show.get("target") else []
    return shorten(": ".join((*target, str(show.get(name, "")))), MOST_SHOWN, placeholder=" …")


def _elsewhere(held: Ballot | None, item: Item) -> str:
    """What was done in the other window, where it was not to answer."""
    if held is None:
        return "taken back"
    if not held.said.skipped:
        return ""
    return "taken out" if item.entry else f"skipped: {held.said.skipped}"


def _words(asks: Sequence[Ask], values: Mapping[str, str], alone: bool) -> str:
    """Answers in words; with their questions, unless there is only one."""
    found = []
    for ask in asks:
        value = values.get(ask.name, "")
        answer = label_words(value) if value in ask.values else value or "nothing"
        if value or ask is not COMMENT:
            found.append(answer if alone and ask is not COMMENT else f"{ask.text}: {answer}")
    return "; ".join(found) or "nothing"
