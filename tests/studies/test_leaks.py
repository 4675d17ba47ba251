"""What gives a key away: found where it is planted, and seldom where it is not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import karat
from karat.arrays import Ints
from karat.statistics.leaks import code_p, order_p
from karat.studies.blind.leaks import LEVEL, leaks_of

WORLDS = 400


def leaking(pairs: karat.Pairs, *attributes: str, **options: Any) -> set[str]:
    """What goes with the labels."""
    return {leak.what for leak in leaks_of(pairs, attributes, **options) if leak.leaks}


@pytest.fixture(scope="module")
def clean(key: karat.Pairs) -> karat.Pairs:
    """The example pairs, with labels that have nothing to do with them."""
    return replace(key, labels=np.random.default_rng(5).permutation(key.labels).astype(np.int8))


def test_false_alarms(key: karat.Pairs) -> None:
    """Labels in a random order: with everything looked at, a warning in about 1% of the worlds at most."""
    random = np.random.default_rng(11)
    alarms = 0
    for seed in range(WORLDS):
        labels = random.permutation(key.labels).astype(np.int8)
        alarms += bool(leaking(replace(key, labels=labels), *key.attributes, seed=seed))
    assert alarms <= WORLDS * LEVEL + 3 * (WORLDS * LEVEL) ** 0.5


def test_p_is_uniform() -> None:
    """Under the null hypothesis p is below any level about that often, for codes and for neighbours."""
    random = np.random.default_rng(3)
    codes, labels = random.integers(0, 5, 200), random.integers(0, 3, 200)
    tests: list[Callable[[Ints], float]] = [
        lambda drawn: code_p(codes, drawn, random),
        lambda drawn: order_p(drawn, random),
    ]
    for p in tests:
        found = np.array([p(random.permutation(labels)) for _ in range(500)])
        for level in (0.01, 0.05):
            assert (found <= level).mean() <= level + 3 * (level / 500) ** 0.5
        assert (found <= 0.05).mean() > 0.01  # it is not always 1 either


@pytest.mark.parametrize(
    ("plant", "what"),
    [
        (lambda one: {"ids": tuple(f"{n}{'enc'[code]}" for n, code in enumerate(one.labels))}, "the last character"),
        (lambda one: {"ids": tuple(f"{'enc'[code]}{n}" for n, code in enumerate(one.labels))}, "the first character"),
        (lambda one: {"ids": tuple(f"{n:0{4 + code}}" for n, code in enumerate(one.labels))}, "the length of the ids"),
        (lambda one: {"ids": tuple(f"dev-{'enc'[code]}-{n}.x" for n, code in enumerate(one.labels))}, "part 2 of"),
        (lambda one: {"ids": tuple(f"s{3 + code}q{n:04}" for n, code in enumerate(one.labels))}, "part 2 of the ids"),
        (lambda one: {"ids": tuple(f"{'a-' * (n % 9)}{n}{'env'[c]}b" for n, c in enumerate(one.labels))}, "last part"),
        (lambda one: {"attributes": {"task": tuple(str(code % 2) for code in one.labels)}}, "the attribute 'task'"),
        (lambda one: {"attributes": {"task": tuple(str(n + 99 * int(c)) for n, c in enumerate(one.labels))}}, "'task'"),
        (lambda one: {"hypotheses": tuple("x" * (9 + 3 * c + n % 5) for n, c in enumerate(one.labels))}, "hypotheses"),
        (lambda one: {"labels": np.sort(one.labels)}, "the order of the pairs"),
        (lambda one: {"labels": (np.arange(len(one)) % 2).astype(np.int8)}, "the label before, in the order"),
    ],
)  # fmt: skip
def test_planted(clean: karat.Pairs, plant: Any, what: str) -> None:
    """Each leak is found where it is, and nothing is found in the pairs without it."""
    made = replace(clean, **plant(clean))
    attributes = ["task"] if "task" in made.attributes else []
    assert any(what in one for one in leaking(made, *attributes))
    assert leaking(clean, "task") == set()


def test_one_of_many_attributes(clean: karat.Pairs) -> None:
    """An attribute that is the label is found among thirty, since draws grow with the number of tests."""
    random = np.random.default_rng(7)
    noise = {f"a{place}": tuple(map(str, random.integers(0, 4, len(clean)))) for place in range(29)}
    made = replace(clean, attributes={**noise, "task": tuple("xyz"[code] for code in clean.labels)})
    assert leaking(made, *made.attributes) == {"the attribute 'task'"}


@pytest.mark.parametrize("ids", [lambda n: f"{'abc'[n % 3]}-{n // 7 % 5}x{n}", lambda n: f"{n * 7919 % 65521:06x}"])
def test_false_alarms_of_parts_of_ids(clean: karat.Pairs, ids: Callable[[int], str]) -> None:
    """Ids of many parts, and ids that are hashes: no more warnings than the level allows."""
    random = np.random.default_rng(13)
    made = replace(clean, ids=tuple(ids(n) for n in range(len(clean))))
    alarms = 0
    for seed in range(WORLDS):
        labels = random.permutation(clean.labels).astype(np.int8)
        alarms += bool(leaking(replace(made, labels=labels), seed=seed))
    assert alarms <= WORLDS * LEVEL + 3 * (WORLDS * LEVEL) ** 0.5


def test_what_is_not_seen_is_not_looked_at(clean: karat.Pairs) -> None:
    """Ids that are replaced, an order that is changed and lengths, on request; one label or none gives nothing away."""
    everything = leaks_of(clean, ["task"])
    assert {one.where for one in everything} == {"ids", "order", "attribute", "length"}
    assert {one.where for one in leaks_of(clean, ids=False, order=False)} == {"length"}
    assert leaks_of(clean.blinded()) == []
    same = replace(clean, labels=np.zeros_like(clean.labels))
    assert leaking(same, "task") == set()
