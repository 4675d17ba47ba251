"""Logs of evaluation harnesses, written from rows as the harnesses write them. All texts are made up."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

CHOICES = ("True", "Neither", "False")
"""The continuations of NLI tasks in lm-evaluation-harness: entailment, neutral, contradiction."""


class Row(NamedTuple):
    """One pair and the answer to it: labels are places in `CHOICES`, or texts."""

    id: str
    text: str
    hypothesis: str
    target: int
    answer: int
    score: float | None = None

    @property
    def right(self) -> float:
        """The score given, or whether the answer is right."""
        return float(self.target == self.answer) if self.score is None else self.score


ROWS = [
    Row("1", "Ann sold Bo a car.", "Bo has a car.", 0, 0),
    Row("2", "Ann sold a car.", "Bo has a car.", 1, 0),
    Row("3", "Nobody sold a car.", "Ann sold a car.", 2, 2),
]


def json_lines(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Objects as JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def lm_eval(rows: Sequence[Row] = ROWS, old: bool = False, filters: Sequence[str] = ("none",)) -> bytes:
    """Samples of a multiple-choice task: all values are texts, as the harness writes them today, or not."""
    made = []
    for name in filters:
        for row in rows:
            pairs = [[-9.5 if place != row.answer else -0.5, place == row.answer] for place in range(3)]
            requests = [
                [f"{row.text}\nQuestion: {row.hypothesis} True, False, or Neither?\nAnswer:", f" {choice}"]
                for choice in CHOICES
            ]
            new = {f"gen_args_{n}": {"arg_0": one[0], "arg_1": one[1]} for n, one in enumerate(requests)}
            made.append(
                {
                    "doc_id": int(row.id) if row.id.isdecimal() else row.id,
                    "doc": {
                        "premise": row.text,
                        "hypothesis": row.hypothesis,
                        "label": row.target,
                        "uid": f"u{row.id}",
                    },
                    "target": row.target if old else str(row.target),
                    "arguments": requests if old else new,
                    "resps": [[pair] for pair in pairs] if old else [[list(map(str, pair))] for pair in pairs],
                    "filtered_resps": pairs if old else [list(map(str, pair)) for pair in pairs],
                    **({} if old else {"filter": name, "metrics": ["acc"], "doc_hash": f"h{row.id}"}),
                    "acc": row.right,
                }
            )
    return json_lines(made)


def generated(rows: Sequence[Row] = ROWS, words: Sequence[str] = ("entailment", "neutral", "contradiction")) -> bytes:
    """Samples of a task whose answers are texts, through two filters; the second leaves what the first cuts."""
    made = []
    for name in ("strict", "flexible"):
        for row in rows:
            said = f"The answer is {words[row.answer]}."
            made.append(
                {
                    "doc_id": int(row.id),
                    "doc": {"premise": row.text, "hypothesis": row.hypothesis},
                    "target": words[row.target],
                    "arguments": {"gen_args_0": {"arg_0": row.text, "arg_1": {"until": ["\n"]}}},
                    "resps": [[said]],
                    "filtered_resps": [words[row.answer] if name == "flexible" else "[invalid]"],
                    "filter": name,
                    "metrics": ["exact_match"],
                    "exact_match": row.right if name == "flexible" else 0.0,
                }
            )
    return json_lines(made)


def inspect_samples(rows: Sequence[Row] = ROWS, epochs: int = 1) -> list[dict[str, Any]]:
    """Samples of Inspect's multiple choice; in later epochs the answers move on by one."""
    return [
        {
            "id": int(row.id) if row.id.isdecimal() else row.id,
            "epoch": epoch,
            "input": f"{row.text} Therefore: {row.hypothesis}",
            "choices": ["entailment", "neutral", "contradiction"],
            "target": "ABC"[row.target],
            "messages": [],
            "output": {"model": "m", "completion": f"ANSWER: {'ABC'[(row.answer + epoch - 1) % 3]}"},
            "scores": {
                "choice": {
                    "value": "C" if (row.answer + epoch - 1) % 3 == row.target else "I",
                    "answer": "ABC"[(row.answer + epoch - 1) % 3],
                }
            },
            "metadata": {"premise": row.text, "hypothesis": row.hypothesis},
        }
        for epoch in range(1, epochs + 1)
        for row in rows
    ]


