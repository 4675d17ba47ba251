"""Align verdicts: match judged answers with the questions, and report all problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from karat.align.columns import Columns
from karat.align.questions import rows_asked
from karat.data.answers import NIL
from karat.data.questions import Questions
from karat.data.verdicts import CORRECT, INCORRECT, NAMES, Verdicts
from karat.errors import Problems


class _Place(NamedTuple):
    """File and line of a row."""

    file: str
    line: int | None

    def seen_from(self, file: str) -> str:
        """The place in words, in a problem about `file`."""
        there = "" if self.file == file else f" of {self.file}"
        return f"elsewhere{there}" if self.line is None else f"in line {self.line}{there}"


@dataclass
class _Judged:
    """The verdict on one [document, string] of a question."""

    verdict: int
    group: str
    string: str
    place: _Place


def align_verdicts(questions: Questions, parts: Sequence[Columns], problems: Problems) -> Verdicts | None:
    """The verdicts of one or more files, or None if a file has errors (all of them are in `problems`).

    Columns are question, document, string, verdict (a code, or None if it was not valid), group and, optionally,
    assessor. If several assessors are named, the verdicts are those of the majority.
    """
    assessors = list(dict.fromkeys(name for columns in parts for name in columns["assessor"] if name))
    if len(assessors) < 2:
        return _of_one(questions, parts, problems)
    each = {}
    for columns in parts:
        nameless = [row for row, name in enumerate(columns["assessor"]) if not name]
        for row in problems.first(nameless, "no-assessor", columns.file):
            columns.report(problems, "no-assessor", "a verdict without its assessor", row)
    for name in assessors:
        own = [[row for row, who in enumerate(columns["assessor"]) if who == name] for columns in parts]
        theirs = [columns.of_rows_at(rows) for columns, rows in zip(parts, own, strict=True) if rows]
        each[name] = _of_one(questions, theirs, problems)
    known = {name: said for name, said in each.items() if said is not None}
    if len(known) < len(each) or any(problems.failed(columns.file) for columns in parts):
        return None
    return replace(Verdicts.of_majority(known), sources=tuple(columns.source for columns in parts))


def _of_one(questions: Questions, parts: Sequence[Columns], problems: Problems) -> Verdicts | None:
    """The verdicts of one assessor, who may be nameless."""
    rows: dict[tuple[int, str, str], _Judged] = {}
    for columns in parts:
        _add_rows(rows, questions, columns, problems)
        if all(verdict is None for verdict in columns["verdict"]) and not problems.failed(columns.file):
            what = "at least one judged answer"
            problems.add("empty-file", "no judged answers", file=columns.file, what=what)
    if any(problems.failed(columns.file) for columns in parts):
        return None
    verdicts = Verdicts(
        units=tuple(questions.index),
        question=np.array([question for question, _, _ in rows], dtype=np.int32),
        documents=tuple(document for _, document, _ in rows),
        strings=tuple(one.string for one in rows.values()),
        verdict=np.array([one.verdict for one in rows.values()], dtype=np.int8),
        groups=tuple(one.group for one in rows.values()),
        sources=tuple(columns.source for columns in parts),
    )
    places = [one.place for one in rows.values()]
    _check_nil(verdicts, places, problems)
    _check_groups(questions, verdicts, places, problems)
    _check_strings(verdicts, places, problems)
    return verdicts


def _add_rows(
    kept: dict[tuple[int, str, str], _Judged], questions: Questions, columns: Columns, problems: Problems
) -> None:
    """Add every [document, string] once; if two verdicts agree, the first is kept, with the group of either."""
    file = columns.file
    names, documents, strings = columns["question"], columns["document"], columns["string"]
    verdicts, groups = columns["verdict"], columns["group"]
    for row, question in rows_asked(questions, columns, problems):
        name, document, verdict = names[row], documents[row], verdicts[row]
        string = "" if document == NIL else " ".join(strings[row].split())
        if document != NIL and not string:
            columns.report(problems, "empty-answer", f"an empty answer to question {name!r}", row)
        if verdict is None:
            continue
        key, group = (question, document, string), groups[row]
        if key not in kept:
            kept[key] = _Judged(verdict, group, strings[row], _Place(file, columns.lines[row]))
            continue
        first = kept[key]
        what = f"{string or NIL!r} of document {document!r}" if document not in ("", NIL) else repr(string or NIL)
        place = f", {first.place.seen_from(file)} {NAMES[first.verdict]}"
        message = f"{what} for question {name!r}: {NAMES[verdict]}{place}"
        columns.report(problems, "judged-twice" if first.verdict == verdict else "verdicts-differ", message, row)
        if group and first.group and group != first.group:
            message = f"{what} for question {name!r} in groups {first.group!r} and {group!r}"
            columns.report(problems, "odd-verdict", message, row, what="one group for a string; the first counts")
        first.group = first.group or group


def _check_nil(verdicts: Verdicts, places: Sequence[_Place], problems: Problems) -> None:
    """A verdict on NIL must agree with the known answers: NIL is right if there are none."""
    for row, document in enumerate(verdicts.documents):
        if document != NIL:
            continue
        question = int(verdicts.question[row])
        known = bool(verdicts.answerable[question])
        if (verdicts.verdict[row] == CORRECT) == known:
            found = f"NIL {NAMES[verdicts.verdict[row]]} for question {verdicts.units[question]!r}"
            what = "incorrect, since one is right" if known else "correct, since none is right"
            problems.add("nil-key", found, **places[row]._asdict(), what=what)


def _check_groups(questions: Questions, verdicts: Verdicts, places: Sequence[_Place], problems: Problems) -> None:
    """Correct answers to list questions have groups, wrong ones do not; answers to OTHER are judged by nuggets."""
    for row, question in enumerate(verdicts.question.tolist()):
        kind, name = questions.questions[question].type, verdicts.units[question]
        code, group, said = int(verdicts.verdict[row]), verdicts.groups[row], verdicts.strings[row]
        if verdicts.documents[row] == NIL:
            continue
        if kind == "OTHER":
            what = "verdicts on factoid and list questions; answers to OTHER questions are judged by nuggets"
            problems.add("odd-verdict", f"a verdict for other question {name!r}", **places[row]._asdict(), what=what)
        elif kind == "LIST" and code == CORRECT and not group:
            found = f"{said!r}, correct for list question {name!r}"
            problems.add("no-group", found, **places[row]._asdict())
        elif code == INCORRECT and group:
            found = f"{said!r}, incorrect for question {name!r}, in group {group!r}"
            problems.add("odd-verdict", found, **places[row]._asdict(), what="groups of answers that are right")


def _check_strings(verdicts: Verdicts, places: Sequence[_Place], problems: Problems) -> None:
    """A correct string is not wrong, nor in another group, with another document; it may be unsupported."""
    correct: dict[tuple[int, str], int] = {}
    strings = [" ".join(string.split()).casefold() for string in verdicts.strings]
    keys = list(zip(verdicts.question.tolist(), strings, strict=True))
    for row, key in enumerate(keys):
        if verdicts.verdict[row] == CORRECT and verdicts.documents[row] != NIL:
            correct.setdefault(key, row)
    for row, key in enumerate(keys):
        first = correct.get(key)
        if first is None or first == row or verdicts.documents[row] == NIL:
            continue
        said = f"{verdicts.strings[row]!r} for question {verdicts.units[key[0]]!r}"
        place = places[first].seen_from(places[row].file)
        if verdicts.verdict[row] == INCORRECT:
            found, what = f"{said}, incorrect here and correct {place}", "unsupported, where only the document differs"
            problems.add("odd-verdict", found, **places[row]._asdict(), what=what)
        elif verdicts.verdict[row] == CORRECT and verdicts.group_of(row) != verdicts.group_of(first):
            found = f"{said}, in group {verdicts.groups[row]!r} here and {verdicts.groups[first]!r} {place}"
            problems.add("odd-verdict", found, **places[row]._asdict(), what="one string in one group")
