"""The report: every section the data allow, nothing hidden, one page that needs nothing else."""

from __future__ import annotations

import csv
import inspect
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import pytest
from benchmarks.synthetic import key_codes, pairs_of, run_codes, write_runs
from tools.examples import EVERYTHING, result_of

import karat
from karat import examples
from karat.cli import load_command
from karat.data.provenance import QuestionFiles
from karat.data.responses import Responses
from karat.errors import UsageError
from karat.formats.question_set import read_question_set
from karat.labels import THREE, TWO
from karat.statistics.power import mcnemar_power, t_power
from karat.studies.in_memory import TAKEN
from karat.studies.qa.parameters import QaParameters
from karat.studies.report import grades, resolution
from karat.studies.report.evidence import LEADING, Evidence, Read, ReportParameters
from karat.studies.report.result import Report
from karat.studies.report.study import SECTIONS, report
from karat.studies.unit_means import unit_means
from tests.ballots import ballots_of
from tests.undefined import all_explained

KEY = karat.read_pairs(examples.PAIRS)
RUNS = karat.read_runs(examples.RUNS, KEY)


def question_nouns() -> dict[str, Any]:
    """The question series, with all that belongs to them."""
    folder = examples.QUESTIONS
    files = QuestionFiles(
        judgments=(str(folder / "judgments.tsv"),),
        nuggets=str(folder / "nuggets.tsv"),
        matches=(str(folder / "matches.tsv"),),
        patterns=(str(folder / "patterns.txt"),),
    )
    found = read_question_set(folder / "questions.xml", folder / "runs", files)
    return {"questions": found.questions, "answers": found.answers, **found.nouns()}


@pytest.fixture(scope="module")
def whole() -> Report:
    """A report with everything in it."""
    made = result_of("report", EVERYTHING)
    assert isinstance(made, Report)
    return made


class Page(HTMLParser):
    """What a page is made of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[int] = []
        self.headers = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note ids, links, headings and what heads a table."""
        found = dict(attrs)
        self.ids += [value for value in [found.get("id")] if value]
        self.links += [value for name in ("href", "src") if (value := found.get(name))]
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag == "th":
            assert found.get("scope") in ("col", "row")
            self.headers += found["scope"] == "col"


def test_every_section(whole: Report) -> None:
    """With everything given every section is there, and none was left out for an error."""
    assert [section.name for section in whole.sections] == list(SECTIONS)
    assert whole.left_out == []


def test_nouns_are_declared_once() -> None:
    """What `report` takes, what its sections need and what its command reads are attributes of one class."""
    fields = list(Evidence.__dataclass_fields__)
    taken = list(inspect.signature(karat.report).parameters)
    assert [one for one in taken if one not in TAKEN] == [
        *fields[:-1],
        *ReportParameters.__struct_fields__,
    ]
    for planned in SECTIONS.values():
        named = (
            [planned.study] if isinstance(planned.study, str) else [*planned.needs.values(), *planned.takes.values()]
        )
        assert [name for name in named if name not in fields and not hasattr(Evidence, name)] == []
    hints = get_type_hints(Evidence, include_extras=True)
    read = [one for name in fields for one in getattr(hints[name], "__metadata__", ()) if isinstance(one, Read)]
    options = {one.name for one in load_command("report").params}
    assert {file.name for one in read for file in one.files} <= options


def test_questions_that_cannot_be_scored() -> None:
    """They cost their own sections, and none of the pairs'."""
    nouns = question_nouns()
    result = karat.report(
        RUNS, questions=nouns["questions"], answers=nouns["answers"], without=("size", "swap", "sensitivity")
    )
    assert [section.name for section in result.sections] == ["score", "compare", "items"]
    assert [one.name for one in result.left_out] == ["qa", "qa-compare"]


def test_sections_are_the_studies(whole: Report) -> None:
    """A section is what the command of its name gives by itself."""
    alone = result_of("compare", "pairs.xml runs")
    assert whole.of("compare").render("json") == alone.render("json")
    assert set(alone.headlines()) <= set(whole.headlines())


def test_what_is_not_given_is_not_there() -> None:
    """Without ballots, decomposition and ratings their sections are absent, and what is asked away is too."""
    result = report(RUNS, without=["swap", "sensitivity"])
    assert [section.name for section in result.sections] == ["score", "compare", "size", "items"]
    with pytest.raises(UsageError, match="did you mean 'swap'"):
        report(RUNS, without=["swop"])


def test_what_cannot_be_made_is_told() -> None:
    """One run cannot be compared: the report says so and has the rest."""
    one = karat.read_runs([min(examples.RUNS.iterdir())], KEY)
    result = report(one)
    assert "compare" in [left.name for left in result.left_out]
    assert "score" in [section.name for section in result.sections]
    assert "Left out" in result.render("html")


