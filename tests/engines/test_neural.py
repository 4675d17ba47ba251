"""Tests of neural networks as engines, against the same weights in plain loops."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
pytest.importorskip("tokenizers", reason="tokenizers is not installed")
pytest.importorskip("onnx", reason="onnx, which makes the networks of these tests, is not installed")

from karat.engines.batch import Batch
from karat.engines.engine import BatchAnswers, Setup
from karat.engines.knowledge import Knowledge
from karat.engines.lexicon.wordnet import NO_WORDNET
from karat.engines.neural.engine import Neural
from karat.engines.neural.files import Config, most_tokens
from karat.engines.neural.head import LearntHead
from karat.engines.neural.reading import NetworkOptions, _reader
from karat.engines.text.chunker import Chunker
from karat.errors import UsageError
from karat.labels import THREE, TWO, Way
from tests.engines.networks import WORDS, make_network, make_tokeniser

KNOWLEDGE = Knowledge(NO_WORDNET, Chunker())
NLI = ("entailment", "neutral", "contradiction")


def make_batch(many: int = 50) -> Batch:
    """Pairs of random words, some unknown, many longer than the network takes."""
    rng = np.random.default_rng(1)
    known = [*WORDS[4:], "zebra"]
    texts = [" ".join(rng.choice(known, rng.integers(1, 20))) for _ in range(many)]
    hypotheses = [" ".join(rng.choice(known, rng.integers(1, 8))) for _ in range(many)]
    return Batch(KNOWLEDGE, [str(row) for row in range(many)], texts, hypotheses)


def ask(folder: Path, batch: Batch, way: Way = THREE, labels: str = "", length: int = 0, size: int = 7) -> BatchAnswers:
    """The answers of the network in a folder, which remembers no pair that it was asked about before."""
    _reader.cache_clear()
    return Neural(Setup(KNOWLEDGE, way), NetworkOptions(str(folder), length=length, size=size), labels).answer(
        batch, LearntHead()
    )


@pytest.mark.parametrize("sides", [True, False], ids=["with types", "without types"])
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_label_orders(order: tuple[int, ...], sides: bool, tmp_path: Path) -> None:
    """Whatever the order of its outputs, the label and the likelihood of entailment are those of plain loops."""
    tiny = make_network(tmp_path, [NLI[code] for code in order], seed=sum(order[:2]), sides=sides)
    batch = make_batch()
    answers = ask(tmp_path, batch)
    entails, codes, folded = [], [], []
    for text, hypothesis in zip(batch.texts, batch.hypotheses, strict=True):
        likely = tiny.likelihoods(text, hypothesis)
        entails.append(likely[order.index(0)])
        codes.append(order[likely.index(max(likely))])
        folded.append(0 if entails[-1] > 0.5 else 1)
    assert set(codes) == {0, 1, 2}
    np.testing.assert_array_equal(answers.codes, codes)
    two = ask(tmp_path, batch, TWO)
    np.testing.assert_array_equal(two.codes, folded)
    np.testing.assert_allclose(two.confidence, entails, rtol=1e-5)
    # Where the likeliest of three labels is less than even, or entailment loses to another, the ranking still agrees.
    ranked = [max(sure, 0.5) if code == 0 else min(sure, 0.5) for sure, code in zip(entails, codes, strict=True)]
    np.testing.assert_allclose(answers.confidence, ranked, rtol=1e-5)
    assert min(answers.confidence[answers.codes == 0]) > max(answers.confidence[answers.codes != 0])
    assert not answers.reasons


@pytest.mark.parametrize("labels", [("not_entailment", "entailment"), ("YES", "NO"), ("entailed", "neutral")])
def test_two_way_network(labels: tuple[str, str], tmp_path: Path) -> None:
    """Two outputs answer in two ways, and are refused in three."""
    tiny = make_network(tmp_path, labels)
    batch = make_batch()
    column = 1 if labels[0] == "not_entailment" else 0
    entails = [tiny.likelihoods(*pair)[column] for pair in zip(batch.texts, batch.hypotheses, strict=True)]
    answers = ask(tmp_path, batch, TWO)
    np.testing.assert_allclose(answers.confidence, entails, rtol=1e-5)
    np.testing.assert_array_equal(answers.codes, np.array(entails) <= 0.5)
    with pytest.raises(UsageError, match="only two labels"):
        ask(tmp_path, batch, THREE)


@pytest.mark.parametrize(
    "labels",
    [
        ("LABEL_0", "LABEL_1", "LABEL_2"),
        ("0", "1", "2"),
        ("entailment", "neutral", "neutral"),
        ("negative", "positive"),
        ("entailment", "neutral", "contradiction", "other"),
        ("entailment",),
    ],
)
def test_unclear_labels(labels: tuple[str, ...], tmp_path: Path) -> None:
    """Labels that do not say what they mean are refused, with what to say instead."""
    make_network(tmp_path, labels)
    with pytest.raises(UsageError, match="labels='entailment,neutral,contradiction'"):
        ask(tmp_path, make_batch(), TWO)


def test_given_labels(tmp_path: Path) -> None:
    """Labels that the user gives go before those of the file."""
    batch = make_batch()
    make_network(tmp_path, ("contradiction", "neutral", "entailment"))
    known = ask(tmp_path, batch)
    make_network(tmp_path, ("LABEL_0", "LABEL_1", "LABEL_2"))
    given = ask(tmp_path, batch, labels="contradiction, neutral, entailment")
    np.testing.assert_array_equal(known.confidence, given.confidence)
    np.testing.assert_array_equal(known.codes, given.codes)


def test_wrong_number_of_labels(tmp_path: Path) -> None:
    """A network with other outputs than its labels say is refused."""
    make_network(tmp_path, NLI)
    with pytest.raises(UsageError, match="has 3 outputs per pair, but 2 labels are named"):
        ask(tmp_path, make_batch(), TWO, labels="entailment,not_entailment")


@pytest.mark.parametrize("size", [1, 3, 50])
def test_padding(size: int, tmp_path: Path) -> None:
    """How many pairs are read together, and which, changes nothing but the rounding of single precision."""
    make_network(tmp_path, NLI)
    batch = make_batch()
    answers = ask(tmp_path, batch)
    np.testing.assert_allclose(ask(tmp_path, batch, size=size).confidence, answers.confidence, rtol=1e-5)
    for row in range(len(batch)):
        alone = Batch(KNOWLEDGE, [batch.ids[row]], [batch.texts[row]], [batch.hypotheses[row]])
        assert ask(tmp_path, alone, size=size).confidence[0] == pytest.approx(answers.confidence[row], rel=1e-5)


def test_long_hypothesis(tmp_path: Path) -> None:
    """A hypothesis that leaves no room for T fails alone; one token of room is enough."""
    tiny = make_network(tmp_path, NLI, length=8)
    hypotheses = ["a cat sleeps on", "a cat sleeps on the", "a cat runs on the mat not every", "cat"]
    batch = Batch(KNOWLEDGE, ["1", "2", "3", "4"], ["the dog runs"] * 4, hypotheses)
    answers = ask(tmp_path, batch)
    assert sorted(answers.reasons) == [1, 2]
    expected = [tiny.likelihoods("the dog runs", hypothesis)[0] for hypothesis in (hypotheses[0], hypotheses[3])]
    np.testing.assert_allclose(ask(tmp_path, batch, TWO).confidence[[0, 3]], expected, rtol=1e-5)


def test_not_a_number(tmp_path: Path) -> None:
    """A pair for which the network says NaN or infinity fails, and no other."""
    import onnx
    from onnx import numpy_helper

    make_network(tmp_path, NLI)
    made = onnx.load(str(tmp_path / "model.onnx"))
    (words,) = [one for one in made.graph.initializer if one.name == "words"]
    broken = numpy_helper.to_array(words).copy()
    broken[WORDS.index("cat")] = np.inf
    words.CopyFrom(numpy_helper.from_array(broken, "words"))
    onnx.save(made, str(tmp_path / "model.onnx"))
    batch = Batch(KNOWLEDGE, ["1", "2"], ["a cat", "a dog"], ["the mat", "the mat"])
    answers = ask(tmp_path, batch)
    assert answers.reasons == {0: "the network's outputs are not numbers"}
    assert np.isfinite(answers.confidence).all()


def test_nothing_asked(tmp_path: Path) -> None:
    """No pairs have no answers."""
    make_network(tmp_path, NLI)
    assert len(ask(tmp_path, Batch(KNOWLEDGE, [], [], [])).codes) == 0


def test_explains(tmp_path: Path) -> None:
    """A justification says what was decided, and no more."""
    make_network(tmp_path, NLI)
    engine, batch = Neural(Setup(KNOWLEDGE, THREE), NetworkOptions(str(tmp_path))), make_batch()
    answers = engine.answer(batch, LearntHead())
    told = {
        why.text: code
        for why, code in zip(engine.explain(batch, answers, LearntHead()), answers.codes.tolist(), strict=True)
    }
    assert told["Read as a whole, the text excludes the hypothesis."] == 2
    assert len(told) == 3


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("config.json", None, "cannot read .*config.json: No such file"),
        ("config.json", "{", "cannot read .*config.json"),
        ("config.json", "{}", "does not name the outputs"),
        ("config.json", '{"id2label": {"1": "entailment", "2": "neutral"}}', "does not name the outputs"),
        ("tokenizer.json", None, "there is no .*tokenizer.json"),
        ("tokenizer.json", "{}", "cannot read .*tokenizer.json"),
        ("model.onnx", "nonsense", "onnxruntime cannot read"),
        ("model.onnx", None, "there is no model.onnx in|transformers cannot read"),
    ],
)
def test_broken_folder(name: str, content: str | None, told: str, tmp_path: Path) -> None:
    """Each file that is missing or broken is named."""
    make_network(tmp_path, NLI)
    (tmp_path / name).unlink()
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(UsageError, match=told):
        ask(tmp_path, make_batch())


def test_no_folder(tmp_path: Path) -> None:
    """A folder that is not there is told."""
    with pytest.raises(UsageError, match="is not a folder"):
        ask(tmp_path / "none", make_batch())


def test_lengths(tmp_path: Path) -> None:
    """The length comes from the tokeniser's file, else from the places of the network, less those it keeps back."""
    config = Config(max_position_embeddings=514, model_type="roberta", pad_token_id=1)
    assert most_tokens(tmp_path, config) == 512
    assert most_tokens(tmp_path, Config(max_position_embeddings=128)) == 128
    assert most_tokens(tmp_path, Config(max_position_embeddings=4096)) == 512
    assert most_tokens(tmp_path, Config()) == 512
    path = tmp_path / "tokenizer_config.json"
    path.write_text(json.dumps({"model_max_length": 256}))
    assert most_tokens(tmp_path, config) == 256
    path.write_text(json.dumps({"model_max_length": 10**30}))
    assert most_tokens(tmp_path, config) == 512


def test_transformers(tmp_path: Path) -> None:
    """Without an ONNX file, transformers runs the network: its own outputs, whatever is padded together."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=40,
        initializer_range=2.0,
        id2label=dict(enumerate(("contradiction", "entailment", "neutral"))),
        label2id={"contradiction": 0, "entailment": 1, "neutral": 2},
    )
    network = transformers.BertForSequenceClassification(config).eval()
    network.save_pretrained(str(tmp_path))
    make_tokeniser(tmp_path)
    batch = make_batch(12)
    entails = []
    for text, hypothesis in zip(batch.texts, batch.hypotheses, strict=True):
        sides = [[WORDS.index(word) if word in WORDS else 1 for word in side.split()] for side in (text, hypothesis)]
        ids = torch.tensor([[2, *sides[0], 3, *sides[1], 3]])
        types = torch.tensor([[0] * (len(sides[0]) + 2) + [1] * (len(sides[1]) + 1)])
        with torch.no_grad():
            entails.append(float(network(input_ids=ids, token_type_ids=types).logits.softmax(1)[0, 1]))
    np.testing.assert_allclose(ask(tmp_path, batch).confidence, entails, rtol=1e-4)
