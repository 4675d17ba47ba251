"""Sample: the pairs whose justifications are judged (`karat sample`)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from karat.arrays import Floats, Ints
from karat.data.criteria import JUSTIFICATIONS
from karat.data.fields import Shown, Why
from karat.data.pairs import NO_VALUE, Pairs, tags
from karat.data.parameters import SeedOption, generator
from karat.data.responses import Responses
from karat.data.result import Finding, Findings, Sheet
from karat.errors import UsageError
from karat.kernels.ranking import middle_places
from karat.labels import THREE, TWO
from karat.statistics.sampling import level_counts, weighted_sample
from karat.studies.base import StudyResult, study
from karat.studies.wording import counted

CRITERIA = tuple(one.name for one in JUSTIFICATIONS)


@dataclass(frozen=True)
class Stratum:
    """The short or long pairs of one setting."""

    setting: str
    length: str
    pairs: int
    sampled: int


@dataclass(frozen=True)
class SampledPair:
    """One pair of the sample."""

    id: Annotated[str, Shown("pair")]
    setting: str
    length: str
    right: Annotated[float, Shown(digits=2), Why("the key has no label for it")]
    """The share of runs whose decision is right."""
    interest: Annotated[float, Shown(digits=2)]
    """From 0 to 1, by the number of words that only its justifications have."""
    by_hand: bool
    order: Annotated[list[str], Shown("order of runs", form=" ".join)]
    """The order in which the runs are shown to every judge."""


@dataclass(frozen=True)
class SheetRow:
    """One justification to judge."""

    run: str
    unit: str
    judge: str
    text: str
    hypothesis: str
    key: str
    decision: str
    justification: str


@dataclass(frozen=True, kw_only=True, repr=False)
class Sampled(StudyResult):
    """The result of `sample`."""

    attribute: Annotated[str | None, Why("no attribute was given (--by)")]
    runs: list[str]
    """The runs with justifications."""
    strata: list[Stratum]
    pairs: list[SampledPair]
    to_judge: list[SheetRow]

    def columns(self, criteria: Sequence[str] = CRITERIA) -> dict[str, list[str]]:
        """The sheet to fill in: run, unit and judge, one empty column per criterion, and the justification."""
        head = {name: [getattr(row, name) for row in self.to_judge] for name in ("run", "unit", "judge")}
        empty = {name: [""] * len(self.to_judge) for name in criteria}
        shown = ("text", "hypothesis", "key", "decision", "justification")
        return head | empty | {name: [getattr(row, name) for row in self.to_judge] for name in shown}

    def make_sheets(self) -> list[Sheet]:
        """The strata and the pairs."""
        same = "The order is the same for every judge."
        return [
            self.sheet("Strata", self.strata, "setting length pairs sampled"),
            self.sheet("Pairs to judge", self.pairs, "id setting length right interest by_hand order", notes=[same]),
        ]

    def records(self) -> Sheet:
        """The sheet to fill in."""
        columns = self.columns()
        return Sheet.listed("To judge", list(columns), list(zip(*columns.values(), strict=True)))


def size(result: Sampled) -> Iterable[Finding]:
    """The numbers of pairs and of justifications to judge."""
    right = sum(pair.right > 0.5 for pair in result.pairs)
    yield Finding(
        f"{counted(len(result.pairs), 'pair')} from {counted(len(result.strata), 'stratum', 'strata')}, {right:,} of "
        f"which most runs get right: {counted(len(result.to_judge), 'justification')} to judge."
    )


def short(result: Sampled) -> Iterable[Finding]:
    """There are fewer pairs than were asked for."""
    wanted = result.signature.parameters["pairs"]
    if len(result.pairs) < int(str(wanted)):
        there = f"all {counted(len(result.pairs), 'pair')} with a label in the key"
        yield Finding(f"--pairs {wanted} is more than there are, so {there} are in the sample.")


FINDINGS: Findings = (size, short)


SHORT, LONG = "short", "long"
TEMPLATE_SHARE = 0.1
"""A word in more than this share of a run's justifications belongs to its template."""


class SampleParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `sample`."""

    pairs: Annotated[int, Meta(description="the number of pairs to draw", ge=1)] = 100
    by: Annotated[str | None, Meta(description="an attribute; every value gets the same number of pairs")] = None
    also: Annotated[
        tuple[str, ...], Meta(description="a pair chosen by hand, included in the sample", examples=["ID"])
    ] = ()
    prefer: Annotated[
        float, Meta(description="how many times as likely a pair is drawn if most runs are right on it", ge=1)
    ] = 4.0
    judge: Annotated[tuple[str, ...], Meta(description="a judge; the sheet has rows for each")] = ("judge",)
    seed: SeedOption = 0


@study("sample", SampleParameters, findings=FINDINGS)
def sample(runs: Responses, asked: SampleParameters) -> Sampled:
    """A sample balanced over settings and lengths that prefers pairs most runs got right and interesting ones."""
    key = runs.key
    key.need_texts("a judge of justifications")
    justifying = [run for run in runs.runs if run.justifications is not None]
    if not justifying:
        raise UsageError("no run has justifications, in a column or field `justification`")
    unknown = [one for one in asked.also if one not in key.index]
    if unknown:
        raise UsageError.unknown("pair", unknown[0], key.ids)
    twice = [name for name, times in Counter(name.strip() for name in asked.judge).items() if times > 1]
    if twice:
        raise UsageError(f"--judge {twice[0]} is given more than once: a judge rates a justification once")
    if len(asked.also) > asked.pairs:
        raise UsageError(f"{counted(len(asked.also), 'pair')} chosen by hand: --pairs must be at least as large")
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
    """The number of pairs to draw from each stratum: equal over settings, then over short and long within each.

    Pairs picked by hand count towards their strata. The odd pair of a setting is short in one and long in the next.
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
    """The numbers reduced to a total of `size`, always from the largest stratum."""
    wanted = wanted.copy()
    while wanted.sum() > size:
        wanted[wanted.argmax()] -= 1
    return wanted


def _right(runs: Responses) -> Floats:
    """The share of runs that got each pair right; NaN if it has no label."""
    scores = np.where(runs.allows(THREE)[:, None], runs.right(THREE).values, runs.right(TWO).values)
    return np.asarray(scores.mean(axis=0))


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def own_words(key: Pairs, justifications: Sequence[str]) -> Floats:
    """For each pair, the number of words in its justification that are not in the pair or in the run's template."""
    said = [_words(text) for text in justifications]
    times = Counter(word for one in said for word in one)
    template = {word for word, count in times.items() if count > max(1.0, TEMPLATE_SHARE * len(said))}
    rows = zip(said, key.texts, key.hypotheses, strict=True)
    return np.array([len(one - template - _words(text) - _words(claim)) for one, text, claim in rows], dtype=np.float64)


def _interest(key: Pairs, runs: Responses) -> Floats:
    """The rank of each pair, scaled from 0 to 1, by the number of words that only its justifications have."""
    own = [own_words(key, run.justifications) for run in runs.runs if run.justifications is not None]
    if len(key) < 2:
        return np.ones(len(key))
    return np.asarray((len(key) - middle_places(np.sum(own, axis=0))) / (len(key) - 1))


def _strata(key: Pairs, attribute: str | None) -> tuple[list[tuple[str, str]], NDArray[np.int64]]:
    """Strata of setting and length, where long is longer than the median of the setting, and each pair's stratum."""
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
    """The order in which the runs are shown: random for each pair, and the same for every judge."""
    return [runs[at] for at in generator(seed, "sample", "order", pair).permutation(len(runs))]


def _rows(judge: str, pairs: list[SampledPair], key: Pairs, runs: Responses) -> list[SheetRow]:
    named = dict(zip(runs.names, runs.runs, strict=True))
    if key.way is None:
        raise UsageError(f"{key.source.name} has no key, so it is unknown which answers are right")
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
