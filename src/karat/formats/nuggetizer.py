"""JSON lines as the nuggetizer of TREC RAG writes them: the nuggets of a topic a line, or their assignments.

Nuggets have a text and an importance; in an assignment file each is also assigned to one run's answer. Other keys
(`mapped_sub_narrative`, `source`, `response_length` …) are read over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from karat.align.matches import MatchColumns
from karat.align.nuggets import NuggetColumns, nuggets_of
from karat.data.nuggets import Nuggets
from karat.errors import Problems
from karat.formats.documents import Document, Head
from karat.formats.registry import Fit, match_formats, nugget_formats
from karat.formats.rows import read_rows, text_of


def sniff_nuggets(head: Head) -> Fit:
    """Certain of a topic with its nuggets."""
    return Fit.CERTAIN if {"qid", "nuggets"} <= set(head.json_object) else Fit.NO


def sniff_assignments(head: Head) -> Fit:
    """Certain of nuggets beside an answer or a run, possible of nuggets alone."""
    if sniff_nuggets(head) is Fit.NO:
        return Fit.NO
    return Fit.CERTAIN if {"answer_text", "run_id", "assignment"} & set(head.json_object) else Fit.POSSIBLE


@nugget_formats.register("nuggetizer", sniff=sniff_nuggets, write=None, what="TREC RAG nuggets, JSON lines")
def read_nuggets(document: Document, against: None, problems: Problems) -> Nuggets | None:
    """Read the nuggets of every topic; they are numbered from 1."""
    del against
    topic, name, text, importance, lines = [], [], [], [], []
    topics = []
    met: dict[str, int | None] = {}
    for line, record, nuggets in _records(document, problems):
        qid = _text(record.get("qid"))
        _tell_again("", qid, qid in met, met.get(qid), document, line, problems)
        met.setdefault(qid, line)
        topics.append(qid)
        for number, nugget in enumerate(nuggets, 1):
            topic.append(qid)
            name.append(str(number))
            text.append(_text(nugget.get("text")))
            importance.append(_text(nugget.get("importance")))
            lines.append(line)
    if problems.failed(document.name):
        return None
    columns = NuggetColumns(document.name, document.source, topic, name, text, importance, lines, topics=topics)
    return nuggets_of(columns, problems)


@match_formats.register("nuggetizer", sniff=sniff_assignments, write=None, what="TREC RAG assignments, JSON lines")
def read_assignments(document: Document, against: Nuggets, problems: Problems) -> MatchColumns | None:
    """Read the nuggets of every topic with how they were assigned; without a `run_id` the file names the run."""
    del against
    run, topic, nugget, degree, importance, lines = [], [], [], [], [], []
    texts: dict[tuple[str, str], str | None] = {}
    met: dict[tuple[str, str], int | None] = {}
    for line, record, nuggets in _records(document, problems):
        qid, name = _text(record.get("qid")), _text(record.get("run_id")) or document.stem
        _tell_again(f" of run {name!r}", qid, (name, qid) in met, met.get((name, qid)), document, line, problems)
        met.setdefault((name, qid), line)
        texts[name, qid] = _answer(record.get("answer_text"))
        for one in nuggets:
            run.append(name)
            topic.append(qid)
            nugget.append(_text(one.get("text")))
            importance.append(_text(one.get("importance")))
            degree.append(_text(one.get("assignment")))
            lines.append(line)
    if not met and not problems.failed(document.name):
        problems.add("empty-file", "no topics", file=document.name, what="a topic with its nuggets a line")
    return MatchColumns(
        file=document.name,
        source=document.source,
        run=run,
        topic=topic,
        nugget=nugget,
        degree=degree,
        lines=lines,
        importance=importance,
        texts=texts,
    )


def _records(
    document: Document, problems: Problems
) -> Iterator[tuple[int | None, dict[str, Any], list[dict[str, Any]]]]:
    """Line, object and nuggets of every topic; what has no list of nuggets is a problem."""
    rows = read_rows(document, problems)
    if rows is None:
        return
    for place, line in enumerate(rows.lines):
        record = {key: values[place] for key, values in rows.columns.items()}
        nuggets = record.get("nuggets")
        if not _text(record.get("qid")) or not isinstance(nuggets, list) or not all(map(_is_object, nuggets)):
            found = f"a topic {_text(record.get('qid'))!r} with nuggets {_text(nuggets)[:60]!r}"
            what = "a `qid` and `nuggets`, a list of objects with text and importance"
            problems.add("columns", found, file=document.name, line=line, what=what)
            continue
        yield line, record, nuggets


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _tell_again(
    whose: str, qid: str, again: bool, first: int | None, document: Document, line: int | None, problems: Problems
) -> None:
    if again:
        found = f"topic {qid!r}{whose} again (first in line {first})"
        problems.add("duplicate-id", found, file=document.name, line=line)


def _text(value: object) -> str:
    return (text_of(value) or "").strip()


def _answer(value: object) -> str | None:
    """What a run answered, whole or sentence by sentence."""
    if isinstance(value, list):
        return " ".join(_text(one.get("text") if isinstance(one, dict) else one) for one in value)
    return text_of(value)
