"""Automatic judges on real data: three programs on NQ-301, and simulated judges among real crowd workers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from karat.data.ballots import Ballots
from karat.data.provenance import IN_MEMORY
from karat.data.responses import Responses, Run, RunInfo
from karat.formats.ballots import read_ballots
from karat.formats.pairs import read_pairs
from karat.labels import TWO
from karat.studies.judge.result import Judgement
from karat.studies.judge.study import judge
from tests.cli.calls import as_json, karat
from tests.real.nq301 import PEOPLE, PROGRAMS, arguments, files, verdicts

Write = Callable[[str, str], Path]


@pytest.fixture
def result(real: Path, write: Write) -> Judgement:
    """The three programs against the people."""
    ballots = read_ballots(
        files(real / "nq301", write),
        assessor=(*PEOPLE, *PROGRAMS),
        leading=("Yes", "No"),
        same=("Model answer",),
        ballot_column={"unit": "row"},
    )
    return judge(ballots, automatic=list(PROGRAMS), labelled=300)


def test_the_command(real: Path, write: Write) -> None:
    """`karat judge` on the files: three judges with agreement, test and corrected rates; what is left out is told."""
    call = ["judge", *arguments(real / "nq301", write), "--labelled", "300"]
    made = as_json(*call)
    assert made["people"]["assessors"] == list(PEOPLE)
    assert [one["judge"] for one in made["judges"]] == list(PROGRAMS)
    for one in made["judges"]:
        assert one["coefficients"]["kappa"]["low"] > 0.5
        assert one["alternative"]["winning_rate"] == 1
        assert [person["replaced"] for person in one["alternative"]["people"]] == [True] * 3
        assert all(rate["tuned"]["value"] is not None for rate in one["rates"]["labels"])
    assert len(made["signature"]["files"]) == 4
    assert {"assessor", "leading", "same"} <= set(made["signature"]["parameters"])
    done = karat(*call)
    assert "NQ301_gpt-4.tsv: no-label: 10 in total, 5 shown" in done.stderr
    assert "NQ301_gpt-4.tsv:151: other-unit: 'July 11 1901'" in done.stderr
    assert "NQ301_BEM.tsv:919: other-unit" in done.stderr
    assert done.stdout.startswith(
        "Agreement with 3 people (annotator1, annotator2, annotator3), and of people with each other"
    )


def test_damage_is_told(real: Path) -> None:
    """The davinci file as it is has four fields under a header of five: every line is told, and none is read."""
    done = karat("judge", str(real / "nq301/NQ301_text-davinci-003.tsv"), "--assessor", "x", "--automatic", "x")
    assert done.returncode == 1
    assert "columns: 4 fields; expected 5 as in the header" in done.stderr
    assert "1490 in total" in done.stderr


def test_agreement(real: Path, result: Judgement) -> None:
    """1,490 rows; each program with each person is what scikit-learn has on their common rows."""
    said = verdicts(real / "nq301")
    assert result.people.units == 1490
    for one in result.judges:
        assert one.units == sum(map(bool, said[one.judge]))
        for row in one.with_each:
            pairs = [(a, b) for a, b in zip(said[row.assessor], said[one.judge], strict=True) if a and b]
            assert row.units == len(pairs)
            assert row.kappa == pytest.approx(cohen_kappa_score(*zip(*pairs, strict=True)))
    # Ten verdicts begin with neither Yes nor No, one of each is on another answer; they are missing, and told.
    assert {one.judge: one.missing for one in result.judges} == {"gpt-4": 11, "text-davinci-003": 0, "BEM": 1}


def test_people_have_their_own_alpha(real: Path, result: Judgement) -> None:
    """People's alpha is .7312, Krippendorff's of the package; a table of units counted once each said .8076."""
    said = verdicts(real / "nq301")
    codes = [[{"Yes": 1.0, "No": 0.0}.get(verdict, np.nan) for verdict in said[name]] for name in PEOPLE]
    package = pytest.importorskip("krippendorff", reason="the package krippendorff is not installed")
    theirs = package.alpha(np.array(codes), level_of_measurement="nominal")
    assert result.people.coefficients["alpha"].value == pytest.approx(theirs)
    assert theirs == pytest.approx(0.7312, abs=5e-5)


def test_programs_are_below_people(result: Judgement) -> None:
    """Each of the three agrees with people less than they do with each other, the language models more than BEM."""
    observed = {one.judge: one.coefficients["agreement"] for one in result.judges}
    assert all(one.high < result.people.coefficients["agreement"].low for one in observed.values())
    assert observed["gpt-4"].low > observed["BEM"].value


def test_alternative_annotator(result: Judgement) -> None:
    """Everybody is tested; the third person saw disputed rows alone, and a finding says so."""
    for one in result.judges:
        tested = {row.assessor: row for row in one.alternative.people}
        assert tested["annotator1"].units == one.units
        assert tested["annotator3"].units < 230
        assert one.alternative.winning_rate == 1
        assert all(row.p == row.p for row in one.alternative.people)
    assert result.people.adjudicators == ["annotator3"]
    assert "annotator3 was asked" in " ".join(result.findings())


def test_corrected_rates(result: Judgement) -> None:
    """With 300 labels, prediction-powered shares hold people's share over all rows; and are narrower than 300 alone."""
    for one in result.judges:
        assert one.rates.labelled == 300
        for rate in one.rates.labels:
            truth = one.rates.people[rate.label]
            assert rate.tuned.low <= truth <= rate.tuned.high
            assert rate.rogan_gladen.low <= truth <= rate.rogan_gladen.high
            assert rate.tuned.high - rate.tuned.low < rate.human.high - rate.human.low
            assert rate.labels_with_judge < rate.labels_alone


