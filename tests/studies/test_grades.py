"""Grades of the test set, the ranking, the key and the judge: each word at its threshold, and none without evidence."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from benchmarks.synthetic import pairs_of
from tools.examples import EVERYTHING, result_of

import karat
from karat import examples
from karat.data.provenance import Source
from karat.data.responses import Responses, Run, RunInfo
from karat.data.result import Finding
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.labels import TWO, Way
from karat.render.page import page
from karat.studies.compare.findings import without_constant
from karat.studies.report import grades
from karat.studies.report.result import Report
from karat.studies.report.study import report
from karat.studies.wording import part_of
from tests.ballots import ballots_of


def drawn(units: int, wrong: float, seed: int = 1) -> karat.Ballots:
    """Two assessors with balanced labels, the second of whom gives another label to this share of the units."""
    random = np.random.default_rng(seed)
    first = random.integers(0, 3, units)
    second = np.where(random.random(units) < wrong, (first + random.integers(1, 3, units)) % 3, first)
    return ballots_of(["".join(map(str, row)) for row in (first, second)], values="012")


@pytest.mark.parametrize(
    ("units", "wrong", "word", "level"),
    [
        (2000, 0.02, "reliable", "good"),
        (2000, 0.18, "tentative", "caution"),
        (2000, 0.6, "unreliable", "bad"),
        (40, 0.2, "uncertain", "caution"),
    ],
)
def test_a_key_by_the_interval_of_alpha(units: int, wrong: float, word: str, level: str) -> None:
    """The grade is what the whole interval bears out, so few ballots make it uncertain."""
    grade = grades.assessors(karat.agree(drawn(units, wrong)))
    assert (grade.word, grade.level) == (word, level)
    assert "α = " in grade.text


def test_assessors_who_contradict_the_key() -> None:
    """Assessors can agree with each other and not with the key."""
    grade = grades.assessors(karat.agree(drawn(500, 0.01)), 0.2)
    assert (grade.word, grade.level) == ("contradict the key", "bad")
    assert "20% of ballots agree with the key" in grade.text


def test_settings_that_are_no_alternative() -> None:
    """On a balanced two-way key mean recall, the uniform mix and kappa rank as accuracy does, by definition."""
    pairs = karat.read_pairs(examples.PAIRS)
    varied = karat.sensitivity(karat.read_runs(examples.RUNS, pairs), way="2")
    counted = [one.value for one in varied.alternatives]
    assert {"mean_recall", "kappa", "uniform"} & {one.value for one in varied.settings}
    assert not {"mean_recall", "kappa", "uniform"} & set(counted)


def test_a_key_that_nobody_examined() -> None:
    """Without ballots the grade says that nothing is known."""
    grade = grades.assessors(None)
    assert (grade.word, grade.level) == ("not examined", "unknown")


def runs_of(seed: int, way: Way, skills: tuple[float, ...], units: int) -> Responses:
    """Runs that are right independently, each with its own probability, and wrong at random."""
    random = np.random.default_rng(seed)
    key = pairs_of(random.choice(3, units, p=[0.5, 0.35, 0.15]).astype(np.int8))
    made = []
    for place, skill in enumerate(skills):
        right = random.random(units) < skill
        if way is TWO:
            codes = np.where((key.labels == 0) == right, 0, 1)
        else:
            codes = np.where(right, key.labels, (key.labels + random.integers(1, 3, units)) % 3)
        info = RunInfo(f"run{place}", way, Source(f"run{place}", "0" * 64))
        made.append(Run(info, codes.astype(np.int8), np.arange(units, dtype=np.int32), None, None, None))
    return Responses.of(key, made)


def scores_of(*skills: float) -> Scores:
    """Runs with these skills on 200 units."""
    random = np.random.default_rng(5)
    names = tuple(f"run{place}" for place in range(len(skills)))
    values = (random.random((len(skills), 200)) < np.array(skills)[:, None]).astype(float)
    return Scores(names, tuple(map(str, range(200))), values, "score")


@pytest.mark.parametrize(("units", "word"), [(10, "not graded"), (200, "low"), (4_000, "medium"), (20_000, "high")])
@pytest.mark.parametrize("skills", [(0.7, 0.7, 0.7), (0.9, 0.7, 0.5)])
def test_a_test_set_by_what_it_detects(units: int, word: str, skills: tuple[float, ...]) -> None:
    """The grade follows the number of units, however much the runs differ."""
    runs = runs_of(0, TWO, skills, units)
    compared = karat.compare(runs)
    grade = grades.test_set(compared, karat.size(runs))
    assert grade is not None
    assert grade.word.removesuffix(" resolution") == word
    assert part_of(len(compared.significant), 3, "pair of runs", "pairs of runs") in grade.text


@pytest.mark.parametrize("skills", [(0.8, 0.8, 0.8), (0.95, 0.8, 0.65)])
def test_pairs_with_a_constant_answer_are_counted_apart(skills: tuple[float, ...]) -> None:
    """A run far below, which does not read the pairs, may be all that anybody differs from; counted by hand."""
    runs = runs_of(1, TWO, skills, 400)
    last = runs.runs[-1]
    info = RunInfo("constant", TWO, Source("constant", "1" * 64))
    beside = Responses.of(runs.key, [*runs.runs, replace(last, info=info, codes=np.zeros_like(last.codes))])
    compared = karat.compare(beside)
    assert compared.constant == ["constant"]
    others = [pair for pair in compared.pairs if "constant" not in (pair.a, pair.b)]
    found = sum(bool(pair.different) for pair in others)
    assert (found == 0, len(others), len(compared.significant) - found) == (skills[0] == skills[1], 3, 3)
    rest = f"{found or 'none'} of 3 without"
    assert f"; {rest} the run that gives the same answer to every pair." in compared.findings()[0]
    grade = grades.test_set(compared, karat.size(beside))
    assert grade is not None
    assert f"({rest} constant answers)" in grade.text
    alone = karat.compare(runs)
    assert (alone.constant, without_constant(alone)) == ([], "")
    assert "constant" not in alone.findings()[0]


def test_a_ranking_with_ties_is_the_same_ranking() -> None:
    """Ties lower tau, but not what is said of the ranking: no two runs swap ranks, and tau-b is 1."""
    runs = runs_of(3, TWO, (0.9, 0.7, 0.5), 300)
    twin = replace(runs.runs[1].info, name="twin", source=Source("twin", "2" * 64))
    codes, right = runs.codes[1].copy(), runs.codes[1] == runs.key.labels
    # Two pairs with one label, of which one is answered right, exchange their answers: another run with equal counts.
    pairs = [np.flatnonzero((runs.key.labels == 0) & chosen)[0] for chosen in (right, ~right)]
    codes[pairs] = codes[pairs[::-1]]
    tied = Responses.of(runs.key, [*runs.runs, replace(runs.runs[1], info=twin, codes=codes)])
    varied = karat.sensitivity(tied, way="2")
    assert all(one.tau < 1 and one.tau_b == pytest.approx(1) for one in varied.alternatives)
    assert grades.keeps_ranking(varied)
    grade = grades.ranking(varied)
    assert grade is not None
    assert (grade.word, grade.text.endswith("; no two runs swap ranks")) == ("stable", True)


def test_scores_without_a_unit_are_not_graded() -> None:
    """Nobody knows what a small difference is of scores that could be anything."""
    scores = scores_of(0.9, 0.5, 0.5)
    grade = grades.test_set(karat.compare(scores), karat.size(scores))
    assert (grade.word, grade.level) == ("not graded", "unknown")
    assert grade.text.endswith("; there are no limits for differences in score")


def test_no_comparison_no_grade() -> None:
    """What was not compared, varied or judged gets no grade."""
    assert grades.test_set(None, None) is None
    assert grades.ranking(None) is None
    assert grades.judge(None) == []


def test_of_the_examples() -> None:
    """The words and figures of the examples, each with its rule and its source."""
    whole = result_of("report", EVERYTHING)
    assert isinstance(whole, Report)
    said = [(one.section, one.grade.part, one.grade.word, one.way) for one in whole.opening.grades]
    assert said == [
        ("size", "Test set", "low resolution", "2"),
        ("size", "Test set", "low resolution", "3"),
        ("compare", "Ranking", "first place uncertain", "2"),
        ("compare", "Ranking", "first place uncertain", "3"),
        ("agree", "Assessors", "uncertain", ""),
        ("judge", "Judge “auto”", "caution", "2"),
        ("judge", "Judge “auto”", "caution", "3"),
    ]
    two, three, ranking, other, _, judge, judged = (one.grade.text for one in whole.opening.grades)
    assert two.endswith("10 of 45 pairs of runs differ significantly (6 of 36 without constant answers), two-way")
    assert three.endswith("of 36 pairs of runs differ significantly (7 of 28 without constant answers), three-way")
    # The leader is named in the verdict; names may be long, and a tile is small.
    assert "careful" not in ranking
    assert f"; first {whole.of('sensitivity').first_under}; lowest rank correlation " in ranking
    assert whole.of("sensitivity").findings()[0].startswith(Finding(whole.of("sensitivity").who_is_first()))
    assert ranking.startswith("the lead over 4 of the 9 other runs is not significant; first under all ")
    assert other.startswith("the lead over 1 of the 8 other runs is not significant; ")
    assert judge.endswith("τ = 0.40 (two-way)")
    assert judged.endswith("τ = 0.42 (three-way)")
    table = next(sheet for sheet in whole.sheets() if sheet.title == "How the grades are given")
    assert table.columns[0].values == ["Test set", "Ranking", "Assessors", "Judge “auto”"]
    assert whole.opening.attention == ("sensitivity", "swap")
    rules = " ".join(one.grade.rule for one in whole.opening.grades)
    for source in ("Connor 1987", "Voorhees 2001", "Krippendorff 2004", "Calderon et al. 2025"):
        assert source in rules
        assert source in " ".join(whole.citations())


def test_a_ranking_varied_in_one_way_is_graded_in_both(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a page that can be switched, where the other way cannot be varied."""
    pairs = karat.read_pairs(examples.PAIRS)

    def sensitivity(**given: object) -> None:
        raise UsageError(f"{given['way']} cannot be varied")

    monkeypatch.setattr("karat.studies.report.opening.sensitivity", sensitivity)
    made = report(karat.read_runs(examples.RUNS, pairs), without=("swap", "items"))
    said = [(one.section, one.way, one.grade.text) for one in made.opening.grades if one.grade.part == "Ranking"]
    assert [one[:2] for one in said] == [("compare", "2"), ("compare", "3")]
    assert [text.partition("; ")[2] for *_, text in said] == [
        "first under the only alternative setting; lowest rank correlation 0.89 (τ-b)",
        "",
    ]


