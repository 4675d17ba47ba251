"""The leaderboard: ranks that hold together, the line below the leader's group, and the words of the first screen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import karat
from karat.data.composite import Baseline, Board, Entry
from karat.data.scores import Scores
from karat.studies.compare.result import Comparison
from karat.studies.tested_pairs import verdict

ONE = Entry("a", (1, 1), 0.8, (0.7, 0.9), 0.0, None)


def board_of(*others: Entry, leaders: tuple[str, ...] = ("a",), measure: str = "accuracy") -> Board:
    """A board whose first entry is a."""
    test, percent = "paired exact test, Holm", measure == "accuracy"
    return Board(measure, "2", 100, "pair", 0.95, test, leaders, (ONE, *others), percent=percent)


def entry(run: str, value: float, different: bool | None) -> Entry:
    """An entry below a."""
    return Entry(run, (1, 3), value, (value - 0.1, value + 0.1), value - 0.8, different)


def scores_of(values: np.ndarray) -> Scores:
    """Scores of runs a, b, …"""
    names = tuple(chr(97 + run) for run in range(len(values)))
    return Scores(names, tuple(f"u{unit}" for unit in range(values.shape[1])), values, "score")


def naive_ranks(result: Comparison) -> dict[str, tuple[int, int]]:
    """By counting, run by run."""
    made = {}
    for row in result.runs:
        leads = [
            pair.difference if pair.a == row.run else -pair.difference
            for pair in result.significant
            if row.run in (pair.a, pair.b)
        ]
        made[row.run] = (1 + sum(lead < 0 for lead in leads), len(result.runs) - sum(lead > 0 for lead in leads))
    return made


@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(st.integers(0, 1), min_size=30, max_size=30), min_size=2, max_size=6))
def test_ranks_by_counting(values: list[list[int]]) -> None:
    """A run ranks below all that are significantly better and above all that are significantly worse."""
    result = karat.compare(scores_of(np.array(values, dtype=float)))
    assert {row.run: row.ranks for row in result.runs} == naive_ranks(result)
    board = result.board()
    if board is not None:
        for one in board.entries:
            assert one.ranks[0] <= one.ranks[1]


def test_ranks_hold_at_once() -> None:
    """In at most 5% of test sets does any range of ranks exclude a rank that the run truly holds."""
    random = np.random.default_rng(7)
    truth = np.array([0.8, 0.7, 0.7, 0.6, 0.6])
    best = [1 + int((truth > one).sum()) for one in truth]
    worst = [len(truth) - int((truth < one).sum()) for one in truth]
    wrong, trials = 0, 300
    for _ in range(trials):
        result = karat.compare(scores_of((random.random((5, 150)) < truth[:, None]).astype(float)))
        ranks = {row.run: row.ranks or (0, 0) for row in result.runs}
        held = [ranks[chr(97 + run)] for run in range(5)]
        wrong += any(low > best[run] or high < worst[run] for run, (low, high) in enumerate(held))
    assert wrong / trials <= 0.05


def test_no_ranks_against_one_run() -> None:
    """Runs compared with one run only have no ranks and no leaderboard, and JSON says why."""
    result = karat.compare(scores_of(np.eye(3, 12)), versus="a")
    assert result.board() is None
    assert all(row.ranks is None for row in result.runs)
    assert any(one.path.endswith("/ranks") and "only" in one.reason for one in result.undefined)


@pytest.mark.parametrize(
    ("board", "said"),
    [
        (board_of(), "a scores 80.0% (95% CI 70.0% to 90.0%)."),
        (
            replace(board_of(), baseline=Baseline("always-entailment", 0.5)),
            "a scores 80.0% (95% CI 70.0% to 90.0%); always-entailment scores 50.0%.",
        ),
        (
            board_of(entry("b", 0.7, False)),
            "a scores 80.0% and b 70.0%, but the difference is not statistically significant.",
        ),
        (board_of(entry("b", 0.7, True)), "a scores 80.0% and b 70.0%, a significant difference."),
        (
            replace(board_of(entry("b", 0.7, True)), baseline=Baseline("always-unknown", 0.75)),
            "a scores 80.0% and b 70.0%, a significant difference.",
        ),
        (
            replace(board_of(entry("b", 0.7, True)), baseline=Baseline("always-unknown", 0.85)),
            "a scores 80.0% and b 70.0%, a significant difference; both runs score below the best baseline, "
            "always-unknown (85.0%).",
        ),
        (
            replace(
                board_of(entry("b", 0.8, False), entry("c", 0.7, False), leaders=("a", "b")),
                baseline=Baseline("always-unknown", 0.85),
            ),
            "a and b tie for the highest accuracy (80.0%); all 3 runs score below the best baseline, always-unknown "
            "(85.0%).",
        ),
        (
            board_of(entry("b", 0.7, False), entry("c", 0.6, True)),
            "a scores highest (80.0%) and is significantly better than c, but its lead of 10.0 points over b is not "
            "statistically significant.",
        ),
        (
            board_of(entry("b", 0.7, True), entry("c", 0.7, False), *(entry(run, 0.6, True) for run in "de")),
            "a scores highest (80.0%), 10.0 points ahead of the next 2 runs, which tie, and is significantly better "
            "than 3 of the 4 other runs, but its lead over c is not statistically significant.",
        ),
        (
            board_of(entry("b", 0.7, True), entry("c", 0.6, True)),
            "a scores highest (80.0%), 10.0 points ahead of the next run, and is significantly better "
            "than both other runs.",
        ),
        (
            board_of(entry("b", 0.7, False), entry("c", 0.6, False)),
            "a scores highest (80.0%), 10.0 points ahead of the next run, but its lead over the two other runs "
            "is not statistically significant.",
        ),
        (
            board_of(entry("b", 0.7, None), entry("c", 0.6, True)),
            "a scores highest (80.0%), 10.0 points ahead of the next run, and is significantly better "
            "than the only run that it was tested against.",
        ),
        (  # ahead by another amount on the units that both were scored on: the two values do not tell by how much
            board_of(replace(entry("b", 0.7, True), difference=-0.2), *(entry(run, 0.6, True) for run in "cd")),
            "a scores highest (80.0%) and is significantly better than all 3 other runs.",
        ),
        (
            board_of(*(entry(run, 0.7, False) for run in "bcd")),
            "a scores highest (80.0%), 10.0 points ahead of the next 3 runs, which tie, but its lead is not "
            "statistically significant over any of the 3 other runs.",
        ),
        (
            board_of(entry("b", 0.7, None)),
            "a scores highest (80.0%), but was not tested against any other run.",
        ),
        (
            board_of(entry("b", 0.8, False), leaders=("a", "b")),
            "a and b tie for the highest accuracy (80.0%).",
        ),
        (  # some of the others may have the same value
            replace(board_of(entry("b", 0.8, False), leaders=("a", "b")), left_out=1_800),
            "Of the 2 runs that were compared, a and b tie for the highest accuracy (80.0%).",
        ),
        (
            board_of(replace(entry("b", 0.7, True), difference=0.1), entry("c", 0.6, True)),
            "a scores highest (80.0%), but b is significantly better on the units that both were scored on.",
        ),
        (
            board_of(entry("b", 0.7, True), entry("c", 0.6, True), measure="series_score"),
            "a scores highest (0.80), 0.10 ahead of the next run, and is significantly better than both other runs.",
        ),
    ],
)
def test_verdicts(board: Board, said: str) -> None:
    """One sentence for each outcome, which claims a significant lead only over runs that were tested and differ."""
    assert verdict(board) == said


def test_the_line_below_the_leaders_group() -> None:
    """The line is drawn above the first run that differs from the leader."""
    board = board_of(entry("b", 0.75, False), entry("c", 0.7, True), entry("d", 0.65, False))
    assert board.not_separated == 2
    assert board_of(entry("b", 0.75, False)).not_separated == 2


@pytest.mark.parametrize(("half", "digits"), [(0.2, 1), (0.063, 1), (0.008, 2), (0.0004, 3), (0.0, 1)])
def test_digits_follow_the_interval(half: float, digits: int) -> None:
    """Percentages have two significant digits of the narrowest half interval, and at least one decimal."""
    one = replace(ONE, interval=(0.8 - half, 0.8 + half))
    assert replace(board_of(), entries=(one,)).digits == digits


def first_screen(values: np.ndarray) -> str:
    """The verdict and the resolution on a score matrix."""
    (view,) = karat.report(replace(scores_of(values), measure="accuracy")).opening.views
    return f"{view.verdict} {view.resolution}"


def test_a_leader_that_is_behind_on_shared_units() -> None:
    """Of runs scored on different units, the one with the higher mean can be behind where both were scored."""
    values = np.full((2, 60), np.nan)
    values[0, :30], values[1], values[0, :6], values[1, :28] = 1, 0, 0, 1
    said = first_screen(values)
    assert "not statistically significant, and b is ahead of it on the units that both were scored on." in said
    assert "lead of" not in said
    assert "ahead of the next run" not in said


def test_a_tie_that_shared_units_break() -> None:
    """Two runs with the same mean do not tie if one is significantly better where both were scored."""
    values = np.full((3, 90), np.nan)
    values[0, :60] = [0.0] * 30 + [1.0] * 30
    values[1, 30:] = [1.0] * 30 + [0.0] * 30
    values[0, 30:60], values[1, 30:60] = 0, 1
    values[0, :30], values[1, 60:] = 1, 0
    values[2] = 0
    assert "significantly better on the units that both were scored on" in first_screen(values)


@pytest.mark.parametrize("times", [1e-10, 1.0, 1e12])
def test_scores_of_any_size(times: float) -> None:
    """Runs that differ do not tie because their scores are small, and numbers are not spelled out in zeros."""
    values = np.random.default_rng(0).random((3, 50)) + np.array([[0.0], [2.0], [4.0]])
    result = karat.compare(scores_of(values * times))
    board = result.board()
    assert board is not None
    assert board.leaders == ("c",)
    assert len(board.text(board.entries[0].value)) <= 9
    assert float(board.text(board.entries[0].value).replace("−", "-")) > 0


def test_few_units_promise_nothing() -> None:
    """With five units no exact test can be significant, and no power is promised."""
    assert "are enough" not in first_screen(np.round(np.random.default_rng(0).random((2, 5)), 2))


def test_needed_units_are_more_than_there_are() -> None:
    """What was not significant on the units at hand is not said to take as many."""
    values = np.zeros((20, 100))
    values[:, :50], values[0, 50:62] = 1, 1
    assert "would take about 140 units" in first_screen(values)


def test_runs_left_out_are_counted() -> None:
    """Of more than two hundred runs the verdict is about those that were tested, and the facts count all."""
    random = np.random.default_rng(3)
    values = (random.random((210, 60)) < np.linspace(0.4, 0.9, 210)[:, None]).astype(float)
    names = tuple(f"r{run}" for run in range(len(values)))
    without = ["swap", "sensitivity", "size"]
    opening = karat.report(Scores(names, tuple(map(str, range(60))), values, "accuracy"), without=without).opening
    assert "210 runs (200 of them compared)" in opening.facts
    assert "other runs that were compared" in opening.views[0].verdict


def test_flags_of_one_way(make: Any) -> None:
    """A run that answers U and C is constant two-way and not three-way."""
    _, runs = make("E U C E U C", a="1 U\n2 U\n3 C\n4 U\n5 U\n6 C", b="1 E\n2 U\n3 C\n4 E\n5 E\n6 C")
    flags = {
        view.board.way: {entry.run: entry.flags for entry in view.board.entries}
        for view in karat.report(runs, without=["swap", "size", "sensitivity"]).opening.views
    }
    assert "constant answer" in flags["2"]["a"]
    assert "constant answer" not in flags["3"]["a"]


def test_a_section_that_would_say_nothing() -> None:
    """Of scores of 0 and 1 no other setting can be tried: the section is left out, and the appendix says why."""
    result = karat.report(scores_of(np.eye(3, 24)), without=["swap", "size"])
    assert "sensitivity" not in [one.name for one in result.sections]
    assert [(one.name, one.reason) for one in result.left_out] == [
        ("sensitivity", "no other setting can be tried on these data")
    ]


def test_a_lead_in_the_digits_of_the_board() -> None:
    """The sentence has as many digits as the table below it: 85.02%, 0.11 points."""
    narrow = [Entry(run, (1, 2), value, (value - 0.005, value + 0.005), value - 0.8502, False)
              for run, value in (("a", 0.8502), ("b", 0.8491), ("c", 0.84))]  # fmt: skip
    board = Board("accuracy", "3", 9815, "pair", 0.95, "test", ("a",), tuple(narrow), percent=True)
    assert board.digits == 2
    assert verdict(board).startswith("a scores highest (85.02%), 0.11 points ahead of the next run")
    assert board.text(narrow[1].difference, signed=True) == "−0.11"
