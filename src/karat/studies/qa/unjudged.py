"""Answers that nobody judged: refused, counted as wrong, or left to patterns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from karat.data.answers import Answers
from karat.data.questions import Questions
from karat.data.verdicts import INCORRECT, UNJUDGED, Verdicts, judged
from karat.errors import Problems

Key = tuple[int, str, str]


def unjudged(answers: Answers, verdicts: Verdicts, questions: Questions) -> dict[Key, int]:
    """[Question, document, string] that no row of the judgments is about, and the first answer that says it."""
    found: dict[Key, int] = {}
    for row in np.flatnonzero(judged(answers, verdicts)[0] == UNJUDGED).tolist():
        question = int(answers.question[row])
        if questions.questions[question].type != "OTHER":  # which is judged by its nuggets
            found.setdefault((question, answers.documents[row], " ".join(answers.strings[row].split())), row)
    return found


def refuse(found: dict[Key, int], answers: Answers, questions: Questions, problems: Problems) -> None:
    """Tell every one of them."""
    for (question, document, string), row in found.items():
        run, name = answers.runs[answers.run[row]], questions.questions[question].id
        file, line = answers.places[row] if answers.places else ("answers", None)
        place = f" from {document}" if document else ""
        problems.add("unjudged", f"answer {string!r}{place} to question {name!r} (run {run!r})", file=file, line=line)


def completed(verdicts: Verdicts, found: dict[Key, int], others: Verdicts | None) -> Verdicts:
    """The verdicts with one more row for each: what `others` say of it, else incorrect."""
    rows = [None if others is None else others.index.get(key) for key in found]
    more = [INCORRECT if row is None or others is None else int(others.verdict[row]) for row in rows]
    groups = ["" if row is None or others is None else others.groups[row] for row in rows]
    return replace(
        verdicts,
        question=np.concatenate([verdicts.question, np.array([key[0] for key in found], dtype=np.int32)]),
        documents=(*verdicts.documents, *(key[1] for key in found)),
        strings=(*verdicts.strings, *(key[2] for key in found)),
        verdict=np.concatenate([verdicts.verdict, np.array(more, dtype=np.int8)]),
        groups=(*verdicts.groups, *groups),
    )
