"""Replies to batch requests of OpenAI or Anthropic: JSON lines with the custom id of each request and its reply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from karat.align.columns import text_of, within
from karat.errors import Problems
from karat.formats.documents import Document
from karat.formats.log_samples import LogSample, field_text, records_of
from karat.formats.rows import read_rows

REPLIES = (
    ("response", "body", "choices", "0", "message", "content"),
    ("response", "body", "choices", "0", "text"),
    ("result", "message", "content"),
)
"""Where the text of a reply is: of chats and completions of OpenAI, and of messages of Anthropic."""
OUTPUT = ("response", "body", "output")
"""The list that has it among other things, in OpenAI's responses."""


def samples(document: Document, problems: Problems) -> list[LogSample] | None:
    """One sample per request; one that failed has no answer."""
    rows = read_rows(document, problems)
    if rows is None or problems.failed(document.name):
        return None
    run = document.source.stem
    return [
        LogSample(id=record.get("custom_id"), run=run, answer=_reply(record), record=record, line=line)
        for record, line in records_of(rows)
    ]


def _reply(record: Mapping[str, Any]) -> str | None:
    found = next((text for path in REPLIES if (text := field_text(within(record, path)))), None)
    if found is not None:
        return found
    said = within(record, OUTPUT)
    parts = [within(one, ["content", "0", "text"]) for one in (said if isinstance(said, list) else ())]
    return next((text for part in parts if (text := text_of(part))), None)
