"""Evaluate: values, intervals, baselines, weights, slices, soundness, degradation, crossings."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import metrics

import karat
from karat.examples import RUNS
from karat.labels import THREE, TWO
from karat.studies.rankings import prior_crossings

Make = Callable[..., tuple[karat.Pairs, karat.Responses]]


def by_name(result: Any) -> dict[str, Any]:
    """The runs of a result by their names."""
    return {row.run: row for row in result.runs}


def test_shape(runs: karat.Responses) -> None:
    """Every run has every way; a two-way run has no three-way values, and the reason is told."""
    result = karat.score(runs)
    rows = by_name(result)
    assert set(rows["careful"].values) == {"3", "2", "2c"}
    assert rows["two-way"].values["3"] is None
    assert rows["two-way"].values["2"]["accuracy"] == pytest.approx(0.7)
    place = list(rows).index("two-way")
    assert any(one.path == f"/runs/{place}/values/3" for one in result.undefined)
    assert [row.run for row in result.baselines] == [
        *("always-entailment", "always-unknown", "always-contradiction", "random-uniform", "random-key")
    ]


def test_values_are_scikit_learns(key: karat.Pairs, runs: karat.Responses) -> None:
    """Both ways at once, per label, as scikit-learn has them run by run."""
    rows = by_name(karat.score(runs))
    for place, info in enumerate(runs.infos):
        for way in (THREE, TWO):
            if way is THREE and info.way is TWO:
                continue
            truth = np.minimum(key.labels, 1) if way is TWO else key.labels
            answers = np.minimum(runs.codes[place], 1) if way is TWO else runs.codes[place]
            values = rows[info.name].values[way.name]
            assert values["accuracy"] == pytest.approx(metrics.accuracy_score(truth, answers))
            assert values["kappa"] == pytest.approx(metrics.cohen_kappa_score(truth, answers))
            assert values["mean_recall"] == pytest.approx(metrics.balanced_accuracy_score(truth, answers))
            recalls = metrics.recall_score(truth, answers, average=None, labels=range(len(way.labels)))
            assert [values[f"recall({label})"] for label in way.labels] == pytest.approx(list(recalls))


def test_constant_run_equals_trivial_system(runs: karat.Responses) -> None:
    """The run that always answers ⊢ and the baseline that does have the same row."""
    result = karat.score(runs)
    run, trivial = by_name(result)["always-entailment"], result.baselines[0]
    assert str(run.values) == str(trivial.values)
    assert str(run.intervals) == str(trivial.intervals)


def test_random_systems_are_exact(runs: karat.Responses) -> None:
    """Random systems know nothing: kappa and information are 0, not nearly 0; average precision is closed form."""
    result = karat.score(runs, measure=["kappa", "information", "average_precision", "accuracy"])
    for row in result.baselines[3:]:
        for way in ("3", "2"):
            assert row.values[way]["information"] == 0.0
            assert row.values[way]["kappa"] == pytest.approx(0, abs=1e-15)
        q = (80 - 1) / (160 - 1)
        harmonic = sum(1 / k for k in range(1, 161))
        assert row.values["2"]["average_precision"] == pytest.approx(q + (1 - q) * harmonic / 160)
    assert result.baselines[3].values["3"]["accuracy"] == pytest.approx(1 / 3)
    assert result.baselines[3].values["2"]["accuracy"] == pytest.approx(1 / 2)


def test_every_value_has_an_interval_or_a_reason(runs: karat.Responses) -> None:
    """A number lies in its interval; what has none is in `undefined`."""
    result = karat.score(runs, by=["task"], prior=["0.2/0.3/0.5"])
    told = {one.path for one in result.undefined}
    groups: list[tuple[str, Any]] = [("/runs", result.runs), ("/baselines", result.baselines)]
    groups += [(f"/slices/{place}/runs", part.runs) for place, part in enumerate(result.slices)]
    seen = 0
    for where, rows in groups:
        for place, row in enumerate(rows):
            for way, values in row.values.items():
                for name, value in (values or {}).items():
                    low, high = row.intervals[way][name]
                    escaped = name.replace("/", "~1")
                    assert math.isnan(value) == (f"{where}/{place}/values/{way}/{escaped}" in told)
                    assert math.isnan(low) == (f"{where}/{place}/intervals/{way}/{escaped}/0" in told)
                    if not math.isnan(low):
                        assert low - 1e-12 <= value <= high + 1e-12
                        seen += 1
    assert seen > 1000


def test_ranking_measures(make: Make) -> None:
    """Average precision and its kin, worked by hand, and refused where the ranking is not theirs."""
    lines = "1 E\n2 E\n3 E\n4 C\n5 U\n"
    _, runs = make(
        "E U E C E",
        entailment="ranked-by: entailment\n" + lines,
        response="ranked-by: response\n" + lines,
        none=lines,
    )
    asked = ["average_precision", "mean_precision", "confidence_weighted"]
    result = karat.score(runs, measure=asked)
    rows = by_name(result)
    assert rows["entailment"].values["2"]["average_precision"] == pytest.approx(0.755556, abs=1e-6)
    assert rows["entailment"].values["2"]["mean_precision"] == pytest.approx(0.653333, abs=1e-6)
    assert rows["response"].values["3"]["confidence_weighted"] == pytest.approx(0.703333, abs=1e-6)
    reasons = {one.path: one.reason for one in result.undefined}
    assert reasons["/runs/0/values/2/confidence_weighted"] == (
        "the run is ranked by entailment, this needs a ranking by response"
    )
    assert "ranked by response" in reasons["/runs/1/values/2/average_precision"]
    assert "not ranked" in reasons["/runs/2/values/2/average_precision"]
    assert "two labels only" in reasons["/runs/0/values/3/average_precision"]


def test_confidence_orders(make: Make) -> None:
    """A confidence in the response orders entailment by its sign; `confidence="entailment"` takes it as it is."""
    text = "1 E 0.9\n2 U 0.8\n3 E 0.1\n4 U 0.2\n"
    _, runs = make("E U U E", run=text)
    result = karat.score(runs, measure=["average_precision", "confidence_weighted"])
    # by sign: 1 (.9), 3 (.1), 4 (−.2), 2 (−.8): ⊢ at ranks 1 and 3
    assert result.runs[0].values["2"]["average_precision"] == pytest.approx((1 + 2 / 3) / 2)
    # by response: 1 right, 2 right, 4 wrong, 3 wrong
    assert result.runs[0].values["2"]["confidence_weighted"] == pytest.approx((1 + 1 + 2 / 3 + 2 / 4) / 4)
    assert result.runs[0].sound.sound
    assert result.runs[0].sound.by_sign
    _, runs = make("E U U E", run=text, options={"confidence": "entailment"})
    result = karat.score(runs, measure=["average_precision", "confidence_weighted"])
    # as it is: 1, 2, 4, 3: ⊢ at ranks 1 and 3
    assert result.runs[0].values["2"]["average_precision"] == pytest.approx((1 + 2 / 3) / 2)
    assert math.isnan(result.runs[0].values["2"]["confidence_weighted"])
    assert not result.runs[0].sound.sound
    # 1⊢ 2◇ 4◇ 3⊢: cutting after 1 or after 4 leaves one label or two that disagree
    assert (result.runs[0].sound.cutoff, result.runs[0].sound.disagreements) == (1, 1)


@pytest.mark.parametrize(("ties", "value"), [("expected", 0.75), ("file", 0.5), ("id", 1.0)])
def test_ties(make: Make, ties: Any, value: float) -> None:
    """Two pairs tied, ⊢ second in the file and first by id: the mean of both orders, or the order named."""
    _, runs = make("E U", run="2 E 0.5\n1 E 0.5")
    result = karat.score(runs, measure=["average_precision"], ties=ties)
    assert result.runs[0].values["2"]["average_precision"] == pytest.approx(value)


def test_soundness_of_examples(runs: karat.Responses) -> None:
    """The shipped runs are what they are called."""
    rows = by_name(karat.score(runs))
    assert rows["ranked"].sound.sound
    assert not rows["ranked"].sound.by_sign
    assert rows["ranked"].sound.disagreements == 0
    assert not rows["self-contradictory"].sound.sound
    assert rows["self-contradictory"].sound.disagreements == 19
    assert rows["cautious"].sound is None


def test_degradation(make: Make) -> None:
    """Bergmair's example, as a hundred pairs: exactly two merges are rewarded."""
    cells = {"EE": 20, "EU": 25, "EC": 5, "UE": 9, "UU": 18, "UC": 9, "CE": 1, "CU": 7, "CC": 6}
    both = [pair for pair, count in cells.items() for _ in range(count)]
    lines = "\n".join(f"{place} {pair[1]}" for place, pair in enumerate(both, 1))
    _, runs = make(" ".join(pair[0] for pair in both), run=lines)
    merges = {(one.source, one.target): one for one in karat.score(runs).runs[0].degradations}
    assert set(merges) == {("UNKNOWN", "ENTAILMENT"), ("CONTRADICTION", "UNKNOWN")}
    one = merges["UNKNOWN", "ENTAILMENT"]
    assert one.accuracy == (pytest.approx(0.44), pytest.approx(0.51))
    assert one.kappa == (pytest.approx(0.127726, abs=1e-6), pytest.approx(0.143357, abs=1e-6))
    assert one.information == (pytest.approx(0.083576, abs=1e-6), pytest.approx(0.057438, abs=1e-6))


