"""The judge judged: agreement in loops, known judges, rates, bias, what is undefined."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

import karat
from karat.data.ballots import Ballots, Scale
from karat.data.provenance import IN_MEMORY
from karat.data.responses import Run, RunInfo
from karat.examples import JUDGED
from karat.formats.ballots import read_ballots
from karat.labels import THREE
from karat.studies.judge.agreement import leave_one_out, pairwise, with_each, with_people
from karat.studies.judge.parts import Pairwise
from karat.studies.judge.rates import rates
from karat.studies.judge.study import judge
from karat.studies.judge.sums import PersonSums, judged_ballots

Make = Callable[..., tuple[karat.Pairs, karat.Responses]]


def ballots(matrix: dict[str, list[int]], labels: tuple[str, ...] = THREE.labels) -> Ballots:
    """What each assessor said of each unit; -1 is nothing."""
    said = np.array(list(matrix.values()))
    assessor, unit = np.nonzero(said >= 0)
    return Ballots(
        tuple(str(place) for place in range(1, said.shape[1] + 1)), tuple(matrix), Scale(labels),
        unit.astype(np.int32), assessor.astype(np.int32), said[assessor, unit].astype(np.int32),
    )  # fmt: skip


def simulated(units: int, skills: dict[str, float], seed: int = 0, missing: float = 0.0) -> Ballots:
    """Assessors who are right so often."""
    random = np.random.default_rng(seed)
    truth = random.choice(3, units, p=[0.5, 0.3, 0.2])
    said = {}
    for name, skill in skills.items():
        right = random.random(units) < skill
        codes = np.where(right, truth, (truth + random.integers(1, 3, units)) % 3)
        said[name] = np.where(random.random(units) < missing, -1, codes).tolist()
    return ballots(said)


def sums_of(people: Ballots, *said: np.ndarray) -> PersonSums:
    """The sums over all units, with the labels of a judge if there is one."""
    nobody = np.full((1, len(people.units)), -1)
    return PersonSums.of(people, np.stack(said) if said else nobody)


def pairs_of_people(people: Ballots, fewest: int) -> Pairwise:
    """The agreement of every two people, on units that are held."""
    made = judged_ballots(people, people.of(people.assessors[:1]))
    return pairwise(made.sums.together, made.tables, people.scale, fewest)


PEOPLE = {"a": 0.85, "b": 0.8, "c": 0.9}


def test_tables_against_loops() -> None:
    """Per unit, a person × the judge, counted pair by pair."""
    made = simulated(40, {**PEOPLE, "auto": 0.8}, missing=0.3)
    people, said = made.of(["a", "b", "c"]), made.of(["auto"]).matrix()[0]
    matrix = people.matrix()
    ours = with_people(people.counts(), said)
    for unit in range(40):
        there = [code for code in matrix[:, unit] if code >= 0]
        table = np.zeros((3, 3))
        for code in there:
            if said[unit] >= 0:
                table[code, said[unit]] += 1 / len(there)
        np.testing.assert_allclose(ours[unit], table)


def test_leave_one_out_against_loops() -> None:
    """Each person against the others: the mean share of the others that say the same."""
    people = simulated(60, PEOPLE, missing=0.3)
    matrix = people.matrix()
    for person, one in enumerate(leave_one_out(sums_of(people), people.assessors, people.scale)):
        shares = []
        for unit, code in enumerate(matrix[person]):
            others = [row[unit] for place, row in enumerate(matrix) if place != person and row[unit] >= 0]
            if code >= 0 and others:
                shares.append(np.mean([code == other for other in others]))
        assert one.units == len(shares)
        assert one.observed == pytest.approx(np.mean(shares))


def test_pairs_are_scikit_learns() -> None:
    """The judge with each person, and people pairwise, are Cohen's kappas on the shared units."""
    made = simulated(80, {**PEOPLE, "auto": 0.8}, missing=0.2)
    people, said = made.of(["a", "b", "c"]), made.of(["auto"]).matrix()[0]
    matrix = people.matrix()
    for one, codes in zip(with_each(sums_of(people, said), 0, people.assessors, people.scale), matrix, strict=True):
        both = (codes >= 0) & (said >= 0)
        assert one.units == both.sum()
        assert one.kappa == pytest.approx(cohen_kappa_score(codes[both], said[both]))
    kappas, common = [], []
    for x, y in ((0, 1), (0, 2), (1, 2)):
        both = (matrix[x] >= 0) & (matrix[y] >= 0)
        kappas.append(cohen_kappa_score(matrix[x][both], matrix[y][both]))
        common.append(both.sum())
    ours = pairs_of_people(people, 30)
    assert (ours.pairs, ours.units) == (3, sum(common))
    assert ours.kappa == pytest.approx(np.dot(kappas, common) / sum(common))


