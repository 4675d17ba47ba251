"""Tests of the logs of evaluation harnesses: as test sets, as runs and as scores."""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tools import harness_logs as logs
from tools.harness_logs import ROWS, Row

import karat
from karat.errors import DataError
from tests.files import C, E, U, answers_of, key_problems, three_way

RIGHT = [1.0, 0.0, 1.0]
"""The answers of the sample rows are entailment, entailment, contradiction; the second is wrong."""
LOGS: dict[str, Callable[[], bytes]] = {
    "samples.jsonl": logs.lm_eval,
    "old.jsonl": lambda: logs.lm_eval(old=True),
    "log.json": logs.inspect_json,
    "log.eval": logs.inspect_eval,
    "output.json": logs.promptfoo,
    "v4.json": lambda: logs.promptfoo(version=4),
    "output.jsonl": lambda: logs.json_lines(logs.promptfoo_results({"openai:one": ROWS})),
    "scenario_state.json": logs.helm,
}


def written(folder: Path, name: str, data: bytes) -> Path:
    """A file with these bytes."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def told(read: Callable[[], Any]) -> str:
    """The problems of a file that is refused."""
    with pytest.raises(DataError) as caught:
        read()
    return str(caught.value)


@pytest.mark.parametrize("name", LOGS)
def test_a_log_is_a_key_a_run_and_scores(name: str, tmp_path: Path) -> None:
    """One file is enough for scoring, and its own scores say the same."""
    path = written(tmp_path, name, LOGS[name]())
    key = karat.read_pairs(path)
    assert key.labels.tolist() == [0, 1, 2]
    (run,) = karat.read_runs(path, key).runs
    assert answers_of(run) == [E, E, C]
    if name != "scenario_state.json":  # HELM keeps scores in files of their own
        assert key.texts == tuple(row.text for row in ROWS)
        assert key.hypotheses == tuple(row.hypothesis for row in ROWS)
        scores = karat.read_scores(path)
        assert scores.units == key.ids
        assert scores.values.tolist() == [RIGHT]
        assert scores.runs == (run.info.name,)


def test_scores_are_called_as_in_the_log(tmp_path: Path) -> None:
    """The name of the only score is the measure; of several one is chosen, and the names are told."""
    path = written(tmp_path, "a.jsonl", logs.lm_eval())
    assert karat.read_scores(path).measure == "acc"
    assert karat.read_scores(path, "right").measure == "right"
    several = logs.lm_eval().replace(b'"metrics": ["acc"]', b'"metrics": ["acc", "f1"], "f1": 0.25')
    written(tmp_path, "a.jsonl", several)
    assert "which-score: scores called acc, f1" in told(lambda: karat.read_scores(path))
    assert karat.read_scores(path, score="f1").values.tolist() == [[0.25] * 3]
    assert "a score called 'x'" in told(lambda: karat.read_scores(path, score="x"))


def test_each_filter_is_a_run(tmp_path: Path) -> None:
    """One row per filter; the test set has each document once."""
    path = written(tmp_path, "gen.jsonl", logs.generated())
    key = karat.read_pairs(path)
    assert key.ids == ("1", "2", "3")
    runs = karat.read_runs(path, key, skip_bad_runs=True)
    assert [(run.info.name, answers_of(run)) for run in runs.runs] == [("gen:flexible", [E, E, C])]
    scores = karat.read_scores(path)
    assert (scores.runs, scores.values.tolist()) == (("gen:strict", "gen:flexible"), [[0, 0, 0], RIGHT])


def test_a_run_of_lm_eval_is_called_by_its_folder(tmp_path: Path) -> None:
    """If the harness named the file; a file that somebody named is called by its name."""
    dated = written(tmp_path, "llama/samples_mnli_2026-01-05T10-00-00.123456.jsonl", logs.lm_eval())
    other = written(tmp_path, "llama/mine.jsonl", logs.lm_eval())
    assert karat.read_scores([dated, other]).runs == ("llama", "mine")
    other.unlink()
    written(tmp_path, "llama/results_2026-01-05T10-00-00.123456.json", b'{"results": {"mnli": {"acc,none": 0.5}}}')
    assert karat.read_scores(tmp_path / "llama").runs == ("llama",)  # the summary beside the samples is no log


def test_a_log_with_several_runs_is_checked(tmp_path: Path) -> None:
    """Runs are counted, not files."""
    path = written(tmp_path, "o.json", logs.promptfoo(logs.promptfoo_results({"a": ROWS, "b": ROWS})))
    result = karat.check(path, path)
    assert (result.runs, result.valid) == (2, ["a", "b"])
    gen = written(tmp_path, "gen.jsonl", logs.generated())
    result = karat.check(gen, gen, skip_bad_runs=True)
    assert (result.runs, result.valid) == (2, ["gen:flexible"])


@pytest.mark.parametrize(
    ("change", "answer", "target"),
    [
        ({}, "True", "Neither"),
        ({"target": "Neither"}, "True", "Neither"),
        ({"target": "maybe"}, "True", "maybe"),
        ({"filtered_resps": [["-inf", "False"], [-2.5, False], [-2.0, False]]}, "False", "Neither"),
        # Twice as many requests: the second half has no context.
        (
            {
                "filtered_resps": [[-1.0, False], [-3.0, False], [-2.0, False]] + [[-0.1, False]] * 3,
                "arguments": [[context, f" {choice}"] for context in ("c", "") for choice in logs.CHOICES],
            },
            "True",
            "Neither",
        ),
        # Only the contexts differ: the choice has no name but its number.
        ({"arguments": [["a", " so"], ["b", " so"], ["c", " so"]]}, "0", "1"),
        # The likelihood of one text, or of documents, is no answer.
        ({"filtered_resps": [[-1.0, True]], "arguments": [["c", " so"]]}, None, "1"),
        ({"filtered_resps": ["True"], "arguments": [["c", {}]]}, "True", "1"),
        ({"filtered_resps": [["True", "Neither"]], "arguments": [["c", {}]]}, ["True", "Neither"], "1"),
        ({"filtered_resps": []}, ["-0.5", "True"], "Neither"),
    ],
)
def test_what_lm_eval_chose(change: dict[str, Any], answer: object, target: str) -> None:
    """The continuation with the largest log-likelihood, or the text; the target in the same words."""
    from karat.formats.lm_eval import _answered

    record = json.loads(logs.lm_eval([ROWS[1]])) | change
    found = _answered(record)
    if change == {"filtered_resps": []}:  # then the responses before the filter count
        answer = "True"
    assert found == (answer, target)


def test_targets_that_are_no_labels(tmp_path: Path) -> None:
    """One sentence for all of them, with both ways out; as scores the log is read."""
    rows = b"".join(
        logs.json_lines([{"doc_id": n, "target": str(n * 7), "filtered_resps": [str(n)], "exact_match": 0.0}])
        for n in range(3)
    )
    (problem,) = key_problems(rows, "gsm8k.jsonl")
    assert problem.code == "log"
    assert "'0'" in problem.found
    assert "--scores FILE" in problem.fix
    assert karat.read_scores(written(tmp_path, "gsm8k.jsonl", rows)).values.tolist() == [[0, 0, 0]]


def test_a_sample_twice(tmp_path: Path) -> None:
    """Two rows of one document and filter are refused as scores; another target is refused in a test set."""
    twice = logs.lm_eval([ROWS[0], ROWS[0]])
    assert "sample '1' again" in told(lambda: karat.read_scores(written(tmp_path, "a.jsonl", twice)))
    other = logs.lm_eval([ROWS[0], ROWS[0]._replace(target=2)])
    assert [one.code for one in key_problems(other, "a.jsonl")] == ["duplicate-id"]


def test_ids_by_a_field(tmp_path: Path) -> None:
    """A path into the sample names the ids, of keys and of runs; one that leads nowhere is told."""
    path = written(tmp_path, "a.jsonl", logs.lm_eval())
    key = karat.read_pairs(path, column={"id": "doc.uid"})
    assert key.ids == ("u1", "u2", "u3")
    (run,) = karat.read_runs(path, key, run_column={"id": "doc.uid"}).runs
    assert answers_of(run) == [E, E, C]
    assert "a column doc.nothing" in told(lambda: karat.read_runs(path, key, run_column={"id": "doc.nothing"}))
    assert "a column doc.nothing" in told(lambda: karat.read_pairs(path, column={"id": "doc.nothing"}))
    texts = karat.read_pairs(path, column={"text": "doc.hypothesis", "hypothesis": "doc.premise"})
    assert texts.texts[0] == "Bo has a car."
    again = karat.read_runs(path, karat.read_pairs(path), run_column={"label": "arguments.gen_args_1.arg_1"})
    assert answers_of(again.runs[0]) == [U, U, U]


def test_a_log_without_texts_has_attributes(tmp_path: Path) -> None:
    """A question alone is no pair of texts; it stays as an attribute."""
    samples = logs.inspect_samples()
    for one in samples:
        one["metadata"] = {"topic": "cars", "parts": [1, 2]}
    key = karat.read_pairs(written(tmp_path, "log.json", logs.inspect_json(samples)))
    assert not key.has_texts
    assert key.attributes["topic"] == ("cars",) * 3
    assert "parts" not in key.attributes
    assert key.warnings == ()


def test_epochs_are_runs_and_scores_are_their_means(tmp_path: Path) -> None:
    """Three epochs give each of three answers once, so that every sample is right in one of them."""
    path = written(tmp_path, "log.eval", logs.inspect_eval(logs.inspect_samples(epochs=3)))
    key = karat.read_pairs(path)
    runs = karat.read_runs(path, key)
    assert runs.names == ("log:epoch 1", "log:epoch 2", "log:epoch 3")
    assert answers_of(runs.runs[1]) == [U, U, E]
    np.testing.assert_allclose(karat.read_scores(path).values, [[1 / 3] * 3])


@pytest.mark.parametrize(
    ("value", "score"),
    [("C", 1), ("I", 0), ("P", 0.5), ("N", 0), (0.25, 0.25), (True, 1), ("yes", 1), ("False", 0), ("0.5", 0.5),
     (None, None), (float("nan"), None)],
)  # fmt: skip
def test_values_of_inspect(value: object, score: float | None, tmp_path: Path) -> None:
    """Letters, words and numbers; nothing and NaN are not scored."""
    samples = logs.inspect_samples()
    samples[0]["scores"]["choice"]["value"] = value
    found = karat.read_scores(written(tmp_path, "log.json", logs.inspect_json(samples))).values[0, 0]
    assert found == score or (score is None and np.isnan(found))


def test_several_scorers_and_parts_of_a_score(tmp_path: Path) -> None:
    """Each scorer is a score, and so is each part of one."""
    samples = logs.inspect_samples()
    for one in samples:
        one["scores"]["graded"] = {"value": {"style": 0.5, "content": 1}}
    path = written(tmp_path, "log.json", logs.inspect_json(samples))
    assert "choice, graded.style, graded.content" in told(lambda: karat.read_scores(path))
    assert karat.read_scores(path, score="graded.style").values.tolist() == [[0.5] * 3]


def test_a_sample_that_ended_in_an_error_has_no_answer(tmp_path: Path) -> None:
    """It is missing, and counts as wrong if the user says so."""
    samples = logs.inspect_samples()
    samples[2] |= {"scores": None, "error": {"message": "timeout"}, "output": {"completion": ""}}
    path = written(tmp_path, "log.json", logs.inspect_json(samples))
    key = karat.read_pairs(path)
    assert "missing-id: no line for pair '3'" in told(lambda: karat.read_runs(path, key))
    assert karat.read_runs(path, key, missing="wrong").infos[0].missing == 1
    assert np.isnan(karat.read_scores(written(tmp_path, "log.json", logs.inspect_json(samples))).values).sum() == 0


def test_runs_of_inspect_are_called_by_file_or_model(tmp_path: Path) -> None:
    """By the model, if the file has the name that Inspect gives it."""
    dated = written(tmp_path, "2026-01-05T10-00-00+00-00_nli_ab.eval", logs.inspect_eval(model="openai/gpt"))
    other = written(tmp_path, "mine.eval", logs.inspect_eval(model="openai/gpt"))
    assert karat.read_scores([dated, other]).runs == ("openai/gpt", "mine")


def test_answers_of_inspect_without_a_scorer(tmp_path: Path) -> None:
    """The completion, also as parts of a message, or kept apart as an attachment."""
    samples = logs.inspect_samples()
    for one, said in zip(samples, ("entailment", "neutral", "contradiction"), strict=True):
        del one["scores"], one["choices"]
        one["target"] = [said]
        one["output"] = {"choices": [{"message": {"content": [{"type": "text", "text": said}]}}]}
    samples[1]["output"] = {"completion": "attachment://abc"}
    samples[1]["attachments"] = {"abc": "Neutral."}
    path = written(tmp_path, "log.json", logs.inspect_json(samples))
    (run,) = karat.read_runs(path, karat.read_pairs(path)).runs
    assert answers_of(run) == [E, U, C]


def test_damaged_logs_of_inspect(tmp_path: Path) -> None:
    """A compression that Python does not know is told with the command that helps; so are bombs and cut files."""
    whole = logs.inspect_eval()
    zstd = bytearray(whole)
    place = whole.index(b"PK\x01\x02")
    while place >= 0:  # the method of compression, in the directory and before each member
        zstd[place + 10 : place + 12] = struct.pack("<H", 93)
        at = struct.unpack("<I", whole[place + 42 : place + 46])[0]
        zstd[at + 8 : at + 10] = struct.pack("<H", 93)
        place = whole.find(b"PK\x01\x02", place + 4)
    path = written(tmp_path, "log.eval", bytes(zstd))
    assert "inspect log convert FILE --to json" in told(lambda: karat.read_pairs(path))
    assert "a damaged zip file" in told(lambda: karat.read_scores(written(tmp_path, "log.eval", whole[:-30])))
    bomb = written(tmp_path, "bomb.eval", b"")
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("samples/1_epoch_1.json", bytes(20 << 20))
    assert "too-large" in told(lambda: karat.read_scores(bomb))
    assert "invalid JSON" in told(lambda: karat.read_scores(written(tmp_path, "a.json", logs.inspect_json()[:-9])))


def _zstandard(whole: bytes) -> bytes:
    """A zip file with the same members, packed by Zstandard, as Inspect has written its logs since 2025."""
    zstandard = pytest.importorskip("zstandard")
    there = zipfile.ZipFile(io.BytesIO(whole))
    made, starts = io.BytesIO(), {}
    with zipfile.ZipFile(made, "w") as archive:  # stored: Python before 3.14 cannot write the other method
        for part in there.infolist():
            archive.writestr(part.filename, zstandard.ZstdCompressor().compress(there.read(part)))
            starts[part.filename] = part
    data = bytearray(made.getvalue())
    place = data.index(b"PK\x01\x02")
    while place >= 0:
        name = bytes(data[place + 46 : place + 46 + struct.unpack("<H", data[place + 28 : place + 30])[0]]).decode()
        at = struct.unpack("<I", data[place + 42 : place + 46])[0]
        for method, check, size in ((place + 10, place + 16, place + 24), (at + 8, at + 14, at + 22)):
            data[method : method + 2] = struct.pack("<H", 93)
            data[check : check + 4] = struct.pack("<I", starts[name].CRC)
            data[size : size + 4] = struct.pack("<I", starts[name].file_size)
        place = data.find(b"PK\x01\x02", place + 4)
    return bytes(data)


def test_logs_of_inspect_packed_by_zstandard(tmp_path: Path) -> None:
    """They say the same as those packed as zip files usually are; a member that grows beyond its size is damaged."""
    usual = written(tmp_path, "a.eval", logs.inspect_eval())
    packed = written(tmp_path, "b.eval", _zstandard(logs.inspect_eval()))
    assert karat.read_pairs(packed).labels.tolist() == karat.read_pairs(usual).labels.tolist()
    assert karat.read_scores(packed).values.tolist() == karat.read_scores(usual).values.tolist()
    lying = bytearray(packed.read_bytes())
    place = lying.index(b"PK\x01\x02")
    while place >= 0:
        lying[place + 24 : place + 28] = struct.pack("<I", 5)
        place = lying.find(b"PK\x01\x02", place + 4)
    assert "a damaged zip file" in told(lambda: karat.read_pairs(written(tmp_path, "c.eval", bytes(lying))))


def test_providers_and_prompts_of_promptfoo(tmp_path: Path) -> None:
    """One run per provider; with several prompts, one for each, called by its label or its number."""
    results = logs.promptfoo_results({"a": ROWS, "b": ROWS})
    for one in logs.promptfoo_results({"b": ROWS}):
        results.append(one | {"prompt": {"raw": "?", "label": "short"}, "provider": "b"})
    path = written(tmp_path, "o.json", logs.promptfoo(results))
    assert karat.read_scores(path).runs == ("a", "b:Is it so? {{premise}} {{hypothesis}}", "b:short")
    for one in results:
        one["prompt"]["label"] = one["prompt"]["label"] * 30
    written(tmp_path, "o.json", logs.promptfoo(results))
    assert karat.read_scores(path).runs == ("a", "b:prompt 1", "b:prompt 2")


def test_older_results_of_promptfoo(tmp_path: Path) -> None:
    """Without numbers of tests, tests are told apart by their variables; a label among these is the target."""
    results = logs.promptfoo_results({"a": ROWS, "b": ROWS})
    for one in results:
        del one["testIdx"], one["promptIdx"], one["testCase"]
        one["provider"] = one["provider"]["id"]
        one["vars"]["gold"] = "neutral"
    path = written(tmp_path, "o.json", logs.promptfoo(results, version=2))
    key = karat.read_pairs(path)
    assert (key.ids, key.labels.tolist()) == (("0", "1", "2"), [1, 1, 1])
    assert karat.read_runs(path, key).names == ("a", "b")


def test_success_where_the_score_does_not_say_it(tmp_path: Path) -> None:
    """A score of its own only if it differs; an error is no answer."""
    results = logs.promptfoo_results({"a": ROWS})
    results[0] |= {"score": 0.75, "namedScores": {"tone": 0.5}}
    path = written(tmp_path, "o.json", logs.promptfoo(results))
    assert "score, success, tone" in told(lambda: karat.read_scores(path))
    assert karat.read_scores(path, score="success").values.tolist() == [RIGHT]
    results[1] |= {"response": None, "error": "429"}
    key = karat.read_pairs(written(tmp_path, "o.json", logs.promptfoo(results)))
    assert "no line for pair '2'" in told(lambda: karat.read_runs(path, key))


def test_runs_of_helm_are_called_by_their_folders(tmp_path: Path) -> None:
    """All runs have the same file names; targets are in one file, answers and scores in others."""
    for run, rows in {"one": ROWS, "two": [row._replace(answer=row.target) for row in ROWS]}.items():
        for name, what in {"instances": "instances", "display_predictions": "predictions", "stats": "stats"}.items():
            written(tmp_path, f"{run}/{name}.json", logs.helm(rows, what))
    key = karat.read_pairs(tmp_path / "one/instances.json")
    paths = [tmp_path / run / "display_predictions.json" for run in ("one", "two")]
    runs = karat.read_runs(paths, key)
    assert {run.info.name: answers_of(run) for run in runs.runs} == {"one": [E, E, C], "two": [E, U, C]}
    assert karat.read_scores(paths).values.tolist() == [RIGHT, [1, 1, 1]]
    stats = [tmp_path / run / "stats.json" for run in ("one", "two")]
    assert karat.read_scores(stats, score="exact_match").values.tolist() == [RIGHT, [1, 1, 1]]
    assert "no answers" in told(lambda: karat.read_runs(stats, key))
    assert "no scores" in told(lambda: karat.read_scores(tmp_path / "one/instances.json"))


def helm_suite(folder: Path, *runs: str) -> Path:
    """The folder that HELM writes, with runs that answer alike."""
    names = {"scenario_state": "state", "instances": "instances", "per_instance_stats": "stats"}
    for run in runs:
        for name, what in {**names, "display_predictions": "predictions"}.items():
            written(folder, f"benchmark_output/runs/v1/{run}/{name}.json", logs.helm(ROWS, what))
        for name in ("run_spec", "scenario", "stats", "display_requests"):
            written(folder, f"benchmark_output/runs/v1/{run}/{name}.json", b"{}")
    written(folder, "benchmark_output/runs/v1/summary.json", b"{}")
    written(folder, "benchmark_output/runs/v1/groups/all.json", b"{}")
    return folder / "benchmark_output"


@pytest.mark.parametrize("depth", ["..", "../..", "", "runs", "runs/v1"])
def test_the_folder_of_a_suite(tmp_path: Path, depth: str) -> None:
    """A folder above those of the runs is a test set, runs and scores, whatever else HELM writes there."""
    names = ("anli:round=r1,model=a_b", "anli:round=r1,model=c_d")
    tmp_path = tmp_path / "lab" / "results"
    folder = helm_suite(tmp_path, *names) / depth
    key = karat.read_pairs(folder)
    runs = karat.read_runs(folder, key)
    assert {run.info.name: answers_of(run) for run in runs.runs} == {name: [E, E, C] for name in names}
    assert karat.check(folder, folder).valid == list(names)
    assert karat.read_scores(folder).values.tolist() == [RIGHT, RIGHT]
    for run in names:
        (tmp_path / "benchmark_output/runs/v1" / run / "display_predictions.json").unlink()
    assert karat.read_runs(folder, key).codes.tolist() == runs.codes.tolist()
    assert karat.read_scores(folder, score="exact_match").values.tolist() == [RIGHT, RIGHT]


def test_a_suite_of_several_scenarios(tmp_path: Path) -> None:
    """Instances of each are numbered alike, so that runs of one would be scored by the key of another."""
    folder = helm_suite(tmp_path, "anli:model=a_b", "boolq:model=a_b")
    tried = (
        lambda: karat.read_pairs(folder),
        lambda: karat.read_scores(folder),
        lambda: karat.read_runs(folder, three_way()),
    )
    for read in tried:
        [line] = told(read).splitlines()
        assert "runs on 2 scenarios (anli; boolq)" in line
        assert "v1/anli*" in line


def test_a_folder_of_folders(tmp_path: Path) -> None:
    """Samples of lm-evaluation-harness are in a folder for each model, inside the folder that the user named."""
    for run in ("a", "b"):
        written(tmp_path, f"out/{run}/samples_nli_2026-01-05T10-00-00.000000.jsonl", logs.lm_eval(ROWS))
        written(tmp_path, f"out/{run}/results_2026-01-05T10-00-00.000000.json", b"{}")
    assert karat.read_scores(tmp_path / "out").runs == ("a", "b")
    assert karat.read_runs(tmp_path / "out", karat.read_pairs(next(tmp_path.glob("out/a/samples*")))).names == (
        "a",
        "b",
    )
    key = karat.read_pairs(tmp_path / "out")  # each log has the key
    assert karat.read_runs(tmp_path, key).names == ("a", "b")
    assert karat.check(tmp_path / "out", tmp_path).valid == ["a", "b"]
    written(tmp_path, "plain/a.csv", b"id,label\n1,E\n")
    with pytest.raises(DataError, match=r"key-folder: a folder whose first file is a\.csv"):
        karat.read_pairs(tmp_path / "plain")


def test_perturbations_and_trials_of_helm(tmp_path: Path) -> None:
    """A perturbation is a run of its own; trials are repeated answers, whose scores are averaged."""
    plain = json.loads(logs.helm(what="predictions"))
    typos = [one | {"perturbation": {"name": "typos"}, "stats": {"exact_match": 0.0}} for one in plain]
    second = [one | {"train_trial_index": 1, "stats": {"exact_match": 1.0}} for one in plain]
    path = written(tmp_path, "m/display_predictions.json", json.dumps(plain + typos + second).encode())
    scores = karat.read_scores(path)
    assert (scores.runs, scores.values.tolist()) == (("m", "m:typos"), [[1, 0.5, 1], [0, 0, 0]])


def test_one_request_per_choice_is_left_to_helm(tmp_path: Path) -> None:
    """Which choice HELM takes is in another file, which is named."""
    state = json.loads(logs.helm())
    state["request_states"][0]["reference_index"] = 0
    path = written(tmp_path, "m/scenario_state.json", json.dumps(state).encode())
    assert "display_predictions.json" in told(lambda: karat.read_pairs(path))


@pytest.mark.parametrize("provider", ["openai", "responses", "anthropic"])
def test_replies_to_batch_requests(tmp_path: Path, provider: str) -> None:
    """They are called by their custom ids; a request that failed has no answer."""
    data = logs.batch_output(provider=provider, words=("Entailment.", "neutral", "Contradiction"))
    run = karat.read_runs(written(tmp_path, "replies.jsonl", data), three_way()).runs[0]
    assert (run.info.name, answers_of(run)) == ("replies", [E, E, C])
    failed = data.replace(b'"text": "Contradiction"', b'"text": null').replace(b'"content": "Contradiction"', b'"x": 1')
    path = written(tmp_path, "replies.jsonl", failed)
    assert "no line for pair '3'" in told(lambda: karat.read_runs(path, three_way()))


def test_a_log_of_somebody_else(tmp_path: Path) -> None:
    """Rows with only some of the keys are a table; an empty log is told."""
    path = written(tmp_path, "a.jsonl", logs.json_lines([{"doc_id": 1, "id": n, "prediction": "E"} for n in (1, 2, 3)]))
    assert answers_of(karat.read_runs(path, three_way()).runs[0]) == [E, E, E]
    empty = written(tmp_path, "a.json", logs.inspect_json([]))
    assert "a log without samples" in told(lambda: karat.read_pairs(empty))


def test_false_is_contradiction_if_neither_could_be_said(tmp_path: Path) -> None:
    """A model that never says Neither still chose among three; elsewhere FALSE means what it means in the key."""
    path = written(tmp_path, "a.jsonl", logs.lm_eval())
    key = karat.read_pairs(path)
    assert answers_of(karat.read_runs(path, key).runs[0]) == ["ENTAILMENT", "ENTAILMENT", "CONTRADICTION"]
    plain = written(tmp_path, "a.csv", b"id,prediction\n1,True\n2,True\n3,False\n")
    assert answers_of(karat.read_runs(plain, key).runs[0]) == ["ENTAILMENT", "ENTAILMENT", "CONTRADICTION"]


def test_many_rows_are_read_in_key_order(tmp_path: Path) -> None:
    """Samples in any order."""
    rows = [Row(str(n), f"t{n}", f"h{n}", n % 3, (n * n) % 3) for n in range(50)]
    key = karat.read_pairs(written(tmp_path, "k.jsonl", logs.lm_eval(rows)))
    runs = karat.read_runs(written(tmp_path, "r.jsonl", logs.lm_eval(rows[::-1])), key)
    assert runs.runs[0].codes.tolist() == [row.answer for row in rows]


def renumbered(rows: list[Row]) -> list[Row]:
    """The rows with the numbers that a harness gives them in this order."""
    return [row._replace(id=str(place)) for place, row in enumerate(rows, 1)]


def unnumbered(data: bytes) -> bytes:
    """A log whose documents do not contain their numbers."""
    return re.sub(rb'"uid": "u\d+"', b'"uid": ""', data)


IN_ORDER: dict[str, Callable[[list[Row]], bytes]] = {
    "samples.jsonl": logs.lm_eval,
    "log.json": lambda rows: logs.inspect_json(logs.inspect_samples(rows)),
    "output.json": lambda rows: logs.promptfoo(logs.promptfoo_results({f"p{rows[0].answer}": rows})),
}


@pytest.mark.parametrize("name", IN_ORDER)
def test_documents_that_share_a_number_only(name: str, tmp_path: Path) -> None:
    """The same documents in another order are joined by what they say; other documents are refused."""
    make = IN_ORDER[name]
    moved = renumbered([row._replace(answer=1) for row in (ROWS[2], ROWS[0], ROWS[1])])
    first = written(tmp_path, f"1-{name}", unnumbered(make(ROWS)))
    second = written(tmp_path, f"2-{name}", unnumbered(make(moved)))
    assert karat.read_scores([first, second]).values.tolist() == [RIGHT, [0, 1, 0]]
    others = renumbered([row._replace(text=f"{row.text} Really.") for row in ROWS[:2]])
    third = written(tmp_path, f"3-{name}", unnumbered(make(others)))
    found = "2 of 2 samples are other documents than in the log before it (first: sample '1')"
    assert found in told(lambda: karat.read_scores([first, third]))


def test_logs_of_openai_evals(tmp_path: Path) -> None:
    """What was sampled is the answer, whatever was picked; a file that the program named is called by the model."""
    path = written(tmp_path, "mine.jsonl", logs.openai_evals())
    key = karat.read_pairs(path)
    assert key.labels.tolist() == [0, 1, 2]
    (run,) = karat.read_runs(path, key).runs
    assert (run.info.name, answers_of(run)) == ("mine", [E, E, C])
    scores = karat.read_scores(path)
    assert (scores.measure, scores.units, scores.values.tolist()) == ("correct", key.ids, [RIGHT])
    named = written(tmp_path, "260101000000ABCDEFGH_gpt-4_nli.jsonl", logs.openai_evals())
    assert karat.read_scores(named).runs == ("gpt-4",)
    cut = written(tmp_path, "cut.jsonl", logs.openai_evals()[:-40])
    assert "invalid JSON in line 8" in told(lambda: karat.read_pairs(cut))


def test_tasks_of_lm_eval_below_a_folder(tmp_path: Path) -> None:
    """They are named, with a pattern of the files of one, which can be read."""
    for model in ("one", "two"):
        for task in ("mnli", "rte"):
            written(tmp_path, f"out/{model}/samples_{task}_2026-01-01T00-00-00.123.jsonl", logs.lm_eval())
    said = told(lambda: karat.read_scores(tmp_path / "out"))
    assert "samples of 2 tasks (mnli, rte)" in said
    (pattern,) = re.findall("for example (.*)", said)
    assert pattern == f"{tmp_path}/out/*/samples_mnli_2*.jsonl"
    files = sorted(tmp_path.glob(str(Path(pattern).relative_to(tmp_path))))
    assert karat.read_scores(files).runs == ("one", "two")
    assert "samples of 2 tasks" in told(lambda: karat.read_scores(tmp_path / "out" / "one"))


def test_two_logs_of_a_model(tmp_path: Path) -> None:
    """Both are called like the model; the message says that a file can be renamed, and that helps."""
    names = [f"2026-01-0{day}T10-00-00+00-00_nli_abc.eval" for day in (1, 2)]
    first, second = (written(tmp_path, name, logs.inspect_eval()) for name in names)
    assert "until you rename the file" in told(lambda: karat.read_scores(tmp_path))
    second.rename(tmp_path / "later.eval")
    assert karat.read_scores([first, tmp_path / "later.eval"]).runs == ("mockllm/model", "later")


def test_the_csv_of_promptfoo(tmp_path: Path) -> None:
    """Its cells are no answers: JSON is asked for. A table in Markdown is told from a damaged CSV."""
    text = 'premise,hypothesis,[openai:one] Is it so?\n"Ann ran.",Bo ran.,"[FAIL] (0.00)\n\nneutral"\n'
    path = written(tmp_path, "out.csv", text.encode())
    for read in (karat.read_pairs, karat.read_scores, partial(karat.read_runs, key=three_way())):
        assert "promptfoo eval -o FILE.json" in told(partial(read, path))
    path = written(tmp_path, "a.md", b"| id | label |\n|----|:-----:|\n| 1 | E |\n")
    assert "a table in Markdown: write it as CSV" in told(lambda: karat.read_pairs(path))
