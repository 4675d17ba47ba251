"""Tests of verdicts: what an organiser is told of the judgments, and what follows from them for answers."""

from __future__ import annotations

import numpy as np
import pytest

from karat.data.verdicts import CORRECT, INCORRECT, INEXACT, SINGLE_STRING, UNJUDGED, UNSUPPORTED, judged
from karat.formats.registry import verdict_formats
from tests.formats.question_samples import ANSWERS, VERDICTS
from tests.question_files import answers_of, codes_and_lines, questions_of, tabs, told, verdicts_of

QUESTIONS = questions_of()


def problems_of(*rows: str) -> list[tuple[str, int | None]]:
    """Codes and lines of what is said of some rows."""
    return codes_and_lines(told(verdict_formats, tabs("qid|doc|answer|verdict|group", *rows), QUESTIONS))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["1.1|D|x|R|", "1.1|D|x|R|"], [("judged-twice", 3)]),
        (["1.1|D|x  y|R|", "1.1|D|x y|W|"], [("verdicts-differ", 3)]),
        (["1.1|D|x|R|", "1.1|E|x|U|"], []),
        (["1.1|D|x|R|", "1.2|D|x|W|"], []),
        (["1.1|D|x|R|", "1.1|E|x|W|"], [("odd-verdict", 3)]),
        (["1.1|E|x|W|", "1.1|D|X|R|"], [("odd-verdict", 2)]),
        (["1.3|D|x|R|"], [("no-group", 2)]),
        (["1.3|D|x|X|", "1.3|D|y|U|", "1.3|D|z|W|"], []),
        (["1.3|D|x|W|g"], [("odd-verdict", 2)]),
        (["1.3|D|x|R|g", "1.3|E|x|R|h"], [("odd-verdict", 3)]),
        (["1.3|D|x|R|g", "1.3|D|x|R|h"], [("judged-twice", 3), ("odd-verdict", 3)]),
        (["1.3|D|x|R|", "1.3|D|x|R|g"], [("judged-twice", 3)]),
        (["1.4|D|x|R|"], [("odd-verdict", 2)]),
        (["1.1|NIL||R|", "1.1|D|x|R|"], [("nil-key", 2)]),
        (["1.1|NIL||W|", "1.1|D|x|W|"], [("nil-key", 2)]),
        (["1.1|NIL||R|", "1.1|D|x|X|", "1.2|NIL||W|", "1.2||y|R|"], []),
        (["1.1|NIL||R|", "1.1|NIL|whatever|R|"], [("judged-twice", 3)]),
        (["1.1|NIL||R|", "1.1|nil||W|"], [("verdicts-differ", 3)]),
        (["1.1|D||R|"], [("empty-answer", 2)]),
        (["9.9|D|x|R|"], [("unknown-id", 2)]),
        (["1.1|D|x|?|", "1.1|D||R|", "9.9|D|x|R|"], [("verdict", 2), ("empty-answer", 3), ("unknown-id", 4)]),
    ],
)
def test_what_is_told(rows: list[str], expected: list[tuple[str, int | None]]) -> None:
    """Code and line of each; errors of all rows at once."""
    assert problems_of(*rows) == expected


def test_the_first_of_two_verdicts_is_kept_with_the_group_either_has() -> None:
    """So that nothing is counted twice."""
    content = tabs("qid|doc|answer|verdict|group", "1.3|D|x|R|", "1.3|D| x|R|g")
    verdicts = verdicts_of(content, QUESTIONS)
    assert (len(verdicts), verdicts.groups) == (1, ("g",))


def test_what_is_said_names_both_places() -> None:
    """The verdicts, the string, its document and the line of the first."""
    rows = tabs("qid|doc|answer|verdict|group", "1.1|D|x|R|", "1.1|D|x|W|")
    (problem,) = told(verdict_formats, rows, QUESTIONS)
    assert problem.found == "'x' of document 'D' for question '1.1': incorrect, in line 2 correct"


def test_verdicts_on_excluded_questions_are_passed_over() -> None:
    """Of a series too."""
    assert told(verdict_formats, VERDICTS, QUESTIONS.without(["1.2", "1.3"])) == []


def test_verdicts_on_answers() -> None:
    """The unit is document and string; NIL is right where nothing is; what nobody judged is not wrong."""
    answers = answers_of(ANSWERS, QUESTIONS)
    codes, distinct = judged(answers, verdicts_of(VERDICTS, QUESTIONS))
    one = [CORRECT, CORRECT, CORRECT, INEXACT, UNJUDGED]
    two = [INCORRECT, UNSUPPORTED, CORRECT, UNJUDGED]
    assert codes.tolist() == [*one, *two]
    assert distinct[2:4] == ["upper", "lower"]


@pytest.mark.parametrize(
    ("accepted", "known"),
    [
        ((CORRECT,), [{f"{SINGLE_STRING}100 km"}, set(), {"upper", "lower"}, set()]),
        (
            (CORRECT, UNSUPPORTED),
            [{f"{SINGLE_STRING}100 km"}, {f"{SINGLE_STRING}the dwarfs"}, {"upper", "lower"}, set()],
        ),
        ((INEXACT,), [set(), set(), {"lower"}, set()]),
    ],
)
def test_known_answers(accepted: tuple[int, ...], known: list[set[str]]) -> None:
    """Of runs and assessors alike; a lenient reading knows more."""
    assert verdicts_of(VERDICTS, QUESTIONS).known(accepted) == known


def test_answerable() -> None:
    """Only a correct answer makes NIL wrong, an unsupported one does not."""
    np.testing.assert_array_equal(verdicts_of(VERDICTS, QUESTIONS).answerable, [True, False, True, False])
