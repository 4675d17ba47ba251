"""Tests of networks as they come: of fixed shapes, quantised, with several outputs or files, and unfit ones."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
pytest.importorskip("tokenizers", reason="tokenizers is not installed")
pytest.importorskip("onnx", reason="onnx, which makes the networks of these tests, is not installed")

from karat.engines.batch import Batch
from karat.engines.engine import BatchAnswers, Setup
from karat.engines.neural.engine import Neural
from karat.engines.neural.files import find_onnx, fingerprint
from karat.engines.neural.head import LearntHead
from karat.engines.neural.networks import load_network
from karat.engines.neural.reading import NetworkOptions, _reader
from karat.errors import UsageError
from karat.labels import TWO
from tests.engines.networks import Tiny, make_network
from tests.engines.test_neural import KNOWLEDGE, NLI, make_batch


def ask(folder: Path, batch: Batch, **asked: object) -> BatchAnswers:
    """The two-way answers of the network in a folder."""
    _reader.cache_clear()
    return Neural(Setup(KNOWLEDGE, TWO), NetworkOptions(str(folder), **asked)).answer(batch, LearntHead())  # type: ignore[arg-type]


def entailed(tiny: Tiny, batch: Batch) -> list[float]:
    """How likely entailment is in plain loops."""
    return [tiny.likelihoods(*pair)[0] for pair in zip(batch.texts, batch.hypotheses, strict=True)]


@pytest.mark.parametrize(("rows", "tokens"), [(1, None), (4, None), (None, 10), (1, 10), (4, 16), (64, 64)])
def test_fixed_shapes(rows: int | None, tokens: int | None, tmp_path: Path) -> None:
    """A network that reads exactly so many pairs, or so many tokens, says what one without a fixed shape says."""
    tiny = make_network(tmp_path, NLI, rows=rows, tokens=tokens)
    tiny.length = min(tiny.length, tokens or tiny.length)
    batch = make_batch(30)
    answers = ask(tmp_path, batch)
    read = [row for row in range(len(batch)) if len(batch.hypotheses[row].split()) < tiny.length - 3]
    assert sorted(answers.reasons) == sorted(set(range(len(batch))) - set(read))
    np.testing.assert_allclose(answers.confidence[read], np.array(entailed(tiny, batch))[read], rtol=1e-5)


def test_a_fixed_shape_cuts_long_hypotheses_off(tmp_path: Path) -> None:
    """Where the fixed number of tokens has no room for a hypothesis, the pair fails, and no other."""
    make_network(tmp_path, NLI, tokens=8)
    batch = Batch(KNOWLEDGE, ["1", "2"], ["a dog runs"] * 2, ["a cat sleeps", "a cat sleeps on the mat"])
    assert sorted(ask(tmp_path, batch).reasons) == [1]


def test_shapes_that_disagree(tmp_path: Path) -> None:
    """Inputs of different fixed lengths are refused, each with its shape."""
    import onnx

    make_network(tmp_path, NLI)
    made = onnx.load(str(tmp_path / "model.onnx"))
    del made.graph.node[:], made.graph.output[:]
    for place, size in enumerate((8, 16)):
        made.graph.input[place].type.tensor_type.shape.dim[1].dim_value = size
        made.graph.node.append(onnx.helper.make_node("Identity", [made.graph.input[place].name], [f"output_{place}"]))
        made.graph.output.append(onnx.helper.make_tensor_value_info(f"output_{place}", onnx.TensorProto.INT64, None))
    onnx.save(made, str(tmp_path / "model.onnx"))
    with pytest.raises(UsageError, match=r"input_ids \(tensor\(int64\), pairs × 8\), attention_mask .* pairs × 16"):
        ask(tmp_path, make_batch(2))


def test_order_of_lengths(tmp_path: Path) -> None:
    """Pairs are read the shortest first, and answered in their own order, whatever that is."""
    make_network(tmp_path, NLI, length=40)
    batch = make_batch()
    answers = ask(tmp_path, batch, size=4)
    turned = np.random.default_rng(3).permutation(len(batch))
    ids, texts, hypotheses = (
        [column[row] for row in turned.tolist()] for column in (batch.ids, batch.texts, batch.hypotheses)
    )
    again = ask(tmp_path, Batch(KNOWLEDGE, ids, texts, hypotheses), size=4)
    np.testing.assert_allclose(again.confidence, answers.confidence[turned], rtol=1e-5)


def quantise(folder: Path) -> None:
    """The network of a folder with weights of eight bits, under the name that optimum gives it."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    path = folder / "model.onnx"
    quantize_dynamic(path, folder / "model_quantized.onnx", weight_type=QuantType.QInt8)
    path.unlink()