def test_weights(make: Make, tmp_path: Path) -> None:
    """Weights by rank, by file and by the system, worked by hand."""
    text = "1 E 0.9\n2 E 0.5\n3 U 0.5\n4 U 0.1\n"
    key, runs = make("E U U E", run=text)

    def accuracy(**options: Any) -> float:
        return float(karat.score(runs, **options).runs[0].values["2"]["accuracy"])

    # right: 1 and 3; linear weights 4 3 2 1 of 10, the tied 2 and 3 share (3 + 2)/2
    assert accuracy(weights="linear") == pytest.approx((4 + 2.5) / 10)
    # reciprocal weights 1, 1/2, 1/3, 1/4 of 25/12
    assert accuracy(weights="reciprocal") == pytest.approx((1 + (1 / 2 + 1 / 3) / 2) * 12 / 25)
    file = tmp_path / "weights.txt"
    file.write_text("1 1\n2 1\n3 3\n4 0\n")
    assert accuracy(unit_weights=karat.read_weights(file, key)) == pytest.approx(4 / 5)
    assert accuracy() == pytest.approx(1 / 2)
    with pytest.raises(karat.UsageError, match="no weight column"):
        accuracy(weights="system")
    key, unranked = make("E U", run="1 E\n2 U")
    with pytest.raises(karat.UsageError, match="not ranked"):
        karat.score(unranked, weights="linear")


