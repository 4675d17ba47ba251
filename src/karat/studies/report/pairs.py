"""The pairs of a report: with every answer, in columns small enough for a page; and those that share a text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import ceil, log10
from typing import Annotated

import numpy as np

from karat.arrays import DISPLAY_TOLERANCE, NAN, Floats, Ints
from karat.data.ballots import Ballots
from karat.data.explored import Attribute, Confidences, Explored, Scoring
from karat.data.fields import Why
from karat.data.pairs import TEXT, Pairs, attribute_slices
from karat.data.parameters import generator
from karat.data.responses import Responses, Run
from karat.data.scores import cluster_numbers
from karat.errors import UsageError
from karat.labels import THREE, TWO, Codes, Way
from karat.studies.report.evidence import KNOWN_LABELS, Evidence

LETTERS = "abcd"
MOST_VALUES = 100
"""An attribute with more values is an identifier or free text, and nobody would choose from its values."""
LONGEST, LONGEST_IN_ALL = 2_000, 20_000_000
"""The most characters of a justification, and of all of them: a page larger than that could not be opened."""


def explored(evidence: Evidence) -> Explored | None:
    """The pairs with every answer to them; None if there are none with a key."""
    key = evidence.key
    if key is None or key.blind:
        return None
    runs = evidence.leading
    assert runs is not None
    return Explored(
        ids=key.ids,
        texts=key.texts if key.has_texts else (),
        hypotheses=key.hypotheses if key.has_texts else (),
        labels=KNOWN_LABELS,
        key=_letters(key.labels, key.way),
        answers={run.info.name: _letters(run.codes, run.info.way) for run in runs.runs},
        scorings=tuple(_scoring(runs, way) for way in _ways(evidence, runs)),
        attributes={name: found for name in key.attributes if (found := _attribute(key, name))},
        confidences={run.info.name: stated for run in runs.runs if (stated := _confidences(run))},
        justifications=_justifications(runs),
        assessors={} if evidence.people is None else _said(key, evidence.people),
    )


def _ways(evidence: Evidence, runs: Responses) -> list[Way]:
    """The way in which runs are compared, and the other one unless one was asked for."""
    other = TWO if evidence.way is THREE else THREE
    return [evidence.way] + [other] * bool(evidence.asked.way not in ("2", "3") and runs.allows(other).any())


def _scoring(runs: Responses, way: Way) -> Scoring:
    # NO_ENTAILMENT, the last of the labels, is a label of two-way data only, where it has the code 1.
    folded = "".join(LETTERS[code] for code in (*way.from_three, 1))
    allowed = runs.allows(way)
    return Scoring(way.name, folded, tuple(name for name, can in zip(runs.names, allowed, strict=True) if can))


def _letters(codes: Codes, way: Way | None) -> str:
    """Codes as letters; -1 picks the dash at the end."""
    letters = [LETTERS[KNOWN_LABELS.index(label)] for label in way.labels] if way else []
    return "".join([*letters, "-"][code] for code in codes.tolist())


def _attribute(key: Pairs, name: str) -> Attribute | None:
    """The values of an attribute, if it distinguishes groups of pairs."""
    try:
        values, within = attribute_slices(key, name)
    except UsageError:  # too many values
        return None
    if not 2 <= len(values) <= MOST_VALUES:
        return None
    return Attribute(values, [np.flatnonzero(one).tolist() for one in within.T])


def _confidences(run: Run) -> Confidences | None:
    """The stated confidences of a run, whatever their scale."""
    stated = run.confidence
    if stated is None or not np.isfinite(stated).any():
        return None
    largest = float(np.abs(stated[np.isfinite(stated)]).max())
    decimals = 2 - ceil(log10(largest)) if largest else 0
    values = [round(one * 10.0**decimals) if np.isfinite(one) else None for one in stated.tolist()]
    return Confidences(decimals, run.info.ranked_by == "entailment", values)


def _justifications(runs: Responses) -> dict[str, list[str]]:
    """What runs say for their answers."""
    given = {run.info.name: run.justifications for run in runs.runs if run.justifications and any(run.justifications)}
    longest = min(LONGEST, LONGEST_IN_ALL // max(1, sum(map(len, given.values()))))
    return {
        name: [one if len(one) <= longest else f"{one[: longest - 1]}…" for one in texts]
        for name, texts in given.items()
    }


def _said(key: Pairs, people: Ballots) -> dict[str, str]:
    """The label that each assessor gave each pair, as letters; a dash if it is none of the labels."""
    place = {unit: at for at, unit in enumerate(people.units)}
    letters = [
        LETTERS[KNOWN_LABELS.index(value)] if value in KNOWN_LABELS else "-" for value in people.scale.values
    ] + ["-"]
    rows = people.matrix().tolist()
    return {
        name: "".join(letters[row[place[unit]]] if unit in place else "-" for unit in key.ids)
        for name, row in zip(people.assessors, rows, strict=True)
    }


WIDER = 1.03
"""Intervals that are wider by a smaller factor are not worth a warning."""
PERMUTATIONS = 199
LEVEL = 0.05
NO_VARIANCE = Why("no run is right on some of these pairs and wrong on others")


@dataclass(frozen=True)
class SharedTexts:
    """Pairs whose text is that of another pair, too."""

    pairs: int
    texts: int
    """The number of different texts of all pairs."""
    times_as_wide: Annotated[float, NO_VARIANCE]
    """The width of an interval by texts over that of one by pairs, for the accuracy of a run: the median over runs."""
    by_chance: Annotated[float, NO_VARIANCE]
    """The value that this ratio exceeds in 5% of the cases if it makes no difference which pairs share a text."""

    @property
    def widens(self) -> bool:
        """Whether intervals by texts are wider than by chance, and by enough to be worth a warning."""
        return self.times_as_wide >= WIDER and self.exceeds_chance

    @property
    def exceeds_chance(self) -> bool:
        """Whether intervals by texts are wider than they would be in 95% of the cases if only chance were at work."""
        return self.times_as_wide > max(1.0, self.by_chance) + DISPLAY_TOLERANCE


def shared_texts(evidence: Evidence) -> SharedTexts | None:
    """The pairs that share a text; None if there are none."""
    key = evidence.key
    sharing, texts = (0, 0) if key is None else sharing_texts(key)
    if key is None or not sharing:
        return None
    if evidence.leading is None or key.blind:
        return SharedTexts(sharing, texts, NAN, NAN)
    right = evidence.leading.right(evidence.way).values
    widths = times_as_wide(right, cluster_numbers(key.clusters(TEXT)), evidence.asked.seed)
    return SharedTexts(sharing, texts, *widths)


def sharing_texts(key: Pairs) -> tuple[int, int]:
    """The number of pairs that share their text with another pair, and that of different texts."""
    if not any(key.texts):
        return 0, 0
    clusters = key.clusters(TEXT)
    times = Counter(clusters)
    return sum(one is not None and times[one] > 1 for one in clusters), len(times.keys() - {None})


def times_as_wide(values: Floats, clusters: Ints, seed: int) -> tuple[float, float]:
    """The standard error of a mean over clusters over that of independent units, the median over rows of values.

    Second, what that exceeds in 5% of the permutations of units over clusters, all rows alike.
    """
    scored = ~np.isnan(values).all(axis=0)
    values, clusters = values[:, scored], clusters[scored]
    known = ~np.isnan(values)
    means = np.where(known, values, 0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    errors = np.where(known, values - means[:, None], 0.0)
    varied = errors[(errors**2).sum(axis=1) > 0].T
    if not varied.size:
        return NAN, NAN
    # Units by cluster, one row each, so that a permutation copies whole rows and clusters are sums of neighbours.
    varied = np.ascontiguousarray(varied[np.argsort(clusters, kind="stable")])
    _, starts = np.unique(np.sort(clusters), return_index=True)
    squares = (varied**2).sum(axis=0)

    def ratio(units: Floats) -> float:
        together = (np.add.reduceat(units, starts, axis=0) ** 2).sum(axis=0)
        return float(np.median(np.sqrt(together / squares)))

    random = generator(seed, "report", "shared texts")
    permuted = [ratio(varied[random.permutation(len(varied))]) for _ in range(PERMUTATIONS)]
    return ratio(varied), float(np.quantile(permuted, 1 - LEVEL, method="higher"))