def test_pairs_weigh_by_what_they_share() -> None:
    """a and b agree on 6 of 8 units, a and c on 1 of 2, b and c on 0 of 2: 7 of 12, not the mean of 3/4, 1/2 and 0.

    Kappa of a and b: each says 0 of 4 and 1 of 4 units, so (.75 − .5)/(1 − .5) = 1/2. a and c: a says 0 1, c 0 0:
    (.5 − .5)/(1 − .5) = 0. b and c: b says 1 1, c 0 0: (0 − 0)/(1 − 0) = 0. Together 8 · (1/2)/12 = 1/3.
    """
    made = ballots({"a": [0, 0, 0, 0, 1, 1, 1, 1], "b": [1, 0, 0, 0, 1, 1, 1, 0], "c": [0, -1, -1, -1, 0, -1, -1, -1]})
    ours = pairs_of_people(made, 2)
    assert (ours.pairs, ours.units) == (3, 12)
    assert ours.observed == pytest.approx(7 / 12)
    assert ours.kappa == pytest.approx(1 / 3)
    assert pairs_of_people(made, 3).observed == 0.75
    assert pairs_of_people(made, 9).pairs == 0


def test_one_person_and_one_judge_is_cohens_kappa() -> None:
    """With one person a unit, agreement is that of two assessors."""
    made = simulated(100, {"a": 0.8, "auto": 0.7})
    result = judge(made, automatic=["auto"])
    matrix = made.matrix()
    assert result.judges[0].coefficients["kappa"].value == pytest.approx(cohen_kappa_score(matrix[0], matrix[1]))
    assert np.isnan(result.people.coefficients["agreement"].value)
    assert result.judges[0].alternative.passes is None
    paths = {one.path for one in result.undefined}
    assert {"/people/coefficients/kappa/value", "/judges/0/alternative/passes", "/judges/0/ranking"} <= paths


def test_a_good_judge_and_a_poor_one() -> None:
    """The good one agrees as people do and passes; the poor one does neither."""
    made = simulated(400, {**PEOPLE, "good": 0.95, "poor": 0.4})
    result = judge(made, automatic=["good", "poor"])
    good, poor = result.judges
    own = result.people.coefficients["agreement"]
    assert good.coefficients["agreement"].value > own.low
    assert poor.coefficients["agreement"].high < own.low
    assert good.alternative.passes
    assert not poor.alternative.passes
    told = " ".join(result.findings())
    assert "good passes the alternative-annotator test: it may replace all 3 people" in told
    assert "poor fails" in told


