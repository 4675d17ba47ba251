"""What targets are: a line `#PERSON Fred Durst` for each series, in the order of the questions file.

So TREC 2004 gave them. A line may also begin with the id of its series, and the number sign may be missing. Names may
be escaped as in XML.
"""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

from karat.data.questions import Questions, Series
from karat.errors import Problems
from karat.formats.documents import Document

_KINDS = "PERSON|ORG(?:ANI[SZ]ATION)?|THING|EVENT"
_LINE = re.compile(rf"(?:(?P<id>\S+)\s+)??#?(?P<kind>{_KINDS})\b\s*(?P<name>.*)", re.IGNORECASE)


def set_target_types(questions: Questions, document: Document, problems: Problems) -> Questions:
    """The same questions with the kind of each series; a line that fits no series, or none for one, is a problem."""
    kinds: dict[str, str] = {}
    by_id = {series.id: series for series in questions.series}
    place = 0
    for number, line in enumerate(document.lines(problems) or [], 1):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.strip())
        series = by_id.get(match["id"] or "") if match else None
        if match and match["id"] is None:
            series = questions.series[place] if place < len(questions.series) else None
            place += 1
        if match is None or series is None or not _same(match["name"], series) or series.id in kinds:
            told = f"{line.strip()!r} where target {series.target!r} stands" if series else f"{line.strip()!r}"
            problems.add("target-type", told, file=document.name, line=number)
        if match and series:
            problems.recognise(document.name)
            kind = match["kind"].upper()
            kinds.setdefault(series.id, "ORG" if kind.startswith("ORG") else kind)
    if not problems.failed(document.name):
        for series in questions.series:
            if series.id not in kinds:
                problems.add("target-type", f"no type of target {series.target!r}", file=document.name)
    typed = tuple(replace(one, kind=kinds.get(one.id, one.kind)) for one in questions.series)
    return replace(questions, series=typed, beside=(*questions.beside, document.source))


def _same(name: str, series: Series) -> bool:
    """Whether a line names the target it stands for; where it gives an id alone there is nothing to compare."""
    return not name or _plain(name) == _plain(series.target)


def _plain(name: str) -> str:
    """A name by which targets are the same: blanks and case aside, and `&amp;` taken as `&`, as XML escapes it."""
    return " ".join(unescape(name).split()).casefold()
