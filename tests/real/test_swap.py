"""The swap method and sizes on real runs; what docs/reliability.md says of them is held here."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.formats.reading import read_pairs, read_runs
from karat.formats.scores import read_scores
from karat.studies.size.study import size
from karat.studies.swap.result import Swap
from karat.studies.swap.study import swap
from tests.real.test_runs import CUT


def answer(result: Swap) -> tuple[float, float, float, float]:
    """Smallest reliable difference and sensitivity, by the procedure and for fresh samples."""
    analytic = result.analytic
    return (
        result.smallest_reliable_difference,
        round(result.sensitivity, 3),
        analytic.smallest_reliable_difference,
        round(analytic.sensitivity, 3),
    )


@pytest.mark.parametrize(
    ("name", "units", "expected"),
    [
        ("rte", 139, (0.13, 0.354, 0.14, 0.329)),
        ("adversarial-nli", 3200, (0.02, 0.772, 0.02, 0.772)),
    ],
)
def test_ninety_models(real: Path, name: str, units: int, expected: tuple[float, ...]) -> None:
    """90 models on RTE and on ANLI: what the two sets can tell apart."""
    result = swap(read_scores(real / f"responses-90/{name}_irt_all_coded.csv"), replicates=50)
    assert (len(result.runs), result.units) == (90, units)
    assert answer(result) == pytest.approx(expected)
    assert any("at least half of the runs score 0" in one for one in result.findings())


def test_german_runs(real: Path) -> None:
    """25 whole runs on the German RTE-3: what 800 pairs can tell apart, by the swap method and by power."""
    key = read_pairs(real / "rte3-german/key.xml")
    files = sorted(file for file in (real / "rte3-german/runs").iterdir() if file.name != CUT)
    runs = read_runs(files, key)
    result = swap(key, runs, replicates=50, team="^([A-Za-z]+_[A-Za-z]+)")
    assert (len(result.runs), result.units, result.way) == (25, 800, "2")
    assert result.teams is not None
    assert (result.teams.between.pairs, result.teams.within.pairs) == (129, 171)
    assert [round(part.share, 2) for part in (result.teams.between, result.teams.within)] == [0.8, 0.11]
    assert answer(result) == pytest.approx((0.04, 0.403, 0.04, 0.403))
    needed = size(key, runs, difference=[0.02])
    assert needed.detectable == pytest.approx(0.0400, abs=5e-5)
    assert needed.sizes[0].units == 3211