def test_every_null_has_its_reason(whole: Report) -> None:
    """Nulls inside sections keep the reasons that their studies give."""
    reasons = all_explained(whole)
    assert any("does not apply" not in reason for reason in reasons.values())


def test_methods_name_their_sources(whole: Report) -> None:
    """The appendix says how every measure that was used is computed, and where that comes from."""
    methods = {method.name: method for method in whole.methods}
    assert methods["accuracy"].what
    assert methods["kappa"].source
    assert {section.result.study for section in whole.sections} <= set(methods)


def test_the_page(whole: Report) -> None:
    """Headings go down one level at a time, links lead to sections of the page, and nothing is fetched."""
    text = whole.render("html")
    page = Page(text)
    assert page.headings[0] == 1
    assert page.headings.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(page.headings, page.headings[1:], strict=False))
    assert len(set(page.ids)) == len(page.ids)
    assert all(link.startswith("#") and link[1:].partition("?")[0] in page.ids for link in page.links)
    assert "://" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)
    assert page.headers > 50
    for section in whole.sections:
        assert str(section.result.signature)[:40] in text
    assert set(re.findall('class="signed" href="#(signature-[^"]*)"', text)) <= set(page.ids)
    assert text.count('class="signed"') == sum(
        len(section.result.sheets()) + len(section.result.charts()) for section in whole.sections
    )


def test_scores_alone() -> None:
    """A score matrix is enough for what needs no labels, and there are no pairs to open."""
    result = report(RUNS.right(TWO))
    assert [section.name for section in result.sections] == ["compare", "size", "swap"]
    graded = replace(RUNS.right(TWO), values=RUNS.right(TWO).values * np.linspace(0.5, 1, len(KEY)))
    assert "sensitivity" in [section.name for section in report(graded, without=["swap", "size"]).sections]
    assert result.pairs is None
    assert 'id="pairs"' not in result.render("html")


def test_one_interval_of_a_series_score() -> None:
    """The board, which tests differences, and the scores of the questions have the same interval for each run."""
    result = report(**question_nouns())
    scores = result.of("qa").scores()
    # On the first two series alone, Student's interval ends beyond 0 and 1.
    few = scores.of_units(np.arange(len(scores.units)) < 2)
    for given, compared in ((scores, result.of("qa-compare")), (few, karat.compare(few))):
        assert compared.measure == "series_score"
        expected = dict(zip(given.runs, unit_means(given.values, 0.95), strict=True))
        for row in compared.runs:
            assert row.interval == pytest.approx((expected[row.run].low, expected[row.run].high))
    assert {0.0, 1.0} <= {end for row in compared.runs for end in row.interval}


def test_questions_alone() -> None:
    """Questions need no pairs; their runs are compared by series."""
    result = report(**question_nouns())
    assert [section.name for section in result.sections] == ["qa", "qa-compare"]
    assert result.findings()[0].startswith("verbose scores highest (0.636)")
    with pytest.raises(UsageError, match="nothing to report on"):
        report()
    with pytest.raises(UsageError, match="expected Responses"):
        report(KEY)


