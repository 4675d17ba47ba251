"""The result of `justify` and its tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, ClassVar

import numpy as np

from karat.data.criteria import Criterion
from karat.data.fields import Why
from karat.data.records import Records, RowsAt
from karat.data.result import Cell, Field, Sheet
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.kernels.counting import divide
from karat.studies.base import StudyResult
from karat.studies.justify.parts import (
    CriteriaCorrelation,
    CriterionAgreement,
    GroupComparison,
    RatedRun,
    RatingJudge,
    RawRating,
    RunDifference,
)

ORDINAL = (
    "A mean treats the steps of a scale as equal, which judges were not asked to do: see medians and distributions."
)


@dataclass(frozen=True, kw_only=True, repr=False)
class Justified(StudyResult):
    """The result of `justify`."""

    criteria: list[str]
    """As declared."""
    not_asked: dict[str, str]
    """How a conditional criterion counts if it was not asked: `zero` or `missing`."""
    pairs: list[str]
    exchangeable: bool
    runs: list[RatedRun]
    judges: list[RatingJudge]
    agreement: list[CriterionAgreement]
    correlation: list[CriteriaCorrelation]
    differences: list[RunDifference]
    tau: Annotated[
        float,
        Why("there are fewer than two runs or criteria, or a run has no mean, or all runs tie on a criterion"),
    ]
    """Kendall's tau between the rankings by the first two criteria."""
    groups: Annotated[GroupComparison | None, Why("no attribute of judges was given (--group)")]
    ratings: list[RawRating]
    """The ratings of the run named by `of`."""

    RECORDS: ClassVar[Records] = Records(
        "run, criterion, judge, pair, mean=.",
        RowsAt("runs.*.criteria.*criterion", RowsAt("mean.value"), RowsAt("by_judge.*judge"), RowsAt("by_pair.*pair")),
    )
    METHOD: ClassVar[str] = (
        "Means of people's ratings, with criteria that were not asked treated as stated below the tables; agreement "
        "between judges by ordinal alpha, weighted kappa and Kendall's W; runs are compared by the difference of "
        "their means over pairs, with a randomisation test that flips signs."
    )
    SOURCES: ClassVar[tuple[str, ...]] = (
        "Voorhees 2008",
        "Cohen 1968",
        "Krippendorff 2004",
        "coefficient of concordance",
        "Holm 1979",
        "Westfall and Young 1993",
    )

    @property
    def missing(self) -> str:
        """How missing ratings are treated, for the signature."""
        treated = {"zero": "0", "missing": "left out"}
        not_asked = (f"not asked {name} {treated[policy]}" for name, policy in self.not_asked.items())
        return ", ".join(["skipped pairs left out", *not_asked])

    def has_zero(self, scale: Criterion) -> bool:
        """Whether the value 0 stands for ratings that were not asked for."""
        return scale.zero is not None and any(run.criteria[scale.name].not_asked for run in self.runs)

    def numbers_of(self, criterion: str) -> list[str]:
        """The values of a scale, as text."""
        return list(self.runs[0].criteria[criterion].distribution)

    def ranked(self, criterion: str) -> list[RatedRun]:
        """The runs by their mean on a criterion, best first; those without one last."""

        def order(run: RatedRun) -> tuple[bool, float]:
            mean = run.criteria[criterion].mean.value
            return mean != mean, -mean

        return sorted(self.runs, key=order)

    def scores(self, weights: Mapping[str, float] | None = None) -> Scores:
        """One score per run and pair from all criteria: the matrix that compare, swap and size take.

        A criterion counts as its mean over judges, from 0 at the lowest value of its scale to 1 at the highest, and
        all count alike unless `weights` say otherwise. A conditional criterion that nobody was asked leaves its weight
        to the others; without a rating on one of these, there is no score.
        """
        scales = [Criterion.parse(one) for one in self.criteria]
        named = {scale.name: 1.0 for scale in scales} if weights is None else dict(weights)
        for name, weight in named.items():
            if name not in self.runs[0].criteria:
                raise UsageError.unknown("criterion", name, list(self.runs[0].criteria))
            if not 0 <= weight < np.inf:
                raise UsageError(f"--weight {name}={weight:g}: expected a finite number that is not negative")
        if not sum(named.values()) > 0:
            raise UsageError("--weight: at least one criterion needs a weight above 0")
        total, used = np.zeros((2, len(self.runs), len(self.pairs)))
        for scale in scales:
            weight = named.get(scale.name, 0.0)
            low = 0 if self.not_asked.get(scale.name) == "zero" else scale.low
            means = np.array([[run.criteria[scale.name].by_pair[pair] for pair in self.pairs] for run in self.runs])
            unasked = np.isnan(means) & (scale.asked_if is not None)
            total += np.where(unasked, 0.0, weight * (means - low) / (scale.high - low)) if weight else 0.0
            used += np.where(unasked, 0.0, weight)
        return Scores(
            runs=tuple(run.run for run in self.runs),
            units=tuple(self.pairs),
            values=divide(total, used),
            measure="rubric",
        )

    def make_sheets(self) -> list[Sheet]:
        """Runs, distributions of ratings, judges, agreement, differences, groups, raw ratings."""
        return [*self._runs(), *self._judges(), *self._agreement(), *self._differences(), *self._groups(), *self._raw()]

    def _runs(self) -> Iterator[Sheet]:
        """One table of runs per criterion, best first; right decisions with poor reasons; distributions."""
        scales = [Criterion.parse(one) for one in self.criteria]
        for place, name in enumerate(self.runs[0].criteria):
            rows = [(run, run.criteria[name]) for run in self.ranked(name)]
            yield self.sheet(
                f"Runs: {name}",
                rows,
                "0.run 1.mean 1.mean.interval 1.median",
                "1.mean_rank" * (not self.exchangeable),
                "1.rated 1.not_asked",
                "1.not_applicable" * any(row.not_applicable for _, row in rows),
                "0.skipped",
                notes=[] if place else [ORDINAL, *self._counting(scales)],
                sorted_by="mean",
            )
        if any(run.wrong_reason for run in self.runs):
            names = "run wrong_reason.count wrong_reason.of wrong_reason.share wrong_reason.share.interval"
            yield self.sheet("Right for the wrong reason", self.ranked(scales[0].name), names)
        for scale in scales:
            fields = [Field(one, ("criteria", scale.name, "distribution", one)) for one in self.numbers_of(scale.name)]
            notes = ["0: not asked."] * self.has_zero(scale)
            yield self.sheet(f"Ratings given: {scale.name}", self.ranked(scale.name), "run", *fields, notes=notes)

    def _columns(self, name: str, known: Collection[str]) -> list[str]:
        """The runs that have a column, best first."""
        return [run.run for run in self.ranked(name) if run.run in known]

    def _counting(self, scales: list[Criterion]) -> Iterator[str]:
        """How ratings that were not asked for, and skipped pairs, count."""
        for scale in scales:
            if scale.name in self.not_asked:
                counts = "it counts as 0" if self.not_asked[scale.name] == "zero" else "it is left out"
                why = "" if scale.zero is not None else f", since the scale from {scale.low} to {scale.high} includes 0"
                yield f"If {scale.name} was not asked, {counts}{why}."
        yield "Skipped pairs are left out."

    def _judges(self) -> Iterator[Sheet]:
        """One table of mean ranks by judge per criterion; attributes and closing remarks of the judges."""
        for name in self.judges[0].criteria if self.judges else ():
            rows = [(judge, judge.criteria[name]) for judge in self.judges]
            yield self.sheet(
                f"Mean ranks by judge: {name}",
                rows,
                "0.judge 1.mean 1.median",
                *(Field(run, ("1", "mean_ranks", run), 2) for run in self._columns(name, rows[0][1].mean_ranks)),
                "1.ranking" * any(row.ranking for _, row in rows),
                notes=["Rank 1 is best."],
            )
        said = [judge for judge in self.judges if judge.summary or judge.attributes]
        if said:
            attributes = dict.fromkeys(name for judge in said for name in judge.attributes)
            closing = " summary" * any(judge.summary for judge in said)
            fields = (Field(name, ("attributes", name)) for name in attributes)
            yield self.sheet("Judges", said, "judge", *fields, f"rated skipped{closing}")

    def _agreement(self) -> Iterator[Sheet]:
        """Agreement by criterion, kappas of every two judges, and correlations of every two criteria."""
        agreement = self.agreement
        alphas = []
        for name in dict.fromkeys(name for one in agreement for name in one.alpha):
            alphas += [
                Field(f"alpha, {name}", ("alpha", name, "value"), note=f"Krippendorff's, ordinal; not asked: {name}"),
                Field(f"{name}, {self.percent} CI", ("alpha", name, "interval"), note="over pairs"),
            ]
        names, notes = "", []
        if any(one.concordance for one in agreement):
            names = "concordance.w concordance.p concordance.p_error concordance.w_pairs"
            policies = {name: "0" if policy == "zero" else "missing" for name, policy in self.not_asked.items()}
            notes = [f"For W, {name} that was not asked counts as {one}." for name, one in policies.items()]
        yield self.sheet("Agreement between judges", agreement, "criterion", names, *alphas, notes=notes)
        if kappas := [(on, one) for on in agreement for one in on.kappas]:
            title = "Kappa of each pair of judges, unweighted and weighted"
            names = "0.criterion 1.a 1.b 1.rated 1.kappa 1.kappa_linear 1.kappa_quadratic"
            yield self.sheet(title, kappas, names)
        if self.correlation:
            zero = any(one.not_asked == "zero" for one in self.correlation)
            note = (
                "A criterion that counts as 0 if not asked is correlated with the one that decides whether it is asked."
            )
            title, names = "Do the criteria differ?", "a b not_asked rated pearson tau_b"
            yield self.sheet(title, self.correlation, names, notes=[note] * zero)

    def _differences(self) -> Iterator[Sheet]:
        """One row per pair of runs and criterion."""
        if self.differences:
            error = "p_error" * any(one.p_error > 0 for one in self.differences)
            names = f"criterion a b rated pairs difference interval {error} p p_corrected p_judges"
            yield self.sheet("Which runs differ?", self.differences, names)

    def _groups(self) -> Iterator[Sheet]:
        """The means of each group of judges, and its difference from the other judges."""
        if self.groups is None:
            return
        groups, attribute = self.groups.groups, self.groups.attribute
        for name in groups[0].means:
            yield self.sheet(
                f"Mean {name} by {attribute}",
                groups,
                Field(attribute, "value"),
                Field("judges", lambda group: len(group.judges)),
                *(Field(run, ("means", name, run), 2) for run in self._columns(name, groups[0].means[name])),
                *([Field("ranking", ("ranking", name))] if name in groups[0].ranking else []),
            )
        names = "criterion run value difference p p_corrected"
        yield self.sheet("Each group compared with the other judges", self.groups.differences, names)

    def _raw(self) -> Iterator[Sheet]:
        """All ratings of one run."""
        if rows := self.ratings:
            columns = [Field(name, partial(_as_given, name), 0) for name in rows[0].values]
            yield self.sheet(f"All ratings of {rows[0].run}", rows, Field("pair", "unit"), "judge", *columns)


def _as_given(criterion: str, row: RawRating) -> Cell:
    return "skip" if row.skipped else row.values[criterion]
