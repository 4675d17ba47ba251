"""`karat meta`: two judgments of the same runs, computed again by hand; readers; sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import karat
from karat.data.judgments import Judgments
from karat.data.scores import Scores
from karat.examples import REJUDGED
from karat.studies.meta.powered import powered, sampled
from karat.studies.meta.result import MetaEvaluation
from karat.studies.meta.study import meta


@pytest.fixture(scope="module")
def shipped() -> Judgments:
    """People on 48 topics, a program on 160."""
    return karat.read_judgments([REJUDGED / "people.csv", REJUDGED / "program.csv"])


@pytest.fixture(scope="module")
def result(shipped: Judgments) -> MetaEvaluation:
    """The shipped example."""
    return meta(shipped, replicates=200)


def scored(**judges: np.ndarray) -> Judgments:
    """Runs a, b, … and units 0, 1, … by their number."""
    return Judgments.of(
        {
            judge: Scores(tuple("abcdefgh"[: len(values)]), tuple(map(str, range(values.shape[1]))), values, "score")
            for judge, values in judges.items()
        }
    )


def test_against_scipy(shipped: Judgments, result: MetaEvaluation) -> None:
    """Tau, tau by unit, and the tests of pairs of runs are scipy's."""
    people, program = shipped.scores
    shared = [program.units.index(unit) for unit in people.units]
    x, y = people.values, program.values[:, shared]
    one = result.judges[0]
    assert (one.units, one.alone) == (48, 112)
    assert one.ranks.tau_b.value == pytest.approx(stats.kendalltau(x.mean(axis=1), y.mean(axis=1)).statistic)
    by_unit = [stats.kendalltau(a, b).statistic for a, b in zip(x.T, y.T, strict=True)]
    assert one.ranks.per_unit.value == pytest.approx(np.mean(by_unit))
    interval = stats.t.interval(0.95, 47, np.mean(by_unit), stats.sem(by_unit))
    assert (one.ranks.per_unit.low, one.ranks.per_unit.high) == pytest.approx(interval)
    first, second = np.triu_indices(12, 1)
    p = [stats.ttest_rel(side[a], side[b]).pvalue for side in (x, y) for a, b in zip(first, second, strict=True)]
    order = np.argsort(p)
    steps = np.maximum.accumulate(np.minimum(1, np.array(p)[order] * (132 - np.arange(132))))
    holm = np.empty(132)
    holm[order] = steps
    mine, its = (holm.reshape(2, -1) <= 0.05).tolist()
    assert one.pairs.missed == sum(a and not b for a, b in zip(mine, its, strict=True))
    assert one.pairs.added == sum(b and not a for a, b in zip(mine, its, strict=True))
    assert one.pairs.same + one.pairs.reversed == sum(a and b for a, b in zip(mine, its, strict=True))
    assert one.pairs.pairs == 66 == sum(vars(one.pairs)[k] for k in ("same", "reversed", "missed", "added", "neither"))


def test_bias_of_each_run(shipped: Judgments, result: MetaEvaluation) -> None:
    """The bias is the mean difference on the common units, and only the two favoured systems are named."""
    people, program = shipped.scores
    shared = [program.units.index(unit) for unit in people.units]
    expected = (program.values[:, shared] - people.values).mean(axis=1)
    found = {row.run: row for row in result.judges[0].runs}
    assert [found[run].bias.value for run in people.runs] == pytest.approx(expected.tolist())
    assert [found[run].relative.value for run in people.runs] == pytest.approx((expected - expected.mean()).tolist())
    assert {run for run, row in found.items() if row.relative.low > 0} == {"cedar", "maple"}
    assert not any(row.relative.high < 0 for row in found.values())
    [verdict, lenient] = [one for one in result.findings() if "lenient" in one]
    assert verdict.startswith("program should not rank these runs alone")
    assert sorted(verdict.runs) == ["cedar", "maple"]
    assert sorted(lenient.runs) == ["cedar", "maple"]


