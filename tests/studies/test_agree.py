"""Agree: what is given, what is not and why, pairs, folds, findings."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from karat.data.ballots import Ballots, Scale
from karat.data.coincidences import table_ballots
from karat.errors import UsageError
from karat.examples import BALLOTS
from karat.formats.ballots import read_ballots
from karat.labels import THREE
from karat.measures.agreement import coefficients
from karat.studies.agree import coefficients as computing
from karat.studies.agree.result import COEFFICIENT_NAMES, Agreement, Coefficient
from karat.studies.agree.study import agree
from tests.ballots import ballots_of, random_rows

YES_NO = Scale(("YES", "NO"))
JUDGES = [[381, 43, 2], [39, 217, 13], [9, 30, 66]]
UNDEFINED = {
    "one assessor": (ballots_of(["abab"]), dict.fromkeys(COEFFICIENT_NAMES, "only one assessor")),
    "no common unit": (ballots_of(["ab..", "..ab"]), dict.fromkeys(COEFFICIENT_NAMES, "no unit has two ballots")),
    "one label used of two": (
        ballots_of(["aaa", "aaa"], values="ab"),
        {
            "kappa": "all ballots have the same label",
            "pi": "all ballots have the same label",
            "fleiss_kappa": "all ballots have the same label",
            "alpha": "nothing to disagree on",
            "kappa_linear": "weighted coefficients need ordered labels",
            "kappa_quadratic": "weighted coefficients need ordered labels",
            "ac2": "weighted coefficients need ordered labels",
        },
    ),
    "one label there is": (
        ballots_of(["aaa", "aaa"], level="ordinal"),
        {name: "" for name in COEFFICIENT_NAMES if name != "agreement"},
    ),
    "three assessors": (
        ballots_of(["abab", "abba", "aabb"]),
        {
            "kappa": "Cohen's kappa is defined for two assessors, and there are more",
            "pi": "Scott's pi is defined for two ballots per unit, and some unit has more",
            "kappa_linear": "",
            "kappa_quadratic": "",
            "ac2": "",
        },
    ),
    "slots": (
        ballots_of(["abab", "abba"], level="ordinal", exchangeable=True),
        {
            name: f"{COEFFICIENT_NAMES[name]} requires identified assessors"
            for name in ("kappa", "kappa_linear", "kappa_quadratic")
        },
    ),
}


def check_nulls(result: Agreement) -> dict[str, str]:
    """Every null in the JSON has its reason, and every reason leads to a null or to an empty list."""
    parsed = json.loads(result.render("json"))
    reasons = {one["path"]: one["reason"] for one in parsed["undefined"]}

    def walk(node: Any, path: str) -> set[str]:
        if node is None:
            return {path}
        children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        return set().union(*(walk(child, f"{path}/{name}") for name, child in children)) if children else set()

    told = {
        path
        for name in ("clusters", "coefficients", "pairwise", "per_label", "confusions", "folded", "more_ballots")
        for path in walk(parsed[name], f"/{name}")
    }
    assert told <= set(reasons)
    assert all(path in told or path.rpartition("/")[2] in ("pairwise", "per_label", "confusions") for path in reasons)
    return reasons


@pytest.mark.parametrize(("ballots", "expected"), UNDEFINED.values(), ids=UNDEFINED)
def test_undefined(ballots: Ballots, expected: dict[str, str]) -> None:
    """What is not defined is NaN with its reason, and nothing else is."""
    result = agree(ballots)
    reasons = check_nulls(result)
    missing = {name for name, one in result.coefficients.items() if one.value != one.value}
    assert missing == set(expected)
    for name, reason in expected.items():
        assert reason in reasons[f"/coefficients/{name}/value"]
    result.render("html")
    result.render("text")


def test_no_ballots() -> None:
    """Nothing at all is an error of the call."""
    with pytest.raises(UsageError, match="no ballots"):
        agree(replace(ballots_of(["."], values="ab")))


def test_every_coefficient_has_a_name_and_an_interval() -> None:
    """On ordinal ballots of two assessors all are defined, with the value inside the interval."""
    result = agree(table_ballots(JUDGES, Scale(THREE.labels, "ordinal")))
    assert list(result.coefficients) == list(COEFFICIENT_NAMES) == [entry.name for entry in coefficients]
    for name, one in result.coefficients.items():
        assert one.low < one.value < one.high, name
        assert one.error > 0


def test_perfect_agreement() -> None:
    """Coefficients are 1 with an interval that ends there, and say why they have no standard error."""
    result = agree(ballots_of(["aabb", "aabb"]))
    reasons = check_nulls(result)
    assert {one.value for one in result.coefficients.values() if one.value == one.value} == {1.0}
    assert result.coefficients["agreement"].low == pytest.approx(0.5101, abs=1e-4)
    for name in ("kappa", "pi", "fleiss_kappa", "alpha", "ac1"):
        one = result.coefficients[name]
        assert one.low < 0.6 < one.high == 1
        assert "does not vary over units" in reasons[f"/coefficients/{name}/error"]
    assert result.pairwise[0].bowker.freedom == 0
    assert reasons["/pairwise/0/bowker/p"] == "the two never disagree"
    assert reasons["/pairwise/0/mcnemar/exact"] == "the two never disagree"


def test_levels() -> None:
    """The level asked for goes before that of the ballots; words are no interval scale."""
    ballots = table_ballots(JUDGES, Scale(THREE.labels))
    assert agree(ballots).coefficients["alpha"].value == pytest.approx(0.706506, abs=1e-6)
    assert agree(ballots, level="ordinal").coefficients["alpha"].value == pytest.approx(0.782111, abs=1e-6)
    ordinal = replace(ballots, scale=Scale(THREE.labels, "ordinal"))
    assert agree(ordinal).level == "ordinal"
    assert agree(ordinal, level="nominal").level == "nominal"
    with pytest.raises(UsageError, match="an interval scale has numbers"):
        agree(ballots, level="interval")
    with pytest.raises(UsageError, match="level"):
        agree(ballots, level="cardinal")


def test_numbers_may_be_uneven() -> None:
    """On an interval scale 1, 2, 10 are not 1, 2, 3."""
    ballots = ballots_of(random_rows(3, values=3))
    near, far = (
        agree(replace(ballots, scale=Scale(values, "interval"))).coefficients["alpha"].value
        for values in (("1", "2", "3"), ("1", "2", "10"))
    )
    assert near != pytest.approx(far)


def test_pairs_with_most_in_common_come_first() -> None:
    """Pairs without common units are none; of the others so many are told as are asked for."""
    ballots = ballots_of(["abab..", "abba..", "..abab", "....ab"])
    result = agree(ballots)
    assert [(pair.a, pair.b, pair.units) for pair in result.pairwise] == [
        ("a", "b", 4),
        ("a", "c", 2),
        ("b", "c", 2),
        ("c", "d", 2),
    ]
    assert result.pairs == 4
    few = agree(ballots, pairs=1)
    assert (few.pairs, len(few.pairwise or [])) == (4, 1)
    assert "3 more pairs have units in common" in few.render("text")
    assert agree(ballots, pairs=0).pairwise == []
    check_nulls(result)


def test_a_pair_in_full() -> None:
    """Table, conditionals both ways, tests, and the maximum of the judges of RTE-3."""
    (pair,) = agree(table_ballots(JUDGES, Scale(THREE.labels), ("J1", "J2"))).pairwise or []
    assert (pair.a, pair.b, pair.units, pair.table) == ("J1", "J2", 800, JUDGES)
    assert pair.per_label[2].a_to_b == pytest.approx(66 / 105)
    assert pair.per_label[2].b_to_a == pytest.approx(66 / 81)
    assert pair.per_label[2].agreement == pytest.approx(132 / 186)
    assert pair.stuart_maxwell.freedom == 2
    assert pair.mcnemar is None


def test_folded() -> None:
    """Three-way ballots are also told two-way, as if ◇ and ⊣ had been one label; others say that they do not fold."""
    ballots = table_ballots(JUDGES, Scale(THREE.labels))
    folded = agree(ballots).folded["2"]
    by_hand = agree(table_ballots([[381, 45], [48, 326]], YES_NO))
    assert folded is not None
    assert folded.pairwise[0].table == [[381, 45], [48, 326]]
    for name, one in folded.coefficients.items():
        assert (one.value, one.error) == pytest.approx(
            (by_hand.coefficients[name].value, by_hand.coefficients[name].error), nan_ok=True
        )
    assert folded.pairwise[0].mcnemar is not None
    assert by_hand.folded == {"2": None}
    assert check_nulls(by_hand)["/folded/2"] == "only three-way labels can be merged into two"


def test_labels() -> None:
    """Each label has its ballots, its share and its agreement."""
    result = agree(ballots_of(["aab", "abb", "a.."], values="abc"))
    assert [(one.label, one.ballots) for one in result.per_label] == [("a", 4), ("b", 3), ("c", 0)]
    assert result.per_label[0].share == pytest.approx(4 / 7)
    # Unit 1: three of a, each with two others that agree: 3. Unit 2: one a, none. Four of a in all.
    assert result.per_label[0].agreement == pytest.approx(3 / 4)
    assert math.isnan(result.per_label[2].agreement)
    assert "no unit with two ballots or more has this label" in check_nulls(result)["/per_label/2/agreement"]


def test_order_of_ballots_and_names_does_not_matter() -> None:
    """Rows of the file may come in any order: nominal coefficients are the same, bootstrapped intervals nearly."""
    ballots = ballots_of(random_rows(11))
    order = np.random.default_rng(0).permutation(len(ballots))
    shuffled = replace(ballots, unit=ballots.unit[order], assessor=ballots.assessor[order], code=ballots.code[order])
    # Reprs, because NaN is not itself.
    assert repr(agree(shuffled).coefficients) == repr(agree(ballots).coefficients)


def numbers_of_two(units: int) -> Ballots:
    """Two who give each unit a number of its own, alike so far as the unit decides."""
    random = np.random.default_rng(0)
    numbers = np.round(random.normal(size=units) + random.normal(size=(2, units)), 9)
    values, codes = np.unique(numbers.ravel(), return_inverse=True)
    return Ballots(
        units=tuple(map(str, range(units))),
        assessors=("a", "b"),
        scale=Scale(tuple(map(repr, values.tolist())), "interval"),
        unit=np.tile(np.arange(units, dtype=np.int32), 2),
        assessor=np.repeat(np.arange(2, dtype=np.int32), units),
        code=codes.astype(np.int32),
    )


def test_seeds() -> None:
    """The same seed gives the same resampled interval of many numbers, another nearly the same; labels need none."""
    ballots = numbers_of_two(400)
    one, again, other = (agree(ballots, seed=seed).coefficients["alpha"] for seed in (1, 1, 2))
    assert one == again
    assert one.low != other.low
    assert one.low == pytest.approx(other.low, abs=0.01)
    labels = table_ballots(JUDGES, Scale(THREE.labels))
    assert repr(agree(labels, seed=1).coefficients) == repr(agree(labels, seed=2).coefficients)


def test_beyond_the_bootstrap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are too many units to resample the delta method gives nearly the same interval."""
    ballots = numbers_of_two(800)
    resampled = agree(ballots).coefficients["alpha"]
    monkeypatch.setattr(computing, "MOST_BOOTSTRAPPED", 100)
    plain = agree(ballots).coefficients["alpha"]
    assert (plain.value, plain.error) == (resampled.value, resampled.error)
    assert (plain.low, plain.high) == pytest.approx((resampled.low, resampled.high), abs=0.01)
    assert plain.low != resampled.low


