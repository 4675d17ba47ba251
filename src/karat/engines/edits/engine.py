"""The engine `edit-distance`: a distance, what its words weigh, and a learnt threshold."""

from __future__ import annotations

import inspect
from inspect import Parameter
from typing import Annotated, cast

import msgspec
import numpy as np
from msgspec import Meta

import karat.engines.checks  # noqa: F401 - registers the checks
from karat.arrays import Bools, Floats
from karat.engines.batch import Batch
from karat.engines.checks.base import checks, cue
from karat.engines.edits.deciding import Decider, learn_to_decide, optimise_costs
from karat.engines.edits.distances import Compared, compare, distances
from karat.engines.edits.rules import Rule, RuleTable, name_rules, read_rules, tabulate
from karat.engines.edits.settings import SAID, Given, Preset, Scheme, Settings, settings
from karat.engines.engine import Answers, Engine, Setup, Training, engines
from karat.engines.knowledge import SWITCHES
from karat.engines.rarity import Rarity, count_rarity
from karat.engines.text.vocabulary import Vocabulary
from karat.errors import Problem
from karat.labels import THREE

CONTRADICTING = tuple(entry.name for entry in checks if entry.facts["verdict"] == "contradiction")


class Learnt(msgspec.Struct, dict=True):
    """What the engine learns; rules are kept with it, so that a model needs no other file."""

    costs: tuple[float, float, float]
    decider: Decider
    rarity: Rarity | None = None
    rules: tuple[Rule, ...] = ()

    def table(self, vocabulary: Vocabulary) -> RuleTable:
        """The rules by the ids of their words, worked out once for a vocabulary."""
        of, table = self.__dict__.get("_table", (None, None))
        if table is None or of is not vocabulary:
            table = tabulate(self.rules, vocabulary)
            self.__dict__["_table"] = vocabulary, table
        return cast(RuleTable, table)


class EditDistance:
    """A distance and a threshold."""

    learns = Learnt

    def __init__(self, setup: Setup, chosen: Settings) -> None:
        self.setup = setup
        self.settings = chosen
        self.scheme = Scheme(chosen.weights)
        # Only thresholds by sweep come with a band of contradiction.
        contradicts = setup.way is THREE and chosen.threshold == "sweep"
        self.grounds = CONTRADICTING if contradicts else ()
        self.warnings: tuple[Problem, ...] = ()
        self.names: dict[str, str] = {}
        """What signatures say of the rules, once they are read: a model has them in it, and asks for no file."""

    def fit(self, training: Training) -> Learnt:
        """Count rarity, work out distances, learn costs where asked, and thresholds."""
        batches = list(training.batches())
        rules: tuple[Rule, ...] = ()
        if self.settings.rules:
            rules, self.warnings = read_rules(self.settings.rules)
            self.names = {"rules": name_rules(self.settings.rules)}
        rarity = count_rarity(batches) if "IDF" in self.scheme.names else None
        table = tabulate(rules, self.setup.knowledge.vocabulary)
        compared = [compare(batch, self.settings, self.scheme, rarity, table) for batch in batches]

        def reckon(costs: Floats) -> Floats:
            return np.concatenate([np.zeros((len(costs), 0)), *(distances(part, costs) for part in compared)], axis=1)

        seed = self.setup.seed
        costs = self.settings.delete, self.settings.insert, self.settings.substitute
        if self.settings.optimise == "swarm":
            costs = optimise_costs(reckon, training.codes, np.array(costs), seed)
        scores = -reckon(np.array([costs]))[0]
        groups = [name or "" for name in training.settings] if self.settings.per_setting else None
        fired = None
        if self.setup.way is THREE:
            parts = [_contradicted(batch, part) for batch, part in zip(batches, compared, strict=True)]
            fired = np.concatenate([np.zeros(0, dtype=bool), *parts])
        decider = learn_to_decide(scores, training.codes, groups, fired, self.settings.threshold, seed)
        return Learnt(costs, decider, rarity, rules)

    def answer(self, batch: Batch, learnt: Learnt) -> Answers:
        """Hold the distance of each pair against the threshold."""
        rules = learnt.table(batch.knowledge.vocabulary)
        compared = compare(batch, self.settings, self.scheme, learnt.rarity, rules)
        scores = -distances(compared, np.array([learnt.costs]))[0]
        groups = [name or "" for name in batch.settings]
        return learnt.decider.decide(scores, groups, lambda: _contradicted(batch, compared))


def _contradicted(batch: Batch, compared: Compared) -> Bools:
    """Pairs that something speaks against: a rule, or a check."""
    fired = np.zeros(len(batch), dtype=bool) if compared.blocks is None else compared.blocks.against.copy()
    for name in CONTRADICTING:
        fired |= cue(batch, name).fired
    return fired


@engines.register(
    "edit-distance",
    learns="must",
    ways=("2", "3"),
    knows=("dictionary", "trees"),
    switches=(*CONTRADICTING, *SWITCHES),
    source="after EDITS (Kouylekov and Magnini 2005; Negri et al. 2009) and the Excitement Open Platform",
)
def edit_distance(
    setup: Setup,
    preset: Annotated[Preset, Meta(description="what holds where nothing else is said")] = "best",
    **given: Given,
) -> Engine:
    """How much it takes to turn the text into the hypothesis, and a learnt threshold."""
    return EditDistance(setup, settings(preset, given))


def _name_settings() -> None:
    """Have the signature name every setting, as `karat engines` and the registry read it."""
    signature = inspect.signature(edit_distance)
    kinds = {name: Annotated[Given, said] for name, said in SAID.items()}
    named = [Parameter(name, Parameter.KEYWORD_ONLY, default="", annotation=kind) for name, kind in kinds.items()]
    fixed = list(signature.parameters.values())[:-1]
    edit_distance.__signature__ = signature.replace(parameters=[*fixed, *named])  # type: ignore[attr-defined]
    edit_distance.__annotations__ |= kinds


_name_settings()
