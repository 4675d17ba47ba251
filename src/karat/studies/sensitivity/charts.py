"""Figures of rankings under other choices."""

from __future__ import annotations

from collections.abc import Iterable

from karat.data.charts import Chart, Figures
from karat.studies.rankings import place_lines, tau_dots
from karat.studies.sensitivity.result import Sensitivity


def sensitivity(result: Sensitivity) -> Iterable[Chart]:
    """How similar the ranking under each choice is to the official one: 1 is identical, 0 unrelated.

    tau counts all pairs of runs that swap ranks equally; tau_ap gives more weight to the top of the ranking.
    """
    yield from tau_dots([(f"{one.setting} {one.value}", one.tau, one.tau_ap) for one in result.settings[1:]])


def setting_ranks(result: Sensitivity) -> Iterable[Chart]:
    """Each run's rank under every alternative choice, starting with the official one; one line per run.

    A level line keeps its rank; lines that cross are runs that swap ranks. Tied runs share a rank.
    """
    if len(result.runs) > 1 and len(result.settings) > 1:
        rankings = [(f"{one.setting} {one.value}", one.scores) for one in result.settings]
        yield place_lines("Places as choices vary", rankings, ("choice", "place"))


FIGURES: Figures = (sensitivity, setting_ranks)
