"""The diagnosis against plain loops, its exact and undefined cases, and what it says in words."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import karat
from karat.data.charts import Counts, Dots, Heat
from karat.data.decomposition import by_attribute
from karat.data.weights import Relevance
from karat.errors import UsageError
from karat.studies.diagnose.result import Diagnosis
from karat.studies.diagnose.study import diagnose
from tests.decompositions import (
    C,
    E,
    Part,
    U,
    counted_parts,
    decomposition_of,
    diagnosis_of,
    random_parts,
    runs_of,
    world,
)
from tests.studies import diagnose_by_hand as hand
from tests.studies.test_undefined import check

NAMES = ("one", "two")
SEEDS = range(4)


def diagnosed(seed: int, **options: Any) -> tuple[list[Part], Diagnosis]:
    """A random world and its diagnosis."""
    parts = random_parts(seed)
    return parts, diagnosis_of(*world(parts, NAMES), replicates=99, **options)


def same(value: float, exact: Fraction | None) -> bool:
    """Equal, or both undefined."""
    return math.isnan(value) if exact is None else value == pytest.approx(float(exact), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_by_hand(seed: int) -> None:
    """Accuracies, indices and counts of every group are those of the chapter's words."""
    parts, result = diagnosed(seed)
    groups = hand.groups(parts)
    rows = [*result.overall, *result.categories, *result.judgments]
    rows += [replace(row, name=f"{row.category}:{row.name}") for row in result.phenomena]
    assert {row.name for row in rows} == set(groups)
    assert len(rows) == len(NAMES) * len(groups)
    for row in rows:
        run, (mono, originals) = NAMES.index(row.run), groups[row.name]
        assert row.originals is not None
        assert (row.n, row.originals.n) == (len(mono), len(originals))
        assert row.small == (len(mono) < 10)
        assert same(row.accuracy, hand.share(mono, run))
        assert same(row.originals.accuracy, hand.share(originals, run))
        assert same(row.correlation_index, hand.correlation_index(parts, row.name, run))
        assert same(row.deviation_index, hand.deviation_index(parts, row.name, run))
        assert same(row.adjusted_index, hand.adjusted_index(parts, row.name, run))
        assert row.distance == pytest.approx(abs(row.correlation_index - 1), nan_ok=True)
        for side, fits in ((row.positive, True), (row.negative, False)):
            chosen = [one for one in mono if (one.label == E) == fits]
            assert (side.n, side.right) == (len(chosen), sum(one.right[run] for one in chosen))
            assert side.originals == sum((one.label == E) == fits for one in originals)
            assert same(side.index, hand.correlation_index(parts, row.name, run, "positive" if fits else "negative"))
    check(result)


@pytest.mark.parametrize("seed", SEEDS)
def test_pairs_by_hand(seed: int) -> None:
    """The index of every original: m/k, 0 or undefined; and the correlation over originals."""
    parts, result = diagnosed(seed)
    by_id = {one.id: one for one in parts}
    assert len(result.pairs) == 25 * len(NAMES)
    for row in result.pairs:
        assert same(row.correlation_index, hand.pair_index(parts, by_id[row.name], NAMES.index(row.run)))
    for correlation in result.correlations:
        rows = [row for row in result.pairs if row.run == correlation.run]
        x, y = [row.original_right for row in rows], [row.accuracy for row in rows]
        assert correlation.value == pytest.approx(np.corrcoef(x, y)[0, 1])


def test_exact_cases() -> None:
    """Two of three parts right: 3/2 where the original is right, 0 where it is wrong; no part right: undefined."""
    parts = [Part(f"o{at}", E, right=(at % 2 == 0,)) for at in range(4)]
    parts += [
        Part(f"m{at}{part}", E, f"o{at}", "lexical:synonymy", (at < 2 and part < 2,))
        for at in range(4)
        for part in range(3)
    ]
    result = diagnosis_of(*world(parts, ["run"]), replicates=99)
    assert [row.correlation_index for row in result.pairs[:2]] == [1.5, 0.0]
    assert all(math.isnan(row.correlation_index) for row in result.pairs[2:])
    reasons = {one.path: one.reason for one in result.undefined}
    assert reasons["/pairs/2/correlation_index"] == (
        "the original is right, and none of its 3 monothematic pairs is right"
    )
    assert "the original is wrong" in reasons["/pairs/3/correlation_index"]
    chart = result.charts()[-1]
    assert isinstance(chart, Counts)
    assert {place.name: sum(place.counts) for place in chart.places} == {
        "0": 1, "3/2": 1, "1/0": 1, "0/0": 1,
    }  # fmt: skip
    assert [place.name for place, _ in chart.on_scale] == ["3/2"]
    check(result)


