"""Alternative keys: RTE-3's shape of data, the random assessor exactly, what is withheld."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import karat
from karat.data.ballots import Adjudication, Ballots, Scale, anonymous_ballots
from karat.examples import BALLOTS, PAIRS, RUNS
from karat.formats.ballots import read_ballots
from karat.labels import THREE
from karat.studies.keys.alternatives import draw
from karat.studies.keys.result import Settled
from karat.studies.keys.study import keys

Make = Callable[..., tuple[karat.Pairs, karat.Responses]]


@pytest.fixture(scope="session")
def ballots(key: karat.Pairs) -> Ballots:
    """The shipped ballots."""
    return read_ballots(BALLOTS, key)


def small(make: Make) -> tuple[karat.Pairs, Ballots, karat.Responses]:
    """Four pairs, two runs, two ballots a pair; two pairs disputed."""
    key, runs = make("E U C E", a="1 E\n2 U\n3 E\n4 U", b="1 E\n2 E\n3 C\n4 E")
    said = anonymous_ballots(key.ids, [[0, 0], [1, 0], [2, 2], [0, 1]], Scale(THREE.labels))
    return key, said, runs


def test_by_hand(make: Make) -> None:
    """Scores, labels and swaps of every key on four pairs."""
    _, said, runs = small(make)
    result = keys(runs, said, draws=10)
    by_name = {one.name: one for one in result.keys}
    assert list(by_name) == [
        "adjudicated",
        "first",
        "second",
        "majority",
        "disagreement-unknown",
        "unanimous",
        "anchored",
    ]
    assert by_name["adjudicated"].scores == {"a": 0.5, "b": 0.75}
    assert by_name["second"].scores == {"a": 0.5, "b": 0.75}
    assert by_name["disagreement-unknown"].scores == {"a": 0.75, "b": 0.5}
    assert by_name["unanimous"].scores == {"a": 0.5, "b": 1.0}
    swapped = by_name["disagreement-unknown"]
    assert swapped.ranking == ["a", "b"]
    assert swapped.tau == -1
    assert [(swap.a, swap.b, swap.official, swap.here) for swap in swapped.swaps] == [("b", "a", 0.25, -0.25)]
    assert swapped.labels == {"ENTAILMENT": 1, "UNKNOWN": 2, "CONTRADICTION": 1}
    assert swapped.changed == 1
    assert swapped.largest_change == 0.25
    assert by_name["unanimous"].units == 2
    assert (result.disputed, result.possible_change) == (2, 0.5)


def test_adjudicated_is_the_official_key(runs: karat.Responses, ballots: Ballots) -> None:
    """Against itself: the scores of `karat score`, no swaps, no change, tau_b 1."""
    result = keys(runs, ballots, draws=20)
    first = result.keys[0]
    accuracy = {row.run: (row.values["2"] or {})["accuracy"] for row in karat.score(runs).runs}
    assert first.scores == pytest.approx(accuracy)
    assert (first.swaps, first.changed, first.largest_change, first.largest_move) == ([], 0, 0.0, 0.0)
    assert first.tau_b == first.tau_ap_b == 1
    assert result.signature.way == "2"
    assert result.signature.measures == ("accuracy",)


def test_every_key_is_within_the_bound(runs: karat.Responses, ballots: Ballots) -> None:
    """No score of a key on all units moves by more than the units it labels otherwise, nor by more than is disputed."""
    for way in ("2", "auto"):
        result = keys(runs, ballots, draws=20, way=way)
        for one in result.keys:
            if one.units == result.units:
                assert one.largest_change <= one.changed / result.units + 1e-12
                assert one.largest_change <= result.possible_change + 1e-12


def test_random_assessor_exactly(make: Make) -> None:
    """Over all keys there are, mean and deviation are the closed forms."""
    _, said, runs = small(make)
    result = keys(runs, said, draws=4000)
    choices = [[0, 0], [1, 0], [2, 2], [0, 1]]
    every = [np.array(codes) for codes in itertools.product(*choices)]
    for row, codes in zip(result.random.runs, runs.codes, strict=True):
        scores = np.array([(codes == one).mean() for one in every])
        assert row.mean == pytest.approx(scores.mean())
        assert row.deviation == pytest.approx(scores.std())
        assert row.drawn_mean == pytest.approx(row.mean, abs=0.015)
        assert row.drawn_deviation == pytest.approx(row.deviation, abs=0.015)
    better = np.mean([(runs.codes[0] == one).mean() >= (runs.codes[1] == one).mean() for one in every])
    assert result.random.runs[0].first == pytest.approx(better, abs=0.03)


def test_draws_are_the_ballots_shares() -> None:
    """Each label is drawn as often as it was given; units without ballots have none."""
    counts = np.array([[3, 1, 0], [0, 0, 2], [0, 0, 0], [1, 1, 2]])
    drawn = draw(counts, 20_000, np.random.default_rng(0))
    shares = np.stack([(drawn == code).mean(axis=0) for code in range(3)], axis=-1)
    np.testing.assert_allclose(
        shares[[0, 1, 3]], counts[[0, 1, 3]] / counts[[0, 1, 3]].sum(axis=1, keepdims=True), atol=0.02
    )
    assert (drawn[:, 2] == -1).all()


def test_two_assessors_give_no_model(runs: karat.Responses, ballots: Ballots) -> None:
    """With two assessors Dawid–Skene is withheld, and the reason is a sentence."""
    result = keys(runs, ballots, draws=5)
    assert {one.name: one.reason for one in result.withheld}["dawid-skene"].startswith(
        "with 2 assessors per unit the model is not identifiable"
    )
    assert "dawid-skene" not in [one.name for one in result.keys]


def test_slots_give_no_model(make: Make) -> None:
    """Ballots without persons cannot be modelled by person."""
    _, said, runs = small(make)
    assert "do not say who" in {one.name: one.reason for one in keys(runs, said, draws=5).withheld}["dawid-skene"]


def test_three_assessors_give_a_model(make: Make) -> None:
    """With three a unit the model's key is there."""
    key, _, runs = small(make)
    codes = np.array([[0, 1, 2, 0], [0, 1, 2, 0], [0, 1, 1, 0]], dtype=np.int32)
    said = Ballots(
        key.ids, ("x", "y", "z"), Scale(THREE.labels),
        np.tile(np.arange(4, dtype=np.int32), 3), np.repeat(np.arange(3, dtype=np.int32), 4), codes.ravel(),
    )  # fmt: skip
    model = {one.name: one for one in keys(runs, said, draws=5).keys}["dawid-skene"]
    assert model.scores == {"a": 0.5, "b": 0.75}


