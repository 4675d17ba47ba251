"""Question development: assessors write series of questions about a target, with the answers that they know."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from karat.campaign.events import Item
from karat.campaign.judging.asking import Ask, digits
from karat.campaign.judging.kinds.finished import chosen
from karat.campaign.judging.kinds.kind import Export, Kind
from karat.campaign.judging.library import Material
from karat.campaign.judging.work import Work
from karat.data.questions import TYPES

if TYPE_CHECKING:
    from karat.data.questions import Questions, QuestionType

MOST = 20_000
"""The characters of a definition, and of the known answers to a question."""
TARGETS = ("PERSON", "ORG", "THING", "EVENT")
FOUND_NONE = "yes"
DEFINITION = "What a reader should learn about the target. Whoever writes the list of nuggets sees it."
ANSWERS = "One on each line; if you know the document that supports it, add | and its id."
PLACE = "A number. Without places, questions are asked in the order in which they were written."
PLACES = re.compile("[1-9][0-9]{0,3}")


class Known(msgspec.Struct, frozen=True):
    """An answer that an assessor knows."""

    answer: str
    document: str = ""


class Written(msgspec.Struct, frozen=True):
    """A question that an assessor has written."""

    id: str
    type: QuestionType
    text: str
    known: tuple[Known, ...] = ()
    none: bool = False
    """Whether they have searched and found no answer."""


class Developed(msgspec.Struct, frozen=True):
    """A finished series."""

    id: str
    target: str
    kind: str
    definition: str
    questions: tuple[Written, ...]


def _show(material: Material, item: Item, who: str) -> dict[str, Any]:
    del material, who
    return {"series": item.unit}


def _ask(material: Material, item: Item, who: str) -> tuple[Ask, ...]:
    del material, item, who
    return (
        Ask(name="target", text="Target", key="t", help="What all questions of the series are about."),
        Ask(name="type", text="Type of target", hints=TARGETS, required=False, most=40),
        Ask(
            name="definition",
            text="Your own definition",
            long=True,
            required=False,
            most=MOST,
            key="d",
            help=DEFINITION,
        ),
    )


def _entry(material: Material, item: Item, who: str) -> tuple[Ask, ...]:
    del material, item, who
    return (
        Ask(name="kind", text="Type of question", values=TYPES, keys=digits(len(TYPES))),
        Ask(name="text", text="Question", required=False, help="An OTHER question needs none."),
        Ask(name="answers", text="Known answers", long=True, required=False, most=MOST, help=ANSWERS),
        Ask(
            name="none",
            text="Searched, and found no answer",
            values=(FOUND_NONE, "no"),
            keys=("y", "n"),
            required=False,
        ),
        Ask(name="place", text="Place", required=False, most=4, help=PLACE),
    )


def _check(work: Work, item: Item, who: str, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if not item.entry:
        yield from _of_series([one.said.values["kind"] for one in work.entries(who, item).values()])
        return
    other = values.get("kind") == "OTHER"
    if not other and not values.get("text", "").strip():
        yield "no text", "a question; only OTHER needs none"
    if other and (values.get("answers") or values.get("none") == FOUND_NONE):
        yield "answers to an OTHER question", "none: its answers are judged by nuggets"
    if values.get("answers") and values.get("none") == FOUND_NONE:
        yield "answers, and that none was found", "one or the other"
    if (place := values.get("place")) is not None and not PLACES.fullmatch(place):
        yield f"place {place!r}", "a number from 1 to 9999"


def _of_series(kinds: list[str]) -> Iterator[tuple[str, str]]:
    """A series asks something, and ends with its only OTHER."""
    if not kinds:
        yield "a series without questions", "questions, and OTHER as the last one"
    elif kinds.count("OTHER") != 1 or kinds[-1] != "OTHER":
        count = kinds.count("OTHER")
        found = f"{count or 'no'} OTHER questions" if count != 1 else "an OTHER question that is not the last one"
        yield f"a series with {found}", "one OTHER question, the last of the series"


def known_in(answers: str) -> tuple[Known, ...]:
    """The known answers in what an assessor wrote: one on each line, with its document after a tab or a bar."""
    found = []
    for line in answers.splitlines():
        answer, _, document = line.replace("\t", "|").partition("|")
        if plain := " ".join(answer.split()):
            found.append(Known(plain, " ".join(document.split())))
    return tuple(dict.fromkeys(found))


def developed(material: Material) -> list[Developed]:
    """The series that are finished, S2 before S10; of several for one name, that of whoever was first given units."""
    found = []
    for unit in sorted(_given(material.work), key=_natural):
        if (one := chosen(material.work, DEVELOPMENT, unit)) is None:
            continue
        about, entries = one[0].said.values, [ballot.said.values for ballot in one[1]]
        found.append(
            Developed(
                id=unit,
                target=" ".join(about["target"].split()),
                kind=" ".join(about.get("type", "").split()).upper(),
                definition=about.get("definition", ""),
                questions=tuple(_question(f"{unit}.{place}", said) for place, said in enumerate(entries, 1)),
            )
        )
    return found


def _question(id: str, said: Mapping[str, str]) -> Written:
    kind: Any = said["kind"]
    text = " ".join(said.get("text", "").split()) or "Other"
    return Written(id, kind, text, known_in(said.get("answers", "")), said.get("none") == FOUND_NONE)


def _given(work: Work) -> set[str]:
    return {item.unit for (stage, _), items in work.queues.items() if stage == "development" for item in items}


def _natural(name: str) -> list[tuple[int, str]]:
    """By which names are sorted with their numbers as numbers."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", name)]


