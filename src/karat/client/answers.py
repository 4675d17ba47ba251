"""What a program says about a unit, held against what was asked; nothing is made up where it does not fit."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from karat.campaign.judging.asking import Ask, check_values, unasked
from karat.errors import DataError, printable

QUOTED = 200
"""Characters of an answer that are quoted."""
THOUGHT = "</think>"
"""Where some models stop to think aloud."""
BRACES = re.compile(r"\{[^{}]*\}")


class Judgment(msgspec.Struct, frozen=True):
    """What a program says about a unit: answers, or why there are none."""

    values: dict[str, str] = {}
    skipped: str = ""
    comment: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    about: dict[str, Any] = {}
    """What the program tells about itself."""


class UnreadableError(ValueError):
    """An answer that cannot be used; the sentence says why, and `cost` what it took, if that is known."""

    cost: Judgment | None = None


def from_text(text: str, asks: Sequence[Ask]) -> Judgment:
    """The judgment in what a model wrote: one JSON object, or for a single question the bare answer."""
    text = text.rpartition(THOUGHT)[2]
    required = [ask for ask in asks if ask.required]
    if len(required) == 1 and (said := _spelled(required[0], text.strip().strip("\"'`*. "))) is not None:
        return Judgment(values={required[0].name: said})
    whole = _object(text)
    found = [one for one in map(_object, BRACES.findall(text)) if one is not None] if whole is None else [whole]
    if not found:
        raise UnreadableError(f"no JSON object: {_quoted(text)}")
    if any(one != found[0] for one in found):
        raise UnreadableError(f"several different JSON objects: {_quoted(text)}")
    return from_object(found[0], asks)


def from_object(said: Mapping[str, Any], asks: Sequence[Ask]) -> Judgment:
    """The judgment in an object: `values`, or the answers themselves; `skip` with a reason instead."""
    comment = _words(said.get("comment"))
    if reason := _words(said.get("skip", said.get("skipped"))):
        return Judgment(skipped=reason, comment=comment)
    given = said.get("values", said)
    if not isinstance(given, Mapping):
        raise UnreadableError(f"values that are no object: {_quoted(given)}")
    values = {}
    for ask in asks:
        answer = given.get(ask.name)
        if answer is None or answer == "":
            continue
        spelled = _spelled(ask, answer)
        if spelled is None:
            raise UnreadableError(f"{ask.name} {_quoted(answer)}; expected {' or '.join(ask.values) or 'words'}")
        values[ask.name] = spelled
    # What is not asked is left out, as a form leaves it out.
    values = {name: value for name, value in values.items() if name not in unasked(asks, values)}
    try:
        check_values(asks, values)
    except DataError as error:
        raise UnreadableError("; ".join(f"{one.found}, expected {one.expected}" for one in error.problems)) from None
    return Judgment(values=values, comment=comment)


def _object(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _spelled(ask: Ask, answer: object) -> str | None:
    """An answer as it is written on the form; None if it is not one of those."""
    if isinstance(answer, bool) or not isinstance(answer, str | int | float):
        return None
    text = str(int(answer)) if isinstance(answer, float) and answer.is_integer() else str(answer).strip()
    if not ask.values:
        return text
    plain = text.casefold().replace(" ", "_").replace("-", "_")
    return next((value for value in ask.values if value.casefold() == plain), None)


def _words(given: object) -> str:
    return given.strip() if isinstance(given, str) else ""


def _quoted(given: object) -> str:
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False, default=str)
    return repr(printable(text[:QUOTED])) + "…" * (len(text) > QUOTED)
