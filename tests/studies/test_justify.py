"""`justify` against plain loops, other libraries and every permutation; and what it says of odd ratings."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from benchmarks.calibration_justify import World as Null
from benchmarks.calibration_justify import claimed, drawn, justified
from scipy import stats

import karat
from karat.data.charts import Bars, Lines
from karat.errors import DataError, UsageError
from karat.formats.justification_ratings import read_justifications
from karat.statistics.multiple_testing import holm
from karat.studies.base import StudyResult
from karat.studies.justify import differences
from karat.studies.justify.result import Justified
from karat.studies.justify.runs import ordinal_alpha
from karat.studies.justify.study import justify
from tests.studies import justify_by_hand as hand
from tests.studies.justify_by_hand import World
from tests.undefined import all_explained

RUNS, PAIRS, JUDGES = ("a", "b", "c"), tuple("123456"), ("ann", "ben", "cem", "dot")
LABELS = ("E", "U", "C", "E", "U", "E")
DECIDED = {"a": "EUCEUE", "b": "EECEUU", "c": "UUCECE"}
RIGHT = {(run, pair): DECIDED[run][at] == LABELS[at] for run in RUNS for at, pair in enumerate(PAIRS)}
CRITERIA = ("understandable", "compelling")
Write = Callable[[str, str], Path]
Make = Callable[..., tuple[karat.Pairs, karat.Responses]]


def world(seed: int = 0, skip: float = 0.1) -> World:
    """Ratings at random, better for the first runs; a wrong decision has not the best reasons."""
    random = np.random.default_rng(seed)
    made: World = {}
    for pair, judge in product(PAIRS, JUDGES):
        skipped = random.random() < skip
        for place, run in enumerate(RUNS):
            first = int(np.clip(random.normal(4 - place, 1.2), 1, 5))
            second = int(np.clip(random.normal(first - 0.5, 1.2), 1, 5 if RIGHT[run, pair] else 4))
            made[run, pair, judge] = (None, None) if skipped else (first, second if first >= 3 else None)
    return made


def table(ratings: World) -> str:
    """As a file."""
    rows = [
        f"{run}\t{pair}\t{judge}\t{'skip' if first is None else first}\t{'' if second is None else second}\n"
        for (run, pair, judge), (first, second) in ratings.items()
    ]
    return "run\tunit\tjudge\tunderstandable\tcompelling\n" + "".join(rows)


@pytest.fixture
def scored(write: Write, make: Make) -> Callable[..., Justified]:
    """Scores a world together with the decisions."""

    def score(ratings: World, **options: object) -> Justified:
        _, runs = make(
            " ".join(LABELS),
            **{run: "\n".join(f"{p} {d}" for p, d in zip(PAIRS, said, strict=True)) for run, said in DECIDED.items()},
        )
        read = read_justifications(write("ratings.tsv", table(ratings)))
        return justify(read, runs=runs, **{"replicates": 500, **options})

    return score


def check(result: StudyResult) -> None:
    """Every null has its reason, and every dash that is shown finds it."""
    reasons = set(all_explained(result).values())
    for sheet in result.sheets():
        for column in sheet.columns:
            for value in column.values:
                assert value == value or getattr(value, "why", "") in reasons, (sheet.title, column.name)
    for form in ("text", "html", "csv", "latex"):
        assert result.render(form)


@pytest.mark.parametrize("policy", ["zero", "missing"])
@pytest.mark.parametrize("seed", range(3))
def test_against_loops(scored: Callable[..., Justified], seed: int, policy: str) -> None:
    """Means three ways, medians, distributions, mean ranks, kappas, wrong reasons."""
    ratings = world(seed)
    result = scored(ratings, not_asked=policy)
    check(result)
    judges = {one.judge: one for one in result.judges}
    for run in result.runs:
        reason = run.wrong_reason
        assert reason is not None
        assert (reason.count, reason.of) == hand.wrong_reasons(ratings, RIGHT, run.run)
        assert reason.share.value == pytest.approx(reason.count / reason.of)
        for at, name in enumerate(CRITERIA):
            scores = run.criteria[name]
            assert scores.mean.value == pytest.approx(hand.mean_of(ratings, at, policy, run.run))
            assert scores.median == hand.median_of(ratings, at, policy, run.run)
            for judge, value in scores.by_judge.items():
                assert value == pytest.approx(hand.mean_of(ratings, at, policy, run.run, judge=judge), nan_ok=True)
                assert judges[judge].criteria[name].means[run.run] == pytest.approx(value, nan_ok=True)
                rank = hand.mean_rank(ratings, at, policy, run.run, judge)
                assert judges[judge].criteria[name].mean_ranks[run.run] == pytest.approx(rank, nan_ok=True)
            for pair, value in scores.by_pair.items():
                assert value == pytest.approx(hand.mean_of(ratings, at, policy, run.run, pair), nan_ok=True)
            zero = [value for (r, _, _), value in hand.numbers(ratings, at, "zero").items() if r == run.run]
            assert scores.distribution == {number: zero.count(int(number)) for number in scores.distribution}
            assert sum(scores.distribution.values()) == len(zero)
    for at, one in enumerate(result.agreement):
        for two in one.kappas:
            for power, value in ((1, two.kappa_linear), (2, two.kappa_quadratic)):
                assert value == pytest.approx(
                    hand.weighted_kappa(ratings, at, policy, two.a, two.b, power), nan_ok=True
                )


@pytest.mark.parametrize("seed", range(3))
def test_alpha_against_another_library(scored: Callable[..., Justified], seed: int) -> None:
    """Ordinal alpha with what was not asked as 0, and as missing."""
    ratings = world(seed)
    for at, one in enumerate(scored(ratings).agreement):
        for policy, estimate in one.alpha.items():
            said = hand.numbers(ratings, at, policy)
            rows = [[said.get((r, p, j), np.nan) for r, p in product(RUNS, PAIRS)] for j in JUDGES]
            expected = krippendorff.alpha(np.array(rows, dtype=float), level_of_measurement="ordinal")
            assert estimate.value == pytest.approx(expected)
            assert estimate.low < estimate.value < estimate.high


def test_correlation(scored: Callable[..., Justified]) -> None:
    """Of the two criteria, where both were rated and with 0 where the second was not asked."""
    ratings = world(1)
    for one in scored(ratings).correlation:
        first, second = (hand.numbers(ratings, at, one.not_asked) for at in (0, 1))
        x, y = zip(*((first[place], second[place]) for place in first if place in second), strict=True)
        assert one.rated == len(x)
        assert one.pearson == pytest.approx(stats.pearsonr(x, y).statistic)
        assert one.tau_b == pytest.approx(stats.kendalltau(x, y).statistic)


def test_permutations_within_judges(scored: Callable[..., Justified]) -> None:
    """p counts all ways of turning pairs round, for all judges at once; Holm's is over both criteria."""
    ratings = world(2, skip=0)
    said = hand.numbers(ratings, 0, "zero")
    result = scored(ratings, replicates=5000)
    for one in (row for row in result.differences if row.criterion == "understandable"):
        sums = [sum(said[one.a, p, j] - said[one.b, p, j] for j in JUDGES) for p in PAIRS]
        flipped = [abs(sum(s * d for s, d in zip(signs, sums, strict=True))) for signs in product((1, -1), repeat=6)]
        exact = np.mean([value >= abs(sum(sums)) for value in flipped])
        assert one.p == pytest.approx(exact)
        assert one.difference == pytest.approx(sum(sums) / (len(PAIRS) * len(JUDGES)))
        assert (one.rated, one.pairs) == (24, 6)
        assert (one.p_error, one.p_judges_error) == (0, 0)
    p = np.array([one.p for one in result.differences])
    assert len(p) == 2 * 3
    assert [one.p_corrected for one in result.differences] == pytest.approx(holm(p).tolist())


