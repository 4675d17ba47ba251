"""Pilot runs: how much pairs of runs disagree, and the joint answers of the two runs used for simulation."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Floats
from karat.data.ballots import Ballots
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.labels import IN_WORDS, THREE
from karat.statistics.key_noise import confusion_of, joint_of, symmetric
from karat.statistics.swap import pair_moments
from karat.studies.scorer import Scorer
from karat.studies.size.result import Discordance


@dataclass(frozen=True, eq=False)
class Pilot:
    """One way of scoring: how much pairs of runs disagree, and the two runs used for simulation."""

    way: str | None
    scores: Scores
    places: tuple[int, int]
    """The indices of the two runs, in the order of their names."""
    discordance: Discordance
    joint: Floats | None
    """The joint distribution of the two runs' answers; None if scores are graded."""
    confusion: Floats
    """The probabilities of the labels in the key given the true label."""
    noise: float

    @property
    def names(self) -> tuple[str, str]:
        """The names of the two runs."""
        one, other = self.places
        return self.scores.runs[one], self.scores.runs[other]

    @property
    def observed(self) -> Floats:
        """The differences of the two runs, unit by unit."""
        one, other = self.places
        return self.scores.values[one] - self.scores.values[other]


def assumed_pilot(discordance: float) -> Pilot:
    """No runs: two that disagree on this share of the units, each right equally often where the other is not."""
    joint = np.zeros((2, 2, 2))
    joint[0] = [[1 - discordance, discordance / 2], [discordance / 2, 0]]
    nobody = Scores((), (), np.zeros((0, 0)), measure="accuracy")
    return Pilot(None, nobody, (0, 0), Discordance(discordance, discordance, discordance), joint, np.eye(2), 0.0)


def labelled_pilot(
    scorer: Scorer, named: Sequence[str], noise: float, ballots: Ballots | None, counting: Collection[str]
) -> Pilot:
    """A pilot with labels, and hence with errors in the key: a share of them, or as many as single assessors make."""
    runs, way, scores = scorer.runs, scorer.way, scorer.scores("size").complete("size")
    if noise and ballots is not None:
        raise UsageError("--noise and --ballots both say how often the key is wrong: give one of them")
    if (noise or ballots is not None) and not scorer.averaged.all():
        raise UsageError(f"--measure {scorer.measure}: errors in the key change which pairs it covers; use accuracy")
    codes, labels = runs.key_codes(way), len(way.labels)
    codes = np.where(scorer.counted(codes), codes, np.int8(-1))
    if noise > 1 - 1 / labels:
        raise UsageError(f"--noise {noise}: a {IN_WORDS[way.name]} key with this many errors is worse than guessing")
    confusion = symmetric(noise, labels)
    if ballots is not None:
        key = runs.key
        assert key.way is not None
        if ballots.units != key.ids or ballots.scale.values != key.way.labels:
            raise UsageError(
                "the ballots do not have this key's pairs and labels; read them with the key: read_ballots(FILE, key)"
            )
        counts = ballots.counts()
        if key.way is THREE:
            counts = np.stack(
                [counts[:, np.array(way.from_three) == code].sum(axis=1) for code in range(labels)], axis=1
            )
        confusion = confusion_of(codes, counts)
    shares = np.bincount(codes[codes >= 0], minlength=labels) / max(int((codes >= 0).sum()), 1)
    pilot = scored_pilot(scores, named, counting)
    wrong = float(1 - shares @ np.diagonal(confusion))
    # No answer is one that the key never has, whatever its errors.
    answers, columns = runs.counted(way)
    confusion = np.pad(confusion, (0, len(columns) - labels))
    confusion[range(labels, len(columns)), range(labels, len(columns))] = 1
    one, other = (answers[place] for place in pilot.places)
    joint = joint_of(codes, one, other, len(columns))
    return replace(pilot, way=way.name, joint=joint, confusion=confusion, noise=max(wrong, 0.0))


def scored_pilot(scores: Scores, named: Sequence[str], counting: Collection[str]) -> Pilot:
    """The pair of runs used for simulation, named or else typical, and how much pairs of runs that count disagree."""
    right = np.isin(scores.values, (0.0, 1.0)).all()
    moments = pair_moments(scores.values)
    spread = moments.variance if not right else _discordances(scores.values)
    names = scores.runs
    one, other = np.triu_indices(len(names), 1)
    counts = np.array([name in counting for name in names])
    counted = np.flatnonzero(counts[one] & counts[other])
    different = counted[spread[counted] > 0]
    known = spread[different] if len(different) else np.zeros(1)
    low, median, high = (float(value) for value in np.quantile(known, [0.1, 0.5, 0.9]))
    pairs = [(int(a), int(b)) if names[a] < names[b] else (int(b), int(a)) for a, b in zip(one, other, strict=True)]
    # Among pairs equally near to the median the one with the smallest difference, which needs the least tilting, and
    # then the first by name, so that the choice does not depend on the order of the runs.
    far = np.abs(known - median)
    nearest = different[far <= far.min() + EXACT_TOLERANCE] if len(different) else counted
    apart = np.abs(moments.mean).round(12)
    typical = min(nearest.tolist(), key=lambda at: (apart[at], *(names[run] for run in pairs[at])))
    places = pairs[typical]
    if named:
        for name in named:
            if name not in names:
                raise UsageError.unknown("run", name, names)
        if len(set(named)) != 2:
            raise UsageError("--pilot: name two different runs")
        first, second = sorted(named)
        places = names.index(first), names.index(second)
        low = median = high = float(spread[pairs.index(places)])
    joint = None
    if right:
        wrong = (scores.values[list(places)] == 0).astype(np.int64)
        joint = joint_of(np.zeros(len(scores.units), dtype=np.int64), wrong[0], wrong[1], 2)
    return Pilot(None, scores, places, Discordance(low, median, high), joint, np.eye(2), 0.0)


def _discordances(right: Floats) -> Floats:
    """The share of units that only one of two runs gets right, for all pairs."""
    both = right @ right.T
    hits = np.diagonal(both)
    one, other = np.triu_indices(len(right), 1)
    return (hits[one] + hits[other] - 2 * both[one, other]) / right.shape[1]
