"""The result of `size` and its tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from karat.data.fields import Shown, Why
from karat.data.records import Records, RowsAt
from karat.data.result import Field, Sheet
from karat.labels import IN_WORDS
from karat.studies.base import LeftOut, StudyResult
from karat.studies.wording import counted, counted_units, in_points, listed, per_cent

HIDDEN = "the errors in the key leave nothing of the difference"
TURNED = (
    "the errors in the key favour {it.favours} by more than is left of the difference, so {it.better} is not found "
    "better"
)
NO_NOISE = "errors in the key were not asked for (--noise, --ballots)"
ENDLESS = "no number of units is enough"
NO_RUNS = "no runs were given: sizes are for the assumed discordance"


def why_lost(noise: Noise) -> str:
    """Why no number of units suffices with a noisy key."""
    return HIDDEN if noise.favours is None else TURNED.format(it=noise)


def _way(name: str | None) -> str | None:
    return name and IN_WORDS[name]


def _no_units(result: Any) -> str:
    return ENDLESS if result.runs else NO_RUNS


def _no_labels(result: Any) -> str:
    return "scores have no labels" if result.runs else NO_RUNS


Way = Annotated[str | None, Shown(form=_way), Why(_no_labels)]
Units = Annotated[int | None, Why(_no_units)]
Spread = Annotated[float, Shown(note="{it.spread_meaning}", unit="{it.spread_unit}")]


@dataclass(frozen=True)
class Discordance:
    """Percentiles over pairs of runs: share of units that only one gets right, or if graded variance of differences."""

    low: Annotated[Spread, Shown("{it.spread}, 10th percentile")]
    median: Annotated[Spread, Shown("{it.spread}, median pair")]
    high: Annotated[Spread, Shown("{it.spread}, 90th percentile")]


@dataclass(frozen=True)
class Noise:
    """The effect of errors in the key on a given difference.

    Asymmetric errors favour one of two runs: two equally good runs seem to differ by the `bias`. So a difference looks
    smaller if the other run is the better one. `units` suffice whichever run is better; `discordance` and `difference`
    are the observed values in the worse case, in which `better` is the better run.
    """

    discordance: float
    difference: Annotated[
        float,
        Shown(
            "looks like", note="the observed difference with the noisy key, in the worse case", unit="{it.in_points}"
        ),
    ]
    favoured: Annotated[
        float, Shown("at best", note="what it looks like if the run favoured is better", unit="{it.in_points}")
    ]
    """The observed difference in the other case."""
    bias: float
    favours: Annotated[str | None, Why("the errors in the key favour neither run")]
    better: str
    units: Annotated[
        int | None,
        Shown("{it.unit}s, noisy key", note="for the median pair, whichever run is better"),
        Why(why_lost),
    ]

    @property
    def seen(self) -> tuple[float, float]:
        """Discordance and difference."""
        return self.discordance, self.difference


@dataclass(frozen=True)
class Needed:
    """The number of units for one difference, and the power of several tests with that number.

    `low` and `high` are for pairs of runs that disagree little and much (10th and 90th percentile of discordance); a
    discordance below the difference is raised to the difference, since runs that differ by d disagree on at least d of
    the units. `exact`, `mid_p` and `simulated` are the power with `units`, or with `noise.units` if the key has errors.
    """

    way: Way
    difference: Annotated[float, Shown(unit="{it.in_points}")]
    discordance: Annotated[Spread, Shown("{it.spread}")]
    """What `units` are for: the median pair's, or without runs what is assumed."""
    power: float
    units: Annotated[Units, Shown("{it.unit}s", note="{it.for_whom}")]
    low: Annotated[Units, Shown("{it.unit}s, similar runs", note="for pairs of runs that disagree little")]
    high: Annotated[Units, Shown("{it.unit}s, different runs", note="for pairs of runs that disagree much")]
    exact: Annotated[float, Shown("power, exact test", 1, "of McNemar's exact test", unit="%")]
    mid_p: Annotated[float, Shown("power, mid-p", 1, "of McNemar's test with mid-p", unit="%")]
    simulated: Annotated[
        float, Shown("power, simulated", 1, "share of simulated test sets in which it is found", unit="%")
    ]
    mc_error: Annotated[float, Shown("± simulation", 1, "Monte Carlo standard error", unit="points")]
    """The Monte Carlo standard error of `simulated`."""
    noise: Annotated[Noise | None, Why(NO_NOISE)]

    @property
    def named_way(self) -> str | None:
        """The way as tables show it."""
        return _way(self.way)


