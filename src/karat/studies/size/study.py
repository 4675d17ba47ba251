"""Size: how many units are needed to detect a difference, and what the present test set detects (`karat size`)."""

from __future__ import annotations

from itertools import product
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import DISPLAY_TOLERANCE, EXACT_TOLERANCE, Floats
from karat.data.ballots import Ballots
from karat.data.fields import Missing, known
from karat.data.parameters import MOST_DRAWS, SMALLEST_DIFFERENCE, TAIL, SeedOption, WayOption, generator
from karat.data.responses import Responses
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.progress import track
from karat.statistics.key_noise import simulated_means, simulated_wins, tilted, with_noise
from karat.statistics.paired import mcnemar
from karat.statistics.power import (
    mcnemar_detectable,
    mcnemar_power,
    paired_units,
    smallest_found,
    t_detectable,
    t_power,
)
from karat.studies.base import MOST_RUNS, LeftOut, study
from karat.studies.counted_runs import runs_that_count
from karat.studies.scorer import Scorer
from karat.studies.size.findings import FIGURES, FINDINGS
from karat.studies.size.pilot import Pilot, assumed_pilot, labelled_pilot, scored_pilot
from karat.studies.size.result import (
    ENDLESS,
    NO_NOISE,
    NO_RUNS,
    Detectable,
    Needed,
    Noise,
    PlanningCurve,
    PlanningPoint,
    Size,
    why_lost,
)
from karat.studies.size.sampling import sample_of

DIFFERENCES = (0.01, 0.02, 0.03, 0.05, 0.1)
DISCORDANCES = (0.05, 0.1, 0.2, 0.3, 0.4)
"""Assumed if there are no runs: two versions of one system disagree on a twentieth or a tenth of the units; unrelated
ones, each right on three quarters, on three eighths."""
CURVE_POINTS = 28
CURVE_REACH = 3.0
"""Curves lead from this multiple of the detectable difference to the same fraction of it."""
LEAD_MARGIN, FURTHEST_LEAD = 0.8, 8.0
"""They lead a little below the observed lead too, unless it is this many times smaller than what is detectable."""
GRADED = "McNemar's test is for right/wrong scores"
NOT_FOUND = "with so few units, no difference is found that is possible for runs that disagree this much"
ALIKE = "the runs do not differ on any unit"


class SizeParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `size`."""

    way: WayOption = "auto"
    measure: Annotated[str, Meta(description="a measure that is a mean over units")] = "accuracy"
    difference: Annotated[
        tuple[Annotated[float, Meta(ge=SMALLEST_DIFFERENCE)], ...],
        Meta(description="a difference to detect; 0.01 to 0.1 by default", examples=["D"]),
    ] = ()
    discordance: Annotated[
        tuple[Annotated[float, Meta(gt=0, le=1)], ...],
        Meta(
            description="without KEY and RUN: the share of units that only one of two runs gets right; 0.05 to 0.4 by "
            "default",
            examples=["P"],
        ),
    ] = ()
    power: Annotated[float, Meta(description="probability of detecting it", ge=TAIL, le=1 - TAIL)] = 0.8
    level: Annotated[float, Meta(description="two-sided level of the test", ge=TAIL, le=1 - TAIL)] = 0.05
    noise: Annotated[float, Meta(description="proportion of wrong labels in the key", ge=0, lt=1)] = 0.0
    pilot: Annotated[
        tuple[str, ...],
        Meta(description="two runs to simulate from; by default the pair with median discordance", examples=["RUN"]),
    ] = ()
    mix: Annotated[
        dict[str, float],
        Meta(description="proportion of a label in a test set drawn from candidates", examples=["ENTAILMENT=0.5"]),
    ] = {}
    rule: Annotated[
        Literal["majority", "unanimous", "unknown"],
        Meta(description="label of a candidate: by majority, only if unanimous, or UNKNOWN if judges disagree"),
    ] = "majority"
    units: Annotated[
        int | None, Meta(description="units to draw from candidates; by default as many as the mix allows")
    ] = None
    replicates: Annotated[int, Meta(description="simulated test sets", ge=1, le=MOST_DRAWS)] = 2000
    seed: SeedOption = 0

    @property
    def differences(self) -> tuple[float, ...]:
        """The differences asked for, or the default ones."""
        return self.difference or DIFFERENCES


@study("size", SizeParameters, most={"runs": MOST_RUNS}, findings=FINDINGS, figures=FIGURES)
def size(
    runs: Responses | Scores | None = None,
    *,
    asked: SizeParameters,
    ballots: Ballots | None = None,
    candidates: Ballots | None = None,
) -> Size:
    """Sizes and detectable differences from pilot runs or a score matrix, or without runs from assumed discordances.

    `ballots` on the key's pairs give the rate at which single assessors differ from the key; `candidates` are judged
    pairs from which to draw a test set.
    """
    if asked.mix and candidates is None:
        raise UsageError("--mix: give the judged candidates to draw from, --candidates FILE")
    if runs is not None and asked.discordance:
        raise UsageError("--discordance is for planning without runs: with runs it is estimated from them")
    left_out: list[LeftOut] = []
    if runs is None:
        wanted = _assumed(asked, ballots)
        pilots = list(dict.fromkeys(pilot for pilot, _ in wanted))
    elif isinstance(runs, Scores):
        if asked.noise or ballots is not None:
            raise UsageError("errors in the key require its labels: give the key and the runs, not scores")
        pilots = [scored_pilot(runs.complete("size"), asked.pilot, runs.runs)]
        if pilots[0].joint is None and not pilots[0].discordance.median > 0:
            raise UsageError(
                "half of the pairs of runs have the same difference on every unit, so the number of units needed "
                "cannot be estimated: give scores on more units"
            )
    else:
        scorers = [Scorer.of(runs, asked.measure, way.name) for way in runs.ways(asked.way)]
        # Named runs were chosen by somebody who knows why.
        counting, left_out = (runs, []) if asked.pilot else runs_that_count(runs, [one.way for one in scorers])
        pilots = [labelled_pilot(one, asked.pilot, asked.noise, ballots, counting.names) for one in scorers]
    if runs is None:
        found, curves = [], [_planning_curve(pilot, None, asked) for pilot in pilots]
    else:
        wanted = list(product(pilots, asked.differences))
        found = [_detectable_with(pilot, asked) for pilot in pilots]
        curves = [_planning_curve(pilot, row, asked) for pilot, row in zip(pilots, found, strict=True)]
    simulating = track(wanted, "simulating test sets")
    sizes = [_needed_for(pilot, difference, asked) for pilot, difference in simulating]
    return Size(
        way=pilots[0].way,
        measures=[pilots[0].scores.measure],
        kind="graded" if pilots[0].joint is None else "right/wrong",
        runs=list(pilots[0].scores.runs),
        unit=pilots[0].scores.unit,
        members=pilots[0].scores.members,
        power=asked.power,
        level=asked.level,
        noise=pilots[0].noise,
        sizes=sizes,
        detectable=found[0].difference if found else Missing(NO_RUNS),
        detectables=found,
        curves=curves,
        left_out=left_out,
        sample=None if candidates is None else sample_of(candidates, asked.mix, asked.rule, asked.units, asked.seed),
    )


def _assumed(asked: SizeParameters, ballots: Ballots | None) -> list[tuple[Pilot, float]]:
    """Every assumed discordance with the differences that are possible under it, by difference."""
    for given, option in ((asked.noise, "--noise"), (ballots, "--ballots"), (asked.pilot, "--pilot")):
        if given:
            raise UsageError(f"{option} needs the answers of runs: give KEY and RUN")
    if asked.measure != SizeParameters().measure:
        raise UsageError(f"--measure {asked.measure}: without runs, sizes are for accuracy on the units that it covers")
    pilots = {psi: assumed_pilot(psi) for psi in asked.discordance or DISCORDANCES}
    made = []
    for difference in asked.differences:
        possible = [pilot for psi, pilot in pilots.items() if psi >= difference]
        if asked.discordance and len(possible) < len(pilots):
            raise UsageError(
                f"--difference {difference:g} with --discordance {min(pilots):g}: two runs that differ by "
                f"{difference:g} disagree on at least this share of the units; expected a discordance of "
                f"{difference:g} or more"
            )
        made += [(pilot, difference) for pilot in possible or [assumed_pilot(min(difference, 1.0))]]
    return made


def _units_for(pilot: Pilot, discordance: float, difference: float, asked: SizeParameters) -> int | None:
    """The number of units with which the test detects a difference, or None if no number suffices."""
    return paired_units(discordance, difference, asked.power, asked.level, graded=pilot.joint is None)


def _needed_for(pilot: Pilot, difference: float, asked: SizeParameters) -> Needed:
    """One row of the table: the number of units, and the power of the tests with it, computed and simulated."""
    if pilot.joint is not None and difference > 1:
        raise UsageError(f"--difference {difference:g}: expected at most 1, since scores are shares")
    psi = pilot.discordance
    units, low, high = (_units_for(pilot, one, difference, asked) for one in (psi.median, psi.low, psi.high))
    if not pilot.scores.runs:
        low = high = None
    noise = _noise_of(pilot, psi.median, difference, asked) if pilot.noise else None
    lost = ENDLESS if noise is None else why_lost(noise)
    powers: list[float] = [Missing(GRADED if pilot.joint is None else lost)] * 2
    # With errors in the key, the tests see the discordance and difference that remain.
    drawn, seen = (units, (psi.median, difference)) if noise is None else (noise.units, noise.seen)
    if pilot.joint is not None and drawn is not None:
        powers = [mcnemar_power(drawn, *seen, asked.level, which) for which in (False, True)]
    simulated = Missing(lost) if drawn is None else _simulated(pilot, difference, drawn, asked, noise)
    # One hit and one miss are added, so that the error of a share of 0 or 1 is not 0.
    share = (simulated * asked.replicates + 1) / (asked.replicates + 2)
    error = known(float(np.sqrt(share * (1 - share) / asked.replicates)), lost)
    powered = powers[0], powers[1], simulated, error
    return Needed(pilot.way, difference, psi.median, asked.power, units, low, high, *powered, noise)


def _noise_of(pilot: Pilot, discordance: float, difference: float, asked: SizeParameters) -> Noise:
    """The effect of errors in the key on a given difference, at the median pair's discordance.

    Either run may be the better one, and the errors favour one of them: the number of units suffices in both cases.
    """
    psi = max(discordance, difference)
    _, bias = with_noise(_wanted(pilot, psi, 0.0), pilot.confusion)
    found = []
    for better, (seen, left) in enumerate(_seen(pilot, psi, difference)):
        units = _units_for(pilot, seen, left, asked) if left > DISPLAY_TOLERANCE else None
        found.append((units, better, seen, left))
    units, worse, seen, left = max(found, key=lambda one: float("inf") if one[0] is None else one[0])
    return Noise(
        discordance=seen,
        difference=left,
        favoured=found[1 - worse][3],
        bias=abs(bias),
        favours=None if abs(bias) < DISPLAY_TOLERANCE else pilot.names[int(bias < 0)],
        better=pilot.names[worse],
        units=units,
    )


def _seen(pilot: Pilot, discordance: float, difference: float) -> list[tuple[float, float]]:
    """The discordance and difference seen through errors in the key, if the first run is better or the second."""
    seen = [with_noise(_wanted(pilot, discordance, sign * difference), pilot.confusion) for sign in (1, -1)]
    return [(psi, sign * left) for sign, (psi, left) in zip((1, -1), seen, strict=True)]


def _found_despite_noise(pilot: Pilot, difference: float, units: int, asked: SizeParameters) -> bool:
    """Whether a number of units detects a true difference despite errors in the key, whichever run is better."""
    psi = max(pilot.discordance.median, difference)
    return all(
        left > DISPLAY_TOLERANCE and _power_of(pilot, units, seen, left, asked.level) >= asked.power
        for seen, left in _seen(pilot, psi, difference)
    )


def _wanted(pilot: Pilot, discordance: float, difference: float) -> Floats:
    """The pilot's joint distribution, tilted to a given discordance and difference."""
    assert pilot.joint is not None
    return tilted(pilot.joint, difference, max(discordance, abs(difference)))


