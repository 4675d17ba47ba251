"""Judged citations as rows: TSV, CSV, JSON lines or Parquet with columns run, qid, sentence, doc, support, assessor.

Sentences of an answer are numbered from 1; those without words are not counted. `support` is full, partial, none or
contradicted ("Full Support" and "no support" are read too), or a label of entailment. Without a column `assessor`, all
verdicts are those of one assessor.
"""

from __future__ import annotations

from dataclasses import replace

from karat.align.questions import QUESTION_IDS
from karat.align.support import align_support
from karat.data.answers import merge_answers
from karat.data.parameters import checked
from karat.data.questions import Question, Questions
from karat.data.support import VERDICTS, Support
from karat.errors import Problems
from karat.files import counting_number
from karat.formats.answer_table import DOCUMENT, align_columns
from karat.formats.documents import FilePaths, read_documents
from karat.formats.registry import answer_formats, columns_of, support_formats, without_errors
from karat.formats.rows import Col, WrongCell, certain_of, declare_table
from karat.labels import CONTRADICTION, ENTAILMENT, NO_ENTAILMENT, UNKNOWN, label_of

LABELS = {ENTAILMENT: "full", UNKNOWN: "none", NO_ENTAILMENT: "none", CONTRADICTION: "contradicted"}
"""Labels of entailment as verdicts: the document entails the sentence, does not decide it, or contradicts it."""


def _verdict(text: str) -> int:
    plain = " ".join(text.casefold().replace("_", " ").replace("-", " ").split())
    word = {"no": "none"}.get(plain.removesuffix(" support"), plain.removesuffix(" support"))
    found = word if word in VERDICTS else LABELS.get(label_of(text) or "")
    if found is None:
        raise WrongCell("support", f"verdict {text!r}" if text else "no verdict")
    return VERDICTS.index(found)


def _topic(text: str) -> str:
    if not text:
        raise WrongCell("unknown-citation", "a verdict without a topic")
    return text


def _sentence(text: str) -> int:
    if (number := counting_number(text)) is None:
        raise WrongCell("sentence", f"sentence {text!r}" if text else "no sentence")
    return number


COLUMNS = {
    "run": Col(("run", "run_id", "runid", "run_tag")),
    "question": Col((*QUESTION_IDS, "topic_id"), kind=_topic),
    "sentence": Col(("sentence", "sentence_id"), kind=_sentence),
    "document": DOCUMENT,
    "verdict": Col(("support", "verdict", "label", "judgment", "judgement"), kind=_verdict),
    "assessor": Col(("assessor", "judge", "annotator", "rater"), needed=False),
}


declare_table(
    support_formats,
    COLUMNS,
    what="judged citations as TSV, CSV, JSON lines or Parquet",
    sniff=certain_of(*(COLUMNS[role] for role in ("run", "question", "sentence", "verdict"))),
)


@checked
def read_support(judgments: FilePaths, runs: FilePaths) -> Support:
    """The answers of runs and the verdicts on their citations, each from files or folders.

    The topics are those of the judgments. What runs answer to others is left out.
    """
    problems = Problems()
    judged = list(columns_of(support_formats, read_documents(judgments, problems), problems))
    answered = list(columns_of(answer_formats, read_documents(runs, problems), problems))
    topics = dict.fromkeys(topic for one in judged for topic in one["question"] if topic)
    if not topics or not answered:
        for one in judged:
            one.need_rows(problems, "no verdicts", "at least one judged citation")
        return without_errors(None, problems)
    questions = Questions(tuple(Question(one, "OTHER", "") for one in topics), source=judged[0].source, partial=True)
    parts = align_columns(answered, questions, 1, problems)
    if any(problems.failed(one.file) for one in answered):
        return without_errors(None, problems)
    others = dict.fromkeys(topic for one in answered for topic in one["question"] if topic not in topics)
    support = align_support(merge_answers(parts), judged, problems)
    return without_errors(None if support is None else replace(support, left_out=tuple(others)), problems)
