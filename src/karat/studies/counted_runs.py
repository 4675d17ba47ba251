"""Which runs count where runs say something about each other: how far apart they are, or how rankings change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from karat.data.responses import Responses
from karat.data.result import Finding, all_marked, marked
from karat.labels import Way
from karat.statistics.paired import mcnemar
from karat.studies.base import LeftOut
from karat.studies.wording import ALPHA, counted, listed, some_of

CONSTANT = "it gives every pair the same answer"
BELOW = "it is significantly less accurate than a constant answer"
SAME = "it gives the same answers as "


def runs_that_count(runs: Responses, ways: Sequence[Way]) -> tuple[Responses, list[LeftOut]]:
    """The runs that count in all of these ways, and the others with reasons.

    How much runs differ says how much of a difference is chance. Runs that do not solve the task are far below the
    others for reasons of their own, and with them all differences would seem reliable, those between the others too.
    A run that is there twice counts once, under the name that is first in the alphabet. Where a reason would leave
    fewer than two runs, it is not applied, because nothing could be said at all.
    """
    kept = list(range(len(runs)))
    reasons: dict[int, str] = {}
    for finder in (_constant, _below, _repeated):
        found = finder(runs, ways, kept)
        if len(kept) - len(found) > 1:
            reasons |= found
            kept = [place for place in kept if place not in found]
    left = [LeftOut(runs.names[place], reason) for place, reason in reasons.items()]
    return runs if len(kept) == len(runs) else runs.of_runs(kept), left


def _constant(runs: Responses, ways: Sequence[Way], kept: Sequence[int]) -> dict[int, str]:
    found = [runs.constant(way) for way in ways]
    return {place: CONSTANT for place in kept if all(runs.names[place] in names for names in found)}


def _below(runs: Responses, ways: Sequence[Way], kept: Sequence[int]) -> dict[int, str]:
    """The runs that are significantly less accurate than the most frequent label, corrected for their number."""
    below = np.ones(len(runs), dtype=bool)
    for way in ways:
        codes = runs.key_codes(way)
        labelled = codes >= 0
        baseline = codes[labelled] == np.bincount(codes[labelled], minlength=1).argmax()
        right = runs.answers(way)[:, labelled] == codes[labelled]
        won, lost = (right & ~baseline).sum(axis=1), (~right & baseline).sum(axis=1)
        below &= (lost > won) & (mcnemar(won, lost) * len(runs) <= ALPHA)
    return {place: BELOW for place in kept if below[place]}


def _repeated(runs: Responses, ways: Sequence[Way], kept: Sequence[int]) -> dict[int, str]:
    """The runs that give the same answers as one before them in the alphabet, in every way."""
    first: dict[bytes, str] = {}
    found = {}
    answers = [runs.answers(way) for way in ways]
    for place in sorted(kept, key=runs.names.__getitem__):
        name = runs.names[place]
        other = first.setdefault(b"".join(one[place].tobytes() for one in answers), name)
        if other != name:
            found[place] = f"{SAME}{other}"
    return found


def not_counted(result: Any, where: str = "here") -> Iterable[Finding]:
    """Which runs are not counted, and why."""
    told, every = [], []
    for reason, described in ((CONSTANT, "with a constant answer"), (BELOW, "significantly below a constant answer")):
        if names := [one.name for one in result.left_out if one.reason == reason]:
            told.append((len(names), described, some_of(all_marked(names))))
            every += names
    runs, what, why = counted(len(every), "run"), "is not counted", "since it says little about the others"
    if len(every) > 1:
        what, why = "are not counted", "since they say little about the others"
    if len(told) == 1:
        yield Finding(f"{runs} {told[0][1]} {what} {where}, {why}: {told[0][2]}.", every)
    elif told:
        parts = [f"{number:,} {described} ({names})" for number, described, names in told]
        yield Finding(f"{runs} {what} {where}, {why}: {listed(parts)}.", every)
    same = {one.name: one.reason.removeprefix(SAME) for one in result.left_out if one.reason.startswith(SAME)}
    if len(same) == 1:
        [(name, other)] = same.items()
        yield Finding(
            f"{marked(name)} gives the same answers as {marked(other)}: they are counted once.", [name, other]
        )
    elif same:
        named = some_of([f"{marked(name)} (as {marked(other)})" for name, other in same.items()])
        yield Finding(
            f"{len(same):,} runs give the same answers as others and are not counted again: {named}.", [*same]
        )
