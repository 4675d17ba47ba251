"""Every run by itself: what any section of a report says of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from karat.data.composite import Chapter, Portrait
from karat.studies.report.given import LEADING


def portraits(chapters: Sequence[Chapter]) -> Iterator[Portrait]:
    """The runs of one thing after another, in the order in which its sections name them."""
    by_subject = sorted(chapters, key=lambda one: [other.about for other in chapters].index(one.about))
    for about, group in groupby(by_subject, key=lambda one: one.about):
        results = [chapter.result for chapter in group]
        findings = list(dict.fromkeys(one for result in results for one in result.findings()))
        runs = list(dict.fromkeys(run for result in results for sheet in result.sheets() for run in sheet.runs))
        if len(runs) > LEADING:
            compared = {run for result in results if result.study == "compare" for run in result.sheets()[0].runs}
            runs = [run for run in runs if run in compared or not compared][:LEADING]
        for run in runs:
            named = tuple(one for one in findings if run in one.runs)
            yield Portrait(run, about, named, tuple(sheet for result in results for sheet in result.about(run)))