def test_many_values() -> None:
    """Numbers that are all different have alpha at every level that takes them as such; the rest says why not."""
    ballots = numbers_of_two(3000)
    for level in ("interval", "ordinal"):
        result = agree(ballots, level=level)
        assert result.coefficients["alpha"].value == pytest.approx(0.5, abs=0.05)
        assert result.coefficients["alpha"].low < result.coefficients["alpha"].value
        assert result.pairwise is None is result.per_label
        assert len(result.labels) == 1000
        reasons = check_nulls(result)
        assert "more than 30 different values" in reasons["/pairwise"]
    nominal = agree(ballots, level="nominal")
    assert "too many different values" in check_nulls(nominal)["/coefficients/ac1/value"]


def test_too_many_assessors_to_pair() -> None:
    """A crowd beyond memory has its coefficients, and a reason instead of pairs."""
    size = 9000
    ballots = Ballots(
        units=tuple(map(str, range(size))),
        assessors=tuple(f"w{worker}" for worker in range(size)),
        scale=YES_NO,
        unit=np.repeat(np.arange(size, dtype=np.int32), 2),
        assessor=np.stack([np.arange(size), (np.arange(size) + 1) % size], axis=1).ravel().astype(np.int32),
        code=np.random.default_rng(0).integers(0, 2, 2 * size).astype(np.int32),
    )
    result = agree(ballots)
    assert result.coefficients["alpha"].value == pytest.approx(0, abs=0.05)
    assert "too many to compare in pairs" in check_nulls(result)["/pairwise"]


