"""Sensitivity in sentences and in its table: both say the same, on random data with ties and undefined scores."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from benchmarks.synthetic import pairs_of

import karat
from karat.data.ballots import Ballots, Scale
from karat.data.provenance import IN_MEMORY
from karat.data.responses import Responses, Run, RunInfo
from karat.labels import THREE, TWO
from karat.studies.sensitivity.result import Sensitivity
from karat.studies.sensitivity.study import sensitivity
from tests.undefined import all_explained


def labelled(seed: int) -> Sensitivity:
    """Four runs on a few pairs, and an assessor who judged half of them."""
    random = np.random.default_rng(seed)
    units, half = (24, 12) if seed % 4 else (6, 3)
    key = pairs_of(random.integers(0, 3 if seed % 3 else 2, units).astype(np.int8))
    runs = [
        Run(
            RunInfo(f"r{place}", THREE, IN_MEMORY),
            np.where(random.random(units) < 0.6, key.labels, random.integers(0, 3, units)).astype(np.int8),
            np.arange(units, dtype=np.int32),
            *(None, None, None),
        )
        for place in range(4)
    ]
    unit = np.sort(random.choice(units, half, replace=False)).astype(np.int32)
    said = random.integers(0, 3, half).astype(np.int32)
    ballots = Ballots(key.ids, ("x",), Scale(THREE.labels), unit, np.zeros(half, np.int32), said)
    return sensitivity(Responses.of(key, runs), ballots=ballots)


def graded(seed: int) -> Sensitivity:
    """Runs with coarse scores, so that many tie."""
    random = np.random.default_rng(seed)
    values = random.integers(0, 3 + seed % 4, (4, 9)) / 4
    return sensitivity(karat.Scores(tuple("abcd"), tuple(map(str, range(9))), values))


def first_by_hand(scores: dict[str, float]) -> list[str]:
    """The runs with the largest score."""
    known = {run: score for run, score in scores.items() if score == score}
    return [run for run, score in known.items() if max(known.values()) - score < 1e-9]


def by_hand(result: Sensitivity) -> list[int]:
    """The settings whose scores are not those of an earlier one times a positive factor, plus a constant.

    Two values are always that of another two, so they have to be equal.
    """
    kept = [0]
    for place, one in enumerate(result.settings):
        a = np.array([*one.scores.values()])
        for old in kept:
            b = np.array([*result.settings[old].scores.values()])
            same = one.units == result.settings[old].units and not np.isnan(a - b).any()
            flat = np.ptp(a) < 1e-9 or np.ptp(b) < 1e-9
            line = np.ptp(a) < 1e-9 and np.ptp(b) < 1e-9 if flat else np.corrcoef(a, b)[0, 1] > 1 - 1e-9
            two = any(len(np.unique(scores[~np.isnan(scores)])) == 2 for scores in (a, b))
            if same and (np.allclose(a, b) if two else line):
                break
        else:
            kept.append(place)
    return kept[1:]


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("make", [labelled, graded])
def test_sentences_say_what_the_table_says(make: Callable[[int], Sensitivity], seed: int) -> None:
    """Who is first under which setting, ties as ties; and under which setting most pairs of runs swap ranks."""
    result = make(seed)
    if result.fixed:
        assert not by_hand(result)
        assert any("could not change" in one for one in result.findings())
        assert not any(sheet.title.startswith("Rankings under") for sheet in result.sheets())
        return
    columns = {column.name: column.values for column in result.sheets()[0].columns}
    winners = [first_by_hand(one.scores) for one in result.settings]
    for cell, runs in zip(columns["first"], winners, strict=True):
        tied = f"{', '.join(runs)} (tied)" if len(runs) > 1 else "".join(runs)
        assert cell == (tied or "no run has a score")
    official = winners[0]
    told = " ".join(result.findings())
    tried = [place for place in by_hand(result) if winners[place]]
    kept = [place for place in tried if winners[place] == official]
    who = f"{', '.join(official)} tie for first" if len(official) > 1 else f"{official[0]} ranks first"
    could = " that could change the ranking."
    if not tried:
        assert "ranks first" not in told.partition(". ")[0]
    elif len(kept) == len(tried):
        every = "the only alternative setting" if len(tried) == 1 else f"all {len(tried)} alternative settings"
        assert told.startswith(f"{who} under {every}{could}")
    else:
        of_them = f"and under {len(kept)} of the {len(tried)} alternative settings"
        if not kept:
            of_them = f"but under none of the {len(tried)} alternative settings"
        if len(tried) == 1:
            of_them = "but not under the only alternative setting"
        assert told.startswith(f"{who} officially{',' * (not kept)} {of_them}{could}")
        clauses = re.split(" could change the ranking[.] ", told)[1].partition(". ")[0].removesuffix(".").split("; ")
        changed = sorted(set(tried) - set(kept))
        if len(changed) > 4:
            numbers = Counter(tuple(winners[place]) for place in changed)
            found = [re.fullmatch(r"(.+?) (?:tie for|ranks|rank) first under (\d+) of them", one) for one in clauses]
            assert all(found)
            by_name = {one[1]: int(one[2]) for one in found if one}
            assert sum(by_name.values()) == len(changed)
            assert len(by_name) == min(len(numbers), 4)
            others = by_name.pop("others", 0)
            assert all(numbers[tuple(names.split(", "))] == number for names, number in by_name.items())
            assert min(by_name.values()) >= max(
                (n for runs, n in numbers.items() if ", ".join(runs) not in by_name), default=0
            )
            assert bool(others) == (len(numbers) > 3)
            changed = []
        for place in changed:
            runs = winners[place]
            clause = next(one for one in clauses if one.startswith(f"{', '.join(runs)} "))
            assert ("tie for first under" if len(runs) > 1 else "ranks first under") in clause
            assert f"{columns['value'][place]}" in clause
    swaps = [len(one.swaps) for one in result.settings]
    assert list(columns["swaps"]) == swaps
    assert ("The ranking changes most under" in told) == (max(swaps) > 0)
    if max(swaps) > 0:
        most = swaps.index(max(swaps))
        named = told.split("The ranking changes most under ")[1]
        assert str(columns["value"][most]) in named
        assert f": {max(swaps)} pair{'s' * (max(swaps) > 1)} of runs swap" in named
    near = [one for one in result.crossings if one.setting == "weight" and 1 / 9 <= one.at[0][0] <= 1]
    assert ("As the weight of decided F goes from 1/9 to 1" in told) == bool(near)
    assert not near or f"from 1/9 to 1, {len(near)} pair" in told
    records = {column.name: column.values for column in result.records().columns}
    for setting, run, placed in zip(records["value"], map(str, records["run"]), records["rank"], strict=True):
        scores = next(one.scores for one in result.settings if one.value == setting)
        above = sum(other > scores[run] + 1e-9 for other in scores.values())
        level = sum(abs(other - scores[run]) < 1e-9 for other in scores.values())
        assert placed == above + (level + 1) / 2 or scores[run] != scores[run]
    all_explained(result)


def test_two_runs_can_swap_under_another_measure() -> None:
    """Of two runs every ranking is the other's on another scale or its reverse, which says nothing about measures."""
    key = pairs_of(np.array([0] * 6 + [1] * 4, dtype=np.int8))
    answers = {"a": [0] * 9 + [1], "b": [0] * 4 + [1] * 6}
    runs = [
        Run(
            RunInfo(name, TWO, IN_MEMORY),
            np.array(given, dtype=np.int8),
            np.arange(10, dtype=np.int32),
            *(None, None, None),
        )
        for name, given in answers.items()
    ]
    result = sensitivity(Responses.of(key, runs), way="2")
    assert result.alternatives
    assert not result.fixed
    assert any(sheet.title.startswith("Rankings under") for sheet in result.sheets())


@pytest.mark.parametrize("values", [(0.0, 1.0), (-1.0, 4.0), (0.5, 0.5)])
def test_two_values_have_no_middle(values: tuple[float, float]) -> None:
    """Medians and trimmed means of right and wrong are left out, and so is what ranks as the mean does."""
    right = np.random.default_rng(0).random((6, 31)) < np.linspace(0.3, 0.9, 6)[:, None]
    result = sensitivity(karat.Scores(tuple("abcdef"), tuple(map(str, range(31))), np.where(right, *values[::-1])))
    assert [one.value for one in result.settings] == ["mean"]
    reasons = {one.value: one.reason for one in result.withheld}
    assert list(reasons) == ["median", "mean without 20% at either end", "share of runs beaten per unit"]
    assert all("only two different scores" in reason for reason in reasons.values())
    assert result.findings() == []
    assert result.charts() == []
    for form in ("text", "json", "csv", "latex", "html"):
        assert "median" in result.render(form) or form == "csv"