def test_three_judges_are_one_sentence() -> None:
    """People's agreement is said once, judges with the same outcome are named together, and so is what is missing."""
    made = simulated(400, {**PEOPLE, "x": 0.95, "y": 0.95, "z": 0.4})
    judge_of = np.array(made.assessors)[made.assessor]
    lacking = ((judge_of == "x") & (made.unit < 7)) | ((judge_of == "z") & (made.unit == 0))
    kept = replace(made, **{name: getattr(made, name)[~lacking] for name in ("unit", "assessor", "code")})
    told = judge(kept, automatic=["x", "y", "z"]).findings()
    (agreed,) = [one for one in told if "agrees with a person" in one]
    assert re.fullmatch(
        r"x agrees with a person on [\d.]+% of the units \(95% CI [\d.]+% to [\d.]+%\), y on [\d.]+% \([\d.% to]+\) "
        r"and z on [\d.]+% \([\d.% to]+\); people agree with each other on [\d.]+%\.",
        agreed,
    )
    assert "x and y pass the alternative-annotator test: each may replace all 3 people (epsilon 0.2)." in told
    assert sum("alternative-annotator test" in one for one in told) == 2
    assert "x gave no verdict on 7 units that people judged, z on 1; these units are left out." in told


def test_judges_are_no_people() -> None:
    """One automatic judge is never compared with another, nor counted among the people."""
    made = simulated(100, {**PEOPLE, "x": 0.8, "y": 0.8})
    alone, both = judge(made.of([*PEOPLE, "x"]), automatic=["x"]), judge(made, automatic=["x", "y"])
    for part in ("with_each", "confusion"):
        # Reprs, because labels without an order leave weighted kappas undefined, and NaN is not itself.
        assert repr(getattr(alone.judges[0], part)) == repr(getattr(both.judges[0], part))
    assert alone.judges[0].coefficients["alpha"] == both.judges[0].coefficients["alpha"]
    assert repr(alone.people) == repr(both.people)
    for one, other in zip(alone.judges[0].alternative.people, both.judges[0].alternative.people, strict=True):
        assert (one.units, one.p) == (other.units, other.p)
    assert both.people.assessors == [*PEOPLE]


def test_intervals_cover() -> None:
    """Over simulated studies the interval of observed agreement holds its expectation nineteen times in twenty."""
    hits = 0
    expected = 0.9 * 0.8 + 0.1 * 0.2 / 2
    for seed in range(120):
        one = judge(simulated(150, {"a": 0.9, "auto": 0.8}, seed), automatic=["auto"]).judges[0]
        hits += one.coefficients["agreement"].low <= expected <= one.coefficients["agreement"].high
    assert 106 <= hits <= 120


def test_confusion_leaves_ties_out() -> None:
    """Units on which people are tied have no majority to be confused with."""
    made = ballots({"a": [0, 0, 1, 2], "b": [0, 1, 1, 2], "auto": [0, 0, 2, 2]})
    confusion = judge(made, automatic=["auto"]).judges[0].confusion
    assert confusion.tied == 1
    assert confusion.counts == [[1, 0, 0], [0, 0, 1], [0, 0, 1]]


def test_rates_with_hidden_labels() -> None:
    """With some of people's labels hidden, corrected shares are near people's own where the judge's are not."""
    random = np.random.default_rng(4)
    truth = random.choice(3, 3000, p=[0.5, 0.3, 0.2])
    # The judge calls two in five of label 1 label 0.
    said = np.where((truth == 1) & (random.random(3000) < 0.4), 0, truth)
    made = ballots({"a": truth.tolist(), "auto": said.tolist()})
    rates = judge(made, automatic=["auto"], labelled=300).judges[0].rates
    assert (rates.labelled, rates.unlabelled) == (300, 2700)
    first = rates.labels[0]
    assert first.naive.low > rates.people["ENTAILMENT"]
    for one in (first.rogan_gladen, first.prediction_powered, first.tuned):
        assert one.low <= rates.people["ENTAILMENT"] <= one.high
    assert first.tuned.high - first.tuned.low < first.human.high - first.human.low
    assert first.labels_with_judge < first.labels_alone


