"""`karat meta` with several judges: every two of them compared, and reasons that say which judge they are about."""

from __future__ import annotations

import numpy as np
import pytest

from karat.data.judgments import Judgments
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.studies.meta.study import meta

Rows = list[list[float]]


def scored(**judges: Rows) -> Judgments:
    """Runs x, y, z and units 0, 1, … by their number."""
    return Judgments.of(
        {
            judge: Scores(
                ("x", "y", "z"), tuple(map(str, range(len(rows[0])))), np.array(rows, dtype=np.float64), "score"
            )
            for judge, rows in judges.items()
        }
    )


def test_every_two_of_three() -> None:
    """Tau of means (.5, 1, 0), (0, .5, .5) and (1, 1, 0), counted by hand; two judges have no such table."""
    a: Rows = [[0, 1], [1, 1], [0, 0]]
    b: Rows = [[0, 0], [1, 0], [0, 1]]
    c: Rows = [[1, 1], [1, 1], [0, 0]]
    made = meta(scored(a=a, b=b, c=c), replicates=10)
    found = [(one.first, one.second, one.same_leader) for one in made.between]
    assert found == [("a", "b", False), ("a", "c", False), ("b", "c", False)]
    assert [one.tau for one in made.between] == pytest.approx([0, 2 / 3, -1 / 3])
    assert [one.tau_b for one in made.between] == pytest.approx([0, 2 / 6**0.5, -1 / 2])
    [sheet] = [one for one in made.sheets() if one.title == "The rankings by any two judges"]
    assert "The mean tau is 0.111." in sheet.notes
    assert meta(scored(a=a, b=b), replicates=10).between == []


def test_a_constant_shift_is_not_agreement() -> None:
    """A judge that gives every run the same less on every unit does not say the same as the reference."""
    rows: Rows = [[0.5, 0.7, 0.9], [0.2, 0.4, 0.6], [0.1, 0.9, 0.5]]
    shifted = [[one - 0.25 for one in row] for row in rows]
    each: dict[str, Rows] = {"shifted": shifted, "same": rows}
    reasons = {what: str(meta(scored(a=rows, b=own), replicates=10).undefined) for what, own in each.items()}
    assert "differ by the same amount on every unit" in reasons["shifted"]
    assert "judgments are the same" not in reasons["shifted"]
    assert "judgments are the same" in reasons["same"]


def test_whose_scores_are_missing() -> None:
    """The refusal names the judge."""
    whole, holes = [[0.5, 0.7], [0.2, 0.4], [0.1, 0.9]], [[0.5, np.nan], [0.2, 0.4], [0.1, 0.9]]
    with pytest.raises(UsageError, match=r"^b: 1 score is missing, the first of run 'x' on unit '1'"):
        meta(scored(a=whole, b=holes))
