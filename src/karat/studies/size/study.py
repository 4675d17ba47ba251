"""Size: how many units a difference needs to be found, and what the units at hand can show (`karat size`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from karat.data.ballots import Ballots
from karat.data.pairs import Pairs
from karat.data.parameters import WayOption
from karat.data.responses import Responses
from karat.data.result import Undefined
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.kernels.random import generator
from karat.labels import THREE, Way, fold
from karat.statistics.key_noise import (
    confusion_of,
    joint_of,
    simulated_means,
    simulated_wins,
    symmetric,
    tilted,
    with_noise,
)
from karat.statistics.mcnemar import mcnemar
from karat.statistics.power import (
    connor_detectable,
    connor_power,
    connor_units,
    mcnemar_power,
    t_detectable,
    t_power,
    t_units,
)
from karat.statistics.swap_normal import pair_moments
from karat.studies.base import study
from karat.studies.score_matrix import complete, is_scores, must_be_mean
from karat.studies.size import findings as findings
from karat.studies.size.result import (
    Detectable,
    Discordance,
    Needed,
    Noise,
    PowerCurve,
    PowerPoint,
    Size,
)
from karat.studies.size.sampling import sample_of
from karat.studies.ways import common_ways

Floats = NDArray[np.float64]
DIFFERENCES = (0.01, 0.02, 0.03, 0.05, 0.1)
POINTS = 40
"""Of each curve."""
HIDDEN = "the errors in the key leave nothing of the difference"
ALIKE = "the runs do not differ on any unit"
GRADED = "McNemar's test is for right/wrong scores"
OUT_OF_REACH = "no difference that these runs' disagreement allows is found with so few units"


class SizeParameters(msgspec.Struct, frozen=True, kw_only=True):
    """What `size` can be asked."""

    way: WayOption = "auto"
    measure: Annotated[str, Meta(description="a measure that is a mean over units")] = "accuracy"
    difference: Annotated[
        tuple[Annotated[float, Meta(gt=0)], ...],
        Meta(description="a difference to be found; 0.01 to 0.1 unless said", examples=["0.02"]),
    ] = ()
    power: Annotated[float, Meta(description="how often it is to be found", gt=0, lt=1)] = 0.8
    level: Annotated[float, Meta(description="two-sided level of the test", gt=0, lt=1)] = 0.05
    noise: Annotated[float, Meta(description="share of the key's labels that are wrong", ge=0, lt=1)] = 0.0
    pilot: Annotated[
        tuple[str, ...],
        Meta(description="two runs to simulate from; the pair of median discordance unless said", examples=["RUN"]),
    ] = ()
    mix: Annotated[
        dict[str, float],
        Meta(description="share of a label in a test set to draw from candidates", examples=["ENTAILMENT=0.5"]),
    ] = {}
    rule: Annotated[
        Literal["majority", "unanimous", "unknown"],
        Meta(description="label of a candidate: by majority, only if unanimous, or UNKNOWN where judges disagree"),
    ] = "majority"
    units: Annotated[int | None, Meta(description="units to draw from candidates; as many as the mix allows")] = None
    replicates: Annotated[int, Meta(description="simulated test sets", ge=1)] = 2000
    seed: Annotated[int, Meta(description="seed of every random number")] = 0


@dataclass(frozen=True, eq=False)
class Pilot:
    """One way of scoring: how much pairs of runs disagree, and the two runs that are simulated from."""

    way: str | None
    scores: Scores
    places: tuple[int, int]
    discordance: Discordance
    joint: Floats | None
    """None where scores are graded."""
    confusion: Floats
    noise: float

    @property
    def observed(self) -> Floats:
        """The differences of the two runs, unit by unit."""
        one, other = self.places
        return self.scores.values[one] - self.scores.values[other]


@study("size", SizeParameters)
def size(*given: Any, ballots: Ballots | None = None, candidates: Ballots | None = None) -> Size:
    """Sizes and detectable differences from pilot runs (key, runs) or a score matrix.

    `ballots` on the key's pairs say how often one assessor differs from it; `candidates` are judged pairs to draw a
    test set from.
    """
    *subjects, asked = given
    if asked.mix and candidates is None:
        raise UsageError("--mix: give the judged candidates to draw from, --candidates FILE")
    if is_scores(subjects):
        if asked.noise or ballots is not None:
            raise UsageError("errors of the key need its labels: give the key and the runs, not scores")
        pilots, warnings = [_pilot(complete(subjects[0], "size"), asked, None)], ()
        if pilots[0].joint is None and not pilots[0].discordance.median > 0:
            raise UsageError(
                "half of the pairs of runs have the same difference on every unit, so nothing tells how many units a "
                "difference needs: give scores on more units"
            )
    else:
        key, runs = subjects
        must_be_mean(asked.measure, "size")
        pilots = [_labelled(key, runs, way, asked, ballots) for way in common_ways(runs, asked.way)]
        warnings = (*key.warnings, *runs.warnings)
    undefined: list[Undefined] = []
    sizes = [
        _needed(pilot, difference, asked, ("sizes", place * len(_differences(asked)) + number), undefined)
        for place, pilot in enumerate(pilots)
        for number, difference in enumerate(_differences(asked))
    ]
    found = [_detectable(pilot, asked, place, undefined) for place, pilot in enumerate(pilots)]
    if found[0].difference != found[0].difference:
        undefined.append(Undefined.at("detectable", reason=_why_not(pilots[0])))
    if candidates is None:
        undefined.append(Undefined.at("sample", reason="no candidates were given to draw from"))
    return Size(
        way=pilots[0].way,
        measures=[pilots[0].scores.measure],
        kind="graded" if pilots[0].joint is None else "right/wrong",
        runs=list(pilots[0].scores.runs),
        power=asked.power,
        level=asked.level,
        noise=pilots[0].noise,
        sizes=sizes,
        detectable=found[0].difference,
        detectables=found,
        curves=[
            curve for pilot in pilots for curve in _curves(pilot, [row for row in sizes if row.way == pilot.way], asked)
        ],
        sample=None if candidates is None else sample_of(candidates, asked.mix, asked.rule, asked.units, asked.seed),
        undefined=tuple(undefined),
        warnings=warnings,
    )


def _differences(asked: SizeParameters) -> tuple[float, ...]:
    return asked.difference or DIFFERENCES


def _labelled(key: Pairs, runs: Responses, way: Way, asked: SizeParameters, ballots: Ballots | None) -> Pilot:
    """A pilot that knows labels, and so what errors in the key do."""
    if asked.noise and ballots is not None:
        raise UsageError("--noise and --ballots both say how often the key is wrong: give one of them")
    codes, labels = runs.key_codes(way), len(way.labels)
    if asked.noise > 1 - 1 / labels:
        raise UsageError(f"--noise {asked.noise}: a {way.name}-way key with so many errors says less than nothing")
    confusion = symmetric(asked.noise, labels)
    if ballots is not None:
        assert key.way is not None
        if ballots.units != key.ids or ballots.scale.values != key.way.labels:
            raise UsageError(
                "the ballots are not on this key's pairs and labels; read them with it: read_ballots(F, key)"
            )
        counts = ballots.counts()
        if key.way is THREE:
            counts = np.stack(
                [counts[:, np.array(way.from_three) == code].sum(axis=1) for code in range(labels)], axis=1
            )
        confusion = confusion_of(codes, counts)
    shares = np.bincount(codes[codes >= 0], minlength=labels) / max(int((codes >= 0).sum()), 1)
    pilot = _pilot(complete(runs.right(way), "size"), asked, way)
    one, other = (fold(runs.codes[place], way) for place in pilot.places)
    joint = joint_of(codes, one, other, labels)
    noise = float(1 - shares @ np.diagonal(confusion))
    return Pilot(way.name, pilot.scores, pilot.places, pilot.discordance, joint, confusion, max(noise, 0.0))


def _pilot(scores: Scores, asked: SizeParameters, way: Way | None) -> Pilot:
    """The pair to simulate from, and how much all pairs disagree."""
    right = np.isin(scores.values, (0.0, 1.0)).all()
    moments = pair_moments(scores.values)
    spread = moments.variance if not right else _discordances(scores.values)
    different = np.flatnonzero(spread > 0)
    known = spread[different] if len(different) else np.zeros(1)
    low, median, high = (float(value) for value in np.quantile(known, [0.1, 0.5, 0.9]))
    one, other = np.triu_indices(len(scores.runs), 1)
    typical = different[np.argmin(np.abs(known - median))] if len(different) else 0
    places = int(one[typical]), int(other[typical])
    if asked.pilot:
        for name in asked.pilot:
            if name not in scores.runs:
                raise UsageError.unknown("run", name, scores.runs)
        if len(set(asked.pilot)) != 2:
            raise UsageError("--pilot: name two different runs")
        places = scores.runs.index(asked.pilot[0]), scores.runs.index(asked.pilot[1])
        pair = np.flatnonzero((one == min(places)) & (other == max(places)))[0]
        low = median = high = float(spread[pair])
    joint = None
    if right:
        wrong = (scores.values[list(places)] == 0).astype(np.int64)
        joint = joint_of(np.zeros(len(scores.units), dtype=np.int64), wrong[0], wrong[1], 2)
    return Pilot(
        None if way is None else way.name, scores, places, Discordance(low, median, high), joint, np.eye(2), 0.0
    )


def _discordances(right: Floats) -> Floats:
    """The share of units that one of two runs alone gets right, for all pairs."""
    both = right @ right.T
    hits = np.diagonal(both)
    one, other = np.triu_indices(len(right), 1)
    return (hits[one] + hits[other] - 2 * both[one, other]) / right.shape[1]


def _units(pilot: Pilot, discordance: float, difference: float, asked: SizeParameters) -> int | None:
    if pilot.joint is None:
        found = t_units(float(np.sqrt(discordance)), difference, asked.power, asked.level) if discordance > 0 else 2.0
    else:
        found = float(connor_units(discordance, difference, asked.power, asked.level))
    return int(found) if np.isfinite(found) else None


def _needed(
    pilot: Pilot, difference: float, asked: SizeParameters, at: tuple[str | int, ...], undefined: list[Undefined]
) -> Needed:
    """One line of the table: the formula's units, and the power that exact tests and simulated sets have then."""
    if pilot.joint is not None and difference > 1:
        raise UsageError(f"--difference {difference:g}: shares differ by 1 at most")
    psi = pilot.discordance
    units, low, high = (_units(pilot, one, difference, asked) for one in (psi.median, psi.low, psi.high))
    noise = _noise(pilot, psi.median, difference, asked) if pilot.noise else None
    if noise is None:
        undefined.append(Undefined.at(*at, "noise", reason="no errors of the key were asked for"))
    elif noise.units is None:
        undefined.append(Undefined.at(*at, "noise", "units", reason=HIDDEN))
    exact = mid = simulated = float("nan")
    drawn = units if noise is None else noise.units
    if pilot.joint is not None and units is not None:
        exact, mid = (mcnemar_power(units, psi.median, difference, asked.level, which) for which in (False, True))
    else:
        undefined += [Undefined.at(*at, part, reason=GRADED) for part in ("exact", "mid_p")]
    if drawn is not None:
        simulated = _simulated(pilot, difference, drawn, asked)
    else:
        undefined += [Undefined.at(*at, part, reason=HIDDEN) for part in ("simulated", "mc_error")]
    # One more hit and one more miss, so that a share of 0 or 1 is not taken for certain.
    share = (simulated * asked.replicates + 1) / (asked.replicates + 2)
    error = float(np.sqrt(share * (1 - share) / asked.replicates))
    return Needed(pilot.way, difference, asked.power, units, low, high, exact, mid, simulated, error, noise)


