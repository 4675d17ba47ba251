"""Files of HELM, whose names are the same for every run, so that a run is called by its folder.

`scenario_state.json` has targets and answers, `instances.json` the targets, `display_predictions.json` answers and
scores, and `per_instance_stats.json` scores. Perturbed instances are runs of their own; trials are repeats.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from karat.align.columns import cell_text, within
from karat.errors import Problems
from karat.formats.documents import Document
from karat.formats.log_samples import LogSample, records_of, whole_json
from karat.formats.logs import HELM_STATE
from karat.formats.rows import read_rows


def samples(document: Document, problems: Problems) -> list[LogSample] | None:
    """The samples of any of the four files."""
    run = PurePath(document.name).parent.name or document.source.stem
    if not HELM_STATE(document.head):
        rows = read_rows(document, problems)
        if rows is None or problems.failed(document.name):
            return None
        return [_listed(record, run, line) for record, line in records_of(rows)]
    states = within(whole_json(document, problems), ["request_states"])
    found = None
    if not isinstance(states, list) or not all(isinstance(one, dict) for one in states):
        found, what, fix = "no list of requests", "a list request_states", "check that the file is whole"
    elif any(one.get("reference_index") is not None for one in states):
        found, what = "one request per choice", "one request per instance"
        fix = "give display_predictions.json of the same folder, which has the choices that HELM made"
    if found and not problems.failed(document.name):
        problems.add("log", found, file=document.name, what=what, fix=fix)
    return None if found else [_requested(state, run) for state in states]


def _listed(record: Mapping[str, Any], run: str, line: int | None) -> LogSample:
    """An element of one of the lists."""
    if "references" in record:
        return _sample(record, record, run, line=line)
    answers = (record.get(name) for name in ("mapped_output", "truncated_predicted_text", "predicted_text"))
    stats = record.get("stats")
    scores = stats if isinstance(stats, dict) else {}
    for one in stats if isinstance(stats, list) else ():
        scores[cell_text(within(one, ["name", "name"]))] = within(one, ["mean"])
    return _sample(
        {"id": record.get("instance_id"), "perturbation": record.get("perturbation")},
        record,
        run,
        answer=next((one for one in answers if one is not None), None),
        scores={name: value for name, value in scores.items() if isinstance(value, int | float)},
        line=line,
    )


def _requested(state: Mapping[str, Any], run: str) -> LogSample:
    """The answer to a request, which a letter may stand for."""
    instance, mapping = state.get("instance"), state.get("output_mapping")
    answer = within(state, ["result", "completions", "0", "text"])
    if isinstance(mapping, dict):
        answer = mapping.get(cell_text(answer), answer)
    return _sample(instance if isinstance(instance, dict) else {}, state, run, answer=answer)


def _sample(instance: Mapping[str, Any], record: Mapping[str, Any], run: str, **more: Any) -> LogSample:
    """A sample of an instance, whose correct references are its target."""
    references, variant = instance.get("references"), cell_text(within(instance.get("perturbation"), ["name"]))
    right = [
        within(one, ["output", "text"])
        for one in (references if isinstance(references, list) else ())
        if "correct" in (within(one, ["tags"]) or ())
    ]
    return LogSample(
        id=instance.get("id"),
        run=f"{run}:{variant}" if variant else run,
        target=None if not right else right[0] if len(right) == 1 else right,
        fields={"input": within(instance, ["input", "text"])},
        document=within(instance, ["input", "text"]),
        repeat=f"trial {cell_text(record.get('train_trial_index'))}",
        record=record,
        **more,
    )
