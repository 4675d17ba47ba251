"""What `qa` says of worlds, and of three runs that patterns judge too."""

from __future__ import annotations

from typing import Any

import pytest

from karat.data.patterns import Pattern, Patterns
from karat.studies.qa.result import QuestionAnswering
from karat.studies.qa.study import qa
from tests.studies.qa_worlds import World, nouns


def scored(world: World, confident: bool = True, without: tuple[str, ...] = (), **options: Any) -> QuestionAnswering:
    """What `qa` says of a world."""
    given = {name: noun for name, noun in nouns(world, confident).items() if name not in without}
    return qa(given.pop("questions"), given.pop("answers"), **given, **options)


def same(found: float, expected: float | None) -> bool:
    """Equal, where None is NaN."""
    return found != found if expected is None else found == pytest.approx(expected, abs=1e-12)


def patterned() -> tuple[World, dict[str, Any]]:
    """Three runs on two factoids: the patterns accept an inexact answer and miss a correct one."""
    world = World(runs=["a", "b", "c"])
    world.questions = [("1", "FACTOID", None, None), ("2", "FACTOID", None, None)]
    world.verdicts = {
        ("1", "d", "Mississippi"): ("R", ""), ("1", "d", "the Mississippi of old"): ("X", ""),
        ("1", "e", "Mississip"): ("R", ""), ("2", "d", "Nile"): ("R", ""), ("2", "d", "Rhine"): ("W", ""),
        ("2", "", "Nile, the assessor's own"): ("R", ""),
    }  # fmt: skip
    said = {"a": ("d", "Mississippi", "d", "Nile"), "b": ("d", "the Mississippi of old", "d", "Rhine"),
            "c": ("e", "Mississip", "NIL", "")}  # fmt: skip
    for run, (one, first, two, second) in said.items():
        world.said[run, "1"], world.said[run, "2"] = [(one, first, 1.0)], [(two, second, 1.0)]
        world.order[run] = ["1", "2"]
    given = nouns(world)
    given["patterns"] = Patterns(("1", "2"), (Pattern(0, "Mississippi"), Pattern(1, "Nile")))
    return world, given