def test_zero_denominator_is_undefined_with_counts() -> None:
    """No part right: no index, never infinity; the reason has the counts."""
    result = diagnosis_of(*world(counted_parts((3, 2), (2, 1), (4, 3), (0, 0)), ["run"]), replicates=99)
    assert math.isnan(result.overall[0].correlation_index)
    reasons = {one.path: one.reason for one in result.undefined}
    told = "0 of 7 monothematic pairs and 3 of 5 originals are right, so there is nothing to divide by"
    assert reasons["/overall/0/correlation_index"] == told
    assert result.overall[0].reading == "undefined"
    assert any(
        "the correlation index is undefined (3 of 5 originals and 0 of 7 mono" in one for one in result.findings()
    )
    check(result)


@pytest.mark.parametrize(
    ("right", "mono_right", "reading"),
    [
        ((20, 20), (60, 60), "ideal"),
        ((6, 6), (55, 55), "missing"),
        ((20, 20), (25, 25), "over"),
        ((12, 14), (40, 42), "not significant"),
    ],
)
def test_readings(right: tuple[int, int], mono_right: tuple[int, int], reading: str) -> None:
    """The three readings, and the one that says that there is none."""
    result = diagnosis_of(*world(counted_parts((20, 20), right, (60, 60), mono_right), ["run"]), replicates=500)
    row = result.overall[0]
    assert row.reading == reading
    assert row.correlation_interval is not None
    assert row.correlation_interval[0] <= row.correlation_index <= row.correlation_interval[1]


def test_deviation_interval_is_of_the_difference() -> None:
    """It holds CI(positive) − CI(negative), with its sign; the index is its size."""
    result = diagnosis_of(*world(counted_parts((20, 20), (6, 18), (60, 60), (55, 50)), ["run"]), replicates=500)
    row = result.overall[0]
    difference = (6 / 20) / (55 / 60) - (18 / 20) / (50 / 60)
    assert row.deviation_index == pytest.approx(-difference)
    low, high = row.deviation_interval or (0.0, 0.0)
    assert low < difference < high < 0
    assert any("deviation index 0.75" in one for one in result.findings())


def test_few_originals_have_no_interval() -> None:
    """Nothing is read into an index of a handful of originals."""
    result = diagnosis_of(*world(counted_parts((4, 4), (0, 0), (9, 9), (9, 9)), ["run"]), replicates=99)
    row = result.overall[0]
    assert (row.correlation_index, row.correlation_interval, row.reading) == (0.0, None, "too few to tell")
    reasons = {one.path: one.reason for one in result.undefined}
    assert reasons["/overall/0/correlation_interval"] == "there are fewer than 10 originals"


def test_interval_covers() -> None:
    """Where parts and wholes are right with one chance, about 95 % of the intervals hold 1 (120 worlds, 2.5 errors)."""
    random = np.random.default_rng(5)
    held = 0
    for _ in range(120):
        parts = [Part(f"o{at}", E, right=(bool(random.random() < 0.7),)) for at in range(40)]
        parts += [
            Part(f"m{at}{part}", E, f"o{at}", "lexical:synonymy", (bool(random.random() < 0.7),))
            for at in range(40)
            for part in range(3)
        ]
        low, high = diagnosis_of(*world(parts, ["run"]), replicates=199).overall[0].correlation_interval or (2, 0)
        held += low <= 1 <= high
    assert held / 120 == pytest.approx(0.94, abs=0.05)


