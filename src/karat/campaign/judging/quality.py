"""How the judging goes: who agrees with themselves, with examples and with the others; time; drift; units to look at.

Nothing is claimed from fewer judgments than `FEWEST`; everything has its number and an interval.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, tzinfo
from itertools import combinations
from statistics import median

import msgspec
import numpy as np

from karat.campaign.judging.work import Ballot, Work
from karat.data.parameters import generator
from karat.statistics.intervals import wilson
from karat.statistics.multiple_testing import holm
from karat.statistics.watching import median_interval, trend

FEWEST = 20
"""The judgments from which on something is said about an assessor."""
FEWEST_OF_A_DAY = 10
"""The judgments of a day that counts in the test of drift."""
LEVEL = 0.05
"""The level of the test of drift, corrected over assessors by Holm's method."""
FACTOR = 3.0
"""How many times faster or slower than the others somebody is who is named."""


class Share(msgspec.Struct, frozen=True):
    """A share of so many, with its 95% interval; nothing if there are none."""

    count: float
    of: int
    low: float | None = None
    high: float | None = None

    @property
    def value(self) -> float | None:
        """The share itself."""
        return self.count / self.of if self.of else None

    @property
    def small(self) -> bool:
        """Whether this is too little to conclude anything from."""
        return self.of < FEWEST


def share(count: float, of: int) -> Share:
    """A share with Wilson's interval; a fractional count has no more spread than a whole one."""
    if not of:
        return Share(0, 0)
    low, high = wilson(np.array(count / of), np.array(float(of)))
    return Share(count, of, float(low), float(high))


class Day(msgspec.Struct, frozen=True, kw_only=True):
    """How often an assessor agreed with the others on what they judged on a day."""

    day: date
    agreement: Share


class Assessor(msgspec.Struct, frozen=True, kw_only=True):
    """An assessor's judgments so far."""

    name: str
    repeats: Share
    """Units judged twice that got the same label."""
    examples: Share
    """Examples among the units that got their known label."""
    others: Share
    """Agreement with the others: of the labels of others on the same units, those that are the same."""
    timed: int
    seconds: float | None
    """The median time of a judgment."""
    low: float | None
    high: float | None
    ratio: float | None
    """That time divided by the median of the others' medians; None with too few judgments or others."""
    speed: str
    """`fast` or `slow` if the whole interval is beyond a third, or three times, of the others' time."""
    days: tuple[Day, ...]
    slope: float | None
    """The change of agreement from day to day."""
    p: float | None
    """Of the test of drift, corrected over assessors; None if they cannot be tested."""

    @property
    def drifts(self) -> bool:
        """Whether agreement with the others changes from day to day by more than chance explains."""
        return self.p is not None and self.p <= LEVEL


class Split(msgspec.Struct, frozen=True, kw_only=True):
    """A unit on which the best assessors differ."""

    unit: str
    labels: dict[str, str]
    comments: tuple[str, ...]


