"""Runs that do not count among others: those that do not solve the task, and those that are there twice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from karat.data.provenance import Source
from karat.data.responses import Responses
from karat.labels import THREE
from karat.studies.counted_runs import BELOW, CONSTANT, SAME, runs_that_count
from karat.studies.sensitivity.study import sensitivity
from karat.studies.size.study import size
from karat.studies.swap.study import swap
from tests.studies.test_grades import runs_of


def beside(runs: Responses, **others: np.ndarray) -> Responses:
    """The runs, and others with these answers."""
    last, made = runs.runs[-1], [*runs.runs]
    for name, codes in others.items():
        info = replace(last.info, name=name, source=Source(name, f"{len(made):064}"))
        made.append(replace(last, info=info, codes=codes.astype(last.codes.dtype)))
    return Responses.of(runs.key, made)


def crowd(seed: int = 1, units: int = 300) -> Responses:
    """Five runs that are equally good, apart from chance."""
    return runs_of(seed, THREE, (0.75,) * 5, units)


def always_wrong(runs: Responses) -> np.ndarray:
    """Answers that are never right, are worse than a constant answer in every way, and are not constant."""
    return (runs.key.labels + 2) % 3


def test_equal_runs_stay_equal_beside_runs_that_are_always_wrong() -> None:
    """Two poor runs, which leaving out one run at a time does not catch, do not make others reliably different."""
    alone = crowd()
    wrong = always_wrong(alone)
    other = np.where(np.arange(len(wrong)) % 2, wrong, alone.key.labels == 0)
    given = beside(alone, wrong=wrong, other=other)
    one, many = (swap(runs, step=50, replicates=5) for runs in (alone, given))
    assert {left.name: left.reason for left in many.left_out} == {"wrong": BELOW, "other": BELOW}
    assert (many.runs, many.fresh.reliability) == (one.runs, one.fresh.reliability)
    assert np.isnan(many.fresh.smallest_reliable_difference)
    assert any(
        "2 runs significantly below a constant answer are not counted here, since they say little" in said
        for said in many.findings()
    )
    sizes = [size(runs, replicates=10) for runs in (alone, given)]
    assert sizes[0].detectables[0].discordance == sizes[1].detectables[0].discordance
    assert sizes[1].pairs == 21  # all pairs are tested, so the correction is for all of them
    assert any("are not counted in the median pair, since" in said for said in sizes[1].findings())
    ranked = [sensitivity(runs) for runs in (alone, given)]
    assert [one.ranks for one in ranked[0].settings] == [one.ranks for one in ranked[1].settings]
    assert any("not counted here, since" in said for said in ranked[1].findings())


def test_a_run_counts_once() -> None:
    """A poor run that is there three times looks like evidence of differences, unless it counts once."""
    runs = runs_of(1, THREE, (0.75,) * 5 + (0.55,), 300)
    codes = runs.runs[-1].codes
    copied = swap(beside(runs, zwilling=codes, zwilling2=codes), step=50, replicates=5)
    assert copied.fresh == swap(runs, step=50, replicates=5).fresh
    assert {left.name: left.reason for left in copied.left_out} == dict.fromkeys(
        ("zwilling", "zwilling2"), f"{SAME}run5"
    )
    assert any(one.startswith("2 runs give the same answers as others") for one in copied.findings())


def test_a_reason_that_leaves_nobody_is_not_applied() -> None:
    """Of two runs both count, whatever they are; a run far above a constant answer always does."""
    runs = crowd()
    pair = beside(runs.of_runs([0]), wrong=always_wrong(runs))
    assert runs_that_count(pair, [THREE]) == (pair, [])
    constant = beside(runs, always=np.zeros(300))
    kept, left = runs_that_count(constant, [THREE])
    assert (kept.names, [one.reason for one in left]) == (runs.names, [CONSTANT])


def test_runs_at_the_baseline_count() -> None:
    """Runs that are as good as a constant answer are rarely left out: at level 0.05, corrected for all runs."""
    worlds = [runs_of(seed, THREE, (0.5,) * 6, 300) for seed in range(40)]
    assert sum(bool(runs_that_count(runs, [THREE])[1]) for runs in worlds) <= 4
