"""Align types of targets: what a file says of each target, in their order or by id, with the series of questions."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

from karat.align.columns import Columns
from karat.data.questions import Questions, Series
from karat.errors import Problems


def set_target_types(questions: Questions, columns: Columns, problems: Problems) -> Questions:
    """The same questions with the kind of each series; a line that fits no series, or none for one, is a problem."""
    kinds: dict[str, str] = {}
    by_id = {series.id: series for series in questions.series}
    place = 0
    rows = zip(*(columns[name] for name in ("line", "id", "kind", "name")), strict=True)
    for row, (line, name, kind, target) in enumerate(rows):
        series = by_id.get(name or "")
        if kind and name is None:
            series = questions.series[place] if place < len(questions.series) else None
            place += 1
        if not kind or series is None or not _same(target, series) or series.id in kinds:
            told = f"{line!r} where target {series.target!r} stands" if series else f"{line!r}"
            columns.tell(problems, "target-type", told, row)
        if kind and series:
            problems.recognise(columns.file)
            kinds.setdefault(series.id, "ORG" if kind.upper().startswith("ORG") else kind.upper())
    if not problems.failed(columns.file):
        for series in questions.series:
            if series.id not in kinds:
                problems.add("target-type", f"no type of target {series.target!r}", file=columns.file)
    typed = tuple(replace(one, kind=kinds.get(one.id, one.kind)) for one in questions.series)
    return replace(questions, series=typed, beside=(*questions.beside, columns.source))


def _same(name: str, series: Series) -> bool:
    """Whether a line names the target it stands for; where it gives an id alone there is nothing to compare."""
    return not name or _plain(name) == _plain(series.target)


def _plain(name: str) -> str:
    """A name by which targets are the same: blanks and case aside, and `&amp;` taken as `&`, as XML escapes it."""
    return " ".join(unescape(name).split()).casefold()
