"""The leaderboard as HTML: one row per run, a line below the leader's group, everything on one scale."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.data.composite import SHOWN, Baseline, Board, Entry
from karat.render.leaderboard import FLAGS_MEAN, leaderboard, standing
from karat.render.text import narrow_rooms, pieces
from tests.test_house import SOURCE

NAN = float("nan")


def board_of(runs: int, cut: int = 0, **facts: object) -> Board:
    """Runs r0, r1, … in order, of which those from `cut` on differ from the first."""
    entries = tuple(
        Entry(f"r{place}", (1, runs), 0.9 - place / 100, (0.8 - place / 100, 0.95 - place / 100), -place / 100,
              None if not place else bool(cut) and place >= cut)
        for place in range(runs)
    )  # fmt: skip
    made = Board("accuracy", "2", 100, "pair", 0.95, "paired exact test, Holm, 0.05", ("r0",), entries, percent=True)
    return replace(made, **facts)  # type: ignore[arg-type]


def rows(html: str) -> list[str]:
    """The rows of the body."""
    return re.findall("<tr class=.*?</tr>", html)


def test_one_row_per_run_and_a_line() -> None:
    """The line comes after the last run that is not significantly different from the leader."""
    made = rows(leaderboard(board_of(6, cut=3), {}, "accuracy"))
    assert [re.findall('class="(\\w+)"', row)[0] for row in made] == ["leader", "near", "near", "cut", *["apart"] * 3]
    assert "not significantly different from the leader (paired exact test, Holm, 0.05)" in made[3]
    assert "cut" not in "".join(re.findall('<tr class="(\\w+)"', leaderboard(board_of(6), {}, "accuracy")))


def test_a_leader_alone_above_the_line() -> None:
    """One that is better than all others is said to be; one of them untested, the line says no more than before."""
    board = board_of(4, cut=1)
    assert "significantly better than every run below (paired" in leaderboard(board, {}, "accuracy")
    untested = (*board.entries[:3], replace(board.entries[3], different=None))
    assert "every run below" not in leaderboard(replace(board, entries=untested), {}, "accuracy")


def test_how_to_read_it() -> None:
    """The foot says what dots, bars and ranks are; without tests there are no ranks to explain."""
    assert "Dots: accuracy; bars: 95% CI. Rank: the ranks that a run could have" in leaderboard(board_of(2), {}, "")
    assert "Rank:" not in leaderboard(board_of(2, test=""), {}, "")


def test_a_run_far_below_does_not_squeeze_the_others() -> None:
    """One of four that would make the scale twice as wide is marked at its edge; of fewer, or nearer, all fit."""
    board = board_of(4, cut=1)
    for value, far in ((0.1, True), (0.7, False)):
        last = replace(board.entries[3], value=value, interval=(value - 0.01, value + 0.01))
        made = rows(leaderboard(replace(board, entries=(*board.entries[:3], last)), {}, "accuracy"))
        assert ["<s>◂</s>" in row for row in made] == [False] * 4 + [far]
        assert ["<u style" in row for row in made if "cut" not in row] == [True] * 3 + [not far]
        assert f"95% CI {100 * value - 1:.1f} to {100 * value + 1:.1f}" in made[4]
        few = leaderboard(replace(board, entries=(*board.entries[:2], last)), {}, "accuracy")
        assert "<s>" not in few


def test_equally_distant_runs_stay_on_the_scale() -> None:
    """Several runs that are not far from each other are not marked at the edge, though one is far below them."""
    board = board_of(24, cut=1)
    below = [replace(one, value=0.6, interval=(0.55, 0.65)) for one in board.entries[19:23]]
    last = replace(board.entries[23], value=0.1, interval=(0.09, 0.11))
    made = rows(leaderboard(replace(board, entries=(*board.entries[:19], *below, last)), {}, "accuracy"))
    assert ["<s>◂</s>" in row for row in made] == [False] * 24 + [True]


def test_runs_that_are_not_shown_do_not_stretch_the_scale() -> None:
    """The first runs have a scale of their own, and another one for when all are shown, which the others have."""
    board = board_of(50)
    low = [replace(one, value=0.3, interval=(0.2, 0.4)) for one in board.entries[SHOWN:]]
    html = leaderboard(replace(board, entries=(*board.entries[:SHOWN], *low)), {}, "accuracy")
    head, _, rest = html.partition('<tbody class="rest">')
    marks = {
        kind: re.findall(r"%\">(\d+)<", one)
        for kind, one in re.findall('<div class="(top|every)" aria(.*?)</div>', head)
    }
    assert (marks["top"][0], marks["every"][0]) == ("50", "20")
    assert [head.count(f'<div class="{kind}">') for kind in ("top", "every")] == [SHOWN, SHOWN]
    assert [rest.count(f'<div class="{kind}">') for kind in ("top", "every")] == [0, 25]
    assert "<s>" not in html
    assert 'class="top"' not in leaderboard(board_of(SHOWN), {}, "accuracy")


def test_further_runs_below_the_line() -> None:
    """A run below the line that does not differ from the leader is counted on the line."""
    board = board_of(5, cut=2)
    entries = (*board.entries[:4], replace(board.entries[4], different=False))
    assert ", and 1 run below is not either" in leaderboard(replace(board, entries=entries), {}, "accuracy")


@pytest.mark.parametrize(("runs", "folded"), [(SHOWN, 0), (SHOWN + 1, 1), (50, 25)])
def test_many_runs_are_folded(runs: int, folded: int) -> None:
    """Runs beyond the first 25 can be opened."""
    html = leaderboard(board_of(runs, cut=10), {}, "accuracy")
    _, _, rest = html.partition('<tbody class="rest">')
    assert len(rows(rest)) == folded
    assert (f"Show all {runs} runs" in html) == bool(folded)
    assert (f'data-paper="The first {SHOWN} of {runs} runs."' in html) == bool(folded)


def test_no_name_is_markup() -> None:
    """Names of runs, flags and baselines come from strangers."""
    bad = "<script>x</script>\"'&"
    one = Entry(bad, (1, 1), 0.5, (0.4, 0.6), 0.0, None, (bad,))
    board = replace(board_of(1), entries=(one,), leaders=(bad,), baseline=Baseline(bad, 0.4))
    html = leaderboard(board, {}, bad)
    assert "<script" not in html
    assert "\"'&" not in html


numbers = st.one_of(st.floats(-2, 2), st.just(NAN))


@settings(deadline=None)
@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=5), st.booleans())
def test_everything_is_on_the_scale(values: list[tuple[float, float, float]], percent: bool) -> None:
    """Whatever is drawn lies within its cell, and what is undefined is not drawn."""
    entries = tuple(
        Entry(f"r{place}", (1, 9), value, (min(ends), max(ends)), 0.0, None)
        for place, (value, *ends) in enumerate(values)
    )
    board = replace(board_of(1), entries=entries, percent=percent)
    html = leaderboard(board, {}, "")
    assert "nan" not in html
    for at in re.findall("left:(-?[\\d.]+)%", html):
        assert -0.05 <= float(at) <= 100.05
    for at, width in re.findall("<b style=.left:([\\d.-]+)%;width:([\\d.-]+)%", html):
        assert float(at) + float(width) <= 100.2


def test_standing_in_words() -> None:
    """A run's page begins with its row in words; the leader is compared with nobody."""
    board = board_of(3, cut=2)
    assert standing(board, "r0") == "rank 1–3 of 3 · accuracy 90.0% (95% CI 80.0–95.0)"
    assert standing(board, "r2").endswith("−2.0 points vs r0 (significant)")
    assert standing(board, "nobody") == ""