@pytest.mark.filterwarnings("ignore")
def test_quantised(tmp_path: Path) -> None:
    """A quantised network is found, nearly agrees with the exact one, and answers a pair alike in any company."""
    tiny, batch = make_network(tmp_path, NLI), make_batch()
    quantise(tmp_path)
    network = load_network(tmp_path, find_onnx(tmp_path))
    assert network.shape.rows == 1
    answers = ask(tmp_path, batch)
    np.testing.assert_allclose(answers.confidence, entailed(tiny, batch), atol=0.1)
    assert (answers.confidence != np.array(entailed(tiny, batch), dtype=np.float32)).any()
    for row in range(0, len(batch), 7):
        alone = Batch(KNOWLEDGE, ["0"], [batch.texts[row]], [batch.hypotheses[row]])
        assert ask(tmp_path, alone).confidence[0] == answers.confidence[row]


def test_several_files(tmp_path: Path) -> None:
    """model.onnx goes before others, also in onnx/; of others only one named is taken, and only in the folder."""
    make_network(tmp_path, NLI, file="onnx/model_int8.onnx", seed=1)
    assert find_onnx(tmp_path) == tmp_path / "onnx" / "model_int8.onnx"
    make_network(tmp_path, NLI, file="onnx/model_fp16.onnx", seed=2)
    with pytest.raises(UsageError, match=r"has 2 ONNX files, onnx/model_fp16.onnx, onnx/model_int8.onnx, none .* say"):
        find_onnx(tmp_path)
    assert find_onnx(tmp_path, "onnx/model_int8.onnx") == tmp_path / "onnx" / "model_int8.onnx"
    for name in ("model.onnx", "../model.onnx", "/etc/passwd"):
        with pytest.raises(UsageError, match=r"which has onnx/model_fp16.onnx, onnx/model_int8.onnx"):
            find_onnx(tmp_path, name)
    make_network(tmp_path, NLI, file="onnx/model.onnx", seed=3)
    assert find_onnx(tmp_path) == tmp_path / "onnx" / "model.onnx"


def test_the_hash_is_of_the_files_used(tmp_path: Path) -> None:
    """The network, its weights beside it and its tokeniser change the hash; other networks and notes do not."""
    make_network(tmp_path, NLI, file="onnx/model.onnx")
    network = find_onnx(tmp_path)
    first = fingerprint(tmp_path, network)
    (tmp_path / "README.md").write_text("notes")
    make_network(tmp_path, NLI, file="onnx/model_int8.onnx", seed=5)
    assert fingerprint(tmp_path, network) == first
    (tmp_path / "onnx" / "model.onnx_data").write_bytes(b"weights")
    second = fingerprint(tmp_path, network)
    make_network(tmp_path, NLI, file="onnx/model.onnx", seed=6)
    third = fingerprint(tmp_path, network)
    (tmp_path / "tokenizer.json").write_text("{}")
    assert len({first, second, third, fingerprint(tmp_path, network)}) == 4


@pytest.mark.parametrize(
    ("outputs", "labels", "vectors"),
    [
        (("logits",), "logits", "logits"),
        (("last_hidden_state", "logits"), "logits", "logits"),
        (("last_hidden_state", "sentence_embedding"), "sentence_embedding", "last_hidden_state"),
        (("sentence_embedding",), "sentence_embedding", "sentence_embedding"),
        (("last_hidden_state",), None, "last_hidden_state"),
    ],
)
def test_outputs(outputs: tuple[str, ...], labels: str | None, vectors: str, tmp_path: Path) -> None:
    """Which output is read as labels, and which is learnt from; one that is named is taken, if it exists."""
    make_network(tmp_path, NLI, outputs=outputs)
    network = load_network(tmp_path, tmp_path / "model.onnx")
    assert network.describing() == vectors
    assert network.describing(outputs[0]) == outputs[0]
    if labels:
        assert network.labelling() == labels
    else:
        with pytest.raises(
            UsageError, match=r"the output last_hidden_state \(3 axes\): .*learn from labelled pairs: train="
        ):
            network.labelling()
    with pytest.raises(UsageError, match=r"no output of .* is called 'logit'"):
        network.labelling("logit")


