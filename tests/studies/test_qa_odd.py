"""Tests of `qa`: odd test sets, files that do not belong together, and what is excluded."""

from __future__ import annotations

from dataclasses import replace

import pytest

from karat.data.verdicts import Verdicts
from karat.errors import DataError, UsageError
from karat.studies.qa.study import qa
from tests.studies import qa_by_hand as hand
from tests.studies.qa_scored import scored
from tests.studies.qa_worlds import nouns, random_world


def test_excluded() -> None:
    """What is taken out is passed over in nuggets too, and named; the rest scores as if it never was."""
    world = random_world(4, series=4)
    given = nouns(world)
    less = replace(world, questions=[one for one in world.questions if one[2] != "s1" and one[0] != "0.0"])
    names = [one[0] for one in less.questions]
    less.nuggets = {key: value for key, value in world.nuggets.items() if key[1] in names}
    less.verdicts = {key: value for key, value in world.verdicts.items() if key[0] in names}
    less.order = {run: [one for one in order if one in names] for run, order in world.order.items()}
    expected = scored(less)
    questions = given["questions"].without(["s1", "0.0"])
    made = nouns(less)
    result = qa(questions, made["answers"], verdicts=made["verdicts"], matches=given["matches"])
    assert [run.by_series for run in result.runs] == [run.by_series for run in expected.runs]
    assert result.asked.excluded == ["s1", "0.0"]
    assert list(result.signature.parameters["exclude"]) == ["s1", "0.0"]
    assert not result.warnings


def test_runs_of_other_files() -> None:
    """A run without matches is an error that names it; matches of a run without answers are told."""
    world = random_world(4)
    given = nouns(world)
    fewer = nouns(replace(world, runs=world.runs[1:3]))["answers"]
    result = qa(given["questions"], fewer, verdicts=given["verdicts"], matches=given["matches"])
    assert [(one.code, "'run0', 'run3'" in one.found) for one in result.warnings] == [("run-beside", True)]
    matches = nouns(replace(world, runs=world.runs[1:3]))["matches"]
    with pytest.raises(DataError) as caught:
        qa(given["questions"], given["answers"], verdicts=given["verdicts"], matches=matches)
    assert [one.found for one in caught.value.problems] == ["no matches of run 'run0'", "no matches of run 'run3'"]
    alone = scored(replace(world, runs=world.runs[1:3]))
    assert [run.other.score.value for run in result.runs] == [run.other.score.value for run in alone.runs]


@pytest.mark.parametrize(("name", "code"), [("9.9", "unknown-id"), ("0.0", "not-other")])
def test_nuggets_of_other_questions(name: str, code: str) -> None:
    """Nuggets of a question that is not asked, or of one that is no OTHER, are errors."""
    world = random_world(4)
    given = nouns(world)
    world.nuggets["who0", name] = [("1", "vital")]
    with pytest.raises(DataError) as caught:
        qa(given["questions"], given["answers"], verdicts=given["verdicts"], matches=nouns(world)["matches"])
    assert [one.code for one in caught.value.problems] == [code]


def test_nothing_is_right() -> None:
    """Without verdicts, patterns and nuggets there is nothing to score by."""
    given = nouns(random_world(1))
    with pytest.raises(UsageError, match="there is nothing to score by"):
        qa(given["questions"], given["answers"])


@pytest.mark.parametrize("weights", [(0, 0, 0), (-1, 1, 1), (float("inf"), 1, 1), (float("nan"), 1, 1)])
def test_odd_weights(weights: tuple[float, float, float]) -> None:
    """Weights are finite, not negative and not all 0."""
    with pytest.raises(UsageError, match="weights"):
        scored(random_world(1), weights=weights)


@pytest.mark.parametrize("noun", ["answers", "verdicts"])
def test_other_questions(noun: str) -> None:
    """Answers and verdicts number the questions they were read against."""
    one, other = nouns(random_world(1, series=3)), nouns(random_world(2, series=4))
    given = one | {noun: other[noun]}
    with pytest.raises(UsageError, match=f"the {noun} were read against other questions"):
        qa(given["questions"], given["answers"], verdicts=given["verdicts"])


def test_all_nil() -> None:
    """A run that says NIL to everything is right where nothing is known, and scores 0 elsewhere."""
    world = random_world(6)
    for question, kind, _, _ in world.questions:
        world.said["run0", question] = [("NIL", "", 0.5)] if kind != "OTHER" else []
        for key in [key for key in world.held if key[0] == "run0"]:
            del world.held[key]
    run = scored(world).runs[0]
    nothing = [question for question in world.of_type("FACTOID") if not hand.known(world, question)]
    assert run.factoid.score.value == pytest.approx(len(nothing) / len(world.of_type("FACTOID")))
    assert (run.list.score.value, run.other.score.value, run.other.length) == (0.0, 0.0, 0.0)


def test_verdicts_name_blanks() -> None:
    """Blanks inside a string are no difference between an answer and its judgment."""
    world = random_world(1)
    given = nouns(world)
    answers = replace(given["answers"], strings=tuple(one.replace(" ", "  \n") for one in given["answers"].strings))
    verdicts: Verdicts = given["verdicts"]
    same_runs = qa(given["questions"], answers, verdicts=verdicts, weights=(1, 1, 0)).runs
    assert [run.by_type for run in same_runs] == [
        run.by_type for run in qa(given["questions"], given["answers"], verdicts=verdicts, weights=(1, 1, 0)).runs
    ]


def test_not_judged_for_every_run() -> None:
    """A question that one run was not judged on is scored for none, and it is said: runs share their questions."""
    given = nouns(random_world(5))
    matches = given["matches"]
    topic = next(at for at, unit in enumerate(matches.nuggets.units) if unit not in matches.nuggets.without_vital())
    answered = matches.answered.copy()
    answered[0, topic] = False
    result = qa(
        given["questions"],
        given["answers"],
        verdicts=given["verdicts"],
        matches=replace(matches, answered=answered),
    )
    question = matches.nuggets.units[topic]
    assert all(run.questions[question] != run.questions[question] for run in result.runs)
    assert {one.question: one.unscored for one in result.questions}[question] == "not every run was judged on it"
