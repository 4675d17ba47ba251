"""Worlds of questions at random: plain dictionaries, and the nouns that hold the same.

`tests/studies/qa_by_hand.py` scores the dictionaries in plain loops; `qa` scores the nouns.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from karat.align.nugget_labels import importance_code
from karat.data.answers import Answers
from karat.data.nuggets import DEGREES, Matches, Nuggets
from karat.data.questions import Question, Questions, make_series
from karat.data.verdicts import LETTERS, Verdicts

Key = tuple[str, str, str]
"""Question, document, string."""


@dataclass
class World:
    """A test set, what runs said, and what people said of that."""

    questions: list[tuple[str, str, str | None, str | None]] = field(default_factory=list)
    """Id, type, series, kind."""
    runs: list[str] = field(default_factory=list)
    said: dict[tuple[str, str], list[tuple[str, str, float]]] = field(default_factory=dict)
    """Run and question: document, string and confidence of each answer, in order."""
    order: dict[str, list[str]] = field(default_factory=dict)
    """The questions of each run in the order it answers them."""
    verdicts: dict[Key, tuple[str, str]] = field(default_factory=dict)
    """Verdict (R X U W L) and group."""
    nuggets: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)
    """Assessor and question: name and importance of each nugget."""
    held: dict[tuple[str, str, str, str], str] = field(default_factory=dict)
    """Run, assessor, question and nugget: the degree, where it is not `not_support`."""

    def of_type(self, kind: str) -> list[str]:
        """The questions of one type."""
        return [question for question, its, _, _ in self.questions if its == kind]

    @property
    def assessors(self) -> list[str]:
        """Who has lists of nuggets."""
        return list(dict.fromkeys(assessor for assessor, _ in self.nuggets))


def random_world(
    seed: int, runs: int = 4, series: int = 5, answers: int = 1, assessors: int = 1, alone: int = 0
) -> World:
    """Series with and without lists, answers of every verdict, NIL, questions without known answers."""
    chance = random.Random(seed)
    world = World(runs=[f"run{number}" for number in range(runs)])
    for one in range(series):
        kinds = ["FACTOID"] * chance.randint(1, 4) + ["LIST"] * chance.randint(0, 2) + ["OTHER"]
        named = chance.choice(["PERSON", "THING"])
        world.questions += [(f"{one}.{at}", kind, f"s{one}", named) for at, kind in enumerate(kinds)]
    for one in range(alone):
        world.questions.append((f"alone{one}", chance.choice(["FACTOID", "LIST"]), None, None))
    for question, kind, _, _ in world.questions:
        if kind == "OTHER":
            _add_nuggets(world, question, assessors, chance)
        else:
            _add_verdicts(world, question, chance)
    for run in world.runs:
        world.order[run] = [question for question, *_ in world.questions]
        chance.shuffle(world.order[run])
        for question, kind, _, _ in world.questions:
            world.said[run, question] = _answers(world, question, kind, answers, chance)
    return world


def _add_verdicts(world: World, question: str, chance: random.Random) -> None:
    letters = "WWXUL" if chance.random() < 0.2 else "RRRXUWL"  # some have no known answer
    for at in range(chance.randint(3, 8)):
        group = chance.choice(["", f"g{chance.randint(1, 3)}"])
        world.verdicts[question, f"d{at % 3}", f"Answer {at}"] = chance.choice(letters), group


def _add_nuggets(world: World, question: str, assessors: int, chance: random.Random) -> None:
    for number in range(assessors):
        if number and chance.random() < 0.3:  # not every assessor has a list of every question
            continue
        size = chance.randint(1, 5)
        world.nuggets[f"who{number}", question] = [
            (str(name), chance.choice(["vital", "okay"])) for name in range(1, size + 1)
        ]
        for run in world.runs:
            for name in range(1, size + 1):
                degree = chance.choice(DEGREES)
                if degree != "not_support":
                    world.held[run, f"who{number}", question, str(name)] = degree


def _answers(
    world: World, question: str, kind: str, answers: int, chance: random.Random
) -> list[tuple[str, str, float]]:
    confidence = chance.choice([0.25, 0.5, 0.75])
    if kind == "OTHER":
        words = chance.randint(0, 60)
        return [(f"d{at}", "some words " * max(words // 2, 1), confidence) for at in range(min(words, 2))]
    if chance.random() < 0.2:
        return [("NIL", "", confidence)]
    known = [(document, string) for its, document, string in world.verdicts if its == question]
    most = answers if kind == "FACTOID" else len(known)
    picked = chance.sample(known, chance.randint(1, min(most, len(known))))
    return [(document, string, confidence) for document, string in picked]


def nouns(world: World, confident: bool = True) -> dict[str, Any]:
    """The same as `qa` takes it."""
    questions = questions_of(world)
    units = tuple(questions.index)
    rows = [
        (world.runs.index(run), units.index(question), *row)
        for run in world.runs
        for question in world.order[run]
        for row in world.said[run, question]
    ]
    columns: list[Any] = [list(column) for column in zip(*rows, strict=True)] if rows else [[]] * 5
    answers = Answers(
        runs=tuple(world.runs),
        units=units,
        run=np.array(columns[0], dtype=np.int32),
        question=np.array(columns[1], dtype=np.int32),
        documents=tuple(columns[2]),
        strings=tuple(columns[3]),
        confidence=np.array(columns[4], dtype=np.float64) if confident else None,
    )
    made: dict[str, Any] = {"questions": questions, "answers": answers}
    if world.verdicts:
        made["verdicts"] = Verdicts(
            units=units,
            question=np.array([units.index(key[0]) for key in world.verdicts], dtype=np.int32),
            documents=tuple(key[1] for key in world.verdicts),
            strings=tuple(key[2] for key in world.verdicts),
            verdict=np.array([LETTERS.index(letter) for letter, _ in world.verdicts.values()], dtype=np.int8),
            groups=tuple(group for _, group in world.verdicts.values()),
        )
    if world.nuggets:
        made["matches"] = matches_of(world)
    return made


def questions_of(world: World) -> Questions:
    """The test set."""
    rows = [(Question(name, kind, "What?", series), f"target of {series}", its)  # type: ignore[arg-type]
            for name, kind, series, its in world.questions]  # fmt: skip
    return Questions(tuple(question for question, _, _ in rows), make_series(rows))


def matches_of(world: World) -> Matches:
    """The lists, and what runs hold of them."""
    topics = list(dict.fromkeys(question for _, question in world.nuggets))
    rows = [
        (topics.index(question), question, name, assessor, importance)
        for (assessor, question), listed in world.nuggets.items()
        for name, importance in listed
    ]
    rows.sort(key=lambda row: row[0])
    importance = np.array([importance_code(row[4]) for row in rows], dtype=np.int8)
    degree = [
        [DEGREES.index(world.held.get((run, row[3], row[1], row[2]), "not_support")) for row in rows]
        for run in world.runs
    ]
    nuggets = Nuggets(
        units=tuple(topics),
        topic=np.array([row[0] for row in rows], dtype=np.int32),
        names=tuple(row[2] for row in rows),
        texts=tuple(f"nugget {row[2]}" for row in rows),
        importance=importance,
        spelled=tuple(row[4] for row in rows),
        assessor=tuple(row[3] for row in rows),
    )
    return Matches(
        runs=tuple(world.runs),
        nuggets=nuggets,
        degree=np.array(degree, dtype=np.int8).reshape(len(world.runs), len(rows)),
        importance=np.tile(importance, (len(world.runs), 1)),
        answered=np.ones((len(world.runs), len(topics)), dtype=bool),
    )
