"""Tests of `qa`: patterns as a judge, and answers that nobody judged."""

from __future__ import annotations

import pytest

from karat.errors import DataError, UsageError
from karat.studies.qa.study import qa
from tests.studies import qa_by_hand as hand
from tests.studies.qa_scored import patterned, scored
from tests.studies.qa_worlds import nouns, random_world


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
    assert "Patterns judged the answers: lenient and automatic." in result.render()


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
    with pytest.raises(UsageError, match="--patterns"):
        scored(random_world(1), unjudged="patterns")
