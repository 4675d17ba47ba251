"""Adjudications of disputed units, compared with the ballots they decided between."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from karat.data.ballots import Adjudication, Ballots
from karat.studies.keys.result import Adjudications, Settled


def adjudications(ballots: Ballots, scored: NDArray[np.bool_]) -> Adjudications:
    """Disputed units by reason and kind, and who disagreed with the decision. `ballots` are aligned with the key."""
    place = {unit: at for at, unit in enumerate(ballots.units)}
    counts = np.where(scored[:, None], ballots.counts(), 0)
    for one in ballots.adjudications:
        counts[place[one.unit], one.code] += scored[place[one.unit]]
    disputed = (counts > 0).sum(axis=1) > 1
    decided = [one for one in ballots.adjudications if scored[place[one.unit]]]
    settled = [one for one in decided if disputed[place[one.unit]]]
    groups: dict[tuple[str, str], list[Adjudication]] = {}
    for one in sorted(settled, key=lambda one: (one.reason != "error", one.kind)):
        groups.setdefault((one.reason, one.kind), []).append(one)
    return Adjudications(
        disputed=int(disputed.sum()),
        settled=len(settled),
        undisputed=len(decided) - len(settled),
        groups=[
            Settled(group[0].reason, group[0].kind, len(group), _otherwise(ballots, group, place))
            for group in groups.values()
        ],
    )


def _otherwise(ballots: Ballots, group: list[Adjudication], place: dict[str, int]) -> dict[str, int]:
    """The number of units on which each assessor disagreed with the decision; empty if ballots are anonymous."""
    if ballots.exchangeable:
        return {}
    decision = np.full(len(ballots.units), -1)
    decision[[place[one.unit] for one in group]] = [one.code for one in group]
    there = decision[ballots.unit]
    counts = Counter(ballots.assessor[(there >= 0) & (there != ballots.code)].tolist())
    return {ballots.assessors[who]: units for who, units in sorted(counts.items())}
