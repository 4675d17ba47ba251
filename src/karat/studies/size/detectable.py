"""What the units at hand can show."""

from __future__ import annotations

import numpy as np

from karat.statistics.power import mcnemar_detectable, smallest_found, t_detectable
from karat.studies.size.needed import found_despite_noise
from karat.studies.size.parameters import SizeParameters
from karat.studies.size.pilot import Pilot
from karat.studies.size.result import Detectable


def detectable_with(pilot: Pilot, asked: SizeParameters) -> Detectable:
    """The smallest differences that the units at hand find: of one pair, corrected for all, and with a noisy key."""
    runs, units = pilot.scores.values.shape
    level = asked.level / (runs * (runs - 1) // 2)
    psi = pilot.discordance.median
    plain, corrected = (_smallest(pilot, psi, units, asked.power, one) for one in (asked.level, level))
    noisy = float("nan")
    if pilot.noise:
        noisy = smallest_found(lambda difference: found_despite_noise(pilot, difference, units, asked), psi)
    return Detectable(
        pilot.way, units, plain, corrected, noisy, pilot.names, float(pilot.observed.mean()), pilot.discordance
    )


def _smallest(pilot: Pilot, discordance: float, units: int, power: float, level: float) -> float:
    if pilot.joint is None:
        return t_detectable(float(np.sqrt(discordance)), units, power, level)
    return mcnemar_detectable(discordance, units, power, level)