def test_rates_without_unlabelled_units() -> None:
    """Where people judged everything there is nothing to correct, and it says what to try."""
    result = judge(simulated(60, {**PEOPLE, "auto": 0.8}), automatic=["auto"])
    assert np.isnan(result.judges[0].rates.labels[0].tuned.value)
    reasons = {one.path: one.reason for one in result.undefined}
    assert "try --labelled N" in reasons["/judges/0/rates/labels/0/tuned/value"]
    assert "try --labelled N" in reasons["/judges/0/rates/labels/0/naive_alone/value"]
    assert np.isnan(result.judges[0].rates.labels[0].weight)
    assert "nothing to correct" in reasons["/judges/0/rates/labels/0/weight"]


def test_missing_verdicts_are_told() -> None:
    """Nothing is assumed where the judge said nothing."""
    result = judge(ballots({"a": [0, 1, 2], "b": [0, 1, 2], "auto": [0, -1, -1]}), automatic=["auto"])
    assert result.judges[0].missing == 2
    assert "auto gave no verdict on 2 units" in " ".join(result.findings())


def runs_of(key: karat.Pairs, answers: dict[str, list[int]]) -> karat.Responses:
    """Three-way runs from codes."""
    order = np.arange(len(key), dtype=np.int32)
    runs = [
        Run(RunInfo(name, THREE, IN_MEMORY), np.array(codes, dtype=np.int8), order, None, None, None)
        for name, codes in answers.items()
    ]
    return karat.Responses.of(key, runs)


def test_whom_it_is_kinder_to(make: Make) -> None:
    """Said of every run whose relative bias is surely not 0, and not where chance may have done it."""
    key, _ = make("E U C " * 20, x="\n".join(f"{place} E" for place in range(1, 61)))
    truth = key.labels.tolist()
    # The judge calls half of all UNKNOWN ENTAILMENT, and so does the flattered run.
    leaning = [0 if code == 1 and place % 2 else code for place, code in enumerate(truth)]
    made = ballots({"p": truth, "q": truth, "auto": leaning})
    answers = {"right": truth, "flattered": leaning, "other": [0 if code == 2 else code for code in truth]}

    def told(runs: dict[str, list[int]], judged: Ballots = made) -> str:
        result = judge(judged, automatic=["auto"], runs=runs_of(key, runs))
        return " ".join(result.findings())

    assert "auto is significantly more lenient with flattered (+22.2 points, simultaneous CI +" in told(answers)
    assert "auto is significantly more lenient with flattered (" in told({**answers, "twin": leaning})
    assert ") and twin (" in told({**answers, "twin": leaning})
    slip = [0 if place == 1 else code for place, code in enumerate(truth)]
    assert "lenient" not in told({"right": truth, "slipped": slip}, ballots({"p": truth, "q": truth, "auto": slip}))


def test_each_person_is_told() -> None:
    """Who the people are stands first; the test's p and verdict stand beside each person."""
    made = simulated(100, {**PEOPLE, "auto": 0.8})
    result = judge(made, automatic=["auto"])
    text = result.render("text")
    assert text.startswith("Agreement with 3 people (a, b, c), and of people with each other")
    (sheet,) = [sheet for sheet in result.sheets() if sheet.title == "auto in place of each person"]
    columns = {column.name: list(column.values) for column in sheet.columns}
    people = result.judges[0].alternative.people
    assert columns["person"] == ["a", "b", "c"]
    assert columns["p"] == [one.p for one in people]
    assert [float(str(p)) for p in columns["p corrected"]] == pytest.approx(
        [one.p_corrected for one in people], abs=5e-5
    )
    assert columns["may be replaced"] == [one.replaced for one in people]
    many = simulated(40, {**{f"w{place}": 0.8 for place in range(12)}, "auto": 0.8})
    first = judge(many, automatic=["auto"]).sheets()[0].title
    assert first == "Agreement with 12 people (w0, w1, w2, w3, w4 and 7 more), and of people with each other"


