"""Runs of TREC's question answering tracks as they were submitted, and the responses in files that NIST judged.

`qid run doc answer` since 2002, also for relationships and complex questions (ciQA): a list or OTHER question has
several lines, and NIL as the document stands without an answer. `qid Q0 doc rank score run answer` from 1999 to 2001.
"""

from __future__ import annotations

from karat.align.columns import Columns
from karat.errors import Problems
from karat.formats.answer_table import COLUMNS, finish
from karat.formats.documents import Document
from karat.formats.lines import Form, has_lines, read_lines
from karat.formats.registry import answer_formats
from karat.formats.rows import take_columns
from karat.formats.sniffing import Fit

RUN = Form("qid run doc answer")
RANKED = Form("qid Q0 doc rank score run answer")
LIST_JUDGED = Form("qid run doc verdict distinct answer")
ITEM = Form("qid run item doc answer")
MARK = Form("qid run item nugget")
OTHER_JUDGED = (ITEM, MARK)
"""NIST's files of judged responses to OTHER questions: the items of a response, and the nuggets found in them."""


def _answers(document: Document, problems: Problems, *forms: Form, only: str = "") -> Columns | None:
    """The answers in lines of the first form; the fact `only` is the one type of question that such files have."""
    found = read_lines(document, forms, problems)
    taken = None if found is None else take_columns(found[0], COLUMNS, problems)
    if taken is None:
        return None
    finish(taken, problems)
    taken.facts = {"only": only} if only else {}
    return taken


@answer_formats.register("trec", sniff=has_lines(RUN), what="TREC QA runs, `qid run doc answer`, 2002 on, ciQA too")
def read(document: Document, _: object, problems: Problems) -> Columns | None:
    """Every line is an answer."""
    return _answers(document, problems, RUN)


@answer_formats.register(
    "trec-ranked", sniff=has_lines(RANKED), what="TREC QA runs, `qid Q0 doc rank score run answer`, 1999 to 2001"
)
def read_ranked(document: Document, _: object, problems: Problems) -> Columns | None:
    """Every line is an answer with its rank among those to the question; the score is a confidence."""
    return _answers(document, problems, RANKED)


# Lines of a judged list are lines of a run too, whose answers begin with two numbers.
@answer_formats.register(
    "list-judged", sniff=has_lines(LIST_JUDGED, fit=Fit.SIGNED), what="the answers in NIST's list_judged files"
)
def read_list(document: Document, _: object, problems: Problems) -> Columns | None:
    """The response that was judged."""
    return _answers(document, problems, LIST_JUDGED, only="LIST")


@answer_formats.register(
    "other-judged", sniff=has_lines(*OTHER_JUDGED), what="the answers in NIST's otherjudged files, ciQA too"
)
def read_other(document: Document, _: object, problems: Problems) -> Columns | None:
    """The response that was judged: the items, without the nuggets found in them."""
    return _answers(document, problems, *OTHER_JUDGED, only="OTHER")
