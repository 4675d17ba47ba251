"""The result of `nuggets` and its tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from karat.data.fields import Shown, Why, readable
from karat.data.nuggets import Junk
from karat.data.provenance import Source
from karat.data.records import Records, RowsAt
from karat.data.result import Field, Note, Sheet
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.measures import question_measures
from karat.studies.base import StudyResult, sources_of
from karat.studies.nuggets.parts import NuggetPart, parts_sheet
from karat.studies.unit_means import BetaCurves, Mean, matrix_of
from karat.studies.wording import counted, leaders

NUGGET_SCORES = ("strict_vital", "vital", "strict_weighted", "weighted", "strict_all", "all", "f", "strict_f")
"""Strict scores do not count partial support."""
BY_LENGTH = ("f", "strict_f")
MEASURES = {"vital": "vital_support", "weighted": "weighted_support", "all": "all_support", "f": "nugget_f"}
"""The measure that each score is."""
F_PARTS = ("recall", "precision")
NOT_SCORES = ("run", "length", "topics", "missing", "contradicted")
"""Columns of the runs that no run is better by."""
NO_LENGTH = "the length of the answers is unknown"
NO_TOPIC = "no topic is scored for every run"
NO_F = f"{NO_LENGTH}, or {NO_TOPIC}"
UNSCORED = "the topic has no judged vital nugget, or the run was not judged on it"
Kind = Literal["f", "recall", "ratings"]
RANKED_BY: dict[Kind, str] = {
    "f": "F by each assessor's own list",
    "recall": "recall by each assessor's own list, since lengths are unknown",
    "ratings": "the weighted sum of content and organisation",
}
"""What the runs are ranked by, in words."""
FIRST_READ = "run vital strict_vital f recall precision length topics"
REST = "run weighted strict_weighted all strict_all strict_f missing"
"""The columns of runs, in two tables that fit a page: those that people read first, and all others."""
MOST_ROWS, MOST_LABELS = 10, 3
"""Rows and labels per row shown of scores that depend on invalid labels."""
NOT_COMPARED = "fewer than two runs are in both rankings, a run has no score, or all runs of one are tied"
SUPPORT_NOTE = Note.of(
    "Vital, weighted and all: support of nuggets; partial support counts half, and nothing in strict scores.",
    *("vital", "vital, strict", "weighted, strict", "weighted", "all, strict", "all"),
)
F_NOTE = Note.of(
    "F: partial support counts in full, and not at all in strict F; recall and precision are the components of F.",
    *("F", "F, strict", "recall", "precision"),
)
MEANS_NOTE = "Means are over the topics scored for every run."
CONTRARY = Note.of(
    "Contradicted: nuggets that an answer contradicts, over all topics and assessors; they count as no support.",
    "contradicted",
)
Support = Annotated[float, Why(NO_TOPIC)]
WithLength = Annotated[float, Why(NO_LENGTH)]
PunishedLength = Annotated[float, Why(NO_F)]


@dataclass(frozen=True)
class NuggetCount:
    """The number of topics, and of nuggets by importance."""

    topics: int
    vital: int
    okay: int
    other: int
    """Nuggets with an importance that has no meaning."""
    without_vital: list[str]
    """Topics without a vital nugget."""


@dataclass(frozen=True)
class NuggetRun:
    """Every score of one run, as the mean over the topics that are scored for all runs."""

    run: str
    strict_vital: Annotated[Support, Shown("vital, strict")]
    vital: Support
    strict_weighted: Annotated[Support, Shown("weighted, strict")]
    weighted: Support
    strict_all: Annotated[Support, Shown("all, strict")]
    all: Support
    f: Annotated[PunishedLength, Shown("F")]
    strict_f: Annotated[PunishedLength, Shown("F, strict")]
    recall: Support
    precision: WithLength
    length: Annotated[WithLength, Shown(digits=0)]
    interval: Annotated[dict[str, Mean], Why(NO_TOPIC)]
    topics: int
    """The number of topics in the means: those on which every run has a support of vital nuggets."""
    missing: int
    """The number of topics left out of the means."""
    contradicted: Annotated[int, Shown(note="nuggets that an answer contradicts; they count as not supported")]
    """The number of nuggets, over all topics and assessors, of which the answers say the contrary: no support."""
    scores: Annotated[dict[str, dict[str, float]], Why(UNSCORED)]
    """Every score on every topic."""


@dataclass(frozen=True)
class Changed:
    """A score that depends on the treatment of labels without a meaning, or of a list without vital nuggets."""

    run: str
    topic: str
    score: Annotated[str, Shown(form=readable)]
    missing: Annotated[float, Shown("left out", note="the label's nugget is left out")]
    """The score with such labels left out."""
    zero: Annotated[float, Shown("as zero", note="the label counts as no support")]
    """The score with such labels counted as no support."""
    labels: list[str]
    """The labels without a meaning; none if the list has no vital nugget, or the run was not judged on the topic."""

    @property
    def labels_cell(self) -> Annotated[str, Shown("labels")]:
        """The labels in one cell."""
        more = len(self.labels) - MOST_LABELS
        shown = ", ".join(self.labels[:MOST_LABELS])
        return f"{shown} and {more} more" if more > 0 else shown or "no judged vital nugget"


@dataclass(frozen=True)
class UnscoredTopic:
    """A topic that is left out of the means, with the reason."""

    topic: str
    reason: Annotated[str, Shown("why")]


@dataclass(frozen=True)
class StoredScore:
    """A stored score of one run, compared with the score computed here."""

    run: str
    score: Annotated[str, Shown(form=readable)]
    topics: int
    equal: int
    """The number of topics on which both are equal."""
    largest: Annotated[float, Shown("largest difference"), Why("no topic is scored in both")]
    """The largest difference on any topic."""


@dataclass(frozen=True)
class Reordered:
    """Kendall's tau between the rankings by two scores."""

    a: str
    b: str
    tau: Annotated[float, Why(f"{NO_TOPIC}, or {NO_LENGTH}")]


