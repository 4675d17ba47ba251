"""Running an engine: every pair answered, the same anywhere, and signed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import karat
from karat import examples
from karat.engines.lexicon.wordnet import NO_WORDNET
from karat.engines.model import Model, load_model
from karat.errors import UsageError
from karat.studies.run.study import learn, run

KEY = karat.read_pairs(examples.PAIRS)
BARE: dict[str, Any] = {"without": ["wordnet"]}
FAILS = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if "karat" in said:
        print(json.dumps({"ready": True, "name": "fails"}), flush=True)
    elif "end" in said:
        print(json.dumps({"end": True}), flush=True)
    elif said["id"] == "PLANTED":
        print(json.dumps({"id": said["id"], "error": "no idea"}), flush=True)
    else:
        print(json.dumps({"id": said["id"], "label": "ENTAILMENT", "confidence": 0.75}), flush=True)
"""


def test_every_pair_is_answered() -> None:
    """A run has an answer, a justification and evidence for each pair, in the order of the file."""
    result = run("overlap", KEY, train=KEY, justify=True, **BARE)
    assert [answer.id for answer in result.answers] == list(KEY.ids)
    assert sum(result.labels.values()) == len(KEY)
    assert not result.failures
    for answer, text, hypothesis in zip(result.answers, KEY.texts, KEY.hypotheses, strict=True):
        assert answer.justification
        assert 0 <= answer.confidence <= 1
        for span in answer.evidence:
            quoted = (text if span.side == "T" else hypothesis)[span.start : span.end]
            assert quoted
            assert quoted in answer.justification


@pytest.mark.parametrize("suffix", [".txt", ".tsv", ".csv", ".jsonl"])
def test_written_and_read(tmp_path: Path, suffix: str) -> None:
    """A run file says what the run said, in any form, and average precision takes the engine's own order."""
    result = run("overlap(variant=token)", KEY, train=KEY, justify=True, **BARE)
    made = result.responses(KEY)
    karat.write_run(made, 0, tmp_path / f"run{suffix}")
    read = karat.read_runs([tmp_path / f"run{suffix}"], KEY)
    np.testing.assert_array_equal(read.codes, made.codes)
    assert read.runs[0].confidence == pytest.approx(made.runs[0].confidence)
    assert read.runs[0].justifications == made.runs[0].justifications
    ours = karat.evaluate(KEY, made, measure=["average_precision"], way="2")
    theirs = karat.evaluate(KEY, read, measure=["average_precision"], way="2")
    assert ours.runs[0].values["2"] == pytest.approx(theirs.runs[0].values["2"])


def test_signature_says_what_was_known() -> None:
    """The engine in full, the dictionary, the trees, both files and the seed are in the signature."""
    result = run("overlap(variant=lemma)", KEY, train=KEY, seed=3, **BARE)
    signature = result.signature
    assert signature.parameters["engine"] == "overlap(variant=lemma)"
    assert signature.parameters["dictionary"] == "no WordNet"
    assert signature.parameters["trees"] == "karat's chunker"
    assert [source.name for source in signature.files] == [KEY.source.name]
    assert signature.seed == 3


def test_a_model_is_json_and_answers_the_same(tmp_path: Path) -> None:
    """What was learnt, written and read, gives the same run."""
    model = learn("overlap", KEY, **BARE)
    model.save(tmp_path / "model.json")
    again = load_model(tmp_path / "model.json")
    assert again == model
    direct, later = run(model, KEY), run(again, KEY)
    assert direct.answers == later.answers
    assert [source.name for source in later.signature.files[:2]] == [KEY.source.name, "model"]


def test_a_model_is_of_its_engine_and_knowledge(tmp_path: Path) -> None:
    """A model of another engine, a file that is none, and other knowledge than it was learnt with are refused."""
    model = learn("overlap", KEY, **BARE)
    model.save(tmp_path / "model.json")
    with pytest.raises(UsageError, match="not of majority"):
        load_model(tmp_path / "model.json", "majority")
    (tmp_path / "none.json").write_text("{}")
    with pytest.raises(UsageError, match="no model of karat"):
        load_model(tmp_path / "none.json")
    with pytest.raises(UsageError, match="cannot read the model"):
        load_model(tmp_path / "absent.json")
    other = Model(engine="overlap", way="3", knowledge={"dictionary": "another"}, without=("wordnet",), state={})
    with pytest.raises(UsageError, match="learnt with another"):
        run(other, KEY)
    with pytest.raises(UsageError, match="has learnt already"):
        run(model, KEY, train=KEY)


def test_processes_answer_as_here() -> None:
    """Two processes give the run that one gives, justifications too."""
    model = learn("overlap", KEY, **BARE)
    here, apart = run(model, KEY, on="here", justify=True), run(model, KEY, jobs=2, justify=True)
    assert here.answers == apart.answers


def test_a_pair_that_fails_is_listed(tmp_path: Path) -> None:
    """It is answered UNKNOWN at confidence 0, and said to have failed."""
    program = tmp_path / "fails.py"
    program.write_text(FAILS.replace("PLANTED", KEY.ids[5]))
    result = run(f"outside(command='{sys.executable} {program}')", KEY, way="3")
    assert [(one.place, one.id) for one in result.failures] == [(5, KEY.ids[5])]
    assert "no idea" in result.failures[0].reason
    assert (result.answers[5].label, result.answers[5].confidence) == ("UNKNOWN", 0.0)
    assert {answer.label for answer in result.answers} == {"ENTAILMENT", "UNKNOWN"}
    assert any("failed on 1 pair" in sentence for sentence in result.findings())
    assert "Pairs that failed" in result.render("text")


@pytest.mark.parametrize(
    ("engine", "options", "said"),
    [
        ("overlop", {}, "overlap"),
        ("overlap(variant=idg)", {"train": KEY}, "idf"),
        ("overlap", {}, "--train"),
        ("overlap", {"train": KEY, "without": ["wordnets"]}, "wordnet"),
        ("always-contradiction", {"way": "2"}, "3"),
        ("overlap", {"train": KEY, "trees": "spacey"}, "spacy"),
    ],
)
def test_wrong_calls(engine: str, options: dict[str, object], said: str) -> None:
    """A call that cannot be meant is refused with what could be."""
    with pytest.raises(UsageError, match=said):
        run(engine, KEY, **options)


def test_no_dictionary_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where none is found the engine works on, and how to get one is said; not where it was switched off."""
    monkeypatch.setattr("karat.engines.knowledge.load_wordnet", lambda: NO_WORDNET)
    result = run("overlap", KEY, train=KEY)
    assert any("wordnet-base" in sentence for sentence in result.findings())
    assert result.answers == run("overlap", KEY, train=KEY, **BARE).answers
    assert not any("wordnet-base" in sentence for sentence in run("overlap", KEY, train=KEY, **BARE).findings())
    assert run("always-unknown", KEY).findings()[1:] == ["Every pair is answered UNKNOWN."]


def test_two_ways_cannot_teach_three(tmp_path: Path) -> None:
    """Three labels are not learnt from pairs judged in two ways."""
    (tmp_path / "two.tsv").write_text("id\ttext\thypothesis\tlabel\n1\ta dog\ta dog\tYES\n2\ta dog\ta cat\tNO\n")
    two = karat.read_pairs(tmp_path / "two.tsv")
    assert run("overlap", KEY, train=two, **BARE).way == "2"
    with pytest.raises(UsageError, match="two ways"):
        run("overlap", KEY, train=two, way="3", **BARE)
