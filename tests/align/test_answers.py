"""Tests of answers meeting questions: every problem, line by line, and fast."""

from __future__ import annotations

import time

import numpy as np
import pytest

from karat.align import answers as module
from karat.align.answers import align_answers
from karat.align.columns import Columns
from karat.data.provenance import IN_MEMORY
from karat.errors import Problems
from karat.formats.registry import answer_formats
from tests.formats.question_samples import ANSWERS
from tests.question_files import answers_of, codes_and_lines, questions_of, tabs, told

QUESTIONS = questions_of()


def problems_of(*changes: tuple[str, str], answers: int = 1) -> list[tuple[str, int | None]]:
    """Codes and lines of what is said of the sample with some rows changed."""
    content = ANSWERS
    for before, after in changes:
        assert content.count(before.replace("|", "\t")) == 1
        content = content.replace(before.replace("|", "\t"), after.replace("|", "\t"))
    return codes_and_lines(told(answer_formats, content, QUESTIONS, answers=answers))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("one|1.1|1|D1|100 km", "one|9.9|1|D1|100 km"), [("unknown-id", 2), ("no-answer", None)]),
        (("one|1.2|1|NIL|", "one|1.1|2|D5|7 km"), [("several-answers", 3), ("no-answer", None)]),
        (("one|1.2|1|NIL|", "one|1.1|2|NIL|"), [("several-answers", 3), ("no-answer", None)]),
        (("D3|the dwarfs", "D3|"), [("empty-answer", 8)]),
        (("D3|the dwarfs", "D3| \u00a0 "), [("empty-answer", 8)]),
        (("D3|the dwarfs", "|the dwarfs"), [("no-document", 8)]),
        (("D2|Lower Town", "D1|Upper  Town"), [("same-answer", 5)]),
        (("D2|Lower Town", "NIL|"), [("nil-beside", 5)]),
        (("two|1.3|1|D3|Lower Town\n", ""), [("no-response", None)]),
        (("two|1.4|1|D3|it has eels\n", ""), [("no-response", None)]),
        (("two|1.3|1|D3|Lower Town", "two|1.3|1|NIL|"), []),
    ],
)
def test_one_thing_wrong(change: tuple[str, str], expected: list[tuple[str, int | None]]) -> None:
    """Code and line of each."""
    assert problems_of(change) == expected


def test_everything_wrong_is_told_at_once() -> None:
    """In the order of lines, what belongs to no line last."""
    changes = [("one|1.1", "one|9.9"), ("D3|the dwarfs", "D3|"), ("two|1.1|1|", "two|1.1|x|")]
    assert problems_of(*changes) == [("unknown-id", 2), ("run-line", 7), ("empty-answer", 8), ("no-answer", None)]


def test_ranked_answers() -> None:
    """With five allowed a sixth is too many; NIL may be one of them."""
    rows = [f"a|1.1|{rank}|D|answer {rank}" for rank in range(1, 7)]
    rest = ["a|1.2|1|NIL|", "a|1.3|1|D|x", "a|1.4|1|D|x"]
    content = tabs("run|qid|rank|doc|answer", *rows, *rest)
    assert codes_and_lines(told(answer_formats, content, QUESTIONS, answers=5)) == [("several-answers", 7)]
    content = content.replace("D\tanswer 3", "NIL\t").replace("a\t1.1\t6\tD\tanswer 6\n", "")
    assert told(answer_formats, content, QUESTIONS, answers=5) == []


def test_nil_said_twice() -> None:
    """Beside NIL alone it is the same answer, not one beside others."""
    content = ANSWERS.replace("D1\tUpper Town", "NIL\t").replace("D2\tLower Town", "NIL\t")
    assert codes_and_lines(told(answer_formats, content, QUESTIONS)) == [("same-answer", 5)]


def test_confidence_of_every_factoid() -> None:
    """A run that states confidence states it of all its factoid answers; a run that states none need not."""
    content = tabs(
        "run|qid|doc|answer|confidence",
        *("a|1.1|D|x|0.5", "a|1.2|D|x|", "a|1.3|D|x|", "a|1.4|D|x|"),
        *("b|1.1|D|x|", "b|1.2|D|x|", "b|1.3|D|x|", "b|1.4|D|x|"),
    )
    assert codes_and_lines(told(answer_formats, content, QUESTIONS)) == [("confidence", 3)]


