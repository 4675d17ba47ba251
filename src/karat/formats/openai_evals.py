"""Logs of OpenAI's evals: JSON lines, a specification first, then events in any order and the final report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from karat.align.columns import cell_text, within
from karat.errors import Problems
from karat.formats.documents import Document
from karat.formats.log_samples import LogSample, decode_json, field_text

Event = tuple[Mapping[str, Any], int | None]
"""What was recorded, and its line; none if nothing was."""


def samples(document: Document, problems: Problems) -> list[LogSample] | None:
    """The samples, in the order of their first events."""
    lines = document.lines(problems)
    if lines is None:
        return None
    found = [
        (decode_json(document, line, f"line {number}", problems), number)
        for number, line in enumerate(lines, 1)
        if line.strip()
    ]
    if problems.failed(document.name):
        return None
    events: dict[str, dict[str, list[Event]]] = {}
    for record, number in found[1:]:
        data = within(record, ["data"])
        if isinstance(data, dict):
            of_sample = events.setdefault(cell_text(within(record, ["sample_id"])), {})
            of_sample.setdefault(cell_text(within(record, ["type"])), []).append((data, number))
    run = _run(document, within(found[0][0], ["spec"]) if found else None)
    return [one for id, said in events.items() for one in _of_sample(id, run, said)]


def _run(document: Document, spec: object) -> str:
    """The file's name or, if the program named the file, what completed the prompts."""
    stem, models = document.source.stem, within(spec, ["completion_fns"])
    named = stem.startswith(cell_text(within(spec, ["run_id"])) or "?")
    return ", ".join(map(cell_text, models)) if named and isinstance(models, list) and models else stem


def _of_sample(id: str, run: str, said: Mapping[str, list[Event]]) -> list[LogSample]:
    """One sample, or one for each match that was recorded, which is an error if there are several."""
    asked, line = next(iter(said.get("sampling", ())), ({}, None))
    numbers = {name: value for data, _ in said.get("metrics", ()) for name, value in data.items()}
    return [
        LogSample(
            id=id,
            run=run,
            answer=_answer(match, asked),
            target=match.get("expected"),
            fields={"input": _prompt(match.get("prompt") or asked.get("prompt"))},
            document=match.get("prompt") or asked.get("prompt"),
            scores={
                name: value
                for name, value in ({"correct": match.get("correct")} | numbers).items()
                if isinstance(value, int | float)
            },
            record=match,
            line=place,
        )
        for match, place in said.get("match") or ([({}, line)] if asked or numbers else [])
    ]


def _answer(match: Mapping[str, Any], asked: Mapping[str, Any]) -> str | None:
    """What was sampled: the option that was picked is one of the expected ones, or none."""
    sampled = match.get("sampled", asked.get("sampled", match.get("picked")))
    return field_text(sampled[0] if isinstance(sampled, list) and len(sampled) == 1 else sampled)


def _prompt(prompt: object) -> str | None:
    """A text, or the last message."""
    return field_text(within(prompt[-1], ["content"]) if isinstance(prompt, list) and prompt else prompt)
