"""The units that a difference needs, what errors in the key add to them, and what the units at hand can show."""

from __future__ import annotations

from collections.abc import Callable
from math import floor, log10

import numpy as np

from karat.arrays import Floats
from karat.data.undefined import Missing, known
from karat.errors import UsageError
from karat.kernels.random import generator
from karat.statistics.key_noise import simulated_means, simulated_wins, tilted, with_noise
from karat.statistics.mcnemar import mcnemar
from karat.statistics.power import (
    mcnemar_detectable,
    mcnemar_power,
    paired_units,
    smallest_found,
    t_detectable,
    t_power,
)
from karat.studies.size.parameters import SizeParameters
from karat.studies.size.pilot import Pilot
from karat.studies.size.result import (
    ENDLESS,
    LINES,
    NO_NOISE,
    Detectable,
    Needed,
    Noise,
    PowerCurve,
    PowerPoint,
    why_lost,
)

CURVE_POINTS = 40
FURTHEST_DRAWN = 3
"""Curves lead to so many times the units at hand at most."""
ROUND = (1, 2, 3, 5)
"""Differences that are drawn unasked are so many times a power of ten."""
ROUNDING = 1e-9
"""A bias or a difference below this is rounding's doing."""
GRADED = "McNemar's test is for right/wrong scores"
NOT_FOUND = "no difference that these runs' disagreement allows is found with so few units"
ALIKE = "the runs do not differ on any unit"


def units_for(pilot: Pilot, discordance: float, difference: float, asked: SizeParameters) -> int | None:
    """Units for the test to find a difference, or None where no number of them suffices."""
    return paired_units(discordance, difference, asked.power, asked.level, graded=pilot.joint is None)


def needed_for(pilot: Pilot, difference: float, asked: SizeParameters) -> Needed:
    """One row of the table: the units, and the power that the tests have with so many, worked out and simulated."""
    if pilot.joint is not None and difference > 1:
        raise UsageError(f"--difference {difference:g}: shares differ by 1 at most")
    psi = pilot.discordance
    units, low, high = (units_for(pilot, one, difference, asked) for one in (psi.median, psi.low, psi.high))
    noise = noise_of(pilot, psi.median, difference, asked) if pilot.noise else None
    lost = ENDLESS if noise is None else why_lost(noise)
    powers: list[float] = [Missing(GRADED if pilot.joint is None else lost)] * 2
    # What the tests see: with errors in the key, the units, discordance and difference that those leave.
    drawn, seen = (units, (psi.median, difference)) if noise is None else (noise.units, noise.seen)
    if pilot.joint is not None and drawn is not None:
        powers = [mcnemar_power(drawn, *seen, asked.level, which) for which in (False, True)]
    simulated = Missing(lost) if drawn is None else _simulated(pilot, difference, drawn, asked, noise)
    # One more hit and one more miss, so that a share of 0 or 1 is not taken for certain.
    share = (simulated * asked.replicates + 1) / (asked.replicates + 2)
    error = known(float(np.sqrt(share * (1 - share) / asked.replicates)), lost)
    return Needed(pilot.way, difference, asked.power, units, low, high, powers[0], powers[1], simulated, error, noise)


def noise_of(pilot: Pilot, discordance: float, difference: float, asked: SizeParameters) -> Noise:
    """What the errors in the key make of a wanted difference, on the median pair's discordance.

    Either run may be the better one, and the errors favour one of them: the units are those that suffice either way.
    """
    psi = max(discordance, difference)
    _, bias = with_noise(_wanted(pilot, psi, 0.0), pilot.confusion)
    found = []
    for better, (seen, left) in enumerate(_seen(pilot, psi, difference)):
        units = units_for(pilot, seen, left, asked) if left > ROUNDING else None
        found.append((units, better, seen, left))
    units, worse, seen, left = max(found, key=lambda one: float("inf") if one[0] is None else one[0])
    return Noise(
        discordance=seen,
        difference=left,
        favoured=found[1 - worse][3],
        bias=abs(bias),
        favours=None if abs(bias) < ROUNDING else pilot.names[int(bias < 0)],
        better=pilot.names[worse],
        units=units,
    )


def _seen(pilot: Pilot, discordance: float, difference: float) -> list[tuple[float, float]]:
    """The discordance and the difference that errors in the key leave, where the first run is better, or the second."""
    seen = [with_noise(_wanted(pilot, discordance, sign * difference), pilot.confusion) for sign in (1, -1)]
    return [(psi, sign * left) for sign, (psi, left) in zip((1, -1), seen, strict=True)]


def found_despite_noise(pilot: Pilot, difference: float, units: int, asked: SizeParameters) -> bool:
    """Whether so many units find a true difference although the key has errors, whichever run is better."""
    psi = max(pilot.discordance.median, difference)
    return all(
        left > ROUNDING and power_of(pilot, units, seen, left, asked.level) >= asked.power
        for seen, left in _seen(pilot, psi, difference)
    )


