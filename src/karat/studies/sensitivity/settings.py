"""A setting: one choice made otherwise, and what it does to the ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from karat.studies.ranking_change import ranking_change
from karat.studies.sensitivity.result import ScoredSetting

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Setting:
    """One choice made otherwise, and the runs' scores under it."""

    setting: str
    value: str
    scores: Floats
    comparable: bool = False
    """Whether the scores are of the official measure, so that their differences mean something."""


def scored_settings(names: tuple[str, ...], settings: Sequence[Setting]) -> list[ScoredSetting]:
    """Every setting's ranking against that of the first, which is the official one."""
    official = settings[0].scores
    made = []
    for one in settings:
        change = ranking_change(names, official, one.scores, one.comparable)
        fields = {name: getattr(change, name) for name in change.__dataclass_fields__}
        made.append(ScoredSetting(**fields, setting=one.setting, value=one.value))
    return made