def test_generated_answers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first screen says what topics can resolve, as it does of pairs, if there are enough of them."""
    matches = karat.read_matches(examples.RAG / "assignments", karat.read_nuggets(examples.RAG / "nuggets.jsonl"))
    few = report(generated=matches)
    assert few.opening.facts == ("11 topics", "3 runs", "ranked by vital support")
    assert "with 80% power" not in few.opening.views[0].resolution
    for module in (resolution, grades):
        monkeypatch.setattr(module, "FEWEST_UNITS", 5)
    made = report(generated=matches).opening
    (view,), (graded, ranked) = made.views, made.grades
    assert "With 11 topics, a true difference of 0." in view.resolution
    assert "in one planned comparison; both for the median pair of runs)." in view.resolution
    assert (graded.section, graded.grade.part, graded.grade.word) == ("nuggets-compare", "Test set", "not graded")
    assert graded.grade.text.startswith("80% power to find a difference of 0.")
    assert (ranked.section, ranked.grade.part) == ("nuggets-compare", "Ranking")
    assert ranked.grade.word == "first place uncertain"


def test_automatic_assessors_make_no_key() -> None:
    """With one file of ballots the judge is judged, and agreement and keys are those of people."""
    result = report(RUNS, ballots=karat.read_ballots(examples.JUDGED, KEY), automatic=["auto"], without=["swap"])
    assert {"anna", "ben", "cleo"} == set(result.of("agree").assessors)
    assert [judge.judge for judge in result.of("judge").judges] == ["auto"]
    assert result.pairs is not None
    assert set(result.pairs.assessors) == {"anna", "ben", "cleo"}


def test_undecided_by_hand(whole: Report) -> None:
    """Neighbours that share a letter; units are the fewest that have the power, among all pairs and alone."""
    compared = whole.of("compare")
    right = dict(zip(RUNS.names, RUNS.right(TWO).values, strict=True))
    letters = {row.run: set(row.letters) for row in compared.runs}
    ranked = [row.run for row in compared.runs]
    assert [(one.a, one.b) for one in whole.undecided] == [
        (a, b) for a, b in pairwise(ranked) if letters[a] & letters[b]
    ]
    for one in whole.undecided:
        gap = right[one.a] - right[one.b]
        assert one.difference == pytest.approx(gap.mean())
        assert (one.value_a, one.value_b) == pytest.approx((right[one.a].mean(), right[one.b].mean()))
        if gap.mean() == 0:
            assert one.units is one.units_alone is None
            continue
        for needed, level in ((one.units, 0.05 / 45), (one.units_alone, 0.05)):
            assert needed is not None
            powers = [mcnemar_power(n, abs(gap).mean(), gap.mean(), level) for n in (needed - 1, needed)]
            # Beyond some thousands the units are within .3 % of the fewest.
            assert powers[1] >= 0.8
            assert powers[0] < 0.8 or (needed > 10_000 and powers[0] < 0.802)


def test_units_needed_are_enough() -> None:
    """Drawn anew with so many units, the pair differs among all the runs as often as was said, or oftener."""
    random = np.random.default_rng(4)
    base = random.random((6, 150)) < np.array([0.75, 0.68, 0.62, 0.55, 0.5, 0.45])[:, None]
    scores = karat.Scores(tuple("abcdef"), tuple(map(str, range(150))), base.astype(float), measure="accuracy")
    one = report(scores, without=["swap", "size", "sensitivity"]).undecided[0]
    assert one.units is not None
    found = 0
    for _ in range(60):
        drawn = scores.values[:, random.integers(0, 150, one.units)]
        again = karat.compare(karat.Scores(scores.runs, tuple(map(str, range(one.units))), drawn))
        found += next(pair.different is True for pair in again.pairs if {pair.a, pair.b} == {one.a, one.b})
    assert found / 60 > 0.65


def scored(**rows: Sequence[float | None]) -> karat.Scores:
    """Scores of some runs; None where one was not scored."""
    values = np.array([[np.nan if value is None else value for value in row] for row in rows.values()])
    return karat.Scores(tuple(rows), tuple(map(str, range(values.shape[1]))), values, measure="accuracy")


def headline(runs: Any, **options: Any) -> str:
    """What a report says first."""
    return " ".join(report(runs, without=["swap", "size", "sensitivity"], **options).findings())


def test_runs_scored_on_other_units() -> None:
    """What is said of two runs is said of the units that both were scored on."""
    a: list[float | None] = [1.0] * 40 + [0.0, 1.0] * 10 + [None] * 40
    b: list[float | None] = [None] * 40 + [0.0, 1.0] * 10 + [0.0] * 40
    made = report(scored(a=a, b=b))
    (pair,) = made.undecided
    assert (pair.value_a, pair.value_b, pair.at_hand) == (0.5, 0.5, 20)
    better: list[float | None] = [None] * 40 + [1.0] * 20 + [0.0] * 40
    worse: list[float | None] = [1.0] * 40 + [0.0] * 20 + [None] * 40
    said = headline(scored(worse=worse, better=better))
    assert "but better is significantly better on the units that both were scored on" in said


def leaders_told(made: Report) -> int:
    """How often the page, apart from single runs, tells who has the highest score."""
    page = re.sub(r"<details class=.run.>.*?</details>", "", made.render("html"), flags=re.S)
    return len(re.findall(r"has the highest|scores? highest", page))


def test_the_verdict_is_not_repeated(whole: Report) -> None:
    """Sections do not say again who leads: once in each way, once for questions, once for nuggets."""
    views = len(whole.opening.views)
    assert leaders_told(whole) == views + 2
    ballots = report(ballots=ballots_of(["aabab", "abbab"]))
    (first, *_) = ballots.findings()
    assert ballots.render("html").count(escape(first)) == 1


def test_first_together() -> None:
    """Of runs that score the same none is first alone; one without any score is not held against the first."""
    half: list[float | None] = [1.0, 0.0] * 20
    assert "a, b and c tie for the highest accuracy (50.0%)." in headline(scored(a=half, b=half, c=half))
    none: list[float | None] = [None] * 40
    said = headline(scored(a=half, b=none, c=[0.0] * 39 + [1.0]))
    assert (
        "a scores highest (50.0%), 47.5 points ahead of the next run, and is significantly better than the only run"
        in said
    )


def test_small_sets_claim_nothing() -> None:
    """Five units tell no two runs apart, and nothing says that they would, asked alone."""
    said = headline(scored(right=[1.0] * 5, wrong=[0.0] * 5))
    assert "asked about alone" not in said


def test_nothing_at_all(tmp_path: Path) -> None:
    """Where no section can be made there is no empty page, but the reasons."""
    blind = tmp_path / "blind.tsv"
    blind.write_text("id\ttext\thypothesis\n1\tA b.\tB.\n2\tC d.\tD.\n")
    run = tmp_path / "run.txt"
    run.write_text("1 ENTAILMENT\n2 UNKNOWN\n")
    key = karat.read_pairs(blind)
    with pytest.raises(UsageError, match="no section can be made: score: "):
        report(karat.read_runs(run, key))


def test_blind_key(make: Any) -> None:
    """A key without labels leaves out what needs labels, and nothing else: ballots still agree."""
    key, runs = make("E U C E", a="1 E\n2 U\n3 C\n4 E")
    blind = replace(key, labels=np.full(len(key), -1, dtype=np.int8), way=None)
    ballots = replace(ballots_of(["0102", "0112"], values="012"), units=key.ids)
    made = report(replace(runs, key=blind), ballots=ballots)
    assert [section.name for section in made.sections] == ["agree"]
    assert made.pairs is None
    all_explained(made)


def test_settings_without_scores() -> None:
    """A setting under which nothing is defined takes nobody's first place."""
    pairs = karat.read_pairs(examples.PAIRS)
    few = [place for place, code in enumerate(pairs.labels.tolist()) if code != 2][:40]
    key = replace(
        pairs,
        ids=tuple(pairs.ids[place] for place in few),
        texts=tuple(pairs.texts[place] for place in few),
        hypotheses=tuple(pairs.hypotheses[place] for place in few),
        labels=pairs.labels[few],
        attributes={},
        ballots=None,
    )
    runs = [replace(run, codes=run.codes[few], position=run.position[few], confidence=None, justifications=None)
            for run in RUNS.runs if run.info.name in ("careful", "chatty")]  # fmt: skip
    result = karat.sensitivity(Responses.of(key, runs))
    assert any(one.scores["careful"] != one.scores["careful"] for one in result.settings)
    assert not any("is not first under" in said and "prior" in said for said in result.findings())