def test_relevance_enters_the_monothematic_accuracy() -> None:
    """Weights of phenomena weigh parts, and never originals; equal weights change nothing."""
    parts = random_parts(1)
    weights = {"lexical:synonymy": 3.0, "reasoning:quantity": 0.0}
    given = world(parts, NAMES)
    result = diagnosis_of(*given, replicates=99, relevance=Relevance(weights))
    plain = diagnosis_of(*given, replicates=99)
    exact = {name: Fraction(weight) for name, weight in weights.items()}
    for run, row in enumerate(result.overall):
        assert row.accuracy == pytest.approx(float(hand.share(hand.groups(parts)["all"][0], run, exact) or 0))
        assert same(row.correlation_index, hand.correlation_index(parts, "all", run, weights=exact))
        assert row.originals == plain.overall[run].originals
        assert row.accuracy != plain.overall[run].accuracy
    equal = diagnosis_of(*given, replicates=99, relevance=Relevance(dict.fromkeys(map(str, given[0].phenomena), 2.0)))
    assert [row.accuracy for row in equal.overall] == pytest.approx([row.accuracy for row in plain.overall])
    assert [row.interval for row in equal.overall] == [pytest.approx(row.interval) for row in plain.overall]
    check(result)
    at = next(at for at, row in enumerate(result.phenomena) if row.name == "quantity")
    reasons = {one.path: one.reason for one in result.undefined}
    for field in ("accuracy", "interval", "correlation_index"):
        assert reasons[f"/phenomena/{at}/{field}"] == "the relevance of these pairs is 0"


def test_two_way_right() -> None:
    """UNKNOWN for CONTRADICTION is wrong three-way, and right two-way."""
    parts = [Part("o", C), Part("m1", C, "o", "lexical:synonymy"), Part("m2", E, "o", "lexical:synonymy")]
    made = decomposition_of(parts)
    runs = runs_of(made, {"run": [True] * 3})
    runs.codes[:] = 1
    three, two = (diagnose(runs, decomposition=made, way=way, replicates=99).overall[0] for way in ("3", "2"))
    assert (three.right, two.right) == (0, 1)
    assert (two.negative.right, two.positive.right) == (1, 0)
    assert two.originals is not None
    assert two.originals.right == 1


def test_unlabelled_pairs_are_left_out() -> None:
    """A part or an original without label is in no count; an original without labelled parts is no original."""
    parts = [Part("o1", E, right=(True,)), Part("o2", "-", right=(True,)), Part("o3", E, right=(True,))]
    parts += [
        Part("m1", E, "o1", "lexical:synonymy", (True,)),
        Part("m2", E, "o2", "lexical:synonymy", (False,)),
        Part("m3", "-", "o3", "lexical:synonymy", (True,)),
    ]
    result = diagnosis_of(*world(parts, ["run"]), replicates=99)
    assert (result.overall[0].n, result.overall[0].right) == (2, 1)
    assert [row.name for row in result.pairs] == ["o1"]
    assert result.overall[0].originals is not None
    assert result.overall[0].originals.n == 1
    check(result)


def planted() -> Diagnosis:
    """One phenomenon that one run fails and the other does not, among four that both are good at."""
    random, names = (
        np.random.default_rng(0),
        ("lexical:synonymy", "lexical:acronymy", "reasoning:quantity", "syntactic:list"),
    )
    parts = [Part(f"o{at}", E, right=(at % 5 > 0, at % 5 > 0)) for at in range(50)]
    for at in range(50):
        for name in names:
            fails = name == "reasoning:quantity" and at % 3 > 0
            good = bool(random.random() < 0.9)
            parts.append(Part(f"m{at}{name}", (E, C)[at % 2], f"o{at}", name, (good and not fails, good)))
    return diagnosis_of(*world(parts, NAMES), replicates=199)


def test_what_to_fix_first() -> None:
    """The planted weakness is named first, with what would be gained, and it is what separates the runs."""
    result = planted()
    told = result.findings()
    first = next(one for one in told if one.startswith("one: fix "))
    assert first.startswith("one: fix reasoning:quantity first. ")
    whole = result.overall[0]
    row = next(row for row in result.phenomena_of("one") if row.name == "quantity")
    assert f"{row.n - row.right} of 50 answers are wrong" in first
    assert f"it would score {(whole.right + row.n - row.right) / whole.n:.1%}" in first
    assert row.p_corrected < 0.0001
    assert "(corrected p < 0.0001)" in first
    assert any(one.startswith("two is not significantly weaker on any phenomenon than on the rest") for one in told)
    assert any(one.startswith("On reasoning:quantity, two is significantly better than one: by ") for one in told)
    assert [one.name for one in result.contests if one.different] == ["reasoning:quantity"]


