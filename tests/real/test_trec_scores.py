"""The published scores of TREC RAG 2024 as score tables: as they are, and as trec_eval and AutoJudge print scores."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import karat
from karat.formats.nugget_table import read_matches, read_nuggets
from karat.formats.scores import read_judgments, read_scores, write_scores

LAYOUTS = {
    "trec_eval": "{measure}\t{topic}\t{value}",
    "ir_measures": "{topic}\t{measure}\t{value}",
    "leaderboard": "{run}\t{topic}\t{measure}\t{value}",
}


def test_published_scores_are_a_score_table(real: Path) -> None:
    """Three runs on 301 topics; the topic of the means is skipped, and the means are those of the topics."""
    folder = real / "rag24" / "metrics"
    scores = read_scores(folder, score="vital_score")
    assert (len(scores.runs), len(scores.units), scores.measure) == (3, 301, "vital_score")
    stored = [karat.read_rag_metrics(folder / f"{run}.jsonl").means["vital_score"] for run in scores.runs]
    np.testing.assert_allclose(scores.values.mean(axis=1), stored, atol=1e-12)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_as_programs_print_them(real: Path, layout: str, tmp_path: Path) -> None:
    """Every layout gives the same table, whose topics (2024-105741) are told by the topic of the means."""
    measures = ("vital_score", "all_score")
    held = [read_scores(real / "rag24" / "metrics", score=measure) for measure in measures]
    for at, run in enumerate(held[0].runs):
        lines = [
            LAYOUTS[layout].format(run=run, topic=topic, measure=measure, value=value)
            for measure, scores in zip(measures, held, strict=True)
            for topic, value in [*zip(scores.units, scores.values[at].tolist(), strict=True), ("all", 0.5)]
        ]
        (tmp_path / f"{run}.txt").write_text("\n".join([*lines, ""]))
    again = read_scores(tmp_path, score="all_score")
    assert (again.runs, again.units) == (held[1].runs, held[1].units)
    np.testing.assert_array_equal(again.values, held[1].values)


def test_two_judgments(real: Path, tmp_path: Path) -> None:
    """Strict support as another judge's: written with its measure and read again, `meta` has the means of the table."""
    nuggets = read_nuggets(real / "rag24" / "nuggets" / "rag24_nuggets_mistral.jsonl")
    result = karat.nuggets(read_matches(real / "rag24" / "assignments", nuggets))
    for measure in ("vital", "strict_vital"):
        write_scores(result.scores(measure), tmp_path / f"{measure}.csv")
    judged = read_judgments([tmp_path / "vital.csv", tmp_path / "strict_vital.csv"])
    assert [one.measure for one in judged.scores] == ["vital_support", "vital_support(strict=True)"]
    made = karat.meta(judged, replicates=50).judges[0]
    means = {run.run: (run.vital, run.strict_vital) for run in result.runs}
    assert {run.run: (run.reference, run.judge) for run in made.runs} == {
        run: pytest.approx(pair) for run, pair in means.items()
    }
