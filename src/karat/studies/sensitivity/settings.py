"""A setting: one choice made otherwise, and what it does to the ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from karat.arrays import Floats
from karat.studies.ranking_change import ranking_change
from karat.studies.sensitivity.result import ScoredSetting


@dataclass(frozen=True, eq=False)
class Setting:
    """One choice made otherwise, and the runs' scores under it."""

    setting: str
    value: str
    scores: Floats
    units: int
    """That it scores."""
    comparable: bool = False
    """Whether the scores are of the official measure, so that their differences mean something."""
    reference: Floats | None = None
    """The official scores on the same units, where it does not score all of them."""


def scored_settings(names: tuple[str, ...], settings: Sequence[Setting]) -> list[ScoredSetting]:
    """Every setting's ranking against that of the first, which is the official one, on the same units."""
    made = []
    for one in settings:
        official = settings[0].scores if one.reference is None else one.reference
        change = ranking_change(names, official, one.scores, one.comparable)
        fields = {name: getattr(change, name) for name in change.__dataclass_fields__}
        there = dict(zip(names, official.tolist(), strict=True))
        made.append(ScoredSetting(**fields, setting=one.setting, value=one.value, units=one.units, official=there))
    return made
