"""Runs, and their responses, runs × units, aligned once; everything is counted from these."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress

import numpy as np

from karat.arrays import Bools, Floats, Int32s, Integers, Ints
from karat.data.orders import RankedBy, Ranking, Ties
from karat.data.pairs import Pairs
from karat.data.parameters import checked_noun
from karat.data.provenance import AS_IS, Reading, Source
from karat.data.scores import Scores
from karat.data.tables import Table
from karat.errors import NotApplicable, Problem, UsageError, counted
from karat.kernels.counting import contingency, divide, weighted_contingency
from karat.labels import IN_WORDS, NO_ANSWER, THREE, TWO, Codes, Way, fold

NO_SHARES = "the run gives a probability to its answers only, not to every label"


@dataclass(frozen=True, eq=False)
class Forecasts:
    """One run on the units that are scored: the key, whether the answer is right, and how sure the run is of it."""

    key: Codes
    right: Floats
    confidence: Floats
    """The probability of the answer."""
    stated: Floats | None = None
    """The probability of every label (units, labels), if the run gives one to each."""
    weights: Floats | None = None
    """How often each unit counts (…, units); leading axes are resamples."""
    unanswered: int = 0
    """Scored units without an answer, which are left out: a confidence is a confidence in an answer."""
    places: Ints | None = None
    """The place of each unit in the key."""

    @property
    def shares(self) -> Floats:
        """The probability of every label; refused if the run gives one to its answers only.

        Also refused if units have no answer: they are probably hard, and leaving them out would reward silence.
        """
        if self.unanswered:
            raise NotApplicable(no_answer_to(self.unanswered))
        if self.stated is None:
            raise NotApplicable(NO_SHARES)
        return self.stated

    def mean(self, each: Floats) -> Floats:
        """The mean over units of a number for each (units, …), which come last; NaN if there are no units."""
        if self.weights is None:
            return divide(each.sum(axis=0), each.shape[0] + 0 * each.sum(axis=0))
        total = self.weights.sum(axis=-1)
        return divide(self.weights @ each, total if each.ndim == 1 else total[..., None])


@dataclass(frozen=True)
class RunInfo:
    """A run without its answers."""

    name: str
    way: Way
    source: Source
    manual: bool = False
    ranked_by: RankedBy | None = None
    numeric: bool = False
    """Whether it is ranked by a stated confidence and not by the order of its lines."""
    missing: int = 0
    """Pairs without an answer, which count as wrong."""
    unparsed: int = 0
    """Answers that are no label, and count as the user said."""

    @property
    def title(self) -> str:
        """The name as shown, with a star for manual runs."""
        return self.name + "*" * self.manual


@dataclass(frozen=True, eq=False)
class Run:
    """One validated run in the key's order. Pairs without an answer, or with none that is a label, are coded -1."""

    info: RunInfo
    codes: Codes
    position: Int32s
    """The position of each pair's line in the file."""
    confidence: Floats | None
    """In the answers, unless the run is ranked by entailment: then an answer that is no label has none (NaN)."""
    weights: Floats | None
    justifications: tuple[str, ...] | None
    probabilities: Floats | None = None
    """The probability of every label of the run's way (units, labels), if the run states them."""

    def of_units(self, kept: Bools) -> Run:
        """The answers to some of the pairs."""
        said = self.justifications
        return replace(
            self,
            codes=self.codes[kept],
            position=self.position[kept],
            confidence=None if self.confidence is None else self.confidence[kept],
            weights=None if self.weights is None else self.weights[kept],
            justifications=None if said is None else tuple(compress(said, kept)),
            probabilities=None if self.probabilities is None else self.probabilities[kept],
        )


@dataclass(frozen=True, eq=False)
class Multiplicity:
    """What was counted of a test set that is not held: how many pairs each row of responses stands for."""

    pairs: int
    times: Floats
    """Of each run (runs, rows): the pairs with this label to which the run gives this answer."""
    prints: tuple[bytes, ...]
    """Of each run, the same for runs that give the same answers."""


