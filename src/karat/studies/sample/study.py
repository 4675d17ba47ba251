"""Sample: the pairs whose justifications are judged (`karat sample`)."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats, Ints
from karat.data.pairs import Pairs
from karat.data.responses import Responses
from karat.data.slices import NO_VALUE, tags
from karat.errors import UsageError
from karat.kernels.concordance import middle_places
from karat.kernels.random import generator
from karat.labels import THREE, TWO
from karat.statistics.sampling import level_counts, weighted_sample
from karat.studies.base import study
from karat.studies.sample.interest import own_words
from karat.studies.sample.parameters import SampleParameters
from karat.studies.sample.result import FINDINGS, Sampled, SampledPair, SheetRow, Stratum

SHORT, LONG = "short", "long"


@study("sample", SampleParameters, findings=FINDINGS)
def sample(runs: Responses, asked: SampleParameters) -> Sampled:
    """Pairs balanced over settings and over short and long texts, with what most got right and what is interesting."""
    key = runs.key
    key.need_texts("a judge of justifications")
    justifying = [run for run in runs.runs if run.justifications is not None]
    if not justifying:
        raise UsageError("no run has justifications: a column or field `justification`")
    unknown = [one for one in asked.also if one not in key.index]
    if unknown:
        raise UsageError.unknown("pair", unknown[0], key.ids)
    twice = [name for name, times in Counter(name.strip() for name in asked.judge).items() if times > 1]
    if twice:
        raise UsageError(f"--judge {twice[0]} is given more than once: a judge rates a justification once")
    if len(asked.also) > asked.pairs:
        raise UsageError(f"{len(asked.also)} pairs are picked by hand: --pairs must be at least as many")
    right, interest = _right(runs), _interest(key, runs)
    strata, stratum = _strata(key, asked.by)
    by_hand = np.zeros(len(key), dtype=bool)
    by_hand[[key.index[one] for one in asked.also]] = True
    weights = np.where(right > 0.5, asked.prefer, 1.0) * (0.5 + interest)
    chosen = by_hand.copy()
    open_ = (key.labels >= 0) & ~by_hand
    wanted = _wanted(strata, stratum[open_], stratum[by_hand], asked.pairs)
    for at, name in enumerate(strata):
        inside = np.flatnonzero(open_ & (stratum == at))
        random = generator(asked.seed, "sample", *name)
        chosen[inside[weighted_sample(weights[inside], int(wanted[at]), random)]] = True
    places = np.flatnonzero(chosen)
    pairs = [
        SampledPair(
            id=key.ids[place],
            setting=strata[stratum[place]][0],
            length=strata[stratum[place]][1],
            right=float(right[place]),
            interest=float(interest[place]),
            by_hand=bool(by_hand[place]),
            order=_order(key.ids[place], sorted(run.info.name for run in justifying), asked.seed),
        )
        for place in places.tolist()
    ]
    counts = np.bincount(stratum[places], minlength=len(strata))
    rows = zip(strata, np.bincount(stratum, minlength=len(strata)).tolist(), counts.tolist(), strict=True)
    return Sampled(
        attribute=asked.by,
        runs=[run.info.name for run in justifying],
        strata=[Stratum(setting, length, pairs_, taken) for (setting, length), pairs_, taken in rows],
        pairs=pairs,
        to_judge=[row for name in asked.judge for row in _rows(name, pairs, key, runs)],
    )


def _wanted(strata: list[tuple[str, str]], available: Ints, picked: Ints, size: int) -> Ints:
    """How many of each stratum are drawn: settings level with each other, then short and long ones in each.

    Pairs picked by hand count for their strata; an odd one is short in one setting and long in the next.
    """
    by_hand = np.bincount(picked, minlength=len(strata))
    there = np.bincount(available, minlength=len(strata)) + by_hand
    settings = list(dict.fromkeys(setting for setting, _ in strata))
    inside = [[at for at, (name, _) in enumerate(strata) if name == setting] for setting in settings]
    shares = level_counts(np.array([there[places].sum() for places in inside]), size)
    wanted = np.zeros(len(strata), dtype=np.int64)
    for number, (places, share) in enumerate(zip(inside, shares.tolist(), strict=True)):
        turned = places[:: -1 if number % 2 else 1]
        drawn = np.maximum(level_counts(there[turned], share) - by_hand[turned], 0)
        wanted[turned] = _at_most(drawn, max(share - int(by_hand[turned].sum()), 0))
    return _at_most(wanted, size - len(picked))


def _at_most(wanted: Ints, size: int) -> Ints:
    """One less of the fullest, until there is room for those that were picked beyond their share."""
    wanted = wanted.copy()
    while wanted.sum() > size:
        wanted[wanted.argmax()] -= 1
    return wanted


def _right(runs: Responses) -> Floats:
    """The share of runs that got each pair right; NaN without a key."""
    scores = np.where(runs.allows(THREE)[:, None], runs.right(THREE).values, runs.right(TWO).values)
    return np.asarray(scores.mean(axis=0))


def _interest(key: Pairs, runs: Responses) -> Floats:
    """From 0 to 1: where a pair stands when ordered by the words that its justifications have to themselves."""
    own = [own_words(key, run.justifications) for run in runs.runs if run.justifications is not None]
    if len(key) < 2:
        return np.ones(len(key))
    return np.asarray((len(key) - middle_places(np.sum(own, axis=0))) / (len(key) - 1))


def _strata(key: Pairs, attribute: str | None) -> tuple[list[tuple[str, str]], NDArray[np.int64]]:
    """Settings by length: a text is long that is longer than the median of its setting."""
    if attribute is not None and attribute not in key.attributes:
        raise UsageError.unknown("attribute of the pairs", attribute, key.attributes)
    cells = [None] * len(key) if attribute is None else key.attributes[attribute]
    settings = np.array(["all" if attribute is None else tags(cell)[0] for cell in cells])
    lengths = np.array([len(text) for text in key.texts])
    length = np.full(len(key), SHORT)
    for setting in np.unique(settings):
        inside = settings == setting
        length[inside & (lengths > np.median(lengths[inside]))] = LONG
    named = list(zip(settings.tolist(), length.tolist(), strict=True))
    strata = sorted(set(named), key=lambda name: (name[0] == NO_VALUE, name))
    return strata, np.array([strata.index(name) for name in named], dtype=np.int64)


def _order(pair: str, runs: list[str], seed: int) -> list[str]:
    """In which order the runs are shown: random for each pair, and the same for every judge."""
    return [runs[at] for at in generator(seed, "sample", "order", pair).permutation(len(runs))]


def _rows(judge: str, pairs: list[SampledPair], key: Pairs, runs: Responses) -> list[SheetRow]:
    """What one judge fills in: all justifications of a pair, then the next pair."""
    named = dict(zip(runs.names, runs.runs, strict=True))
    if key.way is None:
        raise UsageError(f"{key.source.name} has no key, so nobody can tell which answers are right")
    made = []
    for pair in pairs:
        place = key.index[pair.id]
        for name in pair.order:
            run = named[name]
            assert run.justifications is not None
            label = int(key.labels[place])
            made.append(
                SheetRow(
                    run=name,
                    unit=pair.id,
                    judge=judge,
                    text=key.texts[place],
                    hypothesis=key.hypotheses[place],
                    key=key.way.labels[label] if label >= 0 else "",
                    decision=run.info.way.labels[int(run.codes[place])] if run.codes[place] >= 0 else "",
                    justification=run.justifications[place],
                )
            )
    return made
