"""Question answering: what `qa` returns, and how it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from karat.data.questions import QuestionType
from karat.data.result import Column, Field, Sheet
from karat.data.scores import Scores
from karat.data.source import Source
from karat.data.undefined import Why
from karat.errors import UsageError
from karat.measures import question_measures
from karat.studies.base import StudyResult, sources_of
from karat.studies.qa.betas import BetaCurves, beta_sheet, crossing_sheet
from karat.studies.qa.boxes import Medians, SeriesBox
from karat.studies.qa.parameters import JudgedBy
from karat.studies.qa.patterns import PatternJudge
from karat.studies.qa.weights import WeightSensitivity, weight_sheet
from karat.studies.ranking_change import RankingChange
from karat.studies.unit_means import Mean, why_undefined

UNITS = {"series": "series_score", "factoid": "factoid_accuracy", "list": "list_f", "other": "nugget_f"}
"""What a score matrix can be over, and the measure that fills it."""
TOLD_BY: dict[JudgedBy | None, str] = {
    "people": "People judged the answers.",
    "patterns": "Patterns judged the answers: lenient and automatic.",
    "people and patterns": "People judged the answers; patterns (lenient, automatic) those that nobody judged.",
}
NO_JUDGMENTS = "neither judgments nor patterns were given"
NO_FACTOIDS = "no factoid question is scored"
UNSCORED_SERIES = "its other question is not scored, or none of its questions that has weight is"


@dataclass(frozen=True)
class Count:
    """Units of one kind: those in the test set, and those that are scored."""

    asked: int
    scored: int


@dataclass(frozen=True)
class Asked:
    """The test set."""

    units: dict[str, Count]
    """Series, and questions of each type."""
    excluded: list[str]
    unanswerable: int | None
    """Factoid questions that are scored and have no known answer."""


@dataclass(frozen=True)
class Factoids:
    """A run on the factoid questions: their mean score, and what it is made of."""

    score: Mean
    accuracy: float
    reciprocal_rank: float
    """The mean over questions; with one answer a question it is the accuracy."""
    confidence_weighted: float
    verdicts: dict[str, int]
    """How many first answers had each verdict."""
    accepting: dict[str, float]
    """Accuracy where inexact, unsupported or both count as right."""


@dataclass(frozen=True)
class Nils:
    """A run's NILs."""

    precision: float
    recall: float
    given: float
    right: float


@dataclass(frozen=True)
class Lists:
    """A run on the list questions: F, and the means of what it is made of."""

    score: Mean
    precision: float
    recall: float


@dataclass(frozen=True)
class Others:
    """A run on the questions that nuggets score."""

    score: Mean
    precision: float
    recall: float
    length: float
    """The mean length of its answers."""


@dataclass(frozen=True)
class QaRun:
    """One run."""

    run: str
    factoid: Factoids
    nil: Nils
    list: Lists
    other: Others
    by_type: float
    by_series: Mean
    series: dict[str, float]
    questions: dict[str, float]

    @property
    def score(self) -> float:
        """What runs are ranked by: the mean over series, else by type where there are none."""
        return self.by_series.value if self.by_series.value == self.by_series.value else self.by_type

    @property
    def rank(self) -> tuple[bool, float]:
        """To sort by: runs without a score are below all others."""
        return self.score == self.score, self.score if self.score == self.score else 0.0


@dataclass(frozen=True)
class SeriesKind:
    """Series of one kind (targets that are persons; gathering or browsing): the mean score of every run."""

    kind: str
    series: int
    scores: dict[str, float]


@dataclass(frozen=True)
class AskedQuestion:
    """One question over all runs."""

    question: str
    type: QuestionType
    series: str | None
    text: str
    median: float
    best: float
    unscored: str | None
    """Why no run has a score on it."""


