"""Sizes without runs: the same arithmetic as with runs, under a stated discordance."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

import karat
from karat.statistics.power import mcnemar_units
from karat.studies.size.study import DISCORDANCES, size
from tests.cli.calls import as_json
from tests.cli.calls import karat as command
from tests.studies.test_size import two_runs
from tests.undefined import all_explained


def test_as_with_runs() -> None:
    """Two runs that disagree on a fifth of 800 units need what is planned for a discordance of a fifth."""
    with_runs = size(two_runs(800, 90, 70), difference=[0.05, 0.02])
    planned = size(difference=[0.05, 0.02], discordance=[0.2])
    assert [row.units for row in planned.sizes] == [row.units for row in with_runs.sizes] == [658, 4016]
    assert [row.exact for row in planned.sizes] == [row.exact for row in with_runs.sizes]
    for row in planned.sizes:
        assert row.simulated == pytest.approx(row.exact, abs=4 * row.mc_error)


@pytest.mark.parametrize(("difference", "discordance"), [(0.05, 0.1), (0.05, 0.4), (0.1, 0.1)])
def test_power_by_scipy(difference: float, discordance: float) -> None:
    """Test sets of the planned size, drawn here, and scipy's binomial test: the power is what was asked for.

    400 sets at 80%: a standard error of 2 points, and room for the steps of an exact test on few units.
    """
    (row,) = size(difference=[difference], discordance=[discordance]).sizes
    random, found, sets = np.random.default_rng(1), 0, 400
    shares = [(discordance + difference) / 2, (discordance - difference) / 2, 1 - discordance]
    for won, lost, _ in random.multinomial(row.units or 0, shares, size=sets):
        found += won > lost and binomtest(int(won), int(won + lost)).pvalue <= 0.05
    assert found / sets == pytest.approx(0.8, abs=0.065)


def test_without_a_discordance() -> None:
    """A table over discordances, those that are possible; the finding gives both ends, and the note the assumption."""
    result = size(difference=[0.02, 0.1, 0.6])
    assert [(row.difference, row.discordance) for row in result.sizes] == [
        *((0.02, psi) for psi in DISCORDANCES),
        *((0.1, psi) for psi in DISCORDANCES if psi >= 0.1),
        (0.6, 0.6),
    ]
    assert [row.units for row in result.sizes[:5]] == [mcnemar_units(psi, 0.02) for psi in DISCORDANCES]
    first = result.findings()[0]
    assert "takes 1,035 units if the two runs differ in being right on 5% of the units, and 7,944 if on 40%." in first
    (sheet,) = result.sheets()
    assert "assumed" in " ".join(sheet.notes)
    assert len(result.charts()[0].lines) == 6  # type: ignore[attr-defined]
    all_explained(result)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"difference": [0.2], "discordance": [0.1]}, "disagree on at least this share"),
        ({"difference": [1.5]}, "expected at most 1"),
        ({"difference": [0.02], "noise": 0.1}, "noise needs the answers of runs"),
        ({"difference": [0.02], "pilot": ["a", "b"]}, "pilot needs the answers of runs"),
        ({"difference": [0.02], "measure": "kappa"}, "without runs, sizes are for accuracy"),
        ({"difference": [0.02], "discordance": [0.0]}, "more than 0"),
        ({"difference": [0.02], "discordance": [1.2]}, "at most 1"),
    ],
)
def test_refused(arguments: dict[str, object], message: str) -> None:
    """What needs runs, and what cannot be."""
    with pytest.raises(karat.UsageError, match=message):
        size(**arguments)


def test_discordance_of_runs() -> None:
    """With runs the discordance is estimated, so none can be given."""
    with pytest.raises(karat.UsageError, match="with runs it is estimated"):
        size(two_runs(20, 3, 2), discordance=[0.1])


def test_command() -> None:
    """As people call it, and what is said if nothing is given to plan with."""
    made = as_json("size", "--difference", ".02", "--discordance", ".1")
    assert [(row["units"], row["low"], row["discordance"]) for row in made["sizes"]] == [(2043, None, 0.1)]
    assert made["runs"] == made["detectables"] == []
    assert made["detectable"] is None
    assert as_json("size", "--discordance", ".2")["sizes"][-1]["difference"] == 0.1
    done = command("size")
    assert (done.returncode, "plan without runs, with --difference D" in done.stderr) == (2, True)
