"""Answers that nobody judged: refused, counted as wrong, or left to patterns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from karat.data.answers import Answers
from karat.data.patterns import Patterns
from karat.data.questions import Questions
from karat.data.source import Source
from karat.data.verdicts import CORRECT, INCORRECT, UNJUDGED, Verdicts, judged
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


def completed(
    verdicts: Verdicts, found: dict[Key, int], answers: Answers, questions: Questions, patterns: Patterns | None
) -> Verdicts:
    """The verdicts with one more row for each: what patterns say of it, else incorrect.

    What patterns know counts as known too, of factoid questions and of lists that people judged nothing of: else NIL
    would be right where a pattern has an answer. An answer that people know keeps their name for it. Of a question that
    neither people nor patterns say anything of, nothing is made up.
    """
    rows: dict[Key, tuple[int, str]] = dict.fromkeys(found, (INCORRECT, ""))
    if patterns is not None:
        others, theirs = patterns.judge(answers), patterns.groups_of(verdicts)
        by_people = set(verdicts.question.tolist())
        rows = {key: row for key, row in rows.items() if key[0] in by_people or patterns.covered[key[0]]}
        for key, row in others.index.items():
            group = others.groups[row]
            known = others.verdict[row] == CORRECT and (
                questions.questions[key[0]].type == "FACTOID" or key[0] not in by_people
            )
            if key in found or (known and key not in verdicts.index):
                rows[key] = int(others.verdict[row]), theirs.get((key[0], group), group)
    return replace(
        verdicts,
        question=np.concatenate([verdicts.question, np.array([key[0] for key in rows], dtype=np.int32)]),
        documents=(*verdicts.documents, *(key[1] for key in rows)),
        strings=(*verdicts.strings, *(key[2] for key in rows)),
        verdict=np.concatenate([verdicts.verdict, np.array([code for code, _ in rows.values()], dtype=np.int8)]),
        groups=(*verdicts.groups, *(group for _, group in rows.values())),
    )


def tell_unknown(given: Verdicts, counted: Verdicts, questions: Questions, problems: Problems) -> None:
    """Factoid questions that people said nothing of, so that NIL counts as right.

    Neither what was given nor what was added to it knows an answer.
    """
    said = {*given.question.tolist(), *counted.question[counted.verdict == CORRECT].tolist()}
    factoids = [place for place, one in enumerate(questions.questions) if one.type == "FACTOID"]
    silent = [place for place in factoids if place not in said]
    if len(silent) < len(factoids):  # else they are not scored, which is told elsewhere
        for place in silent:
            found = f"nothing about factoid question {questions.questions[place].id!r}"
            problems.add("no-verdicts", found, file=_file(given.sources, "judgments"))


def tell_uncovered(patterns: Patterns, counted: Verdicts, questions: Questions, problems: Problems) -> None:
    """Factoid questions that neither a pattern nor anybody else says anything of: they are not scored."""
    said = set(counted.question.tolist())
    for place, one in enumerate(questions.questions):
        if one.type == "FACTOID" and place not in said:
            found = f"no pattern for factoid question {one.id!r}"
            problems.add("no-pattern", found, file=_file(patterns.sources, "patterns"))


def _file(sources: tuple[Source, ...], several: str) -> str:
    """Where something is missing: in the one file there is, or in all of a kind."""
    return sources[0].name if len(sources) == 1 else several
