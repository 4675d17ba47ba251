"""`karat keys`, `judge` and `sensitivity` as processes: JSON fields that are contract, reasons, wrong calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.examples import BALLOTS, JUDGED, PAIRS, RUNS
from tests.cli.calls import as_json, karat
from tests.undefined import json_explained

KEY, RUN, SAID, PROGRAM = str(PAIRS), str(RUNS), str(BALLOTS), str(JUDGED)
CALLS = {
    "keys": ["keys", KEY, SAID, RUN, "--draws", "50", "--replicates", "50"],
    "judge": ["judge", PROGRAM, "--automatic", "auto", "--key", KEY, RUN],
    "judge alone": ["judge", PROGRAM, "--automatic", "auto", "--labelled", "60"],
    "sensitivity": ["sensitivity", KEY, RUN, "--ballots", SAID],
}


@pytest.mark.parametrize("name", CALLS)
def test_every_null_has_a_reason(name: str) -> None:
    """Whatever is null is listed in `undefined`, and what is listed is null."""
    json_explained(as_json(*CALLS[name], "--quiet"))


def test_keys_json() -> None:
    """The fields of the contract, and the signature names all files."""
    result = as_json(*CALLS["keys"])
    assert {"name", "labels", "ranking", "tau", "tau_ap", "swaps", "largest_change"} <= set(result["keys"][0])
    assert len(result["keys"][0]["ranking"]) == 10
    assert result["random"]["draws"] == 50
    assert len(result["signature"]["files"]) == 12
    assert {one["name"] for one in result["withheld"]} == {"dawid-skene"}


def test_judge_json() -> None:
    """One judge with its parts; without key and runs the ranking is null."""
    result = as_json(*CALLS["judge"])
    assert [one["judge"] for one in result["judges"]] == ["auto"]
    parts = {"coefficients", "with_each", "confusion", "alternative", "rates", "ranking"}
    assert parts <= set(result["judges"][0])
    assert result["judges"][0]["ranking"]["units"] == 160
    alone = as_json(*CALLS["judge alone"])
    assert alone["judges"][0]["ranking"] is None
    assert alone["judges"][0]["rates"]["labelled"] == 60


def test_sensitivity_json() -> None:
    """Settings with ranking and tau, crossings beside."""
    result = as_json(*CALLS["sensitivity"])
    assert {"setting", "value", "ranking", "tau"} <= set(result["settings"][0])
    assert {"setting", "way", "a", "b", "at"} == set(result["crossings"][0])


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("form", ["text", "csv", "latex", "html"])
def test_every_form(name: str, form: str) -> None:
    """Every form comes out."""
    done = karat(*CALLS[name], "--format", form, "--quiet")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) > 5


def test_the_same_twice() -> None:
    """The same call gives the same bytes: every random number hangs on the seed."""
    first, second, other = (karat(*CALLS["keys"], "--quiet", "--format", "csv", "--seed", seed) for seed in "001")
    assert first.stdout == second.stdout
    assert other.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["keys", KEY, SAID], "Missing argument 'RUN...'"),
        (["sensitivity", KEY, f"{RUN}/careful.jsonl"], "need at least two runs; there is 1"),
        (["keys", KEY, SAID, RUN, "--ties", "coin"], "'coin' is not one of"),
        (["keys", KEY, SAID, RUN, "--draws", "0"], "--draws is 0; expected a whole number (at least 1, "),
        (["keys", KEY, SAID, RUN, "--measure", "kapa"], "did you mean 'kappa'"),
        (["judge", PROGRAM], "--automatic NAME"),
        (["judge", PROGRAM, "--automatic", "auto", RUN], "runs need the key they answer: --key KEY"),
        (["judge", PROGRAM, "--automatic", "outo"], "did you mean 'auto'"),
        (["sensitivity", KEY, RUN, "--weight", "a"], "write a number or a fraction"),
        (["sensitivity", KEY, RUN, "--way", "3"], "every run must be three-way, and 'two-way' answers two-way"),
    ],
)
def test_wrong_calls(arguments: list[str], told: str) -> None:
    """A wrong call exits with 2 and says what would be right."""
    done = karat(*arguments)
    assert done.returncode == 2, done.stdout
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_judge_need_not_be_named_twice(tmp_path: Path) -> None:
    """In files of a column an assessor, the automatic one is a column too."""
    (tmp_path / "people.tsv").write_text("anna\tben\n" + "Yes\tYes\nNo\tNo\nNo\tYes\n" * 12)
    (tmp_path / "auto.tsv").write_text("id\tauto\n" + "1\tYes, quite.\n1\tNo.\n2\tPerhaps.\n" * 12)
    call = ["judge", str(tmp_path / "people.tsv"), "--also", str(tmp_path / "auto.tsv"), "--automatic", "auto"]
    call += ["--assessor", "anna", "--assessor", "ben", "--leading", "Yes", "--leading", "No", "--fewest", "10"]
    call += ["--ballot-column", "unit=row"]
    result = as_json(*call, "--quiet")
    assert result["people"]["assessors"] == ["anna", "ben"]
    (one,) = result["judges"]
    assert (one["judge"], one["units"], one["missing"]) == ("auto", 24, 12)
    assert result["signature"]["way"] is None
    told = karat(*call)
    assert told.stdout.startswith("Agreement with 2 people (anna, ben), and of people with each other")
    assert "auto.tsv: no-label: 12 in total, 5 shown" in told.stderr


def test_wrong_ballots(tmp_path: Path) -> None:
    """Ballots on units that are not in the key are problems of the data, with their line."""
    file = tmp_path / "ballots.tsv"
    file.write_text("unit\tassessor\tlabel\n999\tanna\tENTAILMENT\n")
    done = karat("keys", KEY, str(file), RUN)
    assert done.returncode == 1
    assert f"{file}:2: unknown-id: unit '999'" in done.stderr


@pytest.mark.parametrize("command", ["keys", "judge", "sensitivity"])
def test_what_is_refused_is_not_offered(command: str) -> None:
    """These work in one way at a time."""
    assert "--way [auto|2|3]" in karat(command, "--help").stdout
