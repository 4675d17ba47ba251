"""Sensitivity of assignments of nuggets that come without questions."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from karat.errors import UsageError
from karat.examples import HERE
from karat.formats.nugget_table import read_matches, read_nuggets
from karat.studies.nuggets.result import NUGGET_SCORES
from karat.studies.nuggets.study import nuggets
from karat.studies.qa.parameters import QaParameters
from karat.studies.sensitivity.result import Sensitivity
from karat.studies.sensitivity.study import sensitivity
from tests.cli.calls import as_json, karat

RAG = HERE / "qa" / "rag"
LISTED, ASSIGNED = RAG / "nuggets.jsonl", RAG / "assignments"
MATCHES = read_matches(ASSIGNED, read_nuggets(LISTED))
WORTH = {"support": 1.0, "partial_support": 0.5, "not_support": 0.0}


def under(found: Sensitivity, setting: str, value: str) -> Any:
    """One of the settings."""
    return next(one for one in found.settings if (one.setting, one.value) == (setting, value))


@pytest.mark.parametrize("official", ["vital", "strict_all"])
def test_other_scores(official: str) -> None:
    """They are those of `karat nuggets`, and each is compared with the official one."""
    found, runs = sensitivity(matches=MATCHES, measure=official), nuggets(MATCHES).runs
    assert found.settings[0].scores == {run.run: getattr(run, official) for run in runs}
    for name in set(NUGGET_SCORES) - {official}:
        assert under(found, "measure", name).scores == pytest.approx({run.run: getattr(run, name) for run in runs})


def test_all_nuggets_vital() -> None:
    """Counted from the files: the share of a topic's nuggets that an answer supports, on topics with a vital one."""
    vital = {}
    for line in LISTED.read_text("utf-8").splitlines():
        row = json.loads(line)
        vital[row["qid"]] = any(nugget["importance"] == "vital" for nugget in row["nuggets"])
    expected = {}
    for path in ASSIGNED.iterdir():
        means = []
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            degrees = [WORTH[one["assignment"]] for one in row["nuggets"] if one["assignment"] in WORTH]
            means += [np.mean(degrees)] if vital[row["qid"]] else []
        expected[row["run_id"]] = np.mean(means)
    assert under(sensitivity(matches=MATCHES), "nuggets", "all vital").scores == pytest.approx(expected)


def test_the_parameters_of_f() -> None:
    """Only F has a β and an allowance, and a β at which two runs swap ranks, which is where their F is the same."""
    found = sensitivity(matches=MATCHES, measure="f")
    tried = {(one.setting, one.value) for one in found.settings}
    assert {("beta", "1"), ("allowance", "50"), ("missing", "zero")} < tried
    assert under(found, "beta", "1").scores == pytest.approx({run.run: run.f for run in nuggets(MATCHES, beta=1).runs})
    assert len(found.crossings) == 3
    for one in found.crossings:
        at = {run.run: run.f for run in nuggets(MATCHES, beta=one.at[0][0]).runs}
        assert at[one.a] == pytest.approx(at[one.b])
    plain = sensitivity(matches=MATCHES)
    assert not plain.crossings
    assert {one.setting for one in plain.settings} == {"official", "measure", "missing", "nuggets"}


def test_what_is_given_counts() -> None:
    """Official choices are those of `karat nuggets`."""
    found = sensitivity(matches=MATCHES, measure="f", scoring=QaParameters(beta=1))
    assert found.settings[0].scores == {run.run: run.f for run in nuggets(MATCHES, beta=1).runs}
    assert under(found, "beta", "3").scores == pytest.approx({run.run: run.f for run in nuggets(MATCHES).runs})


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"measure": "kappa"}, "no score of nuggets is called 'kappa'"),
        ({"prior": ("uniform",)}, "label mixes and keys apply to pairs; for nuggets, leave these options out"),
    ],
)
def test_refused(given: dict[str, Any], told: str) -> None:
    """What belongs to pairs is named."""
    with pytest.raises(UsageError, match=told):
        sensitivity(matches=MATCHES, **given)


def test_from_the_command_line() -> None:
    """Files and folders of assignments are read as `karat meta --nuggets` reads them."""
    found = as_json("sensitivity", "--nuggets", LISTED, ASSIGNED, "--measure", "f", "--beta", "1")
    again = sensitivity(matches=MATCHES, measure="f", scoring=QaParameters(beta=1))
    assert [one["scores"] for one in found["settings"]] == [pytest.approx(one.scores) for one in again.settings]
    assert {one["name"] for one in found["signature"]["files"]} >= {"nuggets.jsonl", "broad.jsonl", "brief.jsonl"}
    files = [ASSIGNED / "broad.jsonl", ASSIGNED / "brief.jsonl"]
    assert as_json("sensitivity", "--nuggets", LISTED, *files)["runs"] == ["broad", "brief"]


def test_questions_still_need_matches() -> None:
    """Questions and runs after --nuggets are no assignments; a score of nuggets is a measure here."""
    qa = HERE / "qa"
    done = karat("sensitivity", "--nuggets", qa / "nuggets.tsv", qa / "questions.xml", qa / "runs")
    assert "--nuggets needs the matches of nuggets with answers" in done.stderr
    done = karat("sensitivity", "--nuggets", LISTED, ASSIGNED, "--score", "all")
    assert "the score of nuggets that ranks runs is named by --measure" in done.stderr
