"""The swap method and sizes on real runs; what docs/reliability.md says of them is held here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from karat.data.scores import Scores
from karat.formats.pairs import read_pairs
from karat.formats.runs import read_runs
from karat.formats.scores import read_scores
from karat.labels import TWO
from karat.studies.size.study import size
from karat.studies.swap.result import Swap
from karat.studies.swap.study import swap
from tests.real.test_runs import CUT


def answer(result: Swap) -> tuple[float, float, float, float]:
    """Smallest reliable difference and sensitivity, by the published procedure and for fresh samples."""
    procedure, fresh = result.procedure, result.fresh
    return (
        procedure.smallest_reliable_difference,
        round(procedure.sensitivity, 3),
        round(fresh.smallest_reliable_difference, 3),
        round(fresh.sensitivity, 3),
    )


@pytest.mark.parametrize(
    ("name", "units", "expected"),
    [
        ("rte", 139, (0.13, 0.354, 0.152, 0.284)),
        ("adversarial-nli", 3200, (0.02, 0.772, 0.025, 0.724)),
    ],
)
def test_ninety_models(real: Path, name: str, units: int, expected: tuple[float, ...]) -> None:
    """90 models on RTE and on ANLI: what the two sets can tell apart."""
    result = swap(read_scores(real / f"responses-90/{name}_irt_all_coded.csv"), replicates=50)
    assert (len(result.runs), result.units) == (90, units)
    assert answer(result) == pytest.approx(expected)
    assert not any("at least half of the runs score 0" in one for one in result.findings())  # right and wrong


def test_halves_of_anli(real: Path) -> None:
    """Disjoint sets of 800 units: what one calls reliable the other seldom reverses, among all models or close ones."""
    scores = read_scores(real / "responses-90/adversarial-nli_irt_all_coded.csv")
    order = np.argsort(scores.values.mean(axis=1))
    for runs, claims in ((order, 6), (order[-10:], 6), (order[30:60], 0)):
        random, claimed, reversals, pairs = np.random.default_rng(0), 0, 0, 0
        for _ in range(6):
            units = random.permutation(3200)[:1600]
            first, second = scores.values[np.ix_(runs, units[:800])], scores.values[np.ix_(runs, units[800:])]
            names = tuple(map(str, range(len(runs)))), tuple(map(str, range(800)))
            least = swap(Scores(*names, first), trials=1, step=400, replicates=2).fresh.smallest_reliable_difference
            one, other = np.triu_indices(len(runs), 1)
            before, after = (part.mean(axis=1)[one] - part.mean(axis=1)[other] for part in (first, second))
            far = np.abs(before) >= least - 1e-12
            claimed, reversals, pairs = (
                claimed + far.any(),
                reversals + (before * after < 0)[far].sum(),
                pairs + far.sum(),
            )
        assert claimed == claims
        assert reversals <= 0.05 * pairs


def test_two_close_runs(real: Path) -> None:
    """The two EDITS runs, .0075 apart on 800 pairs: no difference between them is reliable."""
    key = read_pairs(real / "rte/RTE3_test.xml")
    result = swap(read_runs(real / "rte3-english-runs", key), trials=2, replicates=2)
    assert result.largest_difference == pytest.approx(0.0075)
    assert np.isnan(result.fresh.smallest_reliable_difference)
    assert "chance alone may explain all differences between the runs." in result.headlines()[0]


def test_german_runs(real: Path) -> None:
    """25 whole runs on the German RTE-3, five of them constant: what 800 pairs tell apart without and with those."""
    key = read_pairs(real / "rte3-german/key.xml")
    files = sorted(file for file in (real / "rte3-german/runs").iterdir() if file.name != CUT)
    runs = read_runs(files, key)
    result = swap(runs, replicates=50, team="^([A-Za-z]+_[A-Za-z]+)")
    assert (len(result.runs), len(result.left_out), result.units, result.way) == (20, 5, 800, "2")
    assert answer(result) == pytest.approx((0.05, 0.074, np.nan, np.nan), nan_ok=True)
    assert "that would take a difference of 7.6 points, and the largest is 7.0 points" in result.headlines()[0]
    assert any("5 runs with a constant answer are not counted here" in one for one in result.findings())
    assert result.teams is not None
    assert (result.teams.between.pairs, result.teams.within.pairs) == (19, 171)
    assert result.fresh.reliability.value == pytest.approx(0.74, abs=0.005)
    beside = swap(runs.right(TWO), replicates=50)  # a score matrix does not show that runs are constant
    assert answer(beside) == pytest.approx((0.04, 0.403, 0.047, 0.387))
    others = runs.of_runs([runs.names.index(name) for name in result.runs])
    means = others.right(TWO).values.mean(axis=1)
    one, other = np.triu_indices(len(means), 1)
    assert (np.abs(means[one] - means[other]) >= beside.fresh.smallest_reliable_difference).sum() == 16
    needed = size(others, difference=[0.02])
    assert needed.detectable == pytest.approx(0.0324, abs=5e-5)
    assert needed.sizes[0].units == 2068
