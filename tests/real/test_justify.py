"""Explanations rated by three exchangeable people: conditional questions, −9 codes, alpha against another library."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import krippendorff
import numpy as np
import pytest

from karat.errors import DataError
from karat.formats.justification_ratings import read_justifications
from karat.studies.compare.study import compare
from karat.studies.justify.study import justify

ASKED = ("generality_factuality", "grammar", "new_info", "supports_label")
CRITERIA = [f"Answer.{name}:-1..1" for name in ASKED]
CRITERIA.append("Answer.amount_info:-1..1?Answer.supports_label>=1")
FILES = ("esnli.csv", "gpt3_greedy.csv")
OPTIONS = {"criterion": CRITERIA, "not_applicable": ["-9"], "rating_column": {"unit": "Input.id"}}


@pytest.fixture
def files(real: Path) -> list[Path]:
    """One file a run."""
    return [real / "explanation-ratings" / name for name in FILES]


def test_conditions(files: list[Path]) -> None:
    """One file keeps to its own conditions; in the other five amounts are given where none was asked for."""
    first = read_justifications(files[0], **OPTIONS)
    assert (len(first), len(first.units), first.exchangeable) == (750, 250, True)
    with pytest.raises(DataError) as caught:
        read_justifications(files[1], **OPTIONS)
    errors = [one for one in caught.value.problems if one.severity == "error"]
    assert {one.code for one in errors} == {"unasked"}
    assert len(errors) == 5
    kept = read_justifications(files, unasked="drop", **OPTIONS)
    assert sum(one.code == "unasked-dropped" for one in kept.warnings) == 5
    assert np.isnan(kept.criterion("Answer.generality_factuality")).sum() == 135 + 94


def test_alpha(files: list[Path]) -> None:
    """Alpha as another library has it, and nothing that needs persons."""
    result = justify(read_justifications(files, unasked="drop", **OPTIONS), not_asked="missing", replicates=1000)
    assert result.judges == []
    assert all(one.concordance is None and not one.kappas for one in result.agreement)
    for one in result.agreement:
        given = defaultdict(list)
        for file in files:
            with file.open(encoding="utf-8", newline="") as opened:
                for row in csv.DictReader(opened):
                    cell = row[one.criterion]
                    dropped = one.criterion.endswith("amount_info") and row["Answer.supports_label"] == "-1"
                    given[file, row["Input.id"]].append(np.nan if dropped or cell in ("", "-9") else float(cell))
        expected = krippendorff.alpha(np.array(list(given.values())).T, level_of_measurement="ordinal")
        assert one.alpha["missing"].value == pytest.approx(expected)
    values = {one.criterion.removeprefix("Answer."): one.alpha["missing"].value for one in result.agreement}
    assert values == pytest.approx(
        {
            "generality_factuality": 0.377904,
            "grammar": 0.380360,
            "new_info": -0.063413,
            "supports_label": -0.016498,
            "amount_info": 0.084394,
        },
        abs=5e-7,
    )


def test_what_comes_out(files: list[Path]) -> None:
    """The people's explanations say more and support the label more often; the machine's are more grammatical."""
    result = justify(read_justifications(files, unasked="drop", **OPTIONS), not_asked="missing", replicates=2000)
    means = {run.run: {name: scores.mean.value for name, scores in run.criteria.items()} for run in result.runs}
    people, machine = means["esnli"], means["gpt3_greedy"]
    assert people["Answer.grammar"] < machine["Answer.grammar"]
    assert people["Answer.supports_label"] > machine["Answer.supports_label"]
    p = {one.criterion.removeprefix("Answer."): one.p for one in result.differences}
    assert max(p["grammar"], p["new_info"], p["supports_label"]) < 0.01
    assert min(p["generality_factuality"], p["amount_info"]) > 0.1


def test_the_five_criteria_as_a_rubric(files: list[Path]) -> None:
    """The score matrix against plain loops, and the two runs compared by it."""
    result = justify(read_justifications(files, unasked="drop", **OPTIONS), not_asked="missing", replicates=100)
    matrix = result.scores()
    given: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for file in files:
        with file.open(encoding="utf-8", newline="") as opened:
            for row in csv.DictReader(opened):
                for name in (*ASKED, "amount_info"):
                    cell = row[f"Answer.{name}"]
                    unasked = name == "amount_info" and row["Answer.supports_label"] != "1"
                    if cell not in ("", "-9") and not unasked:
                        given[file.stem, row["Input.id"]][name].append(float(cell))
    for run, scores in zip(matrix.runs, matrix.values.tolist(), strict=True):
        for unit, value in zip(matrix.units, scores, strict=True):
            rated = given.get((run, unit), {})
            there = [(np.mean(numbers) + 1) / 2 for numbers in rated.values()]
            expected = np.mean(there) if all(name in rated for name in ASKED) else np.nan
            assert value == pytest.approx(expected, nan_ok=True)
    compared = compare(matrix)
    assert {one.run: round(one.value, 3) for one in compared.runs} == {"esnli": 0.697, "gpt3_greedy": 0.652}
    assert (compared.pairs[0].units, round(compared.pairs[0].p, 4)) == (233, 0.0003)
