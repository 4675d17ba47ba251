"""Equally good runs under two keys: how often the preview of a new key says that a difference is significant."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from karat.campaign.checking import check_run, read_test
from karat.campaign.definition import Task
from karat.campaign.new_key import new_key, rekeyed
from karat.campaign.rescored import Rescoring
from karat.campaign.rescoring import Rescored, preview
from karat.labels import THREE
from tests.studies.test_grade_rates import MANY, most

TASK = Task(name="three-way", test="pairs.xml")
RUNS, PAIRS = 8, 120
BECOMES, NO_LONGER = "becomes significant", "is no longer significant"


def other(labels: np.ndarray, chosen: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Labels of which the chosen ones are replaced by either of the other two."""
    return np.where(chosen, (labels + random.integers(1, 3, labels.shape)) % 3, labels)


def lines(labels: np.ndarray) -> bytes:
    """A key or a run as plain lines."""
    return "".join(f"p{place} {THREE.labels[code]}\n" for place, code in enumerate(labels.tolist())).encode()


def pairs(labels: np.ndarray) -> bytes:
    """A test set with these labels."""
    units = "".join(
        f'<pair id="p{place}" entailment="{THREE.labels[code]}" task="IE"><t>Text.</t><h>Hypothesis.</h></pair>'
        for place, code in enumerate(labels.tolist())
    )
    return f'<?xml version="1.0" encoding="UTF-8"?><entailment-corpus>{units}</entailment-corpus>'.encode()


def rescored(seed: int, errors: float, better: float = 0.0) -> Rescoring:
    """Runs that are right on every pair with the same probability; the old key has errors, which the new one has not.

    With `better`, the first run is right on so many pairs on which it would have been wrong.
    """
    random = np.random.default_rng(seed)
    truth = random.choice(3, PAIRS, p=(0.5, 0.35, 0.15))
    right = random.random((RUNS, PAIRS)) < random.beta(3, 2, PAIRS)
    right[0] |= random.random(PAIRS) < better
    answers = other(np.broadcast_to(truth, right.shape), ~right, random)
    old = read_test(TASK, pairs(other(truth, random.random(PAIRS) < errors, random)), "")
    new = rekeyed(old, new_key(old, "new", lines(truth)), "")
    files = {f"run{place}": ("run.txt", lines(codes)) for place, codes in enumerate(answers)}
    sides = [{name: check_run(test, *file).scores for name, file in files.items()} for test in (old, new)]
    return preview(1, [Rescored(old, new, files, *sides)])


def claims(found: Rescoring, way: str) -> set[str]:
    """What is claimed of any two runs, by either key, and as a change between the two."""
    rows = [row for row in found.runs if row.way == way]
    tables = {"old": [row.old_ranks for row in rows], "new": [row.new_ranks for row in rows]}
    view = next(one for one in found.views if one.way == way)
    told = " ".join(str(one) for one in found.findings() if str(one).startswith(view.name))
    apart = {key for key, ranks in tables.items() if any(one != (1, RUNS) for one in ranks)}
    return apart | {claim for claim in (BECOMES, NO_LONGER) if claim in told}


@pytest.mark.parametrize("sets", [15, pytest.param(400, marks=MANY)])
@pytest.mark.parametrize("errors", [0.05, 0.4])
def test_equal_runs_under_two_keys(sets: int, errors: float) -> None:
    """Over all pairs of runs, each key has a false verdict on at most 5% of the test sets; no sentence adds any."""
    made = [rescored(seed, errors) for seed in range(sets)]
    for way in "32":
        found = [claims(one, way) for one in made]
        counts = Counter(claim for one in found for claim in one)
        assert max(counts[claim] for claim in ("old", "new", BECOMES, NO_LONGER)) <= most(sets, 0.05), counts
        # A sentence says no more than the tests: what becomes significant is so by the new key.
        assert all("new" in one for one in found if BECOMES in one)
        assert all("old" in one for one in found if NO_LONGER in one)


def test_what_is_true_is_claimed() -> None:
    """A run that is far better is found by both keys, and by the one without errors where the other hides it."""
    seen = [claims(rescored(seed, 0.4, better=0.6), "3") for seed in range(5)]
    assert all("new" in one for one in seen)
    assert any(BECOMES in one for one in seen)
