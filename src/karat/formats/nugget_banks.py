"""Nugget banks of AutoJudge and RAGTIME: one JSON object per topic, whose nuggets are questions or claims.

A question has the answers that are accepted. Banks are objects or lists of nuggets; the topic is `query_id`, or
`metadata.topic_id` in RAGTIME 2026. Most banks do not say which nuggets are vital: all of them are then.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from karat.align.columns import Columns, cell_text, seen_before, within
from karat.errors import Problems, counted
from karat.formats.documents import Document
from karat.formats.nuggetizer import answers_in, by_name, text_in
from karat.formats.registry import nugget_formats
from karat.formats.rows import read_rows
from karat.formats.sniffing import has_keys

BANKS = ("nugget_bank", "claim_bank")
KEPT = ("question", "aggregator_type")
"""The keys of a nugget that are attributes, beside its answers."""


@nugget_formats.register(
    "bank", sniff=has_keys(BANKS), what="nugget banks of AutoJudge and RAGTIME, questions with answers, or claims: JSON"
)
def read(document: Document, _: object, problems: Problems) -> Columns | None:
    """Read the questions and claims of every topic; a nugget has its id, or else its number from 1."""
    rows: list[tuple[int | None, str, str, str, str]] = []
    said: list[dict[str, str]] = []
    met: dict[str, int | None] = {}
    for line, record in _records(document, problems):
        qid = cell_text(record.get("query_id")) or cell_text(within(record.get("metadata"), ["topic_id"]))
        if (first := seen_before(met, qid, line)) is not None:
            problems.add("duplicate-id", f"topic {qid!r} again{first}", file=document.name, line=line)
        for number, one in enumerate(_nuggets(record), 1):
            name, text = _identified(one) or str(number), text_in(one) or cell_text(one.get("claim"))
            if one.get("sub_nuggets"):
                found = f"nugget {name!r} of topic {qid!r} with {counted(len(one['sub_nuggets']), 'nugget')} inside it"
                what, fix = "nuggets without others inside them", "write the inner ones beside it"
                problems.add("format", found, file=document.name, line=line, what=what, fix=fix)
            rows.append((line, qid, name, text, cell_text(one.get("importance"))))
            title = cell_text(record.get("title_query"))
            kept = {key: cell_text(one.get(key)) for key in KEPT}
            said.append({"query": title} | kept | {"answers": " | ".join(answers_in(one))})
    if problems.failed(document.name):
        return None
    if rows and not any(row[4] for row in rows):
        problems.add("no-importance", f"{counted(len(rows), 'nugget')} without an importance", file=document.name)
        rows = [(*row[:4], "vital") for row in rows]
    columns = ("topic", "name", "text", "importance")
    made = Columns.of_rows(document.source, columns, rows, topics=list(met), attributes=by_name(said))
    made.values["assessor"] = [""] * len(rows)
    return made


def _records(document: Document, problems: Problems) -> Iterator[tuple[int | None, dict[str, Any]]]:
    """Line and object of every topic; objects without banks of nuggets are reported."""
    rows = read_rows(document, problems)
    for place, line in enumerate(() if rows is None else rows.lines):
        record = {key: values[place] for key, values in rows.values.items()} if rows is not None else {}
        banks = [record.get(name) for name in BANKS]
        nuggets = [one for bank in banks for one in _listed(bank)]
        if not all(isinstance(bank, dict | list | None) for bank in banks) or not all(
            isinstance(one, dict) for one in nuggets
        ):
            found = f"a topic with nuggets {cell_text(next(filter(None, banks), None))[:60]!r}"
            what = "`nugget_bank` or `claim_bank`, objects with a question or a claim"
            problems.add("columns", found, file=document.name, line=line, what=what)
            continue
        problems.recognise(document.name)
        yield line, record


def _listed(bank: object) -> list[Any]:
    return list(bank.values()) if isinstance(bank, dict) else bank if isinstance(bank, list) else []


def _nuggets(record: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for name in BANKS for one in _listed(record.get(name))]


def _identified(nugget: dict[str, Any]) -> str:
    """The id of a question or a claim."""
    return cell_text(nugget.get("question_id")) or cell_text(nugget.get("claim_id"))
