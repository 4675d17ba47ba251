"""Confidences: tenths, calibration error, Brier score and luck, against plain loops and figures worked by hand."""

from __future__ import annotations

import csv
import io
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import karat
from karat.measures.probabilities import tenths
from karat.studies.score import caveats as room
from karat.studies.score.caveats import Reliability, reliability
from tests.undefined import all_explained

Make = Callable[..., tuple[karat.Pairs, karat.Responses]]


def lines(*answers: tuple[str, float]) -> str:
    """A run with a confidence in each answer."""
    return "".join(f"{place} {label} {sure}\n" for place, (label, sure) in enumerate(answers, 1))


def told(make: Make, labels: str, *answers: tuple[str, float]) -> Reliability:
    """What the confidences of one run are worth."""
    _, runs = make(labels, run=lines(*answers))
    found = karat.score(runs).runs[0].reliability
    assert found
    return found


def by_loops(sure: list[float], right: list[bool]) -> dict[str, Any]:
    """The same in plain loops; a tenth is found by its first decimal, as people would."""
    tenths: dict[int, list[int]] = {}
    for place, value in enumerate(sure):
        tenths.setdefault(min(int(f"{value:.10f}"[2]) if value < 1 else 9, 9), []).append(place)
    error = brier = 0.0
    rows = []
    for tenth in sorted(tenths):
        places = tenths[tenth]
        confidence = sum(sure[place] for place in places) / len(places)
        accuracy = sum(right[place] for place in places) / len(places)
        error += len(places) / len(sure) * abs(confidence - accuracy)
        rows.append((tenth / 10, len(places), confidence, accuracy, *wilson(accuracy, len(places))))
    for place, value in enumerate(sure):
        brier += (value - right[place]) ** 2 / len(sure)
    return {"rows": rows, "error": error, "brier": brier}


def wilson(share: float, n: int, z: float = 1.959963984540054) -> tuple[float, float]:
    """Wilson's interval as it is printed in books."""
    centre, half = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)


def expected_by_enumeration(sure: list[float]) -> tuple[list[float], list[float]]:
    """Every calibration error that luck can give to a run whose confidences are true, and how likely each is."""
    errors, chances = [], []
    for right in itertools.product([False, True], repeat=len(sure)):
        chances.append(math.prod(c if hit else 1 - c for c, hit in zip(sure, right, strict=True)))
        errors.append(by_loops(sure, list(right))["error"])
    return errors, chances


def test_by_hand(make: Make) -> None:
    """Five pairs: two tenths, every number worked out on paper."""
    # .95 right, .9 right, .85 wrong | .2 wrong, .2 right
    found = told(make, "E U C E U", ("E", 0.95), ("U", 0.9), ("U", 0.85), ("U", 0.2), ("U", 0.2))
    assert [(one.low, one.high, one.pairs) for one in found.bins] == [(0.2, 0.3, 2), (0.8, 0.9, 1), (0.9, 1.0, 2)]
    assert [one.confidence for one in found.bins] == pytest.approx([0.2, 0.85, 0.925])
    assert [one.accuracy for one in found.bins] == [0.5, 0.0, 1.0]
    assert (found.way, found.pairs, found.accuracy) == ("3", 5, 0.6)
    assert found.confidence == pytest.approx((0.95 + 0.9 + 0.85 + 0.2 + 0.2) / 5)
    # (2 · .3 + 1 · .85 + 2 · .075) / 5
    assert found.calibration_error == pytest.approx(0.32)
    # (.05² + .1² + .85² + .2² + .8²) / 5
    assert found.brier == pytest.approx((0.0025 + 0.01 + 0.7225 + 0.04 + 0.64) / 5)


