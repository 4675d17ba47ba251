"""Samples of lm-evaluation-harness (`--log_samples`): JSON lines, one row per document and filter.

A multiple-choice answer is the continuation with the largest log-likelihood, as in the harness's `acc`; a generated
answer is the text that the filter leaves. Each filter is a run of its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from karat.align.columns import cell_text
from karat.errors import Problems
from karat.files import as_number
from karat.formats.documents import Document
from karat.formats.folders import SAMPLES
from karat.formats.log_samples import LogSample, records_of, variant_names
from karat.formats.rows import read_rows

NO_SCORES = frozenset({"doc_id", "target"})
"""Numbers that are no scores, in logs that do not list their metrics."""


def samples(document: Document, problems: Problems) -> list[LogSample] | None:
    """The samples; filters are told apart if there are several."""
    rows = read_rows(document, problems)
    if rows is None or problems.failed(document.name):
        return None
    filters = [cell_text(name) for name in rows["filter"]]
    names = variant_names(_run(document), filters)
    found = []
    for (record, line), variant in zip(records_of(rows), filters, strict=True):
        answer, target = _answered(record)
        doc = record.get("doc")
        found.append(
            LogSample(
                id=record.get("doc_id"),
                run=names[variant],
                answer=answer,
                target=target,
                fields=doc if isinstance(doc, dict) else {},
                document=doc or record.get("doc_hash"),
                scores=_scores(record),
                record=record,
                line=line,
            )
        )
    return found


def _run(document: Document) -> str:
    """The file's name, or that of its folder, if the harness named the file: a folder for each model."""
    stem = document.source.stem
    return (SAMPLES.fullmatch(stem) and PurePath(document.name).parent.name) or stem


def _answered(record: Mapping[str, Any]) -> tuple[object, object]:
    """Answer and target, in words where the harness has numbers of choices."""
    responses = record.get("filtered_resps") or record.get("resps")
    target = record.get("target")
    if not isinstance(responses, list) or not responses:
        return None, target
    likelihoods = [_likelihood(response) for response in responses]
    if all(value is None for value in likelihoods):
        return responses[0] if len(responses) == 1 else responses, target
    choices = _choices(record.get("arguments"))
    if len(choices) != len(responses) or len(choices) < 2:
        return None, target  # the likelihood of one text is no answer
    half = len(choices) // 2
    if choices[:half] == choices[half:]:  # the second half is without context, for mutual information
        choices, likelihoods = choices[:half], likelihoods[:half]
    if len(set(choices)) < len(choices):  # the contexts differ, not the continuations
        choices = list(map(str, range(len(choices))))
    values = [-math.inf if value is None or value != value else value for value in likelihoods]
    return choices[values.index(max(values))], _choice(cell_text(target), choices)


def _likelihood(response: object) -> float | None:
    """The log-likelihood in a pair of it and whether the text was the most likely one; None for other responses."""
    while isinstance(response, list) and len(response) == 1 and isinstance(response[0], list):
        response = response[0]
    if not isinstance(response, list) or len(response) != 2 or str(response[1]) not in ("True", "False"):
        return None
    return -math.inf if str(response[0]) == "-inf" else as_number(response[0])


def _choices(arguments: object) -> list[str]:
    """The continuations, which are the last arguments of each request: lists, or objects with arg_0 and arg_1."""
    requests = list(arguments.values()) if isinstance(arguments, dict) else arguments
    if not isinstance(requests, list):
        return []
    parts = [list(one.values()) if isinstance(one, dict) else one for one in requests]
    return [cell_text(one[-1]) for one in parts if isinstance(one, list) and one]


def _choice(target: str, choices: Sequence[str]) -> str:
    """The choice that a target names, or counts from 0."""
    if target not in choices and target.isdecimal() and target.isascii() and int(target) < len(choices):
        return choices[int(target)]
    return target


def _scores(record: Mapping[str, Any]) -> dict[str, object]:
    """The metrics that are one number; others are parts of a score of the whole test set."""
    listed = record.get("metrics")
    names = map(str, listed) if isinstance(listed, list) else (name for name in record if name not in NO_SCORES)
    return {name: record[name] for name in names if isinstance(record.get(name), int | float)}
