"""Logs of evaluation harnesses, and how they are recognised: each is a test set, runs and scores in one.

What is in a log is read by a module of its own, which is loaded when there is such a log.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

from karat.align.columns import Columns
from karat.errors import Problems
from karat.formats.documents import Document, Head
from karat.formats.registry import Fit, Formats, ballot_formats, pair_formats, run_formats, score_formats

INSPECT_JSON = re.compile(r'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:')
INSPECT_ZIP = (b"_journal/", b"samples/", b"header.json", b"summaries.json", b"reductions.json")
"""How the name of the first member begins, which follows the 30 bytes of a zip header."""
PROMPTFOO_JSON = re.compile(
    r'\s*\{\s*("evalId"\s*:\s*("[^"]*"|null)\s*,\s*)?"results"\s*:\s*\{\s*("version"\s*:\s*\d|"timestamp"\s*:)'
)
HELM_STATE = re.compile(r'\s*\{\s*"adapter_spec"\s*:')
HELM_LISTS = ({"instance_id", "train_trial_index"}, {"input", "references", "id"})
"""The keys of predictions and statistics, and those of instances."""
TASK_LISTS = ("annotations", "completions", "predictions")


def _lm_eval(head: Head) -> bool:
    return {"doc_id", "target"} <= head.fields and not head.fields.isdisjoint(("filtered_resps", "resps"))


def _inspect(head: Head) -> bool:
    return (head.is_zip and head.data[30:].startswith(INSPECT_ZIP)) or INSPECT_JSON.match(head.text) is not None


def _promptfoo(head: Head) -> bool:
    return {"testIdx", "promptIdx"} <= head.json_object.keys() or PROMPTFOO_JSON.match(head.text) is not None


def _helm(head: Head) -> bool:
    lists = head.is_json_array and any(keys <= head.json_object.keys() for keys in HELM_LISTS)
    return lists or HELM_STATE.match(head.text) is not None


def _label_studio(head: Head) -> bool:
    lists = [head.json_object[name] for name in TASK_LISTS if name in head.json_object]
    return "data" in head.fields and any(isinstance(one, list | None) for one in lists)


def declare_log(name: str, module: str, is_one: Callable[[Head], bool], what: str) -> None:
    """Register a log whose samples `module` finds, as a format of test sets, of runs and of scores."""
    _register(pair_formats, name, is_one, what, _reader(module, "pairs_of"))
    _register(run_formats, name, is_one, what, _reader(module, "runs_of"))
    _register(score_formats, name, is_one, what, _reader(module, "scores_of"))


Reader = Callable[[Document, Any, Problems], Columns | None]


def _register(formats: Formats, name: str, is_one: Callable[[Head], bool], what: str, read: Reader) -> None:
    def sniff(head: Head) -> Fit:
        return Fit.SIGNED if is_one(head) else Fit.NO

    formats.register(name, sniff=sniff, what=what)(read)


def _reader(module: str, make: str) -> Reader:
    """A reader that finds the samples and makes columns of them."""

    def read(document: Document, reading: Any, problems: Problems) -> Columns | None:
        problems.recognise(document.name)
        found = _load(module, "samples")(document, problems)
        if found is None:
            return None
        if not found:
            problems.add("empty-file", "a log without samples", file=document.name, what="at least one sample")
            return None
        columns: Columns | None = _load("log_samples", make)(document, found, reading, problems)
        return columns

    return read


def _load(module: str, name: str) -> Any:
    return getattr(import_module(f"karat.formats.{module}"), name)


def _tasks(make: str) -> Reader:
    """A reader of Label Studio's tasks."""

    def read(document: Document, reading: Any, problems: Problems) -> Columns | None:
        columns: Columns | None = _load("label_studio", make)(document, reading, problems)
        return columns

    return read


declare_log("lm-eval", "lm_eval", _lm_eval, "samples of lm-evaluation-harness, one run per filter")
declare_log("inspect", "inspect_log", _inspect, "logs of Inspect, .eval or JSON; epochs are runs")
declare_log("promptfoo", "promptfoo", _promptfoo, "outputs of promptfoo, JSON or JSON lines, one run per provider")
declare_log("helm", "helm", _helm, "HELM: scenario_state, instances, display_predictions, per_instance_stats")
_register(
    ballot_formats,
    "label-studio",
    _label_studio,
    "Label Studio, JSON: annotations, one ballot each",
    _tasks("ballots_of_annotations"),
)
_register(
    run_formats,
    "label-studio",
    _label_studio,
    "Label Studio, JSON: predictions, one run per model version",
    _tasks("runs_of_predictions"),
)
