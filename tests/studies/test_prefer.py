"""Tests of `prefer`: what must not matter, runs without a finite strength, clusters, and planted assessors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from benchmarks.calibration_prefer import Compared

import karat
from karat.data.preferences import LEFT, RIGHT, Preferences
from karat.errors import UsageError
from karat.examples import PREFERENCES
from karat.studies.prefer.result import Preferred


def preferred(*given: Any, **how: Any) -> Preferred:
    """The result for comparisons."""
    return karat.prefer(Preferences.of(*given), **how)


@pytest.fixture(scope="module")
def example() -> Preferences:
    """The example that comes with karat."""
    return karat.read_preferences(PREFERENCES)


@pytest.fixture(scope="module")
def result(example: Preferences) -> Preferred:
    """Its result."""
    return karat.prefer(example)


def test_counts(example: Preferences, result: Preferred) -> None:
    """Wins, losses and ties are those of the rows; every comparison is won once or tied by both."""
    told = result.verdicts
    assert told.left + told.right + told.tie + told.both_bad == result.comparisons == len(example)
    assert sum(row.wins for row in result.runs) == sum(row.losses for row in result.runs) == told.left + told.right
    assert sum(row.ties for row in result.runs) == 2 * (told.tie + told.both_bad)
    for row in result.runs:
        place = example.runs.index(row.run)
        won = (example.left == place) & (example.verdict == LEFT) | (example.right == place) & (
            example.verdict == RIGHT
        )
        assert row.wins == won.sum()


def test_likelihood_equations(example: Preferences, result: Preferred) -> None:
    """At the maximum, expected wins and ties equal observed ones, so the model's excess of every run is 0."""
    assert sum(row.strength for row in result.runs) == pytest.approx(0, abs=1e-9)
    assert result.order is not None
    strength = {row.run: row.strength for row in result.runs}
    total = dict.fromkeys(strength, 0.0)
    for left, right, verdict in zip(example.left, example.right, example.verdict, strict=True):
        names = example.runs[left], example.runs[right]
        gap = strength[names[0]] - strength[names[1]] + result.order.log_odds.value
        odds = np.exp([gap / 2, -gap / 2, result.tie])
        excess = {LEFT: 0.5, RIGHT: -0.5}.get(int(verdict), 0.0) - (odds[0] - odds[1]) / 2 / odds.sum()
        total[names[0]] += excess
        total[names[1]] -= excess
    assert list(total.values()) == pytest.approx([0] * 7, abs=1e-6)


def test_mirrored(example: Preferences, result: Preferred) -> None:
    """With the sides exchanged, only the order effect changes its sign."""
    turned = np.array([RIGHT, LEFT, 2, 3], dtype=np.int8)[example.verdict]
    other = karat.prefer(replace(example, left=example.right, right=example.left, verdict=turned))
    assert [row.run for row in other.runs] == [row.run for row in result.runs]
    assert [row.strength for row in other.runs] == pytest.approx([row.strength for row in result.runs])
    assert [pair.p for pair in other.pairs] == pytest.approx([pair.p for pair in result.pairs])
    assert result.order is not None
    assert other.order is not None
    assert other.order.log_odds.value == pytest.approx(-result.order.log_odds.value)
    assert other.order.p == pytest.approx(result.order.p)


def test_reversed(example: Preferences, result: Preferred) -> None:
    """If every verdict were the opposite, the ranking would be reversed."""
    turned = np.array([RIGHT, LEFT, 2, 3], dtype=np.int8)[example.verdict]
    other = karat.prefer(replace(example, verdict=turned))
    assert [row.run for row in other.runs] == [row.run for row in result.runs][::-1]
    assert [row.value for row in other.runs] == pytest.approx([1 - row.value for row in result.runs][::-1])


def test_order_of_rows(example: Preferences, result: Preferred) -> None:
    """The order of the rows does not matter."""
    mixed = np.random.default_rng(0).permutation(len(example))
    assert example.unit is not None
    assert example.assessor is not None
    other = karat.prefer(
        replace(
            example,
            left=example.left[mixed],
            right=example.right[mixed],
            verdict=example.verdict[mixed],
            unit=example.unit[mixed],
            assessor=example.assessor[mixed],
        )
    )
    assert [row.interval for row in other.runs] == [pytest.approx(row.interval) for row in result.runs]
    assert [one.p for one in other.favours] == pytest.approx([one.p for one in result.favours])


