"""Align patterns and accepted answers: match those of one or more files with the questions, and report all problems."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from karat.align.columns import Columns
from karat.align.questions import QUESTION_IDS, rows_asked
from karat.data.accepted import AcceptedAnswer
from karat.data.answers import NIL
from karat.data.patterns import Pattern, Patterns
from karat.data.questions import Questions
from karat.errors import Problems
from karat.kernels.regex import accepts_everything

Nil = dict[int, tuple[Columns, int]]
"""The row that says of a question that no answer is known."""


def align_patterns(questions: Questions, parts: Sequence[Columns], problems: Problems) -> Patterns | None:
    """The compiled patterns of one or more files, or None if a file has errors (all of them are in `problems`).

    Columns are question, regex and documents. If an expression occurs in several lines, it is one answer with the
    documents of all of them. Expressions that accept every string are left out and counted.
    """
    found: dict[tuple[int, str], Pattern] = {}
    everywhere: set[tuple[int, str]] = set()
    nil: Nil = {}
    wide = 0
    for part in (_without_header(questions, one) for one in parts):
        part.need_rows(problems, "no patterns", "at least one pattern")
        names, regexes, documents = part["question"], part["regex"], part["documents"]
        for row, place in rows_asked(questions, part, problems):
            name, spelled = names[row], regexes[row]
            key = place, spelled
            if not spelled:
                part.report(problems, "pattern", f"no expression for question {name!r}", row)
            elif spelled == NIL:
                nil.setdefault(place, (part, row))
            elif key in found or _compiled(Pattern(*key), part, row, problems):
                before = found.get(key, Pattern(*key))
                found[key] = replace(before, documents=before.documents | documents[row])
                if not documents[row]:  # supported by every document, whatever other lines say
                    everywhere.add(key)
            else:
                wide += 1
    unknown = _unknown(questions, nil, found, "patterns of", "incorrect, since one is right", problems)
    if any(problems.failed(part.file) for part in parts):
        return None
    return Patterns(
        units=tuple(questions.index),
        patterns=tuple(replace(one, documents=frozenset()) if key in everywhere else one for key, one in found.items()),
        nil=unknown,
        left_out=wide,
        sources=tuple(part.source for part in parts),
    )


def _without_header(questions: Questions, part: Columns) -> Columns:
    """The file without a header line, unless a question has that id."""
    first = part["question"][0] if part.lines and part.lines[0] == 1 else ""
    if first not in QUESTION_IDS or first in questions.index:
        return part
    return Columns(part.source, {name: values[1:] for name, values in part.values.items()}, part.lines[1:])


def _compiled(pattern: Pattern, part: Columns, row: int, problems: Problems) -> bool:
    """Whether a pattern can be used; if not, the reason is reported."""
    message = f"{pattern.spelled!r} of question {part['question'][row]!r}"
    try:
        wide = accepts_everything(pattern.regex)
    except ValueError as error:
        part.report(problems, "pattern", f"{message}: {error}", row)
        return False
    if wide:
        part.report(problems, "wide-pattern", message, row)
    return not wide


def _unknown(
    questions: Questions, nil: Nil, found: Iterable[tuple[int, str]], others: str, what: str, problems: Problems
) -> frozenset[int]:
    """The questions to which no answer is known; NIL together with others is reported."""
    answered = {question for question, _ in found}
    for place, (part, row) in nil.items():
        if place in answered:
            message = f"NIL together with other {others} question {questions.questions[place].id!r}"
            part.report(problems, "nil-key", message, row, what=what)
    return frozenset(nil) - answered


def align_accepted(questions: Questions, parts: Sequence[Columns], problems: Problems) -> Patterns | None:
    """The accepted answers in one or more files; None if there are none, or a file has errors."""
    found: dict[tuple[int, str], Pattern] = {}
    nil: Nil = {}
    for part in parts:
        part.need_rows(problems, "no accepted answers", "at least one accepted answer")
        for row, place in rows_asked(questions, part, problems):
            answer = " ".join(part["answer"][row].split())
            if answer.upper() in ("", NIL):
                nil.setdefault(place, (part, row))
            else:
                found.setdefault((place, answer), AcceptedAnswer(place, answer))
    unknown = _unknown(questions, nil, found, "accepted answers to", "no other answer", problems)
    if not parts or any(problems.failed(part.file) for part in parts):
        return None
    return Patterns(
        units=tuple(questions.index),
        patterns=tuple(found.values()),
        nil=unknown,
        in_words=True,
        sources=tuple(part.source for part in parts),
    )
