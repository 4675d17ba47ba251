"""Keys: how the ranking of runs changes under other keys made from the same ballots (`karat keys`)."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from karat.align.ballots import align_ballots
from karat.arrays import Floats
from karat.data.ballots import Adjudication, Ballots
from karat.data.keys import Key, MajorityTies
from karat.data.pairs import Pairs
from karat.data.parameters import MOST_DRAWS, IntervalOption, OneWayOption, SeedOption, generator
from karat.data.responses import Responses
from karat.errors import UsageError
from karat.kernels.counting import resampled_weights
from karat.labels import Codes, fold
from karat.measures.facts import bounds
from karat.progress import track
from karat.statistics.bootstrap import WEIGHTS_AT_A_TIME
from karat.statistics.plausible_ranks import plausible_means
from karat.statistics.rank_correlation import tau
from karat.studies.base import LeftOut, study
from karat.studies.keys.alternatives import alternative_keys, random_keys
from karat.studies.keys.findings import FIGURES, FINDINGS
from karat.studies.keys.result import Adjudications, KeyComparison, ScoredKey, Settled
from karat.studies.rankings import ranking_change
from karat.studies.scorer import Scorer


class KeysParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `keys`."""

    way: OneWayOption = "auto"
    measure: Annotated[str, Meta(description="the measure that runs are ranked by")] = "accuracy"
    ties: Annotated[
        MajorityTies,
        Meta(description="the majority label if labels tie: the key's, UNKNOWN, or none"),
    ] = "adjudicated"
    share: Annotated[
        float,
        Meta(
            description="proportion of the units that an assessor must have judged to have a key of their own",
            ge=0,
            le=1,
        ),
    ] = 0.5
    draws: Annotated[int, Meta(description="keys drawn with a random assessor for each unit", ge=1, le=MOST_DRAWS)] = (
        1000
    )
    replicates: Annotated[
        int, Meta(description="resamples of the units, for the interval of tau", ge=10, le=MOST_DRAWS)
    ] = 1000
    interval: IntervalOption = 0.95
    seed: SeedOption = 0


@study("keys", KeysParameters, findings=FINDINGS, figures=FIGURES, expects=("adjudications",))
def keys(runs: Responses, ballots: Ballots, asked: KeysParameters, *, anchor: Pairs | None = None) -> KeyComparison:
    """Every key that can be made from the ballots, and the ranking of the runs under it."""
    key = runs.key
    ballots = align_ballots(ballots, key)
    if not len(runs):
        raise UsageError("a ranking needs runs")
    scorer = Scorer.of(runs, asked.measure, asked.way)
    scored = key.labels >= 0
    made, withheld = alternative_keys(ballots, key, anchor, asked.ties, asked.share)
    # Units without an official label are left out of every key, so that all keys score the same test set.
    made = [Key(one.name, np.where(scored, one.codes, np.int8(-1)), one.rule) for one in made]
    intervals = _tau_intervals(scorer, [one.codes for one in made], asked)
    counts = fold(ballots.code.astype(np.int8), scorer.way)
    votes = np.zeros((len(key), len(scorer.way.labels)), dtype=bool)
    votes[ballots.unit, counts] = True
    disputed, judged = (int(((votes.sum(axis=1) > least) & scored).sum()) for least in (1, 0))
    return KeyComparison(
        way=scorer.way.name,
        measure=str(scorer.measure),
        range=bounds(scorer.measure, len(scorer.way.labels)),
        units=int(scored.sum()),
        assessors=len(ballots.assessors),
        exchangeable=ballots.exchangeable,
        ballots=len(ballots),
        disputed=disputed,
        possible_change=disputed / judged if judged else float("nan"),
        keys=[_scored(one, scorer, interval) for one, interval in zip(made, intervals, strict=True)],
        withheld=[LeftOut(name, reason) for name, reason in withheld.items()],
        random=random_keys(scorer, ballots, key.labels, asked.draws, asked.interval, asked.seed),
        adjudication=adjudications(ballots, scored),
    )