def test_chance_that_may_explain_the_ranking_is_marked() -> None:
    """No difference between runs of the same skill is reliable: the menu has a mark at the section that says so."""
    alike, apart = (
        report(scores_of(*skills), without=("items",)) for skills in ([0.5] * 5, (0.95, 0.7, 0.5, 0.3, 0.1))
    )
    assert (alike.opening.attention, apart.opening.attention) == (("swap",), ())
    marked = '<a href="#swap">Would a new test set rank them the same way?<span class="mark"'
    assert (marked in page(alike), marked in page(apart)) == (True, False)


def test_every_word_is_explained() -> None:
    """The page on reports has each word that a tile may say."""
    source = inspect.getsource(grades)
    words = set(
        re.findall(
            r'"(not graded|stable|first place uncertain|depends on [a-z]+|reliable|tentative|uncertain)',
            source,
        )
    )
    words |= set(re.findall(r'word = "bad", "([a-z ]+)"', source))
    words |= {"stable at the top", "clear leader", "passes", "fails", "caution"}
    page = (Path(__file__).parents[2] / "docs" / "report.md").read_text("utf-8")
    assert len(words) > 9
    assert [word for word in sorted(words) if word.strip() not in page] == []


def test_a_leader_that_is_beaten_on_shared_units() -> None:
    """A run with scores on the easy units alone leads by its mean, and loses to the next wherever both have one."""
    random = np.random.default_rng(0)
    easy = np.arange(120) < 60
    first, second, third = (np.where(easy, *means) for means in ((0.9, np.nan), (0.95, 0.2), (0.3, 0.1)))
    values = np.stack([first, second, third]) + 0.02 * random.standard_normal((3, 120))
    compared = karat.compare(Scores(("A", "B", "C"), tuple(f"u{unit}" for unit in range(120)), values))
    assert [row.run for row in compared.leaders] == ["A"]
    grade = grades.ranking(None, compared)
    assert grade is not None
    assert (grade.word, grade.level) == ("first place uncertain", "caution")
    assert "1 other run scores higher than the leader on the units that both have" in grade.text


def test_other_scores_of_nuggets_are_named_where_another_run_leads() -> None:
    """A leader by one of several scores is not clear, and the tile has the scores by which another run is first."""
    compared = karat.compare(scores_of(0.9, 0.5))
    clear = grades.ranking(None, compared, {"vital": ["run0"]})
    moved = grades.ranking(None, compared, {"vital": ["run0"], "strict_vital": ["run1"]})
    assert clear is not None
    assert moved is not None
    assert (clear.word, moved.word) == ("clear leader", "depends on choices")
    assert moved.text == "the lead over every other run is significant; another run is first by strict vital support"