@pytest.mark.parametrize(("value", "drawn"), [(0.7, True), (0.01, False)])
def test_a_distant_baseline_is_named_and_not_drawn(value: float, drawn: bool) -> None:
    """A rule at the edge of the scale would say that the baseline is there."""
    html = leaderboard(board_of(3, baseline=Baseline("guess", value)), {}, "accuracy")
    assert ('<i class="rule"' in html) == drawn
    assert ("◂ guess" in html) != drawn


def test_as_a_plain_table() -> None:
    """Ranks, values in per cent, intervals and differences as on the page; of many runs, the first."""
    sheet = board_of(60, cut=3, baseline=Baseline("guess", 0.25)).first_sheet()
    assert sheet.rows()[:2] == [
        ["1–60", "r0", "90.0", "80.0–95.0", "—", "leader"],
        ["1–60", "r1", "89.0", "79.0–94.0", "−1.0", "not significant"],
    ]
    assert len(sheet.rows()) == SHOWN
    assert sheet.notes == (
        "The first 3 are not significantly different from the leader (paired exact test, Holm, 0.05).",
        "The best baseline, guess, scores 25.0%.",
        "The first 25 of 60 runs; the sections have all of them.",
    )
    flagged = board_of(2).flagged({"r1": ("overconfident",)}).first_sheet()
    assert [row[-1] for row in flagged.rows()] == ["", "overconfident"]
    tiny = replace(board_of(1), percent=False, entries=(Entry("r0", (1, 1), 1e-7, (NAN, NAN), 0.0, None),))
    assert tiny.first_sheet().rows() == [["1", "r0", "1e−07", "", "—", "leader"]]


