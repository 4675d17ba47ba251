"""JSON lines written by the nuggetizer of TREC RAG: one line per topic with its nuggets or their assignments.

Nuggets have a text and an importance; in an assignment file each also has an assignment to the answer of one run. A
line with the key `assessor` is the list of that assessor, and a nugget with the key `id` has that name; these two are
karat's own, and the nuggetizer ignores them. Other keys (`mapped_sub_narrative`, `source`,
`response_length` …) are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from karat.align.columns import Columns, cell_text, seen_before, text_of
from karat.errors import Problems
from karat.formats.documents import Document
from karat.formats.registry import Fit, best_of, has_keys, match_formats, nugget_formats
from karat.formats.rows import read_rows

NUGGETS = (("qid",), ("nuggets",))
"""The keys of a topic with its nuggets."""
ASSIGNED = ("answer_text", "run_id", "assignment")
"""Keys of a line about the answer of a run; without them, nuggets are only possibly assignments."""


@nugget_formats.register("nuggetizer", sniff=has_keys(*NUGGETS), what="TREC RAG nuggets, JSON lines")
def read_nuggets(document: Document, _: object, problems: Problems) -> Columns | None:
    """Read the nuggets of every topic, each with its id, or else its number from 1."""
    met: dict[tuple[str, str], int | None] = {}
    rows: list[tuple[int | None, str, str, str, str, str]] = []
    for line, record, nuggets in records_in(document, problems):
        qid, who = cell_text(record.get("qid")), cell_text(record.get("assessor"))
        if (first := seen_before(met, (qid, who), line)) is not None:
            problems.add("duplicate-id", f"topic {qid!r} again{first}", file=document.name, line=line)
        for number, one in enumerate(nuggets, 1):
            name, text, importance = (cell_text(one.get(key)) for key in ("id", "text", "importance"))
            rows.append((line, qid, name or str(number), who, text, importance))
    if problems.failed(document.name):
        return None
    columns, topics = ("topic", "name", "assessor", "text", "importance"), list(dict.fromkeys(qid for qid, _ in met))
    return Columns.of_rows(document.source, columns, rows, topics=topics)


def topics_in(raw: bytes) -> dict[str, dict[str, Any]]:
    """The first line about each topic as it is, with keys that karat does not use; none of a file of another format."""
    found: dict[str, dict[str, Any]] = {}
    for line in raw.decode("utf-8-sig", errors="replace").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and isinstance(record.get("nuggets"), list):
            found.setdefault(cell_text(record.get("qid")), record)
    return found


def write_topics(topics: Iterable[tuple[dict[str, Any], str, list[dict[str, Any]]]]) -> bytes:
    """JSON lines from lists of nuggets: a topic with its keys, the assessor, and the nuggets."""
    lines = []
    for topic, who, nuggets in topics:
        record = topic | {"nuggets": nuggets} | ({"assessor": who} if who else {})
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    return "".join(lines).encode()


@match_formats.register(
    "nuggetizer",
    sniff=best_of(has_keys(*NUGGETS, ASSIGNED), has_keys(*NUGGETS, fit=Fit.POSSIBLE)),
    what="TREC RAG assignments, JSON lines",
)
def read_assignments(document: Document, _: object, problems: Problems) -> Columns | None:
    """Read the assignments of every topic; without a `run_id`, the run has the name of the file."""
    met: dict[tuple[str, str], int | None] = {}
    texts: dict[tuple[str, str], str | None] = {}
    rows: list[tuple[int | None, str, str, str, str, str]] = []
    for line, record, nuggets in records_in(document, problems):
        qid, name = cell_text(record.get("qid")), cell_text(record.get("run_id")) or document.source.stem
        if (first := seen_before(met, (name, qid), line)) is not None:
            found = f"topic {qid!r} of run {name!r} again{first}"
            problems.add("duplicate-id", found, file=document.name, line=line)
        texts[name, qid] = _answer(record.get("answer_text"))
        for one in nuggets:
            text, importance, degree = (cell_text(one.get(key)) for key in ("text", "importance", "assignment"))
            rows.append((line, name, qid, text, importance, degree))
    if not met and not problems.failed(document.name):
        problems.add("empty-file", "no topics", file=document.name, what="a topic with its nuggets a line")
    return Columns.of_rows(document.source, ("run", "topic", "nugget", "importance", "degree"), rows, texts=texts)


def records_in(
    document: Document, problems: Problems
) -> Iterator[tuple[int | None, dict[str, Any], list[dict[str, Any]]]]:
    """Line, object and nuggets of every topic; lines without a list of nuggets are reported."""
    rows = read_rows(document, problems)
    if rows is None:
        return
    for place, line in enumerate(rows.lines):
        record = {key: values[place] for key, values in rows.values.items()}
        nuggets = record.get("nuggets")
        if (
            not cell_text(record.get("qid"))
            or not isinstance(nuggets, list)
            or not all(isinstance(one, dict) for one in nuggets)
        ):
            found = f"a topic {cell_text(record.get('qid'))!r} with nuggets {cell_text(nuggets)[:60]!r}"
            what = "a `qid` and `nuggets`, a list of objects with text and importance"
            problems.add("columns", found, file=document.name, line=line, what=what)
            continue
        yield line, record, nuggets


def text_in(nugget: dict[str, Any]) -> str:
    """The text of a nugget."""
    return cell_text(nugget.get("text"))


def _answer(value: object) -> str | None:
    """The answer of a run, given as a whole or in sentences."""
    if isinstance(value, list):
        return " ".join(cell_text(one.get("text") if isinstance(one, dict) else one) for one in value)
    return text_of(value)