def test_corrected_scores_by_hand(shipped: Judgments, result: MetaEvaluation) -> None:
    """PPI++ of a run and of a difference, from the units themselves."""
    people, program = shipped.scores
    shared = [program.units.index(unit) for unit in people.units]
    rest = [place for place in range(160) if place not in shared]

    wrong = (program.values[:, shared] - people.values) ** 2
    wrong = wrong[wrong > 1e-18].mean()

    def by_hand(y: np.ndarray, f: np.ndarray, alone: np.ndarray, wrong: float) -> tuple[float, float]:
        weight = np.cov(y, f)[0, 1] / (np.concatenate([f, alone]).var(ddof=1) * (1 + len(y) / len(alone)))
        weight = min(max(weight, 0), 1)
        n = len(y)  # the weight is estimated, as a slope is: n − 2 degrees of freedom
        # One unit more, on which the judge errs as it does elsewhere, or knows nothing.
        more = max(y.var(ddof=1), wrong) / n / (n - 2)
        error = weight**2 * alone.var(ddof=1) / len(alone) + (y - weight * f).var() / (n - 2) + more
        error = min(error, y.var() / (n - 2))
        return weight * alone.mean() + (y - weight * f).mean(), stats.t.ppf(0.975, n - 2) * error**0.5

    found = result.judges[0].powered
    assert found is not None
    assert (found.labelled, found.alone, found.leader) == (48, 112, "alder")
    place = {run: number for number, run in enumerate(people.runs)}
    for row in found.runs:
        at = place[row.run]
        value, half = by_hand(people.values[at], program.values[at, shared], program.values[at, rest], wrong)
        assert (row.powered.value, row.powered.high) == pytest.approx((value, value + half))
        assert row.naive == pytest.approx(program.values[at].mean())
        own = stats.t.interval(0.95, 47, people.values[at].mean(), stats.sem(people.values[at]))
        assert (row.reference.low, row.reference.high) == pytest.approx(own)
    for apart in found.differences:
        a, b = place["alder"], place[apart.run]
        sides = people.values[a] - people.values[b], program.values[a] - program.values[b]
        value, half = by_hand(sides[0], sides[1][shared], sides[1][rest], 2 * wrong)
        assert (apart.powered.value, apart.powered.low) == pytest.approx((value, value - half))


def test_a_judge_that_seldom_errs() -> None:
    """Twenty units on which it made no error do not show that it makes none on two thousand others."""
    random, sets = np.random.default_rng(8), 300
    held = np.zeros(3)
    for _ in range(sets):
        people = (random.random((2, 2020)) < [[0.9], [0.8]]).astype(float)
        program = np.where(random.random((2, 2020)) < [[0.2], [0]], 1, people)  # lenient with one run
        found = powered(people[:, :20], program[:, :20], program[:, 20:], ("a", "b"), 0, 0.95, 0)
        assert found is not None
        ends = {row.run: row.powered for row in found.runs}
        apart, sign = found.differences[0].powered, 1 if found.leader == "a" else -1
        for at, (one, truth) in enumerate(((ends["a"], 0.9), (ends["b"], 0.8), (apart, sign * 0.1))):
            held[at] += not (one.high < truth or one.low > truth)
    assert (held >= 0.92 * sets).all(), held / sets


def test_hidden_labels(shipped: Judgments) -> None:
    """With --labelled, the hidden units are the judge's alone, and the interval is wider."""
    few, all_ = (meta(shipped, labelled=labelled, replicates=10).judges[0].powered for labelled in (20, 0))
    assert few is not None
    assert all_ is not None
    assert (few.labelled, few.alone) == (20, 140)
    assert few.runs[0].powered.high - few.runs[0].powered.low > all_.runs[0].powered.high - all_.runs[0].powered.low


