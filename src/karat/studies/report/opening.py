"""The first screen of a report: facts, the verdict, what the test set can resolve, grades, and the leaderboard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from karat.arrays import DISPLAY_TOLERANCE
from karat.data.board import Baseline, Board, Entry, Graded, Opening, View
from karat.data.result import Finding, Findings
from karat.errors import NotApplicable, UsageError
from karat.labels import THREE, TWO
from karat.studies.base import StudyResult
from karat.studies.compare.result import Comparison
from karat.studies.compare.study import compare
from karat.studies.report import grades
from karat.studies.report.evidence import LEADING, Evidence
from karat.studies.report.needed import needed_units
from karat.studies.report.result import Report
from karat.studies.score.result import Evaluation
from karat.studies.size.result import Size
from karat.studies.size.study import size
from karat.studies.wording import listed

MOST_UNITS_TOLD = 1_000_000
"""Larger numbers of units are only said to be larger."""
MOST_NAMED = 3
"""The most runs that a sentence names."""
WORDS = {"2": "two-way", "3": "three-way"}
Made = Mapping[str, Any]
"""The results of the sections, by name."""


def opening(evidence: Evidence, made: Made) -> Opening:
    """The first screen; without runs it has only facts and grades."""
    views = list(_views(evidence, made))
    flags = _flags(made.values())
    views = [replace(view, board=view.board.flagged(flags)) for view in views]
    return Opening(tuple(_facts(evidence, made, views)), tuple(views), tuple(_grades(made)))


def _views(evidence: Evidence, made: Made) -> Iterator[View]:
    """The runs as they are compared in the report; if they can also be scored the other way, that way too."""
    compared = made.get("compare")
    if compared is not None:
        yield from _view(evidence, made, compared, made.get("size"))
        yield from _other_way(evidence, made, compared)
    elif "score" in made:
        yield from _untested(evidence, made["score"])
    else:
        other = made.get("qa-compare") or made.get("nuggets-compare")
        yield from _view(evidence, made, other, None) if other is not None else ()


def _other_way(evidence: Evidence, made: Made, compared: Comparison) -> Iterator[View]:
    runs = evidence.leading
    way = {"2": THREE, "3": TWO}.get(compared.way or "")
    if runs is None or way is None or evidence.asked.way in ("2", "3") or runs.allows(way).sum() < 2:
        return
    scored = runs.of_runs(runs.allows(way).nonzero()[0].tolist())
    asked = {"way": way.name, "seed": evidence.asked.seed}
    try:
        again, sized = compare(scored, **asked), size(scored, **asked)
    except (UsageError, NotApplicable):
        return
    yield from _view(evidence, made, again, sized)


def _view(evidence: Evidence, made: Made, compared: Comparison, sized: Size | None) -> Iterator[View]:
    """One view; none if no run was tested."""
    board = compared.board()
    if board is None:
        return
    if "score" in made and compared.way is not None:
        board = replace(board, unit="pair", baseline=_baseline(made["score"], compared.way, compared.measure))
    yield View(verdict(board), " ".join(_resolution(evidence, compared, sized, board)), board)


def _untested(evidence: Evidence, scored: Evaluation) -> Iterator[View]:
    """Runs that are not compared with each other: one alone, or several if the comparison is left out."""
    for way in sorted(scored.shown, key=lambda name: name != evidence.way.name):
        rows = [row for row in scored.systems(way)[: len(scored.runs)] if row.values[way]]
        entries = [
            Entry(row.run, (1, len(rows)), row.value(way, "accuracy") or 0.0,
                  (row.intervals[way] or {})["accuracy"], 0.0, None)
            for row in rows
        ]  # fmt: skip
        leaders = tuple(one.run for one in entries if one.value >= entries[0].value - DISPLAY_TOLERANCE)
        units, baseline = scored.key.units, _baseline(scored, way, "accuracy")
        if entries:
            board = Board("accuracy", way, units, "pair", 0.95, "", leaders, tuple(entries), baseline)
            yield View(verdict(board), "", board)


def verdict(board: Board) -> str:
    """Who scored highest, and over how many others significantly so, in one sentence."""
    first = next(one for one in board.entries if one.run in board.leaders)
    others = [one for one in board.entries if one.run not in board.leaders]
    name = listed(list(board.leaders))
    value = board.said(first.value)
    if not others and len(board.leaders) == 1:
        low, high = first.interval
        against = f"; {board.baseline.name} scores {board.said(board.baseline.value)}" if board.baseline else ""
        return f"{name} scores {value} (95% CI {board.said(low)} to {board.said(high)}){against}."
    if len(board.leaders) > 1:
        return f"{name} tie for the highest {board.heading} ({value})."
    better = [one.run for one in others if one.different and one.difference > 0]
    if better:
        on = "on the units that both were scored on"
        is_better = "is" if len(better) == 1 else "are"
        return f"{name} scores highest ({value}), but {_some(better)} {is_better} significantly better {on}."
    tested = [one for one in others if one.different is not None]
    alike = sum(not one.different for one in tested)
    if not tested:
        return f"{name} scores highest ({value}), but was not tested against any other run."
    if len(others) == 1:
        outcome = "but the difference is not statistically significant" if alike else "a significant difference"
        return f"{name} scores {value} and {others[0].run} {board.said(others[0].value)}, {outcome}."
    them = f"{len(tested)} other runs"
    if len(tested) < len(others):
        them = (
            "run that it was tested against" if len(tested) == 1 else f"{len(tested)} runs that it was tested against"
        )
    if not alike:
        return (
            f"{name} scores highest ({value}), significantly above {'all' if len(tested) > 1 else 'the only'} {them}."
        )
    of_them = "the only" if len(tested) == 1 else f"{'all' if alike == len(tested) else alike} of the"
    return f"{name} scores highest ({value}), but its lead over {of_them} {them} is not statistically significant."


def _some(names: Sequence[str]) -> str:
    return listed(list(names)) if len(names) <= MOST_NAMED else f"{len(names)} runs"


def _resolution(evidence: Evidence, compared: Comparison, sized: Size | None, board: Board) -> Iterable[str]:
    """The smallest difference that is found reliably, and what it would take to confirm the lead."""
    if sized is not None:
        found = next((one for one in sized.detectables if one.way == compared.way), sized.detectables[0])
        of_all, alone = found.corrected, found.difference
        if of_all == of_all:
            planned, pair = "", "two such runs"
            if sized.pairs > 1:
                planned = f" ({_points(board, alone)} in one planned comparison)"
                pair = f"two of these {len(sized.runs)} runs that disagree as much as the median pair"
            yield (
                f"{sized.in_units(found.units).replace('unit', board.unit)} are enough to find a difference of "
                f"{_points(board, of_all)} with {sized.power:.0%} power between {pair}{planned}."
            )
    if len(board.leaders) > 1 or len(board.entries) < 2:
        return
    second = next(one for one in board.entries if one.run not in board.leaders)
    if second.different is not False or second.difference >= -DISPLAY_TOLERANCE:
        return
    yield f"{board.leaders[0]} leads {second.run} by {_points(board, -second.difference)}."
    units = needed_units(evidence, compared, board.leaders[0], second.run)
    if units is not None:
        many, alone_units = units
        planned = f" ({_about(alone_units)} in one planned comparison)" if len(compared.pairs) > 1 else ""
        yield f"If that gap is real, confirming it would take about {_about(many)} {board.unit}s{planned}."


def _points(board: Board, difference: float) -> str:
    """A difference in words: of percentages, in points."""
    if not board.percent:
        return board.text(difference)
    number = f"{100 * difference:.1f}"
    return f"{number} point{'s' * (number != '1.0')}"


def _about(units: int) -> str:
    """A number of units to one significant digit, which is all it is worth."""
    return f"more than {MOST_UNITS_TOLD:,}" if units > MOST_UNITS_TOLD else f"{float(f'{units:.1g}'):,.0f}"


def _baseline(scored: Evaluation, way: str, measure: str) -> Baseline | None:
    """The best baseline; among equals the first, which is a constant answer."""
    found = [(row.run, row.value(way, measure)) for row in scored.baselines]
    known = [(run, value) for run, value in found if value is not None and value == value]
    if not known or scored.own_weights:
        return None
    return Baseline(*max(known, key=lambda one: round(one[1], 9)))


def _flags(results: Iterable[StudyResult]) -> dict[str, tuple[str, ...]]:
    """The flags that findings give to runs."""
    flags: dict[str, list[str]] = {}
    for result in results:
        for finding in result.findings():
            for run in finding.runs if finding.flag else ():
                flags.setdefault(run, []).append(finding.flag)
    return {run: tuple(dict.fromkeys(several)) for run, several in flags.items()}


def _facts(evidence: Evidence, made: Made, views: Sequence[View]) -> Iterator[str]:
    """What was evaluated, on what, and by which measure."""
    scored = made.get("score")
    if scored is not None:
        labels = {label.lower().replace("_", " "): count for label, count in scored.key.labels.items() if count}
        mix = " · ".join(f"{count:,} {label}" for label, count in labels.items())
        yield f"{scored.key.units:,} pairs ({mix})"
    elif views:
        yield f"{views[0].board.units:,} {views[0].board.unit}s"
    if views:
        board = views[0].board
        runs = evidence.number_of_runs("pairs") if evidence.runs is not None else len(board.entries)
        compared = f" (the {LEADING} with the highest scores are compared)" if runs > LEADING else ""
        yield f"{runs:,} run{'s' * (runs != 1)}{compared}"
        way = f"{WORDS[board.way]} " if board.way else ""
        yield f"{way}{board.heading}{_why(evidence, board)}"


def _why(evidence: Evidence, board: Board) -> str:
    """Why the runs are scored in this way."""
    runs = evidence.responses
    if runs is None or board.way is None:
        return ""
    if evidence.asked.way in ("2", "3"):
        return ", as asked"
    if board.way == "3":
        return ", since the key and every run have three labels"
    if runs.key.way is not THREE:
        return ", since the key has two labels"
    two_way = [name for name, three in zip(runs.names, runs.allows(THREE), strict=True) if not three]
    return f", since {_some(two_way)} {'has' if len(two_way) == 1 else 'have'} no third label"


def _grades(made: Made) -> Iterator[Graded]:
    """The grades that the sections allow; pairs whose key was not examined say so."""
    compared, sized, varied, agreed, other_keys, judged = (
        made.get(name) for name in ("compare", "size", "sensitivity", "agree", "keys", "judge")
    )
    if grade := grades.test_set(compared, sized):
        yield Graded("size" if sized else "compare", grade)
    if grade := grades.ranking(varied):
        yield Graded("sensitivity", grade)
    if agreed is not None or "score" in made:
        yield Graded("agree" if agreed else "score", grades.key(agreed, other_keys))
    for grade in grades.judge(judged):
        yield Graded("judge", grade)


def leading(report: Report) -> Iterable[Finding]:
    """Which sections are limited to the leading runs."""
    for note, group in groupby((one for one in report.sections if one.note), key=lambda one: one.note):
        names = ", ".join(one.name for one in group)
        yield Finding(f"{note.removesuffix('.')} are compared with each other and shown one by one ({names}).")


def first_screen(report: Report) -> Iterable[Finding]:
    """The verdict, and what the test set can resolve."""
    for view in report.opening.views[:1]:
        yield Finding(view.verdict, view.board.named)
        if view.resolution:
            yield Finding(view.resolution, view.board.named)


def others(report: Report) -> Iterable[Finding]:
    """The verdicts on questions and on generated answers, if the first screen is about something else."""
    first = [view.board for view in report.opening.views]
    for name, where in (("qa-compare", "On the questions, "), ("nuggets-compare", "By nuggets, ")):
        compared = report.of(name)
        board = compared.board() if isinstance(compared, Comparison) else None
        if board is not None and all(one.measure != board.measure for one in first):
            yield Finding(where + verdict(board), board.named)


def of_scores(report: Report) -> Iterable[Finding]:
    """What `score` says first about single runs, such as labels that contradict their ranking."""
    scored = report.of("score")
    if scored is not None:
        yield from scored.headlines()


FINDINGS: Findings = (leading, first_screen, others, of_scores)
