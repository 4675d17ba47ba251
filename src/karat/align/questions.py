"""Questions from the columns of a file: types, ids, texts, series and targets are checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import unescape

from karat.align.columns import CellPlace, Columns, seen_before
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
"""Spellings of types, in any case. Definitions (TREC 2003) and relationships (TREC 2005) are scored as OTHER."""
SERIES_OF_LISTS = ("gathering", "browsing")
"""Kinds of series (NTCIR QACIAD) that have only list questions, without a final OTHER."""
QUESTION_IDS = ("qid", "question_id", "id")
"""Headings of the column of question ids in tables of questions, answers and verdicts, and in patterns."""


def make_questions(columns: Columns, problems: Problems, untyped: QuestionType = "FACTOID") -> Questions | None:
    """Questions and their series, or None if the file has errors (all of them are in `problems`).

    Columns are id and question, and optionally type (without it, all are `untyped`), series, target and kind.
    """
    columns.need_rows(problems, "no questions", "at least one question")
    _check_ids(columns, problems)
    rows: list[tuple[Question, str, str | None]] = []
    types = columns.get("type") or [untyped] * len(columns)
    rest = (columns[name] for name in ("question", "series", "target", "kind"))
    for row, (name, spelled, *said) in enumerate(zip(columns["id"], types, *rest, strict=True)):
        text, target = (" ".join(said[at].split()) for at in (0, 2))
        series, kind = said[1], said[3]
        found_type = SPELLED.get(spelled.upper())
        if found_type is None:
            message = f"type {spelled!r}" if spelled else "no type"
            columns.report(problems, "question-type", f"{message} of question {name!r}", row)
        elif not text and found_type != "OTHER":  # the text of an OTHER has no meaning
            columns.report(problems, "empty-question", f"no text of question {name!r}", row)
        question = Question(name, found_type or "OTHER", text or "Other", series or None)
        rows.append((question, target, kind or None))
    if problems.failed(columns.file):
        return None
    _check_series(columns, rows, problems)
    return Questions(tuple(question for question, _, _ in rows), make_series(rows), columns.source)


def _check_ids(columns: Columns, problems: Problems) -> None:
    """Every question has a unique id, which is not the id of a series either: both can be excluded by id."""
    met: dict[str, int | None] = {}
    series = set(columns["series"])
    for row, (name, line) in enumerate(zip(columns["id"], columns.lines, strict=True)):
        if not name:
            columns.report(problems, "no-id", "a question without id", row)
        elif (first := seen_before(met, name, line)) is not None:
            columns.report(problems, "duplicate-id", f"question {name!r} again{first}", row)
        elif name in series:
            columns.report(problems, "duplicate-id", f"question {name!r}, and a series of that id", row)


def _check_series(columns: Columns, rows: Sequence[tuple[Question, str, str | None]], problems: Problems) -> None:
    """A series has one target and kind, and ends with its only OTHER."""
    members: dict[str, list[int]] = {}
    for place, (question, _, _) in enumerate(rows):
        if question.series is not None:
            members.setdefault(question.series, []).append(place)
    for name, places in members.items():
        _, target, kind = rows[places[0]]
        browsing = kind is not None and kind.casefold() == "browsing"  # targets change from question to question
        for place in places[1:]:
            if rows[place][2] != kind or (rows[place][1] != target and not browsing):
                found = f"a different target or kind of series {name!r} from its first row"
                columns.report(problems, "series", found, place)
        others = [place for place in places if rows[place][0].type == "OTHER"]
        if others == places[-1:] or (not others and kind is not None and kind.casefold() in SERIES_OF_LISTS):
            continue
        found = (
            f"{len(others) or 'no'} OTHER in series {name!r}"
            if len(others) != 1
            else (f"question {rows[places[-1]][0].id!r} after the OTHER of series {name!r}")
        )
        columns.report(problems, "other-last", found, places[-1])


def rows_asked(questions: Questions, columns: Columns, problems: Problems) -> Iterator[tuple[int, int]]:
    """Rows about questions of the test set, each with the question's index.

    Unknown questions are reported once for each place in the file; excluded questions are ignored.
    """
    reported: set[tuple[str, CellPlace]] = set()
    for row, name in enumerate(columns["question"]):
        place = questions.index.get(name)
        if place is not None:
            problems.recognise(columns.file)
            yield row, place
        elif name not in questions.dropped and not questions.partial:
            at = name, columns.place(row, "question")
            if at not in reported:
                columns.report(problems, "unknown-id", f"question {name!r}", row, "question")
            reported.add(at)


def set_target_types(questions: Questions, columns: Columns, problems: Problems) -> Questions:
    """The questions with the kind of each series; each series must have exactly one line, in order or by id."""
    kinds: dict[str, str] = {}
    by_id = {series.id: series for series in questions.series}
    place = 0
    for row, (line, name, kind, target) in enumerate(columns.rows("line", "id", "kind", "name")):
        series = by_id.get(name or "")
        if kind and name is None:
            series = questions.series[place] if place < len(questions.series) else None
            place += 1
        if not kind or series is None or (target and _plain(target) != _plain(series.target)) or series.id in kinds:
            message = f"{line!r} where the target is {series.target!r}" if series else f"{line!r}"
            columns.report(problems, "target-type", message, row)
        if kind and series:
            problems.recognise(columns.file)
            kinds.setdefault(series.id, "ORG" if kind.upper().startswith("ORG") else kind.upper())
    if not problems.failed(columns.file):
        for series in questions.series:
            if series.id not in kinds:
                problems.add("target-type", f"no type of target {series.target!r}", file=columns.file)
    typed = tuple(replace(one, kind=kinds.get(one.id, one.kind)) for one in questions.series)
    return replace(questions, series=typed, beside=(*questions.beside, columns.source))


def _plain(name: str) -> str:
    """The name of a target for comparison, without differences in white space, case and XML escapes."""
    return " ".join(unescape(name).split()).casefold()
