"""What `size` returns, and how it shows itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from karat.data.result import Field, Sheet
from karat.data.undefined import Steps, Why
from karat.studies.base import StudyResult
from karat.studies.wording import counted, counted_units

LINES = 4
"""So many differences are drawn."""
SCORES = "scores have no labels"
GRADED = "McNemar's test is for right/wrong scores"
HIDDEN = "the errors in the key leave nothing of the difference"
TURNED = (
    "the errors in the key favour {favours} by more than is left of the difference, so {better} is not found better"
)
EVEN = "the errors in the key favour neither run"
NO_NOISE = "no errors of the key were asked for"
PSI = "the share of units that one of two runs alone gets right (discordance)"
VARIANCE = "that of the difference of two runs' scores over units"
ENDLESS = "no number of units is enough"


@dataclass(frozen=True)
class Discordance:
    """Over pairs of runs: the share of units that one alone gets right; if graded, the variance of differences."""

    low: float
    median: float
    high: float


@dataclass(frozen=True)
class Noise:
    """What errors in the key make of a wanted difference.

    Errors that are not symmetric favour one of two runs: between two that do not differ they show a difference, the
    `bias`. So a difference looks smaller where the other run is the better one. `units` suffice whichever is;
    `discordance` and `difference` are what is seen in the worse case, that `better` is the better run.
    """

    discordance: float
    difference: float
    favoured: float
    """What is seen of the difference in the other case."""
    bias: float
    favours: str | None
    better: str
    units: int | None

    @property
    def seen(self) -> tuple[float, float]:
        """Discordance and difference."""
        return self.discordance, self.difference


@dataclass(frozen=True)
class Needed:
    """The units for one difference, and the powers of several tests with that number.

    `low` and `high` are for pairs of runs that disagree little and much (10th and 90th percentile of discordance); a
    discordance below the difference is taken as the difference, since runs that differ by d disagree on d of the units.
    `exact`, `mid_p` and `simulated` are powers with `units`; where the key has errors, with `noise.units` and such a
    key.
    """

    way: str | None
    difference: float
    power: float
    units: int | None
    low: int | None
    high: int | None
    exact: float
    mid_p: float
    simulated: float
    mc_error: float
    """The Monte-Carlo error of `simulated`."""
    noise: Noise | None


@dataclass(frozen=True)
class Detectable:
    """What the test set at hand can show, with its own number of units."""

    way: str | None
    units: int
    difference: float
    corrected: float
    """With Bonferroni's correction over all pairs of runs."""
    noisy: float
    pilot: tuple[str, str]
    observed: float
    discordance: Discordance

    @property
    def simulated_from(self) -> str:
        """The pilot in one cell."""
        return " ~ ".join(self.pilot)


@dataclass(frozen=True)
class PowerPoint:
    """The power at one number of units."""

    units: int
    power: float
    without_errors: float
    """The same, were the key without errors."""


@dataclass(frozen=True)
class PowerCurve:
    """Power by units, for one difference."""

    way: str | None
    difference: float
    points: list[PowerPoint]


@dataclass(frozen=True)
class RuleCost:
    """What a rule for disagreements leaves of the candidates, by label.

    Lost are those of a label that one assessor at random would have found, on average, and the rule does not.
    """

    rule: str
    labels: dict[str, int]
    lost: dict[str, float]
    largest: int


@dataclass(frozen=True)
class Sample:
    """A test set drawn from judged candidates."""

    candidates: int
    units: int
    labels: dict[str, int]
    ids: list[str]
    rules: list[RuleCost]


def _not_found(result: Size, steps: Steps) -> str:
    place = int(steps[1]) if len(steps) > 1 else 0
    if result.detectables[place].discordance.median > 0:
        return "no difference that these runs' disagreement allows is found with so few units"
    return "the runs do not differ on any unit"


def _hidden(result: Size, steps: Steps) -> str:
    """Why no number of units is enough."""
    noise = result.sizes[int(steps[1])].noise
    if noise is None:
        return ENDLESS
    return HIDDEN if noise.favours is None else TURNED.format(favours=noise.favours, better=noise.better)


def _no_power(result: Size, steps: Steps) -> str:
    return GRADED if result.kind == "graded" else _hidden(result, steps)