def unfinished(material: Material) -> list[str]:
    """The series that were given out and that nobody has finished."""
    done = {one.id for one in developed(material)}
    return sorted(_given(material.work) - done, key=_natural)


def questions_of(material: Material) -> Questions:
    """The questions of all finished series as a test set."""
    from karat.data.questions import Question, Questions, QuestionSeries

    made = developed(material)
    return Questions(
        tuple(Question(one.id, one.type, one.text, of.id) for of in made for one in of.questions),
        tuple(QuestionSeries(of.id, of.target, tuple(q.id for q in of.questions), of.kind or None) for of in made),
    )


def questions_file(material: Material, programs: bool = False) -> bytes:
    """The questions as a table, which can become the test set."""
    from karat.formats.registry import question_formats

    del programs
    return bytes(question_formats["table"].facts["write"](questions_of(material)))


def _known_file(material: Material, programs: bool) -> bytes:
    """What assessors know, as verdicts: their own answers are right, and NIL is where they found none."""
    import numpy as np

    from karat.data.answers import NIL
    from karat.data.verdicts import CORRECT, Verdicts
    from karat.formats.registry import verdict_formats

    del programs
    asked = [one for of in developed(material) for one in of.questions]
    rows = [
        (place, known.document, known.answer, known.answer.casefold() * (one.type == "LIST"))
        for place, one in enumerate(asked)
        for known in (*one.known, *(Known("", NIL) for _ in range(one.none)))
    ]
    made = Verdicts(
        units=tuple(one.id for one in asked),
        question=np.array([row[0] for row in rows], dtype=np.int32),
        documents=tuple(row[1] for row in rows),
        strings=tuple(row[2] for row in rows),
        verdict=np.full(len(rows), CORRECT, dtype=np.int8),
        groups=tuple(row[3] for row in rows),
    )
    return bytes(verdict_formats["table"].facts["write"](made))


def developed_beside(material: Material) -> Iterator[Developed]:
    """The finished series of all tasks with the same test set: they are written in one, and judged in others too."""
    for task in material.state.definition.tasks:
        if task.test == material.task.test:
            yield from developed(material.library.material(material.state, task))


def known_answers(material: Material, qid: str) -> tuple[Known, ...]:
    """The answers to a question that the assessor who wrote it knows."""
    written = (one for of in developed_beside(material) for one in of.questions if one.id == qid)
    return next((one.known for one in written), ())


DEVELOPMENT = Kind(
    stage="development",
    title="Question development",
    verb="written",
    skip="Skip this series",
    units=lambda _: (),
    named=True,
    each=1,
    show=_show,
    shows="development",
    ask=_ask,
    entry=_entry,
    listed="Questions",
    before_list=True,
    saving="Finish",
    keys=(
        ("t", "To the target"),
        ("d", "To your own definition"),
        ("1 to 3", "In a question: its type"),
        ("y", "In a question: searched, and found no answer"),
        ("n", "In a question: that is not so"),
        ("Alt+↑", "Ask the question in hand earlier"),
        ("Alt+↓", "Ask it later"),
    ),
    check=_check,
    files=(
        Export(
            "questions",
            "questions.tsv",
            "The questions of finished series. They can become the test set.",
            questions_file,
        ),
        Export(
            "known",
            "known-answers.tsv",
            "The answers that their authors know, as `karat qa --judgments` reads them",
            _known_file,
        ),
    ),
)
