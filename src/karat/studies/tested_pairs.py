"""Results in which runs are tested in pairs: which pairs tables show, and who leads, in short and by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from karat.arrays import DISPLAY_TOLERANCE
from karat.data.charts import Dots, Interval, Series
from karat.data.composite import Board, Entry
from karat.data.result import Finding, Sheet, all_marked, marked
from karat.statistics.multiple_testing import MOST_GROUPS
from karat.studies.base import StudyResult
from karat.studies.wording import MOST_NAMED, MOST_ROWS, begun, in_points, listed, noted, of_all, some_of

FEW_PAIRS, MOST_PAIRS_SHOWN = 6, 45
"""So few pairs are all shown; of more main pairs than the second number, the closest are."""
SHARED_LETTER = "runs that share one are not significantly different"
KNOTS = "runs with knots on the same line are not significantly different"
MOST_LETTERS = 9
"""Beyond so many groups, ranges of ranks are easier to read than letters."""
TOO_MANY_GROUPS = f"the runs fall into more than {MOST_GROUPS} groups"
SHARED = "on the units that both were scored on"
NEXT = "the next run"
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


def said_of_two(pair: Any) -> str:
    """Whether one of two runs is significantly better."""
    if not pair.different:
        return f"{marked(pair.a)} and {marked(pair.b)} are not significantly different"
    better, worse = (pair.a, pair.b) if pair.difference > 0 else (pair.b, pair.a)
    return f"{marked(better)} is significantly better than {marked(worse)}"


def highest(board: Board, measure: str, value: str) -> Finding:
    """Which run has the highest value of a measure, the value as text, and how the others compare, by name."""
    runs = [*board.leaders]
    above = any(one.value > board.first.value + DISPLAY_TOLERANCE for one in board.entries)
    only = "Of the runs that were tested, " if above else ""
    verb = "has" if len(runs) == 1 else "share"
    text = f"{only}{some_of(all_marked(runs))} {verb} the highest {measure} ({value})"
    if len(runs) > 1:
        return Finding(f"{text}.", runs)
    if board.better:
        are = "is" if len(board.better) == 1 else "are"
        better = f"{some_of(all_marked(board.better))} {are} significantly better {SHARED}"
        return Finding(f"{text}, but {better}.", [*runs, *board.better])
    tested = " that it was tested against" if any(one.different is None for one in board.others) else ""
    alike = [one.run for one in board.others if one.different is False]
    if not alike:
        return Finding(f"{text}; its lead over every other run{tested} is significant.", runs)
    if not any(one.different for one in board.others):
        return Finding(f"{text}, but its lead over the other runs{tested} is not statistically significant.", runs)
    return Finding(f"{text}, but its lead over {any_of(alike)} is not statistically significant.", [*runs, *alike])


def any_of(names: Sequence[str], most: int = 5) -> str:
    """Several runs in a sentence; of many, the first and how many more: a, b or c."""
    names = all_marked(names)
    more = len(names) - most
    return some_of(names, most) if more > 0 or len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def some(names: Sequence[str]) -> str:
    """A few names, or how many there are."""
    return listed(all_marked(names)) if len(names) <= MOST_NAMED else f"{len(names):,} runs"


def verdict(board: Board, where: str = "") -> Finding:
    """Who scored highest, over how many others significantly so, and whether anything was beaten, in one sentence."""
    return Finding(where + _verdict(board), board.named)


def _verdict(board: Board) -> str:
    baseline = board.baseline
    if baseline is None or len(board.entries) == 1 or any(one.value >= baseline.value for one in board.entries):
        return _ranked(board)
    below = f"the best baseline, {baseline.name} ({board.said(baseline.value)})"
    runs = "both runs" if len(board.entries) == 2 else f"all {len(board.entries):,} runs"
    return f"{_ranked(board).removesuffix('.')}; {runs} score below {below}."


def _ranked(board: Board) -> str:
    """Who scored highest, and over how many others significantly so."""
    first, others = board.first, board.others
    only = "Of the runs that were tested, " if any(one.value > first.value for one in others) else ""
    name, value = some(board.leaders), board.said(first.value)
    if not others and len(board.leaders) == 1:
        low, high = first.interval
        ends = f" ({100 * board.level:g}% CI {board.said(low)} to {board.said(high)})" if low == low else ""
        against = f"; {board.baseline.name} scores {board.said(board.baseline.value)}" if board.baseline else ""
        return f"{name} scores {value}{ends}{against}."
    better = board.better
    if better:
        but = f"{some(better)} {'is' if len(better) == 1 else 'are'} significantly better {SHARED}"
        return f"{only}{marked(board.leaders[0])} scores highest ({value}), but {but}."
    if len(board.leaders) > 1:
        # A run that was left out, since there are too many, may well have the same value.
        among = only or (f"Of the {len(board.entries):,} runs that were compared, " if board.left_out else "")
        return f"{among}{name} tie for the highest {board.heading} ({value})."
    return f"{only}{name} {_against(board, value, others)}."


def _against(board: Board, value: str, others: list[Entry]) -> str:
    """How the leader compares with the others that it was tested against."""
    tested = [one for one in others if one.different is not None]
    alike = [one for one in tested if not one.different]
    if not tested:
        return f"scores highest ({value}), but was not tested against any other run"
    if len(others) == 1:
        outcome = "but the difference is not statistically significant" if alike else "a significant difference"
        return f"scores {value} and {marked(others[0].run)} {board.said(others[0].value)}, {outcome}{_ahead(alike)}"
    gap, behind = _gap(board, others[0])
    lead = f", {gap} ahead of {behind}" if gap else ""
    every, part, them = "all", f"{len(alike):,} of the", f"{len(tested):,} other runs"
    if board.left_out:
        them += " that were compared"
    if len(tested) < len(others):
        them = f"{len(tested):,} runs that it was tested against"
    if len(tested) == 1:
        every, part, them = "the only", "the only", "run that it was tested against"
    if len(tested) == 2 and len(alike) != 1:
        every, them = "both", them.removeprefix("2 ")
    if not alike:
        return f"scores highest ({value}){lead}{',' * bool(lead)} and is significantly better than {every} {them}"
    if len(alike) == 1 < len(tested):
        worse = [one.run for one in tested if one is not alike[0]]
        them = marked(worse[0]) if len(worse) == 1 else f"{len(worse):,} of the {them}"
        # If that one is the next run, how far ahead of it the leader is belongs to what is said of it.
        by = f" of {gap}" if behind == NEXT and alike[0] is others[0] else ""
        lead = "" if by else f"{lead}{',' * bool(lead)}"
        return (
            f"scores highest ({value}){lead} and is significantly better than {them}, but its lead{by} over "
            f"{marked(alike[0].run)} is not statistically significant{_ahead(alike)}"
        )
    not_significant = f"its lead over {part} {them} is not statistically significant"
    if len(alike) == len(tested) > 1:
        not_significant = f"its lead is not statistically significant over any of the {them}"
    if len(alike) == len(tested) == 2:
        not_significant = f"its lead over the two {them} is not statistically significant"
    return f"scores highest ({value}){lead}, but {not_significant}{_ahead(alike)}"


def _gap(board: Board, second: Entry) -> tuple[str, str]:
    """How far the leader is ahead, and of what; nothing if that is not the difference of the two values."""
    gap = board.first.value - second.value
    if not gap > DISPLAY_TOLERANCE or abs(gap + second.difference) > DISPLAY_TOLERANCE:
        return "", ""
    level = sum(abs(one.value - second.value) < DISPLAY_TOLERANCE for one in board.entries)
    return on_board(board, gap), NEXT if level == 1 else f"the next {level:,} runs, which tie"


def _ahead(alike: list[Entry]) -> str:
    """Runs that were scored on other units too can be ahead of the leader where both were scored."""
    ahead = [one.run for one in alike if one.difference > DISPLAY_TOLERANCE]
    return f", and {some(ahead)} {'is' if len(ahead) == 1 else 'are'} ahead of it {SHARED}" if ahead else ""


def on_board(board: Board, difference: float) -> str:
    """A difference in words, in the digits of the leaderboard; of percentages, in points."""
    return in_points(board.measure, difference, board.digits) if board.percent else board.text(difference)


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
