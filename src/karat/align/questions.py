"""From what a reader found to questions: types, ids, texts and series are checked, and everything wrong is reported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from karat.align.columns import Columns, Place, again
from karat.data.questions import Question, Questions, QuestionType, make_series
from karat.errors import Problems

SPELLED: dict[str, QuestionType] = {
    "FACTOID": "FACTOID",
    "LIST": "LIST",
    "OTHER": "OTHER",
    "DEFINITION": "OTHER",
    "DEF": "OTHER",
    "RELATIONSHIP": "OTHER",
}
"""Types as files spell them, in any case. Definitions (TREC 2003) and relationships (TREC 2005) are scored as OTHER."""
SERIES_OF_LISTS = ("gathering", "browsing")
"""Kinds of series (NTCIR QACIAD) that have list questions only, and no OTHER to end with."""
QUESTION_IDS = ("qid", "question_id", "id")
"""What the id of a question is called in tables of questions, answers and verdicts, and at the head of patterns."""


def make_questions(columns: Columns, problems: Problems) -> Questions | None:
    """Questions and their series, or None where the file has errors (all of them in `problems`).

    Columns are id and question, and where the file has them type (else all are factoids), series, target and kind.
    """
    columns.need_rows(problems, "no questions", "at least one question")
    _check_ids(columns, problems)
    rows: list[tuple[Question, str, str | None]] = []
    types = columns.get("type") or ["FACTOID"] * len(columns)
    rest = (columns[name] for name in ("question", "series", "target", "kind"))
    for row, (name, spelled, *said) in enumerate(zip(columns["id"], types, *rest, strict=True)):
        text, target = (" ".join(said[at].split()) for at in (0, 2))
        series, kind = said[1], said[3]
        found_type = SPELLED.get(spelled.upper())
        if found_type is None:
            told = f"type {spelled!r}" if spelled else "no type"
            columns.tell(problems, "question-type", f"{told} of question {name!r}", row)
        elif not text and found_type != "OTHER":  # an OTHER asks for more about the target; its words say nothing
            columns.tell(problems, "empty-question", f"no text of question {name!r}", row)
        question = Question(name, found_type or "OTHER", text or "Other", series or None)
        rows.append((question, target, kind or None))
    if problems.failed(columns.file):
        return None
    _check_series(columns, rows, problems)
    return Questions(tuple(question for question, _, _ in rows), make_series(rows), columns.source)


def _check_ids(columns: Columns, problems: Problems) -> None:
    """Every question has an id of its own, which is no series' id either: both can be excluded by it."""
    met: dict[str, int | None] = {}
    series = set(columns["series"])
    for row, (name, line) in enumerate(zip(columns["id"], columns.lines, strict=True)):
        if not name:
            columns.tell(problems, "no-id", "a question without id", row)
        elif (first := again(met, name, line)) is not None:
            columns.tell(problems, "duplicate-id", f"question {name!r} again{first}", row)
        elif name in series:
            columns.tell(problems, "duplicate-id", f"question {name!r}, and a series of that id", row)


def _check_series(columns: Columns, rows: Sequence[tuple[Question, str, str | None]], problems: Problems) -> None:
    """A series has one target and kind, and ends with its one OTHER."""
    members: dict[str, list[int]] = {}
    for place, (question, _, _) in enumerate(rows):
        if question.series is not None:
            members.setdefault(question.series, []).append(place)
    for name, places in members.items():
        _, target, kind = rows[places[0]]
        browsing = kind is not None and kind.casefold() == "browsing"  # its targets change from question to question
        for place in places[1:]:
            if rows[place][2] != kind or (rows[place][1] != target and not browsing):
                found = f"another target or kind of series {name!r} than in its first row"
                columns.tell(problems, "series", found, place)
        others = [place for place in places if rows[place][0].type == "OTHER"]
        if others == places[-1:] or (not others and kind is not None and kind.casefold() in SERIES_OF_LISTS):
            continue
        found = (
            f"{len(others) or 'no'} OTHER in series {name!r}"
            if len(others) != 1
            else (f"question {rows[places[-1]][0].id!r} after the OTHER of series {name!r}")
        )
        columns.tell(problems, "other-last", found, places[-1])


def rows_asked(questions: Questions, columns: Columns, problems: Problems) -> Iterator[tuple[int, int]]:
    """Rows about a question that is asked, and the question's place; what is about no question at all is a problem.

    It is reported once for each place. What is said of questions that were taken out is passed over.
    """
    told: set[tuple[str, Place]] = set()
    for row, name in enumerate(columns["question"]):
        place = questions.index.get(name)
        if place is not None:
            problems.recognise(columns.file)
            yield row, place
        elif name not in questions.dropped and not questions.partial:
            at = name, columns.place(row, "question")
            if at not in told:
                columns.tell(problems, "unknown-id", f"question {name!r}", row, "question")
            told.add(at)
