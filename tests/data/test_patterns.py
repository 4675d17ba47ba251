"""Tests of patterns as an automatic judge."""

from __future__ import annotations

import numpy as np
import pytest

from karat.data.answers import Answers
from karat.data.patterns import Pattern, Patterns
from karat.data.verdicts import CORRECT, INCORRECT, SINGLE_STRING, UNJUDGED, UNSUPPORTED, Verdicts, judged
from tests.question_files import answers_of, patterns_of, questions_of, tabs

LISTS = questions_of("id\ttype\tquestion\n1\tLIST\tWhich?\n2\tLIST\tWhich?\n")
SNIPPETS = [
    "the Mississippi",
    "Known as Big Muddy, the Mississippi is the longest",
    "as Big Muddy , the Mississippi is the longest",
    "messed with . Known as Big Muddy , the Mississip",
    "Mississippi is the longest river in the US",
    "the Mississippi is the longest river in the US,",
    "the Mississippi is the longest river(Mississippi)",
    "has brought the Mississippi to its lowest",
    "ipes.In Life on the Mississippi, Mark Twain wrote t",
    "Southeast;Mississippi;Mark Twain;officials began",
    "Known; Mississippi; US,; Minnesota;Gulf Mexico",
    'Mud Island,;Mississippi;"The;-- history,;Memphis',
]
"""What systems answered in TREC 2001 about the Big Muddy, all judged correct (Voorhees 2003, Figure 1)."""


def given(*rows: str) -> Answers:
    """Answers `DOC|STRING` of one run to the first question."""
    return answers_of(tabs("run|qid|doc|answer", *(f"a|1|{row}" for row in rows), "a|2|D|x"), LISTS)


def codes(patterns: Patterns, answers: Answers) -> list[int]:
    """Verdicts on the answers, but for the one to the second question."""
    verdicts = judged(answers, patterns.judge(answers))[0]
    return [int(code) for code, question in zip(verdicts, answers.question, strict=True) if question == 0]


def test_the_big_muddy() -> None:
    """Eleven of twelve correct snippets: one is cut off within the word. 11/12 = .916667."""
    answers = given(*(f"D{place}|{snippet}" for place, snippet in enumerate(SNIPPETS)))
    found = codes(patterns_of("1 Mississippi\n", LISTS), answers)
    assert [place for place, code in enumerate(found) if code != CORRECT] == [3]
    assert np.mean([code == CORRECT for code in found]) == pytest.approx(0.916667, abs=5e-7)


def test_documents_support() -> None:
    """Where documents are named, another's answer is unsupported; the best of several patterns counts."""
    patterns = patterns_of("1\tUpper\tD1\n1\tTown\tD2 D3\n", LISTS)
    answers = given("D1|Upper Town", "D2|Upper Town", "D9|Upper Town", "D1|Lower Town", "D3|Village")
    assert codes(patterns, answers) == [CORRECT, CORRECT, UNSUPPORTED, UNSUPPORTED, INCORRECT]


def test_the_first_pattern_is_the_group() -> None:
    """Each pattern is one known answer, whether given or not."""
    patterns = patterns_of("1 Upper\n1 Town\n1 Village\n2 x\n", LISTS)
    answers = given("D|Upper Town", "D|Lower Town", "D|upper house")
    verdicts = patterns.judge(answers)
    assert judged(answers, verdicts)[1] == ["pattern 1", "pattern 2", f"{SINGLE_STRING}upper house", "pattern 4"]
    assert [len(known) for known in verdicts.known()] == [3, 1]


def test_no_answer_known() -> None:
    """Where a file says NIL, NIL is right and any answer wrong; of a question without a line nothing is said."""
    answers = answers_of(tabs("run|qid|doc|answer", "a|1|D|x", "a|2|NIL|", "b|1|NIL|", "b|2|D|x"), LISTS)
    assert judged(answers, patterns_of("1 x\n2 NIL\n", LISTS).judge(answers))[0].tolist() == [
        CORRECT, CORRECT, INCORRECT, INCORRECT
    ]  # fmt: skip
    silent = patterns_of("1 x\n", LISTS).judge(answers)
    assert set(silent.question.tolist()) == {0}
    assert judged(answers, silent)[0].tolist()[-1] == UNJUDGED


@pytest.mark.parametrize("document", ["", "pattern", "D"])
def test_a_patterns_own_text_is_no_answer(document: str) -> None:
    """A run that copies the file of patterns gains nothing by it, whatever document it names."""
    answers = given(f"{document}|195(6|8)".replace("(6|8)", "[68]"), f"{document}|pattern 1", "D|1956")
    verdicts: Verdicts = patterns_of("1 195[68]\n2 x\n", LISTS).judge(answers)
    assert judged(answers, verdicts)[0].tolist()[:3] == [INCORRECT, INCORRECT, CORRECT]
    assert [len(known) for known in verdicts.known()] == [1, 1]


def test_case() -> None:
    """It matters unless told otherwise."""
    patterns, answers = patterns_of("1 Mississippi\n", LISTS), given("D|the MISSISSIPPI")
    assert codes(patterns, answers) == [INCORRECT]
    assert codes(patterns.ignoring_case(), answers) == [CORRECT]


def test_blanks_are_one_blank() -> None:
    """As everywhere where strings are compared."""
    assert codes(patterns_of("1 New York\n", LISTS), given("D|New   York")) == [CORRECT]


@pytest.mark.parametrize("spelled", [r"\QU.S.", "a" * 2000])
def test_whole_words_of_any_valid_pattern(spelled: str) -> None:
    """Whatever compiles by itself can be asked for in whole words."""
    pattern = Pattern(0, spelled)
    assert pattern.accepts(text := spelled.removeprefix(r"\Q"))
    assert pattern.in_words.search(text)
