"""Keys: would another key, made from the same ballots, rank the runs otherwise? (`karat keys`)"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from karat.data.ballots import Ballots
from karat.data.keys import Key, MajorityTies, aligned
from karat.data.pairs import Pairs
from karat.data.parameters import WayOption
from karat.data.responses import Responses
from karat.errors import UsageError
from karat.kernels.random import generator
from karat.kernels.resampling import resampled_weights
from karat.labels import Codes
from karat.measures.facts import bounds
from karat.statistics.bootstrap import CHUNK, percentile_interval
from karat.statistics.rank_correlation import tau
from karat.studies.base import finding, study
from karat.studies.keys.alternatives import alternative_keys
from karat.studies.keys.random_keys import random_keys
from karat.studies.keys.rescoring import Rescoring
from karat.studies.keys.result import KeyComparison, ScoredKey, Withheld
from karat.studies.ranking_change import ranking_change

Floats = NDArray[np.float64]


class KeysParameters(msgspec.Struct, frozen=True, kw_only=True):
    """What `keys` can be asked."""

    way: WayOption = "auto"
    measure: Annotated[str, Meta(description="what runs are ranked by")] = "accuracy"
    ties: Annotated[
        MajorityTies,
        Meta(description="the majority's label where several have as many ballots: the key's, UNKNOWN, or none"),
    ] = "adjudicated"
    share: Annotated[
        float, Meta(description="of the units an assessor must have judged to have a key of his own", ge=0, le=1)
    ] = 0.5
    draws: Annotated[int, Meta(description="keys of a random assessor a unit", ge=1, le=1_000_000)] = 1000
    replicates: Annotated[int, Meta(description="resamples of the units for the interval of tau", ge=10)] = 1000
    interval: Annotated[float, Meta(description="level of the intervals", gt=0, lt=1)] = 0.95
    seed: Annotated[int, Meta(description="seed of every random number")] = 0


@study("keys", KeysParameters)
def keys(
    key: Pairs, ballots: Ballots, runs: Responses, asked: KeysParameters, *, anchor: Pairs | None = None
) -> KeyComparison:
    """Every key the ballots give, and the ranking each induces."""
    if runs.key is not key:
        raise UsageError("the runs were read against another key; read them again: read_runs(paths, key)")
    ballots = aligned(ballots, key)
    rescoring = Rescoring.of(runs, asked.way, asked.measure)
    scored = key.labels >= 0
    made, withheld = alternative_keys(ballots, key, anchor, asked.ties, asked.share)
    # What the official key leaves out is left out of every key, so that all of them score the same test set.
    made = [Key(one.name, np.where(scored, one.codes, np.int8(-1)), one.rule) for one in made]
    official = rescoring.scores(key.labels)
    intervals = _tau_intervals(rescoring, key.labels, [one.codes for one in made], asked)
    counts = rescoring.folded(ballots.code.astype(np.int8))
    votes = np.zeros((len(key), len(rescoring.way.labels)), dtype=bool)
    votes[ballots.unit, counts] = True
    disputed, units = int(((votes.sum(axis=1) > 1) & scored).sum()), int(scored.sum())
    return KeyComparison(
        way=rescoring.way.name,
        measure=str(rescoring.measure),
        range=bounds(rescoring.measure, len(rescoring.way.labels)),
        units=units,
        assessors=len(ballots.assessors),
        ballots=len(ballots),
        disputed=disputed,
        possible_change=disputed / units,
        keys=[_scored(one, key, rescoring, official, interval) for one, interval in zip(made, intervals, strict=True)],
        withheld=[Withheld(name, reason) for name, reason in withheld.items()],
        random=random_keys(rescoring, ballots, key.labels, asked.draws, asked.interval, asked.seed),
        warnings=tuple(dict.fromkeys((*key.warnings, *ballots.warnings, *runs.warnings))),
    )


def _scored(one: Key, key: Pairs, rescoring: Rescoring, official: Floats, interval: tuple[float, float]) -> ScoredKey:
    assert key.way is not None
    labels = np.bincount(one.codes[one.codes >= 0], minlength=len(key.way.labels)).tolist()
    both = (one.codes >= 0) & (key.labels >= 0)
    changed = rescoring.folded(one.codes) != rescoring.folded(key.labels)
    change = ranking_change(rescoring.runs.names, official, rescoring.scores(one.codes))
    fields = {name: getattr(change, name) for name in change.__dataclass_fields__}
    return ScoredKey(
        **fields,
        name=one.name,
        rule=one.rule,
        units=int((one.codes >= 0).sum()),
        labels=dict(zip(key.way.labels, labels, strict=True)),
        changed=int((both & changed).sum()),
        tau_interval=interval,
    )


def _tau_intervals(
    rescoring: Rescoring, official: Codes, made: list[Codes], asked: KeysParameters
) -> list[tuple[float, float]]:
    """Bounds of tau when the units are drawn anew, for both rankings alike."""
    random, units = generator(asked.seed, "keys", "tau"), len(official)
    taus: list[list[Floats]] = [[] for _ in made]
    rows = max(1, CHUNK // units)
    for done in range(0, asked.replicates, rows):
        weights = resampled_weights(units, min(rows, asked.replicates - done), random)
        reference = rescoring.resampled(official, weights)
        for place, codes in enumerate(made):
            taus[place].append(tau(reference, rescoring.resampled(codes, weights)))
    values = np.stack([np.concatenate(parts) for parts in taus], axis=-1)
    lost = np.isnan(values).all(axis=0)
    sides = percentile_interval(np.where(lost, 0.0, values), asked.interval)
    low, high = (np.where(lost, np.nan, side).tolist() for side in sides)
    return list(zip(low, high, strict=True))


@finding("keys-rankings", study="keys")
def rankings(result: KeyComparison) -> Iterable[str]:
    """Which key changes the ranking most, and which not at all."""
    others = [one for one in result.keys[1:] if one.tau == one.tau]
    if not others:
        return
    same = [one.name for one in others if not one.swaps]
    if same:
        yield f"No two runs change places under {', '.join(same)}."
    worst = min(others, key=lambda one: one.tau)
    if worst.swaps and worst.changed_run is not None:
        change = worst.scores[worst.changed_run] - result.keys[0].scores[worst.changed_run]
        yield (
            f"{worst.name} changes the ranking most: tau {worst.tau:.3f}, {len(worst.swaps)} pairs of runs swapped, "
            f"{worst.changed_run} {change:+.4f}."
        )


@finding("keys-leader", study="keys")
def leader(result: KeyComparison) -> Iterable[str]:
    """Whether the best run is the best whoever is asked."""
    best = result.keys[0].ranking[0]
    row = next(row for row in result.random.runs if row.run == best)
    others = [one.name for one in result.keys[1:] if one.ranking[0] != best]
    if row.first == row.first and result.ranked and result.disputed:
        yield f"{best} is first under {row.first:.1%} of the keys that take a random assessor for each unit." + (
            f" It is not first under {', '.join(others)}." if others else ""
        )


@finding("keys-prevalence", study="keys")
def prevalence(result: KeyComparison) -> Iterable[str]:
    """A rule that makes one label commoner rewards the runs that answer it."""
    if result.way != "3" or not result.ranked:
        return  # nobody answers UNKNOWN there, or there is no ranking to read
    official = result.keys[0]
    for one in result.keys[1:]:
        for label, count in one.labels.items():
            before, now = official.labels[label] / max(official.units, 1), count / max(one.units, 1)
            if one.name == "disagreement-unknown" and now - before > 0.02:
                yield (
                    f"{one.name} raises the share of {label} from {before:.1%} to {now:.1%}, which rewards runs that "
                    "answer it; read its ranking with that."
                )
