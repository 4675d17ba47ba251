"""One name for a run: files that leave the server call it as tables and judgments do, whatever its team wrote in it."""

from __future__ import annotations

from dataclasses import replace

from karat.align.runs import run_name, split_runs
from karat.campaign.checking import TestSet, together
from karat.campaign.definition import MOST_UNPACKED
from karat.data.provenance import Reading
from karat.data.questions import Questions
from karat.errors import Problems
from karat.formats.answer_table import gather_answers
from karat.formats.documents import Document, document_of
from karat.formats.registry import answer_formats, find_format, read_columns, run_formats


def own_name(test: TestSet, file: str, raw: bytes) -> str:
    """What readers call the accepted run in a file: the tag that its team wrote in it, or else the file's name."""
    document, problems = _document(file, raw), Problems()
    if isinstance(test.units, Questions):
        return gather_answers([document], test.units, 1, problems)[0].runs[0]
    columns = read_columns(run_formats, document, problems, reading=Reading())
    assert columns is not None
    return run_name(split_runs(columns)[0])


def under_name(test: TestSet, name: str, file: str, raw: bytes) -> tuple[str, bytes]:
    """An accepted run in a file in which readers find it under a name: as it is, if they do so already."""
    return (file, raw) if own_name(test, file, raw) == name else written_anew(test, name, file, raw)


def written_anew(
    test: TestSet, name: str, file: str, raw: bytes, justification: str | None = None
) -> tuple[str, bytes]:
    """An accepted run with nothing but its answers, under a name; with another justification, if it gives any.

    Comments and other columns stay behind.
    """
    if isinstance(test.units, Questions):
        document = _document(file, raw)
        (answers,) = gather_answers([document], test.units, 1, Problems())
        entry = find_format(answer_formats, document, None, Problems())
        assert entry is not None
        write = entry.facts["write"] or answer_formats["table"].facts["write"]
        return f"{name}.jsonl", bytes(write(replace(answers, runs=(name,)), suffix=".jsonl"))
    responses = together(test, {name: (file, raw)})
    run = responses.runs[0]
    if justification is not None and run.justifications is not None:
        said = tuple(justification * bool(one) for one in run.justifications)
        responses = replace(responses, runs=(replace(run, justifications=said),))
    by_order = run.info.ranked_by is not None and not run.info.numeric
    writer, ends = ("plain", "txt") if by_order else ("table", "jsonl")
    return f"{name}.{ends}", bytes(run_formats[writer].facts["write"](responses, 0))


def _document(file: str, raw: bytes) -> Document:
    problems = Problems()
    document = document_of(file, raw, problems, MOST_UNPACKED)
    problems.raise_errors()
    assert document is not None
    return document
