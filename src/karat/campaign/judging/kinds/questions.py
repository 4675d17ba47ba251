"""The questions of a task as assessors see them, and which of them are judged how."""

from __future__ import annotations

from typing import Any

from karat.campaign.judging.library import Material

ANSWERED = ("FACTOID", "LIST")
"""The types of questions whose answers are right or wrong."""


def answerable(material: Material) -> tuple[str, ...]:
    """The questions whose answers are right or wrong."""
    return tuple(one.id for one in material.questions.questions if one.type in ANSWERED)


def in_own_words(material: Material) -> tuple[str, ...]:
    """The questions that are answered in one's own words: of series, those of the type OTHER; elsewhere, all."""
    every = material.task.kind != "questions"
    return tuple(one.id for one in material.questions.questions if every or one.type == "OTHER")


def about(material: Material, name: str) -> dict[str, Any]:
    """The question, and the target of its series."""
    questions = material.questions
    place = questions.index[name]
    question, at = questions.questions[place], int(questions.series_of[place])
    return {"question": question.text or question.id, "target": questions.series[at].target if at >= 0 else ""}


def in_series(material: Material, name: str) -> dict[str, Any]:
    """A question with its type, and the questions before it, to which it may refer."""
    questions = material.questions
    place = questions.index[name]
    told, at = about(material, name) | {"type": questions.questions[place].type}, int(questions.series_of[place])
    if at < 0:
        return told
    before = questions.series[at].questions
    earlier = [questions.questions[questions.index[one]].text for one in before[: before.index(name)]]
    return told | {"earlier": earlier}