def test_a_generative_model_by_its_name(tmp_path: Path) -> None:
    """A model that writes text is refused by what config.json says."""
    make_network(tmp_path, NLI)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {"architectures": ["LlamaForCausalLM"]}))
    with pytest.raises(UsageError, match=r"config.json: LlamaForCausalLM is a generative model.*outside\(command="):
        ask(tmp_path, make_batch(2))
    (tmp_path / "config.json").write_text(json.dumps(config | {"architectures": ["BartForSequenceClassification"]}))
    assert not ask(tmp_path, make_batch(2)).reasons


def test_a_generative_model_by_its_inputs(tmp_path: Path) -> None:
    """And by the inputs of its network."""
    make_network(tmp_path, NLI, renamed={"token_type_ids": "past_key_values.0.key"})
    with pytest.raises(UsageError, match=r"reads .*past_key_values.0.key .*generative model"):
        ask(tmp_path, make_batch(2))


def test_predictions_of_words_are_not_labels(tmp_path: Path) -> None:
    """Logits for every token are words: they are neither labels nor something to learn from."""
    import onnx

    make_network(tmp_path, NLI, outputs=("last_hidden_state",))
    made = onnx.load(str(tmp_path / "model.onnx"))
    for node in made.graph.node:
        node.output[:] = [{"logits": "unused", "last_hidden_state": "logits"}.get(name, name) for name in node.output]
    made.graph.output[0].name = "logits"
    onnx.save(made, str(tmp_path / "model.onnx"))
    network = load_network(tmp_path, tmp_path / "model.onnx")
    for ask_for in (network.labelling, network.describing):
        with pytest.raises(UsageError, match=r"the output logits \(3 axes\)"):
            ask_for()


@pytest.mark.parametrize("name", ["input_ids", "attention_mask"])
def test_other_names_of_inputs(name: str, tmp_path: Path) -> None:
    """A network that reads something else is refused, with what it reads and what was expected."""
    make_network(tmp_path, NLI, renamed={name: "tokens"})
    with pytest.raises(UsageError, match=r"reads .*tokens \(tensor\(int64\), pairs × tokens\).*; expected input_ids"):
        ask(tmp_path, make_batch(2))


def test_labels_that_contradict_each_other(tmp_path: Path) -> None:
    """Two lists of labels in two orders are refused; default names beside real ones do not count."""
    make_network(tmp_path, NLI)
    config = json.loads((tmp_path / "config.json").read_text())
    turned = {"contradiction": 0, "neutral": 1, "entailment": 2}
    (tmp_path / "config.json").write_text(json.dumps(config | {"label2id": turned}))
    with pytest.raises(UsageError, match=r"id2label says 0 entailment, .*, but label2id says 0 contradiction"):
        ask(tmp_path, make_batch(2))
    for fine in ({"LABEL_0": 0, "LABEL_1": 1, "LABEL_2": 2}, {"Entailment": 0, "Neutral": 1, "Contradiction": 2}):
        (tmp_path / "config.json").write_text(json.dumps(config | {"label2id": fine}))
        assert not ask(tmp_path, make_batch(2)).reasons


def test_no_such_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A device that onnxruntime cannot use is refused, with those that it can use."""
    import onnxruntime

    if "CUDAExecutionProvider" in onnxruntime.get_available_providers():
        pytest.skip("this machine has one")
    make_network(tmp_path, NLI)
    with pytest.raises(UsageError, match=r"device=cuda: onnxruntime can use only .*CPUExecutionProvider.* here"):
        ask(tmp_path, make_batch(2), device="cuda")
    # A machine with the package but without a GPU: onnxruntime itself goes on with the CPU.
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: ["CUDAExecutionProvider"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(UsageError, match="device=cuda: onnxruntime finds no GPU"):
            ask(tmp_path, make_batch(2), device="cuda")
