"""Rankings under other choices, drawn."""

from __future__ import annotations

from collections.abc import Iterable

from karat.data.charts import Chart, Figures
from karat.studies.drawing import place_lines, tau_dots
from karat.studies.sensitivity.result import Sensitivity


def sensitivity(result: Sensitivity) -> Iterable[Chart]:
    """How alike the ranking under each choice is to the official one: 1 is the same, 0 is none.

    tau counts every two runs that change places alike; tau_ap minds most what happens at the top.
    """
    yield from tau_dots([(f"{one.setting} {one.value}", one.tau, one.tau_ap) for one in result.settings[1:]])


def setting_ranks(result: Sensitivity) -> Iterable[Chart]:
    """Each run's place under every choice that could have been made otherwise, the official one first.

    A line that is level keeps its place; lines that cross are runs that change places. Tied runs share a place.
    """
    if len(result.runs) > 1 and len(result.settings) > 1:
        rankings = [(f"{one.setting} {one.value}", one.scores) for one in result.settings]
        yield place_lines("Places as choices vary", rankings, ("choice", "place"))


FIGURES: Figures = (sensitivity, setting_ranks)
