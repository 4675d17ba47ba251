"""A report on ratings that others gave: a file a run, columns of their own, nobody named."""

from __future__ import annotations

from pathlib import Path

from karat.cli.command import ask
from karat.studies.report.result import Report


def test_ratings_of_explanations(real: Path) -> None:
    """Two files are two runs; what the files are called and how is said as `karat justify` has it said."""
    files = [real / "explanation-ratings" / name for name in ("esnli.csv", "gpt3_greedy.csv")]
    said = "--criterion=Answer.grammar:-1..1 --not-applicable=-9 --rating-column=unit=Input.id --unasked=drop".split()
    made = ask("report", *(f"--ratings={file}" for file in files), *said)
    assert isinstance(made, Report)
    assert {run.run for run in made.of("justify").runs} == {"esnli", "gpt3_greedy"}
    assert "ratings-Answer.grammar" in [chart.name for chart in made.charts()]
