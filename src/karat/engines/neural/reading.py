"""What a network says about pairs: its outputs, or vectors of texts and how alike they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from karat.arrays import Floats
from karat.engines.batch import Batch
from karat.engines.neural.encoding import Tokeniser
from karat.engines.neural.files import (
    Config,
    encodes_sentences,
    find_onnx,
    fingerprint,
    most_tokens,
    pools_first,
    read_config,
)
from karat.engines.neural.networks import LOGITS, Device, load_network
from karat.errors import UsageError

Pooling = Literal["auto", "mean", "first"]
Together = Literal["auto", "together", "apart"]
TOO_LONG = "the hypothesis alone is longer than the network can read"
NOT_NUMBERS = "the network's outputs are not numbers"
SLICE = 128
"""Pairs whose vectors of tokens are in memory at once."""
KEPT = 20_000
"""Pairs whose features are kept in a process, since cross-validation asks for them again and again."""
NETWORKS = 2
"""Networks kept in a process."""
WEAKEST = 3
LIKENESSES = ("cosine", "match", "weakest", "weakest_three")
"""The cosine of T and H; and the best cosine of a token of H with one of T: mean, smallest, mean of three smallest."""
PROBE = ("a", "a")
"""A pair that any network can read, which shows how many numbers it gives."""
Reasons = dict[int, str]
"""Why pairs cannot be read, by their place in the batch."""


class NetworkOptions(msgspec.Struct, frozen=True):
    """Which network is asked for, and how it reads."""

    folder: str
    file: str = ""
    output: str = ""
    reading: Together = "auto"
    pooling: Pooling = "auto"
    length: int = 0
    size: int = 32
    device: Device = "cpu"


def reader_of(asked: NetworkOptions) -> Reader:
    """The reader of a network, made once per process as long as its files do not change."""
    folder = Path(asked.folder).expanduser()
    if asked.length < 0 or asked.size < 1:
        raise UsageError("neural: length is a number of tokens (0: as many as the network takes), size at least 1")
    read_config(folder)
    return _reader(asked, fingerprint(folder, find_onnx(folder, asked.file)))


@lru_cache(NETWORKS)
def _reader(asked: NetworkOptions, signature: str) -> Reader:
    return Reader(asked, signature)


class Reader:
    """A network and its tokeniser."""

    def __init__(self, asked: NetworkOptions, signature: str) -> None:
        folder = Path(asked.folder).expanduser()
        self.folder, self.signature = folder, signature
        self.config: Config = read_config(folder)
        self._asked = asked
        self._network = load_network(folder, find_onnx(folder, asked.file), asked.device)
        length = asked.length or most_tokens(folder, self.config)
        self._shape = self._network.shape
        self._tokeniser = Tokeniser(folder, min(length, self._shape.tokens or length), self.config.pad_token_id)
        self._first = asked.pooling == "first" or (asked.pooling == "auto" and pools_first(folder))
        self._known: dict[tuple[str, bool], dict[tuple[str, str], Floats]] = {}

    def outputs(self, batch: Batch) -> tuple[Floats, Reasons]:
        """The numbers of each label (pairs × labels), NaN for pairs that cannot be read."""
        return self._remember(batch, self._network.labelling(self._asked.output), apart=False)

    @property
    def apart(self) -> bool:
        """Whether text and hypothesis are read by themselves to learn from them; classifiers read them together."""
        if self._asked.reading != "auto":
            return self._asked.reading == "apart"
        return encodes_sentences(self.folder) or LOGITS not in self._network.outputs

    def features(self, batch: Batch) -> tuple[Floats, Reasons]:
        """Numbers to learn from (pairs × features), NaN for pairs that cannot be read.

        Read together, they are the network's output for the pair, pooled if it is one vector per token. Read apart,
        they are how alike the two are, and the differences and products of their vectors. The vectors themselves are
        left out: they say what texts and hypotheses are about, which would be learnt instead of entailment.
        """
        output = self._network.describing(self._asked.output)
        return self._remember(batch, output, self.apart)

    def columns(self, batch: Batch) -> Mapping[str, Floats]:
        """Features by name, 0 for pairs that cannot be read; of an encoder only how alike it finds text and hypothesis.

        The differences and products of vectors are hundreds of numbers, among which a few others would be lost.
        """
        found = np.nan_to_num(self.features(batch)[0], nan=0.0)
        names = LIKENESSES if self.apart else [f"output_{place}" for place in range(found.shape[1])]
        return dict(zip(names, found.T, strict=False))

    def _remember(self, batch: Batch, output: str, apart: bool) -> tuple[Floats, Reasons]:
        """The rows of pairs, read unless they were met before; and why some have none."""
        read = self._apart if apart else self._together
        known = self._known.setdefault((output, apart), {})
        if len(known) > KEPT:
            known.clear()
        if PROBE not in known:
            known[PROBE] = read([PROBE[0]], [PROBE[1]], output)[0]
        reasons = dict.fromkeys(self._tokeniser.too_long(batch.hypotheses), TOO_LONG)
        pairs = dict(enumerate(zip(batch.texts, batch.hypotheses, strict=True)))
        readable = {place: pair for place, pair in pairs.items() if place not in reasons}
        new = [pair for pair in dict.fromkeys(readable.values()) if pair not in known]
        if new:
            rows = read([text for text, _ in new], [hypothesis for _, hypothesis in new], output)
            known.update(zip(new, rows, strict=True))
        found = np.full((len(pairs), len(known[PROBE])), np.nan)
        for place, pair in readable.items():
            found[place] = known[pair]
            if not np.isfinite(found[place]).all():
                reasons[place], found[place] = NOT_NUMBERS, np.nan
        return found, reasons

    def _together(self, texts: Sequence[str], hypotheses: Sequence[str], output: str) -> Floats:
        encoded = self._tokeniser.pairs(texts, hypotheses)
        return np.array([self._pooled(rows) for rows in self._run(encoded, output)])

    def _apart(self, texts: Sequence[str], hypotheses: Sequence[str], output: str) -> Floats:
        order = sorted(range(len(texts)), key=lambda place: (len(texts[place]), texts[place]))
        made: dict[int, Floats] = {}
        for begin in range(0, len(order), SLICE):
            places = order[begin : begin + SLICE]
            alone = list(dict.fromkeys(side[place] for side in (texts, hypotheses) for place in places))
            encoded = self._tokeniser.texts(alone)
            found = dict(zip(alone, zip(encoded, self._run(encoded, output), strict=True), strict=True))
            for place in places:
                made[place] = self._compared(*found[texts[place]], *found[hypotheses[place]])
        return np.array([made[place] for place in range(len(texts))])

    def _compared(self, text: Any, text_rows: Floats, hypothesis: Any, hypothesis_rows: Floats) -> Floats:
        """The likenesses of a text and a hypothesis, and the difference and the product of their vectors."""
        u, v = (_unit(self._pooled(rows)) for rows in (text_rows, hypothesis_rows))
        t, h = (
            # One vector per text is that of its only token.
            rows[None] if rows.ndim == 1 else rows[np.array(one.special_tokens_mask) == 0]
            for one, rows in ((text, text_rows), (hypothesis, hypothesis_rows))
        )
        best = np.sort((_unit(h) @ _unit(t).T).max(axis=1, initial=-1.0)) if len(h) else np.ones(1)
        likenesses = [float(u @ v), float(best.mean()), float(best[0]), float(best[:WEAKEST].mean())]
        return np.concatenate([likenesses, np.abs(u - v), u * v])

    def _pooled(self, rows: Floats) -> Floats:
        """One vector: the row itself where there is one per text, else the first or the mean of the tokens."""
        if rows.ndim == 1:
            return rows
        return rows[0] if self._first else rows.mean(axis=0)

    def _run(self, encoded: Sequence[Any], output: str) -> list[Floats]:
        """The output for each text, in their order: a vector, or one per token without padding."""
        made: dict[int, Floats] = {}
        for places, inputs in self._tokeniser.batches(encoded, self._asked.size, self._shape):
            found = self._network.run(inputs, output)
            if found.ndim not in (2, 3) or len(found) != len(inputs["input_ids"]):
                raise UsageError(
                    f"{self._network.source}: its output {output} has the shape {found.shape} for "
                    f"{len(inputs['input_ids'])} texts; expected one row of numbers per text or per token"
                )
            for place, row in zip(places.tolist(), found, strict=False):  # further rows only fill the batch
                made[place] = row if found.ndim == 2 else row[: len(encoded[place].ids)]
        return [made[place] for place in range(len(encoded))]


def _unit(rows: Floats) -> Floats:
    """Vectors at unit length; one of length 0 stays."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
