"""The files beside a test set that help assessors: documents, patterns, lists of nuggets to start from, phenomena."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from karat.align.columns import Columns
from karat.campaign.definition import MOST_UNPACKED
from karat.data.phenomena import PHENOMENA, category_name, phenomenon_name
from karat.data.questions import Questions
from karat.errors import Problems
from karat.formats.documents import Document, document_of
from karat.formats.rows import Col, read_rows, take_columns

if TYPE_CHECKING:
    from karat.data.nuggets import Nuggets
    from karat.data.patterns import Patterns

DOCUMENT_COLUMNS = {
    "id": Col(("id", "doc", "docid", "docno", "doc_id", "document")),
    "text": Col(("text", "contents", "content", "body", "segment")),
}
PHENOMENON_COLUMNS = {"category": Col(("category",)), "phenomenon": Col(("phenomenon", "name"))}


def documents(document: Document, problems: Problems, units: Any) -> dict[str, str]:
    """The texts of documents by their ids."""
    del units
    rows = _table(document, DOCUMENT_COLUMNS, problems)
    return {} if rows is None else dict(zip(rows["id"], rows["text"], strict=True))


def patterns(document: Document, problems: Problems, units: Questions) -> Patterns | None:
    """Regular expressions that accept answers, whatever the case: so did those who wrote the patterns of TREC."""
    from karat.formats.patterns import gather_patterns

    found = gather_patterns([document], units, problems)
    return None if found is None else found.ignoring_case()


def nuggets(document: Document, problems: Problems, units: Any) -> Nuggets | None:
    """Lists of nuggets from which assessors start."""
    from karat.formats.nugget_table import parse_nuggets

    del units
    return parse_nuggets(document, problems)


def phenomena(document: Document, problems: Problems, units: Any) -> Mapping[str, tuple[str, ...]]:
    """The phenomena of a campaign, by category."""
    del units
    rows, found = _table(document, PHENOMENON_COLUMNS, problems), dict[str, list[str]]()
    for category, name in () if rows is None else zip(rows["category"], rows["phenomenon"], strict=True):
        found.setdefault(category_name(category), []).append(phenomenon_name(name))
    return {category: tuple(dict.fromkeys(names)) for category, names in found.items()} or PHENOMENA


def _table(document: Document, columns: Mapping[str, Col], problems: Problems) -> Columns | None:
    rows = read_rows(document, problems)
    return None if rows is None or problems.failed(document.name) else take_columns(rows, columns, problems)


READERS: Mapping[str, Callable[[Document, Problems, Any], Any]] = {
    "documents": documents,
    "patterns": patterns,
    "nuggets": nuggets,
    "phenomena": phenomena,
}
"""By the key of a task that names such a file."""


def read_beside(use: str, name: str, raw: bytes, units: Any, problems: Problems) -> Any:
    """A file beside a test set; `None` or something empty if it has errors, which are reported."""
    document = document_of(name, raw, problems, MOST_UNPACKED * 4)
    return None if document is None else READERS[use](document, problems, units)