def told(ballots: Ballots, **options: Any) -> str:
    """All findings, one after the other."""
    return " ".join(agree(ballots, **options).findings())


def test_findings() -> None:
    """Prevalence, systematic difference, the hardest label, slots, single ballots, third assessors, swapped labels."""
    paradox = told(table_ballots([[118, 5], [2, 0]], YES_NO))
    assert "Kappa is −0.023 and AC1 is 0.941 at an agreement of 94.4%" in paradox
    assert "97% of all ballots are YES" in paradox
    assert "AC1" not in told(table_ballots([[40, 9], [6, 45]], YES_NO))
    judges = told(table_ballots(JUDGES, Scale(THREE.labels), ("J1", "J2")))
    assert (
        "J1 and J2 use the labels with significantly different frequencies (Stuart–Maxwell test, p = 0.0047)" in judges
    )
    assert (
        "agree significantly less on CONTRADICTION than on ENTAILMENT: if one gives the label, another does 71.0% of "
        "the time, compared with 89.1%"
    ) in judges
    assert "do not say who cast them" in told(table_ballots([[9], [2, 9]], YES_NO))
    assert "2 of 4 units have fewer than two ballots" in told(ballots_of(["abab", "ab.."]))
    third = told(ballots_of(["a" * 30 + "b" * 30 + "a" * 6, "a" * 30 + "b" * 30 + "b" * 6, "." * 60 + "ab" * 3]))
    assert (
        "Assessors agree significantly less on units with more than 2.1 ballots: two ballots agree 33.3% of the time"
        in third
    )
    assert "swapped" in told(ballots_of(["abab" * 9 + "aabb", "baba" * 9 + "abab"]))
    swapped = agree(ballots_of(["a" * 40 + "b" * 40, "a" * 40 + "b" * 20 + "a" * 20, "a" * 40 + "b" * 20 + "a" * 20]))
    assert any(
        "2 of 3 pairs of assessors use the labels with significantly different frequencies" in one
        for one in swapped.findings()
    )


