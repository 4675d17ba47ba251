"""Ratings of justifications, on the scales of the library with its conditions."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from karat.campaign.definition import Task
from karat.campaign.events import Item
from karat.campaign.judging.asking import Ask, digits
from karat.campaign.judging.files import judges_file, ratings_file
from karat.campaign.judging.kinds.kind import Export, Hindrance, Kind
from karat.campaign.judging.kinds.pairs import texts, units
from karat.campaign.judging.library import Material
from karat.campaign.releasing import still_open
from karat.campaign.state import Campaign
from karat.data.criteria import COMPELLING, JUSTIFICATIONS, Criterion

QUESTIONS = {
    "understandable": "How easy is the justification to understand?",
    "compelling": "How compelling is it: correct and to the point?",
}
ENDS = ("not at all", "perfectly")
MOST_IF_WRONG = 4
"""How compelling the justification of a wrong answer can be at most."""


def _justified(material: Material, item: Item) -> tuple[str, str]:
    """The justification of a run for a pair, and its answer."""
    justifications, labels = material.justified(item.run)
    place = material.pairs.index[item.unit]
    return justifications[place], labels[place]


def _ask(material: Material, item: Item, who: str) -> tuple[Ask, ...]:
    del who
    wrong = _justified(material, item)[1] != material.key_label(item.unit)
    return scales(wrong)


def scales(wrong: bool = False) -> tuple[Ask, ...]:
    """The two scales; `wrong` if the justification is for an answer that is not the key's."""
    return tuple(_rated(one, MOST_IF_WRONG if wrong and one is COMPELLING else one.high) for one in JUSTIFICATIONS)


def _rated(scale: Criterion, most: int) -> Ask:
    values = tuple(str(value) for value in scale.values if value <= most)
    return Ask(
        name=scale.name,
        text=QUESTIONS[scale.name],
        values=values,
        keys=digits(len(values)),
        ends=ENDS if most == scale.high else (ENDS[0], ""),
        asked_if=scale.asked_if or "",
        at_least=scale.at_least,
    )


def _show(material: Material, item: Item, who: str) -> dict[str, Any]:
    reason, decision = _justified(material, item)
    place = material.place_of(item, who)
    told = {"key": material.key_label(item.unit), "decision": decision, "justification": reason, "place": place}
    return texts(material.pairs, item.unit) | told


def _runs(material: Material, unit: str) -> tuple[str, ...]:
    place = material.pairs.index[unit]
    return tuple(id for id in material.runs if material.justified(id)[0][place].strip())


def when_closed(what: str) -> Hindrance:
    """Judging of what teams send begins when all of it is in."""

    def hindrance(state: Campaign, task: Task, now: datetime) -> str:
        del task
        can_submit = still_open(state, now)
        return f"submissions are still open ({can_submit}): {what} when all of them are in" if can_submit else ""

    return hindrance


RATINGS = Kind(
    stage="ratings",
    title="Justifications",
    verb="rated",
    skip="Skip this pair: I disagree with its key",
    units=units,
    runs=_runs,
    show=_show,
    ask=_ask,
    hindrance=when_closed("justifications are rated"),
    files=(
        Export(
            "ratings",
            "ratings.tsv",
            "The ratings, as `karat justify` reads them",
            lambda material, programs: ratings_file(material.work, material.run_names, programs=programs),
            with_programs=True,
        ),
        Export(
            "summaries",
            "summaries.tsv",
            "The closing summaries, as `karat justify --judges` reads them",
            lambda material, _: judges_file(material.work),
        ),
    ),
)
