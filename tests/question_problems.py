"""Bad files of questions, answers, verdicts and patterns, one for every code of the catalogue."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from karat.errors import DataError, Problem
from karat.formats.question_reading import read_questions
from karat.formats.registry import answer_formats, pattern_formats, question_formats, verdict_formats
from tests.question_files import SERIES, answers_of, patterns_of, questions_of, tabs, told

ALL = ("a|1.1|D|x", "a|1.2|D|x", "a|1.3|D|x", "a|1.4|D|x")
"""One answer to every question of the series."""


def questions(before: str, after: str) -> list[Problem]:
    """What is said of the series with something changed."""
    return told(question_formats, SERIES.replace(before.replace("|", "\t"), after.replace("|", "\t")))


def answers(*rows: str) -> list[Problem]:
    """What is said of answers."""
    return told(answer_formats, tabs("run|qid|doc|answer", *rows), questions_of())


def verdicts(*rows: str) -> list[Problem]:
    """What is said of verdicts."""
    return told(verdict_formats, tabs("qid|doc|answer|verdict|group", *rows), questions_of())


def target_type() -> list[Problem]:
    """What is said of a type for another target."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "questions.tsv").write_text(SERIES)
        (Path(folder) / "types.txt").write_text("#THING the lake\n")
        with pytest.raises(DataError) as caught:
            read_questions(Path(folder) / "questions.tsv", target_types=Path(folder) / "types.txt")
    return list(caught.value.problems)


def long_answer() -> list[Problem]:
    """What patterns say of an answer without end."""
    asked = questions_of("id\tquestion\n1\tWho?\n")
    said = answers_of(tabs("run|qid|doc|answer", "a|1|D|" + "x" * 5000), asked)
    return list(patterns_of("1 x\n", asked).judge(said).warnings)


BAD_QUESTIONS: dict[str, Callable[[], list[Problem]]] = {
    "question-type": lambda: questions("LIST", "ESSAY"),
    "empty-question": lambda: questions("Who dammed it?", ""),
    "series": lambda: questions("river|THING|LIST", "lake|THING|LIST"),
    "target-type": target_type,
    "other-last": lambda: questions("OTHER|Other", "LIST|Which?"),
    "no-answer": lambda: answers(*ALL[1:]),
    "several-answers": lambda: answers(*ALL, "a|1.1|D|y"),
    "empty-answer": lambda: answers("a|1.1|D|", *ALL[1:]),
    "nil-beside": lambda: answers(*ALL, "a|1.3|NIL|"),
    "no-document": lambda: answers("a|1.1||x", *ALL[1:]),
    "no-response": lambda: answers(*ALL[:3]),
    "same-answer": lambda: answers(*ALL, "a|1.3|D|x"),
    "verdict": lambda: verdicts("1.1|D|x|1|"),
    "verdicts-differ": lambda: verdicts("1.1|D|x|R|", "1.1|D|x|W|"),
    "judged-twice": lambda: verdicts("1.1|D|x|R|", "1.1|D|x|R|"),
    "odd-verdict": lambda: verdicts("1.1|D|x|R|", "1.1|E|x|W|"),
    "no-group": lambda: verdicts("1.3|D|x|R|"),
    "nil-key": lambda: verdicts("1.1|D|x|R|", "1.1|NIL||R|"),
    "pattern": lambda: told(pattern_formats, "1.1 (\n", questions_of()),
    "long-answer": long_answer,
}
