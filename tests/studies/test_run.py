"""Running an engine: every pair answered, the same anywhere, and signed."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import karat
from karat import examples
from karat.engines import answering
from karat.engines.batch import Batch
from karat.engines.engine import Justification
from karat.engines.explaining import explain as explain_pairs
from karat.engines.knowledge import load_knowledge
from karat.engines.lexicon.wordnet import NO_WORDNET
from karat.engines.model import Model, load_model
from karat.errors import UsageError
from karat.studies.run import learn, run
from tests.engines.text.conllu_files import write_conllu

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


DIES = """
import os
import numpy as np
from karat.engines.engine import BatchAnswers
from karat.engines.engine import engines

class Dies:
    def fit(self, training):
        return {}
    def answer(self, batch, learnt):
        if "PLANTED" in batch.ids:
            os.kill(os.getpid(), 9)
        return BatchAnswers(np.zeros(len(batch), dtype=np.int8), np.ones(len(batch)))

@engines.register("dies", learns="no", ways=("2", "3"), knows=(), switches=(), source="a test")
def dies(setup):
    \"\"\"Kills its process over one pair.\"\"\"
    return Dies()
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
    ours = karat.score(made, measure=["average_precision"], way="2")
    theirs = karat.score(read, measure=["average_precision"], way="2")
    assert ours.runs[0].values["2"] == pytest.approx(theirs.runs[0].values["2"])


def test_signature_says_what_was_known() -> None:
    """The engine in full, the dictionary, the trees, both files and the seed are in the signature."""
    result = run("overlap(variant=lemma)", KEY, train=KEY, seed=3, **BARE)
    signature = result.signature
    assert signature.parameters["engine"] == "overlap(variant=lemma)"
    assert signature.parameters["dictionary"] == "no WordNet"
    assert signature.parameters["trees"] == "karat's chunker"
    assert [source.name for source in signature.files] == ["pairs.xml"]
    assert signature.seed == 3


def test_a_model_is_json_and_answers_the_same(tmp_path: Path) -> None:
    """What was learnt, written and read, gives the same run."""
    model = learn("overlap", KEY, **BARE)
    model.save(tmp_path / "model.json")
    again = load_model(tmp_path / "model.json", "overlap")
    assert again == model
    direct, later = run(model, KEY), run(again, KEY)
    assert direct.answers == later.answers
    assert [source.name for source in later.signature.files[:2]] == ["pairs.xml", "model"]


def test_a_model_is_of_its_engine_and_knowledge(tmp_path: Path) -> None:
    """A model of another engine, a file that is none, and other knowledge than it was learnt with are refused."""
    model = learn("overlap", KEY, **BARE)
    model.save(tmp_path / "model.json")
    with pytest.raises(UsageError, match="not of majority"):
        load_model(tmp_path / "model.json", "majority")
    with pytest.raises(UsageError, match="not of overlap"):
        load_model(tmp_path / "model.json", "overlap(variant=token)")
    (tmp_path / "none.json").write_text("{}")
    with pytest.raises(UsageError, match="not a model of karat"):
        load_model(tmp_path / "none.json", "overlap")
    with pytest.raises(UsageError, match="cannot read the model"):
        load_model(tmp_path / "absent.json", "overlap")
    other = Model(engine="overlap", way="3", knowledge={"dictionary": "another"}, without=("wordnet",), state={})
    with pytest.raises(UsageError, match="learnt with another"):
        run(other, KEY)
    with pytest.raises(UsageError, match="already trained"):
        run(model, KEY, train=KEY)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"way": "7"}, "2 or 3"),
        ({"version": "99.9"}, "karat 99.9"),
        ({"without": ("nonsense",)}, "nonsense"),
        ({"state": {}}, "cannot be read"),
        ({"engine": "outside(command='touch planted')"}, "is a model of outside"),
    ],
)
def test_a_model_edited_by_hand(tmp_path: Path, changed: dict[str, Any], told: str) -> None:
    """What does not hold together is refused in words, and no program is run that was not named."""
    model = replace(learn("overlap", KEY, **BARE), **changed)
    model.save(tmp_path / "model.json")
    with pytest.raises(UsageError, match=told):
        run(load_model(tmp_path / "model.json", "overlap"), KEY)


@pytest.mark.parametrize("option", [{"way": "2"}, {"without": ["synonyms"]}, {"seed": 9}, {"trees": "x.conllu"}])
def test_a_model_is_not_changed_by_options(option: dict[str, Any]) -> None:
    """What is part of a model cannot be said beside it; its signature says what the model was learnt with."""
    model = learn("overlap", KEY, seed=4, **BARE)
    with pytest.raises(UsageError, match="part of what the model has learnt"):
        run(model, KEY, **option)
    signature = run(model, KEY).signature
    assert (signature.seed, signature.parameters["without"]) == (4, ["wordnet"])


def test_trees_of_both_sets(tmp_path: Path) -> None:
    """Sets that share ids have parses of their own, in two files."""
    files = []
    for name, texts in (("train", ["A dog barked .", "A cat slept ."]), ("test", ["A bird sang .", "A cow stood ."])):
        rows = [f"{place}\t{text}\t{text}\t{'YES' if place else 'NO'}" for place, text in enumerate(texts)]
        (tmp_path / f"{name}.tsv").write_text("\n".join(["id\ttext\thypothesis\tlabel", *rows, ""]))
        pairs = karat.read_pairs(tmp_path / f"{name}.tsv")
        knowledge = load_knowledge(without=["wordnet"])
        file = tmp_path / f"{name}.conllu"
        file.write_bytes(write_conllu(pairs, knowledge.trees, knowledge.vocabulary))
        files.append((pairs, str(file)))
    (train, train_trees), (test, test_trees) = files
    result = run("overlap", test, train=train, trees=test_trees, train_trees=train_trees, **BARE)
    assert not result.failures
    model = learn("overlap", train, trees=train_trees, **BARE)
    assert run(model, test, trees=test_trees).answers == result.answers
    assert len(run(model, test).failures) == 2


