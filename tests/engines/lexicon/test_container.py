"""A file of arrays is whole or not believed."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from karat.engines.lexicon.loading import read_arrays, write_arrays

ARRAYS: dict[str, NDArray[Any]] = {
    "bytes": np.arange(7, dtype=np.uint8),
    "none": np.zeros(0, np.int32),
    "table": np.arange(12, dtype=np.float32).reshape(4, 3),
    "empty": np.zeros((4, 0), np.int8),
}


def test_round_trip(tmp_path: Path) -> None:
    """What is read is what was written."""
    write_arrays(tmp_path / "deep" / "a.arrays", "é", ARRAYS)
    found = read_arrays(tmp_path / "deep" / "a.arrays")
    assert found is not None
    name, arrays = found
    assert name == "é"
    assert list(arrays) == list(ARRAYS)
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, ARRAYS[name])
        assert array.dtype == ARRAYS[name].dtype
    assert [file.name for file in (tmp_path / "deep").iterdir()] == ["a.arrays"]


@given(st.data())
def test_damage_is_seen(data: st.DataObject) -> None:
    """Of a file with bytes cut off, or changed anywhere, nothing is read, or what was written."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a"
        write_arrays(path, "x", ARRAYS)
        whole = path.read_bytes()
        at = data.draw(st.integers(0, len(whole) - 1))
        path.write_bytes(whole[:at])
        assert read_arrays(path) is None
        changed = bytearray(whole)
        changed[at] ^= data.draw(st.integers(1, 255))
        path.write_bytes(bytes(changed))
        found = read_arrays(path)
        if found is not None:
            assert found[0] == "x"
            assert {name: array.tolist() for name, array in found[1].items()} == {
                name: array.tolist() for name, array in ARRAYS.items()
            }


def test_absent_and_empty(tmp_path: Path) -> None:
    """A file that is not there, is empty or is a folder is none."""
    (tmp_path / "empty").touch()
    assert [read_arrays(tmp_path / name) for name in ("absent", "empty", ".")] == [None] * 3


def test_a_failed_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the disk is full, the old file stays as it was and no piece of the new one stays."""
    write_arrays(tmp_path / "a", "old", ARRAYS)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_arrays(tmp_path / "a", "new", ARRAYS)
    assert [file.name for file in tmp_path.iterdir()] == ["a"]
    assert read_arrays(tmp_path / "a")[0] == "old"


def test_what_the_killed_left_is_removed(tmp_path: Path) -> None:
    """A piece written an hour ago goes with the next write; one being written stays."""
    old, new = tmp_path / "a-1.part", tmp_path / "a-2.part"
    old.touch()
    new.touch()
    os.utime(old, (time.time() - 7200,) * 2)
    write_arrays(tmp_path / "a", "", ARRAYS)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a", "a-2.part"]
