"""The result of `diagnose` and its tables; what a run would gain by mending each weakness, in accuracy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

from karat.data.fields import Cell as Value
from karat.data.fields import Why
from karat.data.provenance import Source
from karat.data.records import Records, RowsAt
from karat.data.result import Column, Field, Note, RunName, Sheet
from karat.labels import IN_WORDS
from karat.studies.base import StudyResult
from karat.studies.diagnose.rows import Consistency, Contest, PairRow, PartsCorrelation, PhenomenonRow, Prior, Row
from karat.studies.wording import CORRECTION_NAMES, begun, counted


@dataclass(frozen=True)
class Gain:
    """A weakness, and the accuracy with and without it."""

    kind: str
    name: str
    before: float
    after: float
    where: str = "parts"

    @property
    def points(self) -> float:
        """The difference in accuracy."""
        return self.after - self.before


def gains(whole: Row, kinds: Mapping[str, Sequence[Row]]) -> list[Gain]:
    """The largest significant gain of each kind, in descending order.

    The gain on a slice is that of being as good as the run is on average: with perfect accuracy, or that of the other
    pairs, every large slice would come first. The gain on originals is that of being as good as their parts, by label.
    """
    made = [best for kind, rows in kinds.items() if (best := _best(kind, rows, whole))]
    if whole.reading == "missing" and whole.originals is not None and whole.adjusted_index:
        before = whole.originals.accuracy
        made.append(Gain("combining", "combining parts", before, before / whole.adjusted_index, "originals"))
    return sorted(made, key=lambda one: -one.points)


def _best(kind: str, rows: Sequence[Row], whole: Row) -> Gain | None:
    """The largest gain on a slice that is significantly weaker than the rest."""
    share, found = whole.right / whole.n, []
    for row in rows:
        if row.weaker:
            name = f"{row.name} pairs" if kind == "judgment" else row.title
            found.append(Gain(kind, name, share, share + (share * row.n - row.right) / whole.n))
    return max(found, key=lambda one: one.points, default=None)


CONTESTS_SHOWN, CLOSEST_SHOWN = 20, 5
"""A table lists at most this many differences: significant ones, or the closest if none is; JSON has all."""
RUNS_IN_FULL = 3
"""The most runs whose columns include intervals."""
ELSEWHERE = "positive and negative pairs separately: in CSV and JSON, or with a single run"


@dataclass(frozen=True, kw_only=True, repr=False)
class Diagnosis(StudyResult):
    """The result of `diagnose`; every list is in the order of the runs."""

    way: str
    by: str
    """The attribute that defines the slices."""
    originals: int
    monothematic: int
    """The number of pairs that isolate a phenomenon; without originals, of all pairs."""
    texts: int
    """The number of texts of these pairs; if it is smaller, pairs share texts and tests are over whole texts."""
    without_value: int
    """The number of pairs with a label but no value of the attribute, which are left out."""
    weighted: bool
    """Whether phenomena are weighted by relevance."""
    small: int
    correction: str
    slices_tested: int
    """The number of tests of slices, over all runs, that are corrected together."""
    overall: list[Row]
    baselines: list[Row]
    """The baselines, which give one answer to every pair."""
    categories: list[Row]
    phenomena: list[PhenomenonRow]
    judgments: list[Row]
    pairs: list[PairRow]
    """Every original, compared with its monothematic pairs."""
    correlations: list[PartsCorrelation]
    contests: list[Contest]
    """Tests of every two runs on every phenomenon of at least `small` pairs."""
    category_contests: list[Contest]
    consistency: Annotated[list[Consistency], Why("no group of pairs with one T has different labels")]
    priors: list[Prior]
    sources: list[Source]

    RECORDS: ClassVar[Records] = Records(
        "run, part, category, name, n, right, accuracy, low=interval.0, high=interval.1, "
        "positive_accuracy=positive.accuracy, positive_n=positive.n, negative_accuracy=negative.accuracy, "
        "negative_n=negative.n, originals=originals.accuracy, correlation_index, adjusted_index, deviation_index, "
        "index_low=correlation_interval.0, index_high=correlation_interval.1",
        RowsAt("overall.*", part="=overall"),
        RowsAt("baselines.*", part="=baseline"),
        RowsAt("categories.*", part="=category"),
        RowsAt("phenomena.*", part="by"),
        RowsAt("judgments.*", part="=judgment"),
    )
    METHOD: ClassVar[str] = (
        "Accuracy on the monothematic pairs that originals were decomposed into, by phenomenon and category. The "
        "correlation index is the accuracy on originals divided by that on their parts, and the deviation index its "
        "difference between positive and negative pairs; intervals keep originals and their parts together. Whatever "
        "is called weaker, missing or over is significant after correction over all slices, or indices, of all runs; "
        "differences between runs are corrected over all slices and pairs of runs."
    )
    SOURCES: ClassVar[tuple[str, ...]] = ("Cabrio and Magnini 2010", "Fisher 1935", "McNemar", "Wilson 1927")

    @property
    def shared_texts(self) -> bool:
        """Whether some pairs share a text, so that tests are over whole texts."""
        return self.texts < self.monothematic

    def rows_of(self, run: str, part: str) -> Sequence[Row]:
        """The rows of one run in one of the lists."""
        return [row for row in getattr(self, part) if row.run == run]

    def phenomena_of(self, run: str) -> list[PhenomenonRow]:
        """The phenomena of one run that have pairs."""
        return [row for row in self.phenomena if row.run == run and row.n]

    def gains_of(self, run: str) -> list[Gain]:
        """What a run would gain by removing its weaknesses, largest gain first."""
        (whole,) = (row for row in self.overall if row.run == run)
        parts = {"phenomenon": "phenomena", "category": "categories", "judgment": "judgments"}
        return gains(whole, {kind: self.rows_of(run, part) for kind, part in parts.items()})

    @property
    def corrected(self) -> str:
        """How tests are corrected, for notes."""
        return "not corrected" if self.correction == "none" else f"{CORRECTION_NAMES[self.correction]}"

    def make_sheets(self) -> list[Sheet]:
        """Runs, categories, phenomena (lowest accuracy first), judgments, differences between runs, minimal pairs."""
        made = [self._overall()]
        if self.categories:
            made.append(self._section("Categories", "category", self.categories))
        title = "Phenomena" if self.by == "phenomenon" else begun(self.by)
        made.append(self._section(title, self.by, self.phenomena))
        made.append(self._section("Judgments", "judgment", self.judgments))
        for title, asked in ((self.by, self.contests), ("category", self.category_contests)):
            if asked:
                made.append(self._contests(title, asked))
        return [*made, self._consistency()] if self.consistency else made

    def _overall(self) -> Sheet:
        """The runs, and in brackets the systems that give one answer to every pair."""
        notes = [f"{begun(IN_WORDS[self.way])}; accuracies have Wilson intervals"]
        if self.weighted:
            notes[0] += ", with the effective number of pairs under the weights"
        if self.shared_texts:
            notes[0] += ", which treat pairs as independent; tests treat whole texts as units"
        notes.append("in brackets: baselines, which give one answer to every pair")
        if self.without_value:
            notes.append(f"left out: {counted(self.without_value, 'pair')} without {self.by}")
        indices: list[str | Field | Column] = []
        if self.originals:
            blank: list[Value] = [None] * len(self.baselines)
            correlations = self.sheet("", self.correlations, "value interval").columns
            indices = [
                Field("originals", "originals.accuracy"),
                "correlation_index correlation_interval distance adjusted_index deviation_index reading",
                *(replace(one, values=[*one.values, *blank]) for one in correlations),
            ]
            notes += self._index_notes
        return self.sheet(
            "Runs",
            [*self.overall, *self.baselines],
            Field("run", lambda row: RunName.of(row.run, trivial=any(row is one for one in self.baselines))),
            Field("monothematic" if self.originals else "accuracy", "accuracy"),
            "interval n",
            Field("positive", "positive.accuracy", note="accuracy on ENTAILMENT"),
            Field("negative", "negative.accuracy", note="accuracy on all other labels"),
            *indices,
            notes=notes,
        )

    @property
    def _index_notes(self) -> list[str]:
        both = "index", f"index, {self.percent} CI", "|index − 1|"
        return [
            Note.of(
                "index: the correlation index, accuracy on originals / accuracy on monothematic pairs; 1 is ideal, "
                "below 1 the run solves parts but does not combine them, above 1 it does not rely on the parts",
                *both,
            ),
            Note.of(
                "adjusted index: with the parts weighted to the share of positive pairs among the originals; the "
                "reading is based on it",
                "adjusted index",
                "reading",
            ),
            Note.of(
                f"reading: missing or over if the adjusted index differs significantly from 1 ({self.corrected} over "
                "all runs)",
                "reading",
            ),
            Note.of("r: the correlation between being right on an original and the share of its parts right", "r"),
            Note.of(
                "intervals of the index: the ratios that a t test over originals, each with its parts, does not reject "
                "(Fieller), and never shorter than the exact interval of either accuracy",
                both[1],
            ),
            Note.of(
                f"intervals of r: {self.originals} originals resampled together with their parts",
                f"r, {self.percent} CI",
            ),
        ]

    def _section(self, title: str, heading: str, rows: Sequence[Row]) -> Sheet:
        """One row per name: every column for a single run, otherwise one column per run."""
        runs = len(self.overall)
        per_run = len(rows) // runs
        order = list(range(per_run))
        if rows is self.phenomena:
            order.sort(
                key=lambda at: sum(9.0 if row.accuracy != row.accuracy else row.accuracy for row in rows[at::per_run])
            )
        first = [rows[at] for at in order]
        columns = self._in_full(rows) if runs == 1 else self._side_by_side(rows, order)
        names = Field(heading, lambda row: row.title + "*" * row.small)
        notes = []
        if any(row.small for row in first):
            notes.append(f"* fewer than {self.small} pairs: rely on the interval, not on the accuracy")
        if runs == 1:
            notes.append(
                "p: the probability of this few right answers if the run's right answers were spread at random over "
                "all its pairs; exact, one-sided, "
                + "at least that of a t test over whole texts, " * self.shared_texts
                + f"{self.corrected} over {counted(self.slices_tested, 'slice')}"
                + ", and doubled, since the correlation index is tested too" * bool(self.originals)
            )
        else:
            notes.append("intervals, " * (runs > RUNS_IN_FULL) + ELSEWHERE)
        made = self.sheet(title, first, names, "n", *columns, notes=notes)
        return replace(made, sorted_by="accuracy", ascending=True) if rows is self.phenomena else made

    def _side_by_side(self, rows: Sequence[Row], order: Sequence[int]) -> Iterator[Column]:
        """Accuracies, then indices if there are any: one column per run, with intervals if there are few runs."""
        asked = [("", "accuracy", "interval")]
        if self.originals and rows is not self.phenomena:
            asked.append((", index", "correlation_index", "correlation_interval"))
        per_run = len(rows) // len(self.overall)
        for what, field, ends in asked:
            for at, whole in enumerate(self.overall):
                mine = [rows[at * per_run + one] for one in order]
                columns = Field(whole.run + what, field), ends * (len(self.overall) <= RUNS_IN_FULL)
                yield from self.sheet("", mine, *columns).columns

    def _in_full(self, rows: Sequence[Row]) -> list[str | Field]:
        """Every column for a single run."""
        more: list[str | Field] = []
        if rows is self.phenomena:
            more = ["shrunken excess"]
        elif self.originals:
            indices = "correlation_index correlation_interval adjusted_index deviation_index reading"
            more = [Field("originals", "originals.accuracy"), indices]
        return [
            "accuracy interval",
            Field("positive", "positive.accuracy"),
            Field("⊢", "positive.n"),
            Field("negative", "negative.accuracy"),
            Field("⊣ ◇", "negative.n"),
            *more,
            "p_corrected",
        ]

    def _contests(self, title: str, asked: Sequence[Contest]) -> Sheet:
        """The significant differences between two runs, or the closest if there are none."""
        different = [one for one in asked if one.different]
        most = CONTESTS_SHOWN if different else CLOSEST_SHOWN
        rows = sorted(different or asked, key=lambda one: (one.p_corrected, one.p))[:most]
        many = {0: "None", 1: "One"}.get(len(different), f"{len(different):,}")
        verb = "is" if len(different) < 2 else "are"
        heading = f"On which {title} do two runs differ? {many} of {len(asked):,} differences {verb} significant"
        heading += "" if different else f"; the {len(rows):,} with the smallest p"
        tests = len(self.contests) + len(self.category_contests)
        notes = [
            f"{'exact tests, exchanging runs on whole texts' if self.shared_texts else 'exact McNemar tests'}; "
            f"{self.corrected} over {counted(tests, 'comparison')}: all pairs of runs on every {self.by}"
            f"{' and category' if self.category_contests else ''} of at least {counted(self.small, 'pair')}",
        ]
        if len(different) > len(rows):
            notes.append(f"the first {len(rows):,}; JSON has all")
        columns = Field(title, "name"), "a b n difference only_a only_b p p_corrected"
        return self.sheet(heading, rows, *columns, notes=notes)

    def _consistency(self) -> Sheet:
        names = "run groups consistent share expected mixed mixed_share mixed_expected p_corrected"
        notes = [
            "groups of pairs with the same T; consistent: all pairs of the group are right; mixed: their labels differ",
            "p: the probability of this few consistent mixed groups if being right on one label were independent of "
            f"being right on another; exact, one-sided, {self.corrected} over {counted(len(self.consistency), 'run')}",
        ]
        return self.sheet("Minimal pairs", self.consistency, names, notes=notes)