def test_uniform_weights_change_nothing(key: karat.Pairs, runs: karat.Responses, tmp_path: Path) -> None:
    """Equal weights from a file give every value and interval that no weights give."""
    file = tmp_path / "weights.csv"
    file.write_text("id,weight\n" + "".join(f"{name},2.5\n" for name in key.ids))
    plain, weighted = (
        karat.score(runs),
        karat.score(runs, unit_weights=karat.read_weights(file, key)),
    )
    for one, other in zip(plain.runs, weighted.runs, strict=True):
        for way, values in one.values.items():
            for name, value in (values or {}).items():
                assert other.values[way][name] == pytest.approx(value, nan_ok=True, abs=1e-12)
                assert other.intervals[way][name] == pytest.approx(one.intervals[way][name], nan_ok=True, abs=1e-6)


def test_slices_are_evaluations_of_parts(key: karat.Pairs, runs: karat.Responses) -> None:
    """Slices are disjoint, cover everything, and each is what scikit-learn says of it."""
    result = karat.score(runs, by=["task", "length"])
    for attribute in ("task", "length"):
        parts = [part for part in result.slices if part.attribute == attribute]
        assert sum(part.units for part in parts) == len(key)
        for part in parts:
            here = np.array([value == part.value for value in key.attributes[attribute]])
            for place, row in enumerate(part.runs):
                right = np.minimum(runs.codes[place], 1)[here] == np.minimum(key.labels, 1)[here]
                assert row.values["2"]["accuracy"] == pytest.approx(right.mean())


