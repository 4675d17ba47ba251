"""What a slip in a file of ratings, or a scale with a 0, does to `justify`: it is told, and takes nothing else away."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

import karat
from karat.errors import DataError, UsageError
from karat.formats.justification_ratings import read_justifications
from karat.studies.justify.result import Justified
from karat.studies.justify.study import justify
from tests.studies import justify_by_hand as hand
from tests.studies.justify_by_hand import World
from tests.studies.test_justify import JUDGES, RUNS, check, table, world

Write = Callable[[str, str], Path]
AMOUNT = {"criterion": ["fact:-1..1", "amount:-1..1?fact>=1"], "not_applicable": ["-9"], "exchangeable": True}


def scored(write: Write, ratings: World, **options: object) -> Justified:
    """Without key and runs."""
    return justify(read_justifications(write("r.tsv", table(ratings))), **{"replicates": 200, **options})


def with_slip() -> World:
    """The run of one row misspelt."""
    return {("bb" if place == ("b", "3", "ann") else place[0], *place[1:]): row for place, row in world(0, 0).items()}


def test_a_misspelt_run_takes_nothing_from_the_others(write: Write) -> None:
    """It is told; ranks, W, differences and findings are those of all other pairs, against loops."""
    ratings = with_slip()
    result = scored(write, ratings)
    check(result)
    assert [one.code for one in result.warnings] == ["rare-name"]
    without = {place: row for place, row in ratings.items() if place[1] != "3"}
    for judge, name in product(result.judges, ("understandable", "compelling")):
        at = ("understandable", "compelling").index(name)
        for run in RUNS:
            expected = hand.mean_rank(without, at, "zero", run, judge.judge)
            assert judge.criteria[name].mean_ranks[run] == pytest.approx(expected)
        assert np.isnan(judge.criteria[name].mean_ranks["bb"])
        assert set(judge.criteria[name].ranking) == set(RUNS)
    for one in result.agreement:
        assert one.concordance is not None
        assert one.concordance.judges == len(JUDGES)
        assert one.concordance.w == one.concordance.w
    assert any("Kendall's W" in told for told in result.findings())
    assert any("pairs of runs differ" in told for told in result.findings())


@pytest.mark.parametrize("policy", ["zero", "missing"])
def test_differences_are_over_what_both_runs_have(write: Write, policy: str) -> None:
    """Every two runs over the judges and pairs that have both, against loops."""
    ratings = {place: row for number, (place, row) in enumerate(world(4).items()) if number % 7}
    result = scored(write, ratings, not_asked=policy)
    check(result)
    told = {(one.criterion, *sorted((one.a, one.b))): one for one in result.differences}
    for at, name in enumerate(("understandable", "compelling")):
        numbers = hand.numbers(ratings, at, policy)
        for a, b in combinations(RUNS, 2):
            both = [(p, j) for r, p, j in numbers if r == a and (b, p, j) in numbers]
            one = told[name, a, b]
            assert (one.rated, one.pairs) == (len(both), len({p for p, _ in both}))
            expected = np.mean([numbers[a, p, j] - numbers[b, p, j] for p, j in both])
            assert abs(one.difference) == pytest.approx(abs(expected))


def test_a_judge_who_is_not_in_the_table(write: Write) -> None:
    """Is an error with line and the nearest name."""
    ratings = {(run, pair, judge.replace("ben", "Ben")): row for (run, pair, judge), row in world(0).items()}
    judges = karat.read_judges(write("judges.tsv", "judge\n" + "".join(f"{name}\n" for name in JUDGES)))
    with pytest.raises(DataError) as caught:
        scored(write, ratings, judges=judges)
    (problem,) = caught.value.problems
    assert (problem.code, problem.line, problem.found) == ("unknown-judge", 5, "judge 'Ben'")
    assert "did you mean 'ben'?" in problem.fix


def test_not_asked_on_a_scale_with_a_zero(write: Write) -> None:
    """Is missing, and all that is said of it agrees; 0 is refused; means stay on the scale."""
    rows = "1\t1\t1\n1\t-1\t\n2\t-9\t\n2\t0\t\n3\t1\t-9\n3\t1\t-1\n4\t1\t0\n4\t-9\t-9\n"
    read = read_justifications(write("r.tsv", "unit\tfact\tamount\n" + rows), **AMOUNT)
    result = justify(read, replicates=100)
    check(result)
    fact, amount = result.runs[0].criteria["fact"], result.runs[0].criteria["amount"]
    assert (fact.rated, fact.not_asked, fact.not_applicable) == (6, 0, 2)
    assert (amount.rated, amount.not_asked, amount.not_applicable) == (3, 2, 1)
    assert amount.mean.value == pytest.approx(0)
    assert amount.distribution == {"-1": 1, "0": 1, "1": 1}
    assert result.not_asked == {"amount": "missing"}
    assert result.signature.missing.endswith("not asked amount left out")
    assert set(result.agreement[1].alpha) == {"missing"}
    text = result.render("text")
    assert "If amount was not asked, it is left out, since the scale from -1 to 1 includes 0." in text
    assert "counts 0" not in text
    assert "0: not asked" not in text
    assert "not applicable" in text
    with pytest.raises(UsageError, match="not_asked='zero': amount goes from -1 to 1"):
        justify(read, not_asked="zero")


def test_intervals_keep_to_the_scale(write: Write) -> None:
    """Of means and of differences, with 0 as the end where it counts."""
    ratings: World = {}
    for judge, pair in product(JUDGES[:2], "123"):
        ratings["a", pair, judge] = (5, 5) if pair != "1" else (4, 4)
        ratings["b", pair, judge] = (1, None) if pair != "1" else (3, 1)
    result = scored(write, ratings)
    for run, name in product(result.runs, ("understandable", "compelling")):
        mean = run.criteria[name].mean
        assert (0 if name == "compelling" else 1) <= mean.low < mean.value < mean.high <= 5
    assert result.runs[1].criteria["compelling"].mean.low == 0
    assert result.runs[0].criteria["compelling"].mean.high == 5
    assert max(abs(end) for one in result.differences for end in (one.low, one.high)) <= 5
    assert scored(write, ratings, not_asked="missing").runs[0].criteria["compelling"].mean.low >= 1


def test_tau_of_ties_is_undefined(write: Write) -> None:
    """No ranking, no tau; and it is said."""
    result = scored(write, {(run, pair, judge): (3, 3) for run in RUNS for pair in "12" for judge in JUDGES})
    assert np.isnan(result.tau)
    told = result.findings()
    assert "All runs have the same mean compelling, so it does not rank them." in told
    assert not any("tau" in sentence for sentence in told)
    assert "all runs tie" in next(one.reason for one in result.undefined if one.path == "/tau")


def test_of_one_run(write: Write) -> None:
    """All its ratings, and nothing of the others in any form; its own numbers are the same."""
    names = {"a": "alpha_", "b": "mine", "c": "gamma_"}
    ratings = {(names[run], pair, judge): row for (run, pair, judge), row in world(1).items()}
    judges = karat.read_judges(write("judges.tsv", "judge\tage\nann\told\nben\told\ncem\tyoung\ndot\tyoung\n"))
    result, whole = (scored(write, ratings, of=of, judges=judges, group="age") for of in ("mine", None))
    check(result)
    assert [run.run for run in result.runs] == ["mine"]
    means = [f"{name} {scores.mean.value:.2f}" for name, scores in result.runs[0].criteria.items()]
    assert result.findings()[0] == f"Mean ratings of mine: {', '.join(means)}."
    assert result.runs[0] == next(run for run in whole.runs if run.run == "mine")
    assert len(result.ratings) == sum(run == "mine" for run, _, _ in ratings)
    for one, other in zip(result.judges, whole.judges, strict=True):
        for name in ("understandable", "compelling"):
            ranks = one.criteria[name].mean_ranks
            assert ranks == {"mine": other.criteria[name].mean_ranks["mine"]}
    for form in ("text", "json", "csv", "html"):
        assert "alpha_" in whole.render(form)
        assert "alpha_" not in result.render(form)
        assert "gamma_" not in result.render(form)


def test_what_is_off_the_scale_is_refused(write: Write) -> None:
    """Where reasons are poor, and which criterion says so."""
    read = read_justifications(write("r.tsv", table(world(0))))
    for poor in (9, 5, 0):
        with pytest.raises(UsageError, match="compelling goes from 1 to 5, so write 1 to 4"):
            justify(read, poor=poor)
    with pytest.raises(UsageError, match="did you mean 'understandable'"):
        justify(read, reason="understandble")
