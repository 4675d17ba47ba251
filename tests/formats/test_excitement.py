"""Tests of Excitement runs."""

from __future__ import annotations

import pytest

from tests.files import NO_E, E, answers_of, place_of, read_run, run_problems, two_way

GOOD = "2\tNONENTAILMENT\tNonEntailment\t0.2\n1\tENTAILMENT\tEntailment\t0.5\n3\tNONENTAILMENT\tEntailment\t0.1\n"


def test_four_columns_in_any_order_and_case() -> None:
    """The third column answers, the fourth is the confidence in it."""
    run, problems = read_run(GOOD, two_way())
    assert answers_of(run) == [E, NO_E, E]
    assert run.confidence is not None
    assert run.confidence.tolist() == [0.5, 0.2, 0.1]
    assert run.info.ranked_by == "response"
    assert problems == []


def test_another_gold_is_told() -> None:
    """A gold column that is not the key's is a warning with the first pair that differs."""
    (problem,) = run_problems(GOOD.replace("1\tENTAILMENT", "1\tNONENTAILMENT"), two_way())
    assert place_of(problem) == ("gold-differs", 2, 3, "warning")
    assert problem.found == "gold labels that are not the key's (1), first 'NONENTAILMENT' of '1'"


LINES = {
    "three fields": (GOOD.replace("\t0.1", ""), ("run-line", 3, 1, "error")),
    "no number": (GOOD.replace("0.5", "high"), ("confidence", 2, 25, "error")),
    "not finite": (GOOD.replace("0.5", " nan"), ("confidence", 2, 26, "error")),
    "label": (GOOD.replace("\tEntailment\t0.5", "\tMaybe\t0.5"), ("label-outside-task", 2, 14, "error")),
    "unknown id": (GOOD.replace("3\t", "4\t"), ("unknown-id", 3, 1, "error")),
    "empty line": (GOOD.replace("1\t", "\n1\t"), ("empty-line", 2, None, "error")),
    "empty line at the end": (GOOD + "\n\n", ("empty-line-at-end", 5, None, "warning")),
}


@pytest.mark.parametrize(("content", "place"), LINES.values(), ids=LINES)
def test_every_rule_has_its_place(content: str, place: tuple[str, int, int | None, str]) -> None:
    """Code, line, column and severity."""
    assert place in list(map(place_of, run_problems(content, two_way())))
