"""JSON lines written by the nuggetizer of TREC RAG: one line per topic with its nuggets or their assignments.

Nuggets have a text and an importance; in an assignment file each also has an assignment to the answer of one run. A
line with the key `assessor` is the list of that assessor, and a nugget with the keys `id` and `weight` has that name
and pyramid weight; these are karat's own, and the nuggetizer ignores them. A nugget may be a question with the answers
that are accepted, `question` and `answers`. Other keys of nuggets (`mapped_sub_narrative`, `source` …), and the `query`
of a topic, are attributes of the nuggets; other keys of topics (`response_length` …) are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from karat.align.columns import Columns, cell_text, seen_before, text_of
from karat.data.nuggets import (
    CONTRADICTED,
    DEGREES,
    IMPORTANCES,
    NEITHER,
    NOT_JUDGED,
    UNKNOWN_DEGREE,
    Matches,
    Nuggets,
)
from karat.errors import Problems, UsageError
from karat.formats.documents import Document
from karat.formats.registry import match_formats, nugget_formats
from karat.formats.rows import read_rows
from karat.formats.sniffing import Fit, best_of, has_keys

NUGGETS = (("qid",), ("nuggets",))
"""The keys of a topic with its nuggets."""
ASSIGNED = ("answer_text", "run_id", "assignment")
"""Keys of a line about the answer of a run; without them, nuggets are only possibly assignments."""


OWN = ("id", "text", "importance", "assignment", "weight", "qid", "nugget", "assessor")
"""The keys of a nugget that are not attributes, or cannot be in a table."""
BAR = " | "
"""What stands between several accepted answers in one cell."""


def write_nuggets(nuggets: Nuggets) -> bytes:
    """One line per topic and assessor; a nugget is named where its number is not its name."""
    lists: dict[tuple[int, str], list[int]] = {}
    for place, key in enumerate(zip(nuggets.topic.tolist(), nuggets.assessor, strict=True)):
        lists.setdefault(key, []).append(place)
    empty = [(topic, "") for topic in np.flatnonzero(~nuggets.listed).tolist()]
    made = []
    for topic, who in sorted([*lists, *empty], key=lambda key: key[0]):
        places = lists.get((topic, who), [])
        listed = [_nugget(nuggets, place, number) for number, place in enumerate(places, 1)]
        made.append((_topic(nuggets, topic, places), who, listed))
    return write_topics(made)


def _topic(nuggets: Nuggets, topic: int, places: Sequence[int]) -> dict[str, Any]:
    """What is said of a topic: its query, if the nuggets have it, and its id."""
    asked = next((query for place in places if (query := nuggets.attributes.get("query", {place: None})[place])), None)
    return ({} if asked is None else {"query": asked}) | {"qid": nuggets.units[topic]}


def _nugget(nuggets: Nuggets, place: int, number: int) -> dict[str, Any]:
    name = nuggets.names[place]
    made: dict[str, Any] = {} if name == str(number) else {"id": name}
    made |= {"text": nuggets.texts[place], "importance": nuggets.spelled[place]}
    if nuggets.weights is not None:
        made["weight"] = float(nuggets.weights[place])
    said: dict[str, Any] = {
        key: values[place] for key, values in nuggets.attributes.items() if key != "query" and values[place]
    }
    if "answers" in said:
        said["answers"] = said["answers"].split(BAR)
    return made | said


@nugget_formats.register(
    "nuggetizer", sniff=has_keys(*NUGGETS), write=write_nuggets, what="TREC RAG nuggets, JSON lines"
)
def read_nuggets(document: Document, _: object, problems: Problems) -> Columns | None:
    """Read the nuggets of every topic, each with its id, or else its number from 1."""
    met: dict[tuple[str, str], int | None] = {}
    rows: list[tuple[int | None, str, str, str, str, str, str]] = []
    said: list[dict[str, str]] = []
    for line, record, nuggets in records_in(document, problems):
        qid, who = cell_text(record.get("qid")), cell_text(record.get("assessor"))
        if (first := seen_before(met, (qid, who), line)) is not None:
            problems.add("duplicate-id", f"topic {qid!r} again{first}", file=document.name, line=line)
        for number, one in enumerate(nuggets, 1):
            name, importance, weight = (cell_text(one.get(key)) for key in ("id", "importance", "weight"))
            rows.append((line, qid, name or str(number), who, text_in(one), importance, weight))
            said.append({"query": cell_text(record.get("query"))} | attributes_in(one))
    if problems.failed(document.name):
        return None
    topics = list(dict.fromkeys(qid for qid, _ in met))
    columns = ("topic", "name", "assessor", "text", "importance", "weight")
    return Columns.of_rows(document.source, columns, rows, topics=topics, attributes=by_name(said))


def by_name(said: Sequence[Mapping[str, str]]) -> dict[str, list[str]]:
    """Attributes by their names, each with a value for every nugget; empty if it has none."""
    return {name: [one.get(name, "") for one in said] for name in dict.fromkeys(name for one in said for name in one)}


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


def write_assignments(matches: Matches) -> bytes:
    """One line per run and topic, with every nugget that the run was judged on; labels without a meaning are kept."""
    nuggets = matches.nuggets
    if len(nuggets.assessors) > 1:
        who = ", ".join(nuggets.assessors)
        raise UsageError(f"assignments are to the list of one assessor: choose one of {who} with matches.of(NAME)")
    junk: dict[tuple[str, ...], list[str]] = {}
    for one in matches.junk:
        junk.setdefault((one.run, one.topic, " ".join(one.nugget.split()), one.what), []).append(one.label)
    ends = nuggets.ends.tolist()
    made = []
    for at, run in enumerate(matches.runs):
        for topic in np.flatnonzero(matches.answered[at]).tolist():
            places = range(ends[topic - 1] if topic else 0, ends[topic])
            text = matches.texts[at][topic] if matches.texts else None
            said = _topic(nuggets, topic, places) | {"run_id": run} | ({} if text is None else {"answer_text": text})
            listed = []
            for place in places:
                kind, degree = int(matches.importance[at, place]), int(matches.degree[at, place])
                if kind == NOT_JUDGED:
                    continue
                key = run, nuggets.units[topic], " ".join(nuggets.texts[place].split())
                contrary = matches.contradicted is not None and bool(matches.contradicted[at, place])
                importance = junk[*key, "importance"].pop(0) if kind == NEITHER else IMPORTANCES[kind]
                label = junk[*key, "assignment"].pop(0) if degree == UNKNOWN_DEGREE else DEGREES[degree]
                assigned = CONTRADICTED if contrary else label
                listed.append({"text": nuggets.texts[place], "importance": importance, "assignment": assigned})
            made.append((said, "", listed))
    return write_topics(made)


@match_formats.register(
    "nuggetizer",
    sniff=best_of(has_keys(*NUGGETS, ASSIGNED), has_keys(*NUGGETS, fit=Fit.POSSIBLE)),
    write=write_assignments,
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
            importance, degree = (cell_text(one.get(key)) for key in ("importance", "assignment"))
            rows.append((line, name, qid, text_in(one), importance, degree))
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
    """The text of a nugget; that of a question is followed by the answers that are accepted."""
    if "question" not in nugget:
        return cell_text(nugget.get("text"))
    return f"{cell_text(nugget['question'])} {BAR.join(answers_in(nugget))}".strip()


def answers_in(nugget: dict[str, Any]) -> list[str]:
    """The accepted answers to a question: a list or an object of texts, or of objects with the text under `answer`."""
    found = nugget.get("answers") or []
    some = found.values() if isinstance(found, dict) else found if isinstance(found, list) else [found]
    return [text for one in some if (text := cell_text(one.get("answer") if isinstance(one, dict) else one))]


def attributes_in(nugget: dict[str, Any]) -> dict[str, str]:
    """What else is said of a nugget; objects inside it are not kept."""
    said = {key: cell_text(value) for key, value in nugget.items() if key not in OWN and not isinstance(value, dict)}
    return said | {"answers": BAR.join(answers_in(nugget))} if "answers" in nugget else said


def _answer(value: object) -> str | None:
    """The answer of a run, given as a whole or in sentences."""
    if isinstance(value, list):
        return " ".join(cell_text(one.get("text") if isinstance(one, dict) else one) for one in value)
    return text_of(value)