def test_one_table_with_a_column_of_judges(tmp_path: Path, shipped: Judgments, result: MetaEvaluation) -> None:
    """A long table gives the same result as a file per judge, and is refused where one judge is wanted."""
    rows = ["judge\trun\ttopic\tscore"]
    for judge, scores in zip(shipped.judges, shipped.scores, strict=True):
        for at, run in enumerate(scores.runs):
            rows += [f"{judge}\t{run}\t{unit}\t{scores.values[at, i]}" for i, unit in enumerate(scores.units)]
    long = tmp_path / "long.tsv"
    long.write_text("\n".join(rows) + "\n")
    again = meta(karat.read_judgments(long), replicates=200)
    assert again.judges == result.judges
    with pytest.raises(karat.DataError, match=r"scores by 'people', 'program'; expected one score per run and unit"):
        karat.read_scores(long)


def test_a_panel_without_people() -> None:
    """Each judge is compared with the mean of the others; the odd one has the lowest tau."""
    random = np.random.default_rng(0)
    truth = np.linspace(0.2, 0.8, 8)[:, None] + random.normal(0, 0.05, (8, 30))
    judges = {name: truth + random.normal(0, 0.05, truth.shape) for name in "xyz"} | {"odd": 1 - truth}
    result = meta(scored(**judges), panel=True, replicates=50)
    taus = {one.judge: one.ranks.tau.value for one in result.judges}
    assert min(taus, key=lambda judge: taus[judge]) == "odd"
    assert result.reference is None
    assert (
        "The judges are compared with each other: an error that all of them make cannot be seen." in result.findings()
    )
    others = np.mean([judges[name].mean(axis=1) for name in ("y", "z", "odd")], axis=0)
    assert [row.reference for row in sorted(result.judges[0].runs, key=lambda row: row.run)] == pytest.approx(others)
    assert result.concordance is not None


def test_a_judge_who_reverses_everything() -> None:
    """Pairs that both separate, in opposite directions, are counted and said to be reversed."""
    random = np.random.default_rng(1)
    people = np.array([0.2, 0.5, 0.8])[:, None] + random.normal(0, 0.05, (3, 40))
    result = meta(scored(people=people, program=1 - people), replicates=50)
    one = result.judges[0]
    assert (one.pairs.reversed, one.swaps, one.ranks.tau.value) == (3, 3, -1)
    assert [flip.a for flip in one.flips] == ["c", "b", "c"] or one.flips[0].a == "c"
    assert any("program reverses 3 of them significantly" in one for one in result.findings())
    assert result.findings()[0] == (
        "program should not rank these runs: it reverses 3 of 3 differences that are significant by people."
    )


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (lambda people, noise: people + noise, "Nothing here speaks against ranking these runs by program: it confirms "
         "all 6 differences that are significant by people, and is not found to favour any run."),
        (lambda people, noise: people + 15 * noise, "Whether program may rank these runs is open: it is not found to "
         "favour any, but it confirms only 3 of 6 differences that are significant by people."),
        (lambda people, noise: people + noise + np.array([[0.1], [0], [0], [0]]), "program confirms all 6 differences "
         "that are significant by people, but is more lenient with some of these runs than with others: what else it "
         "finds may be its bias."),
        (lambda people, noise: people + noise + np.array([[0.2], [0], [0], [0]]), "program should not rank these runs "
         "alone: compared with people, it is more lenient with some of them than with others."),
    ],
)  # fmt: skip
def test_verdicts(program: Callable[[np.ndarray, np.ndarray], np.ndarray], said: str) -> None:
    """A judge like people, one that errs much, and two that favour a run, one so much that a difference is gone."""
    random = np.random.default_rng(4)
    people = np.array([0.2, 0.4, 0.6, 0.8])[:, None] + random.normal(0, 0.05, (4, 40))
    result = meta(scored(people=people, program=program(people, random.normal(0, 0.05, (4, 40)))), replicates=10)
    assert result.findings()[0] == said