def test_other_measures(runs: karat.Responses, ballots: Ballots) -> None:
    """Runs can be ranked by any measure of tables; what has no closed form says so, and rankings are refused."""
    result = keys(runs, ballots, measure="kappa", draws=50)
    assert result.signature.measures == ("kappa",)
    assert all(np.isnan(row.mean) for row in result.random.runs)
    reasons = {one.path: one.reason for one in result.undefined}
    assert reasons["/random/runs/0/mean"] == "kappa has no closed form; see the drawn keys"
    with pytest.raises(karat.UsageError, match="order of a run's lines"):
        keys(runs, ballots, measure="average_precision")
    with pytest.raises(karat.UsageError, match="needs three-way"):
        keys(runs, ballots, measure="decided_f")


def test_one_run_has_no_ranking(make: Make) -> None:
    """Its coefficients are undefined, and say why."""
    key, said, _ = small(make)
    _, one = make("E U C E", a="1 E\n2 U\n3 E\n4 U")
    one = replace(one, key=key)
    result = keys(one, said, draws=5)
    assert np.isnan(result.keys[1].tau)
    assert {one.reason for one in result.undefined if one.path.endswith("/tau")} == {"there is only one run"}
    assert np.isnan(result.random.tau_mean)
    paths = {one.path for one in result.undefined}
    assert {"/random/tau_mean", "/keys/1/tau_ap_b", "/keys/1/tau_interval/0"} <= paths


def test_one_run_is_scored(make: Make) -> None:
    """Its scores under each key are shown; what a ranking needs is left out with its reason, not dashed."""
    key, said, _ = small(make)
    _, one = make("E U C E", a="1 E\n2 U\n3 E\n4 U")
    result = keys(replace(one, key=key), said, draws=5)
    first, scores, *_ = result.sheets()
    assert "tau" not in [column.name for column in first.columns]
    assert "A ranking needs at least two runs" in " ".join(first.notes)
    shown = [column for column in scores.columns[1:] if column.name != "official there"]
    assert [column.values[0] for column in shown] == [one.scores["a"] for one in result.keys]
    assert result.reasons_shown() == []
    assert " – " not in result.render("text").replace("\n", " ")


