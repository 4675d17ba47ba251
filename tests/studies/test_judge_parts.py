"""Judge: ballots in parts give what they give at once, bit by bit; what needs all units at once says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest

import karat
from karat import examples
from karat.cli.command import ask
from karat.data.parts import BallotParts
from karat.formats import ballot_parts
from karat.progress import heard
from karat.studies.judge import sums
from karat.studies.judge.study import judge
from tests.studies.test_agree_parts import ENTAILMENT, in_parts_of, rows, written

JUDGES = ("judge 0", "judge 1")


@pytest.mark.parametrize(
    ("rows_at_once", "labels", "assessors", "judges", "reading"),
    [
        (1, ENTAILMENT, 6, JUDGES, {}),
        (7, ENTAILMENT, 6, JUDGES, {}),
        (None, ENTAILMENT, 6, JUDGES[:1], {}),
        (7, ENTAILMENT, 3, JUDGES[:1], {}),
        (7, ENTAILMENT, 2, JUDGES[:1], {}),
        (7, ("1", "2", "3", "4"), 5, JUDGES, {"level": "ordinal"}),
        (7, (1, 2, 4, 8), 5, JUDGES[:1], {"level": "interval"}),
        (7, ("yes", "no", ""), 40, JUDGES, {}),
    ],
)
def test_the_same_numbers(
    tmp_path: Path,
    rows_at_once: int | None,
    labels: tuple[Any, ...],
    assessors: int,
    judges: tuple[str, ...],
    reading: dict[str, Any],
) -> None:
    """One row at a time, seven, or all: the same result, bit by bit, as from ballots that are held."""
    path, asked = written(tmp_path, rows(labels, assessors, units=150)), {"automatic": judges, "fewest": 5}
    held = judge(karat.read_ballots(path, **reading), **asked)
    assert judge(in_parts_of(path, rows_at_once, **reading), **asked).render("json") == held.render("json")


def test_tables_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of people × units, and of pairs of people, are made some at a time: the numbers are the same."""
    ballots = karat.read_ballots(written(tmp_path, rows(assessors=6, units=150)))
    whole = judge(ballots, automatic=JUDGES, fewest=5).render("json")
    monkeypatch.setattr(sums, "CELLS_AT_ONCE", 40)
    monkeypatch.setattr("karat.studies.judge.agreement.CELLS_AT_ONCE", 18)
    assert judge(ballots, automatic=JUDGES, fewest=5).render("json") == whole


def test_one_of_three(tmp_path: Path) -> None:
    """Two ballots that agree of three others: the sums are whole numbers for each number of others, then shares."""
    frame = polars.DataFrame(
        {"unit": ["u"] * 4, "assessor": ["a", "b", "c", "d"], "label": ["x", "x", "x", "y"]},
    )
    found = sums.PersonSums.of(karat.read_ballots(written(tmp_path, frame)), np.array([[-1]]))
    assert list(found.others) == [3]
    np.testing.assert_array_equal(found.by_others()[0], [[2 / 3, 1 / 3], [0, 0]])
    np.testing.assert_array_equal(found.by_others()[3], [[0, 0], [1, 0]])


@pytest.mark.parametrize(
    ("labels", "asked", "why"),
    [
        (ENTAILMENT, {"labelled": 20}, "--labelled"),
        (tuple(range(40)), {"level": "interval"}, "judging on 40 values"),
    ],
)
def test_what_needs_all_units(tmp_path: Path, labels: tuple[Any, ...], asked: dict[str, Any], why: str) -> None:
    """It says how much memory it wants, and gives the same numbers as from ballots that are held."""
    path, told = written(tmp_path, rows(labels, units=150)), list[str]()
    with heard(told.append):
        found = judge(in_parts_of(path, 7), automatic=JUDGES[:1], **asked)
    assert found.render("json") == judge(karat.read_ballots(path), automatic=JUDGES[:1], **asked).render("json")
    assert told[0].startswith(f"{why} needs all units at once: ")


def test_what_needs_names(tmp_path: Path) -> None:
    """Clusters and a key name units, which ballots in parts do not; who is automatic must be said."""
    parts: BallotParts = in_parts_of(written(tmp_path, rows()))
    key = karat.read_pairs(examples.PAIRS)
    with pytest.raises(karat.UsageError, match="cluster needs the units by name"):
        judge(parts, automatic=JUDGES, cluster="topic")
    with pytest.raises(karat.UsageError, match="key needs the units by name"):
        judge(parts, automatic=JUDGES, runs=karat.Responses.of(key, []))
    with pytest.raises(karat.UsageError, match="which assessor is automatic"):
        judge(parts)
    with pytest.raises(karat.UsageError, match="no assessor is called 'judge 7'"):
        judge(parts, automatic=("judge 7",))
    with pytest.raises(karat.UsageError, match="there are no people"):
        judge(parts, automatic=parts.assessors)


def test_the_command_reads_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`karat judge` of a large file reads it part by part."""
    path = written(tmp_path, rows())
    held = ask("judge", str(path), "--automatic", JUDGES[0]).render("json")
    read = ballot_parts.read_ballot_parts
    monkeypatch.setattr("karat.cli.of_study.read_ballot_parts", lambda *given, **more: read(*given, **more, least=0))
    assert ask("judge", str(path), "--automatic", JUDGES[0]).render("json") == held