def test_without_a_difference_the_verdict_is_open() -> None:
    """Runs that people find equal say nothing about a judge."""
    people, program = np.random.default_rng(6).random((2, 4, 20))
    result = meta(scored(people=people, program=program), replicates=10)
    assert result.findings()[0] == (
        "Whether program may rank these runs is open: no two of them differ significantly by people."
    )


def test_judges_who_say_the_same_of_all_runs() -> None:
    """Nothing varies: there is a reason for every null, and ties at the top are all named."""
    values = np.ones((3, 12))
    one = meta(scored(people=values, program=0 * values), replicates=10)
    assert any("the same runs are first" in finding for finding in one.findings())
    people = values.copy()
    people[2, :3] = 0
    other = meta(scored(people=people, program=values), replicates=10)
    assert any("a, b, c are first instead of a, b." in finding for finding in other.findings())
    for each in (one, other):
        assert np.isnan(each.judges[0].ranks.tau.low)
        assert np.isnan([(row.alone, row.with_judge) for row in one.judges[0].needed]).all()


@pytest.mark.parametrize(("runs", "units", "known"), [(3, 40, False), (4, 9, False), (4, 10, True)])
def test_few_runs_or_units_have_no_interval_of_tau(runs: int, units: int, known: bool) -> None:
    """Below four runs or ten units the intervals would be too short."""
    people, program = np.random.default_rng(7).random((2, runs, units))
    ranks = meta(scored(people=people, program=program), replicates=50).judges[0].ranks
    assert all((one.low == one.low) is known for one in (ranks.tau, ranks.tau_ap, ranks.overlap))


def test_people_who_find_everything_right() -> None:
    """Five labels that are all 1 do not show that all are: Wilson's interval, and no test of two such runs."""
    people = np.ones((3, 5))
    program = np.random.default_rng(8).integers(0, 2, (3, 60)).astype(float)
    labelled = Scores(("a", "b", "c"), tuple("01234"), people, "score")
    judged = Scores(labelled.runs, tuple(map(str, range(60))), program, "score")
    result = meta(Judgments.of({"people": labelled, "program": judged}), replicates=10)
    found = result.judges[0].powered
    assert found is not None
    for row in found.runs:
        low = 1 / (1 + stats.norm.ppf(0.975) ** 2 / 5)
        assert (row.powered.value, row.powered.low, row.powered.high) == pytest.approx((1, low, 1))
        assert row.reference == row.powered
    assert all(np.isnan(row.p) for row in found.differences)
    assert (found.separated, found.separated_alone) == (0, 0)
    graded = Judgments.of({"people": replace(labelled, values=people / 2), "program": judged})
    rows = meta(graded, replicates=10).judges[0].powered
    assert rows is not None
    assert all(np.isnan((row.powered.low, row.reference.low)).all() for row in rows.runs)


def test_the_units_needed_are_enough() -> None:
    """So many units give the wanted width with Student's quantile, and one less does not, give or take one."""
    random = np.random.default_rng(9)
    people, program = random.normal(0, 0.2, (2, 4, 30))
    for width in (0.05, 0.1, 0.3, 1.0):
        one = meta(scored(people=people, program=program), half_width=width, replicates=10).judges[0].needed[0]
        spread = np.median(people.var(axis=1, ddof=1))

        def half(units: float, spread: float = spread) -> float:
            return float(stats.t.ppf(0.975, units - 1) * (spread / units) ** 0.5)

        assert half(one.alone + 1) <= width < half(max(one.alone - 2, 1.01))