def test_the_shipped_example() -> None:
    """Rendered in every form, signed, and the same from a data frame."""
    result = agree(read_ballots(BALLOTS))
    assert (result.assessors, result.units, result.paired, result.ballots) == (["anna", "ben"], 160, 160, 320)
    for form in ("text", "json", "csv", "latex", "html"):
        assert result.render(form)
    assert result.signature.study == "agree"
    assert result.signature.parameters["interval"] == 0.95
    frame = result.to_polars()
    (row,) = (row for row in frame.iter_rows(named=True) if (row["name"], row["fold"]) == ("alpha", None))
    assert Coefficient(*(row[part] for part in ("value", "low", "high", "error"))) == result.coefficients["alpha"]


def test_one_assessor_in_words() -> None:
    """One is singular."""
    text = agree(ballots_of(["ab"])).render("text")
    assert text.startswith("1 assessor, 2 units, 2 ballots")


def test_the_signature_says_how_ballots_were_read(tmp_path: Path) -> None:
    """Every option that was given stands in it; a level given to the study stands over the file's."""
    (tmp_path / "b.csv").write_text("wer,was,wovon\nanna,2: good,1\nben,1: bad,1\n")
    options: dict[str, Any] = {
        "ballot_column": {"assessor": "wer", "label": "was", "unit": "wovon"},
        "leading": ("1", "2"),
    }
    ballots = read_ballots(tmp_path / "b.csv", level="ordinal", **options)
    assert agree(ballots).signature.parameters == {
        "level": "ordinal", "pairs": 50, "cluster": None, "interval": 0.95, **options,
    }  # fmt: skip
    assert agree(ballots, level="nominal").signature.parameters["level"] == "nominal"
    assert "leading:1,2" in str(agree(ballots).signature)


