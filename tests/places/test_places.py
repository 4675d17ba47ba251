"""Where work is done: the same results in the same order; items of workers that die are done again."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from karat.errors import UsageError
from karat.places import AHEAD, check_place, counted_on, open_place


@dataclass(frozen=True)
class Squares:
    """Squares; over the number 3 a worker dies, as often as `deaths` says."""

    folder: Path
    deaths: int

    def __call__(self, number: int) -> int:
        """The square."""
        if number == 3 and len(deaths := list(self.folder.glob("death-*"))) < self.deaths:
            (self.folder / f"death-{len(deaths)}").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return number * number


def _refuse(number: int) -> int:
    raise UsageError(f"{number} cannot be counted")


def test_a_worker_that_dies(tmp_path: Path) -> None:
    """What it was busy with is done again by others, and the order is kept."""
    assert list(counted_on("here", range(9), Squares(tmp_path, 0))) == [number**2 for number in range(9)]
    assert list(counted_on("processes", range(9), Squares(tmp_path, 1))) == [number**2 for number in range(9)]
    assert len(list(tmp_path.iterdir())) == 1


def test_an_item_that_kills(tmp_path: Path) -> None:
    """A part of the data over which every worker dies is an error in words, since the others are no result."""
    with pytest.raises(UsageError, match="workers died over a part of the data"):
        list(counted_on("processes", range(9), Squares(tmp_path, 99)))


def test_few_items_are_taken() -> None:
    """No more than a few items are taken than are done; what is wrong with the call is told as it is."""
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(99):
            taken.append(number)
            yield number

    found = counted_on("processes", items(), str)
    assert next(found) == "0"
    assert len(taken) <= AHEAD * (os.cpu_count() or 1)
    del found
    with pytest.raises(UsageError, match="0 cannot be counted"):
        list(counted_on("processes", range(3), _refuse))


def test_names() -> None:
    """What names no place is refused; GPUs are those of a cluster."""
    for name in ("ray://", "elsewhere", ""):
        with pytest.raises(UsageError, match="expected one of here, processes, ray"):
            check_place(name)
    with pytest.raises(UsageError, match="gpus_per_worker shares out"):
        open_place("here", None, gpus_per_worker=1)  # type: ignore[arg-type]