@pytest.mark.parametrize("seed", range(12))
def test_twin(make: Make, seed: int) -> None:
    """Any run gets what plain loops give it, edges of tenths included."""
    random = np.random.default_rng(seed)
    size = int(random.integers(1, 120))
    digits = int(random.integers(1, 4))  # few digits put many confidences on edges
    sure = [round(float(one), digits) for one in random.random(size) ** random.choice([0.2, 1, 3])]
    right = [bool(one) for one in random.random(size) < sure]
    answers = [("U" if hit else "E", one) for one, hit in zip(sure, right, strict=True)]
    found = told(make, "C" + " U" * size, ("C", 1.0), *answers)
    twin = by_loops([1.0, *sure], [True, *right])
    rows = [(one.low, one.pairs, one.confidence, one.accuracy, *one.interval) for one in found.bins]
    assert [row[:2] for row in rows] == [row[:2] for row in twin["rows"]]
    assert np.array(rows) == pytest.approx(np.array(twin["rows"]), abs=1e-12)
    assert found.calibration_error == pytest.approx(twin["error"])
    assert found.brier == pytest.approx(twin["brier"])
    assert found.interval == pytest.approx(wilson(found.accuracy, size + 1))


def test_every_decimal_has_its_tenth(make: Make) -> None:
    """0.3 opens the tenth from 0.3 to 0.4, and so does every other; 1 belongs to the last."""
    sure = [place / 10 for place in range(11)]
    found = told(make, "C" + " U" * 10, ("C", 0.0), *(("U", one) for one in sure[1:]))
    assert [one.pairs for one in found.bins] == [1] * 9 + [2]
    assert [one.low for one in found.bins] == sure[:10]


