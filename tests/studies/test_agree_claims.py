"""What `agree` says of assessors and labels where nothing is to be said, over all that it was picked from."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

from karat.studies.agree.study import agree
from tests.ballots import ballots_of

CLAIMS = {
    "swapped": "Are labels swapped",
    "margins": "the labels with significantly different frequencies",
    "label": "agree significantly less on",
    "ballots": "on units with more than",
    "copied": "Is one a copy of the other?",
}
"""Sentences that claim a difference, and words each has."""


def said(assessors: int, units: int, labels: str, alike: float, missing: float, sets: int) -> Counter[str]:
    """How often each is said of assessors of one kind, who say the same on so many units and draw on the others."""
    random = np.random.default_rng(assessors + units)
    found: Counter[str] = Counter()
    for _ in range(sets):
        shared = random.random(units) < alike
        codes = np.where(
            shared, random.integers(0, len(labels), units), random.integers(0, len(labels), (assessors, units))
        )
        letters = np.where(random.random(codes.shape) < missing, ".", np.array(list(labels))[codes])
        told = " ".join(agree(ballots_of(["".join(row) for row in letters], values=labels)).findings())
        found.update(name for name, words in CLAIMS.items() if words in told)
    return found


@pytest.mark.parametrize("labels", ["ab", "abc"])
@pytest.mark.parametrize(("alike", "missing"), [(0.0, 0.2), (0.6, 0.2), (0.6, 0.5)])
def test_nothing_is_said_of_chance(labels: str, alike: float, missing: float) -> None:
    """Of 28 pairs of eight assessors none is told: each sentence in at most about one data set of twenty."""
    sets = 80
    found = said(8, 50, labels, alike, missing, sets)
    # Three errors above the level.
    most = sets * 0.05 + 3 * (sets * 0.05 * 0.95) ** 0.5
    assert max(found.values(), default=0) <= most, found


def test_the_same_numbers_of_ballots() -> None:
    """Where every unit has as many ballots nothing is said of units with more, though the coefficients differ."""
    result = agree(ballots_of(["ab" * 10 + "a", "ba" * 10 + "a"]))
    assert result.coefficients["alpha"].value - result.coefficients["fleiss_kappa"].value > 0.03
    assert result.more_ballots is None
    assert "ballots agree" not in " ".join(result.findings())


def test_few_units_with_more_ballots() -> None:
    """Two units of three ballots that agree, among forty of two that do so in eight of ten, show nothing."""
    rows = ["a" * 42, "aaaab" * 8 + "aa", "." * 40 + "aa"]
    found = agree(ballots_of(rows)).more_ballots
    assert found is not None
    assert (found.more, found.agreement_more, found.agreement_fewer) == (2, 1.0, 0.8)
    assert found.p > 0.2


def test_swapped_labels_are_told() -> None:
    """One of six assessors has two labels the wrong way round: pairs with this one are named, after the correction."""
    random = np.random.default_rng(3)
    truth = random.integers(0, 2, 60)
    codes = np.where(random.random((6, 60)) < 0.9, truth, 1 - truth)
    codes[5] = 1 - codes[5]
    text = " ".join(agree(ballots_of(["".join("ab"[code] for code in row) for row in codes])).findings())
    found = re.search(
        "(?:^|[.?] )([^.?]*?) … agree significantly less often than expected by chance [(]corrected for",
        text,
    )
    assert found
    assert all(pair.endswith(" and f") for pair in found[1].split("; "))


def test_a_copied_sheet_is_told() -> None:
    """The same labels twice among assessors who agree on most units; not where all of them agree on everything."""
    random = np.random.default_rng(0)
    rows = ["".join(random.choice(list("abc"), 40)) for _ in range(1)]
    others = ["".join(letter if random.random() < 0.8 else "a" for letter in rows[0]) for _ in range(2)]
    (told,) = (one for one in agree(ballots_of([*rows, *rows, *others], values="abc")).findings() if "copy" in one)
    assert told.endswith(" give the same label to all 40 units. Is one a copy of the other?")
    # Of nearly perfect assessors two agree on all of twenty units by chance.
    near = ["ab" * 10, "ab" * 10, "ab" * 9 + "aa"]
    assert "copy" not in " ".join(agree(ballots_of(near, values="ab")).findings())
