"""Runs of TREC RAG and RAGTIME, JSON lines: one line per answer to a topic, sentence by sentence with citations.

2024 has `run_id` and `topic_id`, later years `metadata` with `run_id` and `narrative_id`, and RAGTIME `responses`
instead of `answer`. A citation is the index of a reference, from 0, or the id of a document; it may have a confidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from karat.align.columns import Columns, cell_text, seen_before
from karat.data.answers import DOCUMENT_SEPARATOR, Answers
from karat.errors import Problems, UsageError
from karat.formats.documents import Document
from karat.formats.registry import answer_formats
from karat.formats.rows import read_rows
from karat.formats.sniffing import has_keys

TOPICS = ("topic_id", "narrative_id", "request_id", "qid")
"""Names of the id of the topic."""
SENTENCES = ("answer", "responses")


def write(answers: Answers, suffix: str = ".jsonl") -> bytes:
    """The answers as TREC RAG 2024 has them, one line per run and topic; lengths are in words."""
    if suffix not in (".jsonl", ".ndjson"):
        raise UsageError(f"answers with citations cannot be written as {suffix}: use .jsonl")
    lines: dict[tuple[int, int], tuple[dict[str, int], list[dict[str, Any]]]] = {}
    for run, question, documents, text in answers.rows():
        references, sentences = lines.setdefault((run, question), ({}, []))
        cited = [references.setdefault(one, len(references)) for one in documents.split(DOCUMENT_SEPARATOR) if one]
        sentences.append({"text": text, "citations": cited})
    return b"".join(
        msgspec.json.encode(
            {
                "run_id": answers.runs[run],
                "topic_id": answers.units[question],
                "references": list(references),
                "response_length": sum(len(one["text"].split()) for one in sentences),
                "answer": sentences,
            }
        )
        + b"\n"
        for (run, question), (references, sentences) in lines.items()
    )


@answer_formats.register(
    "rag",
    sniff=has_keys(SENTENCES, ("references", "metadata")),
    write=write,
    what="TREC RAG 2024 to 2026 and RAGTIME runs, JSON lines",
)
def read(document: Document, _: object, problems: Problems) -> Columns | None:
    """Read one row per sentence, whose document is the list of its citations; stated lengths are ignored."""
    rows = read_rows(document, problems)
    if rows is None:
        return None
    found_rows: list[tuple[int | None, str, str, str, str]] = []
    met: dict[tuple[str, str], int | None] = {}
    for place, line in enumerate(rows.lines):
        answer = _answer({key: column[place] for key, column in rows.values.items()}, document.source.stem)
        if not answer.topic or answer.sentences is None:
            found = (
                f"an answer to topic {answer.topic!r}, {'without' if answer.sentences is None else 'with'} sentences"
            )
            what = f"a topic ({', '.join(TOPICS)}) and its sentences ({' or '.join(SENTENCES)})"
            problems.add("columns", found, file=document.name, line=line, what=what)
            continue
        if (first := seen_before(met, (answer.run, answer.topic), line)) is not None:
            found = f"topic {answer.topic!r} of run {answer.run!r} again{first}"
            problems.add("duplicate-id", found, file=document.name, line=line)
        for sentence in answer.sentences:
            said = cell_text(sentence.get("text") if isinstance(sentence, dict) else sentence)
            cited = DOCUMENT_SEPARATOR.join(_cited(sentence, answer, document, line, problems))
            if said:  # a sentence without words is not an answer
                found_rows.append((line, answer.run, answer.topic, cited, said))
    columns = Columns.of_rows(document.source, ("run", "question", "document", "string"), found_rows, generated=True)
    columns.need_rows(problems, "no sentence", "answers of at least one sentence")
    return columns


@dataclass
class _Answer:
    run: str
    topic: str
    references: list[str]
    sentences: list[Any] | None


def _answer(record: dict[str, Any], stem: str) -> _Answer:
    """One line of any year, with the metadata separate or not."""
    metadata = record.get("metadata")
    about = {**record, **metadata} if isinstance(metadata, dict) else record
    sentences = next((record[name] for name in SENTENCES if record.get(name) is not None), None)
    references = record.get("references")
    return _Answer(
        run=cell_text(about.get("run_id")) or stem,
        topic=next((said for name in TOPICS if (said := cell_text(about.get(name)))), ""),
        references=[cell_text(one) for one in references] if isinstance(references, list) else [],
        sentences=[sentences] if isinstance(sentences, str) else sentences if isinstance(sentences, list) else None,
    )


def _cited(sentence: object, answer: _Answer, document: Document, line: int | None, problems: Problems) -> list[str]:
    """The documents cited in one sentence; those that are not references of the answer are reported."""
    citations = sentence.get("citations") if isinstance(sentence, dict) else None
    known, documents = set(answer.references), []
    for one in citations if isinstance(citations, list | dict) else ():
        if isinstance(one, int) and not isinstance(one, bool):
            if 0 <= one < len(answer.references):
                documents.append(answer.references[one])
                continue
        else:
            documents.append(cell_text(one))
            if not known or documents[-1] in known:
                continue
        found = (
            f"citation {cell_text(one)!r} in the answer to topic {answer.topic!r}, which has {len(known)} references"
        )
        problems.add("citation", found, file=document.name, line=line)
    for one in documents:
        if DOCUMENT_SEPARATOR in one:
            found = f"document {one!r}, cited in the answer to topic {answer.topic!r}"
            problems.add("document-id", found, file=document.name, line=line)
    return documents