def test_what_is_said_of_excluded_questions_is_passed_over() -> None:
    """Of a question, and of every question of a series."""
    two = questions_of(
        tabs("id|series|target|type|question", "1.1|1|a|FACTOID|Who?", "1.2|1|a|OTHER|Other", "2.1|2|b|OTHER|Other")
    )
    content = tabs("run|qid|doc|answer", "a|1.1|D|x", "a|1.2|D|x", "a|2.1|D|x")
    for out, left in ((["1"], ("2.1",)), (["1.2"], ("1.1", "2.1"))):
        questions = two.without(out)
        answers = answers_of(content, questions)
        assert answers.units == left
        assert tuple(answers.units[question] for question in answers.question) == left
        assert told(answer_formats, content, questions) == []


def test_counts_and_cells() -> None:
    """Against a count by hand."""
    answers = answers_of(ANSWERS, QUESTIONS)
    np.testing.assert_array_equal(answers.counts, [[1, 1, 2, 1], [1, 1, 1, 1]])
    assert answers.rank.tolist() == [1, 1, 1, 2, 1, 1, 1, 1, 1]


def test_sentences_of_a_generated_answer_need_not_cite() -> None:
    """Where some rows have documents the others should, unless they are sentences."""
    questions = questions_of("id\ttype\tquestion\n1\tOTHER\tOther\n")
    for generated, expected in ((False, ["no-document"]), (True, [])):
        values = {"run": ["a", "a"], "question": ["1", "1"], "document": ["D", ""], "string": ["x", "y"]}
        columns, problems = Columns(IN_MEMORY, values, [1, 2], {"generated": generated}), Problems()
        assert align_answers(questions, columns, problems) is not None
        assert [problem.code for problem in problems] == expected


def many(runs: int, size: int) -> Columns:
    """Every run answers every factoid of `size`."""
    rows = [(f"run {run}", str(question)) for run in range(runs) for question in range(size)]
    names, asked = [run for run, _ in rows], [question for _, question in rows]
    ones = [1.0] * len(rows)
    values = {"run": names, "question": asked, "document": ["D"] * len(rows), "string": asked}
    return Columns(IN_MEMORY, {**values, "rank": ones, "confidence": ones}, range(len(rows)))


@pytest.mark.parametrize(("runs", "size"), [(50_000, 2), (2, 50_000), (200, 500)])
def test_large_files_stay_fast(runs: int, size: int) -> None:
    """A hundred thousand rows, in many runs, in two, or square: time grows with rows alone."""
    questions = questions_of("id\tquestion\n" + "".join(f"{place}\tWho?\n" for place in range(size)))
    columns, problems = many(runs, size), Problems()
    start = time.process_time()
    answers = align_answers(questions, columns, problems)
    assert time.process_time() - start < 4  # about a second
    assert answers is not None
    assert (len(answers), list(problems)) == (100_000, [])


def test_more_runs_than_can_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file whose every line names another run is told before a cell for each run and question is made."""
    monkeypatch.setattr(module, "MAX_RUNS_TIMES_QUESTIONS", 10)
    problems = Problems()
    assert align_answers(questions_of("id\tquestion\n0\tWho?\n1\tWho?\n"), many(6, 2), problems) is None
    assert [problem.code for problem in problems] == ["too-large"]


def test_millions_without_answer_are_counted() -> None:
    """Runs that answer next to nothing take no longer than those that answer."""
    questions = questions_of("id\tquestion\n" + "".join(f"{place}\tWho?\n" for place in range(1000)))
    columns, problems = many(3000, 1), Problems()
    start = time.process_time()
    assert align_answers(questions, columns, problems) is None
    assert time.process_time() - start < 4
    assert [one.found for one in problems if one.code == "more"] == [f"{3000 * 999 - 10_000} more of no-answer"]