@dataclass(frozen=True)
class Detectable:
    """The differences that the present test set detects, with its number of units."""

    way: Way
    units: Annotated[int, Shown("{it.unit}s")]
    difference: Annotated[
        float,
        Shown("detectable difference", note="found with {it.power:.0%} power, between two runs", unit="{it.in_points}"),
    ]
    corrected: Annotated[
        float, Shown("among all {it.pairs:,} pairs", note="the same with Bonferroni correction", unit="{it.in_points}")
    ]
    """The detectable difference with Bonferroni's correction for all pairs of runs."""
    noisy: Annotated[
        float,
        Shown("with the noisy key", note="the smallest true difference that is still found", unit="{it.in_points}"),
    ]
    lead: float
    """The difference of the best run and the second."""
    pilot: tuple[str, str]
    observed: float
    discordance: Discordance

    @property
    def simulated_from(self) -> str:
        """The two pilot runs in one cell."""
        return " ~ ".join(self.pilot)


@dataclass(frozen=True)
class PlanningPoint:
    """The units that one difference needs."""

    difference: float
    units: Units
    corrected: Units
    """The same with Bonferroni's correction for all pairs of runs."""
    noisy: Annotated[int | None, Why("the key has no errors, or they leave nothing of the difference")]
    """The same for two runs alone, with errors in the key."""


@dataclass(frozen=True)
class PlanningCurve:
    """The units needed by difference, the largest difference first; empty if no two runs disagree."""

    way: Way
    discordance: float
    points: list[PlanningPoint]


@dataclass(frozen=True)
class RuleCost:
    """The candidates that remain under a rule for disagreements, by label.

    `lost` is the expected number of candidates to which a random assessor would give the label, but the rule does not.
    """

    rule: Annotated[str, Shown("labelled by")]
    labels: dict[str, int]
    lost: dict[str, float]
    largest: Annotated[int, Shown("largest set")]


@dataclass(frozen=True)
class Sample:
    """A test set drawn from judged candidates."""

    candidates: int
    units: int
    labels: dict[str, int]
    ids: list[str]
    rules: list[RuleCost]


