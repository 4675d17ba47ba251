"""A transformer encoder (BERT's kind) in plain numpy: weights from a safetensors file, token ids to vectors.

Rows of all texts lie end to end, so nothing is padded: only attention needs to know where a text ends, and it takes
the texts of one length together.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Singles

KINDS = {"F32": np.float32, "F16": np.float16, "I64": np.int64}


def read_safetensors(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a file, by name: eight bytes of length, so much JSON, and the arrays."""
    data = np.memmap(path, dtype=np.uint8, mode="r")
    length = int(data[:8].view("<u8")[0])
    head = json.loads(bytes(data[8 : 8 + length]))
    arrays = {}
    for name, facts in head.items():
        if name != "__metadata__":
            begin, end = (8 + length + offset for offset in facts["data_offsets"])
            arrays[name] = data[begin:end].view(KINDS[facts["dtype"]]).reshape(facts["shape"])
    return arrays


class TextEncoder:
    """The layers of an encoder."""

    def __init__(self, folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self._heads = int(config["num_attention_heads"])
        self._epsilon = np.float32(config["layer_norm_eps"])
        self._layers = int(config["num_hidden_layers"])
        weights = read_safetensors(folder / "model.safetensors")
        kept = {name: array for name, array in weights.items() if array.dtype.kind == "f"}
        self._words: Singles = kept.pop("embeddings.word_embeddings.weight")  # stays on the disk but for words met
        self._weights = {name: np.array(array, dtype=np.float32) for name, array in kept.items()}
        for layer in range(self._layers):
            self._join_projections(f"encoder.layer.{layer}.attention.self")

    def encode(self, texts: Sequence[Sequence[int]]) -> Singles:
        """The mean of the last layer's vectors of each text's tokens, at unit length."""
        # By length, so that attention finds its equals side by side; the order of equals is theirs.
        order = sorted(range(len(texts)), key=lambda text: len(texts[text]))
        lengths = np.array([len(texts[text]) for text in order], dtype=np.int64)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        ids = np.concatenate([np.asarray(texts[text], dtype=np.int64) for text in order])
        places = np.arange(len(ids)) - np.repeat(starts[:-1], lengths)
        rows = self._words[ids] + self._weights["embeddings.position_embeddings.weight"][places]
        rows += self._weights["embeddings.token_type_embeddings.weight"][0]
        rows = self._normalise(rows, "embeddings.LayerNorm")
        for layer in range(self._layers):
            rows = self._layer(rows, lengths, starts, f"encoder.layer.{layer}")
        means = np.add.reduceat(rows, starts[:-1], axis=0)
        vectors = np.empty_like(means)
        vectors[order] = means / np.linalg.norm(means, axis=1, keepdims=True)
        return vectors

    def _layer(self, rows: Singles, lengths: NDArray[np.int64], starts: NDArray[np.int64], name: str) -> Singles:
        seen = self._attend(self._project(rows, f"{name}.attention.self.all"), lengths, starts)
        rows = self._normalise(
            self._project(seen, f"{name}.attention.output.dense") + rows, f"{name}.attention.output.LayerNorm"
        )
        inner = gelu(self._project(rows, f"{name}.intermediate.dense"))
        return self._normalise(self._project(inner, f"{name}.output.dense") + rows, f"{name}.output.LayerNorm")

    def _attend(self, projected: Singles, lengths: NDArray[np.int64], starts: NDArray[np.int64]) -> Singles:
        """Each token's mixture of the values of its text's tokens."""
        width = projected.shape[1] // 3
        size = width // self._heads
        seen = np.empty((len(projected), width), dtype=np.float32)
        firsts = np.flatnonzero(np.diff(lengths, prepend=-1))
        for first, after in zip(firsts, [*firsts[1:], len(lengths)], strict=True):
            length, part = int(lengths[first]), slice(starts[first], starts[after])
            split = projected[part].reshape(after - first, length, 3, self._heads, size)
            query, key, value = split.transpose(2, 0, 3, 1, 4)
            scores = query @ key.transpose(0, 1, 3, 2)
            scores -= scores.max(axis=-1, keepdims=True)
            np.exp(scores, out=scores)
            mixed = (scores @ value) / scores.sum(axis=-1, keepdims=True)
            seen[part] = mixed.transpose(0, 2, 1, 3).reshape(-1, width)
        return seen

    def _project(self, rows: Singles, name: str) -> Singles:
        found: Singles = rows @ self._weights[f"{name}.weight"].T
        found += self._weights[f"{name}.bias"]
        return found

    def _normalise(self, rows: Singles, name: str) -> Singles:
        rows = rows - rows.mean(axis=1, keepdims=True)
        rows /= np.sqrt(np.einsum("ij,ij->i", rows, rows)[:, None] / rows.shape[1] + self._epsilon)
        rows *= self._weights[f"{name}.weight"]
        rows += self._weights[f"{name}.bias"]
        return rows

    def _join_projections(self, name: str) -> None:
        """Query, key and value as one product, the scale of attention in the query."""
        scale = np.float32(1 / np.sqrt(self._weights[f"{name}.query.bias"].size / self._heads))
        for kind in ("weight", "bias"):
            query, key, value = (self._weights.pop(f"{name}.{part}.{kind}") for part in ("query", "key", "value"))
            self._weights[f"{name}.all.{kind}"] = np.concatenate([query * scale, key, value])


ERF = tuple(np.float32(number) for number in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592))
"""Abramowitz and Stegun 7.1.26, the highest power first: within 2e-7, which is float32, at a fifth of scipy's time."""
BLOCK = 32
"""Rows whose passes stay in the processor's cache."""


def gelu(rows: Singles) -> Singles:
    """Each number times the share of a normal distribution that lies below it; in place."""
    for begin in range(0, len(rows), BLOCK):
        x = rows[begin : begin + BLOCK]
        size = np.abs(x) * np.float32(np.sqrt(0.5))
        t = 1 / (1 + np.float32(0.3275911) * size)
        above = np.full_like(x, ERF[0])
        for number in ERF[1:]:
            above *= t
            above += number
        size *= -size
        above *= t
        above *= np.exp(size, out=size)
        # Half of 1 - erf|x| lies above |x|, and as much below -|x|.
        above *= np.float32(0.5)
        x *= np.where(x > 0, 1 - above, above)
    return rows
