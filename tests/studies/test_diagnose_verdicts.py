"""What a diagnosis claims: every test against plain loops, and how often it claims what is not there."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from benchmarks.calibration_diagnose import CLAIMS, World, claimed

from karat.statistics.multiple_testing import holm
from karat.studies.diagnose.result import Diagnosis
from karat.studies.diagnose.rows import PhenomenonRow
from karat.studies.diagnose.verdicts import expected_consistent
from tests.decompositions import C, E, Part, U, diagnosis_of, random_parts, world
from tests.studies import diagnose_by_hand as hand
from tests.studies.test_diagnose import NAMES, SEEDS, diagnosed


@pytest.mark.parametrize("seed", SEEDS)
def test_contests_by_hand(seed: int) -> None:
    """An exact p for every two runs on every phenomenon and category of ten pairs, corrected over all of them."""
    parts = random_parts(seed, runs=3)
    result = diagnosis_of(*world(parts, ("a", "b", "c")), replicates=99)
    groups = hand.groups(parts)
    found = [*result.contests, *result.category_contests]
    large = {name for name, (mono, _) in groups.items() if len(mono) >= 10}
    for asked, colon in ((result.contests, True), (result.category_contests, False)):
        names = {name for name in large if (":" in name) == colon and name.split(":")[0] in hand.CATEGORIES}
        assert {(one.name, one.a, one.b) for one in asked} == {
            (n, a, b) for n in names for a, b in combinations("abc", 2)
        }
    p = [float(hand.exchanged(groups[one.name][0], "abc".index(one.a), "abc".index(one.b))) for one in found]
    assert [one.p for one in found] == pytest.approx(p)
    assert [one.p_corrected for one in found] == pytest.approx(holm(np.array(p)).tolist())


@pytest.mark.parametrize("seed", SEEDS)
def test_verdicts_by_hand(seed: int) -> None:
    """Every slice of ten pairs by counting placements and by t over originals, corrected over the slices of all."""
    parts, result = diagnosed(seed)
    rows = [*result.categories, *result.phenomena, *result.judgments]
    groups = hand.groups(parts)
    mono = groups["all"][0]
    tested = [row for row in rows if row.n >= 10]
    assert len(tested) == result.slices_tested
    p = []
    for row in tested:
        name = f"{row.category}:{row.name}" if isinstance(row, PhenomenonRow) else row.name
        given = mono, groups[name][0], NAMES.index(row.run)
        p.append(max(float(hand.so_few(*given)), hand.weaker_by_t(*given)))
    assert [row.p for row in tested] == pytest.approx(p)
    after = np.minimum(2 * holm(np.array(p)), 1)
    assert [row.p_corrected for row in tested] == pytest.approx(after.tolist())
    assert [row.weaker for row in tested] == [one <= 0.05 for one in after]
    assert {row.weaker for row in rows if row.n < 10} <= {None}
    raw = np.array([row.p_index for row in result.overall])
    assert [row.p_index_corrected for row in result.overall] == pytest.approx(np.minimum(2 * holm(raw), 1).tolist())
    others = [row for row in (*result.categories, *result.judgments) if row.p_index == row.p_index]
    after = holm(np.array([row.p_index for row in others]))
    assert [row.p_index_corrected for row in others] == pytest.approx(after.tolist())
    for row in (*result.overall, *others):
        if row.reading in ("missing", "over"):
            assert row.p_index_corrected <= 0.05
            assert (row.adjusted_index < 1) == (row.reading == "missing")


@pytest.mark.parametrize("seed", SEEDS)
def test_index_test_by_hand(seed: int) -> None:
    """The difference of accuracies over its error, home by home."""
    parts, result = diagnosed(seed)
    for row in (*result.overall, *result.categories, *result.judgments):
        mono, originals = hand.groups(parts)[row.name]
        expected = hand.index_p(mono, originals, NAMES.index(row.run)) if len(originals) >= 10 else None
        assert math.isnan(row.p_index) if expected is None else row.p_index == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("sizes", "right"), [((2, 2), 2), ((2, 3, 2), 5), ((3, 2), 1), ((2, 2, 2), 6)])
def test_expected_consistency_by_enumeration(sizes: tuple[int, ...], right: int) -> None:
    """Every way to place the right answers, counted."""
    assert expected_consistent(np.array(sizes), right).mean() == pytest.approx(float(hand.scattered(sizes, right)))


def test_consistency() -> None:
    """Two groups of two: one right throughout; where labels differ, one answer to all cannot be."""
    parts = [Part("o1", E, right=(True,)), Part("o2", E, right=(True,)), Part("o3", E, right=(True,))]
    rows = [("o1", E, True), ("o1", C, True), ("o2", E, True), ("o2", E, False), ("o3", E, True)]
    parts += [Part(f"m{at}", label, o, "lexical:synonymy", (ok,)) for at, (o, label, ok) in enumerate(rows)]
    (one,) = diagnosis_of(*world(parts, ["run"]), replicates=99).consistency
    assert (one.groups, one.pairs, one.consistent, one.share, one.mixed, one.mixed_share) == (2, 4, 1, 0.5, 1, 1.0)
    assert one.expected == pytest.approx(0.5)  # three of four right: C(2,1)/C(4,3) of the ways fill a given group


def two_of_one_text(right: Callable[[int, int], bool], groups: int = 30) -> Diagnosis:
    """Groups of two pairs with one T, one of them ENTAILMENT and one CONTRADICTION."""
    parts = [Part(f"o{at}", E, right=(True,)) for at in range(groups)]
    parts += [
        Part(f"m{at}{p}", (E, C)[p], f"o{at}", "lexical:synonymy", (right(at, p),))
        for at in range(groups)
        for p in (0, 1)
    ]
    return diagnosis_of(*world(parts, ["run"]), replicates=99)


def test_minimal_pairs_that_are_traded() -> None:
    """Right on one of two, now this and now that: half of each label would make a quarter of the groups right."""
    result = two_of_one_text(lambda at, p: p == at % 2)
    (one,) = result.consistency
    assert (one.mixed, one.mixed_share, one.mixed_expected, one.traded) == (30, 0.0, 0.25, True)
    assert one.p == pytest.approx(1 / math.comb(30, 15))  # the only placement of 15 and 15 that has none in common
    told = [one for one in result.findings() if "at the cost of" in one]
    assert len(told) == 1
    assert told[0].startswith("run is right on one pair at the cost of another: of 30 groups of pairs with the same T")


def test_one_answer_to_all_is_no_trade() -> None:
    """Right on ENTAILMENT and never on CONTRADICTION: its accuracies make no group right, and so it is; a weak side."""
    result = two_of_one_text(lambda _, p: p == 0)
    (one,) = result.consistency
    assert (one.mixed_share, one.mixed_expected, one.p, one.traded) == (0.0, 0.0, 1.0, False)
    assert not any("at the cost of" in one for one in result.findings())
    assert any("run is significantly less accurate on negative pairs (0.0% of 30" in one for one in result.findings())


def test_groups_of_several_sizes_and_labels() -> None:
    """Groups of the same labels are scattered together: p by going through every placement."""
    random = np.random.default_rng(4)
    parts, groups = [], [(E, C), (E, C), (E, C), (E, U, C), (E, U, C), (E, E, C), (E, E, C), (E, E)]
    for at, labels in enumerate(groups):
        parts.append(Part(f"o{at}", E, right=(True,)))
        parts += [
            Part(f"m{at}{p}", label, f"o{at}", "lexical:synonymy", (bool(random.random() < 0.6),))
            for p, label in enumerate(labels)
        ]
    (one,) = diagnosis_of(*world(parts, ["run"]), replicates=99).consistency
    expected, p = hand.traded(parts, 0)
    assert (one.mixed, one.p) == (7, pytest.approx(float(p)))
    assert one.mixed_expected == pytest.approx(float(expected / 7))


def test_nothing_is_tested_of_few_pairs() -> None:
    """Slices and indices below `small` have no p, and the findings say that they were not tested."""
    _, result = diagnosed(1, small=1000)
    assert (result.contests, result.category_contests, result.slices_tested) == ([], [], 0)
    rows = [*result.overall, *result.categories, *result.phenomena, *result.judgments]
    assert all(math.isnan(row.p) and math.isnan(row.p_index) and row.weaker is None for row in rows)
    told = result.findings()
    assert "No phenomenon has 1,000 pairs or more, so runs are not compared on them." in told
    assert any(one.startswith("5 of 5 phenomenon slices have fewer than 1,000 pairs and are") for one in told)


def test_uncorrected() -> None:
    """On request p is not corrected, nor doubled, and no sentence says that it is."""
    _, result = diagnosed(1, correction="none")
    rows = [row for row in (*result.overall, *result.categories, *result.judgments) if row.p == row.p]
    assert [row.p_corrected for row in rows] == [row.p for row in rows]
    assert [row.p_index_corrected for row in result.overall] == [row.p_index for row in result.overall]
    assert not any("corrected p" in one.replace("uncorrected p", "") for one in result.findings())


NULLS = [
    (World("as good as each other", 8, 60, 4), set(CLAIMS) - {"index close to 1"}),
    (World("weak on two labels", 4, 60, 4, (0.85, 0.4, 0.4), alike=0.6), {"at the cost of the other"}),
]


@pytest.mark.parametrize(("null", "false"), NULLS)
def test_claims_of_what_is_not_there(null: World, false: set[str]) -> None:
    """Every claim, over everything it is picked from, is false in 5 % of data sets at most (30 of them, 2.5 errors)."""
    found = claimed(null, 30)
    assert max(found[name] for name in false) <= 0.05 + 2.5 * (0.05 * 0.95 / 30) ** 0.5, found