def test_planted(result: Preferred) -> None:
    """ben's side and cleo's favourite are found, and nobody is said to prefer the right."""
    assert [one.assessor for one in result.assessors if one.p_left_corrected <= 0.05] == ["ben"]
    assert ("cleo", "verbose") in [(one.assessor, one.run) for one in result.favours if one.excess > 0]
    told = " ".join(result.findings())
    assert "ben (by " in told
    assert "cleo favours verbose" in told
    assert "on the right" not in told


def test_board_and_ranking(result: Preferred) -> None:
    """The leaderboard has the runs of the table, the leader first, in per cent."""
    board = result.board()
    assert board.leaders == (result.runs[0].run,)
    assert [one.run for one in board.entries] == [row.run for row in result.runs]
    assert [one.value for one in board.entries] == sorted((row.value for row in result.runs), reverse=True)
    assert board.percent
    for row in result.runs:
        better = sum(pair.different is True and pair.b == row.run for pair in result.pairs)
        assert row.ranks[0] == 1 + better


def test_clusters(example: Preferences, result: Preferred) -> None:
    """Every comparison copied into its unit a hundred times tells nothing more; as independent ones, it would."""
    copies: dict[str, Any] = {
        name: np.repeat(getattr(example, name), 100) for name in ("left", "right", "verdict", "unit", "assessor")
    }
    copied = replace(example, **copies)
    by_unit, alone = karat.prefer(copied), karat.prefer(copied, cluster="none")
    assert [pair.p for pair in by_unit.pairs] == pytest.approx([pair.p for pair in result.pairs])
    assert sum(pair.different is True for pair in alone.pairs) > len(result.significant)
    assert karat.prefer(example, cluster="assessor").clusters == 3
    assert (result.cluster, result.clusters, alone.clusters) == ("unit", 12, 50400)


def test_a_run_that_always_wins() -> None:
    """It has no finite strength, and says so; a prior gives it one, above all others."""
    rows = [("x", "y", "left"), ("y", "x", "left"), ("x", "y", "tie"), ("y", "z", "right"), ("x", "z", "left")]
    rows += [("best", one, "left") for one in "xyz"] + [(one, "worst", "left") for one in "xyz"]
    columns = [list(column) for column in zip(*rows * 5, strict=True)]
    made = preferred(*columns)
    assert {row.run for row in made.runs} == {"x", "y", "z"}
    reasons = {row.name: row.reason for row in made.left_out}
    assert "won all of its 15 comparisons" in reasons["best"]
    assert "lost all of its 15 comparisons" in reasons["worst"]
    assert any("2 runs are not ranked" in one for one in made.headlines())
    ranked = preferred(*columns, prior=1.0)
    assert (ranked.runs[0].run, ranked.runs[-1].run, ranked.left_out) == ("best", "worst", [])


def test_next_to_no_prior() -> None:
    """A prior that is lost in rounding is refused: strengths would lie around any value."""
    with pytest.raises(UsageError, match="next to nothing; give 0 for none"):
        karat.prefer(karat.read_preferences(PREFERENCES), prior=1e-320)
    least = karat.prefer(karat.read_preferences(PREFERENCES), prior=1e-6)
    none = karat.prefer(karat.read_preferences(PREFERENCES))
    assert [row.strength for row in least.runs] == pytest.approx([row.strength for row in none.runs], abs=1e-5)


def test_not_connected() -> None:
    """Two circles that never met: the larger one is ranked, with a prior too."""
    pairs = [("a", "b"), ("b", "c"), ("c", "a"), ("x", "y"), ("y", "x")] * 4
    columns = [one for one, _ in pairs], [other for _, other in pairs], ["left"] * 10 + ["right"] * 10
    for prior in (0.0, 1.0):
        made = preferred(*columns, prior=prior)
        assert {row.run for row in made.runs} == {"a", "b", "c"}
        assert {row.reason for row in made.left_out} == {
            "it was not compared with the runs that are ranked, neither directly nor through others"
        }


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("x", "y", "left")] * 4 + [("x", "y", "tie")] * 3, "no strength has a finite estimate"),
        ([("x", "y", "tie"), ("y", "x", "both bad")], "every comparison is a tie|no strength has a finite"),
        ([("x", "y", "left"), ("y", "x", "left")] * 9, "on the left is preferred in all 18"),
    ],
)
def test_nothing_to_rank_by(rows: list[tuple[str, str, str]], said: str) -> None:
    """Sentences, not numbers."""
    with pytest.raises(UsageError, match=said):
        preferred(*(list(column) for column in zip(*rows, strict=True)))


