"""Criteria that are asked only where another is, which is itself asked only where a third is."""

from __future__ import annotations

from pathlib import Path

import pytest

import karat
from karat.align.ratings import faults
from karat.data.criteria import Criterion, declared

SPELLED = ("u:1..5", "c:1..5?u>=3", "d:1..5?c>=3")


def scales() -> list[Criterion]:
    """Three in a chain."""
    return list(declared(SPELLED))


def test_not_asked_goes_down_the_chain(tmp_path: Path) -> None:
    """Where the first is too low neither of the others was asked, and both count 0 there."""
    rows = ["run\tunit\tjudge\tu\tc\td"]
    for judge in ("x", "y"):
        rows += [f"a\t1\t{judge}\t5\t5\t4", f"b\t1\t{judge}\t5\t5\t3"]
        rows += [line for unit in "234" for line in (f"a\t{unit}\t{judge}\t1\t\t", f"b\t{unit}\t{judge}\t5\t5\t3")]
    (tmp_path / "r.tsv").write_text("\n".join(rows) + "\n")
    ratings = karat.read_justifications(tmp_path / "r.tsv", criterion=list(SPELLED))
    assert int(ratings.not_asked(ratings.scales[2]).sum()) == 6
    runs = {run.run: run.criteria["d"] for run in karat.justify(ratings).runs}
    assert runs["a"].mean.value == pytest.approx(1.0)
    assert runs["b"].mean.value == pytest.approx(3.0)


def test_not_applicable_may_be_said_of_what_is_not_asked() -> None:
    """It is no rating; a number there is one."""
    nan = float("nan")
    assert faults([nan, nan, nan], scales()) == []
    assert [one.code for one in faults([1.0, 4.0, None], scales())] == ["unasked"]
