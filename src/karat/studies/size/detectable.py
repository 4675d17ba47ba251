"""What the units at hand can show."""

from __future__ import annotations

import numpy as np

from karat.statistics.power import connor_detectable, t_detectable
from karat.studies.size.needed import noise_of
from karat.studies.size.parameters import SizeParameters
from karat.studies.size.pilot import Pilot
from karat.studies.size.result import Detectable


def detectable_with(pilot: Pilot, asked: SizeParameters) -> Detectable:
    """What the units at hand can show."""
    runs, units = pilot.scores.values.shape
    level = asked.level / (runs * (runs - 1) // 2)
    psi = pilot.discordance.median
    plain, corrected = (_smallest(pilot, psi, units, asked.power, one) for one in (asked.level, level))
    noisy = _noisy_detectable(pilot, psi, units, asked) if pilot.noise else float("nan")
    return Detectable(
        pilot.way, units, plain, corrected, noisy, pilot.names, float(pilot.observed.mean()), pilot.discordance
    )


def _smallest(pilot: Pilot, discordance: float, units: int, power: float, level: float) -> float:
    if pilot.joint is None:
        return t_detectable(float(np.sqrt(discordance)), units, power, level)
    return float(connor_detectable(discordance, units, power, level))


def _noisy_detectable(pilot: Pilot, discordance: float, units: int, asked: SizeParameters) -> float:
    """The smallest true difference that is found although the key has errors, by bisection."""
    low, high = 0.0, discordance

    def found(difference: float) -> bool:
        needed = noise_of(pilot, discordance, difference, asked).units
        return needed is not None and needed <= units

    if not high > 0 or not found(high):
        return float("nan")
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if found(middle) else (middle, high)
    return high