def _scored(one: Key, scorer: Scorer, interval: tuple[float, float]) -> ScoredKey:
    """One key compared with the official one on the units that it labels."""
    names, official = scorer.runs.names, scorer.key_on(one.codes >= 0)
    there, here = scorer.values(np.stack([official, one.codes]))
    labels, official_labels = (_labels(codes, scorer.runs.key) for codes in (one.codes, official))
    return ScoredKey(
        **vars(ranking_change(names, there, here)),
        name=one.name,
        rule=one.rule,
        units=int((one.codes >= 0).sum()),
        labels=labels,
        official_labels=official_labels,
        official=dict(zip(names, there.tolist(), strict=True)),
        changed=int((fold(one.codes, scorer.way) != fold(official, scorer.way)).sum()),
        tau_interval=interval,
    )


def _labels(codes: Codes, key: Pairs) -> dict[str, int]:
    assert key.way is not None
    counts = np.bincount(codes[codes >= 0], minlength=len(key.way.labels)).tolist()
    return dict(zip(key.way.labels, counts, strict=True))


def _tau_intervals(scorer: Scorer, made: list[Codes], asked: KeysParameters) -> list[tuple[float, float]]:
    """The interval of tau between the rankings by the true scores, from resampled units."""
    officials = [scorer.key_on(codes >= 0) for codes in made]
    random, units = generator(asked.seed, "keys", "tau"), max(len(scorer.runs.key), 1)
    rows = max(1, WEIGHTS_AT_A_TIME // units)
    steps = [min(rows, asked.replicates - done) for done in range(0, asked.replicates, rows)]
    drawn: list[list[Floats]] = [[] for _ in made]
    for step in track(steps, "resampling"):
        weights = resampled_weights(units, step, random)
        known: dict[bytes, Floats] = {}  # keys on the same units are compared with the same ranking
        for part, official, codes in zip(drawn, officials, made, strict=True):
            units_of = official.tobytes()
            if units_of not in known:
                known[units_of] = scorer.values(official, weights)
            part.append(np.stack([known[units_of], scorer.values(codes, weights)], axis=1))
    tails = [(1 - asked.interval) / 2, (1 + asked.interval) / 2]
    ends = []
    for part, official, codes in zip(drawn, officials, made, strict=True):
        values = scorer.values(np.stack([official, codes]))
        means = plausible_means(values, np.concatenate(part), random)
        low, high = np.quantile(tau(means[:, 0], means[:, 1]), tails)
        ends.append((float(low), float(high)))
    return ends


def adjudications(ballots: Ballots, scored: NDArray[np.bool_]) -> Adjudications:
    """Disputed units by reason and kind, and who disagreed with the decision. `ballots` are aligned with the key."""
    place = {unit: at for at, unit in enumerate(ballots.units)}
    counts = np.where(scored[:, None], ballots.counts(), 0)
    for one in ballots.adjudications:
        counts[place[one.unit], one.code] += scored[place[one.unit]]
    disputed = (counts > 0).sum(axis=1) > 1
    decided = [one for one in ballots.adjudications if scored[place[one.unit]]]
    settled = [one for one in decided if disputed[place[one.unit]]]
    groups: dict[tuple[str, str], list[Adjudication]] = {}
    for one in sorted(settled, key=lambda one: (one.reason != "error", one.kind)):
        groups.setdefault((one.reason, one.kind), []).append(one)
    return Adjudications(
        disputed=int(disputed.sum()),
        settled=len(settled),
        undisputed=len(decided) - len(settled),
        groups=[
            Settled(group[0].reason, group[0].kind, len(group), _otherwise(ballots, group, place))
            for group in groups.values()
        ],
    )


def _otherwise(ballots: Ballots, group: list[Adjudication], place: dict[str, int]) -> dict[str, int]:
    """The number of units on which each assessor disagreed with the decision; empty if ballots are anonymous."""
    if ballots.exchangeable:
        return {}
    decision = np.full(len(ballots.units), -1)
    decision[[place[one.unit] for one in group]] = [one.code for one in group]
    there = decision[ballots.unit]
    counts = Counter(ballots.assessor[(there >= 0) & (there != ballots.code)].tolist())
    return {ballots.assessors[who]: units for who, units in sorted(counts.items())}