def test_shrunken_between_own_and_common() -> None:
    """A shrunken accuracy lies between the slice's own and the mean of the prior."""
    result = planted()
    means = {prior.run: prior.mean for prior in result.priors}
    for row in result.phenomena:
        assert row.shrunken is not None
        low, high = sorted((row.accuracy, means[row.run]))
        assert low - 1e-9 <= row.shrunken.value <= high + 1e-9


def test_by_attribute(runs: karat.Responses) -> None:
    """Without originals: slices are those of `score --by`, and all that needs originals says why it is not there."""
    result = diagnose(runs, by="task")
    sliced = karat.score(runs, by=["task"], way="2")
    for row in result.phenomena:
        part = next(one for one in sliced.slices if one.value == row.name)
        assert row.accuracy == pytest.approx(
            next(one for one in part.runs if one.run == row.run).values["2"]["accuracy"]
        )
    assert (result.pairs, result.categories, result.correlations, result.originals) == ([], [], [], 0)
    assert {row.reading for row in result.overall} == {"no originals"}
    check(result)


def test_several_tags_a_pair() -> None:
    """A pair counts in the slice of each of its tags, and once overall; one without any is left out, and counted."""
    parts = [Part(f"o{at}", E, right=(at != 1,)) for at in range(4)]
    key = decomposition_of(parts).pairs
    key = replace(key, attributes={"tags": ("['a', 'b']", "a; b", "b", None)})
    made = by_attribute(key, "tags")
    assert [str(one) for one in made.phenomena] == ["a", "b"]
    runs = runs_of(made, {"run": [one.right[0] for one in parts]})
    result = diagnose(runs, by="tags")
    assert [(row.name, row.n, row.right) for row in result.phenomena] == [("a", 2, 1), ("b", 3, 2)]
    assert (result.overall[0].n, result.overall[0].right, result.without_value) == (3, 2, 1)
    assert "1 of 4 pairs has no tags and is left out." in result.findings()
    assert "left out: 1 pair without tags" in result.sheets()[0].notes


def test_wrong_calls() -> None:
    """What does not go together is refused in words."""
    made, runs = world(random_parts(0), NAMES)
    other = decomposition_of([Part("o", E), Part("m", E, "o", "lexical:synonymy")])
    with pytest.raises(UsageError, match="names its phenomena itself"):
        diagnose(runs, decomposition=made, by="phenomenon")
    with pytest.raises(UsageError, match="needs by=…"):
        diagnose(runs)
    with pytest.raises(UsageError, match="read against other pairs"):
        diagnose(runs, decomposition=other)
    with pytest.raises(UsageError, match="did you mean 'phenomenon'"):
        diagnose(runs, by="phenomena")


def test_rendered() -> None:
    """Every form renders; JSON has the promised fields, and one seed gives one result."""
    _, result = diagnosed(2)
    for form in ("text", "csv", "latex", "html"):
        assert result.render(form)
    for part in (result.overall, result.categories, result.phenomena, result.judgments):
        for name in ("accuracy", "interval", "n", "correlation_index", "deviation_index"):
            assert hasattr(part[0], name)
    assert diagnosed(2)[1].render("json") == result.render("json")
    assert {one.label for one in result.pairs} == {E, U, C}
    assert [one.name for one in result.contests] == [row.title for row in result.phenomena_of("one") if not row.small]


def constant(label: str) -> Diagnosis:
    """One answer to every pair; many parts are positive, and most originals are not."""
    parts = counted_parts((20, 20), (0, 0), (80, 20), (0, 0))
    parts = [replace(one, right=(one.label == label,)) for one in parts]
    return diagnosis_of(*world(parts, ["run"]), replicates=199)


def test_a_constant_run_is_not_read() -> None:
    """Its index over all is a ratio of the mixes of labels: 1 at the originals' mix, and nothing of combining."""
    result = constant(E)
    (row,) = result.overall
    assert row.correlation_index == pytest.approx(0.5 / 0.8)
    assert (row.correlation_interval or (0, 1))[1] < 1
    assert row.adjusted_index == 1.0
    assert row.reading == "one-sided"
    told = result.findings()
    assert any("says nothing about combining, since no negative part is right" in one for one in told)
    assert any(
        "(positive 1.00, negative" in one and "80% of the parts and 50% of the originals are positive" in one
        for one in told
    )
    assert any("it scores 80.0% on the parts, and always-entailment scores 80.0%" in one for one in told)
    assert not any("does not combine" in one for one in told)
    assert told[0].startswith(
        "run has most to gain on negative pairs: its accuracy on the parts would rise from 80.0% to 96.0%"
    )
    check(result)


