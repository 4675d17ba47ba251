"""Any CSV, TSV, JSON lines or Parquet file as pairs, by column mapping or by names that everybody uses.

Ids and labels alone are a key too.
"""

from __future__ import annotations

from karat.align.columns import Columns
from karat.data.pairs import Pairs
from karat.data.reading import ROLES, Reading
from karat.errors import Problems
from karat.formats.documents import Document, Head
from karat.formats.layout import Layout, is_textless, read_layout, write_layout
from karat.formats.registry import Fit, pair_formats
from karat.formats.rows import IDS, read_rows

LAYOUT = Layout(
    id=IDS,
    text=("text", "t", "premise", "sentence1", "sentence_A", "context", "grounding", "doc"),
    hypothesis=("hypothesis", "h", "sentence2", "sentence_B", "statement", "claim", "generated_text"),
    label=("label", "gold_label", "gold", "entailment", "entailment_judgment", "judgment", "majority_label"),
    words={},
    textless=True,
)


def sniff(head: Head) -> Fit:
    """Never certain: a name is a custom, not a rule."""
    fields = head.fields
    texts = fields & {*LAYOUT.text} and fields & {*LAYOUT.hypothesis}
    labels = is_textless(fields, {role: getattr(LAYOUT, role) for role in ROLES})
    return Fit.POSSIBLE if head.is_parquet or texts or labels else Fit.NO


def write(pairs: Pairs, suffix: str = ".jsonl") -> bytes:
    """The pairs as id, text, hypothesis, label and attributes."""
    return write_layout(pairs, LAYOUT, suffix)


@pair_formats.register(
    "table",
    sniff=sniff,
    write=write,
    what="CSV, TSV, JSON lines or Parquet by column names; ids and labels alone will do",
)
def read(document: Document, reading: Reading, problems: Problems) -> Columns:
    """Read rows with the columns named by --column, or else by common names."""
    return read_layout(read_rows(document, problems), LAYOUT, document, reading, problems)
