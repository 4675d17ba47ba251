"""Which correct answers to a list question are the same one, and the answers that assessors know themselves.

Both come after the verdicts. What is made of all of it is the file by which answers are scored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import combinations
from typing import Any

import msgspec
import numpy as np

from karat.campaign.definition import Task
from karat.campaign.events import Item
from karat.campaign.judging.answer_groups import (
    folded,
    group_name,
    grouped_otherwise,
    groupings,
    groups_made,
    is_grouped,
)
from karat.campaign.judging.asking import Ask
from karat.campaign.judging.files import CONTROL, agreed_labels, given
from karat.campaign.judging.kinds.development import known_answers
from karat.campaign.judging.kinds.kind import Kind, Vote, votes
from karat.campaign.judging.kinds.pairs import without_order
from karat.campaign.judging.kinds.questions import answerable, in_series
from karat.campaign.judging.library import Material
from karat.campaign.state import Campaign
from karat.data.verdicts import CORRECT, LETTERS, Verdicts
from karat.errors import counted
from karat.formats.registry import verdict_formats

RIGHT = LETTERS[CORRECT]
MOST_GROUP, MOST_ANSWER = 9, 500
ARTICLES = re.compile(r"^(the|an?) ")
KNOWN, OWN = "known to whoever wrote the question", "known to an assessor"
POSSESSIVE = re.compile(r"['’]s\b")


def parts(unit: str) -> tuple[str, str, str]:
    """The question, document and string of an answer."""
    question, document, string = unit.split("\t", 2)
    return question, document, string


class Distinct(msgspec.Struct, frozen=True):
    """A correct answer: what runs gave and was settled as correct, or what people know themselves."""

    string: str
    sources: tuple[str, ...]
    """The documents that it comes from, or who knows it."""

    @property
    def name(self) -> str:
        """Of the field that asks for its group."""
        return group_name(self.string)


def correct_answers(material: Material, question: str, further: bool = False) -> list[Distinct]:
    """The answers that runs gave and the author of the question knows, those next to each other that look alike.

    `further` ones are those that assessors know: nobody sees another's before somebody decides on them.
    """
    right = [parts(one.unit) for one in material.work.outcomes(f"{question}\t") if one.label == RIGHT]
    rows = [(string, document) for _, document, string in right]
    known = [(one.answer, one.document, KNOWN) for one in known_answers(material, question)]
    known += [(string, document, OWN) for document, string in _own(material, question)] if further else []
    rows += [(string, source) for string, document, whose in known for source in (whose, document)]
    found: dict[str, tuple[str, list[str]]] = {}
    for string, source in rows:
        found.setdefault(folded(string), (string, []))[1].append(source)
    made = [Distinct(string, tuple(dict.fromkeys(filter(None, sorted(of))))) for string, of in found.values()]
    return sorted(made, key=lambda one: (plain(one.string), one.string))


def plain(string: str) -> str:
    """A string without case, punctuation, a possessive s and an article at its beginning."""
    words = re.sub(r"\W", " ", POSSESSIVE.sub("", string.casefold())).split()
    return ARTICLES.sub("", " ".join(words))


def _alike(answers: list[Distinct]) -> dict[str, str]:
    """A group for each answer to begin with: the same for those that look alike."""
    numbers: dict[str, str] = {}
    return {one.string: numbers.setdefault(plain(one.string), str(len(numbers) + 1)) for one in answers}


def is_list(material: Material, question: str) -> bool:
    """Whether a question asks for a list."""
    return material.questions.questions[material.questions.index[question]].type == "LIST"


def ask_groups(material: Material, item: Item, further: bool = False) -> tuple[Ask, ...]:
    """The group of every correct answer to a list question; whoever decides groups the further ones of all, too."""
    if not is_list(material, item.unit):
        return ()
    answers = correct_answers(material, item.unit, further)
    alike = _alike(answers)
    return tuple(
        Ask(
            name=one.name,
            text=one.string,
            number=True,
            start=alike[one.string],
            most=MOST_GROUP,
            help=", ".join(one.sources),
        )
        for one in answers
    )


def _entry(material: Material, item: Item, who: str) -> tuple[Ask, ...]:
    del who
    group = Ask(
        name="group",
        text="Its group",
        number=True,
        most=MOST_GROUP,
        need="the number of the answer that it is the same as, or a new number",
        help="The number of the answer that it is the same as, or a new number.",
    )
    return (
        Ask(name="answer", text="An answer that you know and no run gave", most=MOST_ANSWER),
        Ask(name="document", text="A document that supports it, if you know one", required=False, most=MOST_ANSWER),
        *(group,) * is_list(material, item.unit),
    )


def _show(material: Material, item: Item, who: str) -> dict[str, Any]:
    """The question; where nothing is grouped, also the correct answers, since those that no run gave are asked for."""
    del who
    if is_list(material, item.unit):
        return in_series(material, item.unit)
    correct = [msgspec.to_builtins(one) for one in correct_answers(material, item.unit)]
    return in_series(material, item.unit) | {"correct": correct}


def _suggest(material: Material, item: Item, who: str) -> str:
    """The strings that begin in one group, since they look alike."""
    del who
    if not is_list(material, item.unit):
        return ""
    groups: dict[str, list[str]] = {}
    for string, group in _alike(correct_answers(material, item.unit)).items():
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
    ask=lambda material, item, _: ask_groups(material, item),
    entry=_entry,
    listed="Further answers",
    before_list=True,
    saving="Finish",
    hindrance=_hindrance,
    votes=(votes("lists", "Answers to a list that are the same one, by pairs", _same_or_not),),
    suggest=_suggest,
)


def groupings_shown(material: Material, question: str) -> list[dict[str, str]]:
    """Who made which groups is not shown, and they come in an order of their own for each question."""
    given, made = groupings(material.work, question), groups_made(material.work, question)
    strings = correct_answers(material, question, further=True)
    return [
        {"label": _in_words(made[who], strings), "comment": given[who].said.comment}
        for who in without_order(material, question, given)
    ]


def _in_words(values: Mapping[str, str], strings: list[Distinct]) -> str:
    groups: dict[str, list[str]] = {}
    for one in (one for one in strings if one.name in values):
        groups.setdefault(values[one.name].strip(), []).append(f"“{one.string}”")
    return "; ".join(" = ".join(of) for of in groups.values())


def _finished(material: Material, question: str) -> dict[str, str] | None:
    """The groups that count, by the names of the answers: decided, or made by all; None if there are none yet."""
    work = material.work
    if question in work.decisions:
        found = dict(work.decisions[question].said.values)
    elif is_grouped(work, question) and not grouped_otherwise(work, question):
        found = _united(groups_made(work, question))
    else:
        return None
    # Verdicts can have changed since, so that there are answers which nobody has grouped.
    names = [one.name for one in correct_answers(material, question, further=True)]
    return found if all(name in found for name in names) else None


def _united(made: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """The groups of people who agree, with the further answers of each under the numbers of the first."""
    found: dict[str, str] = {}
    for number, groups in enumerate(made.values()):
        for name in sorted(groups, key=lambda one: one not in found):  # those that others have grouped come first
            beside = (found[one] for one in groups if one in found and groups[one] == groups[name])
            found.setdefault(name, next(beside, f"+{groups[name]}" if number else groups[name]))
    return found


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
        made = _finished(material, question) if is_list(material, question) else None
        answers = correct_answers(material, question, further=True)
        groups |= {(question, folded(one.string)): made[one.name] for one in answers} if made is not None else {}
        known = [(one.document, one.answer) for one in known_answers(material, question)]
        for document, string in (*_own(material, question), *known):
            if rows.setdefault((question, document, string), RIGHT) == RIGHT and is_list(material, question):
                groups.setdefault((question, folded(string)), f"+{plain(string)}")
    rows = dict(sorted(rows.items(), key=lambda row: questions.index[row[0][0]]))
    verdicts = Verdicts(
        units=tuple(questions.index),
        question=np.array([questions.index[question] for question, _, _ in rows], dtype=np.int32),
        documents=tuple(document for _, document, _ in rows),
        strings=tuple(string for _, _, string in rows),
        verdict=np.array([LETTERS.index(label) for label in rows.values()], dtype=np.int8),
        groups=tuple(
            groups.get((question, folded(string)), "") if label == RIGHT else ""
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
    said = [f"{counted(open_, 'answer')} whose verdict is not settled"] * bool(open_)
    left = counted(len(bare) - differ, "list that is", "lists that are")
    said += [f"the groups of {left} not finished"] * (len(bare) > differ)
    said += [f"the groups of {counted(differ, 'list')} on which people differ and nobody has decided"] * bool(differ)
    return " and ".join(said)
