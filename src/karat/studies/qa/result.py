"""The result of `qa` and its tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

import numpy as np

from karat.data.fields import Shown, Why
from karat.data.provenance import Source
from karat.data.questions import TYPES, QuestionType
from karat.data.records import Records, RowsAt
from karat.data.result import Field, Sheet
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.measures import question_measures
from karat.measures.questions import TREC
from karat.studies.base import StudyResult, sources_of
from karat.studies.qa.aggregate import Medians, SeriesBox, WeightSensitivity
from karat.studies.qa.kinds import KindDifference, SeriesKind
from karat.studies.qa.parameters import JudgedBy, RankBy, rank_name
from karat.studies.qa.parts import SeveralAssessors
from karat.studies.qa.patterns import PatternJudge
from karat.studies.rankings import RANKING_COLUMNS, RankingChange
from karat.studies.unit_means import BetaCurves, Mean

UNITS = {"series": "series_score", "factoid": "factoid_accuracy", "list": "list_f", "other": "nugget_f"}
"""The units of a score matrix, and the measure of each."""
MOST_UNSCORED = 10
"""Questions shown of those that are not scored; JSON has all of them."""
JUDGED_BY_NOTES: dict[JudgedBy | None, str] = {
    "people": "People judged the answers.",
    "patterns": "Patterns judged the answers automatically, which is lenient.",
    "people and patterns": "People judged the answers; patterns judged the rest automatically, which is lenient.",
    "accepted answers": "exact match: the share of factoid answers that equal an accepted answer; token F1: of the "
    "words of an answer and the nearest accepted one. Case, punctuation and articles do not count (SQuAD).",
}
NO_FACTOIDS = "no factoid question is scored"
NO_LISTS = "no list question is scored"
NO_OTHERS = "no other question is scored"
UNRANKED = f"the run does not rank its questions, or gives several answers to each, or {NO_FACTOIDS}"
NO_NIL = f"the run gives no NIL, or {NO_FACTOIDS}"
ALL_KNOWN = f"every factoid question has a known answer, or {NO_FACTOIDS}"
UNTYPED = "a type of question with a weight above 0 is not scored, or no type has one"
UNSCORED_SERIES = "its other question is not scored, or no question with a weight above 0 is"


@dataclass(frozen=True)
class ScoredCount:
    """The number of units of one kind in the test set, and of those that are scored."""

    asked: int
    scored: int


@dataclass(frozen=True)
class Asked:
    """The test set."""

    units: dict[str, ScoredCount]
    """Series, and questions by type."""
    excluded: list[str]
    unanswerable: Annotated[int | None, Why(NO_FACTOIDS)]
    """Factoid questions that are scored and have no known answer."""


@dataclass(frozen=True)
class Factoids:
    """A run on the factoid questions: its mean score and components."""

    score: Annotated[Mean, Shown("factoid")]
    accuracy: float
    reciprocal_rank: Annotated[float, Shown("MRR")]
    """The mean over questions; equal to the accuracy if each has one answer."""
    confidence_weighted: Annotated[float, Shown("confidence-weighted"), Why(UNRANKED)]
    verdicts: dict[str, int]
    """The number of first answers by verdict."""
    accepting: dict[str, float]
    """Accuracy if inexact, unsupported or both count as right."""
    token_f1: Annotated[Mean | None, Shown("token F1"), Why("no accepted answers were given")]
    """F1 of the words of the first answer and of the accepted answer nearest to it, as in SQuAD."""


@dataclass(frozen=True)
class Nils:
    """The NIL answers of a run."""

    precision: Annotated[float, Shown("NIL precision"), Why(NO_NIL)]
    recall: Annotated[float, Shown("NIL recall"), Why(ALL_KNOWN)]
    given: float
    right: float


@dataclass(frozen=True)
class Lists:
    """A run on the list questions: F, precision and recall."""

    score: Annotated[Mean, Shown("list F")]
    precision: Annotated[float, Shown("list precision")]
    recall: Annotated[float, Shown("list recall")]


@dataclass(frozen=True)
class Others:
    """A run on the questions that are scored by nuggets."""

    score: Annotated[Mean, Shown("other F")]
    precision: Annotated[float, Shown("nugget precision")]
    recall: Annotated[float, Shown("nugget recall")]
    length: Annotated[float, Shown(digits=0, note="mean length of the answers to other questions")]
    """The mean length of the answers."""


@dataclass(frozen=True)
class QaRun:
    """One run."""

    run: str
    factoid: Annotated[Factoids, Why(NO_FACTOIDS)]
    nil: Annotated[Nils, Why(NO_FACTOIDS)]
    list: Annotated[Lists, Why(NO_LISTS)]
    other: Annotated[Others, Why(NO_OTHERS)]
    by_type: Annotated[float, Why(UNTYPED)]
    by_series: Annotated[Mean, Why("no series is scored, or there are no series")]
    ranking: Annotated[Mean, Shown("ranked by"), Why("the measure that ranks the runs is not defined for this run")]
    """The measure that ranks the runs, with its interval."""
    units: Annotated[dict[str, float], Why("the measure is not defined for this run, or depends on a single unit")]
    """Scores of units, whose mean is that measure: for a measure that is not a mean over units, by the jackknife."""
    series: Annotated[dict[str, float], Why(UNSCORED_SERIES)]
    questions: Annotated[dict[str, float], Why("it is not scored: see `questions` for the reason")]

    @property
    def score(self) -> float:
        """The score that ranks the runs."""
        return self.ranking.value


@dataclass(frozen=True)
class AskedQuestion:
    """One question over all runs."""

    question: str
    type: QuestionType
    series: Annotated[str | None, Why("it does not belong to a series")]
    text: str
    median: Annotated[float, Why("it is not scored")]
    best: Annotated[float, Why("it is not scored")]
    unscored: Annotated[str | None, Shown("why"), Why("it is scored")]
    """Why it is not scored."""


@dataclass(frozen=True, kw_only=True, repr=False)
class QuestionAnswering(StudyResult):
    """The result of `qa`."""

    asked: Asked
    judged_by: Annotated[JudgedBy | None, Why("neither judgments nor patterns nor accepted answers were given")]
    """What judges the answers: people, patterns (lenient and automatic), or accepted answers."""
    ranked_by: RankBy
    """The measure that ranks the runs."""
    ranked_over: Literal["series", "questions"]
    """The units that this measure is the mean over, or that the jackknife leaves out."""
    runs: list[QaRun]
    aggregations: Annotated[RankingChange | None, Why("runs are not scored both ways, or there is only one run")]
    """The ranking by type compared with that by series."""
    series: Annotated[list[SeriesBox], Why(UNSCORED_SERIES)]
    kinds: list[SeriesKind]
    kind_differences: list[KindDifference]
    """Each kind of series compared with all others; of two kinds, only the first."""
    zero_medians: list[Medians]
    weights: Annotated[WeightSensitivity | None, Why("not all three types are scored, or there is only one run")]
    betas: Annotated[BetaCurves | None, Why(NO_OTHERS)]
    patterns: Annotated[PatternJudge | None, Why("judgments and patterns, or accepted answers, were not both given")]
    wide_patterns: Annotated[int | None, Why("no patterns were given")]
    """The number of patterns that accept every string and are left out."""
    assessors: Annotated[SeveralAssessors | None, Why("one assessor judged, or there is only one run")]
    questions: list[AskedQuestion]
    sources: list[Source]

    RECORDS: ClassVar[Records] = Records(
        "run, of, unit, score=.",
        RowsAt("runs.*", RowsAt("series.*unit", of="=series"), RowsAt("questions.*unit", of="=question")),
    )
    METHOD: ClassVar[str] = (
        "Factoid answers are right or wrong by verdicts or patterns; list questions are scored by the F of "
        "instances, other questions by an F of nuggets that favours recall. The score of a series is the weighted "
        "mean of its types, and that of a run the mean over series."
    )
    SOURCES: ClassVar[tuple[str, ...]] = sources_of(
        question_measures,
        ("factoid_accuracy", "reciprocal_rank", "nil_precision", "list_f", "nugget_f", "series_score"),
    )

    def citations(self) -> list[str]:
        """The source of token F1 as well, if it is measured."""
        return [*super().citations(), *(sources_of(question_measures, ["token_f1"]) if self._overlap else ())]

    def scores(self, unit: str | None = None) -> Scores:
        """The matrix of the scores whose mean ranks the runs, or on series, or on the questions of one type.

        Questions are clustered by series. Units that are not scored are left out.
        """
        if unit is not None and unit not in UNITS:
            raise UsageError.unknown("unit", unit, UNITS)
        if unit == "series" and not self.series:
            raise UsageError("the questions do not come in series; use --unit factoid, list or other")
        homes: dict[str, str | None]
        if unit is None:
            rows = [run.units for run in self.runs]
            home = {one.question: one.series for one in self.questions} if self.ranked_over == "questions" else {}
            homes = {name: home.get(name) for name in rows[0]} if rows else {}
        elif unit == "series":
            rows = [run.series for run in self.runs]
            homes = {box.series: None for box in self.series if box.median == box.median}
        else:
            rows = [run.questions for run in self.runs]
            asked = [one for one in self.questions if one.type == unit.upper() and not one.unscored]
            homes = {one.question: one.series for one in asked}
        if unit is None and self.ranked_by == "type_score":
            unit = self.only_type
        ranked = unit == "factoid" and int(self.signature.parameters.get("answers", 1)) > 1
        return Scores(
            runs=tuple(run.run for run in self.runs),
            units=tuple(homes),
            values=np.array([[row[name] for name in homes] for row in rows]).reshape(len(rows), len(homes)),
            measure="reciprocal_rank" if ranked else self._ranked_by if unit is None else UNITS[unit],
            clusters=tuple(homes.values()) if any(homes.values()) else None,
        )

    @property
    def _ranked_by(self) -> str:
        """The measure that ranks the runs; by type, that of the only type, if there is one that has weight."""
        weights = dict(zip(TYPES, self.signature.parameters.get("weights", TREC), strict=True))
        kinds = {one.type for one in self.questions if weights[one.type] > 0}
        if self.ranked_by != "type_score" or len(kinds) != 1:
            return self.ranked_by
        kind = kinds.pop().lower()
        ranked = kind == "factoid" and int(self.signature.parameters.get("answers", 1)) > 1
        return "reciprocal_rank" if ranked else UNITS[kind]

    def make_sheets(self) -> list[Sheet]:
        """Runs and components of their scores; kinds, medians, weights, β and patterns if any; unscored questions."""
        sheets = [self._runs(), self._parts()]
        if self.kinds:
            by_run = [Field(run.run, ("scores", run.run)) for run in self.ranked]
            sheets.append(self.sheet("Series by kind", self.kinds, "kind series", *by_run))
        if self.kind_differences:
            columns = "kind series others difference p p_corrected"
            sheets.append(self.sheet("Kinds of series compared, mean over runs", self.kind_differences, columns))
        if len(self.runs) > 1 and (boxes := [box for box in self.series if box.median == box.median]):
            columns = "series target questions low whiskers lower median upper high beyond"
            sheets.append(self.sheet("Scores of all runs on each series", boxes, columns))
        if medians := [one for one in self.zero_medians if one.units]:
            note = "The median is over runs."
            sheets.append(self.sheet("Units with a median score of 0", medians, "of units zero share", notes=[note]))
        if self.weights is not None:
            sheets.append(self.weights.sheet())
        if self.betas is not None and len(self.runs) > 1:
            sheets += self.betas.sheets("Rankings on other questions by β")
        if self.patterns is not None:
            sheets += self.patterns.sheets(self)
        if self.assessors is not None:
            sheets += self._assessors(self.assessors)
        if unscored := [one for one in self.questions if one.unscored]:
            more = len(unscored) - MOST_UNSCORED
            notes = [f"{more:,} more in JSON."] if more > 0 else []
            shown = unscored[:MOST_UNSCORED]
            sheets.append(self.sheet("Questions not scored", shown, "question type unscored", notes=notes))
        return sheets

    @property
    def ranked(self) -> list[QaRun]:
        """The runs, best first; those without a score last."""
        return sorted(self.runs, key=lambda run: run.score if run.score == run.score else -1.0, reverse=True)

    def _known(self, score: Literal["by_series", "by_type"]) -> bool:
        values = [run.by_series.value if score == "by_series" else run.by_type for run in self.runs]
        return any(value == value for value in values)

    def _asks(self, kind: str) -> bool:
        return self.asked.units[kind].asked > 0

    @property
    def _in_words(self) -> bool:
        """Whether factoid answers are compared with accepted ones, word by word too."""
        return self.judged_by == "accepted answers" and self._asks("factoid")

    @property
    def _overlap(self) -> bool:
        """Whether factoid answers are compared with accepted ones, whoever judges them."""
        return self._asks("factoid") and any(run.factoid.token_f1 is not None for run in self.runs)

    @property
    def only_type(self) -> str | None:
        """The type of all questions; None if they are of several."""
        there = [kind for kind in ("factoid", "list", "other") if self._asks(kind)]
        return there[0] if len(there) == 1 else None

    @staticmethod
    def _value(run: QaRun, kind: str) -> float:
        """The score of a run on questions of one type."""
        return {"factoid": run.factoid.score, "list": run.list.score, "other": run.other.score}[kind].value

    def _score(self, kind: str) -> list[str | Field]:
        """The score on questions of one type."""
        exact = kind == "factoid" and self._in_words
        return [Field("exact match", "factoid.score") if exact else f"{kind}.score"]

    def _runs(self) -> Sheet:
        """The scores of runs, best first, on the types that the test set asks."""
        there = [kind for kind in ("factoid", "list", "other") if self._asks(kind)]
        notes = [JUDGED_BY_NOTES[self.judged_by]] if self.judged_by is not None else []
        if self.ranked_by not in ("series_score", "type_score"):
            name = rank_name(self.ranked_by)
            notes.append(f"Runs are ranked by {name}; its {self.percent} CI is over {self.ranked_over}.")
            others = [one for one in ("by_series", "by_type") if self._known(one)]
            scores = [one for kind in there for one in self._score(kind)]
            shown = Field(name, "ranking"), "ranking.interval", *others, *scores
            made = self.sheet("Runs", self.ranked, "run", *shown, notes=notes, sorted_by=name)
        elif self.ranked_by == "series_score":
            notes.append(f"The {self.percent} CI is that of the mean over series.")
            shown = "by_series by_series.interval", "by_type" * (len(there) > 1)
            scores = [one for kind in there for one in self._score(kind)]
            scores += ["factoid.token_f1"] * self._overlap
            made = self.sheet("Runs", self.ranked, "run", *shown, *scores, notes=notes, sorted_by="by series")
        else:
            # Where a type is not scored, there is no mean over types either.
            scored = [
                kind for kind in there if any(self._value(run, kind) == self._value(run, kind) for run in self.runs)
            ]
            scored = scored or there
            scores = [one for kind in scored for one in (*self._score(kind), f"{kind}.score.interval")]
            if self._overlap and "factoid" in scored:
                scores.insert(2, "factoid.token_f1 factoid.token_f1.interval")
            by_type = ["by_type ranking.interval"] * (len(there) > 1 and (self._known("by_type") or scored == there))
            order = "by type" * bool(by_type)
            made = self.sheet("Runs", self.ranked, "run", *by_type, *scores, notes=notes, sorted_by=order)
        return replace(made, best=tuple(one.name for one in made.columns if one.numeric))

    def _assessors(self, found: SeveralAssessors) -> list[Sheet]:
        title = "The ranking under each assessor's verdicts, compared with the majority's"
        columns = f"assessor verdicts differ {RANKING_COLUMNS} largest_change"
        note = f"{found.disputed:,} of {found.judged:,} answers judged by several are right by some and not by others."
        random = "A random assessor for each question"
        return [
            self.sheet(title, found.assessors, columns, notes=[note]),
            self.sheet(random, found.random, "run majority mean deviation lead lead_deviation"),
        ]

    def _parts(self) -> Sheet:
        columns: list[str | Field] = []
        if self._asks("factoid"):
            local = any(run.factoid.verdicts["locally correct"] for run in self.runs)
            verdicts = ("correct", *["locally correct"] * local, "inexact", "unsupported", "incorrect")
            columns += [Field(one, f"factoid.verdicts.{one}", note="first answers to factoids") for one in verdicts]
            note = "inexact and unsupported count as right"
            columns.append(Field("lenient", "factoid.accepting.lenient", note=note))
            several = any(run.factoid.reciprocal_rank > run.factoid.accuracy for run in self.runs)
            columns.append("factoid.accuracy factoid.reciprocal_rank" * several)
            weighted = [run.factoid.confidence_weighted for run in self.runs]
            columns.append("factoid.confidence_weighted" * any(value == value for value in weighted))
            columns.append("nil.precision nil.recall")
        columns.append("list.precision list.recall" * self._asks("list"))
        columns.append("other.recall other.precision other.length" * self._asks("other"))
        return self.sheet("Components of the scores", self.ranked, "run", *columns)
