"""Tests of answers as one long table."""

from __future__ import annotations

import numpy as np
import pytest

from karat.data.answers import Answers, LengthPolicy, merge_answers
from tests.question_files import answers_of, questions_of, tabs

LISTS = questions_of("id\ttype\tquestion\n1\tLIST\tWhich?\n2\tLIST\tWhich?\n")


def some(*rows: str) -> Answers:
    """Answers `RUN|QID|DOC|STRING`, with confidence where there is a fifth field."""
    header = "run|qid|doc|answer" + ("|confidence" if rows[0].count("|") == 4 else "")
    return answers_of(tabs(header, *rows), LISTS)


@pytest.mark.parametrize(
    ("policy", "lengths"),
    [("characters", [[8, 5], [4, 0]]), ("words", [[3, 1], [1, 0]]), ("nfkc_words", [[3, 2], [1, 0]])],
)
def test_lengths(policy: LengthPolicy, lengths: list[list[int]]) -> None:
    """Of all that a run said to a question, without blanks; 0 where it said nothing.

    `ab cd` and `efgh` have 4 + 4 characters and 2 + 1 words; NFKC makes a blank and an accent of the ´ in `xyz´w`.
    """
    answers = some("a|1|D|ab cd", "a|1|D|efgh", "a|2|D|xyz´w", "b|1|D|efgh")
    np.testing.assert_array_equal(answers.lengths(policy), lengths)


def test_ranks_count_within_run_and_question() -> None:
    """Against a count by hand."""
    answers = some("a|1|D|x", "b|1|D|x", "a|1|D|y", "a|2|D|x", "a|1|D|z")
    assert answers.rank.tolist() == [1, 1, 2, 1, 3]
    np.testing.assert_array_equal(answers.counts, [[3, 1], [1, 0]])


def test_merging_files() -> None:
    """Runs follow each other; each row stays with its run."""
    merged = merge_answers([some("a|1|D|x", "b|2|D|y"), some("c|2|E|z")])
    assert merged.runs == ("a", "b", "c")
    assert [(merged.runs[run], merged.units[at], *rest) for run, at, *rest in merged.rows()] == [
        ("a", "1", "D", "x"),
        ("b", "2", "D", "y"),
        ("c", "2", "E", "z"),
    ]
    assert merged.confidence is None


def test_confidence_is_not_lost_in_merging() -> None:
    """Where only one file states it, the other's is not known."""
    merged = merge_answers([some("a|1|D|x|0.5"), some("b|1|D|x")])
    np.testing.assert_array_equal(merged.confidence, [0.5, np.nan])