def test_processes_answer_as_here() -> None:
    """Two processes give the run that one gives, justifications too."""
    model = learn("overlap", KEY, **BARE)
    here, apart = run(model, KEY, justify=True), run(model, KEY, on="processes", jobs=2, justify=True)
    assert here.answers == apart.answers


def test_a_process_that_dies(tmp_path: Path) -> None:
    """The pair it dies of is found, answered at confidence 0 and listed; all others are answered."""
    (tmp_path / "dies.py").write_text(DIES.replace("PLANTED", KEY.ids[7]))
    code = (
        "import karat, dies, sys\n"
        "if __name__ == '__main__':\n"
        f"    key = karat.read_pairs({str(examples.PAIRS)!r})\n"
        "    result = karat.run('dies', key, on='processes', jobs=2)\n"
        "    print([(one.id, one.reason) for one in result.failures], result.labels)\n"
    )
    (tmp_path / "main.py").write_text(code)
    (tmp_path / "sitecustomize.py").write_text("import dies\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, str(tmp_path / "main.py")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert KEY.ids[7] in done.stdout
    assert "died" in done.stdout
    assert f"'ENTAILMENT': {len(KEY) - 1}" in done.stdout


def test_wording_that_fails_costs_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pair whose justification fails keeps its label and confidence, and is listed."""
    plain = run("overlap", KEY, train=KEY, **BARE)
    real = explain_pairs

    def explain(batch: Batch, *rest: Any) -> list[Justification]:
        if KEY.ids[3] in batch.ids:
            raise ValueError("planted")
        return real(batch, *rest)

    monkeypatch.setattr(answering, "explain", explain)
    result = run("overlap", KEY, train=KEY, justify=True, **BARE)
    assert [(one.label, one.confidence) for one in result.answers] == [
        (one.label, one.confidence) for one in plain.answers
    ]
    assert [one.id for one in result.speechless] == [KEY.ids[3]]
    assert "Pairs without a justification" in result.render("text")


def test_a_pair_that_is_too_long(tmp_path: Path) -> None:
    """It is listed as failed at once; nobody learns from one."""
    long = " ".join(["word"] * 8000)
    rows = ["id\ttext\thypothesis\tlabel", "1\ta dog\ta dog\tYES", f"2\t{long}\t{long}\tNO", "3\ta cat\tan owl\tNO"]
    (tmp_path / "long.tsv").write_text("\n".join([*rows, ""]))
    pairs = karat.read_pairs(tmp_path / "long.tsv")
    result = run("linguistic", pairs, train=KEY, way="2", **BARE)
    assert [one.id for one in result.failures] == ["2"]
    assert "too long" in result.failures[0].reason
    with pytest.raises(UsageError, match=r"pair 2 of .* too long"):
        run("linguistic", pairs, train=pairs, **BARE)


def test_nothing_answered_is_a_failure(tmp_path: Path) -> None:
    """A run in which every pair failed is no run."""
    program = tmp_path / "fails.py"
    program.write_text(FAILS.replace('said["id"] == "PLANTED"', "True"))
    result = run(f"outside(command='{sys.executable} {program}')", KEY, way="3")
    assert result.failed
    assert not run("always-unknown", KEY).failed


def test_learning_from_the_test_set_is_told() -> None:
    """Whoever learns from the pairs that are answered is told what scores then mean."""
    told = "was trained on the pairs that it answers"
    assert any(told in sentence for sentence in run("majority", KEY, train=KEY).findings())
    assert not any(told in sentence for sentence in run("always-unknown", KEY).findings())


def test_a_pair_that_fails_is_listed(tmp_path: Path) -> None:
    """It is answered UNKNOWN at confidence 0, and said to have failed."""
    program = tmp_path / "fails.py"
    program.write_text(FAILS.replace("PLANTED", KEY.ids[5]))
    result = run(f"outside(command='{sys.executable} {program}')", KEY, way="3")
    assert [(one.place, one.id) for one in result.failures] == [(5, KEY.ids[5])]
    assert "no idea" in result.failures[0].reason
    assert (result.answers[5].label, result.answers[5].confidence) == ("UNKNOWN", 0.0)
    assert {answer.label for answer in result.answers} == {"ENTAILMENT", "UNKNOWN"}
    assert any("failed on 1 of" in sentence for sentence in result.findings())
    assert "Pairs that failed" in result.render("text")


@pytest.mark.parametrize(
    ("engine", "options", "said"),
    [
        ("overlop", {}, "overlap"),
        ("overlap(variant=idg)", {"train": KEY}, "idf"),
        ("overlap", {}, "with train=…"),
        ("overlap", {"train": KEY, "without": ["wordnets"]}, "wordnet"),
        ("always-contradiction", {"way": "2"}, "3"),
        ("overlap", {"train": KEY, "trees": "chunkr"}, "chunker"),
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
    assert run("always-unknown", KEY).findings()[1:] == ["Every pair gets the same answer, UNKNOWN."]


def test_two_ways_cannot_teach_three(tmp_path: Path) -> None:
    """Three labels are not learnt from pairs judged in two ways."""
    (tmp_path / "two.tsv").write_text("id\ttext\thypothesis\tlabel\n1\ta dog\ta dog\tYES\n2\ta dog\ta cat\tNO\n")
    two = karat.read_pairs(tmp_path / "two.tsv")
    assert run("overlap", KEY, train=two, **BARE).way == "2"
    with pytest.raises(UsageError, match="has two labels"):
        run("overlap", KEY, train=two, way="3", **BARE)
