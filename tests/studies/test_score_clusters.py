"""Scores over clusters: every interval, and nothing else, depends on them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from benchmarks.synthetic import pairs_of

import karat
from karat.data.provenance import Source
from karat.data.responses import Responses, Run, RunInfo
from karat.labels import THREE
from karat.measures import measures

TEXTS = tuple(f"text {place // 5}" for place in range(300))


def runs_on(texts: tuple[str, ...], together: float = 0.8, seed: int = 2) -> Responses:
    """Two runs with confidences on these texts; a run knows or does not know most of what is in a text."""
    random = np.random.default_rng(seed)
    _, cluster = np.unique(texts, return_inverse=True)
    key = replace(
        pairs_of(random.integers(0, 3, len(texts)).astype(np.int8)), texts=texts, attributes={"half": half(texts)}
    )
    made = []
    for place in range(2):
        own, shared = random.random(len(texts)), random.random(len(texts))[cluster]
        right = np.where(random.random(len(texts)) < together, shared, own) < 0.7
        codes = np.where(right, key.labels, (key.labels + 1) % 3).astype(np.int8)
        info = RunInfo(f"run{place}", THREE, Source(f"run{place}", f"{place:064}"), ranked_by="response")
        sure = np.round(0.5 + 0.5 * random.random(len(texts)), 2)
        made.append(Run(info, codes, np.arange(len(texts), dtype=np.int32), sure, None, None))
    return Responses.of(key, made)


def half(texts: tuple[str, ...]) -> tuple[str, ...]:
    """The half that a unit is in."""
    return tuple("first" if place < len(texts) // 2 else "second" for place in range(len(texts)))


EVERYTHING: dict[str, Any] = {"by": ("half",), "way": "both"}


def test_one_pair_per_text_changes_nothing() -> None:
    """Every value, interval and test is exactly that without clusters, of any kind of measure."""
    runs = runs_on(tuple(map(str, range(300))))
    plain, clustered = karat.score(runs, **EVERYTHING), karat.score(runs, cluster="text", **EVERYTHING)
    assert clustered.clusters == 300
    assert plain.clusters is None
    for part in ("runs", "baselines", "slices"):
        assert repr(getattr(plain, part)) == repr(getattr(clustered, part))
    compared, by_text = karat.compare(runs), karat.compare(runs, cluster="text")
    assert compared.pairs == by_text.pairs
    assert compared.runs == by_text.runs


def test_intervals_alone_depend_on_clusters() -> None:
    """Values stay; intervals of runs that know whole texts become wider, on slices as well."""
    runs = runs_on(TEXTS)
    plain, clustered = karat.score(runs, **EVERYTHING), karat.score(runs, cluster="text", **EVERYTHING)
    assert clustered.clusters == 60
    sliced = ([run for part in made.slices for run in part.runs] for made in (plain, clustered))
    rows: list[tuple[Any, Any]] = [*zip(plain.runs, clustered.runs, strict=True), *zip(*sliced, strict=True)]
    for one, other in rows:
        assert repr(one.values) == repr(other.values)
        for way, intervals in one.intervals.items():
            for measure, (low, high) in (intervals or {}).items():
                wider = (other.intervals[way] or {})[measure]
                if measure.startswith(("accuracy", "recall", "macro_f1", "kappa", "mean_recall", "f1")) and low == low:
                    assert wider[1] - wider[0] > 1.1 * (high - low), measure
    for before, after in zip(plain.runs, clustered.runs, strict=True):
        wide, narrow = after.reliability, before.reliability
        assert wide
        assert narrow
        assert wide.interval[1] - wide.interval[0] > 1.3 * (narrow.interval[1] - narrow.interval[0])
        assert wide.error_interval[1] - wide.error_interval[0] > narrow.error_interval[1] - narrow.error_interval[0]


def test_accuracy_is_as_in_compare() -> None:
    """Score and compare print the same interval, with clusters and without."""
    runs = runs_on(TEXTS)
    for cluster in (None, "text", "half"):
        scored, compared = karat.score(runs, cluster=cluster), karat.compare(runs, cluster=cluster)
        for row in compared.runs:
            (its,) = [one for one in scored.runs if one.run == row.run]
            assert (its.intervals[compared.way] or {})["accuracy"] == pytest.approx(row.interval, rel=1e-6, nan_ok=True)
    assert karat.score(runs, cluster="text").clusters == karat.compare(runs, cluster="text").clusters == 60


def test_every_measure_over_clusters() -> None:
    """Every registered measure has an interval over clusters that holds its value."""
    runs = runs_on(TEXTS)
    names = [entry.name for entry in measures if not entry.alias and entry.facts["shown"]]
    for name in names:
        result = karat.score(runs, measure=(name,), cluster="text", way="both")
        for row in result.runs:
            for way, intervals in row.intervals.items():
                for spelled, (low, high) in (intervals or {}).items():
                    value = row.value(way, spelled)
                    assert value is not None
                    assert low != low or low - 1e-9 <= value <= high + 1e-9, spelled


def test_ranking_resamples_texts() -> None:
    """A measure of rankings is recomputed on resampled texts, one by one here."""
    runs = runs_on(TEXTS)
    result = karat.score(runs, measure=("confidence_weighted",), cluster="text", way="3")
    low, high = (result.runs[0].intervals["3"] or {})["confidence_weighted"]
    run, random = runs.runs[0], np.random.default_rng(1)
    right = (run.codes == runs.key.labels).astype(float)
    assert run.confidence is not None
    drawn = []
    for _ in range(600):
        units = np.concatenate([np.arange(5 * text, 5 * text + 5) for text in random.integers(0, 60, 60)])
        order = units[np.lexsort((random.random(300), -run.confidence[units]))]
        drawn.append(float(np.mean(np.cumsum(right[order]) / np.arange(1, 301))))
    expected = np.quantile(drawn, [0.025, 0.975])
    assert high - low == pytest.approx(expected[1] - expected[0], rel=0.15)
    assert (low, high) == pytest.approx(tuple(expected), abs=0.03)


def test_said() -> None:
    """The table names the clusters, few are called few, and an unknown name is refused with those that there are."""
    made = karat.score(runs_on(TEXTS), cluster="text")
    assert made.sheets()[0].title.startswith("Three-way, 300 pairs in 60 clusters:")
    assert "intervals are over 60 clusters: pairs with the same text" in map(str, made.sheets()[0].notes)
    assert not any("few to estimate" in said for said in made.findings())
    few = karat.score(runs_on(TEXTS), cluster="half")
    assert any("With only 2 clusters the variance is estimated imprecisely" in said for said in few.findings())
    one = karat.score(runs_on(("same",) * 60), cluster="text")
    assert any("All units are in one cluster" in said for said in one.findings())
    low, high = (one.runs[0].intervals["3"] or {})["accuracy"]
    assert low != low
    assert high != high
    with pytest.raises(karat.UsageError, match="no attribute of the pairs is called 'txt'; did you mean 'text'"):
        karat.score(runs_on(TEXTS), cluster="txt")
