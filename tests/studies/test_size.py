"""Size: units for the test that is used, powers that agree, errors in the key, and the sampler."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import karat
from karat.data.ballots import Ballots
from karat.data.responses import Run
from karat.data.scores import Scores
from karat.examples import BALLOTS
from karat.formats.ballots import read_ballots
from karat.labels import THREE, TWO, WAYS
from karat.statistics.paired import mcnemar
from karat.statistics.power import connor_units, mcnemar_units
from karat.studies.size.study import size
from karat.studies.wording import in_points
from tests.studies.test_swap import scores_of, uneven
from tests.undefined import all_explained

PILOT = ("careful", "overlap")


def two_runs(units: int, won: int, lost: int) -> Scores:
    """Two runs that are right alone on so many units."""
    values = np.zeros((2, units))
    values[0, :won] = 1
    values[1, won : won + lost] = 1
    return scores_of(values)


def test_reference() -> None:
    """Two runs that disagree on a fifth of 800 units: 658 units for .05, 5 % more than the 626 of Connor's formula."""
    result = size(two_runs(800, 90, 70), difference=[0.05, 0.02])
    assert [row.units for row in result.sizes] == [658, 4016]
    assert connor_units(0.2, [0.05, 0.02]).tolist() == [626, 3923]
    assert round(result.detectable, 4) == 0.0453
    for row in result.sizes:
        assert row.exact == pytest.approx(0.8, abs=0.001)
        assert row.mid_p > row.exact
        assert row.simulated == pytest.approx(row.exact, abs=4 * row.mc_error)
    assert result.detectables[0].observed == pytest.approx(20 / 800)
    assert list(result.detectables[0].pilot) == result.runs


def test_recall_is_over_its_label(runs: karat.Responses) -> None:
    """Recall is a mean too, over the pairs of its label: sized as the matrix of scores on those; not if keys err."""
    runs = runs.of_runs([place for place, name in enumerate(runs.names) if name != "always-entailment"])
    scores = runs.right(TWO).of_units(runs.key.labels == 0)
    by_hand, result = size(scores), size(runs, measure="recall(ENTAILMENT)")
    assert [row.units for row in result.sizes] == [row.units for row in by_hand.sizes]
    assert result.detectable == by_hand.detectable
    assert result.measures == ["recall(ENTAILMENT)"]
    with pytest.raises(karat.UsageError, match="errors in the key change which pairs"):
        size(runs, measure="recall(ENTAILMENT)", noise=0.1)


def test_median_pair(runs: karat.Responses) -> None:
    """Units are for the median pair's discordance, counted here pair by pair."""
    result = size(runs)
    assert [one.name for one in result.left_out] == ["always-entailment"]
    right = np.delete(runs.right(TWO).values, runs.names.index("always-entailment"), axis=0)
    pairs = [(right[a] != right[b]).mean() for a in range(len(right)) for b in range(a)]
    known = [psi for psi in pairs if psi]
    found = result.detectables[0].discordance
    assert (found.low, found.median, found.high) == pytest.approx(tuple(np.quantile(known, [0.1, 0.5, 0.9])))
    for row in result.sizes:
        assert row.units == mcnemar_units(found.median, row.difference)
        assert [row.low, row.units, row.high] == sorted(filter(None, [row.low, row.units, row.high]))
        assert row.simulated == pytest.approx(row.exact, abs=0.05)


def test_both_ways(key: karat.Pairs, runs: karat.Responses) -> None:
    """Two-way and three-way beside each other, where runs allow it."""
    three = karat.Responses.of(key, [run for run in runs.runs if run.info.name != "two-way"])
    result = size(three, way="both", difference=[0.05])
    assert [row.way for row in result.sizes] == ["3", "2"]
    assert [row.way for row in result.detectables] == ["3", "2"]
    assert len(result.charts()) == 2


@pytest.mark.parametrize("way", ["2", "3"])
def test_noise(key: karat.Pairs, runs: karat.Responses, way: str) -> None:
    """A symmetric error e shrinks the difference by 1 − eK/(K−1), takes more units, and simulated sets agree."""
    three = karat.Responses.of(key, [run for run in runs.runs if run.info.name != "two-way"])
    result = size(three, way=way, noise=0.1, difference=[0.1], replicates=4000)
    row, labels = result.sizes[0], int(way)
    assert row.noise.difference == pytest.approx(0.1 * (1 - 0.1 * labels / (labels - 1)))
    assert row.noise.bias == pytest.approx(0)
    assert (row.noise.units or 0) > (row.units or 0) > 0
    assert row.simulated == pytest.approx(0.8, abs=0.03)
    assert result.detectables[0].noisy > result.detectable
    if way == "2":
        assert row.noise.discordance == pytest.approx(result.detectables[0].discordance.median)