def test_undecided_of_graded_scores() -> None:
    """Where scores are graded the t test says how many units it takes."""
    random = np.random.default_rng(3)
    base = random.random(40)
    values = np.stack([base + random.normal(0.02, 0.3, 40), base])
    scores = karat.Scores(("a", "b"), tuple(map(str, range(40))), values, measure="f")
    (one,) = report(scores, without=["swap", "sensitivity"]).undecided
    assert one.units == one.units_alone
    gap = values[0] - values[1] if one.a == "a" else values[1] - values[0]
    assert one.units is not None
    powers = [float(t_power(units, gap.std(ddof=1), gap.mean())) for units in (one.units - 1, one.units)]
    assert powers[0] < 0.8 <= powers[1]


def test_findings_join_the_sections(whole: Report) -> None:
    """What opens the page: who scored highest and how surely, who does not differ, what is wrong with single runs."""
    found = " ".join(whole.findings())
    assert (
        "careful scores highest (78.8%), 3.8 points ahead of the next run, but its lead over 4 of the 9 other" in found
    )
    first = whole.undecided[0]
    assert (first.units, first.units_alone) == (2878, 1370)
    assert "If the lead of 3.8 points over ranked is real, confirming it would" in found
    assert "take about 2,900 pairs (about 1,400 in one planned comparison)." in found
    assert "On the questions, verbose scores highest" in found
    assert "contradict" in found
    assert all(sentence in whole.headlines() for sentence in whole.of("score").headlines())


def test_a_run_by_itself(whole: Report) -> None:
    """A run's portrait has every row that names it, and no row that does not."""
    portraits = {portrait.run: portrait for portrait in whole.portraits() if portrait.about == "pairs"}
    assert set(RUNS.names) <= set(portraits)
    careful = portraits["careful"]
    table = next(sheet for sheet in careful.sheets if sheet.title == "Answers by key, three-way")
    counts = np.array([column.values for column in table.columns[1:]])
    assert counts.sum() == len(KEY)
    assert counts.trace() == (RUNS.runs[RUNS.names.index("careful")].codes == KEY.labels).sum()
    pairs = next(sheet for sheet in careful.sheets if sheet.title == "Compared with every other run")
    assert set(pairs.columns[0].values) == set(RUNS.names) - {"careful"}
    assert all("careful" in sentence for sentence in careful.findings)
    assert any(sentence.startswith("careful ranks first") for sentence in careful.findings)


