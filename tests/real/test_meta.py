"""`karat meta` on data nobody here wrote: scores of TREC RAG 2024, and MultiNLI runs by four people's labels."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import karat
from karat.data.judgments import Judgments
from karat.data.scores import Scores
from karat.formats.nugget_table import read_matches, read_nuggets
from karat.formats.scores import read_judgments, write_scores
from tests.real.varierr import PEOPLE, read

NAMES = {"command-r-plus": "command-r-plus", "gpt_4o": "gpt-4o", "l31_70b_instruct": "l31_70b_instruct"}


def test_assignments_and_published_scores(real: Path, tmp_path: Path) -> None:
    """Scores from the three sets of assignments rank as the published ones do, and differ only by invalid labels."""
    nuggets = read_nuggets(real / "rag24" / "nuggets" / "rag24_nuggets_mistral.jsonl")
    matches = read_matches(real / "rag24" / "assignments", nuggets)
    write_scores(karat.nuggets(matches).scores("vital"), tmp_path / "left-out.csv")
    write_scores(karat.nuggets(matches, missing="zero").scores("vital"), tmp_path / "zero.csv")
    published = tmp_path / "published"
    published.mkdir()
    for theirs, mine in NAMES.items():
        file = f"baseline_rag24.test_{{}}_top20{'.jsonl'}"
        shutil.copy(real / "rag24" / "metrics" / file.format(theirs), published / file.format(mine))
    judged = read_judgments(
        [published, tmp_path / "left-out.csv", tmp_path / "zero.csv"], score="vital_score,vital_support"
    )
    ours, zero = karat.meta(judged, replicates=10).judges
    assert (ours.units, len(ours.runs), ours.ranks.tau.value) == (301, 3, 1)
    assert ours.swaps == zero.swaps == 0
    assert 0 < max(abs(row.bias.value) for row in ours.runs) < 0.002
    assert max(abs(row.bias.value) for row in zero.runs) < 1e-9
    assert not np.isfinite(ours.ranks.tau.low)  # three runs say too little about a ranking


def test_four_people_are_four_rankings(real: Path) -> None:
    """As TREC 2002 did for questions: ten runs ranked by each of four people's labels, and compared by scipy's tau."""
    data = read(real)
    runs = tuple(data.runs)
    judges = {}
    for who in PEOPLE:
        units = tuple(unit for unit, said in data.said[who].items() if said.label)
        right = [[float(data.runs[run][unit] == data.said[who][unit].label) for unit in units] for run in runs]
        judges[who] = Scores(runs, units, np.array(right), "accuracy")
    result = karat.meta(Judgments.of(judges), replicates=200)
    first = judges[PEOPLE[0]]
    for one in result.judges:
        other = judges[one.judge]
        both = [unit for unit in first.units if unit in set(other.units)]
        x, y = (side.values[:, [side.units.index(unit) for unit in both]].mean(axis=1) for side in (first, other))
        assert one.units == len(both) > 350
        assert one.ranks.tau_b.value == pytest.approx(stats.kendalltau(x.round(12), y.round(12)).statistic)
        assert one.ranks.tau.low <= one.ranks.tau.high
        assert one.pairs.reversed == 0
