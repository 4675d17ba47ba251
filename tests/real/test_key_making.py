"""What real test sets give away, and real ballots on their way to a key."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.formats.ballots import read_ballots
from karat.formats.pairs import read_pairs
from karat.studies.adjudicate.study import adjudicate
from karat.studies.blind.study import blind


@pytest.mark.parametrize(
    ("file", "places"),
    [
        ("rte/RTE1_test.xml", {"ids"}),
        ("rte/RTE2_dev.xml", set()),
        ("rte/RTE3_test.xml", set()),
        ("rte/RTE5_dev.xml", set()),
        ("sick/SICK_trial.txt", set()),
        ("mnli-matched/key.tsv", {"length"}),
    ],
)
def test_what_gives_the_key_away(real: Path, file: str, places: set[str]) -> None:
    """The ids of RTE-1 follow its tasks and labels; in MultiNLI, short hypotheses are more often entailed."""
    result = blind(read_pairs(real / file))
    assert {leak.where for leak in result.leaks if leak.leaks} == places
    if "ids" in places:
        assert max(leak.guessed for leak in result.leaks) == pytest.approx(0.64)


def test_a_crowd(real: Path) -> None:
    """Ten workers on each pair of RTE-1 seldom agree, all of them: counted here by hand."""
    ballots = read_ballots(real / "rte1-crowd/ballots.tsv")
    result = adjudicate(ballots)
    counts = ballots.counts()
    assert result.wanted == 10
    assert result.standings["agreed"] == int((counts.max(axis=1) == counts.sum(axis=1)).sum()) == 78
    assert result.standings["disputed"] == 722
    assert len(result.history()) == len(ballots)
