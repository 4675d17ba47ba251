"""Tests of plain runs: words, confidences, justifications, headers, and what is wrong with a line."""

from __future__ import annotations

import numpy as np
import pytest

from karat.labels import THREE, TWO
from tests.files import NO_E, C, E, U, answers_of, codes_of, place_of, read_run, run_problems, three_way, two_way

GOOD = "1 ENTAILMENT\n2 UNKNOWN\n3 CONTRADICTION\n"


def test_three_way_words() -> None:
    """Answers are put in the key's order, whatever the order and the blanks of the lines."""
    run, problems = read_run("3\tCONTRADICTION\n 1   ENTAILMENT \n2 unknown\n", three_way())
    assert answers_of(run) == [E, U, C]
    assert run.position.tolist() == [1, 2, 0]
    assert run.info.way is THREE
    assert problems == []


def test_no_entailment_is_two_words() -> None:
    """With one blank, several, a tab or none between them."""
    run, problems = read_run("1 NO ENTAILMENT\n2 NO\tENTAILMENT\n3 NoEntailment\n", two_way())
    assert answers_of(run) == [NO_E, NO_E, NO_E]
    assert problems == []


def test_two_way_words() -> None:
    """YES and NO against a two-way key."""
    run, _ = read_run("1 YES\n2 NO\n3 YES\n", two_way())
    assert answers_of(run) == [E, NO_E, E]
    assert run.info.way is TWO


@pytest.mark.parametrize("two", ["2 NO -3", "2 NO ENTAILMENT\t-3"])
def test_a_confidence_column(two: str) -> None:
    """A number after the label is the confidence, also after a label of two words."""
    run, _ = read_run(f"1 YES .25\n{two}\n3\tYES 1e-3\n", two_way())
    assert run.confidence is not None
    np.testing.assert_array_equal(run.confidence, [0.25, -3, 0.001])
    assert run.info.ranked_by == "response"
    assert run.info.numeric


def test_a_justification_after_a_tab() -> None:
    """Free text in UTF-8, tabs inside it included; an empty one is empty."""
    content = "1\tYES\twéil — es\tso ist\n2\tNO ENTAILMENT\t\n3 NO\tbecause of 7\n"
    run, problems = read_run(content, two_way())
    assert run.justifications == ("wéil — es\tso ist", "", "because of 7")
    assert answers_of(run) == [E, NO_E, NO_E]
    assert problems == []


def test_confidence_and_justification() -> None:
    """Both, in this order."""
    run, _ = read_run("1\tYES\t0.5\tone\n2 NO 0.25\ttwo\n3 NO ENTAILMENT .1\tthree\n", two_way())
    assert run.justifications == ("one", "two", "three")
    assert run.confidence is not None
    assert run.confidence.tolist() == [0.5, 0.25, 0.1]


def test_a_trailing_tab_is_no_justification() -> None:
    """It is a blank at the end of a line."""
    run, problems = read_run("1\tNO ENTAILMENT\t\n2\tYES\t\n3\tYES\t\n", two_way())
    assert run.justifications is None
    assert problems == []


def test_headers() -> None:
    """ranked, ranked-by and type, in any case."""
    run, problems = read_run("Ranked: YES\nranked-by: entailment\ntype: manual\n" + GOOD, three_way())
    assert run.info.ranked_by == "entailment"
    assert run.info.manual
    assert run.info.title == "run*"
    assert problems == []


def test_ranked_no_is_not_ranked() -> None:
    """`ranked: no` says just that."""
    run, problems = read_run("ranked: no\n" + GOOD, three_way())
    assert run.info.ranked_by is None
    assert problems == []


def test_ranked_without_saying_by_what() -> None:
    """A warning asks; the option answers."""
    run, problems = read_run("ranked: yes\n" + GOOD, three_way())
    assert run.info.ranked_by is None
    assert [(p.code, p.severity) for p in problems] == [("ranked-by", "warning")]
    run, problems = read_run("ranked: yes\n" + GOOD, three_way(), ranked_by="response")
    assert run.info.ranked_by == "response"
    assert problems == []


HEADERS = {
    "unknown": ("colour: red\n", "`ranked: yes|no`"),
    "value": ("ranked: perhaps\n", "`ranked: yes|no`"),
    "twice": ("ranked: yes\nranked: no\n", "one line `ranked:`"),
}


