"""Data too large to hold, in parts of disjoint units; and what it takes to hold them after all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from numpy.typing import NDArray

from karat.arrays import Integers
from karat.data.ballots import Ballots, Scale
from karat.data.coincidences import BallotPatterns
from karat.data.parameters import checked_noun
from karat.data.provenance import BALLOTS_AS_THEY_ARE, RUNS_AS_ROWS, BallotReading, ScoreReading, Source
from karat.data.scores import Scores
from karat.errors import Problem, UsageError
from karat.places import counted_on
from karat.progress import announce

LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current")
"""Where Linux says how much memory a container may use, and uses."""
R = TypeVar("R")


@checked_noun
@dataclass(frozen=True, eq=False, repr=False)
class ScoreParts:
    """The scores of some runs on many units, which come in parts as often as they are asked for."""

    runs: tuple[str, ...]
    units: int
    """How many there are."""
    parts: Callable[[], Iterator[NDArray[Any]]]
    """The scores (runs, units of the part) of one part after another."""
    held: Callable[[], Scores]
    """All scores at once."""
    clustered: bool = False
    on: str = "here"
    """Where parts are counted, as `--on` names it."""
    sources: tuple[Source, ...] = ()
    reading: ScoreReading = RUNS_AS_ROWS
    warnings: tuple[Problem, ...] = ()

    def each(self, function: Callable[[NDArray[Any]], R]) -> Iterator[R]:
        """What a function gives for each part, in order."""
        return counted_on(self.on, self.parts(), function)

    def whole(self, why: str) -> Scores:
        """All scores at once, if they fit into memory; `why` says what needs them."""
        what = f"{why} needs all units at once: {len(self.runs):,} runs × {self.units:,} units"
        # As doubles, and once more while they are put in order and counted.
        need_memory(what, 2 * 8 * len(self.runs) * self.units, self.reading.despite_memory)
        return self.held()


@checked_noun
@dataclass(frozen=True, eq=False, repr=False)
class BallotParts:
    """Ballots that come in parts, as often as they are asked for; all ballots of a unit are in one part."""

    assessors: tuple[str, ...]
    scale: Scale
    units: int
    """How many there are, …"""
    size: int
    """… and how many ballots."""
    parts: Callable[[], Iterator[Ballots]]
    """One part after another, with these assessors and values; their units have no names."""
    held: Callable[[], Ballots]
    """All ballots at once."""
    exchangeable: bool = False
    on: str = "here"
    """Where parts are counted, as `--on` names it."""
    sources: tuple[Source, ...] = ()
    reading: BallotReading = BALLOTS_AS_THEY_ARE
    warnings: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return self.size

    def each(self, function: Callable[[Ballots], R]) -> Iterator[R]:
        """What a function gives for each part, in order."""
        return counted_on(self.on, self.parts(), function)

    def whole(self, why: str) -> Ballots:
        """All ballots at once, if they fit into memory; `why` says what needs them."""
        what = f"{why} needs all units at once: {self.size:,} ballots of {self.units:,} units"
        # Unit, assessor and label of a ballot, and once more while they are counted; names, counts and sums of a unit.
        need_memory(what, 50 * self.size + 200 * self.units, self.reading.despite_memory)
        return self.held()


@dataclass(frozen=True, eq=False)
class BallotSums:
    """What is left of ballots once the parts are added up: who judged, on what scale, and the patterns of units."""

    assessors: tuple[str, ...]
    scale: Scale
    patterns: BallotPatterns
    exchangeable: bool = False

    def __len__(self) -> int:
        return int(self.patterns.times @ self.patterns.sizes)

    def fold(self, places: Integers, scale: Scale) -> BallotSums:
        """On another scale: `places` says which of its values each value becomes."""
        return replace(self, scale=scale, patterns=self.patterns.fold(places, scale.values))


def need_memory(what: str, needed: int, despite: bool = False) -> None:
    """Say how much memory comes next; refused if the machine has less, unless the user wants it nevertheless."""
    there = available_memory()
    said = f"{what}, about {in_gigabytes(needed)} of memory"
    if there is not None and needed > there and not despite:
        raise UsageError(
            f"{said}, and {in_gigabytes(there)} are free here; take a larger machine or fewer units, or try it all the "
            "same with --despite-memory"
        )
    announce(said if there is None else f"{said} ({in_gigabytes(there)} are free here)")


def available_memory() -> int | None:
    """The bytes that this process may still take; None if the system does not say."""
    found = []
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        found += [1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")]
        most, now = (Path(name).read_text(encoding="ascii").strip() for name in LIMITS)
        found += [int(most) - int(now)] if most.isdecimal() else []
    except (OSError, ValueError, IndexError):
        pass
    if not found and hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    return min(found, default=None)


def in_gigabytes(size: int) -> str:
    """A number of bytes as people read it."""
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.0f} MB"
