"""`karat run`, `karat ablate` and `karat engines`, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from karat import examples
from tests.cli.calls import Done
from tests.cli.calls import karat as call


def karat(*arguments: str | Path, status: int = 0) -> Done:
    """Call the command line, and see to its exit status."""
    done = call(*arguments)
    assert done.returncode == status, done.stderr
    return done


def test_a_run_on_standard_output() -> None:
    """Without -o the run itself is all that is printed, ready for `karat score KEY -`."""
    done = karat("run", "always-unknown", examples.PAIRS)
    lines = done.stdout.splitlines()
    assert len(lines) == 160
    assert all(line.split("\t")[1:] == ["UNKNOWN", "1.0"] for line in lines)
    assert "Every pair gets the same answer, UNKNOWN." in done.stderr


def test_a_run_in_a_file(tmp_path: Path) -> None:
    """With -o the run goes there and a summary is printed; score and check take the file as it is."""
    run = tmp_path / "overlap.tsv"
    model = tmp_path / "model.json"
    shared: list[str | Path] = ["--without", "wordnet", "--justify", "-o", run]
    first = karat("run", "overlap", examples.PAIRS, "--train", examples.PAIRS, "--model-out", model, *shared)
    assert "Answers of overlap" in first.stdout
    assert "justification" in run.read_text().splitlines()[0]
    karat("check", examples.PAIRS, run)
    before = run.read_bytes()
    karat("run", "overlap", examples.PAIRS, "--model", model, "--justify", "-o", run)
    assert run.read_bytes() == before


def test_json_has_the_evidence() -> None:
    """--format json is the whole result, spans included."""
    done = karat(
        *("run", "overlap(variant=token)", examples.PAIRS, "--train", examples.PAIRS),
        *("--without", "wordnet", "--justify", "--format", "json"),
    )
    result = json.loads(done.stdout)
    assert result["study"] == "run"
    assert result["signature"]["parameters"]["trees"] == "karat's chunker"
    assert any(answer["evidence"] for answer in result["answers"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["overlop", "PAIRS"], "did you mean 'overlap'"),
        (["overlap", "PAIRS"], "--train"),
        (["overlap", "PAIRS", "--model", "absent.json"], "absent.json"),
        (["overlap(variant", "PAIRS"], "write NAME"),
    ],
)
def test_wrong_calls(arguments: list[str], said: str) -> None:
    """Exit status 2, and a sentence that says what to do."""
    given = [str(examples.PAIRS) if argument == "PAIRS" else argument for argument in arguments]
    assert said in karat("run", *given, status=2).stderr


def test_ablate() -> None:
    """One table of what each part is worth."""
    done = karat("ablate", "overlap", examples.PAIRS, "--without", "wordnet", "--folds", "3", "--format", "csv")
    assert "wordnet" in done.stdout


def test_engines_are_listed() -> None:
    """Every engine of the house, with parameters and what it can do without."""
    listed = json.loads(karat("engines", "--format", "json").stdout)["engines"]
    names = [one["engine"] for one in listed]
    trivial = {"always-entailment", "always-unknown", "always-contradiction", "random"}
    assert trivial | {"overlap", "edit-distance", "linguistic", "aligner", "biased", "neural"} <= set(names)
    assert all(one["what"] and one["source"] for one in listed)
    described = [parameter for one in listed for parameter in one["parameters"]]
    assert all(parameter["what"] for parameter in described), [p["name"] for p in described if not p["what"]]
