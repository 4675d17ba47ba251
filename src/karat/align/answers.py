"""Align answers: match the answers of runs with the questions, and report all problems, line by line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from karat.align.columns import Columns, seen_before
from karat.align.questions import rows_asked
from karat.data.answers import NIL, Answers
from karat.data.questions import TYPES, Questions
from karat.errors import Problems

MAX_RUNS_TIMES_QUESTIONS = 1 << 25
"""In one file: counts for every run and question are in memory at the same time."""


def align_answers(questions: Questions, columns: Columns, problems: Problems, answers: int = 1) -> Answers | None:
    """The answers in one file, or None if it has errors (all of them are in `problems`).

    Columns are run, question, document and string, and optionally rank (otherwise answers are in order) and confidence.
    The fact `generated` marks files whose rows are sentences, which need not all cite a document. The fact `only` is
    the one type of question that such files contain, so that they need not answer any other.
    A factoid has one answer (or up to `answers`, ranked). A list or OTHER question has any number; having none is a
    warning. Answers to excluded questions are ignored.
    """
    file = columns.file
    columns.need_rows(problems, "no answers", "at least one answer")
    kept = [row for row, _ in rows_asked(questions, columns, problems)]
    if len(columns) and not kept and questions.partial:
        problems.add("unknown-id", "no answer to any of the topics", file=file)
    kept = _in_order(columns, kept)
    runs = {name: place for place, name in enumerate(dict.fromkeys(columns["run"]))}
    if len(runs) * len(questions) > MAX_RUNS_TIMES_QUESTIONS:
        limit = f"{MAX_RUNS_TIMES_QUESTIONS:,} runs times questions"
        problems.add("too-large", f"{len(runs):,} runs on {len(questions):,} questions", file=file, limit=limit)
        return None
    _check_rows(columns, kept, problems)
    made = Answers(
        runs=tuple(runs),
        units=tuple(questions.index),
        run=np.array([runs[columns["run"][row]] for row in kept], dtype=np.int32),
        question=np.array([questions.index[columns["question"][row]] for row in kept], dtype=np.int32),
        documents=tuple(columns["document"][row] for row in kept),
        strings=tuple(columns["string"][row] for row in kept),
        confidence=_confidence(questions, columns, kept, problems),
        ranks=_ranks(questions, columns, kept, problems),
        places=tuple((file, columns.lines[row]) for row in kept),
        sources=(columns.source,),
    )
    _check_counts(questions, made, columns, kept, problems, answers)
    return None if problems.failed(file) else made


def _in_order(columns: Columns, rows: list[int]) -> list[int]:
    """Rows sorted by rank within each run and question, if the file has ranks; questions keep their order."""
    ranks = columns.get("rank")
    if ranks is None:
        return rows
    first: dict[tuple[str, str], int] = {}
    for row in rows:
        first.setdefault((columns["run"][row], columns["question"][row]), row)
    rank = [float("inf") if one is None else one for one in ranks]
    return sorted(rows, key=lambda row: (first[columns["run"][row], columns["question"][row]], rank[row]))


def _ranks(questions: Questions, columns: Columns, rows: list[int], problems: Problems) -> NDArray[np.int32] | None:
    """The ranks in the file, or None if it has none; answers to one factoid must have different ranks."""
    ranks = columns.get("rank")
    if ranks is None or any(ranks[row] is None for row in rows):
        return None
    met: dict[tuple[str, str, float], int | None] = {}
    for row in rows:
        rank, name = ranks[row] or 0.0, columns["question"][row]
        key = columns["run"][row], name, rank
        first = seen_before(met, key, columns.lines[row])
        if first is not None and questions.questions[questions.index[name]].type == "FACTOID":
            found = f"a second answer of rank {rank:g} to factoid question {name!r}{first}"
            columns.report(problems, "rank", found, row)
    return np.array([ranks[row] for row in rows], dtype=np.int32)


def _confidence(
    questions: Questions, columns: Columns, rows: list[int], problems: Problems
) -> NDArray[np.float64] | None:
    """The confidence of each row; a run that states any must state one for every answer to a factoid."""
    confidence = columns.get("confidence")
    if confidence is None:
        return None
    stating = {columns["run"][row] for row in rows if confidence[row] is not None}
    for row in rows:
        name = columns["question"][row]
        factoid = questions.questions[questions.index[name]].type == "FACTOID"
        if confidence[row] is None and factoid and columns["run"][row] in stating:
            found = f"no confidence in the answer to factoid question {name!r}"
            columns.report(problems, "confidence", found, row)
    if not stating:
        return None
    return np.array([np.nan if (one := confidence[row]) is None else one for row in rows], dtype=np.float64)


def _check_rows(columns: Columns, rows: Sequence[int], problems: Problems) -> None:
    """Every answer has a text or is NIL, has a document if others of its run do, and is given once."""
    named = () if columns.facts.get("generated") else rows
    documented = {columns["run"][row] for row in named if columns["document"][row] not in ("", NIL)}
    met: dict[tuple[str, str, str, str], int | None] = {}
    for row in rows:
        line, name, document = columns.lines[row], columns["question"][row], columns["document"][row]
        string = "" if document == NIL else " ".join(columns["string"][row].split())
        if document != NIL and not string:
            columns.report(problems, "empty-answer", f"an empty answer to question {name!r}", row)
            continue
        if not document and columns["run"][row] in documented:
            columns.report(problems, "no-document", f"an answer to question {name!r} without document", row)
        key = columns["run"][row], name, document, string
        if (first := seen_before(met, key, line)) is not None:
            columns.report(problems, "same-answer", f"the same answer to question {name!r}{first}", row)


def _check_counts(
    questions: Questions, made: Answers, columns: Columns, rows: Sequence[int], problems: Problems, most: int
) -> None:
    """Factoids have at most `most` answers, runs answer all questions, and NIL is the only answer in a list."""
    order, file = made.order, columns.file
    what = "one answer" if most == 1 else f"at most {most} answers"
    fix = "keep the best, or use --answers 5 if answers are ranked" if most == 1 else "keep the best of them"
    for place in np.flatnonzero(order > most).tolist():
        question = questions.questions[made.question[place]]
        if question.type == "FACTOID":
            found = f"answer {order[place]} of run {made.runs[made.run[place]]!r} to factoid question {question.id!r}"
            columns.report(problems, "several-answers", found, rows[place], what=what, fix=fix)
    nil = np.array([document == NIL for document in made.documents], dtype=bool)
    beside = nil & (made.counts.ravel()[made.cell] > np.bincount(made.cell, nil, made.counts.size)[made.cell])
    for place in np.flatnonzero(beside).tolist():
        question = questions.questions[made.question[place]]
        if question.type != "FACTOID":  # NIL may be one of several ranked answers to a factoid
            found = f"NIL together with other answers to {question.type.lower()} question {question.id!r}"
            columns.report(problems, "nil-beside", found, rows[place])
    factoid = questions.types == TYPES.index("FACTOID")
    only = columns.facts.get("only")
    expected = questions.types == TYPES.index(only) if only else np.True_
    for code, asked in (("no-answer", factoid), ("no-response", ~factoid)):
        missing = np.flatnonzero((made.counts == 0) & asked & expected)
        for cell in problems.first(missing.tolist(), code, file):
            run, unit = divmod(cell, len(questions))
            question = questions.questions[unit]
            found = f"nothing from run {made.runs[run]!r} to {question.type.lower()} question {question.id!r}"
            problems.add(code, found, file=file)
