"""A test set with a given label mix from judged candidates, and the cost of each rule for disagreements."""

from __future__ import annotations

import typing
from collections.abc import Mapping

import numpy as np

from karat.arrays import Ints
from karat.data.ballots import Ballots
from karat.data.parameters import generator
from karat.errors import UsageError
from karat.labels import UNKNOWN, canonical
from karat.statistics.sampling import Rule, largest_size, lost_under, ruled, shares_to_counts, stratified
from karat.studies.size.result import RuleCost, Sample

RULES: tuple[Rule, ...] = typing.get_args(Rule)
RULE_NAMES = {"majority": "majority", "unanimous": "unanimous only", "unknown": "disagreement → UNKNOWN"}


def sample_of(candidates: Ballots, mix: Mapping[str, float], rule: Rule, units: int | None, seed: int) -> Sample:
    """A stratified sample of the candidates as labelled by a rule, in the mix given or else in their own mix."""
    values, counts = candidates.scale.values, candidates.counts()
    unknown = values.index(UNKNOWN) if UNKNOWN in values else -1
    labelled: dict[Rule, Ints] = {name: ruled(counts, name, unknown) for name in RULES}
    available = {name: np.bincount(codes[codes >= 0], minlength=len(values)) for name, codes in labelled.items()}
    shares = _shares(mix, values) if mix else available[rule] / max(available[rule].sum(), 1)
    most = largest_size(available[rule], shares)
    if not most:
        asked = [label for label, share in zip(values, shares, strict=True) if share > 0]
        missing = [label for label in asked if not available[rule][values.index(label)]]
        raise UsageError(
            f"--mix: the rule {rule!r} labels no candidate {' or '.join(missing or asked)}, so no set of this mix can "
            "be drawn; leave that label out, or use another --rule"
        )
    if units is not None and units > most:
        raise UsageError(f"--units {units}: the candidates are enough for {most} units of this mix")
    wanted = shares_to_counts(shares, units or most)
    drawn = stratified(labelled[rule], wanted, generator(seed, "size", "sample"))
    costs = [
        RuleCost(
            RULE_NAMES[name],
            dict(zip(values, available[name].tolist(), strict=True)),
            dict(zip(values, lost_under(counts, codes).tolist(), strict=True)),
            largest_size(available[name], shares),
        )
        for name, codes in labelled.items()
    ]
    return Sample(
        len(candidates.units),
        len(drawn),
        dict(zip(values, wanted.tolist(), strict=True)),
        [candidates.units[place] for place in drawn],
        costs,
    )


def _shares(mix: Mapping[str, float], values: tuple[str, ...]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The mix in the order of the labels; its shares must add up to 1."""
    shares = np.zeros(len(values))
    for spelled, share in mix.items():
        name = spelled if spelled in values else _canonical(spelled)
        if name not in values:
            raise UsageError.unknown("label of the candidates", spelled, values)
        shares[values.index(name)] = share
    if (shares < 0).any():
        raise UsageError("--mix: a share cannot be negative; labels that are not named get the share 0")
    if not abs(shares.sum() - 1) <= 1e-6:
        raise UsageError(
            f"--mix: the shares add up to {shares.sum():g}; they must add up to 1. The labels of the candidates are "
            + ", ".join(values)
        )
    return shares


def _canonical(spelled: str) -> str:
    try:
        return canonical(spelled)
    except UsageError:
        return spelled
