"""What a run would gain by mending each weakness, in accuracy, so that weaknesses can be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from karat.studies.diagnose.rows import PhenomenonRow, Row


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


def title(row: Row) -> str:
    """The name of a row, preceded by its category if it is a phenomenon."""
    return f"{row.category}:{row.name}" if isinstance(row, PhenomenonRow) and row.category else row.name


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
            name = f"{row.name} pairs" if kind == "judgment" else title(row)
            found.append(Gain(kind, name, share, share + (share * row.n - row.right) / whole.n))
    return max(found, key=lambda one: one.points, default=None)
