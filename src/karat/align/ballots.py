"""Align ballots with the units and labels of a key."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from karat.data.ballots import Ballots
from karat.data.pairs import Pairs
from karat.errors import UsageError
from karat.labels import THREE, TWO


def align_ballots(ballots: Ballots, key: Pairs) -> Ballots:
    """The ballots with the units and labels of the key; a mismatch is an error."""
    if key.way is None:
        raise UsageError(f"{key.source.name} has no key: other keys have nothing to be compared with")
    strange = [unit for unit in ballots.units if unit not in key.index]
    if strange:
        raise UsageError(
            f"{len(strange)} units of the ballots are not in {key.source.name}, first {strange[0]!r}: "
            "check that ballots and key are of one test set"
        )
    codes = np.arange(len(ballots.scale.values), dtype=np.int32)
    if ballots.scale.values == THREE.labels and key.way is TWO:
        codes = np.array(TWO.from_three, dtype=np.int32)
    elif ballots.scale.values != key.way.labels:
        raise UsageError(
            f"the ballots say {', '.join(ballots.scale.values[:5])}, the key {', '.join(key.way.labels)}: "
            "say what their labels mean (--label SPELLING=LABEL)"
        )
    place = np.array([key.index[unit] for unit in ballots.units], dtype=np.int32)
    scale = replace(ballots.scale, values=key.way.labels)
    return replace(
        ballots,
        units=key.ids,
        scale=scale,
        unit=place[ballots.unit],
        code=codes[ballots.code],
        adjudications=tuple(replace(one, code=int(codes[one.code])) for one in ballots.adjudications),
    )
