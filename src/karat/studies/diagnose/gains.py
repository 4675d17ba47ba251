"""What a run would gain: each weakness put into points of accuracy, so that they can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from karat.studies.diagnose.rows import PhenomenonRow, Row


@dataclass(frozen=True)
class Gain:
    """A weakness, the accuracy with it, and the accuracy without."""

    kind: str
    name: str
    before: float
    after: float
    where: str = "parts"

    @property
    def points(self) -> float:
        """So much accuracy."""
        return self.after - self.before


def title(row: Row) -> str:
    """A phenomenon with its category, any other row by its name."""
    return f"{row.category}:{row.name}" if isinstance(row, PhenomenonRow) and row.category else row.name


def gains(
    whole: Row, phenomena: Sequence[PhenomenonRow], categories: Sequence[Row], judgments: Sequence[Row]
) -> list[Gain]:
    """The best of each kind that is significant, from the largest down.

    A slice gains what it would by being as good as the run is on average: being right throughout, or as good as
    elsewhere, would make every large slice the first to fix. Originals gain what they would by being as good as their
    parts, label by label.
    """
    kinds: dict[str, Sequence[Row]] = {"phenomenon": phenomena, "category": categories, "judgment": judgments}
    made = [best for kind, rows in kinds.items() if (best := _best(kind, rows, whole))]
    if whole.reading == "missing" and whole.originals is not None:
        reached = whole.originals.accuracy / whole.adjusted_index if whole.adjusted_index else float("nan")
        if reached == reached:
            made.append(Gain("combining", "combining parts", whole.originals.accuracy, reached, "originals"))
    return sorted(made, key=lambda one: -one.points)


def _best(kind: str, rows: Iterable[Row], whole: Row) -> Gain | None:
    """The slice that would gain most, of those that are significantly weaker than the rest."""
    share, found = whole.right / whole.n, []
    for row in rows:
        if row.weaker:
            name = f"{row.name} pairs" if kind == "judgment" else title(row)
            found.append(Gain(kind, name, share, share + (share * row.n - row.right) / whole.n))
    return max(found, key=lambda one: one.points, default=None)