def test_clusters_widen_the_interval() -> None:
    """Units in clusters, of which either file may know, count as the clusters they are."""
    random = np.random.default_rng(2)
    people = random.random((4, 10)).repeat(5, axis=1)
    plain = scored(people=people, program=people + random.normal(0, 0.01, (4, 10)).repeat(5, axis=1))
    first = plain.scores[0]
    clusters = tuple(str(place // 5) for place in range(50))
    within = Scores(first.runs, first.units, first.values, "score", clusters)
    clustered = Judgments.of({"people": within, "program": plain.scores[1]})
    found = meta(clustered, replicates=50)
    assert (found.unit, found.judges[0].units) == ("cluster", 10)
    one, other = (meta(each, replicates=50).judges[0].runs[0].bias for each in (clustered, plain))
    assert one.high - one.low > 1.5 * (other.high - other.low)


def test_wrong_calls(tmp_path: Path) -> None:
    """One judge, no common runs or units, an unknown reference, a panel of two, holes."""
    values = np.arange(12.0).reshape(3, 4) / 12
    with pytest.raises(karat.UsageError, match="two judgments of the same runs are needed"):
        scored(people=values)
    strangers = Scores(("x", "y"), ("0", "1"), values[:2, :2], "score")
    with pytest.raises(karat.UsageError, match="fewer than two runs have scores by every judge"):
        Judgments.of({"people": scored(a=values, b=values).scores[0], "program": strangers})
    elsewhere = Scores(("a", "b"), ("8", "9"), values[:2, :2], "score")
    with pytest.raises(karat.UsageError, match="scored 0 units in common"):
        meta(Judgments.of({"people": scored(a=values, b=values).scores[0], "program": elsewhere}))
    with pytest.raises(karat.UsageError, match="nobody"):
        meta(scored(people=values, program=values), reference="nobody")
    with pytest.raises(karat.UsageError, match="at least three judges"):
        meta(scored(people=values, program=values), panel=True)
    holes = values.copy()
    holes[0, 0] = np.nan
    with pytest.raises(karat.UsageError, match=r"1 scores? (is|are) missing"):
        meta(scored(people=holes, program=values))
    same = tmp_path / "a" / "x.csv", tmp_path / "b" / "x.csv"
    for path in same:
        path.parent.mkdir()
        path.write_text("run,1,2\na,0,1\nb,1,1\n")
    with pytest.raises(karat.DataError, match="scores by 'x' again"):
        karat.read_judgments(same)


def test_sentences_claim_no_more_than_the_intervals() -> None:
    """A bias as large as the longer arm of an interval is missed half of the time; intervals may stay as they are."""
    random = np.random.default_rng(2)
    people = random.normal(0.5, 0.1, (4, 60))
    result = meta(scored(people=people, program=random.normal(0.5, 0.1, (4, 60))), labelled=40, replicates=50)
    ends = [row.relative for row in result.judges[0].runs]
    widest = max(abs(end - one.value) for one in ends for end in (one.low, one.high))
    assert (
        f"No bias of program for or against single runs is significant; biases of up to about {widest:.3f} may well "
        "have been missed."
    ) in result.findings()
    assert any("intervals of scores are as wide as by people alone, ±0.033" in one for one in result.findings())
    [behind] = [sheet for sheet in result.sheets() if "minus every other run" in sheet.title]
    assert any("do not allow for the choice of" in note for note in behind.notes)


def test_units_that_are_no_random_sample() -> None:
    """By Student's test of the judge's scores; said of the units that it finds easiest, and seldom of random ones."""
    random = np.random.default_rng(5)
    program = np.clip(random.normal(0.5, 0.15, (1, 120)) + random.normal(0, 0.1, (4, 120)), 0, 1)
    people = program + random.normal(0, 0.05, program.shape)

    def judged(chosen: np.ndarray) -> MetaEvaluation:
        order = np.concatenate([chosen, np.setdiff1d(np.arange(program.shape[1]), chosen)])
        return meta(scored(people=people[:, chosen], program=program[:, order]), replicates=10)

    easiest = judged(np.argsort(-program.mean(axis=0))[:40])
    found = easiest.judges[0].powered
    assert found is not None
    assert found.sampled is not None
    means = np.sort(program.mean(axis=0))
    assert found.sampled.p == pytest.approx(stats.ttest_ind(means[80:], means[:80], equal_var=True).pvalue)
    assert any("program gives higher scores on the units that both scored" in one for one in easiest.findings())
    assert not any("random sample" in one for one in judged(random.permutation(120)[:40]).findings())
    assert not any("random sample" in one for one in judged(np.argsort(-program.mean(axis=0))[:9]).findings())


@pytest.mark.parametrize("kind", ["normal", "right or wrong", "mostly 0"])
def test_random_samples_are_seldom_doubted(kind: str) -> None:
    """In 5% of 2,000 data sets (its standard error is .5%)."""
    random = np.random.default_rng(6)
    draws: dict[str, Callable[[], np.ndarray]] = {
        "normal": lambda: random.normal(size=(3, 150)),
        "right or wrong": lambda: (random.random((3, 150)) < 0.85).astype(float),
        "mostly 0": lambda: np.where(random.random((3, 150)) < 0.2, random.beta(2, 2, (3, 150)), 0.0),
    }
    drawn = (draws[kind]() for _ in range(2000))
    found = [sampled(judge[:, :40], judge[:, 40:]) for judge in drawn]
    assert 0.035 < np.mean([one is not None and one.p <= 0.05 for one in found]) < 0.07


def test_judges_on_different_numbers_of_units() -> None:
    """What is said above and below the table of single scores holds for all judges."""
    random = np.random.default_rng(3)
    people, other = random.integers(0, 2, (2, 4, 30)).astype(float)
    runs, units = tuple("abcd"), tuple(map(str, range(30)))
    sides = {"people": (people, 30), "first": (other, 30), "second": (1 - other, 20)}
    judged = {name: Scores(runs, units[:n], values[:, :n], "score") for name, (values, n) in sides.items()}
    [single] = [one for one in meta(Judgments.of(judged), replicates=50).sheets() if "one by one" in one.title]
    assert single.title == "Single scores, compared one by one: 80 to 120 scores with 2 values"
    assert single.notes[0].startswith("Intervals are over 20 to 30 clusters:")


def test_the_same_judgment_twice() -> None:
    """Nothing differs: no bias, a tau of 1, and a reason where there is no interval."""
    values = np.random.default_rng(3).random((4, 12))
    result = meta(scored(people=values, program=values), replicates=50)
    one = result.judges[0]
    assert (one.ranks.tau.low, one.ranks.tau.high) == (1, 1)
    assert all(row.bias.low != row.bias.low for row in one.runs)
    assert not any("bias" in finding for finding in result.findings())


def test_runs_of_other_names_are_told() -> None:
    """A run that one judge calls otherwise is left out with a sentence that says who scored which."""
    values = np.arange(20.0).reshape(2, 10)
    people = Scores(("a", "b", "c"), tuple("0123456789"), np.vstack([values, values[:1]]), "score")
    judged = Judgments.of({"people": people, "program": replace(people, runs=("a", "b", "C"))})
    result = meta(judged, replicates=10)
    assert [(one.name, one.reason) for one in result.left_out] == [
        ("c", "scored by people only"), ("C", "scored by program only"),
    ]  # fmt: skip
    assert (
        "2 runs are left out: c (scored by people only), C (scored by program only). The same run needs the same name "
        "in every file." in result.findings()
    )


def test_ranks_in_the_table() -> None:
    """Before and after stand next to each other, and only shared ranks have decimals."""
    result = meta(karat.read_judgments([REJUDGED / "people.csv", REJUDGED / "program.csv"]))
    shown = {column.name: list(column.values) for column in result.sheets()[0].columns}
    assert list(shown)[:3] == ["run", "rank", "by judge"]
    assert (shown["rank"][:2], shown["by judge"][:2]) == (["1", "2"], ["2", "1"])
    assert shown["rank"][7] == "8.5"
    assert any("+0.130) and maple" in str(one).replace("*", "") for one in result.findings())