def _not_found_noisy(result: Size, steps: Steps) -> str:
    way = result.detectables[int(steps[1])].way
    return _not_found(result, steps) if any(row.noise for row in result.sizes if row.way == way) else NO_NOISE


@dataclass(frozen=True, kw_only=True)
class Size(StudyResult):
    """What `size` returns."""

    way: str | None
    measures: list[str]
    kind: str
    runs: list[str]
    unit: str
    """What the units are: units, or clusters of them."""
    members: int | None
    """Where they are clusters: how many units those at hand hold."""
    power: float
    level: float
    noise: float
    """The share of the key's labels that are wrong, as asked for or as ballots have it."""
    sizes: list[Needed]
    detectable: float
    detectables: list[Detectable]
    curves: list[PowerCurve]
    sample: Sample | None

    METHOD: ClassVar[str] = (
        "How often two runs disagree on a unit is taken from the runs at hand. From that follow the fewest units with "
        "which the test finds a difference with the wanted power: McNemar's exact test for right and wrong, the paired "
        "t test for graded scores. Test sets simulated from two of the runs check it."
    )
    SOURCES: ClassVar[tuple[str, ...]] = ("Connor 1987", "McNemar")
    WHY: ClassVar[Why] = {
        "way": SCORES,
        "members": "every unit stands alone",
        "*/*/way": SCORES,
        "sizes/*/exact": _no_power,
        "sizes/*/mid_p": _no_power,
        "sizes/*/noise": NO_NOISE,
        "sizes/*/noise/favours": EVEN,
        "sizes/*/noise/units": _hidden,
        "sizes/*/simulated": _hidden,
        "sizes/*/mc_error": _hidden,
        "sizes/*/*": ENDLESS,
        "detectable": _not_found,
        "detectables/*/noisy": _not_found_noisy,
        "detectables/*/*": _not_found,
        "sample": "no candidates were given to draw from",
    }

    @property
    def per_cluster(self) -> float:
        """Units in a cluster, on average; 1 where units stand alone."""
        return 1.0 if self.members is None else self.members / self.detectables[0].units

    def in_units(self, number: int) -> str:
        """So many clusters, and about how many units those are; so many units where units stand alone."""
        told = counted(number, self.unit)
        return told if self.members is None else f"{told}, about {counted(round(number * self.per_cluster), 'unit')}"

    def make_sheets(self) -> list[Sheet]:
        """What the set at hand shows, the units for each difference, and the sample."""
        return [self._at_hand(), self._needed(), *([self._sampled(self.sample)] if self.sample else [])]

    def _sampled(self, sample: Sample) -> Sheet:
        labels = list(sample.labels)
        drawn = ", ".join(f"{count} {label}" for label, count in sample.labels.items())
        return Sheet.of(
            f"{sample.units} drawn from {sample.candidates} candidates: {drawn}",
            sample.rules,
            Field("labelled by", "rule"),
            *(Field(label, ("labels", label)) for label in labels),
            *(Field(f"lost {label}", ("lost", label), 1) for label in labels),
            Field("largest set", "largest"),
            notes=["Lost: those that one assessor at random would find, and the rule does not."],
        )

    def _at_hand(self) -> Sheet:
        noisy = Field("with the noisy key", "noisy", 4, "true difference that is still found")
        pairs = len(self.runs) * (len(self.runs) - 1) // 2
        spread, meaning = ("variance", VARIANCE) if self.kind == "graded" else ("ψ", PSI)
        return Sheet.of(
            f"What the {counted_units(self.detectables[0].units, self.unit, self.members)} at hand can show",
            self.detectables,
            *self._way(),
            Field(f"{self.unit}s", "units"),
            Field("detectable difference", "difference", 4, f"found with power {self.power:g}, between two runs"),
            Field(f"among all {pairs} pairs", "corrected", 4, "the same with Bonferroni's correction"),
            *([noisy] if self.noise else []),
            Field(f"{spread}, median pair", "discordance.median", 4, meaning),
            Field(f"{spread}, 10th percentile", "discordance.low", 4, meaning),
            Field(f"{spread}, 90th percentile", "discordance.high", 4, meaning),
            Field("simulated from", "simulated_from"),
            at="detectables",
            notes=[
                f"{spread}: {meaning}; percentiles are over the pairs of runs that disagree at all",
                f"simulated from: the joint answers of these two runs, whose {spread} is nearest to the median"
                if not self.signature.parameters.get("pilot")
                else "simulated from: the joint answers of these two runs, as asked",
            ],
        )

    def _needed(self) -> Sheet:
        fields = [
            *self._way(),
            Field("difference", digits=3),
            Field(f"{self.unit}s", "units", digits=0, note="for the median pair of runs"),
        ]
        if self.noise:
            fields.append(
                Field(f"{self.unit}s, noisy key", "noise.units", 0, "for the median pair, whichever run is better")
            )
            fields.append(Field("looks like", "noise.difference", 4, "with the noisy key, at worst"))
            if any(row.noise and row.noise.favours for row in self.sizes):
                fields.append(Field("at best", "noise.favoured", 4, "what it looks like if the run favoured is better"))
        fields.append(Field(f"{self.unit}s, alike", "low", 0, "for pairs of runs that disagree little"))
        fields.append(Field(f"{self.unit}s, unlike", "high", 0, "for pairs of runs that disagree much"))
        if self.kind == "right/wrong":
            fields.append(Field("power, exact test", "exact", 3, "of McNemar's exact test"))
            fields.append(Field("power, mid-p", "mid_p", 3, "of McNemar's test with mid-p"))
        fields.append(Field("power, simulated", "simulated", 3, "share of simulated sets that show it"))
        fields.append(Field("± simulation", "mc_error", 3, "Monte-Carlo standard error"))
        title = f"{self.unit.capitalize()}s needed for power {self.power:g} at level {self.level:g}"
        return Sheet.of(title, self.sizes, *fields, at="sizes", notes=notes_on(self))

    def _way(self) -> list[Field]:
        """Scores have no way."""
        return [Field("way")] if self.way else []

    def records(self) -> Sheet:
        """The sizes, one a row."""
        names = ("way", "difference", "power", "units", "low", "high", "exact", "mid_p", "simulated", "mc_error")
        noisy = [Field(f"noisy_{name}", f"noise.{name}") for name in ("difference", "favoured", "bias", "units")]
        return Sheet.of("sizes", self.sizes, *map(Field, names), *noisy)


