"""What the sections of a report say together, which none of them can say alone."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from karat.data.result import Finding, Findings
from karat.studies.compare.result import Comparison
from karat.studies.report.opening import verdict
from karat.studies.report.result import Report


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
