"""Judges of names, ranks and amounts: coefficients under their own names, medians, and what numbers want said."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from karat.data.ballots import Ballots, Level, Scale
from karat.data.coincidences import Coincidence, table_ballots
from karat.data.tables import Table
from karat.errors import UsageError
from karat.formats.ballots import read_ballots
from karat.measures.agreement import coefficients
from karat.studies.agree.study import agree
from karat.studies.judge.agreement import Judging, with_each
from karat.studies.judge.study import judge
from karat.studies.judge.sums import PersonSums
from tests.ballots import reliability
from tests.cli.calls import as_json, karat
from tests.undefined import json_explained

LEVELS: tuple[Level, ...] = get_args(Level)


def ballots(said: dict[str, list[int]], level: Level = "ordinal", values: int = 5) -> Ballots:
    """Grades from 0 on; -1 is nothing."""
    codes = np.array(list(said.values()), dtype=np.int32)
    assessor, unit = (one.astype(np.int32) for one in np.nonzero(codes >= 0))
    units = tuple(str(place) for place in range(codes.shape[1]))
    scale = Scale(tuple(str(value) for value in range(values)), level)
    return Ballots(units, tuple(said), scale, unit, assessor, codes[assessor, unit])


def grades(units: int, people: int, seed: int, missing: float = 0.0, values: int = 5) -> dict[str, list[int]]:
    """People and a judge who are off by one or so now and then."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, values, units)
    said = np.clip(truth + random.integers(-1, 2, (people + 1, units)), 0, values - 1)
    said[:people] = np.where(random.random((people, units)) < missing, -1, said[:people])
    names = [*(f"p{place}" for place in range(people)), "auto"]
    return {name: row.tolist() for name, row in zip(names, said, strict=True)}


def test_people_have_the_coefficients_of_agree() -> None:
    """40 / 30 / 5 / 25: kappa is .3269 and pi .2839, each under its own name, as scikit-learn and krippendorff say."""
    people = table_ballots([[40, 30], [5, 25]], Scale(("YES", "NO")), ("anna", "ben"))
    size = len(people.units)
    judged = replace(
        people,
        assessors=(*people.assessors, "auto"),
        unit=np.concatenate([people.unit, np.arange(size, dtype=np.int32)]),
        assessor=np.concatenate([people.assessor, np.full(size, 2, dtype=np.int32)]),
        code=np.concatenate([people.code, people.matrix()[0]]),
    )
    found = judge(judged, automatic=["auto"]).people.coefficients
    assert found["kappa"].value == pytest.approx(0.3269, abs=5e-5)
    assert found["pi"].value == pytest.approx(0.2839, abs=5e-5)
    assert found["kappa"].value == pytest.approx(cohen_kappa_score(*people.matrix()))
    package = pytest.importorskip("krippendorff", reason="the package krippendorff is not installed")
    theirs = package.alpha(reliability(people), level_of_measurement="nominal")
    assert found["alpha"].value == pytest.approx(theirs)
    assert repr(found) == repr(agree(people).coefficients)


@pytest.mark.parametrize("level", LEVELS)
def test_one_person_and_the_judge_are_two_assessors(level: Level) -> None:
    """With one person a unit a judge's coefficients and intervals are what `agree` says of the two, at every level."""
    made = ballots(grades(80, 1, 0), level)
    judged, both = judge(made, automatic=["auto"]), agree(made)
    assert repr(judged.judges[0].coefficients) == repr(both.coefficients)
    assert judged.level == both.level == level


def test_a_judge_who_is_always_right_may_still_err() -> None:
    """Of 30 units agreed on, agreement has Wilson's interval with one person a unit, and an interval with more."""
    truth = [0, 1, 2] * 10
    alone, three = (
        judge(ballots({**dict.fromkeys(people, truth), "auto": truth}, "nominal", 3), automatic=["auto"]).judges[0]
        for people in (("p0",), ("p0", "p1", "p2"))
    )
    assert alone.coefficients["agreement"].low == pytest.approx(30 / (30 + 1.959963984540054**2))
    assert 0.8 < three.coefficients["agreement"].low < 1
    assert 0.7 < three.coefficients["alpha"].low < 1


