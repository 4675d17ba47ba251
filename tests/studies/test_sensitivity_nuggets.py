"""What is vital, chosen otherwise: sensitivity scores nuggets again, as `qa` does on a file with other marks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from karat.data.importance import other_importance
from karat.studies.sensitivity.study import sensitivity
from tests.studies.qa_scored import scored
from tests.studies.qa_worlds import World, matches_of, nouns, random_world

Votes = list[bool]
RULES: dict[str, Callable[[Votes], bool]] = {
    "all vital": lambda votes: len(votes) > 0,
    "vital by majority": lambda votes: sum(votes) > len(votes) / 2,
    "vital for anybody": lambda votes: sum(votes) > 0,
}


def remarked(world: World, rule: Callable[[Votes], bool]) -> World:
    """The world with other marks, by a rule over what everybody said of a nugget."""
    said: dict[tuple[str, str], Votes] = {}
    for (_, question), listed in world.nuggets.items():
        for name, importance in listed:
            said.setdefault((question, name), []).append(importance == "vital")
    marked = {
        (who, question): [(name, "vital" if rule(said[question, name]) else "okay") for name, _ in listed]
        for (who, question), listed in world.nuggets.items()
    }
    return replace(world, nuggets=marked)


def of_one(world: World, assessor: str) -> World:
    """The world in which only one assessor has lists."""
    return replace(
        world,
        nuggets={key: listed for key, listed in world.nuggets.items() if key[0] == assessor},
        held={key: degree for key, degree in world.held.items() if key[1] == assessor},
    )


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_scores_under_other_marks(seed: int) -> None:
    """Those of the same world written with other marks, on the series that both score."""
    world = random_world(seed, runs=4, series=8, assessors=3)
    official, found = scored(world), sensitivity(**nouns(world))
    by_choice = {one.value: one for one in found.settings if one.setting == "nuggets"}
    worlds = {name: remarked(world, rule) for name, rule in RULES.items()}
    worlds |= {f"of {name} alone": of_one(world, name) for name in world.assessors}
    assert set(by_choice) == set(worlds)
    for name, other in worlds.items():
        again = scored(other)
        both = [
            box.series
            for box, one in zip(again.series, official.series, strict=True)
            if box.median == box.median and one.median == one.median
        ]
        assert by_choice[name].units == len(both)
        expected = {run.run: np.mean([run.series[one] for one in both]) for run in again.runs}
        assert by_choice[name].scores == pytest.approx(expected)
        there = {run.run: np.mean([run.series[one] for one in both]) for run in official.runs}
        assert by_choice[name].official == pytest.approx(there)


def test_one_assessor_has_one_other_choice() -> None:
    """Nobody else marked the nuggets."""
    assert list(other_importance(matches_of(random_world(4)))) == ["all vital"]


def test_lists_of_other_nuggets_have_no_votes() -> None:
    """Numbers that happen to be the same do not make two nuggets one."""
    matches = matches_of(random_world(4, assessors=2))
    texts = tuple(f"{text} of {who}" for text, who in zip(matches.nuggets.texts, matches.nuggets.assessor, strict=True))
    apart = replace(matches, nuggets=replace(matches.nuggets, texts=texts))
    assert set(other_importance(apart)) == {"of who0 alone", "of who1 alone", "all vital"}
    assert "vital by majority" in other_importance(matches)


def test_labels_without_a_meaning_stay() -> None:
    """A label that is neither vital nor okay is not made vital."""
    matches = matches_of(random_world(4))
    junk = matches.importance.copy()
    junk[0, 0], junk[1, 1] = 2, 3
    made = other_importance(replace(matches, importance=junk))["all vital"]
    assert (made.importance[0, 0], made.importance[1, 1]) == (2, 3)
    assert set(made.importance[2].tolist()) == {0}
    assert set(matches.importance[2].tolist()) == {0, 1}