def test_runs_of_one_name(whole: Report) -> None:
    """A run on the pairs and one on the questions that have the same name are two runs."""
    mine = [portrait for portrait in whole.portraits() if portrait.run == "careful"]
    assert [portrait.about for portrait in mine] == ["pairs", "questions"]
    pairs, questions = ({sheet.title for sheet in portrait.sheets} for portrait in mine)
    assert "Answers by key, three-way" in pairs - questions
    overlap = next(
        portrait for portrait in whole.portraits() if portrait.run == "overlap" and portrait.about == "pairs"
    )
    assert not any("0.827" in sentence for sentence in overlap.findings)  # what another of that name has on the parts
    assert whole.render("html").count("<summary>careful</summary>") == 2


def test_names_inside_names() -> None:
    """A run called `a` is named by no sentence with that word in it, `best` by none on `best-of-all`."""
    runs = ("a", "best", "best-of-all")
    values = np.array([[1.0, 0.0] * 20, [0.0, 1.0, 1.0, 1.0] * 10, [0.0, 0.0, 1.0, 0.0] * 10])
    result = report(karat.Scores(runs, tuple(map(str, range(40))), values))
    portraits = {portrait.run: portrait for portrait in result.portraits()}
    assert any(" a " in sentence for section in result.sections for sentence in section.result.findings())
    assert [sentence for sentence in portraits["a"].findings if "its lead over a is" not in sentence] == []
    assert not any("best-of-all is" in sentence for sentence in portraits["best"].findings)


def test_names_that_go_on() -> None:
    """base+x and base.v2 are other runs than base, also where a sentence ends or lists them."""
    key = karat.read_pairs(examples.PAIRS)
    read = karat.read_runs(examples.RUNS, key)
    names = {"always-entailment": "base+x", "careful": "base", "chatty": "base.v2", "terse": "terse"}
    runs = [
        replace(run, info=replace(run.info, name=names[run.info.name])) for run in read.runs if run.info.name in names
    ]
    result = report(Responses.of(key, runs), without=["swap", "size"])
    said = {portrait.run: portrait.findings for portrait in result.portraits()}
    assert any(sentence == "base+x answers ENTAILMENT to every pair." for sentence in said["base+x"])
    assert not any("to every pair" in sentence for sentence in (*said["base"], *said["base.v2"]))
    assert any(sentence.startswith("base ranks first") for sentence in said["base"])


def test_one_run() -> None:
    """A run that there is none to compare with has its interval and the baseline; several are ranked untested."""
    one = karat.read_runs([examples.RUNS / "careful.jsonl"], KEY)
    said = "careful scores 76.2% (95% CI 69.1% to 82.2%); always-entailment scores 50.0%."
    assert report(one).findings()[0] == said
    several = report(RUNS, without=["compare", "swap", "size", "sensitivity"])
    assert several.findings()[0] == "careful scores highest (78.8%), but was not tested against any other run."
    (view, other) = several.opening.views
    assert [entry.run for entry in view.board.entries][:3] == ["careful", "ranked", "two-way"]
    assert {entry.ranks for entry in view.board.entries} == {(1, 10)}
    assert "two-way" not in [entry.run for entry in other.board.entries]


def test_no_empty_tables(whole: Report) -> None:
    """A table that says nothing of a run is not in its section."""
    for portrait in whole.portraits():
        for sheet in portrait.sheets:
            assert len(sheet.columns[0].values) > 0, (portrait.run, sheet.title)


def test_stars() -> None:
    """A run that people had a hand in has a star in tables, and is found by its name all the same.

    One whose own name has a star or brackets is another run.
    """
    names = ("dup", "dup*", "(always-entailment)", "*")
    named = karat.Scores(names, tuple(map(str, range(8))), np.array([[1.0, 0.0] * 4] * 4))
    portraits = report(named, without=["swap", "size", "sensitivity"]).portraits()
    assert {portrait.run for portrait in portraits} == set(names)
    runs = karat.read_runs(examples.RUNS, KEY, manual=["careful"])
    result = report(runs, without=["swap", "sensitivity", "size"])
    assert "careful" in [portrait.run for portrait in result.portraits()]
    assert re.search('<a href="#run-\\d+">careful\\*</a>', result.render("html"))


def test_options_reach_every_section() -> None:
    """The seed is that of every section that has one; the way is that of every section that has labels."""
    decomposed = karat.read_decomposition(examples.DECOMPOSED)
    result = report(
        karat.read_runs([examples.RUNS / "careful.jsonl", examples.RUNS / "chatty.jsonl"], KEY),
        decomposed=decomposed,
        decomposed_runs=karat.read_runs(examples.DECOMPOSED_RUNS, decomposed.pairs),
        ballots=karat.read_ballots(examples.BALLOTS, KEY),
        way="2",
        seed=7,
    )
    seeds = {section.name: section.result.signature.seed for section in result.sections}
    assert {name for name, seed in seeds.items() if seed != 7} <= {"items", "sensitivity"}
    ways = {section.name: section.result.signature.way for section in result.sections}
    assert {ways[name] for name in ("score", "compare", "size", "swap", "items", "keys", "sensitivity")} == {"2"}
    assert result.pairs is not None
    assert [one.way for one in result.pairs.scorings] == ["2"]


