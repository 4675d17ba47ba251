"""Logs of Inspect: `.eval` (a zip file with one JSON file per sample) or one JSON file.

Letters of choices become their texts. Several epochs are several runs, and scores are means over epochs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from karat.align.columns import cell_text, within
from karat.errors import Problems
from karat.formats.documents import Document
from karat.formats.log_samples import LogSample, decode_json, field_text, whole_json
from karat.formats.zipped import open_zip

HEADERS = ("header.json", "_journal/start.json")
NAMED_BY_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d.*")
"""What Inspect calls its logs."""
VALUES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
"""Correct, incorrect, partial, no answer; and words, as Inspect reads them."""
ATTACHED = "attachment://"
FIX = "convert it: inspect log convert FILE --to json --output-dir DIR"


def samples(document: Document, problems: Problems) -> list[LogSample] | None:
    """The samples of either form."""
    log = _zipped(document, problems) if document.head.is_zip else whole_json(document, problems)
    if log is None:
        return None
    records = within(log, ["samples"])
    if not isinstance(records, list) or not all(isinstance(one, dict) for one in records):
        problems.add("log", "no list of samples", file=document.name, what="a log with samples", fix=FIX)
        return None
    stem = document.source.stem
    model = cell_text(within(log, ["eval", "model"]))
    run = model if model and NAMED_BY_DATE.fullmatch(stem) else stem
    return [_sample(record, run) for record in records]


def _zipped(document: Document, problems: Problems) -> dict[str, Any] | None:
    """A zip file as the same object as the JSON form."""

    def wanted(name: str) -> bool:
        return name in HEADERS or (name.startswith("samples/") and name.endswith(".json"))

    members = open_zip(document, wanted, FIX, problems)
    if members is None:
        return None
    held = {name: decode_json(document, text, name, problems) for name, text in members.items()}
    if problems.failed(document.name):
        return None
    header: object = next((held[name] for name in HEADERS if name in held), None)
    return {"eval": within(header, ["eval"]), "samples": [held[name] for name in held if name not in HEADERS]}


def _sample(record: Mapping[str, Any], run: str) -> LogSample:
    choices = record.get("choices")
    texts = list(map(cell_text, choices)) if isinstance(choices, list) else []
    scores = record.get("scores")
    scored = scores if isinstance(scores, dict) else {}
    given = (within(score, ["answer"]) for score in scored.values())
    answer = next((one for one in given if one is not None), None)
    if answer is None and record.get("error") is None:
        answer = _completion(record)
    metadata = record.get("metadata")
    return LogSample(
        id=record.get("id"),
        run=run,
        answer=None if answer is None else _in_words(answer, texts),
        target=_in_words(record.get("target"), texts),
        fields={"input": _input(record)} | (metadata if isinstance(metadata, dict) else {}),
        document=record.get("input"),
        scores={name: value for score in scored for name, value in _values(score, scored[score]).items()},
        repeat=f"epoch {cell_text(record.get('epoch'))}",
        record=record,
    )


def _completion(record: Mapping[str, Any]) -> str | None:
    completion = within(record, ["output", "completion"])
    message = within(record, ["output", "choices", "0", "message", "content"])
    return _attached(field_text(message if completion is None else completion), record)


def _input(record: Mapping[str, Any]) -> str | None:
    """What was asked: a text, or the last message of the user."""
    asked = record.get("input")
    if isinstance(asked, list):
        said = [within(one, ["content"]) for one in asked if within(one, ["role"]) == "user"]
        asked = said[-1] if said else None
    return _attached(field_text(asked), record)


def _attached(text: str | None, record: Mapping[str, Any]) -> str | None:
    """A text that is kept apart, since it is long."""
    if text is None or not text.startswith(ATTACHED):
        return text
    kept = within(record, ["attachments"])
    return field_text(kept.get(text.removeprefix(ATTACHED), text)) if isinstance(kept, dict) else text


def _in_words(said: object, choices: Sequence[str]) -> object:
    """The texts of the choices that letters stand for; anything else as it is."""
    parts = said if isinstance(said, list) else cell_text(said).split(",") if choices else [said]
    letters = [cell_text(part) for part in parts]
    if choices and letters and all(re.fullmatch("[A-Z]", letter) for letter in letters):
        places = [ord(letter) - ord("A") for letter in letters]
        if max(places) < len(choices):
            return "; ".join(choices[place] for place in places)
    return letters[0] if isinstance(said, list) and len(letters) == 1 else said


def _values(name: str, score: object) -> dict[str, object]:
    """The value of a score, or those of its parts; what is no number is not scored."""
    value = within(score, ["value"])
    if isinstance(value, dict):
        return {f"{name}.{part}": _number(one) for part, one in value.items()}
    return {} if isinstance(value, list) else {name: _number(value)}


def _number(value: object) -> object:
    if isinstance(value, str):
        return VALUES.get(value, VALUES.get(value.lower(), value)) if len(value) > 1 else VALUES.get(value, value)
    return math.nan if value is None else value
