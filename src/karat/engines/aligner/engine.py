"""The aligner-classifier: features of how the words of H stand in T, and a logistic regression over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
import numpy as np
from msgspec import Meta

from karat.engines.aligner.features import (
    WeighedWords,
    columns,
    families,
    table,
)
from karat.engines.batch import Batch
from karat.engines.checks.base import against, checks, in_order
from karat.engines.contradiction import Contradiction, learn, overrule
from karat.engines.engine import BatchAnswers, Engine, Setup, Training, engines
from karat.engines.knowledge import SWITCHES
from karat.engines.learning.classifiers import Logistic, fit_validated
from karat.engines.learning.folds import grouped, numbered, one_thread
from karat.engines.learning.threshold import ENTAILMENT_CODE, EVEN, UNKNOWN_CODE
from karat.engines.rarity import Rarity, count_rarity
from karat.engines.unaccounted import less_sure
from karat.errors import UsageError
from karat.labels import THREE

if TYPE_CHECKING:
    from karat.engines.neural.reading import Reader

FOLDS = 10
DIGITS = 12
"""Decimals that count of a probability."""
FAMILIES = tuple(entry.name for entry in families)
FEWEST_PAIRS = 10
"""With fewer training pairs than this nothing can be learnt."""


class LearntAligner(msgspec.Struct, frozen=True):
    """What the aligner learns."""

    features: tuple[str, ...]
    rarity: Rarity
    judge: Logistic
    settings: tuple[str, ...] = ()
    """Those of the training pairs."""
    ranges: tuple[tuple[float, float], ...] = ()
    """The least and the greatest value of each feature; nothing was learnt of what lies beyond, as of longer texts."""
    contradiction: Contradiction | None = None


class Aligner:
    """Features, and a classifier of entailment."""

    learns = LearntAligner

    def __init__(self, setup: Setup, network: str, setting: bool) -> None:
        self.setup = setup
        self.families = [name for name in FAMILIES if not setup.without(name) and (setting or name != "setting")]
        self._network: Reader | None = None
        if network and "network" in self.families:
            from karat.engines.neural.reading import NetworkOptions, reader_of  # here: few ask for a network

            self._network = reader_of(NetworkOptions(network))
        self.names = {"network": self._network.signature} if self._network else {}
        gate = in_order() if "checks" in self.families else against() if setup.way is THREE else []
        self.grounds = tuple(entry.name for entry in gate)

    def fit(self, training: Training) -> LearntAligner:
        """Count rarity, work out the features, and learn to judge by them."""
        if len(training.rows) < FEWEST_PAIRS:
            raise UsageError(
                f"{training.pairs.source.name} has {len(training.rows)} labelled pairs: the aligner weighs some twenty "
                f"features, and learns from {FEWEST_PAIRS} pairs at least"
            )
        batches = list(training.batches())
        rarity = count_rarity(batches)
        settings = tuple(sorted({setting for setting in training.settings if setting}))
        made = [columns(self._weighed(batch, rarity, settings), self.families) for batch in batches]
        names = tuple(made[0]) if made else ()
        features = np.concatenate([np.column_stack([part[name] for name in names]) for part in made])
        yes = training.codes == ENTAILMENT_CODE
        texts = numbered([text for batch in batches for text in batch.texts])
        with one_thread():
            # Pairs about the same text are never on both sides of a fold: what is learnt of a text would flatter what
            # is foretold of the others.
            judge = fit_validated(features, yes, grouped(training.codes, texts, FOLDS, self.setup.seed))
        ranges = tuple(zip(features.min(axis=0).tolist(), features.max(axis=0).tolist(), strict=True))
        return LearntAligner(names, rarity, judge, settings, ranges, learn(batches, training))

    def answer(self, batch: Batch, learnt: LearntAligner) -> BatchAnswers:
        """Decide by the features of each pair, from even odds on; contradict where a check says so and the rule
        believes it.
        """
        features = table(self._weighed(batch, learnt.rarity, learnt.settings), self.families, learnt.features)
        least, greatest = np.array(learnt.ranges).reshape(-1, 2).T
        features = features.clip(least, greatest)
        # The last bits of a product of matrices depend on how many pairs are in the batch.
        sure = learnt.judge.probability(features).round(DIGITS)
        codes = np.where(sure >= EVEN, ENTAILMENT_CODE, UNKNOWN_CODE).astype(np.int8)
        return overrule(less_sure(BatchAnswers(codes, sure), batch), learnt.contradiction, batch)

    def _weighed(self, batch: Batch, rarity: Rarity, settings: tuple[str, ...]) -> WeighedWords:
        return WeighedWords(batch, rarity, settings, self._network)


@engines.register(
    "aligner",
    learns="must",
    ways=("2", "3"),
    knows=("dictionary", "trees"),
    switches=tuple(dict.fromkeys((*FAMILIES, *(entry.name for entry in checks), *SWITCHES))),
    source="after the coverage classifiers of RTE-3 (P1EDA of the Excitement Open Platform; de Marneffe et al. 2008)",
)
def aligner(
    setup: Setup,
    network: Annotated[str, Meta(description="the folder of a neural network whose outputs are features too")] = "",
    setting: Annotated[
        bool, Meta(description="the setting of a pair is a feature: for test sets of the same year")
    ] = False,
) -> Engine:
    """How the words of the hypothesis stand in the text, and a classifier learnt over some twenty such features."""
    return Aligner(setup, network, setting)
