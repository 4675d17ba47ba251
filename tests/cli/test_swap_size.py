"""`karat swap` and `karat size` as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from karat.examples import BALLOTS, PAIRS, RUNS
from tests.cli.calls import as_json, karat

KEY, RUN = str(PAIRS), str(RUNS)
CANDIDATES = ["size", KEY, RUN, "--candidates", str(BALLOTS)]
ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def scores(tmp_path: Path) -> str:
    """The runs' right and wrong, as `score` writes them.

    Without the run that gives one answer to every pair, which a score matrix does not show.
    """
    file = tmp_path / "scores.csv"
    assert karat("score", KEY, RUN, "--way", "2", "--scores-out", str(file), "--quiet").returncode == 0
    rows = [row for row in file.read_text("utf-8").splitlines(keepends=True) if "always-entailment" not in row]
    file.write_text("".join(rows), "utf-8")
    return str(file)


def test_swap_json(scores: str) -> None:
    """The fields that are promised, the same from a key and runs as from their score matrix."""
    few = ("--trials", "5", "--step", "25", "--replicates", "5")
    one, other = as_json("swap", KEY, RUN, *few), as_json("swap", "--scores", scores, *few)
    curve = one["procedure"]["curves"][0]
    assert set(curve) >= {"low", "high", "points", "fit"}
    assert set(curve["points"][0]) >= {"size", "error", "comparisons"}
    assert set(one["fresh"]) == {"reliability", "needed", "smallest_reliable_difference", "sensitivity", "curves"}
    assert one["procedure"] == other["procedure"]
    assert one["signature"]["ties"] == "strict"
    assert len(other["signature"]["files"]) == 1


def test_size_json(scores: str) -> None:
    """The fields that are promised; `--power .8` and `--difference .05` as people write them."""
    one = as_json("size", KEY, RUN, "--difference", ".05", "--difference", ".1", "--power", ".8")
    other = as_json("size", "--scores", scores, "--difference", ".05", "--difference", ".1")
    assert [row["difference"] for row in one["sizes"]] == [0.05, 0.1]
    assert [row["units"] for row in one["sizes"]] == [row["units"] for row in other["sizes"]]
    assert one["detectable"] == pytest.approx(other["detectable"])
    assert set(one["sizes"][0]) >= {"difference", "power", "units"}


def test_size_with_ballots() -> None:
    """Ballots on the key say how wrong it is; ballots on candidates give a sample of the wanted mix."""
    mixed = ("--mix", "ENTAILMENT=.5", "--mix", "UNKNOWN=0.3", "--mix", "C=0.2")
    made = as_json("size", KEY, RUN, "--ballots", str(BALLOTS), "--candidates", str(BALLOTS), *mixed, "--units", "20")
    assert made["noise"] > 0
    assert made["sample"]["labels"] == {"ENTAILMENT": 10, "UNKNOWN": 6, "CONTRADICTION": 4}
    assert len(made["sample"]["ids"]) == 20


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["swap"], "give KEY and RUN..., or --scores FILE"),
        (["swap", KEY], "name the runs; they are not in the file of KEY"),
        (["swap", KEY, RUN, "--scores", "x.csv"], "one or the other"),
        (["swap", KEY, RUN, "--measure", "kappa"], "not a mean over units"),
        (["size", KEY, RUN, "--measure", "kapa"], "did you mean 'kappa'"),
        (["size", KEY, RUN, "--power", "2"], "--power"),
        (["size", KEY, RUN, "--mix", "E"], "write NAME=VALUE"),
        (["size", KEY, RUN, "--mix", "E=half"], "--mix E=half: 'half' is not a number; write for example E=0.5"),
        (["size", KEY, RUN, "--mix", "E=.5", "--mix", "E=.5"], "E is given twice"),
        ([*CANDIDATES, "--mix", "ENTAILMENT=.5"], "the shares add up to 0.5; they must add up to 1"),
        ([*CANDIDATES, "--mix", "ENTAILMENT=nan"], "the shares add up to nan"),
    ],
)
def test_wrong_calls(arguments: list[str], message: str) -> None:
    """A wrong call is told in words, with status 2."""
    done = karat(*arguments)
    assert done.returncode == 2
    assert message in done.stderr


@pytest.mark.parametrize("command", ["swap", "size"])
@pytest.mark.parametrize("form", ["text", "csv", "latex", "html"])
def test_forms(command: str, form: str) -> None:
    """Every form, to any locale."""
    done = karat(command, KEY, RUN, "--format", form, "--replicates", "20", encoding="ascii")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) > 5


@pytest.mark.parametrize("command", ["swap", "size"])
def test_example_object(command: str) -> None:
    """The example object of the documentation has the fields of today's result."""
    example = json.loads((ROOT / "docs" / "json" / f"{command}.json").read_text(encoding="utf-8"))
    assert set(example) == set(as_json(command, KEY, RUN, "--replicates", "20"))
