"""Align verdicts: match judged answers with the questions, and report all problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from karat.align.columns import Columns
from karat.align.questions import rows_asked
from karat.data.answers import NIL
from karat.data.questions import Questions
from karat.data.verdicts import CORRECT, INCORRECT, NAMES, Verdicts
from karat.errors import Problems, counted

MOST_NAMED = 5
"""Questions that a problem names."""


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
    marks: dict[str, bool] = field(default_factory=dict)
    """By run, whether it is marked as distinct, where the lists of each run were judged apart."""

    @property
    def by_marks(self) -> bool:
        """Whether marks alone say which answers are the same."""
        return bool(self.marks) and not self.group and self.verdict == CORRECT


Rows = dict[tuple[int, str, str], _Judged]
"""By question, document and string."""


def align_verdicts(questions: Questions, parts: Sequence[Columns], problems: Problems) -> Verdicts | None:
    """The verdicts of one or more files, or None if a file has errors (all of them are in `problems`).

    Columns are question, document, string, verdict (a code, or None if it was not valid), group and, optionally,
    assessor. If several assessors are named, the verdicts are those of the majority. Files of judged lists have no
    groups, but columns run and distinct: which of a run's right answers count.
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
    rows: Rows = {}
    for columns in parts:
        _add_rows(rows, questions, columns, problems)
        if all(verdict is None for verdict in columns["verdict"]) and not problems.failed(columns.file):
            what = "at least one judged answer"
            problems.add("empty-file", "no judged answers", file=columns.file, what=what)
    repeated, uncounted = _by_marks(rows, questions, problems)
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
        repeated=repeated,
        uncounted=uncounted,
    )
    places = [one.place for one in rows.values()]
    _check_nil(verdicts, places, problems)
    ungrouped = {row for row, one in enumerate(rows.values()) if one.by_marks}
    _check_groups(questions, verdicts, places, ungrouped, problems)
    _check_strings(verdicts, places, ungrouped, problems)
    return verdicts


def _by_marks(
    rows: Rows, questions: Questions, problems: Problems
) -> tuple[frozenset[tuple[str, int, str, str]], frozenset[tuple[int, str, str]]]:
    """Right answers of runs that repeat another one, and those not counted among the known ones, by the marks.

    Marks say how many distinct answers each run gives, but not which answers of different runs are the same. So the
    known answers are taken from elsewhere. Without them, every string marked for some run is a known answer.
    """
    marked = {key: one for key, one in rows.items() if one.by_marks}
    listed: dict[int, set[str]] = {}
    for (question, document, string), one in rows.items():
        if one.verdict == CORRECT and not one.by_marks and document != NIL:
            listed.setdefault(question, set()).add(one.group or string.casefold())
    given: Counter[tuple[int, str]] = Counter()
    places: dict[int, _Place] = {}
    for (question, _, _), one in marked.items():
        places.setdefault(question, one.place)
        given.update((question, run) for run, distinct in one.marks.items() if distinct)
    for (question, run), count in given.items():
        known = len(listed.get(question, ()))
        if known and count > known:
            said = f"{count} distinct answers of run {run!r} to question {questions.questions[question].id!r}"
            found = f"{said}, and {counted(known, 'known answer')}"
            problems.add("short-list", found, **places[question]._asdict())
    if unlisted := [questions.questions[question].id for question in places if question not in listed]:
        which = ", ".join(map(repr, unlisted[:MOST_NAMED])) + (" and others" if len(unlisted) > MOST_NAMED else "")
        found = f"no list of the known answers to {counted(len(unlisted), 'question')} ({which})"
        problems.add("no-list", found, file=next(iter(places.values())).file)
    repeated = [(run, *key) for key, one in marked.items() for run, distinct in one.marks.items() if not distinct]
    uncounted = [key for key, one in marked.items() if key[0] in listed or not any(one.marks.values())]
    return frozenset(repeated), frozenset(uncounted)


def _add_rows(kept: Rows, questions: Questions, columns: Columns, problems: Problems) -> None:
    """Add every [document, string] once; if two verdicts agree, the first is kept, with the group of either.

    The same answer of another run is judged again in its own file.
    """
    file = columns.file
    names, documents, strings = columns["question"], columns["document"], columns["string"]
    verdicts, groups = columns["verdict"], columns["group"]
    runs, distinct = columns["run"], columns["distinct"]
    for row, question in rows_asked(questions, columns, problems):
        name, document, verdict = names[row], documents[row], verdicts[row]
        string = "" if document == NIL else " ".join(strings[row].split())
        if document != NIL and not string:
            columns.report(problems, "empty-answer", f"an empty answer to question {name!r}", row)
        if verdict is None:
            continue
        key, group = (question, document, string), groups[row]
        judged = _Judged(verdict, group, strings[row], _Place(file, columns.lines[row]))
        first = kept.setdefault(key, judged)
        again = first is not judged
        if run := runs[row]:
            again = again and (run in first.marks or first.verdict != verdict)
            first.marks[run] = first.marks.get(run, False) or distinct[row]
        if not again:
            continue
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


def _check_groups(
    questions: Questions, verdicts: Verdicts, places: Sequence[_Place], ungrouped: set[int], problems: Problems
) -> None:
    """Correct answers to list questions have groups, wrong ones do not; answers to OTHER are judged by nuggets."""
    for row, question in enumerate(verdicts.question.tolist()):
        kind, name = questions.questions[question].type, verdicts.units[question]
        code, group, said = int(verdicts.verdict[row]), verdicts.groups[row], verdicts.strings[row]
        if verdicts.documents[row] == NIL:
            continue
        if kind == "OTHER":
            what = "verdicts on factoid and list questions; answers to OTHER questions are judged by nuggets"
            problems.add("odd-verdict", f"a verdict for other question {name!r}", **places[row]._asdict(), what=what)
        elif kind == "LIST" and code == CORRECT and not group and row not in ungrouped:
            found = f"{said!r}, correct for list question {name!r}"
            problems.add("no-group", found, **places[row]._asdict())
        elif code == INCORRECT and group:
            found = f"{said!r}, incorrect for question {name!r}, in group {group!r}"
            problems.add("odd-verdict", found, **places[row]._asdict(), what="groups of answers that are right")


def _check_strings(verdicts: Verdicts, places: Sequence[_Place], ungrouped: set[int], problems: Problems) -> None:
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
        elif ungrouped.isdisjoint((row, first)) and (
            verdicts.verdict[row] == CORRECT and verdicts.group_of(row) != verdicts.group_of(first)
        ):
            found = f"{said}, in group {verdicts.groups[row]!r} here and {verdicts.groups[first]!r} {place}"
            problems.add("odd-verdict", found, **places[row]._asdict(), what="one string in one group")
