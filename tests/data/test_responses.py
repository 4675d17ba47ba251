"""Tests of responses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from karat import examples
from karat.formats.pairs import read_pairs
from karat.formats.runs import read_runs
from karat.studies.score.study import score


def test_some_of_the_pairs() -> None:
    """Runs on some pairs have the scores that they have by a key in which the other pairs have no label."""
    key = read_pairs(examples.PAIRS)
    whole = read_runs([examples.RUNS / "careful.jsonl", examples.RUNS / "overlap.txt"], key)
    kept = np.arange(len(key)) % 3 != 0
    hidden = replace(whole, key=replace(key, labels=np.where(kept, key.labels, -1).astype(np.int8)))
    some = whole.of_units(kept)
    assert len(some.key) == kept.sum()
    assert some.key.ids == tuple(id for id, one in zip(key.ids, kept, strict=True) if one)
    assert all(len(values) == kept.sum() for values in some.key.attributes.values())
    for one, other in zip(score(some).runs, score(hidden).runs, strict=True):
        assert str(one.values) == str(other.values)  # what is undefined equals nothing, itself included
    assert some.runs[0].justifications is None or len(some.runs[0].justifications) == kept.sum()
