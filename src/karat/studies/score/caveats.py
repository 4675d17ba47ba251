"""Caveats about a run: whether merging or swapping labels would pay, and whether its order and confidences fit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import permutations
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from karat.arrays import DISPLAY_TOLERANCE, Bools, Floats, Ints
from karat.data.fields import Shown, Why
from karat.data.orders import Ties
from karat.data.parameters import generator
from karat.data.records import RowsAt
from karat.data.responses import Responses
from karat.data.result import Ends, Estimate, Note
from karat.data.scores import shared_clusters
from karat.data.tables import Table
from karat.errors import NotApplicable
from karat.kernels.ranking import tie_groups
from karat.labels import IN_WORDS, THREE, TWO, Way
from karat.measures import accuracy, calibration_error, information, kappa, measures
from karat.measures.probabilities import EDGES, TENTHS, tenths
from karat.statistics.clusters import UNCLUSTERED, UnitCells, mean_p, right_interval
from karat.statistics.intervals import quantile
from karat.statistics.poisson_binomial import CountDistribution
from karat.studies.scorer import forecast_interval, table_effect, table_interval

DRAWS = 1000
NORMAL_FROM = 25.0
"""From this variance on, a sum of independent answers is drawn from a normal distribution; its mean is off by at most
0.3 %."""
ANSWERS_AT_ONCE = 4_000_000
"""Answers drawn at a time."""
CONFIDENCE_NOTES = (
    Note.of(
        "Brier of answers: the mean squared difference between confidence and outcome (1 if right, 0 if wrong); a "
        "confidence of 50% in every answer gives 0.25",
        "Brier of answers",
    ),
    Note.of(
        "calibration error: the absolute difference between mean confidence and accuracy in each tenth of the "
        "confidences, averaged over the pairs; it is biased upward, which its CI allows for; expected: its mean, and "
        "its central interval, if the run were perfectly calibrated",
        "calibration error",
        "expected",
    ),
)
ONE_CLUSTER = "all of these pairs are in one cluster, or the clusters do not differ"
SOURCES = ("Brier 1950", "Naeini, Cooper and Hauskrecht 2015", "Broecker and Smith 2007")


@dataclass(frozen=True)
class Degradation:
    """A merge `source` → `target` that raises accuracy or kappa and lowers information."""

    way: Annotated[str, Shown(form=IN_WORDS.__getitem__)]
    source: str
    target: str
    accuracy: tuple[float, float]
    kappa: tuple[float, float]
    information: tuple[float, float]
    """The plug-in estimate, which falls under almost any merge, even of uninformative labels."""
    lost: tuple[float, float]
    """Simultaneous interval of the information lost, over all runs and pairs of labels."""

    @property
    def merge(self) -> str:
        """Which label becomes which."""
        return f"{self.source} → {self.target}"


def degradations(
    table: Table, way: Way, level: float = 0.95, cells: UnitCells = UNCLUSTERED
) -> list[list[Degradation]]:
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
            lost = _lost(table[runs], source, target, 1 - (1 - level) / tests, cells[runs])
            for at, run in enumerate(runs):
                right, beyond, bits = ((float(b[run]), float(a[run])) for b, a in zip(before, after, strict=True))
                ends = float(lost[0][at]), float(lost[1][at])
                found[run].append(Degradation(way.name, labels[source], labels[target], right, beyond, bits, ends))
    return found


def _lost(table: Table, source: int, target: int, level: float, cells: UnitCells) -> tuple[Floats, Floats]:
    """The interval of the bits that distinguishing two answers is worth: information among the pairs so answered."""
    pair = [source, target]
    names = tuple(table.labels[one] for one in pair)
    within = Table(table.counts[..., pair], table.labels, names, table.squares[..., pair])
    share = within.total / table.total
    bound = measures["information"].bind()
    row, column = np.divmod(cells.cell, table.counts.shape[-1])
    answer = np.where(column == source, 0, np.where(column == target, 1, -1))
    inside = UnitCells.of(np.where(cells.cell >= 0, row, -1), answer, 2, cells.cluster, cells.weights)
    low, high = table_interval(bound, within, level, table_effect(bound, within, inside, level))
    return share * low, share * high


@dataclass(frozen=True)
class Relabelling:
    """An assignment of labels with which a run is significantly more accurate, beyond what chance would give."""

    way: str
    meanings: dict[str, str]
    """What each answer would have to mean."""
    accuracy: tuple[float, float]
    """As answered, and with these meanings."""


def relabellings(table: Table, way: Way, level: float, cells: UnitCells = UNCLUSTERED) -> list[list[Relabelling]]:
    """For each run (leading axis) the best of its relabellings, if one is significant at the one-sided `level`.

    Both the accuracy and the agreement beyond chance must be higher, tested on the same pairs. Accuracy alone is
    higher for an uninformative run that seldom gives the most frequent label, and agreement alone for one whose
    accuracy would suffer. `cells` has the clusters of the pairs, if there are any.
    """
    size = len(way.labels)
    found: list[list[Relabelling]] = [[] for _ in table.counts]
    best = np.zeros(len(table.counts))
    for meaning in list(permutations(range(size)))[1:]:
        right = np.zeros((2, size, table.counts.shape[-1]))
        for answer in range(size):
            right[0, answer, answer] = right[1, meaning[answer], answer] = 1.0
        shares = table.counts / np.maximum(table.total, 1)[..., None, None]
        before, after = (shares * right[:, None]).sum(axis=(-2, -1))
        gain = right[1] - right[0]
        higher = _significant(gain, table, level, cells)
        higher &= _significant(_beyond_chance(gain, shares), table, level, cells)
        for run in (higher & (after > best)).nonzero()[0].tolist():
            best[run] = after[run]
            meanings = {way.labels[answer]: way.labels[meant] for answer, meant in enumerate(meaning)}
            found[run] = [Relabelling(way.name, meanings, (float(before[run]), float(after[run])))]
    return found


def _beyond_chance(gain: Floats, shares: Floats) -> Floats:
    """The gain of each cell less that expected from how often its label and its answer occur (the influence)."""
    of_label = (gain * shares.sum(axis=-2, keepdims=True)).sum(axis=-1, keepdims=True)
    of_answer = (gain * shares.sum(axis=-1, keepdims=True)).sum(axis=-2, keepdims=True)
    expected = (of_label * shares.sum(axis=-1, keepdims=True)).sum(axis=(-2, -1), keepdims=True)
    return np.asarray(gain - of_label - of_answer + expected)


def _significant(gain: Floats, table: Table, level: float, cells: UnitCells) -> Bools:
    """Whether the mean gain over the pairs of each run is positive, by a paired test on the counts of its table."""
    total = np.maximum(table.total, 1)
    mean = (table.counts * gain).sum(axis=(-2, -1)) / total
    apart = gain - mean[..., None, None]
    squared = (table.squares * apart**2).sum(axis=(-2, -1)) * cells.effect(apart, 1 - 2 * level).whole
    return np.asarray(mean * total > quantile(1 - 2 * level) * np.sqrt(squared))


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
    if responses.infos[run].way is THREE and responses.runs[run].probabilities is not None:
        return None  # the likeliest of three labels is no cut-off of the probability of one
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


@dataclass(frozen=True)
class Tenth:
    """The pairs with a confidence of at least `low` and less than `high`; the last tenth includes 1."""

    low: float
    high: float
    pairs: int
    confidence: float
    """The mean of the confidences."""
    accuracy: float
    interval: Annotated[tuple[float, float], Why(ONE_CLUSTER)]
    p: Annotated[float, Why(ONE_CLUSTER)]
    """The same test as for the whole run, on these pairs alone."""

    @property
    def limits(self) -> str:
        """The lower and the upper limit of the confidences."""
        return f"{self.low:g} – {self.high:g}"


CONFIDENCES = (
    RowsAt("confidence", measure="=mean_confidence"),
    RowsAt("brier", measure="=brier"),
    RowsAt("calibration_error", measure="=calibration_error", low="error_interval.0", high="error_interval.1"),
    RowsAt("by_luck", measure="=calibration_error_by_luck", value="value"),
    RowsAt(
        "bins.*",
        RowsAt("confidence", measure="=mean_confidence", low="", high=""),
        RowsAt("accuracy", measure="=accuracy", low="interval.0", high="interval.1"),
        attribute="=confidence",
        value_of_attribute="limits",
    ),
)
"""Records of the confidences of a run; their tenths are slices of the pairs."""


@dataclass(frozen=True)
class Reliability:
    """Confidences compared with accuracy, overall and by tenths that have pairs."""

    way: Annotated[str, Shown(form=IN_WORDS.__getitem__)]
    """The way in which the run answers and states its confidences."""
    pairs: int
    confidence: Annotated[float, Shown("mean confidence", unit="%")]
    accuracy: Annotated[float, Shown(unit="%")]
    interval: Annotated[Ends, Shown("{it.percent} CI"), Why(ONE_CLUSTER)]
    """The interval of the accuracy."""
    p: Annotated[float, Why(ONE_CLUSTER)]
    """Exact two-sided test of whether each confidence is the probability that the answer is right; smaller values are
    given as 1e-30. Over clusters, a t test of the mean difference between confidence and outcome."""
    brier: Annotated[float, Shown("Brier of answers")]
    """The mean squared difference between the confidence and 1 for right answers, 0 for wrong ones."""
    calibration_error: Annotated[float, Shown(unit="points")]
    """The absolute difference between mean confidence and accuracy in each tenth, averaged over the pairs."""
    error_interval: Annotated[Ends, Shown("{it.percent} CI"), Why(ONE_CLUSTER)]
    """The interval of the calibration error, which allows for the most that its bias can be."""
    by_luck: Annotated[Estimate, Shown("expected", unit="points")]
    """The calibration error expected if the run were perfectly calibrated, with the central interval of its
    distribution."""
    bins: list[Tenth]

    @property
    def luck(self) -> Annotated[Ends, Shown("{it.percent} expected")]:
        """The interval of the calibration error under true confidences."""
        return self.by_luck.low, self.by_luck.high

    @property
    def guess(self) -> float:
        """The probability that a guess is right."""
        return 1 / int(self.way)

    @property
    def below_a_guess(self) -> bool:
        """Whether the mean confidence is below that of a guess, so that it is hardly a probability of the answers."""
        return self.confidence < self.guess

    def claims(self, level: float) -> int:
        """1 if the run is significantly overconfident overall, −1 if underconfident, otherwise 0."""
        return int(np.sign(self.confidence - self.accuracy)) if self.p <= 1 - level else 0

    def worst(self) -> tuple[Tenth, float]:
        """The tenth with the smallest p, and that p corrected for the number of tenths."""
        tenth = min(self.bins, key=lambda one: one.p if one.p == one.p else 1.0)
        return tenth, min(1.0, tenth.p * len(self.bins))


def reliability(
    responses: Responses, run: int, level: float = 0.95, seed: int = 0, cluster: Ints | None = None
) -> Reliability:
    """The reliability of one run's confidences in its answers; refused with a reason if it states none.

    Tenths of equal width are fixed in advance and the same for every run, so that curves and errors of runs are
    comparable, and the number of pairs in each shows how a run uses its scale. Tenths with equal numbers of pairs would
    be less noisy, but different for every run.

    The calibration error is biased upward: the few pairs in a tenth are hardly ever right exactly as often as they
    should be. Its distribution under true confidences is therefore reported with it, from answers drawn as if each
    confidence were the probability of being right (Broecker and Smith 2007). The tests do not use it: given the
    confidences, the number of right answers has a known distribution, overall and in each tenth. Over clusters, they
    are t tests of the mean difference between confidence and outcome.
    """
    way = THREE if responses.runs[run].info.way is THREE and responses.key.way is THREE else TWO
    stated = responses.forecasts(run, way)
    confidence, right, place = stated.confidence, stated.right, tenths(stated.confidence)
    pairs, sure, hits = (
        np.bincount(place, each, minlength=TENTHS).astype(np.float64)
        for each in (np.ones(len(place)), confidence, right)
    )
    random = generator(seed, "score", "reliability", responses.names[run])
    luck = _luck(confidence, place, random) / len(place)
    ends = np.quantile(luck, [(1 - level) / 2, (1 + level) / 2])
    used = np.flatnonzero(pairs)
    shares = hits[used] / pairs[used]
    inside = place == used[:, None]
    among = None if cluster is None else shared_clusters(cluster[stated.places].tolist())
    bounds = right_interval(np.broadcast_to(right, inside.shape), inside, among, level)
    overall = right_interval(right, np.ones(len(right), dtype=bool), among, level)
    true = [CountDistribution.of(confidence[place == one]) for one in used]
    if among is None:
        p, each = reduce(CountDistribution.__add__, true).p(int(hits.sum())), hits[used].astype(int).tolist()
        of_tenths = [count.p(one) for count, one in zip(true, each, strict=True)]
    else:
        p, *of_tenths = mean_p(right - confidence, np.vstack([np.ones(len(right), dtype=bool), inside]), among)
    return Reliability(
        way=way.name,
        pairs=len(place),
        confidence=float(confidence.mean()),
        accuracy=float(right.mean()),
        interval=(float(overall[0]), float(overall[1])),
        p=p,
        brier=float(((confidence - right) ** 2).mean()),
        calibration_error=float(calibration_error(stated)),
        error_interval=forecast_interval(measures["calibration_error"].bind(), stated, level, among),
        by_luck=Estimate(float(luck.mean()), float(ends[0]), float(ends[1])),
        bins=[
            Tenth(
                low=float(EDGES[one]),
                high=float(EDGES[one + 1]),
                pairs=int(pairs[one]),
                confidence=float(sure[one] / pairs[one]),
                accuracy=float(share),
                interval=(float(low), float(high)),
                p=p_tenth,
            )
            for one, share, low, high, p_tenth in zip(used, shares, *bounds, of_tenths, strict=True)
        ],
    )


def _luck(confidence: Floats, place: NDArray[np.intp], random: np.random.Generator) -> Floats:
    """Sums of |sure − right| over the tenths (draws), if every answer is right with the probability stated."""
    variance = np.bincount(place, confidence * (1 - confidence), minlength=TENTHS)
    many = variance >= NORMAL_FROM
    total = np.abs(random.standard_normal((DRAWS, int(many.sum()))) * np.sqrt(variance[many])).sum(axis=1)
    few = ~many[place]
    order = np.argsort(place[few], kind="stable")
    sure, tenths = confidence[few][order], place[few][order]
    starts = np.flatnonzero(np.diff(tenths, prepend=-1))
    if len(starts):
        expected = np.add.reduceat(sure, starts)
        rows = max(1, ANSWERS_AT_ONCE // len(sure))
        for start in range(0, DRAWS, rows):
            # Single precision halves the work, and probabilities that are off by 1e-7 make no difference.
            drawn = random.random((min(rows, DRAWS - start), len(sure)), dtype=np.float32) < sure
            right = np.add.reduceat(drawn, starts, axis=1, dtype=np.int64)
            total[start : start + len(drawn)] += np.abs(right - expected).sum(axis=1)
    return total