@checked_noun
@dataclass(frozen=True, eq=False, repr=False)
class Responses:
    """The answers of some runs to one test set, all in the key's order."""

    key: Pairs
    runs: tuple[Run, ...]
    codes: Codes
    reading: Reading = AS_IS
    warnings: tuple[Problem, ...] = ()
    many: Multiplicity | None = None
    """None if each row is one pair."""

    @classmethod
    def of(
        cls, key: Pairs, runs: Sequence[Run], reading: Reading = AS_IS, warnings: tuple[Problem, ...] = ()
    ) -> Responses:
        """Stack aligned runs."""
        codes = np.stack([run.codes for run in runs]) if runs else np.empty((0, len(key)), np.int8)
        return cls(key, tuple(runs), codes, reading, warnings)

    def __len__(self) -> int:
        return len(self.runs)

    def __repr__(self) -> str:
        return f"<Responses: {len(self)} runs on {len(self.key)} pairs: {', '.join(self.names)}>"

    @cached_property
    def infos(self) -> tuple[RunInfo, ...]:
        """Each run without its answers."""
        return tuple(run.info for run in self.runs)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The files of the runs."""
        return tuple(run.info.source for run in self.runs)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the runs."""
        return tuple(run.info.name for run in self.runs)

    def of_runs(self, places: Sequence[int]) -> Responses:
        """Some of the runs."""
        return Responses.of(self.key, [self.runs[place] for place in places], self.reading, self.warnings)

    def of_units(self, kept: Bools) -> Responses:
        """The same runs on some of the pairs; the source of the key stays as it was."""
        runs = [run.of_units(kept) for run in self.runs]
        return Responses.of(self.key.of_units(kept), runs, self.reading, self.warnings)

    def allows(self, way: Way) -> Bools:
        """Which runs can be scored in this way: two-way all, otherwise three-way runs with a three-way key."""
        if way is TWO:
            return np.full(len(self), self.key.way is not None)
        return np.array([run.info.way is THREE and self.key.way is THREE for run in self.runs], dtype=bool)

    def key_codes(self, way: Way) -> Codes:
        """The key, folded to `way`."""
        return fold(self.key.labels, way)

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return len(self.key) if self.many is None else self.many.pairs

    @property
    def times(self) -> Floats:
        """How many pairs of the key each row stands for."""
        return np.ones(len(self.key)) if self.many is None else self.many.times[0]

    def ways(self, asked: str, every_run: bool = True) -> list[Way]:
        """The ways asked for; `auto` is three-way where the key and all runs are, else two-way.

        Refused where the key cannot be scored in one of them, or one of the runs, unless some others can.
        """
        if self.key.way is None:
            raise UsageError(
                f"{self.key.source.name} has no key: runs can be checked against a blind test set, but not scored"
            )
        three = self.allows(THREE)
        if asked == "auto":
            return [THREE] if len(self) and three.all() else [TWO]
        if asked == "2":
            return [TWO]
        if self.key.way is not THREE:
            raise UsageError(f"--way {asked}: the key {self.key.source.name} has only two labels")
        if not (three.all() if every_run else three.any()):
            names = [repr(name) for name, can in zip(self.names, three, strict=True) if not can]
            raise UsageError(
                f"--way {asked}: {'every' if every_run else 'some'} run must be three-way, and {', '.join(names)} "
                f"{'answers' if len(names) == 1 else 'answer'} two-way; leave {'it' if len(names) == 1 else 'them'} "
                "out, or use --way 2"
            )
        return [THREE] if asked == "3" else [THREE, TWO]

    def count(self, way: Way, weights: Floats | None = None, keys: Codes | None = None) -> Table:
        """The contingency table of every run: (…, runs, labels, answers); empty for runs that `way` does not allow.

        `weights` are shared (units) or each run's own (runs, units). `keys` (…, units), in the test set's own labels,
        replace the key, and their leading axes precede the runs: other keys, or the key on slices.
        """
        codes, labels = self.counted(way)
        size, columns = len(way.labels), len(labels)
        key = self.key_codes(way) if keys is None else fold(keys, way)
        if self.many is not None:
            return Table(weighted_contingency(key, codes, self.many.times, size, columns), way.labels, labels)
        if weights is None:
            return Table(contingency(key[..., None, :], codes, size, columns), way.labels, labels)
        weights = np.broadcast_to(weights, codes.shape)
        counts, squares = (
            np.reshape(
                [weighted_contingency(one, codes, part, size, columns) for one in key.reshape(-1, key.shape[-1])],
                (*key.shape[:-1], len(codes), size, columns),
            )
            for part in (weights, weights**2)
        )
        return Table(counts, way.labels, labels, squares)

    def counted(self, way: Way) -> tuple[Codes, tuple[str, ...]]:
        """The answers as counted, and the columns of their table: `NO_ANSWER` is the last, if a pair has none."""
        codes = self.answers(way)
        unanswered = (codes < 0) & self.allows(way)[:, None] & (self.key.labels >= 0)
        if not unanswered.any():
            return codes, way.labels
        return np.where(unanswered, np.int8(len(way.labels)), codes), (*way.labels, NO_ANSWER)

    def answers(self, way: Way) -> Codes:
        """The answers folded to `way`; -1 for runs that it does not allow."""
        codes, allowed = fold(self.codes, way), self.allows(way)
        return codes if allowed.all() else np.where(allowed[:, None], codes, np.int8(-1))

    def constant(self, way: Way) -> list[str]:
        """The runs that give the same answer to every pair."""
        own = zip(self.names, self.answers(way), strict=True)
        return [name for name, answers in own if (answers == answers[:1]).all()]

    def right(
        self,
        way: Way,
        labels: Bools | None = None,
        measure: str = "accuracy",
        clusters: tuple[str | None, ...] | None = None,
    ) -> Scores:
        """1 if a run's answer is the key's, 0 if not, NaN if there is no key or the run is not allowed.

        `labels` says of each label whether units that have it count; `measure`, what the mean over units is called.
        """
        key = self.key_codes(way)
        right = (fold(self.codes, way) == key).astype(np.float64)
        right[:, key < 0 if labels is None else (key < 0) | ~labels[key]] = np.nan
        right[~self.allows(way)] = np.nan
        return Scores(self.names, self.key.ids, right, measure=measure, clusters=clusters, sources=self.sources)

    def ranking(
        self, run: int, ranked_by: RankedBy, way: Way, ties: Ties = "expected", within: Bools | None = None
    ) -> Ranking:
        """One run's scored units in rank order; raises an error with the reason if the run is not ranked so."""
        scores = self.rank_scores(run, ranked_by)
        key = self.key_codes(way)
        scored = key >= 0 if within is None else within & (key >= 0)
        gains = key == 0 if ranked_by == "entailment" else fold(self.codes[run], way) == key
        tie_break = self.tie_break(run, ties)
        tie_break = None if tie_break is None else tie_break[scored]
        return Ranking.of(ranked_by, scores[scored], gains[scored].astype(np.float64), tie_break)

    def _wordless(self, run: int) -> Bools:
        """Which units a run answers with no label: its confidence, if it stated one, is in none of them."""
        own = self.runs[run]
        return (own.codes < 0) | (False if own.confidence is None else np.isnan(own.confidence))

    def tie_break(self, run: int, ties: Ties) -> Integers | None:
        """What orders tied units, smaller first; None if values are expectations."""
        if ties == "expected":
            return None
        return self.runs[run].position if ties == "file" else self.id_order

    def rank_scores(self, run: int, ranked_by: RankedBy) -> Floats:
        """What the units of a run are ranked by: its confidence, signed by the label for entailment."""
        info, confidence = self.runs[run].info, self.runs[run].confidence
        unanswered = int((self._wordless(run) & (self.key.labels >= 0)).sum())
        if info.ranked_by == "response" and unanswered:  # nothing tells how sure the run is of these
            raise NotApplicable(no_answer_to(unanswered))
        if (shares := self.runs[run].probabilities) is not None and ranked_by == "entailment":
            return shares[:, 0]
        if info.ranked_by is None:
            raise NotApplicable("the run is not ranked and has no confidence column")
        if info.ranked_by != ranked_by and (confidence is None or ranked_by == "response"):
            raise NotApplicable(f"the run is ranked by {info.ranked_by}, this needs a ranking by {ranked_by}")
        if info.ranked_by != ranked_by and confidence is not None and np.nanmin(confidence, initial=0.0) < 0:
            raise NotApplicable("confidences in the response are negative, so its sign cannot order them by entailment")
        if confidence is None:
            return -self.runs[run].position.astype(np.float64)
        if info.ranked_by == ranked_by:
            return confidence
        return np.where(self.codes[run] == 0, confidence, -confidence)

    def ranked_by_sign(self, run: int) -> bool:
        """Whether the order by entailment is the confidence in the response with the label's sign."""
        return (
            self.runs[run].probabilities is None
            and self.runs[run].info.ranked_by == "response"
            and self.runs[run].info.numeric
        )

    def forecasts(self, run: int, way: Way, within: Bools | None = None) -> Forecasts:
        """The probabilities that a run states, on its scored units; raises an error with the reason if it has none.

        Units without an answer are left out and counted.
        """
        own, info, answers = self.runs[run], self.runs[run].info, fold(self.codes[run], way)
        if own.confidence is None:
            raise NotApplicable("the run states no confidences")
        if info.ranked_by != "response":
            raise NotApplicable("the run's confidences are in entailment, not in its answers")
        # On any pair, scored or not: confidences that exceed 1 once are not probabilities.
        wordless = self._wordless(run)
        said = own.confidence[~wordless]
        if not ((said >= 0) & (said <= 1)).all():
            raise NotApplicable("the run's confidences are no probabilities: some lie outside 0 to 1")
        if own.probabilities is None and way is not info.way:
            raise NotApplicable(f"the run states its confidences in {IN_WORDS[info.way.name]} answers")
        key = self.key_codes(way)
        scored = key >= 0 if within is None else within & (key >= 0)
        if not scored.any():
            raise NotApplicable("there are no scored pairs")
        stated, confidence = own.probabilities, own.confidence
        if stated is None and way is TWO:  # what is left is the probability of the other answer
            stated = np.where(answers[:, None] == np.arange(2), confidence[:, None], 1 - confidence[:, None])
        elif stated is not None:
            stated = folded_shares(stated, info.way, way)
            confidence = np.take_along_axis(stated, np.maximum(answers, 0)[:, None].astype(np.int64), axis=1)[:, 0]
        unanswered = int((scored & wordless).sum())
        scored = scored & ~wordless
        if not scored.any():
            raise NotApplicable(no_answer_to(unanswered))
        right = (answers == key)[scored].astype(np.float64)
        shares = None if stated is None else stated[scored]
        places = np.flatnonzero(scored)
        return Forecasts(key[scored], right, confidence[scored], shares, unanswered=unanswered, places=places)

    @cached_property
    def id_order(self) -> Ints:
        """The position of each unit when ids are sorted, with numbers inside them as numbers."""

        def natural(name: str) -> list[tuple[int, int, str]]:
            # Digits compare by their number, then one by one, so that no number is too long.
            parts = [part.lstrip("0") if part.isdecimal() else part for part in re.split(r"(\d+)", name)]
            return [(0, len(part), part) if part.isdecimal() or not part else (1, 0, part) for part in parts]

        places = sorted(range(len(self.key)), key=lambda place: natural(self.key.ids[place]))
        order = np.empty(len(places), dtype=np.int64)
        order[places] = np.arange(len(places))
        return order


def no_answer_to(pairs: int) -> str:
    """Why a measure of probabilities is undefined for a run that leaves pairs without an answer."""
    return f"{counted(pairs, 'answer is', 'answers are')} no label"


def folded_shares(shares: Floats, way: Way, to: Way) -> Floats:
    """Probabilities of the labels of one way (units, labels) as those of another: labels that fold into one add up."""
    if way is to:
        return shares
    return np.asarray(shares @ np.eye(len(to.labels))[list(to.from_three)])
