"""`karat agree` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

from karat.examples import BALLOTS
from tests.cli.calls import as_json, karat


def test_json() -> None:
    """The fields that are promised, with value and interval of every coefficient."""
    result = as_json("agree", str(BALLOTS))
    assert list(result)[:2] == ["study", "signature"]
    assert {"assessors", "units", "coefficients", "pairwise", "per_label", "undefined"} <= set(result)
    assert {"value", "low", "high"} <= set(result["coefficients"]["alpha"])
    (pair,) = result["pairwise"]
    wanted = {"table", "kappa", "kappa_linear", "kappa_quadratic", "kappa_max", "bowker", "stuart_maxwell"}
    assert wanted <= set(pair)
    assert sum(map(sum, pair["table"])) == result["units"] == 160
    assert result["coefficients"]["kappa_linear"]["value"] is None
    ordinal = as_json("agree", str(BALLOTS), "--level", "ordinal")
    assert set(ordinal) == set(result)
    assert ordinal["coefficients"]["kappa_linear"]["value"] > 0


def test_forms() -> None:
    """Every form, the plain one with findings."""
    for form in ("text", "csv", "latex", "html"):
        done = karat("agree", str(BALLOTS), "--format", form)
        assert done.returncode == 0, done.stderr
    assert "• Two assessors agree on" in karat("agree", str(BALLOTS)).stdout


def test_triangle_from_standard_input() -> None:
    """A triangular table needs no file."""
    table = json.dumps({"labels": ["E", "N", "C"], "table": [[381], [82, 217], [11, 43, 66]]})
    done = karat("agree", "-", "--level", "ordinal", "--format", "json", stdin=table)
    result = json.loads(done.stdout)
    assert round(result["coefficients"]["alpha"]["value"], 6) == 0.782111
    assert result["exchangeable"]


def test_wide_file(tmp_path: Path) -> None:
    """Assessors are columns where they are named."""
    (tmp_path / "b.csv").write_text("anna,ben\n1,1\n2,1\n2,2\n1,2\n")
    result = as_json("agree", str(tmp_path / "b.csv"), "--assessor", "anna", "--assessor", "ben")
    assert result["assessors"] == ["anna", "ben"]
    assert result["coefficients"]["kappa"]["value"] == 0


def test_several_files(tmp_path: Path) -> None:
    """Assessors of several files, some of whom say it in sentences; what begins with no label is told."""
    (tmp_path / "people.csv").write_text("anna,ben\nYes,Yes\nNo,Yes\nNo,No\n")
    (tmp_path / "auto.tsv").write_text("id\tauto\n1\tYes, it is.\n1\tNo.\n2\tThat depends.\n")
    names = [part for name in ("anna", "ben", "auto") for part in ("--assessor", name)]
    call = ["agree", str(tmp_path / "people.csv"), "--also", str(tmp_path / "auto.tsv"), *names]
    call += ["--leading", "Yes", "--leading", "No", "--ballot-column", "unit=row"]
    result = as_json(*call)
    assert result["assessors"] == ["anna", "ben", "auto"]
    assert result["ballots"] == 8
    assert len(result["signature"]["files"]) == 2
    assert result["signature"]["parameters"]["leading"] == ["Yes", "No"]
    assert "auto.tsv:4: no-label: 'That depends.'" in karat(*call).stderr


def test_exit_status(tmp_path: Path) -> None:
    """1 where the data has problems, 2 where the call is wrong."""
    (tmp_path / "b.csv").write_text("unit,assessor,label\n1,a,x\n1,a,y\n")
    done = karat("agree", str(tmp_path / "b.csv"))
    assert done.returncode == 1
    assert "b.csv:3: duplicate-id" in done.stderr
    assert karat("agree", str(BALLOTS), "--level", "interval").returncode == 2
    assert karat("agree", str(BALLOTS), "--level", "cardinal").returncode == 2
    assert karat("agree").returncode == 2
