"""Tests of the known answers to list questions."""

from __future__ import annotations

import pytest

from karat.data.verdicts import CORRECT
from karat.formats.registry import verdict_formats
from tests.formats.question_samples import LIST_ANSWERS
from tests.question_files import codes_and_lines, questions_of, told, verdicts_of

QUESTIONS = questions_of()


def test_every_line_is_a_known_answer() -> None:
    """Correct, without document, each in its own group; empty lines mean nothing."""
    verdicts = verdicts_of(LIST_ANSWERS, QUESTIONS, "list.txt")
    assert verdicts.strings == ("Upper Town", "Lower Town")
    assert verdicts.documents == ("", "")
    assert set(verdicts.verdict.tolist()) == {CORRECT}
    assert verdicts.known()[2] == {"upper town", "lower town"}
    assert told(verdict_formats, LIST_ANSWERS, QUESTIONS, "list.txt") == []


@pytest.mark.parametrize(
    "content",
    [
        "#  1.3\nQ:Which?\n\n\nUpper Town\nLower Town\n",
        "# 1.3 Q:Which?\nUpper Town\nLower Town\n",
        "#1.3\nUpper Town\n\nLower Town\n",
        "# 1.3\nQ:Which?\nUpper Town\n\n# 1.3\nQ:Which?\nLower Town\n",
    ],
)
def test_real_files_are_not_so_neat(content: str) -> None:
    """Blanks after the number sign, the question in its line or missing, an id twice."""
    assert verdicts_of(content, QUESTIONS, "list.txt").strings == ("Upper Town", "Lower Town")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("# 1.3\nQ:Which?\nTown\n town \n", []),
        ("# 1.3\nQ:Which?\nTown\n Town \n", [("judged-twice", 4)]),
        ("# 9.9\nQ:Which?\nTown\nVillage\n", [("unknown-id", 1)]),
        ("# 1.3\nQ:Which?\nTown\n# of cities\nBig\n", [("run-line", 4)]),
        ("# 1.3\nQ:Which?\n", [("empty-file", None)]),
    ],
)
def test_problems(content: str, expected: list[tuple[str, int | None]]) -> None:
    """An unknown question is told once, not with each answer; of the same answer twice the first is kept."""
    assert codes_and_lines(told(verdict_formats, content, QUESTIONS, "list.txt")) == expected


def test_answers_before_any_question() -> None:
    """Told where the format was named."""
    problems = told(verdict_formats, "Town\n# 1.3\nVillage\n", QUESTIONS, "list.txt", reader="list-answers")
    assert codes_and_lines(problems) == [("run-line", 1)]


def test_answers_of_a_question_taken_out_are_passed_over() -> None:
    """An organiser may drop a question whose answers the file still has."""
    content = "# 1.3\nQ:Which?\nTown\n"
    problems = told(verdict_formats, "# 1.1\nLong\n" + content, QUESTIONS.without(["1.3"]), "list.txt")
    assert problems == []