def notes_on(result: Size) -> list[str]:
    """What the headings of the sizes mean."""
    spread, test = ("variance", "the paired t test") if result.kind == "graded" else ("ψ", "McNemar's exact test")
    notes = [
        f"{result.unit}s: the fewest with which {test} has this power, for two runs with the median pair's {spread}; "
        f"alike and unlike: with the 10th and the 90th percentile of {spread}",
        *_raised(result),
        *([] if result.members is None else [f"a cluster is taken to hold {result.per_cluster:.3g} units, as here"]),
    ]
    if result.noise:
        notes.append(
            "noisy key: units that suffice whichever run is better; looks like: what the key's errors leave of the "
            "difference, at worst where the run that they do not favour is the better one"
        )
    of_what = "the units for the noisy key, and such a key" if result.noise else f"so many {result.unit}s"
    powers = (
        f"power: with {of_what}; simulated: the share of simulated sets in which {test} finds the better run better"
    )
    return [*notes, powers]


def _raised(result: Size) -> list[str]:
    """Which sizes are not for the discordance they stand under, since no two runs that far apart agree so much."""
    if result.kind == "graded":
        return []
    made = []
    for at_hand in result.detectables:
        psi = at_hand.discordance
        parts = {"units, alike": psi.low, "units": psi.median, "units, unlike": psi.high}
        mine = [row.difference for row in result.sizes if row.way == at_hand.way]
        for name, value in parts.items():
            if short := sorted({difference for difference in mine if value < difference}):
                way = f"{at_hand.way}-way, " if at_hand.way else ""
                several = ", ".join(f"{difference:g}" for difference in short)
                made.append(
                    f"{name}: {way}for {several} ψ is taken as the difference, not as {value:.4f}: runs that differ by "
                    "so much disagree on so many units at least"
                )
    return made