@pytest.mark.parametrize("way", ["2", "3"])
@pytest.mark.parametrize("noise", [0.0, 0.08])
def test_sizes_have_the_power_promised(key: karat.Pairs, runs: karat.Responses, way: str, noise: float) -> None:
    """Sets of the size named, drawn pair by pair from two runs' answers and scored by a key with errors, show it.

    Units are drawn from the pilot's own pairs, those that one run alone gets right with the weights that make the
    difference and the discordance; every label of the key is then wrong with the probability `noise`.
    """
    three = karat.Responses.of(key, [run for run in runs.runs if run.info.name != "two-way"])
    result = size(three, way=way, noise=noise, difference=[0.08], pilot=["careful", "overlap"], replicates=4000)
    row, labels = result.sizes[0], int(way)
    units = row.units if row.noise is None else row.noise.units
    assert units is not None
    answers = [[WAYS[way].from_three[code] for code in three.codes[three.names.index(name)]] for name in PILOT]
    truth, one, other = np.array([[WAYS[way].from_three[code] for code in three.key_codes(THREE)], *answers])
    alone = [(one == truth) & (other != truth), (other == truth) & (one != truth)]
    psi = (alone[0] | alone[1]).mean()
    chance = np.full(len(truth), (1 - psi) / (~(alone[0] | alone[1])).sum())
    for cells, share in zip(alone, ((psi + 0.08) / 2, (psi - 0.08) / 2), strict=True):
        chance[cells] = share / cells.sum()
    random = np.random.default_rng(7)
    wins = []
    for _ in range(1500):
        drawn = random.choice(len(truth), units, p=chance)
        wrong = random.random(units) < noise
        seen = np.where(wrong, (truth[drawn] + random.integers(1, labels, units)) % labels, truth[drawn])
        wins.append([((a[drawn] == seen) & (b[drawn] != seen)).sum() for a, b in ((one, other), (other, one))])
    found = (mcnemar(*np.array(wins).T) <= 0.05).mean()
    assert found == pytest.approx(0.8, abs=3.5 * np.sqrt(0.16 / 1500))
    assert row.simulated == pytest.approx(found, abs=0.06)


def test_noise_from_ballots(key: karat.Pairs, runs: karat.Responses) -> None:
    """The key is as wrong as one of the assessors: 25 of 160 pairs are disputed, and one of two differs there."""
    result = size(runs, ballots=read_ballots(BALLOTS, key), difference=[0.1], way="2")
    assert 0 < result.noise < 25 / 320 + 1e-9
    assert result.sizes[0].noise.units is not None
    assert "ballots.tsv" in str(result.signature)


@pytest.fixture
def three_way(runs: karat.Responses) -> list[Run]:
    """The shipped runs that answer three-way."""
    return [run for run in runs.runs if run.info.name != "two-way"]