@dataclass(frozen=True, kw_only=True, repr=False)
class Size(StudyResult):
    """The result of `size`."""

    way: Way
    measures: list[str]
    kind: str
    runs: list[str]
    unit: str
    """What is counted: units, or clusters of them."""
    members: Annotated[int | None, Why("units are not clustered")]
    """The number of units in the present clusters."""
    power: float
    level: float
    noise: float
    """The proportion of wrong labels in the key, as asked for or as estimated from ballots."""
    sizes: list[Needed]
    detectable: float
    detectables: list[Detectable]
    curves: list[PlanningCurve]
    left_out: list[LeftOut]
    """The runs that are not counted when pairs are compared by how much they disagree, and why."""
    sample: Annotated[Sample | None, Why("no candidates were given to draw from")]

    RECORDS: ClassVar[Records] = Records(
        "way=named_way, difference, discordance, power, units, low, high, exact, mid_p, simulated, mc_error, "
        "noisy_difference=noise.difference, noisy_favoured=noise.favoured, noisy_bias=noise.bias, "
        "noisy_units=noise.units",
        RowsAt("sizes.*"),
    )
    METHOD: ClassVar[str] = (
        "How often two runs disagree on a unit is estimated from the runs at hand, or assumed. This gives the "
        "smallest number of units with which the test finds a difference with the desired power: McNemar's exact test "
        "for right and wrong answers, the paired t test for graded scores. Test sets simulated from two "
        "of the runs check the result."
    )
    SOURCES: ClassVar[tuple[str, ...]] = ("Connor 1987", "McNemar")

    @property
    def pairs(self) -> int:
        """The number of pairs of runs; without runs, the one that is planned."""
        return len(self.runs) * (len(self.runs) - 1) // 2 if self.runs else 1

    @property
    def for_whom(self) -> str:
        """Whom the numbers of units are for."""
        return "for the median pair of runs" if self.runs else "for two runs with this discordance"

    @property
    def right_or_wrong(self) -> bool:
        """Also of scores that are."""
        return super().right_or_wrong or self.kind != "graded"

    @property
    def spread(self) -> str:
        """The name of the measure of disagreement between two runs."""
        return "variance" if self.kind == "graded" else "ψ"

    @property
    def spread_unit(self) -> str:
        """A share is given in per cent."""
        return "" if self.kind == "graded" else "%"

    @property
    def spread_meaning(self) -> str:
        """Its definition."""
        if self.kind == "graded":
            return "the variance over units of the difference between two runs' scores"
        return "the share of units that only one of two runs gets right (discordance)"

    @property
    def per_cluster(self) -> float:
        """The mean number of units per cluster; 1 without clusters."""
        return 1.0 if self.members is None else self.members / self.detectables[0].units

    def in_units(self, number: int) -> str:
        """A number of units, or of clusters with the approximate number of units in them."""
        text = counted(number, self.unit)
        return text if self.members is None else f"{text}, about {counted(round(number * self.per_cluster), 'unit')}"

    def make_sheets(self) -> list[Sheet]:
        """What the present test set detects, the units needed for each difference, and the sample."""
        at_hand = [self._at_hand()] if self.runs else []
        return [*at_hand, self._needed(), *([self._sampled(self.sample)] if self.sample else [])]

    def _sampled(self, sample: Sample) -> Sheet:
        labels = list(sample.labels)
        drawn = ", ".join(f"{count:,} {label}" for label, count in sample.labels.items())
        return self.sheet(
            f"{sample.units:,} drawn from {sample.candidates:,} candidates: {drawn}",
            sample.rules,
            "rule",
            *(Field(label, ("labels", label)) for label in labels),
            *(Field(f"lost {label}", ("lost", label), 1) for label in labels),
            "largest",
            notes=["Lost: candidates that one random assessor would give this label, and the rule does not."],
        )

    def _at_hand(self) -> Sheet:
        nearest = f"whose {self.spread} is nearest to the median"
        return self.sheet(
            f"Smallest differences found with {counted_units(self.detectables[0].units, self.unit, self.members)}",
            self.detectables,
            "way" * bool(self.way),
            "units difference",
            "corrected" * (self.pairs > 1),
            "noisy" * bool(self.noise),
            "discordance.median discordance.low discordance.high simulated_from",
            notes=[
                f"{self.spread}: {self.spread_meaning}; percentiles are over the pairs of runs that disagree at all",
                "simulated from: these two runs, "
                + ("as requested" if self.signature.parameters.get("pilot") else nearest),
            ],
        )

    def _needed(self) -> Sheet:
        return self.sheet(
            f"{self.unit.capitalize()}s needed for {100 * self.power:.4g}% power at level {self.level:g}",
            self.sizes,
            "way" * bool(self.way),
            "difference",
            "discordance" * (not self.runs),
            "units",
            "noise.units noise.difference" * bool(self.noise),
            "noise.favoured" * any(row.noise and row.noise.favours for row in self.sizes),
            "low high" * bool(self.runs),
            "exact mid_p" * (self.kind == "right/wrong"),
            "simulated mc_error",
            notes=self._notes(),
        )

    def _notes(self) -> list[str]:
        if not self.runs:
            return [
                f"{self.spread}: {self.spread_meaning}, which is assumed here: the runs of two systems on some "
                "units would show it",
                f"{self.unit}s: the smallest number with which McNemar's exact test has this power, in one planned "
                f"comparison of two runs (for several, divide --level by their number); power: with as many "
                f"{self.unit}s",
            ]
        test = "the paired t test" if self.kind == "graded" else "McNemar's exact test"
        notes = [
            f"{self.unit}s: the smallest number with which {test} has this power, for two runs with the median pair's "
            f"{self.spread}; similar and different runs: with the 10th and the 90th percentile of {self.spread}",
            *self._raised(),
        ]
        if self.members is not None:
            notes.append(f"clusters are assumed to have {self.per_cluster:.3g} units on average, as here")
        if self.noise:
            notes.append(
                "noisy key: units that are enough whichever run is better; looks like: the difference that is "
                "observed with errors in the key, if the better run is the one that they do not favour"
            )
        of_what = "as many units as the noisy key needs, and such a key" if self.noise else f"as many {self.unit}s"
        found = f"the share of simulated test sets in which {test} finds the better run significantly better"
        return [*notes, f"power: with {of_what}; simulated: {found}"]

    def _raised(self) -> list[str]:
        """Notes on discordances raised to the difference, since runs that differ by d disagree on at least d units."""
        made = []
        for at_hand in self.detectables if self.kind == "right/wrong" else ():
            psi = at_hand.discordance
            parts = {"units, similar runs": psi.low, "units": psi.median, "units, different runs": psi.high}
            mine = [row.difference for row in self.sizes if row.way == at_hand.way]
            alike: dict[tuple[float, ...], list[str]] = {}
            for name, value in parts.items():
                if short := tuple(sorted({one for one in mine if value < one})):
                    alike.setdefault(short, []).append(name)
            for short, names in alike.items():
                way = f"{IN_WORDS[at_hand.way]}, " if at_hand.way else ""
                several = listed([in_points(self.measures[0], difference) for difference in short])
                shares = " or ".join(dict.fromkeys(per_cent(parts[name]) for name in names))
                made.append(
                    f"{'; '.join(names)}: {way}for {several}, ψ is set to the difference instead of {shares}, since "
                    "runs that differ by this much disagree on at least this share of the units"
                )
        return made