def test_one_assessor_gives_one_key(runs: karat.Responses, ballots: Ballots) -> None:
    """Rules on several ballots are withheld with the reason; the assessor's own key and the anchored one stay."""
    result = keys(runs, ballots.of(["anna"]), draws=5)
    assert [one.name for one in result.keys] == ["adjudicated", "assessor anna", "anchored"]
    reasons = {one.name: one.reason for one in result.withheld}
    for rule in ("majority", "disagreement-unknown", "unanimous"):
        assert reasons[rule] == "no unit has ballots from two assessors"
    assert "160 ballots from 1 assessor; no unit is disputed." in result.sheets()[0].notes
    assert not any("random assessor" in sheet.title for sheet in result.sheets())
    assert "random assessor" not in " ".join(result.findings())


def test_interval_of_tau(runs: karat.Responses, ballots: Ballots) -> None:
    """The interval of tau lies between −1 and 1 and depends on the seed alone."""
    first, again = (keys(runs, ballots, draws=5, replicates=200) for _ in range(2))
    assert [one.tau_interval for one in first.keys] == [one.tau_interval for one in again.keys]
    for one in first.keys:
        assert -1 <= one.tau_interval[0] <= one.tau_interval[1] <= 1
    other = keys(runs, ballots, draws=5, replicates=200, seed=1)
    assert [one.tau_interval for one in first.keys] != [one.tau_interval for one in other.keys]


def test_wrong_calls(make: Make, key: karat.Pairs, ballots: Ballots) -> None:
    """Runs on another test set than the ballots, and no runs at all."""
    _, strangers = make("E U C E", a="1 E\n2 U\n3 E\n4 U")
    with pytest.raises(karat.UsageError, match="the ballots have 156 units that"):
        keys(strangers, ballots)
    with pytest.raises(karat.UsageError, match="a ranking needs runs"):
        keys(karat.Responses.of(key, []), ballots)


def test_findings_and_forms(key: karat.Pairs, runs: karat.Responses, ballots: Ballots) -> None:
    """It says what changes, and renders in every form."""
    result = keys(runs, ballots, draws=50)
    told = " ".join(result.findings())
    assert "careful ranks first under all 50 keys" in told
    assert "raises the share of UNKNOWN" not in told  # two-way, nobody answers it
    three = karat.read_runs([RUNS / "careful.jsonl", RUNS / "cautious.txt"], key)
    told_three = " ".join(keys(three, ballots, draws=50).findings())
    assert "disagreement-unknown raises the share of UNKNOWN" in told_three
    for form in ("text", "json", "csv", "latex", "html"):
        assert "careful" in result.render(form)


def test_the_signature_has_both_readings() -> None:
    """What labels mean in the key and in the ballots stands side by side."""
    own = karat.read_pairs(PAIRS, label={"JA": "ENTAILMENT"})
    said = read_ballots(BALLOTS, own, label={"NEIN": "CONTRADICTION"})
    result = keys(karat.read_runs(RUNS, own), said, draws=5, replicates=10)
    assert result.signature.parameters["label"] == {"JA": "ENTAILMENT", "NEIN": "CONTRADICTION"}


def part_of(key: karat.Pairs, places: np.ndarray, name: str = "half") -> Ballots:
    """One assessor who says what the official key says, of some units."""
    unit = places.astype(np.int32)
    return Ballots(
        key.ids, (name,), Scale(THREE.labels), unit, np.zeros(len(unit), np.int32), key.labels[unit].astype(np.int32)
    )


