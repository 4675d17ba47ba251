"""Outputs of promptfoo: JSON (versions 2 to 4) or JSON lines, one run per provider, and per prompt if several."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from karat.align.columns import cell_text, within
from karat.errors import Problems
from karat.formats.documents import Document
from karat.formats.log_samples import LogSample, records_of, target_in, whole_json
from karat.formats.logs import PROMPTFOO_CSV, PROMPTFOO_WHOLE
from karat.formats.rows import read_rows

FIX = "write the output again: promptfoo eval -o FILE.json"
SHORT = 40
"""A prompt's label up to this length names a run; by default it is the whole prompt."""


def samples(document: Document, problems: Problems) -> list[LogSample] | None:
    """The results of all providers on all tests."""
    found: list[tuple[dict[str, Any], int | None]]
    if PROMPTFOO_CSV(document.head):
        held = "the CSV of promptfoo, whose cells hold verdicts and texts"
        problems.add("log", held, file=document.name, what="its JSON", fix=FIX)
        return None
    if PROMPTFOO_WHOLE(document.head):
        results = within(whole_json(document, problems), ["results", "results"])
        if not isinstance(results, list) or not all(isinstance(one, dict) for one in results):
            if not problems.failed(document.name):
                what = "a list results.results"
                problems.add("log", "no list of results", file=document.name, what=what, fix=FIX)
            return None
        found = [(one, None) for one in results]
    else:
        rows = read_rows(document, problems)
        if rows is None or problems.failed(document.name):
            return None
        found = list(records_of(rows))
    names = _run_names([record for record, _ in found])
    tests: dict[str, int] = {}
    # Whether a test succeeded is a score of its own only if the score does not say it.
    told = all(record.get("success") == record.get("score") for record, _ in found)
    made = []
    for (record, line), run in zip(found, names, strict=True):
        asked = _vars(record)
        test = record.get("testIdx")
        if test is None:  # older versions do not number the tests
            test = tests.setdefault(json.dumps(asked, sort_keys=True, default=str), len(tests))
        target = target_in(asked)
        made.append(
            LogSample(
                id=test,
                run=run,
                answer=within(record, ["response", "output"]),
                target=_equals(record) if target is None else target,
                fields=asked,
                document=asked,
                scores=_scores(record, told),
                record=record,
                line=line,
            )
        )
    return made


def _vars(record: Mapping[str, Any]) -> dict[str, Any]:
    asked = record.get("vars") or within(record, ["testCase", "vars"])
    return asked if isinstance(asked, dict) else {}


def _equals(record: Mapping[str, Any]) -> object:
    """The text that the answer is required to equal."""
    asserted = within(record, ["testCase", "assert"])
    for one in asserted if isinstance(asserted, list) else ():
        if within(one, ["type"]) == "equals":
            return within(one, ["value"])
    return None


def _run_names(records: list[dict[str, Any]]) -> list[str]:
    """The provider's name, with the prompt's if a provider has several."""
    providers = [_provider(record) for record in records]
    prompts = [cell_text(within(one, ["prompt", "label"]) or within(one, ["prompt", "raw"])) for one in records]
    number = {prompt: place for place, prompt in enumerate(dict.fromkeys(prompts), 1)}
    # The raw prompt differs from test to test, so only labels tell prompts apart.
    labelled = all(within(one, ["prompt", "label"]) for one in records)
    of: dict[str, set[str]] = {}
    for provider, prompt in zip(providers, prompts, strict=True):
        of.setdefault(provider, set()).add(prompt)
    return [
        f"{provider}:{prompt if len(prompt) <= SHORT else f'prompt {number[prompt]}'}"
        if labelled and len(of[provider]) > 1
        else provider
        for provider, prompt in zip(providers, prompts, strict=True)
    ]


def _provider(record: Mapping[str, Any]) -> str:
    given = record.get("provider")
    named = given.get("label") or given.get("id") if isinstance(given, dict) else given
    return cell_text(named) or "provider"


def _scores(record: Mapping[str, Any], told: bool) -> dict[str, object]:
    named = record.get("namedScores")
    scores = {"score": record.get("score"), "success": record.get("success")}
    if told or record.get("score") is None:
        scores.pop("success" if record.get("score") is not None else "score")
    return {
        name: value
        for name, value in (scores | (named if isinstance(named, dict) else {})).items()
        if isinstance(value, int | float)
    }
