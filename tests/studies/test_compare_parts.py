"""Compare: scores in parts give what they give at once; what needs all units at once says so before it starts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest

import karat
from karat.cli.command import ask
from karat.data import parts as in_parts
from karat.data.parts import ScoreParts
from karat.formats import score_parts
from karat.formats.score_parts import read_score_parts
from karat.progress import heard
from karat.studies.compare.study import compare
from tests.statistics.test_right_sums import scores

UNITS = 41


def written(folder: Path, missing: float = 0.2, **more: Any) -> Path:
    """A matrix with one row per unit."""
    values = scores(7, units=UNITS, missing=missing)
    columns = {f"run {run}": [None if one != one else one for one in row] for run, row in enumerate(values.tolist())}
    path = folder / "scores.parquet"
    polars.DataFrame({"unit": [f"u{unit}" for unit in range(UNITS)], **columns, **more}).write_parquet(
        path, row_group_size=10
    )
    return path


def in_parts_of(path: Path, rows: int | None = None) -> ScoreParts:
    """The scores in parts of so many units."""
    found = read_score_parts(path, least=0, rows_at_once=rows)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("missing", "rows", "asked"),
    [
        (0, 1, {}),
        (0, 7, {"versus": "run 1", "fail_if_worse": 0.1}),
        (0.2, 1, {"versus": "run 1", "equivalence": 0.2}),
        (0.2, 7, {"test": "sign", "correction": "bh"}),
        (0.2, None, {}),
    ],
)
def test_the_same_numbers(tmp_path: Path, missing: float, rows: int | None, asked: dict[str, Any]) -> None:
    """One unit at a time, seven, or all: the same result, bit by bit, as from scores that are held."""
    path = written(tmp_path, missing)
    held = compare(karat.read_scores(path), **asked)
    assert compare(in_parts_of(path, rows), **asked).render("json") == held.render("json")


def test_small_files_are_held(tmp_path: Path) -> None:
    """Only large files of Parquet with units as rows are read in parts."""
    path = written(tmp_path)
    assert read_score_parts(path) is None
    assert read_score_parts([path, path], least=0) is None
    assert read_score_parts(tmp_path / "absent.parquet", least=0) is None
    polars.DataFrame({"run": ["a", "b"], "1": [0, 1]}).write_parquet(path)
    assert read_score_parts(path, least=0) is None


def test_a_file_is_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a file is large takes a process to find out; the command and the reader do not both ask."""
    path, asked = written(tmp_path), list[str]()
    monkeypatch.setattr(score_parts, "large_parquet", lambda path, _: asked.append(str(path)))
    ask("compare", "--scores", str(path))
    assert asked == [str(path)]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"test": "bootstrap", "replicates": 200}, "--test bootstrap"),
        ({"correction": "maxt", "replicates": 200}, "--correction maxt"),
        ({"test": "t"}, "--test t"),
    ],
)
def test_what_needs_all_units(tmp_path: Path, asked: dict[str, Any], why: str) -> None:
    """It says how much memory it wants, and gives the same numbers as from scores that are held."""
    path, told = written(tmp_path), list[str]()
    with heard(told.append):
        found = compare(in_parts_of(path), **asked)
    assert found.render("json") == compare(karat.read_scores(path), **asked).render("json")
    [sentence] = told
    assert sentence.startswith(f"{why} needs all units at once: 5 runs × 41 units, about 0 MB of memory")


def test_other_scores_need_all_units(tmp_path: Path) -> None:
    """Sums of fractions depend on their order, so they are held; so are clusters."""
    for more, why in (
        ({"other": np.linspace(0, 1, UNITS)}, "comparing scores other than right and wrong"),
        ({"cluster": [str(unit % 9) for unit in range(UNITS)]}, "a comparison over clusters"),
    ):
        path, told = written(tmp_path, **more), list[str]()
        with heard(told.append):
            found = compare(in_parts_of(path, 7))
        assert found.render("json") == compare(karat.read_scores(path)).render("json")
        assert told[0].startswith(f"{why} needs all units at once")


def test_too_little_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused where the machine has less, unless the user wants it all the same."""
    monkeypatch.setattr(in_parts, "available_memory", lambda: 1000)
    path = written(tmp_path)
    with pytest.raises(karat.UsageError, match="5 runs × 41 units, about 0 MB of memory, and 0 MB are free here"):
        compare(in_parts_of(path), test="bootstrap")
    despite = read_score_parts(path, least=0, despite_memory=True)
    assert despite is not None
    assert compare(despite, test="bootstrap", replicates=200).test == "bootstrap"


def _again(frame: polars.DataFrame) -> polars.DataFrame:
    return polars.concat([frame, frame[:2]])


def _infinite(frame: polars.DataFrame) -> polars.DataFrame:
    return frame.with_columns(polars.lit(float("inf")).alias("run 2"))


@pytest.mark.parametrize(
    ("damage", "found"), [(_again, "2 units again in the column unit"), (_infinite, "an infinite score of run 'run 2'")]
)
@pytest.mark.parametrize("test", ["auto", "bootstrap"])
def test_damaged_scores(
    tmp_path: Path, damage: Callable[[polars.DataFrame], polars.DataFrame], found: str, test: str
) -> None:
    """A unit twice and an infinite score are errors, in parts as at once."""
    path = written(tmp_path)
    damage(polars.read_parquet(path)).write_parquet(path)
    with pytest.raises(karat.DataError, match=found):
        compare(in_parts_of(path, 5), test=test)


def test_a_cut_file(tmp_path: Path) -> None:
    """A file that ends in the middle, or is damaged in one of its parts, is never taken for whole."""
    path = written(tmp_path)
    parts, data = in_parts_of(path), path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(karat.DataError, match="a Parquet file that cannot be decoded"):
        compare(parts)
    assert read_score_parts(path, least=0) is None
    damaged = bytearray(data)
    damaged[len(data) // 3 : len(data) // 3 + 200] = bytes(200)
    path.write_bytes(bytes(damaged))
    with pytest.raises(karat.DataError, match="a Parquet file that cannot be decoded"):
        compare(parts)