def test_fewer_units_are_no_other_key(key: karat.Pairs, runs: karat.Responses) -> None:
    """The official labels on 90 of the 160 pairs change nothing: scores do, and they do so under both keys."""
    said = part_of(key, np.random.default_rng(0).permutation(160)[:90])
    result = keys(runs, said, draws=5, replicates=200)
    half = {one.name: one for one in result.keys}["assessor half"]
    assert (half.units, half.changed, half.swaps, half.largest_change) == (90, 0, [], 0.0)
    assert half.tau_b == 1
    assert half.scores == half.official
    assert half.scores != result.keys[0].scores
    assert half.labels == half.official_labels
    shown = result.sheets()[1].columns
    assert [column.name for column in shown][:4] == ["run", "adjudicated", "assessor half", "official there"]
    told = " ".join(result.findings())
    assert "assessor half (on 90 of 160 units)" in told
    assert "changes the ranking most" not in told
    assert [row.official for row in result.random.runs] == list(half.official.values())
    assert [row.mean for row in result.random.runs] == pytest.approx(list(half.official.values()))
    assert result.random.same_order == 1
    # The resampled rankings are the same too: tau is 1 but for ties.
    untied = keys(
        replace_runs(runs, ["careful", "always-entailment", "cautious", "ranked"]), said, draws=5, replicates=200
    )
    assert {one.tau_interval for one in untied.keys} == {(1.0, 1.0)}


def test_ties_on_fewer_units_are_told(make: Make) -> None:
    """Two runs that are officially tied on one key's units alone: tau 0 there is no change, and a note says so."""
    key, runs = make("E U C E", a="1 E\n2 U\n3 E\n4 U", b="1 E\n2 E\n3 C\n4 E")
    both = part_of(key, np.array([1, 2]), "few")  # a has the second right, b the third
    result = keys(runs, both, draws=5)
    few = {one.name: one for one in result.keys}["assessor few"]
    assert (few.tau, few.swaps, few.tied) == (0.0, [], 1)
    assert "On the units of assessor few, runs are tied in the official ranking, so tau cannot be 1 there." in (
        result.sheets()[0].notes
    )


def replace_runs(runs: karat.Responses, names: list[str]) -> karat.Responses:
    """Some of the runs."""
    return karat.Responses.of(runs.key, [run for run in runs.runs if run.info.name in names])


def test_what_another_key_does_on_fewer_units(make: Make) -> None:
    """Of four units two have ballots; there b is officially better by 1/2, and the assessor turns it round."""
    key, runs = make("E U C E", a="1 E\n2 U\n3 E\n4 U", b="1 E\n2 E\n3 C\n4 E")
    said = Ballots(
        key.ids, ("x",), Scale(THREE.labels),
        np.array([2, 3], np.int32), np.zeros(2, np.int32), np.array([0, 0], np.int32),
    )  # fmt: skip
    one = {one.name: one for one in keys(runs, said, draws=5).keys}["assessor x"]
    # Units 3 and 4, officially C and E: a has neither, b both. By x both are E: a has one, b one.
    assert one.official == {"a": 0.0, "b": 1.0}
    assert one.scores == {"a": 0.5, "b": 0.5}
    assert (one.changed, one.largest_change, one.tau, one.swaps) == (1, 0.5, 0.0, [])


def test_few_units_are_told(make: Make) -> None:
    """A key that changes the ranking on a part of the units says on how many."""
    key, runs = make("E U C E", a="1 E\n2 U\n3 E\n4 U", b="1 E\n2 E\n3 C\n4 E")
    said = Ballots(
        key.ids, ("x",), Scale(THREE.labels),
        np.array([1, 2, 3], np.int32), np.zeros(3, np.int32), np.array([1, 0, 1], np.int32),
    )  # fmt: skip
    result = keys(runs, said, draws=5)
    told = " ".join(result.findings())
    assert (
        "The ranking changes most under assessor x (on 3 of 4 units): 1 pair of runs swaps ranks (tau-b = −1.000); "
        "there, the score that changes most is a's (+66.7 points)." in told
    )
    assert (
        "A key that labels fewer units is compared with the official key on the same units." in result.sheets()[0].notes
    )


def test_random_assessor_on_some_units(make: Make) -> None:
    """Ballots on two of four units: the official scores, tau and the possible change are those of the two."""
    key, runs = make("E U C E", a="1 E\n2 U\n3 E\n4 U", b="1 E\n2 E\n3 C\n4 E")
    said = anonymous_ballots(key.ids, [[], [], [2, 2], [0, 1]], Scale(THREE.labels))
    result = keys(runs, said, draws=200)
    assert [row.official for row in result.random.runs] == [0.0, 1.0]
    assert result.possible_change == 0.5
    assert "they disagree on 1 of 2 units with ballots" in result.sheets()[0].notes[0]
    assert "b, officially first on the 2 units with ballots, ranks first under all 200 keys" in " ".join(
        result.findings()
    )