def test_scoring_reaches_the_questions() -> None:
    """Questions are scored as was said, and so are generated answers as far as that applies."""
    nouns = question_nouns()
    asked, answers = nouns.pop("questions"), nouns.pop("answers")
    alone = karat.qa(asked, answers, **nouns, beta=1.0)
    generated = karat.read_matches(examples.RAG / "assignments", karat.read_nuggets(examples.RAG / "nuggets.jsonl"))
    scoring = QaParameters(beta=1.0, missing="zero")
    result = report(questions=asked, answers=answers, **nouns, generated=generated, scoring=QaParameters(beta=1.0))
    assert result.of("qa").render("json") == alone.render("json")
    zero = report(generated=generated, scoring=scoring)
    assert zero.of("nuggets").render("json") == karat.nuggets(generated, beta=1.0, missing="zero").render("json")
    assert report(generated=generated).of("nuggets").render("json") == karat.nuggets(generated).render("json")


def test_pairs_of_many_runs() -> None:
    """Of many runs the table of pairs has the closest, and a run's own section has all of its pairs."""
    random = np.random.default_rng(1)
    runs = tuple(f"run{number:02}" for number in range(12))
    values = (random.random((12, 60)) < np.linspace(0.3, 0.9, 12)[:, None]).astype(float)
    result = report(karat.Scores(runs, tuple(map(str, range(60))), values), without=["swap", "size", "sensitivity"])
    for portrait in result.portraits():
        beside = next(sheet for sheet in portrait.sheets if sheet.title == "Compared with every other run")
        assert len(beside.columns[0].values) == 11
        mean = dict(zip(runs, values.mean(axis=1), strict=True))
        column = {one.name: one.values for one in beside.columns}
        expected = [mean[portrait.run] - mean[str(other)] for other in column["run"]]
        assert column["difference"] == pytest.approx(expected)


def test_very_many_runs(tmp_path: Path) -> None:
    """Of many runs all are scored and tested; those with the highest scores are shown, and said to be the ones."""
    key = pairs_of(key_codes(60))
    codes = run_codes(key.labels, LEADING + 30)[::-1]  # the best first, so that the order of files is not what decides
    runs = karat.read_runs(write_runs(tmp_path / "runs", key.ids, codes), key)
    accuracy = runs.right(THREE).values.mean(axis=1)
    result = report(runs, without=["swap"])
    compared = {portrait.run for portrait in result.portraits()}
    assert len(compared) == LEADING
    left = [accuracy[place] for place, name in enumerate(runs.names) if name not in compared]
    assert max(left) <= min(accuracy[place] for place, name in enumerate(runs.names) if name in compared)
    assert len(result.of("score").runs) == len(result.of("compare").runs) == len(runs)
    assert set(result.of("size").runs) == set(runs.names)  # corrected for as many pairs as are tested
    assert result.pairs is not None
    assert set(result.pairs.answers) == compared
    note = f"Only the {LEADING} runs with the highest scores, of {len(runs)}, are in"
    assert {one.name for one in result.sections if one.note == f"{note} this section."} == {"sensitivity"}
    assert any(sentence.startswith(note) for sentence in result.findings())
    page = result.render("html")
    assert page.count(note) >= 2
    assert (f"The {LEADING} leading runs" in page, "Every run" in page) == (True, False)
    few = report(runs.of_runs(range(LEADING)), without=["swap", "size", "sensitivity"])
    assert {one.note for one in few.sections} == {""}
    scores = report(runs.right(THREE), without=["swap", "size", "sensitivity"])
    assert {row.run for row in scores.of("compare").runs} == set(runs.names)


def test_what_cannot_be_meant() -> None:
    """A wrong attribute, a judge without ballots, ballots to judge without a judge: told, not left out in silence."""
    ballots = karat.read_ballots(examples.JUDGED, KEY)
    with pytest.raises(UsageError, match="attribute of the pairs"):
        report(RUNS, by=["taks"])
    with pytest.raises(UsageError, match="give the ballots"):
        report(RUNS, automatic=["auto"])
    with pytest.raises(UsageError, match="automatic=…"):
        report(RUNS, judged=ballots)
    with pytest.raises(UsageError, match="did you mean 'auto'"):
        report(RUNS, judged=ballots, automatic=["aut"])