def test_what_does_not_vary_is_named() -> None:
    """Two units on which three agree alike: each coefficient says of itself that its error is not known."""
    result = agree(ballots_of(["ab", "ab", "ba"]))
    reasons = {one.path: one.reason for one in result.undefined}
    assert reasons["/coefficients/ac1/error"] == "Gwet's AC1 does not vary over units here, so its error is unknown"
    assert result.coefficients["ac1"].low < result.coefficients["ac1"].high
    assert "Fleiss' kappa does not vary over units here" in result.render("text")


def test_small_p_is_no_zero() -> None:
    """A p below a ten-thousandth is the number in the sheet, and said to be small by what people read."""
    result = agree(table_ballots([[50, 60], [1, 50]], YES_NO))
    (sheet,) = [sheet for sheet in result.sheets() if sheet.title == "Pairs of assessors"]
    held = {column.name: column.values[0] for column in sheet.columns}
    assert held["p Bowker"] == pytest.approx(chi2.sf(59**2 / 61, 1))
    assert "<0.0001" in result.render("text")
    assert "e-14" not in result.render("text")


def test_fleiss_below_minus_one() -> None:
    """Disputed units and single ballots, shares 2/3 and 1/3: −5/4 is outside the range, and the interval holds it."""
    found = agree(ballots_of(["xxxxxx", "yyyy.."])).coefficients["fleiss_kappa"]
    assert found.value == pytest.approx(-1.25)
    assert found.low <= found.value < found.high


@pytest.mark.parametrize("power", [-200, 0, 200])
def test_numbers_whose_squares_are_none(power: int, recwarn: pytest.WarningsRecorder) -> None:
    """Numbers of any size have the alpha and the kappas of small ones, and nothing is said to be the same."""
    ballots = ballots_of(["012340123401", "012340123412"], "interval")
    scaled = replace(ballots, scale=Scale(tuple(f"{number}e{power}" for number in range(5)), "interval"))
    result, plain = agree(scaled), agree(ballots)
    for name in ("alpha", "kappa_linear", "kappa_quadratic"):
        found, expected = (vars(one.coefficients[name]) for one in (result, plain))
        assert found == pytest.approx(expected, rel=1e-9)
    assert not any("say the same" in one.reason for one in result.undefined)
    assert not recwarn.list


@pytest.mark.parametrize("rows", [["x", "y"], ["xxyy", "xxyy"], ["xy", "yx"]])
def test_no_error_is_zero(rows: list[str]) -> None:
    """One unit, or units that are all alike, tell no error: it is undefined, with its reason."""
    result = agree(ballots_of(rows))
    check_nulls(result)
    errors = [one.error for one in result.coefficients.values()] + [one.error for one in result.per_label]
    errors += [result.pairwise[0].agreement.error, result.pairwise[0].kappa.error]
    assert all(math.isnan(error) for error in errors)
    reasons = {one.path: one.reason for one in result.undefined}
    few = "an error needs at least two units" if len(rows[0]) == 1 else "does not vary over units"
    assert few in reasons["/coefficients/kappa/error"]


def test_some_ballots_are_not_signed_as_the_file() -> None:
    """Two halves of a file's assessors have different signatures; all of them have the file's."""
    ballots = read_ballots(BALLOTS)
    halves = [ballots.of(ballots.assessors[:2]), ballots.of(ballots.assessors[1:3])]
    one, other = (agree(half).signature.files for half in halves)
    assert one != other
    assert agree(ballots.of(ballots.assessors)).signature.files == agree(ballots).signature.files
    assert agree(ballots).signature.files == tuple(one.bare for one in ballots.sources)