def test_bem_misleads(result: Judgement) -> None:
    """BEM accepts far fewer answers than people do: its own share lies outside of what the correction allows."""
    bem = next(one for one in result.judges if one.judge == "BEM")
    accepted = {rate.label: rate for rate in bem.rates.labels}["Yes"]
    assert accepted.naive.high < bem.rates.people["Yes"]
    assert "BEM gives" in " ".join(result.findings())


def crowd(real: Path) -> tuple[Ballots, Responses]:
    """RTE-1's crowd, a judge that errs at random, one that reads like run 1, and eight simulated runs."""
    key = read_pairs(real / "rte/RTE1_test.xml")
    labels = {"1": "ENTAILMENT", "0": "NO_ENTAILMENT"}
    ballots = read_ballots(real / "rte1-crowd/ballots.tsv", key, label=labels)
    random = np.random.default_rng(0)
    size = len(key)
    answers = np.stack(
        [np.where(random.random(size) < skill, key.labels, 1 - key.labels) for skill in np.linspace(0.55, 0.75, 8)]
    )
    runs = [
        Run(
            RunInfo(f"run{place}", TWO, IN_MEMORY),
            row.astype(np.int8),
            np.arange(size, dtype=np.int32),
            None,
            None,
            None,
        )
        for place, row in enumerate(answers)
    ]
    fair = np.where(random.random(size) < 0.9, key.labels, 1 - key.labels)
    partial = np.where(random.random(size) < 0.4, answers[1], key.labels)
    units = np.arange(size, dtype=np.int32)
    added = replace(
        ballots,
        assessors=(*ballots.assessors, "fair", "partial"),
        unit=np.concatenate([ballots.unit, units, units]),
        assessor=np.concatenate(
            [ballots.assessor, np.full(size, len(ballots.assessors)), np.full(size, len(ballots.assessors) + 1)]
        ).astype(np.int32),
        code=np.concatenate([ballots.code, fair, partial]).astype(np.int32),
    )
    return added, Responses.of(key, runs)


def test_bias_on_the_crowd(real: Path) -> None:
    """A judge that reads like one run favours that run, beyond its interval; random errors favour none so."""
    ballots, runs = crowd(real)
    fair, partial = judge(ballots, automatic=["fair", "partial"], runs=runs).judges
    assert fair.ranking is not None
    assert partial.ranking is not None
    favoured = {row.run: row for row in partial.ranking.bias}["run1"]
    assert favoured.bias.low > 0
    assert favoured.relative.low > 0
    assert favoured.relative.value == max(row.relative.value for row in partial.ranking.bias)
    # Random errors pull every run towards chance, the better ones more.
    assert all(row.bias.value < 0.05 for row in fair.ranking.bias)
    assert fair.ranking.tau > partial.ranking.tau
    assert len(fair.alternative.people) == 164
