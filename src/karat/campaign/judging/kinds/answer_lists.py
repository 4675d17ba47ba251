"""Which correct answers to a list question are the same one, and the answers that assessors know themselves.

Both come after the verdicts. What is made of all of it is the file by which answers are scored.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import combinations
from typing import Any

import msgspec
import numpy as np

from karat.campaign.definition import Task
from karat.campaign.events import Item
from karat.campaign.judging.asking import Ask
from karat.campaign.judging.files import CONTROL, agreed_labels, given
from karat.campaign.judging.kinds.development import known_answers
from karat.campaign.judging.kinds.kind import Kind, Vote, votes
from karat.campaign.judging.kinds.pairs import without_order
from karat.campaign.judging.kinds.questions import answerable, in_series
from karat.campaign.judging.library import Material
from karat.campaign.judging.work import GROUP, Ballot
from karat.campaign.state import Campaign
from karat.data.verdicts import CORRECT, LETTERS, Verdicts
from karat.formats.registry import verdict_formats

RIGHT = LETTERS[CORRECT]
MOST_GROUP, MOST_ANSWER = 9, 500
ARTICLES = re.compile(r"^(the|an?) ")
POSSESSIVE = re.compile(r"['’]s\b")


def parts(unit: str) -> tuple[str, str, str]:
    """The question, document and string of an answer."""
    question, document, string = unit.split("\t", 2)
    return question, document, string


class Distinct(msgspec.Struct, frozen=True):
    """A string that was settled as correct, from one document or several."""

    name: str
    """Of the field that asks for its group."""
    string: str
    documents: tuple[str, ...]


def correct_answers(material: Material, question: str) -> list[Distinct]:
    """The strings that were settled as correct for a question, those next to each other that look alike."""
    found: dict[str, tuple[str, list[str]]] = {}
    for unit, label in agreed_labels(material.work).items():
        of, document, string = parts(unit)
        if of == question and label == RIGHT:
            found.setdefault(string.casefold(), (string, []))[1].append(document)
    made = [Distinct(name_of(string), string, tuple(sorted(of))) for string, of in found.values()]
    return sorted(made, key=lambda one: (plain(one.string), one.string))


def name_of(string: str) -> str:
    """The name of the field for the group of a string."""
    return f"{GROUP}{hashlib.sha256(string.casefold().encode()).hexdigest()[:12]}"


def plain(string: str) -> str:
    """A string without case, punctuation, a possessive s and an article at its beginning."""
    words = re.sub(r"\W", " ", POSSESSIVE.sub("", string.casefold())).split()
    return ARTICLES.sub("", " ".join(words))


def _alike(material: Material, question: str) -> dict[str, str]:
    """A group for each correct string to begin with: the same for those that look alike."""
    numbers: dict[str, str] = {}
    return {
        one.string: numbers.setdefault(plain(one.string), str(len(numbers) + 1))
        for one in correct_answers(material, question)
    }


def is_list(material: Material, question: str) -> bool:
    """Whether a question asks for a list."""
    return material.questions.questions[material.questions.index[question]].type == "LIST"


def ask_groups(material: Material, item: Item, who: str) -> tuple[Ask, ...]:
    """The group of every correct answer to a list question."""
    del who
    if not is_list(material, item.unit):
        return ()
    alike = _alike(material, item.unit)
    return tuple(
        Ask(
            name=one.name,
            text=one.string,
            number=True,
            start=alike[one.string],
            most=MOST_GROUP,
            help=", ".join(filter(None, one.documents)),
        )
        for one in correct_answers(material, item.unit)
    )


def _entry(material: Material, item: Item, who: str) -> tuple[Ask, ...]:
    del material, item, who
    return (
        Ask(name="answer", text="An answer that you know and no run gave", most=MOST_ANSWER),
        Ask(name="document", text="A document that supports it, if you know one", required=False, most=MOST_ANSWER),
    )


def _show(material: Material, item: Item, who: str) -> dict[str, Any]:
    del who
    return in_series(material, item.unit)


def _suggest(material: Material, item: Item, who: str) -> str:
    """The strings that begin in one group, since they look alike."""
    del who
    if not is_list(material, item.unit):
        return ""
    groups: dict[str, list[str]] = {}
    for string, group in _alike(material, item.unit).items():
        groups.setdefault(group, []).append(f"“{string}”")
    same = [" = ".join(of) for of in groups.values() if len(of) > 1]
    return f"the same but for spelling: {'; '.join(same)}" if same else ""


def _hindrance(state: Campaign, task: Task, now: datetime) -> str:
    del now
    done = "labels" in state.work_of(task.name).closed
    return "" if done else "the verdicts are not closed yet: lists are made of the answers that were judged correct"


def _same_or_not(material: Material, programs: bool) -> Iterator[Vote]:
    """Of every two correct answers to a list question, whether they are the same one."""
    for item, ballot in given(material.work, "lists", programs=programs):
        said = ballot.said.values
        strings = [one for one in correct_answers(material, item.unit) if one.name in said]
        for one, other in combinations(strings, 2):
            same = "same" if said[one.name].strip() == said[other.name].strip() else "different"
            yield f"{item.unit} {one.string} | {other.string}", ballot.said.assessor, same


LISTS = Kind(
    stage="lists",
    title="Distinct answers",
    about="Answers that are the same one get the same number. Add answers that you know and no run gave.",
    verb="done",
    each=1,
    units=answerable,
    show=_show,
    shows="answer",
    ask=ask_groups,
    entry=_entry,
    listed="Further answers",
    saving="Finish",
    hindrance=_hindrance,
    votes=(votes("lists", "Answers to a list that are the same one, by pairs", _same_or_not),),
    suggest=_suggest,
)


def groupings_shown(material: Material, question: str) -> list[dict[str, str]]:
    """Who made which groups is not shown, and they come in an order of their own for each question."""
    given, strings = material.work.groupings(question), correct_answers(material, question)
    return [
        {"label": _in_words(given[who].said.values, strings), "comment": given[who].said.comment}
        for who in without_order(material, question, given)
    ]


def _in_words(values: Mapping[str, str], strings: list[Distinct]) -> str:
    groups: dict[str, list[str]] = {}
    for one in strings:
        groups.setdefault(values.get(one.name, one.name).strip(), []).append(f"“{one.string}”")
    return "; ".join(" = ".join(of) for of in groups.values())


def _finished(material: Material, question: str) -> Ballot | None:
    """The groups that count: those that an adjudicator decided on, or that all made; None if there are none yet."""
    work = material.work
    groupings = work.groupings(question)
    settled = groupings and work.is_grouped(question) and not work.grouped_otherwise(question)
    found = work.decisions.get(question, next(iter(groupings.values())) if settled else None)
    # Verdicts can have changed since, so that there are answers which nobody has grouped.
    names = [one.name for one in correct_answers(material, question)]
    return found if found is not None and all(name in found.said.values for name in names) else None


def _own(material: Material, question: str) -> Iterator[tuple[str, str]]:
    """The answers that assessors know, with their documents."""
    work = material.work
    for who in sorted(work.people()):
        for ballot in work.entries(who, Item("lists", question)).values():
            said = ballot.said.values
            yield _clean(said.get("document", "")), _clean(said["answer"])


def _clean(text: str) -> str:
    return " ".join(CONTROL.sub(" ", text).split())


def verdicts_file(material: Material, programs: bool) -> bytes:
    """The settled verdicts with groups, and the assessors' own answers, as `karat qa --judgments` reads them."""
    del programs
    questions = material.questions
    rows = {parts(unit): label for unit, label in sorted(agreed_labels(material.work).items())}
    groups: dict[tuple[str, str], str] = {}
    for question in answerable(material):
        ballot = _finished(material, question)
        for one in correct_answers(material, question) if ballot is not None and is_list(material, question) else ():
            groups[question, one.string.casefold()] = ballot.said.values.get(one.name, "") if ballot else ""
        known = [(one.document, one.answer) for one in known_answers(material, question)]
        for document, string in (*_own(material, question), *known):
            if rows.setdefault((question, document, string), RIGHT) == RIGHT and is_list(material, question):
                groups.setdefault((question, string.casefold()), f"+{plain(string)}")
    rows = dict(sorted(rows.items(), key=lambda row: questions.index[row[0][0]]))
    verdicts = Verdicts(
        units=tuple(questions.index),
        question=np.array([questions.index[question] for question, _, _ in rows], dtype=np.int32),
        documents=tuple(document for _, document, _ in rows),
        strings=tuple(string for _, _, string in rows),
        verdict=np.array([LETTERS.index(label) for label in rows.values()], dtype=np.int8),
        groups=tuple(
            groups.get((question, string.casefold()), "") if label == RIGHT else ""
            for (question, _, string), label in rows.items()
        ),
    )
    return bytes(verdict_formats["table"].facts["write"](verdicts))


def ungrouped(material: Material) -> list[str]:
    """The list questions with correct answers whose groups are not settled."""
    lists = [one for one in answerable(material) if is_list(material, one) and correct_answers(material, one)]
    return [one for one in lists if _finished(material, one) is None]


def verdicts_left_out(material: Material) -> str:
    """What is not in the file of verdicts yet; empty if nothing is missing."""
    open_ = sum(one.label is None for one in material.work.outcomes())
    bare = ungrouped(material)
    differ = sum(one in material.work.disputed for one in bare)
    said = [f"{open_:,} answers whose verdict is not settled"] * bool(open_)
    said += [f"the groups of {len(bare) - differ:,} lists that are not finished"] * (len(bare) > differ)
    said += [f"the groups of {differ:,} lists on which people differ and nobody has decided"] * bool(differ)
    return " and ".join(said)