@pytest.mark.parametrize(("header", "expected"), HEADERS.values(), ids=HEADERS)
def test_a_header_of_no_meaning_is_told(header: str, expected: str) -> None:
    """The sentence says which headers there are."""
    problems = run_problems(header + GOOD, three_way(), run_reader="plain")
    errors = [problem for problem in problems if problem.severity == "error"]
    assert codes_of(errors) == ["run-line"]
    assert expected in errors[0].expected


LINES = {
    "empty line inside": (GOOD.replace("2", "\n2"), ("empty-line", 2, None, "error")),
    "blanks inside": (GOOD.replace("2", " \t\n2"), ("empty-line", 2, None, "error")),
    "empty line at the end": (GOOD + "\n", ("empty-line-at-end", 4, None, "warning")),
    "no final newline": (GOOD.rstrip(), ("no-final-newline", 3, None, "warning")),
    "CR": (GOOD.replace("\n", "\r"), ("carriage-return", 1, None, "warning")),
    "dash in a label": (GOOD.replace("UNKNOWN", "UN–KNOWN"), ("not-ascii", 2, 5, "error")),
    "blank that is none": (GOOD.replace("2 ", "2\u00a0"), ("not-ascii", 2, 2, "error")),
    "letter in an id": (GOOD.replace("2 ", "２ "), ("not-ascii", 2, 1, "error")),
    "second word": (GOOD.replace("UNKNOWN", "NO ÉNTAILMENT"), ("not-ascii", 2, 6, "error")),
    "label alone": (GOOD.replace("2 UNKNOWN", "UNKNOWN"), ("run-line", 2, 1, "error")),
    "infinite confidence": ("1 YES 1\n2 NO inf\n3 YES 1\n", ("confidence", 2, 6, "error")),
    "no number": ("1 YES 1\n2 NO 1,5\n3 YES 1\n", ("confidence", 2, 6, "error")),
    "decimal comma": ("1\tYES\t0.1\n2\tNO\t0,5\n3\tYES\t1\n", ("confidence", 2, 6, "error")),
    "one without confidence": ("1 YES 1\n2 NO\n3 YES 1\n", ("run-line", 2, 1, "error")),
    "one with confidence": ("1 YES\n2 NO 1\n3 YES\n", ("run-line", 2, 1, "error")),
    "one without justification": ("1\tYES\ta\n2\tNO\n3\tYES\tb\n", ("run-line", 2, 1, "error")),
    "words after the label": ("1 YES\n2 NO but why\n3 YES\n", ("label-outside-task", 2, 3, "error")),
}


@pytest.mark.parametrize(("content", "place"), LINES.values(), ids=LINES)
def test_every_rule_has_its_place(content: str, place: tuple[str, int, int | None, str]) -> None:
    """Code, line, column and severity, as the specification has them."""
    key = two_way() if "YES" in content else three_way()
    problems = run_problems(content, key)
    assert place in list(map(place_of, problems))
    consequences = {"unknown-id", "missing-id", "label-outside-task", place[0]}
    assert set(codes_of(problems)) <= consequences


def test_headers_alone_are_no_run() -> None:
    """A file without answers says so."""
    assert "empty-file" in codes_of(run_problems("ranked: no\n", three_way()))


def test_integer_answers_ask_for_a_mapping() -> None:
    """Codes are refused, and read once they are mapped; -1 is not 1."""
    content = "1 0\n2 1\n3 -1\n"
    assert codes_of(run_problems(content, three_way())) == ["label-code"] * 3
    mapped = {"0": E, "1": U}
    assert codes_of(run_problems(content, three_way(), label=mapped)) == ["label-code"]
    run, _ = read_run(content, three_way(), label=mapped | {"-1": C})
    assert answers_of(run) == [E, U, C]


def test_spellings_of_the_users_own() -> None:
    """A label of several words can be mapped, with a confidence behind it."""
    run, _ = read_run(
        "1 does not follow 0.5\n2 follows 0.1\n3 follows 1\n",
        two_way(),
        label={"does not follow": NO_E, "follows": E},
    )
    assert answers_of(run) == [NO_E, E, E]
