"""`karat compare` as a user meets it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.calls import as_json, karat
from tests.cli.test_commands import KEY, RUN


def test_json_has_what_is_promised() -> None:
    """Pairs with their numbers, groups of runs, letters, and the test that was used."""
    result = as_json("compare", KEY, RUN, "--equivalence", "0.1")
    assert list(result)[:2] == ["study", "signature"]
    assert result["study"] == "compare"
    fields = {"a", "b", "difference", "interval", "p", "p_corrected", "mc_error", "equivalent"}
    assert all(set(pair) >= fields for pair in result["pairs"])
    assert (result["test"], result["correction"], result["measure"]) == ("exact", "holm", "accuracy")
    assert set().union(*map(set, result["groups"])) == set(result["letters"])
    assert result["signature"]["parameters"]["equivalence"] == 0.1
    unasked = as_json("compare", KEY, RUN)
    assert unasked["equivalence"] is None
    assert {"path": "/equivalence", "reason": "no margin was given (--equivalence), so equivalence was not tested"} in (
        unasked["undefined"]
    )


def test_scores_out_and_in_again(tmp_path: Path) -> None:
    """What `score --scores-out` writes is compared as the runs themselves are."""
    file = tmp_path / "scores.csv"
    assert karat("score", KEY, RUN, "--scores-out", str(file), "--quiet").returncode == 0
    assert as_json("compare", "--scores", str(file))["pairs"] == as_json("compare", KEY, RUN)["pairs"]


@pytest.mark.parametrize("form", ["text", "json", "csv", "latex", "html"])
def test_forms(form: str) -> None:
    """Every form, for means and for a measure that is none; CSV has a row a pair."""
    for options in ([], ["--measure", "kappa", "--replicates", "99", "--correction", "maxt"]):
        done = karat("compare", KEY, RUN, "--format", form, "--quiet", *options)
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        if form == "csv":
            assert len(list(csv.reader(io.StringIO(done.stdout)))) == 46
        if form == "json":
            json.loads(done.stdout)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "give KEY and RUN..., or --scores FILE"),
        ([KEY], "name the runs; they are not in the file of KEY"),
        ([KEY, RUN, "--scores", "x.csv"], "give one or the other"),
        ([KEY, RUN, "--test", "exact", "--measure", "kappa"], "kappa is not one"),
        ([KEY, RUN, "--test", "sign", "--correction", "maxt"], "signs or ranks"),
        ([KEY, RUN, "--versus", "carefull"], "did you mean 'careful'"),
        ([KEY, RUN, "--cluster", "topics"], "did you mean 'topic'"),
        ([KEY, RUN, "--equivalence", "0"], "above 0"),
        ([KEY, RUN, "--replicates", "5"], "--replicates is 5; expected a whole number (at least 99, "),
        ([KEY, f"{RUN}/careful.jsonl"], "compare needs at least two runs"),
    ],
)
def test_wrong_calls(arguments: list[str], told: str) -> None:
    """A wrong call exits with 2 and says what would be right."""
    done = karat("compare", *arguments)
    assert done.returncode == 2, done.stdout
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_bad_matrix(tmp_path: Path) -> None:
    """A damaged score matrix exits with 1, every problem at its line."""
    (tmp_path / "scores.csv").write_text("run,1,2\na,1,x\nb,?,0\n")
    done = karat("compare", "--scores", str(tmp_path / "scores.csv"))
    assert done.returncode == 1
    assert done.stderr.count("scores.csv:") == 2


def test_clusters_from_a_file(tmp_path: Path) -> None:
    """A row called cluster holds units together; sensitivity reads over it, and the signature has no way."""
    matrix = "run,q1,q2,q3,q4,q5,q6\ncluster,x,x,y,y,z,\na,1,1,1,1,1,1\nb,0,0,0,0,0,1\n"
    (tmp_path / "scores.csv").write_text(matrix)
    result = as_json("compare", "--scores", str(tmp_path / "scores.csv"))
    assert (result["clusters"], result["units"], len(result["runs"])) == (4, 6, 2)
    assert result["pairs"][0]["p"] == pytest.approx(0.25)  # three clusters differ, all one way: 2 of 8 flips
    assert result["signature"]["way"] is None
    assert as_json("sensitivity", "--scores", str(tmp_path / "scores.csv"))["runs"] == ["a", "b"]
