"""The pairs of a report: with every answer, in columns small enough for a page; and those that share a text."""

from __future__ import annotations

from math import ceil, log10

import numpy as np

from karat.data.ballots import Ballots
from karat.data.explored import Attribute, Confidences, Explored, Scoring
from karat.data.pairs import Pairs, attribute_slices
from karat.data.responses import Responses, Run
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