def _simulated(pilot: Pilot, difference: float, units: int, asked: SizeParameters, noise: Noise | None) -> float:
    """The share of simulated test sets in which the test is significant in favour of the better run."""
    random = generator(asked.seed, "size", pilot.way or "scores", repr(difference))
    if pilot.joint is not None:
        sign = -1 if noise is not None and noise.better == pilot.names[1] else 1
        joint = _wanted(pilot, pilot.discordance.median, sign * difference)
        won, lost = simulated_wins(joint, pilot.confusion, units, asked.replicates, random)
        return float(np.mean((mcnemar(won, lost) <= asked.level) & (sign * (won - lost) > 0)))
    from scipy.special import stdtr  # imported late because scipy is slow to load

    means, variances = simulated_means(pilot.observed, difference, units, asked.replicates, random)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = means / np.sqrt(variances / units)
    return float(np.mean(2 * stdtr(max(units - 1, 1), -t) <= asked.level))


def _planning_curve(pilot: Pilot, found: Detectable | None, asked: SizeParameters) -> PlanningCurve:
    """The units needed by difference, from a multiple of what the present units detect down to the observed lead.

    Without runs, around the differences that were asked for.
    """
    psi, pairs = pilot.discordance.median, max(len(pilot.scores.runs) * (len(pilot.scores.runs) - 1) // 2, 1)
    if found is None:
        most = min(max(asked.differences) * CURVE_REACH, psi)
        least, exact = min(asked.differences) / CURVE_REACH, {one for one in asked.differences if one <= most}
    else:
        usual = found.difference if found.difference == found.difference else psi
        if not usual > 0:
            return PlanningCurve(pilot.way, psi, [])
        most = min(usual * CURVE_REACH, 1.0 if pilot.joint is not None else usual * CURVE_REACH)
        near = found.lead >= usual / FURTHEST_LEAD
        least = min(usual / CURVE_REACH, LEAD_MARGIN * found.lead) if near else usual / CURVE_REACH
        # What the present units detect and what the lead needs are on the curve, so that it agrees with the tables.
        exact = {one for one in (usual, found.lead) if least <= one <= most}
    differences = sorted({*np.geomspace(most, least, CURVE_POINTS).tolist(), *exact}, reverse=True)
    points = []
    for one in differences:
        alone, corrected = (
            paired_units(psi, one, asked.power, level, graded=pilot.joint is None)
            for level in (asked.level, asked.level / pairs)
        )
        noisy = _noise_of(pilot, psi, one, asked).units if pilot.noise else None
        points.append(PlanningPoint(one, alone, corrected, noisy))
    return PlanningCurve(pilot.way, psi, points)


def _power_of(pilot: Pilot, units: int, discordance: float, difference: float, level: float) -> float:
    """The power of the test with a number of units; 0 if errors in the key hide the difference."""
    if pilot.joint is None:
        return float(t_power(units, max(float(np.sqrt(discordance)), EXACT_TOLERANCE), difference, level))
    return mcnemar_power(units, discordance, difference, level) if difference > 0 else 0.0


def _detectable_with(pilot: Pilot, asked: SizeParameters) -> Detectable:
    """The smallest differences that the present units detect: for one pair, corrected for all, and with a noisy key."""
    runs, units = pilot.scores.values.shape
    level = asked.level / (runs * (runs - 1) // 2)
    psi = pilot.discordance.median
    why = NOT_FOUND if psi > 0 else ALIKE
    plain, corrected = (known(_smallest(pilot, psi, units, asked.power, one), why) for one in (asked.level, level))
    noisy: float = Missing(NO_NOISE)
    if pilot.noise:
        noisy = known(
            smallest_found(lambda difference: _found_despite_noise(pilot, difference, units, asked), psi), why
        )
    first, second = np.sort(pilot.scores.values.mean(axis=1))[::-1][:2].tolist()
    return Detectable(
        way=pilot.way,
        units=units,
        difference=plain,
        corrected=corrected,
        noisy=noisy,
        lead=max(first - second, 0.0),
        pilot=pilot.names,
        observed=float(pilot.observed.mean()),
        discordance=pilot.discordance,
    )


def _smallest(pilot: Pilot, discordance: float, units: int, power: float, level: float) -> float:
    if pilot.joint is None:
        return t_detectable(float(np.sqrt(discordance)), units, power, level)
    return mcnemar_detectable(discordance, units, power, level)