def test_one_order_only() -> None:
    """If no two runs were shown in both orders, there is no order effect to test, and the result says so."""
    rows = [("x", "y", "left"), ("x", "y", "right"), ("y", "z", "left"), ("y", "z", "right"), ("x", "z", "tie")] * 5
    made = preferred(*(list(column) for column in zip(*rows, strict=True)))
    assert made.order is None
    assert any("cannot be determined: no two runs were shown in both orders" in one for one in made.findings())
    assert {one.path: one.reason for one in made.undefined}["/order"] == "no two runs were shown in both orders"


def test_one_cluster() -> None:
    """All comparisons of one unit: estimates without intervals, and no test."""
    rows = [("x", "y", "left"), ("y", "x", "left"), ("x", "y", "right"), ("x", "y", "left")] * 4
    columns = [list(column) for column in zip(*rows, strict=True)]
    made = preferred(*columns, ["q"] * len(rows))
    assert made.clusters == 1
    assert made.pairs[0].different is None
    assert "No pair of runs was tested" in made.headlines()[0]
    assert made.render()
    with pytest.raises(UsageError, match="do not say who compared"):
        preferred(*columns, cluster="assessor")
    with pytest.raises(UsageError, match="do not say what was answered"):
        preferred(*columns, cluster="unit")


def test_intransitive() -> None:
    """Rock, paper, scissors: no run is better, and the result says that one ranking does not describe it."""
    random = np.random.default_rng(0)
    beats = {("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")}
    names = ("rock", "paper", "scissors")
    left = random.integers(0, 3, 300)
    right = (left + random.integers(1, 3, 300)) % 3
    fair = random.random(300) < 0.8
    pairs = [(names[a], names[b]) for a, b in zip(left, right, strict=True)]
    said = ["left" if (pair in beats) == sure else "right" for pair, sure in zip(pairs, fair, strict=True)]
    made = preferred([a for a, _ in pairs], [b for _, b in pairs], said)
    assert not made.significant
    assert len(made.odd) == 3
    assert any("One ranking does not describe all comparisons" in one for one in made.findings())


def test_turned(result: Preferred) -> None:
    """A pair seen from the other run, twice, is the pair."""
    for pair in result.pairs:
        other = pair.turned()
        assert other.difference == -pair.difference
        assert other.observed == pytest.approx(1 - pair.observed)
        again = other.turned()
        assert (again.a, again.interval, again.excess) == (pair.a, pair.interval, pair.excess)
    _, pairs = result.about(result.runs[2].run)
    assert len(pairs.columns[0].values) == 6


SETTING = Compared(5, 40, 10, 1.0)


def test_claims_where_nothing_is_true() -> None:
    """Equally good runs that vary by unit, assessors alike: each kind of sentence comes in few data sets."""
    kinds = ("is significantly better", "differ significantly", "The order matters", "One ranking does not", " (by ",
             "Assessors differ")  # fmt: skip
    sets, said = 60, dict.fromkeys(kinds, 0)
    for seed in range(sets):
        made = karat.prefer(SETTING.drawn(np.random.default_rng(seed), 0.0, 0.0))
        told = [one for one in made.findings() if not one.startswith("None of")]
        for kind in kinds:
            said[kind] += any(kind in one for one in told)
    # Two families of tests stand behind " (by ".
    assert all(count <= (0.15 if kind != " (by " else 0.2) * sets for kind, count in said.items()), said


def test_claims_where_they_are_true() -> None:
    """The same sentences are found where they are planted."""
    made = karat.prefer(SETTING.drawn(np.random.default_rng(0), 1.5, 1.0))
    told = " ".join(made.findings())
    assert "The order matters" in told
    assert "on the left" in told
    assert len(made.significant) >= 6