def inspect_json(samples: Sequence[Mapping[str, Any]] | None = None, model: str = "mockllm/model") -> bytes:
    """The JSON form of a log."""
    held = inspect_samples() if samples is None else samples
    return json.dumps(
        {"version": 2, "status": "success", "eval": {"task": "nli", "model": model}, "samples": held}, indent=2
    ).encode()


def inspect_eval(
    samples: Sequence[Mapping[str, Any]] | None = None, model: str = "mockllm/model", method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    """The zip form of a log."""
    buffer = io.BytesIO()
    header = {"version": 2, "status": "success", "eval": {"task": "nli", "model": model}}
    held = inspect_samples() if samples is None else samples
    members = {f"samples/{one['id']}_epoch_{one['epoch']}.json": one for one in held}
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, value in {"_journal/start.json": header, **members, "header.json": header}.items():
            # The same date every time, so that the same log has the same bytes.
            archive.writestr(zipfile.ZipInfo(name), json.dumps(value), method)
    return buffer.getvalue()


def openai_evals(rows: Sequence[Row] = ROWS, run: str = "260101000000ABCDEFGH") -> bytes:
    """A log of OpenAI's evals; events are written as they come, and the final report before the last of them."""
    words = ("entailment", "neutral", "contradiction")
    events: list[dict[str, Any]] = []
    for row in rows:
        prompt = [
            {"role": "system", "content": "Is it so?"},
            {"role": "user", "content": f"{row.text} {row.hypothesis}"},
        ]
        sampled, expected = words[row.answer], words[row.target]
        match = {"correct": bool(row.right), "expected": expected, "picked": expected if row.right else None}
        said = {"sampling": {"prompt": prompt, "sampled": [sampled]}, "match": {**match, "sampled": sampled}}
        for kind, data in said.items():
            made = {
                "run_id": run,
                "event_id": len(events),
                "sample_id": f"nli.dev.{row.id}",
                "type": kind,
                "data": data,
            }
            events.append({**made, "created_by": "", "created_at": "2026-01-01 00:00:00+00:00"})
    spec = {"completion_fns": ["gpt-4"], "eval_name": "nli.dev.v0", "base_eval": "nli", "split": "dev", "run_id": run}
    report = {"final_report": {"accuracy": 2 / 3}}
    return json_lines([{"spec": spec}, *events[:-1], report, events[-1]])


def promptfoo_results(
    runs: Mapping[str, Sequence[Row]], words: Sequence[str] = ("entailment", "neutral", "contradiction")
) -> list[dict[str, Any]]:
    """Results of several providers on the same tests."""
    return [
        {
            "promptIdx": place,
            "testIdx": int(row.id),
            "testCase": {"assert": [{"type": "equals", "value": words[row.target]}]},
            "provider": {"id": provider, "label": ""},
            "prompt": {
                "raw": f"{row.text} Therefore {row.hypothesis}?",
                "label": "Is it so? {{premise}} {{hypothesis}}",
            },
            "vars": {"premise": row.text, "hypothesis": row.hypothesis},
            "response": {"output": words[row.answer], "tokenUsage": {}},
            "success": row.target == row.answer,
            "score": row.right,
            "namedScores": {},
        }
        for place, (provider, rows) in enumerate(runs.items())
        for row in rows
    ]


def promptfoo(results: Sequence[Mapping[str, Any]] | None = None, version: int = 3) -> bytes:
    """The JSON form of an output."""
    held = promptfoo_results({"openai:one": ROWS}) if results is None else results
    summary = {"version": version, "timestamp": "2026-01-01T00:00:00Z", "results": held, "stats": {}}
    return json.dumps({"evalId": "eval-1", "results": summary, "config": {}}, indent=2).encode()


def helm_instance(row: Row, words: Sequence[str]) -> dict[str, Any]:
    """An instance with its references."""
    references = [
        {"output": {"text": word}, "tags": ["correct"] if place == row.target else []}
        for place, word in enumerate(words)
    ]
    return {
        "input": {"text": f"{row.text} {row.hypothesis}"},
        "references": references,
        "split": "test",
        "id": f"id{row.id}",
    }


def helm(
    rows: Sequence[Row] = ROWS, what: str = "state", words: Sequence[str] = ("entailment", "neutral", "contradiction")
) -> bytes:
    """One of HELM's four files: state, instances, predictions or stats."""
    mapping = dict(zip("ABC", words, strict=True))
    asked = [{"instance_id": f"id{row.id}", "train_trial_index": 0} for row in rows]
    value: Any = [helm_instance(row, words) for row in rows]
    if what == "state":
        states = [
            {
                "instance": one,
                "train_trial_index": 0,
                "output_mapping": mapping,
                "request": {"prompt": "?"},
                "result": {"success": True, "completions": [{"text": f" {'ABC'[row.answer]}", "logprob": -1.0}]},
            }
            for one, row in zip(value, rows, strict=True)
        ]
        value = {"adapter_spec": {"method": "multiple_choice_joint", "model": "m"}, "request_states": states}
    elif what == "predictions":
        value = [
            {
                **one,
                "predicted_text": f" {'ABC'[row.answer]}",
                "mapped_output": words[row.answer],
                "stats": {"exact_match": row.right},
            }
            for one, row in zip(asked, rows, strict=True)
        ]
    elif what == "stats":
        value = [
            {
                **one,
                "stats": [
                    {"name": {"name": "exact_match", "split": "test"}, "count": 1, "mean": row.right},
                    {"name": {"name": "num_prompt_tokens", "split": "test"}, "count": 1, "mean": 7.0},
                ],
            }
            for one, row in zip(asked, rows, strict=True)
        ]
    return json.dumps(value, indent=2).encode()


def batch_output(rows: Sequence[Row] = ROWS, provider: str = "openai", words: Sequence[str] = CHOICES) -> bytes:
    """Replies to batch requests."""

    def reply(text: str) -> dict[str, Any]:
        if provider == "anthropic":
            message = {"role": "assistant", "content": [{"type": "text", "text": text}]}
            return {"result": {"type": "succeeded", "message": message}}
        body: dict[str, Any] = {"choices": [{"index": 0, "message": {"role": "assistant", "content": text}}]}
        if provider == "responses":
            said = {"type": "message", "content": [{"type": "output_text", "text": text}]}
            body = {"output": [{"type": "reasoning", "summary": []}, said]}
        return {"response": {"status_code": 200, "body": body}, "error": None}

    made = [{"id": f"batch_req_{row.id}", "custom_id": row.id, **reply(words[row.answer])} for row in rows]
    return json_lines(made)


def label_studio(
    tasks: Mapping[str, Mapping[str, str]], predictions: Mapping[str, Mapping[str, str]] | None = None
) -> bytes:
    """An export: the choice of each annotator on each task, and of each version of a model."""

    def result(choice: str) -> list[dict[str, Any]]:
        return [{"from_name": "sentiment", "to_name": "text", "type": "choices", "value": {"choices": [choice]}}]

    made = [
        {
            "id": int(task),
            "data": {"text": f"text {task}", "uid": f"u{task}"},
            "annotations": [
                {"id": 7, "completed_by": {"id": 3, "email": who}, "was_cancelled": False, "result": result(choice)}
                for who, choice in said.items()
            ],
            "predictions": [
                {"model_version": version, "result": result(choices[task])}
                for version, choices in (predictions or {}).items()
            ],
        }
        for task, said in tasks.items()
    ]
    return json.dumps(made, indent=1).encode()


ANNOTATED = {"1": {"ann": "good", "bo": "bad"}, "2": {"ann": "bad", "bo": "bad"}, "3": {"ann": "good", "bo": "good"}}
PREDICTED = {"m1": {"1": "entailment", "2": "neutral", "3": "contradiction"}}
QRELS = {"ann.qrels": b"301 0 D1 2\n301 0 D2 0\n302 0 D1 1\n", "bo.qrels": b"301 0 D1 1\n301 0 D2 0\n302 0 D1 1\n"}