def test_two_labels_say_one_thing() -> None:
    """Where a judge misleads on one of two labels it does so on the other: one sentence."""
    truth = [0, 1] * 100
    made = ballots(
        {"p": truth, "auto": [0 if place % 4 == 1 else code for place, code in enumerate(truth)]}, ("a", "b")
    )
    told = [one for one in judge(made, automatic=["auto"]).findings() if "auto gives" in one]
    assert len(told) == 1
    assert told[0].startswith(
        "auto gives b to 25.0% of 200 units, significantly less often than people; by people's labels"
    )


def test_no_way_without_runs() -> None:
    """Nothing was ranked in any way, so that none is signed; how the ballots were read is."""
    made = simulated(20, {**PEOPLE, "auto": 0.8})
    assert judge(made, automatic=["auto"]).signature.way is None
    read = read_ballots([JUDGED], exchangeable=False, same=())
    assert set(judge(read, automatic=["auto"]).signature.parameters) == {
        "automatic", "level", "epsilon", "fewest", "labelled", "half_width", "cluster", "interval",
    }  # fmt: skip


def test_ranking_and_bias(make: Make) -> None:
    """The judge's key scores the runs; bias is its score less the human key's, on the units both label."""
    _, runs = make("E U C E", a="1 E\n2 U\n3 E\n4 U", b="1 E\n2 E\n3 C\n4 E")
    made = ballots({"p": [0, 1, 2, 0], "auto": [0, 1, 0, -1]})
    ranking = judge(made, automatic=["auto"], runs=runs).judges[0].ranking
    assert ranking is not None
    assert ranking.units == 3
    assert [(one.human, one.judge) for one in ranking.bias] == [
        (pytest.approx(2 / 3), 1.0),
        (pytest.approx(2 / 3), pytest.approx(1 / 3)),
    ]
    assert [one.bias.value for one in ranking.bias] == pytest.approx([1 / 3, -1 / 3])
    assert [one.relative.value for one in ranking.bias] == pytest.approx([1 / 3, -1 / 3])
    assert ranking.ranking == ["a", "b"]


def test_a_judge_that_is_the_key_has_no_bias(key: karat.Pairs, runs: karat.Responses) -> None:
    """The key's own labels as a judge's: tau_b 1, bias 0; no error was seen, which is not none, so no bounds."""
    made = ballots({"p": key.labels.tolist(), "auto": key.labels.tolist()})
    result = judge(made, automatic=["auto"], runs=runs)
    ranking = result.judges[0].ranking
    assert ranking is not None
    assert ranking.tau_b == 1
    assert all(one.bias.value == one.relative.value == 0 for one in ranking.bias)
    assert all(np.isnan(end) for one in ranking.bias for end in (one.bias.low, one.relative.high))
    reasons = {one.path: one.reason for one in result.undefined}
    assert "the two keys never differ" in reasons["/judges/0/ranking/bias/0/bias/low"]
    assert result.signature.way == "2"


def test_the_shipped_example(key: karat.Pairs, runs: karat.Responses) -> None:
    """A judge may pass the test and still turn the ranking: it leans to the words that weak runs look at."""
    result = judge(read_ballots(JUDGED, key), automatic=["auto"], runs=runs)
    one = result.judges[0]
    assert one.alternative.passes
    assert one.ranking is not None
    assert one.ranking.tau < 0.6
    assert {row.run: row.relative.value for row in one.ranking.bias}["terse"] > 0.03
    for form in ("text", "json", "csv", "latex", "html"):
        assert "auto" in result.render(form)


def test_wrong_calls() -> None:
    """No judge named, one that is not there, nobody else."""
    made = simulated(20, {**PEOPLE, "auto": 0.8})
    with pytest.raises(karat.UsageError, match="which assessor is automatic"):
        judge(made)
    with pytest.raises(karat.UsageError, match="no assessor is called 'outo'; did you mean 'auto'"):
        judge(made, automatic=["outo"])
    with pytest.raises(karat.UsageError, match="no people among the assessors"):
        judge(made.of(["auto"]), automatic=["auto"])


