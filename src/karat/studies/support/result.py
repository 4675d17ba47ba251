"""The result of `support` and its tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

from karat.data.fields import Shown, Why
from karat.data.provenance import Source
from karat.data.records import Records, RowsAt
from karat.data.result import Field, Note, Sheet
from karat.data.scores import Scores
from karat.data.sheets import Ends
from karat.errors import UsageError
from karat.measures import question_measures
from karat.studies.base import StudyResult, sources_of
from karat.studies.unit_means import Mean, matrix_of

SUPPORT_SCORES = ("f1", "precision", "recall", "reward")
NO_CITATION = "no sentence of the run cites a document"
NO_TOPIC = "the assessor judged no topic for every run"
NO_VERDICT = "the assessor judged no citation that counts"
Share = Annotated[float, Why(NO_CITATION)]
GivenShare = Annotated[float, Why(NO_VERDICT)]
SHARES = "full partial none contradicted"
NOTES = (
    Note.of(
        "Precision: the mean worth of the verdicts on sentences that cite a document, over the topics on which the run "
        "cites; recall: the same over all sentences. Both, and F1, are computed on each topic and averaged.",
        *("precision", "recall", "F1"),
    ),
    Note.of("Cited: the share of sentences that cite a document.", "cited"),
    Note.of(
        "Full, partial, none, contradicted: shares of the cited sentences, by the first document that each cites.",
        *SHARES.split(),
    ),
)
REWARD = Note.of(
    "Reward: the mean worth of all sentences, where a sentence that cites nothing has the worth that --worth gives it.",
    "reward",
)


@dataclass(frozen=True)
class SupportRun:
    """The scores of one run, and the verdicts on its sentences."""

    run: str
    f1: Annotated[Mean, Shown("F1")]
    precision: Annotated[Mean, Why(NO_CITATION)]
    recall: Mean
    reward: Mean
    """The mean worth of a sentence, also of one that cites nothing."""
    cited: Annotated[float, Why("the run has no answer"), Shown(unit="%", digits=1)]
    """The share of sentences that cite a document."""
    full: Annotated[Share, Shown(unit="%", digits=1)]
    partial: Annotated[Share, Shown(unit="%", digits=1)]
    none: Annotated[Share, Shown(unit="%", digits=1)]
    contradicted: Annotated[Share, Shown(unit="%", digits=1)]
    sentences: int
    citing: Annotated[int, Shown("topics with citations")]
    """The number of topics on which the run cites a document; precision is a mean over these."""
    unanswered: int
    """The number of topics without an answer of the run, on which recall and F1 are 0."""
    unjudged: int
    """The number of cited sentences without a verdict, counted as no support."""
    scores: Annotated[dict[str, dict[str, float]], Why("no sentence of the answer cites a document")]
    """Every score on every topic."""

    @property
    def interval(self) -> Annotated[Ends, Shown("{it.percent} CI")]:
        """The interval of F1."""
        return self.f1.interval


@dataclass(frozen=True)
class AssessorScores:
    """The verdicts of one assessor, and the scores of the runs by them."""

    assessor: str
    verdicts: int
    """The number of verdicts on first citations, which count."""
    full: Annotated[GivenShare, Shown(unit="%", digits=1)]
    partial: Annotated[GivenShare, Shown(unit="%", digits=1)]
    none: Annotated[GivenShare, Shown(unit="%", digits=1)]
    contradicted: Annotated[GivenShare, Shown(unit="%", digits=1)]
    topics: int
    """The number of topics on which the assessor judged every run whole; scores are means over these."""
    scores: Annotated[dict[str, dict[str, float]], Why(f"{NO_TOPIC}, or a run cites nothing on one of them")]
    ranking: list[str]

    @property
    def name(self) -> Annotated[str, Shown("assessor")]:
        """The name of the assessor, who may be anonymous."""
        return self.assessor or "the assessor"


@dataclass(frozen=True, kw_only=True, repr=False)
class SupportScores(StudyResult):
    """The result of `support`."""

    topics: int
    """The number of topics that are scored: those of the judgments."""
    left_out: list[str]
    """Topics that runs answer and of which nothing was judged."""
    worth: dict[str, float]
    """What a sentence with each verdict, and one without a citation, is worth."""
    rewarded: bool
    """Whether that is not what TREC RAG says, so that the mean reward is shown."""
    runs: list[SupportRun]
    assessors: list[AssessorScores]
    sources: list[Source]

    RECORDS: ClassVar[Records] = Records("run, topic, score, value", RowsAt("runs.*.scores.*score.*topic", value="."))
    METHOD: ClassVar[str] = (
        "Each sentence is judged by the first document that it cites. Weighted precision is the worth of the verdicts "
        "divided by the number of sentences with a citation, weighted recall the same divided by the number of all "
        "sentences, and F1 their harmonic mean; the reward is the mean worth of all sentences, also of those without a "
        "citation. Each is computed on every topic and averaged."
    )
    SOURCES: ClassVar[tuple[str, ...]] = sources_of(question_measures, ("support_f1", "support_reward"))

    def scores(self, measure: str = "f1") -> Scores:
        """The matrix of one score on the topics that are scored for every run."""
        if measure not in SUPPORT_SCORES:
            raise UsageError.unknown("score of support", measure, SUPPORT_SCORES)
        return matrix_of({run.run: run.scores[measure] for run in self.runs}, f"support_{measure}")

    def make_sheets(self) -> list[Sheet]:
        """Runs, and with several assessors their verdicts and the scores by each."""
        best_first = sorted(self.runs, key=lambda run: -run.f1.value)
        others = ["citing"] * any(run.citing < self.topics for run in self.runs)
        others += [name for name in ("unanswered", "unjudged") if any(getattr(run, name) for run in self.runs)]
        columns = (
            "run f1 interval precision recall" + " reward" * self.rewarded + " cited",
            SHARES,
            "sentences",
            *others,
        )
        notes = (*NOTES, *[REWARD] * self.rewarded)
        made = self.sheet("Runs", best_first, *columns, notes=notes, sorted_by="f1")
        sheets = [replace(made, best=("F1", "precision", "recall", "reward"))]
        if len(self.assessors) > 1:
            sheets.append(self._by_assessor())
            sheets.append(self.sheet("Verdicts by assessor", self.assessors, "name verdicts", SHARES))
        return sheets

    def _by_assessor(self) -> Sheet:
        """One row per run, best first by the first assessor; one column per assessor."""
        columns = [Field("run", str), *(Field(one.name, one.scores["f1"].get) for one in self.assessors)]
        topics = ", ".join(f"{one.name} {one.topics:,}" for one in self.assessors)
        note = f"F1 by the verdicts of each, over the topics on which they judged every run ({topics})."
        return Sheet.of("F1 by assessor", self.assessors[0].ranking, *columns, notes=[note])
