"""Align answers: match what runs said with the questions, and report everything wrong, line by line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from karat.align.columns import Columns, again
from karat.align.questions import rows_asked
from karat.data.answers import NIL, Answers
from karat.data.questions import TYPES, Questions
from karat.errors import Problems

MAX_CELLS = 1 << 25
"""Runs times questions of one file: what is counted for each run and question is held in memory at once."""


def align_answers(questions: Questions, columns: Columns, problems: Problems, answers: int = 1) -> Answers | None:
    """The answers of one file to some questions, or None where it has errors (all of them in `problems`).

    Columns are run, question, document, string, and where the file has them rank (else answers stand in order) and
    confidence; `generated` is a fact of files whose rows are sentences, which need not all cite a document.
    A factoid has one answer (or up to `answers`, ranked); a list or other question any number, and none is a warning.
    What is said of questions that were taken out is passed over.
    """
    file = columns.file
    columns.need_rows(problems, "no answers", "at least one answer")
    kept = [row for row, _ in rows_asked(questions, columns, problems)]
    if len(columns) and not kept and questions.partial:
        problems.add("unknown-id", "no answer to any of the topics", file=file)
    kept = _in_order(columns, kept)
    runs = {name: place for place, name in enumerate(dict.fromkeys(columns["run"]))}
    if len(runs) * len(questions) > MAX_CELLS:
        limit = f"{MAX_CELLS:,} runs times questions"
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
    """Rows by rank within a run and question, where the file has ranks; the order of questions stays."""
    ranks = columns.get("rank")
    if ranks is None:
        return rows
    first: dict[tuple[str, str], int] = {}
    for row in rows:
        first.setdefault((columns["run"][row], columns["question"][row]), row)
    rank = [float("inf") if one is None else one for one in ranks]
    return sorted(rows, key=lambda row: (first[columns["run"][row], columns["question"][row]], rank[row]))


def _ranks(questions: Questions, columns: Columns, rows: list[int], problems: Problems) -> NDArray[np.int32] | None:
    """The ranks that a file gives: those of answers to one factoid differ; None where rows stand in order."""
    ranks = columns.get("rank")
    if ranks is None or any(ranks[row] is None for row in rows):
        return None
    met: dict[tuple[str, str, float], int | None] = {}
    for row in rows:
        rank, name = ranks[row] or 0.0, columns["question"][row]
        key = columns["run"][row], name, rank
        first = again(met, key, columns.lines[row])
        if first is not None and questions.questions[questions.index[name]].type == "FACTOID":
            found = f"a second answer of rank {rank:g} to factoid question {name!r}{first}"
            columns.tell(problems, "rank", found, row)
    return np.array([ranks[row] for row in rows], dtype=np.int32)


def _confidence(
    questions: Questions, columns: Columns, rows: list[int], problems: Problems
) -> NDArray[np.float64] | None:
    """The confidence of each row: a run that states it states it of every factoid answer, of others it need not."""
    confidence = columns.get("confidence")
    if confidence is None:
        return None
    stating = {columns["run"][row] for row in rows if confidence[row] is not None}
    for row in rows:
        name = columns["question"][row]
        factoid = questions.questions[questions.index[name]].type == "FACTOID"
        if confidence[row] is None and factoid and columns["run"][row] in stating:
            found = f"no confidence in the answer to factoid question {name!r}"
            columns.tell(problems, "confidence", found, row)
    if not stating:
        return None
    return np.array([np.nan if (one := confidence[row]) is None else one for row in rows], dtype=np.float64)


def _check_rows(columns: Columns, rows: Sequence[int], problems: Problems) -> None:
    """Every answer says something, or NIL, and with its document; nothing is said twice."""
    documented = not columns.facts.get("generated") and any(columns["document"][row] not in ("", NIL) for row in rows)
    met: dict[tuple[str, str, str, str], int | None] = {}
    for row in rows:
        line, name, document = columns.lines[row], columns["question"][row], columns["document"][row]
        string = "" if document == NIL else " ".join(columns["string"][row].split())
        if document != NIL and not string:
            columns.tell(problems, "empty-answer", f"an empty answer to question {name!r}", row)
            continue
        if not document and documented:
            columns.tell(problems, "no-document", f"an answer to question {name!r} without document", row)
        key = columns["run"][row], name, document, string
        if (first := again(met, key, line)) is not None:
            columns.tell(problems, "same-answer", f"the same answer to question {name!r}{first}", row)


def _check_counts(
    questions: Questions, made: Answers, columns: Columns, rows: Sequence[int], problems: Problems, most: int
) -> None:
    """Factoids are answered once (or up to so often), every question by every run, and NIL stands alone in a list."""
    order, file = made.order, columns.file
    what = "one answer" if most == 1 else f"{most} answers at most"
    fix = "keep the best, or say --answers 5 where answers are ranked" if most == 1 else "keep the best of them"
    for place in np.flatnonzero(order > most).tolist():
        question = questions.questions[made.question[place]]
        if question.type == "FACTOID":
            found = f"answer {order[place]} of run {made.runs[made.run[place]]!r} to factoid question {question.id!r}"
            columns.tell(problems, "several-answers", found, rows[place], what=what, fix=fix)
    nil = np.array([document == NIL for document in made.documents], dtype=bool)
    beside = nil & (made.counts.ravel()[made.cell] > np.bincount(made.cell, nil, made.counts.size)[made.cell])
    for place in np.flatnonzero(beside).tolist():
        question = questions.questions[made.question[place]]
        if question.type != "FACTOID":  # among ranked answers to a factoid NIL is one like others
            found = f"NIL beside other answers to {question.type.lower()} question {question.id!r}"
            columns.tell(problems, "nil-beside", found, rows[place])
    factoid = questions.types == TYPES.index("FACTOID")
    for code, asked in (("no-answer", factoid), ("no-response", ~factoid)):
        missing = np.flatnonzero((made.counts == 0) & asked)
        for cell in problems.first(missing.tolist(), code, file):
            run, unit = divmod(cell, len(questions))
            question = questions.questions[unit]
            found = f"nothing from run {made.runs[run]!r} to {question.type.lower()} question {question.id!r}"
            problems.add(code, found, file=file)
