"""From what a reader found to questions: types, ids, texts and series are checked, everything wrong is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from karat.data.questions import Question, Questions, QuestionType, make_series
from karat.data.source import Source
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


@dataclass
class QuestionColumns:
    """What a reader found, as spelled: columns of equal length, in file order; "" where nothing is said."""

    file: str
    source: Source
    ids: Sequence[str]
    types: Sequence[str]
    texts: Sequence[str]
    lines: Sequence[int | None]
    series: Sequence[str]
    targets: Sequence[str]
    kinds: Sequence[str]


def make_questions(columns: QuestionColumns, problems: Problems) -> Questions | None:
    """Questions and their series, or None where the file has errors (all of them in `problems`)."""
    file = columns.file
    if not columns.ids and not problems.failed(file):
        problems.add("empty-file", "no questions", file=file, what="at least one question")
    _check_ids(columns, problems)
    rows: list[tuple[Question, str, str | None]] = []
    fields = zip(columns.ids, columns.types, columns.texts, columns.series, columns.targets, columns.kinds, strict=True)
    for (name, spelled, text, series, target, kind), line in zip(fields, columns.lines, strict=True):
        found_type = SPELLED.get(spelled.upper())
        if found_type is None:
            told = f"type {spelled!r}" if spelled else "no type"
            problems.add("question-type", f"{told} of question {name!r}", file=file, line=line)
        elif not text and found_type != "OTHER":  # an OTHER asks for more about the target; its words say nothing
            problems.add("empty-question", f"no text of question {name!r}", file=file, line=line)
        question = Question(name, found_type or "OTHER", text or "Other", series or None)
        rows.append((question, target, kind or None))
    if problems.failed(file):
        return None
    _check_series(columns, rows, problems)
    return Questions(tuple(question for question, _, _ in rows), make_series(rows), columns.source)


def _check_ids(columns: QuestionColumns, problems: Problems) -> None:
    """Every question has an id of its own, which is no series' id either: both can be excluded by it."""
    first: dict[str, int | None] = {}
    series = {name for name in columns.series if name}
    for name, line in zip(columns.ids, columns.lines, strict=True):
        if not name:
            problems.add("no-id", "a question without id", file=columns.file, line=line)
            continue
        if name in first:
            where = f" (first in line {first[name]})" if first[name] else ""
            problems.add("duplicate-id", f"question {name!r} again{where}", file=columns.file, line=line)
        elif name in series:
            found = f"question {name!r}, and a series of that id"
            problems.add("duplicate-id", found, file=columns.file, line=line)
        first.setdefault(name, line)


def _check_series(
    columns: QuestionColumns, rows: Sequence[tuple[Question, str, str | None]], problems: Problems
) -> None:
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
                problems.add("series", found, file=columns.file, line=columns.lines[place])
        others = [place for place in places if rows[place][0].type == "OTHER"]
        if others == places[-1:] or (not others and kind is not None and kind.casefold() in SERIES_OF_LISTS):
            continue
        found = (
            f"{len(others) or 'no'} OTHER in series {name!r}"
            if len(others) != 1
            else (f"question {rows[places[-1]][0].id!r} after the OTHER of series {name!r}")
        )
        problems.add("other-last", found, file=columns.file, line=columns.lines[places[-1]])
