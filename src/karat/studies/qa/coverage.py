"""Which answers, questions and runs the judgments, patterns and nuggets do not cover."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from karat.data.answers import Answers
from karat.data.nuggets import Matches, Nuggets
from karat.data.patterns import Patterns
from karat.data.provenance import Source
from karat.data.questions import Questions
from karat.data.verdicts import CORRECT, INCORRECT, UNJUDGED, Verdicts, judged
from karat.errors import Problems
from karat.studies.qa.aggregate import OTHER

Key = tuple[int, str, str]
"""Question, document and string."""
MATCHES_NEEDED = "matches of every run; an answer without any nugget has a row of degree 0"


def answer_key(answers: Answers, row: int) -> Key:
    """What judgments are looked up by, ignoring differences in white space."""
    return int(answers.question[row]), answers.documents[row], " ".join(answers.strings[row].split())


def unjudged(answers: Answers, verdicts: Verdicts, questions: Questions) -> dict[Key, int]:
    """Answers without a row in the judgments, and where each first occurs; OTHER questions are judged by nuggets."""
    found: dict[Key, int] = {}
    for row in np.flatnonzero(judged(answers, verdicts)[0] == UNJUDGED).tolist():
        if questions.types[answers.question[row]] != OTHER:
            found.setdefault(answer_key(answers, row), row)
    return found


def refuse(found: dict[Key, int], answers: Answers, questions: Questions, problems: Problems) -> None:
    """Report every answer that was not judged."""
    for (question, document, string), row in found.items():
        run, name = answers.runs[answers.run[row]], questions.questions[question].id
        file, line = answers.places[row] if answers.places else ("answers", None)
        place = f" from {document}" if document else ""
        problems.add("unjudged", f"answer {string!r}{place} to question {name!r} (run {run!r})", file=file, line=line)


def completed(
    verdicts: Verdicts, found: dict[Key, int], answers: Answers, questions: Questions, patterns: Patterns | None
) -> Verdicts:
    """The verdicts with one more row per unjudged answer: the verdict of the patterns, otherwise incorrect.

    Answers that only the patterns know are added too, for factoid questions and for lists on which people judged
    nothing: otherwise NIL would be right where a pattern has an answer. An answer that people know keeps the name they
    gave it. Nothing is added for a question that neither people nor patterns cover.
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


def report_unknown(given: Verdicts, counted: Verdicts, questions: Questions, problems: Problems) -> None:
    """Warn of factoid questions without any judgment, on which NIL counts as right."""
    known = {*given.question.tolist(), *counted.question[counted.verdict == CORRECT].tolist()}
    factoids = [place for place, one in enumerate(questions.questions) if one.type == "FACTOID"]
    silent = [place for place in factoids if place not in known]
    if len(silent) < len(factoids):  # otherwise no factoid question is scored, which is reported with the scores
        for place in silent:
            found = f"nothing about factoid question {questions.questions[place].id!r}"
            problems.add("no-verdicts", found, file=_file(given.sources, "judgments"))


def report_uncovered(patterns: Patterns, counted: Verdicts, questions: Questions, problems: Problems) -> None:
    """Warn of factoid questions with neither a pattern nor a judgment: they are not scored."""
    covered = set(counted.question.tolist())
    for place, one in enumerate(questions.questions):
        if one.type == "FACTOID" and place not in covered:
            found = f"no pattern for factoid question {one.id!r}"
            problems.add("no-pattern", found, file=_file(patterns.sources, "patterns"))


def check_list(questions: Questions, listed: Nuggets, problems: Problems) -> None:
    """Report nuggets of anything but an OTHER question; excluded questions are ignored."""
    for unit in listed.units:
        if unit in questions.dropped:
            continue
        place, file, line = questions.index.get(unit), listed.source.name or "nuggets", listed.line_of(unit)
        if place is None:
            problems.add("unknown-id", f"nuggets of question {unit!r}", file=file, line=line)
        elif (kind := questions.questions[place].type) != "OTHER":
            problems.add("not-other", f"nuggets of {kind.lower()} question {unit!r}", file=file, line=line)


def check_matches(questions: Questions, answers: Answers, matches: Matches, problems: Problems) -> None:
    """Report runs that answer OTHER questions and have no matches, and warn of matches of other runs."""
    others = questions.types[answers.question] == OTHER
    answering = {answers.runs[run] for run in answers.run[others].tolist()}
    file = _file(matches.sources, "matches")
    for run in answers.runs:
        if run not in matches.runs and run in answering:
            problems.add("run-without", f"no matches of run {run!r}", file=file, what=MATCHES_NEEDED)
    if beside := [run for run in matches.runs if run not in answers.runs]:
        names = ", ".join(map(repr, beside))
        problems.add("run-beside", f"matches of {names}, whose answers are not given", file=file)


def _file(sources: tuple[Source, ...], several: str) -> str:
    """The name of the only file, or the name of the kind if there are several."""
    return sources[0].name if len(sources) == 1 else several
