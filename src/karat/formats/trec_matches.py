"""NIST's otherjudged files: the items of a response, `qid run item doc answer`, and the nuggets in them.

`qid run item nugget` says in which item a nugget was found, by its number in the list. One found in several items
counts once. That judged answers to complex questions (ciQA) and to relationships look the same is an assumption.
"""

from __future__ import annotations

from karat.align.columns import Columns, seen_before
from karat.errors import Problems
from karat.formats.documents import Document
from karat.formats.lines import has_lines, read_lines
from karat.formats.nugget_table import MATCH_COLUMNS
from karat.formats.registry import match_formats
from karat.formats.rows import take_columns
from karat.formats.trec_answers import OTHER_JUDGED

Item = tuple[str, str, str]
"""Question, run and number of an item, or of a nugget."""


@match_formats.register(
    "other-judged",
    sniff=has_lines(*OTHER_JUDGED),
    what="NIST's otherjudged files, `qid run item doc answer` and `qid run item nugget`, ciQA too",
)
def read(document: Document, _: object, problems: Problems) -> Columns | None:
    """The nuggets found, and in the fact `texts` the response of each run to each question."""
    found = read_lines(document, OTHER_JUDGED, problems)
    if found is None:
        return None
    items, marks = found
    there: dict[Item, int | None] = {}
    texts: dict[tuple[str, str], list[str]] = {}
    for row, (question, run, item, string) in enumerate(items.rows("qid", "run", "item", "answer")):
        if (first := seen_before(there, (question, run, item), items.lines[row])) is not None:
            items.report(problems, "duplicate-id", f"item {item!r} of question {question!r} again{first}", row)
        texts.setdefault((run, question), []).append(string)
    kept: list[int] = []
    met: dict[Item, str] = {}
    for row, (question, run, item, nugget) in enumerate(marks.rows("qid", "run", "item", "nugget")):
        if there and (question, run, item) not in there:
            said = f"nugget {nugget!r} in item {item!r} of question {question!r}"
            what = "the number of an item of the response, which is in the file too"
            marks.report(problems, "run-line", said, row, what=what)
        if met.setdefault((question, run, nugget), item) == item:
            kept.append(row)
    if not texts and not len(marks):
        problems.add("empty-file", "no responses", file=document.name, what="an item for every response")
    marks = marks.of_rows_at(kept)
    marks.values["degree"] = ["1"] * len(marks)
    taken = take_columns(marks, MATCH_COLUMNS, problems)
    if taken is not None:
        taken.facts = {"texts": {key: " ".join(said) for key, said in texts.items()}}
    return taken
