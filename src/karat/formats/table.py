"""Pairs in any CSV, TSV, JSON lines or Parquet file, by named columns or common column names.

Ids and labels alone are a key too.
"""

from __future__ import annotations

from karat.data.reading import ROLES
from karat.formats.documents import Head
from karat.formats.layout import Layout, is_textless, register_layout
from karat.formats.registry import Fit
from karat.formats.rows import IDS

LAYOUT = Layout(
    id=IDS,
    text=("text", "t", "premise", "sentence1", "sentence_A", "context", "grounding", "doc"),
    hypothesis=("hypothesis", "h", "sentence2", "sentence_B", "statement", "claim", "generated_text"),
    label=("label", "gold_label", "gold", "entailment", "entailment_judgment", "judgment", "majority_label"),
    words={},
    suffix=".jsonl",
    textless=True,
)


def sniff(head: Head) -> Fit:
    """Never certain: column names are only conventions."""
    fields = head.fields
    texts = fields & {*LAYOUT.text} and fields & {*LAYOUT.hypothesis}
    labels = is_textless(fields, {role: getattr(LAYOUT, role) for role in ROLES})
    return Fit.POSSIBLE if head.is_parquet or texts or labels else Fit.NO


register_layout(
    "table", LAYOUT, what="CSV, TSV, JSON lines or Parquet by column names; ids and labels alone will do", sniff=sniff
)
