"""Tests of `qa`: what is undefined has its reason; sheets, findings and the signature."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from karat.studies.qa.result import QuestionAnswering
from karat.studies.qa.study import qa
from karat.studies.unit_means import CROSSINGS, BetaCrossing, BetaCurves, beta_chart
from tests.studies.qa_scored import patterned, scored
from tests.studies.qa_worlds import nouns, random_world
from tests.undefined import all_explained


def odd_results() -> list[QuestionAnswering]:
    """Results of inputs that leave much undefined."""
    world, lonely = random_world(7, runs=3, assessors=2, alone=1), random_world(8, series=0, alone=5)
    plain, other = nouns(random_world(2)), [one for one in random_world(9).questions if one[1] == "FACTOID"]
    only = replace(random_world(9), questions=other, nuggets={}, held={})
    only.order = {run: [one[0] for one in other] for run in only.runs}
    only.verdicts = {key: value for key, value in only.verdicts.items() if key[0] in only.order["run0"]}
    tied = random_world(3, runs=1)
    tied = replace(
        tied,
        runs=["a.b", "c/d"],
        said={
            (run, question): tied.said["run0", question] for run in ("a.b", "c/d") for question, *_ in tied.questions
        },
        order=dict.fromkeys(("a.b", "c/d"), tied.order["run0"]),
        held={(run, *key[1:]): value for key, value in tied.held.items() for run in ("a.b", "c/d")},
    )
    _, given = patterned()
    return [
        scored(world),
        scored(world, without=("matches",)),
        scored(world, without=("verdicts",)),
        scored(world, without=("matches",), weights=(1, 1, 0)),
        scored(world, confident=False),
        scored(random_world(1, runs=1)),
        scored(random_world(1, runs=1, series=1)),
        scored(random_world(2, series=1), answers=5),
        scored(lonely),
        scored(only),
        scored(tied),
        qa(plain["questions"], plain["answers"], matches=plain["matches"]),
        qa(given["questions"], given["answers"], patterns=given["patterns"]),
        qa(given["questions"], given["answers"], patterns=given["patterns"], verdicts=given["verdicts"]),
    ]


def test_every_null_has_its_reason() -> None:
    """In JSON every null has one reason, and each is about a null."""
    for result in odd_results():
        all_explained(result)


@pytest.mark.parametrize("format", ["text", "json", "csv", "latex", "html"])
def test_renders(format: str) -> None:
    """Whatever is undefined, every format shows it, and no cell says nan or None."""
    for result in odd_results():
        told = result.render(format)
        assert not re.search(r"\b(nan|None)\b", told)


def test_reasons_of_means() -> None:
    """An interval is undefined since its mean is, or since nothing varies: each says which."""
    reasons = all_explained(scored(random_world(5, runs=1, series=1), without=("matches",)))
    assert reasons["/runs/0/other/score/low"] == "no other question is scored"
    assert "too few" in reasons["/runs/0/factoid/score/low"]


def test_one_run() -> None:
    """One run is scored; nothing is compared."""
    result = scored(random_world(1, runs=1))
    assert (result.aggregations, result.weights, result.zero_medians) == (None, None, [])
    assert result.runs[0].by_series.value == result.runs[0].by_series.value
    assert not [sentence for sentence in result.findings() if "highest" in sentence]


def test_no_series() -> None:
    """Questions that stand alone have no series; intervals are of the questions, and the sheet has no empty columns."""
    result = scored(random_world(8, series=0, alone=5))
    assert result.series == []
    assert [column.name for column in result.sheets()[0].columns][:2] == ["run", "factoid"]
    assert all(run.by_series.value != run.by_series.value for run in result.runs)


def test_names_with_dots() -> None:
    """A run may have dots, slashes and braces in its name: its column of the kinds is headed by it, and not empty."""
    world = random_world(3, runs=1)
    world = replace(
        world,
        runs=["v1.2/{it.b}"],
        said={("v1.2/{it.b}", question): world.said["run0", question] for question, *_ in world.questions},
        order={"v1.2/{it.b}": world.order["run0"]},
        held={("v1.2/{it.b}", *key[1:]): value for key, value in world.held.items()},
    )
    sheet = next(sheet for sheet in scored(world).sheets() if sheet.title == "Series by kind")
    column = next(column for column in sheet.columns if column.name == "v1.2/{it.b}")
    assert all(isinstance(value, float) for value in column.values)


@pytest.mark.parametrize(
    ("scores", "sentence"),
    [
        ([0.5, 0.25], "run0 scores highest by series (0.500)"),
        ([0.5, 0.5], "run0 and run1 share the highest score by series (0.500)"),
    ],
)
def test_best(scores: list[float], sentence: str) -> None:
    """Who is first is said, and a tie is a tie."""
    result = scored(random_world(1, runs=2))
    runs = [
        replace(run, ranking=replace(run.ranking, value=value)) for run, value in zip(result.runs, scores, strict=True)
    ]
    assert any(told.startswith(sentence) for told in replace(result, runs=runs).findings())


def test_signature() -> None:
    """Every parameter and the policy of what is missing stand in the signature."""
    signature = scored(random_world(1), beta=5.0, accept=("inexact",), missing="zero", weights=(1, 1, 1)).signature
    assert signature.missing == "zero"
    assert signature.parameters["beta"] == 5.0
    assert list(signature.parameters["accept"]) == ["inexact"]
    assert {"unjudged", "length", "allowance", "recall", "weights", "no_list", "ranked", "interval", "answers"} <= set(
        signature.parameters
    )


def test_crossings_are_marked_in_the_picture() -> None:
    """Each where the two curves meet, and no line joins them."""
    betas = [0.0, 2.0, 4.0]
    curves = BetaCurves(betas, {"a": [1.0, 0.5, 0.0], "b": [0.0, 0.5, 1.0]}, [], [BetaCrossing("a", "b", 2.0)])
    *_, marks = beta_chart(curves, 3.0).lines
    assert (marks.name, marks.look, marks.points) == (CROSSINGS, "marks", [(2.0, 0.5)])