def test_the_constant_systems_stand_beside() -> None:
    """Rows like those of runs with the same answers, in the overview in brackets."""
    result = constant(C)
    always = {row.run: row for row in result.baselines}
    assert set(always) == {"always-entailment", "always-unknown", "always-contradiction"}
    same = [
        replace(row, run="run", p=math.nan, p_corrected=math.nan, p_index=math.nan, p_index_corrected=math.nan)
        for row in (always["always-contradiction"], result.overall[0])
    ]
    assert repr(same[0]) == repr(same[1])  # NaN equals nothing
    assert always["always-entailment"].accuracy == pytest.approx(0.8)
    names = ["run", *(f"({name})" for name in always)]
    assert list(result.sheets()[0].columns[0].values) == names
    assert not any("is no better than" in one for one in planted().findings())


def test_halves_on_different_sides_of_1() -> None:
    """As good on each label as on its parts: no reading of 'missing', whatever the ratio over all."""
    result = diagnosis_of(*world(counted_parts((20, 40), (18, 20), (80, 20), (72, 10)), ["run"]), replicates=499)
    (row,) = result.overall
    assert row.correlation_index == pytest.approx((38 / 60) / 0.82)
    assert row.adjusted_index == pytest.approx(1.0)
    assert (row.correlation_interval or (0, 9))[1] < 1
    assert row.reading == "not significant"
    assert any("80% of the parts and 33% of the originals are positive" in one for one in result.findings())


def test_a_side_without_parts_is_not_read() -> None:
    """Negative originals and no negative part: nothing to adjust by, and that is the reading."""
    result = diagnosis_of(*world(counted_parts((20, 20), (10, 10), (60, 0), (50, 0)), ["run"]), replicates=99)
    assert result.overall[0].reading == "different label mixes"
    reasons = {one.path: one.reason for one in result.undefined}
    assert reasons["/overall/0/adjusted_index"] == "20 negative originals, but no part of that kind"
    assert any("which the mix of labels alone may explain" in one for one in result.findings())
    check(result)


def test_what_would_gain_most_comes_first() -> None:
    """One line for every run, before all else; what each kind would gain by hand."""
    result = planted()
    told = result.findings()
    assert [one.split()[0] for one in told[:2]] == ["one", "two"]
    assert told[0].startswith("one has most to gain on reasoning:quantity: ") or told[0].startswith(
        "one has most to gain on reasoning: "
    )
    whole, row = result.overall[0], next(row for row in result.phenomena_of("one") if row.name == "quantity")
    found = {one.kind: one for one in result.gains_of("one")}
    assert found["phenomenon"].points == pytest.approx(row.excess / whole.n)
    assert found["phenomenon"].before == pytest.approx(whole.accuracy)
    assert [one.points for one in result.gains_of("one")] == sorted(
        (one.points for one in found.values()), reverse=True
    )


def test_combining_may_gain_most() -> None:
    """Good on parts and bad on wholes: originals would be as good as their parts."""
    result = diagnosis_of(*world(counted_parts((20, 20), (6, 6), (60, 60), (57, 57)), ["run"]), replicates=199)
    (first,) = result.gains_of("run")
    assert (first.kind, first.before, first.after) == ("combining", pytest.approx(0.3), pytest.approx(0.95))
    assert result.findings()[0] == (
        "run has most to gain by combining parts: its accuracy on the originals would rise from 30.0% to 95.0% if it "
        "were as good there as on their parts."
    )


def test_many_runs_share_a_line() -> None:
    """Eight runs are not eight sentences: those with the same weakness, or with none, have one together."""
    names = [f"run{at}" for at in range(8)]
    result = diagnosis_of(*world(random_parts(3, runs=8), names), replicates=99)
    first = [one for one in result.findings() if "most to gain" in one or "not significantly weaker on any of" in one]
    assert len(first) < len(names)
    assert sorted(run for one in first for run in one.runs) == names
    chart = result.charts()[0]
    assert isinstance(chart, Heat)
    assert [name for name, _ in chart.series] == names
    assert any("intervals, positive and negative" in note for note in result.sheets()[1].notes)