def _noise(pilot: Pilot, discordance: float, difference: float, asked: SizeParameters) -> Noise:
    """What the errors in the key make of a wanted difference, on the median pair's discordance."""
    assert pilot.joint is not None
    seen, left = with_noise(_wanted(pilot, discordance, difference), pilot.confusion)
    _, bias = with_noise(_wanted(pilot, discordance, 0.0), pilot.confusion)
    return Noise(seen, left, bias, _units(pilot, seen, left, asked) if left > 1e-12 else None)


def _wanted(pilot: Pilot, discordance: float, difference: float) -> Floats:
    """The pilot's joint with the median pair's discordance and the difference wanted."""
    assert pilot.joint is not None
    psi = max(discordance, difference)
    return tilted(pilot.joint, difference, psi)


def _simulated(pilot: Pilot, difference: float, units: int, asked: SizeParameters) -> float:
    """The share of simulated test sets in which the test finds the difference."""
    random = generator(asked.seed, "size", pilot.way or "scores", repr(difference))
    if pilot.joint is not None:
        joint = _wanted(pilot, pilot.discordance.median, difference)
        won, lost = simulated_wins(joint, pilot.confusion, units, asked.replicates, random)
        return float(np.mean(mcnemar(won, lost) <= asked.level))
    from scipy.special import stdtr

    means, variances = simulated_means(pilot.observed, difference, units, asked.replicates, random)
    with np.errstate(divide="ignore"):
        t = np.abs(means) / np.sqrt(variances / units)
    return float(np.mean(2 * stdtr(max(units - 1, 1), -t) <= asked.level))