@pytest.mark.parametrize(("people", "units", "rare"), [(1, 20, 0.05), (1, 50, 0.02), (3, 20, 0.05), (3, 50, 0.05)])
def test_intervals_of_rare_labels_cover(people: int, units: int, rare: float) -> None:
    """Kappa, alpha, AC1 and agreement with people hold the truth in about 95 % of data sets, however rare a label."""
    names, sets, chance = ("agreement", "kappa", "alpha", "ac1"), 120, np.array([1 - rare, rare])
    says = 0.6 * np.eye(2) + 0.4 * chance  # anything but what the unit is, now and then, as often as it is
    table = Table(np.einsum("l,li,lj->ij", chance, says, says) * 1e9, ("0", "1"))
    subjects = {
        name: table if coefficients[name].facts["of"] is Table else Coincidence.of_table(table) for name in names
    }
    truth = {name: float(coefficients[name].function(subject)) for name, subject in subjects.items()}
    held, known = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for seed in range(sets):
        random = np.random.default_rng(seed)
        is_rare = (random.random(units) < rare).astype(int)
        codes = (random.random((people + 1, units)) < says[is_rare, 1]).astype(int)
        said = {name: row.tolist() for name, row in zip([*map(str, range(people)), "auto"], codes, strict=True)}
        every = judge(ballots(said, "nominal", 2), automatic=["auto"]).judges[0].coefficients
        for name in names:
            if every[name].value == every[name].value:
                known[name] += 1
                held[name] += every[name].low <= truth[name] <= every[name].high
    for name in names:
        assert held[name] >= 0.9 * known[name], name


@pytest.mark.parametrize("level", LEVELS)
def test_a_person_drawn_at_random(level: Level) -> None:
    """Of two people a unit, a judge's coefficients are those of the judge with either, both counted as one unit each.

    Alpha knows how many units there are, and so differs by as much as one unit in twice as many.
    """
    made = grades(60, 2, 1)
    twice = {"person": made["p0"] + made["p1"], "auto": made["auto"] * 2}
    ours = judge(ballots(made, level), automatic=["auto"]).judges[0].coefficients
    theirs = agree(ballots(twice, level)).coefficients
    for name in ours:
        close = 0.005 if name == "alpha" else 1e-9
        assert ours[name].value == pytest.approx(theirs[name].value, abs=close, nan_ok=True), name


@pytest.mark.parametrize("level", LEVELS)
def test_errors_are_those_of_the_jackknife(level: Level) -> None:
    """Leaving out one unit at a time gives nearly the same standard errors."""
    made = ballots(grades(150, 3, 2, missing=0.3), level)
    people, said = made.of(["p0", "p1", "p2"]), made.of(["auto"]).matrix()[0]
    judging = Judging.of(people, said)
    for name in ("agreement", "kappa", "alpha", "ac1", *(() if level == "nominal" else ("kappa_quadratic", "ac2"))):
        entry, values = coefficients[name], []
        for unit in range(150):
            without = np.where(np.arange(150) == unit, -1, said)
            values.append(Judging.of(people, without).coefficient(entry, 0.95).value)
        apart = np.array(values) - np.mean(values)
        jackknife = np.sqrt((apart**2).sum() * 149 / 150)
        assert judging.coefficient(entry, 0.95).error == pytest.approx(jackknife, rel=0.05), name


def test_weighted_kappa_with_each() -> None:
    """The judge with each person, in ranks, is scikit-learn's quadratic kappa; of names there is none."""
    made = grades(80, 3, 3, missing=0.2)
    said = np.array(made["auto"], dtype=np.int32)
    people = ballots(made).of(["p0", "p1", "p2"])
    for one, codes in zip(
        with_each(PersonSums.of(people, said[None]), 0, people.assessors, people.scale), people.matrix(), strict=True
    ):
        there = codes >= 0
        assert one.kappa_quadratic == pytest.approx(
            cohen_kappa_score(codes[there], said[there], weights="quadratic", labels=range(5))
        )
    named = judge(ballots(made, "nominal"), automatic=["auto"])
    assert np.isnan(named.judges[0].with_each[0].kappa_quadratic)
    assert "--level" in {one.path: one.reason for one in named.undefined}["/judges/0/with_each/0/kappa_quadratic"]


def test_near_misses_count_by_level() -> None:
    """A judge one grade off on every unit agrees with nobody by names, and with everybody in ranks."""
    truth = [0, 1, 2, 3] * 25
    made = {"a": truth, "b": truth, "c": truth, "auto": [grade + 1 for grade in truth]}
    names, ranks = (judge(ballots(made, level), automatic=["auto"]).judges[0] for level in ("nominal", "ordinal"))
    assert names.coefficients["kappa"].value < 0
    assert ranks.coefficients["kappa_quadratic"].value > 0.7
    assert ranks.coefficients["ac2"].value > 0.7


