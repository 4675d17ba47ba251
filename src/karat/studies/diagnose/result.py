"""The diagnosis: what `diagnose` returns, and how it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from karat.data.result import Column, Sheet
from karat.data.source import Source
from karat.data.undefined import Why
from karat.studies.base import StudyResult
from karat.studies.diagnose.gains import Gain, gains
from karat.studies.diagnose.reasons import WHY
from karat.studies.diagnose.rows import Consistency, Contest, Correlation, PairRow, PhenomenonRow, Prior, Row
from karat.studies.diagnose.sheets import sheets


@dataclass(frozen=True, kw_only=True, repr=False)
class Diagnosis(StudyResult):
    """What `diagnose` returns; every list goes run by run."""

    way: str
    by: str
    """The attribute that plays the phenomenon."""
    originals: int
    monothematic: int
    """Pairs that isolate a phenomenon; without originals, all pairs."""
    texts: int
    """The texts of these pairs: where they are fewer, pairs share texts, and tests are over whole texts."""
    without_value: int
    """Pairs with a label that have no value of the attribute, and are left out."""
    weighted: bool
    """Whether phenomena have weights of relevance."""
    level: float
    small: int
    correction: str
    slices_tested: int
    """Of all runs: the tests of slices that are corrected together."""
    overall: list[Row]
    baselines: list[Row]
    """The systems that give one answer to every pair."""
    categories: list[Row]
    phenomena: list[PhenomenonRow]
    judgments: list[Row]
    pairs: list[PairRow]
    """Every original against its own monothematic pairs."""
    correlations: list[Correlation]
    contests: list[Contest]
    """Every two runs on every phenomenon of at least `small` pairs."""
    category_contests: list[Contest]
    consistency: list[Consistency]
    priors: list[Prior]
    sources: list[Source]

    METHOD: ClassVar[str] = (
        "Accuracy on the parts that originals were taken apart into, by phenomenon and category. The correlation index "
        "is accuracy on originals over that on their parts, the deviation index the difference; originals vary "
        "together with their parts. What is called weaker, missing or over is significant after correction over all "
        "slices, or indices, of all runs; differences between runs, over all slices of every two of them."
    )
    SOURCES: ClassVar[tuple[str, ...]] = ("Cabrio and Magnini 2010", "Fisher 1935", "McNemar", "Wilson 1927")
    WHY: ClassVar[Why] = WHY

    @property
    def weights_note(self) -> str:
        """What weights do to intervals, where there are any."""
        return ", of as many pairs as the weights are worth" if self.weighted else ""

    @property
    def shared_texts(self) -> bool:
        """Whether some pairs share a text, so that tests are over whole texts."""
        return self.texts < self.monothematic

    def rows_of(self, run: str, part: str = "phenomena") -> Sequence[Row]:
        """The rows of one run."""
        return [row for row in getattr(self, part) if row.run == run]

    def phenomena_of(self, run: str) -> list[PhenomenonRow]:
        """The phenomena of one run that have pairs."""
        return [row for row in self.phenomena if row.run == run and row.n]

    def gains_of(self, run: str) -> list[Gain]:
        """What a run would gain, from the most down."""
        (whole,) = (row for row in self.overall if row.run == run)
        categories, judgments = (self.rows_of(run, part) for part in ("categories", "judgments"))
        return gains(whole, self.phenomena_of(run), categories, judgments)

    def make_sheets(self) -> list[Sheet]:
        """One run in full, several side by side."""
        return sheets(self)

    def records(self) -> Sheet:
        """A row a run, part and name."""
        parts: dict[str, Sequence[Row]] = {
            "overall": self.overall,
            "baseline": self.baselines,
            "category": self.categories,
        }
        parts |= {self.by: self.phenomena, "judgment": self.judgments}
        rows = [(part, row) for part, rows in parts.items() for row in rows]
        columns = [
            Column("run", [row.run for _, row in rows]),
            Column("part", [part for part, _ in rows]),
            Column("category", [getattr(row, "category", "") for _, row in rows]),
            *(Column(name, [getattr(row, name) for _, row in rows]) for name in ("name", "n", "right", "accuracy")),
            Column("low", [row.interval[0] if row.interval else None for _, row in rows]),
            Column("high", [row.interval[1] if row.interval else None for _, row in rows]),
            *(
                Column(f"{side}_{name}", [getattr(getattr(row, side), name) for _, row in rows])
                for side in ("positive", "negative")
                for name in ("accuracy", "n")
            ),
            Column("originals", [row.originals.accuracy if row.originals else None for _, row in rows]),
            *(
                Column(name, [getattr(row, name) for _, row in rows])
                for name in ("correlation_index", "adjusted_index", "deviation_index")
            ),
            Column("index_low", [row.correlation_interval[0] if row.correlation_interval else None for _, row in rows]),
            Column(
                "index_high", [row.correlation_interval[1] if row.correlation_interval else None for _, row in rows]
            ),
        ]
        return Sheet("Diagnosis", tuple(columns))