def test_ballots_of_other_labels(tmp_path: Path) -> None:
    """Ballots whose labels say nothing of the key take no section away that does without them."""
    file = tmp_path / "ballots.tsv"
    text = examples.BALLOTS.read_text()
    for number, label in enumerate(("ENTAILMENT", "UNKNOWN", "CONTRADICTION")):
        text = text.replace(label, str(number))
    file.write_text(text)
    result = report(RUNS, ballots=karat.read_ballots(file, level="nominal"), without=["swap"])
    assert {"size", "sensitivity", "agree"} <= {section.name for section in result.sections}
    assert [left.name for left in result.left_out] == ["keys"]
    unsaid = report(RUNS, ballots=karat.read_ballots(file), without=["swap", "compare", "size", "sensitivity"])
    assert "names, ranks or amounts" in {left.name: left.reason for left in unsaid.left_out}["agree"]


def test_nothing_is_first_that_has_no_score() -> None:
    """Where questions have no score by series they are compared by what they have, and NaN is never first."""
    nouns = question_nouns()
    for noun in ("matches", "verdicts"):
        nouns.pop(noun)
    result = report(**nouns)
    assert result.of("qa-compare").measure != "series_score"
    assert not any("nan" in sentence for sentence in result.headlines())


def test_other_forms(whole: Report) -> None:
    """As text and LaTeX a report has the tables of its sections too; as CSV its numbers are whole."""
    text, latex, table = (whole.render(form) for form in ("text", "latex", "csv"))
    title = whole.of("compare").sheets()[0].title
    assert title in text
    assert latex.count(r"\begin{tabular}") > 50
    values = [row[3] for row in csv.reader(io.StringIO(table))]
    assert any(len(value) > 12 and value.startswith("0.") for value in values)
    assert "–" not in values


def test_figures_of_sections(whole: Report) -> None:
    """A figure of any section can be had from the report; of two of one name each has its section's."""
    names = [chart.name for chart in whole.charts()]
    assert len(set(names)) == len(names)
    assert {"groups", "qa-compare-groups", "planning"} <= {name.removesuffix("-2-way") for name in names}
    assert whole.figure("groups").chart == whole.of("compare").figure("groups").chart


def test_folders_stay_at_home(tmp_path: Path) -> None:
    """The title names a file, not where it lies."""
    inside = tmp_path / "secret" / "test.xml"
    inside.parent.mkdir()
    inside.write_bytes(examples.PAIRS.read_bytes())
    key = karat.read_pairs(inside)
    result = report(karat.read_runs([examples.RUNS / "careful.jsonl"], key))
    assert result.title == "Test"


def test_methods_are_methods(whole: Report) -> None:
    """Every study says how it works, in plain sentences, and whose work it is."""
    for method in whole.methods:
        assert method.what
        assert "\n" not in method.what
    by_name = {method.name: method for method in whole.methods}
    assert "Holm 1979" in by_name["compare"].source
    assert "Voorhees" in by_name["swap"].source


def test_hostile_names() -> None:
    """Names are text: in links, in data, in attributes."""
    nasty = 'x"><script>alert(1)</script>'
    scores = karat.Scores((nasty, "b"), tuple("12345678"), np.array([[1.0, 0.0] * 4, [0.0, 1.0, 1.0, 1.0] * 2]))
    text = report(scores).render("html")
    assert "<script>alert" not in text
    assert Page(text).links


def test_all_rows_of_a_report() -> None:
    """A report in full has all rows in the tables of its sections, on the page too; the report stays as it is."""
    random = np.random.default_rng(3)
    values = (random.random((6, 60)) < np.linspace(0.5, 0.7, 6)[:, None]).astype(float)
    runs = tuple(f"run{number}" for number in range(6))
    result = report(karat.Scores(runs, tuple(map(str, range(60))), values), without=["swap", "size", "sensitivity"])
    pairs = next(sheet for sheet in result.every_sheet() if sheet.whole)
    assert len(pairs.rows()) < 15
    full = next(sheet for sheet in result.in_full().every_sheet() if sheet.title.startswith("All 15 pairs"))
    assert len(full.rows()) == 15
    for format in ("text", "markdown", "html"):
        assert ("All 15 pairs" in result.render(format), "All 15 pairs" in result.render(format, all_rows=True)) == (
            False,
            True,
        )


def test_clusters_of_pairs() -> None:
    """Runs are compared by clusters, both ways; what takes no clusters promises nothing, and a sentence says so."""
    runs = RUNS
    made = report(runs, cluster="topic", without=("swap", "sensitivity"))
    compared = made.of("compare")
    assert compared.pairs == karat.compare(runs, way=compared.way, cluster="topic").pairs
    assert compared.clusters == 6
    assert [view.board.way for view in made.opening.views] == ["2", "3"]
    for view in made.opening.views:
        assert "power" not in view.resolution
        assert "confirming it" not in view.resolution
    found = " ".join(made.findings())
    assert "Runs are scored and compared by clusters of pairs with the same topic." in found
    assert "share their text" not in found
    assert all("typically finds" not in one.grade.text for one in made.opening.grades)
    with pytest.raises(karat.UsageError, match="no attribute of the pairs is called 'topick'; did you mean 'topic'"):
        report(runs, cluster="topick")