def test_noise_whichever_run_is_better(key: karat.Pairs, three_way: list[Run]) -> None:
    """Uneven errors favour one of two runs. The units suffice for both directions, counted here pair by pair.

    Seen is E[right alone of one − of other] under a key that an assessor drawn at random gives, for the weights of the
    pilot's pairs that make the first run, or the second, better by the difference.
    """
    ballots = read_ballots(BALLOTS, key)
    runs = karat.Responses.of(key, three_way)
    result = size(runs, ballots=ballots, difference=[0.05], pilot=["chatty", "confident"], replicates=4000)
    (row,) = result.sizes
    votes = ballots.counts()
    truth = runs.key_codes(THREE)
    said = np.array([votes[truth == label].sum(axis=0) for label in range(3)])
    confusion = said / said.sum(axis=1, keepdims=True)
    one, other = (runs.codes[runs.names.index(name)] for name in ("chatty", "confident"))
    alone = [(one == truth) & (other != truth), (other == truth) & (one != truth)]
    psi = (alone[0] | alone[1]).mean()
    looks = []
    for difference in (0.05, -0.05, 0.0):
        weights = np.full(len(truth), (1 - psi) / (~(alone[0] | alone[1])).sum())
        for cells, share in zip(alone, ((psi + difference) / 2, (psi - difference) / 2), strict=True):
            weights[cells] = share / cells.sum()
        looks.append(
            sum(w * (confusion[k, a] - confusion[k, b]) for w, k, a, b in zip(weights, truth, one, other, strict=True))
        )
    worst, best = sorted([looks[0], -looks[1]])
    assert (row.noise.difference, row.noise.favoured) == pytest.approx((worst, best))
    assert row.noise.bias == pytest.approx(abs(looks[2]))
    assert row.noise.bias > 0.01
    favoured = "chatty" if looks[2] > 0 else "confident"
    assert (row.noise.favours, {row.noise.favours, row.noise.better}) == (favoured, {"chatty", "confident"})
    assert row.noise.units == mcnemar_units(row.noise.discordance, worst)
    assert row.noise.units > (row.units or 0)
    assert row.exact == pytest.approx(0.8, abs=0.001)
    assert row.simulated == pytest.approx(row.exact, abs=4 * row.mc_error)
    least, most = (in_points("accuracy", one) for one in (worst, best))
    told = f"looks like {least} if {row.noise.better} is the better run, and {most} if {row.noise.favours} is"
    assert any(told in one for one in result.findings())


def test_order_of_runs_does_not_matter(key: karat.Pairs, three_way: list[Run]) -> None:
    """Runs and pilots in any order: the same units, powers and pilot, with errors in the key and without."""
    ballots = read_ballots(BALLOTS, key)
    turned = karat.Responses.of(key, three_way[::-1])
    for options in ({}, {"ballots": ballots}):
        one, other = (
            size(runs, difference=[0.05, 0.1], replicates=200, **options)
            for runs in (karat.Responses.of(key, three_way), turned)
        )
        assert repr((one.sizes, one.detectables, one.curves)) == repr((other.sizes, other.detectables, other.curves))
    first, second = (
        size(turned, difference=[0.05], replicates=200, ballots=ballots, pilot=pilot)
        for pilot in (["terse", "careful"], ["careful", "terse"])
    )
    assert first.sizes == second.sizes


def test_errors_that_turn_a_difference(key: karat.Pairs, three_way: list[Run]) -> None:
    """A difference below the bias is not found for the run that the errors do not favour; more units do not help."""
    runs, ballots = karat.Responses.of(key, three_way), read_ballots(BALLOTS, key)
    result = size(runs, ballots=ballots, difference=[0.01, 0.1], replicates=200)
    row = result.sizes[0]
    assert row.noise.difference < 0 < row.noise.favoured
    assert row.noise.units is None
    assert any("No number of units is enough to find a difference of 1.0 point" in one for one in result.findings())
    reasons = all_explained(result)
    for part in ("noise/units", "exact", "simulated"):
        assert "is not found better" in reasons[f"/sizes/0/{part}"]


def test_headings_are_explained(runs: karat.Responses) -> None:
    """What cannot be guessed is said below the table; so is where ψ is taken as the difference."""
    noisy = size(runs, noise=0.05, difference=[0.05, 0.22], replicates=200)
    notes = " ".join(note for sheet in noisy.sheets() for note in sheet.notes)
    for word in ("similar and different runs:", "ψ:", "looks like:", "noisy key:", "power:", "simulated from:"):
        assert word in notes
    low = noisy.detectables[0].discordance.low
    assert low < 0.22
    assert f"units, similar runs: two-way, for 22.0 points, ψ is set to the difference instead of {low:.1%}" in notes
    assert noisy.sizes[1].low == mcnemar_units(0.22, 0.22) == mcnemar_units(low, 0.22)
    two = size(runs.of_runs([0, 1]), difference=[0.6], replicates=200)
    (note,) = (str(note) for sheet in two.sheets() for note in sheet.notes if "ψ is set" in str(note))
    assert note.startswith("units, similar runs; units; units, different runs: three-way, for 60.0 points, ψ is set")
    plain = size(runs, difference=[0.05], replicates=200)
    assert "taken as the difference" not in plain.render("text")
    assert "noisy" not in plain.render("text")
    graded = size(scores_of(np.random.default_rng(0).random((2, 30))), replicates=50)
    assert "variance" in graded.sheets()[0].notes[0]
    assert "ψ" not in graded.render("text")