def test_label_shift_and_crossing(make: Make) -> None:
    """Accuracy at another prior is Σ π·recall; two runs cross where the difference vanishes."""
    _, runs = make("E E E E U U C C", a="\n".join(["1 E", "2 E", "3 E", "4 U", "5 E", "6 U", "7 U", "8 U"]),
                     b="\n".join(["1 E", "2 U", "3 U", "4 U", "5 U", "6 U", "7 C", "8 U"]))  # fmt: skip
    result = karat.score(runs, prior=["0.5/0.25/0.25"], crossings=True, measure=["accuracy"])
    shifted = [row.values["3"]["shifted_accuracy(prior='0.5/0.25/0.25')"] for row in result.runs]
    assert shifted == [pytest.approx(0.5 * 0.75 + 0.25 * 0.5), pytest.approx(0.5 * 0.25 + 0.25 + 0.25 * 0.5)]
    recalls = np.array([[0.75, 0.5, 0.0], [0.25, 1.0, 0.5]])
    three = next(one for one in result.crossings if one.way == "3")
    assert len(three.priors) == 2
    for prior in three.priors:
        assert sum(prior) == pytest.approx(1)
        assert float((recalls[0] - recalls[1]) @ prior) == pytest.approx(0)


def test_unlabelled_pairs_are_not_scored(make: Make) -> None:
    """A pair without a label needs no answer, counts nowhere, and is told of."""
    _, runs = make("E - U", run="1 E\n3 E")
    result = karat.score(runs)
    assert result.runs[0].values["3"]["accuracy"] == pytest.approx(0.5)
    assert result.runs[0].table["3"] == [[1, 0, 0], [1, 0, 0], [0, 0, 0]]
    assert [problem.code for problem in result.warnings] == ["unlabelled"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"measure": ["kapa"]}, "did you mean 'kappa'"),
        ({"by": ["tsk"]}, "did you mean 'task'"),
        ({"way": "4"}, "way is '4'; expected one of 'auto', '2', '3', 'both'"),
        ({"way": 3}, "way is 3; expected one of 'auto', '2', '3', 'both'"),
        ({"measure": [3]}, "measure is 3; expected a text"),
        ({"wya": "3"}, "did you mean 'way'"),
        ({"interval": 1.5}, "interval is 1.5; expected a number (at least 1e-06, at most 0.999999)"),
    ],
)
def test_wrong_calls(runs: karat.Responses, options: dict[str, Any], told: str) -> None:
    """A wrong option is told, with the nearest right one."""
    with pytest.raises(karat.UsageError, match=re.escape(told)):
        karat.score(runs, **options)


def test_blind_set(make: Make) -> None:
    """A blind set cannot be scored."""
    _, theirs = make("- -", run="1 E\n2 U")
    with pytest.raises(karat.UsageError, match="blind"):
        karat.score(theirs)


def test_same_seed_same_numbers(runs: karat.Responses) -> None:
    """Bootstrap intervals depend on the seed, and on nothing else."""
    asked: dict[str, Any] = {"measure": ["average_precision"]}
    first, again = (karat.score(runs, **asked, seed=1).render("json") for _ in range(2))
    assert first == again
    assert karat.score(runs, **asked, seed=2).render("json") != first