def test_one_weakness_of_many_runs() -> None:
    """It is named once, with the best of the runs as example."""
    parts = [Part(f"o{at}", E, right=(True,) * 8) for at in range(80)]
    kinds = ["poor" if at % 4 == 0 else "fine" for at in range(80)]
    parts += [Part(f"m{at}", E, f"o{at}", f"lexical:{one}", (one == "fine",) * 8) for at, one in enumerate(kinds)]
    names = [f"run{at}" for at in range(8)]
    said = diagnosis_of(*world(parts, names), replicates=99).findings()[0]
    assert said == (
        "8 of 8 runs have most to gain on lexical:poor: the accuracy of run0 on the parts would rise from 75.0% to "
        "93.8% if it were as good there as on average."
    )
    assert list(said.runs) == names


def test_phenomena_drawn() -> None:
    """Most to gain first, with intervals, small ones marked; what is left out is counted."""
    result = planted()
    charts = result.charts()
    assert [chart.title.split(",")[0] for chart in charts[:2]] == ["Accuracy by phenomenon", "Accuracy by category"]
    assert isinstance(charts[0], Heat)
    assert charts[0].labels[0] == "reasoning:quantity"
    row = next(row for row in result.phenomena_of("one") if row.name == "quantity")
    assert (charts[0].series[0].values[0], charts[0].counts[0]) == (row.accuracy, row.n)
    many = [Part(f"o{at}", E, right=(True,)) for at in range(30)]
    many += [Part(f"m{at}", E, f"o{at}", f"lexical:kind {at:02}", (at != 7,)) for at in range(30)]
    chart = diagnosis_of(*world(many, ["run"]), replicates=99).charts()[0]
    assert isinstance(chart, Dots)
    assert len(chart.labels) == 20
    assert chart.labels[0] == "lexical:kind 07* (n 1)"
    assert chart.note.endswith("10 more with less to gain are in the table; * fewer than 10 pairs")


def test_side_by_side_with_intervals() -> None:
    """Two runs: an interval beside every accuracy; the records have both sides and the ends of the index."""
    result = planted()
    names = [column.name for column in result.sheets()[2].columns]
    assert names == ["phenomenon", "n", "one", "95% CI", "two", "95% CI"]
    names = [column.name for column in result.sheets()[1].columns]
    assert names[6:] == ["one, index", "index, 95% CI", "two, index", "index, 95% CI"]
    assert {"positive_accuracy", "negative_n", "index_low", "adjusted_index"} <= {
        column.name for column in result.records().columns
    }
    page = result.render("html")
    assert page.index("<h2>Runs") < page.index("<svg") < page.index("<h2>Phenomena")


@pytest.mark.parametrize("name", ["category", "judgment", "all"])
def test_an_attribute_of_any_name(name: str) -> None:
    """What an attribute is called makes no difference to what would gain most."""
    key = decomposition_of([Part(f"o{at}", E) for at in range(100)]).pairs
    key = replace(key, attributes={name: tuple("a" if at < 40 else "b" for at in range(100))})
    runs = runs_of(by_attribute(key, name), {"run": [at >= 36 for at in range(100)]})
    (first,) = diagnose(runs, by=name).gains_of("run")
    assert (first.name, first.before, first.after) == (
        "a",
        pytest.approx(0.64),
        pytest.approx(0.64 + 0.64 * 0.4 - 0.04),
    )


def test_words_for_an_attribute() -> None:
    """No value of it is worse, rather than no `tags`."""
    key = decomposition_of([Part(f"o{at}", E) for at in range(40)]).pairs
    key = replace(key, attributes={"tags": tuple("ab"[at % 2] for at in range(40))})
    runs = runs_of(by_attribute(key, "tags"), {"run": [at % 5 > 0 for at in range(40)]})
    assert any(
        one.startswith("run is not significantly weaker on any value of tags")
        for one in diagnose(runs, by="tags").findings()
    )


def test_most_pairs_are_no_weakness() -> None:
    """Nine of ten pairs are negative, a little worse than the rest: the phenomenon that fails comes first."""
    parts = [Part(f"o{at}", C, right=(True,)) for at in range(200)]
    for at in range(200):
        name = "lexical:acronymy" if at < 30 else "lexical:synonymy"
        parts.append(Part(f"m{at}", E if at >= 180 else C, f"o{at}", name, (at >= 25,)))
    result = diagnosis_of(*world(parts, ["run"]), replicates=99)
    assert [one.name for one in result.gains_of("run")] == ["lexical:acronymy"]
