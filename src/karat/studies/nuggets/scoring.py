"""Every nugget score of every run on every topic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import Floats
from karat.data.nuggets import (
    AllowanceOption,
    BetaOption,
    LengthOption,
    Matches,
    MissingOption,
    NuggetCounts,
    RecallOption,
    count_nuggets,
)
from karat.data.parameters import TAIL
from karat.measures.nuggets import (
    all_support,
    nugget_f,
    nugget_precision,
    nugget_recall,
    vital_support,
    weighted_support,
)
from karat.studies.unit_means import mean_of_defined

SCORES = ("strict_vital", "vital", "strict_weighted", "weighted", "strict_all", "all", "f", "strict_f")
"""Strict scores do not count partial support."""
BY_LENGTH = ("f", "strict_f")
PARTS = ("recall", "precision")
NO_LENGTH = "the length of answers is not known"
NO_TOPIC = "no topic is scored for every run"
NO_F = f"{NO_LENGTH}, or {NO_TOPIC}"
UNSCORED = "the topic has no vital nugget that is judged, or the run was not judged on it"


class NuggetParameters(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of `nuggets`."""

    beta: BetaOption = 3.0
    length: LengthOption = "characters"
    allowance: AllowanceOption = 100.0
    recall: RecallOption = "vital"
    missing: MissingOption = "missing"
    content: Annotated[float, Meta(description="weight of content against organisation in ratings", ge=0, le=1)] = 0.75
    interval: Annotated[float, Meta(description="level of the intervals", ge=TAIL, le=1 - TAIL)] = 0.95


def _measures(asked: NuggetParameters) -> Mapping[str, Callable[[NuggetCounts], Floats]]:
    f = partial(nugget_f, beta=asked.beta, recall=asked.recall, allowance=asked.allowance)
    return {
        "strict_vital": partial(vital_support, strict=True),
        "vital": vital_support,
        "strict_weighted": partial(weighted_support, strict=True),
        "weighted": weighted_support,
        "strict_all": partial(all_support, strict=True),
        "all": all_support,
        "f": f,
        "strict_f": partial(f, strict=True),
        "recall": partial(nugget_recall, recall=asked.recall),
        "precision": partial(nugget_precision, allowance=asked.allowance),
    }


def mean_over_lists(lists: Mapping[str, Floats]) -> dict[str, Floats]:
    """Every score (runs, topics); the mean over assessors if a topic has several lists."""
    return {name: mean_of_defined(values) for name, values in lists.items()}


def score_lists(matches: Matches, asked: NuggetParameters) -> dict[str, Floats]:
    """Every score by every assessor's list (lists, runs, topics); NaN if an assessor has no list for a topic.

    A list against which some run was not judged cannot compare runs: it is left out of that topic.
    """
    assessors = matches.nuggets.assessors
    lists = [matches.of(one) for one in assessors] if len(assessors) > 1 else [matches]
    parts = [count_nuggets(one, asked.missing, asked.length) for one in lists]
    scores = {name: np.stack([measure(one) for one in parts]) for name, measure in _measures(asked).items()}
    if len(lists) > 1:
        shared = np.stack([one.nuggets.listed & one.judged.all(axis=0) for one in lists])[:, None]
        scores = {name: np.where(shared, values, np.nan) for name, values in scores.items()}
    return scores | {"length": np.stack([one.length for one in parts])}
