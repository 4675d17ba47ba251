"""Nuggets: what `nuggets` returns, and how it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from karat.data.nuggets import Junk
from karat.data.result import Column, Field, Sheet
from karat.data.scores import Scores
from karat.data.source import Source
from karat.data.undefined import Why
from karat.errors import UsageError
from karat.measures import question_measures
from karat.studies.base import StudyResult, sources_of
from karat.studies.nuggets.pilot import AssessorRanking, RankingPair, assessor_sheet
from karat.studies.nuggets.scoring import SCORES
from karat.studies.qa.betas import BetaCurves, beta_sheet, crossing_sheet
from karat.studies.unit_means import Mean, why_undefined

TITLES = {
    "strict_vital": "vital, strict",
    "strict_weighted": "weighted, strict",
    "strict_all": "all, strict",
    "strict_f": "F, strict",
    "f": "F",
}
NOTES = (
    "Vital, weighted and all: support of nuggets, one half for partial support, nothing where strict.",
    "F: partial support holds a nugget, and does not where strict; recall and precision are those of F.",
    "Means are over the topics that are scored for every run.",
)
NO_LENGTH = "the length of answers is not known"
NO_TOPIC = "no topic is scored for every run"
NO_F = f"{NO_LENGTH}, or {NO_TOPIC}"
UNSCORED = "the topic has no vital nugget that is judged, or the run was not judged on it"


@dataclass(frozen=True)
class NuggetCount:
    """The list: topics, and nuggets by importance."""

    topics: int
    vital: int
    okay: int
    other: int
    """Nuggets whose importance means nothing."""
    without_vital: list[str]
    """Topics that have no vital nugget."""


@dataclass(frozen=True)
class NuggetRun:
    """One run: every score, as the mean over the topics that are scored for all runs."""

    run: str
    strict_vital: float
    vital: float
    strict_weighted: float
    weighted: float
    strict_all: float
    all: float
    f: float
    strict_f: float
    recall: float
    precision: float
    length: float
    interval: dict[str, Mean]
    topics: int
    """In the means, by support of vital nuggets: those that every run is scored on."""
    missing: int
    """Left out of them."""
    scores: dict[str, dict[str, float]]
    """Every score, topic by topic."""


@dataclass(frozen=True)
class Changed:
    """A topic whose score depends on what becomes of labels that mean nothing, or of a list without vital nuggets."""

    run: str
    topic: str
    score: str
    missing: float
    """With such labels left out."""
    zero: float
    """With such labels as no support."""
    labels: list[str]
    """That mean nothing; none where the list has no vital nugget, or the run was not judged on the topic."""

    @property
    def told(self) -> str:
        """The labels in one cell."""
        return ", ".join(self.labels) or "no vital nugget that is judged"


@dataclass(frozen=True)
class UnscoredTopic:
    """A topic that is left out of the means, and why."""

    topic: str
    reason: str


@dataclass(frozen=True)
class StoredScore:
    """A score of one run as somebody stored it, against what comes out here."""

    run: str
    score: str
    topics: int
    equal: int
    """Topics on which both are the same number."""
    largest: float
    """The largest difference on any topic."""


@dataclass(frozen=True)
class Reordered:
    """Two scores and the tau between the rankings they give."""

    a: str
    b: str
    tau: float


@dataclass(frozen=True, kw_only=True, repr=False)
class NuggetScores(StudyResult):
    """What `nuggets` returns."""

    nuggets: NuggetCount
    runs: list[NuggetRun]
    junk: list[Junk]
    """Labels that mean nothing, each where it stands."""
    changed: list[Changed]
    unscored: list[UnscoredTopic]
    stored: list[StoredScore]
    rankings: list[Reordered]
    betas: BetaCurves | None
    assessors: list[AssessorRanking]
    ratings: list[AssessorRanking]
    agreement: list[RankingPair]
    """Between assessors, and between ratings and nuggets."""
    sources: list[Source]

    METHOD: ClassVar[str] = (
        "Support is the share of nuggets, vital ones or all, that an answer holds, in part or whole; F sets it against "
        "the length of the answer. Scores are means over topics."
    )
    SOURCES: ClassVar[tuple[str, ...]] = sources_of(question_measures, ("nugget_f", "vital_support"))
    WHY: ClassVar[Why] = {
        "runs/*/f": NO_F,
        "runs/*/strict_f": NO_F,
        "runs/*/precision": NO_LENGTH,
        "runs/*/length": NO_LENGTH,
        "runs/*/interval/f/*": why_undefined(NO_F),
        "runs/*/interval/strict_f/*": why_undefined(NO_F),
        "runs/*/interval/**": why_undefined(NO_TOPIC),
        "runs/*/scores/f/*": f"{UNSCORED}, or {NO_LENGTH}",
        "runs/*/scores/strict_f/*": f"{UNSCORED}, or {NO_LENGTH}",
        "runs/*/scores/**": UNSCORED,
        "runs/*/*": NO_TOPIC,
        "stored/**": "no topic is scored both here and there",
        "changed/**": "the topic is not scored with such labels left out",
        "rankings/**": f"{NO_TOPIC}, or {NO_LENGTH}",
        "betas": NO_F,
        "betas/**": "there is one run only",
        "assessors/*/betas": NO_F,
        "assessors/*/betas/**": "there is one run only",
        "assessors/*/length/*": NO_LENGTH,
        "assessors/**": "nothing is scored by this assessor's list",
        "ratings/*/betas": "ratings know no β",
        "ratings/**": "the assessor rated nothing of this run",
        "agreement/**": "fewer than two runs are in both rankings, a run has no score, or all runs of one are tied",
    }

    def scores(self, measure: str = "vital") -> Scores:
        """The score matrix over the topics that are scored for every run."""
        if measure not in SCORES:
            raise UsageError.unknown("score of nuggets", measure, SCORES)
        rows = [run.scores[measure] for run in self.runs]
        topics = [topic for topic in rows[0] if all(row[topic] == row[topic] for row in rows)]
        return Scores(
            runs=tuple(run.run for run in self.runs),
            units=tuple(topics),
            values=np.array([[row[topic] for topic in topics] for row in rows]).reshape(len(rows), len(topics)),
            measure=measure,
        )

    def make_sheets(self) -> list[Sheet]:
        """Runs, what labels that mean nothing change, assessors and their rankings, rankings as β goes."""
        best_first = sorted(range(len(self.runs)), key=lambda at: -np.nan_to_num(self.runs[at].vital, nan=-1))
        fields = [Field(TITLES.get(name, name), name, 4) for name in (*SCORES, "recall", "precision")]
        fields += [Field("length", digits=0), Field("topics"), Field("missing")]
        sheets = [Sheet.of("Runs", self.runs, Field("run"), *fields, at="runs", notes=NOTES).ordered(best_first)]
        if self.unscored:
            sheets.append(Sheet.of("Topics that are not scored", self.unscored, Field("topic"), Field("why", "reason")))
        if self.stored:
            fields = [
                Field("run"),
                Field("score"),
                Field("topics"),
                Field("equal"),
                Field("largest difference", "largest"),
            ]
            sheets.append(Sheet.of("Against scores stored elsewhere", self.stored, *fields, at="stored"))
        if self.changed:
            sheets.append(self._changed())
        if len(self.assessors) > 1:
            sheets.append(assessor_sheet("Scores by assessor", self.assessors))
        if self.ratings:
            sheets.append(assessor_sheet("Ratings by assessor", self.ratings))
        if self.agreement:
            fields = [Field("a"), Field("b"), Field("tau", digits=4), Field("Pearson", "pearson", 4)]
            sheets.append(Sheet.of("Rankings of two assessors", self.agreement, *fields, at="agreement"))
        return sheets + self._betas()

    def _betas(self) -> list[Sheet]:
        if self.betas is None or len(self.runs) < 2:
            return []
        several = self.assessors if len(self.assessors) > 1 else []
        title = "Rankings by F as β goes"
        by_each = [beta_sheet(one.betas, f"{title}: {one.assessor}") for one in several if one.betas is not None]
        crossings = [crossing_sheet(self.betas)] if self.betas.crossings else []
        return [beta_sheet(self.betas, title), *crossings, *by_each]

    def _changed(self) -> Sheet:
        """One row a run and topic: the first of its scores that changes."""
        first = {(one.run, one.topic): one for one in reversed(self.changed)}
        return Sheet.of(
            "Topics that labels without meaning change",
            list(first.values())[::-1],
            Field("run"),
            Field("topic"),
            Field("score"),
            Field("left out", "missing", 4, "the label's nugget is left out"),
            Field("as zero", "zero", 4, "the label counts as no support"),
            Field("labels", "told"),
            notes=["The first score that changes; JSON has all of them."],
        )

    def records(self) -> Sheet:
        """A row a run, topic and score."""
        rows = [
            (run.run, topic, name, value)
            for run in self.runs
            for name, scores in run.scores.items()
            for topic, value in scores.items()
        ]
        names = ("run", "topic", "score", "value")
        return Sheet("Scores", tuple(Column(name, [row[at] for row in rows]) for at, name in enumerate(names)))
