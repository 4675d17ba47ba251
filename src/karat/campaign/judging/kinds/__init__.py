"""The kinds of judging, by the kind of the task; each is described once, and everything else follows."""

from __future__ import annotations

from collections.abc import Mapping

from karat.campaign.definition import Task
from karat.campaign.events import Item, Stage
from karat.campaign.judging.kinds.answer_lists import LISTS
from karat.campaign.judging.kinds.answers import ANSWERS, ANSWERS_ADJUDICATION, ANSWERS_NORMING
from karat.campaign.judging.kinds.development import DEVELOPMENT
from karat.campaign.judging.kinds.grades import PREFERENCE_KIND, QUALITY_KIND
from karat.campaign.judging.kinds.justifications import RATINGS
from karat.campaign.judging.kinds.kind import Export as Export
from karat.campaign.judging.kinds.kind import Kind as Kind
from karat.campaign.judging.kinds.matches import CITATIONS, MATCHES
from karat.campaign.judging.kinds.nuggets import NUGGETS
from karat.campaign.judging.kinds.pairs import ADJUDICATION, LABELS, NORMING, QUALIFICATION
from karat.campaign.judging.kinds.parts import PARTS
from karat.data.verdicts import LETTERS
from karat.labels import THREE, TWO

KINDS: Mapping[str, tuple[Kind, ...]] = {
    "entailment": (LABELS, NORMING, ADJUDICATION),
    "justifications": (RATINGS,),
    "questions": (
        ANSWERS,
        ANSWERS_NORMING,
        ANSWERS_ADJUDICATION,
        LISTS,
        NUGGETS,
        MATCHES,
        QUALITY_KIND,
        PREFERENCE_KIND,
        DEVELOPMENT,
    ),
    "nuggets": (NUGGETS, MATCHES, CITATIONS, QUALITY_KIND, PREFERENCE_KIND, DEVELOPMENT),
    "ratings": (QUALITY_KIND, PREFERENCE_KIND),
    "decomposition": (PARTS,),
}
"""What is judged in a task of each kind, the usual thing first."""


def kinds_of(task: Task) -> dict[Stage, Kind]:
    """What is judged in a task."""
    return {kind.stage: kind for kind in KINDS.get(task.kind, ())}


def labels_of(task: Task) -> tuple[str, ...]:
    """The labels that a unit of a task can have."""
    if task.kind == "questions":
        return tuple(LETTERS)
    return (THREE if task.way == 3 else TWO).labels


def kind_of(task: Task, item: Item) -> Kind:
    """What an item is judged as."""
    return QUALIFICATION if item.stage in ("qualification", "planted") else kinds_of(task)[item.stage]
