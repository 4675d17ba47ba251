"""Keys from real ballots: RTE-1's crowd and ChaosNLI's hundred labels a pair."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from karat.align.ballots import align_ballots
from karat.data.keys import majority_key
from karat.data.provenance import IN_MEMORY
from karat.data.responses import Responses, Run, RunInfo
from karat.formats.ballots import read_ballots
from karat.formats.pairs import read_pairs
from karat.labels import THREE, Codes, Way
from karat.studies.keys.alternatives import fit
from karat.studies.keys.study import keys

LABELS = {"1": "ENTAILMENT", "0": "NO_ENTAILMENT"}


def simulated(key_codes: Codes, way: Way, skills: list[float]) -> list[Run]:
    """Runs that are right so often."""
    random = np.random.default_rng(0)
    made = []
    for place, skill in enumerate(skills):
        wrong = (key_codes + random.integers(1, len(way.labels), len(key_codes))) % len(way.labels)
        codes = np.where(random.random(len(key_codes)) < skill, key_codes, wrong).astype(np.int8)
        made.append(
            Run(RunInfo(f"run{place}", way, IN_MEMORY), codes, np.arange(len(codes), dtype=np.int32), None, None, None)
        )
    return made


def test_dawid_skene_on_the_crowd(real: Path) -> None:
    """Against the experts' key, the model is right on more pairs than the majority is (Snow et al. 2008: 92.7 %)."""
    key = read_pairs(real / "rte/RTE1_test.xml")
    ballots = align_ballots(read_ballots(real / "rte1-crowd/ballots.tsv", key, label=LABELS), key)
    model = fit(ballots)
    assert model.converged
    likeliest = model.posterior.argmax(axis=1)
    majority = majority_key(ballots, key.labels, ties="drop")
    # Ties cost the majority half of what they cost by chance.
    share = ((majority == key.labels).sum() + 0.5 * (majority < 0).sum()) / len(key)
    assert share == pytest.approx(0.897, abs=0.002)
    assert (likeliest == key.labels).mean() == pytest.approx(0.927, abs=0.004)
    assert (likeliest == key.labels).mean() > share + 0.02


def test_the_crowds_keys(real: Path) -> None:
    """Few of the 164 workers judged half of the pairs and have a key; the bound holds for every key of all pairs."""
    key = read_pairs(real / "rte/RTE1_test.xml")
    ballots = read_ballots(real / "rte1-crowd/ballots.tsv", key, label=LABELS)
    runs = Responses.of(key, simulated(key.labels, key.way or THREE, [0.55, 0.6, 0.62, 0.65, 0.7]))
    result = keys(runs, ballots, draws=200, replicates=200)
    names = [one.name for one in result.keys if not one.name.startswith("assessor ")]
    assert names == ["adjudicated", "majority", "disagreement-unknown", "unanimous", "dawid-skene"]
    persons = [one for one in result.keys if one.name.startswith("assessor ")]
    assert 0 < len(persons) < 8
    assert all(one.units >= 400 for one in persons)
    assert {one.name for one in result.withheld} == {"each assessor", "anchored"}
    for one in result.keys:
        if one.units == 800:
            assert one.largest_change <= one.changed / 800 + 1e-12
    changed = {one.name: one.changed for one in result.keys}
    # Where ties go to the official key, it looks closer to it than it is; the model never sees that key.
    assert changed["dawid-skene"] < changed["disagreement-unknown"]
    honest = keys(runs, ballots, draws=5, replicates=10, ties="unknown").keys
    assert changed["dawid-skene"] < {one.name: one.changed for one in honest}["majority"]
    for row in result.random.runs:
        assert row.drawn_mean == pytest.approx(row.mean, abs=4 * row.deviation / 200**0.5)
        assert row.drawn_deviation == pytest.approx(row.deviation, rel=0.25)


def test_chaosnli(real: Path) -> None:
    """A hundred labels a pair: the random assessor's closed form and draws agree, and order is no person's."""
    path = real / "chaosnli/chaosNLI_snli.jsonl"
    key = read_pairs(path)
    ballots = read_ballots(path, key)
    runs = Responses.of(key, simulated(key.labels, THREE, [0.5, 0.6, 0.65, 0.66, 0.8]))
    result = keys(runs, ballots, draws=300, replicates=100)
    withheld = {one.name: one.reason for one in result.withheld}
    assert "who cast them" in withheld["first, second"]
    assert "do not say who" in withheld["dawid-skene"]
    assert {one.name: one.changed for one in result.keys}["majority"] == 0
    for row in result.random.runs:
        assert row.drawn_mean == pytest.approx(row.mean, abs=4 * row.deviation / 300**0.5)
        # People disagree: a random person's key costs every run that knows the majority's.
        assert row.mean < row.official
    assert result.random.tau_mean > 0.7
    assert result.disputed > 1400
