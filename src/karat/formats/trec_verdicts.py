"""NIST's judgments of answers: `qid doc verdict answer`; of a run's lists, `qid run doc verdict distinct answer`.

Verdicts are -1 wrong, 1 right, 2 unsupported and 3 inexact, or letters as in tables. In a judged list, `distinct` is 1
for one of the right answers that are the same in other words, and 0 for the others.
"""

from __future__ import annotations

from collections.abc import Mapping

from karat.align.columns import Columns
from karat.data.verdicts import CORRECT, INCORRECT, INEXACT, UNSUPPORTED
from karat.errors import Problems
from karat.formats.answer_table import find_nil
from karat.formats.documents import Document
from karat.formats.lines import Form, has_lines, read_lines
from karat.formats.registry import verdict_formats
from karat.formats.rows import Col, WrongCell, take_columns
from karat.formats.trec_answers import LIST_JUDGED
from karat.formats.verdict_table import COLUMNS, SPELLED

JUDGED = Form("qid doc verdict answer")
CODES = {"-1": INCORRECT, "1": CORRECT, "2": UNSUPPORTED, "3": INEXACT}


def _verdict(text: str) -> int:
    found = CODES.get(text, SPELLED.get(text.casefold()))
    if found is None:
        raise WrongCell("trec-verdict", f"verdict {text!r}")
    return found


def _distinct(text: str) -> bool:
    if text not in ("0", "1"):
        raise WrongCell("run-line", f"{text!r} after the verdict", False, what="1 for a distinct right answer, else 0")
    return text == "1"


JUDGMENTS = COLUMNS | {"verdict": Col(("verdict",), kind=_verdict)}
LIST_JUDGMENTS = JUDGMENTS | {"run": Col(("run",)), "distinct": Col(("distinct",), kind=_distinct)}


@verdict_formats.register("trec", sniff=has_lines(JUDGED), what="NIST's judgments of answers, `qid doc verdict answer`")
def read(document: Document, _: object, problems: Problems) -> Columns | None:
    """Every line is a judged answer."""
    return _read(document, JUDGED, JUDGMENTS, problems)


@verdict_formats.register(
    "list-judged",
    sniff=has_lines(LIST_JUDGED),
    what="NIST's list_judged files, `qid run doc verdict distinct answer`, 2005 on",
)
def read_list(document: Document, _: object, problems: Problems) -> Columns | None:
    """Every line is a judged answer of a run; only right ones can be distinct."""
    taken = _read(document, LIST_JUDGED, LIST_JUDGMENTS, problems)
    if taken is None:
        return None
    for row, (verdict, distinct) in enumerate(taken.rows("verdict", "distinct")):
        if distinct and verdict not in (CORRECT, None):
            taken.report(problems, "run-line", "a distinct answer that is not right", row, what="0 after its verdict")
    return taken


def _read(document: Document, form: Form, columns: Mapping[str, Col], problems: Problems) -> Columns | None:
    found = read_lines(document, [form], problems)
    taken = None if found is None else take_columns(found[0], columns, problems)
    if taken is not None:
        find_nil(taken, problems)
    return taken
