"""Scores by an attribute of the nuggets, such as the sub-narratives of a topic (`karat nuggets --by`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from karat.data.fields import Missing, Shown, Why
from karat.data.result import Column, Sheet

NO_VITAL = "none of these nuggets is vital and judged for every run"
UNNAMED = "(none)"
"""What nuggets without a value are shown under."""


@dataclass(frozen=True)
class NuggetPart:
    """The nuggets of a topic with one value of an attribute, and the scores of every run on them."""

    by: str
    value: Annotated[str, Shown("value")]
    """Empty for nuggets without one."""
    topic: str
    vital: int
    okay: int
    scores: Annotated[dict[str, dict[str, float]], Why(NO_VITAL)]
    """Every score of support, by its name and the run."""


def parts_sheet(by: str, parts: Sequence[NuggetPart], runs: Sequence[str]) -> Sheet:
    """One row per value, one column per run: the mean of vital support over the topics that have such nuggets."""
    found: dict[str, list[NuggetPart]] = {}
    for part in parts:
        found.setdefault(part.value, []).append(part)
    rows = list(found.values())
    alone = [row[0].topic if len(row) == 1 else f"{len(row):,} topics" for row in rows]
    columns = [
        Column(by, [value or UNNAMED for value in found]),
        Column("topic", alone),
        Column("vital", [sum(part.vital for part in row) for row in rows], 0),
        Column("okay", [sum(part.okay for part in row) for row in rows], 0),
        *(Column(run, [_mean([part.scores["vital"][run] for part in row]) for row in rows]) for run in runs),
    ]
    note = "Support of vital nuggets by each run, as the mean over topics if a value occurs in several."
    return Sheet(f"Scores by {by}", tuple(columns), (note,))


def _mean(values: Sequence[float]) -> float:
    scored = [value for value in values if value == value]
    return float(np.mean(scored)) if scored else Missing(NO_VITAL)
