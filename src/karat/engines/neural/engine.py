"""The engine `neural`: the answers of a network, by its own labels or by what was learnt over its outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from msgspec import Meta

from karat.arrays import Floats
from karat.engines.batch import Batch
from karat.engines.engine import BatchAnswers, Engine, Justification, Setup, Training, engines
from karat.engines.learning.folds import numbered
from karat.engines.learning.threshold import ENTAILMENT_CODE, EVEN, UNDER
from karat.engines.neural.files import label_codes
from karat.engines.neural.head import LearntHead, fit_head
from karat.engines.neural.networks import Device
from karat.engines.neural.reading import LIKENESSES, NetworkOptions, Pooling, Together, reader_of
from karat.errors import UsageError
from karat.labels import CONTRADICTION, ENTAILMENT, NO_ENTAILMENT, THREE, UNKNOWN

WHY = {
    ENTAILMENT: "Read as a whole, the text supports the hypothesis.",
    UNKNOWN: "Read as a whole, the text neither supports nor excludes the hypothesis.",
    CONTRADICTION: "Read as a whole, the text excludes the hypothesis.",
    NO_ENTAILMENT: "Read as a whole, the text does not support the hypothesis.",
}
"""All that can be said about an answer whose grounds nobody knows."""
FEWEST_PAIRS = 10
"""With fewer training pairs than this nothing can be learnt."""


@engines.register("neural", learns="may", ways=("2", "3"), knows=(), switches=(), source="any network, as files")
def neural(
    setup: Setup,
    model: Annotated[str, Meta(description="the folder with config.json, tokenizer.json and the network")],
    labels: Annotated[
        str, Meta(description="its labels in the order of its outputs, if its files do not name them")
    ] = "",
    file: Annotated[str, Meta(description="the ONNX file in the folder, if there are several")] = "",
    output: Annotated[str, Meta(description="the output to use, if the network has several")] = "",
    reading: Annotated[
        Together, Meta(description="to learn from: text and hypothesis together, or apart as by encoders of sentences")
    ] = "auto",
    pooling: Annotated[
        Pooling, Meta(description="to learn from one vector per token: their mean, or the first token's")
    ] = "auto",
    length: Annotated[int, Meta(description="tokens of a pair, beyond which its text is cut; 0: all it takes")] = 0,
    size: Annotated[int, Meta(description="pairs read at once")] = 32,
    device: Annotated[Device, Meta(description="where the network runs")] = "cpu",
) -> Engine:
    """A neural network in a folder: config.json, tokenizer.json, and model.onnx or what transformers reads.

    A classifier of entailment answers by itself. Given training pairs, a logistic regression is learnt: over the
    outputs of a classifier, or, for an encoder, over how alike it finds text and hypothesis.
    """
    asked = NetworkOptions(model, file, output, reading, pooling, int(length), int(size), device)
    return Neural(setup, asked, labels)


class Neural:
    """A network, loaded."""

    learns = LearntHead

    def __init__(self, setup: Setup, asked: NetworkOptions, labels: str = "") -> None:
        self._setup, self._labels = setup, labels
        self._reader = reader_of(asked)
        self.names = {"network": self._reader.signature}

    def fit(self, training: Training) -> LearntHead:
        """A head over what the network says about the training pairs; those that it cannot read are left out."""
        batches = list(training.batches())
        features = np.concatenate([self._reader.features(batch)[0] for batch in batches])
        groups = numbered(text for batch in batches for text in batch.texts)
        read = np.isfinite(features).all(axis=1)
        if read.sum() < FEWEST_PAIRS:
            raise UsageError(
                f"{training.pairs.source.name} has {read.sum()} labelled pairs that the network can read; neural needs "
                f"{FEWEST_PAIRS} or more to learn from"
            )
        few = len(LIKENESSES) if self._reader.apart else None
        return fit_head(features[read], training.codes[read], groups[read], few, self._setup.seed)

    def answer(self, batch: Batch, learnt: LearntHead) -> BatchAnswers:
        """The likeliest label; in two ways, entailment where it is likelier than everything else together."""
        if learnt.entails is None:
            likely, reasons = self._likelihoods(batch)
        else:
            features, reasons = self._reader.features(batch)
            likely = np.full((len(batch), 3), np.nan)
            read = [row for row in range(len(batch)) if row not in reasons]
            likely[read] = learnt.likelihoods(features[read])
        likely = np.nan_to_num(likely, nan=0.0)
        sure = likely[:, 0]
        codes = np.argmax(likely, axis=1) if self._setup.way is THREE else np.where(sure > EVEN, ENTAILMENT_CODE, 1)
        # The likeliest of three may be less than even; ranked by this number, entailment still comes first.
        sure = np.where(codes == ENTAILMENT_CODE, np.maximum(sure, EVEN), np.minimum(sure, UNDER))
        return BatchAnswers(codes.astype(np.int8), sure, reasons)

    def explain(self, batch: Batch, answers: BatchAnswers, learnt: LearntHead) -> Sequence[Justification]:
        """What was decided, in words: a network gives no grounds."""
        del batch, learnt
        return [Justification(WHY[self._setup.way.labels[code]]) for code in answers.codes.tolist()]

    def _likelihoods(self, batch: Batch) -> tuple[Floats, dict[int, str]]:
        """By the network's own labels, in the order of the codes."""
        folder = self._reader.folder
        way, order = label_codes(folder, self._reader.config, self._labels)
        if self._setup.way is THREE and way is not THREE:
            raise UsageError(f"the network in {folder} has only two labels; use --way 2")
        outputs, reasons = self._reader.outputs(batch)
        if outputs.shape[1] != len(order):
            raise UsageError(
                f"the network in {folder} has {outputs.shape[1]} outputs per pair, but {len(order)} labels are named: "
                "config.json (or labels=) belongs to another network"
            )
        powers = np.exp(outputs - outputs.max(axis=1, keepdims=True))
        return (powers / powers.sum(axis=1, keepdims=True))[:, np.argsort(order)], reasons