def _no_betas(ranking: Any) -> str:
    return "ratings do not depend on β" if ranking.of == "ratings" else NO_F


@dataclass(frozen=True)
class AssessorRanking:
    """The ranking of the runs by one assessor."""

    assessor: str
    of: Kind
    """The F of nuggets, their recall if lengths are unknown, or the weighted sum of ratings."""
    scores: dict[str, float]
    ranking: list[str]
    length: Annotated[dict[str, float], Why(NO_LENGTH)]
    """The mean length of each run's answers; empty for ratings."""
    betas: Annotated[BetaCurves | None, Why(_no_betas)]
    """F by this assessor's list as a function of β."""

    @property
    def name(self) -> str:
        """The name of the assessor, who may be anonymous."""
        return self.assessor or "the assessor"


@dataclass(frozen=True)
class RankingPair:
    """Two rankings of the same runs."""

    a: str
    b: str
    tau: Annotated[float, Why(NOT_COMPARED)]
    pearson: Annotated[float, Shown("Pearson"), Why(NOT_COMPARED)]


@dataclass(frozen=True, kw_only=True, repr=False)
class NuggetScores(StudyResult):
    """The result of `nuggets`."""

    nuggets: NuggetCount
    runs: list[NuggetRun]
    junk: list[Junk]
    """Labels without a meaning, each with its place."""
    changed: Annotated[list[Changed], Why("the topic is not scored with such labels left out")]
    unscored: list[UnscoredTopic]
    parts: list[NuggetPart]
    """Scores by attributes of the nuggets, if any were asked for."""
    stored: list[StoredScore]
    rankings: list[Reordered]
    betas: Annotated[BetaCurves | None, Why(NO_F)]
    assessors: Annotated[list[AssessorRanking], Why("nothing is scored by this assessor's list")]
    ratings: Annotated[list[AssessorRanking], Why("the assessor rated nothing of this run")]
    agreement: list[RankingPair]
    """Between assessors, and between ratings and nuggets."""
    sources: list[Source]

    RECORDS: ClassVar[Records] = Records("run, topic, score, value", RowsAt("runs.*.scores.*score.*topic", value="."))
    METHOD: ClassVar[str] = (
        "Support is the share of nuggets, vital or all, that an answer contains, fully or in part; F combines it "
        "with the length of the answer. Scores are means over topics."
    )
    SOURCES: ClassVar[tuple[str, ...]] = sources_of(question_measures, ("nugget_f", "vital_support"))

    def scores(self, measure: str = "vital", by: str | None = None) -> Scores:
        """One score on the topics that are scored for every run, or on their parts by an attribute of the nuggets."""
        if measure not in NUGGET_SCORES:
            raise UsageError.unknown("score of nuggets", measure, NUGGET_SCORES)
        name = MEASURES[measure.removeprefix("strict_")]
        if by is not None and by not in {part.by for part in self.parts}:
            raise UsageError.unknown("attribute scored by", by, dict.fromkeys(part.by for part in self.parts))
        if by is not None and measure in BY_LENGTH:
            raise UsageError(f"F needs lengths, and parts of answers by {by} have none: choose another score")
        of = {f"{part.topic}: {part.value}": part for part in self.parts if part.by == by}
        name += "(strict=True)" * measure.startswith("strict_")
        if by is None:
            return matrix_of({run.run: run.scores[measure] for run in self.runs}, name)
        rows = {run.run: {unit: part.scores[measure][run.run] for unit, part in of.items()} for run in self.runs}
        return matrix_of(rows, name, {unit: part.topic for unit, part in of.items()})

    def make_sheets(self) -> list[Sheet]:
        """Runs, scores that depend on labels without a meaning, assessors and their rankings, rankings by β."""
        best_first = sorted(self.runs, key=lambda run: -np.nan_to_num(run.vital, nan=-1))
        contrary = any(run.contradicted for run in self.runs)
        made = self.sheet("Runs", best_first, FIRST_READ, notes=(SUPPORT_NOTE, F_NOTE, MEANS_NOTE), sorted_by="vital")
        notes = (CONTRARY,) if contrary else ()
        rest = self.sheet("Other scores of the runs", best_first, REST, "contradicted" * contrary, notes=notes)
        sheets = [
            replace(one, best=tuple(column.name for column in one.columns if column.name not in NOT_SCORES))
            for one in (made, rest)
        ]
        if self.unscored:
            sheets.append(self.sheet("Topics not scored", self.unscored, "topic reason"))
        for name in dict.fromkeys(part.by for part in self.parts):
            runs = [run.run for run in best_first]
            sheets.append(parts_sheet(name, [part for part in self.parts if part.by == name], runs))
        if self.stored:
            stored = "run score topics equal largest"
            sheets.append(self.sheet("Comparison with stored scores", self.stored, stored))
        if self.changed:
            sheets.append(self._changed())
        if len(self.assessors) > 1:
            sheets.append(_assessor_sheet("Scores by assessor", self.assessors))
        if self.ratings:
            sheets.append(_assessor_sheet("Ratings by assessor", self.ratings))
        if self.agreement:
            sheets.append(self.sheet("Agreement of rankings by different assessors", self.agreement, "a b tau pearson"))
        return sheets + self._betas()

    def _betas(self) -> list[Sheet]:
        if self.betas is None or len(self.runs) < 2:
            return []
        several = self.assessors if len(self.assessors) > 1 else []
        title = "Rankings by F and β"
        by_each = [one.betas.rankings_sheet(f"{title}: {one.assessor}") for one in several if one.betas]
        return [*self.betas.sheets(title), *by_each]

    def _changed(self) -> Sheet:
        """One row per run and topic, with the first of its scores that changes; the first few of them."""
        first = {(one.run, one.topic): one for one in reversed(self.changed)}
        rows = list(first.values())[::-1]
        more = len(rows) - MOST_ROWS
        left_out = (
            f"{counted(more, 'more answer')} and all scores are in JSON." if more > 0 else "JSON has all of them."
        )
        return self.sheet(
            "Scores that depend on invalid labels",
            rows[:MOST_ROWS],
            "run topic score missing zero labels_cell",
            notes=[f"The first score that changes on each topic. {left_out}"],
        )


def _assessor_sheet(title: str, rankings: Sequence[AssessorRanking]) -> Sheet:
    """One row per run, best first by the first assessor; one column per assessor, and the mean length if known."""
    runs = rankings[0].ranking
    columns = [Field("run", str), *(Field(one.name, one.scores.get) for one in rankings)]
    same = all(one.length == rankings[0].length for one in rankings)  # assessors of the same questions
    for one in rankings[:1] if same else rankings:
        if any(length == length for length in one.length.values()):
            name = "length" if same else f"length, {one.name}"
            columns.append(Field(name, one.length.get, 0, "mean over questions"))
    orders = "; ".join(f"by {one.name}, {', '.join(one.ranking)}" for one in rankings)
    return Sheet.of(title, runs, *columns, notes=[f"By {RANKED_BY[rankings[0].of]}. Rankings: {orders}."])


def leaders_by_score(result: NuggetScores) -> dict[str, list[str]]:
    """The runs that are first by each score that they all have."""
    values = {name: {run.run: getattr(run, name) for run in result.runs} for name in NUGGET_SCORES}
    return {name: leaders(of) for name, of in values.items() if all(value == value for value in of.values())}