def _wanted(pilot: Pilot, discordance: float, difference: float) -> Floats:
    """The pilot's joint with the median pair's discordance and the difference wanted."""
    assert pilot.joint is not None
    return tilted(pilot.joint, difference, max(discordance, abs(difference)))


def _simulated(pilot: Pilot, difference: float, units: int, asked: SizeParameters, noise: Noise | None) -> float:
    """The share of simulated test sets in which the test finds the difference, and for the right run."""
    random = generator(asked.seed, "size", pilot.way or "scores", repr(difference))
    if pilot.joint is not None:
        sign = -1 if noise is not None and noise.better == pilot.names[1] else 1
        joint = _wanted(pilot, pilot.discordance.median, sign * difference)
        won, lost = simulated_wins(joint, pilot.confusion, units, asked.replicates, random)
        return float(np.mean((mcnemar(won, lost) <= asked.level) & (sign * (won - lost) > 0)))
    from scipy.special import stdtr

    means, variances = simulated_means(pilot.observed, difference, units, asked.replicates, random)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = means / np.sqrt(variances / units)
    return float(np.mean(2 * stdtr(max(units - 1, 1), -t) <= asked.level))


def differences_drawn(pilot: Pilot, detectable: float, asked: SizeParameters) -> list[float]:
    """The differences asked for; else the usual ones, and the round ones about what the units at hand find."""
    if asked.difference or not detectable > 0:
        return sorted({*asked.differences})
    powers = (10.0 ** (floor(log10(detectable)) + step) for step in (-1, 0, 1))
    about = sorted((float(f"{times * power:.3g}") for power in powers for times in ROUND), key=_far_from(detectable))
    return sorted({*asked.differences, *(one for one in about[:LINES] if one < 1 or pilot.joint is None)})


def _far_from(detectable: float) -> Callable[[float], float]:
    return lambda difference: abs(log10(difference / detectable))


def power_curves(pilot: Pilot, detectable: float, asked: SizeParameters) -> list[PowerCurve]:
    """Power by units for every difference that is worth drawing, with the key's errors where there are any.

    All on the same units: beyond those at hand as far as the differences need, up to a few times as many.
    """
    psi, at_hand = pilot.discordance.median, pilot.scores.values.shape[1]
    wanted = differences_drawn(pilot, detectable, asked)
    noises = [noise_of(pilot, psi, one, asked) if pilot.noise else None for one in wanted]
    units = [units_for(pilot, psi, one, asked) for one in wanted] + [noise.units for noise in noises if noise]
    needed = [one for one in units if one is not None]
    last = min(max([1.1 * at_hand, *(1.2 * one for one in needed)]), FURTHEST_DRAWN * at_hand)
    # Few units are closer to each other, since power rises fast there.
    grid = (2 + (max(last, 4.0) - 2) * np.linspace(0, 1, CURVE_POINTS) ** 1.5).round()
    # With the units that are needed among them, a reader of the curve finds what the table says.
    numbers = sorted({*map(int, grid), *(one for one in (at_hand, *needed) if one <= grid[-1])})
    made = []
    for difference, noise in zip(wanted, noises, strict=True):
        clean = [power_of(pilot, n, psi, difference, asked.level) for n in numbers]
        power = clean if noise is None else [power_of(pilot, n, *noise.seen, asked.level) for n in numbers]
        points = [PowerPoint(*point) for point in zip(numbers, power, clean, strict=True)]
        made.append(PowerCurve(pilot.way, difference, points))
    return made


def power_of(pilot: Pilot, units: int, discordance: float, difference: float, level: float) -> float:
    """The power of the test with so many units; 0 where errors in the key leave nothing of the difference."""
    if pilot.joint is None:
        return float(t_power(units, max(float(np.sqrt(discordance)), 1e-12), difference, level))
    return mcnemar_power(units, discordance, difference, level) if difference > 0 else 0.0


def detectable_with(pilot: Pilot, asked: SizeParameters) -> Detectable:
    """The smallest differences that the units at hand find: of one pair, corrected for all, and with a noisy key."""
    runs, units = pilot.scores.values.shape
    level = asked.level / (runs * (runs - 1) // 2)
    psi = pilot.discordance.median
    why = NOT_FOUND if psi > 0 else ALIKE
    plain, corrected = (known(_smallest(pilot, psi, units, asked.power, one), why) for one in (asked.level, level))
    noisy: float = Missing(NO_NOISE)
    if pilot.noise:
        noisy = known(smallest_found(lambda difference: found_despite_noise(pilot, difference, units, asked), psi), why)
    return Detectable(
        pilot.way, units, plain, corrected, noisy, pilot.names, float(pilot.observed.mean()), pilot.discordance
    )


def _smallest(pilot: Pilot, discordance: float, units: int, power: float, level: float) -> float:
    if pilot.joint is None:
        return t_detectable(float(np.sqrt(discordance)), units, power, level)
    return mcnemar_detectable(discordance, units, power, level)
