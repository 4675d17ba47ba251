"""Agree: ballots in parts give what they give at once, bit by bit; units that span parts stay whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest

import karat
from karat.data.parts import BallotParts
from karat.formats.ballot_parts import read_ballot_parts
from karat.progress import heard
from karat.studies.agree.study import agree

ENTAILMENT = ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")


def rows(labels: tuple[Any, ...] = ENTAILMENT, assessors: int = 5, units: int = 60, seed: int = 1) -> polars.DataFrame:
    """Ballots of units that have one to `assessors` of them, by people who agree somewhat."""
    random = np.random.default_rng(seed)
    made = []
    for unit in range(units):
        truth = random.integers(len(labels))
        for who in random.permutation(assessors)[: random.integers(1, assessors + 1)]:
            said = truth if random.random() < 0.6 else random.integers(len(labels))
            made.append((f"u{unit}", f"judge {who}", labels[said]))
    return polars.DataFrame(made, schema=["unit", "assessor", "label"], orient="row")


def written(folder: Path, frame: polars.DataFrame) -> Path:
    """The rows as a file."""
    path = folder / "ballots.parquet"
    frame.write_parquet(path, row_group_size=30)
    return path


def in_parts_of(path: Path, rows_at_once: int | None = None, **reading: Any) -> BallotParts:
    """The ballots in parts of so many rows."""
    found = read_ballot_parts(path, least=0, rows_at_once=rows_at_once, **reading)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("rows_at_once", "labels", "assessors", "reading"),
    [
        (1, ENTAILMENT, 5, {}),
        (7, ENTAILMENT, 5, {}),
        (None, ENTAILMENT, 2, {}),
        (7, ("1", "2", "3", "4"), 4, {"level": "ordinal"}),
        (7, (1, 2, 4, 8), 4, {"level": "interval"}),
        (7, ("yes", "no"), 3, {"exchangeable": True}),
        (7, ("yes", "no", ""), 40, {}),
    ],
)
def test_the_same_numbers(
    tmp_path: Path, rows_at_once: int | None, labels: tuple[Any, ...], assessors: int, reading: dict[str, Any]
) -> None:
    """One row at a time, seven, or all: the same result, bit by bit, as from ballots that are held."""
    path = written(tmp_path, rows(labels, assessors))
    held = agree(karat.read_ballots(path, **reading))
    assert agree(in_parts_of(path, rows_at_once, **reading)).render("json") == held.render("json")


def test_many_values_need_all_units(tmp_path: Path) -> None:
    """Of many different numbers there are no patterns: all ballots are held, and the memory is named."""
    path, told = written(tmp_path, rows(tuple(range(40)))), list[str]()
    with heard(told.append):
        found = agree(in_parts_of(path, 7, level="interval"))
    assert found.render("json") == agree(karat.read_ballots(path, level="interval")).render("json")
    assert told[0].startswith("agreement on 36 values needs all units at once: ")


def test_clusters_need_attributes(tmp_path: Path) -> None:
    """Ballots in parts say nothing else about their units."""
    with pytest.raises(karat.UsageError, match=r"cluster names an attribute of units, and \d+ ballots are read"):
        agree(in_parts_of(written(tmp_path, rows())), cluster="topic")


def test_other_files_are_held(tmp_path: Path) -> None:
    """Small files, several files, one column per assessor, and decisions beside ballots are not read in parts."""
    path = written(tmp_path, rows())
    assert read_ballot_parts(path) is None
    assert read_ballot_parts([path, path], least=0) is None
    assert read_ballot_parts(path, least=0, assessor=("label",)) is None
    rows().with_columns(reason=polars.lit("")).write_parquet(path)
    assert read_ballot_parts(path, least=0) is None


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        (lambda frame: polars.concat([frame, frame[:1]]), "1 unit whose rows are in several places of the file"),
        (lambda frame: polars.concat([frame[:1], frame]), "1 ballot of a unit by somebody who judged it"),
        (lambda frame: frame.with_columns(assessor=polars.lit("")), "ballots without an assessor"),
        (lambda frame: frame.with_columns(label=polars.lit("")), "no ballots"),
    ],
)
@pytest.mark.parametrize("rows_at_once", [3, None])
def test_damaged_ballots(
    tmp_path: Path, damage: Callable[[polars.DataFrame], polars.DataFrame], found: str, rows_at_once: int | None
) -> None:
    """What is wrong with the rows is said before anything is computed."""
    path = written(tmp_path, damage(rows()))
    with pytest.raises(karat.DataError, match=found):
        in_parts_of(path, rows_at_once)
