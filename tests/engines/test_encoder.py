"""The encoder that figures on the page of engines were measured with: its ONNX graph is BERT, by plain loops."""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
pytest.importorskip("onnx", reason="onnx, which makes the network, is not installed")

from benchmarks.encoder import bert, read_safetensors

WIDTH, INNER, HEADS, LAYERS, WORDS = 6, 10, 2, 2, 12


def make_weights() -> dict[str, np.ndarray]:
    """Random weights under the names that BERT has in files."""
    rng = np.random.default_rng(0)
    tables = {"word_embeddings": WORDS, "position_embeddings": 9, "token_type_embeddings": 2}
    weights = {f"embeddings.{name}.weight": rng.normal(size=(rows, WIDTH)) for name, rows in tables.items()}
    shapes: dict[str, tuple[int, ...]] = {"embeddings.LayerNorm": (WIDTH,)}
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}."
        shapes |= {f"{name}attention.self.{part}": (WIDTH, WIDTH) for part in ("query", "key", "value")}
        shapes |= {f"{name}attention.output.dense": (WIDTH, WIDTH), f"{name}attention.output.LayerNorm": (WIDTH,)}
        shapes |= {f"{name}intermediate.dense": (INNER, WIDTH), f"{name}output.dense": (WIDTH, INNER)}
        shapes[f"{name}output.LayerNorm"] = (WIDTH,)
    for name, shape in shapes.items():
        weights |= {f"{name}.weight": rng.normal(size=shape), f"{name}.bias": rng.normal(size=shape[:1])}
    return {name: array.astype(np.float32) for name, array in weights.items()}


def encode_naively(weights: dict[str, np.ndarray], ids: list[int], types: list[int]) -> np.ndarray:
    """The last layer for one text, one token and one head at a time, in double precision."""

    def dense(name: str, x: np.ndarray) -> np.ndarray:
        return weights[f"{name}.weight"].astype(float) @ x + weights[f"{name}.bias"]

    def normal(name: str, x: np.ndarray) -> np.ndarray:
        return (x - x.mean()) / math.sqrt(x.var()) * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    names = ("word_embeddings", "position_embeddings", "token_type_embeddings")
    words, places, kinds = (weights[f"embeddings.{name}.weight"].astype(float) for name in names)
    rows = [
        normal("embeddings.LayerNorm", words[one] + places[at] + kinds[kind])
        for at, (one, kind) in enumerate(zip(ids, types, strict=True))
    ]
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        query, key, value = (
            [dense(f"{name}.attention.self.{part}", row) for row in rows] for part in ("query", "key", "value")
        )
        after = []
        for at, row in enumerate(rows):
            seen = []
            for head in range(HEADS):
                own = slice(head * WIDTH // HEADS, (head + 1) * WIDTH // HEADS)
                powers = [math.exp(query[at][own] @ other[own] / math.sqrt(WIDTH / HEADS)) for other in key]
                seen.append(sum(p * v[own] for p, v in zip(powers, value, strict=True)) / sum(powers))
            mixed = dense(f"{name}.attention.output.dense", np.concatenate(seen))
            middle = normal(f"{name}.attention.output.LayerNorm", mixed + row)
            inner = dense(f"{name}.intermediate.dense", middle)
            inner = np.array([x * (1 + math.erf(x / math.sqrt(2))) / 2 for x in inner])
            after.append(normal(f"{name}.output.LayerNorm", dense(f"{name}.output.dense", inner) + middle))
        rows = after
    return np.array(rows)


def test_graph(tmp_path: Path) -> None:
    """The graph gives what plain loops give for each text, whatever padding is beside it."""
    import onnx
    import onnxruntime

    weights = make_weights()
    config = {"hidden_size": WIDTH, "num_attention_heads": HEADS, "num_hidden_layers": LAYERS, "layer_norm_eps": 1e-12}
    onnx.save(bert(weights, config), str(tmp_path / "model.onnx"))
    session = onnxruntime.InferenceSession(str(tmp_path / "model.onnx"))
    rng = np.random.default_rng(2)
    lengths = (3, 1, 9, 5)
    ids, types, mask = (np.zeros((len(lengths), max(lengths)), dtype=np.int64) for _ in range(3))
    for row, length in enumerate(lengths):
        ids[row, :length], types[row, :length] = rng.integers(0, WORDS, length), rng.integers(0, 2, length)
        mask[row, :length] = 1
    found = session.run(None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": types})[0]
    for row, length in enumerate(lengths):
        expected = encode_naively(weights, ids[row, :length].tolist(), types[row, :length].tolist())
        np.testing.assert_allclose(found[row, :length], expected, atol=5e-5)


def test_safetensors(tmp_path: Path) -> None:
    """Arrays of a file written by the description of the format come back as they were."""
    arrays: dict[str, np.ndarray] = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.arange(4)}
    head: dict[str, object] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, array in arrays.items():
        kind = {"f": "F32", "i": "I64"}[array.dtype.kind]
        head[name] = {"dtype": kind, "shape": array.shape, "data_offsets": [len(body), len(body) + array.nbytes]}
        body += array.tobytes()
    text = json.dumps(head).encode()
    (tmp_path / "file").write_bytes(struct.pack("<Q", len(text)) + text + body)
    found = read_safetensors(tmp_path / "file")
    assert list(found) == ["a", "b"]
    for name, array in arrays.items():
        np.testing.assert_array_equal(found[name], array)
