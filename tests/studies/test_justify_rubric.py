"""A rubric: several rated criteria as one score per run and pair."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import karat
from karat.errors import UsageError
from karat.examples import HERE
from tests.cli.calls import as_json
from tests.cli.calls import karat as command


def by_hand(weights: dict[str, float]) -> dict[tuple[str, str], float]:
    """The example's scores in plain loops: compelling counts 0 where it was not asked, and skipped pairs not at all."""
    rated: dict[tuple[str, str], list[tuple[float, float]]] = {}
    with (HERE / "ratings.tsv").open() as opened:
        for row in csv.DictReader(opened, delimiter="\t"):
            if row["understandable"] not in ("skip", ""):
                both = float(row["understandable"]), float(row["compelling"] or 0)
                rated.setdefault((row["run"], row["unit"]), []).append(both)
    made = {}
    for key, rows in rated.items():
        clear = (sum(one for one, _ in rows) / len(rows) - 1) / 4
        good = sum(one for _, one in rows) / len(rows) / 5
        total = weights["understandable"] + weights["compelling"]
        made[key] = (weights["understandable"] * clear + weights["compelling"] * good) / total
    return made


@pytest.mark.parametrize(
    "weights", [{"understandable": 1.0, "compelling": 1.0}, {"understandable": 1, "compelling": 3}]
)
def test_by_hand(weights: dict[str, float]) -> None:
    """Each criterion from 0 to 1, then the weighted mean."""
    result = karat.justify(karat.read_justifications(HERE / "ratings.tsv"), replicates=100)
    matrix = result.scores(None if weights["compelling"] == 1 else weights)
    expected = by_hand(weights)
    for run, row in zip(matrix.runs, matrix.values.tolist(), strict=True):
        for unit, value in zip(matrix.units, row, strict=True):
            assert value == pytest.approx(expected.get((run, unit), np.nan), nan_ok=True)


def test_criteria_that_were_not_asked(tmp_path: Path) -> None:
    """On a scale around 0 the others have the weight; an unconditional criterion that is missing leaves no score."""
    file = tmp_path / "ratings.tsv"
    file.write_text(
        "run\tunit\tjudge\tfluent\ttrue\tlong\n"
        "a\t1\tx\t1\t1\t0\n"  # (1 + 1 + ½) / 3
        "a\t2\tx\t0\t-1\t\n"  # not asked: (½ + 0) / 2
        "b\t1\tx\t-1\t1\t1\n"  # (0 + 1 + 1) / 3
        "b\t2\tx\t-9\t0\t\n"  # nothing on fluency
    )
    reading: dict[str, Any] = {
        "criterion": ["fluent:-1..1", "true:-1..1", "long:-1..1?true>=1"],
        "not_applicable": ["-9"],
    }
    result = karat.justify(karat.read_justifications(file, **reading), replicates=100)
    np.testing.assert_allclose(result.scores().values, np.array([[2.5 / 3, 0.25], [2 / 3, np.nan]]))
    np.testing.assert_allclose(result.scores({"true": 2}).values, np.array([[1, 0], [1, 0.5]]))


def test_command(tmp_path: Path) -> None:
    """Written, and compared."""
    file = tmp_path / "rubric.csv"
    words = ["justify", str(HERE / "ratings.tsv"), "--scores-out", str(file), "--replicates", "100"]
    assert command(*words, "--weight", "compelling=2", "--weight", "understandable=1").returncode == 0
    compared = as_json("compare", "--scores", str(file))
    expected = by_hand({"understandable": 1, "compelling": 2})
    for one in compared["runs"]:
        mine = [value for (run, _), value in expected.items() if run == one["run"]]
        assert one["value"] == pytest.approx(np.mean(mine))


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ("compeling=1", "compelling"),
        ("compelling", "write CRITERION=NUMBER"),
        ("compelling=-1", "not negative"),
        ("compelling=0", "needs a weight above 0"),
    ],
)
def test_refused(weight: str, message: str, tmp_path: Path) -> None:
    """In a sentence, with what to write instead."""
    words = ["justify", str(HERE / "ratings.tsv"), "--scores-out", str(tmp_path / "x.csv"), "--replicates", "100"]
    done = command(*words, "--weight", weight)
    assert done.returncode == 2
    assert message in done.stderr


def test_refused_in_python() -> None:
    """Without a command line as well."""
    result = karat.justify(karat.read_justifications(HERE / "ratings.tsv"), replicates=100)
    with pytest.raises(UsageError, match="criterion"):
        result.scores({"clear": 1})
