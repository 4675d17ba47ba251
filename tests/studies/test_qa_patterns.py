"""Tests of `qa`: patterns as a judge, and answers that nobody judged."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from karat.errors import DataError, UsageError
from karat.studies.qa.result import QuestionAnswering, ScoredCount
from karat.studies.qa.study import qa
from tests.question_files import SERIES, answers_of, patterns_of, questions_of, tabs, verdicts_of
from tests.studies import qa_by_hand as hand
from tests.studies.qa_scored import patterned, scored
from tests.studies.qa_worlds import nouns, random_world
from tests.undefined import all_explained


def test_patterns_as_judge() -> None:
    """Agreement, kappa, what each verdict becomes, and what patterns give to each run."""
    _, given = patterned()
    judge = qa(given.pop("questions"), given.pop("answers"), **given).patterns
    assert judge is not None
    # People: R X R | R W; patterns accept the first two and Nile: 3 of 5 agree.
    # NIL and the assessor's own do not count.
    assert (judge.answers, judge.agreement) == (5, pytest.approx(3 / 5))
    # Chance: 3/5 right by both · 3/5 + 2/5 · 2/5 = 13/25.
    assert judge.kappa == pytest.approx((3 / 5 - 13 / 25) / (1 - 13 / 25))
    assert {row.verdict: (row.accepted, row.refused) for row in judge.verdicts} == {
        "correct": (2, 1), "inexact": (1, 0), "unsupported": (0, 0), "incorrect": (0, 1)
    }  # fmt: skip
    assert {row.run: (row.people, row.patterns, row.bias) for row in judge.runs} == {
        "a": (1.0, 1.0, 0.0), "b": (0.0, 0.5, 0.5), "c": (0.5, 0.0, -0.5)
    }  # fmt: skip
    assert judge.ranking.tau == pytest.approx(hand.tau([1, 0, 0.5], [1, 0.5, 0]))


def test_patterns_alone() -> None:
    """Without people patterns judge, and it is said."""
    _, given = patterned()
    result = qa(given["questions"], given["answers"], patterns=given["patterns"])
    assert [run.factoid.score.value for run in result.runs] == [1.0, 0.5, 0.0]
    assert (result.judged_by, result.patterns) == ("patterns", None)
    assert "Patterns judged the answers automatically, which is lenient." in result.render()


SERIES_ANSWERS = tabs(
    "run|qid|doc|answer", "a|1.1|D|9 km", "a|1.2|NIL|", "a|1.3|D|Upper Town", "b|1.1|D|3 km", "b|1.2|D|Ann",
    "b|1.3|D|Lower Town",
)  # fmt: skip


def by_patterns(*lines: str) -> QuestionAnswering:
    """Two runs on two factoids and a list, judged by patterns."""
    questions = questions_of(SERIES.replace("1.4\t1\tthe river\tTHING\tOTHER\tOther\n", ""))
    patterns = patterns_of("".join(f"{line}\n" for line in lines), questions)
    return qa(questions, answers_of(SERIES_ANSWERS, questions), patterns=patterns)


def test_patterns_of_lists_alone() -> None:
    """Score no factoid: nothing is said of them, so nothing is right or wrong, NIL neither."""
    result = by_patterns("1.3 Upper")
    assert result.asked.units["factoid"] == ScoredCount(2, 0)
    assert result.asked.unanswerable is None
    for run in result.runs:
        unscored = (run.factoid.score.value, run.factoid.accuracy, run.nil.right, run.by_type, run.by_series.value)
        assert all(math.isnan(one) for one in unscored)
        assert set(run.factoid.verdicts.values()) == {0}
        assert math.isnan(run.factoid.accepting["lenient"])
    assert [run.list.score.value for run in result.runs] == [1.0, 0.0]
    assert [(one.code, one.found) for one in result.warnings if one.code == "no-pattern"] == [
        ("no-pattern", f"no pattern for factoid question '{name}'") for name in ("1.1", "1.2")
    ]
    assert {one.question: one.unscored for one in result.questions if one.unscored} == dict.fromkeys(
        ["1.1", "1.2"], "there is no pattern for it"
    )
    assert "2 of 3 questions are not scored (each: there is no pattern for it)." in result.findings()
    all_explained(result)


def test_patterns_of_factoids_alone() -> None:
    """Score no list, and no series that asks one: its score would rest on the other questions only."""
    result = by_patterns("1.1 9 km", "1.2 Ann")
    assert result.asked.units["list"] == ScoredCount(1, 0)
    assert all(math.isnan(run.by_type) and math.isnan(run.by_series.value) for run in result.runs)
    assert [run.factoid.accuracy for run in result.runs] == [0.5, 0.5]


def test_a_factoid_without_a_pattern_is_left_out() -> None:
    """Of all means, and counted; a line NIL says that no answer is known, and then NIL is right."""
    silent, said = by_patterns("1.1 9 km", "1.3 Upper"), by_patterns("1.1 9 km", "1.2 NIL", "1.3 Upper")
    assert (silent.asked.units["factoid"].scored, said.asked.units["factoid"].scored) == (1, 2)
    assert [run.factoid.accuracy for run in silent.runs] == [1.0, 0.0]
    assert [run.factoid.accuracy for run in said.runs] == [1.0, 0.0]
    assert [run.factoid.verdicts["correct"] for run in silent.runs] == [1, 0]
    assert [run.factoid.verdicts["correct"] for run in said.runs] == [2, 0]
    assert [(run.nil.given, run.nil.right) for run in silent.runs] == [(0, 0), (0, 0)]
    assert [(run.nil.given, run.nil.right) for run in said.runs] == [(1, 1), (0, 0)]
    assert (silent.asked.unanswerable, said.asked.unanswerable) == (0, 1)
    assert [one.code for one in silent.warnings] == ["no-pattern"]
    assert said.warnings == ()


def test_people_and_patterns_leave_out_what_neither_knows() -> None:
    """An answer that nobody judged, to a question that no pattern covers, is not wrong for that."""
    questions = questions_of(SERIES.replace("1.4\t1\tthe river\tTHING\tOTHER\tOther\n", ""))
    answers = answers_of(SERIES_ANSWERS, questions)
    judged = verdicts_of(tabs("qid|doc|answer|verdict|group", "1.3|D|Upper Town|R|u", "1.3|D|Lower Town|W|"), questions)
    result = qa(questions, answers, verdicts=judged, patterns=patterns_of("1.1 9 km\n", questions), unjudged="patterns")
    assert result.asked.units["factoid"] == ScoredCount(2, 1)
    assert [run.factoid.accuracy for run in result.runs] == [1.0, 0.0]
    (left,) = [one for one in result.questions if one.unscored]
    assert (left.question, left.unscored) == ("1.2", "nobody judged an answer to it, and there is no pattern for it")
    assert result.patterns is not None
    assert result.patterns.answers == 0


def test_patterns_are_judged_where_they_say_something() -> None:
    """A question without a pattern tells nothing of how patterns agree with people."""
    _, given = patterned()
    given["patterns"] = replace(given["patterns"], patterns=given["patterns"].patterns[:1])
    judge = qa(given.pop("questions"), given.pop("answers"), **given).patterns
    assert judge is not None
    # People: R X R; patterns accept the first two.
    assert (judge.answers, judge.agreement, judge.questions) == (3, pytest.approx(1 / 3), 1)


def test_wide_patterns_are_counted() -> None:
    """In a field, in a sentence, and among the warnings."""
    result = by_patterns("1.1 9 km", "1.1 .*", "1.2 NIL", "1.3 Upper", "1.3 x?")
    assert result.wide_patterns == 2
    assert "2 patterns accept every string and are left out." in result.findings()
    assert [run.list.score.value for run in result.runs] == [1.0, 0.0]


@pytest.mark.parametrize("policy", ["refuse", "wrong", "patterns"])
def test_unjudged(policy: str) -> None:
    """An answer that nobody judged is refused by name, wrong, or left to patterns, as is asked."""
    world, _ = patterned()
    _, given = patterned()
    del world.verdicts["2", "d", "Nile"]
    given["verdicts"] = nouns(world)["verdicts"]
    questions, answers = given.pop("questions"), given.pop("answers")
    if policy == "refuse":
        with pytest.raises(DataError) as caught:
            qa(questions, answers, **given)
        assert [
            (one.code, "'Nile' from d to question '2' (run 'a')" in one.found) for one in caught.value.problems
        ] == [("unjudged", True)]
        return
    result = qa(questions, answers, unjudged=policy, **given)
    assert result.runs[0].factoid.score.value == (1.0 if policy == "patterns" else 0.5)
    assert result.judged_by == ("people and patterns" if policy == "patterns" else "people")
    assert result.patterns is not None
    assert result.patterns.questions == 1  # runs are compared where people judged all of them
    assert (result.patterns.runs[0].people, result.patterns.answers) == (1.0, 4)


def test_policy_without_patterns() -> None:
    """There must be patterns to leave answers to."""
    with pytest.raises(UsageError, match="patterns"):
        scored(random_world(1), unjudged="patterns")


def test_locally_correct_answers_do_not_count() -> None:
    """They are counted by themselves where there are any, and are neither right nor lenient."""
    questions = questions_of()
    first = questions.questions[0].id
    answers = answers_of(
        tabs("run|qid|rank|doc|answer", f"a|{first}|1|D1|x", f"b|{first}|1|D2|x"),
        questions.without(one.id for one in questions.questions[1:]),
    )
    only = questions.without(one.id for one in questions.questions[1:])
    verdicts = verdicts_of(tabs("qid|doc|answer|verdict|group", f"{first}|D1|x|L|", f"{first}|D2|x|R|"), only)
    result = qa(only, answers, verdicts=verdicts)
    assert {run.run: run.factoid.verdicts["locally correct"] for run in result.runs} == {"a": 1, "b": 0}
    assert {run.run: (run.factoid.accuracy, run.factoid.accepting["lenient"]) for run in result.runs} == {
        "a": (0.0, 0.0), "b": (1.0, 1.0)
    }  # fmt: skip
    assert any("locally correct" in [column.name for column in sheet.columns] for sheet in result.sheets())