@pytest.mark.parametrize(
    ("file", "title"),
    [
        ("data/mnli_dev-matched.jsonl", "MNLI dev matched"),
        ("RTE3_test.preprocessed.xml.gz", "RTE-3 test.preprocessed"),
        ("rte3.pairs", "RTE-3"),
        ("RTE3_test.xml", "RTE-3 test set"),
        ("rte3-german.xml", "RTE-3 German"),
        ("trec13questions.xml", "TREC 13 questions"),
        ("rag24_nuggets.jsonl", "RAG 24 nuggets"),
        ("sick-dev.tsv", "SICK development set"),
        ("test.xml", "Test"),
        ("a-letter-to-anna.tsv", "A letter to anna"),
        ("data/rte3-german/key.xml", "RTE-3 German"),
        ("mnli-matched/key.tsv", "MNLI matched"),
        ("/home/jane/key.tsv", "Evaluation of 10 runs"),
        ("../data/key.tsv", "Evaluation of 10 runs"),
        ("../key.tsv", "Evaluation of 10 runs"),
        ("Downloads/key.tsv", "Evaluation of 10 runs"),
        ("questions.xml", "Evaluation of 10 runs"),
        ("", "Evaluation of 10 runs"),
        ("__.tsv", "Evaluation of 10 runs"),
    ],
)
def test_a_readable_title(file: str, title: str) -> None:
    """A page has the name of its test set in words, unless it is given another."""
    runs = Responses.of(replace(KEY, source=replace(KEY.source, name=file)), list(RUNS.runs))
    without = [name for name in SECTIONS if name != "score"]
    assert report(runs, without=without).title == title
    assert report(runs, without=without, title="a_b.xml").title == "a_b.xml"


def test_a_run_s_page_begins_with_the_run(whole: Report) -> None:
    """What is said of the run itself comes before what mentions it beside others."""
    for portrait in whole.portraits():
        begins = [one.startswith(portrait.run) for one in portrait.findings]
        assert begins == sorted(begins, reverse=True), portrait.run
    assert any(len({one.startswith(portrait.run) for one in portrait.findings}) == 2 for portrait in whole.portraits())


def test_a_page_without_runs_opens_with_its_answer() -> None:
    """Ratings or ballots alone have no leaderboard: the first section's main finding stands where the verdict would."""
    ratings = karat.read_justifications(examples.RATINGS)
    ballots = karat.read_ballots(examples.BALLOTS)
    nobody_knows = replace(ballots, exchangeable=True)
    for made, facts in (
        (report(ratings=ratings), (f"{len(ratings):,} ratings of {len(ratings.runs)} runs", "")),
        (report(ballots=ballots), ("320 ballots of 2 assessors", "160 units")),
        (report(ballots=nobody_knows), ("320 ballots, up to 2 per unit", "160 units")),
    ):
        assert made.opening.views == ()
        first = made.sections[0].result.headlines()[0]
        assert made.findings()[0] == first
        page = made.render("html")
        (verdict,) = re.findall(r'<p class="verdict">(.+)</p>', page)
        assert re.sub("<[^>]+>", "", verdict) == escape(first)
        assert made.render("text").index(first[:40]) < made.render("text").index(made.sections[0].question)
        assert all(fact in made.opening.facts for fact in facts if fact)


def test_pairs_without_a_label_are_counted() -> None:
    """The mix of labels adds up to the number of pairs."""
    labels = KEY.labels.copy()
    labels[:3] = -1
    runs = Responses.of(replace(KEY, labels=labels), list(RUNS.runs))
    first = report(runs, without=[name for name in SECTIONS if name != "score"]).opening.facts[0]
    numbers = [int(one) for one in re.findall(r"(\d+) (?:entailment|unknown|contradiction|without a label)", first)]
    assert sum(numbers) == len(KEY) == int(first.split()[0])
    assert "3 without a label" in first


def test_runs_with_errors_are_on_the_first_screen(tmp_path: Path) -> None:
    """That a run was left out is a fact about the report, and not only a warning about a file."""
    bad = tmp_path / "bad.txt"
    bad.write_text("1 PERHAPS\n")
    runs = karat.read_runs([examples.RUNS, bad], KEY, skip_bad_runs=True)
    made = report(runs, without=["compare", "swap", "size", "sensitivity", "items"])
    assert "10 runs, and 1 with errors that is left out" in made.opening.facts
