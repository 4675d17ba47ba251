"""Which nuggets are vital: weights by the votes of several assessors, and other choices of the vital ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from karat.arrays import Bools, Floats, Int32s
from karat.data.nuggets import OKAY, VITAL, Matches, Nuggets
from karat.data.provenance import IN_MEMORY
from karat.errors import UsageError


def vote_weights(votes: Sequence[Sequence[int]], topic: Int32s, topics: int) -> Floats:
    """Pyramid weights from several assessors' marks (nuggets × assessors, 1 vital): votes over the topic's maximum."""
    counts = np.asarray(votes, dtype=np.float64).sum(axis=-1)
    most = np.zeros(topics)
    np.maximum.at(most, topic, counts)
    return np.divide(counts, most[topic], out=np.zeros_like(counts), where=most[topic] > 0)


def with_votes(nuggets: Nuggets) -> Nuggets:
    """The same nuggets, weighted by how many assessors with the nugget (by name) on their list call it vital.

    `of` and `take` then give the list that runs were judged on, with the weights from all assessors.
    """
    cast: dict[tuple[int, str], int] = {}
    keys = list(zip(nuggets.topic.tolist(), nuggets.names, strict=True))
    for key, vital in zip(keys, (nuggets.importance == VITAL).tolist(), strict=True):
        cast[key] = cast.get(key, 0) + vital
    weights = vote_weights([[cast[key]] for key in keys], nuggets.topic, len(nuggets.units))
    return replace(nuggets, weights=weights, source=IN_MEMORY)


def pyramid(matches: Matches) -> Matches:
    """The same with pyramid weights: the file's own, or the votes of several assessors, if there are any."""
    if matches.nuggets.weights is not None:
        return matches
    if len(matches.nuggets.assessors) < 2:
        raise UsageError("--recall pyramid: the nuggets have no weights, which need several assessors")
    # A parameter records that votes were counted; the source is still the file.
    return replace(matches, nuggets=replace(with_votes(matches.nuggets), source=matches.nuggets.source))


def other_importance(matches: Matches) -> dict[str, Matches]:
    """The same matches under other choices of what is vital, by name.

    Each assessor's list alone, if there are several; every okay nugget as a vital one; and, if assessors marked the
    same nuggets (by name and text), those vital that most of them, or any of them, call vital.
    """
    nuggets = matches.nuggets
    made = {f"of {name} alone": matches.of(name) for name in nuggets.assessors} if len(nuggets.assessors) > 1 else {}
    votes: dict[tuple[int, str], list[bool]] = {}
    texts: dict[tuple[int, str], set[str]] = {}
    keys = list(zip(nuggets.topic.tolist(), nuggets.names, strict=True))
    for key, text, vital in zip(keys, nuggets.texts, (nuggets.importance == VITAL).tolist(), strict=True):
        votes.setdefault(key, []).append(vital)
        texts.setdefault(key, set()).add(text)
    if len(votes) < len(keys) and all(len(each) == 1 for each in texts.values()):
        for name, rule in (("vital by majority", _most), ("vital for anybody", any)):
            vital = np.array([rule(votes[key]) for key in keys], dtype=bool)
            made[name] = _with_vital(matches, vital)
    return made | {"all vital": _with_vital(matches, np.ones(len(nuggets), dtype=bool))}


def _most(votes: list[bool]) -> bool:
    return 2 * sum(votes) > len(votes)


def _with_vital(matches: Matches, vital: Bools) -> Matches:
    """The same with some nuggets vital and the others okay; other labels stay."""
    codes = np.where(vital, VITAL, OKAY).astype(np.int8)
    own, listed = matches.importance, matches.nuggets.importance
    marked, on_list = (np.isin(one, (VITAL, OKAY)) for one in (own, listed))
    nuggets = replace(matches.nuggets, importance=np.where(on_list, codes, listed))
    return replace(matches, nuggets=nuggets, importance=np.where(marked, codes, own))
