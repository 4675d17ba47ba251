"""Logs of evaluation harnesses, and how they are recognised: each is a test set, runs and scores in one.

What is in a log is read by a module of its own, which is loaded when there is such a log.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from karat.align.columns import Columns
from karat.errors import Problems
from karat.formats.documents import Document
from karat.formats.registry import ballot_formats, pair_formats, run_formats, score_formats
from karat.formats.sniffing import (
    ARRAY,
    Fit,
    Sniff,
    all_of,
    best_of,
    delimited,
    has_columns,
    has_first_member,
    has_keys,
    has_list,
    has_texts,
)

SIGNED = Fit.SIGNED
LM_EVAL = has_columns(["doc_id"], ["target"], ["filtered_resps", "resps"], fit=SIGNED)
INSPECT = best_of(
    has_texts(r'\A\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:', fit=SIGNED),
    has_first_member(b"_journal/", b"samples/", b"header.json", b"summaries.json", b"reductions.json"),
)
OPENAI_EVALS = has_texts(r'\A\s*\{\s*"spec"\s*:\s*\{.*"eval_name"\s*:', fit=SIGNED)
PROMPTFOO_WHOLE = has_texts(
    r'\A\s*\{\s*("evalId"\s*:\s*("[^"]*"|null)\s*,\s*)?"results"\s*:\s*\{\s*("version"\s*:\s*\d|"timestamp"\s*:)',
    fit=SIGNED,
)
# In CSV every output begins with a verdict.
PROMPTFOO_CSV = all_of(has_texts(r'[,"]\[(PASS|FAIL|ERROR)\] ', fit=SIGNED), delimited)
PROMPTFOO = best_of(has_keys(["testIdx"], ["promptIdx"], fit=SIGNED), PROMPTFOO_WHOLE, PROMPTFOO_CSV)
HELM_STATE = has_texts(r'\A\s*\{\s*"adapter_spec"\s*:', fit=SIGNED)
# Predictions and statistics, instances, and everything in one.
HELM = best_of(
    all_of(has_texts(ARRAY, fit=SIGNED), has_keys(["instance_id"], ["train_trial_index"], fit=SIGNED)),
    all_of(has_texts(ARRAY, fit=SIGNED), has_keys(["input"], ["references"], ["id"], fit=SIGNED)),
    HELM_STATE,
)
LABEL_STUDIO = all_of(has_keys(["data"], fit=SIGNED), has_list("annotations", "completions", "predictions"))
BATCH_OUTPUT = has_keys(["custom_id"], ["response", "result"], fit=SIGNED)
Reader = Callable[[Document, Any, Problems], Columns | None]


def declare_log(name: str, module: str, sniff: Sniff, what: str) -> None:
    """Register a log whose samples `module` finds, as a format of test sets, of runs and of scores."""
    for formats, make in ((pair_formats, "pairs_of"), (run_formats, "runs_of"), (score_formats, "scores_of")):
        formats.register(name, sniff=sniff, what=what)(_reader(module, make))


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


declare_log("lm-eval", "lm_eval", LM_EVAL, "samples of lm-evaluation-harness, one run per filter")
declare_log("inspect", "inspect_log", INSPECT, "logs of Inspect, .eval or JSON; epochs are runs")
declare_log("openai-evals", "openai_evals", OPENAI_EVALS, "logs of OpenAI's evals, JSON lines of events")
declare_log("promptfoo", "promptfoo", PROMPTFOO, "outputs of promptfoo, JSON or JSON lines, one run per provider")
declare_log("helm", "helm", HELM, "HELM: scenario_state, instances, display_predictions, per_instance_stats")
run_formats.register("batch-output", sniff=BATCH_OUTPUT, what="replies to batch requests, of OpenAI or Anthropic")(
    _reader("batch_output", "runs_of")
)
for formats, make, what in (
    (ballot_formats, "ballots_of_annotations", "annotations, one ballot each"),
    (run_formats, "runs_of_predictions", "predictions, one run per model version"),
):
    formats.register("label-studio", sniff=LABEL_STUDIO, what=f"Label Studio, JSON: {what}")(_tasks(make))
