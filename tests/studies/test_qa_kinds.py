"""Gathering against browsing: kinds of series compared, and how often a difference is claimed where there is none."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import permutation_test, ttest_ind

from karat.data.questions import Question, Questions, make_series
from karat.studies.qa.kinds import LEVEL, kind_differences
from tests.studies.qa_scored import scored
from tests.studies.qa_worlds import World

CLAIM = "a significant difference"


def world_of(kinds: list[str], right: np.ndarray) -> World:
    """Series of list questions with one answer each, as QACIAD has them: (runs, series, questions) right or wrong."""
    world = World(runs=[f"run{at}" for at in range(len(right))])
    for series, kind in enumerate(kinds):
        world.questions += [(f"{series}.{at}", "LIST", f"s{series}", kind) for at in range(right.shape[2])]
    for name, *_ in world.questions:
        world.verdicts |= {(name, "d", "good"): ("R", ""), (name, "d", "bad"): ("W", "")}
    for run, rows in zip(world.runs, right, strict=True):
        world.order[run] = [name for name, *_ in world.questions]
        for name in world.order[run]:
            series, at = map(int, name.split("."))
            world.said[run, name] = [("d", "good" if rows[series, at] else "bad", 1.0)]
    return world


def answers(random: np.random.Generator, kinds: list[str], harder: float = 0.0) -> np.ndarray:
    """Series differ in difficulty; browsing series are harder by so much."""
    easy = random.beta(3, 3, len(kinds)) - harder * np.array([kind == "browsing" for kind in kinds])
    return np.asarray(random.random((4, len(kinds), 5)) < np.clip(easy, 0, 1)[None, :, None])


def test_as_scipy_has_it() -> None:
    """All assignments of kinds to ten series, by another library."""
    kinds = ["gathering"] * 6 + ["browsing"] * 4
    right = answers(np.random.default_rng(4), kinds, 0.2)
    result = scored(world_of(kinds, right))
    [found] = result.kind_differences
    means = right.mean(axis=(0, 2))
    first, second = means[:6], means[6:]
    assert (found.kind, found.series, found.others) == ("gathering", 6, 4)
    assert found.difference == pytest.approx(first.mean() - second.mean())
    other = permutation_test(
        (first, second),
        lambda a, b: abs(ttest_ind(a, b, equal_var=False).statistic),
        alternative="greater",
        n_resamples=np.inf,
    )
    assert found.p == pytest.approx(other.pvalue) == found.p_corrected
    assert {one.kind: one.scores["run0"] for one in result.kinds} == pytest.approx(
        {"gathering": right[0, :6].mean(), "browsing": right[0, 6:].mean()}
    )


def test_a_difference_is_seldom_claimed_where_there_is_none() -> None:
    """At the 5 % level, over series whose two or three kinds mean nothing; and a large difference is found."""
    sets, said = 150, np.zeros(2)
    for seed in range(sets):
        random = np.random.default_rng(seed)
        for place, names in enumerate((["gathering", "browsing"], ["PERSON", "ORG", "THING"])):
            kinds = (names * 12)[:20]
            scores = answers(random, kinds).mean(axis=2)
            found = kind_differences(questions_of(kinds), scores)
            assert len(found) == (1 if place == 0 else 3)
            said[place] += any(one.p_corrected <= LEVEL for one in found)
    assert (said <= sets * LEVEL + 3 * np.sqrt(sets * LEVEL * (1 - LEVEL))).all()
    kinds = ["gathering", "browsing"] * 10
    told = scored(world_of(kinds, answers(np.random.default_rng(0), kinds, 0.4))).findings()
    assert any(CLAIM in one and "gathering series" in one and "than on browsing series" in one for one in told)


@pytest.mark.parametrize("kind", ["unequal spread", "unequal numbers", "hardly ever right"])
def test_kinds_of_unequal_spread(kind: str) -> None:
    """A few series of one kind vary more than the many of the other, and are as hard: no difference is claimed."""
    sets, said = 200, 0
    for seed in range(sets):
        random = np.random.default_rng(seed)
        kinds = ["browsing"] * 10 + ["gathering"] * 55
        spread = np.where(np.arange(65) < 10, 3, 1) if kind == "unequal spread" else 1
        scores = 0.5 + 0.1 * spread * random.normal(size=(1, 65)) + 0.05 * random.normal(size=(6, 65))
        if kind == "hardly ever right":
            scores = (random.random((6, 65)) < 0.05).astype(np.float64)
        [found] = kind_differences(questions_of(kinds), scores)
        said += found.p_corrected <= LEVEL
    # With the plain difference of means, 63 of the first kind.
    assert said <= sets * LEVEL + 3 * np.sqrt(sets * LEVEL * (1 - LEVEL))


def questions_of(kinds: list[str]) -> Questions:
    """One question per series."""
    rows = [(Question(str(at), "LIST", "What?", f"s{at}"), "target", kind) for at, kind in enumerate(kinds)]
    return Questions(tuple(row[0] for row in rows), make_series(rows))


def test_what_is_said() -> None:
    """Either that there is a difference or that none is significant, in the words of the table."""
    kinds = ["gathering", "browsing"] * 5
    for seed in range(8):
        result = scored(world_of(kinds, answers(np.random.default_rng(seed), kinds)))
        [found] = result.kind_differences
        told = [one for one in result.findings() if "gathering" in one]
        assert len(told) == 1
        assert (CLAIM in told[0]) == (found.p_corrected <= LEVEL)


def test_one_kind_is_compared_with_nothing() -> None:
    """Nor are series that all have the same score."""
    right = np.ones((2, 6, 2), dtype=bool)
    assert scored(world_of(["gathering"] * 6, right)).kind_differences == []
    [found] = scored(world_of(["gathering", "browsing"] * 3, right)).kind_differences
    assert found.p != found.p
