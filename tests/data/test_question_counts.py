"""Tests of the counts of questions: a hand-made table of answers and verdicts."""

from __future__ import annotations

import numpy as np
import pytest

from karat.data.answers import Answers
from karat.data.question_counts import Judged
from karat.data.verdicts import CORRECT, INEXACT, LETTERS, UNSUPPORTED, Verdicts


def judged() -> Judged:
    """Two runs on a factoid with ranked answers (0), one without answer (1) and a list (2)."""
    rows = [
        (0, 0, "d", "wrong"), (0, 0, "d", "right"), (0, 0, "e", "right"), (0, 1, "NIL", ""),
        (0, 2, "d", "Alpha"), (0, 2, "e", "alpha"), (0, 2, "d", "first"), (0, 2, "d", "bad"),
        (1, 0, "NIL", ""), (1, 0, "d", "nearly"), (1, 1, "d", "guess"), (1, 2, "e", "beta"),
    ]  # fmt: skip
    said = [
        (0, "d", "wrong", "W", ""), (0, "d", "right", "U", ""), (0, "e", "right", "R", ""), (0, "d", "nearly", "X", ""),
        (1, "d", "guess", "W", ""), (2, "d", "Alpha", "R", ""), (2, "e", "alpha", "R", ""), (2, "d", "first", "R", "a"),
        (2, "d", "bad", "W", ""), (2, "e", "beta", "X", ""), (2, "", "the assessor's own", "R", "own"),
    ]  # fmt: skip
    units = ("0", "1", "2")
    answers = Answers(
        ("a", "b"),
        units,
        np.array([row[0] for row in rows], dtype=np.int32),
        np.array([row[1] for row in rows], dtype=np.int32),
        tuple(row[2] for row in rows),
        tuple(row[3] for row in rows),
    )
    verdicts = Verdicts(
        units,
        np.array([row[0] for row in said], dtype=np.int32),
        tuple(row[1] for row in said),
        tuple(row[2] for row in said),
        np.array([LETTERS.index(row[3]) for row in said], dtype=np.int8),
        tuple(row[4] for row in said),
    )
    return Judged.of(answers, verdicts)


@pytest.mark.parametrize(
    ("accepted", "deepest", "ranks"),
    [
        ((CORRECT,), 5, [[3, 1, 1], [0, 0, 0]]),
        ((CORRECT,), 2, [[0, 1, 1], [0, 0, 0]]),
        ((CORRECT, UNSUPPORTED), 5, [[2, 1, 1], [0, 0, 0]]),
        ((CORRECT, INEXACT), 5, [[3, 1, 1], [2, 0, 1]]),
    ],
)
def test_first_right(accepted: tuple[int, ...], deepest: int, ranks: list[list[int]]) -> None:
    """The first right answer among so many; NIL is right where nothing is known, whatever is accepted."""
    assert judged().first_right(accepted, deepest).rank.tolist() == ranks


def test_nil() -> None:
    """Once a question, on the questions asked alone; one question has no known answer."""
    nil = judged().nil(np.array([True, True, False]))
    assert (nil.given.tolist(), nil.right.tolist(), float(nil.unanswerable)) == ([1, 1], [1, 0], 1)
    assert judged().nil(np.array([True, False, False])).given.tolist() == [0, 1]


def test_lists() -> None:
    """Equal strings whatever their case are one answer, groups another; the assessor's own is known, not found."""
    lists = judged().lists()
    assert lists.distinct[:, 2].tolist() == [2, 0]
    assert lists.returned[:, 2].tolist() == [4, 1]
    assert lists.known.tolist() == [1, 0, 3]
    lenient = judged().lists((CORRECT, INEXACT))
    assert (lenient.distinct[1, 2], lenient.known[2]) == (1, 4)
