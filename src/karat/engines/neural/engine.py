"""The engine `neural`: what a network trained on entailment says of each pair."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from msgspec import Meta

from karat.arrays import Floats
from karat.engines.batch import Batch
from karat.engines.engine import BatchAnswers, Engine, Justification, Setup, Training, engines
from karat.engines.neural.networks import Encoder, fingerprint, label_codes, load_network, most_tokens, read_config
from karat.errors import UsageError
from karat.labels import CONTRADICTION, ENTAILMENT, NO_ENTAILMENT, THREE, UNKNOWN

WHY = {
    ENTAILMENT: "Read as a whole, the text supports the hypothesis.",
    UNKNOWN: "Read as a whole, the text neither supports nor excludes the hypothesis.",
    CONTRADICTION: "Read as a whole, the text excludes the hypothesis.",
    NO_ENTAILMENT: "Read as a whole, the text does not support the hypothesis.",
}
"""All that can be said of an answer whose grounds nobody knows."""


@engines.register("neural", learns="no", ways=("2", "3"), knows=(), switches=(), source="any network, as files")
def neural(
    setup: Setup,
    model: Annotated[str, Meta(description="the folder with config.json, tokenizer.json and the network")],
    labels: Annotated[
        str, Meta(description="its labels in the order of its outputs, if its files do not name them")
    ] = "",
    length: Annotated[int, Meta(description="tokens of a pair, beyond which its text is cut; 0: all it takes")] = 0,
    size: Annotated[int, Meta(description="pairs read at once")] = 32,
) -> Engine:
    """A neural network in a folder: config.json, tokenizer.json, and model.onnx or what transformers reads."""
    return Neural(setup, Path(model).expanduser(), labels, int(length), int(size))


class Neural:
    """A network, loaded; `size` pairs are read at once, each shortened (its text only) to `length` tokens."""

    learns = dict[str, Any]

    def __init__(self, setup: Setup, folder: Path, labels: str, length: int, size: int) -> None:
        config = read_config(folder)
        way, self._codes = label_codes(folder, config, labels)
        if setup.way is THREE and way is not THREE:
            raise UsageError(f"the network in {folder} has only two labels; use --way 2")
        if length < 0 or size < 1:
            raise UsageError("neural: length is a number of tokens (0: as many as the network takes), size at least 1")
        self._folder = folder
        self.names = {"network": fingerprint(folder)}
        self._way = setup.way
        self._size = size
        self._encoder = Encoder(folder, length or most_tokens(folder, config), config.pad_token_id)
        self._network = load_network(folder)

    def fit(self, training: Training) -> dict[str, Any]:
        """Nothing: it was trained elsewhere."""
        del training
        return {}

    def answer(self, batch: Batch, state: dict[str, Any]) -> BatchAnswers:
        """The likeliest label; in two ways, entailment where it is likelier than all else together."""
        del state
        reasons = dict.fromkeys(
            self._encoder.too_long(batch.hypotheses), "the hypothesis alone is longer than the network can read"
        )
        rows = [row for row in range(len(batch)) if row not in reasons]
        likely = np.zeros((len(batch), len(self._codes)))
        texts, hypotheses = ([column[row] for row in rows] for column in (batch.texts, batch.hypotheses))
        for places, inputs in self._encoder.encode(texts, hypotheses, self._size):
            likely[np.array(rows)[places]] = self._likelihoods(self._network(inputs))
        for row in np.flatnonzero(np.isnan(likely).any(axis=1)).tolist():
            reasons[row] = "the network's outputs are not numbers"
            likely[row] = 0
        entails = likely[:, 0]
        codes = np.argmax(likely, axis=1) if self._way is THREE else entails <= 0.5
        return BatchAnswers(codes.astype(np.int8), entails, reasons)

    def explain(self, batch: Batch, answers: BatchAnswers, state: dict[str, Any]) -> Sequence[Justification]:
        """What was decided, in words: a network gives no grounds."""
        del batch, state
        return [Justification(WHY[self._way.labels[code]]) for code in answers.codes.tolist()]

    def _likelihoods(self, outputs: Floats) -> Floats:
        if outputs.ndim != 2 or outputs.shape[1] != len(self._codes):
            raise UsageError(
                f"the network in {self._folder} has outputs of shape {outputs.shape}, but {len(self._codes)} labels a "
                "pair are named: config.json (or labels=) is of another network"
            )
        with np.errstate(invalid="ignore"):
            powers = np.exp(outputs - outputs.max(axis=1, keepdims=True))
            likely = powers / powers.sum(axis=1, keepdims=True)
        return likely[:, np.argsort(self._codes)]