def test_a_run_is_not_below_its_equal(make: Make) -> None:
    """Rounding makes no run worse than a baseline that it equals, and under own weights nothing is said."""
    labels = "E " * 5 + "U " * 5 + "C " * 5
    _, runs = make(labels, run="\n".join(f"{place} E {place}" for place in range(1, 16)))
    assert not any("below" in sentence for sentence in karat.score(runs).findings())
    assert not any("below" in sentence for sentence in karat.score(runs, weights="linear").findings())


def test_negative_confidences_cannot_be_signed(make: Make) -> None:
    """Log-probabilities do not order entailment by the sign of the label; that is said, not computed."""
    _, runs = make("E E U U", run="1 E -0.1\n2 E -0.5\n3 U -0.1\n4 U -2")
    result = karat.score(runs, measure=["average_precision", "confidence_weighted"])
    assert math.isnan(result.runs[0].values["2"]["average_precision"])
    assert result.runs[0].sound is None
    assert any("negative" in one.reason for one in result.undefined)
    assert result.runs[0].values["2"]["confidence_weighted"] == 1.0


def test_slices_without_a_label(make: Make) -> None:
    """A slice in which no pair has a label has no values, and says so."""
    key, runs = make("E - U", run="1 E 0.5\n2 E 0.4\n3 U 0.3")
    sliced = replace(key, attributes={"task": ("a", "b", "a")})
    again = replace(runs, key=sliced)
    result = karat.score(again, by=["task"], measure=["average_precision", "accuracy"])
    assert math.isnan(result.slices[1].runs[0].values["2"]["average_precision"])
    assert result.slices[1].units == 0


def test_huge_weights(make: Make, tmp_path: Path) -> None:
    """Weights as large as numbers get are weights all the same."""
    key, runs = make("E U", run="1 E\n2 E")
    file = tmp_path / "weights.txt"
    file.write_text("1 1e308\n2 1e308\n")
    result = karat.score(runs, unit_weights=karat.read_weights(file, key))
    assert result.runs[0].values["2"]["accuracy"] == pytest.approx(0.5)


def test_crossing_through_a_corner() -> None:
    """Two runs equal on one label cross on a line that ends in that label's corner."""
    table = karat.Table([[[50, 25, 25], [10, 60, 30], [30, 30, 40]], [[50, 25, 25], [20, 40, 40], [20, 20, 60]]])
    (crossing,) = prior_crossings(("a", "b"), table, "3")
    assert sorted(crossing.priors) == [(0.0, 0.5, 0.5), (1.0, 0.0, 0.0)]


def test_conditional_entropy_of_a_rectangular_table() -> None:
    """The label is the response's: two-way key against a three-way judge."""
    table = karat.Table([[378, 27, 5], [48, 242, 100]])
    given_contradiction = karat.measures.conditional_entropy(table, "CONTRADICTION")
    shares = np.array([5, 100]) / 105
    assert float(given_contradiction) == pytest.approx(float(-(shares * np.log2(shares)).sum()))


def test_soundness_needs_no_key(make: Make) -> None:
    """A pair without a label counts for soundness as for the warning."""
    _, runs = make("E - E U", run="ranked-by: entailment\n1 E\n2 U\n3 E\n4 U")
    result = karat.score(runs)
    assert not result.runs[0].sound.sound
    assert [problem.code for problem in runs.warnings] == ["not-sound"]


def test_expected_tables_are_no_samples(runs: karat.Responses) -> None:
    """Random systems have no intervals and no bias: they are expectations."""
    for row in karat.score(runs).baselines[3:]:
        assert row.values["3"]["information_corrected"] == 0.0
        assert math.isnan(row.intervals["3"]["accuracy"][0])


