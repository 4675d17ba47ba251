"""Caveats about a run: merging labels would raise its score, or its labels are swapped or contradict its ranking."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from karat.arrays import DISPLAY_TOLERANCE, Floats
from karat.data.orders import Ties
from karat.data.responses import Responses
from karat.data.tables import Table
from karat.errors import NotApplicable
from karat.kernels.ranking import tie_groups
from karat.labels import Way
from karat.measures import accuracy, information, kappa, measures
from karat.studies.scorer import table_interval


@dataclass(frozen=True)
class Degradation:
    """A merge `source` → `target` that raises accuracy or kappa and lowers information."""

    way: str
    source: str
    target: str
    accuracy: tuple[float, float]
    kappa: tuple[float, float]
    information: tuple[float, float]
    """The plug-in estimate, which falls under almost any merge, even of uninformative labels."""
    lost: tuple[float, float]
    """Simultaneous interval of the information lost, over all runs and pairs of labels."""


def degradations(table: Table, way: Way, level: float = 0.95) -> list[list[Degradation]]:
    """For each run (leading axis), the directed merges that raise a score and lower information."""
    found: list[list[Degradation]] = [[] for _ in range(len(table.counts))]
    before = [measure(table) for measure in (accuracy, kappa, information)]
    labels = table.labels
    sampled = int((table.squares.sum(axis=(-2, -1)) > 0).sum())
    tests = max(1, sampled) * len(labels) * (len(labels) - 1) / 2
    for source, target in permutations(range(len(labels)), 2):
        merged = table.merge(source, target)
        after = [measure(merged) for measure in (accuracy, kappa, information)]
        risen = (after[0] > before[0] + DISPLAY_TOLERANCE) | (after[1] > before[1] + DISPLAY_TOLERANCE)
        fallen = after[2] < before[2] - DISPLAY_TOLERANCE
        runs = (risen & fallen).nonzero()[0].tolist()
        if runs:
            lost = _lost(table[runs], source, target, 1 - (1 - level) / tests)
            for at, run in enumerate(runs):
                right, beyond, bits = ((float(b[run]), float(a[run])) for b, a in zip(before, after, strict=True))
                ends = float(lost[0][at]), float(lost[1][at])
                found[run].append(Degradation(way.name, labels[source], labels[target], right, beyond, bits, ends))
    return found


def _lost(table: Table, source: int, target: int, level: float) -> tuple[Floats, Floats]:
    """The interval of the bits that distinguishing two answers is worth: information among the pairs so answered."""
    pair = [source, target]
    names = tuple(table.labels[one] for one in pair)
    within = Table(table.counts[..., pair], table.labels, names, table.squares[..., pair])
    share = within.total / table.total
    low, high = table_interval(measures["information"].bind(), within, level)
    return share * low, share * high


@dataclass(frozen=True)
class Inversion:
    """Kappa is below 0 and information above 0, by simultaneous intervals over all runs and ways."""

    way: str
    kappa: tuple[float, float]
    information: tuple[float, float]


def inversions(table: Table, way: Way, level: float) -> list[list[Inversion]]:
    """For each run (leading axis) its inversion, if it has one, by intervals at this level."""
    (low, high), (least, most) = (
        table_interval(measures[name].bind(), table, level) for name in ("kappa", "information_corrected")
    )
    found: list[list[Inversion]] = [[] for _ in table.counts]
    for run in ((high < 0) & (least > 0)).nonzero()[0].tolist():
        ends = (float(low[run]), float(high[run])), (float(least[run]), float(most[run]))
        found[run].append(Inversion(way.name, *ends))
    return found


@dataclass(frozen=True)
class Soundness:
    """Whether the labels are "the first r in the ranking entail" for some r; the best r, and how many labels differ."""

    sound: bool
    cutoff: int
    disagreements: int
    by_sign: bool
    """The ranking was made from confidences, signed by the label, and so is sound by construction."""


def soundness(responses: Responses, run: int, ties: Ties = "expected") -> Soundness | None:
    """The soundness of one run, or None if it is not ranked by entailment; ties are resolved in its favour."""
    try:
        scores = responses.rank_scores(run, "entailment")
    except NotApplicable:
        return None
    # This concerns the run alone: every pair it answered counts, whether or not the key labels it.
    answered = responses.codes[run] >= 0
    tie_break = responses.tie_break(run, ties)
    order, group = tie_groups(scores[answered], None if tie_break is None else tie_break[answered])
    entailing = (responses.codes[run][answered] == 0)[order]
    # The order within a tie is free, so pairs labelled as entailed may come first.
    entailing = entailing[np.lexsort((~entailing, group))]
    above_wrong = np.concatenate([[0], np.cumsum(~entailing)])
    below_wrong = entailing.sum() - np.concatenate([[0], np.cumsum(entailing)])
    disagreements = above_wrong + below_wrong
    cutoff = int(disagreements.argmin())
    least = int(disagreements[cutoff])
    return Soundness(least == 0, cutoff, least, responses.ranked_by_sign(run))
