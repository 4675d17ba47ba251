"""Results in which runs are tested in pairs: which pairs tables show, what is said of the best, and of one run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from karat.arrays import DISPLAY_TOLERANCE
from karat.data.charts import Dots, Interval, Series
from karat.data.result import Finding, Sheet, all_marked, marked
from karat.statistics.multiple_testing import MOST_GROUPS
from karat.studies.base import StudyResult
from karat.studies.wording import MOST_ROWS, begun, noted, of_all, some_of

FEW_PAIRS, MOST_PAIRS_SHOWN = 6, 45
"""So few pairs are all shown; of more main pairs than the second number, the closest are."""
SHARED_LETTER = "runs that share one are not significantly different"
KNOTS = "runs with knots on the same line are not significantly different"
MOST_LETTERS = 9
"""Beyond so many groups, ranges of ranks are easier to read than letters."""
TOO_MANY_GROUPS = f"the runs fall into more than {MOST_GROUPS} groups"
VERDICTS = {True: "significantly different", False: "not significantly different", None: "not tested"}


def _closeness(pair: Any) -> tuple[bool, float, float]:
    """The order of pairs by their difference; those without one come last."""
    return pair.difference != pair.difference, abs(pair.difference), pair.p


class ComparedInPairs(StudyResult):
    """A result with pairs of runs in the order of the ranking, and with the groups of runs that do not differ."""

    runs: list[Any]
    pairs: list[Any]
    groups: list[list[str]] | None

    def pair_sheet(self, pairs: list[Any], title: str) -> Sheet:
        """Some pairs as a table; a study implements this."""
        raise NotImplementedError

    @property
    def leaders(self) -> list[Any]:
        """The run with the highest value, or several; a study implements this."""
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


@dataclass(frozen=True)
class Standing:
    """The other runs by how they compare with one run."""

    better: list[str]
    """Significantly better on the units on which both were scored."""
    worse: list[str]
    alike: list[str]
    """Not significantly different."""
    untested: list[str]


def standing(result: ComparedInPairs, run: str) -> Standing:
    """How the other runs compare with one."""
    made = Standing([], [], [], [])
    for pair in result.pairs:
        if run in (pair.a, pair.b):
            other, ahead = (pair.b, pair.difference) if pair.a == run else (pair.a, -pair.difference)
            if pair.different is None:
                made.untested.append(other)
            elif pair.different:
                (made.worse if ahead > 0 else made.better).append(other)
            else:
                made.alike.append(other)
    return made


def said_of_two(pair: Any) -> str:
    """Whether one of two runs is significantly better."""
    if not pair.different:
        return f"{marked(pair.a)} and {marked(pair.b)} are not significantly different"
    better, worse = (pair.a, pair.b) if pair.difference > 0 else (pair.b, pair.a)
    return f"{marked(better)} is significantly better than {marked(worse)}"


def highest(result: ComparedInPairs, measure: str, value: str) -> Finding:
    """Which run has the highest value of a measure, the value as text, and how the others compare."""
    runs = [row.run for row in result.leaders]
    above = any(row.value > result.leaders[0].value + DISPLAY_TOLERANCE for row in result.runs)
    only = "Of the runs that were tested, " if above else ""
    verb = "has" if len(runs) == 1 else "share"
    text = f"{only}{some_of(all_marked(runs))} {verb} the highest {measure} ({value})"
    if len(runs) > 1:
        return Finding(f"{text}.", runs)
    others = standing(result, runs[0])
    if others.better:
        are = "is" if len(others.better) == 1 else "are"
        better = (
            f"{some_of(all_marked(others.better))} {are} significantly better on the units that both were scored on"
        )
        return Finding(f"{text}, but {better}.", [*runs, *others.better])
    tested = " that it was tested against" if others.untested else ""
    if not others.alike:
        return Finding(f"{text}; its lead over every other run{tested} is significant.", runs)
    if not others.worse:
        return Finding(f"{text}, but its lead over the other runs{tested} is not statistically significant.", runs)
    over = f"its lead over {any_of(others.alike)} is not statistically significant"
    return Finding(f"{text}, but {over}.", [*runs, *others.alike])


def any_of(names: Sequence[str], most: int = 5) -> str:
    """Several runs in a sentence; of many, the first and how many more: a, b or c."""
    names = all_marked(names)
    more = len(names) - most
    return some_of(names, most) if more > 0 or len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def ranked_dots(result: ComparedInPairs, measure: str, unit: str, alone: str, rule: float | None = None) -> Dots:
    """Each run's value and its interval, and lines through runs that do not differ; `alone` is the caption without."""
    rows = result.runs[:MOST_ROWS]
    groups = _joined(result.groups or [], [row.run for row in rows])
    return Dots(
        title=f"{begun(measure)} and {result.percent} CI",
        note=noted(f"{result.percent} CIs", KNOTS if groups else "", of_all(rows, len(result.runs))),
        labels=tuple(row.run for row in rows),
        series=(Series(measure, [row.value for row in rows]),),
        intervals=tuple(Interval(*row.interval) for row in rows),
        axis=measure,
        groups=groups,
        unit=unit,
        rule=rule,
        caption="" if groups else alone,
    )


def _joined(groups: list[list[str]], drawn: list[str]) -> tuple[tuple[int, ...], ...]:
    """The rows of each group among the runs drawn, without groups that are part of another."""
    place = {run: at for at, run in enumerate(drawn)}
    left = sorted((sorted(place[run] for run in group if run in place) for group in groups), key=len, reverse=True)
    kept: list[list[int]] = []
    for group in left:
        if len(group) > 1 and not any(set(group) <= set(larger) for larger in kept):
            kept.append(group)
    return tuple(map(tuple, sorted(kept)))