def test_grades_have_a_median() -> None:
    """People who say 1, 2, 4 mean 2; who say 1 and 3 are tied; names have a majority instead."""
    made = {"a": [1, 1, 0], "b": [2, 3, 0], "c": [4, -1, 1], "auto": [2, 2, 0]}
    ranks, names = (judge(ballots(made, level), automatic=["auto"]) for level in ("ordinal", "nominal"))
    assert ranks.judges[0].confusion is not None
    assert names.judges[0].confusion is not None
    assert (np.trace(ranks.judges[0].confusion.counts), ranks.judges[0].confusion.tied) == (2, 1)
    assert (np.trace(names.judges[0].confusion.counts), names.judges[0].confusion.tied) == (1, 2)
    assert "compared with people's median" in ranks.render("text")
    assert "compared with people's majority" in names.render("text")


def test_many_amounts() -> None:
    """A hundred different amounts are no labels: alpha and the test are given, tables and shares are not."""
    made = ballots(grades(200, 3, 4, values=101), "interval", 101)
    result = judge(made, automatic=["auto"])
    one = result.judges[0]
    assert one.confusion is None
    assert one.rates.labels == []
    assert one.alternative.passes is not None
    assert one.coefficients["alpha"].low < one.coefficients["alpha"].value < one.coefficients["alpha"].high
    json_explained(json.loads(result.render("json")))
    alone = made.of(["p0", "auto"])
    found = judge(alone, automatic=["auto"]).judges[0].coefficients
    package = pytest.importorskip("krippendorff", reason="the package krippendorff is not installed")
    theirs = package.alpha(reliability(alone), level_of_measurement="interval")
    assert found["alpha"].value == pytest.approx(theirs)
    assert found["agreement"].value == pytest.approx(np.mean(alone.matrix()[0] == alone.matrix()[1]))


def write(folder: Path, said: dict[str, list[int]]) -> str:
    """The ballots as a file."""
    rows = [f"u{unit}\t{name}\t{code}\n" for name, row in said.items() for unit, code in enumerate(row) if code >= 0]
    file = folder / "grades.tsv"
    file.write_text("unit\tassessor\tlabel\n" + "".join(rows))
    return str(file)


NEITHER = "the labels are 5 different numbers, 0 to 4: say whether they are names, ranks or amounts, --level"


def test_numbers_want_a_level(tmp_path: Path) -> None:
    """Grades without a level are refused with what to say, in `judge`, `agree` and `report`; with one they are used."""
    file = write(tmp_path, grades(60, 3, 5))
    for call in (
        ["judge", file, "--automatic", "auto"],
        ["agree", file],
        ["report", "--judged", file, "--automatic", "auto", "--format", "json"],
    ):
        refused = karat(*call, "--quiet")
        assert NEITHER in refused.stderr, call
        assert refused.returncode == 2, call
        assert karat(*call, "--level", "ordinal", "--quiet").returncode == 0, call
    made = as_json("judge", file, "--automatic", "auto", "--level", "ordinal")
    json_explained(made)
    assert made["level"] == "ordinal"
    assert made["signature"]["parameters"]["level"] == "ordinal"
    assert made["judges"][0]["coefficients"]["ac2"]["value"] is not None
    with pytest.raises(UsageError, match="names, ranks or amounts"):
        judge(read_ballots(file), automatic=["auto"])
    assert judge(read_ballots(file), automatic=["auto"], level="interval").level == "interval"


def test_words_in_order(tmp_path: Path) -> None:
    """Words have the order that is given, and are ranks then."""
    words = ["poor", "fair", "good"]
    said = grades(40, 2, 6, values=3)
    rows = [f"u{unit},{name},{words[code]}\n" for name, row in said.items() for unit, code in enumerate(row)]
    file = tmp_path / "words.csv"
    file.write_text("unit,assessor,label\n" + "".join(rows))
    order = [part for word in words for part in ("--order", word)]
    ranked = as_json("judge", str(file), "--automatic", "auto", *order)
    assert ranked["level"] == "ordinal"
    assert as_json("judge", str(file), "--automatic", "auto")["level"] == "nominal"
