"""Every run by itself: what any section of a report says of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from karat.data.composite import Chapter, Portrait
from karat.studies.report.given import LEADING

SHORT = 3
"""Shorter names than this are words too, and are not looked for in sentences."""


def portraits(chapters: Sequence[Chapter]) -> Iterator[Portrait]:
    """The runs of one thing after another, in the order in which its sections name them."""
    by_subject = sorted(chapters, key=lambda one: [other.about for other in chapters].index(one.about))
    for about, group in groupby(by_subject, key=lambda one: one.about):
        results = [chapter.result for chapter in group]
        sentences = list(dict.fromkeys(sentence for result in results for sentence in result.findings()))
        runs = list(dict.fromkeys(run for result in results for sheet in result.sheets() for run in sheet.runs))
        if len(runs) > LEADING:
            compared = {run for result in results if result.study == "compare" for run in result.sheets()[0].runs}
            runs = [run for run in runs if run in compared or not compared][:LEADING]
        for run in runs:
            # Names go on after any sign but these: base+x and base.v2 are other runs.
            whole_name = re.compile(rf"(?<![^\s(,;:]){re.escape(run)}(?=[\s,;:)]|'s|\*|\.(\s|$)|$)")
            named = [sentence for sentence in sentences if len(run) >= SHORT and whole_name.search(sentence)]
            yield Portrait(run, about, tuple(named), tuple(sheet for result in results for sheet in result.about(run)))