def test_drawn_flips(scored: Callable[..., Justified], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all flips are too many, some are drawn, near the exact p; where those are too coarse, p is by t."""
    exact = scored(world(2, skip=0)).differences
    monkeypatch.setattr(differences, "EXACT_WORK", 0)
    for one, other in zip(exact, scored(world(2, skip=0), replicates=5000).differences, strict=True):
        assert other.p_error == pytest.approx(np.sqrt(other.p * (1 - other.p) / 5001))
        assert other.p == pytest.approx(one.p, abs=5 * other.p_error + 1e-3)
    said = hand.numbers(world(2, skip=0), 0, "zero")
    for one in scored(world(2, skip=0), replicates=500).differences[:3]:
        sums = [sum(said[one.a, p, j] - said[one.b, p, j] for j in JUDGES) for p in PAIRS]
        assert one.p == pytest.approx(stats.ttest_1samp(sums, 0).pvalue)
        assert one.p_error == 0


def test_seeds(scored: Callable[..., Justified]) -> None:
    """The same seed gives the same numbers, another seed other ones; the policy is signed."""
    first, again, other = (scored(world(0), seed=seed) for seed in (0, 0, 1))
    assert first.render("json") == again.render("json")
    assert [one.concordance for one in first.agreement] != [one.concordance for one in other.agreement]
    assert first.not_asked == {"compelling": "zero"}
    assert first.signature.missing == "skipped pairs left out, not asked compelling 0"
    left_out = scored(world(0), not_asked="missing")
    assert left_out.signature.missing == "skipped pairs left out, not asked compelling left out"


def test_judges_made_in_python(scored: Callable[..., Justified]) -> None:
    """Judges need no summaries; attributes and summaries have one value for each judge."""
    training = {"training": ("maths", "maths", "other", "other")}
    result = scored(world(3, skip=0), judges=karat.Judges(JUDGES, training), group="training")
    assert [(one.judge, one.summary) for one in result.judges] == [(name, None) for name in JUDGES]
    with pytest.raises(UsageError, match="Judges: training has 1 values for 4 names; give one each"):
        karat.Judges(JUDGES, {"training": ("maths",)})
    with pytest.raises(UsageError, match="Judges: summaries has 2 values for 4 names"):
        karat.Judges(JUDGES, training, ("long", None))


def test_groups_and_summaries(scored: Callable[..., Justified], write: Write) -> None:
    """Judges by training: the mean of each group's judges, and p over all choices of so many judges."""
    ratings = world(3, skip=0)
    rows = "ann\tmaths\tToo long.\nben\tmaths\t\ncem\tother\t\ndot\tother\t\n"
    judges = karat.read_judges(write("judges.tsv", "judge\ttraining\tsummary\n" + rows))
    result = scored(ratings, judges=judges, group="training")
    check(result)
    assert result.groups is not None
    means = {j: hand.mean_of(ratings, 0, "zero", "a", judge=j) for j in JUDGES}
    maths, other = result.groups.groups
    assert (maths.value, maths.judges, other.judges) == ("maths", ["ann", "ben"], ["cem", "dot"])
    assert maths.means["understandable"]["a"] == pytest.approx((means["ann"] + means["ben"]) / 2)
    (one,) = (row for row in result.groups.differences if (row.criterion, row.run) == ("understandable", "a"))
    total = sum(means.values())
    drawn = [abs(sum(means[j] for j in chosen) - total / 2) for chosen in combinations(JUDGES, 2)]
    here = abs(means["ann"] + means["ben"] - total / 2)
    assert one.p == pytest.approx(np.mean([value >= here - 1e-9 for value in drawn]))
    assert result.judges[0].summary == "Too long."
    assert result.judges[0].attributes == {"training": "maths"}
    assert one.p_corrected >= one.p
    assert any("judges by training do not differ significantly" in sentence for sentence in result.findings())


def test_findings_and_charts(scored: Callable[..., Justified]) -> None:
    """What is said, and the crossing lines with a name for every judge."""
    result = scored(world(1, skip=0.3))
    told = " ".join(result.findings())
    for words in (
        "Ranking by mean understandable: a ",
        "Kendall's W",
        "by ordinal alpha",
        "right for the wrong reason",
        "skipped",
    ):
        assert words in told
    lines = result.charts()[0]
    assert isinstance(lines, Lines)
    assert (lines.labels, {line.name for line in lines.lines}) == (JUDGES, set(RUNS))
    assert (lines.low, lines.high) == (3, 1)
    assert result.ratings == []
    histogram = next(chart for chart in result.charts() if chart.title == "Ratings given: compelling")
    assert isinstance(histogram, Bars)
    assert histogram.labels == tuple("012345")
    assert all(sum(shares) == pytest.approx(1) for _, shares in histogram.series)


def test_the_best_of_a_wrong_decision(scored: Callable[..., Justified]) -> None:
    """Is refused with its line."""
    ratings = world(0, skip=0)
    ratings["b", "2", "ann"] = (5, 5)
    with pytest.raises(DataError) as caught:
        scored(ratings)
    (problem,) = caught.value.problems
    line = list(ratings).index(("b", "2", "ann")) + 2
    assert (problem.code, problem.line) == ("best-of-wrong", line)


def test_strangers(write: Write, make: Make) -> None:
    """A pair that is not in the key, and a run whose answers are not there."""
    _, runs = make("E U C", a="1 E\n2 U\n3 C")
    read = read_justifications(write("r.tsv", table({("a", "9", "ann"): (2, None), ("A", "1", "ann"): (2, None)})))
    with pytest.raises(DataError) as caught:
        justify(read, runs=runs)
    assert [(one.code, one.line) for one in caught.value.problems] == [("unknown-id", 2), ("run-without", 3)]
    assert "did you mean 'a'?" in str(caught.value)


ODD: dict[str, World] = {
    "one rating": {("a", "1", "ann"): (4, 4)},
    "one judge": {(run, pair, "ann"): (3, 3) for run in RUNS for pair in PAIRS},
    "one pair": {(run, "1", judge): (4, 1) for run in RUNS for judge in JUDGES},
    "never asked": {(run, pair, judge): (1, None) for run in RUNS for pair in PAIRS for judge in JUDGES},
    "all skipped by one": {
        (run, pair, judge): (None, None) if judge == "ann" else (3, 2)
        for run in RUNS
        for pair in PAIRS
        for judge in JUDGES
    },
    "apart": {("a", "1", "ann"): (3, 2), ("b", "2", "ben"): (5, 5)},
}


@pytest.mark.parametrize("policy", ["zero", "missing"])
@pytest.mark.parametrize("name", ODD)
def test_odd_ratings(write: Write, name: str, policy: str) -> None:
    """What cannot be told is null with its reason, in every form."""
    check(justify(read_justifications(write("r.tsv", table(ODD[name]))), not_asked=policy, replicates=100))


@pytest.mark.parametrize(("case", "pairs"), [((3, 3, 3.0), 3), ((3, 3, 3.0), 5), ((10, 3, 3.0), 5), ((3, 3, 6.3), 20)])
def test_intervals_of_alpha_cover(case: tuple[int, int, float], pairs: int) -> None:
    """Of three pairs as of twenty of which nine ratings in ten are 5, intervals hold the population's alpha."""
    truth, held, sets = ordinal_alpha(drawn(case, 4000), 0.95).value, 0, 150
    for place in range(sets):
        found = ordinal_alpha(drawn(case, pairs, place), 0.95)
        held += found.low <= truth <= found.high or found.value != found.value
    assert held >= 0.9 * sets


def test_no_judge_is_named() -> None:
    """Of judges who are all alike none is said to agree less than the others."""
    for result in justified(Null(2, 4, 4, 2, lenient=0.0), 20):
        assert not any("judge " in one.replace("judges", "") for one in result.findings())


def test_exchangeable(write: Write) -> None:
    """Without judges there is alpha, and nothing that needs persons; the order of rows is nothing."""
    rows = [line.split("\t") for line in table(world(0, skip=0)).splitlines()]
    text = ["\t".join([*row[:2], *row[3:]]) + "\n" for row in rows]
    shuffled = [text[0], *(text[1:][at] for at in np.random.default_rng(0).permutation(len(text) - 1))]
    named = justify(read_justifications(write("named.tsv", table(world(0, skip=0)))), replicates=100)
    made = [
        justify(read_justifications(write(f"{n}.tsv", "".join(t))), replicates=100)
        for n, t in enumerate((text, shuffled))
    ]
    for result in made:
        check(result)
        assert result.exchangeable
        assert result.judges == []
        assert [one.concordance for one in result.agreement] == [None, None]
        assert [one.kappas for one in result.agreement] == [[], []]
        for one, other in zip(result.agreement, named.agreement, strict=True):
            assert one.alpha["zero"].value == pytest.approx(other.alpha["zero"].value)
    differences = [
        {(one.criterion, *sorted((one.a, one.b))): abs(one.difference) for one in result.differences} for result in made
    ]
    assert differences[0] == pytest.approx(differences[1])


def test_refused(write: Write) -> None:
    """Ratings without scales, groups without judges, a run that nobody rated."""
    read = read_justifications(write("r.tsv", table(ODD["one pair"])))
    free = karat.read_ratings(write("free.tsv", "run\tqid\tassessor\tcontent\na\t1\tann\t4\n"))
    with pytest.raises(UsageError, match="read_justifications"):
        justify(free)
    with pytest.raises(UsageError, match="judges"):
        justify(read, group="training")
    with pytest.raises(UsageError, match="rated run"):
        justify(read, of="z")


NULLS = [
    (Null(2, 20, 4, 5), "two runs differ"),
    (Null(12, 6, 12, 2, lenient=0.1), "groups of judges differ"),
]


@pytest.mark.parametrize(("null", "claim"), NULLS)
def test_claims_of_what_is_not_there(null: Null, claim: str) -> None:
    """Runs are equally good and groups do not matter: at most 5 % of 40 data sets (and 2.5 errors) say otherwise."""
    assert claimed(null, 40)[claim] <= 0.05 + 2.5 * (0.05 * 0.95 / 40) ** 0.5
