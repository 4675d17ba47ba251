"""Every measure of some runs, beside the spread of all: the values of `score`, and no others."""

from __future__ import annotations

import numpy as np
import pytest

from karat import examples
from karat.data.fields import Missing
from karat.formats.pairs import read_pairs
from karat.formats.runs import read_runs
from karat.studies.score.result import Evaluation
from karat.studies.score.spread import TOO_FEW, numbers, spread_sheet, spreads
from karat.studies.score.study import score

FILES = ("careful.jsonl", "cautious.txt", "always-entailment.txt", "two-way.txt", "overlap.txt")


@pytest.fixture(scope="module")
def scored() -> Evaluation:
    """Five runs, of which one has two labels only."""
    return score(read_runs([examples.RUNS / file for file in FILES], read_pairs(examples.HERE / "pairs.xml")))


def test_the_spread_is_of_all_runs_with_a_value(scored: Evaluation) -> None:
    """As numpy has it; what is undefined for a run does not count, and a two-way run is in no three-way number."""
    for one in spreads(scored):
        values = [row.value(one.way, one.measure) for row in scored.runs if row.values[one.way]]
        known = [value for value in values if value is not None and not np.isnan(value)]
        assert one.runs == len(known)
        if known:
            assert (one.lowest, one.median, one.highest) == (min(known), np.median(known), max(known))
    counts = {(one.way, one.measure): one.runs for one in spreads(scored)}
    assert counts["3", "accuracy"] == 4
    assert counts["2", "accuracy"] == 5
    assert counts["3", "precision(UNKNOWN)"] == 3
    assert len(spread_sheet(list(spreads(scored))).columns[0].values) == len(counts)


def test_the_spread_of_few_teams_is_not_told(scored: Evaluation) -> None:
    """Each measure counts its own teams: one that few have a value of would tell theirs."""
    teams = dict.fromkeys(("careful", "overlap"), "A") | {"cautious": "B", "always-entailment": "C", "two-way": "D"}
    four = {(one.way, one.measure) for one in spreads(scored, teams, 4)}
    assert ("2", "accuracy") in four
    assert ("3", "accuracy") not in four, "the two-way run has none, and two of the others are of one team"
    assert ("2", "conditional_entropy(NO_ENTAILMENT)") not in four
    assert ("3", "accuracy") in {(one.way, one.measure) for one in spreads(scored, teams, 3)}
    assert list(spreads(scored, teams, 5)) == []
    told = list(spreads(scored, teams, 4))
    two, *others = numbers(scored, {"careful"}, told)
    place = list(two.columns[0].values).index("conditional entropy, NO_ENTAILMENT")
    lowest = next(column for column in two.columns if column.name == "lowest").values[place]
    assert isinstance(lowest, Missing)
    assert lowest.why == TOO_FEW
    assert all("lowest" not in [column.name for column in sheet.columns] for sheet in others)


def test_a_run_has_all_its_numbers(scored: Evaluation) -> None:
    """One table for each way, that of all runs first, with every measure; of others nothing but the spread."""
    sheets = numbers(scored, {"careful"}, list(spreads(scored)))
    assert [sheet.title for sheet in sheets] == [
        "Two-way, 160 pairs, among 5 runs",
        "Three-way, 160 pairs, among 4 runs",
        "Contradiction or not, 160 pairs, among 4 runs",
    ]
    row = next(row for row in scored.runs if row.run == "careful")
    for way, sheet in zip(("2", "3", "2c"), sheets, strict=True):
        assert [column.name for column in sheet.columns] == [
            "measure", "careful", "95% CI", "lowest", "median", "highest", "runs",
        ]  # fmt: skip
        of = row.values[way] or {}
        assert len(sheet.columns[0].values) == len(of)
        np.testing.assert_array_equal(list(sheet.columns[1].values), list(of.values()))


def test_no_spread_and_no_table_for_whom_there_is_none(scored: Evaluation) -> None:
    """Without the spread there is no number of another run; a two-way run has no three-way table."""
    alone = numbers(scored, {"two-way"})
    assert [sheet.title for sheet in alone] == ["Two-way, 160 pairs"]
    assert [column.name for column in alone[0].columns] == ["measure", "two-way", "95% CI"]
    assert numbers(scored, set()) == []
    assert [len(sheet.columns) for sheet in numbers(scored, set(), list(spreads(scored)))] == [5, 5, 5]