def test_a_narrow_terminal_has_one_table() -> None:
    """At 80 columns a star says which differences are significant, and long flags wrap instead of splitting it."""
    flags = {"r1": ("labels ≠ ranking", "overconfident")}
    wide, narrow = board_of(4, cut=3).flagged(flags).first_sheet(), board_of(4, cut=3).flagged(flags).first_sheet(True)
    assert [column.name for column in wide.columns if column not in narrow.columns] == ["vs leader", "difference"]
    assert [row[4] for row in narrow.rows()] == ["—", "−1.0", "−2.0", "−3.0*"]
    assert narrow.notes == ("* significantly different from the leader", *wide.notes)
    assert (len(pieces(wide, 80)), len(pieces(narrow, 80))) == (2, 1)
    assert narrow_rooms(narrow, 70) == {"flags": 20}
    assert "*" not in "".join(board_of(4).first_sheet(True).notes)


def test_names_link_and_some_have_a_star() -> None:
    """To a section of the page, or to another page; a star is no part of a long name that is shown shortened."""
    html = leaderboard(board_of(3), {"r0": "run-1", "r1": "/c/x/teams/r/"}, "accuracy", starred={"r1", "r2"})
    assert '<a href="#run-1">r0</a>' in html
    assert '<a href="/c/x/teams/r/">r1*</a>' in html
    assert ">r2*</th>" in html
    assert "data-text" not in "".join(re.findall('<th scope="row".*?>', html))


def test_a_board_is_a_table_too() -> None:
    """With the same values, in the digits that their intervals allow; shares in CSV, per cent for people."""
    board = board_of(3, cut=2).flagged({"r1": ("late", "baseline")})
    sheet = board.sheet()
    columns = {column.name: column for column in sheet.columns}
    assert sheet.title == "two-way accuracy, 3 runs on 100 pairs"
    assert list(columns["accuracy"].values) == [one.value for one in board.entries]
    assert [columns["accuracy"].text(one) for one in columns["accuracy"].values] == ["90.0", "89.0", "88.0"]
    assert list(columns["rank"].values) == ["1–3"] * 3
    assert list(columns["significantly different"].values) == [None, False, True]
    assert list(columns["flags"].values) == ["", "late, baseline", ""]


def test_every_flag_of_the_studies_is_explained() -> None:
    """Whoever hovers over a flag reads what it means; a flag of somebody else's is shown as it is."""
    said = (SOURCE / "studies" / "score" / "findings.py").read_text("utf-8")
    assert all(f'"{flag}"' in said for flag in FLAGS_MEAN)
    named = set(re.findall(r'flag="([^"]+)"', said)) | set(re.findall(r'headline\(.*, "([^"]+)"', said))
    assert named <= set(FLAGS_MEAN)
    page = leaderboard(board_of(3, cut=2).flagged({"r1": ("identical", "late")}), {}, "x")
    assert '<span title="Another run gives the same answers.">identical</span><span>late</span>' in page