def test_adjudicators_are_named() -> None:
    """Who judged only what two others disagreed on is told apart from a third who judged at random."""
    random = np.random.default_rng(0)
    first = random.integers(0, 3, 200)
    second = np.where(random.random(200) < 0.85, first, (first + 1) % 3)
    third = np.where(first != second, first, -1)
    fourth = np.where(random.random(200) < 0.3, first, -1)
    said = {"a": first, "b": second, "third": third, "auto": first}
    made = ballots({name: codes.tolist() for name, codes in said.items()})
    assert judge(made, automatic=["auto"]).people.adjudicators == ["third"]
    said["third"] = fourth
    made = ballots({name: codes.tolist() for name, codes in said.items()})
    assert judge(made, automatic=["auto"]).people.adjudicators == []


def test_naive_and_corrected_are_of_the_same_units() -> None:
    """Of six units people judged four: the judge says 0 of one of these, of both others; each share tells of which."""
    made = ballots({"a": [0, 1, 1, 0, -1, -1], "auto": [0, 1, 1, 1, 0, 0]}, ("x", "y"))
    one = judge(made, automatic=["auto"]).judges[0]
    first = one.rates.labels[0]
    assert (first.human.value, first.naive.value, first.naive_alone.value) == (0.5, 0.5, 1.0)
    # Sensitivity 1/2 and specificity 1 correct the share of the two: 1/(1/2 + 1 − 1), at most 1.
    assert first.rogan_gladen.value == 1.0
    (sheet,) = [sheet for sheet in judge(made, automatic=["auto"]).sheets() if sheet.title.startswith("Share of each")]
    columns = {column.name: list(column.values)[:6] for column in sheet.columns}
    assert dict(zip(columns["estimate"], columns["units"], strict=True)) == {
        "people alone": 4, "naive": 6, "naive, units only the judge judged": 2, "Rogan–Gladen": 2, "PPI": 6, "PPI++": 6,
    }  # fmt: skip


def test_judges_share_the_labelled_units() -> None:
    """With labels hidden, a judge that lacks some units has the same ones as another but for as many."""
    random = np.random.default_rng(5)
    truth = random.integers(0, 3, 400)
    missing = np.where(random.random(400) < 0.03, -1, truth)
    chosen = []
    for said in (truth, missing):
        # What people say of each unit is the unit's place, so that the shares tell which were drawn.
        shown = rates(
            np.arange(400), np.where(said < 0, -1, np.arange(400)), np.ones(400, dtype=bool),
            tuple(map(str, range(400))), labelled=100, half_width=0.05, level=0.95, seed=0,
        )  # fmt: skip
        chosen.append({rate.label for rate in shown.labels if rate.human.value > 0})
    lacking = {str(place) for place in np.flatnonzero(missing < 0)}
    assert [len(one) for one in chosen] == [100, 100]
    assert chosen[0] - chosen[1] == chosen[0] & lacking
    assert 0 < len(chosen[0] & lacking) < 10


def test_people_are_no_ceiling() -> None:
    """A judge that never errs agrees with noisy people more than they do with each other, and nobody says it cannot."""
    made = simulated(600, {"a": 0.8, "b": 0.8, "c": 0.8, "auto": 1.0})
    result = judge(made, automatic=["auto"])
    assert result.judges[0].coefficients["agreement"].low > result.people.coefficients["agreement"].high
    text = result.render("text")
    assert "cannot be expected" not in text
    assert "People's agreement is a benchmark, not an upper limit" in text


def test_no_negative_zero(key: karat.Pairs, runs: karat.Responses) -> None:
    """What rounds to nothing has no sign."""
    text = judge(read_ballots(JUDGED, key), automatic=["auto"], runs=runs).render("text")
    assert "-0.0000" not in text