def test_runs_that_tie_for_first(make: Make) -> None:
    """Of two runs that are officially first, the sentence does not pick one."""
    key, runs = make("E U C E", a="1 E\n2 U\n3 C\n4 U", b="1 E\n2 U\n3 C\n4 C", c="1 U\n2 E\n3 U\n4 U")
    said = anonymous_ballots(key.ids, [[0, 0], [1, 1], [2, 2], [0, 1]], Scale(THREE.labels))
    result = keys(runs, said, draws=400)
    shares = {row.run: row.first for row in result.random.runs}
    assert shares["a"] == 1  # b ties with it under one of the two labels of the last unit
    expected = "2 runs tie for first; each ranks first under this share of 400 keys that take a random assessor's label"
    expected += " for each unit (ties count as first): a "
    assert expected in " ".join(result.findings())


def test_tallies_have_no_persons(make: Make) -> None:
    """Ballots that do not say who cast them are not told as so many assessors."""
    _, said, runs = small(make)
    note = keys(runs, said, draws=5).sheets()[0].notes[0]
    assert note.startswith(
        "8 ballots, at most 2 per unit, which do not say who cast them; they disagree on 2 of 4 units"
    )


def test_the_interval_of_tau_is_shown(runs: karat.Responses, ballots: Ballots) -> None:
    """Beside tau, in the table and in the records."""
    result = keys(runs, ballots, draws=5, replicates=50)
    columns = {column.name: column for column in result.sheets()[0].columns}
    assert columns["95% CI"].intervals == [one.tau_interval for one in result.keys]
    assert list(columns).index("95% CI") == list(columns).index("tau") + 1
    assert {"tau_low", "tau_high"} <= {column.name for column in result.records().columns}


def test_one_way_at_a_time(runs: karat.Responses, ballots: Ballots) -> None:
    """What is refused is not offered."""
    with pytest.raises(karat.UsageError, match=r"way is 'both'; expected one of 'auto', '2', '3'$"):
        keys(runs, ballots, way="both")


def test_adjudications_by_hand(make: Make) -> None:
    """Errors by whom, differences by kind; a decision that nobody contradicts is no dispute."""
    key, _, runs = small(make)
    #                unit 1  2  3  4
    codes = np.array([[0, 1, 2, 0], [0, 0, 2, 1]], dtype=np.int32)
    said = Ballots(
        key.ids, ("x", "y"), Scale(THREE.labels),
        np.tile(np.arange(4, dtype=np.int32), 2), np.repeat(np.arange(2, dtype=np.int32), 4), codes.ravel(),
        adjudications=(
            Adjudication("4", "z", 0, "difference", "tense"),
            Adjudication("2", "z", 1, "error"),
            Adjudication("1", "z", 0, "error"),
            Adjudication("3", "z", 0, "error"),
        ),
    )  # fmt: skip
    result = keys(runs, said, draws=5)
    told = result.adjudication
    # 1: all say E. 2: y said E, wrongly. 3: both said C, wrongly. 4: y said U, with a right to.
    assert (told.disputed, told.settled, told.undisputed) == (3, 3, 1)
    assert told.groups == [
        Settled("error", "", 2, {"x": 1, "y": 2}),
        Settled("difference", "tense", 1, {"y": 1}),
    ]
    (sheet,) = [sheet for sheet in result.sheets() if sheet.title.startswith("How disputes were settled: 3 of 3")]
    assert sheet.rows() == [["error", "", "2", "x 1, y 2"], ["difference", "tense", "1", "y 1"]]
    assert "3 of 3 disputed units were adjudicated with a reason: 2 errors, 1 legitimate difference (tense 1)." in (
        result.findings()
    )
    nameless = keys(runs, replace(said, exchangeable=True), draws=5).adjudication
    assert [one.otherwise for one in nameless.groups] == [{}, {}]
    assert not any("settled" in sheet.title for sheet in keys(runs, replace(said, adjudications=()), draws=5).sheets())
