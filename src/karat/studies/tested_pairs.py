"""Results in which runs are tested against each other in pairs: which pairs tables show, and those of one run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

from karat.data.fields import Shown
from karat.data.result import Sheet
from karat.statistics.multiple_testing import MOST_GROUPS
from karat.studies.base import StudyResult

FEW_PAIRS, MOST_PAIRS_SHOWN = 6, 45
"""So few pairs are all shown; of more main pairs than the second number, the closest are."""
SHARED_LETTER = "runs that share one are not significantly different"
MOST_LETTERS = 9
"""Beyond so many groups, ranges of ranks are easier to read than letters."""
TOO_MANY_GROUPS = f"the runs fall into more than {MOST_GROUPS} groups"
VERDICTS = {True: "significantly different", False: "not significantly different", None: "not tested"}


@dataclass(frozen=True)
class UncomparedRun:
    """A run that cannot be compared, and why."""

    run: str
    reason: Annotated[str, Shown("why")]


def _closeness(pair: Any) -> tuple[bool, float, float]:
    """The order of pairs by their difference; those without one come last."""
    return pair.difference != pair.difference, abs(pair.difference), pair.p


class ComparedInPairs(StudyResult):
    """A result with pairs of runs in the order of the ranking, and with the groups of runs that do not differ."""

    pairs: list[Any]
    groups: list[list[str]] | None

    def pair_sheet(self, pairs: list[Any], title: str) -> Sheet:
        """Some pairs as a table; a study implements this."""
        raise NotImplementedError

    @property
    def significant(self) -> list[Any]:
        """The pairs that differ significantly."""
        return [pair for pair in self.pairs if pair.different]

    @property
    def tested(self) -> list[Any]:
        """The pairs that were tested."""
        return [pair for pair in self.pairs if pair.different is not None]

    @property
    def lettered(self) -> bool:
        """Whether the groups are few enough that letters can be read."""
        return self.groups is not None and len(self.groups) <= MOST_LETTERS

    def about(self, run: str) -> list[Sheet]:
        """The run's row of the ranking, and all its pairs."""
        mine = [pair if pair.a == run else pair.turned() for pair in self.pairs if run in (pair.a, pair.b)]
        made = []
        if mine:
            pairs = self.pair_sheet(mine, "Compared with every other run")
            names = {"run b": "run", "a − b": "difference"}
            columns = (replace(one, name=names.get(one.name, one.name)) for one in pairs.columns if one.name != "run a")
            made = [replace(pairs, columns=tuple(columns))]
        return [one for one in (self.sheets()[0].about(run), *made) if one]

    def main_pairs(self, leader: str | None) -> Sheet:
        """The pairs of the leader and those that differ significantly; of too many, the closest."""
        main = [pair for pair in self.pairs if pair.different or leader in (None, pair.a, pair.b)]
        if len(main) == len(self.pairs) or len(self.pairs) <= FEW_PAIRS:
            return self._all_pairs()
        count, found = f"{len(self.pairs):,} pairs", len(self.significant)
        title = f"{len(main):,} of {count}: all with {leader}"
        title += f", and all {found:,} significantly different" if found else "; none is significantly different"
        if len(main) > MOST_PAIRS_SHOWN:
            # The closest pairs that differ show the resolution of the test set.
            main = sorted(main, key=_closeness)[:MOST_PAIRS_SHOWN]
            of = f" of these and of the pairs with {leader}" if found else f" with {leader}"
            title = (
                f"{count}, {f'{found:,}' if found else 'none'} significantly different; the {len(main):,} closest{of}"
            )
        return replace(self.pair_sheet(main, f"{title}{self._untested}"), whole=self._all_pairs)

    @property
    def _untested(self) -> str:
        count = len(self.pairs) - len(self.tested)
        return f", {count:,} not tested" if count else ""

    def _all_pairs(self) -> Sheet:
        title = f"All {len(self.pairs):,} pairs, {len(self.significant):,} significantly different{self._untested}"
        if len(self.pairs) == 1:
            title = f"One pair, {VERDICTS[self.pairs[0].different]}"
        return self.pair_sheet(self.pairs, title)
