"""Tests of LangPro runs."""

from __future__ import annotations

from tests.files import C, E, U, answers_of, place_of, read_run, run_problems, three_way

GOOD = "===== HYBRID =====\n%%% 3 problems\n1\tENTAILMENT\n%%% half way\n2\tNEUTRAL\n3\tCONTRADICTION\n"


def test_banners_are_passed_over() -> None:
    """Wherever they stand."""
    run, problems = read_run(GOOD, three_way(), "run.ans")
    assert answers_of(run) == [E, U, C]
    assert problems == []


def test_lines_are_counted_with_the_banners() -> None:
    """A problem's line is that of the file."""
    problems = run_problems(GOOD.replace("2\tNEUTRAL", "2\tPERHAPS"), three_way(), "run.ans")
    assert list(map(place_of, problems)) == [("label-outside-task", 5, 3, "error")]