def test_all_wrong_key(runs: karat.Responses) -> None:
    """A key that is a coin hides every difference: no units, and the reason."""
    result = size(runs, noise=0.5, difference=[0.1])
    assert result.sizes[0].noise.units is None
    assert any("leave nothing" in one.reason for one in result.undefined)


def test_graded() -> None:
    """Graded scores go by t: units from the variance of differences, the simulation with them."""
    random = np.random.default_rng(0)
    values = np.clip(random.normal([[0.5], [0.45]], 0.2, (2, 300)), 0, 1)
    result = size(scores_of(values), difference=[0.05])
    spread = (values[0] - values[1]).std(ddof=1)
    assert result.kind == "graded"
    assert result.sizes[0].units == pytest.approx((1.96 + 0.8416) ** 2 * spread**2 / 0.05**2, rel=0.02)
    assert result.sizes[0].simulated == pytest.approx(0.8, abs=0.03)
    assert result.detectable == pytest.approx(2.8 * spread / np.sqrt(300), rel=0.02)


def test_every_null_has_a_reason(runs: karat.Responses) -> None:
    """Each null is explained under `undefined`, and each explanation leads to a null."""
    same = scores_of(np.tile(np.arange(20) % 2, (3, 1)))
    graded = scores_of(np.random.default_rng(0).random((2, 30)))
    results = [size(runs), size(runs, noise=0.5), size(same), size(graded), size(two_runs(9, 1, 0))]
    for result in results:
        all_explained(result)


def test_pilot(runs: karat.Responses) -> None:
    """Two runs by name stand for themselves; others are refused."""
    result = size(runs, pilot=["careful", "terse"])
    assert result.detectables[0].pilot == ("careful", "terse")
    assert result.detectables[0].discordance.low == result.detectables[0].discordance.high
    with pytest.raises(karat.UsageError, match="did you mean 'careful'"):
        size(runs, pilot=["carefull", "terse"])
    with pytest.raises(karat.UsageError, match="two different runs"):
        size(runs, pilot=["terse"])


def test_the_detectable_difference_has_the_power(runs: karat.Responses) -> None:
    """What the units at hand find takes them all, with a noisy key too; a little less takes more."""
    result = size(runs, noise=0.05, replicates=50)
    (hand,) = result.detectables
    for factor in (0.97, 1.03):
        wanted = [factor * hand.difference, factor * hand.noisy]
        plain, noisy = size(runs, noise=0.05, difference=wanted, replicates=50).sizes
        assert ((plain.units or 0) <= 160) == ((noisy.noise.units or 0) <= 160) == (factor > 1)


def test_planning_curves_fall() -> None:
    """Smaller differences need more units, and all pairs of runs more than two runs alone."""
    (curve,) = size(uneven()).curves
    differences = [point.difference for point in curve.points]
    assert differences == sorted(differences, reverse=True)
    alone, corrected = ([getattr(point, name) for point in curve.points] for name in ("units", "corrected"))
    assert (alone, corrected) == (sorted(alone), sorted(corrected))
    assert all(few <= more for few, more in zip(alone, corrected, strict=True))


@pytest.fixture
def candidates() -> Ballots:
    """The shipped ballots, as candidates."""
    return read_ballots(BALLOTS)


def test_sample(runs: karat.Responses, candidates: Ballots) -> None:
    """The mix asked for, as large as the candidates allow, of pairs that both assessors gave that label."""
    mix = {"ENTAILMENT": 0.5, "unknown": 0.3, "C": 0.2}
    result = size(runs, candidates=candidates, mix=mix)
    sample = result.sample
    assert sum(sample.labels.values()) == sample.units == len(set(sample.ids))
    assert list(sample.labels.values()) == pytest.approx(sample.units * np.array([0.5, 0.3, 0.2]), abs=1)
    votes = dict(zip(candidates.units, candidates.counts().tolist(), strict=True))
    drawn = [votes[name].index(2) for name in sample.ids]
    assert np.bincount(drawn).tolist() == list(sample.labels.values())
    by_rule = {rule.rule: rule for rule in sample.rules}
    disputed = int((candidates.counts().max(axis=1) == 1).sum())
    unknown = by_rule["disagreement → UNKNOWN"]
    assert unknown.labels["UNKNOWN"] == by_rule["unanimous only"].labels["UNKNOWN"] + disputed
    assert sum(by_rule["unanimous only"].lost.values()) == pytest.approx(disputed)
    assert unknown.lost["UNKNOWN"] == 0
    assert any("would lose" in one for one in result.findings())
    again = size(runs, candidates=candidates, mix=mix, seed=1, units=20)
    assert (again.sample.units, len(set(again.sample.ids))) == (20, 20)