def _detectable(pilot: Pilot, asked: SizeParameters, place: int, undefined: list[Undefined]) -> Detectable:
    """What the units at hand can show."""
    runs, units = pilot.scores.values.shape
    level = asked.level / (runs * (runs - 1) // 2)
    psi = pilot.discordance.median
    plain, corrected = (_smallest(pilot, psi, units, asked.power, one) for one in (asked.level, level))
    noisy = _noisy_detectable(pilot, psi, units, asked) if pilot.noise else float("nan")
    for part, value in (("difference", plain), ("corrected", corrected), ("noisy", noisy)):
        if value != value:
            reason = "no errors of the key were asked for" if part == "noisy" and not pilot.noise else _why_not(pilot)
            undefined.append(Undefined.at("detectables", place, part, reason=reason))
    one, other = (pilot.scores.runs[run] for run in pilot.places)
    return Detectable(
        pilot.way, units, plain, corrected, noisy, (one, other), float(pilot.observed.mean()), pilot.discordance
    )


def _smallest(pilot: Pilot, discordance: float, units: int, power: float, level: float) -> float:
    if pilot.joint is None:
        return t_detectable(float(np.sqrt(discordance)), units, power, level)
    return float(connor_detectable(discordance, units, power, level))


def _noisy_detectable(pilot: Pilot, discordance: float, units: int, asked: SizeParameters) -> float:
    """The smallest true difference that is found although the key has errors, by bisection."""
    low, high = 0.0, discordance

    def found(difference: float) -> bool:
        needed = _noise(pilot, discordance, difference, asked).units
        return needed is not None and needed <= units

    if not high > 0 or not found(high):
        return float("nan")
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if found(middle) else (middle, high)
    return high


def _why_not(pilot: Pilot) -> str:
    return OUT_OF_REACH if pilot.discordance.median > 0 else ALIKE


def _curves(pilot: Pilot, rows: list[Needed], asked: SizeParameters) -> list[PowerCurve]:
    """Power by units for every difference, with the key's errors where there are any.

    All on the same units, up to what the smallest difference but one needs: the smallest would press the others flat.
    """
    wanted = [row.units if row.noise is None else row.noise.units for row in rows]
    needed = sorted(one for one in wanted if one is not None) or [pilot.scores.values.shape[1]]
    units = np.unique(np.linspace(2, 1.2 * needed[-2:][0] + 2, POINTS).round())
    made = []
    for row in rows:
        psi, difference = pilot.discordance.median, row.difference
        if row.noise is not None:
            psi, difference = row.noise.discordance, row.noise.difference
        if pilot.joint is None:
            power = t_power(units, max(float(np.sqrt(psi)), 1e-12), difference, asked.level)
        else:
            power = connor_power(units, psi, max(difference, 0.0), asked.level)
        points = [PowerPoint(int(n), float(p)) for n, p in zip(units, power, strict=True)]
        made.append(PowerCurve(pilot.way, row.difference, points))
    return made