@pytest.mark.parametrize("sure", [[0.3], [0.95, 0.9, 0.3, 0.35, 0.6], [0.5] * 8, [0.05, 0.15, 0.85, 0.95, 0.99, 1.0]])
def test_luck_is_exact(make: Make, sure: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawn often enough, luck is what going through all answers gives: its mean, and how much lies below its ends."""
    monkeypatch.setattr(room, "DRAWS", 40_000)
    found = told(make, "E" + " U" * (len(sure) - 1) + " C", *(("E", one) for one in sure), ("C", 1.0))
    errors, chances = expected_by_enumeration([*sure, 1.0])
    mean = sum(error * chance for error, chance in zip(errors, chances, strict=True))
    assert found.by_luck.value == pytest.approx(mean, abs=0.004)
    for end, share in ((found.by_luck.low, 0.025), (found.by_luck.high, 0.975)):
        below = sum(chance for error, chance in zip(errors, chances, strict=True) if error < end - 1e-9)
        within = sum(chance for error, chance in zip(errors, chances, strict=True) if error < end + 1e-9)
        assert below - 0.004 <= share <= within + 0.004


def test_luck_of_many(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pairs are many, sums are drawn as normals: the same luck as answer by answer, within the noise."""
    random = np.random.default_rng(3)
    answers = [("U", round(float(one), 3)) for one in random.uniform(0.3, 0.7, 3000)]
    monkeypatch.setattr(room, "DRAWS", 10_000)
    _, runs = make("C" + " U" * 3000, run=lines(("C", 1.0), *answers))
    quick = reliability(runs, 0).by_luck
    monkeypatch.setattr(room, "NORMAL_FROM", math.inf)
    slow = reliability(runs, 0).by_luck
    assert quick.value == pytest.approx(slow.value, rel=0.05)
    assert (quick.low, quick.high) == pytest.approx((slow.low, slow.high), rel=0.1)


def test_luck_in_chunks(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing a few answers at a time changes no number."""
    _, runs = make("C U U", run=lines(("C", 0.9), ("U", 0.4), ("E", 0.2)))
    whole = reliability(runs, 0)
    monkeypatch.setattr(room, "ANSWERS_AT_ONCE", 7)
    assert reliability(runs, 0) == whole


def test_ends_of_luck() -> None:
    """Of runs whose confidences are true about one in forty has a calibration error above the upper end of luck."""
    random = np.random.default_rng(11)
    beyond = 0
    for trial in range(400):
        sure = random.beta(4, 2, 80)
        right = random.random(80) < sure
        place = tenths(sure)
        luck = room._luck(sure, place, np.random.default_rng(trial)) / 80
        beyond += by_loops(sure.tolist(), right.tolist())["error"] > np.quantile(luck, 0.975)
    assert 2 <= beyond <= 22  # 10 expected; these are beyond four standard errors


def test_p_by_enumeration(make: Make) -> None:
    """How likely true confidences give so few or so many right answers, by going through all answers."""
    sure, hits = [0.95, 0.9, 0.85, 0.3, 0.35], [False, True, False, True, True]
    answers = [("U" if hit else "E", one) for one, hit in zip(sure, hits, strict=True)]
    found = told(make, "C" + " U" * 5, ("C", 1.0), *answers)
    assert found.p == pytest.approx(two_sided([1.0, *sure], 4))
    assert [(one.pairs, one.p) for one in found.bins] == [
        (2, pytest.approx(two_sided([0.3, 0.35], 2))),
        (1, pytest.approx(two_sided([0.85], 0))),
        (3, pytest.approx(two_sided([0.95, 0.9, 1.0], 2))),
    ]
    assert found.worst() == (found.bins[0], pytest.approx(3 * found.bins[0].p))


def two_sided(sure: list[float], seen: int) -> float:
    """Twice the smaller of two tails, from all outcomes."""
    low = high = 0.0
    for right in itertools.product([0, 1], repeat=len(sure)):
        chance = math.prod(c if hit else 1 - c for c, hit in zip(sure, right, strict=True))
        low += chance * (sum(right) <= seen)
        high += chance * (sum(right) >= seen)
    return min(1.0, 2 * min(low, high))


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        ("1 E\n2 U\n3 C\n", {}, "the run states no confidences"),
        ("ranked-by: response\n1 E\n2 U\n3 C\n", {}, "the run states no confidences"),
        ("1 E 0.9\n2 U 0.5\n3 C 1.01\n", {}, "some lie outside 0 to 1"),
        ("1 E 0.9\n2 U -0.5\n3 C 1\n", {}, "some lie outside 0 to 1"),
        ("1 E 90\n2 U 50\n3 C 70\n", {}, "some lie outside 0 to 1"),
        ("1 E 0.9\n2 U 0.5\n3 C 0.1\n", {"confidence": "entailment"}, "in entailment, not in its answers"),
    ],
)
def test_reasons(make: Make, text: str, options: dict[str, Any], reason: str) -> None:
    """Where confidences are missing, of something else or no probabilities, there is a null and its reason."""
    _, runs = make("E U C", run=text, options=options)
    result = karat.score(runs)
    assert not result.runs[0].reliability
    assert reason in all_explained(result)["/runs/0/reliability"]
    assert not any(sheet.title.startswith("Reliability") for sheet in result.sheets())
    assert "confidence" not in [chart.name for chart in result.charts()]


def test_weights(make: Make) -> None:
    """Under weights calibration is not assessed, and the reason is given."""
    _, runs = make("E U C", run="1 E 0.9\n2 U 0.5\n3 E 0.1\n")
    result = karat.score(runs, weights="linear")
    assert not result.runs[0].reliability
    assert "same weight" in all_explained(result)["/runs/0/reliability"]


def test_unscored_pairs(make: Make) -> None:
    """A pair without label, answered or not, is in no tenth; its confidence still shows that none is a probability."""
    _, runs = make("E - U C", run="1 E 0.9\n2 U 0.5\n3 U 0.8\n4 C 0.7\n", short="1 E 0.9\n3 U 0.8\n4 C 0.7\n")
    full, short = (row.reliability for row in karat.score(runs).runs)
    assert full.pairs == 3
    assert full.bins == short.bins
    _, runs = make("E - U C", run="1 E 0.9\n2 U 5\n3 U 0.8\n4 C 0.7\n")
    assert not karat.score(runs).runs[0].reliability


def test_ways(make: Make) -> None:
    """A run is sure of the labels it answers with: two-way answers are right or wrong two-way."""
    _, runs = make("E U C", two="1 E 0.9\n2 NO_ENTAILMENT 0.8\n3 NO_ENTAILMENT 0.7\n", three="1 E .9\n2 C .8\n3 U .7")
    found = [row.reliability for row in karat.score(runs).runs]
    assert {(one.way, one.accuracy) for one in found if one} == {("2", 1.0), ("3", 1 / 3)}


def test_certain_runs(make: Make) -> None:
    """A run that is always certain has no luck: right throughout its error is 0, and one wrong answer is beyond it."""
    right = told(make, "E U C", ("E", 1), ("U", 1), ("C", 1))
    assert (right.calibration_error, right.brier, right.by_luck.high) == (0, 0, 0)
    assert (right.p, right.claims(0.95)) == (1, 0)
    wrong = told(make, "E U C", ("E", 1), ("U", 1), ("U", 1))
    assert wrong.calibration_error == pytest.approx(1 / 3)
    assert (wrong.p, wrong.claims(0.95)) == (1e-30, 1)


def test_claims(make: Make) -> None:
    """Significantly surer than right is 1, less sure is -1, and else 0."""
    half = [("U", "E")[place % 2] for place in range(40)]
    labels = "C" + " U" * 40
    for sure, claims in ((0.9, 1), (0.1, -1), (0.55, 0)):
        assert told(make, labels, ("C", sure), *((label, sure) for label in half)).claims(0.95) == claims


def test_examples(runs: karat.Responses) -> None:
    """The sheet has a row a run that states confidences; its accuracy is that of the scores; the finding names them."""
    result = karat.score(runs)
    sheet = result.sheet_named("Reliability of confidences")
    assert sheet.columns[0].values == ["careful", "confident", "overlap"]
    for row in result.runs:
        if row.reliability:
            assert row.reliability.accuracy == pytest.approx(row.value(row.reliability.way, "accuracy"))
            assert row.reliability.interval == pytest.approx((row.intervals[row.reliability.way] or {})["accuracy"])
    (sentence,) = [one for one in result.findings() if "significantly overconfident" in one]
    assert sentence.startswith(
        "confident is significantly overconfident: its mean confidence is 95.9%, but 60.0% of its answers"
    )
    assert sentence.endswith("The same holds, with other numbers, for overlap and careful.")
    assert not any("underconfident" in one or "miscalibrated" in one for one in result.findings())
    assert karat.score(runs, measure=["kappa"]).confident() == []


def test_claims_less_and_elsewhere(make: Make) -> None:
    """A run may claim too little; or the right amount on the whole, too much here and too little there."""
    labels = "C" + " U" * 80
    modest = lines(("C", 0.4), *([("U", 0.4)] * 60 + [("E", 0.4)] * 20))
    turned = lines(("C", 0.9), *([("U", 0.1)] * 40 + [("E", 0.9)] * 40))
    _, runs = make(labels, modest=modest, turned=turned)
    found = karat.score(runs).findings()
    said = "modest is significantly underconfident: its mean confidence is 40.0%"
    assert [one for one in found if one.startswith(said)]
    (other,) = [one for one in found if one.startswith("turned is not significantly over- or underconfident overall")]
    assert (
        "where its confidence is between 10% and 20%: its mean confidence there is 10.0%, but 100.0% of 40 answers are "
        "right (corrected p < 0.0001)"
    ) in other


def test_confidences_below_a_guess(make: Make) -> None:
    """They are said to be no probabilities, and no claim about their calibration is made."""
    _, runs = make("C" + " U" * 80, distance=lines(("C", 0.3), *([("U", 0.3)] * 60 + [("E", 0.3)] * 20)))
    found = karat.score(runs).findings()
    assert [
        one for one in found if one.startswith("distance states a mean confidence of 30.0%, below the 33% of a guess")
    ]
    assert not any("underconfident" in one for one in found)


def test_several_below_a_guess(make: Make) -> None:
    """The run with the lowest confidence is named first, and only the others after it."""
    answers = ["C", *["U"] * 80]
    made = {name: lines(*((label, sure) for label in answers)) for name, sure in (("near", 0.3), ("far", 0.2))}
    _, runs = make("C" + " U" * 80, **made)
    (said,) = (one for one in karat.score(runs).findings() if "below the 33% of a guess" in one)
    assert said.startswith("far states a mean confidence of 20.0%")
    assert said.endswith("The same holds, with other numbers, for near.")


def test_records(runs: karat.Responses) -> None:
    """CSV has every number of every tenth, as a slice by confidence."""
    result = karat.score(runs)
    rows = list(csv.DictReader(io.StringIO(result.render("csv"))))
    careful = next(row for row in result.runs if row.run == "careful").reliability
    assert careful
    mine = [row for row in rows if row["system"] == "careful" and row["attribute"] == "confidence"]
    assert [row["value_of_attribute"] for row in mine[::2]] == [f"{one.low:g} – {one.high:g}" for one in careful.bins]
    shares = [row for row in mine if row["measure"] == "accuracy"]
    assert [float(row["value"]) for row in shares] == pytest.approx([one.accuracy for one in careful.bins])
    assert [float(row["high"]) for row in shares] == pytest.approx([one.interval[1] for one in careful.bins])
    (error,) = [row for row in rows if row["system"] == "careful" and row["measure"] == "calibration_error"]
    assert float(error["value"]) == pytest.approx(careful.calibration_error)


def test_same_seed_same_luck(key: karat.Pairs, runs: karat.Responses) -> None:
    """Luck depends on the seed and the run, never on which other runs there are."""
    place = runs.names.index("careful")
    alone = karat.Responses.of(key, [runs.runs[place]])
    assert reliability(runs, place) == reliability(alone, 0)
    assert reliability(runs, place, seed=1).by_luck != reliability(runs, place).by_luck


def test_a_p_at_the_end_of_what_is_computed(runs: karat.Responses) -> None:
    """Of the examples one run is so far off that its p is only known to be very small, and the sentence says so."""
    (told,) = [one for one in karat.score(runs).findings() if "significantly overconfident" in one]
    assert "three-way, corrected p < 0.0001)" in told


def unparsed(make: Make, seed: int, share: float, units: int = 200, treated: str = "wrong") -> karat.Responses:
    """A calibrated two-way run that gives no label to some pairs, with its confidence all the same."""
    random = np.random.default_rng(seed)
    sure = np.round(0.5 + random.random(units) / 2, 3)
    said = np.where(random.random(units) < sure, "ENTAILMENT", "NO_ENTAILMENT")
    silent = random.random(units) < share
    answers = [("Hm" if none else str(label), float(one)) for label, one, none in zip(said, sure, silent, strict=True)]
    key = "ENTAILMENT " * (units - 1) + "NO_ENTAILMENT"
    return make(key, run=lines(*answers), options={"unparsed": treated})[1]


@pytest.mark.parametrize("treated", ["wrong", "unknown"])
def test_no_answer_has_no_confidence(make: Make, treated: str) -> None:
    """Pairs without a label are left out of calibration; losses and AUROC are undefined, or silence would gain.

    This holds whatever label such an answer counts as: the confidence was stated in none of them.
    """
    runs = unparsed(make, 1, 0.2, treated=treated)
    measures = ["accuracy", "log_loss", "brier", "auroc", "calibration_error", "confidence_weighted"]
    row = karat.score(runs, measure=measures).runs[0]
    answered = unparsed(make, 1, 0.2).codes[0] >= 0
    assert row.unparsed == (~answered).sum() > 20
    twin = by_loops(list(runs.runs[0].confidence[answered]), list(runs.codes[0][answered] == runs.key.labels[answered]))
    assert row.reliability.pairs == answered.sum()
    assert row.reliability.calibration_error == pytest.approx(twin["error"])
    assert row.values["2"]["calibration_error"] == pytest.approx(twin["error"])
    for name in ("log_loss", "brier", "auroc", "confidence_weighted"):
        assert row.values["2"][name].why == f"{row.unparsed} answers are no label"
    assert f"{row.unparsed} of run" in karat.score(runs).render("html")


def test_calibrated_with_unparsed_answers_is_not_overconfident(make: Make) -> None:
    """A calibrated run that is unparsed on a tenth of the pairs is called overconfident at the level of the test."""
    claimed = [reliability(unparsed(make, seed, 0.1), 0).claims(0.95) for seed in range(200)]
    assert sum(one > 0 for one in claimed) <= 12  # 2.5% of 200 are 5; P(X > 12) is .002