def test_asked_for_and_undefined_is_shown(key: karat.Pairs) -> None:
    """A measure that no run has stands in the table as dashes, with the reason below."""
    some = karat.read_runs([RUNS / "cautious.txt"], key)
    text = karat.score(some, measure=["confidence_weighted"]).render()
    assert "confidence_weighted" in text
    assert "not ranked" in text


def test_gold_of_a_two_way_run(make: Make) -> None:
    """A two-way gold column agrees with a three-way key where it can."""
    _, runs = make("E U C", run="1\tENTAILMENT\tENTAILMENT\t0.5\n2\tNONENTAILMENT\tENTAILMENT\t0.5\n"
                   "3\tNONENTAILMENT\tNONENTAILMENT\t0.5")  # fmt: skip
    assert [one.code for one in runs.warnings] == ["two-way-runs"]


def test_results_are_short_to_print(key: karat.Pairs, runs: karat.Responses) -> None:
    """What a session shows of a noun or a result is a line."""
    for thing in (key, runs, karat.score(runs), karat.items(runs)):
        assert len(repr(thing)) < 1000


def test_runs_must_be_read() -> None:
    """A path instead of runs is told what to do."""
    with pytest.raises(karat.UsageError, match="read_runs"):
        karat.score("runs")  # type: ignore[arg-type]


def test_first_table_has_what_most_people_read(make: Make) -> None:
    """Accuracy with its interval, macro F1 and kappa; the rest is in JSON, and on request."""
    _, runs = make("E E U C", a="1 E\n2 U\n3 U\n4 C", b="1 E\n2 E\n3 U\n4 C")
    result = karat.score(runs)
    assert [one.name for one in result.sheets()[0].columns] == [
        "run", "accuracy", "95% CI", "2-way", "macro F1", "kappa",
    ]  # fmt: skip
    assert {"entropy_key", "information", "mean_recall", "matthews", "f1(UNKNOWN)"} <= set(result.measures)
    assert not {"balanced_accuracy", "micro_f1"} & set(result.measures)
    assert "Entropy" not in " ".join(sheet.title for sheet in result.sheets())
    asked = karat.score(runs, measure=["balanced_accuracy", "entropy_key"])
    assert list(asked.runs[0].values["3"] or {}) == ["balanced_accuracy", "entropy_key"]


def test_confusion_matrix(make: Make) -> None:
    """Shown of a single run, and of many on request, one row per label of the key."""
    key = "E E U C"
    _, one = make(key, a="1 E\n2 U\n3 U\n4 C")
    _, two = make(key, a="1 E\n2 U\n3 U\n4 C", b="1 C\n2 E\n3 U\n4 C")
    alone = karat.score(one).sheet_named("Confusion matrix")
    assert [column.name for column in alone.columns[2:]] == [
        "answered ENTAILMENT", "answered UNKNOWN", "answered CONTRADICTION",
    ]  # fmt: skip
    assert alone.rows() == [
        ["a", "ENTAILMENT", "1", "1", "0"],
        ["a", "UNKNOWN", "0", "1", "0"],
        ["a", "CONTRADICTION", "0", "0", "1"],
    ]
    with pytest.raises(karat.UsageError, match="no table"):
        karat.score(two).sheet_named("Confusion matrix")
    assert len(karat.score(two, confusion=True).sheet_named("Confusion matrix").rows()) == 6
    assert [sheet.title for sheet in karat.score(one).about("a")].count("Confusion matrix, three-way") == 1


def test_digits_of_one_run(key: karat.Pairs) -> None:
    """As many as beside another run: the narrow interval of a baseline does not add digits to a single one."""
    digits = set()
    for names in (["overlap.txt"], ["overlap.txt", "cautious.txt"]):
        made = karat.score(karat.read_runs([RUNS / name for name in names], key))
        digits.add(next(column.digits for column in made.sheets()[0].columns if column.name == "kappa"))
    assert digits == {2}
