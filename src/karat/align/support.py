"""Align judged citations: match the verdicts with the sentences of runs, and report all problems."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from karat.align.columns import Columns, first_in
from karat.data.answers import Answers, documents_of
from karat.data.support import UNJUDGED, VERDICTS, Support
from karat.errors import Problems

MAX_ASSESSORS_TIMES_SENTENCES = 1 << 28
"""A file of one line per assessor would otherwise make a huge, almost empty matrix."""


def align_support(answers: Answers, parts: Sequence[Columns], problems: Problems) -> Support | None:
    """The verdicts of one or more files on the answers, or None if a file has errors (all of them are in `problems`).

    Columns are run, question, sentence (its number), document, verdict (a code) and, optionally, assessor; a topic,
    sentence or verdict that was not valid is None. Every row must be about a citation, also where it is not the first
    of its sentence and so does not count. Rows about runs without answers are left out, with a warning.
    """
    names = dict.fromkeys(who for columns in parts for who in columns["assessor"])
    assessors = {who: place for place, who in enumerate(names)}
    if len(assessors) * len(answers) > MAX_ASSESSORS_TIMES_SENTENCES:
        limit = f"{MAX_ASSESSORS_TIMES_SENTENCES:,} assessors times sentences"
        found = f"{len(assessors):,} assessors, {len(answers):,} sentences"
        problems.add("too-large", found, file=parts[0].file, limit=limit)
        return None
    verdict = np.full((len(assessors), len(answers)), UNJUDGED, dtype=np.int8)
    runs = {name: place for place, name in enumerate(answers.runs)}
    topics = {name: place for place, name in enumerate(answers.units)}
    keys = zip(answers.run.tolist(), answers.question.tolist(), answers.order.tolist(), strict=True)
    sentence_at = {key: row for row, key in enumerate(keys)}
    cited = [documents_of(one) for one in answers.documents]
    met: dict[tuple[int, int, str], tuple[int, int | None]] = {}
    beside: dict[tuple[str, str], None] = {}
    for columns in parts:
        columns.need_rows(problems, "no verdicts", "at least one judged citation")
        rows = columns.rows("run", "question", "sentence", "document", "verdict", "assessor")
        for row, (run, topic, number, document, code, who) in enumerate(rows):
            if None in (topic, number, code):
                continue
            if run not in runs:
                beside[columns.file, run] = None
                continue
            what = f"sentence {number} of run {run!r} on topic {topic!r}"
            sentence = sentence_at.get((runs[run], topics.get(topic, -1), number))
            if sentence is None or document not in cited[sentence]:
                found = f"document {document!r} in {what}" if sentence is not None else what
                columns.report(problems, "unknown-citation", found, row)
                continue
            key = assessors[who], sentence, document
            if key in met:
                before, line = met[key]
                found = f"document {document!r} in {what}: {VERDICTS[code]}, before {VERDICTS[before]}{first_in(line)}"
                columns.report(problems, "judged-twice" if before == code else "verdicts-differ", found, row)
                continue
            met[key] = code, columns.lines[row]
            if document == cited[sentence][0]:
                verdict[assessors[who], sentence] = code
    for file, run in beside:
        problems.add("run-beside", f"verdicts on run {run!r}, whose answers are not given", file=file)
    if any(problems.failed(columns.file) for columns in parts):
        return None
    return Support(
        answers=answers,
        assessors=tuple(assessors),
        verdict=verdict,
        sources=tuple(columns.source for columns in parts),
    )
