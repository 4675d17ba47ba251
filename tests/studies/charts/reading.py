"""What tests ask of the charts of a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from karat.data.ballots import Ballots, Scale
from karat.data.charts import Bars, Dots, Heat, Line, Lines
from karat.data.scores import Scores
from karat.labels import THREE
from karat.render.figures import draw
from karat.studies.base import StudyResult

HOSTILE = ('<script>&"$x_1$"</script>', "run\x00with\x1bnothing", "選手権" * 40, "r" * 300, "low", "high", "official")
"""Names that are markup, a formula, control characters, wide, endless, or words of the figures' own."""


def of(result: StudyResult) -> dict[str, Any]:
    """The charts by name, no name twice; and every one of them can be drawn."""
    made = result.charts()
    for chart in made:
        draw(chart)
    assert len({chart.name for chart in made}) == len(made)
    return {chart.name: chart for chart in made}


def values(chart: Dots | Bars | Heat) -> dict[str, list[float]]:
    """The series by name, none twice."""
    assert len({one.name for one in chart.series}) == len(chart.series)
    return {name: list(numbers) for name, numbers in chart.series}


def line(chart: Lines, name: str) -> Line:
    """The one line of a name."""
    (found,) = (one for one in chart.lines if one.name == name)
    return found


def place(run: str, scores: Mapping[str, float]) -> float:
    """The place of a run, counted: those above it, and half of those tied with it."""
    above = sum(other > scores[run] + 1e-9 for other in scores.values())
    return 1 + above + (sum(abs(other - scores[run]) <= 1e-9 for other in scores.values()) - 1) / 2


def matrix(runs: int, units: int, seed: int = 0, names: Sequence[str] = (), measure: str = "mean score") -> Scores:
    """Right and wrong of runs from bad to good."""
    right = np.random.default_rng(seed).random((runs, units)) < np.linspace(0.3, 0.8, runs)[:, None]
    named = [*names, *(f"run{place:03}" for place in range(len(names), runs))]
    return Scores(tuple(named), tuple(f"u{unit}" for unit in range(units)), right.astype(float), measure)


def many_assessors(assessors: int, units: int = 30) -> Ballots:
    """Assessors who are right in four of five cases; later ones judged less."""
    random = np.random.default_rng(0)
    truth = random.integers(0, 3, units)
    said = np.where(random.random((assessors, units)) < 0.8, truth, random.integers(0, 3, (assessors, units)))
    assessor, unit = np.nonzero(np.arange(units) < np.linspace(units, units / 2, assessors)[:, None])
    names = tuple(f"assessor {place}" for place in range(assessors))
    code = said[assessor, unit].astype(np.int32)
    ids = tuple(map(str, range(units)))
    return Ballots(ids, names, Scale(THREE.labels), unit.astype(np.int32), assessor.astype(np.int32), code)