@dataclass(frozen=True, kw_only=True, repr=False)
class QuestionAnswering(StudyResult):
    """What `qa` returns."""

    asked: Asked
    judged_by: JudgedBy | None
    """Who says which answers are right: people, or patterns (a lenient, automatic judge)."""
    runs: list[QaRun]
    aggregations: RankingChange | None
    """The ranking by type against that by series."""
    series: list[SeriesBox]
    kinds: list[SeriesKind]
    zero_medians: list[Medians]
    weights: WeightSensitivity | None
    betas: BetaCurves | None
    patterns: PatternJudge | None
    wide_patterns: int | None
    """Patterns that accept every string, and are left out."""
    questions: list[AskedQuestion]
    sources: list[Source]

    METHOD: ClassVar[str] = (
        "Factoids are right or wrong by verdicts or patterns, lists have an F of instances, other questions an F of "
        "nuggets that counts recall more; a series is a weighted mean of its types, a run the mean over series."
    )
    SOURCES: ClassVar[tuple[str, ...]] = sources_of(
        question_measures,
        ("factoid_accuracy", "reciprocal_rank", "nil_precision", "list_f", "nugget_f", "series_score"),
    )
    WHY: ClassVar[Why] = {
        "asked/unanswerable": NO_FACTOIDS,
        "judged_by": NO_JUDGMENTS,
        "runs/*/factoid/confidence_weighted": "the run ranks no questions, or gives several answers to each, or "
        "no factoid question is scored",
        "runs/*/factoid/score/*": why_undefined(NO_FACTOIDS),
        "runs/*/factoid/**": NO_FACTOIDS,
        "runs/*/nil/precision": f"the run gives no NIL, or {NO_FACTOIDS}",
        "runs/*/nil/recall": f"every factoid question has a known answer, or {NO_FACTOIDS}",
        "runs/*/nil/*": NO_FACTOIDS,
        "runs/*/list/score/*": why_undefined("no list question is scored"),
        "runs/*/list/*": "no list question is scored",
        "runs/*/other/score/*": why_undefined("no other question is scored"),
        "runs/*/other/*": "no other question is scored",
        "runs/*/by_type": "a type of question that has weight is asked and not scored, or none has weight",
        "runs/*/by_series/*": why_undefined("no series is scored, or questions stand alone"),
        "runs/*/series/*": UNSCORED_SERIES,
        "runs/*/questions/*": "it is not scored: `questions` tells why",
        "aggregations": "runs are not scored both ways, or there is one run only",
        "aggregations/**": "all runs of a ranking are tied",
        "series/*/kind": "the questions do not say of what kind it is",
        "series/*/*": UNSCORED_SERIES,
        "kinds/**": "no series of this kind is scored",
        "zero_medians/*/share": "nothing of this kind is scored",
        "weights": "not all three types are scored, or there is one run only",
        "weights/**": "no series is scored",
        "betas": "no other question is scored",
        "betas/**": "there is one run only",
        "questions/*/series": "it stands alone",
        "questions/*/unscored": "it is scored",
        "questions/*/*": "it is not scored",
        "patterns": "patterns and judgments were not both given",
        "wide_patterns": "no patterns were given",
        "patterns/ranking/**": "there is one run only, or all runs of a ranking are tied, or people judged no question "
        "with a pattern for every run",
        "patterns/runs/**": "there is no factoid question with a pattern on which people judged every run",
        "patterns/**": "people judged no answer of the runs to a factoid question with a pattern, or both use one "
        "verdict only",
    }

    def scores(self, unit: str = "series") -> Scores:
        """The score matrix over series, or over the questions of one type, which are resampled by series.

        What is not scored is not in it.
        """
        if unit not in UNITS:
            raise UsageError.unknown("unit", unit, UNITS)
        if unit == "series" and not self.series:
            raise UsageError("questions stand alone, so there are no series to score: --unit factoid, list or other")
        if unit == "series":
            homes: dict[str, str | None] = {box.series: None for box in self.series if box.median == box.median}
        else:
            homes = {
                one.question: one.series for one in self.questions if one.type == unit.upper() and not one.unscored
            }
        rows = [run.series if unit == "series" else run.questions for run in self.runs]
        return Scores(
            runs=tuple(run.run for run in self.runs),
            units=tuple(homes),
            values=np.array([[row[name] for name in homes] for row in rows]).reshape(len(rows), len(homes)),
            measure=self._measure(unit),
            clusters=tuple(homes.values()) if any(homes.values()) else None,
        )

    def _measure(self, unit: str) -> str:
        several = int(self.signature.parameters.get("answers", 1)) > 1
        return "reciprocal_rank" if unit == "factoid" and several else UNITS[unit]

    def make_sheets(self) -> list[Sheet]:
        """Runs and their parts; kinds, medians, weights, β and patterns where there are any; what is not scored."""
        sheets = [self._runs(), self._parts()]
        if self.kinds:
            fields = [Field(run.run, ("scores", run.run), 4) for run in self.runs]
            sheets.append(Sheet.of("Series by kind", self.kinds, Field("kind"), Field("series"), *fields, at="kinds"))
        if self.zero_medians:
            fields = [Field("of"), Field("scored", "units"), Field("median 0", "zero"), Field("share", digits=4)]
            note = "The median is over runs."
            sheets.append(Sheet.of("Median scores of 0", self.zero_medians, *fields, at="zero_medians", notes=[note]))
        if self.weights is not None:
            sheets.append(weight_sheet(self.weights))
        if self.betas is not None and len(self.runs) > 1:
            sheets.append(beta_sheet(self.betas, "Rankings on other questions as β goes"))
            sheets += [crossing_sheet(self.betas)] if self.betas.crossings else []
        if self.patterns is not None:
            sheets += self.patterns.sheets()
        if unscored := [one for one in self.questions if one.unscored]:
            fields = [Field("question"), Field("type"), Field("why", "unscored")]
            sheets.append(Sheet.of("Questions that are not scored", unscored, *fields))
        return sheets

    def _best_first(self) -> list[int]:
        return sorted(range(len(self.runs)), key=lambda place: self.runs[place].rank, reverse=True)

    def _asks(self, kind: str) -> bool:
        return self.asked.units[kind].asked > 0

    def _runs(self) -> Sheet:
        """The scores of runs, best first; only of what the test set asks."""
        kinds = {"factoid": "factoid.score", "list": "list.score", "other": "other.score"}
        there = [kind for kind in kinds if self._asks(kind)]
        fields, notes = [Field("run")], [TOLD_BY[self.judged_by]] if self.judged_by is not None else []
        if self.series:
            fields += [Field("by series", "by_series.value", 4)]
            fields += [Field(end, f"by_series.{end}", 4) for end in ("low", "high")]
            notes.append("Low and high: the interval of the mean over series.")
        if len(there) > 1:
            fields.append(Field("by type", "by_type", 4))
        for kind in there:
            name = "factoid" if kind == "factoid" else f"{kind} F"
            fields.append(Field(name, f"{kinds[kind]}.value", 4))
            if not self.series:
                fields += [Field(end, f"{kinds[kind]}.{end}", 4) for end in ("low", "high")]
        return Sheet.of("Runs", self.runs, *fields, at="runs", notes=notes).ordered(self._best_first())

    def _parts(self) -> Sheet:
        fields = [Field("run")]
        if self._asks("factoid"):
            names = "correct", "inexact", "unsupported", "incorrect"
            fields += [Field(name, f"factoid.verdicts.{name}", note="first answers to factoids") for name in names]
            fields.append(Field("lenient", "factoid.accepting.lenient", 4, "inexact and unsupported count as right"))
            if any(run.factoid.reciprocal_rank > run.factoid.accuracy for run in self.runs):
                fields += [Field("accuracy", "factoid.accuracy", 4), Field("MRR", "factoid.reciprocal_rank", 4)]
            if any(run.factoid.confidence_weighted == run.factoid.confidence_weighted for run in self.runs):
                fields.append(Field("confidence-weighted", "factoid.confidence_weighted", 4))
            fields += [Field("NIL precision", "nil.precision", 4), Field("NIL recall", "nil.recall", 4)]
        if self._asks("list"):
            fields += [Field("list precision", "list.precision", 4), Field("list recall", "list.recall", 4)]
        if self._asks("other"):
            fields += [Field("nugget recall", "other.recall", 4), Field("nugget precision", "other.precision", 4)]
            fields.append(Field("length", "other.length", 0, "of the answers to other questions, on average"))
        return Sheet.of("What scores are made of", self.runs, *fields, at="runs").ordered(self._best_first())

    def records(self) -> Sheet:
        """A row a run and question, and a row a run and series."""
        rows = [
            (run.run, what, unit, score)
            for run in self.runs
            for what, scores in (("series", run.series), ("question", run.questions))
            for unit, score in scores.items()
        ]
        names = ("run", "of", "unit", "score")
        return Sheet("Scores", tuple(Column(name, [row[at] for row in rows]) for at, name in enumerate(names)))
