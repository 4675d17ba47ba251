"""Every null of every result has its reason: in the examples of the documentation, and in results full of nulls."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tools.make_docs import ROOT

import karat
from karat.data.ballots import Scale
from karat.data.scores import Scores
from karat.examples import BALLOTS, HERE
from karat.formats.ballots import read_ballots
from karat.labels import TWO
from karat.studies.agree.study import agree
from karat.studies.base import StudyResult
from karat.studies.check import check as check_files
from karat.studies.compare.study import compare
from karat.studies.items import items
from karat.studies.judge.study import judge
from karat.studies.keys.study import keys
from karat.studies.score.study import score
from karat.studies.sensitivity.study import sensitivity
from karat.studies.size.study import size
from karat.studies.swap.study import swap
from tests.ballots import ballots_of
from tests.undefined import all_explained, json_explained

Make = Callable[..., tuple[karat.Pairs, karat.Responses]]


def scores_of(values: object) -> Scores:
    """A score matrix of run0, run1 …"""
    numbers = np.asarray(values, dtype=np.float64)
    runs, units = ([f"{kind}{place}" for place in range(size)] for kind, size in zip("ru", numbers.shape, strict=True))
    return Scores(tuple(runs), tuple(units), numbers, "share")


SAME = scores_of(np.tile(np.arange(20) % 2, (3, 1)))
GRADED = scores_of(np.random.default_rng(0).random((3, 30)))
HOLES = scores_of([[1, 0, np.nan, np.nan], [np.nan, np.nan, 1, 1], [0.5, 0.25, 0.5, 1]])
OF_SCORES: dict[str, Callable[[], StudyResult]] = {
    "compare, units apart": lambda: compare(HOLES, test="t", equivalence=0.1),
    "compare, same differences": lambda: compare(SAME),
    "compare, one unit": lambda: compare(scores_of([[0.5], [0.25]]), test="t", equivalence=0.1),
    "sensitivity": lambda: sensitivity(GRADED),
    "sensitivity, tied": lambda: sensitivity(SAME),
    "swap, one trial": lambda: swap(GRADED, trials=1, replicates=5, bin_width=0.1),
    "swap, no difference": lambda: swap(SAME, trials=2, replicates=5),
    "swap, teams": lambda: swap(GRADED, trials=3, team="^(r)", replicates=5, bin_width=0.1),
    "size, graded": lambda: size(GRADED),
    "size, no difference": lambda: size(SAME),
    "agree, one assessor": lambda: agree(ballots_of(["abab"])),
    "agree, one label": lambda: agree(ballots_of(["aaa", "aaa"], values="ab")),
    "agree, three assessors": lambda: agree(ballots_of(["abab", "abba", "aabb"])),
    "agree, slots": lambda: agree(ballots_of(["abab", "abba"], level="ordinal", exchangeable=True)),
    "judge, nothing shared": lambda: judge(ballots_of(["ab..", "ba..", "..ab"]), automatic=["c"]),
    "judge, one label": lambda: judge(ballots_of(["aa", "aa", "aa"], values="ab"), automatic=["c"]),
    "check, no key": lambda: check_files(HERE / "nothing.xml", [HERE / "runs" / "careful.jsonl"]),
}


def check(result: StudyResult) -> None:
    """Each null of a result has its reason, and each dash that people are shown finds it."""
    reasons = all_explained(result)
    columns = [column for sheet in result.sheets() for column in sheet.columns]
    dashes = [(column.name, value) for column in columns for value in column.values if value != value]
    assert [name for name, value in dashes if getattr(value, "why", "") not in reasons.values()] == []
    assert {value.why for _, value in dashes} == set(result.reasons_shown())
    assert result.render("text")


@pytest.mark.parametrize("file", sorted((ROOT / "docs" / "json").glob("*.json")), ids=lambda file: file.stem)
def test_documented_examples(file: Path) -> None:
    """Each null of a documented example has its reason."""
    json_explained(json.loads(file.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", OF_SCORES)
def test_degenerate_results(name: str) -> None:
    """Each null of a degenerate result has its reason, and each dash of its tables."""
    check(OF_SCORES[name]())


def test_runs_without_scores(make: Make) -> None:
    """A run that gives one answer to a key of one label leaves much undefined, in every study of runs."""
    key, runs = make("E E E E", a="1 E\n2 E\n3 E\n4 E", b="1 E\n2 U\n3 E\n4 E")
    ballots = replace(ballots_of(["0000", "0000", "0..."], values="01"), units=key.ids, scale=Scale(TWO.labels))
    for result in (
        score(runs),
        compare(runs, measure="kappa", test="bootstrap", replicates=99),
        items(runs),
        keys(runs, ballots, measure="kappa", draws=10, replicates=10),
        sensitivity(runs, measure="kappa"),
        judge(ballots, automatic=["c"], runs=runs, measure="kappa"),
    ):
        assert result.undefined
        check(result)


def test_one_run(key: karat.Pairs) -> None:
    """With one run there is no ranking."""
    one = karat.read_runs([HERE / "runs" / "careful.jsonl"], key)
    check(keys(one, read_ballots(BALLOTS, key), draws=10, replicates=10))


def test_nobody_forgets() -> None:
    """The check of nulls finds a null without an entry, an entry without a null, and one without a reason."""
    for undefined in ([], [{"path": "/a", "reason": "undefined"}], [{"path": "/b", "reason": "so"}]):
        with pytest.raises(AssertionError):
            json_explained({"a": None, "b": 1, "undefined": undefined})
    json_explained({"a": None, "b": 1, "undefined": [{"path": "/a", "reason": "so"}]})
