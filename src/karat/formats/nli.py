"""The NLI test sets in use today, each a layout: SNLI, MultiNLI, ANLI, HANS, SICK, GLUE."""

from __future__ import annotations

from karat.formats.pair_table import NLI_WORDS, PairLayout, register_layout
from karat.labels import CONTRADICTION, ENTAILMENT, NO_ENTAILMENT, UNKNOWN

LABEL_COLUMNS = ("annotator_labels", "label1", "label2", "label3", "label4", "label5")

register_layout(
    "snli",
    PairLayout(
        text=("sentence1",),
        hypothesis=("sentence2",),
        id=("pairID",),
        label=("gold_label",),
        ballots=LABEL_COLUMNS,
        suffix=".jsonl",
    ),
    what="SNLI and MultiNLI, JSON lines or TSV, with the annotators' labels",
    needs={"gold_label"},
    without={"heuristic"},
)
register_layout(
    "hans",
    PairLayout(
        text=("sentence1",),
        hypothesis=("sentence2",),
        id=("pairID",),
        label=("gold_label",),
        words=NLI_WORDS | {NO_ENTAILMENT: "non-entailment"},
    ),
    what="HANS: MultiNLI's columns with heuristic, subcase and template",
    needs={"heuristic"},
)
register_layout(
    "anli",
    PairLayout(
        text=("premise", "context"),
        hypothesis=("hypothesis",),
        id=("uid",),
        label=("label",),
        words={ENTAILMENT: "e", UNKNOWN: "n", CONTRADICTION: "c"},
        suffix=".jsonl",
    ),
    what="ANLI, JSON lines",
    needs={"label"},
)
register_layout(
    "anli-tags",
    PairLayout(text=("context",), hypothesis=("statement",), id=("uid",), label=("gold_label",), suffix=".csv"),
    what="ANLI with linguistic tags and models' predictions, CSV",
    needs={"tags"},
)
register_layout(
    "sick",
    PairLayout(
        text=("sentence_A",),
        hypothesis=("sentence_B",),
        id=("pair_ID",),
        label=("entailment_judgment", "entailment_label"),
        words={ENTAILMENT: "ENTAILMENT", UNKNOWN: "NEUTRAL", CONTRADICTION: "CONTRADICTION"},
        suffix=".txt",
    ),
    what="SICK, TSV",
)
register_layout(
    "glue",
    PairLayout(text=("sentence1", "question"), hypothesis=("sentence2", "sentence"), id=("index",), label=("label",)),
    what="GLUE's pair tasks (RTE, WNLI, QNLI), TSV",
    without={"gold_label"},
)
register_layout(
    "glue-diagnostic",
    PairLayout(text=("Premise",), hypothesis=("Hypothesis",), label=("Label",)),
    what="GLUE's diagnostic set, TSV; rows are numbered from 0",
    needs={"Lexical Semantics", "Logic"},
)
