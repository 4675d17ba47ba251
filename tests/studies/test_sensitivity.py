"""Sensitivity: settings against scores computed apart, crossings that cross, what is not tried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.data.ballots import Ballots, Scale
from karat.data.tables import Table
from karat.examples import BALLOTS, PAIRS, RUNS
from karat.formats.ballots import read_ballots
from karat.labels import THREE, TWO
from karat.measures import decided_f, kappa
from karat.studies.rankings import weight_crossings
from karat.studies.sensitivity.study import sensitivity

Make = Callable[..., tuple[karat.Pairs, karat.Responses]]


@pytest.fixture(scope="session")
def three_way(key: karat.Pairs) -> karat.Responses:
    """The shipped runs that are three-way and do not always give the same answer."""
    others = ("two-way", "always-entailment")
    return karat.read_runs([file for file in sorted(RUNS.iterdir()) if file.stem not in others], key)


def test_settings(key: karat.Pairs, three_way: karat.Responses) -> None:
    """Every setting's scores are the measure's own; the first is the official one."""
    result = sensitivity(three_way, ballots=read_ballots(BALLOTS, key))
    by_name = {(one.setting, one.value): one for one in result.settings}
    assert result.settings[0].setting == "official"
    assert result.settings[0].swaps == []
    assert {one.setting for one in result.settings} == {"official", "way", "measure", "weight", "prior", "key"}
    table = three_way.count(THREE)
    assert list(by_name["measure", "kappa"].scores.values()) == pytest.approx(kappa(table).tolist())
    assert list(by_name["weight", "1/9"].scores.values()) == pytest.approx(decided_f(table, weight=1 / 9).tolist())
    assert ("measure", "decided_f(weight=1/3)") not in by_name, "decided F is tried once, with its weights"
    two = {row.run: (row.values["2"] or {})["accuracy"] for row in karat.score(three_way).runs}
    assert by_name["way", "2"].scores == pytest.approx(two)
    assert ("key", "disagreement-unknown") in by_name
    assert (result.signature.way, result.signature.missing) == ("3", "refused, ballots left out")
    assert np.isnan(by_name["measure", "kappa"].largest_change)


tables = st.lists(
    st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3), min_size=3, max_size=3), min_size=2, max_size=4
)


@given(tables)
def test_weight_crossings_cross(counts: list[list[list[int]]]) -> None:
    """At the weight both F are equal, below it a is better and above it b; and no pair that swaps is missed."""
    # One key for all runs: the rows have the same sums.
    table = np.array(counts, dtype=float)
    table[:, :, 1] += table.sum(axis=2).max(axis=0) - table.sum(axis=2)
    names = tuple(str(place) for place in range(len(table)))
    found = weight_crossings(names, Table(table))
    crossing = {frozenset((a, b)): at for a, b, at in found}
    for a, b, at in found:
        before, here, after = (decided_f(Table(table), weight=at * factor) for factor in (0.9, 1.0, 1.1))
        assert float(here[int(a)]) == pytest.approx(float(here[int(b)]), abs=1e-9)
        assert before[int(a)] > before[int(b)] - 1e-12
        assert after[int(a)] < after[int(b)] + 1e-12
    low, high = (decided_f(Table(table), weight=weight) for weight in (1e-6, 1e6))
    for one in range(len(names)):
        for other in range(one + 1, len(names)):
            ends = (low[one] - low[other], high[one] - high[other])
            if min(ends) < -1e-4 and max(ends) > 1e-4:
                assert frozenset((names[one], names[other])) in crossing


def test_prior_crossings_are_scores(three_way: karat.Responses) -> None:
    """The crossings of priors are those of `karat score --crossings`."""
    ours = [one for one in sensitivity(three_way).crossings if one.setting == "prior"]
    theirs = [one for one in karat.score(three_way, crossings=True).crossings if one.way == "3"]
    assert [(one.a, one.b, one.at) for one in ours] == [(one.a, one.b, [list(p) for p in one.priors]) for one in theirs]


def test_two_way_runs(runs: karat.Responses) -> None:
    """With a two-way run, what needs three labels is not tried, and the reason stands there."""
    result = sensitivity(runs)
    withheld = {(one.setting, one.value): one.reason for one in result.withheld}
    assert "only two labels" in withheld["way", "3"]
    assert "three-way" in withheld["weight", "1/3"]
    assert withheld["key", ""] == "no ballots were given (--ballots FILE)"
    assert [one.value for one in result.settings if one.setting == "prior"] == ["uniform"]
    assert not any(one.setting == "weight" for one in result.crossings)


def test_asked(three_way: karat.Responses) -> None:
    """Other measures, weights and priors can be asked for; wrong ones are refused in words."""
    result = sensitivity(three_way, other=["normalized_information"], weight=["1/2"], prior=["0.2/0.3/0.5"])
    values = {one.setting: one.value for one in result.settings[3:]}
    assert values == {"measure": "normalized_information", "weight": "1/2", "prior": "0.2/0.3/0.5"}
    with pytest.raises(karat.UsageError, match="weight='x'"):
        sensitivity(three_way, weight=["x"])
    with pytest.raises(karat.UsageError, match="2 shares"):
        sensitivity(three_way, prior=["0.5/0.5"])
    with pytest.raises(karat.UsageError, match="did you mean 'kappa'"):
        sensitivity(three_way, other=["kapa"])
    ranked = sensitivity(three_way, other=["average_precision"])
    assert "measure of rankings" in {one.value: one.reason for one in ranked.withheld}["average_precision"]


def test_undefined_scores(make: Make) -> None:
    """A run whose kappa is undefined leaves that ranking without coefficients, and says so."""
    _, runs = make("E E E", a="1 E\n2 E\n3 E", b="1 E\n2 U\n3 E", options={"way": "auto"})
    result = sensitivity(runs, way="2")
    place = [one.value for one in result.settings].index("kappa")
    assert np.isnan(result.settings[place].tau)
    reasons = {one.path: one.reason for one in result.undefined}
    assert reasons[f"/settings/{place}/tau"] == "a run has no score"
    assert reasons[f"/settings/{place}/scores/a"].startswith("the measure is undefined")
    assert result.settings[place].ranking == ["b", "a"]


def test_findings_and_forms(three_way: karat.Responses) -> None:
    """It says what the ranking depends on, and renders in every form."""
    result = sensitivity(three_way)
    told = " ".join(result.findings())
    assert (
        "careful ranks first officially and under 12 of the 13 alternative settings that could change the ranking."
        in told
    )
    assert "cautious ranks first under decided F with weight 0." in told
    assert "The ranking changes most under" in told
    assert "pairs of runs swap ranks, the first at" in told
    for form in ("text", "json", "csv", "latex", "html"):
        assert "careful" in result.render(form)
    assert result.signature.measures == ("accuracy",)
    assert TWO.name in [one.value for one in result.settings]


def test_one_run_has_no_ranking(make: Make) -> None:
    """Of runs as of scores, it is a wrong call."""
    _, runs = make("E U C", a="1 E\n2 U\n3 C")
    with pytest.raises(karat.UsageError, match="need at least two runs; there is 1"):
        sensitivity(runs)
    with pytest.raises(karat.UsageError, match="needs at least two; there is 1"):
        sensitivity(karat.Scores(("a",), ("u", "v"), np.ones((1, 2))))


def test_fewer_units_are_no_other_key(key: karat.Pairs, three_way: karat.Responses) -> None:
    """A key of the official labels on 90 of 160 pairs is compared with the official ranking on those: no swap."""
    unit = np.random.default_rng(0).permutation(160)[:90].astype(np.int32)
    said = Ballots(
        key.ids, ("half",), Scale(THREE.labels), unit, np.zeros(90, np.int32), key.labels[unit].astype(np.int32)
    )
    result = sensitivity(three_way, ballots=said)
    half = next(one for one in result.settings if one.value == "assessor half")
    assert (half.units, half.swaps, half.largest_change, half.tau_b) == (90, [], 0.0, 1.0)
    assert half.official == half.scores != result.settings[0].scores
    assert {one.units for one in result.settings if one.setting != "key"} == {160}
    assert (
        "A setting that scores fewer units is compared with the official ranking on the same units."
        in result.sheets()[0].notes
    )


def test_few_units_are_told(make: Make) -> None:
    """A key that changes the ranking on a part of the units says on how many."""
    key, runs = make("E U C E", a="1 E\n2 U\n3 E\n4 U", b="1 E\n2 E\n3 C\n4 E")
    said = Ballots(
        key.ids, ("x",), Scale(THREE.labels),
        np.array([1, 2, 3], np.int32), np.zeros(3, np.int32), np.array([1, 0, 1], np.int32),
    )  # fmt: skip
    told = " ".join(sensitivity(runs, ballots=said).findings())
    assert "key assessor x (on 3 of 4 units)" in told


def test_nothing_is_drawn_of_settings_that_change_nothing() -> None:
    """Two runs that differ in accuracy only by scale under every setting: no grid of equal ranks, no row of ones."""
    key = karat.read_pairs(PAIRS)
    two = karat.read_runs([RUNS / "careful.jsonl", RUNS / "always-entailment.txt"], key)
    same = karat.sensitivity(two, way="2")
    assert len(same.settings) > 1
    unchanged = replace(same, settings=[same.settings[0], *(same.settings[0],) * 2])
    assert unchanged.alternatives == []
    assert unchanged.charts() == []
    assert len(unchanged.sheets()) > 0