class Quality(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about the judgments of people in a task."""

    assessors: tuple[Assessor, ...]
    best: tuple[str, ...]
    """The better half by agreement with the others; empty if fewer than three have labelled enough."""
    splits: tuple[Split, ...]
    """Units on which those differ."""

    @property
    def named(self) -> list[Assessor]:
        """Those whose time is out of the ordinary."""
        return [one for one in self.assessors if one.speed]

    @property
    def drifting(self) -> list[Assessor]:
        """Those whose agreement changes."""
        return [one for one in self.assessors if one.drifts]

    @property
    def tested(self) -> int:
        """How many were tested for drift."""
        return sum(one.p is not None for one in self.assessors)


def quality(work: Work, zone: tzinfo) -> Quality:
    """How the judging goes, from what has been judged so far."""
    people = work.people()
    # Sorted: a map has an order of its own in every process, and the p-values of drift would follow it.
    labels = {unit: _labels(work, of) for unit, of in sorted(work.labels.items(), key=lambda one: one[0])}
    agreed = {who: _with_others(who, labels, work) for who in people}
    times = {who: _seconds(work, who) for who in people}
    medians = {who: median(of) for who, of in times.items() if len(of) >= FEWEST}
    days = {
        who: [(one.at.astimezone(zone).date(), same) for one, same in of if not one.said.imported]
        for who, of in agreed.items()
    }
    slopes = {who: found for who, of in days.items() if (found := _trend(of)) is not None}
    corrected = dict(
        zip(slopes, holm(np.array([p for _, p in slopes.values()])).tolist() if slopes else [], strict=True)
    )
    made = []
    for who in people:
        low, high = median_interval(np.array(times[who])) if len(times[who]) >= FEWEST else (None, None)
        ratio, speed = _speed(who, medians, low, high)
        made.append(
            Assessor(
                name=who,
                repeats=_repeats(work, who),
                examples=_examples(work, who),
                others=share(sum(same for _, same in agreed[who]), len(agreed[who])),
                timed=len(times[who]),
                seconds=median(times[who]) if times[who] else None,
                low=low,
                high=high,
                ratio=ratio,
                speed=speed,
                days=_by_day(days[who]),
                slope=slopes[who][0] if who in slopes else None,
                p=corrected.get(who),
            )
        )
    best = _best(made)
    return Quality(assessors=tuple(made), best=best, splits=_splits(labels, best, work))


def _labels(work: Work, of: Mapping[str, Ballot]) -> dict[str, str]:
    """The labels that people gave a unit."""
    return {
        who: one.label
        for who, one in sorted(of.items(), key=lambda one: one[0])
        if one.label is not None and who not in work.programs
    }


def _with_others(who: str, labels: Mapping[str, Mapping[str, str]], work: Work) -> list[tuple[Ballot, float]]:
    """Each label that somebody gave to a unit that others labelled too, and how many of those agree."""
    found = []
    for unit, of in labels.items():
        others = [label for one, label in of.items() if one != who]
        if who in of and others:
            found.append((work.labels[unit][who], others.count(of[who]) / len(others)))
    return found


def _seconds(work: Work, who: str) -> list[float]:
    """The times of somebody's judgments, longest pauses included: medians do not mind them."""
    stages = ("labels", "planted", "ratings")
    return [
        one.said.seconds
        for item, one in work.of(who).items()
        if item.stage in stages and one.said.seconds and not one.said.skipped
    ]


def _repeats(work: Work, who: str) -> Share:
    mine = work.of(who)
    again = [
        (one.label, mine[first].label)
        for item, one in mine.items()
        if item.stage == "labels" and item.copy == 2 and (first := msgspec.structs.replace(item, copy=1)) in mine
    ]
    both = [a == b for a, b in again if a is not None and b is not None]
    return share(sum(both), len(both))


def _examples(work: Work, who: str) -> Share:
    said = [one for item, one in work.of(who).items() if item.stage == "planted" and one.label is not None]
    return share(sum(one.label == one.said.expected for one in said), len(said))


def _speed(who: str, medians: Mapping[str, float], low: float | None, high: float | None) -> tuple[float | None, str]:
    """How somebody's time compares with that of at least two others, and whether it is out of the ordinary."""
    others = [time for one, time in medians.items() if one != who]
    if who not in medians or low is None or high is None or len(others) < 2 or not median(others):
        return None, ""
    usual = median(others)
    speed = "fast" if high * FACTOR < usual else "slow" if low > usual * FACTOR else ""
    return medians[who] / usual, speed


def _by_day(given: Iterable[tuple[date, float]]) -> tuple[Day, ...]:
    found: dict[date, list[float]] = {}
    for day, same in given:
        found.setdefault(day, []).append(same)
    return tuple(Day(day=day, agreement=share(sum(of), len(of))) for day, of in sorted(found.items()))


def _trend(given: Sequence[tuple[date, float]]) -> tuple[float, float] | None:
    """The slope and the p-value of somebody's agreement over days; None with fewer than two days that count."""
    days = [one for one in _by_day(given) if one.agreement.of >= FEWEST_OF_A_DAY]
    if len(days) < 2:
        return None
    places = {one.day: (one.day - days[0].day).days for one in days}
    kept = [(places[day], same) for day, same in given if day in places]
    values, when = (np.array(column) for column in zip(*((same, place) for place, same in kept), strict=True))
    return trend(values.astype(float), when, generator(0, "judging", "drift", len(kept)))


def _best(people: Sequence[Assessor]) -> tuple[str, ...]:
    """The better half, by agreement with the others; with fewer than three there is no telling."""
    ranked = [one for one in people if not one.others.small]
    if len(ranked) < 3:
        return ()
    ranked.sort(key=lambda one: (-(one.others.value or 0), one.name))
    return tuple(one.name for one in ranked[: max(2, len(ranked) // 2)])


def _splits(labels: Mapping[str, Mapping[str, str]], best: Sequence[str], work: Work) -> tuple[Split, ...]:
    """The units on which two of the best differ, in the order of the test set."""
    found = []
    for unit, of in labels.items():
        if any(a in of and b in of and of[a] != of[b] for a, b in combinations(best, 2)):
            said = [work.labels[unit][who].said.comment for who in of]
            found.append(Split(unit=unit, labels=dict(of), comments=tuple(text for text in said if text)))
    return tuple(sorted(found, key=lambda one: one.unit))
