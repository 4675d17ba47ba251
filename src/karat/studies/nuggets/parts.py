"""Scores by an attribute of the nuggets, such as the sub-narratives of a topic (`karat nuggets --by`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np

from karat.data.fields import Missing, Shown, Why
from karat.data.result import Field, Sheet

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
    note = "Support of vital nuggets by each run, as the mean over topics if a value occurs in several."
    return Sheet.of(
        f"Scores by {by}",
        list(found.values()),
        Field(by, lambda row: row[0].value or UNNAMED),
        Field("topic", lambda row: row[0].topic if len(row) == 1 else f"{len(row):,} topics"),
        Field("vital", lambda row: sum(part.vital for part in row), 0),
        Field("okay", lambda row: sum(part.okay for part in row), 0),
        *(Field(run, partial(_mean, run)) for run in runs),
        notes=[note],
    )


def _mean(run: str, parts: Sequence[NuggetPart]) -> float:
    scored = [score for part in parts if (score := part.scores["vital"][run]) == score]
    return float(np.mean(scored)) if scored else Missing(NO_VITAL)