def test_sample_rule(runs: karat.Responses, candidates: Ballots) -> None:
    """Under disagreement → UNKNOWN disputed candidates are drawn as UNKNOWN."""
    sample = size(runs, candidates=candidates, mix={"UNKNOWN": 1.0}, rule="unknown").sample
    assert sample.units == sample.rules[-1].labels["UNKNOWN"] > sample.rules[0].labels["UNKNOWN"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mix": {"UNKNOWN": 0.5}}, "add up to 1"),
        ({"mix": {"PERHAPS": 1.0}}, "no label of the candidates is called 'PERHAPS'"),
        ({"mix": {"UNKNOWN": 1.0}, "units": 1000}, "the candidates are enough for 42"),
    ],
)
def test_wrong_mix(runs: karat.Responses, candidates: Ballots, options: dict[str, Any], message: str) -> None:
    """A mix that cannot be drawn is told why."""
    with pytest.raises(karat.UsageError, match=message):
        size(runs, candidates=candidates, **options)


def test_refusals(key: karat.Pairs, runs: karat.Responses) -> None:
    """Noise without labels, twice, or on other pairs; a mix without candidates; measures that are no means."""
    with pytest.raises(karat.UsageError, match="require its labels"):
        size(uneven(), noise=0.1)
    with pytest.raises(karat.UsageError, match="give one of them"):
        size(runs, noise=0.1, ballots=read_ballots(BALLOTS, key))
    with pytest.raises(karat.UsageError, match="judged candidates"):
        size(runs, mix={"UNKNOWN": 1.0})
    with pytest.raises(karat.UsageError, match="not a mean"):
        size(runs, measure="information")
    with pytest.raises(karat.UsageError, match="expected at most 1"):
        size(runs, difference=[1.5])
    with pytest.raises(karat.UsageError, match="difference"):
        size(runs, difference=[-0.1])


@pytest.mark.parametrize("form", ["text", "csv", "latex", "html"])
def test_forms(runs: karat.Responses, candidates: Ballots, form: str) -> None:
    """Every form shows it."""
    made = size(runs, noise=0.05, candidates=candidates).render(form)
    assert "0.05" in made


def test_clusters_are_called_so() -> None:
    """The units that a difference needs are clusters, told with about how many units they are."""
    values = uneven(4, 120).values
    result = size(scores_of(values, clusters=tuple(f"c{unit // 4}" for unit in range(120))), replicates=99)
    assert (result.unit, result.members, result.detectables[0].units) == ("cluster", 120, 30)
    wanted = next(row for row in result.sizes if row.difference == 0.05)
    text = result.render("text")
    assert "Smallest differences found with 30 clusters (120 units)" in text
    assert result.in_units(wanted.units or 0) == f"{wanted.units} clusters, about {4 * (wanted.units or 0):,} units"
    assert "Clusters needed for 80% power" in text
    assert "30 units" not in text


def test_no_score_at_all() -> None:
    """There is nothing to learn from."""
    with pytest.raises(karat.UsageError, match="no unit has a score from any run"):
        size(scores_of(np.full((2, 20), np.nan)))


def test_threads_do_not_matter() -> None:
    """Clusters of real-valued scores: the same to the last digit, however many threads multiply matrices."""
    threadpoolctl = pytest.importorskip("threadpoolctl", reason="the number of threads cannot be set")
    values = np.random.default_rng(4).random((60, 700))
    scores = scores_of(values, clusters=tuple(f"c{unit // 5}" for unit in range(700)))
    results = []
    for threads in (1, 2, 4):
        with threadpoolctl.threadpool_limits(threads):
            results.append(size(scores, replicates=99).render("json"))
    assert results[0] == results[1] == results[2]
