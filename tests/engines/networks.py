"""Tiny networks with random weights, and what they say worked out without any library."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

WORDS = "[PAD] [UNK] [CLS] [SEP] a cat dog sleeps runs on the mat not every".split()
SIZE = 5


def make_tokeniser(folder: Path) -> None:
    """A word a token, and the special tokens of BERT."""
    tokeniser = Tokenizer(models.WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokeniser.pre_tokenizer = pre_tokenizers.Whitespace()
    special = [(word, WORDS.index(word)) for word in ("[CLS]", "[SEP]")]
    pattern = "[CLS] $A [SEP] $B:1 [SEP]:1"
    tokeniser.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", pattern, special)
    # Files of the hub come with padding and truncation of their own, which must not matter.
    tokeniser.enable_padding(length=40, pad_id=0, pad_token="[PAD]")
    tokeniser.enable_truncation(6)
    tokeniser.save(str(folder / "tokenizer.json"))


@dataclass
class Tiny:
    """The mean of the vectors of words and of their sides, and a linear layer."""

    words: np.ndarray
    sides: np.ndarray
    weights: np.ndarray
    length: int

    def outputs(self, text: str, hypothesis: str) -> list[float]:
        """What the network says of one pair, in plain loops."""
        ids = [[WORDS.index(word) if word in WORDS else 1 for word in side.split()] for side in (text, hypothesis)]
        kept = ids[0][: self.length - 3 - len(ids[1])]
        read = [(2, 0), *((one, 0) for one in kept), (3, 0), *((one, 1) for one in ids[1]), (3, 1)]
        mean = [sum(self.words[one, d] + self.sides[side, d] for one, side in read) / len(read) for d in range(SIZE)]
        return [sum(mean[d] * self.weights[d, k] for d in range(SIZE)) for k in range(self.weights.shape[1])]

    def likelihoods(self, text: str, hypothesis: str) -> list[float]:
        """The softmax of that."""
        powers = [math.exp(output) for output in self.outputs(text, hypothesis)]
        return [power / sum(powers) for power in powers]

    def vectors(self, text: str) -> list[list[float]]:
        """The hidden vectors of one text by itself, with those of its special tokens."""
        ids = [WORDS.index(word) if word in WORDS else 1 for word in text.split()][: self.length - 2]
        return [[float(self.words[one, d] + self.sides[0, d]) for d in range(SIZE)] for one in (2, *ids, 3)]


def make_network(
    folder: Path,
    labels: Sequence[str],
    length: int = 12,
    seed: int = 0,
    sides: bool = True,
    *,
    rows: int | None = None,
    tokens: int | None = None,
    outputs: Sequence[str] = ("logits",),
    renamed: Mapping[str, str] | None = None,
    file: str = "model.onnx",
) -> Tiny:
    """A folder with a network of these labels; `rows` and `tokens` fix how much it reads at once."""
    rng = np.random.default_rng(seed)
    shapes = (len(WORDS), SIZE), (2, SIZE), (SIZE, len(labels))
    words, types, weights = (rng.normal(size=shape).astype(np.float32) * 2 for shape in shapes)
    # What all pairs have in common weighs little, so that every label comes up.
    words[:4] *= 0.1
    types *= 0.1 * sides
    make_tokeniser(folder)
    config = {"id2label": {str(place): label for place, label in enumerate(labels)}, "pad_token_id": 0}
    (folder / "config.json").write_text(json.dumps(config | {"max_position_embeddings": length}))
    nodes = [
        helper.make_node("Gather", ["words", "input_ids"], ["word"]),
        *([helper.make_node("Gather", ["sides", "token_type_ids"], ["side"])] if sides else []),
        helper.make_node("Add", ["word", "side"], ["both"])
        if sides
        else helper.make_node("Identity", ["word"], ["both"]),
        helper.make_node("Cast", ["attention_mask"], ["flat"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["flat", "last"], ["mask"]),
        helper.make_node("Mul", ["both", "mask"], ["masked"]),
        helper.make_node("ReduceSum", ["masked", "middle"], ["sum"], keepdims=0),
        helper.make_node("ReduceSum", ["mask", "middle"], ["count"], keepdims=0),
        helper.make_node("Div", ["sum", "count"], ["mean"]),
        helper.make_node("MatMul", ["mean", "weights"], ["logits"]),
        # Padding has vectors too, which must not count.
        helper.make_node("Identity", ["both"], ["last_hidden_state"]),
        helper.make_node("Identity", ["mean"], ["sentence_embedding"]),
    ]
    arrays = {"words": words, "weights": weights, "last": np.array([2]), "middle": np.array([1])}
    arrays |= {"sides": types} if sides else {}
    read = ["input_ids", "attention_mask", *(["token_type_ids"] if sides else [])]
    called = {name: (renamed or {}).get(name, name) for name in read}
    for node in nodes:
        node.input[:] = [called.get(name, name) for name in node.input]
    many, wide = rows or "pairs", tokens or "tokens"
    ends: dict[str, list[int | str]] = {
        "logits": [many, len(labels)],
        "last_hidden_state": [many, wide, SIZE],
        "sentence_embedding": [many, SIZE],
    }
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(called[name], TensorProto.INT64, [many, wide]) for name in read],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, ends[name]) for name in outputs],
        [numpy_helper.from_array(array, name) for name, array in arrays.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (folder / file).parent.mkdir(exist_ok=True)
    onnx.save(made, str(folder / file))
    return Tiny(words, types, weights, length)
