"""The pairs of a report for the error explorer: scored as everywhere else, small, with everything that runs state."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import karat
from karat import examples
from karat.data.explored import Explored, Scoring
from karat.data.responses import Responses
from karat.labels import WAYS
from karat.studies.report import pairs as explored_module
from karat.studies.report.evidence import Evidence, ReportParameters
from karat.studies.report.pairs import LONGEST, explored

KEY = karat.read_pairs(examples.PAIRS)
RUNS = karat.read_runs(examples.RUNS, KEY)


def seen(runs: Responses, **asked: Any) -> Explored:
    """The pairs that these runs answer."""
    found = explored(Evidence(runs, asked=ReportParameters(**asked)))
    assert found is not None
    return found


def verdicts(pairs: Explored, scoring: Scoring) -> dict[str, list[float]]:
    """Right and wrong of every run that can be scored, from the letters, as a script would; NaN without a key."""
    counts_as = dict(zip("abcd", scoring.counts_as, strict=True))
    return {
        run: [
            np.nan if key == "-" else float(counts_as.get(answer) == counts_as[key])
            for key, answer in zip(pairs.key, pairs.answers[run], strict=True)
        ]
        for run in scoring.runs
    }


@pytest.mark.parametrize("unlabelled", [0, 3])
def test_right_and_wrong_are_those_of_the_scores(unlabelled: int) -> None:
    """Answers that count as the key are those that the scores say are right, both ways; other runs are not scored."""
    labels = KEY.labels.copy()
    labels[:unlabelled] = -1
    runs = replace(RUNS, key=replace(KEY, labels=labels))
    pairs = seen(runs)
    assert [one.way for one in pairs.scorings] == ["2", "3"]  # one of the runs is two-way: so are the comparisons
    for scoring in pairs.scorings:
        scores = runs.right(WAYS[scoring.way])
        expected = {run: row for run, row in zip(scores.runs, scores.values, strict=True) if not np.isnan(row).all()}
        found = verdicts(pairs, scoring)
        assert list(found) == list(expected)
        for run, row in expected.items():
            np.testing.assert_array_equal(found[run], row)


def test_ways_that_are_shown() -> None:
    """The way of the comparisons is first; a way that was asked for is the only one, and so is that of two-way runs."""
    three = RUNS.of_runs([RUNS.names.index("careful"), RUNS.names.index("chatty")])
    assert [one.way for one in seen(three).scorings] == ["3", "2"]
    assert [one.way for one in seen(three, way="2").scorings] == ["2"]
    two = RUNS.of_runs([RUNS.names.index("two-way")])
    assert [(one.way, one.runs) for one in seen(two).scorings] == [("2", ("two-way",))]


def test_attributes() -> None:
    """Each pair has its values among those of the attribute; one with a single value or with very many is left out."""
    ids = tuple(f"{number}" for number in range(len(KEY)))
    tags = (*["a; b"] * 5, *["b"] * (len(KEY) - 6), None)
    attributes = {**KEY.attributes, "ids": ids, "same": ("x",) * len(KEY), "tags": tags}
    found = seen(replace(RUNS, key=replace(KEY, attributes=attributes))).attributes
    assert list(found) == ["task", "length", "topic", "tags"]
    for name in ("task", "length", "topic"):
        told = [[found[name].values[place] for place in places] for places in found[name].places]
        assert told == [[value] for value in KEY.attributes[name]]
    assert found["tags"].values == ["a", "b", "(none)"]
    assert found["tags"].places[0] == [0, 1]
    assert found["tags"].places[-1] == [2]


@pytest.mark.parametrize(
    ("stated", "decimals", "values"),
    [
        ([0.954, 1.0, 0.0], 2, [95, 100, 0]),
        ([0.954, np.nan, 0.5], 2, [95, None, 50]),
        ([95.4, 100.0, 7.0], 0, [95, 100, 7]),
        ([-12.345, -0.5, -3.0], 0, [-12, 0, -3]),
        ([0.00123, 0.001, 0.0], 4, [12, 10, 0]),
        ([123456.0, 1000.0, 0.0], -4, [12, 0, 0]),
        ([0.0, 0.0, 0.0], 0, [0, 0, 0]),
    ],
)
def test_confidences_on_any_scale(stated: list[float], decimals: int, values: list[int | None]) -> None:
    """Confidences are integers with two significant digits on the scale of the run; where there is none it is null."""
    run = RUNS.runs[RUNS.names.index("careful")]
    all_of_them = np.resize(np.array(stated), len(KEY))
    found = seen(Responses.of(KEY, [replace(run, confidence=all_of_them)])).confidences["careful"]
    assert found.decimals == decimals
    assert list(found.values[:3]) == values


def test_confidences_and_justifications_of_those_who_state_them() -> None:
    """Runs that state no confidence, or justify nothing, have no column."""
    pairs = seen(RUNS)
    assert set(pairs.confidences) == {run.info.name for run in RUNS.runs if run.confidence is not None}
    assert set(pairs.justifications) == {"careful", "chatty", "terse"}
    assert list(pairs.justifications["careful"]) == list(RUNS.runs[RUNS.names.index("careful")].justifications or ())
    silent = replace(RUNS.runs[0], confidence=np.full(len(KEY), np.nan), justifications=("",) * len(KEY))
    assert seen(Responses.of(KEY, [silent])).justifications == {}
    assert seen(Responses.of(KEY, [silent])).confidences == {}


def test_long_justifications(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long justification is shortened, and very many of them more so."""
    run = replace(RUNS.runs[0], justifications=("x" * (LONGEST + 1), "x" * LONGEST, *["x"] * (len(KEY) - 2)))
    runs = Responses.of(KEY, [run])
    first, second, *rest = seen(runs).justifications[run.info.name]
    assert (first, second) == ("x" * (LONGEST - 1) + "…", "x" * LONGEST)
    assert set(rest) == {"x"}
    monkeypatch.setattr(explored_module, "LONGEST_IN_ALL", 10 * len(KEY))
    assert seen(runs).justifications[run.info.name][0] == "x" * 9 + "…"


def test_shares_are_those_of_the_section_on_pairs() -> None:
    """What a pair says of the runs is what the section on pairs counts."""
    report = karat.report(RUNS, without=["swap", "size", "sensitivity"])
    items, pairs = report.of("items"), report.pairs
    assert pairs is not None
    assert pairs.scorings[0].way == items.way == report.of("compare").way
    rows = list(verdicts(pairs, pairs.scorings[0]).values())
    assert [item.right for item in items.items] == [sum(column) for column in zip(*rows, strict=True)]
